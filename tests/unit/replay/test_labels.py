"""Labels: what they may say, read as production reads values, and what is said of wrong ones."""

from __future__ import annotations

from datetime import UTC, date, datetime
from decimal import Decimal
from typing import Any

import pytest

from forms_dynamics import InvalidInput, Money, Range
from forms_dynamics.replay.labels import Expected, Label, Probe, read_label
from forms_dynamics.settings import Settings
from tests.unit.replay.talks import CATALOG, NOON, SETTINGS, cny, expects


def read(raw: Any, settings: Settings = SETTINGS) -> Label:
    return read_label(raw, CATALOG, settings, NOON)


def forms(**slots: Any) -> Any:
    return {"forms": [{"form_type": "hotel", "slots": slots}]}


@pytest.mark.parametrize(
    ("slot", "raw", "value"),
    [
        ("price", "50万", cny(500_000)),
        ("price", 500000, cny(500_000)),
        ("price", "500,000 CNY", cny(500_000)),
        ("price", {"min": 300, "max": 400}, Range(cny(300), cny(400))),
        ("price", {"amount": "99.50", "currency": "EUR"}, Money(Decimal("99.50"), "EUR")),
        ("area", "城北", "north"),
        ("area", "South", "south"),
        ("arrival", "明天", date(2026, 6, 13)),
        ("arrival", "June 30, 2026", date(2026, 6, 30)),
        ("stars", "五", 5),
        ("extras", ["泳池", "Gym", "泳池"], ("泳池", "Gym")),
        ("extras", [], None),
        ("name", None, None),
    ],
)
def test_a_labelled_value_is_read_as_production_reads_it(slot: str, raw: Any, value: Any) -> None:
    assert read(forms(**{slot: raw})).forms == (Expected("hotel", {slot: value}, None),)


def test_what_a_label_leaves_out_is_told_from_what_it_says_is_nothing() -> None:
    assert read(None) == Label(None, ())
    assert read({}).forms is None
    assert read({"forms": None, "recall": None}) == Label(None, ())
    assert read({"forms": []}).forms == ()
    assert read({"forms": [], "complete": True}).complete


def test_a_secret_is_expected_as_it_is_kept() -> None:
    key = "sk-abcdefghijklmnopqrstuvwxyz0123456789ABCD"
    assert expects({"name": key}).forms == (Expected("hotel", {"name": "[REDACTED]"}, None),)
    assert read(forms(name=key), Settings(redact="off")).forms == (Expected("hotel", {"name": key}, None),)


def test_questions_take_the_arguments_of_recall() -> None:
    label = read(
        {
            "recall": [
                {"question": "海蓝的预算？", "contains": "50万", "lacks": ["60万", "70万"]},
                {
                    "question": "before?",
                    "lacks": "x",
                    "max_hops": 2,
                    "as_of": "2026-06-01T00:00:00Z",
                    "history": False,
                },
            ]
        }
    )
    assert label.recall == (
        Probe("海蓝的预算？", ("50万",), ("60万", "70万"), {}),
        Probe(
            "before?",
            (),
            ("x",),
            {"max_hops": 2, "as_of": datetime(2026, 6, 1, tzinfo=UTC), "history": False},
        ),
    )


@pytest.mark.parametrize(
    ("raw", "parts"),
    [
        ([], ("expect: is an object, not list",)),
        ({"form": []}, ("expect: knows no 'form'", "did you mean 'forms'?")),
        ({"forms": {}}, ("expect.forms: is a list, not dict",)),
        ({"forms": ["hotel"]}, ("expect.forms[0]: is an object, not str",)),
        ({"forms": [{"slots": {}}]}, ("expect.forms[0]: needs a form_type",)),
        ({"forms": [{"form_type": "hotl"}]}, ("expect.forms[0].form_type: no Form type 'hotl'", "'hotel'?")),
        ({"forms": [{"form_type": "hotel", "slot": {}}]}, ("expect.forms[0]: knows no 'slot'", "'slots'?")),
        (
            {"forms": [{"form_type": "hotel", "slots": []}]},
            ("expect.forms[0].slots: is an object, not list",),
        ),
        (
            {"forms": [{"form_type": "hotel", "external_id": 7}]},
            ("external_id: is a non-empty string, not 7",),
        ),
        (forms(star=4), ("expect.forms[0].slots: hotel has no slot 'star'", "did you mean 'stars'?")),
        (forms(stars="many"), ("expect.forms[0].slots: hotel.stars", "'many'", "null for a slot")),
        (forms(area="west"), ("hotel.area", "west", "north")),
        (forms(arrival="03/04"), ("hotel.arrival", "03/04", "say which")),
        ({"complete": True}, ("expect.complete: says that forms is all there is",)),
        ({"forms": [], "complete": "yes"}, ("expect.complete: is true or false, not 'yes'",)),
        ({"recall": [{"contains": "x"}]}, ("expect.recall[0].question: is a non-empty string, not None",)),
        (
            {"recall": [{"question": "?"}]},
            ("expect.recall[0]: says nothing that the context contains or lacks",),
        ),
        (
            {"recall": [{"question": "?", "contain": "x"}]},
            ("expect.recall[0]: knows no 'contain'", "'contains'?"),
        ),
        ({"recall": [{"question": "?", "contains": [""]}]}, ("expect.recall[0].contains: holds ''",)),
        ({"recall": [{"question": "?", "contains": 5}]}, ("a string or a list of strings, not int",)),
        ({"recall": [{"question": "?", "lacks": "x", "hops": 1}]}, ("knows no 'hops'",)),
        (
            {"recall": [{"question": "?", "lacks": "x", "max_hops": 3}]},
            ("a whole number from 0 to 2, not 3",),
        ),
        ({"recall": [{"question": "?", "lacks": "x", "history": 1}]}, ("history: is true or false, not 1",)),
        (
            {"recall": [{"question": "?", "lacks": "x", "as_of": "May"}]},
            ("recall[0].as_of: 'May' is no ISO 8601",),
        ),
    ],
)
def test_a_wrong_label_says_what_is_wrong_and_where(raw: Any, parts: tuple[str, ...]) -> None:
    with pytest.raises(InvalidInput) as wrong:
        read(raw)
    for part in parts:
        assert part in str(wrong.value)
