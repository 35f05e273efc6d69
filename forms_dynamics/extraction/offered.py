"""What the assistant's turn offers, read as the user would state it: 要我把预算定为60万吗？ as 把预算定为60万。, "Is your
budget 60k?" as "my budget 60k." Whoever agrees to the turn says that.

The words of the turn are no evidence of the user's facts by themselves; here they are only read.
"""

# ruff: noqa: E501 (a pattern reads best on one line)
from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache

from forms_dynamics.language.lazy import lazy
from forms_dynamics.language.numerals import lowered
from forms_dynamics.language.respelling import Respelled, respell
from forms_dynamics.model.gated import Span
from forms_dynamics.model.message import Message

# the words that offer or ask, and what the one who agrees would say in their place
_SWAPS: Sequence[tuple[re.Pattern[str], str]] = tuple(
    (re.compile(pattern, re.I), put)
    for pattern, put in (
        # Chinese, the longest first
        (r"(?:要不要|需不需要|是否需要|用不用|要|需要|是否|可以|能)(?:由|让)?我们?(?:来|先|现在|就|再)*(?:帮|给|替|为)?(?:[您你]们?)?(?=[把将记定设改])", ""),
        (r"(?:那么?|那)?我们?(?:现在|就|先|来|再)*(?:帮|给|替|为)(?:[您你]们?)(?=[把将记定设改])", ""),
        (r"(?:我们?)?(?:强烈|还是)?(?:建议|推荐|提议)(?:[您你]们?)?(?:可以|不妨|考虑)?[:：]?|要不(?:然)?(?:就)?|不如(?:就)?|我(?:这边)?(?:记得|记录的是|记的是|看到|查到|了解到|的理解是|理解)[:：，,]?|(?:跟|和|向)(?:[您你]们?)(?:再)?确认(?:一下|下)?[:：，,]?|(?:请问|那么|也就是说|所以|麻烦确认)[:：，,]?", ""),
        (r"需不需要|要不要", "需要"),
        (r"是不是|是否是?", "是"),
        (r"有没有", "有"),
        (r"(?:对吗|对吧|对不对|是吗|是吧|是不是|没错吧|可以吗|可以不|可以么|行吗|行不行|好吗|好不好|合适吗|怎么样|如何|同意吗|您看呢?|你看呢?|[您你]觉得呢?|[您你]看(?:可以|行|怎么样)吗?|确认吗|吗|么|呢|吧)\s*[?？]", "。"),
        (r"[您你]们", "我们"),
        (r"[您你]", "我"),
        (r"我们?(?=[^，。？！]{0,12})", "他"),
        # English
        (r"\b(?:shall|should|can|may|could) (?:i|we) (?:go ahead and |now |also )?(?=[a-z])|\b(?:do|would) you (?:want|like) me to |\b(?:let me|i(?:['’]ll| will| can| could)) (?=[a-z])", ""),
        (r"\b(?:i(?:['’]d| would)?|we(?:['’]d| would)?) (?:suggest|recommend|propose) |\bmy (?:suggestion|recommendation|proposal) is (?:to )?|\b(?:how|what) about |\bwhy don['’]t we ", ""),
        (r"\bi (?:have|see|recall|remember)(?: it)?(?: noted)? (?:that |down )?(?=your)|\b(?:just )?to confirm[,:]? |\bso,? ", ""),
        (r"\bis (?=your\b)|\bare (?=your\b)|\bwas (?=your\b)", ""),
        (r"\bare you\b", "I am"),
        (r"\b(?:do|would|did) you (?=(?:still )?(?:need|want|have|like|prefer|live|work|eat|drink|own|use|require)\b)", "I "),
        (r"\bwould you like\b", "I want"),
        (r"[,，]?\s*(?:is that (?:right|correct|ok(?:ay)?|fine)|(?:is|does) (?:that|this) (?:ok(?:ay)?|work)(?: (?:for|with) you)?|right|correct|ok(?:ay)?|yes|isn['’]t it|don['’]t you|aren['’]t you|what do you think|(?:does that )?sounds? good)\s*[?？]", "."),
        (r"\byou['’]re\b", "I'm"),
        (r"\byou are\b", "I am"),
        (r"\byou['’]ve\b", "I've"),
        (r"\byours\b", "mine"),
        (r"\byour\b", "my"),
        (r"\byou\b", "I"),
        (r"\b(?:my|our)\b", "their"),
        (r"\b(?:i|we)(?:['’](?:m|ve|ll|re|d))?\b", "they"),
        (r"[?？]", "。"),
    )
)  # fmt: skip
_SENTENCE = lazy(r"(?:[^。！？!?；;\n.]|\.(?!\s|$))+[。！？!?；;\n.]*")
_ASKS = lazy(r"[?？]|(?:吗|对吧|是吧|好不好|可以不)\s*[。.]?\s*$")
_TAG = lazy(
    r"\s*(?:这样|这个|那么?|您|你|请问|[您你](?:看|觉得))*(?:可以|行|好|对|是|合适|同意|没问题|怎么样|如何|确认|没错)?(?:吗|么|吧|呢|不|不可以|不行|不好|不对)*[?？\s]*"
    r"|\s*(?:(?:is|does) (?:that|this|it)\b[^.?]{0,30}|what do you (?:think|say)|how (?:does|do) (?:that|it|this) (?:sound|look)[^.?]{0,20}|(?:shall|should) (?:i|we) (?:go ahead|proceed|do (?:that|so|it))[^.?]{0,12}"
    r"|would (?:that|this|it) (?:work|be|suit)[^.?]{0,30}|ok(?:ay)?|right|correct|(?:does (?:that|this|it) )?sounds? (?:good|ok(?:ay)?|right|fine)[^.?]{0,20}|agreed|do you agree[^.?]{0,20})\s*[?？\s]*",
    re.I,
)
_PROPOSES = lazy(
    r"建议|推荐|提议|要不|不如|方案[:：是]|\b(?:suggest|recommend|propose|how about|what about|suggestion|proposal|option)\w*"
)
_EITHER = lazy(
    r"还是(?=[^，。？?]*[?？]?)|或者?(?!许)|\bor\b(?! (?:so|less|more|something|not)\b)|\beither\b|(?:方案|选项|option)\s?[AaBb12一二]"
)
_REMOVES = lazy(
    r"取消|撤销|撤回|去掉|删[掉除去]|作废|清[掉除空]|废[掉除]|拿掉|停掉|\b(?:drop|remove|cancel|delete|scrap|clear|erase|discard|forget|withdraw|void)\b(?! off)"
)
_OPEN = lazy(
    r"多少|几(?!乎)|什么|哪|谁|怎么(?!样)|为什么|何时|\b(?:what(?! about)|which|who|whom|when|where|why|how(?! about))\b",
    re.I,
)


