"""Forms that a message calls by their number or name alone: "A-1 total: 350 USD", A-1的总价是350美元.

A label right beside such a name is that Form's, whichever type the conversation touched last; where its type has
no such slot, it is nobody's. The name of the speaker, once known, is none that the first words of a message suggest.
"""

# ruff: noqa: E501 (a pattern reads best on one line)
from __future__ import annotations

import re
from bisect import bisect_left, bisect_right, insort
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from itertools import count, islice
from typing import NamedTuple

from forms_dynamics.extraction.found import CUED, Found, break_from
from forms_dynamics.extraction.lexicon import Hit, Lexicon, Slot, names_alone, slot_of
from forms_dynamics.extraction.names_zh import may_name_a_person
from forms_dynamics.extraction.records import Named
from forms_dynamics.language.clauses import clause_of
from forms_dynamics.language.lazy import lazy
from forms_dynamics.language.normal import has_han, normal
from forms_dynamics.language.spans import Covering, Placed, merged, overlaps, reach_back, reach_on
from forms_dynamics.model.form import Form
from forms_dynamics.model.known import turns_of
from forms_dynamics.model.message import Message
from forms_dynamics.schema.spec import Catalog

_BEHIND = lazy(r"(?:['’]s|\s?的|\s*[:：,，])?\s*(?:(?:the|its|new|current) |新的?|现在的?)?")
_OF = lazy(r"\s+(?:of|for|on) (?:the )?")
_CALLED = lazy(r"\s*(?:号|编号|number|no\.?|#|＃)?\s*[:：]?\s*[#＃]?")
_NEAR = 4  # characters between a label and its value: " is "
_CALLED_NEAR, _NAMED_NEAR = 12, 16  # characters, without space, of what may stand between
_PLAIN = lazy(r"['’]s\b|的|\s*[:：]")


_OWNER = lazy(r"(?:['’]s?|的|[:：])\s*(?:(?:the|its|new|current|total) |新的?|现在的?)?$")
_THEIR = lazy(r"(?:\b(?:its|their)\s+|(?:它|他们|其)的?)(?:(?:new|current|total|own) |新的?)?$")
_STRANGER = lazy(
    r"(?:^|(?<=[，,。；;！!？?：:、\s\n]))(?P<x>[A-Z][A-Za-z0-9&-]*(?: [A-Z0-9][A-Za-z0-9&-]*){0,3})(?:['’]s |\s?的\s?)(?:new |current |新的?)?$"
    r"|(?:^|(?<=[，,。；;！!？?：:、\s\n]))(?:[《「“](?P<z>[^《》「」“”]{1,30})[》」”]|(?P<y>(?=[\u4e00-\u9fff]*[A-Za-z0-9])[\u4e00-\u9fffA-Za-z0-9#-]{2,12}))的(?:新的?|现在的?)?$"
)
_TITLED = lazy(
    r"(?:总|工|董|姐|哥|叔|婶|姨|经理|老师|主任|先生|女士|小姐|师傅|医生|教授|老板|处长|科长|部长|校长)$"
)
_CHAINED = lazy(r"(?:['’]s\s+|的)(?P<of>[a-z]+(?: [a-z]+)?|[\u4e00-\u9fff]{1,6}?)(?:['’]s\s+|的)$")
_FULL_NAME_ZH = lazy(r"(?:^|(?<=[，,。；;！!？?：:、\s]))(?P<x>[\u4e00-\u9fff]{2,4})的(?:新的?|现在的?)?$")
_NO_STRANGER = lazy(
    r"(?i:(?:it|that|this|let|nobody|somebody|someone|anyone|anybody|everybody|what|there|here|he|she|who|how|where|when|today|tomorrow|yesterday|monday|tuesday|wednesday|thursday|friday|saturday|sunday|january|"
    r"february|march|april|may|june|july|august|september|october|november|december|company|client|customer|everyone|last|next)\b)|"
    r".*(?:[我你您他她它咱这那哪]|\d(?:年|月|季度))|\d+\S{0,2}$|.*[上下本今明昨第每]\S?[年月周天次]"
)
_SEVERAL = lazy(r"(?<=[\u4e00-\u9fff0-9])[和与及、](?=[\u4e00-\u9fffA-Za-z0-9])")
_OWNERS = lazy(r"['’]s?$")
_OPENS = lazy(r"(?:^|[，,、；;。.!！?？:：\n]|\band |\bof |和|与|及)\s*(?:and |both |the )*(?=\S)")
_JOINTS = lazy(r"(?<!\s)(?:['’]s|的)?\s*(?:,\s+(?:and|or)\s|(?<=\s)(?:and|or)\s|&|[和与及或])")
_JOINED = 6  # of two names, of which the first need begin no clause
_OPENINGS = 60  # of clauses and parts of lists, in which names are looked for
_WORDS = 5  # of a name beside a label
_HAN = 12  # characters of one in Chinese
_WORD = lazy(r"[a-z0-9][^\s,.;:!?，。；：！？、()（）\u4e00-\u9fff]*|[\u4e00-\u9fff]+")


