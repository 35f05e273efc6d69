"""A question, parsed without a model: names that may stand in it, slots and types asked for, history."""

# ruff: noqa: E501 (a list of words and a pattern read best on one line)
from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from datetime import date, datetime, timedelta, timezone
from functools import lru_cache

from forms_dynamics.language.dates import find_dates
from forms_dynamics.language.normal import CJK, has_han, normal
from forms_dynamics.model.value import Range, from_micros, to_micros
from forms_dynamics.retrieval.demands.measures import NUMERIC, direction, measuring
from forms_dynamics.retrieval.former import asks_former
from forms_dynamics.retrieval.lexicon import HINT, Lexicon, Meaning, Word
from forms_dynamics.retrieval.saying import SAID_BY
from forms_dynamics.retrieval.spoken import language_of_words
from forms_dynamics.retrieval.words import (
    ALL_OF,
    ANAPHORA,
    AS_OF,
    AVERAGE,
    BREAKS_ZH,
    HISTORY,
    LEAD_IN,
    MEASURES,
    PARTICLES_ZH,
    PRONOUN_POSSESSOR,
    SEVERAL,
    STOP_EN,
    TOTAL,
    TRACING,
    WHEN,
    stem,
)

_UNIT = re.compile(f"([{CJK}])|(?:(?![{CJK}])[^\\W_])+(?:[-'’&./_+#@:](?:(?![{CJK}])[^\\W_])+)*[+#]*")
_ID = re.compile(r"\b[a-z][0-9a-hjkmnp-tv-z]{19}(?:@\d+)?\b")
_SPOKEN_OF = re.compile(
    f"第[一二两三四五][{MEASURES}]|[前后]者|[这那另]|(?:说|提|讲|聊|发|给)(?:到|过|起|来)?的"
)
# asks whether something is so: a value that stands in it asks for its slot
_WHETHER = re.compile(
    r"[吗嘛么](?=$|[?？。])|没有?(?=$|[?？。])|是不是|有没有|是否|^(?:is|are|was|were|has|have|did|does|do)\b"
)
_OF_A_KIND = re.compile(
    r"哪里|哪儿|[住去在到往]哪|多少[钱年岁天]|几[年岁](?=了|[？?]|$)|什么时候|何时|几点|哪天|多[高长重久宽深远快]|谁(?!是|[？?]?$)|"
    r"\b(?:where|when|how (?:much|long|tall|heavy|old|big|far|fast|high)|"
    r"who(?:m|se)?(?! (?:is|are|was|were)\b|['’]s))\b"
)
_THAN_IT = re.compile(
    r"比(?!例|较|如|赛|分)[^，。？?\d]{1,12}[-\d]{0,6}(?:还|更|要)?[重轻长短高低矮大小贵老新早晚多少深浅宽窄快慢远近](?![\d一二两三])|"
    r"\b(?!(?:oth|rath|eith|wheth|ev|nev)er)(?:\w{3,}er|more \w+|less \w+) than (?!about |some |an? )[a-z]"
)
# which of two is the one: what they are compared by is asked of both
_COMPARES = re.compile(
    r"(?:谁|哪[个匹只件本辆台座栋块条张位家种边款]|[\u4e00-\u9fff\w]比[^，。？?]{1,16}?)(?:比较|相对|更|还|要)?([重轻高矮长短宽窄深浅厚薄快慢远近贵沉]|便宜)(?=[一些点]|吗|还是|$|[？?，])|"
    r"\b((?!eith|oth|rath|wheth|numb)(?:\w{3,}[^e\W]er|more expensive|cheaper|closer|larger|wider))\b(?=[,:]? [^?]*\bor\b| than [a-z\u4e00-\u9fff]|[ ?.]*$)"
)
_EX = re.compile(r"\bex-(?=[a-z])")  # ex-coach is what was once, and the word for a slot
_MAX_TEXT = 2000  # a longer question is read at its beginning


