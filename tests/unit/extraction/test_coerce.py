"""Raw values become typed ones, whatever way they are said; what can't be read says why."""

from __future__ import annotations

from datetime import UTC, date, datetime, timedelta, timezone
from decimal import Decimal
from typing import Any

import pytest

from forms_dynamics.model.value import Money, Range
from forms_dynamics.schema.coerce import Coerced, coerce, key_text, same
from forms_dynamics.schema.spec import SlotSpec

EAST = timezone(timedelta(hours=8))
BASE = datetime(2026, 6, 12, 10, 0, tzinfo=EAST)
LEVELS = {"low": ["低"], "medium": ["中等", "普通", "moderate"], "in_progress": ["进行中"], "无": ["none"]}


def slot(kind: str, **more: Any) -> SlotSpec:
    return SlotSpec(name="field", type=kind, **more)


def cny(amount: str | int) -> Money:
    return Money(Decimal(amount), "CNY")


def usd(amount: str | int) -> Money:
    return Money(Decimal(amount), "USD")


def read(spec: SlotSpec, raw: Any, context: str = "", order: str | None = None) -> Coerced:
    return coerce(spec, raw, BASE, order, context)


YUAN = slot("money", unit="CNY")
OPEN = slot("money")

VALUES: list[tuple[SlotSpec, Any, Any]] = [
    (slot("text"), " 海蓝  电子\n ", "海蓝 电子"),
    (slot("text"), "分三期付款", "分三期付款"),
    (slot("text"), 42, "42"),
    (slot("text"), ["one"], "one"),
    (slot("ref"), "Northlake Foods", "Northlake Foods"),
    (slot("integer"), "3", 3),
    (slot("integer"), 3, 3),
    (slot("integer"), 3.0, 3),
    (slot("integer"), "3 pieces", 3),
    (slot("integer"), "三个", 3),
    (slot("integer"), "两百", 200),
    (slot("integer"), "1,234", 1234),
    (slot("integer"), "twelve", 12),
    (slot("integer"), "10-15人", Range(10, 15)),
    (slot("integer"), {"min": 10, "max": "15"}, Range(10, 15)),
    (slot("number"), "2.50", Decimal("2.50")),
    (slot("number"), 0.1, Decimal("0.1")),
    (slot("number"), "至少3.5吨", Range(Decimal("3.5"), None)),
    (slot("percent"), "30%", Decimal(30)),
    (slot("percent"), "百分之三十", Decimal(30)),
    (slot("percent"), 30, Decimal(30)),
    (slot("percent"), "三成", Decimal(30)),
    (YUAN, "小于40万", Range(None, cny(400000))),
    (YUAN, 500000, cny(500000)),
    (YUAN, "500000", cny(500000)),
    (YUAN, 0.1, cny("0.1")),
    (YUAN, "人民币1,234,567元", cny(1234567)),
    (YUAN, "50万", cny(500000)),
    (YUAN, "¥7,270", cny(7270)),
    (YUAN, "￥1,200,000（日元）", Money(Decimal(1200000), "JPY")),
    (YUAN, {"amount": "500000", "currency": "USD"}, usd(500000)),
    (YUAN, {"amount": "50万", "currency": "CNY"}, cny(500000)),
    (YUAN, {"amount": 5, "currency": "美元"}, usd(5)),
    (YUAN, {"min": 400000, "max": 500000}, Range(cny(400000), cny(500000))),
    (YUAN, {"min": "40万", "max": None}, Range(cny(400000), None)),
    (YUAN, {"min": 1, "max": 2, "currency": "USD"}, Range(usd(1), usd(2))),
    (YUAN, Range(Decimal(1), Decimal(2)), Range(cny(1), cny(2))),
    (YUAN, usd(5), usd(5)),
    (OPEN, "12,345,678,901,234.56 USD", usd("12345678901234.56")),
    (OPEN, "19.99 USD", usd("19.99")),
    (OPEN, "US$4.7 billion", usd(4700000000)),
    (OPEN, "20k EUR", Money(Decimal(20000), "EUR")),
    (slot("boolean"), True, True),
    (slot("boolean"), "yes", True),
    (slot("boolean"), "是", True),
    (slot("boolean"), "可以的", True),
    (slot("boolean"), "允许", True),
    (slot("boolean"), "are allowed", True),
    (slot("boolean"), "not allowed", False),
    (slot("boolean"), "are not allowed", False),
    (slot("boolean"), "不允许", False),
    (slot("boolean"), "没有", False),
    (slot("boolean"), "无", False),
    (slot("boolean"), 0, False),
    (slot("date"), "2026-06-30", date(2026, 6, 30)),
    (slot("date"), datetime(2026, 6, 30, 23, tzinfo=EAST), date(2026, 6, 30)),
    (slot("date"), "by June 30", date(2026, 6, 30)),
    (slot("date"), "8月底", date(2026, 8, 31)),
    (slot("date"), "May 29, 2026", date(2026, 5, 29)),
    (slot("date"), "6月30日前交付", date(2026, 6, 30)),
    (slot("datetime"), "2026-06-30T15:00", datetime(2026, 6, 30, 15, tzinfo=EAST)),
    (slot("datetime"), "2026-06-30T15:00Z", datetime(2026, 6, 30, 15, tzinfo=UTC)),
    (slot("datetime"), "明天下午3点", datetime(2026, 6, 13, 15, tzinfo=EAST)),
    (slot("date_range"), "2026-06-01/2026-06-30", Range(date(2026, 6, 1), date(2026, 6, 30))),
    (slot("date_range"), ["2026-06-01", "2026-06-30"], Range(date(2026, 6, 1), date(2026, 6, 30))),
    (slot("date_range"), {"start": "2026-06-01", "end": None}, Range(date(2026, 6, 1), None)),
    (slot("date_range"), "6月1日到6月30日", Range(date(2026, 6, 1), date(2026, 6, 30))),
    (slot("date_range"), date(2026, 6, 1), Range(date(2026, 6, 1), date(2026, 6, 1))),
    (slot("duration"), "30天", "P30D"),
    (slot("duration"), "P3M", "P3M"),
    (slot("duration"), timedelta(days=3), "P3D"),
    (slot("duration", unit="days"), 30, "P30D"),
    (slot("enum", values=LEVELS), "MEDIUM ", "medium"),
    (slot("enum", values=LEVELS), "中等", "medium"),
    (slot("enum", values=LEVELS), "In-Progress", "in_progress"),
    (slot("enum", values=LEVELS), "none", "无"),
    (slot("phone"), "电话：13812345678", "13812345678"),
    (slot("phone"), 13812345678, "13812345678"),
    (slot("phone"), "+44 20 7946 0958", "+44 20 7946 0958"),
    (slot("phone"), " 555-0199 ", "555-0199"),
    (slot("email"), "mail a.b@c.co please", "a.b@c.co"),
    (slot("url"), "https://x.com/", "https://x.com/"),
    (slot("url"), "官网www.hailan.cn", "www.hailan.cn"),
    (slot("text", many=True), ["running", "Running ", "swim"], ("running", "swim")),
    (slot("text", many=True), "苹果、香蕉和梨", ("苹果", "香蕉", "梨")),
    (slot("text", many=True), "running, swimming and chess", ("running", "swimming", "chess")),
    (slot("text", many=True), "Johnson and Johnson", ("Johnson and Johnson",)),
    (slot("text", many=True), "和平饭店", ("和平饭店",)),
    (slot("text", many=True), "运维（张三、李四）", ("运维（张三、李四）",)),
    (slot("integer", many=True), "1, 2 and 3", (1, 2, 3)),
    (slot("money", unit="CNY", many=True), "1,000 CNY; 2,000 CNY", (cny(1000), cny(2000))),
    (slot("enum", values=LEVELS, many=True), "low and 中等", ("low", "medium")),
]


