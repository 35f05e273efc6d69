"""The words of an answer that are its value: a minimal phrase without what leads to it and what trails behind.

"I'd like something in San Jose, please" answers with "San Jose", 住在朝阳区吧 with 朝阳区. Silence where more is left
than a name or a noun phrase.
"""

# ruff: noqa: E501 (a pattern reads best on one line)
from __future__ import annotations

import re
from collections.abc import Callable

from forms_dynamics.language.lazy import lazy

Span = tuple[int, int]

_FILLER = (
    r"(?:yes|yeah|yep|yup|no|nope)(?=[ ,.!;—-]*(?:[,.!;—-]|(?:i|we|it|my|please|thanks|thank|that|this|in|at|on|for|to|the)\b))|sure(?: thing)?|ok|okay|alright|right|well|um+|uh+|hmm+|oh|hi|hello|hey|please|thanks(?: a lot)?|thank you(?: very much| so much)?|"
    r"great|perfect|cool|awesome|good|so|actually|and|but|also|sorry|let me (?:see|think)|let['’ ]?s see|i (?:think|guess|believe|suppose|mean|said)|maybe|just|only|"
    r"of course|absolutely|certainly|definitely|oops|it (?:has to|needs to|must|should) be|preferably|probably|nothing fancy|that (?:has to|needs to|must|should) be"
)
_WANT = (
    r"(?:i|we)(?:['’ ]{0,3}(?:d|ll|m|re|ve)| would| will| am| are| do| can| could| should| shall| was| were|['’]d)?(?: also| really| just| only| still| definitely| probably| usually| currently| now| actually| rather)*"
    r"(?: be)? (?:like|love|prefer|want|need|take|choose|chose|chosen|select(?:ed)?|pick(?:ed)?|opt for|enrolled?|enroll in|have|go|going|looking|hoping|planning|planned|aiming|leaving|departing|travel(?:l?ing)?|arriving|coming|heading|headed|flying|staying|living|located|interested|searching|requesting|reporting|seeking|trying|thinking|go with|rather|working|based|currently|book|reserve|see|watch|hear|visit|stay|eat|dine|try|use|pay|be|play|rent|buy|find|search|request|enjoy|get)\b"
    r"(?: to(?: \w+){0,2}?(?= (?:in|at|to|from|for|with|on|near|around|a|an|the|some)\b)| it to be| to (?:be|go with|go|select|choose|pick|enroll|see|watch|hear|visit|stay|eat|dine|have|try|find|book|travel|leave|depart|arrive|use|pay|get|search|look|buy|rent|play|reserve|request|report)(?: to)?)?"
)
_FRAME = (
    r"(?:it|that|this|they|he|she)(?: ?['’] ?s| is| was| were| are| will be| would be| should be|['’]ll be|['’]d be|['’]re)(?: called| named)?|"
    r"there (?:will be|are|is|would be)|make (?:it|that)|let['’ ]?s (?:do|go with|say|make it|try|see)|(?:how|what) about|go with|i['’]ll take|(?:give|show|get|find|play|book) me|look(?:ing)? for|"
    r"search(?:ing)?(?: for)?|find|check|try|something|anything|somewhere|a place|located|live|be|preferably|ideally|call(?:ed)?|named"
)
_OF = r"(?:my|our|the|his|her|their)(?: [a-z'’]+){1,6}?(?: ?['’] ?s| is| are| was| were| will be| would be| should be)(?: called| named)?"
_PREPOSITION = r"in|at|on|to|from|for|by|near|around|into|with|of|about|as|until|before|after"
_LEAD = lazy(
    rf"(?:(?:(?:{_FILLER})\b|{_WANT}|(?:{_FRAME})\b|{_OF}(?= )|(?:{_PREPOSITION}|an?|some|the|any)\b(?!-)|[\s,.!;:—–\"“-]+|'(?=\s)))*",
    re.I,
)
_TAIL = lazy(
    r"(?:[\s,.!;:?\"”—-]|\b(?:please|thanks(?: a lot)?|thank you(?: very much| so much)?|thx|(?:would|will) (?:be|do|work)(?: just)?(?: (?:great|fine|nice|perfect|good|ok|okay|best|ideal|lovely|wonderful))?|"
    r"(?:is|sounds?|seems?|looks?|are)(?: just| really| pretty)? (?:fine|good|great|ok|okay|perfect|nice|best|lovely|wonderful)|works?(?: (?:for me|well|fine|best|great))?|for me|instead|then|if (?:possible|you can|available)|"
    r"now|actually|i (?:think|guess|believe)|as well|too|is (?:my|the) (?:name|preference|choice|one)|one|only))+$",
    re.I,
)
# words of a sentence, of which no name is made
_SENTENCE = lazy(
    r"\b(?:i|you|we|me|us|it|he|she|they|them|is|are|was|were|be|am|do|does|did|have|has|had|want|need|would|could|can|will|should|may|might|must|what|which|who|where|when|how|why|whether|if|because|"
    r"not|don|doesn|didn|isn|aren|any|anything|something|nothing|none|everything|one|ones|that|this|these|those|it's|here|there|both|either|neither|same|other|another|more|else|nevermind|never|"
    r"sure|sorry|yes|no|ok|okay|please|thanks|thank|hello|hi|bye|goodbye|know|think|tell|find|book|give|show|make|let|get|go|see|look|help|change|start|stop|continue|proceed|wait|cancel|later|maybe|idea|matter|care|preference|preferably|vs|"
    r"nope|yep|yeah|yup|confirm|ahead|fine|good|great|perfect|options?|available|anywhere|somewhere|whatever|whichever|correct|right|wrong|my|your|our|their|his|her|its)\b|n['’]t\b|['’ ](?:m|re|ve|ll|d)\b",
    re.I,
)
_WORD = re.compile(r"[^\W_]+(?:['’.&/-][^\W_]+)*|#", re.UNICODE)
_LEAD_ZH = lazy(
    r"(?:嗯+|好的?|是的?|对的?|行|哦|啊|呃|那|就|我们?|咱们?|想要?|要|需要|希望|打算|准备|计划|喜欢|比较|偏好|选择?|订|预订|预定|找|住|去|到|在|从|往|飞|坐|乘|吃|看|买|叫做?|是|请|帮|给|麻烦|您|你|"
    r"一家|一个|一张|一部|一下|的话|应该|大概|大约|一般|主要|最好|可以|能|名字|姓名|[，,。.!！、：:\s])*"
)
_TAIL_ZH = lazy(
    r"(?:的|吧|呢|啊|呀|哦|了|就行|就好|就可以|可以|即可|谢谢您?|那边|这边|附近|左右|出发|这家|这个|票|的话|好了|[，,。.!！、：:？?\s])+$"
)
_HEARD_ZH = re.compile(
    r"^(?:都|已经?)?(?:记|知道|收到|明白|了解|清楚|懂)|的(?:地方|景点|餐厅|餐馆|饭店|酒店|宾馆|旅馆|店|电影|剧|车|航班)$"
)
_SENTENCE_ZH = lazy(
    r"[我你您他她它吗呢什么哪谁怎不没有想要能会是说请问帮给让把和跟]|多少|推荐|随便|都行|都可以|无所谓|查|介绍"
)


