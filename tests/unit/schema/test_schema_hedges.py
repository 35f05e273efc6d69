"""``hedges:`` documents: words added and taken back, mistakes told with their place, the gate that reads them."""

from __future__ import annotations

from pathlib import Path

import pytest

from forms_dynamics import Memory
from forms_dynamics.errors import SchemaError
from forms_dynamics.schema.load import check, load_catalog

LEAD = "form_type: lead\nslots:\n  budget: {type: money, unit: CNY, aliases: [预算]}\n---\n"


def write(folder: Path, text: str) -> Path:
    file = folder / "words.yaml"
    file.write_text(LEAD + text, encoding="utf-8")
    return file


def budget(file: Path, text: str) -> str:
    with Memory.open(":memory:", form_types=[file]) as memory:
        memory.observe(text, conversation="c", time="2026-05-05T10:00:00+08:00")
        reasons = [p.reason for p in memory.pending()]
        return reasons[0] if reasons else str(memory.find("lead")[0]["budget"])


def test_words_of_ones_own_hold_a_value(tmp_path: Path) -> None:
    plain = write(tmp_path, "relation: r\nfrom: lead\nto: lead\n")
    assert budget(plain, "预算50万，还要看老板") == "500,000 CNY"
    own = write(tmp_path, "hedges:\n  zh: {remark: [还要看老板]}\n  en: [i fancy]\n")
    assert budget(own, "预算50万，还要看老板") == "hedged"
    assert budget(own, "预算大概50万") == "hedged"
    assert budget(own, "预算50万") == "500,000 CNY"


def test_a_word_taken_back_hedges_no_more(tmp_path: Path) -> None:
    own = write(tmp_path, "hedges:\n  not: [初步(定|估)]\n")
    assert budget(own, "预算初步定50万") == "500,000 CNY"
    assert budget(own, "预算大概50万") == "hedged"


def test_they_hold_for_every_type_that_is_loaded_with_them(tmp_path: Path) -> None:
    file = tmp_path / "hedges.yaml"
    file.write_text("hedges: {zh: [怕不是]}\n", encoding="utf-8")
    catalog = load_catalog(["lead_profile", file])
    slot = catalog.types["lead_profile"].slots["budget"]
    assert slot.hedging.hedged("怕不是50万", 3, 6)
    assert (
        not load_catalog(["lead_profile"])
        .types["lead_profile"]
        .slots["budget"]
        .hedging.hedged("怕不是50万", 3, 6)
    )


@pytest.mark.parametrize(
    ("text", "line", "said"),
    [
        ("hedges:\n  zh: {doubts: [怕不是]}\n", 6, "doubts"),
        ("hedges:\n  fr: [environ]\n", 6, "hedges has no key 'fr'"),
        ("hedges:\n  en: ['(a|b']\n", 6, "parentheses do not pair"),
        ("hedges:\n  en: [no]\n", 6, "boolean"),
        ("hedges:\n  en: [i fancy]\n  not: [I fancy]\n", 7, "leave one out"),
        ("hedges: 5\n", 5, "must be a mapping"),
        ("hedge:\n  en: [a b]\n", 5, "'hedges'"),
    ],
)
def test_mistakes_are_told_with_their_place(tmp_path: Path, text: str, line: int, said: str) -> None:
    file = write(tmp_path, text)
    with pytest.raises(SchemaError) as caught:
        load_catalog([file])
    told = str(caught.value)
    assert said in told
    assert f":{line}" in told


def test_a_phrase_that_changes_nothing_is_a_warning(tmp_path: Path) -> None:
    (found,) = check([write(tmp_path, "hedges:\n  not: [上海]\n")])
    assert found.severity == "warning"
    assert "changes nothing" in found.message
