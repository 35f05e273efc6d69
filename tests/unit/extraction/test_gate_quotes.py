"""Values that their own quoted words do not carry: cut out of longer ones, told by another, denied behind, swapped."""

from __future__ import annotations

from datetime import datetime
from typing import Any

import pytest

from forms_dynamics.extraction.gate import gate
from forms_dynamics.model.message import Draft, Message, SlotDraft
from forms_dynamics.schema.load import load_catalog
from forms_dynamics.schema.spec import Catalog
from forms_dynamics.settings import Settings

TIME = datetime.fromisoformat("2026-06-01T10:00:00+08:00")
FLAT = """
form_type: flat_sale
description: {en: A flat that a customer buys., zh: 购房意向}
identity: {any: [[estate], [phone]]}
slots:
  estate: {type: text, aliases: [楼盘, estate]}
  company: {type: text, aliases: [公司, company]}
  phone: {type: phone}
  price: {type: money, unit: CNY, aliases: [总价, total price]}
  deposit: {type: money, unit: CNY, aliases: [首付, down payment]}
  rooms: {type: integer, aliases: [房间数, rooms], min: 1, max: 20}
  stage: {type: enum, values: {looking: [看房, browsing], signed: [签约, signed]}}
  handover: {type: date, aliases: [交房, handover]}
  viewing: {type: date, aliases: [看房日, viewing]}
  wishes: {type: text, many: true, aliases: [要求, wish]}
  note: {type: text, aliases: [备注, note]}
template: {zh: "{{estate}}：总价{{price}}，首付{{deposit}}", en: "{{estate}}: {{price}}"}
"""


@pytest.fixture(scope="module")
def flats(tmp_path_factory: pytest.TempPathFactory) -> Catalog:
    path = tmp_path_factory.mktemp("types") / "flat_sale.yaml"
    path.write_text(FLAT, encoding="utf-8")
    return load_catalog([path, "user_profile"])


def judged(
    catalog: Catalog, text: str, form: str = "flat_sale", **slots: Any
) -> tuple[dict[str, Any], set[str]]:
    """What the gate accepts of slots given as value, (value, quote) or SlotDraft; and the slots that it holds."""
    drafts = {}
    for name, given in slots.items():
        if not isinstance(given, SlotDraft):
            value, quote = given if isinstance(given, tuple) else (given, str(given))
            many = catalog.types[form].slots[name].many
            given = SlotDraft([value] if many else value, 0.97, quote, tier="model")
        drafts[name] = given
    message = Message("m1", text, "speaker", "user", "c1", TIME)
    (out,), _ = gate(message, [Draft(form, drafts)], catalog, Settings())
    return {item.slot: item.value for item in out.accepted}, {held.item.slot for held in out.held}


# -- borders -------------------------------------------------------------------------------------------------
CUT: list[tuple[str, str, Any, str]] = [
    ("翡翠城这边打13800138000", "phone", "1380013800", "13800138000"),
    ("翡翠城这边打13800138000", "phone", "1380013800", "1380013800"),
    ("翡翠城这边打138-0013-8000", "phone", "138-0013", "138-0013-8000"),
    ("Jade Court, call 138-0013-8000", "phone", "138-0013", "138-0013"),
    ("Jade Court, call +44 20 7946 0958", "phone", "7946 095", "7946 095"),
    ("订单号913800138000123，翡翠城凑合", "phone", "13800138000", "13800138000"),
    ("订单号13800138000，翡翠城凑合", "phone", "13800138000", "订单号13800138000"),
    ("order number 13800138000 for Jade Court", "phone", "13800138000", "13800138000"),
    ("The Marblewood thing works", "estate", "wood", "wood"),
    ("The Marblewood thing works", "estate", "Marble", "Marblewood"),
    ("Jade Courtyard works", "estate", "Jade Court", "Jade Court"),
    ("Jade Courtyard works", "estate", "Jade Court", "Jade Courtyard works"),
    ("We are with Lakeside", "company", "lake", "Lakeside"),
    ("我们在Lakeside上班", "company", "lake", "Lakeside"),
    ("备注B12号楼", "note", "B1", "B12"),
    ("note: gate code 4411", "note", "code 44", "gate code 4411"),
    ("We are overlooking the park, unsigned", "stage", "signed", "unsigned"),
    ("翡翠城10²万", "price", "102万", "10²万"),
    ("翡翠城3½万", "price", "31/2万", "3½万"),
    ("翡翠城③00万", "price", "300万", "③00万"),
    ("Jade Court, 3e6 CNY", "price", "6 CNY", "3e6 CNY"),
    ("Jade Court, 10^2 CNY", "price", "102 CNY", "10^2 CNY"),
    ("翡翠城凑个-300万拿下", "price", "300万", "300万"),
    ("翡翠城凑个-300万拿下", "price", "300万", "-300万"),
    ("翡翠城凑个-300万拿下", "price", "-300万", "-300万"),
    ("Jade Court, -$300 CNY or so it says", "price", "300", "300"),
    ("翡翠城负300万", "price", "300万", "负300万"),
]  # fmt: skip


