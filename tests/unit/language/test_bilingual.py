"""Patterns of both languages find the same, whether a text holds any Chinese or not."""

from __future__ import annotations

import re

import pytest

from forms_dynamics.language.bilingual import Bilingual
from forms_dynamics.retrieval import restricting, words

PATTERNS = {
    name: found
    for module in (words, restricting)
    for name, found in vars(module).items()
    if isinstance(found, Bilingual)
}
# each is found by several of them; what stands between has marks and digits that Chinese patterns hold, too
ASKED = (
    "What was the budget before we changed it, and who set it?",
    "Why is it so? List every quote between 10-20, A/B & C, as of May; trace everything related to the status",
    "before we sign, is that the last price? how come nobody knows: previously 5 ~ 6",
    "Which of the two (or both) [x] did they use to buy!",
    "",
)


@pytest.mark.parametrize("name", PATTERNS)
def test_no_chinese_way_of_saying_is_left_out(name: str) -> None:
    pattern = PATTERNS[name]
    whole = re.compile(pattern._both.pattern, pattern._both.flags)
    for text in ASKED:
        spans = [m.span() for m in whole.finditer(text)]
        assert [m.span() for m in pattern.finditer(text)] == spans
        assert (pattern.search(text) is not None) == bool(spans)


def test_both_languages_are_found() -> None:
    pattern = Bilingual("之前|谁", r"\bwho\b")
    assert [m.group() for m in pattern.finditer("who? 谁 was it 之前")] == ["who", "谁", "之前"]
    assert pattern.search("Who") is None
    assert Bilingual("谁", "who", re.I).search("Who") is not None
