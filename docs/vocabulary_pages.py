"""The shipped Form types and relations as a page to read, written from their YAML.

``python docs/vocabulary_pages.py FOLDER`` (``make docs``) writes ``vocabulary.md`` and ``vocabulary.zh-CN.md`` into
FOLDER. Everything on the pages comes out of the catalog; only the words around it stand here.
"""

# ruff: noqa: E501 (a sentence reads best on one line)
from __future__ import annotations

import re
import sys
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from forms_dynamics.language.normal import has_han, normal
from forms_dynamics.schema.coerce import coerce
from forms_dynamics.schema.load import load_catalog
from forms_dynamics.schema.spec import EXPECTED_FORM, Catalog, FormType, Identity, RelationRule, SlotSpec
from forms_dynamics.schema.template import render
from forms_dynamics.schema.wording import format_value

FILES = {"en": "vocabulary.md", "zh": "vocabulary.zh-CN.md"}
_DOMAINS = ("sales", "planning", "agent", "memory")
_BETWEEN_HAN = re.compile("(?<=[\u4e00-\u9fff]) (?=[\u4e00-\u9fff])")
_BASE = datetime(2026, 6, 12, 10, tzinfo=UTC)  # what relative examples ("next Friday") are read against

_WORDS: Mapping[str, Mapping[str, str]] = {
    "en": {
        "title": "The built-in vocabulary",
        "intro": (
            "{types} Form types and {relations} relations ship with the package and are there when `form_types` is not "
            "given. This page is written from their YAML by `make docs`; how such a file is written "
            "is described in [Form types and relation rules](form-types.md). 中文：[内置词汇](vocabulary.zh-CN.md)."
        ),
        "index": "| Form type | what it is |\n|---|---|",
        "sales": "Sales and service", "planning": "Planning", "agent": "The work of agents",
        "memory": "The memory of a user", "relations": "Relations", "rules_of": "{domain}: relations", "called": "Also called: ",
        "identity": "Identified by ", "each": "Every mention is a new Form.",
        "then": ", else by ", "and": " and ",
        "speaker": "the speaker", "conversation": "the conversation", "user": "the user",
        "slots": "| slot | type | meaning |\n|---|---|---|",
        "many": "list of ", "values": "one of ",
        "cold": "leaves default recall after {n} days without access", "cold_one": "leaves default recall after a day without access",
        "warm": "always in recall",
        "ttl": "expires {n} after its last update", "valid": "a value that names no end holds for {n} days",
        "fade": "confidence × {n} a day", "fade_slot": "that of {slot} × {n} a day", "stays": "that of {slot} does not fade",
        "no_fade": "confidence does not fade",
        "asks": "A new user is asked about ",
        "expects": "The memory of a user should know ", "expects_one": "The memory of a user should have one of these.",
        "reads": "As text: ", "example": "Example", "gives": "gives",
        "out": "Relations from it", "in": "Relations to it",
        "rules": "| relation | from → to | meaning | strength | drawn when |\n|---|---|---|---|---|",
        "strength": "{weight}, not below {floor}", "half": ", halves in {n}", "until": ", ends after {n}", "holds": ", valid for {n}",
        "free": "a draft or `link` says so", "any": "any",
        "fixed": (
            "`supersedes` (a new version to the old one) and `derived_from` (a version to the message it came from) are "
            "always there and are read off the versions."
        ),
        "list": "Of a list, each value draws its own edge, and loses it when it is taken from the list.",
        "hours": "{n} hours", "hour": "an hour", "days": "{n} days", "day": "a day", "sep": ", ", "list_sep": ", ", "fact_sep": "; ", "colon": ": ", "stop": ".",
    },
    "zh": {
        "title": "内置词汇",
        "intro": (
            "随包提供 {types} 个表单类型和 {relations} 种关系，未指定 `form_types` 时全部可用。本页由 `make docs` 根据 YAML 生成；"
            "怎样写这样的文件见[表单类型与关系规则](form-types.md)。English: [The built-in vocabulary](vocabulary.md)."
        ),
        "index": "| 表单类型 | 用途 |\n|---|---|",
        "sales": "销售与服务", "planning": "会议与项目", "agent": "智能体的工作", "memory": "用户记忆",
        "relations": "关系", "rules_of": "{domain}：关系", "called": "也叫：",
        "identity": "判断是否同一张表单的依据：", "each": "每次提到都是一张新表单。",
        "then": "；否则 ", "and": " 与 ",
        "speaker": "说话人", "conversation": "会话", "user": "用户",
        "slots": "| 槽位 | 类型 | 含义 |\n|---|---|---|",
        "many": "列表：", "values": "取值：",
        "cold": "{n} 天未访问即移出默认召回", "cold_one": "1 天未访问即移出默认召回", "warm": "始终参与召回",
        "ttl": "{n}未更新即过期", "valid": "未注明期限的值有效 {n} 天",
        "fade": "置信度每天乘以 {n}", "fade_slot": "{slot} 的置信度每天乘以 {n}", "stays": "{slot} 的置信度不衰减",
        "no_fade": "置信度不衰减",
        "asks": "初次见面时询问 ", "expects": "每个用户的记忆应当有 ", "expects_one": "每个用户的记忆应当至少有一张。",
        "reads": "文字形式：", "example": "例句", "gives": "得到",
        "out": "指向", "in": "来自",
        "rules": "| 关系 | 起点 → 终点 | 含义 | 强度 | 何时建立 |\n|---|---|---|---|---|",
        "strength": "{weight}，不低于 {floor}", "half": "，{n}后减半", "until": "，{n}后失效", "holds": "，有效期{n}",
        "free": "由抽取结果或手工建立", "any": "任意",
        "fixed": "`supersedes`（新版本指向旧版本）和 `derived_from`（版本指向来源消息）始终存在，由版本链直接得出。",
        "list": "列表槽位的每个值各建一条边；值从列表中去掉，边也随之失效。",
        "hours": "{n} 小时", "hour": "1 小时", "days": "{n} 天", "day": "1 天", "sep": "，", "list_sep": "、", "fact_sep": "；",
        "colon": "：", "stop": "。",
    },
}  # fmt: skip


