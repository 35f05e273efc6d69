"""Money: currencies, what settles an open one, ranges and bounds; amounts are exact."""

from __future__ import annotations

from decimal import Decimal

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from forms_dynamics.language.money import find_money, plain_money, read_money
from forms_dynamics.model.value import Money, Range


def money(said: str) -> Money:
    amount, currency = said.split()
    return Money(Decimal(amount), currency)


ONE = [
    ("¥7,270", "CNY", "7270 CNY"), ("￥500", "CNY", "500 CNY"), ("￥1,200,000（日元）", "CNY", "1200000 JPY"), ("报价¥7,270，人民币含税。", None, "7270 CNY"),
    ("US$4.7 billion", None, "4700000000 USD"), ("their budget with us is US$1.2M.", None, "1200000 USD"),
    ("12,345,678,901,234.56 USD", None, "12345678901234.56 USD"), ("20k EUR", None, "20000 EUR"), ("about 650k dollars", "CNY", "650000 USD"),
    ("50万", "CNY", "500000 CNY"), ("50万", None, "500000 CNY"), ("五十萬", None, "500000 CNY"), ("50万美元", "CNY", "500000 USD"), ("5万块", "USD", "50000 CNY"),
    ("三块五", None, "3.5 CNY"), ("12元5角", None, "12.5 CNY"), ("HK$500", None, "500 HKD"), ("A$1.5m", None, "1500000 AUD"), ("$500", "AUD", "500 AUD"),
    ("$500", "CNY", "500 USD"), ("$500", None, "500 USD"), ("3000元", "TWD", "3000 TWD"), ("5000", "EUR", "5000 EUR"), ("预算5000", None, "5000 CNY"),
    ("3.500,00 EUR", None, "3500.00 EUR"), ("3,50 €", None, "3.5 EUR"), ("壹拾万零叁仟肆佰伍拾叁元整", None, "103453 CNY"), ("RMB50万", None, "500000 CNY"),
    ("5万刀", None, "50000 USD"), ("1000円", None, "1000 JPY"), ("五百万日元", "CNY", "5000000 JPY"), ("-$500", None, "-500 USD"), ("USD 1,234,567", None, "1234567 USD"),
    ("twelve thousand dollars", None, "12000 USD"), ("half a million", "USD", "500000 USD"), ("50w", "CNY", "500000 CNY"), ("人民币1,234,567元", None, "1234567 CNY"),
    ("50万（500,000 CNY）", "CNY", "500000 CNY"), ("$1,234.5 CAD", None, "1234.5 CAD"), ("5 million yen", None, "5000000 JPY"), ("order 12: $500", None, "500 USD"),
    ("13万2", "CNY", "132000 CNY"), ("一百二", "CNY", "120 CNY"), ("两千三", "CNY", "2300 CNY"), ("0.10 USD", None, "0.10 USD"), ("50万港币", None, "500000 HKD"),
    ("1 234 567 €", None, "1234567 EUR"), ("1 234,56 €", None, "1234.56 EUR"), ("Cell 7 800 EUR", None, "800 EUR"), ("50k/year", "USD", "50000 USD"),
    ("5毛", None, "0.5 CNY"), ("₹5 lakh", None, "500000 INR"), ("伍拾万圆整", None, "500000 CNY"), ("99块9", None, "99.9 CNY"), ("120万元/年", None, "1200000 CNY"),
    ("台币三千", None, "3000 TWD"), ("£20,000", None, "20000 GBP"), ("20,000 pounds", None, "20000 GBP"), ("5000元人民币", None, "5000 CNY"),
]  # fmt: skip


@pytest.mark.parametrize(("text", "unit", "value"), ONE)
def test_one_amount(text: str, unit: str | None, value: str) -> None:
    found = read_money(text, unit)
    assert found is not None
    assert found.value == money(value)
    assert str(found.value.amount) == value.split()[0]


RANGES = [
    ("1.2-1.5m USD", None, "1200000 USD", "1500000 USD"), ("$5-$10k", None, "5000 USD", "10000 USD"), ("50万不到", "CNY", None, "500000 CNY"),
    ("budget cap is 50k", "USD", None, "50000 USD"), ("最低20万最高30万", "CNY", "200000 CNY", "300000 CNY"), ("twenty to thirty thousand euros", None, "20000 EUR", "30000 EUR"),
    ("小于40万", "CNY", None, "400000 CNY"), ("不超过人民币40万元", None, None, "400000 CNY"), ("40万以内", "CNY", None, "400000 CNY"),
    ("up to $50k", None, None, "50000 USD"), ("$50k max", None, None, "50000 USD"), ("at least £20,000", None, "20000 GBP", None), ("50k+ USD", None, "50000 USD", None),
    ("40-50万", None, "400000 CNY", "500000 CNY"), ("40万到50万", "CNY", "400000 CNY", "500000 CNY"), ("$10k–$15k", None, "10000 USD", "15000 USD"),
    ("$10-15k", None, "10000 USD", "15000 USD"), ("between 10k and 15k", "USD", "10000 USD", "15000 USD"), ("40万元至50万元之间", None, "400000 CNY", "500000 CNY"),
    ("预算30万起", "CNY", "300000 CNY", None), ("不低于30万", "CNY", "300000 CNY", None), ("50万封顶", "CNY", None, "500000 CNY"),
]  # fmt: skip


