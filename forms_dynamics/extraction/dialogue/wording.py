"""Words as a schema and a speaker may both use them: stems without endings, names taken apart, spellings folded."""

# ruff: noqa: E501 (a list of words reads best on one line)
from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterator
from functools import lru_cache

from forms_dynamics.language.normal import CJK, simplified

_RUN = re.compile(rf"[{CJK}]+|[A-Z]+(?![a-z])|[A-Z]?[a-z]+(?:['’][a-z]+)?|[A-Z]|[0-9]+")
_HAN = re.compile(f"[{CJK}]")
# words that a description needs and that say nothing of its slot
_EMPTY = frozenset(
    "a an the of to for in on at by with from and or is are was be been being has have had do does did it its this that these those "
    "your you our we i my me us they their them he she his her what which who whom whose when where why how will would can could should "
    "may must not no yes if whether any some as so such than then there here please enter provide specify state describe want wish like "
    "need needs needed looking look find search use used using one ones other e g eg etc given user users boolean flag indicating "
    "information info details specific".split()
)
_EMPTY_HAN = re.compile(
    r"的|您|你|我们?|请问?|是|在|了|吗|呢|什么|怎么|哪[个些里儿]?|多少|几|需要|想要?|要|希望|以及|和|或者?|用户|填写|输入|提供|选择|一个|这个?|那个?"
)
_ENDINGS = (
    "ations",
    "ation",
    "ering",  # covering, cover
    "ered",
    "ings",
    "ing",
    "ions",
    "ion",
    "ures",
    "ure",
    "ers",
    "er",
    "ors",
    "or",
    "als",
    "al",
    "ed",
    "ies",
    "es",
    "s",
    "y",
    "e",
)


@lru_cache(maxsize=8192)
def stem(word: str) -> str:
    """A lower case word without its ending: arrive, arrival and arriving are one, and so are price and pricing. A short
    word keeps the e that makes it another word: plane is not plan, and riding is of ride."""
    if not word.isascii() or len(word) < 4:
        return word
    if _SILENT.fullmatch(word):
        return word
    for ending in _ENDINGS:
        rest = word[: -len(ending)]
        if word.endswith(ending) and len(rest) >= 3 and re.search("[aeiouy]", rest):
            if len(rest) > 3 and rest[-1] == rest[-2] and rest[-1] not in "lsz":
                return rest[:-1]  # planning, plan
            return f"{rest}e" if ending in _OF_VERBS and _SILENT.fullmatch(f"{rest}e") else rest
    return word


# one syllable with a single vowel and a single consonant before the e
_SILENT = re.compile(r"(?:[bcdfghjklmnprstvwz]|qu|y)*[aeiou][bcdfgklmnprtvz]e")
_OF_VERBS = frozenset(("ing", "ings", "ed", "er", "ers", "es"))


@lru_cache(maxsize=8192)
def parts(text: str) -> tuple[str, ...]:
    """The words of a name or a sentence in order, lower case: ``num_people``, ``StartTimeHour`` and 预订 人数 taken apart.
    A Chinese run stays whole."""
    said = simplified(unicodedata.normalize("NFKC", text))
    return tuple(part.lower() for part in _RUN.findall(said.replace("_", " ")))


@lru_cache(maxsize=8192)
def content(text: str) -> frozenset[str]:
    """Stems of the words that carry meaning. A Chinese run gives itself and its two-character pieces."""
    out: set[str] = set()
    for part in parts(text):
        if _HAN.match(part):
            for run in _EMPTY_HAN.split(part):
                if run:
                    out.add(run)
                    out.update(map(str.__add__, run, run[1:]))
        elif part not in _EMPTY and not part.isdigit():
            out.add(stem(part.removesuffix("'s").removesuffix("’s")))
    return frozenset(out)


_SAME = {
    "centre": "center", "theatre": "theater", "theatres": "theater", "colour": "color", "programme": "program", "neighbourhood": "neighborhood",
    "guesthouse": "guest house", "guesthouses": "guest house", "fulltime": "full time", "favourite": "favorite", "grey": "gray",
    "wi-fi": "wifi", "tv": "television", "doctor": "dr", "bbq": "barbecue", "barbeque": "barbecue",
    **{word: str(n) for n, word in enumerate("zero one two three four five six seven eight nine ten eleven twelve".split())},
}  # fmt: skip
_HAN_NUMBERS = {han: str(n) for n, han in enumerate("零一二三四五六七八九")} | {"两": "2", "十": "10"}
_TOKEN = re.compile(rf"[{CJK}]|[a-z]+(?:['’][a-z]+)?|[0-9]+(?:[.:][0-9]+)*|[<>=~$%+]")