@dataclass(frozen=True, slots=True)
class Question:
    """What was asked. Offsets are into ``text``, the normal form of ``raw``.

    ``words``: declared words found; ``hints``: everyday ways of asking that no declared word covers.
    ``units``: (start, end, is a Han character) of each word or character; ``free[i]``: unit i is neither a
    function word nor part of a declared word.
    """

    raw: str
    text: str
    lang: str
    units: tuple[tuple[int, int, bool], ...]
    free: tuple[bool, ...]
    breaks: tuple[bool, ...]
    words: tuple[Word, ...]
    ids: tuple[str, ...]
    history: bool
    anaphora: bool
    listing: bool
    dated: bool = False  # it may give the moment that it asks about
    declared: tuple[Word, ...] = ()  # all of them, before ``words`` was chosen from them and from ``ways``
    ways: tuple[Word, ...] = ()
    tracing: bool = False  # all that hangs together with something is wanted
    several: bool = False  # it may name several things

    @property
    def types(self) -> frozenset[str]:
        """Form types that the question names."""
        return frozenset(m.type for w in self.words for m in w.meanings if m.slot is None)

    @property
    def asks(self) -> bool:
        """Whether any word asks for a slot."""
        return any(m.slot is not None for w in self.words for m in w.meanings)

    @property
    def whether(self) -> bool:
        """Whether it asks if something is so."""
        return not self.listing and _WHETHER.search(self.text) is not None

    def of_a_kind(self, explained: Sequence[tuple[int, int]] = ()) -> bool:
        """Whether it asks for a place, a time, an amount, a measure or who does something, be there such a slot or
        not; who somebody is asks for all that there is. ``explained``: words by which Forms were chosen."""
        than = _THAN_IT.search(self.text)
        if than is not None and not any(a <= than.start() and than.start() < b for a, b in explained):
            return True  # heavier than B-101: no more is said of others
        return not self.listing and _OF_A_KIND.search(self.text) is not None

    def compares_unknown(self, taken: Sequence[tuple[int, int]]) -> bool:
        """Whether one of those that it compares is nothing that is known (``taken``): "is K-31 heavier than K-99?"."""
        said = _COMPARES.search(self.text)
        word = None if said is None else next(g for g in said.groups() if g)
        if word is None or direction(word) is None:
            return False
        return any(run not in word and run[1:] != word for run in self.leftover(taken))  # 更高

    def single(self, taken: Sequence[tuple[int, int]], lines: Sequence[str]) -> list[str]:
        """Single Chinese characters that neither ``taken`` nor ``lines`` explain: 坏 of 坏了吗."""
        return [
            self.text[a:b]
            for (a, b, han), free in zip(self.units, self.free, strict=True)
            if han
            and free
            and not any(c <= a < d for c, d in taken)
            and not any(self.text[a:b] in normal(line) for line in lines)
        ]

    @property
    def sure_types(self) -> frozenset[str]:
        """Form types of which a word names a slot."""
        return frozenset(
            m.type for w in self.words for m in w.meanings if m.slot is not None and m.level > HINT
        )

    def spoken_beside(self, names: Sequence[tuple[int, int]]) -> Question:
        """The same with ``lang`` as the question's own words have it, ``names`` aside."""
        if not has_han(self.text):
            return self if self.lang == "en" else replace(self, lang="en")
        own = [
            (start, end)
            for (start, end, _), free in zip(self.units, self.free, strict=True)
            if not free and not any(a <= start and end <= b for a, b in names)
        ]
        declared = [(w.start, w.end) for w in self.words]
        free = [(a, b) for (a, b, han), free in zip(self.units, self.free, strict=True) if han and free]
        lang = language_of_words(self.text, own, declared, free)
        return self if lang == self.lang else replace(self, lang=lang)

    def asked(self, types: frozenset[str] | None = None) -> dict[str, tuple[str, ...]]:
        """Slots asked for, by Form type (of ``types``, or all)."""
        out: dict[str, dict[str, None]] = {}
        for word in self.words:
            for meaning in word.meanings:
                if meaning.slot is not None and (types is None or meaning.type in types):
                    out.setdefault(meaning.type, {})[meaning.slot] = None
        return {type: tuple(slots) for type, slots in out.items()}

    def about(self, types: Iterable[str], lexicon: Lexicon) -> Question:
        """The question where it speaks of Forms of these types: their slots are then asked for by bare words, too
        (金额 for 订单金额), but for those that are a part of a longer word."""
        own = {(m.type, m.slot, w.start) for w in self.words for m in w.meanings if m.level > HINT}
        found: list[Word] = []
        whether = self.whether
        chinese, english = (
            any(free and han == which for (_, _, han), free in zip(self.units, self.free, strict=True))
            for which in (True, False)
        )
        for type in types:
            asked = lexicon.values(self.text, self.units, type) if whether else []
            bare = [w for w in lexicon.bare(self.text, self.units, type) if not self._compounded(w)]
            bare += [
                w
                for w in (lexicon.heads(self.text, self.units, type) if chinese else ())
                if not self._runs_on(w) and not any(b.start < w.end and w.start < b.end for b in bare)
            ]
            kin = [
                w
                for w in (lexicon.kin(self.text, self.units, type) if english else ())
                if self._unexplained(w) and not self._compounded(w)
            ]
            for word in (*bare, *asked, *kin, *self._measured(type, lexicon)):
                left = tuple(m for m in word.meanings if (m.type, m.slot, word.start) not in own)
                if left and not any(
                    w.start <= word.start and word.end <= w.end and w.end - w.start > word.end - word.start
                    for w in self.words
                ):
                    found.append(word._replace(meanings=left))
        if not found:
            return self
        given = {*_asking(self.declared, self.ways)}
        more = tuple(w for w in self.words if w not in given)  # of an intent beside it
        declared = (*self.declared, *found)
        return replace(self, words=(*_asking(declared, self.ways), *more), declared=declared)

    def _measured(self, type: str, lexicon: Lexicon) -> list[Word]:
        """The slot by which things that the question names are compared: "which is heavier, A or B?", 甲和乙谁高."""
        said = _COMPARES.search(self.text)
        form_type = lexicon.catalog.types.get(type)
        if said is None or form_type is None or self.types - {type}:
            return []
        word = next(g for g in said.groups() if g)
        spec = measuring(word, [s for s in form_type.slots.values() if s.type in NUMERIC])
        return (
            []
            if spec is None
            else [Word(*said.span(said.lastindex or 0), (Meaning(type, spec.name, HINT + 1),))]
        )

    def _compounded(self, word: Word) -> bool:
        """Whether another English noun stands right before a single one: the number of "phone number" is no other."""
        before = next((u for u in self.units if u[1] == word.start - 1), None)
        if (
            before is None
            or before[2]
            or has_han(self.text[word.start])
            or " " in self.text[word.start : word.end]
        ):
            return False
        said = self.text[before[0] : before[1]]
        return said not in STOP_EN and any(
            w.start <= before[0] and before[1] <= w.end for w in (*self.words, *self.ways)
        )

    def _runs_on(self, word: Word) -> bool:
        """Whether a Chinese character that nothing explains runs into it: 医生 of 白医生 is a part of a name."""
        return any(
            free and han and b == word.start and self.text[a:b] not in MEASURES
            for (a, b, han), free in zip(self.units, self.free, strict=True)
        )

    def _unexplained(self, word: Word) -> bool:
        return any(free for (a, b, _), free in zip(self.units, self.free, strict=True) if (a, b) == word[:2])

    def outside(self, names: Sequence[tuple[int, int]]) -> Question:
        """The question without the words that are a part of a name in it: 评审 in 季度评审 asks for nothing."""

        def asks(word: Word) -> bool:
            span = word.start, word.end
            return not any(a <= span[0] and span[1] <= b and (a, b) != span for a, b in names)

        if all(map(asks, self.words)):
            return self
        declared, ways = tuple(filter(asks, self.declared)), tuple(filter(asks, self.ways))
        return replace(self, words=tuple(_asking(declared, ways)), declared=declared, ways=ways)

    def leftover(self, taken: Sequence[tuple[int, int]] = ()) -> list[str]:
        """Content that no declared word, function word or span of ``taken`` explains: Latin words, and
        Chinese runs of two characters or more."""
        out: list[str] = []
        run = ""
        last = -1
        for (start, end, han), free in zip(self.units, self.free, strict=True):
            loose = free and not any(a <= start and end <= b for a, b in taken)
            if han and loose:
                run = run + self.text[start:end] if start == last else self.text[start:end]
                if len(run) == 2:
                    out.append(run)
                elif len(run) > 2:
                    out[-1] = run
                last = end
            elif loose:
                out.append(self.text[start:end])
        return out

    def possessor(self, taken: Sequence[tuple[int, int]] = ()) -> str | None:
        """An unexplained thing that the question asks about as an owner ("中原的预算", "Marlow's budget")."""
        for run in self.leftover(taken):
            at = self.text.find(run)
            after = self.text[at + len(run) : at + len(run) + 2].lstrip()
            owns = after.startswith("的") and PRONOUN_POSSESSOR.search(run) is None
            if owns or run.endswith(("'s", "’s")):
                return run
        return None

    def number(self) -> str | None:
        """An unexplained number of a thing ("does C-9 have power?")."""
        return next((run for run in self.leftover(()) if _CODE.fullmatch(run) is not None), None)


