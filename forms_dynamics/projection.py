"""From version payloads to Forms: what a chain says at a moment.

A *payload* is what one version adds, as compact JSON with keys in the order written::

    {"m": message id, "t": event time, "s": {slot: assertion}, "al": [alias], "ext": [external id],
     "st": "invalid" | "active", "why": reason, "k": {"$speaker": key}, "w": [versions withdrawn],
     "y": version of the Form type under which it was written, where that is not 1,
     "ov": 1 where what was dated ahead of the clock counts from its arrival on (``placed``)}

An *assertion* is ``{"v": value, "c": confidence}`` plus, where they differ from the default, ``src`` (source;
user), ``e`` ([start, end] in the message), ``op`` (set | add | remove | clear | retract; set), ``neg`` (1: the
value is avoided), ``f`` and ``u`` (valid from, until; the event time, open), ``x`` (1: an explicit correction),
``m`` (the message that its words are in, if another), ``ag`` ([message, start, end] of the assistant's words that
the user's agree to), ``z`` (minutes east of UTC where it was said), ``p`` (path or row, for tool results and
imports), ``ud`` (1: its type gave the end ``u``), ``sd`` (when it was said, where a version only gives another end to
what an earlier one said), ``us`` (of a list: end and span of each value, where they differ). A slot that one version
changes twice has a list of assertions. A withdrawn version counts for nothing.

A *state* is the fold of payloads: ``{"s": {slot: [assertion, …]}, "av": {slot: [value, …]}, "al": …, "ext": …}``,
each assertion with its ``t`` (time), ``n`` (version) and ``m``. ``FormRecord.head`` is the state compacted at write:
the winner now and what lies in the future; its ``ah`` is the last date ahead of the clock in it. Times are
microseconds since 1970 UTC.

What the assertions of a slot say together is ``forms_dynamics.assertions``.
"""

from __future__ import annotations

import json
from bisect import insort
from collections.abc import Collection, Iterable, Iterator, Sequence
from typing import Any

from forms_dynamics.assertions import Assertion, begins, dump, winner
from forms_dynamics.migration import defaults, migrate, migrate_avoided, name_today, written_under
from forms_dynamics.model.record import FormRecord, VersionRecord
from forms_dynamics.model.value import DAY
from forms_dynamics.schema.spec import FormType, Life

State = dict[str, Any]

_MOVES = frozenset(("op", "neg", "u", "us"))  # what takes away, adds or ends something


def empty_state() -> State:
    """The state of a Form of which nothing is known."""
    return {"s": {}, "av": {}, "al": [], "ext": []}


def parse_payload(payload: str, n: int) -> tuple[dict[str, Any], list[tuple[str, Assertion]]]:
    """The payload and its assertions by slot, each completed with ``t``, ``n`` and ``m``."""
    data = json.loads(payload)
    return data, _completed(data, n)


def _completed(
    data: dict[str, Any], n: int, slots: Collection[str] | None = None
) -> list[tuple[str, Assertion]]:
    out: list[tuple[str, Assertion]] = []
    time, message = data["t"], data["m"]
    for slot, given in data.get("s", {}).items():
        if slots is not None and slot not in slots:
            continue
        for assertion in given if isinstance(given, list) else (given,):
            assertion["t"] = time
            assertion["n"] = n
            if "m" not in assertion:
                assertion["m"] = message
            out.append((slot, assertion))
    return out


def moving(versions: Iterable[VersionRecord]) -> list[tuple[str, Assertion]]:
    """The assertions, as :func:`parse_payload` gives them, of those slots that said more than one single value for
    good: only these can hold no more. Of few Forms any did."""
    parsed = [(json.loads(v.payload), v.n) for v in versions if v.payload is not None]
    values: dict[str, Any] = {}  # slot → the only value that it said
    slots: set[str] = set()
    for data, _ in parsed:
        for slot, given in data.get("s", {}).items():
            for assertion in given if isinstance(given, list) else (given,):
                value = assertion["v"]
                # a list may hold a value in two spellings
                plain = value is not None and type(value) is not list and _MOVES.isdisjoint(assertion)
                if not plain or values.setdefault(slot, value) != value:
                    slots.add(slot)
    return [each for data, n in parsed for each in _completed(data, n, slots)] if slots else []


