"""What is stored is valid, safe from its reader, and outlives releases and embedders."""

from __future__ import annotations

import contextlib
import os
import threading
from typing import Any

import pytest

from forms_dynamics import EmbedderMismatch, InvalidInput, Memory
from forms_dynamics.testing import FixedClock, ScriptedExtractor

from .doubles import Words
from .world import Worlds, dump, lead, money, on_both, passes


@on_both
def test_pr_157(worlds: Worlds) -> None:
    w = worlds("PR-157")
    r = w.memory.observe_many(w.messages[:2])
    assert [x.state for x in r] == ["refused", "refused"]
    assert [(x.form_type, x.slot) for x in r[0].refused] == [("order", "quantity")]
    assert {x.slot for x in r[1].refused} == {"quantity", "due", "colour"}
    assert all(x.form_type == "order" and x.reason for y in r for x in y.refused)
    assert list(w.memory.find()) == []
    wrong: list[dict[str, Any]] = [
        {"quantity": "plenty"},
        {"quantity": 2.7},
        {"due": "2026-02-30"},
        {"colour": "red"},
    ]
    for slots in wrong:
        (name,) = slots
        with pytest.raises(InvalidInput, match=name):
            w.memory.record("order", {"order_no": "A0", **slots})
    with pytest.raises(InvalidInput, match="order"):
        w.memory.record("ordr", {"order_no": "A0"})
    assert list(w.memory.find()) == []
    (last,) = w.memory.observe_many(w.messages[2:])
    f = w.only("order")
    assert (f["quantity"], f["order_no"], last.state) == (3, "A1", "stored")
    assert any("due" in q.lower() for q in last.questions)
    recorded = w.memory.record("order", {"order_no": "A2", "quantity": "3"})
    assert w.memory.get(recorded.forms[0])["quantity"] == 3
    assert any("due" in q.lower() for q in recorded.questions)
    for slots in wrong:
        ((name, value),) = slots.items()
        with pytest.raises(InvalidInput, match=name):
            w.memory.correct(f.id, name, value)
    w.memory.correct(f.id, "quantity", "3")
    f = w.memory.get(f.id)
    assert f["quantity"] == 3
    assert "due" not in f.slots


@on_both
def test_pr_159(worlds: Worlds) -> None:
    w = worlds("PR-159", now="2026-03-02T08:00:00+08:00")
    f = w.memory.record("order", {"order_no": "甲1", "items": ["螺栓"]}).forms[0]
    x = w.memory.get(f)["items"]
    with contextlib.suppress(AttributeError, TypeError):
        x.append("垫片")
    assert set(w.memory.get(f)["items"]) == {"螺栓"}
    w.play()
    w.memory.close()
    with Memory.open(
        worlds.url or worlds.where / "memory1.db", form_types=[worlds.where / "types1.yaml"]
    ) as memory:
        assert set(memory.get(f)["items"]) == {"螺栓", "垫片"}
        h = memory.history(f)
        assert [v.current for v in h] == [False, True]


@on_both
def test_pr_163(worlds: Worlds) -> None:
    w = worlds("PR-163", messages=[], script=[], embedder=Words(768), now="2026-06-01T00:00:00+08:00")
    for k in range(20):
        w.memory.record(
            "lead_profile", {"company": f"霜野第{k}厂", "payment_terms": f"货到后第{k + 3}天付清"}
        )
    w.memory.recall("什么时候付清")
    w.memory.work()
    w.memory.close()
    extractor = ScriptedExtractor([[lead(company="新霜公司")]])
    memory = Memory.open(
        worlds.url or worlds.where / "memory1.db",
        form_types=["lead_profile"],
        embedder=Words(1024),
        extractor=extractor,
        clock=FixedClock("2026-06-02T00:00:00+08:00"),
    )
    before = list(memory.export())
    assert "货到后第8天付清" in memory.recall("霜野第5厂").text
    question = "收到货以后隔多久结清"
    with pytest.raises(EmbedderMismatch) as mismatch:
        memory.recall(question)
    assert all(word in str(mismatch.value) for word in ("768", "1024", "rebuild"))
    r = memory.observe("我们是新霜公司。", id="m1", time="2026-06-01T10:00:00+08:00")
    assert r.state == "stored"
    memory.rebuild()
    assert memory.recall(question) is not None
    after = list(memory.export())
    assert [row for row in before if row not in after] == []
    assert len(memory.find("lead_profile")) == 21
    memory.close()