_CODE = re.compile(r"[a-z]{1,6}[-_/]?\d{1,8}")


def parse(raw: str, lexicon: Lexicon) -> Question:
    """Parses a question; the last ones are kept a while. Lone surrogates become question marks."""
    return _parse(raw[:_MAX_TEXT].encode("utf-8", "replace").decode("utf-8"), lexicon)


@lru_cache(maxsize=512)
def _parse(raw: str, lexicon: Lexicon) -> Question:
    text = _EX.sub("ex ", normal(raw))
    units = [(m.start(), m.end(), m.group(1) is not None) for m in _UNIT.finditer(text)]
    declared, ways = [_meant(word) for word in lexicon.words(text, units)], lexicon.hints(text)
    changes = WHEN.search(text) is not None and _flags(declared, lexicon)
    if changes:  # when it was paid is told by when that came to be so, and by no other day
        ways = [w for w in (_without_days(way, changes, lexicon) for way in ways) if w.meanings]
    words = _asking(declared, ways)
    blocked = _blocked(text, units)
    inside = _inside(units, words)
    aside = [m.span() for m in LEAD_IN.finditer(text)]
    anaphora = ANAPHORA.search(text) is not None or SAID_BY.search(text) is not None
    total = TOTAL.search(text) is not None and not anaphora
    spoken_of = any(m.slot is None for w in words for m in w.meanings)
    total = total or (spoken_of and AVERAGE.search(text) is not None)
    listing = total or ALL_OF.search(text) is not None or _bare_plural(text, words)
    if listing:
        words = [_of_type(word) for word in words]
    question = Question(
        raw=raw,
        text=text,
        lang="en",
        units=tuple(units),
        free=tuple(
            not (block or known or (han and text[a:b] in PARTICLES_ZH) or _within(a, aside))
            for (a, b, han), block, known in zip(units, blocked, inside, strict=True)
        ),
        breaks=tuple(blocked),
        words=tuple(words),
        declared=tuple(declared),
        ways=tuple(ways),
        ids=tuple(m.group().partition("@")[0] for m in _ID.finditer(text)),
        history=bool(changes)
        or HISTORY.search(text) is not None
        or asks_former(raw, text, _of_slots(declared, lexicon)),
        anaphora=anaphora,
        listing=listing,
        dated=AS_OF.search(raw) is not None,
        tracing=TRACING.search(text) is not None,
        several=SEVERAL.search(text) is not None,
    )
    question = question.spoken_beside(())
    spoken = question.about(sorted(question.types), lexicon)
    if spoken is question:
        return question
    return replace(
        spoken,
        free=tuple(f and not k for f, k in zip(spoken.free, _inside(units, spoken.words), strict=True)),
    )


