"""The back-check: what would be written is compared with the message; read once more, then refused."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from datetime import UTC, datetime
from typing import Any

import pytest

from forms_dynamics import Memory
from forms_dynamics.extraction.backcheck import ask_model, checked
from forms_dynamics.extraction.gate import gate
from forms_dynamics.extraction.grammar import parse_drafts
from forms_dynamics.model.answer import Answer
from forms_dynamics.model.message import Cost, Message
from forms_dynamics.schema.load import load_catalog
from forms_dynamics.settings import Settings
from forms_dynamics.testing import ScriptedExtractor

LEAD, QUOTE, TASTE = "lead_profile", "quote_form", "preference"
# message, type, what an extractor read, slots that are refused, slots that stay
WRONG: list[tuple[str, str, dict[str, Any], set[str], set[str]]] = [
    ("联系人李雷，公司海蓝电子", LEAD, {"company": "李雷", "contact_name": "海蓝电子"}, {"company", "contact_name"}, set()),
    ("首付30万，总价100万", QUOTE, {"amount": {"value": "30万", "evidence": "首付30万"}}, {"amount"}, set()),
    ("Contact: Dana Reyes, company: Acme", LEAD, {"company": "Dana Reyes", "contact_name": "Acme"}, {"company", "contact_name"}, set()),
    ("生效日期是3月1日，有效期至9月1日", QUOTE, {"valid_from": "9月1日", "valid_until": "3月1日"}, {"valid_from", "valid_until"}, set()),
    ("我喜欢咖啡，不喜欢茶", TASTE, {"liked": {"value": ["咖啡"], "negated": True}}, {"liked"}, set()),
    ("I like coffee.", TASTE, {"liked": {"value": ["coffee"], "negated": True}}, {"liked"}, set()),
    ("公司是海蓝电子，预算50万", LEAD, {"company": "海蓝电子", "budget": "50万"}, set(), {"company", "budget"}),
    ("预算从50万改到60万", LEAD, {"budget": {"value": "60万", "correction": True}}, set(), {"budget"}),
    ("The budget is 50k, no, actually 60k USD", LEAD, {"budget": "60k USD"}, set(), {"budget"}),
    ("I can't stand coffee", TASTE, {"liked": {"value": ["coffee"], "negated": True}}, set(), {"liked"}),
    ("芒果我一口都吃不了", TASTE, {"liked": {"value": ["芒果"], "negated": True}}, set(), {"liked"}),
]  # fmt: skip


def scripted(*entries: Any, **settings: Any) -> Memory:
    return Memory.open(
        ":memory:",
        extractor=ScriptedExtractor(list(entries)),
        settings={"timezone": "Asia/Shanghai", **settings},
    )


@pytest.mark.parametrize(("text", "form_type", "slots", "refused", "kept"), WRONG)
def test_only_what_the_message_says_of_a_slot_is_written(
    text: str, form_type: str, slots: Mapping[str, Any], refused: set[str], kept: set[str]
) -> None:
    draft = [{"form_type": form_type, "slots": slots}]
    with scripted(draft) as memory:
        receipt = memory.observe(text, time="2026-01-10T09:00:00+08:00")
        assert {r.slot for r in receipt.refused if r.reason.startswith("back-check")} == refused
        written = {
            name
            for id in receipt.forms
            for name, slot in memory.get(id).slots.items()
            if slot.value is not None or slot.avoided
        }
        assert written == kept
    with scripted(draft, back_check="off") as memory:
        receipt = memory.observe(text, time="2026-01-10T09:00:00+08:00")
        assert not receipt.refused


class Second:
    """Reads a message wrongly at first, and rightly or wrongly again when asked once more."""

    def __init__(self, *answers: Sequence[Mapping[str, Any]] | Exception) -> None:
        self.answers = list(answers)
        self.calls = 0

    def extract(self, message: Message, known: Any) -> Any:
        from forms_dynamics import Proposal

        answer = self.answers[min(self.calls, len(self.answers) - 1)]
        self.calls += 1
        if isinstance(answer, Exception):
            raise answer
        return Proposal(parse_drafts(answer), Cost(model_calls=1, tokens_in=100, tokens_out=10))


SWAPPED = [{"form_type": LEAD, "slots": {"company": "李雷", "contact_name": "海蓝电子"}}]
RIGHT = [{"form_type": LEAD, "slots": {"company": "海蓝电子", "contact_name": "李雷"}}]
TEXT = "联系人李雷，公司海蓝电子"


def test_a_form_that_disagrees_is_read_once_more() -> None:
    second = Second(SWAPPED, RIGHT)
    with Memory.open(":memory:", extractor=second) as memory:
        receipt = memory.observe(TEXT)
        assert second.calls == receipt.cost.model_calls == 2
        assert not receipt.refused
        form = memory.get(receipt.forms[0])
        assert (form["company"], form["contact_name"]) == ("海蓝电子", "李雷")


@pytest.mark.parametrize("again", [SWAPPED, ConnectionError("down")])
def test_what_disagrees_again_is_refused_and_the_message_is_not_lost(again: Any) -> None:
    second = Second(SWAPPED, again)
    with Memory.open(":memory:", extractor=second) as memory:
        receipt = memory.observe(TEXT)
        assert second.calls == 2
        assert receipt.state == "refused"
        assert not memory.find(LEAD)


def test_an_extractor_that_verifies_by_itself_is_not_asked_again() -> None:
    second = Second(SWAPPED, RIGHT)
    second.verifies = True  # type: ignore[attr-defined]
    with Memory.open(":memory:", extractor=second) as memory:
        assert memory.observe(TEXT).state == "refused"
        assert second.calls == 1


def message(text: str) -> Message:
    return Message("m", text, "user", "user", "c", datetime(2026, 1, 10, tzinfo=UTC))


def test_an_extractor_is_told_what_is_wrong() -> None:
    catalog = load_catalog([LEAD])
    said = message(TEXT)

    def found(drafts: Any) -> Any:
        ((gated,), _) = gate(said, parse_drafts(drafts), catalog, Settings())
        return checked(gated, said, catalog.types[LEAD])

    wrong = found(SWAPPED)
    assert set(wrong.slots) == {"company", "contact_name"}
    assert "海蓝电子" in wrong.told()
    assert "of company" in wrong.told()
    assert found(RIGHT) is None


class Judge:
    """Finds the numbered statements that it was given wrong."""

    def __init__(self, *wrong: int) -> None:
        self.wrong, self.asked, self.told = list(wrong), 0, ""

    def __call__(self, prompt: Any, reply: Any) -> Answer:
        self.asked += 1
        self.told = prompt[-1]["content"]
        return Answer(reply(wrong=self.wrong).model_dump(), Cost(1, 50, 5))


def test_a_model_checks_slot_by_slot_in_one_call() -> None:
    catalog = load_catalog([LEAD])
    drafts = parse_drafts([{"form_type": LEAD, "slots": {"budget": "90万", "company": "海蓝电子"}}])
    said = message("我们是海蓝电子，预算90万")
    judge = Judge(1, 7)
    found, cost = ask_model(judge, drafts, said, catalog, Settings())
    assert ">\n我们是海蓝电子，预算90万\n</message-" in judge.told
    assert set(found) == {0}
    assert set(found[0].slots) == {"budget"}
    assert cost.model_calls == judge.asked == 1
    assert ask_model(Judge(), drafts, said, catalog, Settings())[0] == {}
    nothing = Judge()
    assert ask_model(nothing, [], said, catalog, Settings())[0] == {}
    assert nothing.asked == 0


@pytest.mark.parametrize(("redact", "sent"), [("model", False), ("off", True)])
def test_no_secret_reaches_the_model_that_checks(redact: str, sent: bool) -> None:
    secret = "sk-abcdEFGH1234567890abcdEFGH1234567890"
    drafts = parse_drafts([{"form_type": LEAD, "slots": {"company": "海蓝电子"}}])
    judge = Judge()
    ask_model(
        judge,
        drafts,
        message(f"我们是海蓝电子，密钥是{secret}"),
        load_catalog([LEAD]),
        Settings(redact=redact),
    )
    assert "海蓝电子" in judge.told
    assert (secret in judge.told) == sent
