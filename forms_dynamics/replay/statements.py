"""What a message states, as evidence: raw drafts read the way the gate reads them, but by the words alone, so that no
setting that is judged has a say.

Firm is what the words of the message itself carry plainly. Unsure is what they hedge, propose or suppose, what an
extractor inferred, and one of two values that a message gives to one slot. A question claims nothing. What no words
of the message say is no statement at all: a model that copies what it was shown must not confirm itself.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator, Sequence
from typing import Any, Literal, NamedTuple

from forms_dynamics.extraction.agreement import Consent, consent
from forms_dynamics.extraction.evidence import find, locate, narrow, readings, supports
from forms_dynamics.language import cues
from forms_dynamics.language.assent import assent
from forms_dynamics.language.lazy import lazy
from forms_dynamics.language.normal import has_han
from forms_dynamics.language.numerals import lowered
from forms_dynamics.language.secrets import redact
from forms_dynamics.model.gated import Span
from forms_dynamics.model.message import Draft, Message, SlotDraft
from forms_dynamics.schema.coerce import Coerced, coerce, key_text
from forms_dynamics.schema.spec import FormType, SlotSpec
from forms_dynamics.settings import Settings

# The speaker says that something said before was an error, and not that it has changed.
_ERROR = lazy(
    r"[说写打搞弄记报看听填输]错|口误|笔误|手误|错了|更正|纠正|订正|"
    r"\b(?:misspoke|mis-?typed|typo|(?:my|a) (?:mistake|bad|error)|i meant|correction|let me correct|wrong(?:ly)?|"
    r"incorrect|should have (?:been|said|read))\b"
)
_REPAIR = lazy(
    r"不对|不是|应该是|其实是|实际上?是|准确(?:地|来)?说|才对|而是|"
    r"\b(?:i mean|sorry|actually|should (?:be|read)|no,|not)(?=\W|$)"
)
_CHANGE = lazy(
    r"改[成为到回用]|改一下|换[成到个]|调[整成为到高低]|更新|变[成为更]|现在|如今|目前|决定|提[高到升]|降[低到]|增加|追加|涨|减少|缩减|砍|不再|"
    r"\b(?:chang\w+|switch\w*|updat\w+|revis\w+|now|decid\w+|increas\w+|rais\w+|lower\w*|reduc\w+|cut|instead|"
    r"no longer|any ?more|move[ds]? (?:it )?to|make (?:it|that))\b"
)
_FROM = lazy(
    r"(?:从|由|原来|原先|之前|本来)(?:的|是|说的?)?[^，。,.;；]{0,8}$|\b(?:from|was|were|previously|originally)\s+\W?$"
)


Stance = Literal["firm", "unsure", "asked"]


class Statement(NamedTuple):
    """One value (of a many-valued slot one item) as a message states it. ``value`` is None where the slot is cleared.
    ``asked``: it stands in a question, which claims nothing. ``denied``: the message says that it is not this, or
    takes it away."""

    slot: str
    key: str
    value: Any
    firm: bool
    asked: bool = False
    denied: bool = False
    correction: bool = False


class Reader:
    """Reads the drafts of one message of a user's. ``turns``: what was said before it, in order."""

    def __init__(self, message: Message, turns: Sequence[Message], settings: Settings) -> None:
        self.message = message
        self._turns = turns
        self._order = settings.date_order
        self._redacts = settings.redact != "off"
        said = lowered(message.text)
        change = _CHANGE.search(said) is not None
        self.errs = _ERROR.search(said) is not None  # it says that something before was an error
        self.repairs = self.errs or (
            _REPAIR.search(said) is not None and not change
        )  # … rather than that it changed
        self.changes = change and not self.errs
        self._answer = assent(message.text)
        self.answers = self._answer is not None and self._answer.agrees

    def draft(self, form_type: FormType, draft: Draft) -> Iterator[Statement]:
        """What a draft states; nothing of a slot whose words are not there."""
        for name, slot in draft.slots.items():
            spec = form_type.slots.get(name)
            if spec is not None and slot.whose != "other":
                yield from self._slot(spec, slot, name in form_type.identity.slots)

    def _slot(self, spec: SlotSpec, slot: SlotDraft, identity: bool) -> Iterator[Statement]:
        if slot.op == "clear":
            yield Statement(spec.name, "", None, True)
            return
        if slot.value is None:
            return
        read = self.typed(spec, slot)
        if read.value is None:
            return
        stance = self._stance(spec, slot, read, identity)
        if stance is None:
            return
        firm, asked = stance == "firm", stance == "asked"
        denied = slot.negated or slot.op == "remove"
        for item in read.value if isinstance(read.value, tuple) else (read.value,):
            value = redact(item) if self._redacts and isinstance(item, str) else item
            yield Statement(spec.name, key_text(spec, value), value, firm, asked, denied, slot.correction)

    def typed(self, spec: SlotSpec, slot: SlotDraft) -> Coerced:
        """The value of a draft, or else of its own quoted words, as the gate takes it."""
        message = self.message
        read = coerce(spec, slot.value, message.time, self._order, message.text)
        if (
            read.value is None
            and slot.evidence
            and spec.type not in ("text", "enum", "boolean", "ref", "integer")
        ):
            again = coerce(spec, slot.evidence, message.time, self._order, message.text)
            return again if again.value is not None else read
        return read

    def _stance(self, spec: SlotSpec, slot: SlotDraft, read: Coerced, identity: bool) -> Stance | None:
        """None where no words of the message say it."""
        message, text = self.message, self.message.text
        if slot.agreed is not None:
            given = consent(message, self._turns, slot, spec)
            if not isinstance(given, Consent):
                return None
            return "firm" if given.doubt is None else "unsure"
        evidence = locate(text, slot, read)
        if evidence is None:
            return None
        words = narrow(text, evidence, slot.value, read)
        if not slot.negated and not supports(
            spec, message, evidence, words, slot.value, read.value, self._order
        ):
            return "unsure" if slot.read or slot.inferred else None
        start, end = words or evidence
        if read.hedged or read.vague or slot.inferred or slot.proposal:
            return "unsure"
        if cues.joking(text) or spec.hedging.hedged(text, start, end):
            return "unsure"
        if identity:
            return "firm"  # naming a thing in a question or a supposition still names it
        if cues.hypothetical(text, start, end):
            return "unsure"
        return "asked" if cues.questioned(text, start, end) else "firm"

    # -- what the message says of values stated before -------------------------------------------------------
    def denies(self, spec: SlotSpec, key: str, value: Any) -> bool:
        """Whether the words say that it is not ``value`` (不是50万，是60万), or no to a turn that reads it back."""
        text = self.message.text
        if any(cues.negated(text, *span) for span in spans(spec, self.message, key, value, self._order)):
            return True
        said = self._answer
        return said is not None and said.kind == "no" and bool(self._echoes(spec, key, value))

    def says_others(self, spec: SlotSpec, keys: Collection[str]) -> bool:
        """Whether the words give a figure of the slot's type that is none of ``keys``: what an error is called by
        (60万，哦不，说错了，70万) may be that one."""
        found = readings(spec, self.message, self._order)
        return any(r.value is not None and key_text(spec, r.value) not in keys for r in found)

    def left_behind(self, spec: SlotSpec, key: str, value: Any) -> bool:
        """Whether the words say that it was ``value`` until now (从50万提到60万, "it was 50k")."""
        text = lowered(self.message.text)
        found = spans(spec, self.message, key, value, self._order)
        return any(_FROM.search(text[max(0, start - 16) : start]) is not None for start, _ in found)

    def agrees(self, spec: SlotSpec, key: str, value: Any) -> bool:
        """Whether the message says yes to a turn of the assistant's that holds ``value``."""
        if not self.answers or spec.type == "boolean":
            return False
        for words in self._echoes(spec, key, value):
            given = consent(self.message, self._turns, SlotDraft(value, agreed=("", words)), spec)
            if isinstance(given, Consent) and given.doubt is None:
                return True
        return False

    def _echoes(self, spec: SlotSpec, key: str, value: Any) -> list[str]:
        """The words for ``value`` in the assistant's turn right before the message."""
        turn = next((t for t in reversed(self._turns) if t.role in ("assistant", "user")), None)
        if turn is None or turn.role != "assistant":
            return []
        return [turn.text[start:end] for start, end in spans(spec, turn, key, value, self._order)]


