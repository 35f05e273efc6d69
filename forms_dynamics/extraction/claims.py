"""Whether words that no recogniser settled could state anything: what is left of a message is looked at, not what it
is about, so that a claim in unknown words is asked about and small talk is not.

Nothing is left of: small talk and the weather, grammar words, a plain question for information, a program, a log, a
dump of data, and what recognisers have read already.
"""

# ruff: noqa: E501 (a list of words reads best on one line)
from __future__ import annotations

import json
import re
import unicodedata
from collections.abc import Iterable, Sequence

from forms_dynamics.language.lazy import lazy
from forms_dynamics.language.normal import CJK, simplified
from forms_dynamics.language.posed import without_code
from forms_dynamics.model.message import Draft

_LOG = lazy(
    r"\s*(?:\[?\d{4}-\d\d-\d\d[T ]\d\d:\d\d|\[?\d\d:\d\d:\d\d|(?:INFO|DEBUG|WARN(?:ING)?|ERROR|TRACE|FATAL)\b|Traceback \(|at [\w.$<>]+\(|File \"|"
    r"[$>#] \w|[-+]{3} |@@ |\w+(?:Error|Exception):)"
)
_TALK_ZH = (
    "你好|您好|早上好|上午好|中午好|下午好|晚上好|早安|晚安|早呀|大家好|哈喽|嗨|谢谢你们|谢谢您|谢谢你|谢谢啦|谢谢了|谢谢|多谢|感谢|辛苦您了|辛苦你了|辛苦了|辛苦啦|辛苦|麻烦您了|麻烦你了|麻烦了|"
    "不客气|不用谢|没关系|没事儿|没事|不好意思|抱歉|对不起|再见|拜拜|回头见|回头聊|回聊|下次聊|改天聊|先这样|就这样吧|先忙了|先忙|去忙吧|您忙|你忙|保持联系|随时联系|有空聊|"
    "好的|好滴|好嘞|好呀|好吧|好啊|好咧|好勒|好哒|行吧|行啊|行的|可以的|可以啊|没问题|没毛病|收到|明白了|明白|了解了|了解|知道了|知道啦|懂了|嗯嗯|嗯|恩|哦哦|噢|喔|对的|对对|是的|是啊|确实|当然|真的吗|真的|真棒|太棒了|太好了|"
    "么么哒|比心|抱抱|亲亲|(?:这|那)?(?:也|真的?|可)?(?:太|真|好|超|有点)(?:好笑|搞笑|逗|可爱|有意思|有趣|好玩|离谱|夸张|神奇)了?(?:吧|啊|呀)?|"
    "(?:请|麻烦你?|能不能|可以)?(?:帮我|给我|替我|再)?(?:写|作|来|讲|说|唱|念|背)(?:一|两)?(?:首|个|段|篇)(?:小|短|情|古)?(?:诗|歌|笑话|故事|段子|绕口令)(?:吧|吗|呗)?|"
    "厉害|不错|挺好的|挺好|很好|非常好|太好啦|棒|赞|牛|加油|哈哈|呵呵|嘿嘿|嘻嘻|呜呜|唉|哎呀|哎|天哪|天啊|我去|"
    "在吗|在不在|在么|请问|打扰了|打扰一下|打扰|稍等一下|稍等|等一下|等会儿|等会|等等|我看看|我看一下|让我想想|我想想|我想一下|再想想|再说吧|再说|"
    "最近怎么样|最近好吗|吃了吗|吃饭了吗|忙吗|怎么样啊|你是谁|你叫什么名字|你叫什么|你是机器人吗|你能做什么|你会什么|讲个笑话|说个笑话|聊聊天|聊天|无聊|"
    "周末愉快|节日快乐|新年快乐|春节快乐|中秋快乐|国庆快乐|生日快乐|一路顺风|祝您|祝你|"
    "我们?(?:先)?(?:回去)?(?:再)?商量(?:一下|商量)?|我们?(?:再)?考虑(?:一下|考虑)?|我们?研究(?:一下|研究)?|"
    "(?:今天|明天|昨天|外面|外边|这几天|最近)?(?:的)?天气(?:真|好|很|太|特别|挺|有点|越来越){0,3}(?:好|不错|热|冷|差|凉快|暖和|闷|晴朗|糟糕|凉|怎么样|如何)?|"
    "(?:今天|明天|昨天|外面|外边|这几天|最近|又|还在|一直|要|快){0,3}(?:下雨|下雪|刮风|打雷|起雾|出太阳|降温|升温|放晴)|(?:今天|外面|这几天)?(?:真|好|太|有点|特别|超)(?:热|冷|闷|晒|凉快|暖和)"
)
_TALK_EN = (
    r"hello(?: there| everyone| all)?|hi(?: there| everyone| all)?|hey(?: there)?|yo|howdy|good (?:morning|afternoon|evening|night|day)|greetings|"
    r"thanks(?: (?:a lot|so much|a million|again|for (?:that|your help|the help|your time|everything|the info(?:rmation)?)))?|many thanks|thank you(?: (?:so much|very much|again|for (?:that|your help|the help|your time|everything|the info(?:rmation)?)))?|thx|ty|cheers|much appreciated|i appreciate it|appreciate it|"
    r"you(?:'re| are) welcome|no worries|no problem|not a problem|my pleasure|sorry(?: about that)?|apologies|excuse me|pardon|"
    r"ok(?:ay)?|okey|k|kk|alright|all right|sure(?: thing)?|fine|got it|gotcha|i see|understood|i understand|noted|roger|makes sense|sounds (?:good|great|fine|perfect)|looks good|"
    r"yes|yeah|yep|yup|yea|no|nope|nah|right|exactly|indeed|true|of course|absolutely|definitely|certainly|maybe|perhaps|please|"
    r"great|good|nice|cool|perfect|awesome|excellent|wonderful|amazing|lovely|fantastic|brilliant|super|wow|wonderful|well done|good job|"
    r"(?:ha)+h?|lol|lmao|rofl|hehe|heh|oh|ah|uh|um|hmm+|huh|oops|ugh|well|so|anyway|by the way|btw|actually|"
    r"bye(?: bye)?|goodbye|see (?:you|ya)(?: (?:later|soon|tomorrow|around|next week))?|talk to you (?:later|soon|tomorrow|next week)|ttyl|take care|have a (?:good|great|nice|lovely|wonderful) (?:day|one|evening|weekend|night|trip|time)|you too|same to you|good luck|cheers|"
    r"how are you(?: doing)?(?: today)?|how(?:'s| is) it going|how have you been|what(?:'s| is) up|sup|are you there|you there|anyone there|who are you|what(?:'s| is) your name|what can you do|are you a (?:bot|robot|human|person)|tell me a joke|"
    r"i(?:'m| am) (?:good|fine|well|ok(?:ay)?|great|bored|back|here)|not (?:bad|much)|that(?:'s| is| was) (?:all|it|great|good|fine|nice|perfect|ok(?:ay)?|cool|helpful|very helpful|correct|right|awesome)|nothing else|that(?:'ll| will) be all|that will do|"
    r"let me (?:think(?: about it)?|see|check)|one (?:moment|second|sec|minute)|just a (?:moment|second|sec|minute)|hold on|give me a (?:moment|second|sec|minute)|wait|"
    r"(?:such |what )?(?:a )?(?:nice|lovely|beautiful|great|terrible|awful|horrible) (?:weather|day)(?: (?:today|out(?:side)?|we(?:'re| are) having)){0,2}|(?:the )?weather(?:'s| is)? (?:so |very |really |quite )?(?:nice|lovely|great|good|bad|terrible|awful|hot|cold|beautiful|crazy)(?: today| out(?:side)?){0,2}|"
    r"it(?:'s| is) (?:so |very |really |quite |still )?(?:raining|snowing|sunny|hot|cold|windy|cloudy|warm|freezing|pouring)(?: (?:today|out(?:side)?|again|here)){0,2}|how(?:'s| is) the weather(?: today)?|merry christmas|happy (?:new year|holidays|birthday|friday|weekend|easter)"
)
_SMALL_ZH = lazy(_TALK_ZH)
_SMALL_EN = lazy(rf"\b(?:{_TALK_EN})\b(?!['’])", re.I)
# grammar: states nothing without other words
_GRAMMAR_ZH = lazy(
    "我们公司|我们这边|我们这|我这边|我们|咱们|你们|您们|他们|她们|它们|大家|我|咱|你|您|他|她|它|这个|那个|这些|那些|这里|那里|这边|那边|这样|那样|这|那|"
    "一下|一点|一些|有点|然后|所以|因为|但是|不过|而且|还有|以及|或者|如果|就是|也是|还是|只是|可是|目前|现在|刚才|刚刚|今天|方面|时候|情况|的话|"
    "可以|能够|需要|应该|希望|觉得|认为|知道|看到|说过|想要|想|要|会|能|得|请|帮|给|让|把|被|跟|和|与|对|为|向|从|到|在|于|比|"
    "的|地|得|了|着|过|吗|呢|吧|啊|呀|哦|哈|嘛|啦|咯|呗|哟|喽|哇|是|有|没有|没|不|别|就|都|也|还|很|太|真|挺|再|又|才|只|先|已经|已|正在|正|"
    "大概|左右|差不多|可能|大约|约|这次|那次|上次|下次|一共|总共|另外|其中|其实|反正|"
    "[、，。！？；：,.!?;:…~～—\\-\"“”‘’'()（）【】《》<>\\[\\]\\s]"
)
_GRAMMAR_EN = frozenset(
    (
        "a an the this that these those i me my we us our you your he him his she her it its they them their who whom whose which what there here"
        " is am are was were be been being do does did done have has had will would shall should can could may might must"
        " and or but so if then than as of to in on at by for from with about into over under up down out off not no nor"
        " just also too very really quite still yet already again now today well okay please like let lets get got go going make made"
        " i'm we're you're it's that's there's i've we've i'd we'd i'll we'll don't doesn't didn't isn't aren't can't won't"
        " some any all each every one thing things something anything nothing only even much more most many lot lots bit kind sort way"
        " think know see say said tell want need hope guess mean sure around roughly approximately thanks"
    ).split()
)
_WORD = re.compile(rf"[{CJK}]+|[A-Za-z][A-Za-z'’-]*|\d[\d.,:/%-]*")
_HAN = re.compile(f"[{CJK}]")
_CLAUSE = re.compile(r"[^，,。；;！!？?\n…]+[，,。；;！!？?\n…]*")
# asks for information: gives none, unless it holds a figure or a name
_WHAT_ZH = lazy("什么|怎么|怎样|如何|多少|几[个时点天家]|哪[里儿个些家]|为什么|为啥|啥|谁")
_WHAT_EN = lazy(r"^\W*(?:and |so |but |well )?(?:what|how|which|when|where|why|who|whose)(?:'s|’s)?\b", re.I)
_CHEER = re.compile(
    r"\W*(?:6{2,}|2333*|88|886|1+|\d)\W*"
)  # said of nothing: praise, laughter, goodbye, "here"
_WEIGHT = 2  # this many Chinese characters, or other words, could state something


