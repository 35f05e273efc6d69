"""Lengths of time as ISO 8601 durations: 三个月 is P3M, "two weeks" P2W, 一个半小时 PT1H30M."""

from __future__ import annotations

import re
from decimal import Decimal, InvalidOperation
from functools import lru_cache

from forms_dynamics.language.counts import EN_COUNT, count
from forms_dynamics.language.normal import simplified
from forms_dynamics.language.reading import Reading

_UNIT_ZH = {"年": "Y", "月": "M", "季度": "Q", "周": "W", "星期": "W", "礼拜": "W", "天": "D", "日": "D",
            "小时": "h", "钟头": "h", "分钟": "m", "分": "m", "秒": "s", "秒钟": "s"}  # fmt: skip
_UNIT_EN = {"year": "Y", "yr": "Y", "month": "M", "mo": "M", "quarter": "Q", "week": "W", "wk": "W",
            "fortnight": "F", "day": "D", "hour": "h", "hr": "h", "h": "h", "minute": "m", "min": "m",
            "second": "s", "sec": "s"}  # fmt: skip
# a half of a unit, and units told in another
_HALF = {"Y": ("M", 6), "M": ("D", 15), "h": ("m", 30), "D": ("h", 12), "m": ("s", 30)}
_SCALE = {"Q": ("M", 3), "F": ("W", 2)}

_N = r"(?:\d+(?:\.\d+)?|[零〇一二两三四五六七八九十百]{1,5})"
_PART_ZH = (
    rf"(?P<n>半|{_N})\s?个?(?P<half>半)?\s?(?P<unit>年|(?<=个)月|(?<=半)月|季度|周|星期|礼拜|天|(?<=\d)日(?!元)|小时|钟头|分钟|秒钟?)"
    r"(?P<tail>半(?![年月个天]))?"
)
_PART_EN = (
    rf"(?P<n>\d+(?:\.\d+)?|half\s+an?|{EN_COUNT})[\s-]?(?P<tail>and\s+a\s+half\s+)?"
    r"(?P<unit>years?|yrs?|months?|quarters?|weeks?|wks?|fortnights?|days?|hours?|hrs?|h(?=\s?\d|\b)|minutes?|mins?|seconds?|secs?)\b"
    r"(?P<half>\s+and\s+a\s+half\b)?"
)
_ZH = re.compile(_PART_ZH)
_EN = re.compile(rf"(?<![\w.]){_PART_EN}", re.I | re.A)
_NAMES = re.compile(r"\(\?P<\w+>")
_PIECE_ZH = "(?:" + _NAMES.sub("(?:", _PART_ZH) + ")"
_RUN_ZH = re.compile(rf"{_PIECE_ZH}(?:[零又]?{_PIECE_ZH})*")
_PIECE_EN = _NAMES.sub("(?:", _PART_EN)
_RUN_EN = re.compile(
    rf"(?<![\w.]){_PIECE_EN}(?:(?:\s*(?:,|and)?\s*){_PIECE_EN}(?!\s+(?:ago|later)))*", re.I | re.A
)
_EN_SHORT = re.compile(r"(?<![\w.])(?P<h>\d{1,3})h(?P<m>\d{1,2})m?\b", re.I | re.A)
_ISO = re.compile(
    r"P(?!$)(?:\d+(?:\.\d+)?Y)?(?:\d+(?:\.\d+)?M)?(?:\d+(?:\.\d+)?W)?(?:\d+(?:\.\d+)?D)?"
    r"(?:T(?=\d)(?:\d+(?:\.\d+)?H)?(?:\d+(?:\.\d+)?M)?(?:\d+(?:\.\d+)?S)?)?"
)


def _add(total: dict[str, Decimal], unit: str, number: Decimal) -> None:
    """Adds, telling a fraction of a unit in the next smaller one where that is exact."""
    if unit in _SCALE:
        unit, times = _SCALE[unit]
        number *= times
    whole = number.to_integral_value(rounding="ROUND_FLOOR")
    if number - whole == Decimal("0.5") and unit in _HALF:
        smaller, amount = _HALF[unit]
        total[smaller] = total.get(smaller, Decimal(0)) + amount
        number = whole
    if number:
        total[unit] = total.get(unit, Decimal(0)) + number


def _iso(total: dict[str, Decimal]) -> str | None:
    def piece(unit: str, letter: str) -> str:
        return f"{total[unit].normalize():f}{letter}" if total.get(unit) else ""

    day = piece("Y", "Y") + piece("M", "M")
    weeks = total.get("W")
    if weeks and (day or any(total.get(u) for u in "Dhms")):  # weeks stand alone in ISO 8601
        total = total | {"D": total.get("D", Decimal(0)) + 7 * weeks, "W": Decimal(0)}
    day += piece("W", "W") + piece("D", "D")
    time = piece("h", "H") + piece("m", "M") + piece("s", "S")
    return "P" + day + ("T" + time if time else "") if day or time else None


def _number(raw: str) -> Decimal | None:
    raw = raw.lower().strip()
    if raw == "半" or raw.startswith("half"):
        return Decimal("0.5")
    try:
        return Decimal(raw)
    except InvalidOperation:
        counted = count(raw)
        return None if counted is None else Decimal(counted)


def _value(run: str, pattern: re.Pattern[str]) -> str | None:
    total: dict[str, Decimal] = {}
    for m in pattern.finditer(run):
        number = _number(m["n"])
        if number is None:
            return None
        if m["tail"] or m["half"]:
            number += Decimal("0.5")
        unit = m["unit"].lower()
        _add(total, _UNIT_ZH[unit] if unit in _UNIT_ZH else _UNIT_EN[unit.rstrip("s") or unit], number)
    return _iso(total)


@lru_cache(maxsize=512)
def _found(text: str) -> tuple[Reading, ...]:
    folded = simplified(text)
    out: list[Reading] = []
    if not folded.isascii():
        for m in _RUN_ZH.finditer(folded):
            if (value := _value(m[0], _ZH)) is not None:
                out.append(Reading(m.start(), m.end(), value, kind="duration"))
    for m in _EN_SHORT.finditer(folded):
        out.append(Reading(m.start(), m.end(), f"PT{int(m['h'])}H{int(m['m'])}M", kind="duration"))
    for m in _RUN_EN.finditer(folded):
        if any(r.start < m.end() and m.start() < r.end for r in out):
            continue
        if (value := _value(m[0], _EN)) is not None:
            out.append(Reading(m.start(), m.end(), value, kind="duration"))
    return tuple(sorted(out, key=lambda r: r.start))


def find_durations(text: str) -> list[Reading]:
    """All lengths of time in ``text``; values are ISO 8601 strings.

    三个月后 and "two weeks ago" hold one, too: where a day is wanted, ``dates`` reads them whole.
    """
    return list(_found(text))


def read_duration(raw: str) -> str | None:
    """The ISO 8601 duration that ``raw`` as a whole says (or already is), or None."""
    text = raw.strip()
    if _ISO.fullmatch(text.upper()):
        return text.upper()
    found = find_durations(text)
    if len(found) != 1:
        return None
    rest = text[: found[0].start] + text[found[0].end :]
    return found[0].value if len(rest.strip(" 。.,，共为期约for内的")) == 0 else None