def bare(text: str, start: int, end: int, most: int) -> Span | None:
    """The noun phrase that ``text[start:end]`` comes down to, of at most ``most`` words; None where it is none."""
    start, end = stripped(text, start, end)
    said = text[start:end]
    words = _WORD.findall(said)
    if not words or len(words) > most or _SENTENCE.search(said):
        return None
    return start, end


def stripped(text: str, start: int, end: int) -> Span:
    """Without what leads to a value and what trails behind it."""
    lead = _LEAD.match(text, start, end)
    if lead is not None:
        start = lead.end()
    tail = _TAIL.search(text[start:end])
    if tail is not None:
        end = start + tail.start()
    return start, end


_COPULA = lazy(
    r"(?<=\w)(?: ?['’] ?s| is| are| was| were| will be| would be| should be| has been| have been)(?: called| named| just| about| currently)?\s+",
    re.I,
)
_BEFORE_NOUN = lazy(
    r"(?:(?:for|as|with|through|from|in|at|on|by|of)\s+(?!\w+ing\b))?(?:(?:an?|the|my|our|his|her|their)\s+)?",
    re.I,
)
_POINTING = lazy(r"(?:it|this|that|they|these|those)\b", re.I)
_OPENERS = lazy(rf"(?:(?:{_FILLER})\b|[\s,.!;:—–-]+)+", re.I)
_AFTER = lazy(
    r",? (?:but|because|so that|although|though|since|which|who|as|and (?:i|we|it|my|our|he|she|they|there|that|no|yes|the))\b|, (?:so|as|which|i|we|it)\b",
    re.I,
)


