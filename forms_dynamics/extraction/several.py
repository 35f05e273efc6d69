"""One message about several things, put as one about each: "A-1's price is 5 EUR and A-2's is 6", A-1和A-2都付清了,
A-1和A-2的价格分别是5元和6元.

A thing is told of where its name begins a clause; what follows is its own until the next such name. Names that
stand together (和, "and") share what follows (都, "both") or each take their own of the values told one by one
(分别, "respectively"); a name with nothing but a value takes the words of the one before (胡建明的是240元). What is
said of them together (一共, "between them") is nobody's.
"""

# ruff: noqa: E501 (a list of words reads best on one line)
from __future__ import annotations

from bisect import bisect_left
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import NamedTuple

from forms_dynamics.extraction.found import KEY, Readings
from forms_dynamics.extraction.lexicon import Hit, Slot
from forms_dynamics.extraction.mentioned import Mention
from forms_dynamics.extraction.records import Named
from forms_dynamics.language.amounts import UNIT
from forms_dynamics.language.clauses import sentence_of
from forms_dynamics.language.lazy import lazy
from forms_dynamics.language.normal import has_han
from forms_dynamics.language.respelling import Respelled, respell
from forms_dynamics.language.spans import Covering, Placed, reach_back
from forms_dynamics.model.message import Draft, SlotDraft

_JOIN = lazy(
    r"(?:['’]s|的)?\s*(?:,\s*(?:and\s+|&\s*)?|\band\s+|&\s*|\bas well as\s+|\bplus\s+|[、，]\s*(?:还有|以及|和)?|和|与|及|以及|跟|同)\s*(?:the\s+)?"
)
_BREAK = lazy(
    r"^|[，,、；;。!！?？:：\n|…]|\.(?=\s)|\b(?:and|but|while|whereas|then)\b|而且?|(?<=[了元个天月日号])和|另外|还有|然后|但是?"
)
_FILLER = lazy(
    r"\W*(?:(?:(?:and|but|also|so|now|then|today|currently|at the moment|as of (?:now|today)|yes|ok|okay|update|please note|note that|fyi|both|all|only|set|make|change|update|put|the|our|my)\b|"
    r"又|也|还|就|今天|现在|目前|昨天|刚才|另外|还有|然后|其中|请?把|将|更新一下|记一下|更正|备注|我们的?|两个|这|那)\W*)*"
)
_OF = lazy(r"s?\s+(?:of|for|at|on)\s+(?:both\s+|all\s+)?(?:the\s+)?")
_THAT_OF = lazy(r"\s*(?P<that>th(?:at|ose|e one))\s+(?:of|for|at|on)\s+(?:the\s+)?")
_EACH = lazy(
    r"都|均|皆|全部|全(?=是|为|已)|各自|各|\bboth(?: of them)?\b\s?|\ball\b\s?|\beach\b\s?|\balike\b\s?|\bas well as\b\s?"
)
_RESPECTIVELY = lazy(r"分别|依次|各自|\brespectively\b|\bin (?:that|this) order\b")
_TOGETHER = lazy(
    r"一共|总共|共计|合计|加起来|加在一起|合起来|平均|之间|相差|互相|一起|哪个|哪一个|其中|不都|不全|没都|至少一|有一个|一样|相同|"
    r"\b(?:together|in total|combined|altogether|between them|between the|in all|on average|average|each other|one of|which|either|not both|not all|neither|same|differ\w*)\b"
)
_OWNED = lazy(r"\s*(?:['’]s?(?=\s)|的)")
_COPULA = lazy(
    r"\s*(?:(?:is|are|was|were|has been|stands at|goes|to|=|:)\b|['’]s\b|[:：=]|[是为要到有]|改[成为]|变[成为]|换成|调[到成为]|升[到至为]|降[到至为]|涨到)?\s*(?:now |also )?(?:up to |down to |raised to |changed to |set to )?\s*"
)
_LINKED = lazy(r"\s*(?:是|为|['’]s\s+is\b|is\b|are\b)")
_NOT = lazy(
    r"(?:还|却|倒|现在)*(?:没有?|未)[。.]?|\s+(?:is|are|was|has|does|did)(?: still)?(?:n['’]t| not)(?: yet)?[.]?"
)
_ALSO = lazy(
    r"的?也(?:是|一样|如此|这样|同样)(?:这样|一样)?了?|(?:['’]s)?\s*(?:is|are|does|has|was)?,?\s*(?:too|as well|likewise)"
)
_LIST = lazy(r"\s*(?:、|，|,\s*(?:and\s+)?|\band\b|和|与|及|以及|;|；)\s*")
_END = lazy(r"[。；;！!？?\n]|\.(?=\s|$)|[，,]\s*(?=respectively|in (?:that|this) order)")
_BUT_NOT = lazy(
    r"(?:除了?|除去|除开|不包括|不含|\b(?:except(?:ing)?(?: for)?|but not|apart from|excluding|other than)\b)\s*(?:the )?"
)
_PLURAL = lazy(r"e?s\b")
SHARED = 0.6  # how sure a figure is that is told of several things together, and may be the sum
_MOST = 40  # stretches of a message that are read; of a longer list the rest is not
_JOINT = 24  # characters between a label and a name, and of what a break looks at
_FAR = 160  # characters of a label with what may stand between it and a name
_STRIP = " \t\n，,;；.。!！"


