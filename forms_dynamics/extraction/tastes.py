"""What speakers say they like, reject or cannot have: "我不吃辣，也不喝咖啡", "I prefer aisle seats"."""

# ruff: noqa: E501 (a pattern reads best on one line)
from __future__ import annotations

import re
from collections.abc import Iterator
from typing import NamedTuple

from forms_dynamics.language.lazy import lazy


class Taste(NamedTuple):
    """``kind`` liked or allergies; ``items`` are spans of the things, ``low`` to ``high`` the words that say so.

    ``negated``: disliked, avoided. ``ended``: it is not so, or no longer (我对花生不过敏了), and says nothing else.
    """

    kind: str
    items: tuple[tuple[int, int], ...]
    low: int
    high: int
    negated: bool
    ended: bool = False
    others: bool = False  # told of somebody or something that is named, not of the speaker


_HOW = r"(?:也|还|都|特别|非常|很|最|真的?|挺|超级?|一直|平时|平常|比较|从小就?|向来|还是|确实|一般|更|其实|现在|本来就?|只|就)*"
_X = r" ?(?P<x>[A-Za-z][A-Za-z'’-]*(?: [A-Za-z][A-Za-z'’-]*){0,4}(?=[，。,.;；！!？?\n]|$)|[^，。,.;；！!？?\n\s]{1,16})"
_LIKE_ZH = lazy(
    rf"(?P<who>我|俺|本人|咱)?{_HOW}(?P<verb>喜欢|爱吃|爱喝|爱(?=[吃喝看听玩])|偏爱|偏好|钟爱|喜爱)(?:吃|喝)?{_X}"
)
_REJECT_ZH = lazy(
    rf"(?P<who>我|俺|本人|咱)?{_HOW}(?P<verb>(?:从来?|一点|一口|绝对)?(?:不太?喜欢|不爱|不吃|不喝|不抽|不能吃|不能喝|吃不了|喝不了|受不了|讨厌|反感|忌口|忌|不碰|不要放?|不沾))(?:吃|喝)?{_X}"
)
_ALLERGY_ZH = lazy(
    r"(?P<who>我|俺|本人)?(?P<once>(?:从小|也|都|还|已经|现在|如今|早就|其实|小时候|以前|之前|从前|过去|原来|原先|曾经?)*)对(?P<x>[^，。,.;；！!？?\n\s对]{1,14}?)"
    r"(?P<how>(?:现在|如今|目前|已经?|早就?|早已|以后|后来|其实|从来|并|根本|一点|都|也|是|很|严重|会|没有?|不再|不)*)过敏"
)
_NO_MORE_ZH = lazy(r"不再|不(?!是不|得不)|没")
_ONCE_ZH = lazy(r"小时候|以前|之前|从前|过去|原来|原先|曾")
# 我以前对牛奶过敏，现在不了: the clause behind says that it is over
_OVER_ZH = lazy(
    r"(?:来着|过)?[，,；;、]?\s*(?:但是?|不过|可是?|后来|现在|如今|目前|已经|早就?|都|就|长大(?:后|了|以后)?)*(?:不了|不再|不是了|不会了|不(?:再)?过敏|没(?:有)?了|没事了|好了|治好了|脱敏了|能[吃喝碰]了|可以[吃喝碰]了)"
)
_MORE_ZH = lazy(r"[，,、；;]?\s*(?:而且|并且|同时|还有|另外|但是?|不过|可是?|却|而|和|与|跟)?(?:也|还|更)?")
_TURN_ZH = lazy(
    r"(?:、|和|与|跟|以及|还有|而且|并且|但是?|却|而|可是?)+(?:也|还|更|最|很|特别|非常|都|就)*(?:不太?喜欢|不爱|不[吃喝抽碰沾]|不能[吃喝]|[吃喝]不了|受不了|讨厌|反感|忌|喜欢|爱[吃喝]|偏爱|喜爱)"
)
_SPLIT_ZH = lazy(r"(?:、|和|与|跟|以及|还有|或者?|及)")
_TAIL_ZH = lazy(r"(?:[了的吧啊呢哦呀嘛哈]|之类|什么的?|等等?|那种|这种|一点)+$")
_BAD_ZH = lazy(
    r"[我你您他她它这那哪谁啥]|什么|怎么|多少|一起|时候|可以|因为|所以|但是|觉得|知道|过来|出来|起来|不了|上班|加班|是|就|会|在|把|被|要|说|到"
)
_TASTES_EN = (
    r"(?:don['’]t (?:really |much )?(?:like|eat|drink|enjoy)|do not (?:like|eat|drink|enjoy)|can['’]t (?:stand|eat|drink|have)|cannot (?:stand|eat|drink)|"
    r"hate|dislike|detest|loathe|avoid|never (?:eat|drink|touch)|no longer (?:eat|drink|like|love|prefer|enjoy|adore)|like|love|prefer|enjoy|adore)"
)
_LIKE_EN = lazy(
    r"\b(?P<who>[Ii] |and |but )(?:(?:really|also|absolutely|usually|always|still|do|just|generally|mostly|personally|quite|much|strongly) )*"
    r"(?P<verb>like|love|prefer|enjoy|adore|favou?r)(?: (?:eating|drinking))? (?P<x>(?!(?:the|this|that|those|these|your) (?!(?:sea|ocean|beach|mountains?|countryside|outdoors|city|rain|snow|cold|heat|sun|colou?r|window|aisle|theat(?:er|re)|opera|ballet)\b)|makes? )[^.,;!?\n]{2,60})"
)
_REJECT_EN = lazy(
    r"\b(?P<who>[Ii] |and |but |or |nor )?(?:(?:really|also|absolutely|usually|always|still|just|generally|personally) )*"
    r"(?P<verb>don['’]t (?:really |much )?(?:like|eat|drink|enjoy)|do not (?:like|eat|drink|enjoy)|can['’]t (?:stand|eat|drink|have)|cannot (?:stand|eat|drink)|hate|dislike|detest|loathe|avoid|never (?:eat|drink|touch)|no longer (?:eat|drink|like|love|prefer|enjoy|adore))"
    r"(?: (?:eating|drinking))? (?P<x>[^.,;!?\n]{2,60})"
)
_ALLERGY_EN = lazy(
    r"\b(?:[Ii](?:['’]?m| am|['’]ve always been| have always been)|(?P<they>(?:is|are|has been|have been))) (?:(?:also|severely|very|highly|quite|mildly|really) )*allergic to (?P<x>[^.,;!?\n]{2,60})"
)
_NOT_ALLERGIC_EN = lazy(
    r"\b(?:(?P<they>(?:is|are) (?:(?:also|actually|now) )*(?:not|no longer))|[Ii](?:(?:['’]?m| am) (?:(?:also|actually|really|now) )*(?:not|no longer)| used to be|(?:['’]ve| have) never been| was never| (?P<was>was)))"
    r" (?:(?:actually|really|at all|any longer|severely|very) )*allergic to (?P<x>[^.,;!?\n]{2,60})"
)
_OVER_EN = lazy(
    r"(?: as an? (?:child|kid|baby|teenager|boy|girl))?[,;]? (?:but |and )?(?:(?:I['’]?m|I am|it['’]?s) )?(?:not any ?more|no longer|not now|outgrew it|gone|over it)\b"
)
_ALLERGY_EN_2 = lazy(r"\b[Ii] have an? (?:severe |mild |bad )?(?P<x>[a-z]+) allergy\b")
_BUT_NOT_EN = lazy(r"(?P<who>, | )but not (?:(?:really|so much|any|the) )?(?P<x>[^.,;!?\n]{2,40})")
_CUT_EN = lazy(
    r" (?:(?P<turn>(?:and|or|but|yet) (?:(?:really|also|absolutely|usually|always|still|just|generally|personally|strongly|much) )*"
    + _TASTES_EN
    + r"(?= \w))|such|there\b|the (?:most|best|least)|like (?:this|that)|(?<!ing )to|because|when|but|until|till|through|over|rather|than|instead|so|if|since|as|for|with|at|on|in|while|anymore|any more|too|as well|very much|a lot|please|though|most of|more|better|most|and (?:I|my|we|the|do|don|can|live|work|am|have|need|want)|or (?:I|do|can)|that|which|who|from|after|before|now|these|lately|again)\b"
)
_AFTER_WHOLE = frozenset(
    (" because", " when", " but", " until", " till", " through", " so", " if", " since", " too", " as", " very much", " a lot", " please", " though", " more", " most", " now", " and I", " rather",
     " anymore", " any more", " at", " in", " the most", " the best")
)  # fmt: skip
_BARE_ADJECTIVE = lazy(
    r"(?:simple|minimal|clear|short|quick|small|big|large|cheap|clean|quiet|fast|direct|concise|good|nice|new|old|hot|cold|warm|huge|easy|hard|inspirational)",
    re.I,
)
_BAD_EN = lazy(
    r"^(?:for|is|are|was|were|to|that|this|it|you|your|the way|the idea|the fact|the sound|how|what|when|where|why|him|her|them|those|these|if|my|our|his|their|its|being|having|working|going|getting|all|both|one|some|something|anything|nothing|everything|everyone|the same|the one|the first|the second|the other|either|people|us|me|i|we|he|she|they|a lot|so|more|much|any|seeing|making|doing|knowing|hearing|talking|hanging|spending|helping|learning|waiting|paying|dealing|each|another|no|not|and|or|feeling|watching|meeting|trying|using|keeping|taking|saying|looking|when|most|best|better|in|on|at|about|with)\b",
    re.I,
)
_SPLIT_EN = lazy(r"\s+(?:and|or|nor|&)\s+")
_ARTICLE = lazy(r"^(?:a|an|the|some|any|my|eating|drinking)\s+", re.I)
_MAX_EN = 5


