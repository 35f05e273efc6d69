"""Which Form is a draft about: the ladder, step by step.

(1) External id. (2) A complete identity key: its Form; else the only Form of the type in this conversation
whose identity is not known adopts it; a mere phone number or address goes to the Form that is talked about, if that
has none, is known by a name, or the number is said to have changed; else a new Form. (3) No key: a known name in the
message; else the Forms of the type that user messages touched in this conversation: none → new, one → that,
several → the one that the previous user message touched, if only one; else nobody guesses. Nor does anybody where
the sentence says that it is about something else ("Update on Globex: …").
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache

from forms_dynamics.language.cues import another
from forms_dynamics.language.lazy import lazy
from forms_dynamics.language.names import candidates, shorter
from forms_dynamics.language.normal import has_han, normal
from forms_dynamics.language.subjects import all_but, set_aside
from forms_dynamics.language.topics import Topic, topics
from forms_dynamics.model.gated import Gated
from forms_dynamics.model.record import HIDDEN, JOINT, KeyRecord, MessageRecord
from forms_dynamics.model.value import decode
from forms_dynamics.schema.coerce import key_text
from forms_dynamics.schema.compare import context_part, same
from forms_dynamics.schema.spec import FormType
from forms_dynamics.versioning.keys import (
    anonymous_name,
    base,
    external_name,
    own_values,
)
from forms_dynamics.versioning.workspace import Working, Workspace

_NAME_TEXT = 4000  # characters of a message in which known names are looked for


@dataclass(frozen=True, slots=True)
class Target:
    """The Form (None: a new one), or the candidates between which a person must choose.

    ``other_keys``: identity slots that did not take part in the match: a differing value there is an alias.
    ``places``: the conversation, where it is a key by itself by which the Form was not found: an alias, too.
    """

    form: Working | None = None
    candidates: Sequence[str] = ()
    other_keys: frozenset[str] = frozenset()
    places: Sequence[str] = ()


def context_of(form_type: FormType, message: MessageRecord, owner: str) -> dict[str, str]:
    """Key texts of the ``$`` parts that the type's identity uses."""
    return {
        part: context_part(part, speaker=message.speaker, conversation=message.conversation, owner=owner)
        for part in form_type.identity.context
    }


def draft_values(form_type: FormType, gated: Gated) -> dict[str, str]:
    """Identity slots that the draft states → key text."""
    wanted = form_type.identity.slots
    return {
        item.slot: key_text(form_type.slots[item.slot], item.value)
        for item in gated.accepted
        if item.slot in wanted and not item.negated and item.op in ("set", "add") and item.value is not None
    }


def key_names(form_type: FormType, values: Mapping[str, str]) -> list[tuple[tuple[str, ...], str]]:
    """The complete identity keys in declared order, with their names."""
    return [
        (key, JOINT.join(values[part] for part in key))
        for key in form_type.identity.keys
        if all(part in values for part in key)
    ]


def names_needed(form_type: FormType, gated: Gated, message: MessageRecord, owner: str) -> Iterable[str]:
    """Names that ``align`` will look up for this draft: read ahead for a whole batch."""
    if gated.external_id is not None:
        yield external_name(gated.external_id)
    if form_type.identity.each:
        return
    values = {**context_of(form_type, message, owner), **draft_values(form_type, gated)}
    for key, name in key_names(form_type, values):
        yield name
        if len(key) == 1 and not name.startswith(HIDDEN):
            yield from shorter(name)  # near matches
    yield anonymous_name(message.conversation)