# -- ours ------------------------------------------------------------------------------------------------


def test_a_mapping_that_was_given_is_not_kept_by_reference(worlds: Worlds) -> None:
    w = worlds(types=["lead_profile"], messages=[], script=[])
    slots = {"company": "Orsa", "budget": "9000 EUR"}
    f = w.memory.record("lead_profile", slots).forms[0]
    slots["budget"] = "1 EUR"
    form = w.memory.get(f)
    with contextlib.suppress(TypeError):
        form.slots["budget"] = None  # type: ignore[index]
    with pytest.raises(AttributeError):
        form.version = 9  # type: ignore[misc]
    assert w.memory.get(f)["budget"] == money(9000, "EUR")


@pytest.mark.parametrize(
    ("slots", "name"),
    [
        ({"phone": "call me"}, "phone"),
        ({"budget": "lots"}, "budget"),
        ({"budget": float("nan")}, "budget"),
        ({"deadline": "2026-13-01"}, "deadline"),
        ({"company": {"a": 1}}, "company"),
        ({"company": "x", "budget": True}, "budget"),
    ],
)
def test_a_record_with_a_wrong_value_writes_nothing(worlds: Worlds, slots: dict[str, Any], name: str) -> None:
    w = worlds(types=["lead_profile"], messages=[], script=[])
    before = dump(w.memory)
    with pytest.raises(InvalidInput, match=name):
        w.memory.record("lead_profile", {"company": "Orsa", **slots})
    assert dump(w.memory) == before


@on_both
def test_the_chain_verifies_and_a_rebuild_changes_no_answer(worlds: Worlds) -> None:
    w = worlds("PR-001")
    w.play()
    f = w.only("lead_profile")
    before = (
        dump(w.memory),
        w.memory.recall("海蓝现在怎么付款？").text,
        [v.hash for v in w.memory.history(f.id)],
    )
    assert passes(w.memory.verify())
    w.memory.rebuild()
    after = (
        dump(w.memory),
        w.memory.recall("海蓝现在怎么付款？").text,
        [v.hash for v in w.memory.history(f.id)],
    )
    assert before == after
    assert passes(w.memory.verify())
    w.memory.rollback(f.id, 1)
    f = w.memory.get(f.id)
    assert (f["payment_terms"], f.version) == ("月结30天", 3)


def test_a_read_only_memory_reads_and_never_writes(worlds: Worlds) -> None:
    w = worlds(types=["lead_profile"], messages=[], script=[])
    w.memory.record("lead_profile", {"company": "Orsa", "budget": "9000 EUR"})
    w.memory.close()
    with Memory.open(worlds.where / "memory1.db", form_types=["lead_profile"], read_only=True) as memory:
        assert "9,000 EUR" in memory.recall("budget of Orsa").text
        with pytest.raises(Exception, match=r"(?i)read"):
            memory.record("lead_profile", {"company": "Other"})
        assert len(memory.find("lead_profile")) == 1


def test_opening_and_closing_leaves_no_file_handle(worlds: Worlds) -> None:
    where = worlds.where / "often.db"
    handles, threads = [], []
    for turn in range(60):
        with Memory.open(where, form_types=["lead_profile"], embedder=Words()) as memory:
            memory.recall("Orsa")
        if turn in (10, 59):
            handles.append(len(os.listdir("/proc/self/fd")) if os.path.isdir("/proc/self/fd") else 0)
            threads.append(threading.active_count())
    assert handles[1] <= handles[0]
    assert threads[1] <= threads[0]
