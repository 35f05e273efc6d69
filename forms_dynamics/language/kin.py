"""What is told of a speaker's relatives: 我爸的生日是5月3日, "my mom is allergic to peanuts", 我闺女叫小雨.

The words for relatives are given by whoever asks (a Form type declares them); here is only how they stand in a
sentence. What is told of a relative is read as the relative would say it: "my mom is allergic to peanuts" as
"I am allergic to peanuts", so that every way to tell of oneself is one to tell of a relative.
"""

# ruff: noqa: E501 (a pattern reads best on one line)
from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import lru_cache
from typing import NamedTuple

from forms_dynamics.language.clauses import sentence_of
from forms_dynamics.language.lazy import lazy
from forms_dynamics.language.normal import has_han, normal
from forms_dynamics.language.numerals import folded, lowered
from forms_dynamics.language.respelling import Respelled, respell
from forms_dynamics.language.spans import reach_back
from forms_dynamics.language.voices import FIRST, SAYS, other_person, with_whom

_STRETCH = 240  # characters that one mention is followed for
_BEFORE = 24  # and that are looked at before it
# 我爸爸 is 爸; 我哥们 is no brother, 我爸妈 are two people, and 我爸公司 is a firm
_NOT_ALONE_ZH = (
    "(?![们爸妈爷奶哥姐弟妹娘爹叔姨舅姑嫂夫媳婆])(?!圈|店|会|节|手|祖|校|家的?公司|和|跟|与|、|及)"
)
_OF_THEIRS_ZH = "(?!(?:的|他们?|她们?|家|那个?|所在)*(?:公司|单位|厂|店|学校|班[主级]|团队|部门|朋友|同事|同学|老板|领导|老师|邻居|车|手机店))"
_NOT_ALONE_EN = r"(?!-|['’]?s?[ -]in[ -]law| (?:and|or) |['’]s (?:[a-z]+ )?(?:company|firm|employer|team|school|shop|boss|friends?|colleagues?|teacher|doctor|car|house|side|place)\b)"
_ADJECTIVES = r"(?:old|elder|older|eldest|younger|youngest|little|big|dear|own|only|late) "
_MINE_ZH = r"[我俺咱]们?(?:家里?)?的?(?:那个|这个)?\s?"
_MINE = rf"(?:{_MINE_ZH}|(?<![A-Za-z'’])(?:[Mm]y|[Oo]ur) (?:{_ADJECTIVES})*?)"
_NO_NAME_EN = r"(?!(?:I|My|Our|His|Her|The|And|But|Or|So|He|She|It|We|They|You|Who|When|Where|What|Mon|Tues|Wednes|Thurs|Fri|Satur|Sun)(?:day)?\b)"
_NAMED_EN = rf"(?:,? (?P<name>{_NO_NAME_EN}[A-Z][a-z]+(?: {_NO_NAME_EN}[A-Z][a-z]+)?),?(?=['’]s\b| [a-z]))?"
_NAMED_ZH = r"(?P<called>(?!老[家婆公师板是说想爱乡伴了头])[小阿老][\u4e00-\u9fff](?=的|[，,]|在|是|对|今年|住|喜欢|不|也))?"
# bare, as children call them: Mom's birthday is May 3; 爸爸的生日是5月3日
_BARE_EN = frozenset("mom mum mommy mummy mama dad daddy papa grandma grandpa granny nana".split())
_BEHIND_BARE = r"(?=的|[在是叫也住对不]|今年|喜欢|爱吃|爱喝|生日|名字|电话|手机|[，,]|：)"
_PRONOUN = lazy(r"(?P<zh>[她他](?!们|人|乡))|\b(?P<sub>[Ss]he|[Hh]e)\b|\b(?P<pos>[Hh]er|[Hh]is)\b(?= [a-z])")
_STARTS = lazy(r"(?:^|[，,。.；;！!？?\n]|\b(?:and|but)\b|而且|并且|还有|另外)\s*$")
_VERB = r"(?:(?:really|also|always|still|just|never|currently|usually|now|absolutely|actually) )*"
_PREDICATE = lazy(rf"(?P<how>\s+{_VERB})(?P<verb>[a-z]+(?:n['’]t)?)\b")
_ALSO = lazy(
    rf"\b(?:and|but) (?P<how>{_VERB})(?P<verb>is|has|lives|works|likes|loves|hates|prefers|enjoys|avoids|eats|drinks|doesn['’]t|isn['’]t)\b"
)
_IS = lazy(r"['’]s(?= (?:allergic|an? |the |in |from |at |called |not |been |[a-z]+ing\b))")
_OWNS = lazy(r"['’]s?\b|['’](?= )")
_IRREGULAR = {
    "is": "am", "has": "have", "does": "do", "goes": "go", "isn't": "am not", "doesn't": "don't", "hasn't": "haven't",
    "isn’t": "am not", "doesn’t": "don't", "hasn’t": "haven't", "was": "was", "can't": "can't", "can’t": "can't",
}  # fmt: skip


