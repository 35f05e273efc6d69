"""The words of a trace: its headings in both languages, and the engine's reasons as a Chinese reader gets them."""

from __future__ import annotations

import re
from collections.abc import Mapping
from functools import lru_cache

TITLES: Mapping[str, Mapping[str, str]] = {
    "zh": {
        "trace": "召回轨迹",
        "anchor": "锚点",
        "fallback": "兜底",
        "near_miss": "差一点",
        "prune": "未采用",
        "cut": "预算截断",
        "time": "用时",
        "no_anchor": "没有锚点",
        "more": "另有 {n} 项",
        "decay": "衰减",
        "floor": "下限",
        "way": "前一跳",
        "question": "解析问题",
        "anchors": "找锚点",
        "expansion": "沿边展开",
        "reading": "读取",
        "facts": "成句",
        "assembly": "组装",
        "query": "声明查询",
        "trigger": "触发器",
        "triggers": "触发",
        "rerank": "模型打分",
        "documents": "内容",
        "messages": "消息",
        "words": "词面",
    },
    "en": {
        "trace": "trace",
        "anchor": "anchors",
        "trigger": "triggers",
        "fallback": "fallback",
        "near_miss": "near misses",
        "prune": "left out",
        "cut": "cut by the budget",
        "time": "time",
        "no_anchor": "no anchor",
        "more": "and {n} more",
        "decay": "decay",
        "floor": "floor",
        "way": "way",
    },
}

MANY = frozenset({"Forms", "documents", "messages", "words"})  # subjects that stand for many, or for none

