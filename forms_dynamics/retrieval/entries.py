"""One Form as a line of a context: what was asked of it, or all of it; its past when that is asked for."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime, timedelta, timezone
from typing import Any

from forms_dynamics.assertions import Assertion, begins
from forms_dynamics.fading import FADED
from forms_dynamics.language.names import core
from forms_dynamics.language.normal import normal
from forms_dynamics.model.form import Form, Slot
from forms_dynamics.model.record import FormRecord, PendingRecord, Scope
from forms_dynamics.model.value import decode, from_micros, to_micros
from forms_dynamics.projection import state_of
from forms_dynamics.reader import Reader
from forms_dynamics.retrieval.provenance import Provenance
from forms_dynamics.retrieval.quoting import line, plain
from forms_dynamics.schema.spec import FormType, SlotSpec
from forms_dynamics.schema.template import format_value, mentioned, render

Day = str


@dataclass(frozen=True, slots=True)
class Speech:
    """The few words of a context's own, in one language."""

    header: str
    colon: str
    stop: str
    comma: str
    bracket: str
    unconfirmed: str
    low: str
    expired: str
    cold: str
    unknown: str
    unsure: str
    avoids: str
    until: str
    since: str
    ahead: str
    gone: str
    recent: str
    whose: str


SPEECH: Mapping[str, Speech] = {
    "zh": Speech(
        header="【Agent工作记忆】", colon="：", stop="；", comma="、", bracket="（{}）",
        unconfirmed="[待确认]", low="[低置信度]", expired="已过期", cold="旧", unknown="未知",
        unsure="不确定", avoids="不接受：{}", until="{} 之前：{}",
        since="自 {} 起", ahead="自 {} 起 {}", gone="至 {}", recent="[最近对话]",
        whose="{}的{}",
    ),
    "en": Speech(
        header="[Agent memory]", colon=": ", stop="; ", comma=", ", bracket=" ({})",
        unconfirmed="[unconfirmed]", low="[low confidence]", expired="expired", cold="old",
        unknown="unknown", unsure="unsure", avoids="avoids: {}",
        until="until {}: {}", since="since {}", ahead="from {}: {}", gone="until {}", recent="[recent turns]",
        whose="{}'s {}",
    ),
}  # fmt: skip


