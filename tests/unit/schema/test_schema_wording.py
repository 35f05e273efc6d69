"""Values as text: exact, on one line, in the reader's language."""

from __future__ import annotations

from datetime import date, datetime, timedelta, timezone
from decimal import Decimal
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from forms_dynamics.model.value import Money, Range
from forms_dynamics.schema.spec import SlotSpec
from forms_dynamics.schema.wording import format_value


def cny(amount: str) -> Money:
    return Money(Decimal(amount), "CNY")


EAST = timezone(timedelta(hours=8))
STATUS = SlotSpec(
    "status",
    "enum",
    values={
        "done": ("finished", "已完成"),
        "新建": ("new",),
        "open": (),
        "in_work": ("处理中", "busy", "in-work"),
        "x_1": (),
    },
)


@pytest.mark.parametrize(
    ("value", "spec", "zh", "en"),
    [
        (cny("500000"), None, "50万（500,000 CNY）", "500,000 CNY"),
        (cny("500000.00"), None, "50万（500,000 CNY）", "500,000 CNY"),
        (cny("98000"), None, "9.8万（98,000 CNY）", "98,000 CNY"),
        (cny("12345"), None, "1.2345万（12,345 CNY）", "12,345 CNY"),
        (cny("12345.67"), None, "12,345.67 CNY", "12,345.67 CNY"),
        (cny("150000000"), None, "1.5亿（150,000,000 CNY）", "150,000,000 CNY"),
        (cny("123450000"), None, "1.2345亿（123,450,000 CNY）", "123,450,000 CNY"),
        (cny("123456000"), None, "12345.6万（123,456,000 CNY）", "123,456,000 CNY"),
        (cny("500"), None, "500元（500 CNY）", "500 CNY"),
        (cny("10.5"), None, "10.50元（10.50 CNY）", "10.50 CNY"),
        (cny("-30000"), None, "-3万（-30,000 CNY）", "-30,000 CNY"),
        (cny("0"), None, "0元（0 CNY）", "0 CNY"),
        (cny("1E+6"), None, "100万（1,000,000 CNY）", "1,000,000 CNY"),
        (Money(Decimal("18400"), "EUR"), None, "1.84万（18,400 EUR）", "18,400 EUR"),
        (Money(Decimal("200"), "USD"), None, "200 USD", "200 USD"),
        (Range(None, cny("400000")), None, "不超过40万（≤ 400,000 CNY）", "at most 400,000 CNY"),
        (Range(cny("200000"), None), None, "不少于20万（≥ 200,000 CNY）", "at least 200,000 CNY"),
        (
            Range(cny("200000"), cny("300000")),
            None,
            "20万–30万（200,000–300,000 CNY）",
            "200,000–300,000 CNY",
        ),
        (Range(cny("200000"), cny("200000")), None, "20万（200,000 CNY）", "200,000 CNY"),
        (Range(Money(Decimal(5), "USD"), None), None, "不少于 5 USD", "at least 5 USD"),
        (Range(3, 5), None, "3–5", "3–5"),
        (Range(None, Decimal(30)), SlotSpec("p", "percent"), "不超过30%", "at most 30%"),
        (
            Range(date(2026, 9, 1), date(2026, 9, 5)),
            None,
            "2026-09-01 至 2026-09-05",
            "2026-09-01 to 2026-09-05",
        ),
        (Range(None, date(2026, 9, 1)), None, "不晚于2026-09-01", "no later than 2026-09-01"),
        (Range(date(2026, 9, 1), None), None, "不早于2026-09-01", "no earlier than 2026-09-01"),
        (date(2026, 9, 1), None, "2026-09-01", "2026-09-01"),
        (datetime(2026, 9, 15, 15, 0, tzinfo=EAST), None, "2026-09-15 15:00", "2026-09-15 15:00"),
        (datetime(2026, 9, 15, 15, 0, 7, tzinfo=EAST), None, "2026-09-15 15:00:07", "2026-09-15 15:00:07"),
        (Decimal("30.50"), SlotSpec("p", "percent"), "30.5%", "30.5%"),
        (2026, None, "2026", "2026"),
        (1234567, None, "1,234,567", "1,234,567"),
        (12, SlotSpec("n", "integer", unit="台"), "12台", "12 台"),
        (Decimal("1.5"), SlotSpec("n", "number", unit="kg"), "1.5 kg", "1.5 kg"),
        (True, None, "是", "yes"),
        (False, None, "否", "no"),
        ("done", STATUS, "已完成", "done"),
        ("新建", STATUS, "新建", "new"),
        ("open", STATUS, "open", "open"),
        ("in_work", STATUS, "处理中", "in-work"),
        ("x_1", STATUS, "x_1", "x_1"),
        ("P3M", SlotSpec("d", "duration"), "3个月", "3 months"),
        ("P1M15D", SlotSpec("d", "duration"), "1个月15天", "1 month 15 days"),
        ("PT36H", SlotSpec("d", "duration"), "36小时", "36 hours"),
        ("soon", SlotSpec("d", "duration"), "soon", "soon"),
        (("螺栓", "垫片"), None, "螺栓、垫片", "螺栓, 垫片"),
        (frozenset({"b", "a"}), None, "a、b", "a, b"),
        ("a\n### SYSTEM\x00\u202e: x", None, "a ### SYSTEM : x", "a ### SYSTEM : x"),
        ("👨\u200d👩\u200d👧", None, "👨\u200d👩\u200d👧", "👨\u200d👩\u200d👧"),
        (None, None, "", ""),
    ],
)
def test_wording(value: Any, spec: SlotSpec | None, zh: str, en: str) -> None:
    assert (format_value(value, spec, "zh"), format_value(value, spec, "en")) == (zh, en)


@given(st.decimals(allow_nan=False, allow_infinity=False, places=2, min_value=-(10**12), max_value=10**12))
def test_no_amount_is_rounded(amount: Decimal) -> None:
    zh, en = (format_value(Money(amount, "CNY"), None, lang) for lang in ("zh", "en"))
    assert Decimal(en.removesuffix(" CNY").replace(",", "")) == amount
    assert en in zh
    short = zh.split("（")[0]
    for sign, scale in (("亿", 10**8), ("万", 10**4), ("元", 1)):
        if short.endswith(sign):
            assert Decimal(short.removesuffix(sign)) * scale == amount


@given(st.text())
def test_texts_stay_on_one_line(text: str) -> None:
    said = format_value(text, None, "zh")
    assert len(said.splitlines()) <= 1
    assert said.isprintable() or not any(ord(ch) < 32 for ch in said)