class Name(NamedTuple):
    """``text[start:end]`` names things; ``slots``: which say so, by Form type."""

    start: int
    end: int
    slots: Mapping[str, Slot]

    @property
    def types(self) -> frozenset[str]:
        return frozenset(self.slots)


class Part(NamedTuple):
    """The message as it tells of what goes by ``name``; of nothing that it names, where that is None. ``sure``: a figure
    told of several is each one's."""

    said: Respelled
    name: Name | None
    sure: bool = True


@dataclass(slots=True)
class _Section:
    """``text[start:end]`` tells of ``names``; ``lead``: where the words before them begin that are theirs."""

    names: list[Name]
    lead: int
    over: int  # where what is told before them ends
    led: bool = True  # the names begin a clause
    start: int = 0
    end: int = 0
    that: tuple[int, int] | None = None
    labels: list[Hit] = field(default_factory=list)

    @property
    def types(self) -> frozenset[str]:
        return frozenset.intersection(*(n.types for n in self.names))

    @property
    def behind(self) -> int:
        return self.names[-1].end


def apart(
    text: str,
    low: str,
    hits: Sequence[Hit],
    mentions: Sequence[Mention],
    called: Sequence[Named],
    readings: Readings,
) -> list[Part] | None:
    """The message put as one about each of the things that it names, in order, without what it tells of several
    together; None where it names fewer than two of one type so that it could be told of each."""
    names = _names(mentions, called)
    if (labels := _one_by_one(text, low, hits, names)) is not None:
        return labels
    if len(names) < 2:
        return None
    sections = _sections(low, hits, names)
    told = {(low[n.start : n.end], t) for s in sections for n in s.names for t in n.types}
    if all(count < 2 for count in Counter(t for _, t in told).values()):
        return None
    for i, section in enumerate(sections[:_MOST]):
        section.start = section.lead if i else 0
        section.end = sections[i + 1].over if i + 1 < len(sections) else len(text)
        section.labels = [
            h for h in hits
            if section.start <= h.start < section.end and h.word.role == "alias"
            and any(s.type.name in section.types and not s.naming for s in h.word.slots)
        ]  # fmt: skip
    parts: list[Part] = []
    last: _Section | None = None
    for section in sections[:_MOST]:
        parts.extend(_parts(text, low, section, last, readings))
        if section.labels or last is None:
            last = section
    return parts


def said_there(text: str, said: Respelled, draft: Draft) -> dict[str, SlotDraft]:
    """The slots of a draft of ``said.text``, with the words that stand for them in ``text``; without those that rest on
    words put in."""
    out = {}
    for name, slot in draft.slots.items():
        span = said.span(*slot.span) if slot.span is not None else None
        if span is not None:
            out[name] = replace(slot, span=span, evidence=text[slice(*span)])
    return out


