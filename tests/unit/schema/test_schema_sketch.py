"""A form type sketched from rows: the types of messy columns, and that the rows record without a loss."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from datetime import UTC, date, datetime, timedelta, timezone
from decimal import Decimal
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from forms_dynamics import Memory, Money, Range
from forms_dynamics.errors import InvalidInput
from forms_dynamics.schema import load
from forms_dynamics.schema.sketch.columns import slot_name
from forms_dynamics.schema.sketch.infer import Sample, infer
from forms_dynamics.schema.sketch.plain import plainly
from forms_dynamics.schema.sketch.write import Sketch, labels_of, sketched_template, written
from forms_dynamics.schema.spec import SlotSpec

EAST = timezone(timedelta(hours=8))
NOON = datetime(2026, 6, 1, 12, tzinfo=EAST)


def column(*cells: Any, header: str = "x") -> Any:
    """The slot that a column of these cells becomes (None: left out)."""
    [item] = infer([{header: cell} for cell in cells]).columns
    return item.slot


def doubts(*cells: Any, header: str = "x") -> str:
    [item] = infer([{header: cell} for cell in cells]).columns
    return "; ".join(item.doubts)


# -- types ---------------------------------------------------------------------------------------------------
@pytest.mark.parametrize(
    ("cells", "header", "kind"),
    [
        (["海蓝", "明光"], "客户", "text"),
        ([1, 2, None], "count", "integer"),
        (["1,200", "30", ""], "数量", "integer"),
        ([1, 2.5], "score", "number"),
        (["12.5", "3"], "得分", "number"),
        ([True, False, None], "ok", "boolean"),
        (["是", "否", "是"], "是否开票", "boolean"),
        (["有", "无"], "电梯", "boolean"),
        (["yes", "No"], "paid", "boolean"),
        (["2026/3/5", "2026年3月6日", "N/A"], "日期", "date"),
        (["2026-03-05", "March 6, 2026"], "due", "date"),
        (["20260305", "20260306"], "下单日期", "date"),
        (["2026-03-05 10:00:00", "2026年3月5日 下午3点"], "创建时间", "datetime"),
        (["2026-03-05T10:00:00Z"], "created", "datetime"),
        (["2026-06-01/2026-06-30", "2026年6月1日至2026年6月5日"], "工期", "date_range"),
        ([{"start": "2026-06-01", "end": "2026-06-30"}], "period", "date_range"),
        (["30天", "2周", "PT2H"], "交期", "duration"),
        (["90 minutes", "2 hours"], "length", "duration"),
        (["5%", "12.5%", "百分之三十"], "折扣", "percent"),
        (["$1,200", "$35.50"], "total", "money"),
        (["1200元", "5万元"], "报价", "money"),
        ([1200, 980.5], "金额（元）", "money"),
        ([{"amount": 5, "currency": "USD"}], "price", "money"),
        (["$5", "€7.50"], "price", "money"),
        (["13800138000", "010-88886666", "+86 139 0013 9000"], "电话", "phone"),
        ([13800138000, 13900139000], "手机", "phone"),
        (["a@x.com", "B@y.org"], "mail", "email"),
        (["https://a.com/x?y=1", "www.b.cn"], "site", "url"),
        (["新", "已完成", "新", "已完成", "待定", "待定"], "状态", "enum"),
        (["low", "high", "low", "HIGH", "high", "low", "low", "low"], "zone", "enum"),
    ],
)
def test_a_column_is_of_the_type_whose_reader_takes_all_of_it(
    cells: list[Any], header: str, kind: str
) -> None:
    assert column(*cells, header=header).type == kind


@pytest.mark.parametrize(
    ("cells", "header"),
    [
        (["007", "012"], "x"),  # codes
        (["00123", "00124"], "编码"),
        (["20260001", "20260002"], "订单号"),  # a number that is a name
        (["12-34", "56-78"], "区段"),  # a range of numbers, or a code
        (["1200元", "面议"], "报价"),
        (["320元含税", "400元含税"], "报价"),  # 含税 would be lost
        (["合同2026-03-01签订", "合同2026-03-02签订"], "备注"),
        (["明天", "后天"], "日期"),  # another day tomorrow
        (["5月3日", "6月1日"], "日期"),  # of which year?
        (["03/04/2026", "05/06/2026"], "day"),
        (["03/04/2026 10:00", "05/06/2026 11:00"], "time"),
        (["2小时30分", "1小时"], "时长"),
        (["质保30天", "质保60天"], "质保"),
        (["10:30", "11:45"], "time"),
        (["大概5万", "50万"], "预算"),
        (["-5%", "3%"], "涨跌"),
        (["张三", "张三", "李四", "李四", "李四", "张三", "张三", "李四"], "客户名"),  # others will come
        (["$5", "€7", "9"], "price"),  # 9 of which?
        ([1, "two"], "n"),
        ([True, "yes"], "n"),
    ],
)
def test_what_a_type_would_not_keep_whole_stays_text(cells: list[Any], header: str) -> None:
    assert column(*cells, header=header).type == "text"


def test_units() -> None:
    assert column(1200, 3, header="金额（元）").unit == "CNY"
    assert column("1200", "980", header="Unit Price (USD)").unit == "USD"
    assert column("$5", "7").unit == "USD"
    assert "without currency is taken in USD" in doubts("$5", "7")
    assert column("¥5", "¥7", header="费用").unit == "CNY"
    assert "¥ is taken for CNY" in doubts("¥5", "¥7", header="费用")
    assert column("$5", "€7").unit is None
    assert column(3, 4, header="面积（平米）").unit == "平米"
    # 50 under 万元 is no 50 yuan
    scaled = column(50, 60, header="金额（万元）")
    assert (scaled.type, scaled.unit) == ("integer", "万元")
    assert "no currency is named" in doubts(50, 60, header="金额（万元）")
    named = doubts(
        "10", "1'000", "5", header="Fee (EUR)"
    )  # no amounts that money reads, and the header says EUR
    assert "no currency" not in named
    assert "{type: money, unit: EUR}" in named


def test_lists() -> None:
    tags = column(["a", "b"], [], ["c"])
    assert (tags.type, tags.many) == ("text", True)
    assert (column([1, 2], [3]).type, column([1, 2], [3]).many) == ("integer", True)
    assert (column("急、大客户", "普通", "急、新").type, column("急、大客户", "普通", "急、新").many) == (
        "text",
        True,
    )
    assert not column("Shenzhen, China", "Paris, France").many
    assert column([{"sku": "a"}], [{"sku": "b"}]) is None
    assert "a Form type of its own" in doubts([{"sku": "a"}])
    assert "a value twice" in doubts(["a", "a"])


def test_the_report_says_what_is_in_doubt() -> None:
    mixed = doubts("50万元", "60万元", "70万元", "面议")
    assert "3 of 4 different values read as money" in mixed
    assert "'面议' (row 4)" in mixed
    assert "not True (row 3)" in doubts(1, 2, True)  # True is no 1
    assert "may be two dates" in doubts("03/04/2026", "25/12/2026")
    assert "only 0 and 1" in doubts(0, 1, 1)
    assert "no row has a value" in doubts(None, "")
    assert "1 cell says nothing (N/A)" in doubts("a thing", "N/A")
    assert "待定 is taken for a value" in doubts("新", "待定", "新", "待定", header="状态")
    assert "U+" not in doubts("fine")
    assert "row 2 holds what no text may hold" in doubts("fine", "b\x00d")


def test_nested_objects_are_flattened_and_deep_ones_explained() -> None:
    sample = infer(
        [{"客户": {"name": "A", "电话": "13800138000"}, "a": {"b": {"c": {"d": {"e": {"f": 1}}}}}}]
    )
    assert list(sample.slots) == ["客户_name", "客户_电话"]
    assert sample.slots["客户_电话"].aliases == ("客户 电话", "客户.电话")
    assert "deep" in sample.columns[-1].doubts[0]
    assert infer([{"p": {"amount": 1, "currency": "CNY"}}, {"p": "面议"}]).columns[0].slot is None


@pytest.mark.parametrize(
    ("header", "name"),
    [
        ("客户名称", "客户名称"), ("Order No.", "order_no"), ("orderNo", "order_no"), ("金额（元）", "金额_元"),
        ("1st visit", "slot_1st_visit"), ("form_type", "form_type_value"), ("???", ""), ("Ｎａｍｅ", "name"),
    ],
)  # fmt: skip
def test_headers_as_names(header: str, name: str) -> None:
    assert slot_name(header) == name


def test_headers_that_meet_in_one_name() -> None:
    sample = infer([{"Order No": "a1", "order_no": "b2", "???": "c", "金额（元）": 5}])
    assert list(sample.slots) == ["order_no", "order_no_2", "column_3", "金额"]
    assert sample.slots["金额"].aliases == ("金额", "金额（元）")
    assert sample.slots["金额"].label("zh") == "金额"


# -- identity ------------------------------------------------------------------------------------------------
def test_identity_is_complete_and_different_in_every_row() -> None:
    rows = [{"name": f"n{n}", "编号": f"A-{n}", "mail": f"m{n}@x.com"} for n in range(5)]
    assert infer(rows).identity.keys == (("编号",),)
    assert "too: mail, name" in infer(rows).doubts[-1]
    del rows[2]["编号"]
    assert infer(rows).identity.keys == (("mail",),)
    rows[1]["mail"] = "M0@X.COM"  # the same as m0@x.com to a Form
    assert infer(rows).identity.keys == (("name",),)
    rows[1]["name"] = "N0"
    assert infer(rows).identity.each
    assert "a Form of its own" in infer(rows).doubts[0]


def test_a_row_that_stands_twice_does_not_hide_the_identity() -> None:
    assert infer([{"id": "a", "n": 1}, {"id": "b", "n": 2}, {"id": "a", "n": 1}]).identity.keys == (("id",),)


def test_rows_without_columns_and_with_too_many() -> None:
    with pytest.raises(InvalidInput, match="no column"):
        infer([{}])
    with pytest.raises(InvalidInput, match="more than 100 columns"):
        infer([{f"c{n}": 1 for n in range(10_000)}])


# -- without a loss ------------------------------------------------------------------------------------------
def as_yaml(sample: Sample, name: str = "thing") -> str:
    sketch = Sketch(
        name, sample.slots, sample.identity, template=sketched_template(sample.slots, labels_of(name)),
        notes={i.slot.name: i.doubts for i in sample.columns if i.slot}, identity_notes=sample.doubts,
    )  # fmt: skip
    return written(sketch)


def recorded(
    rows: Sequence[Mapping[str, Any]], folder: Path, store: str = ":memory:"
) -> list[dict[str, Any]]:
    """What a memory gives back for each row, by original header: written, checked, recorded, read."""
    sample = infer(rows)
    path = folder / "thing.yaml"
    path.write_text(as_yaml(sample), encoding="utf-8")
    assert [str(finding) for finding in load.check([path]) if finding.severity == "error"] == []
    header = {item.slot.name: item.column.header for item in sample.columns if item.slot}
    found = []
    with Memory.open(store, form_types=[path], relation_rules=[]) as memory:
        forms = []
        for row in rows:
            record = sample.record(row)
            receipt = memory.record("thing", record, time=NOON)
            assert receipt.state == "stored"
            assert not receipt.refused
            forms.append(receipt.forms[0])
        for form in forms:
            slots = memory.get(form).slots
            found.append({header[n]: s.value for n, s in slots.items() if s.value is not None})
    return found


MESSY_ZH = [
    {"订单号": "SO-001", "客户名称": "海蓝电子", "金额（元）": "1,200.50", "下单日期": "2026/3/5", "状态": "已完成",
     "开票": "是", "电话": "13800138000", "备注": "可能要延期", "重量": "12.5 kg", "标签": "急、大客户",
     "交期": "30天", "折扣": "5%", "创建时间": "2026-03-05 10:00:00", "编码": "00123"},
    {"订单号": "SO-002", "客户名称": " 海蓝电子 ", "金额（元）": "980", "下单日期": "2026年3月6日", "状态": "待定",
     "开票": "否", "电话": "010-88886666", "备注": "", "重量": "3 kg", "标签": "普通", "交期": "2周",
     "折扣": "12.5%", "创建时间": "2026年3月6日 下午3点", "编码": "00124"},
    {"订单号": "SO-003", "客户名称": "明光", "金额（元）": "5万", "下单日期": "N/A", "状态": "已完成", "开票": "是",
     "电话": "+86 139 0013 9000", "备注": "无", "重量": "", "标签": "急、新", "交期": "", "折扣": "—",
     "创建时间": "", "编码": "00125"},
    {"订单号": "SO-004", "客户名称": "明光", "金额（元）": None, "下单日期": "2026-03-08", "状态": "待定",
     "开票": None, "电话": None, "备注": "大约下周\n再谈", "重量": "1 kg", "标签": None, "交期": None,
     "折扣": None, "创建时间": None, "编码": "00126"},
]  # fmt: skip

BACK_ZH = [
    {"订单号": "SO-001", "客户名称": "海蓝电子", "金额（元）": Money(Decimal("1200.50"), "CNY"),
     "下单日期": date(2026, 3, 5), "状态": "已完成", "开票": True, "电话": "13800138000", "备注": "可能要延期",
     "重量": "12.5 kg", "标签": ("急", "大客户"), "交期": "P30D", "折扣": Decimal(5),
     "创建时间": datetime(2026, 3, 5, 10, tzinfo=EAST), "编码": "00123"},
    {"订单号": "SO-002", "客户名称": " 海蓝电子 ", "金额（元）": Money(Decimal(980), "CNY"),
     "下单日期": date(2026, 3, 6), "状态": "待定", "开票": False, "电话": "010-88886666", "重量": "3 kg",
     "标签": ("普通",), "交期": "P2W", "折扣": Decimal("12.5"),
     "创建时间": datetime(2026, 3, 6, 15, tzinfo=EAST), "编码": "00124"},
    {"订单号": "SO-003", "客户名称": "明光", "金额（元）": Money(Decimal(50000), "CNY"), "状态": "已完成",
     "开票": True, "电话": "+86 139 0013 9000", "标签": ("急", "新"), "编码": "00125"},
    {"订单号": "SO-004", "客户名称": "明光", "下单日期": date(2026, 3, 8), "状态": "待定",
     "备注": "大约下周\n再谈", "重量": "1 kg", "编码": "00126"},
]  # fmt: skip

MESSY_EN = [
    {"id": 7, "Customer": {"name": "Ann O'Neil", "email": "ann@x.com"}, "price": {"amount": 5, "currency": "USD"},
     "tags": ["new", "vip"], "paid": True, "score": 3.5, "mix": 5, "when": "2026-01-01T10:00:00Z",
     "site": "https://a.com/b?c=1", "total": "$1,200", "day": "03/04/2026", "stay": {"start": "2026-06-01",
     "end": "2026-06-30"}, "note": "maybe later: about five people", "yes": "no thanks"},
    {"id": 8, "Customer": {"name": "Bo", "email": "bo@y.org"}, "price": {"value": 7.25, "currency": "EUR"},
     "tags": [], "paid": False, "score": None, "mix": "about five", "when": "2026-01-02T10:00:00+08:00",
     "site": "", "total": "980", "day": "25/12/2026", "stay": None, "note": "# not: a, comment {x}", "yes": "on"},
    {"id": 9, "Customer": {"name": "Cy \"the\" Third"}, "paid": None, "score": -2, "mix": True,
     "total": "n/a", "note": "line one\nline two"},
]  # fmt: skip

BACK_EN = [
    {"id": 7, "Customer.name": "Ann O'Neil", "Customer.email": "ann@x.com", "price": Money(Decimal(5), "USD"),
     "tags": ("new", "vip"), "paid": True, "score": Decimal("3.5"), "mix": "5",
     "when": datetime(2026, 1, 1, 10, tzinfo=UTC), "site": "https://a.com/b?c=1",
     "total": Money(Decimal(1200), "USD"), "day": "03/04/2026",
     "stay": Range(date(2026, 6, 1), date(2026, 6, 30)), "note": "maybe later: about five people",
     "yes": "no thanks"},
    {"id": 8, "Customer.name": "Bo", "Customer.email": "bo@y.org", "price": Money(Decimal("7.25"), "EUR"),
     "paid": False, "mix": "about five", "when": datetime(2026, 1, 2, 10, tzinfo=EAST),
     "total": Money(Decimal(980), "USD"), "day": "25/12/2026", "note": "# not: a, comment {x}", "yes": "on"},
    {"id": 9, "Customer.name": "Cy \"the\" Third", "score": Decimal(-2), "mix": "true",
     "note": "line one\nline two"},
]  # fmt: skip


@pytest.mark.parametrize(("rows", "back"), [(MESSY_ZH, BACK_ZH), (MESSY_EN, BACK_EN)], ids=["zh", "en"])
def test_messy_rows_come_back_value_by_value(rows: Any, back: Any, tmp_path: Path) -> None:
    assert recorded(rows, tmp_path, str(tmp_path / "rows.db")) == back


CELLS = [
    None, "", "N/A", "无", "待定", "pending", 0, 1, -3, 2.5, True, False, "1,200", "007", "12-34", "5-6", "￥5",
    "$7.20", "50万", "40-50万", "5%", "30天", "2小时30分", "2026-03-05", "20260305", "2026年3月", "明天", "是", "否",
    "13800138000", "a@b.com", "见 a@b.com", "https://a.com/路径", "可能延期", "about 5 people", "a、b", "x; y", "yes",
    "大概3件", "# x: {y}", "it's \"so\"", "null", "true", "新", "张三", "line\nbreak", ["a", "b"], [1, 2], [], ["x, y"],
    {"amount": 3, "currency": "CNY"}, {"min": 1, "max": 2}, {"a": "b"}, {"a": {"b": 5}}, "\u3000宽\u3000", "é", "😀",
    "{{x}}", "12.5 kg", "3 kg", 10**20, 1e-7, "1e5",
]  # fmt: skip
HEADERS = [
    "id",
    "编号",
    "name",
    "金额（元）",
    "日期",
    "状态",
    "Total (USD)",
    "a.b",
    "no",
    "yes",
    "{x}",
    "重量(kg)",
    "1st",
]


@settings(max_examples=120, deadline=None)
@given(
    rows=st.lists(st.sampled_from(HEADERS), min_size=1, max_size=4, unique=True).flatmap(
        lambda headers: st.lists(
            st.fixed_dictionaries({header: st.sampled_from(CELLS) for header in headers}),
            min_size=1,
            max_size=8,
        )
    )
)
def test_whatever_the_rows_each_value_comes_back(tmp_path_factory: Any, rows: list[dict[str, Any]]) -> None:
    sample = infer(rows)
    if not sample.slots:
        return
    found = recorded(rows, tmp_path_factory.mktemp("rows"))
    header = {item.slot.name: item.column.header for item in sample.columns if item.slot}
    for row, back in zip(rows, found, strict=True):
        given_ = {header[name]: (sample.slots[name], raw) for name, raw in sample.record(row).items()}
        assert back.keys() == given_.keys()
        for name, (slot, raw) in given_.items():
            if slot.type == "text" and isinstance(raw, str) and not slot.many:
                assert back[name] == raw
            elif slot.type == "enum" and not slot.many:
                assert back[name].casefold() == raw.strip().casefold()
            else:
                value = raw["value"] if isinstance(raw, Mapping) and "value" in raw else raw
                assert back[name] == plainly(slot, value)


# -- what is written -----------------------------------------------------------------------------------------
def test_words_that_yaml_would_mistake_are_quoted(tmp_path: Path) -> None:
    text = as_yaml(infer([{"no": "a", "y": "b", "null": "c", "a: b #{c}": "d", "\u2028": "e"}]), "on")
    path = tmp_path / "on.yaml"
    path.write_text(text, encoding="utf-8")
    assert load.check([path]) == []
    spec = load.load_catalog([path], []).types["on"]
    assert list(spec.slots) == ["no", "y", "null", "a_b_c", "column_5"]
    assert spec.slots["a_b_c"].aliases == ("a: b #{c}",)


def test_plainly_asks_for_the_whole() -> None:
    assert plainly(SlotSpec("x", "date"), "2026-03-05") == date(2026, 3, 5)
    assert plainly(SlotSpec("x", "date"), "until 2026-03-05") is None
    assert plainly(SlotSpec("x", "phone"), "20240301001") is None
    assert plainly(SlotSpec("x", "text"), "about 5 people") == "about 5 people"
