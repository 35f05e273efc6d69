"""Places of a text that are looked up by where they stand give what going through all of them gives."""

from __future__ import annotations

import random
from typing import NamedTuple

import pytest

from forms_dynamics.language.clauses import sentence_of
from forms_dynamics.language.lazy import last_match, lazy, matches
from forms_dynamics.language.spans import (
    Apart,
    Covering,
    Placed,
    any_between,
    distance,
    last_sign,
    merged,
    overlaps,
    reach_back,
    reach_on,
    skip_space,
)


class Span(NamedTuple):
    start: int
    end: int


def drawn(seed: int, many: int = 30) -> list[Span]:
    draw = random.Random(seed)
    return [Span(at, at + draw.randint(1, 9)) for at in draw.choices(range(80), k=many)]


@pytest.mark.parametrize("seed", range(20))
def test_spans_are_found_as_by_going_through_all(seed: int) -> None:
    spans, asked = drawn(seed), drawn(seed + 100)
    covering, placed, union = Covering(spans), Placed(spans), merged(spans)
    for start, end in (*spans, *asked):
        longer = [s for s in spans if s.start <= start and end <= s.end and s.end - s.start > end - start]
        assert covering.has(start, end) == bool(longer)
        assert overlaps(union, start, end) == any(s.start < end and start < s.end for s in spans)
        assert placed.beginning(start, end) == [s for s in spans if start <= s.start <= end]
        assert placed.ending(start, end) == [s for s in spans if start <= s.end <= end]
        beside = [s for s in spans if start - 5 <= s.end <= start or end <= s.start <= end + 5]
        assert placed.beside(start - 5, start, end, end + 5) == beside


@pytest.mark.parametrize("seed", range(20))
def test_of_overlapping_spans_the_first_is_kept(seed: int) -> None:
    kept: list[Span] = []
    apart = Apart()
    for start, end in drawn(seed):
        free = not any(start < s.end and s.start < end for s in kept)
        assert apart.overlaps(start, end) != free
        assert apart.add(start, end) == free
        if free:
            kept.append(Span(start, end))


def test_places_in_order() -> None:
    places = [3, 8, 20]
    assert [any_between(places, low, low + 2) for low in (0, 1, 4, 8, 21)] == [
        False,
        True,
        False,
        True,
        False,
    ]
    assert [distance(places, at) for at in (0, 5, 7, 8, 30)] == [3, 2, 1, 0, 10]
    text = "a “b” c “d"
    assert [last_sign(text, "“", at) for at in range(len(text) + 1)] == [
        text.rfind("“", 0, at) for at in range(len(text) + 1)
    ]


def test_what_stands_right_beside_is_reached_over_any_space() -> None:
    text = "from" + " " * 50 + "the  day"
    assert text[reach_back(text, text.index("day"), 7) :].startswith("from")
    assert reach_back(text, 2, 7) == 0
    assert reach_on(text, 4, 3) == text.index("the") + 3
    assert skip_space(text, 4) == text.index("the")
    assert skip_space("a ", 1) == 2


def test_a_pattern_finds_the_same_in_a_long_stretch() -> None:
    draw = random.Random(3)
    pattern = lazy(r"\b(?:if|when) [a-z]+(?= )|如果.{0,3}")
    text = "".join(
        draw.choices(["if so ", "word ", "如果下雨", "when ", "，"], weights=[1, 60, 1, 1, 5], k=2000)
    )
    for _ in range(200):
        low, high = sorted(draw.choices(range(len(text)), k=2))
        plain = [m.span() for m in pattern.finditer(text, low, high)]
        assert [m.span() for m in matches(pattern, text, low, high)] == plain
        last = last_match(pattern, text, low, high)
        assert (None if last is None else last.span()) == (plain[-1] if plain else None)


def test_the_sentence_around_words() -> None:
    text = "One. Two, 2.5 three! 四。五"
    assert [text[slice(*sentence_of(text, at, at + 1))] for at in (0, 5, 10, 22, 24)] == [
        "One.",
        " Two, 2.5 three!",
        " Two, 2.5 three!",
        " 四。",
        "五",
    ]
