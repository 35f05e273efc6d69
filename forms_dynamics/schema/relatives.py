"""Which Form types are about the relatives of a speaker, and the words that they declare for them.

A Form type is about relatives when an identity key of it joins ``$speaker`` (or ``$user``) with an enum whose
words are people of the speaker's: one that has a word such as 爸爸 or "mother", or is called relation. The words
are the type's own (values and synonyms); a slot of text would make 我爸 and 我爸爸 two relatives. Such a type takes
nothing that speakers say of themselves, and what is told of a relative reaches no Form of the speaker.
"""

from __future__ import annotations

from collections.abc import Iterable

from forms_dynamics.language.kin import Kin
from forms_dynamics.language.normal import normal
from forms_dynamics.language.voices import RELATIVES
from forms_dynamics.schema.spec import FormType, Relatives, SlotSpec

_CALLED = frozenset(
    "relation|relationship|kinship|kin|relative|关系|亲属|亲属关系|家庭关系|与我的关系|与本人关系".split("|")
)


def relatives_among(types: Iterable[FormType]) -> dict[str, Relatives]:
    """The types about relatives, by name."""
    return {
        t.name: Relatives(t, spec.name, Kin(_words(spec), [spec.name.replace("_", " "), *spec.aliases]))
        for t in types
        if (spec := _relation(t)) is not None
    }


def of_speaker_alone(form_type: FormType) -> bool:
    """Whether a Form of the type is the speaker's own: who speaks is all of its identity."""
    return all(set(key) <= {"$speaker", "$user"} for key in form_type.identity.keys)


def _relation(form_type: FormType) -> SlotSpec | None:
    """The slot that says which of the speaker's relatives a Form is about; None where the type is of others."""
    for key in form_type.identity.keys:
        if not {"$speaker", "$user"} & set(key):
            continue
        for part in key:
            spec = form_type.slots.get(part)
            if spec is None or spec.type != "enum":
                continue
            names = {normal(n.replace("_", " ")) for n in (spec.name, *spec.aliases)}
            if names & _CALLED or _words(spec).keys() & RELATIVES:
                return spec
    return None


def _words(spec: SlotSpec) -> dict[str, str]:
    """Each declared word, in normal form → the relation that it names."""
    out: dict[str, str] = {}
    for value, synonyms in spec.values.items():
        for raw in (str(value), str(value).replace("_", " "), *map(str, synonyms)):
            out.setdefault(normal(raw), str(value))
    return out


__all__ = ["of_speaker_alone", "relatives_among"]
