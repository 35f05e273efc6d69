"""What happened, as triggers see it: told by the agent, or read off what a conversation has stored.

Nothing is kept between two reads: the last message of the user and the last call of a tool are in the store, so every
process sees the same, and a read as of a moment sees what had happened by then.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta, timezone
from typing import Any, Literal

from forms_dynamics.errors import InvalidInput
from forms_dynamics.inputs import parse_time
from forms_dynamics.language.dates import find_dates
from forms_dynamics.language.times import find_datetimes
from forms_dynamics.model.form import Form
from forms_dynamics.model.record import FormRecord, MessageRecord, Scope
from forms_dynamics.model.value import Range, decode, from_micros, to_micros
from forms_dynamics.ports import Store
from forms_dynamics.projection import parse_payload
from forms_dynamics.retrieval.request import Event, Request
from forms_dynamics.retrieval.standing import Standing
from forms_dynamics.schema.coerce import coerce
from forms_dynamics.schema.findings import nearest
from forms_dynamics.schema.spec import EVENTS, Catalog, SlotSpec
from forms_dynamics.settings import Settings

INTENT, ENTITY, ACTION = EVENTS
TIME = "time"  # the type of an entity that is a day, a moment or a span of days

_OPTIONS = (
    "conversation", "speaker", "lang", "max_tokens", "as_of", "known_at", "include_cold", "include_expired"
)  # fmt: skip
_PAGE = 20  # messages of a conversation read at once
_PAGES = 5
_ABOUT = 16  # edges of a call that are looked at
_NAMES = 20  # arguments of a call that may be names
_LONGEST = 200  # characters of such a name
_MOMENT = SlotSpec("value", "datetime")
_TIMES = frozenset({"date", "datetime", "date_range"})


# -- told by the agent -----------------------------------------------------------------------------------------
def event_request(
    kind: Literal["intent", "entity", "action"],
    told: Sequence[Any],
    options: Mapping[str, Any],
    catalog: Catalog,
    settings: Settings,
    now: int,
) -> Request:
    """The request of a hook. InvalidInput for an option that there is not, and for what cannot be an event."""
    for name in options:
        if name not in _OPTIONS:
            raise InvalidInput(f"a hook has no option {name!r}; it takes {', '.join(_OPTIONS)}")
    given = {name: value for name, value in options.items() if value is not None}
    for name in ("conversation", "speaker"):
        if not isinstance(given.get(name, ""), str):
            raise InvalidInput(f"{name} is a text, not {type(given[name]).__name__}")
    if given.get("lang", "zh") not in ("zh", "en"):
        raise InvalidInput(f"lang is zh or en, not {given['lang']!r}")
    for name in ("as_of", "known_at"):
        if name in given:
            given[name] = to_micros(parse_time(given[name], settings.zone))
    if kind == "intent":
        event = intent_event(*told)
    elif kind == "entity":
        kind_of, value, form_type, slot = told
        event = entity_event(kind_of, value, form_type, slot, catalog, settings, given.get("as_of", now))
    else:
        event = action_event(*told)
    return Request(event=event, **{"max_tokens": settings.max_tokens, **given})


def intent_event(intent: str) -> Event:
    """An intent that the agent has recognised."""
    return Event(INTENT, {"intent": _name("intent", intent)})


def entity_event(
    type: str,
    value: Any,
    form_type: str | None,
    slot: str | None,
    catalog: Catalog,
    settings: Settings,
    now: int,
) -> Event:
    """An entity that the agent has extracted. A value in words is read by the slot's type, or, of an entity of type
    time, as a moment ("tomorrow 8:00", 明早8点). InvalidInput where type or slot are unknown."""
    _name("type", type)
    if value is None or (isinstance(value, str) and not value.strip()):
        raise InvalidInput("an entity needs a value: what was extracted")
    spec: SlotSpec | None = None
    if form_type is not None:
        declared = catalog.types.get(form_type)
        if declared is None:
            raise InvalidInput(_unknown("Form type", form_type, catalog.types))
        if slot is not None and slot not in declared.slots:
            raise InvalidInput(_unknown(f"slot of {form_type}", slot, declared.slots))
        spec = declared.slots[slot] if slot is not None else None
    elif slot is not None:
        raise InvalidInput("a slot needs the form_type that it is of")
    if spec is None and type.casefold() == TIME:
        spec = _MOMENT
    here = from_micros(now).astimezone(settings.zone)
    read: Any = value
    if spec is not None and not spec.many and isinstance(value, str):
        found = coerce(spec, value, here, settings.date_order, verbatim=True).value
        read = value if found is None else found
    if isinstance(read, datetime) and read.tzinfo is None:
        read = read.replace(tzinfo=here.tzinfo)
    return Event(ENTITY, _entity(type, read, form_type, slot), names=_names([value]))


def action_event(
    action: str, arguments: Mapping[str, Any] | None, result: Any, about: Sequence[str]
) -> Event:
    """An action that the agent has executed; ``about``: ids of Forms. InvalidInput."""
    if arguments is not None and not isinstance(arguments, Mapping):
        raise InvalidInput(f"arguments is a mapping of name to value, not {type(arguments).__name__}")
    if isinstance(about, str):
        about = [about]
    given = dict(arguments or {})
    values = {"action": _name("action", action), "arguments": given, "result": result}
    return Event(ACTION, values, tuple(about), _names(given.values()))


def _name(what: str, text: Any) -> str:
    if not isinstance(text, str) or not text.strip():
        raise InvalidInput(f"{what} is a name, such as book_ride; got {text!r}")
    return text.strip()


def _unknown(what: str, name: str, options: Mapping[str, Any]) -> str:
    hint = nearest(name, tuple(options))
    return f"there is no {what} {name!r}" + (f" (did you mean {hint!r}?)" if hint else "")


def _entity(type: str, value: Any, form_type: str | None, slot: str | None) -> dict[str, Any]:
    return {
        "entity.type": type, "entity.value": value, "entity.form_type": form_type, "entity.slot": slot,
    }  # fmt: skip


def _names(values: Any) -> tuple[str, ...]:
    texts = [v for v in values if isinstance(v, str) and 0 < len(v) <= _LONGEST]
    return tuple(dict.fromkeys(texts))[:_NAMES]


# -- read off a conversation -----------------------------------------------------------------------------------
@dataclass(frozen=True, slots=True)
class Turn:
    """The last message of the user in a conversation, what it extracted, and the last call of a tool."""

    message: MessageRecord | None
    events: Sequence[Event]


def turn_of(
    request: Request,
    scope: Scope,
    store: Store,
    standing: Standing,
    project: Callable[[Mapping[str, FormRecord]], Mapping[str, Form]],
    catalog: Catalog,
    settings: Settings,
    kinds: frozenset[str],
) -> Turn:
    """What the conversation stands at. ``kinds``: the events that any trigger waits for. ``project``: Forms as the
    request reads them."""
    if request.conversation is None:
        return Turn(None, ())
    said = _last(request, scope, store, standing, "message", lambda m: m.role == "user", 2)
    events: list[Event] = []
    if said and ENTITY in kinds:
        events += _entities(said[0], scope, store, project, catalog, settings)
    if ACTION in kinds:
        # a call that two messages have followed belongs to an earlier turn
        since = said[1].seq if len(said) > 1 else 0
        calls = _last(request, scope, store, standing, "tool", lambda m: m.seq > since, 1)
        events += [event for call in calls if (event := _action(call, scope, store, project)) is not None]
    return Turn(said[0] if said else None, events)


def _last(
    request: Request,
    scope: Scope,
    store: Store,
    standing: Standing,
    kind: str,
    wanted: Callable[[MessageRecord], bool],
    number: int,
) -> list[MessageRecord]:
    """The newest messages that the request may know, newest first."""
    out: list[MessageRecord] = []
    before = None
    for _ in range(_PAGES):
        page = store.recent(scope, request.conversation or "", _PAGE, kind, before)
        for message in reversed(page):
            late = message.time > standing.moment and request.as_of is not None
            unknown = request.known_at is not None and message.arrived > request.known_at
            if (
                not late
                and not unknown
                and message.state not in ("erased", "refused", "withheld")
                and wanted(message)
            ):
                out.append(message)
                if len(out) == number:
                    return out
        if len(page) < _PAGE:
            break
        before = page[0].seq
    return out


def _entities(
    message: MessageRecord,
    scope: Scope,
    store: Store,
    project: Callable[[Mapping[str, FormRecord]], Mapping[str, Form]],
    catalog: Catalog,
    settings: Settings,
) -> list[Event]:
    """Values that the message gave and that still stand, and the times that its words name."""
    out: list[Event] = []
    versions = [v for v in store.versions_of_messages(scope, [message.id]) if v.payload is not None]
    forms = project(store.forms(scope, [v.form for v in versions])) if versions else {}
    spans: list[tuple[int, int]] = []
    for version in versions:
        form = forms.get(version.form)
        if form is None or form.status != "active":
            continue
        declared = catalog.types.get(form.type)
        for name, assertion in parse_payload(version.payload or "", version.n)[1]:
            spec = declared.slots.get(name) if declared else None
            slot = form.slots.get(name)
            if spec is None or slot is None or slot.status != "known" or assertion.get("neg"):
                continue
            if assertion.get("op") in ("clear", "retract", "remove") or assertion.get("m") != message.id:
                continue
            held = slot.value if isinstance(slot.value, tuple) else (slot.value,)
            told = decode(assertion["v"])
            for value in told if isinstance(told, (tuple, list)) else (told,):
                if value in held:
                    spans += [tuple(assertion["e"])] if "e" in assertion else []
                    kind = TIME if spec.type in _TIMES else spec.ref or spec.type
                    out.append(
                        Event(ENTITY, _entity(kind, value, form.type, name), (form.id,), _names([value]))
                    )
    zone = timezone(timedelta(minutes=message.offset))
    base = from_micros(message.time).astimezone(zone)
    moments = find_datetimes(message.text, base, settings.date_order)
    days = [
        day
        for day in find_dates(message.text, base, settings.date_order)
        if not any(day.start < moment.end and moment.start < day.end for moment in moments)
    ]
    for reading in (*moments, *days):
        taken = any(reading.start < end and start < reading.end for start, end in spans)
        if reading.value is not None and not taken:
            out.append(Event(ENTITY, _entity(TIME, reading.value, None, None)))
    return out


def _action(
    call: MessageRecord,
    scope: Scope,
    store: Store,
    project: Callable[[Mapping[str, FormRecord]], Mapping[str, Form]],
) -> Event | None:
    versions = store.versions_of_messages(scope, [call.id])
    forms = project(store.forms(scope, [v.form for v in versions]))
    form = next((f for f in forms.values() if f.type == "tool_call" and f.status == "active"), None)
    if form is None or not isinstance(form["name"], str):
        return None
    given = _json(form["arguments"])
    arguments = given if isinstance(given, dict) else {}
    ties = [
        e.target
        for e in store.edges(scope, [form.id], _ABOUT)
        if e.relation == "about" and e.source == form.id
    ]
    values = {"action": form["name"], "arguments": arguments, "result": _json(form["result"])}
    return Event(ACTION, values, tuple(ties), _names(arguments.values()))


def _json(text: Any) -> Any:
    if not isinstance(text, str):
        return text
    try:
        return json.loads(text)
    except ValueError:
        return text


def shown(value: Any) -> str:
    """A value in a trace: short, on one line."""
    if isinstance(value, datetime):
        text = value.isoformat(timespec="minutes")
    elif isinstance(value, Range):
        text = f"{shown(value.min)} to {shown(value.max)}"
    else:
        text = str(value)
    text = " ".join(text.split())
    return text if len(text) <= 60 else f"{text[:59]}…"


__all__ = [
    "ACTION",
    "ENTITY",
    "INTENT",
    "Turn",
    "action_event",
    "entity_event",
    "event_request",
    "intent_event",
    "shown",
    "turn_of",
]
