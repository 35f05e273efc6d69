"""The question that a held slot asks, in the language of the message."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from typing import Any

from forms_dynamics.language.lazy import lazy
from forms_dynamics.schema.spec import FormType, SlotSpec
from forms_dynamics.schema.wording import format_value

_WORDS = {
    "low_confidence": ("您的{slot}是{value}，对吗？", "Is your {slot} {value}?"),
    "hedged": (
        "您提到的{slot}是{value}，这是确切的，还是初步意向？",
        "You mentioned {value} as {slot}: is that firm, or a first idea?",
    ),
    "range": ("您提到的{slot}在{value}，能给一个确切的数吗？", "You gave {value} as {slot}: what is the exact figure?"),
    "inferred": ("我推测{slot}是{value}，对吗？", "I take {slot} to be {value}: is that right?"),
    "conflict": ("{slot}是否改为{value}？", "Should {slot} now be {value}?"),
    "proposal": ("要把{slot}定为{value}吗？", "Shall I take {value} as {slot}?"),
    "removed": ("要从{slot}里去掉{value}吗？", "Shall I take {value} off {slot}?"),
    "ambiguous_value": ("您说的{slot}是哪一个：{candidates}？", "Which {slot} do you mean: {candidates}?"),
    "no_year": ("您说的{slot}是{value}，是哪一年？", "You gave {value} as {slot}: of which year?"),
    "ambiguous_target": ("{slot}{value}说的是哪一个：{candidates}？", "Which one has {value} as {slot}: {candidates}?"),
    "another_target": ("{slot}{value}说的是{candidates}，还是别的？", "Is {value} the {slot} of {candidates}, or of something else?"),
    "newcomer": ("{candidates}是新的{type}吗？（{slot}：{value}）", "Is {candidates} a new {type}? ({slot}: {value})"),
    "identity_missing": ("请问这条{type}的{slot}是什么？", "What is the {slot} of this {type}?"),
    "relation_missing": ("这条{type}对应哪一个{slot}？", "Which {slot} does this {type} belong to?"),
    "faded": ("您的{slot}是否仍是{value}？", "Is your {slot} still {value}?"),
    "faded_many": ("您的{slot}是否仍是这些：{value}？", "Are your {slot} still these: {value}?"),
    "required": ("请问{slot}是什么？", "What is the {slot}?"),
    "first_contact": ("请问您的{slot}是什么？", "What is your {slot}?"),
    "first_contact_many": ("请问您的{slot}有哪些？", "What are your {slot}?"),
    "first_contact_enum": ("您的{slot}是下面哪一项：{candidates}？", "Which {slot} applies to you: {candidates}?"),
    "first_contact_boolean": ("{slot}：是还是否？", "{slot}: yes or no?"),
    "ruled_out": ("您之前说过{slot}：{value}，与“{asked}”冲突，仍要这样吗？", "You told me {slot}: {value}. “{asked}” goes against it: is that still what you want?"),
    "marked_wrong": ("{slot}不是{value}，那应该是什么？", "{slot} is not {value}: what is it?"),
    "wrong_edge": ("{value}这条关系不对，应该是怎样的？", "{value} is not right: how are they related?"),
    "invalidate": ("您要作废的是哪一个：{candidates}？", "Which one should be dropped: {candidates}?"),
}  # fmt: skip


def object_to(spec: SlotSpec, value: str, avoided: bool, asked: str, lang: str) -> str:
    """The question where what is asked for goes against what is known of the user."""
    zh, en = _WORDS["ruled_out"]
    if avoided:
        slot = "不要" if lang == "zh" else "to avoid"
    else:
        slot = spec.label(lang)
    return (zh if lang == "zh" else en).format(slot=slot, value=value, asked=asked)


def ask(
    form_type: FormType | None,
    spec: SlotSpec | None,
    value: Any,
    reason: str,
    candidates: Sequence[str],
    lang: str,
) -> str:
    """The question for a slot (or for a Form, when ``spec`` is None). A declared question goes first for
    hedges, ranges, low confidence and missing values: it is the author's own wording."""
    if spec is not None and reason in ("hedged", "range", "low_confidence", "required", "identity_missing"):
        declared = spec.question.get(lang)
        if declared:
            return declared
    if (
        value is None and reason != "ambiguous_target" and "{value}" in _WORDS[reason][0]
    ):  # nothing to say yes to: what it is, is asked openly
        reason = "required" if not candidates or spec is None else "ambiguous_value"
    if reason == "ambiguous_target" and len(candidates) == 1 and value is not None:
        reason = "another_target"
    zh, en = _WORDS[reason]
    if not candidates:  # an open question: a colon with nothing behind it offers no choice
        zh, en = zh.replace("：{candidates}", ""), en.replace(": {candidates}", "")
    slot = spec.label(lang) if spec is not None else ("内容" if lang == "zh" else "part")
    kind = form_type.label(lang) if form_type is not None else ("记录" if lang == "zh" else "record")
    shown = "" if value is None else format_value(value, spec, lang)
    choices = ("、" if lang == "zh" else ", ").join(candidates)
    return _filled(zh if lang == "zh" else en, slot, type=kind, value=shown, candidates=choices)