@pytest.mark.parametrize(("text", "slot", "value", "quote"), CUT)
def test_a_piece_of_a_longer_word_is_no_value(
    flats: Catalog, text: str, slot: str, value: Any, quote: str
) -> None:
    accepted, _ = judged(flats, text, **{slot: (value, quote)})
    assert slot not in accepted or str(accepted[slot]).startswith("-")


WHOLE: list[tuple[str, str, Any, str]] = [
    ("翡翠城这边打13800138000", "phone", "13800138000", "13800138000"),
    ("翡翠城这边打138-0013-8000", "phone", "13800138000", "打138-0013-8000"),
    ("电话+86 138 0013 8000", "phone", "13800138000", "+86 138 0013 8000"),
    ("call +44 20 7946 0958 please", "phone", "+44 20 7946 0958", "+44 20 7946 0958"),
    ("电话021-55558888转12", "phone", "021-55558888", "021-55558888"),
    ("翡翠城3室 电话13800138000", "phone", "13800138000", "13800138000"),
    ("not the Marblewood wood, just Wood", "estate", "Wood", "Wood"),
    ("the Marblewood wood", "estate", "wood", "wood"),
    ("Jade Court's fine", "estate", "Jade Court", "Jade Court"),
    ("我想买Jade Court的房子", "estate", "Jade Court", "Jade Court"),
    ("ＪＡＤＥ Court works", "estate", "Jade Court", "ＪＡＤＥ Court"),
    ("note: pets", "note", "pet", "pets"),
    ("楼盘：B12", "estate", "B12", "B12"),
    ("I signed", "stage", "signed", "I signed"),
    ("翡翠城３００万", "price", "300万", "300万"),
    ("翡翠城总价3百万", "price", "3百万", "3百万"),
    ("Jade Court A-300, total price 3m CNY", "price", "3m CNY", "3m CNY"),
]  # fmt: skip


@pytest.mark.parametrize(("text", "slot", "value", "quote"), WHOLE)
def test_whole_words_are(flats: Catalog, text: str, slot: str, value: Any, quote: str) -> None:
    accepted, _ = judged(flats, text, **{slot: (value, quote)})
    assert slot in accepted


@pytest.mark.parametrize("name", ["，", "。。", "-", "～", "嗯", "这个", "the", "it", "🙂"])
def test_a_sign_or_a_sound_names_nothing(flats: Catalog, name: str) -> None:
    text = f"碧水湾凑合 {name} 嗯"
    assert judged(flats, text, estate=(name, name)) == ({}, set())


# -- whose -------------------------------------------------------------------------------------------------
JADE = {"estate": "翡翠城", "price": "300万"}
COURT = {"estate": "Jade Court", "price": "3m CNY"}


@pytest.mark.parametrize(
    ("text", "slots"),
    [
        ("老王说翡翠城总价300万他拿下了", JADE),
        ("据中介讲翡翠城300万", JADE),
        ("据说翡翠城300万", JADE),
        ("王经理告诉我翡翠城总价300万", JADE),
        ("我邻居拿下了翡翠城，总价300万", JADE),
        ("Tom said Jade Court is 3m CNY", COURT),
        ("According to Tom Jade Court is 3m CNY", COURT),
        ("My agent told me Jade Court is 3m CNY", COURT),
        ("My neighbour got Jade Court at 3m CNY", COURT),
        ("My colleague bought Jade Court for 3m CNY", COURT),
    ],
)
def test_what_another_tells_or_does_waits(flats: Catalog, text: str, slots: dict[str, Any]) -> None:
    accepted, held = judged(flats, text, **slots)
    assert (accepted, held) == ({}, {"estate", "price"})


