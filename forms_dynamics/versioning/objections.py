"""What a user asks for against what is known of them: 川菜 after 不吃辣, beef after "I'm vegetarian".

Which things hold what is avoided is declared in the YAML of the slot (``rules_out``, ``avoided_rules_out``). It is told
at once, as a question of the receipt; nothing is changed or kept back for it.
"""

# ruff: noqa: E501 (a pattern reads best on one line)
from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from functools import lru_cache

from forms_dynamics.assertions import winner
from forms_dynamics.language.clauses import clause_of
from forms_dynamics.language.cues import hypothetical, negated, questioned, third_party
from forms_dynamics.language.lazy import lazy
from forms_dynamics.language.normal import has_han, language, normal
from forms_dynamics.language.numerals import lowered
from forms_dynamics.model.record import MessageRecord
from forms_dynamics.model.value import decode
from forms_dynamics.schema.questions import object_to
from forms_dynamics.schema.spec import FormType, SlotSpec
from forms_dynamics.versioning.align import context_of
from forms_dynamics.versioning.workspace import Working, Workspace

# somebody wants it
_WANTS = lazy(
    r"想|要|来(?:一|点|份|个|碗|杯|盘|两)|点(?:一|份|个|了|些)?|订|预订|安排|推荐|找|吃|喝|买|尝|试试|去(?!年)|喜欢|爱|加|放|就"
    r"|\b(?:want|like|love|order|book|have|get|try|need|recommend|find|reserve|bring|add|make|buy|eat|drink|grab|fancy|craving|let['’]s|please|i['’]ll)\b"
)


def objections(ws: Workspace, message: MessageRecord, touched: Iterable[Working] = ()) -> list[str]:
    """The questions, in the message's language; none where nothing asked for goes against anything known.
    ``touched``: the Forms of which the message itself tells."""
    if message.role != "user" or message.kind != "message" or _WANTS.search(lowered(message.text)) is None:
        return []
    out: dict[str, None] = {}
    for form_type in ws.catalog:
        ruling = _ruling(form_type)
        if not ruling:
            continue
        fresh = next((w for w in touched if w.type == form_type.name and w.base_n == 0), None)
        working = _of_user(ws, form_type, message) or fresh
        for spec in ruling if working is not None else ():
            for value, avoided, thing in _against(ws, working, spec):  # type: ignore[arg-type]
                if (asked := _asked_for(message.text, thing)) is not None:
                    out[object_to(spec, value, avoided, asked, language(message.text))] = None
                    break
    return list(out)


@lru_cache(maxsize=512)
def _ruling(form_type: FormType) -> tuple[SlotSpec, ...]:
    """The slots of the type whose values speak against others."""
    return tuple(s for s in form_type.slots.values() if s.rules_out or s.avoided_rules_out)


def _of_user(ws: Workspace, form_type: FormType, message: MessageRecord) -> Working | None:
    """The Form of the type that is the speaker's own."""
    context = context_of(form_type, message, ws.scope.owner)
    if form_type.identity.keys != tuple((part,) for part in context) or len(context) != 1:
        return None
    found = (ws.own(key.form) for name in context.values() for key in ws.names(name, form_type.name))
    return next((w for w in found if w is not None and w.active), None)


def _against(ws: Workspace, working: Working, spec: SlotSpec) -> Iterator[tuple[str, bool, str]]:
    """(value, whether it is avoided, a thing against it), the more telling things first."""
    held = winner(spec, working.state["s"].get(spec.name, ()), working.at(ws.now))
    values = [str(v) for v in _flat(decode(held["v"]))] if held is not None else []
    for value in values:
        own = [] if spec.avoided_rules_out else [value]
        for thing in (*_things(spec.rules_out, value), *own):
            yield value, False, thing
    for given in working.state["av"].get(spec.name, ()):
        for value in (str(v) for v in _flat(decode(given))):
            if value not in values:
                for thing in (*_things(spec.avoided_rules_out, value), value):
                    yield value, True, thing


def _flat(value: object) -> tuple[object, ...]:
    return tuple(value) if isinstance(value, (tuple, list)) else (value,)


def _things(declared: object, value: str) -> Iterator[str]:
    said = normal(value)
    for key, things in dict(declared).items():  # type: ignore[call-overload]
        if normal(key) in said:
            yield from things


def _asked_for(text: str, thing: str) -> str | None:
    """The words for the thing, where the speaker wants it."""
    said = lowered(text)
    word = thing.casefold()
    pattern = re.escape(word) if has_han(word) else rf"\b{re.escape(word)}s?\b"
    for found in re.finditer(pattern, said):
        span = found.span()
        low, high = clause_of(text, *span)
        if _WANTS.search(said, low, high) is None or negated(text, *span) or hypothetical(text, *span):
            continue
        if questioned(text, *span) or third_party(text, *span) is not None:
            continue
        if re.search(
            r"过敏|allerg|戒|忌|不(?:太|能|想)?(?:吃|喝|要|爱|喜欢)|讨厌|\b(?:avoid|hate|dislike|without|no)\b",
            said[low:high],
        ):
            continue
        return text[slice(*span)]
    return None


__all__ = ["objections"]
