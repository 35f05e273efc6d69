"""The pydantic model of a Form type refuses what is not of a slot's type."""

from __future__ import annotations

from datetime import date, datetime, timezone
from decimal import Decimal
from typing import Any

import pytest
from pydantic import ValidationError

from forms_dynamics.model.value import Money, Range
from forms_dynamics.schema.compile import pydantic_model
from forms_dynamics.schema.load import load_catalog
from forms_dynamics.schema.spec import FormType, SlotSpec


def slot(name: str, kind: str, **more: Any) -> tuple[str, SlotSpec]:
    return name, SlotSpec(name, kind, **more)


TYPE = FormType(
    "order", 1,
    dict([
        slot("order_no", "text"), slot("quantity", "integer", min=1, max=5),
        slot("price", "money", unit="CNY", min=Decimal(1)), slot("share", "percent"),
        slot("size", "number", exact=True), slot("paid", "boolean"), slot("due", "date"),
        slot("at", "datetime"), slot("stay", "date_range"), slot("lasts", "duration"),
        slot("level", "enum", values={"high": ("高",), "low": ()}), slot("mail", "email", many=True),
        slot("copy", "text"), slot("model_no", "text"), slot("unit-price", "money"), slot("class", "text"),
        slot("订单号", "text"),
    ]),
)  # fmt: skip
UTC = timezone.utc  # noqa: UP017


@pytest.mark.parametrize(
    ("name", "value"),
    [
        ("order_no", "A1"),
        ("quantity", 3),
        ("quantity", Range(1, 3)),
        ("quantity", Range(None, 5)),
        ("price", Money(Decimal("9.90"), "CNY")),
        ("price", Money(Decimal("0.10"), "USD")),  # the minimum is in the slot's unit
        ("price", Range(Money(Decimal(1), "CNY"), Money(Decimal(2), "CNY"))),
        ("share", Decimal(30)),
        ("size", Decimal("1.5")),
        ("paid", False),
        ("due", date(2026, 2, 28)),
        ("at", datetime(2026, 2, 28, tzinfo=UTC)),
        ("stay", Range(date(2026, 2, 1), None)),
        ("lasts", "P3M"),
        ("level", "high"),
        ("mail", ("a@example.com",)),
        ("copy", "x"),
        ("model_no", "x"),
        ("unit-price", Money(Decimal(1), "CNY")),
        ("class", "x"),
        ("订单号", "甲1"),
        ("due", None),
    ],
)
def test_taken(name: str, value: Any) -> None:
    filled = pydantic_model(TYPE).model_validate({name: value}, by_alias=True)
    assert filled.model_dump(by_alias=True, exclude_none=True).keys() == (
        {name} if value is not None else set()
    )


@pytest.mark.parametrize(
    ("name", "value", "piece"),
    [
        ("order_no", 3, "string"),
        ("order_no", "", "at least 1"),
        ("quantity", "plenty", "integer"),
        ("quantity", 2.7, "integer"),
        ("quantity", True, "integer"),
        ("quantity", 0, "below the minimum 1"),
        ("quantity", Range(0, 3), "below the minimum 1"),
        ("quantity", Range(3, 2), "begins before"),
        ("quantity", Range(None, None), "at least one end"),
        ("quantity", Range(1, "3"), "no integer"),
        ("price", 9.9, "Money"),
        ("price", Money(Decimal("0.5"), "CNY"), "below"),
        ("price", Money(Decimal(5), "yuan"), "ISO 4217"),
        ("price", Range(Money(Decimal(1), "CNY"), Money(Decimal(2), "USD")), "one currency"),
        ("share", 30, "Decimal"),
        ("size", Range(Decimal(1), None), "Decimal"),
        ("paid", 1, "boolean"),
        ("due", "2026-02-28", "date"),
        ("due", datetime(2026, 2, 28, tzinfo=UTC), "date"),
        ("due", Range(datetime(2026, 2, 28, tzinfo=UTC), None), "no date"),
        ("at", datetime(2026, 2, 28), "timezone"),
        ("stay", date(2026, 2, 28), "Range"),
        ("stay", Range(date(2026, 2, 2), date(2026, 2, 1)), "begins before"),
        ("lasts", "three months", "ISO 8601"),
        ("level", "高", "'high' or 'low'"),
        ("mail", ["a@example.com"], "tuple"),
        ("mail", ("nobody",), "not an e-mail"),
        ("colour", "red", "not permitted"),
    ],
)
def test_refused(name: str, value: Any, piece: str) -> None:
    with pytest.raises(ValidationError) as refused:
        pydantic_model(TYPE).model_validate({name: value})
    told = refused.value.errors()
    assert {error["loc"][0] for error in told} == {name}
    assert any(piece in error["msg"] for error in told)


def test_every_wrong_slot_is_named() -> None:
    with pytest.raises(ValidationError) as refused:
        pydantic_model(TYPE).model_validate({"quantity": "x", "due": "y", "colour": "z", "paid": True})
    assert {error["loc"][0] for error in refused.value.errors()} == {"quantity", "due", "colour"}


def test_models_are_built_once_and_describe_themselves() -> None:
    lead = load_catalog(["lead_profile"]).types["lead_profile"]
    model = pydantic_model(lead)
    assert pydantic_model(lead) is model
    schema = model.model_json_schema()
    assert set(schema["properties"]) == set(lead.slots)
    assert schema["properties"]["budget"]["description"] == lead.slots["budget"].description["en"]
    assert "required" not in schema
