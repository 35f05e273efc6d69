"""What a header hints at, by the words in it."""

from __future__ import annotations

from collections.abc import Sequence

from forms_dynamics.language.normal import has_han
from forms_dynamics.schema.sketch.columns import Column

MONEY = (
    "金额", "价", "费", "款", "预算", "营收", "amount", "price", "fee", "cost", "budget", "total", "revenue",
)  # fmt: skip
DAY = ("日期", "日", "date", "day", "time", "时间")
CODE = ("编号", "单号", "号", "代码", "编码", "id", "no", "number", "code", "sku", "uuid", "key", "ref")
STATE = (
    "状态", "类型", "类别", "等级", "级别", "阶段", "优先级", "性别", "渠道", "status", "state", "type", "kind",
    "category", "level", "stage", "priority", "gender", "channel", "grade",
)  # fmt: skip
WHO = (
    "名", "人", "公司", "客户", "地址", "备注", "name", "company", "customer", "address", "note", "title", "city",
)  # fmt: skip


def hints(column: Column, words: Sequence[str]) -> bool:
    """Whether the header holds one of ``words``: an English one whole, a Chinese one anywhere."""
    return any(word in column.label if has_han(word) else word in column.words for word in words)