def state_of(record: FormRecord, form_type: FormType | None = None) -> State:
    """The state that a FormRecord (head filled in) carries, in the terms of today's ``form_type``."""
    if record.head is None:
        return empty_state()
    data: dict[str, Any] = json.loads(record.head)
    if "m" not in data:
        if form_type is not None and record.type_version < form_type.version:
            migrate(data["s"], record.type_version, form_type)
            migrate_avoided(data["av"], record.type_version, form_type)
            _with_defaults(data, record.type_version, form_type)
        return data
    state = empty_state()
    _absorb(state, data, 1, form_type)
    if form_type is not None and written_under(data) < form_type.version:
        _with_defaults(state, written_under(data), form_type)
    return state


def confirmations(record: FormRecord, form_type: FormType | None) -> dict[str, int]:
    """Slot → when it was last confirmed, under the slots' names of today."""
    if not record.confirmed:
        return {}
    told: dict[str, int] = json.loads(record.confirmed)
    if form_type is None or record.type_version >= form_type.version:
        return told
    named = {name_today(form_type, slot, record.type_version): at for slot, at in told.items()}
    return {slot: at for slot, at in named.items() if slot is not None}


def _absorb(state: State, data: dict[str, Any], n: int, form_type: FormType | None) -> None:
    """Adds a version's payload to the state, in place."""
    assertions = _completed(data, n)
    if form_type is not None and written_under(data) < form_type.version:
        migrate(data.get("s", {}), written_under(data), form_type)
        assertions = _completed(data, n)
    for slot, assertion in assertions:
        add_assertion(state, slot, assertion)
    if "k" in data:
        state["k"] = data["k"]
    for alias in data.get("al", ()):
        if alias not in state["al"]:
            state["al"].append(alias)
    for external in data.get("ext", ()):
        if external not in state["ext"]:
            state["ext"].append(external)


def add_assertion(state: State, slot: str, assertion: Assertion) -> None:
    """Puts one assertion in its place by (time, version); a retraction withdraws what stands before it."""
    if assertion.get("op") == "retract":
        state["s"].pop(slot, None)
        state["av"].pop(slot, None)
        return
    if assertion.get("neg"):
        avoided = state["av"].setdefault(slot, [])
        if assertion["v"] not in avoided:
            avoided.append(assertion["v"])
    timeline = state["s"].setdefault(slot, [])
    if timeline and _order(assertion) < _order(timeline[-1]):
        insort(timeline, assertion, key=_order)
    else:
        timeline.append(assertion)


def _order(assertion: Assertion) -> tuple[int, int]:
    return begins(assertion), assertion["n"]


def fold(
    versions: Iterable[VersionRecord], form_type: FormType | None = None, known_at: int | None = None
) -> State:
    """The state after ``versions`` (by n), those that had arrived by ``known_at``, in the terms of today's
    ``form_type`` (None: as they were written).

    Erased versions (no payload) count for nothing.
    """
    counted = [v for v in versions if v.payload is not None and (known_at is None or v.arrived <= known_at)]
    gone = withdrawn(counted)
    state = empty_state()
    ahead = max((v.time for v in counted if v.time > v.arrived and v.n not in gone), default=None)
    if ahead is not None:
        state["ah"] = ahead
        counted = list(placed(counted))
    first: int | None = None
    for version in counted:
        if version.n not in gone and version.payload is not None:
            data: dict[str, Any] = json.loads(version.payload)
            first = written_under(data) if first is None else min(first, written_under(data))
            _absorb(state, data, version.n, form_type)
    if form_type is not None and first is not None and first < form_type.version:
        _with_defaults(state, first, form_type)
    return state


