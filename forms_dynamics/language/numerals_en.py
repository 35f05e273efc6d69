"""What English number words are worth: "twelve thousand", "half a million", "a couple of thousand"."""

from __future__ import annotations

import re
from decimal import Decimal

from forms_dynamics.language.lazy import lazy
from forms_dynamics.language.numerals import MAGNITUDE, Numeral, tidy

_ONES = {
    "zero": 0, "one": 1, "two": 2, "three": 3, "four": 4, "five": 5, "six": 6, "seven": 7, "eight": 8,
    "nine": 9, "ten": 10, "eleven": 11, "twelve": 12, "thirteen": 13, "fourteen": 14, "fifteen": 15,
    "sixteen": 16, "seventeen": 17, "eighteen": 18, "nineteen": 19, "twenty": 20, "thirty": 30, "forty": 40,
    "fifty": 50, "sixty": 60, "seventy": 70, "eighty": 80, "ninety": 90, "dozen": 12,
}  # fmt: skip
_BIG_WORDS = "hundred|thousand|million|billion|trillion|grand|lakhs?|crores?"
_ONE_WORDS = "|".join(sorted(_ONES, key=len, reverse=True))
_WORD = rf"(?:{_ONE_WORDS}|{_BIG_WORDS})"
ENGLISH = lazy(
    rf"\b(?:(?P<few>(?:a )?(?:good )?(?:couple(?: of)?|few|several)) (?P<few_of>dozen|{_BIG_WORDS})\b"
    rf"|(?P<tens>(?:many )?(?:tens|hundreds|dozens|scores) of (?:{_BIG_WORDS})s?|(?:hundreds|thousands|"
    rf"millions|dozens)"
    rf"(?= of\b))"
    rf"|(?P<half>half[ -]an?[ -](?P<half_of>dozen|{_BIG_WORDS})|(?:a )?quarter (?:of )?(?:a )?(?P<quarter_of>million|"
    rf"billion))"
    rf"|(?P<run>(?:an? (?={_BIG_WORDS}|dozen)(?:{_BIG_WORDS}|dozen)|{_WORD})(?:(?:[ -]| and |"
    rf" point ){_WORD})*"
    rf"(?P<plus_half> and a half(?: (?P<half_mag>{_BIG_WORDS})"
    rf")?)?(?P<odd>[ -]odd(?: (?P<odd_mag>{_BIG_WORDS}))?)?))\b",
)
ENGLISH_WORDS = frozenset(
    (*_ONES, *(w for w in MAGNITUDE if len(w) > 3), "few", "several", "couple", "half", "quarter")
)
ENGLISH_WORDS |= {"tens", "hundreds", "thousands", "millions", "dozens", "scores", "billions"}
_TENS = {"tens": 10, "dozens": 12, "hundreds": 100, "scores": 20, "thousands": 1000, "millions": 10**6}


def _mag(word: str) -> int:
    return 12 if word == "dozen" else MAGNITUDE[word]


def english(found: re.Match[str]) -> Numeral | None:
    """The value of a match of :data:`ENGLISH`; None for a lone "one" and the like."""
    start, end = found.span()

    def made(low: Decimal, high: Decimal, vague: bool, scale: int) -> Numeral:
        return Numeral(start, end, tidy(low), tidy(high), vague, scale, "en")

    if few := found["few"]:
        unit = _mag(found["few_of"].lower())
        couple = "couple" in few.lower()
        return made(Decimal(2 * unit), Decimal((3 if couple else 10) * unit), True, unit)
    if tens := found["tens"]:
        words = tens.lower().removeprefix("many ").split()
        unit = _mag(words[2].rstrip("s") if words[2] not in MAGNITUDE else words[2]) if len(words) > 2 else 1
        low = _TENS[words[0]] * unit
        return made(Decimal(2 * low), Decimal(10 * low), True, unit)
    if found["half"]:
        word = (found["half_of"] or found["quarter_of"]).lower()
        unit = _mag(word)
        value = Decimal(unit) / (2 if found["half_of"] else 4)
        return made(value, value, False, unit)
    return _words(found)


def _words(found: re.Match[str]) -> Numeral | None:
    run = found["run"]
    for part in ("plus_half", "odd"):
        if found[part]:
            run = run[: run.lower().rfind(found[part].lower())]
    words = [w for w in re.split(r"[ -]+", run.lower()) if w not in ("and", "a", "an")]
    total, current, scale, fraction = Decimal(0), Decimal(0), 1, ""
    seen = pointed = False
    step = 1
    for word in words:
        if word == "point":
            pointed = True
        elif word in _ONES and word != "dozen":
            if pointed:
                fraction += str(_ONES[word])
                continue
            current += _ONES[word]
            step = 10 if _ONES[word] >= 20 else 1
            seen = True
        else:
            if fraction:
                current, fraction, pointed = Decimal(f"{current}.{fraction}"), "", False
            unit = _mag(word)
            if unit in (12, 100):
                current = (current or Decimal(1)) * unit
            else:
                total += (current or Decimal(1)) * unit
                current = Decimal(0)
            scale, step, seen = unit, unit, True
    if fraction:
        current = Decimal(f"{current}.{fraction}")
    value = total + current
    if not seen or (value == 1 and scale == 1):
        return None
    if found["plus_half"]:
        unit = MAGNITUDE[found["half_mag"].lower()] if found["half_mag"] else 1
        value, scale = (value + Decimal("0.5")) * unit, max(scale, unit)
        return Numeral(found.start(), found.end(), tidy(value), tidy(value), False, scale, "en")
    if found["odd"]:
        unit = MAGNITUDE[found["odd_mag"].lower()] if found["odd_mag"] else 1
        return Numeral(found.start(), found.end(), value * unit, (value + step) * unit - 1, True, unit, "en")
    return Numeral(found.start(), found.end(), tidy(value), tidy(value), False, scale, "en")
