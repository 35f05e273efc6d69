"""Values that a schema lists, found in the user's words: 经济型, "gastropub", "in the north".

The longest listed value at each place counts. A value of one slot of the talk is that slot's; among several the
words around it decide. A noun that names a sort of thing ("a museum") is a value where the thing is sought, not in a
name ("the Fitzwilliam museum") or behind "the"; what is only compared to ("less expensive") is none.
"""

# ruff: noqa: E501 (a list of words reads best on one line)
from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from functools import lru_cache

from forms_dynamics.extraction.dialogue.choosing import SPEAKER, Claim, choose
from forms_dynamics.extraction.dialogue.cued import led_to
from forms_dynamics.extraction.dialogue.discounted import discounted
from forms_dynamics.extraction.dialogue.everyday import things
from forms_dynamics.extraction.dialogue.expressions import expressions, number_of
from forms_dynamics.extraction.dialogue.profile import Mention, SlotProfile
from forms_dynamics.extraction.dialogue.topic import talk_of
from forms_dynamics.extraction.dialogue.turn import Said, Turn
from forms_dynamics.extraction.dialogue.wording import key, singular, stem
from forms_dynamics.language.clauses import clause_of, sentence_of
from forms_dynamics.language.lazy import lazy
from forms_dynamics.language.normal import has_han
from forms_dynamics.language.numerals import lowered

SURE = 0.93
_OPEN = ("city", "place", "address", "person", "name")  # a text of the kind may hold what another slot lists
_TYPED = (
    "time",
    "date",
    "price",
    "count",
    "duration",
    "rating",
    "phone",
    "email",
    "id",
)  # read by their form
# as a value they say too little by themselves
_COMMON = frozenset(
    "yes no not none other any all some new old good bad on off true false open first second third last done one other in at and or the a i "
    "need want name type number day time date place area food free play check book date seat am pm th st nd rd is it to of for with by "
    "是 有 无 否 没有 好 不 三 五 六 日 一 二 四 一般 普通 便宜点 天 人 位 特别的".split()
)
_COMPARED = lazy(
    r"(?:\b(?:less|more|not too|not so|not very|too|than|least|most|not as|as|compared to|versus|vs|instead of|rather than|other than|besides|except|except for|not|but no|nothing)(?: the)?|不太|不要太|太|比较不|哪[个家些款]更|没那么|没有那么)\s*$"
)
_COMPARED_BEHIND = lazy(r"\s*(?:than\b|er than\b)")


def known_values(turn: Turn) -> Iterator[Said]:
    """A reader: listed values in the turn's words. Several of one slot that are not joined leave open which counts."""
    found = [s for s in _found(turn) if not discounted(turn.text, turn.low, s.slot, s.value, s.start, s.end)]
    values: dict[SlotProfile, set[str]] = {}
    for one in found:
        values.setdefault(one.slot, set()).add(str(one.value).lower())
    for one in found:
        if one.slot.spec.many or len(values[one.slot]) == 1:
            yield one


