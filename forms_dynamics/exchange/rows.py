"""Records as rows of an export, and back."""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Collection, Mapping
from functools import lru_cache
from typing import Any

from forms_dynamics.assertions import dump
from forms_dynamics.errors import Conflict, InvalidInput
from forms_dynamics.inputs import check_name, check_text, parse_time
from forms_dynamics.model.record import (
    ActRecord,
    EdgeRecord,
    FormRecord,
    MessageRecord,
    PendingRecord,
    VersionRecord,
)
from forms_dynamics.model.value import decode, from_micros, to_micros
from forms_dynamics.strength import attributes_text

FORMAT = 2
MESSAGES = ("message", "record", "tool")
_ROLES = ("user", "assistant", "tool", "system")
_STATES = ("stored", "held", "refused", "queued", "withheld")
_EDGE_STATES = ("active", "superseded", "invalid", "candidate")
_PENDING_STATES = ("open", "confirmed", "refused", "expired")
_DIGITS = re.compile(r"-?\d+(\.\d+)?")
_INTEGERS = ("f", "u", "z")
_NOTHING = "nothing of the file was taken"
_ELSEWHERE = "load it into a new store, or as another tenant"


# -- records to rows -------------------------------------------------------------------------------------------


def _iso(micros: int) -> str:
    return from_micros(micros).isoformat()


def message_row(m: MessageRecord) -> dict[str, Any]:
    out = {
        "kind": m.kind, "id": m.id, "conversation": m.conversation,
        "speaker": m.speaker, "role": m.role, "text": m.text, "time": _iso(m.time), "offset": m.offset,
        "arrived": _iso(m.arrived), "state": m.state,
    }  # fmt: skip
    if m.body is not None:
        out["body"] = json.loads(m.body)
    return out


def form_row(f: FormRecord) -> dict[str, Any]:
    confirmed: dict[str, int] = json.loads(f.confirmed) if f.confirmed else {}
    return {
        "kind": "form", "id": f.id, "form_type": f.type, "type_version": f.type_version, "version": f.n,
        "status": f.status, "created_at": _iso(f.created), "updated_at": _iso(f.updated),
        "last_accessed": _iso(f.accessed), "conversation": f.conversation,
        "confirmed": {slot: _iso(at) for slot, at in confirmed.items()},
    }  # fmt: skip


def erased_form_row(id: str, n: int) -> dict[str, Any]:
    return {"kind": "form", "id": id, "version": n, "status": "erased"}


def version_row(v: VersionRecord) -> dict[str, Any]:
    return {
        "kind": "version", "form_id": v.form, "number": v.n, "message": v.message, "time": _iso(v.time),
        "arrived": _iso(v.arrived), "cause": v.cause,
        "payload": None if v.payload is None else json.loads(v.payload),
    }  # fmt: skip


def edge_row(e: EdgeRecord) -> dict[str, Any]:
    return {
        "kind": "edge", "source": e.source, "relation": e.relation, "target": e.target, "weight": e.weight,
        "hits": e.hits, "last_hit": _iso(e.last_hit), "created_at": _iso(e.created), "status": e.status,
        "made_by": e.made_by, "message": e.message, "span": [e.start, e.end],
        "attributes": json.loads(e.attributes) if e.attributes else {},
        "valid_from": None if e.valid_from is None else _iso(e.valid_from),
        "valid_until": None if e.valid_until is None else _iso(e.valid_until),
    }  # fmt: skip


def pending_row(p: PendingRecord) -> dict[str, Any]:
    return {
        "kind": "pending", "id": p.id, "form_id": p.form, "form_type": p.type, "slot": p.slot,
        "value": json.loads(p.value).get("v"), "confidence": p.confidence, "reason": p.reason,
        "question": p.question, "candidates": json.loads(p.candidates), "asked_at": _iso(p.asked),
        "state": p.state, "message": p.message, "draft": json.loads(p.draft),
    }  # fmt: skip


def act_row(a: ActRecord) -> dict[str, Any]:
    return {
        "kind": "act", "id": a.id, "act": a.kind, "form_id": a.form, "time": _iso(a.time),
        "body": json.loads(a.body),
    }  # fmt: skip


