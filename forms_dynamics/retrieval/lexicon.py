"""The declared words of a catalog: by what names do people ask for a slot or a Form type."""

# ruff: noqa: E501 (a list of words and a pattern read best on one line)
from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Iterator, Sequence
from typing import NamedTuple

from forms_dynamics.language.normal import has_han, normal
from forms_dynamics.retrieval.doing import Doing
from forms_dynamics.retrieval.per_catalog import per_catalog
from forms_dynamics.retrieval.words import (
    CUES,
    FROM_PLACES,
    MEASURES,
    STOP_EN,
    TO_PLACES,
    beginnings,
    kindred,
    stem,
)
from forms_dynamics.schema.bare_words import bare_words, heads
from forms_dynamics.schema.spec import Catalog, FormType, SlotSpec

NAMED, PART, HINT = (
    3,
    2,
    1,
)  # how surely a word names the slot: its name or alias; a piece of it; a way of asking

_LONGEST_ZH = 10
_LONGEST_EN = 4
_VAGUE = 4  # slots that share a word: it tells none of them
_FILLER = frozenset({"form", "profile", "record", "fact", "id", "no", "is", "of", "by", "at", "current"})


class Meaning(NamedTuple):
    """What a word can stand for; ``slot`` None: a Form of the type itself."""

    type: str
    slot: str | None
    level: int


class Word(NamedTuple):
    """A declared word found in a question, at ``text[start:end]``."""

    start: int
    end: int
    meanings: tuple[Meaning, ...]


class _Table:
    """Words with what they mean, looked up at each place of a text."""

    def __init__(self, words: dict[str, tuple[Meaning, ...]]) -> None:
        self._words = words
        self._begun: dict[str, int] = {}  # first character or stem → characters or stems of the longest word
        for word in words:
            first, size = (
                (word[0], len(word)) if has_han(word[0]) else (word.split(" ")[0], word.count(" ") + 1)
            )
            self._begun[first] = max(size, self._begun.get(first, 0))

    def find(self, text: str, units: Sequence[tuple[int, int, bool]]) -> list[Word]:
        """Words in ``text`` (normal form), longest first. ``units``: (start, end, is Han)."""
        out: list[Word] = []
        table, begun = self._words, self._begun
        stems = ["" if han else stem(text[a:b]) for a, b, han in units]
        i, count = 0, len(units)
        while i < count:
            start, _, han = units[i]
            step = 1
            most = begun.get(stems[i] or text[start], 0)
            if not most:
                i += 1
                continue
            if han:
                word = self._han(text, units, i)
                if word is not None:
                    step = word.end - start  # a unit a character
                    # 我的工作单位: what begins within, reaches further and is no shorter is what is meant
                    for k in range(i + 1, i + step):
                        other = self._han(text, units, k)
                        if other is not None and other.end > word.end and other.end - other.start >= step:
                            step = k - i
                            break
                    else:
                        out.append(word)
            else:
                for last in range(min(count, i + min(most, _LONGEST_EN)), i, -1):
                    end = units[last - 1][1]
                    found = table.get(" ".join(stems[i:last]))
                    if found is not None and end - start < 60:
                        if _hints_at(
                            found, [table.get(" ".join(stems[i:k]), ()) for k in range(i + 1, last)]
                        ):
                            continue
                        out.append(Word(start, end, found))
                        step = last - i
                        break
            i += step
        return out

    def _han(self, text: str, units: Sequence[tuple[int, int, bool]], at: int) -> Word | None:
        """The longest word that begins with the Chinese character of unit ``at``."""
        start = units[at][0]
        most = self._begun.get(text[start], 0)
        limit = min(len(units), at + min(most, _LONGEST_ZH))
        j = at + 1
        while j < limit and units[j][2] and units[j][0] == units[j - 1][1]:
            j += 1
        for last in range(j, at + 1, -1):
            end = units[last - 1][1]
            found = self._words.get(text[start:end])
            if found is not None and not _hints_at(
                found, [self._words.get(text[start:k], ()) for k in range(start + 2, end)]
            ):
                return Word(start, end, found)
        return None