def align(ws: Workspace, gated: Gated, message: MessageRecord) -> Target:
    """See the module. Invalid Forms are never matched."""
    form_type = ws.catalog.types[gated.type] if gated.type is not None else None
    if form_type is None:
        return _by_conversation(ws, None, message)
    if gated.external_id is not None:
        named = ws.names(external_name(gated.external_id), form_type.name)
        # another system's ids are opaque: 001aB and 001Ab may be two records
        hits = [w for w in _forms(ws, named, ("@",)) if gated.external_id in w.state["ext"]]
        if hits:
            # two that were loaded with one id: the one that had it first
            first = {key.form for key in named if key.slots == "@"}
            return Target(next((w for w in hits if w.id in first), hits[0]))
    if form_type.identity.each:
        return Target()
    values = {**context_of(form_type, message, ws.scope.owner), **draft_values(form_type, gated)}
    keys = key_names(form_type, values)
    # rows of a table that names no conversation have nothing to do with each other
    loose = message.kind != "message" and message.conversation == "default"
    if keys:
        return _by_key(ws, gated, form_type, keys, values, message, loose)
    if loose:
        return Target()
    if form_type.identity.slots:
        said = _named(ws, form_type, message)
        labels = _labels(form_type)
        told = [forms for name, forms in said.items() if not set_aside(message.text, name, labels)]
        which = {w.id: w for forms in told or said.values() for w in forms}
        if told and len(which) == 1:
            return Target(next(iter(which.values())))
        if which:
            return Target(candidates=list(which))
    if not form_type.identity.slots or message.kind != "message":
        return _by_conversation(ws, form_type, message)
    if _introduces(form_type, message.text):
        return Target()
    found = _by_conversation(ws, form_type, message)
    others = _topics(gated, form_type, message)
    if not others or (found.form is None and not found.candidates):
        return found
    live = spoken_of(ws, form_type.name, message.conversation).values()
    meant = [w for w in live if any(_goes_by(w, topic.name) for topic in others)]
    if len(meant) == 1:
        labels = _labels(form_type)
        aside = all(set_aside(message.text, normal(topic.name), labels) for topic in others)
        # Piet's, of Piet Marsh, but not "Piet's sister has"
        return Target(candidates=[meant[0].id]) if aside else Target(meant[0])
    if found.form is None or _tells_of(found.form, others, message):
        return found
    sure = any(topic.sure for topic in others) or _of_firms(form_type)
    return Target(candidates=[found.form.id]) if sure else found


def _by_key(
    ws: Workspace,
    gated: Gated,
    form_type: FormType,
    keys: Sequence[tuple[tuple[str, ...], str]],
    values: Mapping[str, str],
    message: MessageRecord,
    loose: bool,
) -> Target:
    earlier: list[str] = []
    for key, name in keys:
        slots = "+".join(key)
        # an alias of several parts is a key of a Form that was merged: another speaker's mother
        kinds = (slots, "alias", "~") if len(key) == 1 else (slots, "alias")
        hits = _forms(ws, ws.names(name, form_type.name), kinds)
        hits = [w for w in hits if not _differs(form_type, ws, w, earlier, values, gated.external_id)]
        exact = [w for w in hits if any(base(k.slots) == slots and k.name == name for k in w.keys)]
        # the core of a longer name only makes a near match
        hits = exact or [w for w in hits if any(base(k.slots) == "alias" and k.name == name for k in w.keys)]
        if len(hits) == 1:
            known = {k.name for k in hits[0].keys}
            places = [n for k, n in keys if not loose and k != key and _is_place(k) and n not in known]
            return Target(hits[0], other_keys=form_type.identity.slots - set(key), places=places)
        if hits and _is_place(key) and not loose:
            return _by_conversation(ws, form_type, message)  # several were spoken of here
        if hits:
            return Target(candidates=[w.id for w in hits])
        earlier.extend(part for part in key if not part.startswith("$"))
    if not loose and any(not part.startswith("$") for key, _ in keys for part in key):
        waiting = _forms(ws, ws.names(anonymous_name(message.conversation), form_type.name), ("?",))
        if len(waiting) == 1 and gated.external_id is None and not _contradicts(waiting[0], gated, form_type):
            return Target(waiting[0])
        if gated.external_id is None and message.kind == "message":
            return _contacted(ws, gated, form_type, keys, message)
    return Target()


