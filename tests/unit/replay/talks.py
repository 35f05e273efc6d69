"""Conversations in a few words, for tests of truth and judging."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from datetime import UTC, datetime
from decimal import Decimal
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from forms_dynamics import Money
from forms_dynamics.model.message import Draft, SlotDraft
from forms_dynamics.replay.judge import Held, Judge, Judged, Written
from forms_dynamics.replay.labels import Label, read_label
from forms_dynamics.replay.raws import Raw
from forms_dynamics.replay.truth import Said, Truth, truth_of
from forms_dynamics.schema.load import load_catalog
from forms_dynamics.schema.spec import Catalog
from forms_dynamics.settings import Settings

HOTEL = """
form_type: hotel
version: 1
description: {en: A hotel that a traveller looks at., zh: 旅客看的酒店}
aliases: [酒店, hotel]
identity: [name]
slots:
  name: {type: text, aliases: [酒店名, hotel name]}
  stars: {type: integer, aliases: [星级, stars]}
  area: {type: enum, values: {north: [北边, 城北], south: [南边, 城南]}, aliases: [位置, area]}
  price: {type: money, unit: CNY, aliases: [价格, price]}
  arrival: {type: date, aliases: [入住日期, arrival]}
  extras: {type: text, many: true, aliases: [设施, extras]}
"""
NOON = datetime(2026, 6, 12, 12, tzinfo=UTC)
SETTINGS = Settings()


def _catalog() -> Catalog:
    with TemporaryDirectory() as folder:
        file = Path(folder, "hotel.yaml")
        file.write_text(HOTEL, encoding="utf-8")
        return load_catalog([str(file), "lead_profile", "preference", "user_profile"])


CATALOG = _catalog()


def cny(amount: int) -> Money:
    return Money(Decimal(amount), "CNY")


def expects(*forms: Mapping[str, Any], complete: bool = False) -> Label:
    """A label of forms, each as its slots with ``type`` (hotel where left out) and ``id`` among them."""
    raw = [
        {
            "form_type": form.get("type", "hotel"),
            "external_id": form.get("id"),
            "slots": {slot: value for slot, value in form.items() if slot not in ("type", "id")},
        }
        for form in forms
    ]
    return read_label({"forms": raw, "complete": complete}, CATALOG, SETTINGS, NOON)


def truth(*labels: Label | str | None) -> Truth:
    """Of a conversation whose messages 1, 2, … have these labels; a role in a label's place is an unlabelled message
    of that role."""
    said = []
    for number, label in enumerate(labels, 1):
        role = label if isinstance(label, str) else "user"
        said.append(Said(number, role, None if isinstance(label, str) else label))
    return truth_of(said, CATALOG)


def wrote(
    slot: str, value: Any, outcome: Any = "accepted", type: str = "hotel", form: str = "f1", **rest: Any
) -> Written:
    return Written(type, slot, value, outcome, rest.pop("reason", ""), form, **rest)


def held(*forms: Mapping[str, Any]) -> Held:
    """Forms f1, f2, … of type hotel unless ``type`` says otherwise."""
    return {
        f"f{number}": (
            form.get("type", "hotel"),
            {s: v if isinstance(v, tuple) else (v,) for s, v in form.items() if s != "type"},
        )
        for number, form in enumerate(forms, 1)
    }


def play(
    known: Truth | None, *turns: tuple[Sequence[Written], Held], roles: Sequence[str] = ()
) -> list[Judged]:
    """Judges messages 1, 2, … of a conversation."""
    judge = Judge(known, CATALOG)
    return [
        judge.turn(number, roles[number - 1] if roles else "user", written, lambda now=now: now)
        for number, (written, now) in enumerate(turns, 1)
    ]


def slot(value: Any, evidence: str | None = None, **rest: Any) -> SlotDraft:
    return SlotDraft(value, rest.pop("confidence", 0.95), evidence, **rest)


def raws(
    *messages: tuple[str, str, Sequence[Draft]], user: str | None = None, conversation: str = "c"
) -> list[Raw]:
    """Messages m1, m2, … as (role, text, drafts)."""
    return [
        Raw(
            {
                "id": f"m{number}", "conversation": conversation, "role": role, "speaker": role, "user": user,
                "text": text, "time": f"2026-06-12T10:{number:02}:00+08:00",
            },
            (tuple(drafts),) if drafts else (),
        )
        for number, (role, text, drafts) in enumerate(messages, 1)
    ]  # fmt: skip
