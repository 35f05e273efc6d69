"""Every message holds words of its own; one message or Form is erased: no file keeps its words, and all other words
are still there."""

from __future__ import annotations

from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from forms_dynamics import Conflict, InvalidInput, Memory, NotFound
from forms_dynamics.testing import FixedClock, ScriptedExtractor

TYPES = """\
form_type: firm
identity: {any: [[name], [phone]]}
life: {cold_after_days: null}
slots:
  name: {type: text}
  phone: {type: text}
  city: {type: text}
  tags: {type: text, many: true}
"""
RULES = "relation: knows\nfrom: firm\nto: firm\n"
NAMES = ("Acme", "Birch", "Cedar")


def message(number: int, said: tuple[int, str, bool, bool, bool]) -> tuple[str, list[dict[str, Any]]]:
    """What is said of a firm: a mark that stands in no other message, as a value, or as the firm's own name."""
    name, slot, sure, negated, own = said
    mark = f"zq{number:02d}mark"
    called = f"N{mark}" if own else NAMES[name]
    text = f"{called} {slot} is {mark} here"
    told: dict[str, Any] = {"value": mark, "confidence": 0.95 if sure else 0.6, "evidence": mark}
    if negated and slot == "tags":
        told["negated"] = True
    slots = {"name": {"value": called, "confidence": 0.99, "evidence": called}, slot: told}
    draft: dict[str, Any] = {"form_type": "firm", "slots": slots}
    if number % 3 == 2:
        draft["relations"] = [
            {"relation": "knows", "to": {"form_type": "firm", "name": NAMES[0]}, "attributes": {"how": mark}}
        ]
    return text, [draft]


def act(memory: Memory, kind: str, one: int, two: int, slot: str) -> None:
    forms = memory.find(status="any")
    form, other = forms[one % len(forms)].id, forms[two % len(forms)].id
    try:
        if kind == "merge":
            memory.merge(form, other)
        elif kind == "split":
            memory.split(form, [slot])
        elif kind == "rollback":
            memory.rollback(form, 1)
        elif kind in ("right", "wrong"):
            memory.mark(form, slot, right=kind == "right")
        elif kind == "confirm" and memory.pending():
            memory.confirm(memory.pending()[one % len(memory.pending())].id)
        elif kind == "edge":
            edges = [e.id for e in memory.edges(form, include_inactive=True) if e.relation == "knows"]
            memory.mark(edges[0], right=two % 2 == 0) if edges else None
        elif kind == "invalidate":
            memory.invalidate(form)
    except (InvalidInput, Conflict, NotFound):
        pass


def contents(folder: Path) -> bytes:
    return b"".join(path.read_bytes() for path in sorted(folder.iterdir()))


SAID = st.tuples(
    st.integers(0, 2), st.sampled_from(["city", "tags", "phone"]), st.sampled_from([True, True, False]), st.booleans(),
    st.sampled_from([False, False, True]),
)  # fmt: skip
ACT = st.tuples(
    st.sampled_from(["merge", "merge", "split", "rollback", "right", "wrong", "confirm", "edge", "invalidate"]),
    st.integers(0, 5), st.integers(0, 5), st.sampled_from(["city", "tags", "phone"]),
)  # fmt: skip


@pytest.fixture(scope="module")
def schema(tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("schema")
    (path / "types.yaml").write_text(TYPES, encoding="utf-8")
    (path / "rules.yaml").write_text(RULES, encoding="utf-8")
    return path


def check(schema: Path, folder: Path, says: list[Any], acts: list[Any], pick: int) -> None:
    clock = FixedClock(datetime(2026, 6, 1, tzinfo=UTC))
    said = [message(number, one) for number, one in enumerate(says)]
    with Memory.open(
        folder / "m.db", form_types=[schema / "types.yaml"], relation_rules=[schema / "rules.yaml"],
        extractor=ScriptedExtractor(dict(said)), clock=clock,
    ) as memory:  # fmt: skip
        for number, (text, _) in enumerate(said):
            memory.observe(text, conversation=f"c{number % 2}", id=f"m{number}")
            clock.advance(days=1)
        for one in acts:
            if memory.find(status="any"):
                act(memory, *one)
            clock.advance(days=1)
        memory.recall("Acme city")
        was = {
            id: {slot: s.value for slot, s in memory.get(id).slots.items()}
            for id in (f.id for f in memory.find(status="any"))
        }
        number = pick % len(says)
        mark = f"zq{number:02d}mark"
        memory.erase(message=f"m{number}")
        assert mark not in str(list(memory.export()))
        checked = memory.verify()
        assert checked.ok, checked.problems
        for id, slots in was.items():
            if mark in str(slots) or id not in {f.id for f in memory.find(status="any")}:
                continue
            now = {slot: s.value for slot, s in memory.get(id).slots.items()}
            for slot, value in slots.items():  # the firm's name may have been in this message alone
                assert slot == "name" or value is None or now.get(slot) == value
    left = contents(folder)
    assert mark.encode() not in left
    for other in range(len(says)):
        if other != number:
            assert f"zq{other:02d}mark".encode() in left  # its message at least


@settings(max_examples=12, deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given(
    says=st.lists(SAID, min_size=2, max_size=6), acts=st.lists(ACT, max_size=4), pick=st.integers(0, 5),
)  # fmt: skip
def test_a_message_goes_and_nothing_else(
    schema: Path, tmp_path_factory: pytest.TempPathFactory, says: list[Any], acts: list[Any], pick: int
) -> None:
    check(schema, tmp_path_factory.mktemp("store"), says, acts, pick)