def _found(turn: Turn) -> Iterator[Said]:
    done: set[int] = set()
    mails = [e for e in expressions(turn.low) if e.kind == "email"]
    for i, mention in enumerate(turn.mentions):
        if i in done or any(e.start <= mention.start < e.end for e in mails):
            continue  # whose address it is does not say whose name is asked
        slots = _slots(turn, mention)
        if not slots or _is_common(turn, mention, slots) or _is_compared(turn, mention):
            continue
        if _inside_a_name(turn, mention) or _begins_a_name(turn, mention) or _inside_cued(turn, mention):
            continue
        claim = choose(turn, slots, mention.start, mention.end, {k.slot for k in mention.known})
        if claim is None or _is_noun(turn, mention, claim.slot, claim.label):
            continue
        low = mention.start
        if claim.slot.kind in ("free", "choice") and not claim.slot.closed:
            low = _widened(turn, mention, claim.slot)
            if not has_han(turn.low) and _several(turn, mention, claim.slot):
                continue
            if _AND_MORE.match(turn.low, mention.end) and not any(
                m.start > mention.end and m.known[0].slot is not claim.slot
                for m in turn.mentions[i + 1 : i + 3]
            ):
                continue  # one of several
            if (low == mention.start and not _is_whole(turn, mention, claim.slot)) or _is_ones_own(turn, low):
                continue
        if claim.slot.kind not in ("name", "person") and _CALLED.search(
            turn.low, max(0, mention.start - 10), mention.start
        ):
            continue
        if _BEEN.match(turn.low, mention.end) or _BRACKETED.search(
            turn.low, max(0, mention.start - 12), mention.start
        ):
            continue
        if (
            claim.slot.kind == "name"
            and (ends := turn.notes.get("asked"))
            and all(s.role and s.kind in _OPEN for a in ends for s in a.slots)
        ):
            continue  # it answers where to
        if _is_denied(turn, mention, claim.slot) or _is_torn(turn, mention, claim.slot):
            continue
        speaker = claim.slot.kind == "person" or claim.slot.names[0] == "name"
        if speaker and _is_spoken_to(turn, mention):
            continue
        if speaker and _is_anybodys(turn, mention, claim):
            continue
        value, end = _named(turn, mention, claim.slot), mention.end
        if claim.slot.kind in ("name", "near") and (_elsewhere(turn, mention) or _offered(turn, mention)):
            continue
        if (
            claim.slot.kind == "person"
            and claim.label < 1
            and " " not in turn.low[mention.start : mention.end].strip()
        ):
            continue  # a first name may be anybody's
        introduced = _MY_NAME.search(turn.low, max(0, mention.start - 16), mention.start)
        if claim.slot.kind in ("name", "near") and _begins_many(claim.slot, value):
            continue  # the town, of which many are called after
        if introduced and claim.slot.kind in ("name", "near", "person") and not claim.slot.own & SPEAKER:
            continue
        if branch := _BRANCH.match(turn.text, end):
            end = branch.end()
            value = _listed(claim.slot, turn.text[mention.start : end])
        start = low
        if start < mention.start:
            value = turn.text[start:end]
        if not claim.slot.closed and has_han(value):  # 叫醒服务和吹风机: two of one slot
            for n in range(i + 1, len(turn.mentions)):
                other = turn.mentions[n]
                same = next((k.value for k in other.known if k.slot is claim.slot), None)
                if same is None or not _JOINED.fullmatch(turn.low, end, other.start):
                    break
                done.add(n)
                value, end = _and(value, same), other.end
            if claim.slot.kind in ("free", "choice"):
                if more := _MORE_BEHIND.match(turn.text, end):
                    value, end = _and(value, more[1]), more.end(1)
                if more := _MORE_BEFORE.search(turn.text, max(0, start - 16), start):
                    value, start = _and(more[1], value), more.start(1)
        yield Said(claim.slot, _said(turn, claim.slot, value, start, end), start, end, start, end, SURE)
        if (many := _how_many(turn, claim.slot, start, end)) is not None:
            yield many


_NUMBER = r"(?:[0-9]{1,3}|one|two|three|four|five|six|seven|eight|nine|ten|eleven|twelve)"
_MANY_BEFORE = lazy(
    rf"(?<![\w.:$-])(?P<n>{_NUMBER})(?: (?:small|medium|large|regular|extra|more|pieces? of|orders? of|pcs(?: of)?|units? of))* $|(?P<h>[0-9]{{1,3}}|[一二两三四五六七八九十]{{1,3}})(?:个|份|件|杯|瓶|碗|盘|台|套|只|块)(?:大|中|小)?份?$"
)
_MANY_BEHIND = lazy(
    rf"\s*(?:x |quantity |qty )?(?P<n>{_NUMBER})(?: (?:pieces|pcs|nos|units))?(?=\s*(?:$|[,.;!]|and\b|please\b))|(?P<h>[0-9]{{1,3}}|[一二两三四五六七八九十]{{1,3}})(?:个|份|件|杯|瓶|碗|盘|台|套|只|块)"
)


