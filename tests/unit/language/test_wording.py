"""Where words stand in a text, and where they only seem to."""

from __future__ import annotations

import pytest

from forms_dynamics.language.wording import places


@pytest.mark.parametrize(
    ("text", "words", "found"),
    [
        ("May or may not, MAY", "may", ["May", "may", "MAY"]),
        ("Maybe dismay", "may", []),
        ("may1 2may", "may", []),
        ("預算是五十萬", "五十万", ["五十萬"]),
        ("五十万五十万", "五十万", ["五十万", "五十万"]),
        ("500, 1,500 and 500,000 or 0.500", "500", ["500"]),
        ("pay 500, then 500.", "500", ["500", "500"]),
        ("500k", "500", []),
        ("500元", "500", ["500"]),
        ("$500, -500", "500", ["500", "500"]),
        (".5 or 3.5", "5", ["5"]),
        ("anan ana", "ana", ["ana"]),
        ("a(b)a(b)", "(b)", ["(b)", "(b)"]),
        ("anything", "", []),
    ],
)
def test_words_are_found_where_they_stand_alone(text: str, words: str, found: list[str]) -> None:
    assert [text[a:b] for a, b in places(text, words)] == found
