"""A number or address by which a Form could be told changes: the Form stays the same one."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from forms_dynamics import Memory
from forms_dynamics.testing import FixedClock

TYPES = """
form_type: patient_card
version: 1
description: {en: Somebody who comes to the practice., zh: 来诊所看病的人}
aliases: [病历, patient]
identity: {any: [[card_no], [mobile], [mail]]}
slots:
  card_no: {type: text, aliases: [就诊卡号, card number], description: {en: Number of the card., zh: 就诊卡的编号}}
  mobile: {type: phone, aliases: [手机, 手机号, mobile], description: {en: Mobile number., zh: 联系用的手机号}}
  mail: {type: email, aliases: [邮箱, email], description: {en: E-mail address., zh: 联系用的邮箱}}
  allergy: {type: text, aliases: [过敏, 过敏史, allergy], description: {en: What to keep away from., zh: 不能用的药}}
"""


@pytest.fixture
def memory(tmp_path: Path) -> Iterator[Memory]:
    (tmp_path / "practice.yaml").write_text(TYPES, encoding="utf-8")
    clock = FixedClock("2026-03-02T09:00:00+08:00")
    with Memory.open(":memory:", form_types=[tmp_path / "practice.yaml"], clock=clock) as memory:
        yield memory


def cards(memory: Memory, *said: str) -> list[dict[str, Any]]:
    for text in said:
        memory.observe(text, speaker="user", conversation="c")
    found = [
        {n: s.value for n, s in f.slots.items() if s.value is not None} for f in memory.find("patient_card")
    ]
    return sorted(found, key=lambda card: card.get("mobile", ""))


@pytest.mark.parametrize(
    "said",
    [
        ("就诊卡号：K2207，过敏史：青霉素。", "手机：13800138000", "我的手机号换成13911112222了。", "13911112222"),
        ("就诊卡号：K2207，过敏史：青霉素。", "手机：13800138000", "我换号了，以后请打13911112222。", "13911112222"),
        ("Card number: K2207. Allergy: penicillin.", "Mobile: 13800138000", "Mobile: 13911112222", "13911112222"),
        (
            "Card number: K2207. Allergy: penicillin.",
            "Email: ann@post.example",
            "I have a new email address, please use annb@post.example.",
            "annb@post.example",
        ),
    ],
)  # fmt: skip
def test_what_is_known_by_a_name_as_well_has_a_new_number(memory: Memory, said: tuple[str, ...]) -> None:
    (card,) = cards(memory, *said[:3])
    assert card["card_no"] == "K2207"
    assert "allergy" in card
    assert said[3] in (card.get("mobile"), card.get("mail"))


@pytest.mark.parametrize(
    "said",
    [
        ("手机：13800138000，过敏史：青霉素。", "手机改成13911112222。"),
        ("Mobile: 13800138000. Allergy: penicillin.", "My mobile changed to 13911112222."),
    ],
)
def test_what_is_known_by_its_number_alone_has_a_new_one_where_that_is_said(
    memory: Memory, said: tuple[str, ...]
) -> None:
    (card,) = cards(memory, *said)
    assert card["mobile"] == "13911112222"
    assert "allergy" in card
    changed = next(iter(memory.find("patient_card")))
    assert [s.value for s in memory.history(changed.id, slot="mobile")] == ["13800138000", "13911112222"]


@pytest.mark.parametrize(
    "said",
    [
        # a number is all that either is known by
        ("手机：13800138000，过敏史：青霉素。", "手机：13911112222，过敏史：头孢。"),
        ("Mobile: 13800138000. Allergy: penicillin.", "Mobile: 13911112222. Allergy: aspirin."),
        # another one is spoken of
        ("就诊卡号：K2207，手机：13800138000。", "还有一个病人，手机：13911112222，过敏史：头孢。"),
        ("Card number: K2207. Mobile: 13800138000.", "A second patient: mobile: 13911112222."),
    ],
)
def test_another_one_is_another_form(memory: Memory, said: tuple[str, ...]) -> None:
    first, second = cards(memory, *said)
    assert first["mobile"] == "13800138000"
    assert second["mobile"] == "13911112222"
