"""Phones, e-mail, links, percentages, payment terms and words for "no value"."""

from __future__ import annotations

from decimal import Decimal
from typing import Any

import pytest

from forms_dynamics.language.contacts import (
    find_emails,
    find_percents,
    find_phones,
    find_terms,
    find_urls,
    phone_key,
)
from forms_dynamics.language.nulls import null_like
from forms_dynamics.model.value import Range


@pytest.mark.parametrize(
    ("text", "said", "key"),
    [
        ("我的电话是13812345678。", "13812345678", "13812345678"),
        ("138 1234 5678", "138 1234 5678", "13812345678"),
        ("+86 138-1234-5678", "+86 138-1234-5678", "13812345678"),
        ("请打010-12345678", "010-12345678", "01012345678"),
        ("(021) 6234 5678", "(021) 6234 5678", "02162345678"),
        ("ring +44 20 7946 0958 please", "+44 20 7946 0958", "442079460958"),
        ("0044 20 7946 0958", "0044 20 7946 0958", "442079460958"),
        ("call (415) 555-0132 now", "(415) 555-0132", "4155550132"),
        ("400-820-8820", "400-820-8820", "4008208820"),
        ("１３８１２３４５６７８", "１３８１２３４５６７８", "13812345678"),
        ("020 7946 0958", "020 7946 0958", "02079460958"),
    ],
)
def test_phones(text: str, said: str, key: str) -> None:
    (found,) = find_phones(text)
    assert found.value == said
    assert text[found.start : found.end].strip() == said
    assert phone_key(found.value) == key


@pytest.mark.parametrize(
    "text",
    ["2026-06-30", "订单20260630123", "1234567", "预算500000", "2026 1234 5678", "PO-13812345678", "1.2.3.4"],
)
def test_no_phones(text: str) -> None:
    assert find_phones(text) == []


def test_emails() -> None:
    text = "写信到li@hailan.cn吧，或 Bob.O+x@mail.co.uk. not @me or a@b"
    assert [r.value for r in find_emails(text)] == ["li@hailan.cn", "Bob.O+x@mail.co.uk"]


def test_urls() -> None:
    text = "see https://ex.com/a_(b)?x=1. 官网www.hailan.cn，or hailan.com/abc (https://x.io) mail a@b.com"
    assert [r.value for r in find_urls(text)] == [
        "https://ex.com/a_(b)?x=1",
        "www.hailan.cn",
        "hailan.com/abc",
        "https://x.io",
    ]


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("30%", Decimal(30)), ("２.５％", Decimal("2.5")), ("百分之三十", Decimal(30)), ("百分之二点五", Decimal("2.5")), ("三成", Decimal(30)),
        ("三成半", Decimal(35)), ("30 percent", Decimal(30)), ("12 per cent off", Decimal(12)), ("5个点", Decimal(5)), ("三十个百分点", Decimal(30)),
        ("30-40%", Range(Decimal(30), Decimal(40))), ("至少30%", Range(Decimal(30), None)), ("七八成", Range(Decimal(70), Decimal(80))),
        ("up to 20%", Range(None, Decimal(20))), ("百分之三十到百分之四十", Range(Decimal(30), Decimal(40))),
    ],
)  # fmt: skip
def test_percents(text: str, value: Any) -> None:
    (found,) = find_percents(text)
    assert found.value == value


@pytest.mark.parametrize("text", ["三成立了", "成都", "30 people", "五点钟", "完成30个"])
def test_no_percents(text: str) -> None:
    assert find_percents(text) == []


@pytest.mark.parametrize(
    ("text", "terms"),
    [
        ("我们预算50万，分三期付款", ["分三期付款"]),
        ("三期付款", ["三期付款"]),
        ("付款一般是月结30天。", ["月结30天"]),
        ("现在统一预付50%，尾款验收后付。", ["预付50%，尾款验收后付"]),
        ("预付三成，余款到货付清", ["预付三成，余款到货付清"]),
        ("首付30%，发货前付60%，质保金10%", ["首付30%，发货前付60%，质保金10%"]),
        ("不接受承兑汇票，只走电汇。", ["承兑汇票", "电汇"]),
        ("货到付款", ["货到付款"]),
        ("按月付款", ["按月付款"]),
        ("账期60天", ["账期60天"]),
        ("30%预付，70%发货前付清", ["30%预付，70%发货前付清"]),
        ("payment terms probably net 45.", ["net 45"]),
        ("net 30 days please", ["net 30 days"]),
        ("in three instalments", ["in three instalments"]),
        ("50% upfront, 50% on delivery", ["50% upfront, 50% on delivery"]),
        ("30% deposit and the balance within 30 days", ["30% deposit and the balance within 30 days"]),
        ("payable in full", ["payable in full"]),
        ("the network is 30", []),
        ("预算50万，6月30日交付", []),
    ],
)
def test_terms(text: str, terms: list[str]) -> None:
    assert [r.value for r in find_terms(text)] == terms


@pytest.mark.parametrize(
    "value",
    [
        None,
        "",
        "  ",
        "null",
        "None",
        " N/A ",
        "Ｎ／Ａ",
        "未知",
        "無",
        "「无」",
        "None.",
        "TBD",
        "未提及",
        "-",
        "—",
        "nan",
        float("nan"),
        "not mentioned",
        "undefined",
    ],
)
def test_null_like(value: Any) -> None:
    assert null_like(value)


@pytest.mark.parametrize(
    "value", [0, False, "0", "无锡", "no", "否", "None of them", "Nathan", "NA Motors Ltd", [], "待定日期前"]
)
def test_not_null_like(value: Any) -> None:
    assert not null_like(value)
