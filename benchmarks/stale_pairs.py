"""Values that a conversation states and later states otherwise, found in the sets by rule.

beam
    its knowledge updates name the turns of the original and of the updated value. The new value is the first amount
    of the answer that stands in an updated turn, the old one the first amount of the same unit in an original turn
    that no updated turn has.
vehicle
    of the dated facts behind a question about a state that changed, an error that was corrected or preferences that
    differ, those that hold the value of the answer are current, the others stale; a fact's turns are the question's
    evidence of its day. Values are taken where they are numbers that stand in those turns.
evermem
    has no questions. A name that is given two different values with "=" (``P95=1.1s``, ``topK=8``) is asked for as
    it stands at the end; the last value is current, every other one stale.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path
from typing import Any

from benchmarks.recall_sets import Ground, Turn, read_set, turns_of

SETS = ("beam", "vehicle", "evermem")
KINDS = ("knowledge_update", "state_shift", "error_correction", "preference_conflict")

_MONTHS = "January|February|March|April|May|June|July|August|September|October|November|December"
_AMOUNT = re.compile(rf"(?P<month>{_MONTHS}) \d+|(?P<sign>\$)?\d[\d,]*(?:-\d+)?(?P<unit>%|ms| ?[a-z]+)?")
_FACT = re.compile(rf"\[(?P<day>(?:{_MONTHS}) \d+, \d+)\]\s*(?P<text>.*)", re.DOTALL)
_SETTING = re.compile(r"\w+=\"?([^\",)]+)")
_STATED = re.compile(r"([A-Za-z][\w@]*)\s?=\s?(\d[\d.]*\s?(?:%|ms|s)?)(?![\w.])")
_ASKS = {"zh": "{}现在是多少？", "en": "What is {} now?"}


@dataclass(frozen=True)
class Pair:
    """A question with the turns of the stale and of the current value. ``said``: turn → words of its value, for turns
    where a value stands; a pair with words on both sides can be recorded."""

    id: str
    kind: str
    question: str
    old: frozenset[str]
    new: frozenset[str]
    said: Mapping[str, str]

    @property
    def recordable(self) -> bool:
        return bool(self.old & self.said.keys()) and bool(self.new & self.said.keys())


def read_pairs(name: str, data: Path) -> Iterator[tuple[Ground, list[Pair]]]:
    """The grounds of a set, each with its pairs; those without any are left out. Raises as ``read_set``."""
    if name == "evermem":
        for ground, lang in _talks(data / name / "conversations.jsonl"):
            yield ground, list(_stated(ground, _ASKS[lang]))
        return
    raws = {raw["id"]: raw for raw in map(json.loads, _text(data / name / "questions.jsonl"))}
    for ground in read_set(name, data, lambda raw: raw["kind"] in KINDS):
        turns = {turn.id: turn for turn in ground.turns}
        read = _updated if name == "beam" else _set_anew
        pairs = [p for q in ground.questions if (p := read(raws[q.id], turns)) is not None]
        if pairs:
            yield ground, pairs


def _text(file: Path) -> list[str]:
    return [line for line in file.read_text(encoding="utf-8").splitlines() if line.strip()]


def _updated(raw: Mapping[str, Any], turns: Mapping[str, Turn]) -> Pair | None:
    new = frozenset(raw["roles"]["updated_info"])
    old = frozenset(raw["roles"]["original_info"]) - new
    if not old:
        return None
    said: dict[str, str] = {}
    told = " ".join(turns[id].text for id in sorted(new))
    value = next((m for m in _AMOUNT.finditer(raw["answer"]) if _stands(_figure(m), told)), None)
    if value is not None:
        for id in new:
            said.update(_first(id, turns[id].text, value, lambda m: _figure(m) == _figure(value)))
        for id in old:
            said.update(_first(id, turns[id].text, value, lambda m: not _stands(_figure(m), told)))
    return Pair(raw["id"], raw["kind"], raw["question"], old, new, said)


def _first(id: str, text: str, like: re.Match[str], fits: Callable[[re.Match[str]], bool]) -> dict[str, str]:
    for amount in _AMOUNT.finditer(text):
        if _unit(amount) == _unit(like) and fits(amount):
            return {id: amount.group().strip()}
    return {}


def _unit(amount: re.Match[str]) -> str:
    unit = (amount["unit"] or "").strip().removesuffix("s")
    return "month" if amount["month"] else "$" if amount["sign"] else unit


def _figure(amount: re.Match[str]) -> str:
    """The amount without its unit; a date whole."""
    text = amount.group()
    return text if amount["month"] else text.removesuffix(amount["unit"] or "")


def _stands(words: str, text: str) -> bool:
    return re.search(rf"(?<![\w$]){re.escape(words)}(?![\d])", text) is not None


def _set_anew(raw: Mapping[str, Any], turns: Mapping[str, Turn]) -> Pair | None:
    values = [v.replace("_", " ").casefold() for v in _SETTING.findall(raw["answer"])]
    days: dict[str, tuple[bool, list[str]]] = {}  # day → whether its fact is the current one, numbers in it
    for fact in raw["gold_memory"]:
        found = _FACT.match(fact)
        if found is not None:
            text = found["text"].casefold()
            current = any(_stands(v, text) for v in values)
            days[_day(found["day"])] = current, re.findall(r"\d+", text)
    old: set[str] = set()
    new: set[str] = set()
    said: dict[str, str] = {}
    for id in raw["evidence"]:
        turn = turns[id]
        day = turn.time.date().isoformat()
        if day in days:
            (new if days[day][0] else old).add(id)
            for number in re.findall(r"(?<![\d:.])\d{2,3}(?![\d:.])", turn.text):
                if number in values if days[day][0] else number in days[day][1]:
                    said[id] = number
    if not old or not new:
        return None
    return Pair(raw["id"], raw["kind"], raw["question"], frozenset(old), frozenset(new), said)


def _day(text: str) -> str:
    return datetime.strptime(text, "%B %d, %Y").date().isoformat()


def _talks(file: Path) -> Iterator[tuple[Ground, str]]:
    for line in _text(file):
        raw = json.loads(line)
        yield Ground(raw["id"], turns_of(raw), ()), raw["lang"]


def _stated(ground: Ground, asks: str) -> Iterator[Pair]:
    found: dict[str, list[tuple[str, str, str]]] = {}
    for turn in ground.turns:
        for m in _STATED.finditer(turn.text):
            found.setdefault(m[1].casefold(), []).append((turn.id, m[2].strip(), m.group().strip()))
    for key, values in sorted(found.items()):
        last = values[-1][1]
        old = frozenset(id for id, value, _ in values if value != last)
        new = frozenset(id for id, value, _ in values[_since(values) :])
        if old:
            said = {id: words for id, _, words in values if id in old | new}
            yield Pair(f"{ground.id}-{key}", "stated", asks.format(key), old - new, new, said)


def _since(values: Sequence[tuple[str, str, str]]) -> int:
    """Where the last value was first given without another one after it."""
    at = len(values)
    while at and values[at - 1][1] == values[-1][1]:
        at -= 1
    return at


__all__ = ["SETS", "Pair", "read_pairs"]
