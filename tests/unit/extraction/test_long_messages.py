"""Of a long message the same is read as of its parts: what stands far away changes nothing."""

from __future__ import annotations

from datetime import UTC, datetime

import pytest

from forms_dynamics.extractor import FormExtractor

TYPES = """
form_type: dog
aliases: [狗]
identity: {any: [[name]]}
slots:
  name: {type: text, aliases: [名字]}
  weight: {type: number, unit: kg, aliases: [体重]}
  vet_day: {type: date, aliases: [复查日期, check-up]}
  price: {type: money, aliases: [价格]}
"""
# told once, with nothing else that could be the slot's
TOLD = [
    ("Dog weight is 12 kg.", "weight", "12"),
    ("狗的体重是12公斤。", "weight", "12"),
    ("dog price: 500 EUR.", "price", "500 EUR"),
    ("The check-up is on May 3, 2026.", "vet_day", "2026-05-03"),
    ("狗的复查日期：2026年5月3日。", "vet_day", "2026-05-03"),
    ("狗的weight是12 kg。", "weight", "12"),
]
FILL = {
    "sentences": "We walked in the park with friends and talked. 我们一起去公园散步。",
    "one sentence": "we walked and talked and ",
    "commas": "我们一起去公园散步，",
    "lines": "- a line\n",
    "signs": "((((",
}


@pytest.fixture(scope="module")
def extractor(tmp_path_factory: pytest.TempPathFactory) -> FormExtractor:
    types = tmp_path_factory.mktemp("types") / "dog.yaml"
    types.write_text(TYPES, encoding="utf-8")
    return FormExtractor([types])


def said(extractor: FormExtractor, text: str) -> dict[str, tuple[str, str]]:
    found = extractor.run(text, time=datetime(2026, 3, 4, tzinfo=UTC))
    return {
        name: (str(slot.value), slot.evidence.text)
        for form in found.forms
        for name, slot in form.slots.items()
        if slot.evidence is not None
    }


@pytest.mark.parametrize("fill", FILL)
@pytest.mark.parametrize(("text", "slot", "value"), TOLD)
def test_a_fact_is_read_before_and_behind_much_else(
    extractor: FormExtractor, text: str, slot: str, value: str, fill: str
) -> None:
    alone = said(extractor, text)
    assert alone[slot][0] == value
    much = FILL[fill] * (6_000 // len(FILL[fill]))
    assert said(extractor, f"{much}\n{text}\n{much}") == alone
