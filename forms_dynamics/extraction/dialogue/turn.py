"""A turn of a dialogue as its readers see it, what a reader gives, and how that becomes drafts.

A reader is a function from a :class:`Turn` to :class:`Said`: slots that the turn fills. Readers are asked in the
order of ``readers.READERS``. What the recognisers read by words that an author declared comes first; then the
surer reading, then the earlier reader. A slot gets one value a turn (a list gets several), a word fills one slot
of a Form.
"""

# ruff: noqa: E501 (a pattern reads best on one line)
from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import Any

from forms_dynamics.extraction.dialogue.discounted import discounted, no_longer
from forms_dynamics.extraction.dialogue.profile import Mention, Profiles, SlotProfile, compile_profiles
from forms_dynamics.extraction.dialogue.question import given
from forms_dynamics.extraction.dialogue.wording import Token, tokens
from forms_dynamics.language import cues
from forms_dynamics.language.clauses import break_after, clause_of
from forms_dynamics.language.normal import has_han, normal
from forms_dynamics.language.numerals import lowered
from forms_dynamics.model.form import Form
from forms_dynamics.model.known import turns_of
from forms_dynamics.model.message import Draft, Message, SlotDraft
from forms_dynamics.schema.spec import Catalog
from forms_dynamics.settings import Settings


@dataclass(slots=True)
class Said:
    """``text[start:end]`` fills a slot; ``low`` to ``high`` are all the words that it rests on."""

    slot: SlotProfile
    value: Any
    start: int
    end: int
    low: int
    high: int
    confidence: float
    op: str | None = None
    negated: bool = False
    correction: bool = False
    answers: bool = False  # it rests on what the assistant asked, and stands though it names no topic


@dataclass(eq=False)
class Turn:
    """One message of a user, with what was said before it."""

    message: Message
    text: str
    profiles: Profiles
    known: Sequence[Form]
    drafts: Sequence[Draft]  # what the recognisers read of the message
    settings: Settings
    notes: dict[str, Any] = field(default_factory=dict)  # what readers leave for later ones

    @cached_property
    def low(self) -> str:
        """The text folded and in lower case, offsets kept."""
        return lowered(self.text)

    @cached_property
    def tokens(self) -> list[Token]:
        return tokens(self.low)

    @cached_property
    def mentions(self) -> list[Mention]:
        """Listed values in the text."""
        return self.profiles.mentions(self.tokens)

    @cached_property
    def before(self) -> Sequence[Message]:
        """The turns said before, oldest first."""
        return turns_of(self.known)

    @cached_property
    def last(self) -> Message | None:
        """What the assistant said right before, or None."""
        last = self.before[-1] if self.before else None
        return last if last is not None and last.role == "assistant" else None


Reader = Callable[[Turn], Iterable[Said]]


class Dialogue:
    """Reads a turn with all readers; stateless after construction."""

    def __init__(self, catalog: Catalog, settings: Settings, readers: Sequence[Reader]) -> None:
        self._profiles = compile_profiles(catalog, catalog.relatives)
        self._settings = settings
        self._readers = tuple(readers)
        self._curated = all(slot.curated for slot in self._profiles)  # only answers are read

    def agreed(self, drafts: Iterable[Draft], turns: Sequence[Message]) -> list[Draft]:
        """What of an assistant's turn a message agrees to. What the turn tells of a thing that it offers (its price,
        its rating) is no wish of who takes it; what it asks for itself is."""
        return list(_offered(drafts, self._profiles, turns))

    def drafts(self, message: Message, text: str, known: Sequence[Form], drafts: list[Draft]) -> list[Draft]:
        """``drafts`` with what the readers add to them."""
        if message.role != "user" or len(text) > _LONGEST:
            return drafts
        if self._curated and not drafts and not turns_of(known):
            return drafts
        turn = Turn(message, text, self._profiles, known, drafts, self._settings)
        said = [
            one
            for reader in self._readers
            for one in reader(turn)
            if (one.answers or not _asked(turn, one))
            and not _shorter(turn, one)
            and (one.slot.curated or not discounted(text, turn.low, one.slot, one.value, one.start, one.end))
        ]
        said.extend(_taken_back(turn))
        drafts = _without(self._profiles, drafts)
        return _added(turn, drafts, _chosen(turn, said, drafts))


def _offered(drafts: Iterable[Draft], profiles: Profiles, turns: Sequence[Message]) -> Iterator[Draft]:
    said = {turn.id: turn.text for turn in turns}
    for draft in drafts:
        profile = profiles.types.get(draft.form_type)
        if profile is None or profile.curated:
            yield draft
            continue
        kept = {
            name: slot
            for name, slot in draft.slots.items()
            if slot.agreed is None
            or not isinstance(slot.value, str)
            or _in_question(said.get(slot.agreed[0], ""), slot.agreed[1])
        }
        if kept or not draft.slots:
            yield replace(draft, slots=kept)


