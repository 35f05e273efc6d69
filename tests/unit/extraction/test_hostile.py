"""What a stranger's sentences make of types of his own: denials, moods, figures that are none, his own numbers."""

from __future__ import annotations

from datetime import datetime
from decimal import Decimal
from pathlib import Path
from typing import Any

import pytest

from forms_dynamics.extraction.gate import gate
from forms_dynamics.extraction.recognisers import Recognisers
from forms_dynamics.model.message import Message
from forms_dynamics.schema.coerce import coerce
from forms_dynamics.schema.load import load_catalog
from forms_dynamics.settings import Settings

TIME = datetime.fromisoformat("2026-06-01T10:00:00+08:00")
WORKSHOP = """
form_type: workshop_job
version: 1
description: {en: A job of the workshop., zh: 维修任务}
aliases: [job, 预约, appointment]
identity: [appt_no]
slots:
  appt_no: {type: text, aliases: [预约号, appointment number]}
  vip: {type: boolean, aliases: [会员, a member]}
  done: {type: boolean, aliases: [修好, finished]}
  insured: {type: boolean, aliases: [医保, insured]}
  budget: {type: money, unit: USD, aliases: [预算, budget]}
  quote: {type: money, unit: USD, aliases: [报价, quote]}
  mileage: {type: number, unit: km, aliases: [里程, mileage]}
  at: {type: datetime, aliases: [预约时间, appointment time]}
  discount: {type: percent, aliases: [折扣, discount]}
  fee: {type: money, unit: CNY, aliases: [维修费, repair fee]}
  room: {type: text, aliases: [房号]}
  ticket: {type: text, aliases: [booking, ticket, 发票号, policy number]}
template: {en: "{{appt_no}}", zh: "{{appt_no}}"}
"""
PATIENT = """
form_type: patient
version: 1
description: {en: A patient., zh: 病人}
aliases: [病人, patient]
identity: [name]
slots:
  name: {type: text, cues: [患者是, the patient is]}
  phone: {type: phone}
  pet: {type: text, cues: [养了一只]}
template: {en: "{{name}}", zh: "{{name}}"}
"""


@pytest.fixture(scope="module")
def workshop(tmp_path_factory: pytest.TempPathFactory) -> Recognisers:
    return _recognisers(tmp_path_factory.mktemp("types") / "workshop_job.yaml", WORKSHOP)


@pytest.fixture(scope="module")
def patient(tmp_path_factory: pytest.TempPathFactory) -> Recognisers:
    return _recognisers(tmp_path_factory.mktemp("types") / "patient.yaml", PATIENT)


@pytest.fixture(scope="module")
def sales() -> Recognisers:
    return Recognisers(load_catalog(["lead_profile", "quote_form"]), Settings())


def _recognisers(path: Path, text: str) -> Recognisers:
    path.write_text(text, encoding="utf-8")
    return Recognisers(load_catalog([path]), Settings())


def outcome(recognisers: Recognisers, text: str) -> dict[str, Any]:
    """What a message would write, by slot; what is held and asked about stands behind a question mark."""
    message = Message("m1", text, "speaker", "user", "c1", TIME)
    drafts = recognisers.extract(message, ()).drafts
    out: dict[str, Any] = {}
    for passed in gate(message, drafts, recognisers._catalog, Settings())[0]:
        out |= {item.slot: item.value for item in passed.accepted}
        out |= {"?" + held.item.slot: held.item.value for held in passed.held}
        if passed.invalidate:
            out["invalidate"] = passed.type
    return out


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("我不是会员", {"vip": False}),
        ("我不再是会员了", {"vip": False}),
        ("车还没修好", {"done": False}),
        ("我没有医保", {"insured": False}),
        ("I'm not a member.", {"vip": False}),
        ("I am not yet insured", {"insured": False}),
        ("I am no longer insured", {"insured": False}),
        ("The work isn't finished", {"done": False}),
        ("车修好了", {"done": True}),
        ("修好了", {"done": True}),
        ("我有医保", {"insured": True}),
        ("我已经是会员了", {"vip": True}),
        ("I am a member", {"vip": True}),
        ("The repair is finished.", {"done": True}),
        ("会员：否", {"vip": False}),
    ],
)
def test_yes_and_no(workshop: Recognisers, text: str, said: dict[str, bool]) -> None:
    assert outcome(workshop, text) == said


