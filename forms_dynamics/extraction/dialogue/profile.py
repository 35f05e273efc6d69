"""What the declaration of a slot tells of how people speak of it, compiled once a catalog.

Everything here comes from the Form types as they are declared: names, aliases, descriptions, questions, values
with their synonyms, examples. Readers of the dialogue look nothing else up.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import lru_cache

from forms_dynamics.extraction.dialogue.kinds import DONT_CARE, counted_by, kind_of, role_of, truth_of
from forms_dynamics.extraction.dialogue.wording import Token, content, key, parts, variants
from forms_dynamics.extraction.lexicon import Slot, names_alone, slot_of
from forms_dynamics.schema.spec import Catalog, FormType, SlotSpec


@dataclass(frozen=True, slots=True, eq=False)
class SlotProfile:
    """One slot as the dialogue readers see it."""

    slot: Slot
    kind: str  # one of kinds.KINDS
    role: str  # from | to | ""
    counted: str  # what a number of it counts: people, ticket, room …; or empty
    own: frozenset[str]  # stems of its name and aliases
    words: frozenset[str]  # those and the stems of its description and question
    names: tuple[str, ...]  # its name and aliases, spaced and in lower case
    values: tuple[str, ...]  # listed values as they are kept: of the enum, or the examples
    spellings: Mapping[tuple[str, ...], str]  # how a listed value may be said → as it is kept
    truth: Mapping[bool, str]  # how yes and no are kept, where it holds nothing else
    indifferent: str | None  # the listed value that says that anything will do
    # its type has an identity of its own or words that announce it: nothing is read of it that is not asked for
    curated: bool

    @property
    def type(self) -> str:
        return self.slot.type.name

    @property
    def name(self) -> str:
        return self.slot.spec.name

    @property
    def spec(self) -> SlotSpec:
        return self.slot.spec

    @property
    def closed(self) -> bool:
        """Whether it takes no other than its listed values."""
        return self.slot.spec.type == "enum"


@dataclass(frozen=True, slots=True, eq=False)
class TypeProfile:
    """One Form type: its slots and the words by which it is meant."""

    type: FormType
    slots: tuple[SlotProfile, ...]
    own: frozenset[str]  # stems of its name and aliases
    words: frozenset[str]  # those and the stems of its description
    curated: bool


@dataclass(frozen=True, slots=True)
class KnownValue:
    """A listed value and a slot that lists it."""

    slot: SlotProfile
    value: str


class Mention:
    """``text[start:end]`` says a listed value of each of ``known``."""

    __slots__ = ("end", "known", "start")

    def __init__(self, start: int, end: int, known: tuple[KnownValue, ...]) -> None:
        self.start, self.end, self.known = start, end, known


@dataclass(slots=True, eq=False)  # one object a catalog
class Profiles:
    """All slots of a catalog, and the indexes over them."""

    types: dict[str, TypeProfile] = field(default_factory=dict)
    by_word: dict[str, tuple[SlotProfile, ...]] = field(default_factory=dict)  # stem → slots that have it
    types_by_word: dict[str, tuple[TypeProfile, ...]] = field(
        default_factory=dict
    )  # stem → types that are so called
    by_kind: dict[str, tuple[SlotProfile, ...]] = field(default_factory=dict)
    _begun: dict[str, dict[tuple[str, ...], tuple[KnownValue, ...]]] = field(default_factory=dict)
    _longest: dict[str, int] = field(default_factory=dict)

    def slot(self, form_type: str, name: str) -> SlotProfile | None:
        """The profile of a slot, or None where the readers have none."""
        found = self.types.get(form_type)
        return next((s for s in found.slots if s.name == name), None) if found is not None else None

    def __iter__(self) -> Iterator[SlotProfile]:
        return (slot for one in self.types.values() for slot in one.slots)

    def mentions(self, said: list[Token]) -> list[Mention]:
        """Listed values in a text, the longest at each place, not overlapping."""
        out: list[Mention] = []
        at = 0
        while at < len(said):
            begun = self._begun.get(said[at].key)
            step = 1
            if begun is not None:
                reach = min(self._longest[said[at].key], len(said) - at)
                for n in range(reach, 0, -1):
                    known = begun.get(tuple(token.key for token in said[at : at + n]))
                    if known is not None:
                        out.append(Mention(said[at].start, said[at + n - 1].end, known))
                        step = n
                        break
            at += step
        return out


def compile_profiles(catalog: Catalog, without: Collection[str] = ()) -> Profiles:
    """The profiles of the catalog's types but for those in ``without``; made once for the same types."""
    return _compile(tuple(catalog), frozenset(without))