def _one_by_one(text: str, low: str, hits: Sequence[Hit], names: Sequence[Name]) -> list[Part] | None:
    """A-1的重量和长度分别是5公斤和3米 as one message about each of the labels; None where none is told so."""
    said = _RESPECTIVELY.search(low)
    if said is None:
        return None
    head, tail = sentence_of(text, *said.span())
    run: list[Hit] = []
    for hit in (h for h in hits if head <= h.start and h.end <= tail and h.word.role == "alias"):
        if run and _JOIN.fullmatch(low, run[-1].end, hit.start) is None:
            if len(run) > 1:
                break
            run = []
        run.append(hit)
    who = [n for n in names if head <= n.start < tail and run and n.end <= run[0].start]
    if len(run) < 2 or len(who) > 1:
        return None
    values = _listed(low, run[-1].end, tail)
    if len(values) != len(run):
        return None
    gone = [(m.start(), m.end(), "") for m in _RESPECTIVELY.finditer(low, head, tail)]
    parts = [
        Part(respell(text, *span, ()), None)
        for span in ((0, head), (tail, len(text)))
        if text[slice(*span)].strip(_STRIP)
    ]
    for label, value in zip(run, values, strict=True):
        others = [
            (run[0].start, label.start, ""), (label.end, run[-1].end, ""),
            (values[0][0], value[0], ""), (value[1], values[-1][1], ""),
        ]  # fmt: skip
        swaps = sorted({(a, b, put) for a, b, put in [*gone, *others] if a < b})
        parts.append(Part(respell(text, head, tail, swaps), who[0] if who else None))
    return parts


def _listed(low: str, begin: int, end: int) -> list[tuple[int, int]]:
    """The parts of a list of values behind its copula."""
    if plural := _PLURAL.match(low, begin):
        begin = plural.end()
    for m in _RESPECTIVELY.finditer(low, begin, end):
        if low[m.end() : end].strip(_STRIP):
            begin = m.end()
        else:
            end = m.start()
    copula = _COPULA.match(low, begin, end)
    begin = copula.end() if copula is not None else begin
    out = []
    for stop, after in [*(m.span() for m in _LIST.finditer(low, begin, end)), (end, end)]:
        while stop > begin and low[stop - 1] in _STRIP:
            stop -= 1
        if stop > begin:
            out.append((begin, stop))
        begin = after
    return out


def _names(mentions: Sequence[Mention], called: Sequence[Named]) -> list[Name]:
    """What is named, by place; of overlapping ones the longest."""
    found: dict[tuple[int, int], dict[str, Slot]] = {}
    for start, end, slot in [(m.start, m.end, m.slot) for m in mentions] + [
        (c.start, c.end, c.slot) for c in called
    ]:
        if not slot.speakers:
            found.setdefault((start, end), {})[slot.type.name] = slot
    longer = Covering(found)
    spans = [span for span in found if not longer.has(*span)]
    return [Name(*span, found[span]) for span in sorted(spans)]


def _sections(low: str, hits: Sequence[Hit], names: Sequence[Name]) -> list[_Section]:
    """Names that begin a clause, those that stand together as one."""
    out: list[_Section] = []
    i = 0
    behind = 0
    near = Placed(hits)
    breaks = [found.span() for found in _BREAK.finditer(low)]
    while i < len(names):
        group = [names[i]]
        while (
            i + 1 < len(names)
            and names[i + 1].types & group[0].types
            and _JOIN.fullmatch(low, group[-1].end, names[i + 1].start)
        ):
            i += 1
            group.append(names[i])
        i += 1
        section = _leading(low, near, breaks, group, behind)
        # 闪电和云朵的教练分别是孙悦和陈刚: they are what is told of others
        values = bool(out) and not any(n.types & out[-1].types for n in group)
        if (
            section is None and len(group) > 1 and not values
        ):  # "compare: …" tells of neither alone
            section = _Section(group, group[0].start, group[0].start, led=False)
        if section is None:
            continue
        behind = group[-1].end
        same = [low[n.start : n.end] for n in section.names]
        if not out or same != [low[n.start : n.end] for n in out[-1].names]:  # it may go on about the same
            out.append(section)
    return out


def _leading(
    low: str, hits: Placed[Hit], breaks: Sequence[tuple[int, int]], group: list[Name], behind: int
) -> _Section | None:
    """The section that the names begin; None where they stand inside of what is told of something else."""
    at = group[0].start
    near = hits.ending(reach_back(low, at, _JOINT), at)
    for start, begin in _breaks_before(low, breaks, behind, at):
        over = start if low[start:begin].isalnum() else begin
        if (that := _THAT_OF.fullmatch(low, begin, at)) is not None:
            return _Section(group, begin, over, that=that.span("that"))
        filler = _FILLER.match(low, begin, at)
        end = begin if filler is None else filler.end()
        if end >= at:
            return _Section(group, begin, over)
        for hit in near:
            if begin <= hit.start <= end and hit.word.role == "alias" and _OF.fullmatch(low, hit.end, at):
                return _Section(group, begin, over)
        if any(
            h.start == end and _is_of(h, group[0]) and not low[h.end : at].strip(" s#号:：") for h in near
        ):
            return _Section(group, begin, over)  # the type's own word: batch AB77
        if at - end > _FAR:
            return None  # what stands farther off is followed by more than these
    return None


