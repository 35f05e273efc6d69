"""Compiled form types and relation rules: what every stage reads, immutable after loading."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, Literal

from forms_dynamics.language.hedges import SHIPPED, Hedging

if TYPE_CHECKING:
    from forms_dynamics.language.kin import Kin
    from forms_dynamics.schema.expression import Expression
    from forms_dynamics.schema.query_spec import QuerySpec

SLOT_TYPES = (
    "text", "integer", "number", "money", "percent", "boolean", "date", "datetime", "date_range",
    "duration", "enum", "phone", "email", "url", "ref",
)  # fmt: skip
EVENTS = ("intent_recognized", "entity_extracted", "action_executed")  # what a trigger can wait for
ORDERED = frozenset(
    {"integer", "number", "percent", "money", "date", "datetime"}
)  # a Range of them is a value
EXPECTED_FORM = "*"  # in ``FormType.expected``: a Form of the type, whatever it holds
TEXTUAL = frozenset({"text", "ref", "phone", "email", "url", "duration"})  # held as str, any


def _label(name: str, aliases: Sequence[str], lang: str) -> str:
    for alias in aliases:
        if (lang == "zh") == any("\u4e00" <= ch <= "\u9fff" for ch in alias):
            return alias
    return name.replace("_", " ")


@dataclass(frozen=True, slots=True)
class SlotSpec:
    """One declared slot. Texts by language are mappings with keys among ``zh`` and ``en``."""

    name: str
    type: str
    many: bool = False
    required: bool = False
    exact: bool = False
    unit: str | None = None  # currency of money, unit of a number
    ref: str | None = None  # Form type, for type ref
    values: Mapping[str, Sequence[str]] = field(default_factory=dict)  # enum value → synonyms
    aliases: Sequence[str] = ()
    description: Mapping[str, str] = field(default_factory=dict)
    question: Mapping[str, str] = field(default_factory=dict)
    examples: Sequence[str] = ()
    threshold: float | None = None
    min: Any = None
    max: Any = None
    authority: Sequence[str] | Literal["newest"] | None = None
    fade_per_day: float | None = None
    cues: Sequence[str] = ()  # words that announce the value, beyond the aliases (recognisers)
    hedging: Hedging = field(
        default=SHIPPED, repr=False, compare=False
    )  # the words that leave a value unsure
    # value → what is against it when asked for: a value that is held, a value that is avoided
    rules_out: Mapping[str, Sequence[str]] = field(default_factory=dict)
    avoided_rules_out: Mapping[str, Sequence[str]] = field(default_factory=dict)

    def label(self, lang: str) -> str:
        """How the slot is called in a sentence: its first alias of that language, else its name."""
        return _label(self.name, self.aliases, lang)


@dataclass(frozen=True, slots=True)
class Identity:
    """``keys``: alternatives in order, each a tuple of slot names or ``$user``, ``$speaker``,
    ``$conversation``. ``each``: every draft is a new Form. None declared: one key, ``($conversation,)``."""

    keys: Sequence[tuple[str, ...]] = (("$conversation",),)
    each: bool = False
    slots: frozenset[str] = field(init=False, repr=False, compare=False)  # those that take part in any key
    context: tuple[str, ...] = field(init=False, repr=False, compare=False)  # the ``$`` parts

    def __post_init__(self) -> None:
        slots = frozenset(part for key in self.keys for part in key if not part.startswith("$"))
        context = tuple(dict.fromkeys(part for key in self.keys for part in key if part.startswith("$")))
        object.__setattr__(self, "slots", slots)
        object.__setattr__(self, "context", context)


@dataclass(frozen=True, slots=True)
class Life:
    ttl_seconds: int | None = None
    cold_after_days: float | None = 90
    fade_per_day: float | None = None  # None: no fading
    valid_days: float | None = None


@dataclass(frozen=True, slots=True)
class Example:
    """A message and what it must give (slot → value; many forms allowed as a list); {} for a negative one."""

    text: str
    gives: Mapping[str, Any]


@dataclass(frozen=True, slots=True, eq=False)  # one object a loaded type: equal and hashed by identity
class FormType:
    name: str
    version: int
    slots: Mapping[str, SlotSpec]
    identity: Identity = Identity()
    life: Life = Life()
    description: Mapping[str, str] = field(default_factory=dict)
    aliases: Sequence[str] = ()  # what people call a Form of this type ("报价", "quote")
    template: Mapping[str, str] = field(default_factory=dict)  # Jinja2 by language
    examples: Sequence[Example] = ()
    threshold: float | None = None
    shared: bool = False
    json_ld: Mapping[str, Any] = field(default_factory=dict)
    migrations: Mapping[int, Sequence[Mapping[str, Any]]] = field(default_factory=dict)
    usage: Mapping[str, str] = field(default_factory=dict)  # hint for an agent's system prompt
    extractor: str | None = None  # the name of the extractor that reads messages about this type
    extractor_at: tuple[int, int] = (0, 0)  # line and column of that name in ``file``
    # slots asked about at a first contact, in order → words of their own by language, or none
    first_contact: Mapping[str, Mapping[str, str]] = field(default_factory=dict)
    # what a memory of a person should know: slots of this type; EXPECTED_FORM: a Form of it at all
    expected: Sequence[str] = ()
    file: str = ""
    line: int = 0

    def label(self, lang: str) -> str:
        """How a Form of this type is called in a sentence, by the same rule."""
        return _label(self.name, self.aliases, lang)


@dataclass(frozen=True, slots=True)
class Strength:
    weight: float = 0.8
    floor: float = 0.0
    half_life_days: float | None = None
    ttl_seconds: int | None = None
    cold_after_days: float | None = None  # None: an edge is as cold as the Forms at its ends
    valid_days: float | None = None


@dataclass(frozen=True, slots=True)
class Join:
    """``when: "quote_form.company == lead_profile.company"``: equal, known, normalised values."""

    source_slot: str
    target_slot: str


@dataclass(frozen=True, slots=True)
class RelationRule:
    name: str
    source: str  # Form type, or "*"
    target: str
    required: bool = False
    cardinality: Literal["one_to_one", "one_to_many", "many_to_one", "many_to_many"] = "many_to_many"
    strength: Strength = Strength()
    when: Sequence[Join] = ()  # all must hold; empty: only drafts and links make this edge
    attributes: Mapping[str, Any] = field(default_factory=dict)
    description: Mapping[str, str] = field(default_factory=dict)
    aliases: Sequence[str] = ()
    acyclic: bool = False  # nothing may lead back to itself over it
    file: str = ""
    line: int = 0

    @property
    def to_one(self) -> bool:
        """Whether at most one such edge leads from a Form."""
        return self.cardinality in ("many_to_one", "one_to_one")

    @property
    def from_one(self) -> bool:
        """Whether at most one such edge leads to a Form."""
        return self.cardinality in ("one_to_many", "one_to_one")


@dataclass(frozen=True, slots=True)
class Load:
    """One thing that a trigger loads: at most ``limit`` Forms of a type, or those that a relation leads to from what
    the event is about and what the loads before it brought."""

    form_type: str | None = None  # of a relation: only Forms of this type
    slots: Sequence[str] = ()  # what is told of them; empty: all
    where: Expression | None = None
    relation: str | None = None
    limit: int = 5

    @property
    def told(self) -> str:
        """What is loaded, for a trace."""
        what = self.form_type or "Forms"
        what = what if self.relation is None else f"{what} by {self.relation}"
        return what if self.where is None else f"{what} where {self.where.source}"


@dataclass(frozen=True, slots=True)
class Trigger:
    """What is loaded, before anybody asks, when an event of a kind happens and its condition holds."""

    name: str
    on: str  # one of EVENTS
    loads: Sequence[Load]
    when: Expression | None = None  # None: at every such event
    description: Mapping[str, str] = field(default_factory=dict)
    file: str = ""
    line: int = 0


@dataclass(frozen=True, slots=True)
class Relatives:
    """A Form type about the relatives of a speaker: ``slot`` says which relative, ``kin`` finds them in a text."""

    type: FormType
    slot: str
    kin: Kin


@dataclass(frozen=True, slots=True)
class Catalog:
    """All loaded types and rules. ``indexed[type]``: slots whose values are kept as names for look-up
    (identity slots, slots in a rule's ``when``, refs). ``joined[type]``: those in a rule's ``when``, which
    are names even where they are part of an identity that is not complete. ``relatives``: the types about
    relatives, by name. ``queries``: the declared queries, by name."""

    types: Mapping[str, FormType]
    rules: Sequence[RelationRule]
    indexed: Mapping[str, frozenset[str]]
    fingerprint: str  # of all that changes what an extractor would say
    joined: Mapping[str, frozenset[str]] = field(default_factory=dict)
    relatives: Mapping[str, Relatives] = field(default_factory=dict)
    queries: Mapping[str, QuerySpec] = field(default_factory=dict)
    triggers: Sequence[Trigger] = ()

    def __iter__(self) -> Iterator[FormType]:
        return iter(self.types.values())

    def life(self, form_type: str) -> Life:
        """How long Forms of a type live: as it declares, else (of one that is not loaded, too) by default."""
        declared = self.types.get(form_type)
        return Life() if declared is None else declared.life

    def rules_between(self, source: str, target: str) -> Sequence[RelationRule]:
        return [r for r in self.rules if r.source in (source, "*") and r.target in (target, "*")]

    @property
    def relations(self) -> frozenset[str]:
        return frozenset(r.name for r in self.rules)
