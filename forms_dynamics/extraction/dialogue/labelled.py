"""A slot's own name and its value behind it: "my account number is 1234", "PIN 1596", 邮箱是…; and features that are
wanted: "with free parking", 要有wifi.
"""

# ruff: noqa: E501 (a pattern reads best on one line)
from __future__ import annotations

import re
from collections.abc import Iterator
from functools import lru_cache

from forms_dynamics.extraction.dialogue.choosing import choose
from forms_dynamics.extraction.dialogue.profile import Profiles, SlotProfile
from forms_dynamics.extraction.dialogue.topic import talk_of
from forms_dynamics.extraction.dialogue.turn import Said, Turn
from forms_dynamics.language import cues
from forms_dynamics.language.clauses import clause_of
from forms_dynamics.language.normal import has_han

SURE = 0.94
_KINDS = ("id", "address", "email", "phone", "person", "name", "free")
_LINK = r"(?:\s+(?:is|are|was|will be|would be|should be|to be|number is|no is)|\s*[:=：＝]|\s*#)?\s+(?:the number |number |no )?"
_VALUE = r"(?P<v>[^\s,.;!?，。；！？]+(?:[ .@-](?!(?:and|my|i|account|phone|email|password|the|with|but|for|please|to|thanks|thank|can|is|name|at|on)\b)[^\s,;!?，。；！？]*[^\s,.;!?，。；！？]){0,9})"
_LINK_ZH = r"(?:是(?![否不])|为|：|:|叫做?|＝|=)\s*"
_VALUE_ZH = r"(?P<w>[^\s,，。；;！!？?、的吗呢]{2,30}?(?=$|[\s,，。；;！!？?、的吗呢]|并且|而且|还有))"
_SHORT = {"number": "(?:number|no|num|nr|#)"}
# they name a thing, and what a thing is called is read elsewhere
_UNSAID = frozenset("name names title type message reason notes description".split())


class _Labels:
    """The labels of a catalog and the slots that they announce."""

    def __init__(self, profiles: Profiles) -> None:
        self.slots: dict[str, list[SlotProfile]] = {}
        forms: set[str] = set()
        for slot in profiles:
            if slot.curated or slot.closed or slot.kind not in _KINDS:
                continue
            for name in slot.names:
                for label in _forms(name):
                    if slot.kind == "name" and not label.endswith(" name"):
                        continue
                    if label in _UNSAID or (slot.kind == "free" and " " not in label and not has_han(label)):
                        continue
                    self.slots.setdefault(label, []).append(slot)
                    forms.add(label)
        latin = sorted((f for f in forms if not has_han(f)), key=lambda f: (-len(f), f))
        han = sorted((f for f in forms if has_han(f)), key=lambda f: (-len(f), f))
        patterns = []
        if latin:
            words = "|".join(" ".join(_SHORT.get(w, re.escape(w)) for w in f.split()) for f in latin)
            patterns.append(rf"(?<![a-z])(?P<l>{words})(?![a-z]){_LINK}{_VALUE}")
        if han:
            patterns.append(rf"(?P<h>{'|'.join(map(re.escape, han))}){_LINK_ZH}{_VALUE_ZH}")
        self.pattern = re.compile("|".join(patterns)) if patterns else None


def _forms(name: str) -> Iterator[str]:
    """The name, and its last two words: "confirmation number" for "booking confirmation number"."""
    yield name
    words = name.split()
    if len(words) > 2 and words[-1] in ("number", "id", "code", "address", "no"):
        yield " ".join(words[-2:])


@lru_cache(maxsize=8)
def _labels(profiles: Profiles) -> _Labels:
    return _Labels(profiles)


def labelled(turn: Turn) -> Iterator[Said]:
    """A reader: values behind the name of their slot."""
    labels = _labels(turn.profiles)
    if labels.pattern is None:
        return
    for found in labels.pattern.finditer(turn.low):
        latin = found.re.groupindex.get("l") is not None and found["l"] is not None
        label = re.sub(r"\b(?:no|num|nr)$|#$", "number", found["l"]) if latin else found["h"]
        start, end = found.span("v" if latin else "w")
        if all(s.kind in ("id", "phone") for s in labels.slots.get(label, ())):
            end = start + len(_FIGURES.match(turn.text[start:end])[0])  # type: ignore[index]
        bare = turn.text[found.end("l" if latin else "h") : start].isspace()
        slots = [
            s
            for s in labels.slots.get(label, ())
            if _fits(s, turn.text[start:end]) and not (bare and s.kind == "free")  # "a fraud report now"
        ]
        if not slots:
            continue
        slot = slots[0]
        if len({s.type for s in slots}) > 1 or len(slots) > 1:
            claim = choose(turn, slots, start, end)
            if claim is None:
                continue
            slot = claim.slot
        yield Said(slot, turn.text[start:end], start, end, found.start(), end, SURE)