@pytest.mark.parametrize(
    "text",
    [
        "我以前是会员", "我想办会员", "明天修好", "快修好了", "听说修好了", "等修好再说", "如果修好了告诉我", "修好了吗",
        "我原来没有医保", "我有会员卡", "不知道修好了没有", "他是会员", "车修好了，结果又坏了", "希望能修好",
        "I want to be a member", "I used to be a member", "It will be finished tomorrow", "I'll be insured next month",
        "I doubt it is finished", "The car should be finished by Friday", "Nobody told me it is finished",
        "I never said it was finished", "Let me know once it is finished", "It was finished but broke again",
        "Make sure the car is finished", "I would like to be insured", "When it is dry, the car is finished",
        "My brother is a member", "I was insured until May",
    ],
)  # fmt: skip
def test_moods_state_nothing(workshop: Recognisers, text: str) -> None:
    assert outcome(workshop, text) == {}


@pytest.mark.parametrize(
    ("text", "company"),
    [
        ("我们公司不叫海蓝电子，叫红石科技", "红石科技"),
        ("我们公司原来叫海蓝电子，现在叫红石科技", "红石科技"),
        ("我们公司叫红石科技", "红石科技"),
        ("我们是海蓝公司", "海蓝公司"),
        ("Our company is called Redstone Tech", "Redstone Tech"),
        ("我们公司以前叫海蓝电子", None),
        ("我们公司是上市公司", None),
        ("我们是小公司", None),
        ("我们是外企", None),
        ("我们公司是国企", None),
        ("我们是民营企业", None),
        ("我们是初创公司", None),
        ("我们是一家软件公司", None),
        ("We are a small company", None),
        ("We are Small Company", None),
    ],
)
def test_a_sort_of_firm_is_no_name(sales: Recognisers, text: str, company: str | None) -> None:
    assert outcome(sales, text).get("company") == company


@pytest.mark.parametrize(
    "text",
    [
        "预算涨了10万", "预算比50万高", "预算-50万", "预算50万是假的", "去年的预算是50万", "报价-50元", "报价涨了200元",
        "另一家店报价900元", "预算缺口10万", "上个季度的预算是50万", "预算50万纯属谣言", "原报价900元", "报价便宜了50元",
        "The quote is minus $50", "The quote is $1,200 higher than before", "a quote of $900 from another shop",
        "The quote was $1,200 last year", "The budget is up $10k", "The budget is $50k short", "quote -$50",
        "last quarter's budget was $50k", "the budget of $50k is fake",
    ],
)  # fmt: skip
def test_figures_that_are_not_the_value(sales: Recognisers, text: str) -> None:
    assert not {"budget", "amount", "?budget", "?amount"} & outcome(sales, text).keys()


@pytest.mark.parametrize(
    ("text", "slot", "amount"),
    [
        ("预算涨到60万", "budget", 600_000),
        ("去年预算50万，今年60万", "budget", 600_000),
        ("预算50万，比去年高", "budget", 500_000),
        ("We have a budget of $50k, higher than last year", "budget", 50_000),
        ("报价900元，比别家便宜", "amount", 900),
        ("quote: €1 200", "amount", 1200),
        ("quote: €1\u00a0200", "amount", 1200),
        ("quote: 1\u2009200 €", "amount", 1200),
        ("quote: €1 200,50", "amount", Decimal("1200.50")),
    ],
)
def test_figures_that_are(sales: Recognisers, text: str, slot: str, amount: Any) -> None:
    assert outcome(sales, text)[slot].amount == amount


def test_another_unit_is_another_number(workshop: Recognisers) -> None:
    assert outcome(workshop, "mileage 35,000 km") == {"mileage": 35000}
    assert outcome(workshop, "mileage 35,000 miles") == {}
    assert outcome(workshop, "里程35000英里") == {}
    spec = workshop._catalog.types["workshop_job"].slots["mileage"]
    assert "km" in (coerce(spec, "35,000 miles", TIME).error or "")
    assert "km" in (coerce(spec, 35000, TIME, None, "mileage 35,000 miles").error or "")
    assert coerce(spec, "35000", TIME, None, "里程35000公里").value == 35000


