"""From version payloads to Forms: what a chain says at a moment.

A *payload* is what one version adds, as compact JSON with keys in the order written::

    {"m": message id, "t": event time, "s": {slot: assertion}, "al": [alias], "ext": [external id],
     "st": "invalid" | "active", "why": reason, "k": {"$speaker": key}, "w": [versions withdrawn],
     "y": version of the Form type under which it was written, where that is not 1}

An *assertion* is ``{"v": value, "c": confidence}`` plus, where they differ from the default, ``src`` (source;
user), ``e`` ([start, end] in the message), ``op`` (set | add | remove | clear | retract; set), ``neg`` (1: the
value is avoided), ``f`` and ``u`` (valid from, until; the event time, open), ``x`` (1: an explicit correction),
``m`` (the message that its words are in, if another), ``ag`` ([message, start, end] of the assistant's words that
the user's agree to), ``z`` (minutes east of UTC where it was said), ``p`` (path or row, for tool results and
imports), ``ud`` (1: its type gave the end ``u``), ``sd`` (when it was said, where a version only gives another end to
what an earlier one said), ``us`` (of a list: end and span of each value, where they differ). A slot that one version
changes twice has a list of assertions. A withdrawn version counts for nothing.

A *state* is the fold of payloads: ``{"s": {slot: [assertion, …]}, "av": {slot: [value, …]}, "al": …,
"ext": …}``, each assertion with its ``t`` (time), ``n`` (version) and ``m``. ``FormRecord.head`` is the state
compacted at write: the winner now and what lies in the future. Times are microseconds since 1970 UTC.

Order is by event time; ties by version number. A later assertion displaces an earlier one of the same rank or
below, an explicit correction displaces any; a lower rank never displaces a higher one.
"""

from __future__ import annotations

import json
from bisect import bisect_right, insort
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from typing import Any, NamedTuple

from forms_dynamics.migration import defaults, migrate, migrate_avoided, name_today, written_under
from forms_dynamics.model.record import FormRecord, VersionRecord
from forms_dynamics.model.value import DAY
from forms_dynamics.schema.spec import FormType, Life, SlotSpec

Assertion = dict[str, Any]
State = dict[str, Any]

CERTAIN = 1.0  # the confidence of what a person decides
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


def said_at(assertion: Assertion) -> int:
    """When the assertion was said, whatever version has given it another end since."""
    at: int = assertion["sd"] if "sd" in assertion else assertion["t"]
    return at


def as_written(assertion: Assertion) -> Assertion:
    """The assertion as a payload has it: its time and its version are the payload's."""
    return {k: v for k, v in assertion.items() if k not in ("t", "n")}


def said_again(held: Assertion, **told: Any) -> Assertion:
    """What an assertion says, to be said anew: its value, source and words, not how, since when or until when."""
    kept = {
        k: v
        for k, v in held.items()
        if k not in ("t", "n", "f", "u", "ud", "us", "left", "sd", "op", "neg", "x")
    }
    return {**kept, **told}


def with_end(held: Assertion, until: int | None) -> Assertion:
    """What is held, said again as it was with another end: nothing about it becomes newer or surer."""
    kept = {k: v for k, v in held.items() if k not in ("t", "n", "u", "ud", "us", "left", "op")}
    again: Assertion = {**kept, "f": begins(held), "sd": said_at(held)}
    if until is not None:
        again["u"] = until
    return again


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
    for version in sorted(versions, key=lambda v: (v.time, v.n)):
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
            if "sd" in assertion and start == began:
                out.pop()  # the same value, with another end
            else:
                out[-1] = (last, start, began if end is None or end > began else end)
        value = {**assertion, "v": None} if assertion.get("op") == "clear" else assertion
        out.append((value, begins(assertion), assertion.get("u")))
    return out


class _Kept(NamedTuple):
    """A value of a list: as it was spelt, whose words rank so, its end, and for how long it was told to hold (USUAL:
    for as long as its type says)."""

    value: Any
    rank: int
    until: int | None
    span: int | None


USUAL = 0


def _many_segments(
    spec: SlotSpec | None, timeline: Sequence[Assertion]
) -> list[tuple[Assertion, int, int | None]]:
    """A set, addition, removal or clearing by lower-ranked words leaves what higher-ranked words put there.
    ``r`` keeps the ranks of a folded value where they differ, ``us`` ends and spans of its values.

    A value that was told with an end of its own goes then, and takes nothing along; those told to hold equally long
    (for as long as their type says, as a rule) are renewed together. What is over does not come back."""
    out: list[tuple[Assertion, int, int | None]] = []
    held: dict[Any, _Kept] = {}
    for assertion in timeline:
        began = begins(assertion)
        _run_out(out, held, began)
        _put(spec, held, assertion)
        if out:
            last, start, end = out[-1]
            if "sd" in assertion and start == began:
                out.pop()
            else:
                out[-1] = (last, start, began if end is None or end > began else end)
        out.append((_listed(held, assertion, began), began, None))
    _run_out(out, held, None)
    return out


def _put(spec: SlotSpec | None, held: dict[Any, _Kept], assertion: Assertion) -> None:
    """Brings the values held by one assertion further."""
    mine = rank(spec, assertion.get("src", "user"))
    given = assertion["v"] if isinstance(assertion["v"], list) else [assertion["v"]]
    given = [v for v in given if v is not None]
    ranks = assertion.get("r", [mine] * len(given))
    op = "remove" if assertion.get("neg") else assertion.get("op", "set")
    if op in ("set", "clear"):
        for key in [k for k, kept in held.items() if kept.rank <= mine or assertion.get("x")]:
            del held[key]
    if op == "remove":
        for value in given:
            if held.get(_folded(value), _Kept(None, mine, None, None)).rank <= mine:
                held.pop(_folded(value), None)
        return
    if op == "clear":
        return
    until = assertion.get("u")
    span = None if until is None else USUAL if assertion.get("ud") else until - begins(assertion)
    if op == "add" and until is not None:
        for key, kept in held.items():
            if kept.span == span and kept.until is not None:
                held[key] = kept._replace(until=max(kept.until, until))
    ends = assertion.get("us", [(until, span)] * len(given))
    for value, its, (end, length) in zip(given, ranks, ends, strict=True):
        key = _folded(value)
        held[key] = _Kept(held[key].value if key in held else value, its, end, length)


