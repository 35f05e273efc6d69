"""The examples in the shipped YAML say what the offline recognisers read of them."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import datetime
from functools import cache
from typing import Any

import pytest

from forms_dynamics.extraction.recognisers import Recognisers
from forms_dynamics.model.message import Message
from forms_dynamics.schema.coerce import coerce
from forms_dynamics.schema.load import load_catalog
from forms_dynamics.schema.shipped import names
from forms_dynamics.schema.spec import Catalog, Example
from forms_dynamics.settings import Settings

TIME = datetime.fromisoformat("2026-06-12T10:00:00+08:00")
WHOLE = load_catalog()
ALL = Recognisers(WHOLE, Settings())


@cache
def alone(form_type: str) -> tuple[Catalog, Recognisers]:
    catalog = load_catalog([form_type])
    return catalog, Recognisers(catalog, Settings())


# what one type's example says of others, when all are loaded
ELSEWHERE: dict[str, dict[str, dict[str, Any]]] = {
    "给临江重工报价48万。": {"lead_profile": {"company": "临江重工"}},  # a quote's customer is a lead
    "我爸住在苏州。": {"family_member": {"relation": "father", "city": "苏州"}},
    "我的生日是1990年5月17日。": {"user_profile": {"birthday": "1990-05-17"}},
}


def examples() -> list[tuple[str, Example]]:
    return [(t.name, e) for t in WHOLE for e in t.examples]


def read(recognisers: Recognisers, catalog: Catalog, text: str) -> dict[str, dict[str, Any]]:
    """Typed values of the drafts by type; avoided ones stand behind a minus sign."""
    message = Message("m1", text, "speaker", "user", "c1", TIME)
    found: dict[str, dict[str, Any]] = {}
    for draft in recognisers.extract(message, ()).drafts:
        form_type = draft.form_type
        assert form_type not in found, "one Form of a type an example"
        assert not draft.invalidate
        out = found[form_type] = {}
        for name, slot in draft.slots.items():
            if slot.proposal:
                continue
            assert slot.evidence is not None
            assert slot.span is not None
            assert text[slice(*slot.span)] == slot.evidence
            got = coerce(catalog.types[form_type].slots[name], slot.value, TIME, None, text)
            assert got.error is None, f"{name}: {got.error}"
            out[("-" if slot.negated else "") + name] = got.value
    return found


def expected(catalog: Catalog, form_type: str, gives: Mapping[str, Any]) -> dict[str, Any]:
    slots = catalog.types[form_type].slots
    return {name: coerce(slots[name], value, TIME, None).value for name, value in gives.items()}


@pytest.mark.parametrize(
    ("form_type", "example"), examples(), ids=lambda x: x if isinstance(x, str) else x.text[:30]
)
def test_example_alone(form_type: str, example: Example) -> None:
    catalog, recognisers = alone(form_type)
    wanted = {form_type: expected(catalog, form_type, example.gives)} if example.gives else {}
    assert read(recognisers, catalog, example.text) == wanted


@pytest.mark.parametrize(
    ("form_type", "example"), examples(), ids=lambda x: x if isinstance(x, str) else x.text[:30]
)
def test_example_among_all_types(form_type: str, example: Example) -> None:
    """The same values, and no Form of any other type."""
    wanted = {t: expected(WHOLE, t, gives) for t, gives in ELSEWHERE.get(example.text, {}).items()}
    if example.gives:
        wanted[form_type] = expected(WHOLE, form_type, example.gives)
    assert read(ALL, WHOLE, example.text) == wanted


def test_every_shipped_type_has_examples_of_both_kinds() -> None:
    assert {t.name for t in WHOLE} == set(names())
    for form_type in WHOLE:
        assert any(not e.gives for e in form_type.examples), form_type.name
    assert set(ELSEWHERE) <= {e.text for t in WHOLE for e in t.examples}
