"""Who is quoted: reporting verbs, and quotation marks with somebody's name behind."""

from __future__ import annotations

import pytest

from forms_dynamics.language import cues
from forms_dynamics.language.units import other_unit


@pytest.mark.parametrize(
    ("text", "value", "who"),
    [
        ("“预算50万”这句话是他说的", "50万", "他"),
        ("老板说预算50万", "50万", "老板"),
        ("老板说我们预算50万", "50万", "老板"),
        ("He said: the budget is $50k", "$50k", "He"),
        ("'budget $50k' is what Tom wrote", "$50k", "Tom"),
        ("Tom told me the budget is $50k", "$50k", "Tom"),
        ("老板批了预算50万", "50万", None),
        ("老板同意预算50万", "50万", None),
        ("我说预算50万", "50万", None),
        ("I said the budget is $50k", "$50k", None),
        ("Tom said hello, but our budget is $50k", "$50k", None),
        ("预算50万", "50万", None),
        # a teller of the other language
        ("Tom 说 budget 是 50万", "50万", "tom"),
        ("my boss 说预算50万", "50万", "my boss"),
        ("Dana Reyes 告诉我预算是50万", "50万", "dana reyes"),
        ("老板 said budget is 50k", "50k", "老板"),
        ("王总 told me the budget is 50k", "50k", "王总"),
        ("PPT 写的 budget 50万", "50万", None),
        ("Order 说明 budget 50万", "50万", None),
        ("老实说 budget 50万", "50万", None),
    ],
)
def test_tellers(text: str, value: str, who: str | None) -> None:
    start = text.index(value)
    assert cues.third_party(text, start, start + len(value)) == who


def test_what_was_meant_as_nothing_is_denied() -> None:
    text = "by 'budget $50k' I meant nothing"
    start = text.index("$50k")
    assert cues.negated(text, start, start + 4)


@pytest.mark.parametrize(
    ("unit", "text", "other"),
    [("km", "35,000 miles", "miles"), ("km", "35,000 km", None), ("km", "35,000公里", None), ("days", "35,000 weeks", "weeks"),
     ("页", "35,000 km", None), ("km", "35,000 more", None)],
)  # fmt: skip
def test_units_behind_a_number(unit: str, text: str, other: str | None) -> None:
    assert other_unit(unit, text, 6) == other


@pytest.mark.parametrize(
    ("text", "value", "who"),
    [
        ("我家老爷子住在苏州", "苏州", "我家老爷子"),
        ("俺闺女住在苏州", "苏州", "俺闺女"),
        ("my old man lives in Leeds", "Leeds", "my old man"),
        ("My stepdad lives in Leeds", "Leeds", "My stepdad"),
        ("my old flat is in Leeds", "Leeds", None),
    ],
)
def test_colloquial_words_for_people(text: str, value: str, who: str | None) -> None:
    start = text.index(value)
    assert cues.third_party(text, start, start + len(value)) == who
