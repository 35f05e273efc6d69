"""The trace: complete, nothing twice, and as a tree that people read."""

from __future__ import annotations

import copy
import io
import pickle
from collections import Counter
from dataclasses import replace

import pytest
from rich.console import Console
from shelf import DAY, Shelf, empty, steps

from forms_dynamics.cli.show import Paper
from forms_dynamics.model.context import Context, Step, Trace
from forms_dynamics.model.trace_words import reason
from forms_dynamics.model.value import Money

TIMES = {"question": 0.25, "anchors": 0.5, "expansion": 2.0, "assembly": 40.0}


@pytest.fixture
def shelf() -> Shelf:
    """A customer with seven quotes of different ages, another one who shares a quote, a contract."""
    shelf = empty()
    said = shelf.say("报价给海蓝电子, quotes for Alder Arrow", speaker="王总")
    shelf.form("f1", "lead_profile", {"company": "Alder Arrow", "budget": Money(500000, "CNY")}, said,
               names=["Alder Arrow"])  # fmt: skip
    shelf.form("f2", "lead_profile", {"company": "海蓝电子"}, said, names=["海蓝电子"])
    for i in range(1, 8):
        quote = {"quote_no": f"Q-{i}", "amount": Money(480000 + i, "CNY")}
        shelf.form(f"q{i}", "quote_form", quote, said, names=[f"Q-{i}"], key="quote_no")
        shelf.edge(f"q{i}", "refers_to", "f1", weight=1 - i / 40, last_hit=shelf.now - i * 10 * DAY)
    shelf.edge("q1", "refers_to", "f2")
    shelf.edge("q2", "refers_to", "f2", status="superseded")
    shelf.form("k1", "contract_form", {"contract_no": "K-1"}, said, names=["K-1"], key="contract_no")
    shelf.edge("k1", "evolves_from", "q1", weight=0.65, made_by="draft")
    return shelf


def drawn(context: Context, **options: object) -> str:
    return replace(context.trace, timings_ms=TIMES).tree(**options)  # type: ignore[arg-type]


EN = """\
trace  43 ms
├── anchors
│   └── lead Alder Arrow  1.00  exact: named: alder arrow
│       ├── ←refers_to─ quote Q-1  0.92  0.97 × 0.94 decay
│       │   ├── ─refers_to→ lead 海蓝电子  0.83  0.90 × 1.00 decay × 0.92 way
│       │   └── ←evolves_from─ contract K-1  0.64  0.70 floor × 0.92 way
│       ├── ←refers_to─ quote Q-2  0.86  0.95 × 0.90 decay
│       │   └── ✗ ─refers_to→ lead 海蓝电子  0.90  superseded
│       ├── ←refers_to─ quote Q-3  0.81  0.93 × 0.88 decay
│       ├── ←refers_to─ quote Q-4  0.78  0.90 × 0.87 decay
│       ├── ←refers_to─ quote Q-5  0.76  0.88 × 0.86 decay
│       ├── ✗ ←refers_to─ quote Q-6  0.74  limit 5 a layer
│       └── ✗ ←refers_to─ quote Q-7  0.72  limit 5 a layer
└── time
    ├── question   ▏                 0.25 ms
    ├── anchors    ▎                 0.50 ms
    ├── expansion  ▊                 2.00 ms
    └── assembly   ████████████████  40 ms"""

ZH = """\
召回轨迹  43 ms
├── 锚点
│   └── 商机客户 海蓝电子  1.00  名称精确命中：海蓝电子
│       ├── ←refers_to─ 报价 Q-1  0.90  0.90 × 1.00 衰减
│       └── ✗ ←refers_to─ 报价 Q-2  0.90  已被取代
└── 用时
    ├── 解析问题  ▏                 0.25 ms
    ├── 找锚点    ▎                 0.50 ms
    ├── 沿边展开  ▊                 2.00 ms
    └── 组装      ████████████████  40 ms"""


def test_a_tree_in_english(shelf: Shelf) -> None:
    context = shelf.recall("Alder Arrow", max_hops=2)
    assert drawn(context) == EN
    assert str(context.trace).startswith("trace  ")


def test_a_tree_in_chinese(shelf: Shelf) -> None:
    assert drawn(shelf.recall("海蓝电子的报价金额是多少？")) == ZH


