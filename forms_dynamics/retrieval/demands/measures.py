"""What is compared with an amount, and how: "longer than 60 cm", 比30克重, "cheaper than £40", "the heaviest".

A word that compares says what is measured (its length) and in which direction; a unit says of which kind the slot is.
"""

# ruff: noqa: E501 (a list of words and a pattern read best on one line)
from __future__ import annotations

import re
from collections.abc import Iterable
from decimal import Decimal
from typing import NamedTuple

from forms_dynamics.language.normal import normal
from forms_dynamics.language.units import converted, unit_behind, unit_of
from forms_dynamics.schema.spec import SlotSpec

NUMERIC = frozenset({"money", "integer", "number", "percent"})  # kinds of slots that hold an amount


class Sense(NamedTuple):
    """What a word measures. ``more`` and ``less``: the words for either direction, as patterns; ``pieces``: what stands
    in the names of slots that hold it, likeliest first."""

    more: str
    less: str
    pieces: tuple[str, ...]


_COSTS = (
    "price",
    "cost",
    "charge",
    "rate",
    "worth",
    "value",
    "fee",
    "fare",
    "rent",
    "estimate",
    "amount",
    "价",
    "费",
    "金额",
)
# English stems take -er and -est; Chinese words stand behind 最, and behind what 比 compares with
_SENSES = (
    Sense(r"贵|dear|pric(?:i|y)|costli|expensive", r"便宜|cheap", _COSTS),
    Sense(r"[长久]|long", r"短|short", ("length", "duration", "minutes", "hours", "running", "长")),
    Sense(r"高|tall|high", r"[矮低]|low", ("height", "altitude", "elevation", "高", "海拔")),
    Sense(r"[重沉]|heav(?:i|y)", r"轻|light", ("weight", "mass", "重")),
    Sense(r"远|f[au]r?th", r"近|near|clos", ("distance", "mileage", "距", "里程")),
    Sense(r"宽|wid|broad", r"窄|narrow", ("width", "beam", "宽")),
    Sense(r"深|deep", r"浅|shallow", ("depth", "draft", "draught", "深")),
    Sense(r"厚|thick", r"薄|thin", ("thickness", "厚")),
    Sense(r"大|big|larg", r"小|small", ("area", "size", "acres", "floor_space", "capacity", "volume", "面积", "大小", "容量")),
    Sense(r"快|fast", r"慢|slow", ("speed", "速")),
)  # fmt: skip
_UP = r"多|great|more|strong"
_DOWN = r"少|few|less|weak"
_ALL_MORE = "|".join((*(sense.more for sense in _SENSES), _UP))
_ALL_LESS = "|".join((*(sense.less for sense in _SENSES), _DOWN))


def _en(words: str) -> str:
    return "|".join(w for w in re.split(r"\|(?![^(]*\))", words) if not re.search("[一-鿿]", w))


def _zh(words: str) -> str:
    return "|".join(w for w in re.split(r"\|(?![^(]*\))", words) if re.search("[一-鿿]", w))


_THAN = re.compile(
    rf"\b(?:(?P<more>(?:{_en(_ALL_MORE)})(?:[a-z]?e?r)?|more expensive)|(?P<less>(?:{_en(_ALL_LESS)})(?:[a-z]?e?r)?|less expensive)) "
    r"than (?:about |some |a |an )?$"
)
_COMPARED = re.compile(rf"(?:还|更|要)?(?:(?P<more>{_zh(_ALL_MORE)})|(?P<less>{_zh(_ALL_LESS)}))(?!于)")
_THAN_ZH = re.compile(rf"(?:(?P<more>{_zh(_ALL_MORE)})|(?P<less>{_zh(_ALL_LESS)}))于$")
_IS_THAN = re.compile("(?:不)?(?:比|较)$")
_DIGITS = re.compile(r"[\d.,]*\d(?: ?[万千百亿])?|[一二两三四五六七八九十百千万]+")