class Mention(NamedTuple):
    """``text[start:end]`` names a known Form of ``slot``'s type. ``numbered``: a digit tells it from other words."""

    start: int
    end: int
    slot: Slot
    numbered: bool


def called(known: Sequence[Form], catalog: Catalog) -> Iterator[tuple[str, Slot]]:
    """What the Forms of things in ``known`` go by, each with the slot that tells it."""
    for form in known:
        form_type = catalog.types.get(form.type)
        if form_type is None or form.status != "active":
            continue
        for spec in form_type.slots.values():
            value = form[spec.name]
            if not isinstance(value, str) or not names_alone(form_type, spec):
                continue
            slot = slot_of(form_type, spec)
            if not slot.speakers:
                yield value, slot


def mentioned(low: str, known: Sequence[Form], catalog: Catalog) -> list[Mention]:
    """The known Forms of things, the last touched first, that ``low`` names as whole words; a name inside a longer
    one does not count."""
    found: dict[tuple[int, int, str], Mention] = {}
    for value, slot in called(known, catalog):
        for start, end in _places(low, normal(value)):
            numbered = any(map(str.isdecimal, value))
            found.setdefault((start, end, slot.type.name), Mention(start, end, slot, numbered))
    longer = Covering(span[:2] for span in found)
    return [one for one in found.values() if not longer.has(one.start, one.end)]


def owners(low: str, hits: Sequence[Hit], states: Sequence[int] = ()) -> list[str]:
    """What may be the name of a thing beside a label: Acme and "board of Acme" in "the board of Acme's budget", Acme
    in "the budget for Acme" and "Acme raised its budget", 海川贸易 in 海川贸易的预算; and what clauses begin with that tell
    a state (at ``states``): "Press 3 is down". In normal form."""
    out: dict[str, None] = {}
    opening = [clause_of(low, at, at + 1)[0] for at in states]
    opening.extend(hit.end for hit in hits if hit.word.types and hit.start in opening)  # paddock N7
    for hit in hits:
        if hit.word.role != "alias":
            continue
        mark = _OWNER.search(low, max(0, hit.start - _NEAR * 4), hit.start)
        joined = has_han(hit.word.text) and has_han(low[hit.start - 1 : hit.start])  # 青石书店价格71元
        if mark is not None or joined:
            end = hit.start if mark is None else mark.start()
            words = list(_WORD.finditer(low, max(0, end - 80), end))[-_WORDS:]
            out.update((normal(low[word.start() : end]), None) for word in words)
            if words and has_han(words[-1][0]):
                run = words[-1][0][-_HAN:]
                out.update((run[at:], None) for at in range(len(run) - 1))
        if (of := _OF.match(low, hit.end)) is not None:
            opening.append(of.end())
        if _THEIR.search(low, max(0, hit.start - _NEAR * 4), hit.start) is not None:
            opening.append(clause_of(low, hit.start, hit.end)[0])
    if opening or out or any(hit.word.role == "alias" for hit in hits):
        opening.extend(m.end() for m in islice(_OPENS.finditer(low), _OPENINGS))
        for joint in islice(_JOINTS.finditer(low), _JOINED):
            before = list(_WORD.finditer(low, max(0, joint.start() - 60), joint.start()))[-3:]
            out.update((normal(low[word.start() : joint.start()]), None) for word in before)
            run = before[-1][0][-8:] if before else ""
            out.update((run[at:], None) for at in range(len(run) - 1) if has_han(run))
    for begin in dict.fromkeys(opening):
        words = list(_WORD.finditer(low, begin, begin + 80))[:_WORDS]
        out.update((normal(_OWNERS.sub("", low[words[0].start() : w.end()])), None) for w in words)
        run = low[words[0].start() : words[-1].end()] if words else ""
        if has_han(run):
            out.update((normal(run[:size]), None) for size in range(2, _HAN + 1))
    return [name for name in out if len(name) > 1]


