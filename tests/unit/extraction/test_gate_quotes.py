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