# -- rows to records -------------------------------------------------------------------------------------------


def refused(line: int, problem: str) -> InvalidInput:
    """The error for a line that can't be taken."""
    return InvalidInput(f"line {line}: {problem}; {_NOTHING}")


class Row:
    """One row with its line: each reading names both when it cannot be taken."""

    __slots__ = ("data", "line")

    def __init__(self, line: int, data: Mapping[str, Any]) -> None:
        self.line = line
        self.data = data

    @property
    def kind(self) -> Any:
        return self.data.get("kind")

    def problem(self, text: str) -> str:
        """``text``, told of the row by its kind and id."""
        name = self.data.get("id") or self.data.get("form_id") or self.data.get("source")
        return f"{self.kind} {name}: {text}" if isinstance(name, str) else f"{self.kind}: {text}"

    def wrong(self, text: str) -> InvalidInput:
        """The error for a row that nobody can take."""
        return refused(self.line, self.problem(text))

    def clash(self, text: str) -> Conflict:
        """The error for a row that this store can't take, for what it holds."""
        return Conflict(f"line {self.line}: {self.problem(text)}; {_NOTHING}: {_ELSEWHERE}")

    def _get(self, key: str) -> Any:
        if key not in self.data:
            raise self.wrong(f"has no {key!r}")
        return self.data[key]

    def _try(self, key: str, read: Callable[[], Any]) -> Any:
        try:
            return read()
        except InvalidInput as bad:
            raise self.wrong(f"{key!r}: {bad}") from None

    def text(self, key: str) -> str:
        given = self._get(key)
        return str(self._try(key, lambda: check_text(given, key)))

    def name(self, key: str) -> str:
        given = self._get(key)
        return str(self._try(key, lambda: check_name(key, given)))

    def optional(self, key: str) -> str | None:
        return None if self._get(key) is None else self.text(key)

    def one_of(self, key: str, words: Collection[str]) -> str:
        given = self._get(key)
        if not isinstance(given, str) or given not in words:
            raise self.wrong(f"{key!r} is {given!r}, not one of {', '.join(words)}")
        return given

    def integer(self, key: str, least: int) -> int:
        given = self._get(key)
        if type(given) is not int or not least <= given < 2**63:
            raise self.wrong(f"{key!r} is {given!r}, not an integer from {least}")
        return given

    def number(self, key: str) -> float:
        given = self._get(key)
        if isinstance(given, bool) or not isinstance(given, (int, float)) or not abs(given) < 1e300:
            raise self.wrong(f"{key!r} is {given!r}, not a number")
        return float(given)

    def time(self, key: str) -> int:
        return self._micros(key, self._get(key))

    def optional_time(self, key: str) -> int | None:
        """None where the row says null or nothing, as those of earlier exports do."""
        given = self.data.get(key)
        return None if given is None else self._micros(key, given)

    def _micros(self, key: str, given: Any) -> int:
        if not isinstance(given, str):
            raise self.wrong(f"{key!r} is {given!r}, not an ISO 8601 time with an offset")
        try:
            return _instant(given)
        except InvalidInput as bad:
            raise self.wrong(f"{key!r}: {bad}") from None

    def mapping(self, key: str) -> Mapping[str, Any]:
        given = self._get(key)
        if not isinstance(given, dict):
            raise self.wrong(f"{key!r} is no object")
        return given

    def texts(self, key: str) -> list[str]:
        given = self._get(key)
        if not isinstance(given, list) or not all(isinstance(each, str) for each in given):
            raise self.wrong(f"{key!r} is no list of strings")
        return [str(self._try(key, lambda each=each: check_text(each, key))) for each in given]  # type: ignore[misc]

    def packed(self, key: str, value: Any) -> str:
        """``value`` as the store keeps JSON."""
        try:
            text = dump(value)
        except (ValueError, TypeError) as bad:
            raise self.wrong(f"{key!r} cannot be kept: {bad}") from None
        if "\\u0000" in text:
            raise self.wrong(f"{key!r} holds a NUL character; remove it")
        return text

    # -- whole rows --------------------------------------------------------------------------------------------
    def message(self) -> MessageRecord:
        """The message, not yet numbered."""
        offset = self._get("offset")
        if type(offset) is not int or not -1440 < offset < 1440:
            raise self.wrong(f"'offset' is {offset!r}, not minutes east of UTC")
        body = self.data.get("body")
        return MessageRecord(
            0, self.name("id"), self.text("conversation"), self.text("speaker"), self.one_of("role", _ROLES),
            self._words(), self.time("time"), offset, self.time("arrived"), self.one_of("state", _STATES),
            str(self.kind), None if body is None else self.packed("body", body),
        )  # fmt: skip

    def _words(self) -> str:
        given = self._get("text")
        return str(self._try("text", lambda: check_text(given, "its text")))

    def form(self, owner: str) -> FormRecord:
        """The Form without what is derived."""
        confirmed = {
            slot: at if type(at) is int else self._micros("confirmed", at)
            for slot, at in self.mapping("confirmed").items()
        }
        return FormRecord(
            self.name("id"), owner, self.name("form_type"), self.integer("type_version", 0),
            self.integer("version", 1), self.one_of("status", ("active", "invalid")),
            self.time("created_at"), self.time("updated_at"), self.time("last_accessed"),
            self.text("conversation"), None, self.packed("confirmed", confirmed) if confirmed else None, 0, "",
        )  # fmt: skip

    def version(self, given: Callable[[Mapping[str, Any]], Mapping[str, Any]] | None = None) -> VersionRecord:
        """The version, not yet sealed. ``given``: makes its payload another owner's."""
        message, time = self.text("message"), self.time("time")
        payload = self._get("payload")
        if payload is not None:
            self._check_payload(payload, message, time)
            payload = self.packed("payload", payload if given is None else given(payload))
        return VersionRecord(
            self.name("form_id"), self.integer("number", 1), message, time, self.time("arrived"),
            self.name("cause"), payload, None, b"",
        )  # fmt: skip

    def edge(self) -> EdgeRecord:
        span = self.data.get("span", [0, 0])
        if (
            not isinstance(span, list)
            or len(span) != 2
            or not all(type(at) is int and at >= 0 for at in span)
        ):
            raise self.wrong(f"'span' is {span!r}, not two places in a message")
        attributes = self.mapping("attributes")
        self.packed("attributes", attributes)
        return EdgeRecord(
            self.name("source"), self.name("relation"), self.name("target"), self.number("weight"),
            self.integer("hits", 0), self.time("last_hit"), self.time("created_at"),
            self.one_of("status", _EDGE_STATES), self.name("made_by"), self.optional("message"), span[0], span[1],
            attributes_text(attributes),
            self.optional_time("valid_from"), self.optional_time("valid_until"),
        )  # fmt: skip

    def pending(self, owner: str) -> PendingRecord:
        value = self._get("value")
        self._check_value("value", value)
        return PendingRecord(
            self.name("id"), owner, self.optional("form_id"), self.name("form_type"), self.optional("slot"),
            self.packed("value", {"v": value}), self.number("confidence"), self.name("reason"),
            self.text("question"), self.packed("candidates", self.texts("candidates")), self.time("asked_at"),
            self.one_of("state", _PENDING_STATES), self.text("message"),
            self.packed("draft", self.mapping("draft")),
        )  # fmt: skip

    def act(self, owner: str) -> ActRecord:
        return ActRecord(
            self.name("id"), owner, self.name("act"), self.optional("form_id"), self.time("time"),
            self.packed("body", self.mapping("body")),
        )  # fmt: skip

    # -- payloads ----------------------------------------------------------------------------------------------
    def _check_payload(self, payload: Any, message: str, time: int) -> None:
        """What projection needs to read it; keys of later releases pass."""
        if not isinstance(payload, dict):
            raise self.wrong("'payload' is no object")
        if payload.get("m") != message or payload.get("t") != time:
            raise self.wrong("'payload' tells of another message or time than the version")
        slots = payload.get("s", {})
        if not isinstance(slots, dict):
            raise self.wrong("'payload.s' is no object of slots")
        for slot, given in slots.items():
            for assertion in given if isinstance(given, list) else (given,):
                self._check_assertion(slot, assertion)
        for key in ("al", "ext"):
            if not _all(payload.get(key, []), str):
                raise self.wrong(f"'payload.{key}' is no list of strings")
        if not _all(payload.get("w", []), int):
            raise self.wrong("'payload.w' is no list of version numbers")
        context = payload.get("k", {})
        if not isinstance(context, dict) or not _all(list(context.values()), str):
            raise self.wrong("'payload.k' is no object of strings")
        under = payload.get("y", 1)
        if type(under) is not int or not 1 <= under < 2**31:
            raise self.wrong(f"'payload.y' is {under!r}, not a version of a Form type")
        if payload.get("st", "active") not in ("active", "invalid"):
            raise self.wrong(f"'payload.st' is {payload['st']!r}, not active or invalid")

    def _check_assertion(self, slot: str, assertion: Any) -> None:
        where = f"payload.s.{slot}"
        if not isinstance(assertion, dict) or "v" not in assertion:
            raise self.wrong(f"{where!r} is no object with a value 'v'")
        self._check_value(where, assertion["v"])
        sure = assertion.get("c")
        if isinstance(sure, bool) or not isinstance(sure, (int, float)) or not 0 <= sure <= 1:
            raise self.wrong(f"'{where}.c' is {sure!r}, not a confidence")
        if not all(assertion.get(key) is None or type(assertion[key]) is int for key in _INTEGERS):
            raise self.wrong(f"{where!r}: one of {', '.join(_INTEGERS)} is no integer")
        ends, values = assertion.get("us"), assertion["v"]
        if ends is not None and not (
            isinstance(values, list) and len(values) == len(ends) and all(map(_is_end, ends))
        ):
            raise self.wrong(f"'{where}.us' is {ends!r}, not an end and a span for each value")
        span = assertion.get("e", [0, 0])
        if not _all(span, int) or len(span) != 2:
            raise self.wrong(f"'{where}.e' is {span!r}, not two places in a message")
        if assertion.get("src", "user") not in ("user", "tool", "import", "inferred"):
            raise self.wrong(f"'{where}.src' is {assertion['src']!r}, not whose words it is")
        if not isinstance(assertion.get("m", ""), str):
            raise self.wrong(f"'{where}.m' is no message id")

    def _check_value(self, where: str, value: Any) -> None:
        try:
            fits = _is_value(value)
        except (ValueError, TypeError, KeyError, OverflowError):
            fits = False
        if not fits:
            shown = json.dumps(value, ensure_ascii=False)
            raise self.wrong(f"{where!r}: {shown[:120]} is no slot value")


@lru_cache(maxsize=4096)  # the rows of a Form share few moments
def _instant(text: str) -> int:
    return to_micros(parse_time(text, None))


def _is_end(given: Any) -> bool:
    return (
        isinstance(given, list)
        and len(given) == 2
        and all(part is None or type(part) is int for part in given)
    )


def _all(given: Any, kind: type) -> bool:
    return isinstance(given, list) and all(type(each) is kind for each in given)


def _is_value(value: Any) -> bool:
    """Whether ``model.value.decode`` gives a value for it, and one that a store can keep."""
    if value is None or isinstance(value, (str, bool)):
        return True
    if isinstance(value, int):
        return True
    if isinstance(value, list):
        return all(_is_value(each) for each in value)
    if not isinstance(value, dict):
        return False
    keys = value.keys()
    if keys == {"amount", "currency"}:
        return bool(_DIGITS.fullmatch(value["amount"])) and isinstance(value["currency"], str)
    if keys == {"number"}:
        return bool(_DIGITS.fullmatch(value["number"]))
    if keys == {"min", "max"}:
        return _is_value(value["min"]) and _is_value(value["max"])
    if len(keys) == 1 and keys <= {"date", "time"}:
        decode(value)
        return True
    return False
