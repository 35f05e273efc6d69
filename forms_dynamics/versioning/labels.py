"""How Forms are called in questions: by name, and by what tells them apart where several have one name."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from forms_dynamics.assertions import winner
from forms_dynamics.model.value import decode
from forms_dynamics.schema.wording import format_value
from forms_dynamics.versioning.workspace import Working, Workspace


def label(ws: Workspace, form: str, lang: str) -> str:
    """A Form's name, else its type and id."""
    working = ws.form(form)
    if working is None:
        return form
    form_type = ws.catalog.types.get(working.type)
    if form_type is not None:
        for key in form_type.identity.keys:
            for part in key:
                held = winner(None, working.state["s"].get(part, ()), working.at(ws.now))
                if held is not None and isinstance(held["v"], str):
                    return held["v"]
        return f"{form_type.label(lang)} {form}"
    return form


def labels(ws: Workspace, forms: Sequence[str], lang: str) -> list[str]:
    """The names of Forms, in order. Of those that would read alike each is told by a value that differs, by its id
    where nothing does: "Acme (city Leeds)", "Acme (city York)"."""
    names = [label(ws, form, lang) for form in forms]
    out = list(names)
    for name in {n for n in names if names.count(n) > 1}:
        places = [place for place, other in enumerate(names) if other == name]
        alike = [ws.form(forms[place]) for place in places]
        told = _differing(ws, [one for one in alike if one is not None], lang)
        for place in places:
            what = told.get(forms[place], forms[place])
            out[place] = f"{name}（{what}）" if lang == "zh" else f"{name} ({what})"
    return out


def _differing(ws: Workspace, alike: Sequence[Working], lang: str) -> dict[str, str]:
    """Form → label and value of the first slot that all of them hold, or some, with a value of its own."""
    slots: dict[str, dict[str, str]] = {}
    for working in alike:
        form_type = ws.catalog.types.get(working.type)
        for spec in form_type.slots.values() if form_type is not None else ():
            held = winner(spec, working.state["s"].get(spec.name, ()), working.at(ws.now))
            if held is not None:
                value: Any = decode(held["v"])
                shown = f"{spec.label(lang)} {format_value(value, spec, lang)}"
                slots.setdefault(spec.name, {})[working.id] = shown
    for texts in slots.values():
        if len(texts) == len(alike) == len(set(texts.values())):
            return texts
    # no slot tells all of them: the first that only one of them holds so, each
    out: dict[str, str] = {}
    for texts in slots.values():
        for form, text in texts.items():
            if list(texts.values()).count(text) == 1:
                out.setdefault(form, text)
    return out


__all__ = ["label", "labels"]
