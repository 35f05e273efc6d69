"""What a question says that no answer from Forms takes up: "favourite dish", where a Form knows a favourite seat.

Words count that name no Form, type or slot, that say nothing of time, order or amount, and that stand in no line that
is told. They leave open whether the lines answer.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence

from forms_dynamics.language.normal import has_han, normal
from forms_dynamics.language.terms import index_terms
from forms_dynamics.retrieval.anaphora import picking
from forms_dynamics.retrieval.confidence import root
from forms_dynamics.retrieval.demands.day_slots import said_of_days
from forms_dynamics.retrieval.lexicon import NAMED
from forms_dynamics.retrieval.question import Question
from forms_dynamics.retrieval.words import AS_OF, HISTORY, MEASURES
from forms_dynamics.schema.spec import Catalog

Span = tuple[int, int]

# everyday words that make no other question of one
_SAYS_NOTHING = frozenset(
    """
    isn't aren't wasn't weren't doesn't don't didn't hasn't haven't won't can't what's who's that's exactly
    actually really roughly about approximately total overall current currently latest newest new recent
    number amount value info information details detail name named called kind type thing things way need
    needs needed want wants money used use using bigger higher lower smaller larger different difference
    change changed changes correct right okay ok hi hello hey thanks thank remind remember recall check
    mention mentioned question first second third last next former latter one ones other quick quickly please
    per day days night nights week weeks hour hours month months piece
    kindly could tell true false exact full main usually arranged arrangement arrangements agreed planned handled
    behind belong belongs belonging relate relates related linked connected attached associated
    """.split()
)
_SAYS_NOTHING_ZH = re.compile(
    f"[一每两几][{MEASURES}晚天次斤米]|"
    "比例|不同|区别|变过|改过|变化|具体|大概|大约|准确|详细|信息|情况|内容|名字|名称|叫什么|麻烦|请|谢谢|想知道|"
    "说一下|说说|讲讲|确认|安排|约定|商定|定下|第[一二三四五]个|"
    "上一个|下一个|另一个|最新|目前|总共|一共|到底|是不是|对吧|对不对|有没有|能不能|可不可以|"
    "多少钱|几号|几点|哪天|什么|怎么|如何|咋|呀|呗|嘛|喽|啦"
)
# a noun of one character: 最喜欢的菜是什么, 喜欢什么茶
_ALONE = re.compile("(?:的|什么|啥|哪[种类样])([\u4e00-\u9fff])(?=[是有吗呢叫啊呀，。？?!！ ]|$)")
_HOW_MUCH = re.compile(
    "([一-鿿])(?<![花要值卖付收报是共给用有需价租费买售开到出还能得可会才了过的长高重大])(?:了|过|到)?多少"
    "(?:钱|元|块)"
)
_WHERE = re.compile(
    "在?(?:哪[里儿]?|什么地方)(?:被|给)?([一-鿿])(?<![放住是存呢在的里儿个些家座种位条次天年月])的"
)
_KIND = re.compile("日期|时间|日子|地点|地址|金额|人员|名称|名字|编号|状态|类型|[人者员日期号名数量地点]$")
# of a slot that it names a question may say with any verb who has it: "which languages does he speak?"
_LAST_VERB = re.compile(r"\b(?:do|does|did) .{1,60} ([a-z]+)(?=[ ?.!]*$)")
_NO_NOUN = frozenset("是有吗呢啊呀人事样种个些话时了的得地")


def unexplained(
    question: Question,
    taken: Iterable[Span],
    asked: Mapping[str, Sequence[str]],
    lines: Iterable[str],
    catalog: Catalog,
) -> list[str]:
    """Words of the question that neither ``taken`` (places of names and of what it demands), what it asks for
    (``asked``: Form type → slots) nor ``lines`` explain."""
    taken = [*taken, *((w.start, w.end) for w in (*question.declared, *question.ways))]
    done = [m for pattern in (_HOW_MUCH, _WHERE) for m in pattern.finditer(question.text)]
    alone = _ALONE.search(question.text) is not None or bool(done)
    if not alone and not any(map(_says_something, question.leftover(taken))):
        return []
    slots = [slot for each in asked.values() for slot in each]
    names = [
        alias
        for type, each in asked.items()
        for slot in each
        for alias in catalog.types[type].slots[slot].aliases
    ]
    explained = [
        *taken,
        *(m.span() for pattern in (HISTORY, AS_OF) for m in pattern.finditer(question.text)),
        *picking(question.text),
        *said_of_days(question.text, slots),
        *(m.span(1) for m in _LAST_VERB.finditer(question.text) if not loosely(question, asked)),
        *(m.span() for m in _SAYS_NOTHING_ZH.finditer(question.text)),
    ]
    left = [run for run in question.leftover(explained) if _says_something(run) and not _akin(run, names)]
    for found in _ALONE.finditer(question.text):
        span = found.span(1)
        listed = question.listing and _calls(found[1], question, catalog)
        known = listed or any(a <= span[0] and span[1] <= b for a, b in explained)
        if found[1] not in _NO_NOUN and not known:
            left.append(found[1])
    for found in done:  # 赚了多少钱, 在哪拍的: what is done is asked of no other slot
        if not any(found[1] in name for name in names) and not any(
            a <= found.start(1) < b for a, b in explained
        ):
            left.append(found[1])
    if not left:
        return []
    lines = list(lines)
    told = {root(term) for line in lines for term in index_terms(line)}
    return [
        run
        for run in left
        if told.isdisjoint(map(root, index_terms(run)))
        and not (len(run) == 1 and any(run in line for line in lines))
    ]


def _calls(noun: str, question: Question, catalog: Catalog) -> bool:
    """Whether a type that is listed is a sort of what the noun says: 茶 for batches of tea, by its slots' names."""
    types = [catalog.types[t] for t in question.types if t in catalog.types]
    return any(
        noun in alias for t in types for spec in t.slots.values() for alias in (*t.aliases, *spec.aliases)
    )


def _akin(run: str, names: Iterable[str]) -> bool:
    """Whether a Chinese word of two characters shares one with what a slot that is asked for is called: 进团 with
    入团日期, 剧本 with 编剧; characters that only say of what kind a value is tell nothing."""
    if len(run) != 2 or not has_han(run):
        return False
    return any(c in _KIND.sub("", normal(name)) for name in names for c in run)


def loosely(question: Question, asked: Mapping[str, Sequence[str]]) -> bool:
    """Whether what is asked for is told by a part of a slot's name or a way of asking alone: favourite of favourite
    seat, "when"."""
    named = {(m.type, m.slot) for w in question.declared for m in w.meanings if m.slot and m.level == NAMED}
    return not any((type, slot) in named for type, slots in asked.items() for slot in slots)


def _says_something(run: str) -> bool:
    if any(c.isdigit() for c in run):
        return False  # an amount, a code: compared, or in a name
    word = run.replace("’", "'")
    return has_han(run) or _SAYS_NOTHING.isdisjoint((word, word.removesuffix("'s")))


__all__ = ["loosely", "unexplained"]
