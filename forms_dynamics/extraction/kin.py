"""What is told of a speaker's relatives: 我爸的生日是5月3日, "my mom is allergic to peanuts", 我闺女叫小雨.

A Form type is about relatives when an identity key of it joins ``$speaker`` (or ``$user``) with a slot whose
words are people of the speaker's: an enum with a word such as 爸爸 or "mother", or a slot called relation. The words
are the type's own (values and synonyms); nothing here knows a relative by name. Such a type takes nothing
that speakers say of themselves, and what is told of a relative reaches no Form of the speaker.

What is told of one is read as the relative would say it: "my mom is allergic to peanuts" as "I am allergic to
peanuts", so that every way to tell of oneself is one to tell of a relative.
"""

# ruff: noqa: E501 (a pattern reads best on one line)
from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import NamedTuple

from forms_dynamics.extraction.lexicon import slot_of
from forms_dynamics.language.clauses import sentence_of
from forms_dynamics.language.lazy import lazy
from forms_dynamics.language.normal import has_han, normal
from forms_dynamics.language.numerals import folded, lowered
from forms_dynamics.language.voices import FIRST, RELATIVES, SAYS, other_person, with_whom
from forms_dynamics.schema.spec import Catalog, FormType

_CALLED = frozenset(
    "relation|relationship|kinship|kin|relative|关系|亲属|亲属关系|家庭关系|与我的关系|与本人关系".split("|")
)
_STRETCH = 240  # characters that one mention is followed for
# 我爸爸 is 爸; 我哥们 is no brother, 我爸妈 are two people, and 我爸公司 is a firm
_NOT_ALONE_ZH = "(?![们爸妈爷奶哥姐弟妹娘爹叔姨舅姑嫂夫媳婆])(?!圈|店|会|节|手|祖|校|家的?公司|和|跟|与|、|及)"
_OF_THEIRS_ZH = "(?!(?:的|他们?|她们?|家|那个?|所在)*(?:公司|单位|厂|店|学校|班[主级]|团队|部门|朋友|同事|同学|老板|领导|老师|邻居|车|手机店))"
_NOT_ALONE_EN = r"(?!-|['’]?s?[ -]in[ -]law| (?:and|or) |['’]s (?:[a-z]+ )?(?:company|firm|employer|team|school|shop|boss|friends?|colleagues?|teacher|doctor|car|house|side|place)\b)"
_OWN_ZH = r"(?P<{0}>(?:我|俺|咱)(?:们)?(?:家)?(?:里)?(?:的)?(?:那个|这个)?)"
_OWN_EN = r"\b(?P<{0}>[Mm]y|[Oo]ur)(?: (?:old|elder|older|eldest|younger|youngest|little|big|dear|own|only|late))*? "
_NAMED_EN = r"(?:,? (?P<name>(?!I\b|Mon|Tues|Wednes|Thurs|Fri|Satur|Sun)[A-Z][a-z]+(?: [A-Z][a-z]+)?),?(?=['’]s\b| [a-z]))?"
_NAMED_ZH = r"(?P<called>[小阿老][\u4e00-\u9fff](?=的|[，,]|在|是|对|今年|住|喜欢|不|也))?"
# bare, as children call them: Mom's birthday is May 3; 爸爸的生日是5月3日
_BARE_EN = frozenset("mom mum mommy mummy mama dad daddy papa grandma grandpa granny nana".split())
_BEHIND_BARE = r"(?=的|[在是叫也住对不]|今年|喜欢|爱吃|爱喝|生日|名字|电话|手机|[，,]|：)"
_PRONOUN = lazy(r"(?P<zh>[她他](?!们|人|乡))|\b(?P<sub>[Ss]he|[Hh]e)\b|\b(?P<pos>[Hh]er|[Hh]is)\b(?= [a-z])")
_STARTS = lazy(r"(?:^|[，,。.；;！!？?\n]|\b(?:and|but)\b|而且|并且|还有|另外)\s*$")
_VERB = r"(?:(?:really|also|always|still|just|never|currently|usually|now|absolutely|actually) )*"
_PREDICATE = lazy(rf"(?P<how>\s+{_VERB})(?P<verb>[a-z]+(?:n['’]t)?)\b")
_ALSO = lazy(
    rf"\b(?:and|but) (?P<how>{_VERB})(?P<verb>is|has|lives|works|likes|loves|hates|prefers|enjoys|avoids|eats|drinks|doesn['’]t|isn['’]t)\b"
)
_IS = lazy(r"['’]s(?= (?:allergic|an? |the |in |from |at |called |not |been |[a-z]+ing\b))")
_OWNS = lazy(r"['’]s?\b|['’](?= )")
_IRREGULAR = {
    "is": "am", "has": "have", "does": "do", "goes": "go", "isn't": "am not", "doesn't": "don't", "hasn't": "haven't",
    "isn’t": "am not", "doesn’t": "don't", "hasn’t": "haven't", "was": "was", "can't": "can't", "can’t": "can't",
}  # fmt: skip


