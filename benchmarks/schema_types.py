"""Form types from a set's ``schema.json`` (domain → slots → description, categorical, values), as YAML files.

Each domain becomes a Form type. A categorical slot becomes an enum where its values can be one, every other slot
a text whose listed values are examples. Names that YAML's Form types do not take (``price range``, ``24h``) are
written another way and back.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any

_LIKE_ESCAPE = re.compile(r"_(?=x[0-9a-f]*(?:_|[^\w-]))")
_STRANGE = re.compile(r"[^\w-]")
_ESCAPE = re.compile(r"_x([0-9a-f]+)_")
_OPENING = "n_x_"  # before a name that does not begin with a letter


def to_name(text: str) -> str:
    """``text`` as a name that Form types take; the same for names that are ones already. :func:`from_name` is its
    inverse, so two texts never share a name."""
    name = _LIKE_ESCAPE.sub("_x5f_", text)
    name = _STRANGE.sub(lambda found: f"_x{ord(found[0]):x}_", name)
    if name == "form_type":  # a word of its own in drafts
        return "form_x5f_type"
    return name if re.match(r"[^\W\d_]", name) else _OPENING + name


def from_name(name: str) -> str:
    """The text that :func:`to_name` made ``name`` of."""
    return _ESCAPE.sub(lambda found: chr(int(found[1], 16)), name.removeprefix(_OPENING))


class SchemaTypes:
    """The Form types of one schema.

    ``gold``: (domain, slot, value) of values that must be kept whatever the schema says: a domain or slot that it
    lacks is added as text, and a categorical slot whose values lack one of these is text instead of an enum.
    """

    def __init__(
        self, schema: Mapping[str, Mapping[str, Any]], gold: Iterable[tuple[str, str, str]] = ()
    ) -> None:
        self.added: Counter[str] = Counter()  # slots that the schema lacks, "domain/slot"
        self.outside: dict[str, set[str]] = {}  # categorical slot → gold values that the schema lacks
        self.unfit: list[str] = []  # categorical slots with values that an enum would not keep apart, or none
        self.enums = 0
        self._schema = {domain: dict(part["slots"]) for domain, part in schema.items()}
        self._about = {domain: part.get("description") or "" for domain, part in schema.items()}
        for domain, slot, value in gold:
            known = self._schema.setdefault(domain, {})
            spec = known.get(slot)
            if spec is None:
                known[slot] = {}
                self.added[f"{domain}/{slot}"] += 1
            elif spec.get("categorical") and value not in spec["values"]:
                self.outside.setdefault(f"{domain}/{slot}", set()).add(value)
        self.documents = [self._document(domain, slots) for domain, slots in self._schema.items() if slots]

    def write(self, folder: Path) -> Path:
        """One YAML file a type into ``folder``, which is made; gives it back."""
        import yaml

        folder.mkdir(parents=True, exist_ok=True)
        for n, document in enumerate(self.documents):
            # everything in quotes: no value turns into a number, a boolean or nothing
            text = yaml.safe_dump(
                document, allow_unicode=True, sort_keys=False, default_style='"', width=10_000
            )
            Path(folder, f"{n:03d}.yaml").write_text(text, encoding="utf-8")
        return folder

    def note(self) -> str:
        """What differs from the schema, in words; empty where nothing does."""
        parts = []
        if self.added:
            parts.append(f"{len(self.added)} slots that schema.json lacks are text ({_some(self.added)})")
        if self.outside:
            values = sorted({value for values in self.outside.values() for value in values})
            parts.append(
                f"{len(self.outside)} categorical slots are text: the gold holds values that schema.json lacks "
                f"({_some(values)})"
            )
        if self.unfit:
            parts.append(
                f"{len(self.unfit)} categorical slots are text: no values, or values that an enum would not keep "
                f"apart ({_some(self.unfit)})"
            )
        return "; ".join(parts)

    def _document(self, domain: str, slots: Mapping[str, Mapping[str, Any]]) -> dict[str, Any]:
        document: dict[str, Any] = {"form_type": to_name(domain)}
        if about := self._about.get(domain, "").strip():
            document["description"] = about
        if to_name(domain) != domain and domain.strip():
            document["aliases"] = [domain]
        document["slots"] = {to_name(slot): self._slot(domain, slot, spec) for slot, spec in slots.items()}
        return document

    def _slot(self, domain: str, slot: str, spec: Mapping[str, Any]) -> dict[str, Any]:
        made: dict[str, Any] = {"type": "text"}
        if spec.get("categorical"):
            if not _one_enum(spec["values"]):
                self.unfit.append(f"{domain}/{slot}")
            elif f"{domain}/{slot}" not in self.outside:
                made = {"type": "enum", "values": list(spec["values"])}
                self.enums += 1
        if about := (spec.get("description") or "").strip():
            made["description"] = about
        if made["type"] == "text" and (known := _examples(spec.get("values") or ())):
            made["examples"] = known
        if to_name(slot) != slot and slot.strip():
            made["aliases"] = [slot]
        return made


def _examples(values: Iterable[str]) -> list[str]:
    """The values that a schema lists for a slot that may hold others as well."""
    return list(dict.fromkeys(v for v in values if v and v == " ".join(v.split()) and v.isprintable()))


def _one_enum(values: Iterable[str]) -> bool:
    """Whether an enum keeps the values as they are spelt, and apart."""
    from forms_dynamics.schema.values.choices import enum_key

    values = list(values)
    spelt = all(value and value == " ".join(value.split()) and value.isprintable() for value in values)
    return bool(values) and spelt and len({enum_key(value) for value in values}) == len(values)


def _some(texts: Iterable[str]) -> str:
    texts = list(texts)
    return ", ".join(texts[:4]) + (", …" if len(texts) > 4 else "")