def _is_of(hit: Hit, name: Name) -> bool:
    """Whether the word says what the name is of: batch AB77, or 教练陈刚 where horses have one."""
    return bool(hit.word.types) or any(s.spec.ref in name.types for s in hit.word.slots)


def _breaks_before(
    low: str, breaks: Sequence[tuple[int, int]], behind: int, at: int
) -> Iterator[tuple[int, int]]:
    """The breaks of ``low[behind:at]``, the last first."""
    last = bisect_left(breaks, (max(behind, at - _JOINT), -1))
    while last and breaks[last - 1][1] > at - _JOINT:
        last -= 1
    # right before the name the cut makes a break of what is none in the whole: 和 and "and" that touch it
    cut = max(behind, breaks[last - 1][1] if last else 0)
    yield from reversed([found.span() for found in _BREAK.finditer(low, cut, at)])
    for i in range(last - 1, -1, -1):
        if breaks[i][0] < behind:
            return
        yield breaks[i]


def _parts(
    text: str, low: str, section: _Section, last: _Section | None, readings: Readings
) -> Iterator[Part]:
    if len(section.names) == 1:
        yield Part(_alone(text, low, section, last, readings), section.names[0])
        return
    if not section.led:
        they = "它们" if has_han(text[section.names[0].start : section.behind]) else "they"
        yield Part(
            respell(text, section.start, section.end, [(section.names[0].start, section.behind, they)]), None
        )
        return
    if _TOGETHER.search(low, section.behind, section.end):
        return
    label = (
        section.labels[0] if section.labels else last.labels[-1] if last is not None and last.labels else None
    )
    spec = _slot(label, section)
    ordered = _RESPECTIVELY.search(low, section.behind, section.end) is not None
    values = [] if spec is None or label is None else _values(low, section, label, spec, readings, ordered)
    swaps = [(m.start(), m.end(), "") for m in _RESPECTIVELY.finditer(low, section.behind, section.end)]
    if (
        label is not None
        and low.startswith("s", label.end)
        and not low[label.end + 1 : label.end + 2].isalpha()
    ):
        swaps.append((label.end, label.end + 1, ""))
    if len(values) == len(section.names) and (ordered or len({low[a:b] for a, b in values}) > 1):
        for i in range(len(values)):
            others = [(a, b, "") for a, b in _besides(low, values, i)]
            yield Part(_of(text, section, i, [*swaps, *others]), section.names[i])
        return
    if ordered:
        return
    each = list(_EACH.finditer(low, section.start, section.end))
    each = [m for m in each if m.end() <= section.names[0].start or m.start() >= section.behind]
    swaps += [(m.start(), m.end(), "") for m in each]
    plural = any(low[h.end : h.end + 1] == "s" for h in section.labels)
    for i, name in enumerate(section.names):
        if not _left_out(low, section, low[name.start : name.end]):
            yield Part(_of(text, section, i, swaps), name, bool(each) or plural)


def _left_out(low: str, section: _Section, name: str) -> bool:
    """Whether what is told of the names is not of this one: D-1、D-2和C-9都开放，除了D-2."""
    return any(low.startswith(name, m.end()) for m in _BUT_NOT.finditer(low, section.behind, section.end))


def _of(text: str, section: _Section, i: int, swaps: Iterable[tuple[int, int, str]]) -> Respelled:
    """The section, of its name number ``i`` alone."""
    begin, end = section.names[0].start, section.behind
    one = section.names[i]
    return respell(text, section.start, section.end, [(begin, one.start, ""), (one.end, end, ""), *swaps])


def _besides(low: str, values: Sequence[tuple[int, int]], i: int) -> list[tuple[int, int]]:
    """What stands around value ``i`` of a list; it keeps the unit of the last where it has none (9000 and 12,000 EUR)."""
    before = (values[0][0], values[i][0])
    if i + 1 == len(values):
        return [before]
    end = values[i][1]
    last = values[-1][1]
    if (own := UNIT.match(low, end)) is not None:
        unit = UNIT.match(low, last)
        return [before, (end + len(own[0].rstrip()), last if unit is None else unit.end())]
    if low[end - 1].isdecimal():
        while not low[last - 1].isdecimal() and last > values[-1][0] + 1:
            last -= 1
    return [before, (end, last)]