def _how_many(turn: Turn, slot: SlotProfile, start: int, end: int) -> Said | None:
    """How many of a listed thing are wanted ("2 lemonades", 三份炒饭), where its type counts pieces."""
    if slot.kind not in ("free", "choice", "name") or slot.own & SPEAKER:
        return None
    beside = turn.profiles.types[slot.type].slots
    counts = [s for s in beside if s.kind == "count" and (s.counted == "piece" or "数量" in s.names)]
    found = _MANY_BEFORE.search(turn.low, max(0, start - 24), start)
    if found is None and not any(s.kind == "price" for s in beside):  # "travel 80" may be what it costs
        found = _MANY_BEHIND.match(turn.low, end)
    if len(counts) != 1 or counts[0].closed or found is None:
        return None
    low, high = found.span("n" if found["n"] else "h")
    lead = re.search(r"([a-z0-9'’]+) $", turn.low[max(0, low - 16) : low])
    if lead is not None and low < start and lead[1] not in _OPENS | _AROUND | _SIZES:
        return None  # "zx 250 keyboards": it is part of a name
    if len(_COUNTS.findall(turn.low, *sentence_of(turn.text, start, end))) > 1:
        return None  # of several things, each has its own
    return Said(counts[0], turn.text[low:high], low, high, low, high, SURE)


_COUNTS = lazy(rf"(?<![\w.:$-]){_NUMBER}(?= [a-z])")


_AND_MORE = lazy(rf"\s*(?:,|and|&) (?:{_NUMBER}|an?) [a-z]")
# a noun phrase begins behind these
_OPENS = frozenset("a an some any the order want need like get have add and with plus of buy take".split())
_NO_MODIFIER = frozenset(
    "good nice great best other another more extra same my your our their his her its this that these those i you we me us is are am be it no not "
    "please also just for to in on at from by or but so if yes ok okay hi hello all each every half new".split()
)


def _widened(turn: Turn, mention: Mention, slot: SlotProfile) -> int:
    """Where the noun phrase begins whose head is the listed word: "sweet chili wings" where wings are listed."""
    if has_han(turn.low[mention.start : mention.end]) or not turn.low[mention.start : mention.end].isalpha():
        return mention.start
    if re.match(r"\s+(?!and\b|with\b|please\b|for\b|or\b|on\b|in\b|at\b)[a-z]", turn.low[mention.end :]):
        return mention.start  # it is no head
    first, _ = clause_of(turn.text, mention.start, mention.end)
    words = list(re.finditer(r"[a-z0-9'’]+", turn.low[first : mention.start]))
    low = mention.start
    for n, word in enumerate(reversed(words)):
        said = word[0]
        if said in _OPENS or said.isdigit() or number_of(said) is not None:
            return low
        if n == 3 or said in _NO_MODIFIER or said in _SIZES or stem(said) in slot.words:
            break
        if any(m.start <= first + word.start() < m.end for m in turn.mentions):
            break
        low = first + word.start()
    return mention.start


def _several(turn: Turn, mention: Mention, slot: SlotProfile) -> bool:
    """Whether the sentence has other listed values of the slot: which of them counts is open."""
    first, last = sentence_of(turn.text, mention.start, mention.end)
    said = {
        k.value
        for m in turn.mentions
        if first <= m.start < last and not turn.low[m.start : m.end].isdigit()
        for k in m.known
        if k.slot is slot
    }
    return not slot.spec.many and len({key(value) for value in said}) > 1


_ONES_OWN = lazy(
    r"\b(?:check|change|cancel|confirm|know|see|update|verify|view)\b(?: (?:on|about|out))? (?:my|our|the) $|(?:查|改|取消|确认|更换|更改)(?:一?下)?我们?的$"
)


def _is_ones_own(turn: Turn, start: int) -> bool:
    """Whether what one has is spoken of ("check my seat"), not what it is to be."""
    return _ONES_OWN.search(turn.low, max(0, start - 30), start) is not None


# X我去过了: another is wanted
_BEEN = re.compile(r"[，,]?(?:我们?|咱们?)?(?:都|已经?|以前|之前)*[去吃玩看住来]过")


_BRACKETED = re.compile(r"[(（][^()（）]*$")  # 天坛 in a name of a branch


def _begins_many(slot: SlotProfile, value: str) -> bool:
    return has_han(value) and sum(v.startswith(value) for v in slot.values) > 3