@pytest.mark.parametrize(
    ("text", "slots"),
    [
        ("老板批了，翡翠城总价300万", JADE),
        ("我跟老王说了翡翠城总价300万", JADE),
        ("翡翠城总价300万", JADE),
        ("Jade Court, total price 3m CNY", COURT),
        ("My boss approved Jade Court at 3m CNY", COURT),
        ("I told Tom that Jade Court at 3m CNY is ours", COURT),
    ],
)
def test_the_speaker_s_own_stays(flats: Catalog, text: str, slots: dict[str, Any]) -> None:
    accepted, _ = judged(flats, text, **slots)
    assert set(accepted) == {"estate", "price"}


PERSONAL: list[tuple[str, str, str]] = [
    ("He's allergic to peanuts, could stretch", "allergies", "peanuts"),
    ("She is allergic to peanuts", "allergies", "peanuts"),
    ("他对花生过敏", "allergies", "花生"),
    ("她住在苏州", "city", "苏州"),
    ("住在苏州的那个老同学来了", "city", "苏州"),
    ("住在苏州的朋友来了", "city", "苏州"),
    ("梦见自己住在苏州", "city", "苏州"),
    ("I dreamt I live in Leeds", "city", "Leeds"),
    ("小时候住过苏州", "city", "苏州"),
    ("以前住在苏州", "city", "苏州"),
    ("住过苏州几年", "city", "苏州"),
    ("I used to live in Leeds", "city", "Leeds"),
    ("I lived in Leeds as a child", "city", "Leeds"),
    ("I grew up in Leeds", "city", "Leeds"),
]


@pytest.mark.parametrize(("text", "slot", "value"), PERSONAL)
def test_what_is_another_s_dreamt_or_over_is_no_fact_of_the_speaker(
    flats: Catalog, text: str, slot: str, value: str
) -> None:
    accepted, _ = judged(flats, text, "user_profile", **{slot: value})
    assert accepted == {}


@pytest.mark.parametrize(
    ("text", "slot", "value"),
    [
        ("我住在苏州", "city", "苏州"),
        ("以前住在杭州，现在住在苏州", "city", "苏州"),
        ("我以前住杭州后来搬到苏州", "city", "苏州"),
        ("I used to live in York and now I live in Leeds", "city", "Leeds"),
        ("He knows I live in Leeds", "city", "Leeds"),
        ("我跟她说我住在苏州", "city", "苏州"),
        ("从小对花生过敏", "allergies", "花生"),
        ("I'm allergic to peanuts, could stretch", "allergies", "peanuts"),
        ("I live in Leeds, my dream home is there", "city", "Leeds"),
    ],
)
def test_what_is_so_now_is(flats: Catalog, text: str, slot: str, value: str) -> None:
    accepted, _ = judged(flats, text, "user_profile", **{slot: value})
    assert set(accepted) == {slot}


# -- denied behind, another day, quoted, swapped ---------------------------------------------------------------
@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("翡翠城总价300万不行", "300万"),
        ("翡翠城总价300万，不行", "300万"),
        ("翡翠城总价300万我可不干", "300万"),
        ("翡翠城总价300万绝对不买", "300万"),
        ("翡翠城总价300万免谈", "300万"),
        ("翡翠城总价300万打死也不买", "300万"),
        ("翡翠城总价300万是去年的价", "300万"),
        ("Jade Court at 3m CNY is out of the question", "3m CNY"),
        ("Jade Court at 3m CNY would be nuts", "3m CNY"),
        ("Jade Court, 3m CNY was last year's price", "3m CNY"),
        ("Jade Court at 3m CNY won't work", "3m CNY"),
        ("Jade Court at 3m CNY? No. 3m CNY is not happening", "3m CNY"),
    ],
)
def test_a_figure_that_is_turned_down_behind_it(flats: Catalog, text: str, value: str) -> None:
    accepted, _ = judged(flats, text, price=value)
    assert accepted == {}


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("翡翠城总价300万，行", "300万"),
        ("翡翠城总价300万，不要太吵的", "300万"),
        ("翡翠城总价300万不变", "300万"),
        ("翡翠城总价300万，去年的价是280万", "300万"),
        ("Jade Court, total price 3m CNY, not last year's price", "3m CNY"),
        ("Jade Court, total price 3m CNY is fine", "3m CNY"),
    ],
)
def test_a_figure_that_stands(flats: Catalog, text: str, value: str) -> None:
    accepted, _ = judged(flats, text, price=value)
    assert set(accepted) == {"price"}


