"""Which words of what was said may be quoted, when something that it told no longer holds."""

from __future__ import annotations

from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import pytest

from forms_dynamics import Memory
from forms_dynamics.testing import FixedClock, ScriptedExtractor

TYPES = """\
form_type: firm
identity: [name]
slots:
  name: {type: text}
  city: {type: text}
---
form_type: person
identity: [$speaker]
slots:
  city: {type: text}
"""


def told(type: str, **slots: str) -> list[dict[str, Any]]:
    given = {name: {"value": v, "confidence": 0.99, "evidence": v} for name, v in slots.items()}
    return [{"form_type": type, "slots": given}]


@pytest.fixture
def opened(tmp_path: Path) -> Any:
    def memory(script: dict[str, Any]) -> Memory:
        (tmp_path / "types.yaml").write_text(TYPES, encoding="utf-8")
        return Memory.open(
            tmp_path / "m.db", form_types=[tmp_path / "types.yaml"], relation_rules=[],
            extractor=ScriptedExtractor(script), clock=FixedClock(datetime(2026, 6, 1, tzinfo=UTC)),
        )  # fmt: skip

    return memory


LONG_EN = (
    "We walked along the harbour first. Acme sits in Leeds. It is a grey town by a canal. "
    "The lighthouse keeper told us of storms. We had soup afterwards."
)
LONG_ZH = "我们先去了港口。海蓝在杭州办公。那里靠着运河。守灯塔的老人讲了风暴。后来喝了汤。"


@pytest.mark.parametrize(
    ("said", "now", "first", "then", "question", "kept", "gone"),
    [
        (
            LONG_EN, "Acme moved to York", told("firm", name="Acme", city="Leeds"),
            told("firm", name="Acme", city="York"), "What did the lighthouse keeper tell of?",
            ["lighthouse keeper told us of storms", "along the harbour"], ["Leeds", "grey town"],
        ),
        (
            LONG_ZH, "海蓝搬到宁波", told("firm", name="海蓝", city="杭州"), told("firm", name="海蓝", city="宁波"),
            "守灯塔的老人讲了什么", ["讲了风暴", "去了港口"], ["杭州", "运河"],
        ),
    ],
    ids=["en", "zh"],
)  # fmt: skip
def test_of_a_long_message_the_sentences_go_that_hold_what_no_longer_holds(
    opened: Any, said: str, now: str, first: Any, then: Any, question: str, kept: list[str], gone: list[str]
) -> None:
    with opened({said: first, now: then}) as memory:
        memory.observe(said, conversation="a")
        assert all(words in memory.recall(question).text for words in (*kept, *gone))
        memory.observe(now, conversation="b")
        context = memory.recall(question)
        assert all(words in context.text for words in kept)
        assert not any(words in context.text for words in gone)
        assert "silent in part: superseded" in [step.reason for step in context.trace.steps]
        # the history of it is another question
        assert all(words in memory.recall(question, history=True).text for words in gone)
        # and so are its last turns
        recent = memory.recall("?", conversation="a", recent_turns=3).text
        assert kept[0] in recent
        assert gone[0] not in recent


def test_a_long_message_of_which_only_the_silent_sentence_answers_is_not_quoted(opened: Any) -> None:
    script = {
        LONG_EN: told("firm", name="Acme", city="Leeds"),
        "Acme moved to York": told("firm", name="Acme", city="York"),
    }
    with opened(script) as memory:
        memory.observe(LONG_EN, conversation="a")
        memory.observe("Acme moved to York", conversation="b")
        assert "soup" not in memory.recall("Which grey town by a canal?").text