# a name goes on with its branch
_BRANCH = re.compile(r"\s?[(（][^()（）]{1,24}[)）]")
_JOINED = re.compile(r"\s*(?:和|与|及|以及|还有|、|,|，|\band\b|&)\s*")


# a listed value and one that is not: 提供会议室和行李寄存服务
_MORE_BEHIND = re.compile(
    r"(?:服务|设施)?(?:和|、|及|与|以及|还有)(?:有|提供|带|含)?([一-鿿A-Za-z0-9]{2,8}?)(?=服务(?:的|，|。|吗|$)|的|，|。|吗|么|$)"
)
_MORE_BEFORE = re.compile(
    r"(?:提供|有|包含|包括|带|具备|含|要)([一-鿿A-Za-z0-9]{2,8}?)(?:服务|设施)?(?:和|、|及|与|以及)(?:有|提供)?$"
)


def _and(first: str, second: str) -> str:
    return f"{first}、{second}" if has_han(first) else f"{first}, {second}"


def _slots(turn: Turn, mention: Mention) -> dict[SlotProfile, None]:
    """The slots that may hold what is mentioned: those that list it, and texts of the same kind."""
    listing = [
        k.slot
        for k in mention.known
        if not k.slot.curated and (k.slot.kind not in _TYPED or not _numeric(k.slot))
    ]
    slots = dict.fromkeys(listing)
    for kind in {s.kind for s in listing} & set(_OPEN):
        for near in ("city", "place") if kind in ("city", "place") else (kind,):
            slots.update(
                dict.fromkeys(
                    s for s in turn.profiles.by_kind.get(near, ()) if not s.closed and not s.curated
                )
            )
    if any(s.kind in ("name", "near", "place") for s in listing):
        ends = [
            s
            for kind in ("place", "city")
            for s in turn.profiles.by_kind.get(kind, ())
            if s.role and not s.closed
        ]
        slots.update(dict.fromkeys(s for s in ends if not s.curated))
    return slots


def _said(turn: Turn, slot: SlotProfile, value: str, start: int, end: int) -> str:
    """What is kept: a text of Latin letters as it was said, else the listed spelling."""
    words = turn.text[start:end]
    return value if slot.closed or has_han(words) or "," in value else words


_CALLED = re.compile(r"(?:\b(?:called|named)(?: the)?|名叫|名为|叫做?|叫作)\s*$")
_MY_NAME = re.compile(r"(?:my name(?: is|['’]s)|i am|i['’]m|this is|我叫|我是|我的名字[是叫])\s*$")


_AROUND = frozenset(
    "a an the some any of for with in on at and or to is are be i want need like would have get find book order add as please food restaurant place style "
    "type kind one that serves serving serve my it good great nice cheap dinner lunch something thanks about by from looking eat play listen hear watch".split()
)


def _is_whole(turn: Turn, mention: Mention, slot: SlotProfile) -> bool:
    """Whether the listed words are the whole phrase: "barbecue" of "tangy barbecue sauce" is not."""
    if has_han(turn.low[mention.start : mention.end]):
        return True
    before = re.search(r"([a-z'’]+|[0-9]+)\s+$", turn.low[max(0, mention.start - 20) : mention.start])
    behind = re.match(r"\s+([a-z'’]+|[0-9]+)", turn.low[mention.end : mention.end + 20])
    for found, at in ((before, mention.start - 2), (behind, mention.end + 1)):
        if found is None or found[1] in _AROUND or found[1].isdigit() or number_of(found[1]) is not None:
            continue
        other = next((m for m in turn.mentions if m.start <= at < m.end), None)
        if other is not None and any(k.slot is slot for k in other.known):
            return False  # two listed words of one slot are one longer phrase
        if other is not None and turn.low[mention.start : mention.end] in _SIZES:
            continue  # "large pies": how big and what
        open_too = other is not None and any(k.slot.kind == "free" and not k.slot.closed for k in other.known)
        if open_too and found[1] not in _SIZES:
            return False  # and so are those of two open ones, but for sizes
        if other is not None or stem(found[1]) in slot.words:
            continue
        return False
    return True