class Lexicon:
    """Look-up of declared words; made once a catalog."""

    def __init__(self, catalog: Catalog) -> None:
        self.catalog = catalog
        table: dict[str, dict[tuple[str, str | None], int]] = {}
        for form_type in catalog:
            for word, slot, level in _declared(form_type):
                # a type may be called by what else is a function word: "which finds", where it stands as a noun
                if len(word) > 1 and (word not in STOP_EN or (slot is None and len(word) > 3)):
                    meanings = table.setdefault(word, {})
                    meanings[form_type.name, slot] = max(level, meanings.get((form_type.name, slot), 0))
        for found in table.values():  # 演出 is a performance, and no part of 演出时长
            if any(slot is None for _, slot in found):
                called = {type for type, slot in found if slot is None}
                for type, slot in [
                    key for key, level in found.items() if level == PART and key[0] not in called
                ]:
                    del found[type, slot]
        self._words = _Table(
            {word: tuple(Meaning(t, s, n) for (t, s), n in found.items()) for word, found in table.items()}
        )
        self._bare = {t.name: _Table(_bare(t, bare_words(t))) for t in catalog}
        self._heads = {t.name: _Table(_bare(t, heads(t))) for t in catalog}
        self._values = {t.name: _Table(_values(t)) for t in catalog}
        self._kin = {t.name: _kin(t) for t in catalog}
        calls: dict[str, list[str]] = {}
        for form_type in catalog:
            for alias in (*form_type.aliases, form_type.label("zh")):
                if len(word := normal(alias)) == 1 and has_han(word):
                    calls.setdefault(word, []).append(form_type.name)
        self._calls = {word: tuple(Meaning(t, None, NAMED) for t in types) for word, types in calls.items()}
        self._sorts = _before(catalog, 2, "型种类款名系牌", ("text", "enum", "ref"))
        self.doing = Doing(catalog)
        self._called = re.compile(_ONE_OF.format("".join(calls) or _NOTHING))
        self._counted_calls = _counted(catalog)
        counted = "|".join(sorted(self._counted_calls, key=len, reverse=True)) or _NOTHING
        self._counted = re.compile(f"(?<=[这那哪几每])(?:{counted})(?!(?<=单)[位元独纯个])")
        self.to_places = {
            t.name: tuple(s.name for s in t.slots.values() if _suits(s, _NONE, TO_PLACES)) for t in catalog
        }
        self.from_places = {
            t.name: tuple(s.name for s in t.slots.values() if _suits(s, _NONE, FROM_PLACES)) for t in catalog
        }
        self._hints = [
            tuple(
                Meaning(t.name, s.name, HINT)
                for t in catalog
                for s in t.slots.values()
                if _suits(s, types, pieces)
            )
            for _, _, types, pieces in CUES
        ]

    def words(self, text: str, units: Sequence[tuple[int, int, bool]]) -> list[Word]:
        """Declared words in ``text`` (normal form), longest first. ``units``: (start, end, is Han)."""
        found = _as_nouns(self._words.find(text, units), text)
        if self._counted_calls:
            for call in self._counted.finditer(text):  # 哪块地 of 地块, 这批 of 批次
                start, end = call.span()
                if not any(w.start < end and start < w.end for w in found):
                    found.append(Word(start, end, self._counted_calls[call.group()]))
        if self._calls:
            for call in self._called.finditer(text):  # a type of one character: 哪部戏, 所有的船
                start, end = call.span()
                if not any(w.start < end and start < w.end for w in found):
                    found.append(Word(start, end, self._calls[call.group()]))
            for word in tuple(found):  # 易碎货: behind what its own slot is called
                own = {m.type for m in word.meanings if m.slot is not None}
                called = self._calls.get(text[word.end : word.end + 1], ())
                called = tuple(m for m in called if m.type in own)
                if called and _ENDS_THERE.match(text, word.end + 1):
                    found.append(Word(word.end, word.end + 1, called))
        if self._sorts and ("什么" in text or "啥" in text or "哪" in text):
            for kind in _WHAT_SORT.finditer(text):  # 什么车: of 车型
                meanings = self._sorts.get(kind[1])
                if meanings and not any(w.start < kind.end(1) and kind.start(1) < w.end for w in found):
                    found.append(Word(*kind.span(1), meanings))
        if (asked := self.doing.who(text)) is not None:  # 谁面试: of 面试官, and not the day of 面试日期
            (start, end), doers = asked
            found = [w for w in found if w.end <= start or end <= w.start]
            level = PART if has_han(text[start]) else HINT
            found.append(Word(start, end, tuple(Meaning(d.type, d.slot, level) for d in doers)))
        return found

    def values(self, text: str, units: Sequence[tuple[int, int, bool]], type: str) -> list[Word]:
        """Words for values of the type's enums, by which its slot is asked for: "is it cancelled?"."""
        return self._values[type].find(text, units) if type in self._values else []

    def heads(self, text: str, units: Sequence[tuple[int, int, bool]], type: str) -> list[Word]:
        """Nouns in which the names of the type's slots end, as bare words are."""
        return self._heads[type].find(text, units) if type in self._heads else []

    def kin(self, text: str, units: Sequence[tuple[int, int, bool]], type: str) -> list[Word]:
        """English words that share what they go back to with one of the name of a slot of the type: "who directs it",
        "what is he allergic to"."""
        table = self._kin.get(type)
        if not table:
            return []
        return [
            Word(start, end, table[kin])
            for start, end, han in units
            if not han and end - start > 3 and (kin := kindred(text[start:end])) in table and kin is not None
        ]

    def bare(self, text: str, units: Sequence[tuple[int, int, bool]], type: str) -> list[Word]:
        """Words of the type's slots without the word for the type, which mean them where it is spoken of."""
        return self._bare[type].find(text, units) if type in self._bare else []

    def hints(self, text: str) -> list[Word]:
        """Everyday ways of asking for a kind of slot."""
        out = []
        begun = beginnings(text)
        for cue, meanings in zip(CUES, self._hints, strict=True):
            if meanings and not cue.begins.isdisjoint(begun):
                found = cue.pattern.search(text)
                if found is not None:
                    out.append(Word(found.start(), found.end(), meanings))
        return out