def claims(text: str, settled: Iterable[tuple[int, int]] = (), answer: bool = False) -> list[tuple[int, int]]:
    """The clauses of ``text`` that could state something that ``settled`` (spans that are read already) does not
    cover. ``answer``: the text answers a question, where one word says enough."""
    if _dump(text) or (not answer and _CHEER.fullmatch(text)):
        return []
    rest = _blank(without_code(text), settled)
    folded = _folded(rest)
    low = folded.lower()
    for pattern in (_SMALL_ZH, _SMALL_EN):
        low = pattern.sub(lambda m: " " * len(m[0]), low)
    out = []
    for clause in _CLAUSE.finditer(low):
        start, end = clause.span()
        if _weight(low[start:end], folded[start:end]) >= (1 if answer else _WEIGHT) and not _asks(
            text[start:end], folded[start:end]
        ):
            out.append((start, end))
    return out


def spans_of(text: str, drafts: Sequence[Draft]) -> list[tuple[int, int]]:
    """The words that drafts rest on."""
    spans = []
    for draft in drafts:
        for slot in draft.slots.values():
            if slot.span is not None:
                spans.append(slot.span)
            if slot.evidence and (at := text.find(slot.evidence)) >= 0 and slot.span is None:
                spans.append((at, at + len(slot.evidence)))
    return spans