def page(catalog: Catalog, lang: str) -> str:
    """The vocabulary of a catalog in ``zh`` or ``en``, as Markdown."""
    words = _WORDS[lang]
    domains = _by_domain(catalog)
    intro = words["intro"].format(types=len(catalog.types), relations=len(catalog.relations))
    out = [f"# {words['title']}", intro]
    for domain, types in domains.items():
        rows = [f"| [{t.name}](#{t.name}) {t.label(lang)} | {_told(t.description, lang)} |" for t in types]
        out.append(f"**{words[domain]}**\n\n{words['index']}\n" + "\n".join(rows))
    for domain, types in domains.items():
        out.append(f"## {words[domain]}")
        for form_type in types:
            out.extend(_type(catalog, form_type, lang))
    out.append(f"## {words['relations']}")
    out.append(f"{words['fixed']} {words['list']}" if lang == "en" else words["fixed"] + words["list"])
    for domain in domains:
        rules = [rule for rule in catalog.rules if Path(rule.file).stem == domain]
        rows = [_rule_row(rule, catalog, lang) for rule in rules]
        out.append(f"### {words['rules_of'].format(domain=words[domain])}")
        out.append(words["rules"] + "\n" + "\n".join(rows))
    return "\n\n".join(out) + "\n"


def sample(form_type: FormType, lang: str) -> dict[str, str]:
    """A value for each slot as it reads in ``lang``, from the slot's own examples; a slot without one is absent."""
    out: dict[str, str] = {}
    for name, spec in form_type.slots.items():
        value = _sample(spec, lang)
        if value is not None:
            out[name] = format_value(value, spec, lang)
    return out


def _sample(spec: SlotSpec, lang: str) -> Any:
    if spec.type == "enum":
        return next(iter(spec.values))
    fitting = list(spec.examples)
    if spec.type not in ("date", "datetime"):  # a day of any year ("6月12日") is no day of birth
        fitting.sort(key=lambda text: has_han(text) != (lang == "zh"))
    read = (coerce(spec, text, _BASE, None) for text in fitting)
    return next((one.value for one in read if one.error is None and one.value is not None), None)


