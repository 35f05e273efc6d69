"""Open values behind the words that lead to them: "in San Jose", "from X to Y", "my name is X", 从…到…, 名叫…的, 想吃….

What a phrase leads to is kept as it was said, up to where the phrase ends. Which slot it fills, its kind, the talk
and the prepositions decide.
"""

# ruff: noqa: E501 (a pattern reads best on one line)
from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from functools import lru_cache

from forms_dynamics.extraction.dialogue.choosing import SPEAKER, choose, of_another
from forms_dynamics.extraction.dialogue.everyday import things
from forms_dynamics.extraction.dialogue.places import city_beside, landmark
from forms_dynamics.extraction.dialogue.profile import SlotProfile
from forms_dynamics.extraction.dialogue.topic import talk_of
from forms_dynamics.extraction.dialogue.turn import Said, Turn
from forms_dynamics.extraction.dialogue.wording import singular, stem
from forms_dynamics.language.lazy import lazy
from forms_dynamics.language.normal import has_han

SURE = 0.91
_CAP = r"(?!I\b|I['’]|(?:Can|Could|Will|Would|What|How|Please|Does|Also|Thanks)\b)[A-Z](?:[\w'’&-]|\.(?=\w))*"
_HEAD = r"(?:college|hotel|house|station|restaurant|museum|park|airport|guesthouse|guest house|theatre|theater|street|church|lodge|centre|center|road|school|hospital|beach|mall|club|bar|cafe|gallery|avenue)"
_NAMES = rf"{_CAP}(?:,? (?:(?:of|de|du|la|and|&)(?: the)? |the )?{_CAP})*(?: {_HEAD}\b)?(?: and (?!(?:i|back|then|return|need|leave|arrive|go|come|we|my|it|the|a|also|please|would)\b)[a-z]+(?=\s*(?:[,.?!]|$)))?"
_NO_NAME = re.compile(
    r"(?:I|I['’]\w+|My|The|This|That|It|Monday|Tuesday|Wednesday|Thursday|Friday|Saturday|Sunday|January|February|March|April|May|June|July|August|September|"
    r"October|November|December|AM|PM|OK|Okay|Yes|No|Thanks|Please|What|Where|When|Can|Could|Do|Does|Is|Are|Also|And|But|TV|USD|Dr|Mr|Mrs|Ms)\b"
)
_IN = lazy(
    rf"(?i:\b(?P<p>in|to|from|near|around|for|leaving|visiting|at)) (?:the )?(?:(?:city|town) of |downtown )?(?P<v>{_NAMES})"
)
_STOP = r"(?:to|from|at|on|by|for|and|with|after|before|please|i|that|around|in|leaving|arriving|departing|going|which|so|as|when|if|but|tomorrow|today|tonight|next|this|thanks|thank|then|because|is|are|will|would|do|can|could|it|we|you|my|train|bus|taxi|station)"
_LOWER = lazy(
    rf"\b(?P<p>(?:picked up|pick me up|pick up|pickup|dropped off|drop me off) (?:from|at)|(?:leaving|leave|depart|departing|departure|departs|coming|come|travell?ing|starting|go|going|taxi|cab|ride|train|bus|trip|tickets?|get|me|us|travel|up) from|"
    rf"(?:go|going|travel|travell?ing|get|take me|taking me|taxi|cab|ride|train|trains|bus|trip|ticket|tickets|head|heading|headed|flight|flights|me|us|bound|back|over|drive|drop me|arrive|arriving) (?:to|at)|destination(?: is| of| will be)?|departing|between)"
    rf" (?:the )?(?P<v>(?![a-z]+ (?:a|an|the|my|our|it|us|some|you|your|them|him|one) )(?!(?:the|my|a|an|there|here|it|that|this|any|some|be|go|get|see|find|leave|arrive|book|commute|transport|pick|take|bring|drive|reach|need|call|got|decide|order|reserve|rent|ask|change|cancel|search|try|spend|keep|move|his|her|their|our|your|travel|visit|eat|stay|attend|watch|meet|make|have|pay|use|come|return|depart|check|buy|do|know|help|look|start|plan|walk|fly|ride|play|sleep|work|shop|wait|meet|find|{_STOP})\b)[a-z0-9][a-z0-9'’&.-]*(?: (?!{_STOP}\b)[a-z0-9'’&-]+){{0,5}}?(?: and (?!i\b|my\b|need\b|would\b|go\b|leave\b|arrive\b)[a-z]+(?=\s*(?:[,.?!;]|$|\bto\b|\bfrom\b|\band (?:i|we)\b)))?)(?: train station| station)?(?=\s*(?:[,.?!;]|$|\b{_STOP}\b))"
)
_TO_BEHIND = lazy(
    rf"\s+to (?:the )?(?P<v>(?![a-z]+ (?:a|an|the|my|our|it|us|some|you|your|them|him|one) )(?!(?:the|my|a|an|there|here|it|be|go|get|see|find|leave|arrive|book|commute|transport|pick|take|bring|drive|reach|need|call|got|decide|order|reserve|rent|ask|change|cancel|search|try|spend|keep|move|his|her|their|our|your|travel|visit|eat|stay|attend|watch|meet|make|have|pay|use|come|return|depart|check|buy|do|know|help|look|start|plan|walk|fly|ride|play|sleep|work|shop|wait|meet|find|{_STOP})\b)[a-z0-9][a-z0-9'’&.-]*(?: (?!{_STOP}\b)[a-z0-9'’&-]+){{0,5}}?)(?=\s*(?:[,.?!;]|$|\b{_STOP}\b))"
)
_VAGUE = re.compile(
    r"(?:restaurant|hotel|attraction|there|here|place|home|college|museum|guesthouse|house|airport|station|town|city|centre|center|work|same|other|one|both|either|anywhere|somewhere|my|your|their|two|three|four|five|[0-9]+|first|second|destination|venue|theatre|theater|it|them|centre of town|酒店|景点|餐厅|餐馆|饭店|酒馆|学院|大学|宾馆|旅馆|(?:[这那该此]|我们?|[您你]|.*(?:送|接)我).*|这里|那里|这边|那边|家|公司|机场|火车站|车站|市中心|town centre|city centre)"
    r"(?: (?:restaurant|hotel|attraction|place|area|part|side|of town|one|ones))?|(?:nearest|closest) [a-z ]+|(?:both|either|the|these|those|two)(?: of)? (?:the )?(?:places|locations|ones)"
)
_MY_NAME = lazy(
    rf"(?i:\b(?:my (?:full |first |last )?name(?: is| ['’] ?s|['’]s|:)?|name(?: is|:)|this is|i am|i['’]m|it['’]s under|under (?:the )?name(?: of)?|under)) (?P<v>{_CAP}(?: {_CAP}){{0,2}})(?=\s*(?:[,.!?;]|$|\b(?:and|but|here|from|with|speaking|by)\b))"
)
_MY_NAME_LOWER = lazy(
    r"\bmy (?:full |first |last )?name(?: is| ['’] ?s|['’]s)? (?P<v>(?!(?:is|not|on|for|the|a)\b)[a-z]+(?: (?!(?:and|my|i|from|with|is|account|phone|email|booking|number|the|but)\b)[a-z]+){0,2})(?=\s*(?:[,.!?;]|$|\b(?:and|my|i|from|with|is|account|phone|email|booking|but)\b))"
)
_CALLED = lazy(
    r"\b(?:called|named|by the name of|named as)\s+(?:the )?[\"“']?(?P<v>[A-Za-z0-9][\w'’&.-]*(?: (?!(?:in|on|at|for|is|it|and|that|please|can|could|do|i|to|which|from|located|,)\b)[\w'’&.-]+){0,5}?)[\"”']?(?=\s*(?:[.,?!;]|$|\b(?:in|on|at|for|is|it|and|that|please|can|could|do|i|to|which|from|located)\b))"
)
_AND_CAP = re.compile(r"(?: (?:and|&) [A-Z][\w'’&-]*)+")
_CUISINE = lazy(
    r"\b(?P<v>(?:modern |(?:north|south|east|west)(?:ern)? |central |traditional |asian |latin )?(?:afghan|african|american|arabic|argentinian|asian|australian|austrian|basque|belgian|brazilian|british|cajun|cambodian|cantonese|caribbean|catalan|chinese|colombian|corsican|creole|cuban|czech|danish|dutch|"
    r"egyptian|english|eritrean|ethiopian|european|filipino|finnish|french|fusion|german|greek|halal|hawaiian|hungarian|indian|indonesian|international|iranian|iraqi|irish|israeli|italian|jamaican|japanese|jewish|korean|kosher|laotian|latin|lebanese|malaysian|mediterranean|mexican|middle eastern|mongolian|moroccan|"
    r"nepalese|nigerian|norwegian|oriental|pakistani|panasian|persian|peruvian|polish|polynesian|portuguese|romanian|russian|scandinavian|scottish|seafood|sichuan|singaporean|spanish|sri lankan|sushi|swedish|swiss|syrian|szechuan|taiwanese|thai|tibetan|tunisian|turkish|tuscan|ukrainian|vegan|vegetarian|venetian|vietnamese|welsh))\b"
    r"(?=(?: style| type of| kind of)?(?: and [a-z]+)? (?:food|cuisine|restaurants?|place|places|dish|dishes|meal|dinner|lunch|eatery|diner)\b)|\b(?:serve|serves|serving|eat|have|like|want|try|prefer|some|for|craving) (?P<w>(?:afghan|american|asian|british|chinese|cuban|english|ethiopian|european|french|german|greek|indian|indonesian|italian|jamaican|japanese|korean|lebanese|malaysian|mediterranean|mexican|moroccan|persian|polish|portuguese|russian|seafood|spanish|swedish|sushi|taiwanese|thai|turkish|vegetarian|vietnamese))\b(?! (?:oriental|fusion|man|woman|people|language|movie|film|music|person))"
)
_FROM_TO_ZH = lazy(
    r"从(?P<a>[^，。？！,?!从]{2,24}?)(?:出发|那边|这边)?[，,]?(?:乘坐地铁|坐地铁|乘地铁|打车|坐车|乘车|坐火车|乘火车|叫车|坐飞机|乘坐?|坐)?(?:到达?|去往?|至|前往|飞往|开往|回)(?P<b>[^，。？！,?!到去至的]{2,24}?)(?=的|，|。|？|！|怎么|要|需|坐|打车|乘|用|吃|玩|参观|住|有|吗|吧|呢|最|$|,|之?间)"
)
_CALLED_ZH = lazy(
    r"(?:名叫|名为|名字是|名字叫|叫做|叫作|(?<![醒闹呼])叫(?![个一辆车醒出做下我来]))(?P<v>[^，。？！,?!\s]{2,24}?)(?=的(?:酒店|餐馆|餐厅|饭店|景点|地方|宾馆|旅馆|公园|电影|歌|店|剧)|，|。|？|$|,)"
)
_DISH_ZH = lazy(
    r"(?:想吃点?|想要吃|吃到|爱吃|要吃|去吃|吃|品尝|尝尝|能做|点个)(?P<v>[^，。？！,?!的吗么呢吧\s]{2,16}?)(?=的|，|。|？|！|吗|么|呢|吧|$|,|还有|请|帮|，|就[行好可])|有(?P<w>[^，。？！,?!的有]{2,12}?)(?=这道菜|这个菜|这两道菜)"
)
_NO_DISH = re.compile(
    r"^(?:就|着|太|到|过|起|进行)|[她他我你您它饭饱完点顿些别想去得个了家店馆]|一口|味道|附近|周边|一下|美味|特色|当地|东西|什么|好吃|不|这|那|早餐|午餐|晚餐|美食|大餐|晚上|中午"
)
_THESE = re.compile(r"(?:这[一二两三几]?[道个种样](?:菜|东西)?|等)$")
_AND_ZH = re.compile(r"和|、|与|以及|还有|跟")