def _slot(label: Hit | None, section: _Section) -> Slot | None:
    if label is None:
        return None
    return next((s for s in label.word.slots if s.type.name in section.types and not s.naming), None)


def _values(
    low: str, section: _Section, label: Hit, slot: Slot, readings: Readings, ordered: bool
) -> list[tuple[int, int]]:
    """The values told one by one behind the names."""
    begin = max(section.behind, label.end if label.start >= section.behind else 0)
    found = _END.search(low, begin, section.end)
    end = found.start() if found is not None else section.end
    if slot.spec.type not in ("text", "ref", "enum", "boolean"):
        spans = sorted(
            {(r.start, r.end) for r in readings.of(slot.spec) if begin <= r.start and r.end <= end}
        )
        longer = Covering(spans)
        return [span for span in spans if not longer.has(*span)]
    if not ordered:
        return []
    return _listed(low, begin, end)


def _alone(text: str, low: str, section: _Section, last: _Section | None, readings: Readings) -> Respelled:
    """What is told of the one name, with the words that it leaves to those said before."""
    name = section.names[0]
    end = section.end
    while end > name.end and low[end - 1] in _STRIP:
        end -= 1
    plain = respell(text, section.start, section.end, ())
    if last is None or not section.types & last.types:
        return plain
    own = {h.word.text for h in section.labels}
    if len(last.names) == 1 and own <= {h.word.text for h in last.labels} and _too(low, section, end):
        return _same(text, last, name)
    if section.labels:
        return plain
    label = last.labels[-1] if last.labels else None
    slot = _slot(label, section)
    if label is None or slot is None:
        return plain
    word = text[label.start : label.end]
    if section.that is not None:
        return respell(text, section.start, section.end, [(*section.that, f"the {word}")])
    if slot.spec.type == "boolean":
        not_so = _NOT.fullmatch(low, name.end, end) is not None
        return (
            respell(text, section.start, end, [(end, end, word if has_han(word) else f" {word}")])
            if not_so
            else plain
        )
    owned = _OWNED.match(low, name.end, end)
    at = name.end if owned is None else owned.end()
    copula = _COPULA.match(low, at, end)
    value = at if copula is None else copula.end()
    if not _is_value(low, slot, value, end, readings, linked=owned is not None and value > at):
        return plain
    han = has_han(word)
    if owned is not None:
        put = word if han else f" {word}"
    else:
        put = f"的{word}" if han else f"'s {word}"
    if not low[at:value].strip():
        put += "是" if han else " is "
    return respell(text, section.start, section.end, [(at, at, put)])


def _too(low: str, section: _Section, end: int) -> bool:
    """Whether the section says only that the same is so (胡建明的日薪也是, "A-2's is too")."""
    said = low[section.names[0].end : end]
    for label in section.labels:
        said = said.replace(label.word.text, "", 1)
    return _ALSO.fullmatch(said.strip(" .。!！")) is not None


def _same(text: str, last: _Section, name: Name) -> Respelled:
    """What was told of the one before, told of ``name`` (胡建明的也是)."""
    before = respell(
        text, last.start, last.end, [(last.names[0].start, last.names[0].end, text[name.start : name.end])]
    )
    pieces = tuple(
        (here, name.start, size, name.end - name.start)
        if there == last.names[0].start and size == name.end - name.start
        else (here, there, size, real)
        for here, there, size, real in before.pieces
    )
    return Respelled(before.text, pieces)


def _is_value(low: str, slot: Slot, start: int, end: int, readings: Readings, linked: bool) -> bool:
    """Whether nothing but a value of the slot stands there."""
    said = low[start:end].strip(" .。了!！")
    if not said:
        return False
    if slot.spec.type in ("text", "ref", "enum"):
        return linked and KEY.search(said) is None and len(said) <= 40
    spans = [(r.start, r.end) for r in readings.of(slot.spec) if start <= r.start and r.end <= end]
    return bool(spans) and len(said) - max(b - a for a, b in spans) <= 6


__all__ = ["SHARED", "Name", "Part", "apart", "said_there"]