# where an English word that is a verb as well stands as a noun, behind these or in the plural
_DETERMINED = re.compile(
    r"(?:^|\W)(?:an?|the|this|that|these|those|each|every|any|no|one|another|my|our|your|his|her|its|their|which|what|whose|of|"
    r"first|second|last|next|latest|new|newest|old|oldest|many|all|other|only|both|\w+['’]s|\w+est|most \w+|least \w+) $"
)
_DOES_IT = re.compile(r"(?:^|\W)(?:who|he|she|it|one|body) $")
_BIDS = re.compile(
    r"^(?:please |kindly |now |and |then |(?:can|could|will|would) you (?:please )?|help me (?:to )?|let['’]?s )*$"
)
_BIDDEN = re.compile(
    r" (?:me|us|the|an?|all|my|our|this|that|these|those|it|them|by|down|out|up|whether|which|what|how|who|when|where)\b"
)
_BIDS_ZH = re.compile("(?:帮我|替我|给我|帮忙|麻烦你?|请你?)$")
_BIDDEN_ZH = re.compile("(?:一下|一遍|下(?![一-鿿])|下子)")


def _as_nouns(words: Sequence[Word], text: str) -> list[Word]:
    """The words without the type that one is called by where it stands as a verb: "find me the weight", "order the
    batches by price", 检查一下."""
    out = []
    for word in words:
        if any(m.slot is None for m in word.meanings) and _as_verb(text, word.start, word.end):
            word = word._replace(meanings=tuple(m for m in word.meanings if m.slot is not None))
        if word.meanings:
            out.append(word)
    return out


def _as_verb(text: str, start: int, end: int) -> bool:
    said, before = text[start:end], text[:start]
    if has_han(said):
        return _BIDDEN_ZH.match(text, end) is not None or (
            _BIDS_ZH.search(before) is not None and text[end : end + 1] not in "的单号"
        )
    if " " in said:
        return False
    if said not in STOP_EN and stem(said) not in STOP_EN:
        return stem(said) == said and _BIDS.match(before) is not None and _BIDDEN.match(text, end) is not None
    if stem(said) != said:
        return _DOES_IT.search(before) is not None
    return text != said and _DETERMINED.search(before) is None


