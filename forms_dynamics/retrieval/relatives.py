"""Whose fact a question asks for: the speaker's own, or that of a relative (我爸什么时候生日？, "Dana's mom").

A question about a relative is never answered with the speaker's own Form, nor one about the speaker with a
relative's: the types of the others are barred, however well their slots fit.
"""

from __future__ import annotations

from collections.abc import Sequence

from forms_dynamics.language.kin import NOBODY, SPEAKER, Asked
from forms_dynamics.language.normal import has_han, normal
from forms_dynamics.language.voices import FIRST, other_person
from forms_dynamics.model.record import JOINT, KeyRecord, Scope
from forms_dynamics.ports import Store
from forms_dynamics.retrieval.names import EXACT, Anchor, from_key
from forms_dynamics.retrieval.question import Question
from forms_dynamics.schema.relatives import of_speaker_alone
from forms_dynamics.schema.spec import Catalog, Relatives

_PIECES = 24  # characters before 的妈妈 that may be a name


def by_relative(
    question: Question, catalog: Catalog, scope: Scope, store: Store
) -> tuple[list[Anchor], frozenset[str]]:
    """Anchors for the relatives that the question names, and the Form types that it does not ask about."""
    types = catalog.relatives
    own = frozenset(t.name for t in catalog if of_speaker_alone(t))
    if not types and not own:
        return [], frozenset()
    anchors: list[Anchor] = []
    asked = False
    for relatives in types.values():
        for one in relatives.kin.asked(question.text):
            asked = True
            anchors.extend(_anchors(question, relatives, one, scope, store))
    if anchors:
        return anchors, own
    if asked or _other(question):
        return [], own | types.keys()
    if types and FIRST.search(question.text):
        return [], frozenset(types)
    return [], frozenset()


def _other(question: Question) -> bool:
    """Whether it asks about a person of the speaker's for whom no type has a word (my boss); a slot of that name
    is what the speaker's own Form may know."""
    at = other_person(question.text, 0, len(question.text))
    if at is None:
        return False
    return not any(
        m.slot is not None and w.start <= at + 8 and at <= w.end and w.end - at > 1
        for w in question.words
        for m in w.meanings
        if _names_person(question.text[w.start : w.end])
    )


def _names_person(word: str) -> bool:
    return other_person(f"我{word}" if has_han(word) else f"my {word}", 0, len(word) + 4) is not None


def _anchors(
    question: Question, relatives: Relatives, one: Asked, scope: Scope, store: Store
) -> Sequence[Anchor]:
    if one.whose == NOBODY:
        return ()
    # 我爷爷 is whom the speaker once called "my grandfather", where no 爷爷 is known
    for relations in ([one.relation], relatives.kin.kindred(one.relation)):
        keys = [
            (key, f"named: {relation} of {who}")
            for relation in relations
            for key, who in _keys(relatives, one, normal(relation), scope, store)
        ]
        if keys:
            return [from_key(k, (one.start, one.end), EXACT, why) for k, why in dict.fromkeys(keys)]
    return ()


def _keys(
    relatives: Relatives, one: Asked, relation: str, scope: Scope, store: Store
) -> list[tuple[KeyRecord, str]]:
    if one.whose != SPEAKER:
        return _of_named(relatives, one, relation, scope, store)
    named = store.names(scope, [relation], relatives.type.name)
    return [(k, "the speaker") for k in named if k.slots.partition("#")[0] == relatives.slot]


def _of_named(
    relatives: Relatives, one: Asked, relation: str, scope: Scope, store: Store
) -> list[tuple[KeyRecord, str]]:
    """Keys that join a speaker named right before the word with the relation."""
    said = one.whose
    whos = [said[i:] for i in range(max(0, len(said) - _PIECES), len(said))] if has_han(said) else []
    words = said.split(" ")
    whos += [" ".join(words[i:]) for i in range(len(words))]
    for key in relatives.type.identity.keys:
        if set(key) == {"$speaker", relatives.slot}:
            names = {JOINT.join(who if p == "$speaker" else relation for p in key): who for who in whos}
            if found := store.names(scope, list(names), relatives.type.name):
                longest = max(len(k.name) for k in found)
                return [(k, names[k.name]) for k in found if len(k.name) == longest]
    return []


__all__ = ["by_relative"]