_WITHOUT = re.compile(r"exclud|without|avoid|allerg|remov|忌|不含|不要")
_DENIES = re.compile(
    r"\b(?:no|not|without|hold|remove|exclude|excluding|except|minus|avoid|skip|free of|allergic to|don['’]?t (?:want|add|put|include))\b|不|别|忌|去掉"
)
_CANCELLED = re.compile(
    r"\b(?:cancel|remove|drop|skip)\b(?: (?:the|my|a|an|those|that|this))?(?: [a-z]+(?:,| and| or)(?: (?:the|my|a|an))?)?\s*$"
)
_OVER = re.compile(r"\b(?:that(?:['’ ]?s| is)?|thats) (?:all|it|everything)(?: for)?\s*$")


def _is_denied(turn: Turn, mention: Mention, slot: SlotProfile) -> bool:
    """Whether the words are taken back ("cancel the fries"), or the slot is for what is left out and nothing says so."""
    first, _ = sentence_of(turn.text, mention.start, mention.end)
    before = turn.low[first : mention.start]
    if _CANCELLED.search(before) or _OVER.search(before):
        return True
    if not any(_WITHOUT.search(name) for name in slot.names):
        return False
    behind = turn.low[mention.start : mention.end + 6]
    return _DENIES.search(before[-40:]) is None and not re.search(r"\bfree\b|\bno\b|不", behind)


_PIECE_BEHIND = re.compile(r"\s+[a-z0-9]{1,3}(?=\s|$)")


def _is_torn(turn: Turn, mention: Mention, slot: SlotProfile) -> bool:
    """Whether the listed words are a piece of an id, or of a short message that is a longer name."""
    if slot.closed or has_han(turn.low):
        return False
    words = turn.low[mention.start : mention.end]
    if (
        slot.kind in ("free", "choice", "name")
        and re.search(r"\b\d", words)
        and re.search("[a-z]{3}", words)
        and not _numeric(slot)
    ):
        return True  # an example that took its number along ("2 pies" beside "pie")
    if slot.kind == "id":
        behind = _PIECE_BEHIND.match(turn.low, mention.end)
        return behind is not None and behind[0].strip() not in _AROUND
    if slot.kind == "address":
        beside = (turn.low[: mention.start].split()[-1:], turn.low[mention.end :].split()[:1])
        return any(w.isalpha() and w not in _AROUND for side in beside for w in side)
    said = _WORDS.findall(turn.low)
    inside = _WORDS.findall(turn.low[mention.start : mention.end])
    if (
        slot.kind not in ("name", "person", "free")
        or turn.last is not None
        or len(said) > 3
        or len(said) == len(inside)
    ):
        return False
    around = _WORDS.findall(turn.low[: mention.start]) + _WORDS.findall(turn.low[mention.end :])
    return any(
        w not in _AROUND and not w.isdigit() and number_of(w) is None and w not in _SIZES for w in around
    )


_WORDS = re.compile(r"[a-z0-9'’]+")
_SIZES = frozenset(
    "small medium large big little regular mini extra family giant jumbo tall short huge yes no ok okay yeah sure thanks please sir madam hi hello".split()
)


_SPOKEN_TO = lazy(
    r"\b(?:hi|hello|hey|dear|thanks|thank you|thank u|bye|sorry|please) $|(?:你好|谢谢|您好|再见)[，,]?$"
)
_SPOKEN_TO_BEHIND = lazy(r",? (?:thank|thanks|please|can you|could you)\b|[，,]?(?:谢谢|你好|您好)")


def _is_spoken_to(turn: Turn, mention: Mention) -> bool:
    """Whether somebody is addressed by the name: "hi Sam", 谢谢小王."""
    return _SPOKEN_TO.search(turn.low, max(0, mention.start - 12), mention.start) is not None or (
        mention.start > 0 and _SPOKEN_TO_BEHIND.match(turn.low, mention.end) is not None
    )


def _is_anybodys(turn: Turn, mention: Mention, claim: Claim) -> bool:
    """Whether another type that is talked about as much has a slot of the kind: a name is then nobody's."""
    if claim.label >= 3:
        return False
    talk = talk_of(turn).about(mention.start, mention.end)
    return any(
        s.type != claim.slot.type and not s.closed and talk.get(s.type, 0.0) > claim.topic - 0.5
        for s in turn.profiles.by_kind.get(claim.slot.kind, ())
    )


