"""Agreement in a conversation: the assistant's words, the user's yes; and answers to what waits."""

from __future__ import annotations

from typing import Any

import pytest

from forms_dynamics import Memory, Money
from forms_dynamics.testing import ScriptedExtractor

CNY = "CNY"
FIRM = "我们是海蓝电子"
ACME = "Company: Acme Foods."
BOOKING = """
form_type: booking
version: 1
description: {en: A table at a restaurant., zh: 餐厅订位}
aliases: [订位, booking]
identity: [$conversation]
slots:
  needs_invoice: {type: boolean, description: {en: Whether an invoice is wanted., zh: 是否要发票}, aliases: [发票, invoice]}
  outdoor: {type: boolean, description: {en: Whether it is outside., zh: 是否室外}, aliases: [室外座位, outdoor seating]}
  party: {type: integer, description: {en: How many people come., zh: 人数}, aliases: [人数, party size]}
"""


def open_memory(**options: Any) -> Memory:
    return Memory.open(":memory:", settings={"timezone": "Asia/Shanghai"}, **options)


def talk(memory: Memory, *lines: str) -> Any:
    """Lines of a conversation, the assistant's marked ">"; the last receipt."""
    receipt = None
    for i, line in enumerate(lines):
        receipt = memory.observe(
            line.removeprefix("> "), role="assistant" if line[0] == ">" else "user", conversation="c",
            id=f"m{i}", time=f"2026-03-{i + 1:02}T09:00:00+08:00",
        )  # fmt: skip
    return receipt


# what was said before, the turn, the answer, and the slots that the answer makes known
AGREED: list[tuple[str, str, str, dict[str, Any]]] = [
    (FIRM, "要我把预算定为60万吗？", "对，就这个", {"budget": Money(600000, CNY)}),
    (FIRM, "建议预算定在60万，分三期付款。", "好的就按这个来", {"budget": Money(600000, CNY), "payment_terms": "分三期付款"}),
    (FIRM, "建议预算定在60万，分三期付款。您看可以吗？", "就按你说的", {"budget": Money(600000, CNY), "payment_terms": "分三期付款"}),
    (FIRM, "您的预算是60万，对吗？", "嗯，对", {"budget": Money(600000, CNY)}),
    (FIRM, "您的预算是60万，对吗？", "对，電話13800138000", {"budget": Money(600000, CNY), "phone": "13800138000"}),
    (FIRM, "预算是60万吗？交期是6月底吗？", "都对", {"budget": Money(600000, CNY), "deadline": "2026-06-30"}),
    (FIRM, "要我把预算定为60万吗？", "可以，但改成50万", {"budget": Money(500000, CNY)}),
    (ACME, "Shall I set the budget to $60k?", "yes, do that", {"budget": Money(60000, "USD")}),
    (ACME, "I suggest a budget of 60k USD. What do you think?", "Sounds good, go with that.", {"budget": Money(60000, "USD")}),
    (ACME, "I suggest a budget of 60k USD.", "Yes, but make it 50k USD", {"budget": Money(50000, "USD")}),
    (ACME, "How about a budget of 60k USD?", "OK", {"budget": Money(60000, "USD")}),
    (FIRM, "要我把 budget 定为60万吗？", "yes，就这个", {"budget": Money(600000, CNY)}),
]  # fmt: skip


@pytest.mark.parametrize(("before", "turn", "answer", "known"), AGREED)
def test_agreement_makes_the_proposal_the_users(
    before: str, turn: str, answer: str, known: dict[str, Any]
) -> None:
    with open_memory() as memory:
        receipt = talk(memory, before, f"> {turn}", answer)
        (form,) = memory.find("lead_profile")
        told = {k: str(v.value) for k, v in form.slots.items() if k != "company"}
        assert told == {k: str(v) for k, v in known.items()}
        assert not receipt.pending
        slot = form.slots[next(iter(known))]
        assert slot.source == "user"
        assert slot.evidence is not None
        assert slot.evidence.message_id == "m2"
        why = memory.why(form.id, next(iter(known)))
        if "改成" not in answer and "make it" not in answer:
            assert why.agreed is not None
            assert why.agreed.message_id == "m1"
            assert why.agreed.text in turn
            assert why.agreed.text in str(why)