def led_to(turn: Turn) -> list[tuple[int, int]]:
    """Where the names and dishes stand that Chinese words lead to."""
    made: list[tuple[int, int]] | None = turn.notes.get("led_to")
    if made is None:
        made = []
        if has_han(turn.low):
            made += [m.span("v") for m in _CALLED_ZH.finditer(turn.low)]
            if any(_DISH.search(" ".join(s.names)) for s in turn.profiles.by_kind.get("free", ())):
                for found in _DISH_ZH.finditer(turn.low):
                    start, end = found.span("v" if found["v"] else "w")
                    if not _no_dish(turn, start, end):
                        made.append((start, end))
        turn.notes["led_to"] = made
    return made


def cued(turn: Turn) -> Iterator[Said]:
    """A reader: values behind leading words."""
    text, low = turn.text, turn.low
    by_kind = turn.profiles.by_kind
    places = _open(turn, "city", "place")
    if places:
        for found in _IN.finditer(text):
            start, end = found.span("v")
            if city := _CITY_BEHIND.match(text, end):
                end = city.end()
            if not _NO_NAME.match(text, start, end) and not _no_place(text, found["p"].lower(), start, end):
                fit = [s for s in places if s.kind == "place"] if found["p"].lower() == "at" else places
                if text[:start].endswith(" the ") and not _TOWN.search(text, found.start(), start):
                    fit = [s for s in fit if s.kind != "city"]
                yield from _given(turn, _of_sort(turn, fit, text[start:end]), start, end, found.start())
        ends = [s for s in places if s.role]
        if ends:
            for found in _LOWER.finditer(low):
                yield from _way(turn, ends, *found.span("v"), found.start())
                if more := _TO_BEHIND.match(low, found.end("v")):
                    yield from _way(turn, ends, *more.span("v"), found.end("v"))
            for found in _FROM_TO_ZH.finditer(low):
                yield from _way(turn, ends, *found.span("a"), found.start())
                yield from _way(turn, ends, *found.span("b"), found.start("b"))
    speakers = [s for s in _open(turn, "person", "name") if s.own & SPEAKER or s.names[0] == "name"]
    if speakers:
        for pattern, said in ((_MY_NAME, text), (_MY_NAME_LOWER, low)):
            for found in pattern.finditer(said):
                start, end = found.span("v")
                if not _NO_NAME.match(text, start, end):
                    yield from (
                        one for one in _given(turn, speakers, start, end, found.start())
                        if not _anybodys(turn, one, speakers)
                    )  # fmt: skip
    names = [s for s in _open(turn, "name") if not s.own & SPEAKER]
    if names:
        for pattern in (_CALLED, _CALLED_ZH):
            for found in pattern.finditer(text):
                start, end = found.span("v")
                if more := _AND_CAP.match(text, end):
                    end = more.end()
                yield from _given(turn, names, start, end, found.start())
    for found in _CUISINE.finditer(low):
        name = "v" if found["v"] else "w"
        if any(m.start < found.end(name) and found.start(name) < m.end for m in turn.mentions):
            continue  # a listed value
        foods = [
            s
            for k in ("free", "choice", "name")
            for s in by_kind.get(k, ())
            if not s.curated and not s.closed and _of_food(s)
        ]
        yield from _given(turn, foods, *found.span(name), found.start(name))
    dishes = [
        s
        for s in by_kind.get("free", ())
        if not s.curated and not s.closed and _DISH.search(" ".join(s.names))
    ]
    if dishes:
        for found in _DISH_ZH.finditer(low):
            yield from _dishes(turn, dishes, *found.span("v" if found["v"] else "w"), found.start())


