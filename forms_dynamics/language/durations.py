"""Lengths of time as ISO 8601 durations: 三个月 is P3M, "two weeks" P2W, 一个半小时 PT1H30M."""

from __future__ import annotations

import re
from dataclasses import replace
from decimal import Decimal, InvalidOperation
from functools import lru_cache

from forms_dynamics.language.amounts import JOINT, bound
from forms_dynamics.language.counts import EN_COUNT, count
from forms_dynamics.language.lazy import lazy
from forms_dynamics.language.normal import simplified
from forms_dynamics.language.reading import Reading
from forms_dynamics.model.value import Range

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
_ZH = lazy(_PART_ZH)
_EN = lazy(rf"(?<![\w.]){_PART_EN}", re.I | re.A)
_NAMES = lazy(r"\(\?P<\w+>")
_PIECE_ZH = "(?:" + _NAMES.sub("(?:", _PART_ZH) + ")"
_RUN_ZH = lazy(rf"{_PIECE_ZH}(?:[零又]?{_PIECE_ZH})*")
_PIECE_EN = _NAMES.sub("(?:", _PART_EN)
_RUN_EN = lazy(rf"(?<![\w.]){_PIECE_EN}(?:(?:\s*(?:,|and)?\s*){_PIECE_EN}(?!\s+(?:ago|later)))*", re.I | re.A)
_EN_SHORT = lazy(r"(?<![\w.])(?P<h>\d{1,3})h(?P<m>\d{1,2})m?\b", re.I | re.A)
_ISO = lazy(
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
        _add(total, _unit(m["unit"]), number)
    return _iso(total)


def _unit(raw: str) -> str:
    unit = raw.lower()
    return _UNIT_ZH[unit] if unit in _UNIT_ZH else _UNIT_EN[unit.rstrip("s") or unit]


_SECONDS = {"Y": 31_556_952, "W": 604_800, "D": 86_400, "H": 3_600, "S": 1}
_PIECES = lazy(r"(T)|(\d+(?:\.\d+)?)([YMWDHS])")


def length(iso: str) -> Decimal:
    """Seconds of an ISO 8601 duration (a month is a twelfth of a mean year), to compare two."""
    total, clock = Decimal(0), False
    for mark, number, unit in _PIECES.findall(iso):
        if mark:
            clock = True
        elif unit == "M":
            total += Decimal(number) * (60 if clock else 2_629_746)
        else:
            total += Decimal(number) * _SECONDS[unit]
    return total


# 两三天: between two neighbours, roughly
_PAIR = lazy("([一二两三四五六七八])([二三四五六七八九])(?=个|年|周|星期|礼拜|天|小时|钟头|分钟|秒|季度)")
_FIRST = lazy(
    rf"(?P<from>(?:\bbetween|\bfrom|从|介于|在)\s*)?(?<![A-Za-z0-9_.:/年月零〇一二两三四五六七八九十百-])(?P<n>{_N}|{EN_COUNT})\s*(?:-|–|—{{1,2}}|~|到|至|\bto\b|(?P<and>\band\b|和|与)|(?P<or>\bor\b|或者?))\s*$",
    re.I,
)
_TO = lazy(r"\s*(?:-|–|—{1,2}|~|到|至|\bto\b|(?P<and>\band\b|和|与)|(?P<or>\bor\b|或者?))\s*", re.I)
_BETWEEN = lazy(r"(?:\bbetween|介于|在)\s*$", re.I)
_LEAD = lazy(r"(?:\b(?:between|from)|从|介于|在)\s*$", re.I)
_WITHIN = lazy(r"\s*(?:之间|之内|以内|内(?![容部存网在外地]))")


def _ranged(text: str, found: list[Reading]) -> list[Reading]:
    """Ranges (4-6小时, "two to three days", 2小时 - 3小时) and bounds (20分钟以上, "at least 2 hours") of lengths."""
    out: list[Reading] = []
    for reading in found:
        last = out[-1] if out else None
        if (
            last is not None
            and isinstance(last.value, str)
            and (whole := _joined(text, last, reading)) is not None
        ):
            out[-1] = whole
        else:
            out.append(_counted(text, reading, last.end if last else 0) or reading)
    floor = 0
    bounds: list[Reading] = []
    for reading in out:
        side, start, end = bound(text, reading.start, reading.end, floor)
        if (within := _WITHIN.match(text, end)) and side in ("", "max"):
            side, end = side or "max", within.end()
        if isinstance(reading.value, Range):
            reading = replace(reading, end=end) if side == "max" else reading
        elif side:
            value = Range(None, reading.value) if side == "max" else Range(reading.value, None)
            reading = Reading(start, end, value, kind="duration")
        floor = reading.end
        before = bounds[-1] if bounds else None
        if before is not None and (both := _both(text, before, reading)) is not None:
            bounds[-1] = both
        else:
            bounds.append(reading)
    return bounds


def _joined(text: str, first: Reading, second: Reading) -> Reading | None:
    gap = text[first.end : second.start]
    said = _TO.fullmatch(gap) if len(gap) <= 8 else None
    if said is None or not isinstance(second.value, str) or length(first.value) >= length(second.value):
        return None
    if said["and"] and not _BETWEEN.search(text, max(0, first.start - 10), first.start):
        return None
    lead = _LEAD.search(text, max(0, first.start - 10), first.start)
    start = lead.start() if lead else first.start
    return Reading(
        start, second.end, Range(first.value, second.value), said["or"] is not None, (), "duration"
    )


def _counted(text: str, reading: Reading, floor: int) -> Reading | None:
    """4-6小时: the first number borrows the unit of the second. None where nothing leads to the reading."""
    said = _FIRST.search(text, max(floor, reading.start - 20), reading.start)
    words = text[reading.start : reading.end]
    if said is None or (said["and"] and not said["from"]):
        return None
    one = _ZH.fullmatch(words) or _EN.fullmatch(words)
    number = _number(said["n"])
    if one is None or number is None or one["tail"] or one["half"]:
        return None
    total: dict[str, Decimal] = {}
    _add(total, _unit(one["unit"]), number)
    low = _iso(total)
    if low is None or length(low) >= length(reading.value):
        return None
    return Reading(
        said.start(), reading.end, Range(low, reading.value), said["or"] is not None, (), "duration"
    )


def _both(text: str, first: Reading, second: Reading) -> Reading | None:
    """3天以上5天以下: two bounds that meet are one range."""
    a, b = first.value, second.value
    if not (
        isinstance(a, Range) and isinstance(b, Range) and JOINT.fullmatch(text[first.end : second.start])
    ):
        return None
    low, high = (a.min, b.max) if a.max is None and b.min is None else (b.min, a.max)
    if low is None or high is None or None not in (a.min, a.max) or None not in (b.min, b.max):
        return None
    return (
        Reading(first.start, second.end, Range(low, high), kind="duration")
        if length(low) < length(high)
        else None
    )


def _roughly(run: str) -> Range | None:
    """两三天 as a range of two and three days."""
    pair = _PAIR.match(run)
    if pair is None:
        return None
    low, high = (_value(digit + run[2:], _ZH) for digit in pair.groups())
    return Range(low, high) if low and high and length(low) < length(high) else None


@lru_cache(maxsize=512)
def _found(text: str) -> tuple[Reading, ...]:
    folded = simplified(text)
    out: list[Reading] = []
    if not folded.isascii():
        for m in _RUN_ZH.finditer(folded):
            if (rough := _roughly(m[0])) is not None:
                out.append(Reading(m.start(), m.end(), rough, True, (), "duration"))
            elif (value := _value(m[0], _ZH)) is not None:
                out.append(Reading(m.start(), m.end(), value, kind="duration"))
    for m in _EN_SHORT.finditer(folded):
        if any(r.start < m.end() and m.start() < r.end for r in out):
            continue  # 2h2周: the second number has its own unit
        out.append(Reading(m.start(), m.end(), f"PT{int(m['h'])}H{int(m['m'])}M", kind="duration"))
    for m in _RUN_EN.finditer(folded):
        if any(r.start < m.end() and m.start() < r.end for r in out):
            continue
        if (value := _value(m[0], _EN)) is not None:
            out.append(Reading(m.start(), m.end(), value, kind="duration"))
    return tuple(_ranged(folded, sorted(out, key=lambda r: r.start))) if out else ()


def find_durations(text: str) -> list[Reading]:
    """All lengths of time in ``text``; values are ISO 8601 strings, or a Range of them for ranges and bounds.

    三个月后 and "two weeks ago" hold one, too: where a day is wanted, ``dates`` reads them whole.
    """
    return list(_found(text))


def read_duration(raw: str) -> str | None:
    """The one ISO 8601 duration that ``raw`` as a whole says (or already is), or None."""
    text = raw.strip()
    if _ISO.fullmatch(text.upper()):
        return text.upper()
    found = find_durations(text)
    if len(found) != 1 or not isinstance(found[0].value, str):
        return None
    rest = text[: found[0].start] + text[found[0].end :]
    return found[0].value if len(rest.strip(" 。.,，共为期约for内的")) == 0 else None