# -- one Form type -------------------------------------------------------------------------------------------
def _type(catalog: Catalog, form_type: FormType, lang: str) -> Iterator[str]:
    words = _WORDS[lang]
    yield f"### {form_type.name}"
    own = normal(form_type.name.replace("_", " "))
    said = [a for a in form_type.aliases if has_han(a) == (lang == "zh") and normal(a) != own]
    told = _told(form_type.description, lang)
    parts = [told if told[-1] in ".。" else told + words["stop"]]
    if said:
        parts.append(f"{words['called']}{words['list_sep'].join(said)}{words['stop']}")
    yield ("" if lang == "zh" else " ").join(parts)
    rows = [
        f"| `{name}` | {_kind(spec, lang)} | {_cell(_told(spec.description, lang))} |"
        for name, spec in form_type.slots.items()
    ]
    yield words["slots"] + "\n" + "\n".join(rows)
    facts = [_identity(form_type.identity, lang), _life(form_type, lang)]
    if form_type.first_contact:
        asked = words["list_sep"].join(f"`{slot}`" for slot in form_type.first_contact)
        facts.append(f"{words['asks']}{asked}{words['stop']}")
    if EXPECTED_FORM in form_type.expected:
        facts.append(words["expects_one"])
    elif form_type.expected:
        known = words["list_sep"].join(f"`{slot}`" for slot in form_type.expected)
        facts.append(f"{words['expects']}{known}{words['stop']}")
    if iris := _iris(form_type):
        facts.append(f"JSON-LD{words['colon']}{words['list_sep'].join(f'<{iri}>' for iri in iris)}")
    facts += [f"{words[way]}{words['colon']}{edges}" for way, edges in _edges(catalog, form_type, lang)]
    yield "\n".join(f"- {fact}" for fact in facts)
    yield f"> {words['reads']}{render(form_type, lang, sample(form_type, lang))}"
    shown = _example(form_type, lang)
    if shown:
        yield f"{words['example']}{words['colon']}{shown}"


def _iris(form_type: FormType) -> list[str]:
    """The JSON-LD types of the Form type; most have one."""
    given = form_type.json_ld.get("type", [])
    return [given] if isinstance(given, str) else list(given)


def _kind(spec: SlotSpec, lang: str) -> str:
    words = _WORDS[lang]
    if spec.type == "enum":
        shown = [f"`{v}`" + (f" {format_value(v, spec, lang)}" if lang == "zh" else "") for v in spec.values]
        return words["values"] + words["list_sep"].join(shown)
    kind = f"{spec.type} ({spec.unit})" if spec.unit else spec.type
    return (words["many"] if spec.many else "") + kind


def _identity(identity: Identity, lang: str) -> str:
    words = _WORDS[lang]
    if identity.each:
        return words["each"]
    keys = []
    for key in identity.keys:
        parts = [words[p[1:]] if p.startswith("$") else f"`{p}`" for p in key]
        keys.append(words["and"].join([*filter(None, [words["list_sep"].join(parts[:-1])]), parts[-1]]))
    return _BETWEEN_HAN.sub("", words["identity"] + words["then"].join(keys) + words["stop"])


def _life(form_type: FormType, lang: str) -> str:
    words, life = _WORDS[lang], form_type.life
    cold = life.cold_after_days
    out = [
        words["warm"] if cold is None else words["cold_one" if cold == 1 else "cold"].format(n=f"{cold:g}")
    ]
    if life.ttl_seconds is not None:
        out.append(words["ttl"].format(n=_span(life.ttl_seconds, lang)))
    if life.valid_days is not None:
        out.append(words["valid"].format(n=f"{life.valid_days:g}"))
    fade = life.fade_per_day
    out.append(words["no_fade"] if fade is None else words["fade"].format(n=f"{fade:g}"))
    rates: dict[float, list[str]] = {}  # those of their own, and the slots that have them
    for name, spec in form_type.slots.items():
        own = spec.fade_per_day
        if own is not None and own != (1 if fade is None else fade):
            rates.setdefault(own, []).append(f"`{name}`")
    for own, names in rates.items():
        word = "stays" if own == 1 else "fade_slot"
        out.append(words[word].format(slot=words["list_sep"].join(names), n=f"{own:g}"))
    text = words["fact_sep"].join(out)
    return text[:1].upper() + text[1:] + words["stop"]


