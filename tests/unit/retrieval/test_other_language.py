"""Facts are found by questions in the other language, and a word inside a name is the name."""

from __future__ import annotations

import pytest

from forms_dynamics import Memory

TIME = "2026-11-30T10:00:00+08:00"


@pytest.mark.parametrize(
    ("texts", "question", "answer"),
    [
        (["我对花生过敏，我住在苏州"], "What am I allergic to?", "花生"),
        (["我对花生过敏，我住在苏州"], "Where do I live?", "苏州"),
        (["我对花生过敏，我住在苏州"], "我 allergic to 什么？", "花生"),
        (["I'm allergic to peanuts. I live in Leeds."], "我对什么过敏？", "peanuts"),
        (["I'm allergic to peanuts. I live in Leeds."], "我住在哪里？", "Leeds"),
        (["我出生于1990年5月3日。"], "When was I born?", "1990-05-03"),
        (["I was born on May 3, 1990."], "我什么时候出生的？", "1990-05-03"),
        (["会议主题：季度评审，会议地点：三楼", "我住在苏州"], "Where do I live?", "苏州"),
        (["我妈对花生过敏。", "我对芒果过敏。"], "What am I allergic to?", "芒果"),
        (["我妈对花生过敏。", "我对芒果过敏。"], "What is my mom allergic to?", "花生"),
    ],
)
def test_the_other_language(texts: list[str], question: str, answer: str) -> None:
    with Memory.open(":memory:") as memory:
        for text in texts:
            memory.observe(text, speaker="小周", time=TIME)
        lines = memory.recall(question).text.splitlines()[2:-1]
        assert len(lines) == 1
        assert answer in lines[0]


@pytest.mark.parametrize("question", ["谁参加季度评审？", "季度评审有谁参加？", "Who attends 季度评审?"])
def test_a_word_inside_a_name_is_the_name(question: str) -> None:
    with Memory.open(":memory:") as memory:
        memory.observe(
            "会议主题：季度评审，参会人员：张伟、李娜，会议文档：预算表", speaker="小周", time=TIME
        )
        text = memory.recall(question).text
        assert "张伟" in text
        assert "李娜" in text
        assert "预算表" not in text
        assert "预算表" in memory.recall("季度评审的评审文档是什么？").text
