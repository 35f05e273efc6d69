"""Values of an enum said without their slot's name: 集中供暖, "I'd like business class".

A value counts as a whole phrase of its own, or behind words of choosing, or anywhere when its words are long
enough to mean nothing else. Its Form type must be what the talk is about, unless both the first and
the last hold. A state counts that is said of a Form by its name ("Press 3 is down").
"""

# ruff: noqa: E501 (a pattern reads best on one line)
from __future__ import annotations

from collections.abc import Iterator, Sequence

from forms_dynamics.extraction.found import PATTERN, Found
from forms_dynamics.extraction.lexicon import Lexicon, Slot, slot_of
from forms_dynamics.extraction.mentioned import Mention
from forms_dynamics.extraction.phrases import enum_word
from forms_dynamics.language.lazy import lazy
from forms_dynamics.language.normal import has_han

_LONGEST = 400  # characters of a message in which a bare choice is looked for
_LEAD = (
    r"(?:我们?|咱们?)?(?:这边|这次)?(?:想要?|就?要|选择?|想选|用|订|坐|走|希望(?:是|有)?|偏好|改成|改为|换成|改|换|那就|就|是|来|按|需要)+(?:一?[个张份间套杯台辆])?|"
    r"(?:(?:yes|yeah|sure|ok|okay|so|well|then|and),? )*"
    r"(?:(?:i|we)(?:['’]d| would| will|['’]ll)?(?: also| really| just)? (?:like|want|prefer|need|choose|take|have|go (?:with|for)|pay (?:by|with|in)|fly|book|rather have)|"
    r"let['’]?s (?:go with|do|make it|take)|make (?:it|that)|change (?:it|that) to|switch (?:it )?to|it['’]?s|it is|that['’]?s|(?:give|get|book) me|go(?:ing)? (?:with|for)|(?:request|tak|us|apply|hop|look)(?:e|ing)?(?: to (?:take|have|book|use))?(?: for)?(?: some)?|this is(?: for)?|(?:pay|paying) (?:by|with|in))"
    r"(?: to (?:have|take|fly|book|pay|go)(?: in| with| by| for)?)?(?: an?| my| in| by| it| with)*"
)
_BEFORE = lazy(
    rf"(?:\b(?:up|down)grad\w+|\b(?:chang|switch|mov|convert|swap)\w+)[^.;!?\n]{{0,70}}?\b(?:to|for)(?: an?)?\s*$|(?:^|[\s，。,.;；！!？?:：、])(?:{_LEAD})\s*$"
)
_FILLER = lazy(rf"(?:{_LEAD}|(?:yes|yeah|sure|ok|okay|the|an?|in|by|please|just|嗯|好的?|行|对|那),?\s?)?\s*")
_TAIL = lazy(
    r"\s*(?:吧|的|就行|就好|就可以|即可|好了|可以|了|呀|啊|哦|谢谢|那种|票)*|"
    r"(?:,? ?(?:please|thanks|thank you|one|option|then|instead|is fine|is good|works|works for me|would be (?:fine|good|great)|is ok|it is|size|type|ticket|for me))*\s*"
)
_LIKES = lazy(
    r"(?:喜欢|爱[吃喝]|讨厌|不[吃喝爱]|\b(?:likes?|loves?|hates?|enjoys?|dislikes?)\b)[^，。,.;；！!？?\n]*$"
)
_CLAUSE_END = lazy(r"[，。,;；！!？?\n]|\.(?:\s|$)|$")
# words of a state: "done" and "cancelled" are said of anything
_STATES = frozenset("status state stage phase 状态 阶段 进度".split())


_IS_ZH = r"\s*[:：]\s*|\s*(?:现在|目前|已经?|又|还|仍然?|刚刚?|都|一直|其实|实际上?|今天|终于|正式)*(?:[从由][^，。,;；\s]{1,8}?)?(?:处于|状态(?:是|为)?|是|变成|改为|改成|转为|进入|正在|在|[升降晋调转提换变改](?:级|格|升)?[到为成至])?\s*"
_IS_EN = r"\s+(?:is|are|has been|have been|is back|went|got|goes|moved|has moved)(?: now| currently| again| still| just| actually)*(?: (?:up|down))?(?: (?:(?:promoted|upgraded|downgraded|demoted|moved|changed|switched|turned) )?(?:from \w+(?: \w+)? )?to| in| on| under)?(?: the| an?)?\s+"
_IS = lazy(f"{_IS_EN}|{_IS_ZH}")
_IS_SO = lazy(r"\s*(?:了|中|状态|吧|的)*|(?: now| again| today| at the moment| for now| as of today)*\s*")