def _in_question(text: str, words: str) -> bool:
    at = text.find(words)
    if at < 0:
        return False
    mark = break_after(text, at + len(words))
    return "?" in mark or "？" in mark or _TAG.match(text, at + len(words)) is not None


_TAG = re.compile(
    r"\s*[,，]?\s*(?:right|correct|yes|对吗|对吧|是吗|是吧)\s*[?？]", re.I
)  # "a party of 4, right?"


def _asked(turn: Turn, one: Said) -> bool:
    """Whether the words are asked about, or taken apart and denied, rather than said."""
    if cues.questioned(turn.text, one.start, one.end) and not given(turn.text, one.start, one.end):
        return True
    first = clause_of(turn.text, one.start, one.end)[0]
    if _WHETHER_ZH.search(turn.low, first, one.start):
        return True
    if (known := _HAS_ZH.search(turn.low, max(0, one.start - 8), one.start)) and not _SOUGHT_ZH.search(
        turn.low, first, one.start
    ):  # 有会议室吗？ is asked of a thing that is known
        ending = _HAS_ENDS_OPEN if known["open"] else _HAS_ENDS
        if ending.match(turn.low, one.end):
            return True
    return _DENIED.search(turn.low, max(0, one.start - 24), one.start) is not None


_HAS_ZH = re.compile(
    r"(?:(?P<open>有没有|有无|是否有?|能不能|能否)|有|提供|包含|含|带|供)(?:提供|包含|含|带|供)?$"
)
_HAS_ENDS_OPEN = re.compile(r"(?:服务|设施|设备)?(?:啊|呢)?\s*(?:[?？，,。]|$)")
_HAS_ENDS = re.compile(r"(?:服务|设施|设备)?(?:吗|么|嘛|没有?)\s*[，,]?\s*(?:[?？。]|$|[我咱你您])")
_WHETHER_ZH = re.compile(r"是否(?!有)|是不是")
_SOUGHT_ZH = re.compile(r"哪|什么|附近|周边|找|推荐|最好|希望|需要|[想要]")


def _taken_back(turn: Turn) -> Iterator[Said]:
    """Values that are held and that the turn says cannot be: unless it gives others, they are asked for again."""
    seen: set[str] = set()
    for form in turn.known:
        profile = turn.profiles.types.get(form.type)
        if profile is None or profile.curated or form.type in seen:
            continue
        seen.add(form.type)
        for slot in profile.slots:
            held = form.slots.get(slot.name)
            value = held.value if held is not None else None
            if not isinstance(value, str) or len(value) < 2:
                continue
            at = turn.low.rfind(lowered(value))
            end = at + len(value)
            if at < 0 or (turn.low[at - 1 : at].isascii() and turn.low[at - 1 : at].isalnum()):
                continue
            if no_longer(turn.text, turn.low, at, end):
                yield Said(slot, None, at, end, at, end, _BACK, op="clear")


_BACK = 0.9


def _shorter(turn: Turn, one: Said) -> bool:
    """Whether the words only begin the name that the slot holds: 伦敦 where it is 伦敦桥."""
    if one.slot.closed or not isinstance(one.value, str) or not has_han(one.value):
        return False
    for form in turn.known:
        if form.type == one.slot.type and one.slot.kind in ("name", "place", "city"):
            held = form.slots.get(one.slot.name)
            if held is not None and isinstance(held.value, str):
                return held.value != one.value and held.value.startswith(one.value)
    return False


# "don ' t want": taken apart by a tokeniser
_DENIED = re.compile(
    r"\b(?:that(?:['’ ]?s| is)?|thats) (?:all|it|everything)(?: for)?\s*$|"
    r"\b(?:don|doesn|didn|won|can) ['’] t (?:want|need|like|have|do)(?: to [a-z]+)?(?: it| any| at| the| a)*\s*$"
)


_LONGEST = 2000  # characters; a longer message is a document, no turn of a dialogue


def _without(profiles: Profiles, drafts: list[Draft]) -> list[Draft]:
    """The drafts without the texts and choices of slots of which their authors say no more than the name: these the
    dialogue reads better."""
    out = []
    for draft in drafts:
        profile = profiles.types.get(draft.form_type)
        if profile is None or profile.curated or draft.invalidate:
            out.append(draft)
            continue
        kept = {name: slot for name, slot in draft.slots.items() if not _better(profiles, draft, name, slot)}
        if kept or not draft.slots:
            out.append(replace(draft, slots=kept))
    return out


