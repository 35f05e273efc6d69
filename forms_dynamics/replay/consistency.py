"""Verdicts without labels: what later messages of a conversation prove of what earlier ones were read to say.

Read from raw drafts and words alone, once a recording, so that no setting that is judged has a say. What proves:

- **Right**: a user's message states the value again, firmly and in its own words, for the same Form; or the user
  agrees to a turn of the assistant's that reads it back; or names it as what it was until now (从50万提到60万). Two
  messages that were misread independently would rarely agree. The message that says it again is right as well.
- **Wrong**: a message denies it and gives another value (不是50万，是60万), says no to a turn that reads it back
  and gives another, or calls it an error (说错了, "I misspoke"); or it was unsure (hedged, proposed, supposed,
  inferred) and the next firm statement is another value which is right: it should have been asked about. A slip of
  the user's own, which nobody could have seen at the time, is wrong as well.
- **Unknown**: everything else. A value never mentioned again; one that stands in a question; one that is simply
  changed (改成60万, or without a word: most changes of mind carry none), for a changed mind is no proof of a
  misreading; one that is cleared; a looser value made exact (三四十万, then 35万); one to which the user comes back
  after calling it an error.

A correction inside one message bears on that message's own value and on no earlier one. Two values that one message
gives one slot prove nothing. Words of the assistant's, of tools and of others prove nothing. Of several Forms of one
type, statements that do not tell which one they mean prove nothing; another value in an identity slot is another
Form unless the old one is denied. Items of a many-valued slot stand each by itself; another item contradicts none.

What self-consistency cannot see: a value that was read wrongly and never spoken of again.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from typing import Any, Protocol

from forms_dynamics.inputs import role_of
from forms_dynamics.model.message import Draft, Message, Role
from forms_dynamics.replay.clock import START, moment_of
from forms_dynamics.replay.instances import Instance, Keys, Roster
from forms_dynamics.replay.statements import Reader, Statement, refines
from forms_dynamics.replay.truth import KEPT_TURNS, Key, Slot, Told, Truth, Value
from forms_dynamics.replay.values import Verdict
from forms_dynamics.schema.spec import Catalog, FormType, SlotSpec
from forms_dynamics.settings import Settings

_TURNS = 12  # turns before a message that an answer may bear on


class Recorded(Protocol):
    """A message with what was read from it before the gate; :class:`~forms_dynamics.replay.recording.Raw` is one."""

    @property
    def message(self) -> Mapping[str, Any]: ...
    @property
    def looks(self) -> tuple[tuple[Draft, ...], ...]: ...
    @property
    def key(self) -> Key: ...


Conversation = tuple[str, str]  # user ("" for none), conversation


def conversation_of(message: Mapping[str, Any]) -> Conversation:
    """Which conversation of a log a message belongs to: those of two users are two though they are called alike."""
    return str(message.get("user") or ""), str(message.get("conversation") or "default")


def consistency(raws: Iterable[Recorded], catalog: Catalog, settings: Settings) -> dict[Conversation, Truth]:
    """The truth of each conversation as far as the conversation itself tells it; see the module.

    ``raws``: the messages of a recording in order; ``settings``: those it was made with (time zone, order of dates).
    A gain is a value that is right, at the first message that states it firmly.
    """
    talks: dict[Conversation, _Talk] = {}
    now = START
    for raw in raws:
        now = (
            max(now, moment_of(raw.message, settings.zone) or now)
            if talks
            else moment_of(raw.message, settings.zone) or now
        )
        talk = talks.setdefault(conversation_of(raw.message), _Talk(catalog, settings))
        talk.take(raw, now)
    return {name: talk.truth() for name, talk in talks.items()}


@dataclass(eq=False, slots=True)
class _Told:
    """A statement in its place, and what became known of it."""

    said: Statement
    of: Slot
    message: Key
    at: int
    user_turn: int
    right: bool = False
    wrong: bool = False
    gained: bool = False
    ended: int | None = None  # the message that put another value in its place
    settled: _Told | None = None  # it was unsure: the firm statement of another value that came next

    @property
    def verdict(self) -> Verdict:
        wrong = self.wrong or (self.settled is not None and self.settled.right)
        if self.right and wrong:
            return "unknown"
        return "right" if self.right else "wrong" if wrong else "unknown"


@dataclass(slots=True)
class _Thread:
    """The statements for one slot of one Form, oldest first."""

    spec: SlotSpec
    form_type: str
    told: list[_Told] = field(default_factory=list)

    @property
    def current(self) -> list[_Told]:
        """The statements of the value that was stated last, if it was not cleared: of a many-valued slot all that
        have not ended."""
        if self.spec.many:
            return [t for t in self.told if t.ended is None]
        last = self.told[-1] if self.told else None
        return [t for t in self.told if last is not None and t.said.key == last.said.key and t.ended is None]


class _Talk:
    """One conversation on its way."""

    def __init__(self, catalog: Catalog, settings: Settings) -> None:
        self._catalog = catalog
        self._settings = settings
        self._roster = Roster()
        self._threads: dict[tuple[int, str], _Thread] = {}
        self._turns: list[Message] = []
        self._user_turns: list[tuple[Key, int]] = []
        self._all: list[_Told] = []
        self._at = 0
        self._time: datetime | None = None

    def take(self, raw: Recorded, now: datetime) -> None:
        raw_message = raw.message
        self._at += 1
        own = moment_of(raw_message, self._settings.zone)
        self._time = own or self._time or now
        role: Role = role_of(raw_message)
        message = Message(
            str(raw_message["id"]), str(raw_message["text"]), str(raw_message.get("speaker") or role), role,
            str(raw_message.get("conversation") or "default"), self._time,
        )  # fmt: skip
        if role == "user":
            self._user_turns.append((raw.key, self._at))
            if self._threads or any(raw.looks):
                self._read(raw, Reader(message, self._turns[-_TURNS:], self._settings))
        self._turns.append(message)

    # -- one message -----------------------------------------------------------------------------------------
    def _read(self, raw: Recorded, reader: Reader) -> None:
        self._agreed(reader)
        said = self._statements(raw.looks, reader)
        for (number, slot), statements in said.items():
            one = self._roster.instances[number]
            thread = self._threads.get((number, slot))
            if thread is None:
                thread = self._threads[number, slot] = _Thread(one.form_type.slots[slot], one.form_type.name)
            self._weigh(raw.key, one, thread, statements, reader)

    def _statements(
        self, looks: Sequence[Sequence[Draft]], reader: Reader
    ) -> dict[tuple[int, str], list[Statement]]:
        """What the message states, by Form and slot; of two looks the later one's word on a slot counts."""
        out: dict[tuple[int, str], list[Statement]] = {}
        seen: set[Slot] = set()
        for look in reversed(looks):
            mine: set[Slot] = set()
            for draft in look:
                form_type = self._catalog.types.get(draft.form_type)
                if form_type is None or draft.invalidate:
                    continue
                stated = [s for s in reader.draft(form_type, draft) if (form_type.name, s.slot) not in seen]
                one = self._instance(form_type, draft, stated, reader) if stated else None
                mine.update((form_type.name, s.slot) for s in stated)
                if one is None:
                    continue
                for statement in stated:
                    out.setdefault((one.number, statement.slot), []).append(statement)
            seen |= mine
        return out

    def _instance(
        self, form_type: FormType, draft: Draft, stated: Sequence[Statement], reader: Reader
    ) -> Instance | None:
        names: dict[str, Keys] = {}
        for s in stated:
            if s.slot in form_type.identity.slots and s.value is not None and not s.denied:
                names[s.slot] = names.get(s.slot, frozenset()) | {s.key}
        one = self._renamed(form_type, names, reader)
        if one is None:
            one = self._roster.place(form_type, names, draft.external_id, guess=False)
        if one is not None:
            one.slots.update(names)
        return one

    def _renamed(self, form_type: FormType, names: Mapping[str, Keys], reader: Reader) -> Instance | None:
        """The Form whose name the message denies while it gives another (不是海兰，是海蓝)."""
        for one in self._roster.instances:
            if one.form_type is not form_type:
                continue
            for slot, keys in names.items():
                if one.slots.get(slot, keys) == keys or reader.changes:
                    continue
                thread = self._threads.get((one.number, slot))
                if thread is not None and any(
                    reader.denies(thread.spec, t.said.key, t.said.value) for t in thread.current
                ):
                    return one
        return None

    def _agreed(self, reader: Reader) -> None:
        for thread in self._threads.values() if reader.answers else ():
            current = thread.current
            values = {t.said.key: t.said.value for t in current if t.said.value is not None}
            for key, value in values.items():
                if reader.agrees(thread.spec, key, value):
                    for t in current:
                        t.right = t.right or t.said.key == key

    # -- one slot --------------------------------------------------------------------------------------------
    def _weigh(
        self, key: Key, one: Instance, thread: _Thread, statements: Sequence[Statement], reader: Reader
    ) -> None:
        earlier = list(thread.told)
        given = [s for s in statements if s.value is not None and not s.denied]
        values = {s.key: s for s in given}
        spec = thread.spec
        if not spec.many and len(values) > 1:
            new, withdrawn = _last_word(values, reader)
        else:
            new, withdrawn = list(values.values()), []
        taken_back = {s.key for s in statements if s.denied} | {s.key for s in withdrawn}
        firm = [s for s in new if s.firm]
        unsure: Sequence[_Told] = ()
        if firm:
            unsure = self._prove(one, thread, earlier, firm, taken_back, bool(withdrawn), reader)
        for statement in withdrawn:
            self._note(thread, one, statement, key).wrong = True
        before = {t.said.key for t in thread.current if t.said.firm}
        if any(s.value is None for s in statements) or (new and not spec.many):
            keep = {s.key for s in new}
            _end([t for t in thread.told if t.said.key not in keep], self._at)
        _end([t for t in thread.told if t.said.key in taken_back and t.said.key not in values], self._at)
        for statement in new:
            told = self._note(thread, one, statement, key)
            same = [t for t in earlier if t.said.key == statement.key and t.said.firm and t.at != told.at]
            told.right = bool(same) and statement.firm
            told.gained = statement.firm and statement.key not in before
            if statement.firm:
                for t in unsure:
                    t.settled = told
        for statement in withdrawn:
            _end([t for t in thread.told if t.said is statement], self._at)

    def _note(self, thread: _Thread, one: Instance, statement: Statement, key: Key) -> _Told:
        of = (one.form_type.name, statement.slot)
        told = _Told(statement, of, key, self._at, len(self._user_turns))
        thread.told.append(told)
        self._all.append(told)
        return told

    def _prove(
        self,
        one: Instance,
        thread: _Thread,
        earlier: Sequence[_Told],
        firm: Sequence[Statement],
        taken_back: set[str],
        within: bool,
        reader: Reader,
    ) -> list[_Told]:
        """What a firm statement proves of earlier ones; gives those that were unsure of another value.
        ``within``: the message corrects itself."""
        spec, keys = thread.spec, {s.key for s in firm}
        for t in earlier:
            t.right = t.right or (t.said.key in keys and not t.said.asked)
        others = {
            t.said.key: t.said.value for t in earlier if t.said.value is not None and t.said.key not in keys
        }
        standing = [t for t in earlier if t.ended is None and t.said.key in others]
        # 不要花生，要腰果 is a taste that changes, and 预算改了，不是50万了 a change
        may_deny = reader.repairs if spec.many else not reader.changes
        denied = {k for k, v in others.items() if may_deny and (k in taken_back or reader.denies(spec, k, v))}
        left = {k for k, v in others.items() if k not in denied and reader.left_behind(spec, k, v)}
        for t in standing:
            t.wrong = t.wrong or t.said.key in denied
            t.right = t.right or t.said.key in left
        if spec.many or denied or spec.name in one.form_type.identity.slots:
            return []
        last = thread.current
        corrected = reader.errs or (reader.repairs and any(s.correction for s in firm))
        if within or left or (corrected and reader.says_others(spec, {*keys, *others})):
            corrected = False
        rest = [
            t
            for t in last
            if t.said.key not in keys and not any(refines(spec, t.said.value, s.value) for s in firm)
        ]
        for t in rest:
            t.wrong = t.wrong or corrected
        return rest if not any(t.said.firm or t.said.asked for t in last) else []

    # -- all of it -------------------------------------------------------------------------------------------
    def truth(self) -> Truth:
        """What is known once the conversation has ended."""
        verdicts: dict[Key, dict[Slot, dict[str, Verdict]]] = {}
        gains: dict[Key, list[Value]] = {}
        due: dict[Key, list[Value]] = {}
        for told in self._all:
            if told.said.value is None:
                continue
            known = verdicts.setdefault(told.message, {}).setdefault(told.of, {})
            verdict = told.verdict
            known[told.said.key] = verdict if known.get(told.said.key, verdict) == verdict else "unknown"
            if verdict != "right" or not told.gained:
                continue
            value = Value(-1, *told.of, told.said.key, told.said.value)
            gains.setdefault(told.message, []).append(value)
            turn = told.user_turn + KEPT_TURNS - 1
            if turn <= len(self._user_turns):
                then, at = self._user_turns[turn - 1]
                if told.ended is None or told.ended > at:
                    due.setdefault(then, []).append(value)
        told_at = {key: Told(tuple(gains.get(key, ())), tuple(due.get(key, ()))) for key in (*gains, *due)}
        return Truth("self-consistency", told_at, _verdicts=verdicts)


def _end(told: Iterable[_Told], at: int) -> None:
    for t in told:
        t.ended = at if t.ended is None else t.ended


def _last_word(values: Mapping[str, Statement], reader: Reader) -> tuple[list[Statement], list[Statement]]:
    """Of several values that one message gives one slot: the one that corrects the others, and those; where none
    does, all of them, none firm."""
    corrects = [s for s in values.values() if s.correction]
    if len(corrects) == 1 and corrects[0].firm and (reader.repairs or reader.changes):
        return corrects, [s for s in values.values() if s is not corrects[0]]
    return [s._replace(firm=False) for s in values.values()], []


__all__ = ["Conversation", "Recorded", "consistency", "conversation_of"]
