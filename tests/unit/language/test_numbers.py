"""Numbers: every notation of the two languages, what is vague, and what is no number."""

from __future__ import annotations

from decimal import Decimal

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from forms_dynamics.language.numbers import find_numbers, read_number
from forms_dynamics.model.value import Range

EXACT = {
    "13万2": 132000, "3万2": 32000, "两万五": 25000, "两千三": 2300, "25万6千": 256000, "一百二": 120, "3千5": 3500,
    "十万零五千": 105000, "十万五千": 105000, "五十万零五千": 505000, "壹拾万零叁仟肆佰伍拾叁": 103453,
    "一百九十万零三千九百七十一": 1903971, "1.2亿": 120000000, "1亿2000万": 120000000, "一亿二千万": 120000000, "三点五万": 35000,
    "半个亿": 50000000, "两个亿": 200000000, "一万半": 15000, "50 万": 500000, "50w": 50, "５０万": 500000, "１２３": 123,
    "五十萬": 500000, "兩千": 2000, "廿五": 25, "一千零一": 1001, "一千零一十": 1010, "一万零五百": 10500, "二十三": 23, "十五": 15,
    "二〇二六": 2026, "一百零二": 102, "贰佰": 200, "3.5万": 35000,
    "120k": 120000, "1.2M": 1200000, "4.7 billion": 4700000000, "twelve thousand": 12000, "half a million": 500000,
    "1,234,567.89": "1234567.89", "12,345,678,901,234.56": "12345678901234.56", "3.500,00": "3500.00", "1.234.567": 1234567,
    "1'234'567": 1234567, "12,34,567": 1234567, "two and a half million": 2500000, "a hundred and twenty": 120, "0.10": "0.10",
    "three hundred and fifty thousand": 350000, "twenty-five": 25, "five point two million": 5200000, "quarter of a million": 250000, "20 grand": 20000,
    "5 lakh": 500000, "3bn": 3000000000, "-5": -5,
}  # fmt: skip


@pytest.mark.parametrize(("text", "value"), EXACT.items())
def test_exact(text: str, value: object) -> None:
    found = read_number(text)
    assert found is not None
    assert found.value == Decimal(str(value))
    assert str(found.value) == str(Decimal(str(value)))
    assert not found.vague


VAGUE = {
    "四五十万": (400000, 500000), "三十几万": (300000, 399999), "好几十万": (200000, 1000000), "几十万": (200000, 1000000),
    "数十万": (200000, 1000000), "几万": (20000, 100000), "三四百": (300, 400), "一两万": (10000, 20000), "两、三万": (20000, 30000),
    "百八十万": (800000, 1000000), "十来万": (90000, 110000), "万把": (9000, 11000), "二百余万": (2000000, 2999999),
    "一千多万": (10000000, 19999999), "50多万": (500000, 599999), "3万多": (30000, 39999), "一百二三十万": (1200000, 1300000),
    "十七八万": (170000, 180000), "一百几十万": (1200000, 1999999), "十几": (10, 19), "上千万": (10000000, None),
    "a couple of thousand": (2000, 3000), "a few thousand": (2000, 10000), "tens of thousands": (20000, 100000),
    "thirty-odd thousand": (30000, 39999), "several hundred": (200, 1000), "hundreds of thousands": (200000, 1000000),
}  # fmt: skip


@pytest.mark.parametrize(("text", "ends"), VAGUE.items())
def test_vague(text: str, ends: tuple[int, int | None]) -> None:
    (found,) = find_numbers(f"有{text}元" if not text.isascii() else f"we have {text} left")
    assert found.vague
    assert (found.value.min, found.value.max) == ends


PLAIN_RANGES = {
    "40-50万": (400000, 500000), "40万到50万": (400000, 500000), "四十到五十万": (400000, 500000), "8000到1万": (8000, 10000),
    "40～50万": (400000, 500000), "40万至50万之间": (400000, 500000), "between 10k and 15k": (10000, 15000), "10-15k": (10000, 15000),
    "10k to 15k": (10000, 15000), "$500-1k": (500, 1000), "10 to 20": (10, 20),
    "不超过40万": (None, 400000), "小于40万": (None, 400000), "40万以内": (None, 400000), "最多40万": (None, 400000), "不能超过40万": (None, 400000),
    "至少3万": (30000, None), "不低于3万": (30000, None), "不少于3万": (30000, None), "3万以上": (30000, None), "3万起": (30000, None), "30万+": (300000, None),
    "at most 50": (None, 50), "no more than 50": (None, 50), "up to 50": (None, 50), "under 50": (None, 50), "50 max": (None, 50), "≤ 50": (None, 50),
    "at least 5": (5, None), "no less than 5": (5, None), "more than 5": (5, None), "5 or more": (5, None), "over 500k": (500000, None),
    "40万以上50万以下": (400000, 500000), "至少40万，最多50万": (400000, 500000), "at least 10 and at most 20": (10, 20),
}  # fmt: skip