# not agreed to: nothing at all, or a question
NOTHING = [
    (FIRM, "建议预算定在60万。", "好的谢谢"),
    (FIRM, "建议预算定在60万。", "收到，辛苦了"),
    (FIRM, "要我把预算定为60万吗？", "不要这个"),
    (FIRM, "要我把预算定为60万吗？", "算了，再考虑一下"),
    (FIRM, "要我把预算定为60万吗？", "对面那家报价多少？"),
    (ACME, "I suggest a budget of 60k USD.", "Got it, thanks!"),
    (ACME, "Shall I set the budget to $60k?", "No, thanks."),
    (FIRM, "我们已收到您的资料。", "对"),
]
ASKED = [
    (FIRM, "建议预算定在60万。", "好的", "proposal"),
    (FIRM, "要我把预算定为60万吗？", "好的谢谢", "proposal"),
    (FIRM, "要我把预算定为60万吗？", "可以，如果能分期的话", "proposal"),
    (FIRM, "要我把预算定为60万吗？", "应该是吧", "hedged"),
    (FIRM, "预算定50万还是60万？", "对", "ambiguous_value"),
    (FIRM, "如果预算是60万，可以吗？", "对", "proposal"),
    (ACME, "Is your budget 50k USD or 60k USD?", "yes", "ambiguous_value"),
    (ACME, "Shall I set the budget to $60k?", "I think so", "hedged"),
]


@pytest.mark.parametrize(("before", "turn", "answer"), NOTHING)
def test_politeness_and_refusal_agree_to_nothing(before: str, turn: str, answer: str) -> None:
    with open_memory() as memory:
        receipt = talk(memory, before, f"> {turn}", answer)
        assert not receipt.versions
        assert not receipt.pending
        assert memory.find("lead_profile")[0].slots.keys() == {"company"}


@pytest.mark.parametrize(("before", "turn", "answer", "reason"), ASKED)
def test_what_is_not_plainly_agreed_to_is_asked(before: str, turn: str, answer: str, reason: str) -> None:
    with open_memory() as memory:
        receipt = talk(memory, before, f"> {turn}", answer)
        (item,) = memory.pending()
        assert (item.slot, item.reason) == ("budget", reason)
        assert receipt.state == "held"
        assert memory.find("lead_profile")[0]["budget"] is None
        if reason == "ambiguous_value":
            assert len(item.candidates) == 2
            talk(memory, before, f"> {turn}", answer, item.candidates[1])
            assert str(memory.find("lead_profile")[0]["budget"].amount) in ("600000", "60000")
        else:
            memory.confirm(item.id)
            why = memory.why(memory.find("lead_profile")[0].id, "budget")
            assert why.agreed is not None


def test_only_the_turn_right_before_is_agreed_to() -> None:
    with open_memory() as memory:
        receipt = talk(memory, FIRM, "> 要我把预算定为60万吗？", "等一下", "对，就这个")
        assert not receipt.versions
        assert memory.find("lead_profile")[0]["budget"] is None


@pytest.mark.parametrize(
    ("before", "turns", "answer"),
    [
        (FIRM, ("您的预算是60万，对吗？", "您有孩子吗？"), "是的"),
        (ACME, ("Is your budget 60k USD?", "Do you have kids?"), "yes"),
        (FIRM, ("要不要把60万的预算取消掉？",), "对，就这样"),
        (FIRM, ("要我删掉60万的预算吗？",), "好的"),
        (ACME, ("Shall I drop the budget of $60k?",), "yes do that"),
        (ACME, ("Should I remove the budget of $60k?",), "Yes please"),
    ],
)
def test_what_was_not_proposed_last_or_is_to_end_is_not_agreed_to(
    before: str, turns: tuple[str, ...], answer: str
) -> None:
    with open_memory() as memory:
        receipt = talk(memory, before, *(f"> {turn}" for turn in turns), answer)
        assert memory.find("lead_profile")[0]["budget"] is None
        assert not receipt.versions


@pytest.mark.parametrize(
    ("before", "turn", "answer"),
    [
        (FIRM, "我建议预算定60万，可以吗？", "行，等我老板同意"),
        (FIRM, "我建议预算定60万，可以吗？", "行，得我老婆点头"),
        (FIRM, "要我把预算定为60万吗？", "好啊，才怪"),
        (FIRM, "要我把预算定为60万吗？", "对对对，你说的都对，呵呵"),
        (FIRM, "要我把预算定为60万吗？", "对，就这个，个鬼"),
        (FIRM, "要我把预算定为60万吗？", "可以可以，你开心就好"),
        (FIRM, "要我把预算定为60万吗？", "行吧，随便"),
        (FIRM, "要我把预算定为60万吗？", "可以，但我还得再看看"),
        (ACME, "Shall I set the budget to $60k?", "sure, when pigs fly"),
        (ACME, "Shall I set the budget to $60k?", "yes, once my boss agrees"),
        (ACME, "Shall I set the budget to $60k?", "sure, whatever"),
        (ACME, "Shall I set the budget to $60k?", "yes but 70"),
        (ACME, "Shall I set the budget to $60k?", "yes, but I am not happy with it"),
    ],
)
def test_a_reservation_a_condition_or_irony_makes_nothing_known(before: str, turn: str, answer: str) -> None:
    with open_memory() as memory:
        talk(memory, before, f"> {turn}", answer)
        assert memory.find("lead_profile")[0]["budget"] is None