_CITY_BEHIND = re.compile(r"(?i:(?<=york)|(?<=mexico)|(?<=kansas)) city\b")
# "for Angels Vs Sox", "to the Jordan Rakei event", "interested in Games"
_NO_PLACE_BEFORE = lazy(
    r"\b(?:interested in|similar to|(?:looking|look|search|searching) for)\s+(?:the\s+)?$", re.I
)
_NO_PLACE_BEHIND = lazy(
    r"[\w '’&.-]*?\s+(?:vs\.?|versus|event|game|concert|match|show|movie|film|song|album|food|cuisine|tickets?)\b",
    re.I,
)
_IN_A_NAME = re.compile(r"[A-Z]\w* (?:In|To|From|For|At|Around)(?: [Tt]he)? $")  # "Girl In Red"
_TOWN = re.compile(r"\b(?:city|town|downtown)\b")
_VERSUS = re.compile(r"\b(?:vs|versus)\b", re.I)
_STAYING = re.compile(
    r"\b(?:hotel|inn|motel|hostel|suites|restaurant|ristorante|trattoria|bistro|apartments?|cafe|diner|grill|resort|lodge)\b",
    re.I,
)


def _no_place(text: str, before: str, start: int, end: int) -> bool:
    """Whether a name behind a preposition is what is done or seen, not where."""
    if _VERSUS.search(text, start, end) or _NO_PLACE_BEHIND.match(text, end - 1, min(len(text), end + 16)):
        return True
    lead = text[max(0, start - 24) : start]
    if _IN_A_NAME.search(lead):
        return True
    return before in ("for", "to", "in") and _NO_PLACE_BEFORE.search(lead) is not None


