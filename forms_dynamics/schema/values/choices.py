"""Yes and no, and the values of an enum, from what was given."""

from __future__ import annotations

import re
from decimal import Decimal
from typing import Any

from forms_dynamics.language.normal import normal
from forms_dynamics.language.nulls import null_like
from forms_dynamics.schema.spec import SlotSpec
from forms_dynamics.schema.values.coerced import Coerced, Setting, Unread, shown

_YES = frozenset(
    (
        "true", "yes", "y", "1", "t", "on", "ok", "okay", "sure", "allowed", "permitted", "enabled",
        "agreed", "accepted", "correct", "right", "yep", "yeah", "affirmative", "是", "是的", "有", "对",
        "对的", "可以", "可", "允许", "能", "行", "好", "好的", "要", "需要", "同意", "接受", "支持", "已",
        "已经", "启用", "开启", "开", "会", "没问题", "当然", "嗯", "确认", "真", "必须", "包含", "含",
    )
)  # fmt: skip
_NO = frozenset(
    (
        "false", "no", "n", "0", "f", "off", "not", "never", "none", "disallowed", "forbidden",
        "prohibited", "disabled", "denied", "rejected", "refused", "nope", "incorrect", "wrong", "否", "不",
        "不是", "不是的", "没有", "没", "无", "不可以", "不可", "不允许", "不能", "不行", "不好", "不要",
        "不需要", "不用", "不同意", "不接受", "不支持", "未", "还没", "未启用", "关闭", "关", "不会",
        "禁止", "拒绝", "非", "假", "不包含", "不含", "不必", "别",
    )
)  # fmt: skip
_IS = re.compile(
    r"^(?:it is|it's|they are|we are|this is|is|are|was|were|will be|都|也|现在|目前)\s*|[。.!！了的]+$"
)
_NOT_EN = re.compile(r"\b(?:not|no|n't|never|without)\b|n't\b|n’t\b")
_NOT_ZH = re.compile("^(?:不|没|未|无|别|禁止|拒绝)")
_YES_STEM = re.compile(
    r"\b(?:allowed|permitted|enabled|accepted|agreed|possible|available|included|required|yes|ok|okay|true)"
    r"\b|允许|可以|接受|同意|支持|启用|包含|需要|有"
)


def read_as_boolean(slot: SlotSpec, raw: Any, setting: Setting) -> Coerced:
    if isinstance(raw, bool):
        return Coerced(raw)
    if isinstance(raw, (int, float, Decimal)) and raw in (0, 1):
        return Coerced(bool(raw))
    if isinstance(raw, str):
        said = _IS.sub("", _IS.sub("", normal(raw)))
        for words, truth in ((_YES, True), (_NO, False)):
            if said in words:
                return Coerced(truth)
        if null_like(raw):
            return Coerced()
        if _NOT_EN.search(said) or _NOT_ZH.match(said):
            if _YES_STEM.search(said):
                return Coerced(False)
        elif _YES_STEM.match(said):
            return Coerced(True)
    raise Unread(f"{shown(raw)} is neither yes nor no; write true or false")


_ENUMS: dict[int, tuple[SlotSpec, dict[str, str]]] = {}
_JOINTS = re.compile(r"[_\s-]+")


def _enum_words(slot: SlotSpec) -> dict[str, str]:
    """Normal form of each value and synonym → value; kept for as long as the slot lives here."""
    kept = _ENUMS.get(id(slot.values))
    if kept is not None and kept[0].values is slot.values:
        return kept[1]
    words: dict[str, str] = {}
    for value, synonyms in slot.values.items():
        words[enum_key(str(value))] = str(value)
        for synonym in synonyms:
            words.setdefault(enum_key(str(synonym)), str(value))
    if len(_ENUMS) > 4096:
        _ENUMS.clear()
    _ENUMS[id(slot.values)] = (slot, words)
    return words


def enum_key(text: str) -> str:
    """The form in which a given word and an enum's values are compared."""
    return _JOINTS.sub(" ", normal(text)).strip(" 。.!！,，\"'“”")


def read_as_enum(slot: SlotSpec, raw: Any, setting: Setting) -> Coerced:
    if isinstance(raw, bool):
        raw = "true" if raw else "false"
    if isinstance(raw, (str, int, float, Decimal)):
        said = str(raw)
        if said in slot.values:
            return Coerced(said)  # as it is declared, even where another value differs only in spelling
        words = _enum_words(slot)
        if (value := words.get(enum_key(said))) is not None:
            return Coerced(value)
        if null_like(raw) and not setting.verbatim:
            return Coerced()
        if (bare := slot.hedging.unhedged(said)) != said and (value := words.get(enum_key(bare))) is not None:
            return Coerced(value, hedged=True)
    allowed = ", ".join(str(value) for value in slot.values)
    raise Unread(f"{shown(raw)} is none of its values; write one of {allowed}")
