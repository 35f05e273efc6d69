"""Who speaks, by the names that chat software, data sets and people give the four roles."""

from __future__ import annotations

from typing import Any

ROLES = ("user", "assistant", "tool", "system")

_NAMES = {
    "user": "user human customer client visitor end_user enduser 用户 客户 顾客 访客 买家 人类",
    "assistant": (
        "assistant ai gpt bot chatbot model chatgpt claude gemini bard bing copilot llm agent support "
        "customer_service 客服 助手 助理 机器人 坐席 客服人员 智能助手 人工客服 模型"
    ),
    "tool": "tool function observation tool_response tool_result tool_output function_response ipython 工具 函数",
    "system": "system developer 系统 系统消息",
}
_ROLE_OF = {name: role for role, names in _NAMES.items() for name in names.split()}


def role_of(name: Any) -> str | None:
    """The role that a name stands for; None where it names none, such as a person's name."""
    if not isinstance(name, str):
        return None
    return _ROLE_OF.get(name) or _ROLE_OF.get(name.strip().casefold().replace(" ", "_").replace("-", "_"))


__all__ = ["ROLES", "role_of"]
