"""Sentences half Chinese, half English: 我们是 Calder Optics，"my name is 李娜", 我不吃 cilantro.

The frames around a name or a taste are of one language each. Where both scripts stand in a sentence, the words of
the other one are put into the frame's script first: what may be a name by a name that means nothing, words for the
speaker and for slots by their like. What is then found goes back to the words that stand there.
"""

# ruff: noqa: E501 (a pattern reads best on one line)
from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from functools import lru_cache

from forms_dynamics.extraction.found import Name
from forms_dynamics.extraction.lexicon import Hit
from forms_dynamics.extraction.names_en import english_names, may_name_a_firm
from forms_dynamics.extraction.names_zh import chinese_names
from forms_dynamics.extraction.tastes import Taste, tastes_in
from forms_dynamics.language.lazy import lazy
from forms_dynamics.language.normal import has_han
from forms_dynamics.language.numerals import folded
from forms_dynamics.language.respelling import Respelled, respell

_BOTH = lazy(r"[\u4e00-\u9fff].*[A-Za-z]|[A-Za-z].*[\u4e00-\u9fff]", re.S)
_LONGEST = 2000  # characters of a message that are read so
_BESIDE_HAN = (
    r"(?:(?<=[\u4e00-\u9fff])|(?<=[\u4e00-\u9fff] )|(?<=[，。；：、！？,;:] )|(?<=[，。；：、！？])|^)"
)
_LATIN_NAME = lazy(
    r"(?<![A-Za-z0-9'’-])(?P<x>[A-Z][A-Za-z&'’.-]*[A-Za-z](?: (?:(?:of|and|&|de|van|von) )?[A-Z][A-Za-z&'’.-]*[A-Za-z])*)(?![A-Za-z0-9'’]|-\d)"
)
_LATIN_WORDS = lazy(
    rf"{_BESIDE_HAN}(?P<x>[A-Za-z][A-Za-z'’-]*(?: [A-Za-z][A-Za-z'’-]*){{0,3}})(?![A-Za-z0-9])"
)
_HAN_NAME = lazy(r"(?<![\u4e00-\u9fff])(?P<x>[\u4e00-\u9fff·]{2,8})(?![\u4e00-\u9fff])")
_FIRM_ZH = lazy(
    r"(?:公司|集团|科技|电子|化工|食品|机械|能源|环保|纺织|家具|重工|精工|文化|传媒|贸易|物流|实业|制药|医药|生物|医疗|汽车|电气|光学|软件|网络|信息|智能|建材|建筑|设备|工业|银行|保险|包装|材料)$"
)
_GRAMMAR_ZH = lazy(r"[的是在了我你他她它吗呢吧不没要想会能可这那哪什谁和跟与对把被给就都也还很]")
# no names: money, times, titles, what a program is called
_NO_NAME = frozenset(
    (
        "usd rmb cny eur gbp hkd jpy twd krw sgd aud am pm ok tbd tbc asap eta vip ceo cto cfo coo cmo cio vp hr it pr ai po qa ui ux id no "
        "i my we our the a an please hi hello thanks thank monday tuesday wednesday thursday friday saturday sunday january february march april may june "
        "july august september october november december next this last"
    ).split()
)
_WORDS_ZH = {"i": "我", "my": "我的", "we": "我们", "our": "我们的", "i'm": "我是", "we're": "我们是"}
_WORDS_EN = {"我": "I", "我的": "my", "我们": "we", "我们的": "our"}
_SPEAKER_ZH = lazy(
    r"(?<![A-Za-z'’])(?:[Mm]y|[Oo]ur|I['’]m|I|[Ww]e(?:['’]re)?)(?![A-Za-z'’]) ?(?=[\u4e00-\u9fff])"
)
_SPEAKER_EN = lazy(r"(?<![\u4e00-\u9fff])(?:我们的?|我的?)(?= ?[A-Za-z])")
_GAP = lazy(r"(?<=[\u4e00-\u9fff]) (?=[A-Za-z0-9])|(?<=[A-Za-z0-9]) (?=[\u4e00-\u9fff])")
_PERSON, _FIRM = "安安", "安安电子"
_NAME_EN, _FIRM_EN = "Anan", "Anan Electronics"
_OF_FIRM = frozenset(("company", "company?", "company~", "employer"))
_Swap = tuple[int, int, str]


def is_mixed(text: str) -> bool:
    """Whether both scripts stand in the text."""
    return not text.isascii() and _BOTH.search(text[:_LONGEST]) is not None