@pytest.mark.parametrize(("text", "unit", "low", "high"), RANGES)
def test_ranges(text: str, unit: str | None, low: str | None, high: str | None) -> None:
    found = read_money(text, unit)
    assert found is not None
    assert found.value == Range(low and money(low), high and money(high))
    assert not found.vague


@pytest.mark.parametrize("verb", ["went", "has gone", "was raised", "jumped"])
def test_what_rises_up_to_an_amount_is_that_amount(verb: str) -> None:
    found = read_money(f"The daily rate {verb} up to 210 EUR")
    assert found is not None
    assert found.value == money("210 EUR")
    bound = read_money("The daily rate can go up to 210 EUR")
    assert bound is not None
    assert bound.value == Range(None, money("210 EUR"))


@pytest.mark.parametrize(
    ("text", "low", "high"),
    [
        ("四五十万", 400000, 500000),
        ("三十几万元", 300000, 399999),
        ("好几十万", 200000, 1000000),
        ("二百余万元", 2000000, 2999999),
        ("一千多万元", 10000000, 19999999),
    ],
)
def test_vague(text: str, low: int, high: int) -> None:
    found = read_money(text, "CNY")
    assert found is not None
    assert found.vague
    assert found.value == Range(Money(Decimal(low), "CNY"), Money(Decimal(high), "CNY"))


def test_open_currencies() -> None:
    yuan_or_yen = read_money("¥500")
    assert yuan_or_yen is not None
    assert yuan_or_yen.value is None
    assert yuan_or_yen.alternatives == (money("500 CNY"), money("500 JPY"))
    bare = read_money("5000")
    assert bare is not None
    assert (bare.value, bare.kind) == (None, "money?")
    euros = read_money("3.500 EUR")
    assert euros is not None
    assert euros.alternatives == (money("3500 EUR"), money("3.500 EUR"))


@pytest.mark.parametrize(
    ("raw", "unit", "context", "value"),
    [
        ("50万", "CNY", "预算50万美元", "500000 USD"),
        ("500000", "CNY", "预算50万美元", "500000 USD"),
        ("¥7,270", None, "报价¥7,270，人民币含税", "7270 CNY"),
        ("500000", None, "预算500000", "500000 CNY"),
        ("500", "EUR", "we pay $500", "500 USD"),
        ("50万", "CNY", "预算50万，另有设备30万美元", "500000 CNY"),
    ],
)
def test_context_settles_the_currency(raw: str, unit: str | None, context: str, value: str) -> None:
    found = read_money(raw, unit, context)
    assert found is not None
    assert found.value == money(value)


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("Please quote Line3 20k EUR and Cell7 8k EUR.", ["20k EUR", "8k EUR"]),
        ("我们预算50万，分三期付款", ["50万"]),
        ("预付50%，尾款30万", ["30万"]),
        ("2026年6月30日前付款30万", ["30万"]),
        ("我们有 20 人，预算 8 万", ["8 万"]),
        ("call 13800138000", []),
        ("评分4.5分以上，身高163厘米", []),
        ("预算5000分三期", ["5000"]),
        ("since 2026 we have 30 days", []),
        ("电话13812345678，预算５０万", ["５０万"]),
    ],
)
def test_what_is_no_money(text: str, said: list[str]) -> None:
    assert [text[r.start : r.end] for r in find_money(text, "CNY")] == said


@pytest.mark.parametrize("text", ["看情况", "", "plenty", "40万和30万", "from Acme"])
def test_no_single_amount(text: str) -> None:
    assert read_money(text, "CNY") is None


@pytest.mark.parametrize(
    ("text", "unit", "value"),
    [("USD 1,234,567", None, "1234567 USD"), ("50万元", None, "500000 CNY"), ("500", "EUR", "500 EUR")],
)
def test_plain_money(text: str, unit: str | None, value: str) -> None:
    assert plain_money(text, unit) == money(value)


@pytest.mark.parametrize("text", ["500", "3.500 EUR", "¥500", "about 500 USD", "XXX 500", "USD 500 EUR"])
def test_plain_money_leaves_the_rest(text: str) -> None:
    assert plain_money(text) is None


@given(st.decimals(min_value=0, max_value=10**12, places=2), st.sampled_from(["USD", "EUR", "CNY", "JPY"]))
@settings(max_examples=150, deadline=None)
def test_written_amounts_are_read_exactly(amount: Decimal, code: str) -> None:
    for text in (f"{amount:,f} {code}", f"{code} {amount}", f"we pay {amount:,f} {code} now"):
        found = read_money(text)
        assert found is not None
        assert found.value == Money(amount, code)
