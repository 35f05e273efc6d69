"""The examples in the shipped YAML say what the offline recognisers read of them."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import datetime
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
SHIPPED = sorted(names())
WHOLE = load_catalog()


def examples() -> list[tuple[str, Example]]:
    return [(t.name, e) for t in WHOLE for e in t.examples]


def read(catalog: Catalog, form_type: str, text: str) -> dict[str, Any]:
    """Typed values of the drafts for one type; avoided ones stand behind a minus sign."""
    message = Message("m1", text, "speaker", "user", "c1", TIME)
    out: dict[str, Any] = {}
    for draft in Recognisers(catalog, Settings()).extract(message, ()).drafts:
        if draft.form_type != form_type:
            continue
        for name, slot in draft.slots.items():
            if slot.proposal:
                continue
            assert slot.evidence is not None
            assert slot.span is not None
            assert text[slice(*slot.span)] == slot.evidence
            got = coerce(catalog.types[form_type].slots[name], slot.value, TIME, None, text)
            assert got.error is None, f"{name}: {got.error}"
            out[("-" if slot.negated else "") + name] = got.value
    return out


def expected(catalog: Catalog, form_type: str, gives: Mapping[str, Any]) -> dict[str, Any]:
    slots = catalog.types[form_type].slots
    return {name: coerce(slots[name], value, TIME, None).value for name, value in gives.items()}


@pytest.mark.parametrize(
    ("form_type", "example"), examples(), ids=lambda x: x if isinstance(x, str) else x.text[:30]
)
def test_example_alone(form_type: str, example: Example) -> None:
    catalog = load_catalog([form_type])
    assert read(catalog, form_type, example.text) == expected(catalog, form_type, example.gives)


@pytest.mark.parametrize(
    ("form_type", "example"), examples(), ids=lambda x: x if isinstance(x, str) else x.text[:30]
)
def test_example_among_all_types(form_type: str, example: Example) -> None:
    assert read(WHOLE, form_type, example.text) == expected(WHOLE, form_type, example.gives)


def test_every_shipped_type_has_examples_of_both_kinds() -> None:
    for form_type in WHOLE:
        assert any(not e.gives for e in form_type.examples), form_type.name
    assert SHIPPED
