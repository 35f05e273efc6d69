"""Whether a hedge is found where one stands, and only there: turns of real conversations with labels made by hand.

What is measured is :func:`forms_dynamics.language.hedges.hedges`, the words and conditions by which the gate holds
a value: a turn counts as hedged when it finds any. Labels lie in ``tests/hedges/labels.jsonl``, with the rules they
were made by; a label names set, conversation and turn and holds a digest of the text, never the text. A folder
without any labelled turn is measured against the sets' own marks (``approx`` and ``unsure`` in ``marks.jsonl``),
which are made by pattern, and the notes say so.
"""

from __future__ import annotations

import argparse
import hashlib
import json
import sys
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from benchmarks.rows import Row, interval

LABELS = Path(__file__).resolve().parent.parent / "tests" / "hedges" / "labels.jsonl"
MARKS = frozenset({"approx", "unsure"})
# Which draw of turns a label belongs to → what its rows are called; the first is the sample itself.
DRAWS = {
    "": ("marked", "random"),
    "second draw": ("second_random", "second_worded"),
    "third draw": ("held_random", "held_worded"),
    "fourth draw": ("last_random", "last_worded"),
} | {
    f"{number} draw": (f"{number}_random", f"{number}_worded")
    for number in ("fifth", "sixth", "seventh", "eighth", "ninth")
}
_SAMPLE = "every marked turn and 150 random ones a language"
_DRAWN = (
    "random turns and turns that hold a hedge word; labelled before it was measured, learnt from afterwards"
)

Key = tuple[str, str, int]


@dataclass(frozen=True)
class Turn:
    """A user's turn, the language of its conversation, and what is said of it."""

    key: Key
    lang: str
    text: str
    marked: bool


@dataclass(frozen=True)
class Judged:
    """A turn with its gold and what was found."""

    turn: Turn
    gold: bool
    found: bool


def run(arguments: argparse.Namespace) -> list[Row]:
    """Rows by language, over all and by set."""
    if arguments.data is None:
        raise SystemExit("hedges needs --data: a folder with one folder a set")
    turns = {turn.key: turn for turn in read_turns(arguments.data)}
    if not turns:
        raise SystemExit(
            f"{arguments.data}: no set with turns of a user; a set is a folder with conversations.jsonl"
        )
    labels = list(_lines(arguments.labels or LABELS))
    rows: list[Row] = []
    for draw, parts in DRAWS.items():
        judged, gone = judge(turns, [label for label in labels if label["part"] in parts])
        if judged:
            note = f"{_DRAWN if draw else _SAMPLE}; {len(judged)} labelled turns" + (
                f", {gone} of another text left out" if gone else ""
            )
            rows += rows_of(judged, f" {draw}" if draw else "", note)
    if rows:
        return rows
    print("no turn of this folder has a label: measured against the marks as they stand", file=sys.stderr)
    with_marks = {turn.key[0] for turn in turns.values() if turn.marked}
    judged = [
        Judged(turn, turn.marked, found(turn.text)) for turn in turns.values() if turn.key[0] in with_marks
    ]
    if not judged:
        raise SystemExit(
            f"{arguments.data}: no labels for its turns, and no marks.jsonl with approx or unsure"
        )
    return rows_of(judged, "", "no labels here: against the marks as they stand, which are made by pattern")


def found(text: str) -> bool:
    """Whether the words that ship find a hedge in the turn."""
    from forms_dynamics.language.hedges import hedges

    return bool(hedges(text))


def judge(turns: Mapping[Key, Turn], labels: Iterable[Mapping[str, Any]]) -> tuple[list[Judged], int]:
    """The labelled turns that are there, and how many are there with another text."""
    judged: list[Judged] = []
    gone = 0
    for label in labels:
        turn = turns.get((label["set"], label["conversation"], label["turn"]))
        if turn is None:
            continue
        if not hashlib.sha256(turn.text.encode()).hexdigest().startswith(label["sha256"]):
            gone += 1
            continue
        judged.append(Judged(turn, bool(label["final"]), found(turn.text)))
    return judged, gone


def rows_of(judged: Sequence[Judged], suffix: str, note: str) -> list[Row]:
    """Precision and recall of each language and of all; of each set too where there is no ``suffix``."""
    groups = {name: [j for j in judged if j.turn.lang == name] for name in ("zh", "en")}
    groups["all"] = list(judged)
    if not suffix:
        names = sorted({j.turn.key[0] for j in judged})
        groups |= {name: [j for j in judged if j.turn.key[0] == name] for name in names}
    groups = {name: group for name, group in groups.items() if group}
    first = next(iter(groups), "")
    rows: list[Row] = []
    for name, group in groups.items():
        right = sum(j.gold and j.found for j in group)
        flagged, hedged = sum(j.found for j in group), sum(j.gold for j in group)
        for figure, n in (("precision", flagged), ("recall", hedged)):
            value = right / n if n else None
            said = f"{figure} {right}/{n} {interval(right, n)}"
            rows.append(
                Row(name + suffix, "ours", figure, value, n, f"{said}; {note}" if name == first else said)
            )
    return rows


# -- reading -------------------------------------------------------------------------------------------------
def read_turns(data: Path) -> Iterator[Turn]:
    """Every turn of a user, or of a person who has a name, over all sets of the folder."""
    for file in sorted(data.glob("*/conversations.jsonl")):
        name = file.parent.name
        marks = file.with_name("marks.jsonl")
        marked = {
            (line["conversation"], line["turn"])
            for line in (_lines(marks) if marks.is_file() else ())
            if line["mark"] in MARKS
        }
        for conversation in _lines(file):
            for turn in conversation["turns"]:
                if turn["speaker"] not in ("assistant", "tool") and turn["text"].strip():
                    key = (name, conversation["id"], turn["i"])
                    yield Turn(key, conversation["lang"], turn["text"], key[1:] in marked)


def _lines(file: Path) -> Iterator[dict[str, Any]]:
    with file.open(encoding="utf-8") as lines:
        for number, line in enumerate(lines, 1):
            if line.strip():
                try:
                    yield json.loads(line)
                except ValueError as wrong:
                    raise SystemExit(f"{file}, line {number}: no JSON: {wrong}") from wrong
