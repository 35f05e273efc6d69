"""Forms of English words: what they share, and how they are spelled."""

from __future__ import annotations

import pytest

from forms_dynamics.language.stems import spellings, stem


@pytest.mark.parametrize(
    "words",
    [
        "paint paints painted painting", "hike hikes hiked hiking", "run runs ran running", "story stories",
        "study studies studied studying", "plan plans planned planning", "go goes went gone going",
        "child children", "box boxes", "class classes", "write writes wrote written writing", "quick quickly",
    ],
)  # fmt: skip
def test_forms_of_a_word_share_a_stem_and_find_each_other(words: str) -> None:
    forms = words.split()
    assert len({stem(word) for word in forms}) == 1
    base = forms[0]
    assert set(forms) <= set(spellings(base)) | {"quickly"}
    for word in forms:
        assert spellings(word)[0] == word
        assert base in spellings(word)


@pytest.mark.parametrize("word", ["付款", "月结", "c", "4th", "30", "bus", "this", "bless", "ging"])
def test_what_has_no_such_forms_stays(word: str) -> None:
    assert stem(word) == word


def test_words_that_only_look_alike_stay_apart() -> None:
    assert stem("number") != stem("numb")
    assert stem("use") != stem("us")
    assert stem("thing") != stem("the")
    assert len(spellings("paint")) <= 8