def _named(turn: Turn, mention: Mention, slot: SlotProfile) -> str:
    """The value as the slot lists it, else the words."""
    return next((k.value for k in mention.known if k.slot is slot), turn.text[mention.start : mention.end])


def _listed(slot: SlotProfile, words: str) -> str:
    said = key(words)
    return next((value for value in slot.values if key(value) == said), words)


def _inside_a_name(turn: Turn, mention: Mention) -> bool:
    """Whether a capitalised word goes on in another: Cambridge of "the Cambridge Punter"."""
    text = turn.text
    if not text[mention.start].isupper() or text.isupper():
        return False
    return re.match(r" (?!I\b)[A-Z][a-z]+", text[mention.end : mention.end + 12]) is not None and not any(
        m.start == mention.end + 1 for m in turn.mentions
    )


def _inside_cued(turn: Turn, mention: Mention) -> bool:
    """Whether the words are a part of what 叫…的店 or 吃… leads to, which is read as a whole elsewhere."""
    for start, end in led_to(turn):
        if start <= mention.start and mention.end <= end and mention.end - mention.start < end - start:
            return True
    return False


_BEHIND_THE = re.compile(
    r" (?!(?:and|or|to|from|in|on|at|for|with|by|please|area|part|side|end|city|town|region|station|airport|train|bus|before|after|that|which|is|where|if|then|of|price|food|i|we)\b)[a-z]{3,}"
)
_POINT_OF_FOOD = re.compile(
    r" (?!(?:part|side|end|area|region|district|section|half|and|or|of|town|city|suburb)\w*\b)[a-z]{3,}"
)


def _begins_a_name(turn: Turn, mention: Mention) -> bool:
    """Whether more words make another name of it: "the cambridge arms", eastern of "eastern european"."""
    low = turn.low
    if low[mention.start : mention.end].endswith("ern") and _POINT_OF_FOOD.match(low, mention.end):
        return True
    return (
        any(known.slot.kind in ("city", "place") for known in mention.known)
        and low[max(0, mention.start - 4) : mention.start] == "the "
        and _BEHIND_THE.match(low, mention.end) is not None
        and not any(m.start == mention.end + 1 for m in turn.mentions)
    )


_REGION = re.compile(r"(?:镇|市|县|省|城区|[东南西北中][部边面方心侧]|待|呆| (?:city|town|area)\b)")


_IS_AT = re.compile(r"(?:现在|正|人|我)在$|往返于?$|于$")


def _elsewhere(turn: Turn, mention: Mention) -> bool:
    """Whether the words are something else than a name: 剑桥 in 剑桥镇, what is listed as a sort as well."""
    if _REGION.match(turn.low, mention.end) or turn.low[mention.start : mention.end] in (
        "免费",
        "便宜",
        "free",
        "cheap",
    ):
        return True
    if _IS_AT.search(turn.low, max(0, mention.start - 3), mention.start):
        return True
    if turn.low[mention.start - 1 : mention.start] == "在" and any(k.slot.role for k in mention.known):
        return True
    kinds = {k.slot.kind for k in mention.known if not k.slot.role}
    return bool(kinds - {"name", "near", "place"}) or any(k.slot.kind == "city" for k in mention.known)


_ABOUT = lazy(
    r"(?:的|周边|附近|地址|电话|评分|价格|营业|怎么|多少|什么|哪|吗|有没有|\?|？)|\b(?:what|where|how|phone|address|postcode|number|does|is it|have)\b"
)


def _offered(turn: Turn, mention: Mention) -> bool:
    """Whether the assistant brought the name up and the user only asks about it."""
    said = turn.low[mention.start : mention.end]
    if not any(said in lowered(m.text) for m in turn.before if m.role == "assistant"):
        return False
    first, last = sentence_of(turn.text, mention.start, mention.end)
    return any(_ABOUT.search(turn.low, *part) for part in ((mention.end, last), (first, mention.start)))


def _numeric(slot: SlotProfile) -> bool:
    return sum(any(ch.isdigit() for ch in v) for v in slot.values) * 2 > len(slot.values) or slot.kind in (
        "date",
        "time",
    )