def _places(low: str, name: str) -> Iterator[tuple[int, int]]:
    if len(name) < 2:
        return
    begins = r"(?<![a-z0-9])(?<![a-z0-9][-_/.])" if name[0].isascii() else ""
    ends = r"(?![a-z0-9])(?![-_/.][a-z0-9])" if name[-1].isascii() else ""
    for m in re.finditer(begins + re.escape(name) + ends, low):
        # 5000 is an amount unless something is said of it
        if not name.isdecimal() or _PLAIN.match(low, m.end()):
            yield m.span()


def labels_of(
    text: str, low: str, hits: Sequence[Hit], mentions: Sequence[Mention], lexicon: Lexicon
) -> tuple[list[Hit], list[Named], list[Hit]]:
    """The hits, where those of labels beside a mention mean the slots of its Form's type alone, what the labels are
    of, and the labels for which its type has no slot. A name that nobody knows may be said so, too."""
    calling = _Calling(low, hits)
    anybody = Placed(mentions)
    alone = Placed(m for m in mentions if m.slot.kind != "person" and not calling.calls(m))
    known = merged((m.start, m.end) for m in mentions)
    out: list[Hit] = []
    nobodys: list[Hit] = []
    named: dict[tuple[int, int], Named] = {}
    for hit in hits:
        near = alone.beside(
            reach_back(low, hit.start, _NAMED_NEAR), hit.start, hit.end, reach_on(low, hit.end, _NAMED_NEAR)
        )
        beside = [m for m in near if _beside(low, hit, m)]
        if hit.word.role == "alias" and _of_its_own(low, hit):
            nobodys.append(hit)
            continue
        if hit.word.role == "alias" and hit.word.types and not hit.word.bare:
            out.append(_label_of_type(low, hit, anybody))
            continue
        if hit.word.role != "alias" or hit.word.bare:
            out.append(hit)
            continue
        if not beside:
            stranger = _stranger(text, hit, lexicon)
            if stranger is None or overlaps(known, stranger.start, stranger.end):
                out.append(hit)
            else:
                named[stranger.start, stranger.end] = stranger
                out.append(hit._replace(word=replace(hit.word, weak=False, beside=True)))
            continue
        first = beside[0]
        beside = [m for m in beside if (m.start, m.end) == (first.start, first.end)]
        types = {m.slot.type.name for m in beside}
        slots = tuple(s for s in hit.word.slots if s.type.name in types)
        slots += tuple(
            s
            for m in beside
            for word in lexicon.bare.get(m.slot.type.name, ())
            if word.text == hit.word.text
            for s in word.slots
            if s not in slots
        )
        if slots:
            word = replace(hit.word, slots=slots, weak=False, generic=False, aside=frozenset(), beside=True)
            end = max(hit.end, first.end)  # "the total of A-1"
            out.append(Hit(hit.start, end, word))
            if len(types) == 1:
                named[first.start, first.end] = Named(first.slot, first.start, first.end, first.start)
        else:
            (nobodys if first.numbered else out).append(hit)
    return out, list(named.values()), nobodys