@lru_cache(maxsize=8)
def _compile(form_types: tuple[FormType, ...], without: frozenset[str]) -> Profiles:
    made = Profiles()
    by_word: dict[str, dict[SlotProfile, None]] = defaultdict(dict)
    by_kind: dict[str, list[SlotProfile]] = defaultdict(list)
    types_by_word: dict[str, list[TypeProfile]] = defaultdict(list)
    known: dict[tuple[str, ...], dict[tuple[str, str], KnownValue]] = defaultdict(dict)
    for form_type in form_types:
        if form_type.name == "tool_call" or form_type.name in without:
            continue
        curated = form_type.identity.keys != (("$conversation",),) or any(
            spec.cues for spec in form_type.slots.values()
        )
        slots = tuple(_slot(form_type, spec, curated) for spec in form_type.slots.values())
        names = " ".join((form_type.name, *form_type.aliases))
        about = " ".join(form_type.description.values())
        profile = TypeProfile(form_type, slots, content(names), content(names) | content(about), curated)
        made.types[form_type.name] = profile
        for word in profile.own:
            types_by_word[word].append(profile)
        for slot in slots:
            by_kind[slot.kind].append(slot)
            for word in slot.words:
                by_word[word][slot] = None
            for spelling, value in slot.spellings.items():
                known[spelling][slot.type, slot.name] = KnownValue(slot, value)
    made.by_word = {word: tuple(slots) for word, slots in by_word.items()}
    made.by_kind = {kind: tuple(slots) for kind, slots in by_kind.items()}
    made.types_by_word = {word: tuple(types) for word, types in types_by_word.items()}
    for spelling, entries in known.items():
        made._begun.setdefault(spelling[0], {})[spelling] = tuple(entries.values())
        made._longest[spelling[0]] = max(made._longest.get(spelling[0], 0), len(spelling))
    return made


def _slot(form_type: FormType, spec: SlotSpec, curated: bool) -> SlotProfile:
    kind = kind_of(spec)
    if kind == "count" and spec.type == "text" and names_alone(form_type, spec):
        kind = "id"  # the number of a record counts nothing
    own = content(" ".join((spec.name, *spec.aliases)))
    said = content(" ".join((*spec.description.values(), *spec.question.values())))
    values = tuple(map(str, spec.values)) if spec.type == "enum" else tuple(spec.examples)
    indifferent = next((v for v in values if v.lower() in DONT_CARE), None)
    names = tuple(dict.fromkeys(" ".join(parts(name)) for name in (spec.name, *spec.aliases)))
    truth = truth_of(spec)
    return SlotProfile(
        slot_of(form_type, spec), kind, role_of(spec, kind), counted_by(spec), own, own | said, names, values,
        {} if truth else _spellings(spec, [v for v in values if v != indifferent], kind),
        truth, indifferent, curated,
    )  # fmt: skip


def _spellings(spec: SlotSpec, values: Sequence[str], kind: str) -> dict[tuple[str, ...], str]:
    """How each value may be said. What only adds a word of no meaning to another value (east side) is that one."""
    out: dict[tuple[str, ...], str] = {}
    whole = {key(value) for value in values}
    words = set(key(" ".join((spec.name.replace("_", " "), *spec.aliases)))) if spec.type != "enum" else set()
    # "seat assignment" is none of a seat's types: it is said of seats
    pairs = [k for k in whole if len(k) == 2 and k[0] in words and k[1] not in words]
    said_of = {*pairs, *(k[1:] for k in pairs)} if kind in ("free", "choice") else set()
    for value in values:
        said = key(value)
        if said in said_of:
            continue
        if spec.type != "enum" and value.count('"') % 2:
            continue  # a piece of what stood in quotation marks
        if not any(token not in _EMPTY and token not in words for token in said):
            continue  # "my seat" for a seat: no more than grammar and the slot's own words
        if len(said) > 1 and said[-1] in _FILLERS and said[:-1] in whole:
            continue
        for spelling in (*variants(value), *(key(str(s)) for s in spec.values.get(value, ()))):
            if spelling:
                out.setdefault(spelling, value)
    return out


_EMPTY = frozenset(
    "my your our the a an and or of for to in on at with by no not yes i you we it is be need want "
    "name please that this some any all only "
    "extra as do did can will th st nd rd am pm 的 我 你 您 不".split()
)
_FILLERS = frozenset("side area part end region type style food cuisine price".split())

__all__ = ["KnownValue", "Mention", "Profiles", "SlotProfile", "TypeProfile", "compile_profiles"]
