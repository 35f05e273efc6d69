"""Requests in the form of questions, and questions about a thing."""

from __future__ import annotations

import pytest

from forms_dynamics.language import cues
from forms_dynamics.language.requests import seeking


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("Is there anywhere near the river that does Thai food?", "Thai"),
        ("Do you know any cheap place to stay?", "cheap"),
        ("Which museums are open on Monday?", "Monday"),
        ("What's the weather in Turin?", "Turin"),
        ("Does it have a garden? And can you find me a pub in the west?", "west"),
        ("有没有带早餐的酒店？", "早餐"),
        ("哪个景点可以玩一天？", "一天"),
        ("能帮我订个靠窗的位子吗？", "靠窗"),
        ("附近有便宜点的餐馆吗？", "便宜"),
    ],
)
def test_seeking(text: str, words: str) -> None:
    at = text.index(words)
    assert seeking(text, at, at + len(words))
    assert not cues.questioned(text, at, at + len(words))


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("Is it cheap?", "cheap"),
        ("Does this one serve Thai food?", "Thai"),
        ("它的早餐免费吗？", "免费"),
        ("这家酒店有停车场吗？", "停车场"),
        ("Is the budget 50k?", "50k"),
    ],
)
def test_asked(text: str, words: str) -> None:
    at = text.index(words)
    assert cues.questioned(text, at, at + len(words))