def _contradicts(working: Working, gated: Gated, form_type: FormType) -> bool:
    """Whether the draft tells of a single value otherwise than the Form holds it, and corrects nothing."""
    for item in gated.accepted:
        spec = form_type.slots[item.slot]
        timeline = working.state["s"].get(item.slot, ())
        if spec.many or item.negated or item.correction or item.op != "set" or not timeline:
            continue
        if not same(spec, decode(timeline[-1]["v"]), item.value):
            return True
    return False


_FIRM = lazy(r"公司|客户|商家|供应商|企业|单位|店|company|firm|customer|client|supplier|vendor|shop", re.I)
_NEW = (
    r"(?:\b(?:another|(?:a|one) new|one more|new|a (?:second|third|different)) |"
    r"另外?一?[个家位名块条台]|又来了?一?[个家位名]|新来?的?)"
)


def _of_firms(form_type: FormType) -> bool:
    """Whether whatever is said to own something may be one of the Forms: 东岭的, not 客厅的."""
    slots = form_type.identity.slots
    return any(_FIRM.search(word) for slot in slots for word in (slot, *form_type.slots[slot].aliases))


@lru_cache(maxsize=256)
def _introduces(form_type: FormType, text: str) -> bool:
    """Whether the words bring in one that was not spoken of: "another sponsor", 新来的茶农."""
    words = "|".join(re.escape(word) for word in _words_of(form_type))
    return re.search(rf"{_NEW}(?:{words})(?![a-z])", normal(text)) is not None


def _words_of(form_type: FormType) -> list[str]:
    return [normal(word) for word in (form_type.name.replace("_", " "), *form_type.aliases)]


def of_all(form_type: FormType, gated: Gated, message: MessageRecord) -> bool:
    """Whether the values are said of all there are ("both boats are insured"), and so of no Form by itself."""
    return not draft_values(form_type, gated) and any(t.every for t in _topics(gated, form_type, message))


def of_all_but(form_type: FormType, gated: Gated, message: MessageRecord) -> bool:
    """Whether the values are said of all but those named ("all boats but A-1 are insured"): nobody tells of which."""
    items = [*gated.accepted, *(held.item for held in gated.held)]
    told = [
        i.span
        for i in items
        if i.span is not None and i.message is None and i.slot not in form_type.identity.slots
    ]
    return bool(told) and all(all_but(message.text, *span) for span in told)


def _labels(form_type: FormType) -> set[str]:
    specs = form_type.slots.values()
    return {normal(word) for spec in specs for word in (spec.name.replace("_", " "), *spec.aliases)}


def _topics(gated: Gated, form_type: FormType, message: MessageRecord) -> list[Topic]:
    """What the sentences of the values say that they are about, but for common words of the type."""
    told = [item.span for item in gated.accepted if item.span is not None and item.message is None]
    labels = _labels(form_type)
    return [
        topic
        for topic in topics(message.text)
        if any(topic.start < end and start < topic.end for start, end in told)
        and (topic.every or labels.isdisjoint((normal(topic.name), *normal(topic.name).split())))
        and (topic.every or not any(word in normal(topic.name) for word in _words_of(form_type)))
    ]


def _goes_by(working: Working, name: str) -> bool:
    """Whether all words of ``name`` stand in one of the Form's names."""
    said = normal(name).split()
    names = (key.name for key in working.keys if base(key.slots) != "?")
    return any(
        all(word in held.split() or (has_han(word) and word in held) for word in said) for held in names
    )


def _tells_of(working: Working, others: Sequence[Topic], message: MessageRecord) -> bool:
    """Whether the Form goes by one of the words, or something of it does: its contact."""
    own = [key.name for key in working.keys]
    own += [
        normal(value)
        for timeline in working.state["s"].values()
        for said in timeline
        for value in (said["v"] if isinstance(said["v"], list) else [said["v"]])
        if isinstance(value, str)
    ]
    held = "\n".join([*own, normal(message.speaker)])
    return any(word in held for topic in others for word in normal(topic.name).split())