def _of_slots(declared: Sequence[Word], lexicon: Lexicon) -> list[tuple[int, int, bool]]:
    """Where words for slots stand, and whether one of those slots names somebody or something."""
    types = lexicon.catalog.types
    return [
        (
            w.start,
            w.end,
            any(types[m.type].slots[m.slot].type in ("text", "ref") for m in w.meanings if m.slot),
        )
        for w in declared
        if any(m.slot is not None for m in w.meanings)
    ]


def _flags(declared: Sequence[Word], lexicon: Lexicon) -> frozenset[str]:
    """Types of which a boolean is named, and no day."""
    kinds = [
        (m.type, lexicon.catalog.types[m.type].slots[m.slot].type)
        for w in declared
        for m in w.meanings
        if m.slot is not None and m.level > HINT
    ]
    dated = {type for type, kind in kinds if kind.startswith("date")}
    return frozenset({type for type, kind in kinds if kind == "boolean"} - dated)


def _without_days(way: Word, types: frozenset[str], lexicon: Lexicon) -> Word:
    slots = {t: lexicon.catalog.types[t].slots for t in types}
    kept = (
        m
        for m in way.meanings
        if not (m.slot and m.type in slots and slots[m.type][m.slot].type.startswith("date"))
    )
    return way._replace(meanings=tuple(kept))


def _within(at: int, spans: Sequence[tuple[int, int]]) -> bool:
    return any(a <= at < b for a, b in spans)


def _inside(units: Sequence[tuple[int, int, bool]], words: Sequence[Word]) -> list[bool]:
    """Units that are part of a word."""
    out = [False] * len(units)
    for word in words:
        for i, (start, end, _) in enumerate(units):
            if word.start <= start and end <= word.end:
                out[i] = True
    return out