class Mention(NamedTuple):
    """``text[start:end]`` speaks of a relative; ``word`` is the span of the declared word in it, ``name`` that of a
    name beside it ("my daughter Anna"), ``key`` the relation in normal form."""

    start: int
    end: int
    word: tuple[int, int]
    name: tuple[int, int] | None
    key: str
    keyed: bool = False  # 关系：母亲


@dataclass(frozen=True, slots=True)
class Spoken:
    """A stretch of a message as the relative would say it; ``pieces``: (start here, start in the message, length
    here, length there), those of equal words and those put in their place alike."""

    mention: Mention
    text: str
    pieces: tuple[tuple[int, int, int, int], ...]

    def span(self, start: int, end: int) -> tuple[int, int] | None:
        """The message's words behind ``text[start:end]``; None where they were only put there."""
        low = high = None
        for here, there, size, real in self.pieces:
            if here <= start < here + size:
                low = there + (start - here if size == real else 0)
            if here < end <= here + size:
                high = there + (end - here if size == real else real)
        return None if low is None or high is None or low >= high else (low, high)


class Relatives:
    """The relatives that a Form type declares, and what a message tells of them."""

    def __init__(self, form_type: FormType, slot: str) -> None:
        self.type = form_type
        self.slot = slot
        self.name = next((n for n in form_type.slots if slot_of(form_type, form_type.slots[n]).kind == "person"), None)
        self._words = _declared(form_type, slot)
        zh = [w for w in self._words if has_han(w)]
        en = [w for w in self._words if not has_han(w)]
        labels = sorted(
            {normal(n.replace("_", " ")) for n in (slot, *form_type.slots[slot].aliases)}, key=len, reverse=True
        )
        every = "|".join(map(re.escape, sorted(self._words, key=len, reverse=True)))
        parts = [rf"(?:{'|'.join(map(re.escape, labels))})\s*[:：=]\s*(?P<keyed>{every})(?![a-z\u4e00-\u9fff])"]
        if zh:
            words = "|".join(map(re.escape, sorted(zh, key=len, reverse=True)))
            long = "|".join(map(re.escape, sorted((w for w in zh if len(w) > 1), key=len, reverse=True)))
            parts.append(
                rf"{_OWN_ZH.format('own')}(?P<zh>{words}){_NOT_ALONE_ZH}{_OF_THEIRS_ZH}{_NAMED_ZH}"
            )
            if long:
                parts.append(rf"(?:^|(?<=[，,。.；;！!？?：:\s、]))(?P<bare>{long}){_OF_THEIRS_ZH}{_BEHIND_BARE}")
        if en:
            words = "|".join(re.escape(w).replace(r"\ ", r"\s") for w in sorted(en, key=len, reverse=True))
            parts.append(rf"{_OWN_EN.format('my')}(?P<en>(?i:{words}))\b{_NOT_ALONE_EN}{_NAMED_EN}")
            if bare := [w.capitalize() for w in en if w in _BARE_EN]:
                parts.append(rf"(?:^|(?<=[.!?,;] ))(?P<called_en>{'|'.join(bare)})\b(?=['’]s | [a-z]){_NOT_ALONE_EN}")
        self._pattern = re.compile("|".join(parts))
        self._hint = re.compile("|".join(map(re.escape, self._words)) or "(?!)")

    def mentions(self, text: str) -> list[Mention]:
        """All mentions of declared relatives of the speaker, in order."""
        if self._hint.search(lowered(text)) is None:
            return []
        out = []
        for found in self._pattern.finditer(folded(text)):
            group = next(g for g in ("keyed", "zh", "bare", "en", "called_en") if g in found.re.groupindex and found[g])
            word = normal(found[group])
            named = next((g for g in ("name", "called") if g in found.re.groupindex and found[g]), None)
            start = found.start(group) if group == "keyed" else found.start()
            out.append(
                Mention(
                    start, found.end(), found.span(group), found.span(named) if named else None,
                    self._words[word], group == "keyed",
                )
            )  # fmt: skip
        return out

    def keyed(self, text: str) -> bool:
        """Whether the message is a record of a relative: 关系：母亲，姓名：…"""
        return any(mention.keyed for mention in self.mentions(text))

    def spoken(self, text: str) -> Iterator[Spoken]:
        """What the message tells of each relative, in the relative's own words."""
        mentions = self.mentions(text)
        for i, mention in enumerate(mentions):
            if mention.keyed:
                if len(mentions) == 1:
                    yield Spoken(mention, text, ((0, 0, len(text), len(text)),))
                continue
            if with_whom(text, mention.start):
                continue
            until = min([m.start for m in mentions[i + 1 :]] + [mention.end + _STRETCH, len(text)])
            yield _as_said(text, mention, self._until(text, mention, until))

    def told(self, text: str, start: int, end: int) -> str | None:
        """The relative of whom ``text[start:end]`` is told; None where it is of nobody declared here."""
        for spoken in self.spoken(text):
            first, last = spoken.pieces[0], spoken.pieces[-1]
            if first[1] <= start and end <= last[1] + last[3]:
                return spoken.mention.key
        return None

    def _until(self, text: str, mention: Mention, until: int) -> int:
        """Where it goes on about somebody else: the speaker, another person, what somebody says, a new sentence
        that does not begin with a pronoun."""
        said = lowered(text)
        for pattern in (FIRST, SAYS):
            if found := pattern.search(said, mention.end, until):
                until = found.start()
        if (other := other_person(text, mention.end, until)) is not None:
            until = min(until, other)
        end = sentence_of(text, mention.start, mention.end)[1]
        while end < until:
            begins = end + len(text[end:until]) - len(text[end:until].lstrip())
            if _PRONOUN.match(text, begins) is None:
                break
            end = max(sentence_of(text, begins, begins + 1)[1], begins + 1)
        return min(until, end)


