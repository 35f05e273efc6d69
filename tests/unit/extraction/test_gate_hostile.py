"""Extractions that lie: nothing false becomes known, nothing is lost."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import pytest

from forms_dynamics import Draft, Memory, Proposal, SlotDraft
from forms_dynamics.adapters.embedders import HashedNgrams
from forms_dynamics.testing import FixedClock, ScriptedExtractor

TIME = "2026-06-01T10:00:00+08:00"
JOB = """
form_type: job
identity: [job_no]
slots:
  job_no: {type: text}
  quote: {type: money, unit: CNY}
  due: {type: date}
"""


def opened(extractor: Any, types: Any = ("lead_profile",)) -> Memory:
    return Memory.open(
        ":memory:",
        form_types=list(types),
        extractor=extractor,
        embedder=HashedNgrams(),
        clock=FixedClock(TIME),
    )


def lead(**slots: Any) -> dict[str, Any]:
    return {"form_type": "lead_profile", "slots": slots}


def slot(value: Any, evidence: str | None, **more: Any) -> dict[str, Any]:
    return {"value": value, "confidence": 0.99, "evidence": evidence, **more}


@pytest.mark.parametrize(
    ("text", "name", "value", "evidence"),
    [
        ("我们预算50万。", "budget", 5, "5"),
        ("我们预算50万。", "budget", "50元", "50"),
        ("Our budget is $500,000.", "budget", "500 USD", "$500"),
        ("我们预算150万。", "budget", "50万", "50万"),
        ("我们预算1.5万。", "budget", "5万", "5万"),
        ("交期6月30日。", "deadline", "6月3日", "6月3"),
        ("Deadline is June 30.", "deadline", "June 3", "June 3"),
        ("交期12月15日。", "deadline", "2月15日", "2月15日"),
        ("我们预算50万美元。", "budget", "50万元", "50万"),
        ("我们预算不超过50万。", "budget", "50万", "50万"),
        ("我们预算40万到50万。", "budget", "50万", "50万"),
        ("我们预算至少50万。", "budget", "50万", "50万"),
        ("Our budget is up to 50k USD.", "budget", "50k USD", "50k USD"),
    ],
)
def test_words_cut_out_of_a_larger_value_do_not_carry_it(
    text: str, name: str, value: Any, evidence: str
) -> None:
    with opened(ScriptedExtractor([[lead(**{name: slot(value, evidence)})]])) as memory:
        memory.observe(text, time=TIME)
        assert [form[name] for form in memory.find("lead_profile")] in ([], [None])


def test_a_text_stands_in_its_own_evidence() -> None:
    for value in (5, "预算"):
        with opened(ScriptedExtractor([[lead(company=slot(value, "海蓝电子"))]])) as memory:
            memory.observe("我们公司是海蓝电子，预算50万5。", time=TIME)
            assert [form["company"] for form in memory.find("lead_profile")] in ([], [None])


@pytest.mark.parametrize(
    "second",
    [
        {"form_type": "lead_profile", "slots": {}, "invalidate": True},
        lead(budget={"value": None, "op": "clear"}),
        lead(budget={"value": None, "op": "clear", "evidence": "你好"}),
    ],
)
def test_nothing_is_withdrawn_without_words_for_it(second: Mapping[str, Any]) -> None:
    script = [[lead(company=slot("海蓝电子", "海蓝电子"), budget=slot("50万", "50万"))], [second]]
    with opened(ScriptedExtractor(script)) as memory:
        memory.observe("海蓝电子预算50万。", time=TIME)
        memory.observe("你好啊", time=TIME)
        (form,) = memory.find("lead_profile")
        assert form["budget"] is not None


class Given:
    """Gives what it was given."""

    def __init__(self, answer: Any) -> None:
        self.answer = answer

    def extract(self, message: Any, known: Any = ()) -> Any:
        return self.answer


@pytest.mark.parametrize("confidence", [float("nan"), 7, -1, "hi", None, True])
def test_a_confidence_that_is_none_counts_as_none(confidence: Any) -> None:
    draft = Draft("lead_profile", {"budget": SlotDraft("50万", confidence, "50万")})
    with opened(Given(Proposal([draft]))) as memory:
        memory.observe("预算50万。", time=TIME)
        assert [form["budget"] for form in memory.find()] == [None]


@pytest.mark.parametrize(
    "answer",
    [
        None,
        [],
        (n for n in ()),
        Proposal(None),  # type: ignore[arg-type]
        Proposal([None]),  # type: ignore[list-item]
        Proposal([Draft("lead_profile", {"budget": SlotDraft("50万", 0.9, 5)})]),  # type: ignore[arg-type]
        Proposal([Draft("lead_profile", {"budget": SlotDraft("50万", 0.9, span=("a", "b"))})]),  # type: ignore[arg-type]
    ],
)
def test_a_malformed_answer_queues_the_message(answer: Any) -> None:
    extractor = Given(answer)
    with opened(extractor) as memory:
        receipt = memory.observe("预算50万。", time=TIME, id="m1")
        assert receipt.state == "queued"
        assert memory.health().queued == 1
        extractor.answer = Proposal([Draft("lead_profile", {"budget": SlotDraft("50万", 0.95, "50万")})])
        assert memory.work() == 1
        (form,) = memory.find()
        assert form["budget"].amount == 500_000


def test_rows_without_a_name_are_not_merged(tmp_path: Any) -> None:
    types = tmp_path / "job.yaml"
    types.write_text(JOB, encoding="utf-8")
    with opened(None, [types]) as memory:
        memory.record("job", {"quote": "5元"})
        memory.record("job", {"job_no": "J-17"})
        assert [(f["job_no"], f["quote"] is not None) for f in memory.find("job")] in (
            [(None, True), ("J-17", False)],
            [("J-17", False), (None, True)],
        )


def test_a_known_external_id_may_change_its_name(tmp_path: Any) -> None:
    types = tmp_path / "job.yaml"
    types.write_text(JOB, encoding="utf-8")
    with opened(None, [types]) as memory:
        memory.record("job", {"job_no": "J-15"}, external_id="e1")
        memory.record("job", {"job_no": "J-16"}, external_id="e1")
        (form,) = memory.find("job")
        assert (form["job_no"], form.version) == ("J-16", 2)


def test_an_answer_is_its_own_evidence() -> None:
    script = [[lead(company=slot("海蓝电子", "海蓝电子"), budget=slot("四五十万", "四五十万"))]]
    with opened(ScriptedExtractor(script)) as memory:
        memory.observe("海蓝电子预算四五十万吧。", time=TIME)
        (item,) = memory.pending()
        memory.confirm(item.id, "45万")
        (form,) = memory.find("lead_profile")
        assert form["budget"].amount == 450_000
        assert form.slots["budget"].evidence is None


def test_two_forms_of_one_name_are_told(tmp_path: Any) -> None:
    types = tmp_path / "job.yaml"
    types.write_text(JOB, encoding="utf-8")
    with opened(None, [types]) as memory:
        memory.record("job", {"quote": "5元"})
        memory.record("job", {"quote": "6元"})
        for item in memory.pending():
            memory.confirm(item.id, "J-1")
        assert len(memory.candidates()) == 1


def test_two_alternatives_are_one_form_and_one_question() -> None:
    with opened(
        ScriptedExtractor([[lead(budget=slot("50万", "50万")), lead(budget=slot("60万", "60万"))]])
    ) as memory:
        memory.observe("预算50万 60万。", time=TIME)
        (form,) = memory.find("lead_profile")
        waiting = [item for item in memory.pending() if item.slot == "budget"]
        assert (form["budget"] is None) + len(waiting) >= 1
        assert len(waiting) <= 2
