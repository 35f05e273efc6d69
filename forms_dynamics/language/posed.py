"""Words in a message that its speaker does not say for themselves: what pretends to be the system or the assistant, a
record written out as JSON, a line that is quoted with >, a part that is played, a text to translate or to hand on.

Text of that kind instructs or is worked on, as is a program; whoever sends it states none of it.
"""

# ruff: noqa: E501 (a pattern reads best on one line)
from __future__ import annotations

import re
from functools import lru_cache

from forms_dynamics.language.lazy import lazy
from forms_dynamics.language.numerals import lowered

_HINT = lazy(
    r"system|assistant|系统|系統|助手|助理|\"\s*:|'\s*:|扮演|假装|假裝|装作|翻译|翻譯|译成|润色|改写|仿写|校对|造句|pretend|role[- ]?play|act as|translat|rephrase|paraphrase|proofread|rewrite|邮件内容|原文|内容如下|转发|forward|quote the|指令|提示|规则|设定|指示|约束|instruction|prompt|rules|guideline"
)
# from the mark of another role on, until the user's own mark or an empty line
_ROLE = lazy(
    r"(?:^|[\n\r]|[。.!！?？]\s*)\s*(?:[\[【<(#*|]+\s*)?(?:(?:system|assistant|developer|系统(?:提示|消息|指令)|系統(?:提示|消息|指令)|助手)\s*(?:prompt|message|note|override)?\s*(?:[\]】>)|]+|[:：])|(?<=[\[【<(])(?:系统|系統)\s*[\]】>)])",
    re.I,
)
_USER = lazy(
    r"[\n\r]\s*(?:[\[【<(#*|]+\s*)?(?:user|human|customer|用户|客户|我)\s*(?:[\]】>)|]+|[:：])|\n\s*\n|</\w+>",
    re.I,
)
_JSON = lazy(r"[\[{][^{}\[\]]{0,200}?[\"'][\w\s\u4e00-\u9fff-]{1,40}[\"']\s*:")
# what follows is played or worked on, to the end of the message
_PLAYED = lazy(
    r"(?:我们|咱们|来)?(?:玩|做)?(?:个)?角色扮演|(?:请)?(?:你)?(?:假装|假裝|扮演|装作|想象你是)|\b(?:pretend|role[- ]?play|act as (?:if|though|a|the|my)|imagine (?:you|i)(?:['’]re| are| am|['’]m))\b"
)
_WORKED_ON = lazy(
    r"(?:翻译|翻譯|译成|译为|润色|改写|仿写|校对|朗读|造句)[^：:“\"「]{0,24}[：:“\"「]|\b(?:translate|rephrase|paraphrase|proofread|rewrite)\b[^:\"“]{0,40}[:\"“]"
)
_HANDED_ON = lazy(
    r"(?:邮件内容|邮件正文|原文|来信|内容如下|转发(?:内容|邮件|消息)?)(?:如下|是)?\s*[：:]\s*[“\"「>]|\b(?:forward(?:ed)?(?: message)?|fwd?)\s*:\s*[>“\"]"
)


# orders to the one who reads, with what they order
_ORDERS = lazy(
    r"(?:忽略|无视|忘掉|忘记|跳过|不要遵守|违反)[^，。；\n]{0,12}(?:指令|提示词?|规则|设定|指示|约束)(?=[了吧]?\s*(?:[，,。.;；:：!！\n]|并|然后|而是|改|把|$))|\b(?:ignore|disregard|forget|override|bypass)\b[^.,;\n]{0,30}\b(?:instructions?|prompts?|rules|guidelines|system message)\b(?=\s*(?:[,.;:!\n]|and\b|then\b|instead\b|$))"
)


# a line that Markdown and mail mark as somebody else's
_CITED = lazy(r"^[ \t]{0,3}>(?![=>\d¥$]|\s?\d+(?:\.\d+)?%?\s*$)[^\n\r]*", re.M)


@lru_cache(maxsize=1024)
def _spans(text: str) -> tuple[tuple[int, int], ...]:
    said = lowered(text)
    out = [found.span() for found in _CITED.finditer(said)] if ">" in said else []
    if _HINT.search(said) is None:
        return tuple(out)
    for found in _ROLE.finditer(said):
        end = _USER.search(said, found.end())
        out.append((found.start(), len(said) if end is None else end.start()))
    for found in _JSON.finditer(said):
        closed = _closing(said, found.start())
        if not (_whole(said, found.start(), closed) and '"slots"' not in said):
            out.append((found.start(), closed))
    for pattern in (_PLAYED, _WORKED_ON, _HANDED_ON, _ORDERS):
        if (first := pattern.search(said)) is not None:
            out.append((first.start(), len(said)))
    return tuple(out)


def _whole(text: str, start: int, end: int) -> bool:
    """Whether a record is all that was sent: data that is handed over, as by a form on a page."""
    return not text[:start].strip() and not text[end:].strip()


def _closing(text: str, start: int) -> int:
    """Where the bracket at ``start`` is closed, or the end of the text."""
    depth = 0
    for at in range(start, len(text)):
        depth += (text[at] in "[{") - (text[at] in "]}")
        if depth == 0:
            return at + 1
    return len(text)


def posed(text: str, start: int, end: int) -> bool:
    """Whether ``text[start:end]`` stands in such words."""
    return any(low <= start and end <= high for low, high in _spans(text))


_CODE = re.compile(r"```.*?(?:```|\Z)", re.S)


def without_code(text: str) -> str:
    """``text`` with blanks in place of fenced programs."""
    return _CODE.sub(lambda m: " " * len(m[0]), text) if "```" in text else text


__all__ = ["posed", "without_code"]