def test_ids_stand_beside_the_names_where_asked_for(shelf: Shelf) -> None:
    told = drawn(shelf.recall("海蓝电子的报价金额是多少？"), ids=True, lang="en")
    assert "海蓝电子 f2  1.00  exact: named: 海蓝电子" in told
    assert "Q-1 q1  0.90" in told
    assert told.startswith("trace")


# -- complete, and nothing twice -------------------------------------------------------------------------------
def test_every_edge_that_was_met_has_one_step(shelf: Shelf) -> None:
    context = shelf.recall("Alder Arrow", max_hops=2)
    told = Counter(s.subject for s in context.trace.steps if "." in s.subject)
    edges = {e.id for e in shelf.store.edges(shelf.scope, ["f1", "q1", "q2", "q3", "q4", "q5"], None, True)}
    assert set(told) == edges
    assert set(told.values()) == {1}


def test_the_weaker_of_two_edges_to_one_form_is_told(shelf: Shelf) -> None:
    shelf.edge("q1", "part_of", "f1", weight=0.7, made_by="draft")
    assert ("q1.part_of.f1", "another edge leads there") in steps(shelf.recall("Alder Arrow"), "prune")


def test_edges_of_a_later_day_are_told_when_an_earlier_one_is_asked_about(shelf: Shelf) -> None:
    shelf.now += 3 * DAY
    shelf.edge("q3", "refers_to", "f2", created=shelf.now)
    pruned = steps(shelf.recall("海蓝电子", as_of=shelf.now - DAY), "prune")
    assert ("q3.refers_to.f2", "not yet said") in pruned
    pruned = steps(shelf.recall("海蓝电子", known_at=shelf.now - DAY), "prune")
    assert ("q3.refers_to.f2", "not yet known") in pruned


def test_a_hub_tells_how_many_edges_it_did_not_read(shelf: Shelf) -> None:
    said = shelf.say("many")
    for i in range(60):
        shelf.form(f"x{i}", "quote_form", {"quote_no": f"X-{i}"}, said, names=[f"X-{i}"], key="quote_no")
        shelf.edge(f"x{i}", "refers_to", "f2", weight=0.7)
    context = shelf.recall("海蓝电子")
    unread = "46 more edges, none of them stronger, were not read"  # of 62 those that were read: 16
    assert ("f2", unread) in steps(context, "prune")
    assert "│       └── ✗ 还有 46 条边没有读取，都不更强" in drawn(context).splitlines()
    assert "另有 5 项  每层至多 5 条边" in drawn(context)


def test_what_the_fallback_left_out_is_counted() -> None:
    shelf = empty()
    for i in range(40):
        shelf.say(f"The freezer of hall {i} is delivered in June", speaker="Dana")
    context = shelf.recall("When is the freezer delivered?")
    shown = [s.subject for s in context.trace.steps if s.kind == "fallback" and s.weight is not None]
    assert sorted(shown) == sorted([*context.messages, "confidence"])
    assert len(shown) == 21
    assert ("messages", "20 more messages: beyond the best 20") in steps(context, "near_miss")
    assert len({(s.kind, s.subject) for s in context.trace.steps}) == len(context.trace.steps)


def test_forms_of_the_fallback_have_their_score_and_those_of_the_budget_their_cut() -> None:
    shelf = empty()
    said = shelf.say("a lead")
    shelf.form("f1", "lead_profile", {"company": "Norden", "industry": "deep frozen bread"}, said)
    for i in range(12):
        shelf.say(f"Bread number {i} is deep frozen, as all bread of that hall is", speaker="Dana")
    context = shelf.recall("who makes frozen bread?", max_tokens=150)
    assert any(subject == "f1" and why.startswith("words ") for subject, why in steps(context, "fallback"))
    assert steps(context, "cut")
    lines = drawn(context).splitlines()
    assert any("Dana (2026-06-01): Bread number" in line and "✗" in line for line in lines)
    assert not any(line.endswith("cut by the budget") for line in lines), "each cut stands with its hit"


