"""What a model is asked to answer, made from the compiled Form types, and how its answer becomes drafts.

An answer is flat: a list of facts, each with the Form type, which thing of that type, the slot, the value as it was
said, the exact words, how sure, and marks. Links tie a Form of the message to one that it names or that the prompt
offered by number; ``void`` withdraws Forms. An answer in the grammar of drafts (``extraction.grammar``) is read too.
"""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from functools import lru_cache
from typing import Annotated, Any, ClassVar, Literal

from pydantic import BaseModel, BeforeValidator, ConfigDict, Field, create_model, model_validator

from forms_dynamics.schema.spec import Catalog, FormType

# what a model may say of a fact, and what that means; the prompt explains them in these words
MARKS: Mapping[str, str] = {
    "negated": "denied or disliked",
    "hedged": "about, maybe, 大概",
    "hypothetical": "if, wish",
    "question": "asked, not told",
    "proposal": "suggestion, alternative",
    "other": "somebody else's affair",
    "assistant": "only the assistant's idea",
    "correct": "an earlier value was wrong",
    "add": "one more",
    "remove": "no longer in a list",
    "clear": "no longer, nothing new",
}
_CHANGES = ("change", "state")  # what models add by habit and what says nothing more


def _said(value: Any) -> Any:
    """A value as words: models give numbers and booleans for what was said in words."""
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, (int, float)):
        return json.dumps(value)
    return value


def _marks(value: Any) -> Any:
    if value is None:
        return []
    if isinstance(value, list):
        return [mark for mark in value if mark not in _CHANGES]
    return value


Said = Annotated[str, BeforeValidator(_said), Field(max_length=400)]
Quote = Annotated[str, Field(max_length=400)]
_Mark: Any = Literal[tuple(MARKS)]
Marks: Any = Annotated[list[_Mark], BeforeValidator(_marks)]


class _Part(BaseModel):
    model_config = ConfigDict(extra="forbid")


class Reply(BaseModel):
    """Facts that the message states."""

    model_config = ConfigDict(extra="forbid")
    _schema: ClassVar[dict[str, Any] | None] = None

    @classmethod
    def model_json_schema(cls, *args: Any, **options: Any) -> dict[str, Any]:
        """The schema without titles, references and defaults: they would be paid for in each prompt."""
        if cls.__dict__.get("_schema") is None:
            full = super().model_json_schema(*args, **options)
            lean = _lean(full, full.get("$defs", {}))
            cls._schema = {"title": "facts", "description": Reply.__doc__, **lean}
        assert cls._schema is not None
        return cls._schema

    @model_validator(mode="before")
    @classmethod
    def _of_drafts(cls, data: Any) -> Any:
        """An answer in the grammar of drafts as one of facts."""
        if isinstance(data, Mapping) and "form_type" in data:
            data = [data]
        elif isinstance(data, Mapping) and isinstance(data.get("drafts"), list):
            data = data["drafts"]
        if isinstance(data, list):
            if all(isinstance(one, Mapping) and "form_type" in one for one in data):
                return _flat(data)
            if all(isinstance(one, Mapping) and "slot" in one for one in data):
                return {"facts": data}
        return data


@lru_cache(maxsize=256)
def reply_model(types: tuple[FormType, ...], relations: tuple[str, ...]) -> type[Reply]:
    """The answer for some Form types; ``relations``: those that a Form of them may have. Made once for the same."""
    forms: Any = Literal[tuple(t.name for t in types)]
    slots: Any = Literal[tuple(dict.fromkeys(name for t in types for name in t.slots))]
    number: Any = (Annotated[int, Field(ge=1, le=20)], 1)
    fact: Any = create_model(
        "Fact",
        __base__=_Part,
        form=(forms, ...),
        n=number,
        slot=(slots, ...),
        value=(Said, ...),
        quote=(Quote, ...),
        sure=(Annotated[float, Field(ge=0, le=1)], 1.0),
        marks=(Marks, []),
    )
    void: Any = create_model("Void", __base__=_Part, form=(forms, ...), to=(Said, ""), quote=(Quote, ...))
    parts: dict[str, Any] = {"facts": (list[fact], ...), "void": (list[void], [])}
    if relations:
        related: Any = Literal[relations]
        link: Any = create_model(
            "Link",
            __base__=_Part,
            form=(forms, ...),
            n=number,
            relation=(related, ...),
            to=(Said, ...),
            quote=(Quote, ...),
        )
        parts["links"] = (list[link], [])
    made: type[Reply] = create_model("Facts", __base__=Reply, __doc__=Reply.__doc__, **parts)
    return made