def test_a_recalled_fact_that_is_agreed_to_is_confirmed() -> None:
    with open_memory() as memory:
        talk(memory, "我对芒果过敏。", "> 你对芒果过敏，对吗？", "对")
        (form,) = memory.find("user_profile")
        slot = form.slots["allergies"]
        assert slot.confirmed_at is not None
        assert slot.confirmed_at.day == 3
        assert form.version == 1


@pytest.mark.parametrize(
    ("turn", "answer", "slot", "value"),
    [
        ("需要发票吗？", "不用", "needs_invoice", False),
        ("需要发票吗？", "需要", "needs_invoice", True),
        ("不需要发票，对吗？", "对", "needs_invoice", False),
        ("Do you need an invoice?", "No thanks", "needs_invoice", False),
        ("Would you like outdoor seating?", "Yes please", "outdoor", True),
        ("A party size of 4, right?", "Exactly.", "party", 4),
    ],
)
def test_yes_and_no_answer_yes_or_no_slots(
    turn: str, answer: str, slot: str, value: Any, tmp_path: Any
) -> None:
    (tmp_path / "booking.yaml").write_text(BOOKING, encoding="utf-8")
    with open_memory(form_types=[tmp_path / "booking.yaml"]) as memory:
        talk(memory, "hi", f"> {turn}", answer)
        (form,) = memory.find("booking")
        assert {k: v.value for k, v in form.slots.items()} == {slot: value}
        evidence = form.slots[slot].evidence
        assert evidence is not None
        assert evidence.text in answer


def test_yes_to_two_questions_is_asked(tmp_path: Any) -> None:
    (tmp_path / "booking.yaml").write_text(BOOKING, encoding="utf-8")
    with open_memory(form_types=[tmp_path / "booking.yaml"]) as memory:
        receipt = talk(memory, "hi", "> Would you like outdoor seating? Do you need an invoice?", "yes")
        assert receipt.state == "held"
        assert all(slot.value is None for form in memory.find("booking") for slot in form.slots.values())


# -- what a model or a script says of agreement --------------------------------------------------------------
def agree(value: Any, agreed: Any = True, evidence: str | None = None, slot: str = "budget") -> list[Any]:
    return [
        {
            "form_type": "lead_profile",
            "slots": {slot: {"value": value, "agreed": agreed, "evidence": evidence}},
        }
    ]


@pytest.mark.parametrize(
    ("turn", "answer", "draft", "outcome"),
    [
        ("预算60万怎么样？", "对，就这个", agree("60万"), "known"),
        ("预算60万怎么样？", "就这个", agree("60万", {"message": "m0", "words": "预算60万"}), "known"),
        ("预算60万怎么样？", "就这个", agree("60万", "60万", "就这个"), "known"),
        ("预算60万怎么样？", "对，就这个", agree("90万"), "refused"),  # not in the turn
        ("预算60万怎么样？", "对，就这个", agree("90万", "预算60万"), "held"),  # the words do not give it
        ("预算60万怎么样？", "不要", agree("60万"), "refused"),
        ("预算60万怎么样？", "今天天气不错", agree("60万"), "refused"),
        ("预算60万怎么样？", "收到", agree("60万"), "held"),
        ("预算60万怎么样？", "对", agree("60万", {"message": "m9", "words": "60万"}), "refused"),
        ("客户说预算60万。", "收到", agree("60万"), "refused"),
    ],
)
def test_a_drafted_agreement_is_believed_only_where_both_say_so(
    turn: str, answer: str, draft: Any, outcome: str
) -> None:
    with open_memory(extractor=ScriptedExtractor([[], draft])) as memory:
        receipt = talk(memory, f"> {turn}", answer)
        known = [f for f in memory.find("lead_profile") if f["budget"] is not None]
        assert bool(known) == (outcome == "known")
        assert bool(receipt.refused) == (outcome == "refused")
        assert any(p.slot == "budget" for p in memory.pending()) == (outcome == "held")


def test_a_malformed_agreement_queues_the_message() -> None:
    with open_memory(extractor=ScriptedExtractor([[], agree("60万", 7)])) as memory:
        assert talk(memory, "> 预算60万怎么样？", "就这个").state == "queued"


