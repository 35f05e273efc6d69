"""A conversation in which a Form was named by another key leads to that Form from then on."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from forms_dynamics import Memory
from forms_dynamics.testing import FixedClock, ScriptedExtractor

ORDER = (
    "form_type: order\nidentity: {any: [[order_no], [$conversation]]}\n"
    "slots:\n  order_no: {type: text}\n  status: {type: text}\n"
)


def said(**slots: str) -> list[dict[str, Any]]:
    return [
        {
            "form_type": "order",
            "slots": {k: {"value": v, "confidence": 0.95, "evidence": v} for k, v in slots.items()},
        }
    ]


def told(folder: Path, talk: list[tuple[str, dict[str, str]]]) -> dict[str, str]:
    """Order number → status, after messages of (conversation, slots)."""
    types = folder / "order.yaml"
    types.write_text(ORDER, encoding="utf-8")
    extractor = ScriptedExtractor([said(**slots) for _, slots in talk])
    clock = FixedClock("2026-06-01T00:00:00+00:00")
    with Memory.open(":memory:", form_types=[types], extractor=extractor, clock=clock) as memory:
        for n, (conversation, slots) in enumerate(talk):
            clock.advance(seconds=60)
            receipt = memory.observe(" ".join(slots.values()), conversation=conversation, id=f"m{n}")
            assert receipt.state == "stored", receipt
        return {form["order_no"]: form["status"] for form in memory.find("order")}


def test_another_conversation_that_named_the_order_goes_on_about_it(tmp_path: Path) -> None:
    talk = [
        ("c1", {"order_no": "A1", "status": "open"}),
        ("后续-C2", {"order_no": "A1", "status": "已付款"}),
        ("后续-C2", {"status": "已发货"}),
    ]
    assert told(tmp_path, talk) == {"A1": "已发货"}


def test_of_several_orders_in_one_conversation_the_last_is_meant(tmp_path: Path) -> None:
    talk = [
        ("c1", {"order_no": "A1", "status": "open"}),
        ("c2", {"order_no": "A1", "status": "paid"}),
        ("c2", {"order_no": "B2", "status": "new"}),
        ("c2", {"status": "on hold"}),
    ]
    assert told(tmp_path, talk) == {"A1": "paid", "B2": "on hold"}