def _meant(word: Word) -> Word:
    """Only the surest meanings of a word in each Form type; "报价" may be a type and its slot."""
    best: dict[str, int] = {}
    for meaning in word.meanings:
        if meaning.slot is not None:
            best[meaning.type] = max(meaning.level, best.get(meaning.type, 0))
    kept = tuple(m for m in word.meanings if m.slot is None or m.level == best[m.type])
    return word._replace(meanings=kept)


def _sure(words: Sequence[Word]) -> list[Word]:
    """Words that only announce a value count in the types of which nothing is named."""
    named = {
        m.type
        for w in words
        for m in w.meanings
        if m.slot is not None and m.level > HINT and not _calls_type(w, m.type)
    }
    kept = [
        w._replace(meanings=tuple(m for m in w.meanings if m.level > HINT or m.type not in named))
        for w in words
    ]
    return [w for w in kept if w.meanings]


def _of_type(word: Word) -> Word:
    """Where all of a type are asked for, its name asks for no slot that is called so, too (报价 of 所有报价)."""
    types = {m.type for m in word.meanings if m.slot is None}
    return word._replace(meanings=tuple(m for m in word.meanings if m.slot is None or m.type not in types))


def _calls_type(word: Word, type: str) -> bool:
    """Whether the word may just as well say of what type a thing is ("What does quote Q-104 cover?")."""
    return any(m.slot is None and m.type == type for m in word.meanings)


def _asking(declared: Sequence[Word], ways: Sequence[Word]) -> list[Word]:
    """What asks for something: declared words, and ways of asking that none of them covers."""
    words = _sure(declared)
    for hint in ways:
        nearer = {
            m.type
            for w in ways
            if w.start <= hint.start and hint.end <= w.end and w.end - w.start > hint.end - hint.start
            for m in w.meanings
        }  # where of "where is it going": what says more of the same words is meant
        left = tuple(m for m in _unsatisfied(hint, words) if m.type not in nearer)
        if left:
            words.append(Word(hint.start, hint.end, left))
    return words


def _unsatisfied(hint: Word, words: Sequence[Word]) -> tuple[Meaning, ...]:
    """The hint's meanings in the types where no declared word asks for such a slot already."""
    named = {(m.type, m.slot) for w in words for m in w.meanings if m.level > HINT}
    met = {m.type for m in hint.meanings if (m.type, m.slot) in named}
    return tuple(m for m in hint.meanings if m.type not in met)


def _bare_plural(text: str, words: Sequence[Word]) -> bool:
    """Nothing but the name of a type, or its plural ("quotes"), or what ends with it (林舒主讲的品鉴会) and speaks of
    nothing that was said before."""
    for word in words:
        if any(m.slot is None for m in word.meanings):
            said = text[word.start : word.end]
            if said == text or (not has_han(said) and said.endswith("s") and stem(said) != said):
                return True
            if text.endswith(f"的{said}") and not any(
                p.search(text) for p in (ANAPHORA, HISTORY, _SPOKEN_OF)
            ):
                return True
    return False


def _blocked(text: str, units: Sequence[tuple[int, int, bool]]) -> list[bool]:
    """Units that are function words."""
    out = [False] * len(units)
    i = 0
    while i < len(units):
        start, end, han = units[i]
        if han:
            for size in (4, 3, 2):
                if text[start : start + size] in BREAKS_ZH:
                    for k in range(i, min(i + size, len(units))):
                        out[k] = True
                    i += size - 1
                    break
        else:
            word = text[start:end]
            out[i] = word in STOP_EN or (word.endswith(("'s", "’s")) and word[:-2] in STOP_EN)
        i += 1
    return out


def as_of(question: Question, now: int, offset: int) -> int | None:
    """The end of the day that the question gives as its moment ("as of March 3", 截至7月15日), in micros;
    ``offset``: minutes east of UTC of the asker."""
    cue = AS_OF.search(question.raw)
    if cue is None:
        return None
    zone = timezone(timedelta(minutes=offset))
    for reading in find_dates(question.raw, from_micros(now).astimezone(zone)):
        if 0 <= reading.start - cue.end() <= 4:
            day = reading.value.max if isinstance(reading.value, Range) else reading.value
            if isinstance(day, date):
                end = datetime(day.year, day.month, day.day, tzinfo=zone) + timedelta(days=1)
                return min(to_micros(end) - 1, now)
    return None
