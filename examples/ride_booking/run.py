"""A ride-hailing assistant that knows what it needs before it asks: `python examples/ride_booking/run.py`."""

from __future__ import annotations

import json
from pathlib import Path

from forms_dynamics import Memory
from forms_dynamics.testing import FixedClock

HERE = Path(__file__).parent


def main() -> None:
    """Plays the log, then the hooks of one agent run in zh and one in en."""
    log = [json.loads(line) for line in (HERE / "log.jsonl").read_text(encoding="utf-8").splitlines()]
    clock = FixedClock("2026-06-12T20:01:00+08:00")
    types = ["place", "tool_call", HERE / "ride.yaml"]
    with Memory.open(
        ":memory:", form_types=types, clock=clock, settings={"timezone": "Asia/Shanghai"}
    ) as memory:
        memory.observe_many(log)
        for user, ride, place in (("lin", "R-501", "首都机场T3"), ("dana", "R-502", "Gatwick")):
            own = memory.scoped(user=user)
            talk = f"{user}-2"
            print(own.on_intent_recognized("book_ride", conversation=talk).text)
            # the time is read off the last message of the conversation: nobody has to name it
            print(own.recall(conversation=talk, intent="book_ride").text)
            slots = {"ride_no": ride, "to": place, "pick_up": "2026-06-13T08:00:00+08:00", "state": "booked"}
            own.record("ride_order", slots, source="tool")
            # a second wish to book meets the order already in progress
            print(own.on_intent_recognized("book_ride", conversation=talk).text)
            own.record("ride_order", {"ride_no": ride, "state": "cancelled"}, source="tool")
            print(
                own.on_action_executed("cancel_ride", {"ride_no": ride}, {"ok": True}, conversation=talk).text
            )


if __name__ == "__main__":
    main()