def openers(text: str, start: int, end: int) -> Span:
    """Without interjections at the beginning and the mark at the end."""
    if lead := _OPENERS.match(text, start, end):
        start = lead.end()
    return start, start + len(text[start:end].rstrip(" .,!;:?。，！"))


_RELATIVE = lazy(r"\w\s+(?:that|which|who)$", re.I)


def complement(
    text: str, start: int, end: int, echo: frozenset[str], of: Callable[[str], frozenset[str]]
) -> Span | None:
    """What a sentence says its subject is, where the subject takes up words of the question ("The topic is X")."""
    start, end = openers(text, start, end)
    for found in _COPULA.finditer(text, start, end):
        subject = text[start : found.start()]
        if len(subject.split()) > 12:
            return None
        if not (_POINTING.fullmatch(subject) or of(subject) & echo):
            continue
        if _RELATIVE.search(subject):
            continue  # "the goals that were set for her"
        low = found.end()
        if leading := _BEFORE_NOUN.match(text, low, end):
            low = leading.end()
        if behind := _AFTER.search(text, low, end):
            end = behind.start()
        return (low, end) if end > low else None
    return None


_PRAISE = lazy(
    r"(?:just |really |very |pretty |so |quite |absolutely )*(?:nice|cool|good|great|perfect|fine|ok|okay|ideal|best|lovely|awesome|wonderful|excellent|amazing|fantastic|reasonabl[ey]|preferred|preferable)\b",
    re.I,
)


def praised(text: str, span: Span) -> bool:
    """Whether the words only say that something is good."""
    return _PRAISE.match(text, *span) is not None


_AUXILIARY = lazy(
    r"\s(?:will(?: be)?|would(?: be)?|is|are|was|were|has|have|had|can|could|may|might|should(?: be)?|agreed|approved|covers|works?|helps?|motivates?|witnessed|said)\b",
    re.I,
)


def subject(
    text: str, start: int, end: int, echo: frozenset[str], of: Callable[[str], frozenset[str]], least: int = 2
) -> Span | None:
    """Whom or what a sentence is about, where all that it says of it takes up the question ("John will be covering
    my work" to "Who will cover your work?"). ``least``: words that must."""
    found = _AUXILIARY.search(text, start, end)
    if found is None or not 0 < len(text[start : found.start()].split()) <= 6:
        return None
    said, about = of(text[found.start() : end]), of(text[start : found.start()])
    if len(said & echo) < least or len(said & echo) < 0.25 * least * len(said) or about & echo:
        return None
    if _POINTING.match(text, start, found.start()) or re.match(
        r"(?:i|we|you|there|he|she|it)\b", text[start : found.start()], re.I
    ):
        return None
    return start, found.start()