def tastes_in(text: str) -> list[Taste]:
    """All likes, dislikes and allergies that the speaker states of himself."""
    out: list[Taste] = []
    if not text.isascii():
        out.extend(_chinese(text))
    if "I" in text or "i" in text:
        out.extend(_english(text))
    out.extend(_ways_of_eating(text))
    return out


def _chinese(text: str) -> Iterator[Taste]:
    if "过敏" in text:
        for m in _ALLERGY_ZH.finditer(text):
            items = _things_zh(text, *m.span("x"))
            if not items or not _mine(text, m):
                continue
            over = _OVER_ZH.match(text, m.end())
            if over is not None or _NO_MORE_ZH.search(m["how"]):
                yield Taste("allergies", items, m.start(), over.end() if over else m.end(), False, ended=True)
            elif _ONCE_ZH.search(m["once"] or text[max(0, m.start() - 3) : m.start()]) is None:
                yield Taste("allergies", items, m.start(), m.end(), False)
    ends: dict[int, int] = {}  # where a taste of the speaker ended, and its beginning
    found = (
        [(m.start(), False, m) for m in _each(_LIKE_ZH, text)]
        if "喜" in text or "爱" in text or "偏" in text
        else []
    )
    if any(word in text for word in ("不", "讨厌", "反感", "忌")):
        found += [(m.start(), True, m) for m in _each(_REJECT_ZH, text)]
    for start, negated, m in sorted(found, key=lambda item: item[0]):
        verb_at = m.start("verb")
        if not negated and verb_at and text[verb_at - 1] == "不":
            continue
        own = m["who"] is not None and _mine(text, m)
        follows = m["who"] is None and any(_MORE_ZH.fullmatch(text, end, start) for end in ends)
        # a message that begins with it is about its speaker: 喜欢喝茶，不吃辣
        begins = m["who"] is None and start == 0 and m["x"][0] not in "的就"
        if not (own or follows or begins):
            continue
        items = _things_zh(text, *m.span("x"))
        if items and not _LATIN_GOES_ON.match(text, items[-1][1]):
            end = items[-1][1]
            ends[end] = start
            yield Taste("liked", items, m.start(), end, negated)


