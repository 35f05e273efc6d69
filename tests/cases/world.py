"""A case from ``public_reports.jsonl`` as a Memory that can be told its messages, and words for our own.

It knows no more than the public surface: ``Memory``, the values, ``ScriptedExtractor``, ``FixedClock``.
"""

from __future__ import annotations

import copy
import json
import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from decimal import Decimal
from functools import lru_cache
from pathlib import Path
from typing import Any

import pytest

from forms_dynamics import Form, Memory, Money, Receipt
from forms_dynamics.testing import FixedClock, ScriptedExtractor

HERE = Path(__file__).parent
ROOT = HERE.parents[1]
on_both = pytest.mark.parametrize("worlds", ["sqlite", "postgres"], indirect=True)
PERSON = """\
form_type: person_profile
identity: [name]
slots:
  name: {type: text}
  company: {type: text}
  contact_role: {type: text}
  current_supplier: {type: text}
  phone: {type: phone}
  food_preference: {type: text, many: true}
  city: {type: text}
"""
PRICE = "form_type: price\nidentity: each\nslots:\n  amount: {type: money, unit: CNY}\n"
DUE = "form_type: task_due\nidentity: each\nslots:\n  due: {type: date}\n"
NOTE = "form_type: note\nidentity: each\nslots:\n  text: {type: text}\n"


def at(text: str) -> datetime:
    """An aware datetime from ISO text."""
    moment = datetime.fromisoformat(text)
    assert moment.tzinfo is not None
    return moment


def money(amount: int | str, currency: str) -> Money:
    return Money(Decimal(amount), currency)


# -- what stands in the place of a placeholder -----------------------------------------------------------

_ENGLISH = re.findall(
    r"\w+", "weather garden ladder kettle ribbon harbour violin blanket lantern orchard saddle pepper"
)
_CHINESE = re.findall(r"\w+", "天气 花园 梯子 水壶 丝带 港口 提琴 毯子 灯笼 果园 鞍子 胡椒")


def filler(length: int, lang: str) -> str:
    """Small talk of at least ``length`` characters in which nothing is said that a Form would keep."""
    parts: list[str] = []
    size = turn = 0
    while size < length:
        if lang == "en":
            words = [_ENGLISH[(turn * step + step) % 12] for step in (1, 5, 7)]
            parts.append(f"We chatted about the {words[0]}, then the {words[1]} and the {words[2]}. ")
        else:
            words = [_CHINESE[(turn * step + step) % 12] for step in (1, 5, 7)]
            parts.append(f"聊了聊{words[0]}，又说到{words[1]}和{words[2]}。")
        size += len(parts[-1])
        turn += 1
    return "".join(parts)


def expand(text: str) -> str:
    """``<filler: …>``, ``<填充：…>`` and ``<repeat n: …>`` written out."""
    text = re.sub(r"<repeat (\d+): ([^<>]*)>", lambda m: m[2] * int(m[1]), text)

    def fill(match: re.Match[str]) -> str:
        digits = re.search(r"\d[\d,]*", match[0])
        wanted = int(digits[0].replace(",", "")) if digits else 20_000
        return filler(wanted, "en" if match[0].startswith("<filler") else "zh")

    return re.sub(r"<filler: [^<>]*>|<填充：[^<>]*>", fill, text)


@lru_cache(maxsize=1)
def _lines() -> Mapping[str, Mapping[str, Any]]:
    rows = (json.loads(line) for line in (HERE / "public_reports.jsonl").read_text("utf-8").splitlines())
    return {row["id"]: row for row in rows}


def case(case_id: str) -> dict[str, Any]:
    """The ``given`` of a case, its texts expanded; a copy of its own each time."""
    given: dict[str, Any] = copy.deepcopy(dict(_lines()[case_id]["given"]))
    for message in given["messages"]:
        message["text"] = expand(message["text"])
        message.setdefault("conversation", "c1")
    return given


def raw_replies(case_id: str) -> list[str]:
    """What the model of a case replies, in order."""
    return list(_lines()[case_id]["given"]["raw_model_replies"])


# -- words to write messages and scripts -----------------------------------------------------------------


def said(time: str, text: str, /, **more: Any) -> dict[str, Any]:
    """A message; ids are given by ``World.play`` where they are left out."""
    return {"time": time, "text": text, "speaker": "u1", "conversation": "c1", **more}


def draft(form_type: str, /, relations: Sequence[Any] = (), **slots: Any) -> dict[str, Any]:
    """A draft: a slot is its value (which is then its evidence), (value, evidence), or a mapping in full."""
    written = {}
    for name, told in slots.items():
        if isinstance(told, Mapping):
            written[name] = {"confidence": 0.95, **told}
        else:
            value, evidence = told if isinstance(told, tuple) else (told, told)
            written[name] = {"value": value, "confidence": 0.95, "evidence": evidence}
    whole: dict[str, Any] = {"form_type": form_type, "slots": written}
    if relations:
        whole["relations"] = list(relations)
    return whole