@pytest.mark.parametrize("conversation", ["a", "b"])
@pytest.mark.parametrize("how", ["erase", "invalidate"])
def test_what_was_told_again_goes_with_its_form(opened: Any, how: str, conversation: str) -> None:
    """The second message made no version, the third was not even understood."""
    said = ["I live in Leeds.", "I live in Leeds, as I said.", "Still in Leeds and the rain goes on."]
    script = {text: told("person", city="Leeds") for text in said[:2]}
    with opened(script) as memory:
        for day, text in enumerate(said, 1):
            memory.observe(text, speaker="Ann", conversation=conversation, time=f"2026-05-0{day}T09:00:00Z")
        other = "Leeds is where Acme sits"
        memory.observe(other, speaker="Ben", conversation="c")
        assert "rain" in memory.recall("What of the rain in Leeds?").text
        (form,) = memory.find("person")
        memory.erase(form_id=form.id) if how == "erase" else memory.invalidate(form.id)
        for question in ("Where does Ann live?", "What of the rain in Leeds?", "Who is still in Leeds?"):
            text = memory.recall(question, conversation=conversation, recent_turns=4).text
            assert "Ann (" not in text
        memory.rebuild()
        assert "Ann (" not in memory.recall("Where does Ann live, in Leeds?").text


def test_what_others_say_with_the_words_of_an_erased_form_stays(opened: Any) -> None:
    script = {
        "I live in Leeds.": told("person", city="Leeds"),
        "Acme: Leeds": told("firm", name="Acme", city="Leeds"),
    }
    with opened(script) as memory:
        memory.observe("I live in Leeds.", speaker="Ann")
        memory.observe("Acme: Leeds", speaker="Ben", conversation="c")
        (form,) = memory.find("person")
        memory.erase(form_id=form.id)
        assert "Leeds" in memory.recall("Where does Acme sit?").text
        assert "Ben (" in memory.recall("who said Leeds", conversation="c", recent_turns=1).text


