"""What an extractor can look back at: the turns before a message, in one call, across calls, edited, queued."""

from __future__ import annotations

from collections.abc import Sequence

from forms_dynamics import Form, Memory, Message, Proposal
from forms_dynamics.model.known import TURNS, turns_of


class Listening:
    """Notes what was said before each message."""

    def __init__(self) -> None:
        self.before: dict[str, list[str]] = {}
        self.down = False

    def extract(self, message: Message, known: Sequence[Form]) -> Proposal:
        if self.down:
            raise ConnectionError
        self.before[message.id] = [turn.text for turn in turns_of(known)]
        return Proposal(())


def test_turns_before_a_message_are_the_same_however_it_comes() -> None:
    said = [
        {"id": f"m{i}", "text": f"第{i}句", "role": "assistant" if i % 2 else "user", "conversation": "c"}
        for i in range(9)
    ]
    one_by_one, at_once = Listening(), Listening()
    with Memory.open(":memory:", extractor=one_by_one) as memory:
        for raw in said:
            memory.observe(raw["text"], id=raw["id"], role=raw["role"], conversation="c")  # type: ignore[arg-type]
    with Memory.open(":memory:", extractor=at_once) as memory:
        memory.observe_many([*said[:4], {"id": "x", "text": "elsewhere", "conversation": "d"}, *said[4:]])
    assert one_by_one.before["m0"] == []
    assert one_by_one.before["m8"] == [f"第{i}句" for i in range(8 - TURNS, 8)]
    assert at_once.before.pop("x") == []
    assert at_once.before == one_by_one.before


def test_an_edited_and_a_queued_message_see_what_was_said_before_them() -> None:
    listening = Listening()
    with Memory.open(":memory:", extractor=listening) as memory:
        memory.observe("one", id="m1")
        memory.observe("two", id="m2")
        listening.down = True
        assert memory.observe("three", id="m3").state == "queued"
        assert memory.observe("four", id="m4", wait=False).state == "queued"
        listening.down = False
        memory.observe("two, edited", id="m2", edit=True)
        assert memory.work() == 2
    assert listening.before["m2"] == ["one"]
    assert listening.before["m3"] == ["one", "two, edited"]
    assert listening.before["m4"] == ["one", "two, edited", "three"]