# English → Chinese; the first pattern that fits the whole reason
_REASONS = (
    # anchors
    (r"exact: named: (.+)", r"名称精确命中：\1"),
    (r"exact: its id is in the question", r"问题里写了它的 id"),
    (r"exact: given as focus", r"由 focus 指定"),
    (r"exact: the focus is its name", r"focus 就是它的名称"),
    (r"partial: (.+) begins its name", r"名称以「\1」开头"),
    (r"focus: the conversation touched it last", r"本次对话最近提到它"),
    (r"only: the only (.+) here", r"这里唯一的 \1"),
    (r"all: one of all (.+)", r"所问的全部 \1 之一"),
    (r"beyond max_anchors (\d+)", r"超出 max_anchors \1"),
    (r"([\d,]+) more Forms: beyond max_anchors (\d+)", r"另有 \1 个 Form 超出 max_anchors \2"),
    (r"more than ([\d,]+) (\S+) Forms: the first ([\d,]+) were looked at", r"\2 超过 \1 个，只看了前 \3 个"),
    (
        r"more than ([\d,]+) (\S+) Forms: the ([\d,]+) found by their words were looked at",
        r"\2 超过 \1 个，只看了词面相符的 \3 个",
    ),
    (
        r"more than ([\d,]+) (\S+) Forms: the newest of this name were looked at",
        r"\2 里同名的超过 \1 个，只看了最新的",
    ),
    (r"too many names begin so", r"同样开头的名称太多"),
    (r"a longer name fits better", r"更长的名称更吻合"),
    (r"(.+) is only its place", r"「\1」只是它的地名"),
    (r"(.+) goes on otherwise in the question", r"问题里「\1」后面接的是别的字"),
    (r"(.+) lies inside another word", r"「\1」在别的词里面"),
    (r"no Form here has this id or name, which was given as focus", r"指定为焦点的 id 或名称，这里没有"),
    (r"no Form here has this id", r"这里没有这个 id 的 Form"),
    (r"one of several Forms that could be meant", r"可能所指的 Form 不止一个"),
    (
        r"did not read the question, it stays as the rules read it: (.*)",
        r"模型没有给出可用的解读，问题按规则理解：\1",
    ),
    (r"read the question: (.*)", r"模型这样解读问题：\1"),
    (r"does not meet the question: (.+)", r"不符合所问的条件：\1"),
    (r"another has the (highest|lowest) (.+)", r"另一个的 \2 才是最值"),
    (r"all are asked for that say (.+)", r"问的是所有提到 \1 的 Form"),
    (r"(.+) ends another name", r"\1 只是别的名称的末尾"),
    (r"nothing is known of (\S+) to (\S+): what came later, with dates", r"\1 至 \2 的情形不详：给出后来的值和日期"),
    (r"as it was from (\S+) to (\S+)", r"按 \1 至 \2 的情形"),
    (r"unfit: the question means another Form of this name", r"不合：问的是同名的另一个 Form"),
    (r"unfit: those that are asked for were found", r"不合：所问的 Form 都已找到"),
    (r"unfit: another Form of this name has what is asked", r"不合：同名的另一个 Form 才有所问内容"),
    (r"the question asks about another person", r"问的是另一个人"),
    (r"another name", r"名称不同"),
    # the walk
    (r"(\w+) between anchors", r"锚点之间的 \1"),
    (r"(\w+) to (\S+)", r"经 \1 到 \2"),
    (r"weight below ([\d.]+)", r"权重低于 \1"),
    (r"scored ([\d.]+), not above rerank_cut ([\d.]+)", r"模型打 \1 分，不高于 rerank_cut \2"),
    (r"scored (\d+) hits, (\d+) above rerank_cut ([\d.]+)", r"模型给 \1 条打了分，\2 条高于 rerank_cut \3"),
    (r"beyond rerank_hits (\d+)", r"超出 rerank_hits \1，未打分"),
    (r"gave no scores, hits stay as found: (.*)", r"模型没有给出可用的分数，保持原来的次序：\1"),
    (r"speaks to a model, which did not see it", r"内容像是对模型下指令，未交给模型"),
    (r"limit (\d+) a layer", r"每层至多 \1 条边"),
    (r"([\d,]+) more edges, none of them stronger, were not read", r"还有 \1 条边没有读取，都不更强"),
    (r"([\d,]+) or more further edges, none of them stronger, .+", r"还有至少 \1 条边没有读取，都不更强"),
    (r"another edge leads there", r"已有另一条边到那里"),
    (r"both ends are here already", r"两端都已在结果里"),
    (r"unfit", r"与所问不合"),
    (r"knows nothing of what is asked", r"不含所问的内容"),
    (r"not in this scope", r"不在这个范围内"),
    (r"expired", r"已过期"),
    (r"not yet valid", r"尚未生效"),
    (r"not yet said", r"那时还没有说"),
    (r"not yet known", r"那时还不知道"),
    (r"cold", r"已转冷存储"),
    (r"invalid", r"已作废"),
    (r"superseded", r"已被取代"),
    (r"candidate", r"只是候选"),
    (r"erased", r"已删除"),
    # the fallback
    (r"its words", r"词面相近"),
    (r"made by (\S+)", r"由消息 \1 得出"),
    (r"words ([\d.]+), cosine (-?[\d.]+)", r"词面 \1，余弦 \2"),
    (r"words ([\d.]+)", r"词面 \1"),
    (r"below fallback_floor ([\d.]+)", r"低于 fallback_floor \1"),
    (r"below the floor ([\d.]+) of shared words", r"共有的词不到 \1"),
    (r"shares no word of what the question is about", r"不含所问对象的任何词"),
    (r"([\d,]+) more documents below the floors", r"另有 \1 条内容低于下限"),
    (r"([\d,]+) more messages: beyond the best (\d+)", r"另有 \1 条消息排在前 \2 条之后"),
    (r"exact anchors stand", r"已有精确锚点"),
    (r"cold: ([\d,]+) were not searched", r"\1 条冷内容没有检索"),
    (r"cold: ([\d,]+) or more were not searched", r"至少 \1 条冷内容没有检索"),
    (r"embedded ([\d,]+) documents that had no vectors yet", r"为 \1 条还没有向量的内容补算了向量"),
    (r"embeddings lag: ([\d,]+) documents have no vectors yet", r"向量滞后：还有 \1 条内容没有向量"),
    (r"embeddings lag: ([\d,]+) or more documents have no vectors yet", r"向量滞后：至少还有 \1 条内容没有向量"),
    (r"vectors could not be stored", r"向量没能存下"),
    (r"embedder failed: (.+)", r"向量模型出错：\1"),
    (r"hashed n-grams .*", r"散列 n-gram（装上 forms_dynamics[embed] 可用真正的向量模型）"),
    (r"said later", r"后文才说"),
    (r"said as a joke", r"是玩笑话"),
    (r"waits for confirmation", r"等待确认"),
    (r"refused", r"已拒绝"),
    # the budget
    (r"(\d+) tokens do not fit in what is left of (\d+)", r"需要 \1 个 token，\2 的预算余量不够"),
    (
        r"(\d+) tokens are more than fallback_share ([\d.]+) leaves of (\d+)",
        r"需要 \1 个 token，超出兜底在 \3 中的份额 \2",
    ),
    (r"its line stands there already", r"同样的一行已经写过"),
)  # fmt: skip


_SILENT = {"silent: ": "不提：", "silent in part: ": "部分不提："}


@lru_cache(maxsize=1)
def _patterns() -> tuple[tuple[re.Pattern[str], str], ...]:
    return tuple((re.compile(english, re.DOTALL), chinese) for english, chinese in _REASONS)


def reason(said: str, lang: str) -> str:
    """A reason in ``lang``; one that has no Chinese wording stays as it is."""
    if lang == "zh":
        for head, chinese in _SILENT.items():
            if said.startswith(head):
                return chinese + "、".join(reason(each, lang) for each in said[len(head) :].split(", "))
        for pattern, chinese in _patterns():
            if found := pattern.fullmatch(said):
                return found.expand(chinese)
    return said


def title(key: str, lang: str) -> str:
    """A heading, or a stage's name."""
    words = TITLES["zh" if lang == "zh" else "en"]
    return words.get(key, key.replace("_", " "))


__all__ = ["MANY", "TITLES", "reason", "title"]