def relations_of(catalog: Catalog, types: tuple[FormType, ...]) -> tuple[str, ...]:
    """The relations that a Form of these types may have to another, in order of their rules."""
    names = {t.name for t in types}
    found = [r.name for r in catalog.rules if r.source in names and r.source != "*"]
    return tuple(dict.fromkeys(name for name in found if name not in ("supersedes", "derived_from")))


def _lean(schema: Any, defs: Mapping[str, Any]) -> Any:
    """A JSON schema with its references put in place, and without what only people read."""
    if isinstance(schema, list):
        return [_lean(item, defs) for item in schema]
    if not isinstance(schema, Mapping):
        return schema
    if "$ref" in schema:
        return _lean(defs[schema["$ref"].rpartition("/")[2]], defs)
    out: dict[str, Any] = {}
    for key, value in schema.items():
        if key == "properties":
            out[key] = {name: _lean(inner, defs) for name, inner in value.items()}
        elif key not in ("title", "default", "$defs", "description", "minimum", "maximum"):
            out[key] = _lean(value, defs)
    if "const" in out:
        out["enum"] = [out.pop("const")]
    if "enum" in out:
        out.pop("type", None)
    return out


def _flat(drafts: Sequence[Mapping[str, Any]]) -> dict[str, Any]:
    """Drafts of the grammar as facts, links and void; what is no draft is left as it is, to fail."""
    facts: list[Any] = []
    links: list[Any] = []
    void: list[Any] = []
    seen: dict[str, int] = {}
    for draft in drafts:
        form = draft["form_type"]
        slots = draft.get("slots") or {}
        n = seen[form] = seen.get(form, 0) + 1
        if draft.get("invalidate"):
            said = next((s for s in slots.values() if isinstance(s, Mapping) and s.get("evidence")), {})
            void.append({"form": form, "to": said.get("value") or "", "quote": said.get("evidence") or ""})
            continue
        for name, slot in slots.items():
            facts.extend(_fact(form, n, name, slot))
        for relation in draft.get("relations") or ():
            to = relation.get("to") if isinstance(relation, Mapping) else None
            named = [v for k, v in to.items() if k != "form_type"] if isinstance(to, Mapping) else []
            if isinstance(relation, Mapping) and named:
                links.append(
                    {
                        "form": form,
                        "n": n,
                        "relation": relation.get("relation"),
                        "to": named[0],
                        "quote": named[0],
                    }
                )
    out: dict[str, Any] = {"facts": facts}
    if void:
        out["void"] = void
    if links:
        out["links"] = links
    return out


def _fact(form: str, n: int, name: str, slot: Any) -> list[dict[str, Any]]:
    if not isinstance(slot, Mapping):
        slot = {"value": slot}
    marks = [mark for mark in ("negated", "proposal") if slot.get(mark)]
    if slot.get("correction"):
        marks.append("correct")
    if slot.get("whose") == "other":
        marks.append("other")
    if slot.get("op") in ("add", "remove", "clear"):
        marks.append(slot["op"])
    value = slot.get("value")
    values = value if isinstance(value, list) else [value]
    sure = slot.get("confidence", 1.0)
    return [
        {
            "form": form, "n": n, "slot": name, "value": "" if one is None else one,
            "quote": slot.get("evidence") or _said("" if one is None else one), "sure": sure, "marks": marks,
        }
        for one in values
    ]  # fmt: skip


__all__ = ["MARKS", "Reply", "relations_of", "reply_model"]