class Token:
    """``text[start:end]`` folded to ``key``."""

    __slots__ = ("end", "key", "start")

    def __init__(self, key: str, start: int, end: int) -> None:
        self.key, self.start, self.end = key, start, end

    def __repr__(self) -> str:
        return f"{self.key}@{self.start}"


_RANGE = re.compile(r"[0-9时天元块分][到至][0-9]")


def tokens(low: str) -> list[Token]:
    """The tokens of a folded, lower case text in which known values are looked for: a Chinese character each, Latin
    words without plural and in one spelling, numbers by value. Articles are left out."""
    return list(_tokens(low))


def _tokens(low: str) -> Iterator[Token]:
    for found in _TOKEN.finditer(low):
        word, start, end = found[0], *found.span()
        if word in ("the", "a", "an") or (
            word.strip() in ("到", "至") and _RANGE.fullmatch(low, max(0, start - 1), end + 1)
        ):
            continue
        same = _SAME.get(word)
        if same is not None and " " in same:
            for part in same.split():
                yield Token(part, start, end)
        else:
            yield Token(same if same is not None else singular(word), start, end)


@lru_cache(maxsize=8192)
def singular(word: str) -> str:
    """A Latin word without the plural's or the owner's ending."""
    if not word.isascii() or not word[0].isalpha():
        return word
    word = word.replace("’", "'").removesuffix("'s").removesuffix("s'")
    if len(word) > 4 and word.endswith("ies"):
        return word[:-3] + "y"
    if len(word) > 4 and word.endswith(("ches", "shes", "xes", "sses")):
        return word[:-2]
    if len(word) > 3 and word.endswith("s") and not word.endswith(("ss", "us", "is")):
        return word[:-1]
    return word


@lru_cache(maxsize=16384)
def key(value: str) -> tuple[str, ...]:
    """The tokens of a value: two values with one key are said with the same words."""
    said = simplified(unicodedata.normalize("NFKC", value)).lower().replace("_", " ")
    return tuple(token.key for token in _tokens(said))


def variants(value: str) -> Iterator[tuple[str, ...]]:
    """The ways in which a listed value may be said: as it is written; without what stands in brackets; without the
    ending 的; a day of the week by its other name; a name without its branch."""
    yield key(value)
    bare = re.sub(r"\s*[(（][^()（）]*[)）]\s*", " ", value).strip()
    if bare and bare != value:
        yield key(bare)
    if re.search(f"[{CJK}]的$", value) and len(value) > 2:
        yield key(value[:-1])
    if found := re.fullmatch(r"([0-9.]+)([^0-9.\s]+) ?[-~] ?([0-9.]+)\2", value):
        yield key(f"{found[1]}-{found[3]}{found[2]}")  # 1小时 - 2小时: 1-2小时
    if found := re.fullmatch(
        f"([东西南北])(?:{_SIDES})?|(中)(?:心|部|央)|({_POINTS})(?: side| part| end)?", value.lower()
    ):
        if found[1]:
            yield from (key(found[1] + side) for side in _SIDES.split("|"))
        elif found[2]:
            yield from (key(name) for name in ("中心", "市中心", "中部", "中心区", "中心地区", "中央"))
        else:
            yield from (key(found[3] + end) for end in ("", "ern", " side", " end", " part", "side"))
    if found := re.fullmatch("(?:下?)(?:星期|周|礼拜)([一二三四五六日天])", value):
        last = "日天" if found[1] in "日天" else found[1]
        head = value[: found.start(1)].replace("星期", "").replace("周", "").replace("礼拜", "")
        yield from (key(f"{head}{name}{day}") for name in ("星期", "周", "礼拜") for day in last)


_SIDES = "方|部|边|面|端|区|侧|城"
_POINTS = "north|south|east|west"


def han_number(token: str) -> str:
    """A Chinese digit as a number; other tokens as they are."""
    return _HAN_NUMBERS.get(token, token)


__all__ = ["Token", "content", "han_number", "key", "parts", "singular", "stem", "tokens", "variants"]
