"""A tool's JSON result whose keys are slots of a Form type."""

from __future__ import annotations

import json
import re
from collections.abc import Mapping
from typing import Any

from forms_dynamics.language.normal import normal
from forms_dynamics.model.message import Draft, SlotDraft
from forms_dynamics.schema.spec import Catalog, FormType

_LIMIT = 200_000
_JSON = re.compile(r"""[{\[]\s*["'{\[}\]]|\[\s*(?:-?\d|true|false|null)""")


def structured_drafts(text: str, catalog: Catalog) -> list[Draft] | None:
    """Drafts from a JSON object (or a list of them) that names a type in ``form_type`` or fits exactly one.

    It fits a type when every key of some identity of the type is among its keys. Other JSON gives nothing: its
    keys are a program's, not words that announce a slot. None when the text is no JSON.
    """
    stripped = text.strip()
    if not _JSON.match(stripped):
        return None
    if len(stripped) > _LIMIT:
        return []
    try:
        body = json.loads(stripped)
    except ValueError:
        return []  # cut short, or nearly JSON: a program's all the same
    rows = body if isinstance(body, list) else [body]
    out = []
    for row in rows[:200]:
        if isinstance(row, Mapping) and (draft := _draft(row, text, catalog)) is not None:
            out.append(draft)
    return out


def _draft(row: Mapping[str, Any], text: str, catalog: Catalog) -> Draft | None:
    named = row.get("form_type")
    fitting = []
    for form_type in catalog:
        if named is not None and form_type.name != named:
            continue
        slots = _slots(row, form_type)
        if named is not None or any(all(p in slots for p in key) for key in form_type.identity.keys):
            fitting.append((len(slots), form_type, slots))
    if not fitting:
        return None
    most = max(count for count, _, _ in fitting)
    best = [(form_type, slots) for count, form_type, slots in fitting if count == most and count]
    if len(best) != 1:
        return None
    form_type, slots = best[0]
    return Draft(form_type.name, {name: _slot(value, key, text) for name, (key, value) in slots.items()})


def _slots(row: Mapping[str, Any], form_type: FormType) -> dict[str, tuple[str, Any]]:
    names = {
        normal(n.replace("_", " ")): spec.name
        for spec in form_type.slots.values()
        for n in (spec.name, *spec.aliases)
    }
    out: dict[str, tuple[str, Any]] = {}
    for key, value in row.items():
        name = names.get(normal(str(key).replace("_", " ")))
        if name is not None and value not in (None, "", [], {}) and not isinstance(value, Mapping):
            out.setdefault(name, (str(key), value))
    return out


def _slot(value: Any, key: str, text: str) -> SlotDraft:
    """Evidence is the member as it stands in the text."""
    at = text.find(json.dumps(key, ensure_ascii=False))
    at = at if at >= 0 else text.find(json.dumps(key))
    span = None
    if at >= 0:
        for shown in (json.dumps(value, ensure_ascii=False), json.dumps(value)):
            end = text.find(shown, at)
            if end >= 0:
                span = (at, end + len(shown))
                break
    evidence = text[span[0] : span[1]] if span else None
    return SlotDraft(value=value, confidence=0.99, evidence=evidence, span=span)