# -- every way in --------------------------------------------------------------------------------------------
LOG = [
    {"id": "m0", "text": FIRM, "conversation": "c", "time": "2026-03-01T09:00:00+08:00"},
    {"id": "m1", "text": "要我把预算定为60万吗？", "role": "assistant", "conversation": "c", "time": "2026-03-01T09:01:00+08:00"},
    {"id": "m2", "text": "对，就这个", "conversation": "c", "time": "2026-03-01T09:02:00+08:00"},
]  # fmt: skip


def test_a_batch_a_queue_and_a_dry_run_agree_alike() -> None:
    with open_memory() as memory:
        memory.observe_many(LOG)
        assert memory.find("lead_profile")[0]["budget"] == Money(600000, CNY)
    with open_memory() as memory:
        for raw in LOG:
            memory.observe(**raw, wait=False)  # type: ignore[arg-type]
        assert memory.work() == 3
        assert memory.find("lead_profile")[0]["budget"] == Money(600000, CNY)
    with open_memory() as memory:
        memory.observe_many(LOG[:2])
        shown = memory.observe(**LOG[2], dry_run=True)  # type: ignore[arg-type]
        assert shown.versions
        assert memory.find("lead_profile")[0]["budget"] is None
        assert memory.observe(**LOG[2]).versions == shown.versions  # type: ignore[arg-type]


def test_edits_and_deletions_take_back_what_was_agreed() -> None:
    def budget(memory: Memory) -> Any:
        return memory.find("lead_profile")[0]["budget"]

    with open_memory() as memory:
        memory.observe_many(LOG)
        memory.observe("不要", id="m2", conversation="c", edit=True)
        assert budget(memory) is None
        memory.observe("对，就这个", id="m2", conversation="c", edit=True)
        assert budget(memory) == Money(600000, CNY)
        memory.observe("要我把预算定为70万吗？", id="m1", role="assistant", conversation="c", edit=True)
        assert budget(memory) == Money(700000, CNY)
        memory.observe("要发一份资料给您吗？", id="m1", role="assistant", conversation="c", edit=True)
        assert budget(memory) is None
    for erased in ("m1", "m2"):
        with open_memory() as memory:
            memory.observe_many(LOG)
            memory.erase(message=erased)
            assert budget(memory) is None
            assert memory.find("lead_profile")[0]["company"] == "海蓝电子"
            assert memory.verify().ok


def test_agreement_survives_export_rebuild_and_load() -> None:
    with open_memory() as memory, open_memory() as other:
        memory.observe_many(LOG)
        memory.rebuild()
        other.load(memory.export())
        for one in (memory, other):
            form = one.find("lead_profile")[0]
            agreed = one.why(form.id, "budget").agreed
            assert agreed is not None
            assert agreed.text == "60万"


# -- answers to what waits -----------------------------------------------------------------------------------
ABOUT = "我们是海蓝电子，预算大概50万"
QUESTION = "> 您提到的预算，是确切的数字还是初步意向？"


@pytest.mark.parametrize(
    ("lines", "value"),
    [
        ((ABOUT, "确切的，就是50万"), 500000),
        ((ABOUT, QUESTION, "确切的，就是50万"), 500000),
        ((ABOUT, QUESTION, "确切的"), 500000),
        ((ABOUT, QUESTION, "60万"), 600000),
        ((ABOUT, QUESTION, "不是，是60万"), 600000),
        ((ABOUT, QUESTION, "对"), None),
        ((ABOUT, QUESTION, "大概吧"), None),
        ((ABOUT, "好的"), None),
        (("Company: Acme. The budget is about 500k", "> Is the budget you mentioned a firm figure or a first idea?", "yes exactly 500k"), 500000),
    ],
)  # fmt: skip
def test_a_plain_answer_confirms_what_waits(lines: tuple[str, ...], value: int | None) -> None:
    with open_memory() as memory:
        talk(memory, *lines)
        (form,) = memory.find("lead_profile")
        if value is None:
            assert form["budget"] is None
            assert any(p.slot == "budget" for p in memory.pending())
            return
        assert form["budget"].amount == value
        assert not memory.pending()
        slot = form.slots["budget"]
        assert slot.evidence is not None
        assert slot.evidence.message_id == f"m{len(lines) - 1}"
        assert slot.confidence == 1.0


def test_a_no_refuses_what_waits_and_an_edit_opens_it_again() -> None:
    with open_memory() as memory:
        talk(memory, ABOUT, "> 您提到的预算，是确切的数字还是初步意向？", "不是")
        assert not memory.pending()
        memory.observe("我再问问财务", id="m2", conversation="c", edit=True)
        (item,) = memory.pending()
        assert item.slot == "budget"
        memory.observe("确切的", id="m2", conversation="c", edit=True)
        assert memory.find("lead_profile")[0]["budget"] == Money(500000, CNY)
        assert not memory.pending()
