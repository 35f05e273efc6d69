"""From version payloads to Forms: what a chain says at a moment.

A *payload* is what one version adds, as compact JSON with keys in the order written::

    {"m": message id, "t": event time, "s": {slot: assertion}, "al": [alias], "ext": [external id],
     "st": "invalid" | "active", "why": reason, "k": {"$speaker": key}, "w": [versions withdrawn]}

An *assertion* is ``{"v": value, "c": confidence}`` plus, where they differ from the default, ``src`` (source;
user), ``e`` ([start, end] in the message), ``op`` (set | add | remove | clear | retract; set), ``neg`` (1: the
value is avoided), ``f`` and ``u`` (valid from, until; the event time, open), ``x`` (1: an explicit correction),
``m`` (the message that its words are in, if another), ``z`` (minutes east of UTC where it was said), ``p``
(path or row, for tool results and imports). A
slot that one version changes twice has a list of assertions. A withdrawn version counts for nothing.

A *state* is the fold of payloads: ``{"s": {slot: [assertion, …]}, "av": {slot: [value, …]}, "al": …,
"ext": …}``, each assertion with its ``t`` (time), ``n`` (version) and ``m``. ``FormRecord.head`` is the state
compacted at write: the winner now and what lies in the future. Times are microseconds since 1970 UTC.

Order is by event time; ties by version number. A later assertion displaces an earlier one of the same rank or
below, an explicit correction displaces any; a lower rank never displaces a higher one.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from typing import TYPE_CHECKING, Any

from forms_dynamics.model.record import FormRecord, VersionRecord
from forms_dynamics.model.value import DAY, encode
from forms_dynamics.schema.spec import FormType, Life, SlotSpec

if TYPE_CHECKING:
    pass

Assertion = dict[str, Any]
State = dict[str, Any]

_RANKS = {"user": 2, "tool": 1, "import": 1, "inferred": 0}


def empty_state() -> State:
    """The state of a Form of which nothing is known."""
    return {"s": {}, "av": {}, "al": [], "ext": []}


def rank(spec: SlotSpec | None, source: str) -> int:
    """Whose words win: user over tool and import over inferred, unless the slot declares ``authority``."""
    if spec is not None and spec.authority is not None:
        if spec.authority == "newest":
            return 0
        order = list(spec.authority)
        return len(order) - order.index(source) if source in order else 0
    return _RANKS.get(source, 0)


def begins(assertion: Assertion) -> int:
    """From when the assertion holds."""
    start: int = assertion["f"] if "f" in assertion else assertion["t"]
    return start


def parse_payload(payload: str, n: int) -> tuple[dict[str, Any], list[tuple[str, Assertion]]]:
    """The payload and its assertions by slot, each completed with ``t``, ``n`` and ``m``."""
    data = json.loads(payload)
    return data, _completed(data, n)


def _completed(data: dict[str, Any], n: int) -> list[tuple[str, Assertion]]:
    out: list[tuple[str, Assertion]] = []
    time, message = data["t"], data["m"]
    for slot, given in data.get("s", {}).items():
        for assertion in given if isinstance(given, list) else (given,):
            assertion["t"] = time
            assertion["n"] = n
            if "m" not in assertion:
                assertion["m"] = message
            out.append((slot, assertion))
    return out


def state_of(record: FormRecord, form_type: FormType | None = None) -> State:
    """The state that a FormRecord (head filled in) carries, in the slots of today's ``form_type``."""
    if record.head is None:
        return empty_state()
    data: dict[str, Any] = json.loads(record.head)
    if "m" not in data:
        return migrated(data, form_type)
    state = empty_state()
    _absorb(state, data, 1)
    return migrated(state, form_type)


def absorb(state: State, payload: str, n: int) -> dict[str, Any]:
    """Adds a version's payload to the state, in place; gives back the parsed payload."""
    data: dict[str, Any] = json.loads(payload)
    _absorb(state, data, n)
    return data


def _absorb(state: State, data: dict[str, Any], n: int) -> None:
    for slot, assertion in _completed(data, n):
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
    timeline.append(assertion)
    if len(timeline) > 1:
        timeline.sort(key=lambda a: (begins(a), a["n"]))


def fold(
    versions: Iterable[VersionRecord], form_type: FormType | None = None, known_at: int | None = None
) -> State:
    """The state after ``versions`` (by n), those that had arrived by ``known_at``, in the slots of today's
    ``form_type``.

    Erased versions (no payload) count for nothing.
    """
    counted = [v for v in versions if v.payload is not None and (known_at is None or v.arrived <= known_at)]
    gone = withdrawn(counted)
    state = empty_state()
    for version in counted:
        if version.n not in gone and version.payload is not None:
            absorb(state, version.payload, version.n)
    return migrated(state, form_type)


