"""The questions of a first contact: what a new user is asked, each slot at most once.

An item of it belongs to a speaker, not to a Form: the Form comes with the first answer, may be merged or taken
back, and the questions are still the same. Its ``message`` names type and speaker, so that all the items of a
speaker are found by one look. They are closed as soon as a Form of the speaker says something of their slot,
by whatever route that came.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Sequence
from datetime import UTC, datetime
from typing import Any

from forms_dynamics.assertions import dump, winner
from forms_dynamics.errors import InvalidInput
from forms_dynamics.inputs import check_name, no_type
from forms_dynamics.language.normal import language as language_of
from forms_dynamics.language.normal import normal
from forms_dynamics.language.nulls import null_like
from forms_dynamics.migration import pending_today
from forms_dynamics.model.gated import Gated
from forms_dynamics.model.record import MessageRecord, PendingRecord, Scope
from forms_dynamics.ports import Store
from forms_dynamics.schema.coerce import coerce
from forms_dynamics.schema.form_reader import WHO
from forms_dynamics.schema.questions import ask_first
from forms_dynamics.schema.reader import LANGUAGES
from forms_dynamics.schema.spec import Catalog, FormType, SlotSpec
from forms_dynamics.versioning.align import align
from forms_dynamics.versioning.chain import new_id
from forms_dynamics.versioning.keys import alias_name
from forms_dynamics.versioning.workspace import Working, Workspace

FIRST_CONTACT = "first_contact"
_UNKNOWN = dump({"v": None})
_NONE = frozenset(
    {
        "nothing", "not any", "nothing at all", "not that i know of", "none that i know of", "i don't have any",
        "i have none", "没什么", "没啥", "什么都没有", "什么也没有", "暂时没有", "目前没有",
    }
)  # fmt: skip
_DAY = datetime(2000, 1, 1, tzinfo=UTC)  # yes and no are the same on any
# where a slot has several items (two files were loaded), the one that says most of it
_SAYS_MOST = {"refused": 0, "confirmed": 0, "open": 1, "expired": 2}


def is_first_contact(item: PendingRecord) -> bool:
    """Whether a pending item is a question of a first contact."""
    return item.reason == FIRST_CONTACT


def speaker_of(item: PendingRecord) -> str:
    """Whom a question of a first contact was asked; "" for any other item."""
    return str(json.loads(item.draft).get("speaker", "")) if is_first_contact(item) else ""


def first_contact(
    store: Store,
    scope: Scope,
    catalog: Catalog,
    now: int,
    form_type: str | None,
    speaker: str,
    language: str | None,
) -> list[PendingRecord]:
    """The questions that ``speaker`` has still to answer, of one type or of all that declare some, in the declared
    order; those not asked before are stored. ``language`` None: an item keeps its words, and a new one is asked as
    the conversation ``default`` speaks, else in English. InvalidInput: see ``Memory.first_contact``."""
    check_name("speaker", speaker)
    if language is not None and language not in LANGUAGES:
        raise InvalidInput(f"language is {' or '.join(LANGUAGES)}, not {language!r}")
    types = _declaring(catalog, form_type)
    said = store.recent(scope, "default", 1) if types and language is None else ()
    otherwise = language_of(said[-1].text) if said else "en"

    def look() -> tuple[Workspace, list[PendingRecord]]:
        ws = Workspace(store, scope, catalog, now)
        return ws, [item for t in types for item in _still_open(ws, t, speaker, language, otherwise)]

    ws, items = look()
    if ws.changes.pendings:
        with store.writing(scope):
            ws, items = look()  # again: another process may have asked meanwhile
            store.apply(scope, ws.finish())
    return items


def _declaring(catalog: Catalog, name: str | None) -> list[FormType]:
    asking = [form_type for form_type in catalog if form_type.first_contact]
    if name is None:
        return asking
    if name not in catalog.types:
        raise InvalidInput(no_type(name, catalog.types))
    if not catalog.types[name].first_contact:
        known = ", ".join(form_type.name for form_type in asking) or "none of the loaded ones"
        raise InvalidInput(f"{name} declares no first_contact; types that do: {known}")
    return [catalog.types[name]]


def _still_open(
    ws: Workspace, form_type: FormType, speaker: str, language: str | None, otherwise: str
) -> list[PendingRecord]:
    """One type's open items; what is new or changed is put into ``ws``. Left out is what is known, what is asked
    about in another way, and what was answered or refused before."""
    key = _key(form_type, speaker)
    asked: dict[str, PendingRecord] = {}
    for item in sorted(ws.asked((key,)), key=lambda item: _SAYS_MOST[item.state], reverse=True):
        asked[pending_today(item, form_type).slot or ""] = item
    forms = _forms_of(ws, form_type, speaker)
    waiting = {pending_today(p, form_type).slot for form in forms for p in ws.open_pendings(form)}
    out: list[PendingRecord] = []
    for place, slot in enumerate(form_type.first_contact):
        before = asked.get(slot)
        if before is not None and before.state in ("refused", "confirmed"):
            continue
        if any(_says(ws, form, form_type.slots[slot]) for form in forms):
            if before is not None and before.state == "open":
                ws.put_pending(before._replace(state="expired"))
            continue
        if slot in waiting:
            continue
        if before is None:
            # a microsecond apart: "oldest first" keeps the declared order
            question = ask_first(form_type, slot, language or otherwise)
            item = _item(ws, form_type, slot, speaker, key, question, ws.now + place)
        else:
            # what closed it may have been taken back: it is the same item that opens again
            question = before.question if language is None else ask_first(form_type, slot, language)
            item = before._replace(state="open", question=question)
        if item != before:
            ws.put_pending(item)
        out.append(item)
    return out


def close_answered(ws: Workspace, working: Working) -> None:
    """Closes the questions of a first contact that a Form answers now."""
    form_type = ws.catalog.types.get(working.type)
    if form_type is None or not form_type.first_contact or not working.active:
        return
    for item in ws.asked([_key(form_type, name) for name in _speakers(form_type, working)]):
        spec = form_type.slots.get(pending_today(item, form_type).slot or "")
        if item.state == "open" and spec is not None and _says(ws, working, spec):
            ws.put_pending(item._replace(state="expired"))


def says_none(spec: SlotSpec, answer: Any) -> bool:
    """Whether a text given as the answer to a text slot says that there is none ("没有", "no", "no allergies").
    InvalidInput for a bare yes, where a list is asked for."""
    if spec.type != "text" or not isinstance(answer, str):
        return False
    if null_like(answer):
        return True
    if not spec.many:
        return False
    rest = normal(answer).replace("’", "'")
    for word in sorted((spec.name, *spec.aliases, *spec.cues), key=len, reverse=True):
        rest = rest.replace(normal(word), " ")
    rest = rest.strip(" .,!的")
    plain = coerce(SlotSpec(spec.name, "boolean"), rest, _DAY).value
    if plain is True:
        raise InvalidInput(f"{spec.name}: {answer!r} does not say which; give them, or refuse this item")
    return plain is False or rest in _NONE or null_like(rest)


def _forms_of(ws: Workspace, form_type: FormType, speaker: str) -> Sequence[Working]:
    """The Form of a speaker; several where nobody has said yet that they are one."""
    said = MessageRecord.of_act("", ws.now, ws.now, speaker)
    target = align(ws, Gated(form_type.name), said)
    if target.form is not None:
        return [target.form]
    return [form for id in target.candidates if (form := ws.own(id)) is not None]


def _says(ws: Workspace, working: Working, spec: SlotSpec) -> bool:
    """Whether the Form has anything of a slot: a value, or what its speaker avoids."""
    held = winner(spec, working.state["s"].get(spec.name, ()), working.at(ws.now))
    return held is not None or bool(working.state["av"].get(spec.name))


def _speakers(form_type: FormType, working: Working) -> Iterable[str]:
    """Who leads to a Form: the speaker that it was made for, and those of Forms merged into it."""
    own = working.state.get("k", {}).get("$speaker", "")
    return dict.fromkeys((own, *map(alias_name, working.state["al"]))) if _by_speaker(form_type) else ("",)


def _by_speaker(form_type: FormType) -> bool:
    return any("$speaker" in key for key in form_type.identity.keys if WHO.issuperset(key))


def _key(form_type: FormType, speaker: str) -> str:
    return f"{FIRST_CONTACT}:{form_type.name}:{normal(speaker) if _by_speaker(form_type) else ''}"


def _item(
    ws: Workspace, form_type: FormType, slot: str, speaker: str, key: str, question: str, asked: int
) -> PendingRecord:
    scope = ws.scope
    return PendingRecord(
        new_id("p", ws.now, scope.tenant, scope.owner, key, slot), scope.owner, None, form_type.name, slot,
        _UNKNOWN, 0.0, FIRST_CONTACT, question, "[]", asked, "open", key, dump({"speaker": speaker}),
    )  # fmt: skip


__all__ = ["FIRST_CONTACT", "close_answered", "first_contact", "is_first_contact", "says_none", "speaker_of"]