def folds(
    versions: Sequence[VersionRecord], form_type: FormType | None = None
) -> Iterator[tuple[VersionRecord, State]]:
    """Each of ``versions`` (by n), in event order, with the fold of itself and those before it in that order. A state
    is good until the next is asked for: one grows out of the other wherever it can."""
    state = empty_state()
    before: list[VersionRecord] = []
    gone: set[int] = set()
    newest = 0
    ordered = (
        False  # whether it tells in which order things were said: a retraction takes back what came before it
    )
    older = False  # written under an older type, whose defaults hold from the first statement on
    for version in sorted(placed(versions), key=lambda v: (v.time, v.n)):
        before.append(version)
        payload = version.payload or ""
        ordered = ordered or '"retract"' in payload
        anew = '"w":' in payload or (ordered and version.n < newest)
        newest = max(newest, version.n)
        data = json.loads(payload) if payload else None
        if data is not None and form_type is not None and written_under(data) < form_type.version:
            anew = older = True
        if anew or (older and '"f":' in payload):
            before.sort(key=lambda v: v.n)
            state, gone = fold(before, form_type), withdrawn(before)
        elif data is not None and version.n not in gone:
            _absorb(state, data, version.n, form_type)
        yield version, state


def _with_defaults(state: State, written: int, form_type: FormType) -> None:
    """Fills what a Form first written under ``written`` says nothing of, from its first statement on."""
    firsts = [a for timeline in state["s"].values() for a in timeline]
    if not firsts:
        return
    first = min(firsts, key=lambda a: (begins(a), a["n"]))
    for slot, value in defaults(form_type, written):
        timeline = state["s"].setdefault(slot, [])
        if not timeline or begins(timeline[0]) > begins(first):
            made = {key: first[key] for key in ("t", "n", "m")}
            timeline.insert(0, {"v": value, "c": 1.0, "src": "import", **made})


def placed(versions: Sequence[VersionRecord], by: tuple[int, int] | None = None) -> Sequence[VersionRecord]:
    """The versions, each at the time at which it counts as said.

    One that was dated ahead of the clock counts at its date, as the logs want that are replayed under a clock that
    stands behind them, until something comes that was said between its arrival and that date by a clock that was
    right (``"ov"`` in the payload, or ``by``: number and time of one that is about to be written). From then on it
    counts as said when it arrived; those that are placed so keep their order."""
    if all(v.time <= v.arrived for v in versions):
        return versions
    gone = withdrawn(versions)
    right = [(v.n, v.time) for v in versions if v.n not in gone and _overtakes(v)]
    if by is not None:
        right.append(by)
    moved: dict[int, int] = {}
    after: tuple[int, int] | None = None
    for v in sorted(versions, key=lambda v: (v.time, v.n), reverse=True):
        if any(v.n < n and v.arrived <= time < v.time for n, time in right):
            at = v.arrived if after is None else min(v.arrived, after[1] - (v.n > after[0]))
            moved[v.n], after = at, (v.n, at)
    return [_at(v, moved[v.n]) if v.n in moved else v for v in versions] if moved else versions


def _overtakes(version: VersionRecord) -> bool:
    payload = version.payload
    return payload is not None and '"ov":' in payload and "ov" in json.loads(payload)


def _at(version: VersionRecord, time: int) -> VersionRecord:
    if version.payload is None:
        return version._replace(time=time)
    return version._replace(time=time, payload=dump({**json.loads(version.payload), "t": time}))


def withdrawn(versions: Iterable[VersionRecord]) -> set[int]:
    """Numbers of versions that a later version takes back."""
    return {
        n
        for v in versions
        if v.payload is not None and '"w":' in v.payload
        for n in json.loads(v.payload).get("w", ())
    }