def migrated(state: State, form_type: FormType | None) -> State:
    """A state written under older versions of its type, read through the type's migrations; what is stored
    stays as it is. Slots that today's type still declares are left alone, so reading twice changes nothing."""
    if form_type is None or not form_type.migrations:
        return state
    for version in sorted(form_type.migrations):
        for step in form_type.migrations[version]:
            for kind, what in step.items():
                _MIGRATE[kind](state, what, form_type)
    return state


def _rename(state: State, names: Mapping[str, str], form_type: FormType) -> None:
    for part in (state["s"], state["av"]):
        for old, new in names.items():
            if old in part and old not in form_type.slots:
                part.setdefault(new, []).extend(part.pop(old))
                if part is state["s"]:
                    part[new].sort(key=lambda a: (begins(a), a["n"]))


def _map_values(state: State, slots: Mapping[str, Mapping[Any, Any]], form_type: FormType) -> None:
    for slot, values in slots.items():
        for assertion in state["s"].get(slot, ()):
            given = assertion["v"]
            if isinstance(given, list):
                assertion["v"] = [values.get(v, v) if isinstance(v, str) else v for v in given]
            elif isinstance(given, str):
                assertion["v"] = values.get(given, given)


def _drop(state: State, slots: Sequence[str], form_type: FormType) -> None:
    for slot in slots:
        if slot not in form_type.slots:
            state["s"].pop(slot, None)
            state["av"].pop(slot, None)


def _default(state: State, slots: Mapping[str, Any], form_type: FormType) -> None:
    firsts = [a for timeline in state["s"].values() for a in timeline]
    for slot, value in slots.items():
        if value is None or slot in state["s"] or not firsts:
            continue
        first = min(firsts, key=lambda a: (begins(a), a["n"]))
        made = {key: first[key] for key in ("t", "n", "m")}
        filled = {"v": encode(value), "c": 1.0, "src": "import", **made}
        state["s"][slot] = [filled]


_MIGRATE: Mapping[str, Callable[[State, Any, FormType], None]] = {
    "rename": _rename,
    "map": _map_values,
    "drop": _drop,
    "default": _default,
}


def withdrawn(versions: Iterable[VersionRecord]) -> set[int]:
    """Numbers of versions that a later version takes back."""
    return {
        n
        for v in versions
        if v.payload is not None and '"w":' in v.payload
        for n in json.loads(v.payload).get("w", ())
    }


def _displaces(spec: SlotSpec | None, new: Assertion, old: Assertion) -> bool:
    if new.get("x") or (old.get("u") is not None and old["u"] <= begins(new)):
        return True
    return rank(spec, new.get("src", "user")) >= rank(spec, old.get("src", "user"))


def segments(spec: SlotSpec | None, timeline: Sequence[Assertion]) -> list[tuple[Assertion, int, int | None]]:
    """What held when: (assertion, from, until) in order. Many-valued slots give their folded value at each
    change; a cleared slot gives a segment whose ``v`` is None."""
    if spec is not None and spec.many:
        return _many_segments(spec, timeline)
    out: list[tuple[Assertion, int, int | None]] = []
    for assertion in timeline:
        if assertion.get("neg"):
            # an avoided value ends the same value, and says nothing about others
            if out and out[-1][0]["v"] == assertion["v"]:
                assertion = {**assertion, "v": None, "op": "clear"}
            else:
                continue
        if out:
            last, start, end = out[-1]
            if not _displaces(spec, assertion, last):
                continue
            began = begins(assertion)
            out[-1] = (last, start, began if end is None or end > began else end)
        value = {**assertion, "v": None} if assertion.get("op") == "clear" else assertion
        out.append((value, begins(assertion), assertion.get("u")))
    return out


