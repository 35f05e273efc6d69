"""Form types about the relatives of a speaker, and the words that they declare for them.

A Form type is about relatives when an identity key of it joins ``$speaker`` (or ``$user``) with a slot whose
words are people of the speaker's: an enum with a word such as 爸爸 or "mother", or a slot called relation. The words
are the type's own (values and synonyms). Such a type takes nothing that speakers say of themselves, and what is
told of a relative reaches no Form of the speaker.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from forms_dynamics.language.kin import Kin
from forms_dynamics.language.normal import normal
from forms_dynamics.language.voices import RELATIVES
from forms_dynamics.schema.spec import Catalog, FormType

_CALLED = frozenset(
    "relation|relationship|kinship|kin|relative|关系|亲属|亲属关系|家庭关系|与我的关系|与本人关系".split("|")
)


@dataclass(frozen=True, slots=True)
class Relatives:
    """One such type: ``slot`` says which relative, ``kin`` finds them in a text."""

    type: FormType
    slot: str
    kin: Kin


def relation_slot(form_type: FormType) -> str | None:
    """The slot that says which of the speaker's relatives a Form is about; None where the type is of others."""
    for key in form_type.identity.keys:
        if not {"$speaker", "$user"} & set(key):
            continue
        for part in key:
            spec = form_type.slots.get(part)
            if spec is None:
                continue
            words = {normal(str(w)) for value, more in spec.values.items() for w in (value, *more)}
            names = {normal(n.replace("_", " ")) for n in (spec.name, *spec.aliases)}
            if (spec.type == "enum" and words & RELATIVES) or (
                spec.type in ("enum", "text") and names & _CALLED
            ):
                return part
    return None


def of_speaker_alone(form_type: FormType) -> bool:
    """Whether a Form of the type is the speaker's own: who speaks is all of its identity."""
    return all(set(key) <= {"$speaker", "$user"} for key in form_type.identity.keys)


def _words(form_type: FormType, slot: str) -> dict[str, str]:
    """Each declared word, in normal form → the relation that it names; a slot of text takes any word."""
    spec = form_type.slots[slot]
    if spec.type != "enum":
        return {word: word for word in RELATIVES}
    out: dict[str, str] = {}
    for value, synonyms in spec.values.items():
        for raw in (str(value), str(value).replace("_", " "), *map(str, synonyms)):
            out.setdefault(normal(raw), str(value))
    return out


def _labels(form_type: FormType, slot: str) -> list[str]:
    return [slot.replace("_", " "), *form_type.slots[slot].aliases]


_made: list[tuple[Catalog, Mapping[str, Relatives]]] = []


def relatives_of(catalog: Catalog) -> Mapping[str, Relatives]:
    """The types about relatives, by name; those of the last eight catalogs are kept."""
    for known, made in _made:
        if known is catalog:
            return made
    made = {
        t.name: Relatives(t, slot, Kin(_words(t, slot), _labels(t, slot)))
        for t in catalog
        if (slot := relation_slot(t)) is not None
    }
    _made.insert(0, (catalog, made))
    del _made[8:]
    return made


__all__ = ["Relatives", "of_speaker_alone", "relation_slot", "relatives_of"]
