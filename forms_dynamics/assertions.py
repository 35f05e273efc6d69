"""What the assertions of one slot say: which holds when, by whose words and until when.

An assertion is what a payload has of a slot (``forms_dynamics.projection`` has its keys). A slot's *timeline* are its
assertions in the order of their event time; ties by version number. A later assertion displaces an earlier one of the
same rank or below, an explicit correction displaces any; a lower rank never displaces a higher one. Times are
microseconds since 1970 UTC.
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

from forms_dynamics.language.wording import folded
from forms_dynamics.model.record import MessageRecord
from forms_dynamics.schema.spec import SlotSpec

Assertion = dict[str, Any]

CERTAIN = 1.0  # the confidence of what a person decides
USUAL = 0  # the span of a value that holds for as long as its type says
_RANKS = {"user": 2, "tool": 1, "import": 1, "inferred": 0}


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


def rests_on(assertion: Assertion) -> tuple[str, tuple[int, int] | None]:
    """The message whose words say the value, and which: those that were agreed to, where somebody only agreed."""
    if "ag" in assertion:
        id, start, end = assertion["ag"]
        return id, (start, end)
    return assertion["m"], (assertion["e"][0], assertion["e"][1]) if "e" in assertion else None


def texts_of(assertion: Assertion) -> list[str]:
    """The assertion's values that are text."""
    values = assertion["v"] if isinstance(assertion["v"], list) else [assertion["v"]]
    return [value for value in values if isinstance(value, str)]


def sayings(assertion: Assertion, messages: Mapping[str, MessageRecord]) -> list[str]:
    """The words by which its value is said: the values that stand in what it rests on ("I'm allergic to peanuts"),
    else all of that; without words the values."""
    id, span = rests_on(assertion)
    values = texts_of(assertion)
    if span is None or id not in messages:
        return values
    words = messages[id].text[span[0] : span[1]]
    return [value for value in values if value and folded(value) in folded(words)] or [words]


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


def dump(data: Mapping[str, Any]) -> str:
    """The one JSON of payloads and heads: keys in the order in which they were put, no spaces, UTF-8 as it is.
    What is hashed are the bytes stored, which are never written anew."""
    from pydantic_core import to_json

    return to_json(data).decode()


__all__ = [
    "CERTAIN", "USUAL", "Assertion", "as_written", "begins", "dump", "from_now_on", "ran_out", "rank", "rests_on",
    "said_again", "said_at", "sayings", "segments", "texts_of", "winner", "with_end",
]  # fmt: skip