def test_silent_words_do_not_come_back_in_a_tree(shelf: Shelf) -> None:
    said = shelf.say("The budget of Alder Arrow is 300,000 CNY for the freezer", id="old", speaker="Dana")
    shelf.form("f1", "lead_profile", {"budget": Money(300000, "CNY")}, said)
    later = shelf.say("The budget of Alder Arrow is 310,000 CNY now")
    shelf.form("f1", "lead_profile", {"budget": Money(310000, "CNY")}, later)
    context = shelf.recall("Which freezer?", recent_turns=5, conversation="c1")
    assert ("old", "silent: superseded") in steps(context, "prune")
    assert "王总 (2026-06-01): …  silent: superseded" in drawn(context)
    assert "Dana (2026-06-01): …  1.00  silent: superseded" in drawn(context)
    assert "300,000" not in drawn(context)


def test_an_unknown_id_is_a_near_miss(shelf: Shelf) -> None:
    context = shelf.recall("What of f1m8par9dx05aqz1wrtm?")
    assert ("f1m8par9dx05aqz1wrtm", "no Form here has this id") in steps(context, "near_miss")


def test_a_focus_that_is_nothing_is_told(shelf: Shelf) -> None:
    context = shelf.recall("How much is it?", focus="f1m8par9dx05aqz1wrtm")
    why = "no Form here has this id or name, which was given as focus"
    assert ("f1m8par9dx05aqz1wrtm", why) in steps(context, "near_miss")
    assert context.text == ""


# -- names, copies, terminals ----------------------------------------------------------------------------------
def test_names_survive_copies_and_a_closed_store(shelf: Shelf) -> None:
    context, other = shelf.recall("Alder Arrow"), shelf.recall("Alder Arrow")
    assert copy.deepcopy(context).trace.names == dict(context.trace.names)
    assert pickle.loads(pickle.dumps(context)).trace.tree() == context.trace.tree()
    shelf.store.close()
    assert "Alder Arrow" in context.trace.tree(), "looked up before"
    assert "f1  1.00" in other.trace.tree()


def test_a_secret_in_a_name_is_redacted() -> None:
    shelf = empty(redact="model")
    shelf.say("freezer key sk-abcdefghijklmnopqrstuvwx1234567890abcd", speaker="Dana")
    told = shelf.recall("the freezer key?").trace.tree()
    assert "Dana" in told
    assert "sk-abcdef" not in told


def test_a_narrow_terminal_breaks_lines_and_loses_nothing(shelf: Shelf) -> None:
    context = shelf.recall("Alder Arrow", max_hops=2)
    out = io.StringIO()
    Paper(Console(file=out, width=40, emoji=False, highlight=False)).trace(context)
    assert "\x1b" not in out.getvalue()
    assert max(map(len, out.getvalue().splitlines())) <= 40
    squeezed = out.getvalue().translate(dict.fromkeys(map(ord, " \n│├└─")))
    for word in ("Q-7", "limit5alayer", "evolves_from", "0.70floor"):
        assert word in squeezed


def test_long_names_are_cut_and_controls_do_not_reach_a_terminal() -> None:
    steps = (Step("anchor", "f1", "exact: named: x", 1.0), Step("walk", "f1.is.f2", "is to f2", 0.9, 1, 0.9))
    trace = Trace(steps, {}, {"f1": "海蓝电子" * 30, "f2": "a\x1b[31mb"})
    assert "海蓝电子海蓝电子海蓝电子海蓝电子海蓝电子海蓝电…" in trace.tree()
    out = io.StringIO()
    Paper(Console(file=out, width=100)).trace(Context("", trace=trace))
    assert "\x1b" not in out.getvalue()


@pytest.mark.parametrize(
    ("said", "told"),
    [
        ("weight below 0.6", "权重低于 0.6"),
        ("partial: 海蓝 begins its name", "名称以「海蓝」开头"),
        ("9,984 more edges, none of them stronger, were not read", "还有 9,984 条边没有读取，都不更强"),
        ("9,984 or more further edges, none of them stronger, were not read", "还有至少 9,984 条边没有读取，都不更强"),
        ("embeddings lag: 1,000 or more documents have no vectors yet", "向量滞后：至少还有 1,000 条内容没有向量"),
        ("34 tokens do not fit in what is left of 300", "需要 34 个 token，300 的预算余量不够"),
        ("something new", "something new"),
    ],
)  # fmt: skip
def test_reasons_in_chinese(said: str, told: str) -> None:
    assert reason(said, "zh") == told
    assert reason(said, "en") == said