@pytest.mark.parametrize(
    ("said", "now", "question"),
    [
        ("{} sits in Leeds by the lighthouse", "{} moved to York", "Who sits by the lighthouse?"),
        ("{}在杭州灯塔边办公", "{}搬到了宁波", "谁在灯塔边办公？"),
    ],
)
def test_many_messages_are_judged_in_as_many_queries_as_few(
    opened: Any, said: str, now: str, question: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    old, new = ("Leeds", "York") if said.isascii() else ("杭州", "宁波")
    names = [
        f"Firm{i}" if said.isascii() else f"海蓝{'甲乙丙丁戊己庚辛壬癸子丑寅卯辰巳午未'[i]}"
        for i in range(18)
    ]
    script = {said.format(n): told("firm", name=n, city=old) for n in names}
    script |= {now.format(n): told("firm", name=n, city=new) for n in names}
    asked: list[int] = []
    with opened(script) as memory:
        memory._embedder = None
        run: list[str] = []
        rows = memory._store._rows
        monkeypatch.setattr(
            memory._store, "_rows", lambda sql, params=(): run.append(sql) or rows(sql, params)
        )
        for name in names:
            memory.observe(said.format(name), conversation="a")
            if name in (names[3], names[-1]):
                run.clear()
                assert len(memory.recall(question).messages) > names.index(name) * 0.7
                asked.append(len(run))
        for name in names[::2]:
            memory.observe(now.format(name), conversation="a")
        run.clear()
        context = memory.recall(question)
        asked.append(len(run))
        # in a conversation in which a city was displaced it is quoted of nobody
        assert not any(said.format(name) in context.text for name in names)
    assert max(asked) <= min(asked) + 6


@pytest.mark.parametrize(
    ("said", "question"),
    [("{} sits by the lighthouse", "Who sits by the lighthouse?"), ("{}在灯塔边办公", "谁在灯塔边办公？")],
)
def test_messages_of_many_conversations_are_judged_in_as_many_queries_as_those_of_few(
    opened: Any, said: str, question: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    names = [f"Firm{i}" if said.isascii() else f"海蓝{'甲乙丙丁戊己庚辛壬癸'[i]}" for i in range(10)]
    script = {said.format(name): told("firm", name=name) for name in names}
    script |= {f"{name}: Leeds": told("firm", name=name, city="Leeds") for name in names}
    script |= {f"{name}: York": told("firm", name=name, city="York") for name in names}
    asked: list[list[str]] = []
    with opened(script) as memory:
        memory._embedder = None
        run: list[str] = []
        rows = memory._store._rows
        monkeypatch.setattr(
            memory._store, "_rows", lambda sql, params=(): run.append(sql) or rows(sql, params)
        )
        for at, name in enumerate(names):
            for text in (said.format(name), f"{name}: Leeds", f"{name}: York"):
                memory.observe(text, conversation=name)
            if at in (2, 9):
                run.clear()
                assert len(memory.recall(question).messages) > at * 0.7
                asked.append(list(run))
    assert len(asked[1]) <= len(asked[0]) + 2
    # what conversations touched is read with how it stands, for all of them at once
    assert sum("EACH ?[]" in sql for sql in asked[1]) <= 2


def left(memory: Memory) -> list[str]:
    return [r["text"] for r in memory.export() if r["kind"] == "message" and r["state"] == "stored"]


def test_erasing_withholds_the_value_in_other_sentences_cases_and_scripts() -> None:
    with Memory.open(":memory:", user="u") as memory:
        told = ["I'm allergic to peanuts.", "我喜欢喝凤凰单丛", "我住在苏州"]
        again = ["no PEANUTS in the cake please", "凤凰单丛快喝完了", "在蘇州待了五年了"]
        for n, text in enumerate([*told, *again]):
            memory.observe(text, conversation=f"c{n}")
        for form in memory.find():
            assert memory.erase(form_id=form.id).withheld
        assert left(memory) == []


def test_erasing_withholds_what_an_assistant_offered_and_what_a_person_entered() -> None:
    with Memory.open(":memory:", user="u") as memory:
        memory.observe("I am Zoe.")
        memory.observe("Do you live in Leeds?", role="assistant")
        memory.observe("Yes, I do.")
        (form,) = memory.find("user_profile")
        memory.correct(form.id, "city", "Bristol")
        memory.observe("Bristol harbour is lovely", conversation="c2")
        memory.erase(form_id=form.id)
        assert left(memory) == []


def test_erasing_leaves_other_people_and_words_of_anything() -> None:
    with Memory.open(":memory:", user="u") as memory:
        memory.observe("我妈妈叫刘秀芬，住在长沙")
        others = ["李四的妈妈周日开讲座，在三号楼", "妈妈群的群号是 8842", "长沙的分公司门禁是7731"]
        for n, text in enumerate(others):
            memory.observe(text, conversation=f"k{n}", speaker="王芳")
        for form in memory.find("family_member"):
            memory.erase(form_id=form.id)
        assert left(memory) == others


def test_editing_lifts_no_withholding(opened: Any) -> None:
    with opened({"I live in Leeds.": told("person", city="Leeds")}) as memory:
        memory.observe("I live in Leeds.", speaker="Ann", id="m1")
        memory.erase(form_id=memory.find("person")[0].id)
        memory.observe("Leeds again, and the Leeds fair!", speaker="Ann", id="m1", edit=True)
        assert "Leeds" not in memory.recall("Leeds fair").text
        assert not memory.observe("Leeds again, and the Leeds fair!", speaker="Ann", id="m1").waiting


def test_a_taken_back_preference_is_not_quoted_from_other_sentences() -> None:
    with Memory.open(":memory:", user="u") as memory:
        for text in (
            "I'm allergic to peanuts.",
            "No peanuts in the cake please",
            "I'm not allergic to peanuts any more",
        ):
            memory.observe(text, conversation="c")
        assert "cake" not in memory.recall("What about the cake?").text


@pytest.mark.parametrize(
    ("told", "now", "old", "question", "kept"),
    [
        ("We went to the sea. Our company is Acme, and our budget is $500,000. It rained. The boss fought for 500k. Half a million is a lot. We had soup.",
         "Correction: our final budget is $600,000", ["500", "alf a million"], "Did we have soup?", "soup"),
        ("我们去了海边。公司：海蓝电子，预算50万。下了雨。老板争取了五十万。500,000可不少。后来喝了汤。", "更正：预算是60万", ["50万", "五十万", "500,000"], "后来喝了什么汤", "喝了汤"),
    ],
    ids=["en", "zh"],
)  # fmt: skip
def test_an_amount_in_other_words_goes_silent_too(
    told: str, now: str, old: list[str], question: str, kept: str
) -> None:
    with Memory.open(":memory:") as memory:
        memory.observe(told, conversation="c")
        memory.observe(now, conversation="c")
        for context in (memory.recall(question), memory.recall("?", conversation="c", recent_turns=4)):
            assert kept in context.text
            assert not any(words in context.text for words in old)
