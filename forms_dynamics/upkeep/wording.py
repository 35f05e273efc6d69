"""The questions that findings ask, in the language of the Forms' own words."""

from __future__ import annotations

from collections.abc import Sequence

from forms_dynamics.language.normal import has_han
from forms_dynamics.schema.spec import FormType, RelationRule


def _relation(rule: RelationRule | None, name: str, lang: str) -> str:
    """What a relation is called: its first alias of that language, else its name."""
    for alias in rule.aliases if rule is not None else ():
        if has_han(alias) == (lang == "zh"):
            return alias
    return name.replace("_", " ")


def several(form: str, rule: RelationRule, others: Sequence[str], lang: str, kind: str | None) -> str:
    """``kind``: what the others are, where the edges lead from them to the Form."""
    relation, n = _relation(rule, rule.name, lang), len(others)
    if lang == "zh":
        told = "、".join(others)
        if kind is None:
            return f"“{form}”的“{relation}”只能有一个，现在记着{n}个：{told}。应以哪一个为准？"
        return f"和“{form}”是“{relation}”关系的{kind}只能有一个，现在记着{n}个：{told}。应以哪一个为准？"
    told = ", ".join(others)
    if kind is None:
        return f"“{form}” can have only one “{relation}”, but {n} are noted: {told}. Which one is right?"
    return f"Only one {kind} can be “{relation}” of “{form}”, but {n} are noted: {told}. Which one is right?"


def double(speaker: str, form_type: FormType, forms: Sequence[str], lang: str) -> str:
    kind, n = form_type.label(lang), len(forms)
    if lang == "zh":
        whose = f"“{speaker}”" if speaker else "同一个人"
        return f"{whose}名下有{n}份{kind}：{'、'.join(forms)}，应当只有一份。其余的并入哪一份？"
    whose = f"“{speaker}” has" if speaker else "One person has"
    return f"{whose} {n} records of {kind}, and should have one: {', '.join(forms)}. Into which one do the others go?"


def same(labels: Sequence[str], form_type: FormType, lang: str) -> str:
    kind = form_type.label(lang)
    if lang == "zh":
        return f"有两份{kind}的标识相同：{labels[0]}、{labels[1]}。是同一个吗？"
    return f"Two records of {kind} have the same identity: {labels[0]}, {labels[1]}. Are they one?"


def cycle(rule: RelationRule, labels: Sequence[str], lang: str) -> str:
    way = " → ".join([*labels, labels[0]])
    relation = _relation(rule, rule.name, lang)
    if lang == "zh":
        return f"“{relation}”绕成了一个圈：{way}。其中哪一步不对？"
    return f"“{relation}” leads round in a circle: {way}. Which step is wrong?"


def missing(
    form: str,
    form_type: FormType,
    target: FormType | None,
    rule: RelationRule,
    offered: Sequence[str],
    lang: str,
) -> str:
    kind = form_type.label(lang)
    other = target.label(lang) if target is not None else _relation(rule, rule.name, lang)
    named = kind if form.startswith(f"{kind} ") else f"{kind}“{form}”" if lang == "zh" else f"{kind} “{form}”"
    if lang == "zh":
        choices = f"：{'、'.join(offered)}" if offered else ""
        return f"{named}对应哪一个{other}{choices}？"
    choices = f": {', '.join(offered)}" if offered else ""
    return f"Which {other} does the {named} belong to{choices}?"


def tied(off: str, source: str, target: str, rule: RelationRule | None, lang: str) -> str:
    relation = _relation(rule, rule.name if rule is not None else "", lang)
    if lang == "zh":
        return f"“{off}”已作废，但“{source} → {target}”（{relation}）这条关系还留着。要去掉吗？"
    return f"“{off}” is no longer valid, but “{source} → {target}” ({relation}) still stands. Drop it?"


def unfounded(rule: RelationRule | None, name: str, labels: Sequence[str], number: int, lang: str) -> str:
    relation = _relation(rule, name, lang)
    source, target = labels
    if lang == "zh":
        if number == 1:
            return f"“{source} → {target}”（{relation}）不再符合这条关系的规则。要去掉吗？"
        return f"有{number}条“{relation}”关系不再符合规则，例如“{source} → {target}”。都去掉吗？"
    if number == 1:
        return f"“{source} → {target}” ({relation}) no longer meets the rule of that relation. Drop it?"
    return (
        f"{number} ties “{relation}” no longer meet their rule, such as “{source} → {target}”. Drop them all?"
    )


__all__ = ["cycle", "double", "missing", "same", "several", "tied", "unfounded"]