def choices_in(low: str, lexicon: Lexicon, mentions: Sequence[Mention] = ()) -> Iterator[Found]:
    """Choices in a folded, lower case text; the words of the value are both value and evidence. ``mentions``: of
    known Forms, of which a state may be told."""
    if len(low) > _LONGEST:
        return
    yield from _told_by_name(low, mentions)
    if lexicon.choosing is None:
        return
    chosen: list[tuple[bool, Found]] = []
    for m in lexicon.choosing.finditer(low):
        start, end = m.span()
        slots = _meant(lexicon.choices[m[0]])
        if not slots:
            continue
        if of := _told_of(low, start, end, slots, mentions):
            chosen.append((True, Found(of, start, end, start, end, low[start:end], PATTERN)))
            continue
        words = low[start:end]
        plain = words.replace("-", " ")
        distinct = len(slots) == 1 and (
            len(words) >= 3 if has_han(words) else " " in plain and len(plain) > 8
        )
        whole = _whole(low, start, end)
        said = whole or _BEFORE.search(low, max(0, start - 90), start) is not None
        state = any(_STATES & {s.spec.name, *s.spec.aliases} for s in slots)
        if not said and (state or not distinct or _LIKES.search(low, max(0, start - 24), start)):
            continue
        found = Found(slots, start, end, start, end, words, PATTERN, firm=whole and distinct and not state)
        chosen.append((said, found))
    # "downgrade my business class seats to economy": what is chosen counts, not what is only mentioned
    sure = {id(s.spec) for said, found in chosen if said for s in found.slots}
    for said, found in chosen:
        if said or not any(id(s.spec) in sure for s in found.slots):
            yield found


def _told_of(
    low: str, start: int, end: int, slots: tuple[Slot, ...], mentions: Sequence[Mention]
) -> tuple[Slot, ...]:
    """The slot of the Form that the clause says to be so, where it says nothing else."""
    stop = _CLAUSE_END.search(low, end)
    if _IS_SO.fullmatch(low, end, stop.start() if stop else len(low)) is None:
        return ()
    return next(
        (
            own
            for m in mentions
            if m.end <= start
            and (own := tuple(s for s in slots if s.type.name == m.slot.type.name))
            and _IS.fullmatch(low, m.end, start) is not None
        ),
        (),
    )


def _told_by_name(low: str, mentions: Sequence[Mention]) -> Iterator[Found]:
    """布丁是猫, "J-900 is finished": words that alone choose nothing, said of a Form by its name and nothing else."""
    for mention in mentions:
        said = _IS.match(low, mention.end)
        if said is None or said.end() == mention.end:
            continue
        stop = _CLAUSE_END.search(low, said.end())
        words: dict[tuple[int, int], list[Slot]] = {}
        for spec in mention.slot.type.slots.values():
            span = enum_word(low, said.end(), spec) if spec.type == "enum" and not spec.many else None
            if span is not None and _IS_SO.fullmatch(low, span[1], stop.start() if stop else len(low)):
                words.setdefault(span, []).append(slot_of(mention.slot.type, spec))
        for span, slots in words.items():
            if len(slots) == 1:
                yield Found(tuple(slots), *span, *span, low[slice(*span)], PATTERN)


def _whole(low: str, start: int, end: int) -> bool:
    """Whether the clause says nothing else."""
    begin = max((low.rfind(mark, 0, start) for mark in "，。,.;；！!？?\n"), default=-1) + 1
    stop = _CLAUSE_END.search(low, end)
    tail = low[end : stop.start() if stop else len(low)]
    return _FILLER.fullmatch(low[begin:start].lstrip()) is not None and _TAIL.fullmatch(tail) is not None


def _meant(slots: tuple[Slot, ...]) -> tuple[Slot, ...]:
    """One slot of each type; none where a type has several of which it could be."""
    names = [s.type.name for s in slots]
    return tuple(s for s in slots if names.count(s.type.name) == 1)