_AND = lazy(r"\band\s+$")  # "I live in York and my daughter lives in Leeds"


class Mention(NamedTuple):
    """``text[start:end]`` speaks of a relative; ``word`` is the span of the declared word in it, ``name`` that of a
    name beside it ("my daughter Anna"), ``relation`` what the word stands for."""

    start: int
    end: int
    word: tuple[int, int]
    name: tuple[int, int] | None
    relation: str
    keyed: bool = False  # 关系：母亲


class Asked(NamedTuple):
    """``text[start:end]`` is a relative's word; ``whose``: ``SPEAKER``, ``NOBODY`` who is named, or the words before it,
    which may name the one whose relative it is (妈妈 in 王总的妈妈)."""

    start: int
    end: int
    relation: str
    whose: str


SPEAKER, NOBODY = "speaker", ""
_ASKERS_ZH = lazy(rf"{_MINE_ZH}$")
_OTHERS_ZH = lazy(r"(?:[他她你]们?|您|人家|别人)家?的?$")
_NAMED_BEFORE_ZH = lazy(r"([^\s，,。？?！!：、的我俺咱他她你您]{1,24})家?的$")
_ASKERS_EN = lazy(rf"\b(?:my|our) (?:{_ADJECTIVES})*$")
_OTHERS_EN = lazy(rf"\b(?:his|her|their|your|the|an?|another) (?:{_ADJECTIVES})*$")
_NAMED_BEFORE_EN = lazy(rf"((?:[\w.@:+-]+ ){{0,2}}[\w.@:+-]+)['’]s? (?:{_ADJECTIVES})*$")


def _whose(text: str, word: re.Match[str]) -> str | None:
    """None: the word is part of something else."""
    before = text[: word.start()]
    if has_han(word[0]):
        if _ASKERS_ZH.search(before):
            return SPEAKER
        if _OTHERS_ZH.search(before):
            return NOBODY
        if named := _NAMED_BEFORE_ZH.search(before):
            return named[1]
        return SPEAKER if len(word[0]) > 1 else None
    if _ASKERS_EN.search(before):
        return SPEAKER
    if _OTHERS_EN.search(before):
        return NOBODY
    if named := _NAMED_BEFORE_EN.search(before):
        return named[1]
    return SPEAKER if word[0] in _BARE_EN else None


# one language's word is wider than another's: a grandfather is 爷爷 or 外公
_WIDER = {
    "grandfather": "爷爷 外公", "grandmother": "奶奶 外婆", "grandson": "孙子 外孙", "granddaughter": "孙女 外孙女",
    "brother": "哥哥 弟弟", "sister": "姐姐 妹妹", "uncle": "伯伯 叔叔 舅舅 姑父 姨父", "nephew": "侄子 外甥", "niece": "侄女 外甥女",
    "aunt": "姑姑 姨妈 大姨 小姨 伯母 婶婶 舅妈", "cousin": "表哥 表弟 表姐 表妹 堂哥 堂弟 堂姐 堂妹", "spouse": "丈夫 妻子",
    "child": "儿子 女儿", "father-in-law": "岳父 公公", "mother-in-law": "岳母 婆婆", "brother-in-law": "姐夫 妹夫 大舅子 小舅子 大伯子 小叔子",
    "sister-in-law": "嫂子 弟媳 大姨子 小姨子 大姑子 小姑子",
}  # fmt: skip


class Spoken(NamedTuple):
    """A stretch of a message as the relative would say it."""

    mention: Mention
    said: Respelled