@pytest.mark.parametrize(("text", "ends"), PLAIN_RANGES.items())
def test_ranges_and_bounds(text: str, ends: tuple[int | None, int | None]) -> None:
    (found,) = find_numbers(text)
    assert not found.vague
    assert found.value == Range(*(None if end is None else Decimal(end) for end in ends))


@pytest.mark.parametrize(
    "text",
    [
        "千万别", "一下", "李四", "周五", "星期三", "第三个", "万一", "百度", "千岛湖", "万分感谢", "十分满意", "一起看看", "统一", "2026-06-30", "v1.2.3",
        "14:30", "Line3", "A4", "PO-2026", "1st", "COVID-19", "one of them is this one", "abc123def", "几乎", "数据",
    ],
)  # fmt: skip
def test_no_number(text: str) -> None:
    assert [text[r.start : r.end] for r in find_numbers(text) if text[r.start : r.end] != "one"] == []


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("Please quote Line3 20k EUR and Cell7 8k EUR.", ["20k", "8k"]),
        ("预算5万3期付款", ["5万", "3"]),
        ("三个人，每人两百", ["三", "两百"]),
        ("１２ 台，每台３万２", ["１２", "３万２"]),
        ("５０萬和60萬", ["５０萬", "60萬"]),
        ("a 20kg box for 30 people", ["20", "30"]),
        ("10m away", ["10"]),
        ("50w预算", ["50w"]),
        ("60W charger", ["60"]),
    ],
)
def test_spans_are_those_of_the_text(text: str, said: list[str]) -> None:
    assert [text[r.start : r.end] for r in find_numbers(text)] == said


def test_read_number_wants_one_number() -> None:
    assert read_number("30 people and 40 chairs") is None
    assert read_number("plenty") is None
    same = read_number("3 (three)")
    assert same is not None
    assert same.value == 3


def test_long_digits_stay_exact() -> None:
    (found,) = find_numbers("id 123456789012345678901234567890.123456789 end")
    assert found.value == Decimal("123456789012345678901234567890.123456789")


def spelled(number: int) -> str:
    """``number`` in Chinese, as a bank writes it out."""
    digits, out, rest = "零一二三四五六七八九", "", number
    for unit, sign in ((10**8, "亿"), (10**4, "万"), (1, "")):
        part, rest = divmod(rest, unit)
        if not part:
            continue
        text, zero = "", bool(out) and part < 1000
        for place, mark in ((1000, "千"), (100, "百"), (10, "十"), (1, "")):
            digit, part = divmod(part, place)
            if digit:
                text += ("零" if zero else "") + digits[digit] + mark
                zero = False
            elif text and part:
                zero = True
        out += text + sign
    return out


@given(st.integers(min_value=10, max_value=10**12 - 1))
@settings(max_examples=300, deadline=None)
def test_written_out_numbers_are_read_back(number: int) -> None:
    found = read_number(spelled(number))
    assert found is not None
    assert found.value == number


@given(st.decimals(min_value=0, max_value=10**9, places=2), st.sampled_from(["", "元", " USD", "万"]))
@settings(max_examples=200, deadline=None)
def test_digits_are_read_exactly(number: Decimal, unit: str) -> None:
    (found,) = find_numbers(f"{number:,f}{unit}")
    assert found.value == number * (10**4 if unit == "万" else 1)


@given(st.text(alphabet="零一两三十百千万亿几多半来0123456789.,-–到至 元kKm不超过以内约ab", max_size=24))
@settings(max_examples=400, deadline=None)
def test_any_text_gives_spans_inside_it(text: str) -> None:
    last = 0
    for found in find_numbers(text):
        assert last <= found.start < found.end <= len(text)
        last = found.end
