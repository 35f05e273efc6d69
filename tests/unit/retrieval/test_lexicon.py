"""Which declared words stand in a question."""

from __future__ import annotations

import pytest

from forms_dynamics import Memory
from forms_dynamics.testing import FixedClock


@pytest.mark.parametrize("question", ["我的工作单位是哪里？", "我的工作单位是什么？", "工作单位是哪里？"])
def test_of_overlapping_words_the_one_that_reaches_further_is_meant(question: str) -> None:
    with Memory.open(":memory:", clock=FixedClock("2026-06-01T00:00:00+00:00")) as memory:
        memory.record("user_profile", {"employer": "市第一医院", "occupation": "护士"}, source="user")
        memory.record("lead_profile", {"company": "海蓝电子", "budget": "50万"}, source="user")
        assert "市第一医院" in memory.recall(question).text
        assert "护士" not in memory.recall(question).text
        assert "护士" in memory.recall("我的工作是什么？").text