def mixed_names(text: str, hits: Sequence[Hit]) -> Iterator[Name]:
    """Names whose frame is of the other language; ``hits``: the announcing words of the text, which name nobody."""
    if not is_mixed(text):
        return
    plain = folded(text[:_LONGEST])
    taken = {(h.start, h.end) for h in hits}
    like_zh = [(h.start, h.end, like) for h in hits if (like := _like(h, zh=True))]
    like_en = [(h.start, h.end, f" {like} ") for h in hits if (like := _like(h, zh=False))]
    for firm in (False, True):
        yield from _back(chinese_names, _as_chinese(plain, taken, like_zh, firm), firm)
    yield from _back(english_names, _as_english(plain, taken, like_en), None)


def _back(find: Callable[[str], Iterable[Name]], said: Respelled, firm: bool | None) -> Iterator[Name]:
    """What the finder finds, where it stands in the message; persons and firms each in their own spelling."""
    for name in find(said.text):
        if firm is not None and (name.kind in _OF_FIRM) != firm:
            continue
        span, words = said.span(name.start, name.end), said.span(name.low, name.high)
        if span is not None and words is not None:
            yield name._replace(start=span[0], end=span[1], low=words[0], high=words[1])


def mixed_tastes(text: str) -> Iterator[Taste]:
    """Tastes told in Chinese of things with a Latin name (我不吃 cilantro), and 我 before an English verb."""
    if not is_mixed(text):
        return
    plain = folded(text[:_LONGEST])
    swaps = [(*m.span("x"), _PERSON) for m in _LATIN_WORDS.finditer(plain) if not _speaks(m["x"])]
    for said in (
        respell(plain, 0, len(plain), [*_speakers_zh(plain), *swaps, *_gaps(plain)]),
        respell(plain, 0, len(plain), _speakers_en(plain)),
    ):
        for taste in tastes_in(said.text):
            items = tuple(span for item in taste.items if (span := said.span(*item)) is not None)
            words = said.span(taste.low, taste.high)
            if words is not None and len(items) == len(taste.items):
                yield taste._replace(items=items, low=words[0], high=words[1])


@lru_cache(maxsize=4096)
def _speaks(words: str) -> bool:
    return words.lower().split(" ")[0] in _WORDS_ZH


def _as_chinese(plain: str, taken: set[tuple[int, int]], like: Sequence[_Swap], firm: bool) -> Respelled:
    swaps = [*_speakers_zh(plain), *like]
    for m in _LATIN_NAME.finditer(plain):
        words = m["x"].split(" ")
        if m.span("x") in taken or words[0].lower() in _NO_NAME or (firm and not may_name_a_firm(m["x"])):
            continue
        of_firm = firm and (len(words) > 1 or not m["x"][1:].islower())
        swaps.append((*m.span("x"), _FIRM if of_firm else _PERSON))
    return respell(plain, 0, len(plain), [*swaps, *_gaps(plain)])


def _as_english(plain: str, taken: set[tuple[int, int]], like: Sequence[_Swap]) -> Respelled:
    swaps = [*_speakers_en(plain), *like]
    for m in _HAN_NAME.finditer(plain):
        if m.span("x") not in taken and not _GRAMMAR_ZH.search(m["x"]):
            swaps.append((*m.span("x"), _FIRM_EN if _FIRM_ZH.search(m["x"]) else _NAME_EN))
    return respell(plain, 0, len(plain), swaps)


def _like(hit: Hit, zh: bool) -> str | None:
    """A word of the other script for the same slot."""
    if has_han(hit.word.text) == zh or hit.word.role not in ("alias", "cue") or hit.word.weak:
        return None
    return next((a for s in hit.word.slots for a in s.spec.aliases if has_han(a) == zh), None)


def _speakers_zh(plain: str) -> list[_Swap]:
    return [
        (*m.span(), _WORDS_ZH[m[0].strip().lower().replace("’", "'")]) for m in _SPEAKER_ZH.finditer(plain)
    ]


def _speakers_en(plain: str) -> list[_Swap]:
    return [
        (*m.span(), _WORDS_EN[m[0]] + ("" if plain[m.end()] == " " else " "))
        for m in _SPEAKER_EN.finditer(plain)
    ]


def _gaps(plain: str) -> list[_Swap]:
    """Spaces between the scripts, which Chinese does not have."""
    return [(*m.span(), "") for m in _GAP.finditer(plain)]


__all__ = ["is_mixed", "mixed_names", "mixed_tastes"]
