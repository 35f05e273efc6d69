"""What a recogniser finds in a message, and what all of them look at: typed readings, keys, breaks."""

# ruff: noqa: E501 (a pattern reads best on one line)
from __future__ import annotations

import re
from bisect import bisect_left
from collections.abc import Callable
from dataclasses import dataclass
from datetime import datetime
from functools import lru_cache
from typing import Any, NamedTuple

from forms_dynamics.extraction.lexicon import Slot
from forms_dynamics.language.contacts import find_emails, find_percents, find_phones, find_urls
from forms_dynamics.language.dates import find_dates, find_ranges
from forms_dynamics.language.durations import find_durations
from forms_dynamics.language.hedges import SHIPPED
from forms_dynamics.language.money import find_money
from forms_dynamics.language.numbers import find_numbers
from forms_dynamics.language.reading import Reading
from forms_dynamics.language.spans import Apart
from forms_dynamics.language.times import find_datetimes
from forms_dynamics.schema.spec import SlotSpec

# how surely a value is its slot's, by how it was found: "key: value", a word beside it, its form alone
EXPLICIT, CUED, PATTERN = 0.97, 0.95, 0.9


@dataclass(slots=True)
class Found:
    """``text[start:end]`` may fill one of ``slots``; ``low`` to ``high`` are the words that it rests on.

    ``firm``: enough by itself; otherwise it counts only beside a firm one or in a conversation about the type.
    """

    slots: tuple[Slot, ...]
    start: int
    end: int
    low: int
    high: int
    value: Any
    confidence: float
    firm: bool = True
    negated: bool = False
    correction: bool = False
    op: str | None = None
    valid_from: Any = None
    valid_until: Any = None
    read: bool = False  # the value is read out of the words, which do not spell it
    own: bool = False  # said to be the speaker's own
    aside: frozenset[str] = frozenset()  # types that the words mean only where they are talked about

    def __post_init__(self) -> None:
        if self.aside and self.aside.issuperset(s.type.name for s in self.slots):
            self.firm = False


class Name(NamedTuple):
    """``text[start:end]`` names a thing of ``kind``; ``low`` to ``high`` are the words that say so.

    Kinds: company ("company?" where only a firm known already is meant: 青禾单价…; "company~" where the
    message must be about a customer for other reasons), employer, self (the
    speaker; "self?" where only the first words suggest it: "Dana at Acme"), contact, preferred_name, role, industry, city.
    """

    kind: str
    start: int
    end: int
    low: int
    high: int
    confidence: float


class Claim(NamedTuple):
    """A word's claim on a reading; the highest score gets it. A label of the record that the message is comes
    before all others."""

    score: float
    found: Found


class Readings:
    """The typed readings of one message, made when first asked for."""

    def __init__(self, text: str, base: datetime, order: str | None) -> None:
        self.text = text
        self.base = base
        self._order = order
        self._made: dict[tuple[str, str | None], list[Reading]] = {}

    def of(self, spec: SlotSpec) -> list[Reading]:
        """All readings of the slot's type in the text (empty for text, enum, boolean and ref)."""
        key = (spec.type, spec.unit if spec.type == "money" else None)
        made = self._made.get(key)
        if made is None:
            made = self._made[key] = self._make(spec)
        return made

    def _make(self, spec: SlotSpec) -> list[Reading]:
        text, base, order = self.text, self.base, self._order
        finders: dict[str, Callable[[], list[Reading]]] = {
            "money": lambda: find_money(text, spec.unit),
            "date": lambda: find_dates(text, base, order),
            "datetime": lambda: find_datetimes(text, base, order),
            "date_range": lambda: find_ranges(text, base, order),
            "duration": self._lasting,
            "percent": lambda: find_percents(text),
            "phone": lambda: find_phones(text),
            "email": lambda: find_emails(text),
            "url": lambda: find_urls(text),
            "integer": lambda: find_numbers(text),
            "number": lambda: find_numbers(text),
        }
        return finders[spec.type]() if spec.type in finders else []

    def _lasting(self) -> list[Reading]:
        """Durations that are no part of a day: the 15日 of 6月15日 is none."""
        days = find_dates(self.text, self.base, self._order)
        lasting = find_durations(self.text)
        return [r for r in lasting if not any(d.start < r.start < d.end for d in days)]


TITLED = "".join(
    rf"(?<!(?<![A-Za-z]){title})" for title in ("Dr", "Mr", "Ms", "Mrs", "St", "Prof")
)  # Dr. Webb
BREAK = re.compile(rf"[。！？!?；;\n，,、“”\"=「」()（）]|{TITLED}\.(?=[\s\"”])")
HARD_BREAK = re.compile(rf"[。！？!?；;\n]|{TITLED}\.(?=\s)")


@lru_cache(maxsize=64)
def _breaks(text: str, hard: bool) -> tuple[int, ...]:
    return tuple(m.start() for m in (HARD_BREAK if hard else BREAK).finditer(text))


def break_from(text: str, start: int, hard: bool = False) -> int | None:
    """Where the first :data:`BREAK` (or :data:`HARD_BREAK`) at ``start`` or behind stands."""
    breaks = _breaks(text, hard)
    i = bisect_left(breaks, start)
    return breaks[i] if i < len(breaks) else None


KEY = re.compile(r"[\"']?\s*(?:[:：=＝]|——|->)\s*[\"']?")
AT_START = re.compile(
    r"(?:^|[\n，,。；;、|{(\[.!?！？]|[-*•·])[\s\"']*(?:我的|我们的?|您的|贵司|本次|the |our |my |your )?$",
    re.I,
)
# my e-mail, 我的电话: the speaker's own
OWN = re.compile(
    r"(?:\b(?:reach|contact|e-?mail|mail|text|call|ring|write(?: to)?) (?:me|us)(?: back)?(?: by| via| at| on| through)?(?: e-?mail(?: at)?)?\s+|\b(?:my|our|me)\s+(?:(?:new|current|own|personal|work|home|private|best|full|contact)\s+)?|我(?:们|自己)?的?(?:新的?)?|本人的?)$",
    re.I,
)


def widen(text: str, low: int, high: int) -> tuple[int, int]:
    """The span with hedges that stand right beside it, so that evidence keeps its doubts."""
    return SHIPPED.widened(text, low, high)


class Kept:
    """``found``, and what is added to it: unless the words are taken already by another thing."""

    def __init__(self, found: list[Found]) -> None:
        self.found = found
        self._spans = Apart()
        self._types: dict[tuple[int, int], set[str]] = {}
        for item in found:
            self._note(item)

    def put(self, item: Found) -> bool:
        """Whether it was added."""
        types = self._types.get((item.start, item.end))
        free = (
            not self._spans.overlaps(item.start, item.end)
            if types is None
            else types.isdisjoint(_types(item))
        )
        if free:
            self.found.append(item)
            self._note(item)
        return free

    def _note(self, item: Found) -> None:
        self._spans.add(item.start, item.end)
        self._types.setdefault((item.start, item.end), set()).update(_types(item))


def _types(item: Found) -> set[str]:
    return {s.type.name for s in item.slots}