def _label_of_type(low: str, hit: Hit, mentions: Placed[Mention]) -> Hit:
    """A word of a type that is a slot's label, too (教练 of a horse): the label beside a name of what has such a slot."""
    near = mentions.beside(
        reach_back(low, hit.start, _NAMED_NEAR), hit.start, hit.end, reach_on(low, hit.end, _NAMED_NEAR)
    )
    of = {m.slot.type.name for m in near if _beside(low, hit, m)}
    slots = tuple(s for s in hit.word.slots if s.type.name in of)
    if not slots:
        return hit
    return hit._replace(word=replace(hit.word, slots=slots, types=(), weak=False, beside=True))


def _is_full_name(name: str, slot: Slot) -> bool:
    """Whether it is somebody's name, and not a surname with a title (高教练, 王总): who that is, others know."""
    called = (normal(word) for word in slot.type.aliases)
    return may_name_a_person(name) and not _TITLED.search(name) and not any(map(name.endswith, called))


def _of_its_own(low: str, hit: Hit) -> bool:
    """Whether the label is of what another label names: the phone of Momo's owner is not Momo's."""
    found = _CHAINED.search(low, max(0, hit.start - 40), hit.start)
    if found is None:
        return False
    between = {
        normal(word)
        for slot in hit.word.slots
        for spec in slot.type.slots.values()
        if spec.type in ("text", "ref") and not (other := slot_of(slot.type, spec)).naming and not other.kind
        for word in (spec.name.replace("_", " "), *spec.aliases)
    }
    return found["of"] in between


def _stranger(text: str, hit: Hit, lexicon: Lexicon) -> Named | None:
    """The name of a thing that nobody knows, told by the label that is said to be its: 冲床3号的操作员, "Press 3's
    operator". In Chinese a letter or a digit tells a name from other words; of a firm or a person much else is said."""
    types = {s.type.name for s in hit.word.slots}
    slot = lexicon.titles.get(next(iter(types))) if len(types) == 1 else None
    if slot is None or slot.speakers or slot.kind == "company":
        return None
    found = _STRANGER.search(text, max(0, hit.start - 60), hit.start)
    if found is None and slot.kind == "person":
        found = _FULL_NAME_ZH.search(text, max(0, hit.start - 12), hit.start)
    if found is None:
        return None
    start, end = next(span for name in found.groupdict() if (span := found.span(name))[0] >= 0)
    for word in sorted((slot.type.name, *slot.type.aliases), key=len, reverse=True):
        own = normal(word) if has_han(word) else f"{normal(word)} "  # 琴房D-7的, Rider Tom Baker's
        if text[start:end].casefold().startswith(own) and len(own) < end - start:
            start += len(own)
            break
    name = text[start:end]
    if _SEVERAL.search(name):
        return None
    if slot.kind == "person" and not (_is_full_name(name, slot) if has_han(name) else " " in name):
        return None
    return None if _NO_STRANGER.match(text, start, end) else Named(slot, start, end, start)


def with_names(
    text: str, found: Sequence[Found], called: Sequence[Named], nobodys: Sequence[Hit]
) -> list[Found]:
    """What was found, with the names of the Forms that it is of; without what a label that is nobody's leads to."""
    lost = merged((h.start, h.end + _NEAR + 1) for h in nobodys)
    told = _Told(f for f in found if not overlaps(lost, f.low, f.high))
    for one in called:
        if told.says_more(one.slot):
            told.remove(one.start, one.end)
            name = text[one.start : one.end]
            told.add(Found((one.slot,), one.start, one.end, one.low, one.end, name, CUED))
    return told.found