def _listed(held: Mapping[Any, _Kept], assertion: Assertion, start: int) -> Assertion:
    """The folded value of a list from ``start`` on; its ``u`` is the first end of a value."""
    # what is left is held, whatever was taken from it
    kept = {k: v for k, v in assertion.items() if k not in ("neg", "r", "u", "ud", "us", "left")}
    folded: Assertion = {**kept, "v": [one.value for one in held.values()] or None, "op": "set"}
    if len({one.rank for one in held.values()}) > 1:
        folded["r"] = [one.rank for one in held.values()]
    until = min((one.until for one in held.values() if one.until is not None), default=None)
    if until is not None:
        folded["u"] = until
        if all(one.span == USUAL for one in held.values()):
            folded["ud"] = 1
        span = USUAL if "ud" in folded else until - start
        if any((one.until, one.span) != (until, span) for one in held.values()):
            folded["us"] = [[one.until, one.span] for one in held.values()]
    return folded


def _run_out(out: list[tuple[Assertion, int, int | None]], held: dict[Any, _Kept], to: int | None) -> None:
    """Takes out of the list what has its end by ``to`` (None: ever); what is left holds on (``left``)."""
    while held:
        until = min((kept.until for kept in held.values() if kept.until is not None), default=None)
        if until is None or (to is not None and until > to):
            return
        for key in [k for k, kept in held.items() if kept.until == until]:
            del held[key]
        last, start, _ = out[-1]
        until = max(until, start)
        out[-1] = (last, start, until)
        if held:
            out.append(({**_listed(held, last, until), "f": until, "left": 1}, until, None))


def _folded(value: Any) -> Any:
    return value.casefold() if isinstance(value, str) else dump(value) if isinstance(value, dict) else value


def winner(spec: SlotSpec | None, timeline: Sequence[Assertion], at: int) -> Assertion | None:
    """The assertion that holds at the moment, or None. Its ``f`` and ``u`` are its interval."""
    if len(timeline) == 1 and not (spec is not None and spec.many):
        only = timeline[0]
        if only.get("op") == "clear" or only.get("neg") or only["v"] is None or begins(only) > at:
            return None
        return None if only.get("u") is not None and only["u"] <= at else only
    # what one of the highest rank says, or a correction, needs nothing that was said before it
    last = bisect_right(timeline, at, key=begins) - 1
    if last >= 0 and not (spec is not None and spec.many) and _decides(spec, timeline[last]):
        timeline = timeline[last:]
    for assertion, start, end in reversed(segments(spec, timeline)):
        if start <= at:
            if assertion["v"] is None or (end is not None and end <= at):
                return None
            return {**assertion, "f": start, "u": end} if end is not None else assertion
    return None


def ran_out(spec: SlotSpec | None, timeline: Sequence[Assertion], at: int) -> tuple[Assertion, int] | None:
    """The last value of a slot and its own end, where that is over and nothing came in its place."""
    told = segments(spec, timeline)
    if not told:
        return None
    held, start, end = told[-1]
    if held["v"] is None or end is None or end != held.get("u") or not start <= at or end > at:
        return None
    return held, end


def _decides(spec: SlotSpec | None, assertion: Assertion) -> bool:
    """Whether an assertion displaces any other, whatever it was."""
    if assertion.get("neg"):
        return False
    highest = rank(spec, "user") if spec is None or spec.authority is None else None
    return bool(assertion.get("x")) or rank(spec, assertion.get("src", "user")) == highest


def from_now_on(spec: SlotSpec | None, timeline: Sequence[Assertion], now: int) -> list[tuple[int, Any]]:
    """What a slot holds at ``now``, and at each later moment at which that may change."""
    moments = {now}
    for assertion in timeline:
        ends = [assertion.get("u"), *(end for end, _ in assertion.get("us", ()))]
        moments.update(t for t in (begins(assertion), *ends) if t is not None and t > now)
    held = [(moment, winner(spec, timeline, moment)) for moment in sorted(moments)]
    return [(moment, None if one is None else one["v"]) for moment, one in held]


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
        if version.n in gone or version.payload is None:
            continue
        # that two Forms are one has been so all along
        if at is not None and version.time > at and version.cause != "merge":
            continue
        if '"st":' in version.payload:
            status = json.loads(version.payload).get("st", status)
    return status


def record_then(
    record: FormRecord, chain: Sequence[VersionRecord], at: int | None, known_at: int | None, now: int
) -> FormRecord | None:
    """A Form's record as of event time ``at`` (None: now, or what was said ahead of it), of what had arrived by
    ``known_at``: status, highest version, last statement, confirmations. None where nothing was told of it then: by
    words that had been said, or said later of that time."""
    known = [v for v in chain if known_at is None or v.arrived <= known_at]
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
    "CERTAIN", "USUAL", "Assertion", "State", "add_assertion", "as_written", "begins", "compact", "confirmations",
    "current_version", "dump", "empty_state", "fold", "folds", "from_now_on", "is_cold", "parse_payload",
    "ran_out", "rank", "record_then", "said_again", "said_at", "segments", "state_of", "status_at", "winner",
    "with_end", "withdrawn",
]  # fmt: skip
