"""Public conversations over months: does archiving old messages lose what a later question needs?

Messages alone, read by the fallback's full text: no Forms, so that only ``archive_after_days`` makes a difference. A
question is asked at its own moment; its evidence are the turns that the set names. A folder without questions, times
and evidence is skipped.
"""

from __future__ import annotations

import json
import sys
from collections.abc import Iterator, Mapping, Sequence
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

from benchmarks.rows import Row
from benchmarks.year_asking import share
from benchmarks.year_store import ARCHIVE_AFTER, opened
from forms_dynamics import Proposal
from forms_dynamics.testing import FixedClock

SETS = ("locomo", "realmem", "vehicle", "longmemeval_one", "memorybank")
_MOST = 400  # questions of a set
_YOUNG = timedelta(days=ARCHIVE_AFTER)


class _Nothing:
    """Reads nothing: messages alone are stored."""

    def extract(self, message: Any, known: Any = ()) -> Any:
        return Proposal(())


def public(data: Path) -> list[Row]:
    """Rows of each set that is there."""
    rows: list[Row] = []
    for name in SETS:
        folder = data / name
        if not (folder / "questions.jsonl").is_file():
            print(f"year: {name}: not there, skipped", file=sys.stderr)
            continue
        asked = list(_asked(folder))
        if not asked:
            print(f"year: {name}: no question with times and evidence, skipped", file=sys.stderr)
            continue
        rows += _measured(name, folder, asked[:: max(1, len(asked) // _MOST)][:_MOST])
    return rows


def _lines(file: Path) -> Iterator[dict[str, Any]]:
    with file.open(encoding="utf-8") as lines:
        for line in lines:
            yield json.loads(line)


def _asked(folder: Path) -> Iterator[tuple[str, datetime, str, Sequence[str]]]:
    for question in _lines(folder / "questions.jsonl"):
        if question.get("evidence") and question.get("asked_at"):
            yield (
                question["conversation"], _time(question["asked_at"]), question["question"],
                question["evidence"],
            )  # fmt: skip


def _time(told: str) -> datetime:
    time = datetime.fromisoformat(told)
    return time.replace(tzinfo=UTC) if time.tzinfo is None else time


def _measured(
    name: str, folder: Path, asked: Sequence[tuple[str, datetime, str, Sequence[str]]]
) -> list[Row]:
    talks = {c["id"]: c["turns"] for c in _lines(folder / "conversations.jsonl")}
    rows: list[Row] = []
    for system, days in (("ours", ARCHIVE_AFTER), ("no decay", None)):
        found: dict[str, list[bool]] = {"young": [], "old": []}
        tokens = n = 0
        for conversation in sorted({c for c, *_ in asked if c in talks}):
            questions = sorted((q for q in asked if q[0] == conversation), key=lambda q: q[1])
            clock = FixedClock(questions[0][1])
            how = {"settings": {"timezone": "UTC", "archive_after_days": days}}
            with opened(Path(":memory:"), clock, how, extractor=_Nothing()) as memory:
                turns = [t for t in talks[conversation] if t.get("time") and t["text"].strip()]
                times = {f"{conversation}:{t['i']}": _time(t["time"]) for t in turns}
                at = 0
                for _, moment, text, evidence in questions:
                    clock.set(moment)
                    until = next(
                        (i for i in range(at, len(turns)) if _time(turns[i]["time"]) > moment), len(turns)
                    )
                    memory.observe_many(_line(conversation, turn) for turn in turns[at:until])
                    at = max(at, until)
                    context = memory.recall(text, include_cold=False)
                    tokens, n = tokens + context.tokens, n + 1
                    for turn in evidence:
                        if turn in times and times[turn] <= moment:
                            age = "old" if moment - times[turn] > _YOUNG else "young"
                            found[age].append(turn in context.messages)
        for age, hits in found.items():
            if hits:
                rows.append(
                    Row(name, system, f"evidence_{age}", share(sum(hits), len(hits)), len(hits), _note(age))
                )
        if n:
            rows.append(Row(name, system, "tokens", round(tokens / n, 1), n))
    return rows


def _note(age: str) -> str:
    bound = "more" if age == "old" else "at most"
    return (
        f"evidence_{age}: turns that the set names as evidence, {bound} {ARCHIVE_AFTER:.0f} days old, that stand "
        "in the context"
    )


def _line(conversation: str, turn: Mapping[str, Any]) -> dict[str, str]:
    speaker = str(turn["speaker"])
    role = speaker if speaker in ("user", "assistant", "tool", "system") else "user"
    return {
        "id": f"{conversation}:{turn['i']}", "text": turn["text"], "speaker": speaker, "role": role,
        "conversation": conversation, "time": _time(turn["time"]).isoformat(),
    }  # fmt: skip


__all__ = ["public"]
