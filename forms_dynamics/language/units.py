"""Units of measure said behind a number: 35,000 miles are not taken for 35,000 km, 1.2 kg are 1,200 g."""

from __future__ import annotations

import re
from decimal import Decimal

from forms_dynamics.language.lazy import lazy
from forms_dynamics.language.numerals import lowered

_UNITS: dict[str, str] = {
    word: unit
    for unit, words in {
        "km": "km|kms|kilometers|kilometer|kilometres|kilometre|公里|千米",
        "mile": "miles|mile|mi|英里|哩",
        "m": "m|meters|meter|metres|metre|米",
        "cm": "cm|centimeters|centimeter|centimetres|centimetre|厘米|公分",
        "mm": "mm|millimeters|millimeter|millimetres|millimetre|毫米",
        "foot": "ft|feet|foot|英尺",
        "inch": "inches|inch|英寸|寸",
        "yard": "yards|yard|yd|码",
        "hand": "hands|hand|hh|掌",
        "li": "华里",
        "kg": "kg|kgs|kilos|kilo|kilograms|kilogram|公斤|千克",
        "jin": "斤|市斤",
        "g": "g|grams|gram|克",
        "t": "tons|ton|tonnes|tonne|吨",
        "lb": "lbs|lb|磅",
        "oz": "oz|ounces|ounce|盎司",
        "stone": "stones|stone",
        "l": "l|liters|liter|litres|litre|升",
        "ml": "ml|毫升",
        "gallon": "gallons|gallon|gal|加仑",
        "pint": "pints|pint|品脱",
        "m2": "m2|m²|sqm|square meters|square metres|平方米|平米|平方",
        "sqft": "sqft|sq ft|square feet|平方英尺",
        "mu": "mu|亩",
        "hectare": "hectares|hectare|ha|公顷",
        "acre": "acres|acre|英亩",
        "c": "°c|℃|celsius|摄氏度",
        "f": "°f|℉|fahrenheit|华氏度",
        "km/h": "km/h|kmh|kph|公里每小时",
        "mph": "mph|英里每小时",
        "kw": "kw|千瓦",
        "hp": "hp|马力",
        "gb": "gb|gigabytes",
        "mb": "mb|megabytes",
        "tb": "tb|terabytes",
        "second": "seconds|second|secs|sec|秒|秒钟",
        "minute": "minutes|minute|mins|min|分钟",
        "hour": "hours|hour|hrs|hr|小时|个小时|钟头",
        "day": "days|day|天|日",
        "week": "weeks|week|周|星期|个星期",
        "month": "months|month|月|个月",
        "year": "years|year|yrs|年",
    }.items()
    for word in words.split("|")
}  # fmt: skip
_SAID = lazy(
    r"\s?-?(?P<unit>"
    + "|".join(
        re.escape(word) + (r"(?![a-z0-9²/])" if word[-1].isascii() else "")
        for word in sorted(_UNITS, key=len, reverse=True)
    )
    + ")"
)


def other_unit(unit: str, text: str, end: int) -> str | None:
    """The unit said right behind ``text[:end]`` when it is known not to be ``unit``; else None."""
    wanted = unit_of(unit)
    if wanted is None:
        return None
    said = _SAID.match(lowered(text), end)
    return said["unit"] if said is not None and _UNITS[said["unit"]] != wanted else None


_SIZES = (  # of one kind each, by the first of them; what is not told here is only equal to itself
    {
        "m": "1", "km": "1000", "mile": "1609.344", "cm": "0.01", "mm": "0.001", "foot": "0.3048", "inch": "0.0254",
        "yard": "0.9144", "hand": "0.1016", "li": "500",
    },
    {
        "kg": "1", "g": "0.001", "jin": "0.5", "t": "1000", "lb": "0.45359237", "oz": "0.028349523",
        "stone": "6.35029318",
    },
    {"l": "1", "ml": "0.001", "gallon": "3.785411784", "pint": "0.473176473"},
    {"m2": "1", "sqft": "0.09290304", "mu": "666.6666667", "hectare": "10000", "acre": "4046.8564224"},
    {"km/h": "1", "mph": "1.609344"},
    {"kw": "1", "hp": "0.7457"},
    {"gb": "1", "mb": "0.001", "tb": "1000"},
    {"second": "1", "minute": "60", "hour": "3600", "day": "86400", "week": "604800"},
    {"month": "1", "year": "12"},
)  # fmt: skip

_GOES_ON = re.compile(r"\s?[0-9零一二两三四五六七八九半]")
_PLAIN = frozenset("km m cm mm li kg g jin t l ml m2 hectare second minute hour day week".split())


def unit_of(word: str) -> str | None:
    """The unit that a word says, by one name for each; None where it says none."""
    return _UNITS.get(lowered(word).strip())


def unit_behind(text: str, end: int) -> tuple[str, int] | None:
    """The unit said right behind ``text[:end]``, by one name for each, and where it ends."""
    said = _SAID.match(lowered(text), end)
    return None if said is None else (_UNITS[said["unit"]], said.end())


def converted(amount: Decimal, unit: str, into: str) -> Decimal | None:
    """An amount in another unit of the same kind; None where they measure different things."""
    if unit == into:
        return amount
    for sizes in _SIZES:
        if unit in sizes and into in sizes:
            return amount * Decimal(sizes[unit]) / Decimal(sizes[into])
    return None


def factor(unit: str, text: str, end: int) -> Decimal | None:
    """By what a number that ends at ``end``, with another unit behind it, is multiplied to be one of ``unit``: 1000
    for kg in g. None where the other unit is none that converts into plain decimals (miles into km)."""
    said = other_unit(unit, text, end)
    if said is None:
        return None
    own, other = unit_of(unit), _UNITS[said]
    if own is None or own not in _PLAIN or other not in _PLAIN:
        return None
    behind = unit_behind(text, end)
    if behind is not None and _GOES_ON.match(text, behind[1]):
        return None  # 一米六五
    times = converted(Decimal(1), other, own)
    # minutes are no plain share of days
    return times if times is not None and converted(times, own, other) == 1 else None


__all__ = ["converted", "factor", "other_unit", "unit_behind", "unit_of"]