class Measure(NamedTuple):
    """How an amount at ``start``:``end`` is compared: ``side`` more or less (empty: as it stands), what by (``said``, the
    word that compares), in which unit."""

    start: int
    end: int
    side: str
    said: str
    unit: str | None


def measure(text: str, start: int, end: int) -> Measure:
    """What is said around the amount ``text[start:end]``."""
    number = next(iter(reversed(list(_DIGITS.finditer(text, start, end)))), None)
    behind = unit_behind(text, number.end() if number else end)
    unit, last = behind if behind is not None else (None, end)
    last = max(last, end)
    before = _THAN.search(text[:start])
    if before is None and number is not None:  # "longer than" may be read as the bound itself
        before = _THAN.search(text[: number.start()])
    before = before or _THAN_ZH.search(text[:start])
    if before is not None:
        return Measure(before.start(), last, "more" if before["more"] else "less", before.group(), unit)
    if (lead := _IS_THAN.search(text[:start])) and (found := _COMPARED.match(text, last)):
        denied = lead.group().startswith("不")
        more = bool(found["more"]) is not denied
        return Measure(lead.start(), found.end(), "more" if more else "less", found.group(), unit)
    said = re.match(
        rf" ?(?:{_zh(_ALL_MORE)}|{_zh(_ALL_LESS)}| (?:long|tall|high|heavy|wide|deep|thick)\b)", text[last:]
    )
    return Measure(start, last + (said.end() if said else 0), "", said.group() if said else "", unit)


def unit_of_slot(spec: SlotSpec) -> str | None:
    """The unit that a slot declares, or that ends its name: length_cm."""
    if spec.type == "money":
        return None
    declared = unit_of(spec.unit) if spec.unit else None
    return declared or unit_of(spec.name.rpartition("_")[2])


def measuring(said: str, specs: Iterable[SlotSpec]) -> SlotSpec | None:
    """Of ``specs`` the one that holds what ``said`` compares (longest, 最重, "cheaper than")."""
    specs = list(specs)
    pieces = [
        piece
        for sense in _SENSES
        if re.search(
            rf"(?:\b(?:{_en(sense.more)}|{_en(sense.less)})|{_zh(sense.more)}|{_zh(sense.less)})", said
        )
        for piece in sense.pieces
    ]
    if pieces[:1] == ["price"] and len(money := [s for s in specs if s.type == "money"]) == 1:
        return money[0]
    for piece in pieces:
        for spec in specs:
            if piece in spec.name:
                return spec
    return next((s for piece in pieces for s in specs if any(piece in normal(a) for a in s.aliases)), None)


_MORE_SAID = re.compile(rf"\b(?:{_en(_ALL_MORE)})|{_zh(_ALL_MORE)}|多")
_LESS_SAID = re.compile(rf"\b(?:{_en(_ALL_LESS)})|{_zh(_ALL_LESS)}|少")


def direction(said: str) -> bool | None:
    """Whether a word that compares says more, or less (False); None where it says neither."""
    if said.startswith("more"):  # more lessons
        return True
    if _LESS_SAID.search(said):
        return False
    return True if _MORE_SAID.search(said) else None


def in_its_unit(amount: Decimal | None, unit: str | None, spec: SlotSpec) -> Decimal | None:
    """The amount as ``spec`` counts it; as it stands where nothing is known of units."""
    into = unit_of_slot(spec)
    if amount is None or unit is None or into is None:
        return amount
    return converted(amount, unit, into)


def fits(unit: str | None, spec: SlotSpec) -> bool:
    """Whether a slot may hold an amount said in a unit."""
    if unit is None:
        return True
    into = unit_of_slot(spec)
    return spec.type != "money" and (into is None or converted(Decimal(1), unit, into) is not None)


__all__ = ["NUMERIC", "Measure", "direction", "fits", "in_its_unit", "measure", "measuring", "unit_of_slot"]