def _of_sort(turn: Turn, slots: Sequence[SlotProfile], words: str) -> list[SlotProfile]:
    """The slots that hold such a place: a station or a street is no city; a place of a type that has a city
    beside it is more than one; where the type itself has a name, a hotel is no place of a hotel."""
    mark = landmark(words)
    out = []
    for slot in slots:
        beside = turn.profiles.types[slot.type].slots
        if mark and slot.kind == "city" and any(s.kind in ("place", "address") for s in beside):
            continue
        if not mark and slot.kind in ("place", "address") and city_beside(turn.profiles, slot) is not None:
            continue
        if (sort := _STAYING.search(words)) and any(
            s.kind == "name" and stem(sort[0].lower()) in s.words for s in beside
        ):
            continue
        out.append(slot)
    return out


_OWNED = re.compile(r"\s?['’]\s?s\b((?: (?:(?:and|&|of) )?[A-Z][\w&-]*)*)")


@lru_cache(maxsize=1)
def _things() -> frozenset[str]:
    return frozenset(singular(noun) for thing in things() for noun in thing.nouns if " " not in noun)


def _is_thing(low: str) -> bool:
    return singular(low.removeprefix("the ").strip()) in _things()


_FOOD = frozenset(("food", "cuisin", "cuisine"))
_DISH = re.compile(r"菜(?!系|单)|\bdish")


