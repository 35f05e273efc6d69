"""What raw drafts depend on: told by a recording, compared with what would be recorded today."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import fields
from typing import Any

from forms_dynamics.ports import Extractor
from forms_dynamics.schema.spec import Catalog, FormType, RelationRule, SlotSpec
from forms_dynamics.settings import Settings

# Parts of a declaration that decide what becomes of a draft, how it is asked about or shown: another value of them
# leaves a recording as good as it was.
_AFTER_READING = {
    SlotSpec: {"threshold", "question", "authority", "fade_per_day", "hedging", "rules_out", "avoided_rules_out"},
    FormType: {
        "slots", "threshold", "life", "template", "json_ld", "migrations", "usage", "extractor_at",
        "first_contact", "shared", "file", "line",
    },
    RelationRule: {"required", "cardinality", "strength", "when", "attributes", "acyclic", "file", "line"},
}  # fmt: skip
READING = ("model", "model_mode", "model_max_tokens", "timezone", "date_order", "redact")  # settings that do
_EXAMPLES = ("预算50万，分三期付款", "Our budget is 500,000, in three instalments.")

Fingerprints = Mapping[str, Any]


def fingerprints(catalog: Catalog, extractor: Extractor, settings: Settings) -> dict[str, Any]:
    """Of the extractor, its model, its prompt, the settings and the declarations that it reads by."""
    from forms_dynamics import __version__

    cls = type(extractor)
    return {
        "extractor": getattr(extractor, "fingerprint", None) or f"{cls.__module__}:{cls.__qualname__}",
        "prompt": _prompt(catalog, extractor),
        "release": ".".join(__version__.split(".")[:2]),  # what is read changes with these two numbers
        "settings": {name: getattr(settings, name) for name in READING},
        **declared(catalog),
    }


def declared(catalog: Catalog) -> dict[str, Any]:
    """Of the Form types and relations alone."""
    return {
        "form_types": {
            t.name: {"": _digest(t), **{name: _digest(spec) for name, spec in t.slots.items()}}
            for t in catalog
        },
        "relations": {f"{r.source} {r.name} {r.target}": _digest(r) for r in catalog.rules},
    }


def changes(then: Fingerprints, now: Fingerprints) -> list[str]:
    """What differs, a phrase each; only of what both tell."""
    out: list[str] = []
    for name, what in (("extractor", "the extractor"), ("release", "the release of forms_dynamics")):
        if name in then and name in now and then[name] != now[name]:
            out.append(f"{what} was {then[name]}, is {now[name]}")
    old, new = then.get("settings", {}), now.get("settings", {})
    for name in (n for n in old if n in new):
        if old[name] != new[name]:
            out.append(f"settings.{name} was {old[name]}, is {new[name]}")
    types_then, types_now = then.get("form_types", {}), now.get("form_types", {})
    out.extend(_differences("form type", types_then, types_now))
    for name in (n for n in types_then if n in types_now):
        out.extend(_differences(f"slot {name}.", types_then[name], types_now[name]))
    out.extend(_differences("relation", then.get("relations", {}), now.get("relations", {})))
    if not out and {"prompt"} <= then.keys() & now.keys() and then["prompt"] != now["prompt"]:
        out.append("the prompt has changed")
    return out


def _differences(what: str, then: Mapping[str, Any], now: Mapping[str, Any]) -> Iterator[str]:
    gap = "" if what.endswith(".") else " "
    for name in then:
        if name and name not in now:
            yield f"{what}{gap}{name} is gone"
    for name, digest in now.items():
        if name and name not in then:
            yield f"{what}{gap}{name} is new"
        elif then.get(name) != digest and isinstance(digest, str):
            yield (
                f"{what.removesuffix('.').replace('slot', 'type')} was changed"
                if not name
                else (f"{what}{gap}{name} was changed")
            )


def _digest(declaration: Any) -> str:
    left_out = _AFTER_READING[type(declaration)]
    told = {f.name: getattr(declaration, f.name) for f in fields(declaration) if f.name not in left_out}
    return _short(json.dumps(told, sort_keys=True, ensure_ascii=False, default=_told))


def _told(value: Any) -> Any:
    """What JSON has no word for, in an order of its own."""
    if isinstance(value, (set, frozenset)):
        return sorted(value)
    if isinstance(value, (tuple, Mapping)):
        return dict(value) if isinstance(value, Mapping) else list(value)
    return repr(value)


def _prompt(catalog: Catalog, extractor: Extractor) -> str | None:
    """Of what a model would be sent about two examples; None of an extractor that asks none."""
    prompt = getattr(extractor, "prompt", None)
    if prompt is None:
        return None
    from forms_dynamics.extraction.prompt import example_message

    types: Sequence[FormType] = tuple(catalog)
    sent = [prompt(example_message(text), types, ()) for text in _EXAMPLES]
    return _short(json.dumps(sent, sort_keys=True, ensure_ascii=False, default=repr))


def _short(text: str) -> str:
    return hashlib.sha256(text.encode("utf-8", "surrogatepass")).hexdigest()[:16]


__all__ = ["READING", "Fingerprints", "changes", "declared", "fingerprints"]