@pytest.mark.parametrize(
    ("text", "day"),
    [
        ("2027年5月1日我生日，想去翡翠城", "2027年5月1日"),
        ("2027年5月1日是我们结婚纪念日，翡翠城凑合", "2027年5月1日"),
        ("我生日是2027年5月1日，翡翠城凑合", "2027年5月1日"),
        ("May 1, 2027 is my birthday, Jade Court would be nice", "May 1, 2027"),
        ("My birthday is on May 1, 2027, Jade Court works", "May 1, 2027"),
    ],
)
def test_a_birthday_is_no_other_day(flats: Catalog, text: str, day: str) -> None:
    assert judged(flats, text, handover=day) == ({}, set())


def test_a_day_beside_a_party_is(flats: Catalog) -> None:
    assert set(judged(flats, "2027年5月1日交房，正好办生日聚会", handover="2027年5月1日")[0]) == {"handover"}


def test_what_markdown_quotes_is_not_said(flats: Catalog) -> None:
    assert judged(flats, "> 翡翠城总价1元", estate="翡翠城", price="1元") == ({}, set())
    assert judged(flats, "看到这个\n> Jade Court is 3m CNY\n你看", estate="Jade Court") == ({}, set())
    assert set(judged(flats, "> 碧水湾总价1元\n翡翠城总价300万", **JADE)[0]) == {"estate", "price"}


def test_nothing_is_taken_off_a_list_without_words_for_it(flats: Catalog) -> None:
    gone = SlotDraft(["阳台"], 0.97, "阳台", op="remove", tier="model")
    assert judged(flats, "阳台还行", wishes=gone) == ({}, {"wishes"})
    assert set(judged(flats, "阳台不要了", wishes=gone)[0]) == {"wishes"}
    gone = SlotDraft(["balcony"], 0.97, "balcony", op="remove", tier="model")
    assert judged(flats, "the balcony is okay", wishes=gone) == ({}, {"wishes"})
    assert set(judged(flats, "drop the balcony", wishes=gone)[0]) == {"wishes"}


@pytest.mark.parametrize(
    ("text", "price", "deposit"),
    [
        ("头期出30万，全下来100万", "30万", "100万"),
        ("头期出30万，全下来100万", "100万", "30万"),
        ("30k CNY upfront and 900k CNY all in", "30k CNY", "900k CNY"),
    ],
)
def test_two_values_without_words_for_their_slots_are_asked_about(
    flats: Catalog, text: str, price: str, deposit: str
) -> None:
    for quote in ((price, deposit), (text, text)):
        accepted, held = judged(flats, text, price=(price, quote[0]), deposit=(deposit, quote[1]))
        assert (accepted, held) == ({}, {"price", "deposit"})


@pytest.mark.parametrize(
    ("text", "price", "deposit"),
    [
        ("总价100万，首付30万", "100万", "30万"),
        ("总价100万，另外30万先给", "100万", "30万"),
        ("total price 900k CNY, 30k CNY upfront", "900k CNY", "30k CNY"),
    ],
)
def test_one_word_tells_which_is_which(flats: Catalog, text: str, price: str, deposit: str) -> None:
    assert set(judged(flats, text, price=price, deposit=deposit)[0]) == {"price", "deposit"}


def test_a_stay_from_day_to_day_is_in_order(flats: Catalog) -> None:
    days = {"viewing": "2027年6月3日", "handover": "2027年6月8日"}
    assert set(judged(flats, "2027年6月3日到2027年6月8日", **days)[0]) == {"viewing", "handover"}
    assert judged(flats, "2027年6月3日不错，2027年6月8日也好", **days)[0] == {}