def test_a_share_of_the_price_is_no_percentage(workshop: Recognisers) -> None:
    spec = workshop._catalog.types["workshop_job"].slots["discount"]
    assert coerce(spec, "9折", TIME).error
    assert coerce(spec, "9", TIME, None, "discount=9折").error
    assert coerce(spec, "10%", TIME).value == 10
    assert outcome(workshop, "discount=9折") == {}


@pytest.mark.parametrize(
    ("text", "at"),
    [
        ("预约时间后天晚上12点", "2026-06-04T00:00+08:00"),
        ("预约时间明天半夜12点", "2026-06-03T00:00+08:00"),
        ("预约时间6月3日24:00", "2026-06-04T00:00+08:00"),
        ("预约时间明天凌晨12点", "2026-06-02T00:00+08:00"),
        ("预约时间后天中午12点", "2026-06-03T12:00+08:00"),
        ("appointment time June 3 at 8 pm", "2026-06-03T20:00+08:00"),
    ],
)
def test_the_midnight_that_ends_a_day(workshop: Recognisers, text: str, at: str) -> None:
    assert outcome(workshop, text) == {"at": datetime.fromisoformat(at)}


@pytest.mark.parametrize(
    "text",
    [
        "by 'budget $50k' I meant nothing", "“预算50万”这句话是他说的", "He said: the budget is $50k", "老板说预算50万",
        "Tom said the budget is $50k", "据说预算50万", "According to Tom the budget is $50k", "王总说预算50万",
    ],
)  # fmt: skip
def test_words_of_others(sales: Recognisers, text: str) -> None:
    assert "budget" not in outcome(sales, text)


@pytest.mark.parametrize(
    "text", ["老板批了预算50万", "老板同意预算50万", "My boss approved a budget of $50k", "我说预算50万"]
)
def test_the_speakers_own(sales: Recognisers, text: str) -> None:
    assert "budget" in outcome(sales, text)


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("预约号AP-101，稍后到", {"appt_no": "AP-101"}),
        ("Appointment number AP-102 please", {"appt_no": "AP-102"}),
        ("房号302", {"room": "302"}),
        ("发票号是12345678", {"ticket": "12345678"}),
        ("policy number: PL-5", {"ticket": "PL-5"}),
        ("My booking is AB-101", {"ticket": "AB-101"}),
        ("My ticket is AB-102.", {"ticket": "AB-102"}),
        ("My booking is tomorrow", {}),
        ("my ticket is 50 dollars", {}),
        ("房号忘了", {}),
    ],
)
def test_numbers_that_name_things(workshop: Recognisers, text: str, said: dict[str, str]) -> None:
    assert outcome(workshop, text) == said


def test_declared_cues_of_text(patient: Recognisers) -> None:
    assert outcome(patient, "患者是李明。") == {"name": "李明"}
    assert outcome(patient, "The patient is Anna Bell.") == {"name": "Anna Bell"}
    assert outcome(patient, "养了一只柯基") == {"pet": "柯基"}
    for text in ("患者是谁", "患者是很痛苦的", "患者是个孩子", "The patient is in pain"):
        assert outcome(patient, text) == {}


@pytest.mark.parametrize(
    ("text", "gone"),
    [
        ("Forget job J-8.", True), ("取消AP-103的预约。", True), ("job J-8 is cancelled", True), ("预约AP-103作废", True),
        ("Don't cancel job J-8", False), ("不要取消AP-103的预约", False), ("可以取消AP-103的预约吗", False),
        ("How do I cancel job J-8?", False), ("I forgot job J-8", False), ("if I cancel job J-8", False),
    ],
)  # fmt: skip
def test_what_goes_by_a_number_is_withdrawn(workshop: Recognisers, text: str, gone: bool) -> None:
    said = outcome(workshop, text)
    assert ("invalidate" in said) is gone
    if gone:
        assert said["appt_no"] in ("J-8", "AP-103")


@pytest.mark.parametrize("text", ["维修费大概300吧？", "维修费三百吧？", "repair fee is about 300 yuan"])
def test_a_guess_is_held(workshop: Recognisers, text: str) -> None:
    assert list(outcome(workshop, text)) == ["?fee"]


def test_a_question_states_nothing(workshop: Recognisers) -> None:
    assert outcome(workshop, "维修费300吗？") == {}
    assert outcome(workshop, "Is the repair fee 300 yuan?") == {}
