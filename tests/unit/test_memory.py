"""The parts of Memory that are thin: a thread around a call, a copy of the store."""

from __future__ import annotations

import asyncio
from pathlib import Path

from forms_dynamics import Memory
from forms_dynamics.testing import FixedClock


def test_calls_in_a_thread_and_a_copy(tmp_path: Path) -> None:
    async def talk(memory: Memory) -> str:
        receipt = await memory.aobserve("海蓝电子预算50万", conversation="c1", id="m1")
        assert receipt.state == "stored"
        context = await memory.arecall("海蓝电子的预算？", max_hops=0)
        return context.text

    with Memory.open(tmp_path / "memory.db", form_types=["lead_profile"], relation_rules=[]) as memory:
        assert "50万" in asyncio.run(talk(memory))
        memory.backup(tmp_path / "copy.db")
        (before,) = memory.find("lead_profile")
    with Memory.open(tmp_path / "copy.db", form_types=["lead_profile"], relation_rules=[]) as copy:
        assert copy.find("lead_profile") == [before]
        assert copy.verify().ok


def test_a_text_given_as_a_value_keeps_its_hedges() -> None:
    """Words such as 可能 make a message unsure; in a row or a correction they are part of the text."""
    with Memory.open(":memory:", form_types=["lead_profile"]) as memory:
        [form] = memory.record(
            "lead_profile", {"company": "海蓝电子", "payment_terms": "大概分三期，可能延期"}
        ).forms
        assert memory.get(form).slots["payment_terms"].value == "大概分三期，可能延期"
        memory.correct(form, "payment_terms", "maybe in two parts")
        assert memory.get(form).slots["payment_terms"].value == "maybe in two parts"


def test_a_message_without_a_time_is_told_from_the_zone_of_the_settings() -> None:
    """Four in the morning of the 16th in Shanghai: "tomorrow at 3 pm" is the 17th there."""
    with Memory.open(
        ":memory:",
        form_types=["meeting"],
        settings={"timezone": "Asia/Shanghai"},
        clock=FixedClock("2026-06-15T20:00:00+00:00"),
    ) as memory:
        memory.observe("会议主题：评审，会议时间：明天下午3点")
        (meeting,) = memory.find("meeting")
        assert meeting["starts_at"].isoformat() == "2026-06-17T15:00:00+08:00"