def _as_said(text: str, mention: Mention, until: int) -> Spoken:
    """The stretch with the relative's words in place of the speaker's: I for "my mom", and verbs to match."""
    swaps: list[tuple[int, int, str]] = []
    if has_han(text[slice(*mention.word)]):
        swaps.append((mention.start, mention.end, "我"))
    else:
        swaps.extend(_english(text, mention.start, mention.end))
    for found in _PRONOUN.finditer(text, mention.end, until):
        if _STARTS.search(text, mention.end, found.start()) is None:
            continue
        if found["zh"]:
            swaps.append((*found.span(), "我"))
        elif found["pos"]:
            swaps.append((*found.span(), "my"))
        else:
            swaps.extend(_english(text, *found.span()))
    for found in _ALSO.finditer(text, mention.end, until):
        swaps.append((*found.span("verb"), f"I {_first_person(found['verb'])}"))
    pieces: list[tuple[int, int, int, int]] = []
    words = ""
    at = mention.start
    for start, end, put in sorted(swaps):
        if start < at or end > until:
            continue
        for there, size, piece in ((at, start - at, text[at:start]), (start, end - start, put)):
            if piece or size:
                pieces.append((len(words), there, len(piece), size))
                words += piece
        at = end
    if at < until:
        pieces.append((len(words), at, until - at, until - at))
        words += text[at:until]
    return Spoken(mention, words, tuple(pieces))


def _english(text: str, start: int, end: int) -> list[tuple[int, int, str]]:
    """"my mom's" → my, "my mom is" → I am, "my dad lives" → I live."""
    if found := _IS.match(text, end):
        return [(start, found.end(), "I am")]
    if (found := _OWNS.match(text, end)) and found[0]:
        return [(start, found.end(), "my")]
    if found := _PREDICATE.match(text, end):
        return [(start, end, "I"), (*found.span("verb"), _first_person(found["verb"]))]
    return [(start, end, "I")]


def _first_person(verb: str) -> str:
    """lives → live, watches → watch, is → am."""
    if verb in _IRREGULAR:
        return _IRREGULAR[verb]
    if re.search(r"(?:ch|sh|ss|x|zz)es$", verb):
        return verb[:-2]
    if verb.endswith("ies") and len(verb) > 4:
        return verb[:-3] + "y"
    return verb[:-1] if verb.endswith("s") and not verb.endswith("ss") else verb


def _declared(form_type: FormType, slot: str) -> dict[str, str]:
    """Each declared word, in normal form → the relation that it names."""
    spec = form_type.slots[slot]
    if spec.type != "enum":
        return {word: word for word in RELATIVES}
    out: dict[str, str] = {}
    for value, synonyms in spec.values.items():
        for raw in (str(value), str(value).replace("_", " "), *map(str, synonyms)):
            out.setdefault(normal(raw), str(value))
    for word, value in list(out.items()):
        if len(word) == 1:
            out.setdefault(word * 2, value)  # 爸 is 爸爸 and 老爸, too
            out.setdefault("老" + word, value)
    return out


def relation_slot(form_type: FormType) -> str | None:
    """The slot that says which of the speaker's relatives a Form is about; None where the type is of others."""
    for key in form_type.identity.keys:
        if not {"$speaker", "$user"} & set(key):
            continue
        for part in key:
            spec = form_type.slots.get(part)
            if spec is None:
                continue
            words = {normal(str(w)) for value, more in spec.values.items() for w in (value, *more)}
            names = {normal(n.replace("_", " ")) for n in (spec.name, *spec.aliases)}
            if (spec.type == "enum" and words & RELATIVES) or (spec.type in ("enum", "text") and names & _CALLED):
                return part
    return None


_made: list[tuple[Catalog, Mapping[str, Relatives]]] = []


def relatives_of(catalog: Catalog) -> Mapping[str, Relatives]:
    """The types about relatives, by name; those of the last eight catalogs are kept."""
    for known, made in _made:
        if known is catalog:
            return made
    made = {t.name: Relatives(t, slot) for t in catalog if (slot := relation_slot(t)) is not None}
    _made.insert(0, (catalog, made))
    del _made[8:]
    return made


__all__: Sequence[str] = ["Mention", "Relatives", "Spoken", "relation_slot", "relatives_of"]