_LATIN_GOES_ON = lazy(r"(?<=[A-Za-z]) [A-Za-z]")  # oat in "oat milk和…": read where both languages are


def _mine(text: str, m: re.Match[str]) -> bool:
    """Whether 我 is the subject, not 我爸 or 我们公司."""
    before = text[max(0, m.start() - 2) : m.start()]
    return before == "因为" or not before.endswith(
        ("给", "让", "问", "跟", "和", "对", "叫", "陪", "帮", "猜", "说", "知道", "为", "是")
    )


def _things_zh(text: str, start: int, end: int) -> tuple[tuple[int, int], ...]:
    words = text[start:end]
    if words.isascii():
        return _things_en(text, start, end)  # 我喜欢oat milk
    if turn := _TURN_ZH.search(words, 1):
        words = words[: turn.start()]  # 茶和讨厌咖啡: what is behind is told by its own verb
    tail = _TAIL_ZH.search(words)
    if words.startswith(("的", "啊", "呀", "哦", "吧", "呢", "了")):
        return ()  # 我最喜欢的豌豆, 我很喜欢啊: it is told elsewhere
    if tail and tail.start() > 0:
        words = words[: tail.start()]
    if not words or len(words) > 14:
        return ()
    out = []
    at = start
    for piece in _SPLIT_ZH.split(words):
        at = text.index(piece, at)
        if not piece or len(piece) > 10 or _BAD_ZH.search(piece):
            return ()
        out.append((at, at + len(piece)))
        at += len(piece)
    return tuple(out)


def _english(text: str) -> Iterator[Taste]:
    for m in (*_ALLERGY_EN.finditer(text), *_ALLERGY_EN_2.finditer(text)):
        if items := _things_en(text, *m.span("x")):
            others = m.groupdict().get("they") is not None
            yield Taste("allergies", items, m.start(), items[-1][1], False, others=others)
    for m in _NOT_ALLERGIC_EN.finditer(text):
        items = _things_en(text, *m.span("x"))
        if items and (m["was"] is None or _OVER_EN.match(text, items[-1][1])):
            others = m["they"] is not None
            yield Taste("allergies", items, m.start(), items[-1][1], False, ended=True, others=others)
    yield from _likes_en(text)