class Kin:
    """The relatives for whom there are words: each word, in normal form → the relation that it names.

    ``labels``: what a record calls the relation ("关系：母亲").
    """

    def __init__(self, words: Mapping[str, str], labels: Iterable[str] = ()) -> None:
        self._given = frozenset(words)
        self._words = dict(words)
        for word, relation in words.items():
            if len(word) == 1:  # 爸 is 爸爸 and 老爸, too
                self._words.setdefault(word * 2, relation)
                self._words.setdefault("老" + word, relation)
        zh = _any_of(w for w in self._words if has_han(w))
        long = _any_of(w for w in self._words if has_han(w) and len(w) > 1)
        en = _any_of(w for w in self._words if not has_han(w))
        bare = _any_of(w.capitalize() for w in self._words if w in _BARE_EN)
        keys = _any_of(map(normal, labels))
        alone_zh = f"{_NOT_ALONE_ZH}{_OF_THEIRS_ZH}"
        alone_en = f"(?![A-Za-z0-9_]){_NOT_ALONE_EN}"
        self._pattern = lazy(
            rf"{keys}\s*[:：=]\s*(?P<keyed>{_any_of(self._words)})(?![a-z\u4e00-\u9fff])"
            rf"|{_MINE}(?:(?P<zh>{zh}){alone_zh}{_NAMED_ZH}|(?P<en>(?i:{en})){alone_en}{_NAMED_EN})"
            rf"|(?:^|(?<=[，,。.；;！!？?：:\s、]))(?P<bare>{long}){_OF_THEIRS_ZH}{_BEHIND_BARE}"
            rf"|(?:^|(?<=[.!?,;] ))(?P<bare_en>{bare})(?=['’]s | [a-z]){alone_en}"
        )
        # a question may ask of two: 我妈和我女儿, "my mom and my daughter"
        each_zh = alone_zh.replace("|和|跟|与|、", "|(?:和|跟|与|、)(?![我俺咱])")
        each_en = alone_en.replace(" (?:and|or) ", " (?:and|or) (?!my |our )")
        self._asked = lazy(f"{zh}{each_zh}|(?<![a-z0-9_]){en}{each_en}")
        self._hint = lazy(_any_of(self._words))

    def mentions(self, text: str) -> Sequence[Mention]:
        """All mentions of declared relatives of the speaker, in order."""
        return _mentions(self, text)

    def _mentions(self, text: str) -> list[Mention]:
        if self._hint.search(lowered(text)) is None:
            return []
        out = []
        for found in self._pattern.finditer(folded(text)):
            group = next(g for g in ("keyed", "zh", "bare", "en", "bare_en") if found[g])
            named = next((g for g in ("name", "called") if found[g]), None)
            start = found.start(group) if group == "keyed" else found.start()
            end = found.end()
            if re.match(r"\s[\u4e00-\u9fff]", text[end : end + 2]):
                end += 1  # 我 mom 的生日
            name = found.span(named) if named else None
            word = normal(found[group])
            out.append(
                Mention(start, end, self._declared(found, group), name, self._words[word], group == "keyed")
            )
        return out

    def _declared(self, found: re.Match[str], group: str) -> tuple[int, int]:
        """The span of the word as it was given: 爸 in 爸爸 and 老爸."""
        start, end = found.span(group)
        return (start, end) if normal(found[group]) in self._given else (end - 1, end)

    def asked(self, text: str) -> list[Asked]:
        """The relatives that a question (in normal form) speaks of, and whose they are."""
        if self._hint.search(text) is None:
            return []
        found = ((m.span(), self._words[m[0]], _whose(text, m)) for m in self._asked.finditer(text))
        return [Asked(*span, relation, whose) for span, relation, whose in found if whose is not None]

    def kindred(self, relation: str) -> tuple[str, ...]:
        """The relations that a word for ``relation`` may mean, too, the wider one first: grandfather for 爷爷, and
        爷爷 and 外公 for grandfather. A brother is no other brother: 哥哥 does not stand for 弟弟."""
        out: dict[str, None] = {}
        for wide, words in _WIDER.items():
            wider = self._words.get(wide)
            narrower = [n for word in words.split() if (n := self._words.get(word)) is not None]
            if wider is not None and relation in narrower:
                out[wider] = None
            elif relation == wider:
                out |= dict.fromkeys(narrower)
        out.pop(relation, None)
        return tuple(out)

    def keyed(self, text: str) -> bool:
        """Whether the message is a record of a relative: 关系：母亲，姓名：…"""
        return any(mention.keyed for mention in self.mentions(text))

    def spoken(self, text: str) -> Sequence[Spoken]:
        """What the message tells of each relative, in the relative's own words."""
        return _spoken(self, text)

    def _spoken(self, text: str) -> Iterator[Spoken]:
        mentions = self.mentions(text)
        for i, mention in enumerate(mentions):
            if mention.keyed:
                if len(mentions) == 1:
                    yield Spoken(mention, respell(text, 0, len(text), ()))
                continue
            near = reach_back(text, mention.start, _BEFORE)
            if with_whom(_AND.sub("", text[near : mention.start]), mention.start - near):
                continue
            following = mentions[i + 1].start if i + 1 < len(mentions) else len(text)
            until = min(following, mention.end + _STRETCH)
            yield Spoken(mention, _as_said(text, mention, self._until(text, mention, until)))

    def told(self, text: str, start: int, end: int) -> str | None:
        """The relative of whom ``text[start:end]`` is told; None where it is of nobody declared here."""
        told = self.spoken(text)
        # they stand apart and in order: of those that begin before, only the last can reach so far
        at = bisect_right(told, start, key=_first) - 1
        if at >= 0 and end <= told[at].said.last:
            return told[at].mention.relation
        return None

    def _until(self, text: str, mention: Mention, until: int) -> int:
        """Where it goes on about somebody else: the speaker, another person, what somebody says, a new sentence
        that does not begin with a pronoun."""
        said = lowered(text)
        for pattern in (FIRST, SAYS):
            if found := pattern.search(said, mention.end, until):
                until = found.start()
        if (other := other_person(text, mention.end, until)) is not None:
            until = min(until, other)
        end = sentence_of(text, mention.start, mention.end)[1]
        while end < until:
            begins = end + len(text[end:until]) - len(text[end:until].lstrip())
            if _PRONOUN.match(text, begins) is None:
                break
            end = max(sentence_of(text, begins, begins + 1)[1], begins + 1)
        return min(until, end)