# an id ends with its last figure ("806 if you need that") or with single letters behind it ("80 6 k")
_FIGURES = re.compile(
    r".*[0-9]\S*(?: (?!(?:if|is|in|on|at|to|of|or|so|my|me|it|as|an|by|we|no|ok|hi|do|be|am|pm|up|us|he|i|a)\b)[A-Za-z]{1,2}(?![\w'’]))*(?: (?!(?:yes|sir|pls|plz|bro|man|thx|now|too|for|and|the|you|dear|team|only|please)\b)[A-Za-z]{3}(?=\W*$))?|",
    re.S,
)
_NOTHING = re.compile(
    r"(?:what|which|where|who|is|are|the|a|an|of|for|in|to|and|please|not|wrong|correct|needed|required|it|that|this|with|as|too|also|or|if|when|so)\b|多少|什么|哪|谁|不|没"
)


def _fits(slot: SlotProfile, words: str) -> bool:
    if _NOTHING.match(words.lower()):
        return False
    if slot.kind in ("id", "phone"):
        return any(ch.isdigit() for ch in words)
    if slot.kind == "email":
        return "@" in words or re.search(r"(?:com|net|org|edu|cn|at)\b", words.lower()) is not None
    if slot.kind == "address":
        return any(ch.isdigit() for ch in words) or len(words.split()) > 1 or has_han(words)
    return True


_ABOUT = frozenset(
    "has have is are in on need needs needed allowed offers offer includes include available welcome services service desired add flag unit seating options good for free".split()
)
_SAME = {
    "internet": "internet|wi-?fi|wi fi|wireless", "wifi": "internet|wi-?fi|wi fi|wireless", "pets": "pets?|dogs?|cats?", "parking": "parking",
    "互联网": "wi-?fi|网络|上网|互联网|无线网", "停车处": "停车场?|停车位|停车处|车位",
}  # fmt: skip
_WANTED = re.compile(
    r"(?:\b(?:with|have|has|having|includes?|including|need|needs|want|free|offers?|offering|provides?|and|get|also|that's|comes with|come with|featuring)(?: (?:a|an|the|some|any|free|to|have|be|it|with|include|offer|provide))*|有|带|含|提供|包含|包括|需要|要|免费的?|和|、|及)\s*$"
)
_UNWANTED = re.compile(
    r"\b(?:no|not|n't|without|don|doesn|dont|never|neither|nor|unnecessary|care|matter|whether|if|optional)\b|n['’]t|不|没|无所谓|是否|有没有|可以|随便|matters?"
)


@lru_cache(maxsize=8)
def _features(profiles: Profiles) -> tuple[tuple[SlotProfile, re.Pattern[str]], ...]:
    out = []
    for slot in profiles:
        if slot.curated or not slot.truth:
            continue
        words = [w for w in slot.names[0].split() if w not in _ABOUT]
        if not words:
            continue
        pattern = " ".join(_SAME.get(w, re.escape(w)) for w in words)
        out.append((slot, re.compile(f"(?<![a-z])(?:{pattern})(?![a-z])")))
    return tuple(out)


def features(turn: Turn) -> Iterator[Said]:
    """A reader: what a sought thing must have."""
    for slot, pattern in _features(turn.profiles):
        for found in pattern.finditer(turn.low):
            start, end = found.span()
            first, last = clause_of(turn.text, start, end)
            before = turn.low[max(first, start - 30) : start]
            if not _WANTED.search(before) or _UNWANTED.search(turn.low, first, last):
                continue
            if talk_of(turn).about(start, end).get(slot.type, 0.0) < 1.2 or cues.questioned(
                turn.text, start, end
            ):
                continue
            low = start - len(_WANTED.search(before)[0].strip())  # type: ignore[index]
            yield Said(slot, slot.truth[True], start, end, max(first, min(low, start)), end, SURE)
            break


__all__ = ["features", "labelled"]