def _is_place(key: Sequence[str]) -> bool:
    """Whoever speaks of a thing by its number may speak of another one next; a conversation goes on about it."""
    return tuple(key) == ("$conversation",)


def _contacted(
    ws: Workspace,
    gated: Gated,
    form_type: FormType,
    keys: Sequence[tuple[tuple[str, ...], str]],
    message: MessageRecord,
) -> Target:
    """我们是海蓝电子。…电话13800138000: a number nobody had yet, by which a Form could be told, is told of the
    Form that is talked about. Where that has another one, the number has changed if the Form is known by something
    else as well, or if the message says that it changed; else, and where another thing is spoken of, it is
    another's, as a name would be."""
    said = {part for key, _ in keys for part in key}
    if not all(part in form_type.slots and form_type.slots[part].type in ("phone", "email") for part in said):
        return Target()
    about = _by_conversation(ws, form_type, message).form
    if about is None:
        return Target()
    own = own_values(form_type, about.state, about.at(ws.now)).keys()
    if not said & own:
        return Target(about)
    changed = all(item.correction for item in gated.accepted if item.slot in said)
    known = any(own >= set(key) and not said & set(key) for key in form_type.identity.keys)
    return Target(about) if (changed or known) and not another(message.text) else Target()


def _differs(
    form_type: FormType,
    ws: Workspace,
    working: Working,
    earlier: Sequence[str],
    values: Mapping[str, str],
    external_id: str | None,
) -> bool:
    """Whether the Form's own value for an earlier complete key (or its external id) is another."""
    if external_id is not None and working.state["ext"] and external_id not in working.state["ext"]:
        return True
    if not earlier:
        return False
    own = own_values(form_type, working.state, working.at(ws.now))
    return any(slot in own and own[slot] != values[slot] for slot in earlier)


def _forms(ws: Workspace, keys: Iterable[KeyRecord], kinds: Sequence[str]) -> list[Working]:
    """The active Forms that the scope may write behind keys of these kinds."""
    found = dict.fromkeys(key.form for key in keys if base(key.slots) in kinds)
    out = [ws.own(id) for id in found]
    return [w for w in out if w is not None and w.active]


def _named(ws: Workspace, form_type: FormType, message: MessageRecord) -> dict[str, list[Working]]:
    """Forms of the type whose name or alias stands in the message, by it; one inside a longer one does not count."""
    texts = candidates(message.text[:_NAME_TEXT])
    ws.prefetch(texts)
    hits: dict[str, list[Working]] = {}
    for text in texts:
        keys = [k for k in ws.names(text, form_type.name) if _says_which(k, form_type)]
        forms = _forms(ws, keys, tuple({base(k.slots) for k in keys}))
        if forms:
            hits[text] = forms
    longest = [name for name in hits if not any(name != other and name in other for other in hits)]
    return {name: hits[name] for name in longest}


def _says_which(key: KeyRecord, form_type: FormType) -> bool:
    """Whether a Form goes by the key; what it refers to (a find's trench) is found by its keys, too."""
    kind = base(key.slots)
    return kind in ("~", "alias") or set(kind.split("+")) <= form_type.identity.slots


def spoken_of(ws: Workspace, type: str | None, conversation: str) -> dict[str, Working]:
    """The active Forms (of a type) that user messages touched in a conversation, the last one first."""
    touched = (ws.own(mention.form) for mention in ws.touched(conversation, type))
    return {working.id: working for working in touched if working is not None and working.active}


def _by_conversation(ws: Workspace, form_type: FormType | None, message: MessageRecord) -> Target:
    type = form_type.name if form_type else None
    live = spoken_of(ws, type, message.conversation)
    if not live:
        return Target()
    if len(live) == 1:
        return Target(next(iter(live.values())))
    previous = ws.previous_user_seq(message.conversation, message.seq)
    touched = ws.touched(message.conversation, type)
    last = {m.form for m in touched if m.seq == previous and m.form in live}
    if len(last) == 1:
        return Target(live[last.pop()])
    return Target(candidates=list(live))
