"""Texts that say "no value"."""

from __future__ import annotations

from typing import Any

from forms_dynamics.language.lazy import lazy
from forms_dynamics.language.normal import normal

_NULLS = frozenset(
    {
        "", "null", "none", "nil", "nan", "n/a", "na", "n.a.", "n.a", "#n/a", "<na>", "undefined", "unknown",
        "unspecified",
        "not specified", "not mentioned", "not provided", "not given", "not available", "not applicable",
        "not stated",
        "not known", "not sure", "not yet known", "no value", "no information", "empty", "missing", "tbd",
        "tba", "tbc",
        "to be determined", "to be decided", "to be confirmed", "to be announced", "pending", "?", "??", "-",
        "--",
        "---", "–", "—", "——", "/", "\\", ".", "...", "…", "……", "_", "*", "()", "[]", "{}", '""', "''",
        "none given", "none mentioned",
        "无", "没有", "暂无", "不详", "未知", "未定", "待定", "未提及", "未提到", "没提", "没提到", "没说",
        "未说明", "未提供", "未填写", "未填",
        "不知道", "不清楚", "不确定", "不明", "空", "空白", "空值", "缺失", "待确认", "待补充", "尚未确定",
        "尚未提供", "未指定", "不适用",
        "未说", "無", "沒有", "暫無", "不詳", "沒提", "沒提到", "未說明", "未填寫", "不確定", "待確認",
        "無信息", "未說", "无信息", "暂不清楚", "暂未确定", "还没定", "没定", "暂缺", "略",
    }
)  # fmt: skip
_LONGEST = max(map(len, _NULLS))
_WIDE = lazy("[\u3000\uff00-\uff5f\u2010-\u2015]")
_FRAME = " \t\r\n。.!！<>()（）[]【】\"'“”‘’「」『』`"


def null_like(value: Any) -> bool:
    """Whether ``value`` stands for "not said": None, a float that is no number, or words such as 未知, N/A,
    TBD."""
    if value is None:
        return True
    if isinstance(value, float):
        return value != value
    if not isinstance(value, str) or len(value) > _LONGEST + 8:
        return isinstance(value, str) and not value.strip()
    text = value.strip(_FRAME).lower()
    if text in _NULLS or value.strip() in _NULLS:
        return True
    return not text.isascii() and _WIDE.search(text) is not None and normal(text) in _NULLS
