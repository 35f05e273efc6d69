"""Whether the reader of a slot's type takes a value plainly: the whole of it, exactly, and on any day.

The readers are kind to speech: they find a date in the middle of a sentence and resolve "tomorrow". For a column
of values that would lose words, so here a reading counts only when it covers the whole text.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from datetime import date, datetime, timedelta, timezone
from typing import Any

from forms_dynamics.language.contacts import find_emails, find_percents, find_phones, find_urls
from forms_dynamics.language.dates import find_dates, find_ranges
from forms_dynamics.language.durations import find_durations
from forms_dynamics.language.money import find_money
from forms_dynamics.language.numbers import find_numbers
from forms_dynamics.language.reading import Reading
from forms_dynamics.language.times import find_datetimes
from forms_dynamics.model.value import Range
from forms_dynamics.schema.coerce import coerce
from forms_dynamics.schema.spec import SlotSpec

# Two moments far apart: what depends on the day of reading differs between them.
_ZONE = timezone(timedelta(hours=8))
DAYS = (datetime(2021, 2, 3, 7, 8, tzinfo=_ZONE), datetime(2024, 10, 29, 18, 41, tzinfo=_ZONE))


def plainly(slot: SlotSpec, raw: Any) -> Any:
    """The value that ``raw`` plainly is for ``slot``; None when it is none, or only nearly one."""
    first = coerce(slot, raw, DAYS[0], verbatim=True)
    if first.value is None or first.error or first.vague or first.candidates:
        return None
    if first.hedged and slot.type not in ("text", "ref", "enum"):  # 待定 may be a value of its own
        return None
    if slot.type in ("text", "ref", "enum", "boolean") or not isinstance(raw, str) or slot.many:
        return first.value
    if coerce(slot, raw, DAYS[1], verbatim=True).value != first.value:
        return None
    return first.value if _whole(slot, raw.strip(), first.value) else None


def _whole(slot: SlotSpec, text: str, value: Any) -> bool:
    if _written(slot, value) == text:
        return True
    if slot.type in ("integer", "number"):
        if slot.unit:
            text = text.removesuffix(slot.unit).rstrip()  # the slot says it, too
        digits = text.lstrip("+-")
        if digits[:1] == "0" and digits[1:2].isdigit():
            return False  # 007 is a code, not the number 7
        if not any(ch.isdigit() for ch in text):
            return False
    found = _FINDERS[slot.type](slot, text)
    return len(found) == 1 and found[0].start == 0 and found[0].end == len(text)


def _written(slot: SlotSpec, value: Any) -> str | None:
    """The machine's own spelling of a value, which needs no finding."""
    if isinstance(value, Range):
        both = isinstance(value.min, date) and isinstance(value.max, date)
        return f"{value.min.isoformat()}/{value.max.isoformat()}" if both else None
    if isinstance(value, datetime):
        return value.isoformat()
    return value if slot.type in ("duration", "url") else None


def is_moment(text: str) -> bool:
    """Whether ``text`` is written as ISO 8601 with a time of day."""
    try:
        datetime.fromisoformat(text.strip())
    except ValueError:
        return False
    return len(text.strip()) > 10


_Find = Callable[[SlotSpec, str], Sequence[Reading]]
_FINDERS: Mapping[str, _Find] = {
    **dict.fromkeys(("integer", "number"), lambda slot, text: find_numbers(text)),
    "money": lambda slot, text: find_money(text, slot.unit),
    "percent": lambda slot, text: find_percents(text),
    "date": lambda slot, text: find_dates(text, DAYS[0], None),
    "datetime": lambda slot, text: (
        [Reading(0, len(text), None)] if is_moment(text) else find_datetimes(text, DAYS[0], None)
    ),
    "date_range": lambda slot, text: find_ranges(text, DAYS[0], None),
    "duration": lambda slot, text: find_durations(text),
    "phone": lambda slot, text: find_phones(text),
    "email": lambda slot, text: find_emails(text),
    "url": lambda slot, text: find_urls(text),
}


def takes_all(slot: SlotSpec, values: Iterable[Any]) -> bool:
    """Whether every value is plainly one of ``slot``."""
    return all(
        plainly(slot, value) is not None for value in {repr(value): value for value in values}.values()
    )