_EATS_EN = lazy(
    r"\b[Ii](?:['’]?m| am|['’]ve (?:been|gone)| have been) (?:(?:also|a|an|strictly|strict|lifelong) )*(?P<x>vegetarian|vegan)\b(?![- ]?friendly)"
)
_EATS_ZH = lazy(
    r"(?P<who>我|本人)(?:是|一直|平时|长期|常年|现在|也)*(?:个)?(?P<x>素食(?:主义)?者?|吃素|茹素)(?!的人|吗|[？?])"
)


def _ways_of_eating(text: str) -> Iterator[Taste]:
    """I'm vegetarian, 我吃素: what is liked, and rules out the rest."""
    for pattern in (_EATS_EN, _EATS_ZH):
        for m in pattern.finditer(text):
            if pattern is _EATS_EN or _mine(text, m):
                yield Taste("liked", (m.span("x"),), m.start(), m.end(), False)


def _each(pattern: re.Pattern[str], text: str) -> Iterator[re.Match[str]]:
    """All matches, those that begin among the things of another one, too: "tea and love coffee"."""
    found = pattern.search(text)
    while found is not None:
        yield found
        found = pattern.search(text, found.start("x"))


def _likes_en(text: str) -> Iterator[Taste]:
    """Likes and dislikes; a verb without its own I goes on from one before it."""
    ended: list[int] = []
    found = [(m.start(), False, m) for m in _each(_LIKE_EN, text)]
    found += [(m.start(), True, m) for m in (*_each(_BUT_NOT_EN, text), *_each(_REJECT_EN, text))]
    for start, negated, m in sorted(found, key=lambda item: item[0]):
        own = m["who"] in ("I ", "i ")
        if not own and not any(0 <= start - end <= 2 for end in ended):
            continue
        if items := _things_en(text, *m.span("x")):
            items = (*items, *_listed_en(text, items[-1][1]))
            ended.append(items[-1][1])
            ended_verb = _LOVES_NO_MORE.fullmatch(m["verb"]) if "verb" in m.re.groupindex else None
            # who loves it no longer need not avoid it
            yield Taste(
                "liked", items, start, items[-1][1], negated and not ended_verb, ended=bool(ended_verb)
            )


_LOVES_NO_MORE = lazy(r"no longer (?:love|prefer|enjoy|adore)", re.I)
_NEXT_EN = lazy(r", (?:and |or )?(?P<x>[^.,;!?\n]{2,60})")
_CLAUSE_EN = lazy(
    r"\b(?:is|are|was|were|am|has|have|had|will|would|can|could|should|do|does|did|don['’]t|but|so|i|i['’]m|we|he|she|they|it|you|my|our|please|thanks|though|not|no|also|especially|particularly|mainly|mostly|really|preferably|with|which|who|that|because|when|if)\b",
    re.I,
)


def _listed_en(text: str, end: int) -> tuple[tuple[int, int], ...]:
    """The rest of a list with commas: "tea, coffee and …". A piece that could be a clause of its own ends it."""
    out: list[tuple[int, int]] = []
    while (m := _NEXT_EN.match(text, end)) is not None:
        cut = _CUT_EN.search(text, *m.span("x"))
        piece = text[m.start("x") : cut.start() if cut else m.end("x")]
        things = () if _CLAUSE_EN.search(piece) or len(piece.split()) > 4 else _things_en(text, *m.span("x"))
        if not things:
            break
        out.extend(things)
        end = things[-1][1]
    return tuple(out)


def _things_en(text: str, start: int, end: int) -> tuple[tuple[int, int], ...]:
    cut = _CUT_EN.search(text, start, end)
    if cut is not None and re.match(r" (?:that|which|who)\b", text[cut.start() :]):
        return ()  # what it is lies in the clause behind
    words = text[start : cut.start() if cut else end].strip()
    if (
        cut is not None
        and re.fullmatch(r"[a-z]+ing", words)
        and not cut["turn"]
        and cut[0] not in _AFTER_WHOLE
    ):
        return ()  # "playing with blocks": the verb alone is not what is liked
    if not words or _BAD_EN.match(words) or len(words.split()) > 7:
        return ()
    out = []
    at = start
    for piece in _SPLIT_EN.split(words):
        bare = _ARTICLE.sub("", piece).strip()
        if not bare or len(bare.split()) > _MAX_EN or _BAD_EN.match(bare) or _BARE_ADJECTIVE.fullmatch(bare):
            return ()
        at = text.index(bare, at)
        out.append((at, at + len(bare)))
        at += len(bare)
    return tuple(out)