def _better(profiles: Profiles, draft: Draft, name: str, slot: SlotDraft) -> bool:
    if slot.op in ("clear", "remove") or slot.span is None:
        return False
    spec = profiles.types[draft.form_type].type.slots.get(name)
    return spec is None or (spec.type in ("text", "enum") and len(spec.aliases) < 2)


def _chosen(turn: Turn, said: Sequence[Said], drafts: Sequence[Draft]) -> list[Said]:
    """The readings that stand beside the drafts and each other. The answer to a question is surer than a draft,
    unless an author declared by which words the draft's slot is announced."""
    filled: dict[tuple[str, str], None] = {}
    taken: dict[str, list[tuple[int, int]]] = {}
    answered = {(one.slot.type, one.slot.name) for one in said if one.answers and not one.slot.curated}
    for draft in drafts:
        for name, slot in draft.slots.items():
            if (draft.form_type, name) in answered:
                continue
            filled[draft.form_type, name] = None
            if slot.span is not None:
                taken.setdefault(draft.form_type, []).append(slot.span)
    announced = list(_announced(turn, drafts))
    out: list[Said] = []
    for one in sorted(said, key=lambda s: (not _moved(turn, s), not s.answers, -s.confidence)):
        place = (one.slot.type, one.slot.name)
        if place in filled and not one.slot.spec.many:
            continue
        if any(one.start < end and start < one.end for start, end in taken.get(one.slot.type, ())):
            continue
        if any(one.start < other.end and other.start < one.end for other in out):
            continue  # words fill one slot
        if any(at != place and low <= one.start and one.end <= high for at, (low, high) in announced):
            continue  # "our deadline is now August 14" tells that, whatever was asked
        if not one.answers and any(
            one.start < end and start < one.end for spans in taken.values() for start, end in spans
        ):
            continue  # and the drafts' words are theirs
        filled[place] = None
        out.append(one)
    return sorted(out, key=lambda s: s.start)


# "I'm busy on Friday, can we move it to Saturday?"
_MOVED = re.compile(
    r"\b(?:move|push|switch|change|reschedule|postpone|shift|make)(?: it| this| that| them| (?:the|my|our) [a-z]+)? ?(?:to|for|till|until)?(?: the| on)? $|(?:改|换|推迟|挪|提前|延)(?:到|成|为|至)(?:了)?$"
)


def _moved(turn: Turn, one: Said) -> bool:
    """Whether the words are what something is changed to."""
    return _MOVED.search(turn.low, max(0, one.start - 40), one.start) is not None


def _announced(turn: Turn, drafts: Sequence[Draft]) -> Iterator[tuple[tuple[str, str], tuple[int, int]]]:
    """Slots and spans of the drafts' values that begin with a word by which the slot is declared to be told."""
    for draft in drafts:
        profile = turn.profiles.types.get(draft.form_type)
        if profile is None or not profile.curated:
            continue
        for name, slot in draft.slots.items():
            spec = profile.type.slots.get(name)
            if spec is None or slot.span is None:
                continue
            said = turn.low[slice(*slot.span)]
            if any(said.startswith(normal(word)) for word in (*spec.aliases, name.replace("_", " "))):
                yield (draft.form_type, name), slot.span


def _added(turn: Turn, drafts: list[Draft], chosen: Sequence[Said]) -> list[Draft]:
    made = list(drafts)
    fresh: dict[str, dict[str, SlotDraft]] = {}
    for one in chosen:
        slots = fresh.setdefault(one.slot.type, {})
        slots[one.slot.name] = _joined(slots.get(one.slot.name), _draft(turn, one))
    for form_type, slots in fresh.items():
        at = next((i for i, d in enumerate(made) if d.form_type == form_type and not d.invalidate), None)
        if at is None:
            made.append(Draft(form_type, slots))
        else:
            made[at] = replace(made[at], slots={**made[at].slots, **slots})
    return made


def _draft(turn: Turn, one: Said) -> SlotDraft:
    text = turn.text
    return SlotDraft(
        value=one.value,
        confidence=one.confidence,
        evidence=text[one.low : one.high],
        op=one.op or ("add" if one.slot.spec.many else None),
        negated=one.negated,
        correction=one.correction or cues.correcting(text),
        span=(one.low, one.high),
        sought=not one.slot.curated and given(text, one.start, one.end),
    )


def _joined(first: SlotDraft | None, more: SlotDraft) -> SlotDraft:
    """Several values of one list."""
    if first is None or first.negated != more.negated:
        return more
    values = [*(first.value if isinstance(first.value, list) else [first.value]), more.value]
    return replace(first, value=values)


__all__ = ["Dialogue", "Reader", "Said", "Turn"]