def _span(seconds: int, lang: str) -> str:
    unit, size = ("days", 86400) if seconds % 86400 == 0 else ("hours", 3600)
    count = seconds / size
    return _WORDS[lang][unit[:-1] if count == 1 else unit].format(n=f"{count:g}")


def _edges(catalog: Catalog, form_type: FormType, lang: str) -> Iterator[tuple[str, str]]:
    """(out or in, the relations that way)"""
    words = _WORDS[lang]
    for way, mine, other in (("out", "source", "target"), ("in", "target", "source")):
        found = [rule for rule in catalog.rules if getattr(rule, mine) == form_type.name]
        if found:
            arrow = "→" if way == "out" else "←"
            shown = [
                f"`{r.name}` {arrow} {_end(getattr(r, other), catalog, lang)} ({r.strength.weight:g})"
                for r in found
            ]
            yield way, words["list_sep"].join(shown)


def _end(name: str, catalog: Catalog, lang: str) -> str:
    return f"[{name}](#{name})" if name in catalog.types else _WORDS[lang]["any"]


def _example(form_type: FormType, lang: str) -> str | None:
    own = [e for e in form_type.examples if e.gives and has_han(e.text) == (lang == "zh")]
    if not own:
        return None
    gives = _WORDS[lang]["fact_sep"].join(f"`{s}` = {_given(v, lang)}" for s, v in own[0].gives.items())
    return f"“{own[0].text}” {_WORDS[lang]['gives']} {gives}"


def _given(value: Any, lang: str) -> str:
    several = isinstance(value, (list, tuple))
    return _WORDS[lang]["list_sep"].join(map(str, value)) if several else str(value)


# -- relations -----------------------------------------------------------------------------------------------
def _rule_row(rule: RelationRule, catalog: Catalog, lang: str) -> str:
    words, strength = _WORDS[lang], rule.strength
    told = words["strength"].format(weight=f"{strength.weight:g}", floor=f"{strength.floor:g}")
    if strength.half_life_days is not None:
        told += words["half"].format(n=_span(round(strength.half_life_days * 86400), lang))
    if strength.ttl_seconds is not None:
        told += words["until"].format(n=_span(strength.ttl_seconds, lang))
    if strength.valid_days is not None:
        told += words["holds"].format(n=_span(round(strength.valid_days * 86400), lang))
    told += "".join(f"{words['sep']}`{name}: {value}`" for name, value in rule.attributes.items())
    joins = words["and"].join(f"`{j.source_slot}` = `{j.target_slot}`" for j in rule.when) or words["free"]
    ends = f"{_end(rule.source, catalog, lang)} → {_end(rule.target, catalog, lang)}"
    return f"| `{rule.name}` | {ends} | {_cell(_told(rule.description, lang))} | {told} | {joins} |"


def _by_domain(catalog: Catalog) -> dict[str, list[FormType]]:
    """Form types under the file of relations that speaks of them most."""
    counted: dict[str, Counter[str]] = {name: Counter() for name in catalog.types}
    for rule in catalog.rules:
        for end in {rule.source, rule.target} & counted.keys():
            counted[end][Path(rule.file).stem] += 1
    out: dict[str, list[FormType]] = {domain: [] for domain in _DOMAINS}
    for form_type in catalog:
        count = counted[form_type.name]
        domain = max(_DOMAINS, key=lambda d: (count[d], -_DOMAINS.index(d)))
        out[domain].append(form_type)
    return out


def _told(texts: Mapping[str, str], lang: str) -> str:
    return texts.get(lang) or next(iter(texts.values()), "")


def _cell(text: str) -> str:
    return text.replace("|", "\\|")


def main(arguments: Sequence[str]) -> int:
    """Writes both pages into the folder that is named."""
    if len(arguments) != 1 or not Path(arguments[0]).is_dir():
        print("usage: python docs/vocabulary_pages.py FOLDER", file=sys.stderr)
        return 2
    catalog = load_catalog()
    for lang, name in FILES.items():
        (Path(arguments[0]) / name).write_text(page(catalog, lang), encoding="utf-8")
    return 0


if __name__ == "__main__":
    raise SystemExit(main(sys.argv[1:]))