def _is_common(turn: Turn, mention: Mention, slots: dict[SlotProfile, None]) -> bool:
    said = turn.low[mention.start : mention.end]
    if (
        said in _COMMON
        or said.removesuffix("s") in _COMMON
        or _is_adjective(turn, mention)
        or re.fullmatch(r"[0-9.]+", said)
        or number_of(said) is not None
        or _is_label(turn, mention, slots)
    ):
        return True
    return len(said) < (2 if has_han(said) else 3)


_ADJECTIVE = re.compile(r"[a-z]{2,}(?:ic|ical|ous|ful|able|ible|ive|less)")


def _is_adjective(turn: Turn, mention: Mention) -> bool:
    """Whether a word in lower case only says of what kind the noun behind it is: it is no name."""
    said = turn.text[mention.start : mention.end]
    return (
        all(k.slot.kind == "name" and not k.slot.closed for k in mention.known)
        and _ADJECTIVE.fullmatch(said) is not None
        and re.match(r" [a-z]{3,}", turn.low[mention.end :]) is not None
    )


_LABELLING = re.compile(r"\s+(?:name|number|no|id|code|type|range|date|time)\b")


def _is_label(turn: Turn, mention: Mention, slots: dict[SlotProfile, None]) -> bool:
    """Whether the words name a slot: "company" in "company name"."""
    if _LABELLING.match(turn.low, mention.end):
        return True
    said = turn.low[mention.start : mention.end]
    return all(said in slot.names for slot in slots)


def _is_compared(turn: Turn, mention: Mention) -> bool:
    before = turn.low[max(0, mention.start - 20) : mention.start]
    return _COMPARED.search(before) is not None or _COMPARED_BEHIND.match(turn.low, mention.end) is not None


@lru_cache(maxsize=1)
def _nouns() -> tuple[frozenset[str], frozenset[str]]:
    """Nouns for sorts of things, and those among them that are the everyday word for their sort."""
    every: set[str] = set()
    plain: set[str] = set()
    for thing in things():
        every.update(map(singular, thing.nouns))
        plain.update([singular(n) for n in thing.nouns if not has_han(n)][:2])
        plain.update([n for n in thing.nouns if has_han(n)][:2])
    return frozenset(every), frozenset(plain)


_DEFINITE = re.compile(
    r"(?:\b(?:the|this|that|my|our|your|their|its|said|of|at|from|to|called|named|['’]s)\s*|(?:从|到|去|至|离开|离|在|这家?|那家?|该|叫|名叫|名为|叫做)(?:[一-鿿]{0,3}))$"
)
_SOUGHT_EN = frozenset(
    "a an any some other another different good nice great local cheap expensive moderate find visit see for like want need try is be about or and "
    "certain cool fun interesting star priced type are booking kind there decent fancy multiple several more free".split()
)
_SOUGHT_ZH = frozenset("的个家座所间栋处些种类型是找去逛玩看选订住或和")


def _is_noun(turn: Turn, mention: Mention, slot: SlotProfile, label: float) -> bool:
    """Whether the words are a noun for a sort of thing that here says no value: the everyday word for the type
    itself, part of a name, or what is known already."""
    every, plain = _nouns()
    said = singular(turn.low[mention.start : mention.end])
    own = turn.profiles.types[slot.type]
    if said in {singular(n.lower().replace("_", " ")) for n in (own.type.name, *own.type.aliases)}:
        return True
    if said not in every or slot.kind in ("name", "near") or label >= 3:
        return False
    if said in plain:
        return True
    before = turn.low[max(0, mention.start - 24) : mention.start]
    if _DEFINITE.search(before):
        return True
    return not _is_sought(before.rstrip()) or _TELL_OF.match(turn.low, mention.end) is not None


_TELL_OF = re.compile(r"的(?:电话|地址|邮|编号|号码|名字|名称|信息|位置|联系|价格|评分)")


def _is_sought(before: str) -> bool:
    """Whether a noun behind these words is looked for, and not the end of a name."""
    if not before or before[-1] in _SOUGHT_ZH or not before[-1].isalnum():
        return True
    return before.rsplit(None, 1)[-1] in _SOUGHT_EN | _SIZES


__all__: Sequence[str] = ["known_values"]