def compact(state: State, form_type: FormType | None, now: int) -> State:
    """The state with only what can still matter from ``now`` on: each slot's winner and its future."""
    slots: dict[str, list[Assertion]] = {}
    for name, timeline in state["s"].items():
        spec = form_type.slots.get(name) if form_type else None
        future = [a for a in timeline if begins(a) > now]
        # by itself: what comes later ends it when the whole is read, and is no end of its own
        held = winner(spec, [a for a in timeline if begins(a) <= now], now)
        kept = (
            [held]
            if held is not None
            else [a for a in timeline if a.get("op") == "clear" and a not in future][-1:]
        )
        if kept or future:
            slots[name] = [*kept, *future]
    out: State = {
        "s": slots,
        "av": {k: v for k, v in state["av"].items() if v},
        "al": state["al"],
        "ext": state["ext"],
    }
    if "ah" in state:
        out["ah"] = state["ah"]
    return out


def is_cold(life: Life, record: FormRecord, now: int) -> bool:
    """90 days (per type) without access, update or confirmation."""
    if life.cold_after_days is None:
        return False
    return now - max(record.accessed, record.updated) > life.cold_after_days * DAY


def current_version(chain: Sequence[VersionRecord]) -> int:
    """The number of the version that is the head in event time (0 for an empty chain)."""
    live = [v for v in placed(chain) if v.payload is not None]
    return max(live, key=lambda v: (v.time, v.n)).n if live else 0


def status_at(
    chain: Sequence[VersionRecord],
    at: int | None = None,
    known_at: int | None = None,
    without: Collection[int] = (),
) -> str:
    """The status that a chain gives: up to event time ``at``, of what had arrived by ``known_at``, not
    counting the versions ``without``.

    An undo says nothing of its own: what is left without the versions that it takes back holds, whatever else is
    undone before or after it. A Form that an act made, and of which nothing else was said, goes with it: invalid."""
    known = [v for v in chain if known_at is None or v.arrived <= known_at]
    gone = {*withdrawn(known), *without}
    said = [v for v in known if v.payload is not None and v.cause != "undo"]
    status = "invalid" if said and all(v.n in gone for v in said) else "active"
    for version in sorted(placed(said), key=lambda v: (v.time, v.n)):
        if version.n in gone:
            continue
        # that two Forms are one has been so all along
        if at is not None and version.time > at and version.cause != "merge":
            continue
        if version.payload is not None and '"st":' in version.payload:
            status = json.loads(version.payload).get("st", status)
    return status


def record_then(
    record: FormRecord, chain: Sequence[VersionRecord], at: int | None, known_at: int | None, now: int
) -> FormRecord | None:
    """A Form's record as of event time ``at`` (None: now, or what was said ahead of it), of what had arrived by
    ``known_at``: status, highest version, last statement, confirmations. None where nothing was told of it then: by
    words that had been said, or said later of that time."""
    known = placed([v for v in chain if known_at is None or v.arrived <= known_at])
    gone = withdrawn(known)
    told = [v for v in known if v.payload is not None and v.n not in gone]
    if at is None:
        at = max([now, *(v.time for v in told)])
    if not any(_from(v) <= at for v in told):
        return None
    limit = at if known_at is None else min(at, known_at)
    confirmed = json.loads(record.confirmed) if record.confirmed else {}
    confirmed = {slot: when for slot, when in confirmed.items() if when <= limit}
    return record._replace(
        n=max(v.n for v in known),
        status=status_at(known, at),
        updated=max((v.time for v in told if v.time <= at), default=at),
        confirmed=dump(confirmed) if confirmed else None,
    )


def _from(version: VersionRecord) -> int:
    """From when on a version says anything."""
    if version.payload is None or '"f":' not in version.payload:
        return version.time
    _, assertions = parse_payload(version.payload, version.n)
    return min([version.time, *(begins(a) for _, a in assertions)])


__all__ = [
    "State", "add_assertion", "compact", "confirmations", "current_version", "empty_state", "fold", "folds",
    "is_cold", "moving", "parse_payload", "placed", "record_then", "state_of", "status_at", "withdrawn",
]  # fmt: skip
