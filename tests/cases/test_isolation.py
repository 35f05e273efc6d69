"""One person's memory is no one else's, in any read, count, rank or error."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from forms_dynamics import Memory, NotFound

from .doubles import Words
from .world import NOTE, Worlds, dump, lead, money, on_both


@pytest.mark.parametrize("embedded", [False, True])
@on_both
def test_pr_101(worlds: Worlds, embedded: bool) -> None:
    w = worlds("PR-101", embedder=Words() if embedded else None)
    a = w.memory.scoped(tenant="t1", user="A")
    b = w.memory.scoped(tenant="t1", user="B")
    for memory, message in zip((a, b), w.messages, strict=True):
        memory.observe_many([{k: v for k, v in message.items() if k not in ("tenant", "user")}])
    question = "酒业客户的底价"
    c, own = b.recall(question), a.recall(question)
    seen = " ".join([c.text, *c.questions, *c.messages, *(f"{s.subject} {s.reason}" for s in c.trace.steps)])
    assert "赤水酒业" not in seen
    assert "120万" not in seen
    assert "m1" not in c.messages
    assert list(c.forms) == []
    assert c.confidence < own.confidence
    assert "120万" in own.text
    form = a.find("lead_profile")[0]
    assert form.id not in seen


@pytest.mark.parametrize("embedded", [False, True])
def test_pr_103(worlds: Worlds, embedded: bool) -> None:
    texts = []
    crowds = (0, 500) if embedded else (0, 500, 5000)
    for crowd in crowds:
        w = worlds(
            yaml=NOTE,
            messages=[],
            script=[],
            now="2026-06-01T00:00:00+00:00",
            embedder=Words() if embedded else None,
        )
        big, small = w.memory.scoped(user="big"), w.memory.scoped(user="small")
        for k in range(crowd):
            big.record("note", {"text": f"The invoice number is INV-{k}, as agreed."})
        small.record("note", {"text": "Our invoice number is INV-9001."})
        texts.append(small.recall("invoice number").text)
        assert "INV-9001" in texts[-1]
        assert texts[-1].count("INV-") == 1
        w.memory.close()
    assert len(set(texts)) == 1


@on_both
def test_pr_105(worlds: Worlds) -> None:
    w = worlds("PR-105")
    w.play()
    f, p = w.only("lead_profile"), w.memory.pending()[0]
    assert p.slot == "payment_terms"
    before, edges = dump(w.memory), list(w.memory.edges(f.id, include_inactive=True))
    m = w.memory.scoped(tenant="other", user="mallory")
    g = m.record("lead_profile", {"company": "Mallory"}).forms[0]
    acts: list[Callable[[str, str], Any]] = [
        lambda form, item: m.correct(form, "budget", "1 USD"),
        lambda form, item: m.invalidate(form),
        lambda form, item: m.link(form, "refers_to", g),
        lambda form, item: m.confirm(item),
        lambda form, item: m.get(form),
        lambda form, item: m.history(form),
        lambda form, item: m.erase(form_id=form),
        lambda form, item: m.edges(form),
        lambda form, item: m.retract(form, "budget"),
        lambda form, item: m.rollback(form, 1),
        lambda form, item: m.refuse(item),
        lambda form, item: m.why(form, "budget"),
    ]
    for act in acts:
        with pytest.raises(NotFound) as real:
            act(f.id, p.id)
        with pytest.raises(NotFound) as invented:
            act("no-such-id", "no-such-id")
        plain = str(real.value).replace(f.id, "?").replace(p.id, "?")
        assert plain == str(invented.value).replace("no-such-id", "?")
    f = w.only("lead_profile")
    assert (f["budget"], f.version) == (money(66000, "USD"), 1)
    assert f.slots["payment_terms"].status == "pending"
    assert list(w.memory.edges(f.id, include_inactive=True)) == edges
    assert dump(w.memory) == before


# -- ours ------------------------------------------------------------------------------------------------


@on_both
def test_the_same_name_in_two_scopes_is_two_forms(worlds: Worlds) -> None:
    w = worlds(types=["lead_profile"], messages=[], script={
        "赤水酒业预算1万。": [lead(company="赤水酒业", budget=("1万", "预算1万"))],
        "赤水酒业预算2万。": [lead(company="赤水酒业", budget=("2万", "预算2万"))],
    })  # fmt: skip
    scopes = [
        w.memory.scoped(tenant="t1", user="A"),
        w.memory.scoped(tenant="t1", user="B"),
        w.memory.scoped(tenant="t2", user="A"),
    ]
    for place, memory in enumerate(scopes):
        memory.observe(f"赤水酒业预算{place % 2 + 1}万。", id="m1", conversation="c1")
    told = [memory.find("lead_profile") for memory in scopes]
    assert [len(forms) for forms in told] == [1, 1, 1]
    assert [forms[0]["budget"] for forms in told] == [money(n, "CNY") for n in (10000, 20000, 10000)]
    assert len({forms[0].id for forms in told}) == 3
    assert list(w.memory.find("lead_profile")) == []


def test_shared_types_are_read_by_all_and_own_rows_by_one(worlds: Worlds) -> None:
    shared = (
        "form_type: product\nshared: true\nidentity: [sku]\n"
        "slots:\n  sku: {type: text}\n  price: {type: money}\n"
    )
    w = worlds(yaml=shared + "---\n" + NOTE, messages=[], script=[])
    w.memory.record("product", {"sku": "KX-20", "price": "12 EUR"})
    w.memory.record("note", {"text": "KX-20 is for the house only."})
    anna, bert = w.memory.scoped(user="anna"), w.memory.scoped(user="bert")
    anna.record("note", {"text": "Anna wants KX-20."})
    assert [f["sku"] for f in anna.find("product")] == ["KX-20"]
    assert "12 EUR" in bert.recall("price of KX-20").text
    assert [f["text"] for f in anna.find("note")] == ["Anna wants KX-20."]
    assert "Anna" not in bert.recall("KX-20").text
    assert "house only" not in anna.recall("KX-20").text


def test_queues_exports_and_candidates_stay_apart(worlds: Worlds) -> None:
    w = worlds(types=["lead_profile"], messages=[], script={
        "智澜预算2万。": [lead(company="智澜", budget=("2万", "预算2万"))],
        "杭州智澜科技有限公司预算3万。": [lead(company="杭州智澜科技有限公司", budget=("3万", "预算3万"))],
        "智澜预算大概5万。": [lead(company="智澜", budget=("5万", "预算大概5万"))],
    })  # fmt: skip
    anna, bert = w.memory.scoped(user="anna"), w.memory.scoped(user="bert")
    anna.observe("智澜预算2万。", id="a1")
    bert.observe("杭州智澜科技有限公司预算3万。", id="b1")
    anna.observe("智澜预算大概5万。", id="a2")
    assert list(anna.candidates()) == list(bert.candidates()) == []
    assert len(anna.pending()) == 1
    assert list(bert.pending()) == []
    assert "b1" not in dump(anna)
    assert "杭州" not in dump(anna)


def test_a_scope_reads_the_same_through_a_second_opening(worlds: Worlds) -> None:
    w = worlds(types=["lead_profile"], messages=[], script=[])
    w.memory.scoped(user="anna").record("lead_profile", {"company": "Orsa"})
    w.memory.close()
    with Memory.open(worlds.where / "memory1.db", form_types=["lead_profile"], user="anna") as memory:
        assert [f["company"] for f in memory.find("lead_profile")] == ["Orsa"]
    with Memory.open(worlds.where / "memory1.db", form_types=["lead_profile"], user="bert") as memory:
        assert list(memory.find("lead_profile")) == []
