"""What ships is sound, in both languages, and found wherever the package lies."""

from __future__ import annotations

from pathlib import Path

import pytest

from forms_dynamics.errors import SchemaError
from forms_dynamics.language.normal import has_han
from forms_dynamics.schema import shipped
from forms_dynamics.schema.load import check, load_catalog
from forms_dynamics.schema.spec import Identity

NEEDED = {
    "lead_profile": "company company_type contact_name phone budget payment_terms contact_role deadline",
    "quote_form": "quote_no company amount valid_from valid_until payment_terms items",
    "contract_form": "contract_no company amount sign_date payment_terms deadline status",
}


def test_nothing_to_remark_on_what_ships() -> None:
    assert check([shipped.folder("form_types"), shipped.folder("relation_rules")]) == []


def test_each_type_lies_in_a_file_of_its_name() -> None:
    assert tuple(load_catalog().types) == shipped.names()
    assert {"user_profile", "preference", "tool_call", "document", *NEEDED} <= set(shipped.names())


@pytest.mark.parametrize("name", shipped.names())
def test_each_type_loads_alone(name: str) -> None:
    assert list(load_catalog([name]).types) == [name]


def test_slots_and_identities() -> None:
    types = load_catalog().types
    for name, slots in NEEDED.items():
        assert set(types[name].slots) == set(slots.split())
    assert types["lead_profile"].identity == Identity(
        (("company",), ("phone",), ("contact_name", "company_type"))
    )
    assert types["quote_form"].identity == Identity((("quote_no",), ("company",)))
    assert types["contract_form"].identity == Identity((("contract_no",), ("company",)))
    assert types["user_profile"].identity == Identity((("$speaker",),))
    assert types["tool_call"].identity.each
    assert types["quote_form"].slots["valid_until"].type == "date"
    assert types["quote_form"].slots["items"].many


def test_both_languages_everywhere() -> None:
    for spec in load_catalog():
        assert set(spec.description) == set(spec.usage) == {"zh", "en"}, spec.name
        assert {has_han(alias) for alias in spec.aliases} == {True, False}, spec.name
        for slot in spec.slots.values():
            assert set(slot.description) == {"zh", "en"}, (spec.name, slot.name)
            assert {has_han(alias) for alias in slot.aliases} == {True, False}, (spec.name, slot.name)
            assert set(slot.question) in ({"zh", "en"}, set()), (spec.name, slot.name)
            for value, synonyms in slot.values.items():
                assert any(has_han(word) for word in synonyms), (spec.name, slot.name, value)
    for rule in load_catalog().rules:
        assert set(rule.description) == {"zh", "en"}


def test_examples_say_what_they_give_and_what_they_do_not() -> None:
    for spec in load_catalog():
        kinds = {(has_han(example.text), bool(example.gives)) for example in spec.examples}
        assert {(True, False), (False, False)} <= kinds, spec.name
        if spec.name != "tool_call":  # written by programs, never read out of talk
            assert {(True, True), (False, True)} <= kinds, spec.name


def test_the_packaged_folder_comes_first(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    package = tmp_path / "site" / "forms_dynamics"
    inside = package / "_shipped" / "form_types"
    beside = tmp_path / "site" / "form_types"
    beside.mkdir(parents=True)
    monkeypatch.setattr(shipped, "_PACKAGE", package)
    shipped.folder.cache_clear()
    try:
        # an unrelated folder of that name beside an installed package is not ours
        with pytest.raises(SchemaError, match="missing"):
            shipped.folder("form_types")
        (tmp_path / "site" / "pyproject.toml").touch()
        assert shipped.folder("form_types") == beside
        shipped.folder.cache_clear()
        inside.mkdir(parents=True)
        assert shipped.folder("form_types") == inside
    finally:
        shipped.folder.cache_clear()