@lru_cache(maxsize=256)
def _mentions(kin: Kin, text: str) -> tuple[Mention, ...]:
    return tuple(kin._mentions(text))


@lru_cache(maxsize=256)
def _spoken(kin: Kin, text: str) -> tuple[Spoken, ...]:
    return tuple(kin._spoken(text))


def _first(spoken: Spoken) -> int:
    return spoken.said.first


def _any_of(words: Iterable[str]) -> str:
    """A pattern for any of the words, longest first; one that never matches where there are none."""
    ordered = sorted(words, key=lambda word: (-len(word), word))
    return f"(?:{'|'.join(map(re.escape, ordered)) or '(?!)'})"


def _as_said(text: str, mention: Mention, until: int) -> Respelled:
    """The stretch with the relative's words in place of the speaker's: I for "my mom", and verbs to match."""
    swaps: list[tuple[int, int, str]] = []
    if has_han(text[mention.end : mention.end + 1]):
        swaps.append((mention.start, mention.end, "我"))
    else:
        swaps.extend(_english(text, mention.start, mention.end))
    for found in _PRONOUN.finditer(text, mention.end, until):
        if _STARTS.search(text, mention.end, found.start()) is None:
            continue
        if found["zh"]:
            swaps.append((*found.span(), "我"))
        elif found["pos"]:
            swaps.append((*found.span(), "my"))
        else:
            swaps.extend(_english(text, *found.span()))
    for found in _ALSO.finditer(text, mention.end, until):
        swaps.append((*found.span("verb"), f"I {_first_person(found['verb'])}"))
    return respell(text, mention.start, until, swaps)


def _english(text: str, start: int, end: int) -> list[tuple[int, int, str]]:
    """ "my mom's" → my, "my mom is" → I am, "my dad lives" → I live."""
    if found := _IS.match(text, end):
        return [(start, found.end(), "I am")]
    if (found := _OWNS.match(text, end)) and found[0]:
        return [(start, found.end(), "my")]
    if found := _PREDICATE.match(text, end):
        return [(start, end, "I"), (*found.span("verb"), _first_person(found["verb"]))]
    return [(start, end, "I")]


def _first_person(verb: str) -> str:
    """lives → live, watches → watch, is → am."""
    if verb in _IRREGULAR:
        return _IRREGULAR[verb]
    if re.search(r"(?:ch|sh|ss|x|zz)es$", verb):
        return verb[:-2]
    if verb.endswith("ies") and len(verb) > 4:
        return verb[:-3] + "y"
    return verb[:-1] if verb.endswith("s") and not verb.endswith("ss") else verb


__all__ = ["NOBODY", "SPEAKER", "Asked", "Kin", "Mention", "Spoken"]