@dataclass(frozen=True, slots=True)
class Offer:
    """A turn of the assistant's as the one who agrees would state it. ``part``: the sentences that answers bear on,
    in the turn; ``asks``: how many questions stand there; ``proposes``: it suggests; ``open``: it asks for more
    than a yes."""

    turn: Message
    stated: Respelled
    part: Span
    asks: int
    proposes: bool
    open: bool

    def message(self) -> Message:
        """The stated words as a user's message, said when the turn was."""
        turn = self.turn
        return Message(turn.id, self.stated.text, "user", "user", turn.conversation, turn.time, turn.user)

    def back(self, span: Span) -> Span | None:
        """The turn's words behind words of the stated text."""
        return self.stated.span(*span)

    def there(self, span: Span) -> Span | None:
        """The stated words for words of the turn."""
        low = high = None
        for here, there, size, real in self.stated.pieces:
            if there <= span[0] < there + real:
                low = here + (span[0] - there if size == real else 0)
            if there < span[1] <= there + real:
                high = here + (span[1] - there if size == real else size)
        return None if low is None or high is None or low >= high else (low, high)

    def either(self, span: Span) -> bool:
        """Whether the turn offers the words as one of several, in their sentence."""
        for found in _SENTENCE.finditer(self.turn.text):
            if found.start() <= span[0] < found.end():
                return _EITHER.search(lowered(self.turn.text), found.start(), found.end()) is not None
        return False

    def removes(self, span: Span) -> bool:
        """Whether the turn proposes to end what the words say, not to have it."""
        return _REMOVES.search(lowered(self.turn.text), *self.around(span)) is not None

    def around(self, span: Span) -> Span:
        """The sentence of the turn that the words stand in."""
        for found in _SENTENCE.finditer(self.turn.text):
            if found.start() <= span[0] < found.end():
                return found.span()
        return span


@lru_cache(maxsize=512)
def offer(turn: Message) -> Offer:
    """Reads a turn; see the class."""
    text = turn.text
    said = lowered(text)
    if len(said) != len(text):
        said = text
    sentences = [m.span() for m in _SENTENCE.finditer(text)]
    asking = [s for s in sentences if _ASKS.search(said, *s)]
    part = (0, len(text))
    if asking and not _TAG.fullmatch(said, *asking[-1]):
        part = (asking[0][0], asking[-1][1])
    elif not asking:
        proposing = [s for s in sentences if _PROPOSES.search(said, *s)]
        if proposing:
            part = (proposing[0][0], proposing[-1][1])
    telling = [s for s in asking if not _TAG.fullmatch(said, *s)]
    swaps: list[tuple[int, int, str]] = []
    for pattern, put in _SWAPS:
        for found in pattern.finditer(said):
            if not any(found.start() < high and low < found.end() for low, high, _ in swaps):
                # a full stop of the language that it stands in
                put = "." if put == "。" and text.isascii() else put
                swaps.append((found.start(), found.end(), put))
    return Offer(
        turn,
        respell(text, 0, len(text), swaps),
        part,
        max(len(telling), 1 if asking else 0),
        _PROPOSES.search(said) is not None,
        any(_OPEN.search(said, *s) for s in telling),
    )


def last_offers(turns: Sequence[Message]) -> list[Offer]:
    """The assistant's turns since a user last spoke, the newest first; tools and the system speak to nobody."""
    out: list[Offer] = []
    for turn in reversed(turns):
        if turn.role == "assistant":
            out.append(offer(turn))
        elif turn.role == "user":
            break
    return out


__all__ = ["Offer", "last_offers", "offer"]
