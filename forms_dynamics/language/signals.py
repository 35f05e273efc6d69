"""Which cues a text could hold at all: a cheap look before the close one.

Most messages deny, suppose, ask and propose nothing. One pass over a text's words and characters tells which of
the cues need their patterns; where it says False the cue is not there, where it says True it may be.
"""

from __future__ import annotations

import re
from functools import lru_cache
from typing import NamedTuple

from forms_dynamics.language.numerals import lowered
from forms_dynamics.language.voices import KIN_ZH, OTHERS_ZH, may_tell

_WORDS = re.compile(r"[a-z]+")


def _set(text: str) -> frozenset[str]:
    return frozenset(text.split())


def heads(alternatives: str) -> set[str]:
    """The Chinese words with which the alternatives of a pattern begin; one that holds another is left out."""
    found = {m.group() for part in alternatives.split("|") if (m := re.match(r"[\u4e00-\u9fff]+", part))}
    return {word for word in found if not any(other != word and other in word for other in found)}


_DENY_ZH = frozenset("不没沒别別勿莫未无無非拒禁谢謝避忌戒除取排停弃棄")
_DENY_EN = _set(
    "no never neither nor not t without cannot cant dont wont isnt doesnt didnt none refuse refuses refused refusing"
    " reject rejects rejected rejecting decline declines declined declining avoid avoids avoided avoiding exclude"
    " excludes excluded excluding except instead rather other anything stop stops stopped deny denies denied quit"
    " gave against wrong incorrect"
)
_SUPPOSE_ZH = _set(
    "如果 要是 假 倘 若 万一 即使 即便 哪怕 就算 除非 一旦 要不是 但凡 设想 想象 比方 举个例子 理论上"
    " 好了 好啦 多好 但愿 做梦 的话"
)
_SUPPOSE_EN = _set(
    "if supposes hypothetical hypothetically theory theoretically suppose supposing supposed imagine assuming let"
    " lets pretend wish were had unless case provided would could should"
)
_ASK = frozenset("?？吗嘛呢么吧不没多几什哪谁怎如何否难久长想问")
_ASK_EN = _set("wonder wondering asking know curious sure idea tell if whether")
_PROPOSE_ZH = _set(
    "建议 要不 看看 或 还是 考虑 也 备 比如 例如 推荐 提议 何不 是否 能不能 可不可以 不如 要么 试试 问问 商量"
)
_PROPOSE_EN = _set(
    "how what maybe perhaps could suggest suggests suggested suggestion propose proposes proposed proposing proposal"
    " alternative alternatively or why let lets shall option also see might backup fallback second plan recommend"
    " recommends recommended consider considering would should either is as"
)
_OTHERS_ZH = frozenset((*heads(KIN_ZH), *heads(OTHERS_ZH), "他", "她", "前任"))
_OTHERS_EN = _set(
    "he she they his her their neighbor neighbors neighbour neighbours friend friends dad father mum mom mother"
    " parents brother sister sibling siblings wife husband spouse partner fiance fianc boss manager supervisor"
    " colleague colleagues coworker coworkers co worker workers son sons daughter daughters kid kids child children"
    " uncle aunt"
    " cousin cousins nephew niece roommate roommates flatmate flatmates housemate housemates girlfriend boyfriend ex"
    " landlord buddy mate pal grandma grandpa grandmother grandfather grandparents grandson granddaughter law laws"
    " classmate classmates teammate teammates teacher mentor guy competitor competitors rival rivals someone somebody"
    " people other others daddy papa pa pops mommy mummy mama ma folks old sis bro hubby missus wifey granny nana"
    " gran toddler baby stepmother stepfather stepmom stepdad stepson stepdaughter stepbrother stepsister godmother"
    " godfather godson goddaughter"
)
_JOKE = _set("玩笑 说着玩 說著玩 逗 闹着玩 瞎说 胡说 乱说 随口 骗你 当我没说 别当真 不要当真 吹 當真")
_JOKE_EN = _set("kidding joking jk joke leg messing seriously serious s k")


class Signals(NamedTuple):
    """A cue that is False needs no closer look."""

    denies: bool
    supposes: bool
    asks: bool
    proposes: bool
    others: bool
    jokes: bool


@lru_cache(maxsize=1024)
def signals(text: str) -> Signals:
    """The cues that ``text`` could hold."""
    said = lowered(text)
    words = set(_WORDS.findall(said))
    if said.isascii():
        return Signals(
            denies=not words.isdisjoint(_DENY_EN),
            supposes=not words.isdisjoint(_SUPPOSE_EN),
            asks="?" in said or not words.isdisjoint(_ASK_EN),
            proposes=not words.isdisjoint(_PROPOSE_EN),
            others=not words.isdisjoint(_OTHERS_EN) or may_tell(text),
            jokes=not words.isdisjoint(_JOKE_EN),
        )
    letters = set(said)
    return Signals(
        denies=not letters.isdisjoint(_DENY_ZH) or not words.isdisjoint(_DENY_EN),
        supposes=_any(_SUPPOSE_ZH, said) or not words.isdisjoint(_SUPPOSE_EN),
        asks=not letters.isdisjoint(_ASK) or not words.isdisjoint(_ASK_EN),
        proposes=_any(_PROPOSE_ZH, said) or not words.isdisjoint(_PROPOSE_EN),
        others=_any(_OTHERS_ZH, said) or not words.isdisjoint(_OTHERS_EN) or may_tell(text),
        jokes=_any(_JOKE, said) or not words.isdisjoint(_JOKE_EN),
    )


def _any(phrases: frozenset[str], text: str) -> bool:
    return _pattern(phrases).search(text) is not None


@lru_cache(maxsize=8)
def _pattern(phrases: frozenset[str]) -> re.Pattern[str]:
    return re.compile("|".join(map(re.escape, sorted(phrases))))


__all__ = ["Signals", "signals"]