def _counted(catalog: Catalog) -> dict[str, tuple[Meaning, ...]]:
    """What a type is called behind 哪, 这, 几, where its name holds the word that counts it: 块地 of 地块, 批 of 批次."""
    out: dict[str, dict[str, None]] = {}
    for form_type in catalog:
        for word in map(normal, (*form_type.aliases, form_type.label("zh"))):
            if len(word) == 1 and word in MEASURES:
                out.setdefault(word, {})[form_type.name] = None
            elif len(word) == 2 and word[0] in MEASURES and word[1] == "次":
                out.setdefault(word[0], {})[form_type.name] = None
            elif len(word) == 2 and word[1] == "单" and has_han(word[0]):  # 哪单 of 订单
                out.setdefault("单", {})[form_type.name] = None
            elif len(word) == 2 and word[1] in MEASURES and has_han(word[0]):
                out.setdefault(word[1] + word[0], {})[form_type.name] = None
    return {said: tuple(Meaning(t, None, NAMED) for t in types) for said, types in out.items()}


def _hints_at(found: Sequence[Meaning], begins: Sequence[Sequence[Meaning]]) -> bool:
    """Whether a word only announces a value of a type whose name it begins with: of "quotes for X" the quotes are
    asked for."""
    types = {m.type for m in found if m.level == HINT}
    return all(m.level == HINT for m in found) and any(
        m.slot is None and m.type in types for meanings in begins for m in meanings
    )


def _suits(spec: SlotSpec, types: frozenset[str], pieces: tuple[str, ...]) -> bool:
    return spec.type in types or any(
        piece in spec.name or (has_han(piece) and any(alias.endswith(piece) for alias in spec.aliases))
        for piece in pieces
    )


def _declared(form_type: FormType) -> Iterator[tuple[str, str | None, int]]:
    for alias in (form_type.name, *form_type.aliases, form_type.label("zh"), form_type.label("en")):
        yield _key(alias), None, NAMED
    calls = {_key(alias) for alias in form_type.aliases}
    parts = [stem(p) for p in form_type.name.split("_")]
    kind = " ".join(p for p in parts if p not in _FILLER)
    if kind:
        yield kind, None, NAMED
    for spec in form_type.slots.values():
        parts = [stem(p) for p in normal(spec.name).split("_")]
        yield " ".join(parts), spec.name, NAMED
        core = [p for p in parts if p not in _FILLER and p != kind]
        for part in core:
            yield part, spec.name, NAMED if len(core) == 1 else PART
        for alias in spec.aliases:
            word = _key(alias)
            yield word, spec.name, NAMED
            if has_han(word) and len(word) >= 4 and word[:2] not in calls:
                yield word[:2], spec.name, PART
        for cue in spec.cues:
            for said in (cue, *_asked_by(normal(cue))):
                word = _key(said)
                if len(word) >= (2 if has_han(word) else 4 if said != cue else 5):
                    yield word, spec.name, HINT
        for text in spec.description.values():
            word = _key(text)
            if has_han(word) and len(word) <= 6:
                yield word, spec.name, PART


def _bare(form_type: FormType, words: Iterable[tuple[str, SlotSpec]]) -> dict[str, tuple[Meaning, ...]]:
    out: dict[str, dict[str, None]] = {}
    for word, spec in words:
        if (word := _key(word)) not in STOP_EN:
            out.setdefault(word, {})[spec.name] = None
    return {w: tuple(Meaning(form_type.name, slot, PART) for slot in slots) for w, slots in out.items()}