@pytest.mark.parametrize(("spec", "raw", "value"), VALUES)
def test_values(spec: SlotSpec, raw: Any, value: Any) -> None:
    found = read(spec, raw)
    assert found == Coerced(value)
    assert type(found.value) is type(value)


@pytest.mark.parametrize(
    ("spec", "raw", "value", "vague"),
    [
        (slot("text"), "probably net 45", "net 45", False),
        (slot("text"), "应该是月结30天", "月结30天", False),
        (slot("integer"), "about 30 people", 30, False),
        (YUAN, "about 650k dollars", usd(650000), False),
        (YUAN, "40万左右", cny(400000), False),
        (YUAN, "四五十万吧", Range(cny(400000), cny(500000)), True),
        (slot("date"), "大概6月底", date(2026, 6, 30), False),
        (slot("date"), "maybe June 30", date(2026, 6, 30), False),
        (slot("duration"), "about 3 months", "P3M", False),
        (slot("enum", values=LEVELS), "可能中等", "medium", False),
    ],
)
def test_hedged(spec: SlotSpec, raw: Any, value: Any, vague: bool) -> None:
    assert read(spec, raw) == Coerced(value, vague=vague, hedged=True)


@pytest.mark.parametrize("raw", ["三十几万元", "好几十万"])
def test_vague_without_a_hedge(raw: str) -> None:
    found = read(YUAN, raw)
    assert found.vague
    assert isinstance(found.value, Range)


@pytest.mark.parametrize("raw", [None, "", "null", "N/A", "未知", float("nan"), []])
@pytest.mark.parametrize("kind", ["text", "money", "date", "integer", "phone"])
def test_nothing_said(kind: str, raw: Any) -> None:
    assert read(slot(kind), raw) == Coerced()


