"""Triggers: what an agent will need, loaded because something happened and not because it was asked for.

An event (an intent, an entity, an action) is held against every trigger that waits for its kind; where the condition
holds it loads Forms by index: by a name where the condition gives one, else the newest of the type. The Forms are
exact: they stand behind what the question itself names and before anything that the fallback found.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime, timedelta, timezone
from typing import Any

from forms_dynamics.language.normal import has_han, language, normal
from forms_dynamics.model.form import Form
from forms_dynamics.model.record import EdgeRecord, FormRecord, Scope
from forms_dynamics.model.value import from_micros
from forms_dynamics.ports import Store
from forms_dynamics.projection import state_of
from forms_dynamics.reader import Reader
from forms_dynamics.retrieval.events import ACTION, INTENT, Turn, intent_event, shown, turn_of
from forms_dynamics.retrieval.request import Event, Log, Request
from forms_dynamics.retrieval.standing import Standing
from forms_dynamics.schema.coerce import coerce, key_text
from forms_dynamics.schema.expression import Both, Comparison, Constant, Name, Test
from forms_dynamics.schema.spec import Catalog, FormType, Load, Trigger
from forms_dynamics.settings import Settings
from forms_dynamics.strength import begun, cold, expired, held, life_of, strength

_NEWEST = 200  # Forms of a type that are looked at where no index answers the condition
_OWN = 20  # Forms of a type of which each speaker has one
_EDGES = 64
_EVENTS_TOLD = 3


@dataclass(frozen=True, slots=True)
class Loaded:
    """A Form that a trigger loads, and the slots to tell (none: all)."""

    record: FormRecord
    form: Form
    slots: Sequence[str]
    trigger: str


@dataclass(slots=True)
class Triggers:
    """Fires the triggers of one recall; reads nothing where none waits for what happened."""

    request: Request
    scope: Scope
    store: Store
    reader: Reader
    catalog: Catalog
    settings: Settings
    standing: Standing
    now: int
    log: Log
    turn: Turn = field(default_factory=lambda: Turn(None, ()))
    _own: dict[str, Form | None] = field(default_factory=dict)

    def run(self) -> list[Loaded]:
        """The Forms that are loaded, each once, in order of declaration."""
        request = self.request
        kinds = frozenset(t.on for t in self.catalog.triggers)
        if not kinds or not (request.event or request.intent or request.conversation):
            return []
        live = frozenset() if request.event is not None else kinds
        self.turn = turn_of(
            request, self.scope, self.store, self.standing, self._project, self.catalog, self.settings, live
        )
        if request.event is not None:
            events = [request.event]
        else:
            told = [intent_event(request.intent)] if request.intent and INTENT in kinds else []
            events = [*told, *self.turn.events]
        out: dict[str, Loaded] = {}
        for trigger in self.catalog.triggers:
            meant = [event for event in events if event.on == trigger.on]
            firing = [event for event in meant if self._holds(trigger, event)]
            for event in firing:
                self.log.note("trigger", trigger.name, f"fired: {_told(event)}")
                self._fire(trigger, event, out)
            if meant and not firing:
                self.log.note("trigger", trigger.name, f"not fired: {self._miss(trigger, meant)}")
        return list(out.values())

    def lang(self, loaded: Sequence[Loaded]) -> str | None:
        """The language to tell them in where no question gives one: that last spoken, else that of the Forms."""
        if self.turn.message is not None and self.turn.message.text.strip():
            return language(self.turn.message.text)
        if not loaded:
            return None
        return "zh" if any(has_han(item.record.words) for item in loaded) else "en"

    # -- conditions ------------------------------------------------------------------------------------------
    def _here(self) -> datetime:
        """The moment of the read in the user's zone: the setting's, else that of the user's last message."""
        moment = from_micros(self.standing.moment)
        if self.settings.zone is not None:
            return moment.astimezone(self.settings.zone)
        said = self.turn.message
        return moment.astimezone(timezone(timedelta(minutes=said.offset if said else 0)))

    def _value(self, event: Event, name: str, form: Form | None = None) -> Any:
        """The value of a name: a slot of the Form, what the event tells, a slot of a Form of the user's own."""
        if form is not None and "." not in name and name in form.slots:
            return form[name]
        if name in event.values:
            return _plain(event.values[name])
        owner, dot, rest = name.partition(".")
        if not dot:
            return None
        if owner in event.values:
            inside = event.values[owner]
            for key in rest.split("."):
                inside = inside.get(key) if isinstance(inside, Mapping) else None
            return _plain(inside)
        own = self._own_form(owner)
        return None if own is None else own[rest]

    def _holds(self, trigger: Trigger, event: Event) -> bool:
        when = trigger.when
        return when is None or when.holds(lambda name: self._value(event, name), self._here())

    def _miss(self, trigger: Trigger, events: Sequence[Event]) -> str:
        """Why the condition held of none of the events: the condition, and what its names were."""
        names = list(dict.fromkeys(name.name for name in trigger.when.names())) if trigger.when else []
        told = [
            ", ".join(f"{name} is {_seen(self._value(event, name))}" for name in names)
            for event in events[:_EVENTS_TOLD]
        ]
        more = f"; {len(events) - _EVENTS_TOLD} more" if len(events) > _EVENTS_TOLD else ""
        source = shown(trigger.when.source) if trigger.when else ""
        return f"{source} does not hold ({'; '.join(dict.fromkeys(told))}{more})"

    def _own_form(self, type: str) -> Form | None:
        """The speaker's Form of a type of which each speaker has one; None where it cannot be told."""
        if type not in self._own:
            records = [
                r for r in self._newest(type, _OWN) if self.standing.fault(r) is None and self._ours(r)
            ]
            forms = [f for f in self._project({r.id: r for r in records}).values() if f.status == "active"]
            self._own[type] = forms[0] if len(forms) == 1 else None
        return self._own[type]

    def _ours(self, record: FormRecord) -> bool:
        """Not another speaker's, as far as it is known who speaks."""
        said = self.turn.message
        speaker = self.request.speaker or (said.speaker if said else None)
        declared = self.catalog.types.get(record.type)
        if speaker is None or declared is None or "$speaker" not in declared.identity.context:
            return True
        whose = state_of(record).get("k", {}).get("$speaker")
        return whose is None or whose == normal(speaker)

    # -- loading ---------------------------------------------------------------------------------------------
    def _fire(self, trigger: Trigger, event: Event, out: dict[str, Loaded]) -> None:
        brought: list[str] = []
        for load in trigger.loads:
            records = self._reached(load, event, brought) if load.relation else self._of_type(load, event)
            chosen = self._chosen(load, event, records)
            if not chosen:
                self.log.note("trigger", trigger.name, f"found no {load.told}")
            for record, form in chosen:
                brought.append(record.id)
                before = out.get(record.id)
                slots = load.slots
                if before is None:
                    self.log.note("trigger", record.id, f"{trigger.name} loads {load.told}")
                elif slots:  # of what two loads tell of a Form, all
                    slots = tuple(dict.fromkeys((*before.slots, *slots))) if before.slots else ()
                out[record.id] = Loaded(record, form, slots, trigger.name)

    def _chosen(
        self, load: Load, event: Event, records: Sequence[FormRecord]
    ) -> list[tuple[FormRecord, Form]]:
        """Those that stand and meet the condition, the newest first, as many as are wanted."""
        standing: dict[str, FormRecord] = {}
        for record in records:
            fault = self.standing.fault(record)
            if not self._ours(record):
                fault = "another speaker's"
            if fault is None:
                standing[record.id] = record
            elif load.where is None:
                self.log.add("prune", record.id, fault)
        here = self._here()
        forms = self._project(standing)
        fitting = [
            (standing[id], form)
            for id, form in forms.items()
            if (not self.standing.past or (form.status == "active" and not form.expired))
            and (
                load.where is None
                or load.where.holds(lambda name, form=form: self._value(event, name, form), here)  # type: ignore[misc]
            )
        ]
        fitting.sort(key=lambda pair: (-pair[0].updated, pair[0].id))
        for record, _ in fitting[load.limit :]:
            self.log.add("near_miss", record.id, f"beyond the limit {load.limit} of the trigger")
        return fitting[: load.limit]

    def _of_type(self, load: Load, event: Event) -> Sequence[FormRecord]:
        declared = self.catalog.types.get(load.form_type or "")
        if declared is None:
            return ()
        named = self._by_name(declared, load, event)
        if named is not None:
            return named
        found = self._newest(declared.name, _NEWEST)
        if len(found) == _NEWEST and load.where is not None:
            self.log.note("near_miss", declared.name, f"only the newest {_NEWEST} were looked at")
        return found

    def _by_name(self, declared: FormType, load: Load, event: Event) -> list[FormRecord] | None:
        """The Forms behind a value that the condition asks of an indexed slot; None where it asks none."""
        for comparison in _needed(load.where.test) if load.where else ():
            for slot, other in ((comparison.left, comparison.right), (comparison.right, comparison.left)):
                if not isinstance(slot, Name) or slot.name not in declared.slots:
                    continue
                single = any(key == (slot.name,) for key in declared.identity.keys)
                if not (single or slot.name in self.catalog.indexed.get(declared.name, ())):
                    continue
                if isinstance(other, Name) and other.name not in declared.slots:
                    raw = self._value(event, other.name)
                elif isinstance(other, Constant):
                    raw = other.value
                else:
                    continue
                if raw is None:
                    return []
                spec = declared.slots[slot.name]
                read = coerce(spec, raw, self._here(), self.settings.date_order, verbatim=True).value
                if read is None or isinstance(read, tuple):
                    continue
                keys = self.store.names(self.scope, [key_text(spec, read)], declared.name, _NEWEST)
                found = self.store.forms(self.scope, list(dict.fromkeys(k.form for k in keys)))
                return [r for r in found.values() if r.type == declared.name]
        return None

    def _reached(self, load: Load, event: Event, brought: Sequence[str]) -> list[FormRecord]:
        """Forms at the other end of the relation's edges, the strongest first."""
        keys = (
            self.store.names(self.scope, [normal(name) for name in event.names], None, _OWN)
            if event.names
            else []
        )
        begins = list(dict.fromkeys((*event.forms, *brought, *(k.form for k in keys))))
        rows = self.store.edges(self.scope, begins, _EDGES, self.standing.past) if begins else []
        at = self.standing.moment
        ends: dict[str, float] = {}
        for edge in rows:
            if edge.relation != load.relation:
                continue
            far = edge.target if edge.source in begins else edge.source
            life = life_of(self.catalog, edge)
            weight = strength(edge, life, at)
            fault = self._fault(edge, at)
            if fault is None and weight < self.settings.walk_cut:
                fault = f"weight below {self.settings.walk_cut:g}"
            if fault is not None:
                self.log.add("prune", edge.id, fault, weight, 1)
            elif far not in begins:
                ends[far] = max(weight, ends.get(far, 0.0))
        order = sorted(ends, key=lambda id: (-ends[id], id))[:_EDGES]
        found = self.store.forms(self.scope, order)
        return [found[id] for id in order if id in found and load.form_type in (None, found[id].type)]

    def _fault(self, edge: EdgeRecord, at: int) -> str | None:
        life = life_of(self.catalog, edge)
        if self.standing.past:
            return None if held(edge, at) else edge.status
        if edge.status != "active":
            return edge.status
        if not begun(edge, at):
            return "not yet valid"
        if expired(edge, life, at) and not self.request.include_expired:
            return "expired"
        return "cold" if cold(edge, life, at) and not self.request.include_cold else None

    def _newest(self, type: str, limit: int) -> list[FormRecord]:
        if self.standing.past:  # what is invalid today may have held then
            return self.store.find(self.scope, type, None, limit, None)
        return self.store.newest(self.scope, type, limit)

    def _project(self, records: Mapping[str, FormRecord]) -> dict[str, Form]:
        request = self.request
        return self.reader.project(
            self.scope, records, list(records), self.now, request.as_of, request.known_at
        )


def _needed(test: Test) -> Iterator[Comparison]:
    """Equalities without which the condition cannot hold."""
    if isinstance(test, Comparison) and test.by == "==":
        yield test
    elif isinstance(test, Both):
        for part in test.parts:
            yield from _needed(part)


def _told(event: Event) -> str:
    values = event.values
    if event.on == INTENT:
        return f"intent {shown(values['intent'])}"
    if event.on == ACTION:
        return f"action {shown(values['action'])}"
    where = f" ({values['entity.form_type']}.{values['entity.slot']})" if values.get("entity.slot") else ""
    return f"entity {values['entity.type']} {shown(values['entity.value'])}{where}"


def _seen(value: Any) -> str:
    return "unknown" if value is None else shown(value)


def _plain(value: Any) -> Any:
    """A value as conditions compare it: lists as they are, what is nested otherwise not at all."""
    if isinstance(value, (list, tuple, set, frozenset)):
        return tuple(v for v in value if not isinstance(v, (Mapping, list)))
    return None if isinstance(value, Mapping) else value


__all__ = ["Loaded", "Triggers"]
