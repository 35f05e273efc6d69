"""Whose words withdraw a Form: only the speaker's own."""

from __future__ import annotations

import pytest

from forms_dynamics import Memory

FIRM = "我们公司是海蓝电子，预算50万"
ACME = "Company: Acme Foods. The budget is $50k."


@pytest.mark.parametrize(
    ("before", "text"),
    [
        (FIRM, "老王说之前的方案作废"),
        (FIRM, "他说“之前的方案作废”"),
        (FIRM, "翻译一下：之前的方案作废"),
        (FIRM, "把“之前的方案作废”翻译成英文"),
        (FIRM, "你看网上写着：之前的方案作废。真逗"),
        (FIRM, "邮件里写着：之前的方案作废"),
        (FIRM, "> 之前的方案作废\n这是啥"),
        (ACME, "Tom said: forget the old plan"),
        (ACME, "According to Tom, the old plan is void"),
        (ACME, "Translate this: forget the old plan"),
        (ACME, "The website says: forget the old plan"),
        (ACME, "> forget the old plan\nlol, what is this"),
    ],
)
def test_anothers_words_withdraw_nothing(before: str, text: str) -> None:
    with Memory.open(":memory:") as memory:
        memory.observe(before, conversation="c")
        receipt = memory.observe(text, conversation="c")
        assert not receipt.versions
        assert len(memory.find("lead_profile")) == 1


@pytest.mark.parametrize(
    ("before", "text"),
    [
        (FIRM, "之前的方案作废"),
        (FIRM, "我说之前的方案作废"),
        (ACME, "Forget the old plan"),
        (ACME, "As I said, forget the old plan"),
    ],
)
def test_the_speakers_own_words_do(before: str, text: str) -> None:
    with Memory.open(":memory:") as memory:
        memory.observe(before, conversation="c")
        assert memory.observe(text, conversation="c").versions
        assert not memory.find("lead_profile")