_OBJECT = lazy(
    r"(?:i|we)(?: ?['’] ?(?:ll|d|m|re|ve)| will| would| am| are| was| were)?(?: (?:really|also|just|only|already|still|probably))* (?:(?:need|want|require|prefer|like|request(?:ing)?)|(?:hop|look|ask)ing for)\s+(?!to\b)(?:(?:an?|the|some|my|our)\s+)?",
    re.I,
)
_OBJECT_ENDS = lazy(
    r",? (?:but|because|so|although|though|since|which|who|when|while|if|in order|to (?=[a-z])|going|coming|starting|beginning|on (?=[A-Z0-9])|by (?=[A-Z0-9])|as (?:well|i|we)|and (?:i|we|it|my|our|he|she|they|there|that|no|yes|the|to|add|prefer)\b)",
    re.I,
)


def object_of(text: str, start: int, end: int) -> Span | None:
    """What somebody says that they need, want or hope for."""
    found = _OBJECT.match(text, start, end)
    if found is None:
        return None
    low = found.end()
    if behind := _OBJECT_ENDS.search(text, low, end):
        end = behind.start()
    return (low, end) if 0 < len(text[low:end].split()) <= 14 else None


_PIECE = re.compile(r"\S+")
_WEAK = frozenset(
    "and or the a an my our your of to for in on at with by from this that help assistance service services too also then please".split()
)


def without_echo(
    text: str, span: Span, echo: frozenset[str], named: frozenset[str], of: Callable[[str], frozenset[str]]
) -> Span:
    """Without words of the question at its beginning, and of the slot's name at its end: "access to the archive" to a
    question for access is the archive, "secret clearance" is secret where the slot is called clearance."""
    pieces = [(m.start() + span[0], m.end() + span[0]) for m in _PIECE.finditer(text[slice(*span)])]

    def echoes(piece: Span, words: frozenset[str] = echo) -> bool:
        return any(term in words for term in of(text[slice(*piece)]) if not term.startswith("@"))

    def weak(piece: Span) -> bool:
        return text[slice(*piece)].strip(".,;").lower() in _WEAK

    low, high = 0, len(pieces)
    last = high
    while last > low + 1 and (echoes(pieces[last - 1], named) or weak(pieces[last - 1])):
        last -= 1
    if last < high and any(echoes(p, named) for p in pieces[last:high]):
        high = last
    first = low
    while first < high - 1 and (echoes(pieces[first]) or (first > low and weak(pieces[first]))):
        first += 1
    if low < first < high and weak(pieces[first - 1]):
        low = first
    if low >= high or all(echoes(p) or weak(p) for p in pieces[low:high]):
        return span
    return pieces[low][0], pieces[high - 1][1]


_PROPER = lazy(
    r"(?:(?:Mr|Mrs|Ms|Dr|Miss|Prof)\.? )?[A-Z][a-z'’-]+(?: (?:[A-Z]\.(?= )|[A-Z][\w'’-]*|(?:de|van|von|der|bin|al)(?= [A-Z])))*"
)
_COMMON = frozenset(
    "I The A An My Our Your His Her Their Its It This That These Those There Here He She We They You Yes No Yeah Sure Okay Ok Please Thanks Thank And But So Also In On At For To From With By As If When Where"
    " January February March April June July August September October November December Monday Tuesday Wednesday Thursday Friday Saturday Sunday"
    " What Who How Why Just Only Not None All Some Any Well Maybe Email Phone Most Both Several People Everyone Nobody Unfortunately Yearly Weekly Monthly Daily First Last Currently Being Having".split()
)


def proper(text: str, start: int, end: int) -> list[Span]:
    """Capitalised names, but for common words that only begin a sentence."""
    out = []
    for found in _PROPER.finditer(text, start, end):
        low, high = found.span()
        while (head := text[low:high].partition(" "))[0].partition("'")[0].partition("’")[0] in _COMMON:
            if not head[2]:
                low = high
                break
            low += len(head[0]) + 1
        if low < high:
            words = text[low:high]
            cut = len(words) - 2 if words.endswith(("'s", "’s")) else len(words)
            out.append((low, low + cut))
    return out


_AREA = lazy(r"(?<!\bof)\s+(?:[Aa]rea|city|town|[Rr]egion)$")  # New York City is called so
_WAY = lazy(r"\s+to\s+", re.I)