def _many_segments(
    spec: SlotSpec | None, timeline: Sequence[Assertion]
) -> list[tuple[Assertion, int, int | None]]:
    """A set, addition, removal or clearing by lower-ranked words leaves what higher-ranked words put there.
    ``r`` keeps the ranks of a folded value where they differ."""
    out: list[tuple[Assertion, int, int | None]] = []
    held: dict[Any, tuple[Any, int]] = {}  # folded value → (value, rank)
    for assertion in timeline:
        mine = rank(spec, assertion.get("src", "user"))
        given = assertion["v"] if isinstance(assertion["v"], list) else [assertion["v"]]
        given = [v for v in given if v is not None]
        ranks = assertion.get("r", [mine] * len(given))
        op = "remove" if assertion.get("neg") else assertion.get("op", "set")
        if op in ("set", "clear"):
            held = {k: kept for k, kept in held.items() if kept[1] > mine and not assertion.get("x")}
        if op == "remove":
            for value in given:
                if held.get(_folded(value), (None, mine))[1] <= mine:
                    held.pop(_folded(value), None)
        elif op != "clear":
            for value, its in zip(given, ranks, strict=True):
                held[_folded(value)] = (held.get(_folded(value), (value, 0))[0], its)
        began = begins(assertion)
        if out:
            last, start, _ = out[-1]
            out[-1] = (last, start, began)
        folded = {**assertion, "v": [value for value, _ in held.values()] or None, "op": "set"}
        folded.pop("neg", None)  # what is left is held, whatever was taken from it
        if len({its for _, its in held.values()}) > 1:
            folded["r"] = [its for _, its in held.values()]
        else:
            folded.pop("r", None)
        out.append((folded, began, assertion.get("u")))
    return out


def _folded(value: Any) -> Any:
    return value.casefold() if isinstance(value, str) else dump(value) if isinstance(value, dict) else value


def winner(spec: SlotSpec | None, timeline: Sequence[Assertion], at: int) -> Assertion | None:
    """The assertion that holds at the moment, or None. Its ``f`` and ``u`` are its interval."""
    if len(timeline) == 1 and not (spec is not None and spec.many):
        only = timeline[0]
        if only.get("op") == "clear" or only.get("neg") or only["v"] is None or begins(only) > at:
            return None
        return None if only.get("u") is not None and only["u"] <= at else only
    for assertion, start, end in reversed(segments(spec, timeline)):
        if start <= at:
            if assertion["v"] is None or (end is not None and end <= at):
                return None
            return {**assertion, "f": start, "u": end} if end is not None else assertion
    return None


def compact(state: State, form_type: FormType | None, now: int) -> State:
    """The state with only what can still matter from ``now`` on: each slot's winner and its future."""
    slots: dict[str, list[Assertion]] = {}
    for name, timeline in state["s"].items():
        spec = form_type.slots.get(name) if form_type else None
        future = [a for a in timeline if begins(a) > now]
        held = winner(spec, timeline, now)
        kept = (
            [held]
            if held is not None
            else [a for a in timeline if a.get("op") == "clear" and a not in future][-1:]
        )
        if kept or future:
            slots[name] = [*kept, *future]
    return {
        "s": slots,
        "av": {k: v for k, v in state["av"].items() if v},
        "al": state["al"],
        "ext": state["ext"],
    }


def dump(data: Mapping[str, Any]) -> str:
    """The one JSON of payloads and heads: keys in the order in which they were put, no spaces, UTF-8 as it is.
    What is hashed are the bytes stored, which are never written anew."""
    from pydantic_core import to_json

    return to_json(data).decode()


def is_cold(life: Life, record: FormRecord, now: int) -> bool:
    """90 days (per type) without access, update or confirmation."""
    if life.cold_after_days is None:
        return False
    return now - max(record.accessed, record.updated) > life.cold_after_days * DAY


def current_version(chain: Sequence[VersionRecord]) -> int:
    """The number of the version that is the head in event time (0 for an empty chain)."""
    live = [v for v in chain if v.payload is not None]
    return max(live, key=lambda v: (v.time, v.n)).n if live else 0


def status_at(
    chain: Sequence[VersionRecord],
    at: int | None = None,
    known_at: int | None = None,
    without: Collection[int] = (),
) -> str:
    """The status that a chain gives: up to event time ``at``, of what had arrived by ``known_at``, not
    counting the versions ``without``."""
    known = [v for v in chain if known_at is None or v.arrived <= known_at]
    gone = {*withdrawn(known), *without}
    status = "active"
    for version in sorted(known, key=lambda v: (v.time, v.n)):
        if version.n in gone or version.payload is None or (at is not None and version.time > at):
            continue
        if '"st":' in version.payload:
            status = json.loads(version.payload).get("st", status)
    return status


__all__ = [
    "Assertion", "State", "absorb", "add_assertion", "begins", "compact", "current_version", "dump",
    "empty_state", "fold", "is_cold", "parse_payload", "rank", "segments", "state_of", "status_at",
    "winner", "withdrawn",
]  # fmt: skip
