"""Rows of a table and corrections by a person: a text is data there, kept as it is spelt."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from forms_dynamics import InvalidInput, Memory
from forms_dynamics.testing import FixedClock, ScriptedExtractor

TYPES = """\
form_type: booking
slots:
  note:    {type: text}
  tags:    {type: text, many: true}
  diet:    {type: enum, values: ["None", vegan, "multiple sports", multiple-sports]}
  seats:   {type: integer}
---
form_type: firm
identity: {any: [[name], [city, street]]}
slots:
  name:   {type: text}
  city:   {type: text}
  street: {type: text}
  stage:  {type: text}
"""


@pytest.fixture
def memory(tmp_path: Path) -> Iterator[Memory]:
    types = tmp_path / "types.yaml"
    types.write_text(TYPES, encoding="utf-8")
    with Memory.open(
        tmp_path / "memory.db",
        form_types=[types],
        relation_rules=[],
        extractor=ScriptedExtractor(
            {"acme again": [_draft("firm", name="acme")], "none": [_draft("booking", note="none")]}
        ),
        clock=FixedClock("2026-06-01T09:00:00+08:00"),
    ) as memory:
        yield memory


def _draft(form_type: str, **slots: str) -> dict[str, Any]:
    told = {name: {"value": v, "confidence": 0.95, "evidence": v} for name, v in slots.items()}
    return {"form_type": form_type, "slots": told}


# what reads like a hedge, like "no value", like untidy typing: all of it stands in real tables
AS_GIVEN = [
    "None", "none", "无", "没有", "N/A", "-", "?", "pending", "null", "不知道", "maybe", "Around the Corner", "about 5 pm",
    "大概念书店", "蓝鲸餐厅酒吧", " quay ", "two  spaces", "a line\nand another", "trailing ", "\t听雨茶馆", "ＡＢＣ１２３",
    "> 30", "a|b", '["8 pm"]', "02055550101\xa0 02055550102", "5 pm", "dontcare", "臺北", "e\u0301", "a\x0bb", "\x07bell",
]  # fmt: skip


@pytest.mark.parametrize("text", AS_GIVEN)
def test_a_text_is_kept_as_it_was_given(memory: Memory, text: str) -> None:
    form = memory.record("booking", {"note": text}, external_id="b1").forms[0]
    assert memory.get(form)["note"] == text
    assert [f.id for f in memory.find("booking", note=text)] == [form]
    memory.record("booking", {"note": "else"}, external_id="b1")
    memory.correct(form, "note", text)
    assert memory.get(form)["note"] == text
    assert [s.value for s in memory.history(form, slot="note")] == [text, "else", text]
    assert memory.verify().ok


def test_the_items_of_a_list_are_kept_as_they_were_given(memory: Memory) -> None:
    form = memory.record("booking", {"tags": ["None", " 无 ", "about 5", "", "酒吧"]}).forms[0]
    assert memory.get(form)["tags"] == ("None", " 无 ", "about 5", "酒吧")
    memory.record("booking", {"tags": "N/A"}, external_id="b2")
    assert [f["tags"] for f in memory.find("booking", tags="N/A")] == [("N/A",)]


@pytest.mark.parametrize(
    ("before", "after"),
    [("Yes", "yes"), ("ABC", "ＡＢＣ"), ("臺北", "台北"), ("Mark", "Mark "), ("a b", "a  b")],
)
def test_another_spelling_is_another_value(memory: Memory, before: str, after: str) -> None:
    form = memory.record("booking", {"note": before}, external_id="b1", time="2026-05-01T10:00:00Z").forms[0]
    again = memory.record("booking", {"note": after}, external_id="b1", time="2026-05-02T10:00:00Z")
    assert again.forms == (form,)
    assert (memory.get(form)["note"], memory.get(form).version) == (after, 2)
    assert [s.value for s in memory.history(form, slot="note")] == [before, after]
    memory.record("booking", {"note": after}, external_id="b1", time="2026-05-03T10:00:00Z")
    assert memory.get(form).version == 2
    memory.correct(form, "note", before)
    assert memory.get(form)["note"] == before


def test_another_spelling_of_a_name_is_the_same_form(memory: Memory) -> None:
    form = memory.record("firm", {"name": "acme ltd", "stage": "new"}).forms[0]
    assert memory.record("firm", {"name": "ACME Ltd"}).forms == (form,)
    (firm,) = memory.find("firm", name="acme ltd")
    assert (firm["name"], firm.aliases) == ("ACME Ltd", frozenset())


def test_external_ids_are_opaque(memory: Memory) -> None:
    ids = ["001aB", "001Ab", "００１aB"]
    forms = [memory.record("booking", {"note": id}, external_id=id).forms[0] for id in ids]
    assert len(set(forms)) == 3
    for id, form in zip(ids, forms, strict=True):
        assert memory.record("booking", {"note": f"{id} again"}, external_id=id).forms == (form,)
        assert memory.get(form)["note"] == f"{id} again"
        assert memory.get(form).external_ids == {id}
    memory.rebuild()
    assert memory.record("booking", {"note": "x"}, external_id="001Ab").forms == (forms[1],)
    assert memory.verify().ok


def test_a_spelling_displaces_no_word_of_a_higher_rank_and_asks_nothing(memory: Memory) -> None:
    form = memory.record("firm", {"name": "Acme", "stage": "Won"}, source="user").forms[0]
    receipt = memory.record("firm", {"name": "acme", "stage": "won"})
    assert (receipt.forms, receipt.pending, receipt.versions) == ((form,), (), ())
    assert (memory.get(form)["name"], memory.get(form)["stage"]) == ("Acme", "Won")


def test_what_is_said_again_in_another_case_changes_nothing(memory: Memory) -> None:
    form = memory.record("firm", {"name": "Acme"}, conversation="c1").forms[0]
    receipt = memory.observe("acme again", conversation="c1")
    assert receipt.forms == (form,)
    assert (memory.get(form)["name"], memory.get(form).version) == ("Acme", 1)


def test_null_like_words_of_a_message_neither_fill_nor_wipe(memory: Memory) -> None:
    form = memory.record("booking", {"note": "None"}, conversation="c1").forms[0]
    memory.record("booking", {"note": "by the window"}, conversation="c1")
    assert memory.observe("none", conversation="c1").versions == ()
    assert memory.get(form)["note"] == "by the window"


@pytest.mark.parametrize("given", ["None", "vegan", "multiple sports", "multiple-sports"])
def test_an_enum_gives_back_the_value_that_was_named(memory: Memory, given: str) -> None:
    form = memory.record("booking", {"diet": given}).forms[0]
    assert memory.get(form)["diet"] == given
    assert [f.id for f in memory.find("booking", diet=given)] == [form]


@pytest.mark.parametrize(
    ("form_type", "slots", "said"),
    [
        ("booking", {"note": "a\x00"}, "booking.note holds a NUL"),
        ("booking", {"tags": ["a\x00"]}, "booking.tags: holds the character U\\+0000"),
        ("booking", {"diet": "fish"}, "booking.diet: 'fish' is none of its values; write one of None, vegan"),
    ],
)
def test_what_cannot_be_a_value_is_an_error_that_says_what_to_do(
    memory: Memory, form_type: str, slots: dict[str, Any], said: str
) -> None:
    with pytest.raises(InvalidInput, match=said):
        memory.record(form_type, slots)
    assert memory.find() == []


@pytest.mark.parametrize(
    ("form_type", "slots"),
    [
        ("booking", {"note": ""}), ("booking", {"note": " \u3000"}), ("booking", {"seats": "N/A"}),
        ("booking", {"seats": ""}), ("booking", {"diet": "无"}), ("firm", {"city": "N/A"}), ("firm", {"street": " "}),
    ],
)  # fmt: skip
def test_a_cell_that_says_nothing_neither_fills_nor_wipes(
    memory: Memory, form_type: str, slots: dict[str, Any]
) -> None:
    full: dict[str, dict[str, Any]] = {
        "booking": {"note": "by the window", "seats": 4, "diet": "vegan"},
        "firm": {"name": "Acme", "city": "Ulm", "street": "Elm 1"},
    }
    form = memory.record(form_type, full[form_type], external_id="x").forms[0]
    assert memory.record(form_type, slots, external_id="x").versions == ()
    assert {name: memory.get(form)[name] for name in full[form_type]} == full[form_type]


def test_rows_that_name_nobody_are_not_one_form(memory: Memory) -> None:
    rows = [memory.record("firm", {"name": "N/A", "stage": f"s{n}"}).forms for n in range(3)]
    assert len(set(rows)) == 3


def test_a_person_gives_a_value(memory: Memory) -> None:
    form = memory.record("firm", {"name": "Acme"}).forms[0]
    with pytest.raises(InvalidInput, match=r"firm\.stage: a blank text says nothing"):
        memory.correct(form, "stage", " ")
    with pytest.raises(InvalidInput, match=r"firm\.name: 'N/A' tells no two Forms apart"):
        memory.correct(form, "name", "N/A")