class _Told:
    """What was found, in order, of which some is taken away and some is added."""

    def __init__(self, found: Iterable[Found]) -> None:
        self._items: dict[int, Found] = {}
        self._starts: list[tuple[int, int]] = []  # (start, number)
        self._longest = 0
        self._slots: dict[str, Counter[str]] = {}  # by type, how many items may fill each
        self._numbers = count()
        for item in found:
            self.add(item)

    @property
    def found(self) -> list[Found]:
        return list(self._items.values())

    def add(self, item: Found) -> None:
        number = next(self._numbers)
        self._items[number] = item
        insort(self._starts, (item.start, number))
        self._longest = max(self._longest, item.end - item.start)
        for slot in item.slots:
            self._slots.setdefault(slot.type.name, Counter())[slot.spec.name] += 1

    def says_more(self, title: Slot) -> bool:
        """Whether anything but ``title`` is told of its type."""
        told = self._slots.get(title.type.name, Counter[str]())
        return any(n and name != title.spec.name for name, n in told.items())

    def remove(self, start: int, end: int) -> None:
        """Takes away what overlaps ``start`` to ``end``."""
        first = bisect_left(self._starts, (start - self._longest, -1))
        last = bisect_left(self._starts, (end, -1))
        kept = []
        for place in self._starts[first:last]:
            item = self._items[place[1]]
            if not (item.start < end and start < item.end):
                kept.append(place)
                continue
            del self._items[place[1]]
            for slot in item.slots:
                self._slots[slot.type.name][slot.spec.name] -= 1
        self._starts[first:last] = kept


def is_number(mentions: Sequence[Mention], start: int, end: int) -> bool:
    """Whether the words are the number of a thing (A-1's payment terms), and so no firm's name."""
    return any(m.numbered and m.slot.kind != "company" and (m.start, m.end) == (start, end) for m in mentions)


def speakers_name(message: Message, known: Sequence[Form], slots: Sequence[Slot]) -> str | None:
    """The speaker's name, where it is known and nobody else speaks in the conversation. ``slots``: for persons."""
    if any(turn.role == "user" and turn.speaker != message.speaker for turn in turns_of(known)):
        return None
    for form in known:
        for slot in slots:
            if slot.speakers and form.type == slot.type.name and isinstance(form[slot.spec.name], str):
                return str(form[slot.spec.name])
    return None


def is_another(name: str, told: str | None) -> bool:
    """Whether the name is another than ``told``, the speaker's own."""
    if told is None:
        return False
    said, held = normal(name), normal(told)
    return said not in held and held not in said


class _Calling:
    """Whether a message itself says of which type a thing is that it names (order A-1, 订单号A-1), or speaks of another's,
    of which it is a part ("quote for A-1: total …")."""

    def __init__(self, low: str, hits: Sequence[Hit]) -> None:
        self._low = low
        self._typed = [h for h in hits if not h.word.weak and (h.word.types or h.word.ids)]
        self._near = Placed(self._typed)
        self._others: dict[str, list[int]] = {}

    def calls(self, mention: Mention) -> bool:
        low, start = self._low, mention.start
        near = self._near.ending(reach_back(low, start, _CALLED_NEAR), start)
        if any(_CALLED.fullmatch(low, hit.end, start) is not None for hit in near):
            return True
        name = mention.slot.type.name
        others = self._others.get(name)
        if others is None:  # where words of other types end
            others = self._others[name] = sorted(
                h.end for h in self._typed if h.word.types and name not in h.word.types
            )
        last = bisect_right(others, start) - 1
        if last < 0:
            return False
        broken = break_from(low, others[last])
        return broken is None or broken >= start


def _beside(low: str, hit: Hit, mention: Mention) -> bool:
    if mention.end <= hit.start:
        gap = low[mention.end : hit.start]
        # 天际预算 needs nothing between, "Skyline budget" a space
        return _BEHIND.fullmatch(gap) is not None and (gap != "" or has_han(low[hit.start]))
    return hit.end <= mention.start and _OF.fullmatch(low, hit.end, mention.start) is not None


__all__ = [
    "Mention",
    "called",
    "is_another",
    "is_number",
    "labels_of",
    "mentioned",
    "owners",
    "speakers_name",
    "with_names",
]