def _dishes(turn: Turn, slots: Sequence[SlotProfile], start: int, end: int, low: int) -> Iterator[Said]:
    """What is to be eaten: 鸳鸯锅和虾滑 are two."""
    if these := _THESE.search(turn.low, start, end):
        end = these.start()
    parts = [part for part in _AND_ZH.split(turn.text[start:end]) if part]
    if not parts or _no_dish(turn, start, end):
        return
    for one in _given(turn, slots, start, end, low):
        yield replace(one, value="、".join(parts))


# 尝尝北京的味道: what stands before is whose
_WHOSE = re.compile(r"的(?!餐|饭|店|地方|馆|菜馆|人|那|这|话|$|[，。？！,])")


def _no_dish(turn: Turn, start: int, end: int) -> bool:
    return _NO_DISH.search(turn.low[start:end]) is not None or _WHOSE.match(turn.low, end) is not None


def _anybodys(turn: Turn, one: Said, slots: Sequence[SlotProfile]) -> bool:
    """Whether another type that is talked about as much has a slot for the speaker's name too."""
    talk = talk_of(turn).about(one.start, one.end)
    rivals = [talk.get(s.type, 0.0) for s in slots if s.type != one.slot.type]
    return max(rivals, default=-1.0) > talk.get(one.slot.type, 0.0) - _APART


_APART = 0.5


def _of_food(slot: SlotProfile) -> bool:
    return bool(_FOOD & slot.own) or ("categ" in "".join(slot.own) and bool(_FOOD & slot.words))


def _open(turn: Turn, *kinds: str) -> list[SlotProfile]:
    return [
        s for kind in kinds for s in turn.profiles.by_kind.get(kind, ()) if not s.closed and not s.curated
    ]


def _way(turn: Turn, slots: Sequence[SlotProfile], start: int, end: int, low: int) -> Iterator[Said]:
    if not _VAGUE.fullmatch(turn.low[start:end]):
        yield from _given(turn, slots, start, end, low)


def _given(turn: Turn, slots: Iterable[SlotProfile], start: int, end: int, low: int) -> Iterator[Said]:
    if more := _OWNED.match(turn.text, end):
        if not more[1]:
            return  # an owner is half of a name
        end = more.end()
    if _is_thing(turn.low[start:end]):
        return  # "the gallery" is one that was told before
    while end > start and turn.text[end - 1] in " .'’":
        end -= 1
    if end - start < 2 or any(ch in turn.text[start:end] for ch in "，。？！\n@"):
        return
    if turn.text[end : end + 1] == "@":
        return  # the beginning of an e-mail address
    claim = choose(turn, slots, start, end)
    if claim is not None and not of_another(turn, claim, start, end):
        yield Said(claim.slot, turn.text[start:end], start, end, min(low, start), end, SURE)


__all__ = ["cued"]