@pytest.mark.parametrize(
    ("spec", "raw", "part"),
    [
        (slot("text"), "a\ud800b", "U+D800"),
        (slot("text"), "a\x00b", "U+0000"),
        (slot("text"), {"a": 1}, "no text"),
        (slot("integer"), 2.7, "no whole number"),
        (slot("integer"), "2.7", "no whole number"),
        (slot("integer"), "plenty", "no number"),
        (slot("integer"), True, "no number"),
        (slot("number"), float("inf"), "finite"),
        (slot("number"), "3 or so of 17", "several"),
        (YUAN, "看情况", "no amount of money"),
        (YUAN, "40万和30万", "several"),
        (OPEN, 500, "currency"),
        (OPEN, "500", "currency"),
        (YUAN, {"amount": 5, "currency": "shells"}, "no currency"),
        (YUAN, {"min": 5, "max": 1}, "begins after its end"),
        (slot("boolean"), "perhaps blue", "yes nor no"),
        (slot("date"), "2026-02-30", "no date"),
        (slot("date"), "someday", "no date"),
        (slot("datetime"), "someday", "no time"),
        (slot("date_range"), "2026-06-30/2026-06-01", "begins after its end"),
        (slot("duration"), "forever", "length of time"),
        (slot("enum", values=LEVELS), "gigantic", "low, medium"),
        (slot("phone"), "call me", "no phone number"),
        (slot("email"), "a@b", "e-mail"),
        (slot("url"), "the site", "link"),
        (slot("integer", many=True), ["1", "x"], "no number"),
        (slot("integer", min=1, max=10), "11", "above its greatest value 10"),
        (slot("integer", min=1), 0, "below its least value 1"),
        (slot("money", unit="CNY", min=0), "-5", "below"),
        (slot("date", max="2026-12-31"), "2027-01-01", "above"),
        (slot("integer", max=10), "8到12", "above"),
        (slot("percent", max=100), "120%", "above"),
    ],
)
def test_errors_name_the_slot_and_the_fault(spec: SlotSpec, raw: Any, part: str) -> None:
    found = read(spec, raw)
    assert found.value is None
    assert found.error is not None
    assert found.error.startswith("field: ")
    assert part in found.error


def test_two_readings_are_candidates() -> None:
    assert read(OPEN, "¥500").candidates == (cny(500), Money(Decimal(500), "JPY"))
    assert read(slot("date"), "03/04/2026").candidates == (date(2026, 3, 4), date(2026, 4, 3))
    assert read(slot("date"), "03/04/2026", order="DMY").value == date(2026, 4, 3)
    assert read(slot("text"), ["red", "blue"]).candidates == ("red", "blue")
    assert read(slot("text"), ["red", "Red"]).value == "red"


def test_context_settles_what_the_words_leave_open() -> None:
    assert read(OPEN, "¥7,270", "报价¥7,270，人民币含税").value == cny(7270)
    assert read(YUAN, "50万", "预算50万美元").value == usd(500000)
    assert read(YUAN, 500000, "预算50万").value == cny(500000)
    assert read(slot("percent"), 0.3, "折扣30%").value == Decimal(30)
    assert read(slot("percent"), 0.3).value == Decimal("0.3")


def test_limits_let_the_edge_pass() -> None:
    assert read(slot("integer", min=1, max=10), "10").value == 10
    assert read(slot("money", unit="CNY", min=0), "0").value == cny(0)


SAME = [
    (slot("text"), "ＡＣＭＥ  Ltd", "acme ltd", True),
    (slot("text"), "廣成家具", "广成家具", True),
    (slot("text"), "Acme", "Acme 2", False),
    (slot("phone"), "138-1234-5678", "+86 13812345678", True),
    (slot("phone"), "13812345678", "13812345679", False),
    (slot("url"), "https://X.com/", "https://x.com", True),
    (YUAN, cny("500000.00"), cny(500000), True),
    (YUAN, cny(500), usd(500), False),
    (slot("number"), Decimal("2.50"), Decimal("2.5"), True),
    (
        slot("datetime"),
        datetime(2026, 6, 30, 15, tzinfo=EAST),
        datetime(2026, 6, 30, 7, tzinfo=UTC),
        True,
    ),
    (slot("text", many=True), ("a", "b"), ("B", "a"), True),
    (slot("text", many=True), ("a",), ("a", "b"), False),
    (slot("boolean"), True, False, False),
    (slot("text"), None, "x", False),
    (slot("text"), None, None, True),
    (YUAN, Range(cny(1), None), Range(cny("1.0"), None), True),
    (YUAN, Range(None, cny(1)), Range(cny(1), None), False),
]


@pytest.mark.parametrize(("spec", "a", "b", "equal"), SAME)
def test_same(spec: SlotSpec, a: Any, b: Any, equal: bool) -> None:
    assert same(spec, a, b) is equal
    assert same(spec, b, a) is equal


@pytest.mark.parametrize(
    ("spec", "value", "text"),
    [
        (slot("text"), "海藍 電子", "海蓝电子"),
        (slot("phone"), "138-1234-5678", "13812345678"),
        (YUAN, cny("500000.00"), "500000 CNY"),
        (slot("number"), Decimal("1E+3"), "1000"),
        (slot("date"), date(2026, 6, 30), "2026-06-30"),
        (slot("boolean"), True, "true"),
        (YUAN, Range(None, cny(5)), "..5 CNY"),
        (slot("text", many=True), ("b", "A"), "a|b"),
    ],
)
def test_key_text(spec: SlotSpec, value: Any, text: str) -> None:
    assert key_text(spec, value) == text
