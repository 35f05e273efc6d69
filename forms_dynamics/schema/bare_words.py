"""Slots' words without the word for their type: 金额 of 订单金额, "due date" of "task due date".

A type that qualifies the words of its slots means them bare wherever it is talked about.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator

from forms_dynamics.language.normal import has_han, normal
from forms_dynamics.schema.spec import FormType, SlotSpec

_COUNTED = re.compile("(?:数量|数目|人数|总数|票数|数)$")


def bare_words(form_type: FormType) -> Iterator[tuple[str, SlotSpec]]:
    """Each bare word of the type's slots in normal form, with its slot; none that calls the type itself."""
    calls = _calls(form_type)
    for spec in form_type.slots.values():
        bare = {w for alias in map(normal, spec.aliases) for w in _unqualified(alias, calls)}
        for word in sorted(bare - calls):
            yield word, spec


def _calls(form_type: FormType) -> set[str]:
    """The words for the type: its names, and how most of its slots' aliases begin."""
    declared = [normal(a) for spec in form_type.slots.values() for a in spec.aliases]
    begun = Counter(alias[:2] if has_han(alias) else alias.partition(" ")[0] for alias in declared)
    calls = {normal(a) for a in (form_type.name.replace("_", " "), *form_type.aliases)}
    return calls | {word for word, times in begun.items() if times > max(3, len(form_type.slots) // 2)}


def _unqualified(alias: str, calls: set[str]) -> Iterator[str]:
    """What is left of an alias without the word for its type in it."""
    for call in calls:
        if has_han(alias):
            rest = alias.removeprefix(call)
        else:
            rest = alias.removeprefix(f"{call} ").removesuffix(f" of the {call}")
        if rest != alias and len(rest) > (1 if has_han(rest) else 2):
            yield rest


def heads(form_type: FormType) -> Iterator[tuple[str, SlotSpec]]:
    """The nouns in which Chinese names of slots end, where no other slot's does: 医生 of 主治医生; and what a number
    counts: 座位 of 座位数. So a slot is asked for, and nothing is told."""
    calls = {normal(a) for a in form_type.aliases}
    found: dict[str, dict[str, SlotSpec]] = {}
    for spec in form_type.slots.values():
        for alias in map(normal, spec.aliases):
            if not has_han(alias):
                continue
            for word in (alias, alias[-2:] if len(alias) >= 4 else "", _COUNTED.sub("", alias)):
                if len(word) > 1 and has_han(word):
                    found.setdefault(word, {})[spec.name] = spec
    for word, specs in found.items():
        if len(specs) == 1 and word not in calls:
            yield word, next(iter(specs.values()))