@dataclass(frozen=True, slots=True)
class Writer:
    """Writes lines in ``lang`` of what ``reader`` reads; ``now`` is the moment of the read."""

    lang: str
    scope: Scope
    reader: Reader
    now: int
    offset_of: Callable[[str | None], int]  # message id → minutes east of UTC in which it was said
    bounds: bool = True  # whether to tell what changes later: not when an earlier state is read
    known_at: int | None = None  # only what had arrived by then
    ended: bool = False  # whether to tell values that have run out, with their date
    called: Mapping[str, str] = field(default_factory=dict)  # Form → the name that the question gives it
    provenance: Provenance | None = None
    since: int | None = None  # the past is told from here on
    first: bool = False  # of the past what was told first, and nothing of what came later
    _names: dict[str, str] = field(default_factory=dict)

    @property
    def speech(self) -> Speech:
        """The words of this language."""
        return SPEECH[self.lang]

    # -- one Form --------------------------------------------------------------------------------------------
    def asked(self, form: Form, record: FormRecord, form_type: FormType | None, slots: Sequence[str]) -> str:
        """The asked slots of which something is known ("海蓝电子：付款方式 预付50%"); empty if none."""
        s = self.speech
        parts = []
        for name in slots:
            text = self._slot(form, record, form_type, name)
            if text:
                parts.append(f"{self._label(form_type, name)} {text}")
        if not parts:
            return ""
        end = self._end(form, slots)
        return line(self.name(form, form_type) + self._marks(form) + s.colon + s.stop.join(parts) + end)

    def _end(self, form: Form, slots: Iterable[str]) -> str:
        return "" if self.provenance is None else self.provenance.of(form, slots)

    def whole(self, form: Form, record: FormRecord, form_type: FormType | None) -> str:
        """All that is known of the Form, by its type's template; what the template leaves out follows."""
        s = self.speech
        known = (
            [*form.slots, *(n for n in form_type.slots if n not in form.slots)] if form_type else form.slots
        )
        names = known if self.ended else form.slots
        texts = {name: text for name in names if (text := self._slot(form, record, form_type, name))}
        name = self.name(form, form_type)
        if form_type is None:
            body = s.stop.join(f"{k} {v}" for k, v in texts.items())
            shown = frozenset(texts)
        else:
            held = {
                k: v
                for k, v in texts.items()
                if k in form.slots and form.slots[k].status == "known" and form.slots[k].value is not None
            }
            body = plain(render(form_type, self.lang, held))
            shown = mentioned(form_type, self.lang) & held.keys() if body else frozenset()
        rest = [f"{self._label(form_type, k)} {v}" for k, v in texts.items() if k not in shown]
        if rest and body:
            body = body.rstrip("。.；; ")
        body = s.stop.join(part for part in (body, *rest) if part)
        if not body:
            return ""
        marks, end = self._marks(form), self._end(form, texts)
        if name not in body:
            return line(name + marks + s.colon + body + end)
        return line(body + marks + end)

    def reference(self, form: Form, record: FormRecord, form_type: FormType | None) -> str:
        """One line by which the Form can be asked for: its id, type, name and the day of its last change."""
        label = form_type.label(self.lang) if form_type is not None else form.type
        day = _offset_day(record.updated, self.offset_of(None))
        return line(f"{form.id} {label} {self.name(form, form_type)} {day}{self._marks(form)}")

    def past(self, form: Form, record: FormRecord, form_type: FormType | None, slots: Sequence[str]) -> str:
        """Each asked slot with every value that it has held, newest first, with dates; without ``slots``
        those that have changed."""
        s = self.speech
        parts = []
        for name in slots or [*form.slots]:
            held = self.reader.slot_history(self.scope, record, name, self.now, self.known_at)
            if self.since is not None:
                held = [s for s in held if s.valid_until is None or to_micros(s.valid_until) > self.since]
            if not held or (not slots and len(held) < 2):
                continue
            if self.first and slots and len(held) > 1:
                parts.append(f"{self._label(form_type, name)} {self._timeline(held[:2], form_type, name, 1)}")
                continue
            parts.append(f"{self._label(form_type, name)} {self._timeline(held, form_type, name)}")
        if not parts:
            return ""
        return line(self.name(form, form_type) + self._marks(form) + s.colon + s.stop.join(parts))

    def _timeline(
        self, held: Sequence[Slot], form_type: FormType | None, name: str, most: int | None = None
    ) -> str:
        """What was held, the newest first; ``most``: of the oldest no more than that many."""
        s = self.speech
        out = []
        for place in range((len(held) if most is None else most) - 1, -1, -1):
            slot = held[place]
            text = self._value(slot.value, form_type, name)
            follower = held[place + 1] if place + 1 < len(held) else slot
            if slot.valid_until is not None and _micros(slot.valid_until) <= self.now:
                out.append(s.until.format(self._day(slot.valid_until, follower), text))
            elif slot.valid_from is not None and len(held) > 1:
                out.append(text + s.bracket.format(s.since.format(self._day(slot.valid_from, slot))))
            else:
                out.append(text)
        return s.stop.join(out)

    def pending(self, item: PendingRecord, form: Form | None, form_type: FormType | None) -> str:
        """A value that waits for a person, on a line that says so."""
        s = self.speech
        name = (
            self.name(form, form_type)
            if form is not None
            else (form_type.label(self.lang) if form_type else item.type)
        )
        label = self._label(form_type, item.slot) if item.slot else ""
        raw = json.loads(item.value)
        value = self._value(
            decode(raw.get("v", raw) if isinstance(raw, dict) else raw), form_type, item.slot or ""
        )
        if not value:
            value = s.comma.join(plain(str(c)) for c in json.loads(item.candidates))
        return f"{s.unconfirmed} {name}{s.colon}{label} {value}".rstrip()

    def name(self, form: Form, form_type: FormType | None) -> str:
        """What the Form goes by: its name in the question, else its identity, an alias, an external id, its first
        text, its type."""
        known = self._names.get(form.id)
        if known is None:
            known = self._names[form.id] = self._asked_name(form, form_type) or self._own_name(
                form, form_type
            )
        return known

    def part(self, forms: Iterable[tuple[Form, FormRecord, FormType | None]]) -> None:
        """Puts the speaker before names that several Forms go by: 王总的妈 and Dana's 妈 are two people."""
        by_name: dict[str, list[tuple[Form, str]]] = {}
        for form, record, form_type in forms:
            if form_type is not None and "$speaker" in form_type.identity.context:
                speaker = state_of(record).get("k", {}).get("$speaker", "")
                by_name.setdefault(self.name(form, form_type), []).append((form, speaker))
        for name, same in by_name.items():
            if len({speaker for _, speaker in same}) > 1:
                for form, speaker in same:
                    self._names[form.id] = self.speech.whose.format(plain(speaker), name)

    def _asked_name(self, form: Form, form_type: FormType | None) -> str | None:
        """The Form's name, as it is written there, that the question gives whole or by its core."""
        called = self.called.get(form.id)
        if not called:
            return None
        names: list[str] = []
        for key in form_type.identity.keys if form_type else ():
            value = form[key[0]] if len(key) == 1 else None
            if isinstance(value, str):
                names.append(value)
        names += sorted(form.aliases)
        return next((plain(name) for name in names if called in (normal(name), core(normal(name)))), None)

    def _own_name(self, form: Form, form_type: FormType | None) -> str:
        for key in form_type.identity.keys if form_type else ():
            values = {part: form[part] for part in key if not part.startswith("$")}
            if values and all(v is not None for v in values.values()):
                return " ".join(self._value(v, form_type, k) for k, v in values.items())
        for known in (sorted(form.aliases), sorted(form.external_ids)):
            if known:
                return plain(known[0])
        for name in ("name", "title", "subject", "topic"):
            if isinstance(form[name], str):
                return plain(form[name])
        return form_type.label(self.lang) if form_type else form.type

    def _marks(self, form: Form) -> str:
        s = self.speech
        return "".join(
            s.bracket.format(m) for m, on in ((s.expired, form.expired), (s.cold, form.cold)) if on
        )

    # -- one slot --------------------------------------------------------------------------------------------
    def _slot(self, form: Form, record: FormRecord, form_type: FormType | None, name: str) -> str:
        """The slot's value with what bounds it: doubt, avoided values, an announced change."""
        s = self.speech
        slot = form.slots.get(name)
        ahead = self._ahead(record, name) if self.bounds else []
        text = ""
        if slot is not None and slot.status == "known" and slot.value is not None:
            text = self._value(slot.value, form_type, name)
            if slot.confidence < FADED:
                text += s.bracket.format(s.unsure)
            if (
                slot.valid_until is not None
                and self.bounds
                and not ahead
                and to_micros(slot.valid_until) > self.now
            ):
                text += s.bracket.format(s.gone.format(self._day(slot.valid_until, slot)))
        if not text and self.ended:
            over = self.reader.ran_out(self.scope, record, name, self.now, self.known_at)
            if over is not None and over.valid_until is not None:
                day = self._day(over.valid_until, over)
                text = s.until.format(day, self._value(over.value, form_type, name))
        if slot is not None and slot.avoided:
            avoided = s.comma.join(sorted(self._value(v, form_type, name) for v in slot.avoided))
            text += s.bracket.format(s.avoids.format(avoided)) if text else s.avoids.format(avoided)
        for change in ahead:
            day = _offset_day(begins(change), self.offset_of(change.get("m")))
            value = s.unknown if change["v"] is None else self._value(decode(change["v"]), form_type, name)
            text += s.bracket.format(s.ahead.format(day, value))
        return text.strip()

    def _ahead(self, record: FormRecord, name: str) -> list[Assertion]:
        """Assertions of the head that begin after now."""
        if record.head is None or '"f":' not in record.head:
            return []
        timeline = state_of(record)["s"].get(name, ())
        return [a for a in timeline if begins(a) > self.now and not a.get("neg")]

    def _value(self, value: Any, form_type: FormType | None, name: str) -> str:
        spec = form_type.slots.get(name) if form_type else None
        return "" if value is None else plain(format_value(value, spec or SlotSpec(name, "text"), self.lang))

    def _label(self, form_type: FormType | None, name: str) -> str:
        spec = form_type.slots.get(name) if form_type else None
        return spec.label(self.lang) if spec else plain(name.replace("_", " "))

    def _day(self, moment: datetime, slot: Slot) -> Day:
        said = slot.evidence.message_id if slot.evidence is not None else None
        return _offset_day(to_micros(moment), self.offset_of(said))


def _offset_day(micros: int, minutes: int) -> Day:
    return (from_micros(micros).astimezone(timezone(timedelta(minutes=minutes)))).date().isoformat()


def _micros(moment: datetime | None) -> int:
    return 0 if moment is None else to_micros(moment)