def _filled(words: str, slot: str, **others: str) -> str:
    """A question with its parts. A label that holds a 的 of its own takes none before it: 您喜欢的茶, not 您的喜欢的茶."""
    if "的" in slot[:-1]:
        words = words.replace("您的{slot}", "您{slot}")
    return words.format(slot=slot, **others)


# a question that a yes or a no answers, and that is about what held before
_YES_OR_NO = {
    "zh": lazy(r"[吗么]\s*[?？]?\s*$|是否|是不是|有没有|还.不"),
    "en": lazy(r"^\s*(?:is|are|am|was|were|do|does|did|has|have|can|will)\b(?!.*\bor\b).*\?\s*$", re.I),
}
_STILL = {"zh": lazy(r"仍|还|依然|依旧"), "en": lazy(r"\bstill\b|\bany ?more\b", re.I)}


def ask_again(
    form_type: FormType, spec: SlotSpec, value: Any, value_of: Callable[[str], Any], lang: str
) -> str:
    """Whether a value still holds, as a yes or a no answers it. The author's own question stands where it asks so
    ("您是否仍对它过敏？"), behind the value that it leaves out; else the plain one. ``value_of``: what the Form holds of
    a slot, to name it where its type has several."""
    name = named(form_type, spec.name, value_of, lang)
    shown = format_value(value, spec, lang)
    comma = "，" if lang == "zh" else ", "
    declared = spec.question.get(lang, "")
    if declared and _YES_OR_NO[lang].search(declared) and _STILL[lang].search(declared):
        lead = comma.join(part for part in (name, shown) if part and part not in declared)
        return about(lead, declared, lang) if lead else declared
    zh, en = _WORDS["faded_many" if spec.many else "faded"]
    question = _filled(zh if lang == "zh" else en, spec.label(lang), value=shown)
    return about(name, question, lang) if name and name != shown else question


def named(form_type: FormType, slot: str, value_of: Callable[[str], Any], lang: str) -> str:
    """The values of a Form's first key that has them; none where the slot is part of it."""
    for key in form_type.identity.keys:
        parts = [part for part in key if not part.startswith("$")]
        if slot in parts:
            return ""
        values = [value_of(part) for part in parts]
        if values and all(v is not None for v in values):
            return " ".join(
                format_value(v, form_type.slots[part], lang) for part, v in zip(parts, values, strict=True)
            )
    return ""


def about(name: str, question: str, lang: str) -> str:
    """The question with the name of what it is about before it, as it goes on behind a colon: whose it is, is said."""
    begun = question if question[:2] == "I " else question[:1].lower() + question[1:]
    begun = re.sub(r"\b(is|are) your\b|^您的", lambda m: f"{m[1]} the" if m[1] else "", begun, count=1)
    return f"{name}：{begun}" if lang == "zh" else f"{name}: {begun}"


def ask_of_many(count: int, kinds: Sequence[str], lang: str) -> str:
    """One question about many memories that are old. ``kinds``: the labels of what most of them are."""
    if lang == "zh":
        return f"您有{count}条旧记忆，主要是{'和'.join(f'「{kind}」' for kind in kinds)}：还作数吗？"
    mostly = " and ".join(f"“{kind}”" for kind in kinds)
    return f"{count} of your memories are old, mostly {mostly}: do they still hold?"


def ask_first(form_type: FormType, slot: str, lang: str) -> str:
    """The question of a first contact: in the questionnaire's own words, else the slot's, else plain ones."""
    spec = form_type.slots[slot]
    declared = form_type.first_contact.get(slot, {}).get(lang) or spec.question.get(lang)
    if declared:
        return declared
    kind = spec.type if spec.type in ("enum", "boolean") else "many" if spec.many else ""
    reason = f"first_contact_{kind}" if kind else "first_contact"
    question = ask(form_type, spec, None, reason, [format_value(v, spec, lang) for v in spec.values], lang)
    return question[:1].upper() + question[1:]
