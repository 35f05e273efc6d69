"""A value that the user asks to forget is cleared, not asked about."""

from __future__ import annotations

import pytest

from forms_dynamics.language.cues import ends


@pytest.mark.parametrize(
    "text",
    [
        "我的居住城市别记了。",
        "忘掉我的工作单位吧",
        "那个邮箱忘了吧",
        "Please forget my home city.",
        "别再记我的生日了",
    ],
)
def test_words_that_ask_to_forget_end_a_value(text: str) -> None:
    assert ends(text)


@pytest.mark.parametrize("text", ["我住在苏州。", "My home city is Leeds.", "请记一下我的生日"])
def test_plain_words_end_nothing(text: str) -> None:
    assert not ends(text)