def _values(form_type: FormType) -> dict[str, tuple[Meaning, ...]]:
    out: dict[str, dict[str, None]] = {}
    for spec in form_type.slots.values():
        for value, synonyms in spec.values.items() if spec.type == "enum" else ():
            for said in (value, *synonyms):
                word = _key(said)
                for each in (word, word[1:] if word[:1] in ("已", "被") else word):
                    if len(each) > 1 and each not in STOP_EN:
                        out.setdefault(each, {})[spec.name] = None
    return {w: tuple(Meaning(form_type.name, slot, PART) for slot in slots) for w, slots in out.items()}


_NONE: frozenset[str] = frozenset()
_NOTHING = "\ue000"  # in no text: an empty choice would match everywhere
# where a type of one character is spoken of, and no part of a word: 哪部戏, 所有的船, 几本书
_ONE_OF = (
    f"(?<=[这那哪几每][{MEASURES}])[{{0}}]|(?<=什么)[{{0}}]|"
    f"(?<=[{MEASURES}些的])[{{0}}](?=$|[^\u4e00-\u9fff]|[有是都最还没已的在会要吗呢叫跟和不超到])|"
    "(?<=[这那哪]些)[{0}](?=[比打交付欠被由归给从住去来用属做过能可需该正刚今明昨本保])|^[{0}](?=的)"
)


_ENDS_THERE = re.compile("$|[^\u4e00-\u9fff]|[有是都在吗呢]")


def _before(
    catalog: Catalog, size: int, endings: str, types: Collection[str]
) -> dict[str, tuple[Meaning, ...]]:
    """What stands before one of ``endings`` in Chinese names of slots: 面试 of 面试官, 车 of 车型."""
    out: dict[str, dict[tuple[str, str], None]] = {}
    for form_type in catalog:
        for spec in form_type.slots.values():
            for word in map(normal, spec.aliases if spec.type in types else ()):
                if len(word) == size and has_han(word) and word[-1] in endings:
                    out.setdefault(word[:-1], {})[form_type.name, spec.name] = None
    return {said: tuple(Meaning(t, s, PART) for t, s in found) for said, found in out.items()}


# what sort of a thing, of which one character speaks
_WHAT_SORT = re.compile("(?:什么|啥|哪[种款类])([\u4e00-\u9fff])(?=$|[^\u4e00-\u9fff]|[的呢吗呀啊])")


def _kin(form_type: FormType) -> dict[str, tuple[Meaning, ...]]:
    """What the English words of a slot's names go back to: direct, of director; allerg, of allergies."""
    out: dict[str, dict[str, None]] = {}
    for spec in form_type.slots.values():
        for said in (spec.name.replace("_", " "), *spec.aliases):
            for word in normal(said).split(" "):
                if (kin := kindred(word)) is not None and word not in STOP_EN:
                    out.setdefault(kin, {})[spec.name] = None
    calls = {
        kindred(normal(part)) for a in (form_type.name, *form_type.aliases) for part in re.split("[ _]", a)
    }
    return {
        kin: tuple(Meaning(form_type.name, slot, HINT) for slot in slots)
        for kin, slots in out.items()
        if kin not in calls and len(slots) < _VAGUE
    }


_FIRST_PERSON = re.compile(
    r"(?:我们?|本人)(?:现在|目前)?(?=[\u4e00-\u9fff]{2})|"
    r"(?:i['’]m|i am|i was|i have|i|we are|we['’]re|we)(?: now| currently)? "
)
_OBJECT_FOLLOWS = re.compile(r"(?<=[\u4e00-\u9fff]{2})[在于是]$| (?:in|at|on|to|for|as|from|with|by)$")


def _asked_by(cue: str) -> Iterator[str]:
    """The verb of a cue that speakers say of themselves, as they ask with it: "I'm allergic to" is asked for in "What
    am I allergic to?", "I live in" in "Where do I live?", 我出生于 in 我什么时候出生？"""
    if subject := _FIRST_PERSON.match(cue):
        verb = cue[subject.end() :]
        yield verb
        if (bare := _OBJECT_FOLLOWS.sub("", verb)) not in STOP_EN:
            yield bare


def _key(text: str) -> str:
    word = normal(text.replace("_", " "))
    return word if has_han(word) else " ".join(stem(part) for part in word.split(" "))


lexicon_of = per_catalog(Lexicon)