def _folded(text: str) -> str:
    """Half width and simplified, character by character."""
    if text.isascii():
        return text
    out = "".join(c if len(c := unicodedata.normalize("NFKC", ch)) == 1 else ch for ch in simplified(text))
    return out.replace("’", "'")


def _blank(text: str, spans: Iterable[tuple[int, int]]) -> str:
    for start, end in spans:
        text = text[:start] + " " * (end - start) + text[end:]
    return text


def _weight(low: str, said: str) -> int:
    """How much a clause says beside grammar: Chinese characters and other words; a figure says enough."""
    han = _GRAMMAR_ZH.sub(" ", low)
    total = sum(len(run) for run in re.findall(f"[{CJK}]+", han))
    for found in _WORD.finditer(low):
        word = found[0]
        if word[0].isdigit():
            total += _WEIGHT
        elif not _HAN.match(word) and word not in _GRAMMAR_EN and len(word) > 1:
            total += 1
    return total


def _asks(said: str, folded: str) -> bool:
    """A plain question for information: nothing in it that could be a value."""
    if re.search(r"\d|[\"“「『]", folded):
        return False
    if _WHAT_ZH.search(folded):
        return (
            re.search(
                r"[？?]\s*$|[吗呢啊呀]\s*$|(?:什么|多少|怎么样|如何|谁|哪[里儿个])\s*$", folded.rstrip()
            )
            is not None
        )
    if _WHAT_EN.search(folded):
        # what about Larkfield? a name in a question may be what it is about
        return re.search(r"(?<!^)(?<![.!?] )\b(?!I\b)[A-Z][a-z]", said.strip()) is None
    return False


def _dump(text: str) -> bool:
    """A program's words: JSON, a log, a stack trace."""
    bare = text.strip()
    if bare[:1] in "{[" and bare[-1:] in "}]":
        try:
            return isinstance(json.loads(bare), (dict, list))
        except ValueError:
            pass
    lines = [line for line in bare.splitlines() if line.strip()]
    return len(lines) >= 3 and sum(_LOG.match(line) is not None for line in lines) * 2 >= len(lines)


__all__ = ["claims", "spans_of"]
