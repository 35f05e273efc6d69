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
        "li": "华里",
        "kg": "kg|kgs|kilos|kilo|kilograms|kilogram|公斤|千克",
        "jin": "斤|市斤",
        "g": "g|grams|gram|克",
        "t": "tons|ton|tonnes|tonne|吨",
        "lb": "lbs|lb|磅",
        "oz": "oz|ounces|ounce|盎司",
        "l": "l|liters|liter|litres|litre|升",
        "ml": "ml|毫升",
        "gallon": "gallons|gallon|gal|加仑",
        "m2": "m2|m²|sqm|square meters|square metres|平方米|平米|平方",
        "sqft": "sqft|sq ft|square feet|平方英尺",
        "mu": "亩",
        "hectare": "hectares|hectare|ha|公顷",
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
# unit → what it measures, and how many of the smallest there it is; those whose conversion leaves plain decimals
_SIZES: dict[str, tuple[str, Decimal]] = {
    unit: (dimension, Decimal(size))
    for dimension, units in {
        "length": "mm 1 cm 10 m 1000 km 1000000 li 500000",
        "mass": "g 1 jin 500 kg 1000 t 1000000",
        "volume": "ml 1 l 1000",
        "area": "m2 1 hectare 10000",
        "time": "second 1 minute 60 hour 3600 day 86400 week 604800",
    }.items()
    for unit, size in zip(units.split()[::2], units.split()[1::2], strict=True)
}
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
    wanted = _UNITS.get(lowered(unit).strip())
    if wanted is None:
        return None
    said = _SAID.match(lowered(text), end)
    return said["unit"] if said is not None and _UNITS[said["unit"]] != wanted else None


def factor(unit: str, text: str, end: int) -> Decimal | None:
    """By what a number that ends at ``end``, with another unit behind it, is multiplied to be one of ``unit``: 1000
    for kg in g. None where the other unit is none that converts into plain decimals (miles into km)."""
    said = other_unit(unit, text, end)
    if said is None:
        return None
    own, other = _SIZES.get(_UNITS[lowered(unit).strip()]), _SIZES.get(_UNITS[said])
    if own is None or other is None or own[0] != other[0]:
        return None
    times = other[1] / own[1]
    return times if times * own[1] == other[1] else None  # minutes are no plain share of days


__all__ = ["factor", "other_unit"]