def place(text: str, start: int, end: int, most: int, role: str = "", whole: bool = False) -> Span | None:
    """The name of a place: what stands behind the last preposition, if there is one ("a salon in Fremont"); of a way
    ("Leeds to York") the end of it that ``role`` says, ``from`` or ``to``. ``whole``: "the office in Leeds" is one place."""
    span = bare(text, start, end, most)
    if span is not None:
        if role and (way := _WAY.search(text, *span)):
            span = (span[0], way.start()) if role == "from" else (way.end(), span[1])
        inner = list(_WHERE.finditer(text, *span))
        if whole and inner:
            # "the office in Leeds" is one place, "the party was in the office" names it behind its verb
            verb = _HAPPENS.search(text, *span)
            inner = [w for w in inner if verb and w.start() >= verb.end()][:1]
        if inner:
            span = bare(text, inner[-1].end(), span[1], most)
    else:
        span = located(text, start, end, most, whole)
    if span is not None and (area := _AREA.search(text[slice(*span)])) and area.start() > 0:
        span = span[0], span[0] + area.start()
    return span


def head_stripped(text: str, span: Span, named: frozenset[str], of: Callable[[str], frozenset[str]]) -> Span:
    """Without the noun at the end that only says what kind of thing is meant ("French food", "a drama movie")."""
    words = text[slice(*span)].split()
    if len(words) > 1 and of(words[-1]) & named:
        cut = text.rfind(words[-1], *span)
        return span[0], span[0] + len(text[span[0] : cut].rstrip())
    return span


_WHERE = lazy(r"\b(?:in|at|on|near|around|from|form|to|inside|outside|by)\s+(?:the\s+|my\s+)?(?=\w)", re.I)


_HAPPENS = lazy(r"\b(?:occurred|happened|took place|started|was|were|is|are)\b", re.I)


def located(text: str, start: int, end: int, most: int, whole: bool = False) -> Span | None:
    """The place behind the one preposition of a sentence ("It happened in the lobby")."""
    found = list(_WHERE.finditer(text, start, end))
    if whole and len(found) == 2:
        return bare(text, found[0].end(), end, most)
    if len(found) != 1:
        return None
    return bare(text, found[0].end(), end, most)


def bare_zh(text: str, start: int, end: int, most: int) -> Span | None:
    """The same of Chinese words, of at most ``most`` characters."""
    lead = _LEAD_ZH.match(text, start, end)
    if lead is not None:
        start = lead.end()
    tail = _TAIL_ZH.search(text[start:end])
    if tail is not None:
        end = start + tail.start()
    said = text[start:end]
    if (
        not said
        or len(said) > most
        or _HEARD_ZH.search(said)
        or _SENTENCE_ZH.search(said)
        or re.search(r"[，。！？,!?；;\s]", said)
    ):
        return None
    return start, end


_CALLED = lazy(
    r"\b(?:my|the|his|her|their|our)? ?(?:full )?name(?: is| ?['’] ?s| :|:)\s+|\b(?:i am|i['’ ]{1,3}m|this is|it['’ ]{1,3}s|call(?:ed)? me|named|called)\s+|(?:我叫|名字是|姓名[是：:]|叫做?)",
    re.I,
)
_NAME = lazy(
    r"(?:(?:mr|mrs|ms|dr|miss|prof)\.? )?[A-Z][\w'’-]*(?:\s+(?:[A-Z][\w'’-]*|de|van|von|der|la|bin|al))*"
)


def called(text: str, start: int, end: int) -> Span | None:
    """The capitalised name that somebody is said to go by."""
    for found in _CALLED.finditer(text, start, end):
        if name := _NAME.match(text, found.end(), end):
            return name.span()
    return None


__all__ = [
    "Span", "bare", "bare_zh", "called", "complement", "head_stripped", "located", "object_of", "openers", "place", "praised", "proper", "stripped", "subject", "without_echo",
]  # fmt: skip