def spans(spec: SlotSpec, message: Message, key: str, value: Any, date_order: str | None) -> list[Span]:
    """Where ``message`` says ``value``; one character of Chinese may be of any word (有 of 没有) and is left out."""
    if isinstance(value, str):
        spellings = (value, *spec.values.get(value, ())) if spec.type == "enum" else (value,)
        whole = [words for words in spellings if words.strip() and (len(words) > 1 or not has_han(words))]
        return [span for words in whole if (span := find(message.text, words)) is not None]
    return [
        (r.start, r.end)
        for r in readings(spec, message, date_order)
        if r.value is not None and key_text(spec, r.value) == key
    ]


def refines(spec: SlotSpec, loose: Any, sharp: Any) -> bool:
    """Whether ``sharp`` only says ``loose`` more exactly: an amount within a range, the full name of a short one."""
    if isinstance(loose, str) and isinstance(sharp, str):
        a, b = key_text(spec, loose), key_text(spec, sharp)
        return spec.type in ("text", "ref") and bool(re.search(re.escape(a), b) or re.search(re.escape(b), a))
    low, high = getattr(loose, "min", None), getattr(loose, "max", None)
    if low is None and high is None:
        return False
    ends = (sharp.min, sharp.max) if hasattr(sharp, "min") else (sharp, sharp)
    try:
        return all(
            end is not None
            and (low is None or _size(low) <= _size(end))
            and (high is None or _size(end) <= _size(high))
            for end in ends
        )
    except TypeError:
        return False  # a day against an instant: not to be compared


def _size(value: Any) -> Any:
    return getattr(value, "amount", value)


__all__ = ["Reader", "Statement", "refines", "spans"]