def lead(**slots: Any) -> dict[str, Any]:
    return draft("lead_profile", **slots)


def quote(**slots: Any) -> dict[str, Any]:
    return draft("quote_form", **slots)


# -- a Memory with its clock -----------------------------------------------------------------------------


@dataclass
class World:
    """A Memory under a FixedClock, with the messages that it is to be told."""

    memory: Memory
    clock: FixedClock
    messages: list[dict[str, Any]]
    receipts: list[Receipt] = field(default_factory=list)

    def play(self, *, live: bool = False) -> list[Receipt]:
        """Tells all messages; ``live``: the clock stands at each message's own time when it arrives."""
        if live:
            for message in self.messages:
                self.receipts.extend(self.memory.observe_many([message]))
                self.clock.advance(seconds=1)
        else:
            self.receipts = list(self.memory.observe_many(self.messages))
        return self.receipts

    def only(self, form_type: str, **slots: Any) -> Form:
        """The one active Form of this type (and slots)."""
        forms = self.memory.find(form_type, **slots)
        assert len(forms) == 1, [(form.type, dict(form.slots)) for form in forms]
        return forms[0]

    def form_of(self, receipt: Receipt) -> Form:
        """The one Form of a receipt."""
        assert len(receipt.forms) == 1, receipt
        return self.memory.get(receipt.forms[0])

    def turn(self, moment: str) -> None:
        """Sets the clock forward to a moment."""
        self.clock.advance(seconds=(at(moment) - self.clock.now()).total_seconds())


class Worlds:
    """Makes Worlds in one place, each with a store of its own, and closes them."""

    def __init__(self, where: Path, url: str | None) -> None:
        self.where, self.url, self.open = where, url, list[World]()

    def __call__(
        self,
        case_id: str | None = None,
        *,
        naive: bool = False,
        types: Sequence[str] | None = None,
        yaml: str | None = None,
        rules: str | None = None,
        messages: Sequence[Mapping[str, Any]] | None = None,
        script: Any = None,
        now: str | None = None,
        **options: Any,
    ) -> World:
        """A World of a case (``naive``: with its wrong script), or of our own ``messages`` and ``script``."""
        number = len(self.open) + 1
        given = case(case_id) if case_id else {"messages": [], "script": []}
        told = [dict(m) for m in (messages if messages is not None else given["messages"])]
        for place, message in enumerate(told, 1):
            message.setdefault("id", f"m{place}")
        if script is None:
            script = given["naive_script"] if naive else given["script"]
        options.setdefault("extractor", ScriptedExtractor(script))
        text = yaml if yaml is not None else given.get("form_yaml")
        names: list[str | Path] = list(types if types is not None else given.get("form_types", ()))
        if text:
            names.append(self.file(f"types{number}.yaml", text))
        if rules:
            options["relation_rules"] = [self.file(f"rules{number}.yaml", rules)]
        times = [at(m["time"]) for m in told if m.get("time")]
        start = at(now or given["clock"]) if now or "clock" in given else None
        if start is None:
            start = max(times) + timedelta(minutes=1) if times else at("2026-11-29T00:00:00+00:00")
        options.setdefault("clock", FixedClock(start))
        if self.url is not None and number > 1:
            options.setdefault("tenant", f"world{number}")
        where: Any = self.url if self.url is not None else self.where / f"memory{number}.db"
        world = World(Memory.open(where, form_types=names or None, **options), options["clock"], told)
        self.open.append(world)
        return world

    def file(self, name: str, text: str) -> Path:
        path = self.where / name
        path.write_text(text, encoding="utf-8")
        return path

    def close(self) -> None:
        for world in self.open:
            world.memory.close()


def both(worlds: Worlds, case_id: str, **options: Any) -> Iterator[tuple[str, World]]:
    """The case with its right script, then in a fresh store with its wrong one."""
    yield "script", worlds(case_id, **options)
    yield "naive", worlds(case_id, naive=True, **options)


# -- what is asked of a context --------------------------------------------------------------------------


def lines_with(text: str, words: str) -> list[str]:
    return [line for line in text.splitlines() if words in line]


def only_unconfirmed(text: str, words: str, lang: str) -> bool:
    """``words`` are absent, or stand only on lines that say that they wait for a confirmation."""
    mark = "[待确认]" if lang == "zh" else "[unconfirmed]"
    return all(line.startswith(mark) for line in lines_with(text, words))


def dump(memory: Memory, **options: Any) -> str:
    """The whole export as text."""
    return "\n".join(json.dumps(row, ensure_ascii=False) for row in memory.export(**options))


def bytes_of(where: Path) -> bytes:
    """Every file below ``where``, one after the other."""
    return b"\0".join(path.read_bytes() for path in sorted(where.rglob("*")) if path.is_file())


def passes(report: Any) -> bool:
    """Whether a report of ``verify`` says that all is sound."""
    return bool(report.ok)
