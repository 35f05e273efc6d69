"""Forms that a question means without a name: by recency in the conversation, by who told of them, by order."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from forms_dynamics.language.normal import normal
from forms_dynamics.model.record import MentionRecord, Scope
from forms_dynamics.ports import Store
from forms_dynamics.projection import state_of
from forms_dynamics.retrieval.lexicon import Lexicon
from forms_dynamics.retrieval.names import EXACT, Anchor, by_name
from forms_dynamics.retrieval.question import Question, parse
from forms_dynamics.retrieval.request import Log, Request
from forms_dynamics.retrieval.words import MEASURES
from forms_dynamics.settings import Settings

FOCUS = "focus"

_FORMER = re.compile(r"前者|\bthe former\b")
_LATTER = re.compile(r"后者|\bthe latter\b")
_OTHER = re.compile(rf"(?:另外?|其他|别的|剩下的?)那?一?[{MEASURES}]|\bthe other\b(?! (?:day|side|hand|way))")
_ORDINAL = re.compile(
    rf"第([一二两三四五1-5])[{MEASURES}]|\bthe (first|second|third|fourth|fifth)\b(?= (?:one\b|[a-z]+))"
)
_ORDINALS = {w: n for n, ws in enumerate("一1 二两2 三3 四4 五5".split()) for w in ws} | {
    w: n for n, w in enumerate("first second third fourth fifth".split())
}
_BOTH = re.compile(rf"[这那]?两[{MEASURES}]|二者|两者|\b(?:both|the two|(?:these|those|the) two)\b")
# 我当时说的, 您一开始提的: whoever asks or answers is no other teller
_ME_ZH = re.compile(
    "(?:我们?|咱们?|你们?|您)(?:当时|当初|那时候?|那会儿?|一开始|开头|最早|最初|早先|以前|之前|前面|前天|前几天|上午|下午|早上|晚上|曾经?|已经|"
    "后来|最后|都|也|就|[跟和给向对](?:我们?|你们?|您))*"
)
_MANY = re.compile(rf"[这那](?:些|几[{MEASURES}])|它们|\b(?:these|those|their [a-z]+s\b)")
_TOLD_ZH = re.compile(
    "([\u4e00-\u9fffA-Za-z·]{1,12}?)(?:刚才|刚刚|上次|之前|昨天|今天)?(?:说|提|讲|聊|发|写|给)(?:到|过|起|来)?的"
)
_TOLD_EN = re.compile(
    r"\b(?:mentioned|brought up|said|sent) by (\w[\w'-]*)|"
    r"\b(\w[\w'-]*) (?:just |had |has )?"
    r"(?:mentioned|told (?:us|me) (?:about|of)|talked about|spoke of|brought up|sent|wrote|said)\b"
)
_POSED = re.compile(
    r"[?？]\s*$|[吗呢]\s*$|^(?:who|whose|what|which|when|where|how|is|are|was|does|did|has)\b|谁|哪|多少|几|什么",
    re.I,
)
_QUESTIONS = 4  # messages back in which a question may have named what is meant
_SHORT = 200  # characters of such a question
_MOST = 24  # mentions that are looked through
_ASKED_OF = 8  # Forms of which it is looked up who told of them


@dataclass(frozen=True, slots=True)
class Meant:
    """Forms that are meant, and those among which nothing tells which (a tie)."""

    anchors: Sequence[Anchor] = ()
    tie: Sequence[str] = ()


def by_conversation(
    request: Request,
    question: Question,
    lexicon: Lexicon,
    scope: Scope,
    store: Store,
    settings: Settings,
    barred: frozenset[str],
) -> Meant:
    """What the conversation is about: its newest Forms that fit the question, or those that its words pick."""
    if request.conversation is None:
        return Meant()
    silent = not question.units
    text = question.text
    picks = _picks(text)
    teller = _teller(question)
    if (question.possessor() or question.number()) is not None and not picks and not teller:
        return Meant()
    touched = [m for m in _touched(request.conversation, question, scope, store) if m.type not in barred]
    if not any(m.type in question.asked() for m in touched):
        # of what the talk is about a bare word asks: 金额 for 订单金额
        question = question.about(sorted({m.type for m in touched}), lexicon)
    if not (silent or picks or teller or question.anaphora or question.asks or question.types):
        return Meant()
    pool = _pool(touched, question, loose=picks or bool(teller))
    if question.anaphora and not (silent or picks or teller):
        since = max((m.seq for m in touched), default=-1)
        asked_of = _asked_before(request, question, lexicon, scope, store, settings, barred, since)
        if asked_of.anchors:
            return asked_of
    if not pool:
        return Meant()
    if teller:
        told = _told_by(teller, pool, request.conversation, scope, store)
        if told is None:
            return Meant()
        pool = told
    if not (silent or picks or teller or question.listing):
        pool = _knowing(pool, question.asked(), scope, store)
    chosen, why = _choose(text, pool, silent or question.listing)
    forms = list(chosen)[: settings.max_anchors]
    plural = silent or question.listing or picks or _MANY.search(text) is not None
    tie = tuple(m.form for m in forms) if len(forms) > 1 and not plural and _one(forms) else ()
    why = f"{teller} told of it" if teller else why
    return Meant([Anchor(m.form, m.type, FOCUS, why, weight=0.8) for m in forms], tie)


def _asked_before(
    request: Request,
    question: Question,
    lexicon: Lexicon,
    scope: Scope,
    store: Store,
    settings: Settings,
    barred: frozenset[str],
    since: int,
) -> Meant:
    """What a question named that was put in the conversation after the last message that told something ("How heavy
    is Bramble?" before "And who owns her?"): the Forms of it of which the question asks."""
    for message in reversed(store.recent(scope, request.conversation or "", _QUESTIONS)):
        if message.seq <= since:
            break
        if message.text == request.question or len(message.text) > _SHORT or not _POSED.search(message.text):
            continue
        named = [
            a
            for a in by_name(parse(message.text, lexicon), scope, store, settings.max_anchors, Log())
            if a.how == EXACT and a.type not in barred
        ]
        asked = question.asked()
        fitting = [a for a in named if a.type in asked] or [a for a in named if a.primary]
        if fitting:
            forms = list(dict.fromkeys(a.form for a in fitting))
            tie = tuple(forms) if len(forms) > 1 and not _MANY.search(question.text) else ()
            why = "the question before named it"
            kept = {a.form: Anchor(a.form, a.type, FOCUS, why, weight=0.8) for a in fitting}
            return Meant(list(kept.values()), tie if len({a.type for a in fitting}) == 1 else ())
    return Meant()


def in_order(question: Question, found: Sequence[Anchor]) -> list[Anchor]:
    """Of the things that the question itself names those that "the former" or "the latter" means; else all."""
    text = question.text
    former, latter = _FORMER.search(text), _LATTER.search(text)
    said = former or latter
    if said is None or (former and latter):
        return list(found)
    spans = sorted({a.span for a in found if a.span is not None and a.span[1] <= said.start()})
    if not former and len(spans) < 2:
        spans = []
    if former and len({a.span for a in found if a.span is not None}) > 1 and len(spans) < 2:
        spans = sorted(
            {a.span for a in found if a.span is not None}
        )  # "what is the budget of the former?" ahead
    if len(spans) < 2:
        return list(found)
    wanted = spans[-2] if former else spans[-1]
    return [a for a in found if a.span == wanted]


def which(names: Sequence[str], lang: str) -> str:
    """The question that asks which of several Forms is meant."""
    if lang == "zh":
        return f"您指的是哪一个：{'，'.join(names[:-1])}，还是{names[-1]}？"
    return f"Which one do you mean: {', '.join(names[:-1])} or {names[-1]}?"


def picking(text: str) -> list[tuple[int, int]]:
    """Where words stand that pick among things (前者, "the other one") or tell who spoke of them."""
    patterns = (_FORMER, _LATTER, _OTHER, _ORDINAL, _BOTH, _MANY, _TOLD_ZH, _TOLD_EN)
    return [found.span() for pattern in patterns for found in pattern.finditer(text)]


def _one(forms: Sequence[MentionRecord]) -> bool:
    """All are of one type: of a customer and its quote in one message both are told."""
    return len({m.type for m in forms}) == 1


def _picks(text: str) -> bool:
    return any(p.search(text) for p in (_FORMER, _LATTER, _OTHER, _ORDINAL, _BOTH))


def _teller(question: Question) -> str | None:
    text = question.text
    for pattern in (_TOLD_ZH, _TOLD_EN):
        found = pattern.search(text)
        if found is not None:
            who = next(g for g in found.groups() if g)
            if (
                not _ME_ZH.fullmatch(who)
                and not who.endswith("谁")
                and who
                not in (
                    "who",
                    "i",
                    "we",
                    "you",
                    "that",
                    "was",
                    "is",
                    "had",
                    "just",
                )
            ):
                return who
    return None


def _touched(conversation: str, question: Question, scope: Scope, store: Store) -> Sequence[MentionRecord]:
    """Mentions of Forms in the conversation, of the types that the question names if any, newest first."""
    types = question.types
    if not types:
        return store.touched(scope, conversation, None, _MOST)
    touched = [m for t in sorted(types) for m in store.touched(scope, conversation, t, _MOST)]
    return sorted(touched, key=lambda m: -m.seq)


def _pool(touched: Sequence[MentionRecord], question: Question, loose: bool) -> list[MentionRecord]:
    """Of the mentions those of Forms that fit what is asked, each Form once."""
    asked = question.asked()
    fitting = [m for m in touched if m.type in asked] if asked else []
    none = asked and not question.anaphora and not question.types and not loose
    pool = fitting or ([] if none else touched)
    seen: dict[str, MentionRecord] = {}
    for mention in pool:
        seen.setdefault(mention.form, mention)
    return list(seen.values())


def _knowing(
    pool: list[MentionRecord], asked: Mapping[str, Sequence[str]], scope: Scope, store: Store
) -> list[MentionRecord]:
    """Without the newest Forms where they know nothing of what is asked and others of the conversation do."""
    if len(pool) < 2 or not asked:
        return pool
    records = store.forms(scope, [m.form for m in pool])
    held = {id: state_of(record)["s"] for id, record in records.items()}
    knowing = {m.form for m in pool if any(held.get(m.form, {}).get(slot) for slot in asked.get(m.type, ()))}
    if not knowing or any(m.form in knowing for m in pool if m.seq == pool[0].seq):
        return pool
    return [m for m in pool if m.form in knowing]


def _told_by(
    who: str, pool: Sequence[MentionRecord], conversation: str, scope: Scope, store: Store
) -> list[MentionRecord] | None:
    """Those that a speaker of this name told of; None where there is no such speaker."""
    out = []
    for mention in pool[:_ASKED_OF]:
        said = store.recent(scope, conversation, 1, before=mention.seq + 1)
        if said and said[0].seq == mention.seq:
            speaker = normal(said[0].speaker)
            if speaker and (who.endswith(speaker) or speaker.startswith(who)):
                out.append(mention)
    return out or None


def _choose(text: str, pool: list[MentionRecord], every: bool) -> tuple[list[MentionRecord], str]:
    newest = [m for m in pool if m.seq == pool[0].seq]
    if len(pool) > 1:
        if _FORMER.search(text):
            return [pool[1]], "named before the last one"
        if _OTHER.search(text):
            return [pool[1]], "the other one of the conversation"
        if _LATTER.search(text):
            return [pool[0]], "named last in the conversation"
        if (ordinal := _ORDINAL.search(text)) is not None:
            place = _ORDINALS[ordinal.group(1) or ordinal.group(2)]
            if place < len(pool):
                return [sorted(pool, key=lambda m: m.seq)[place]], f"number {place + 1} in the conversation"
        if _BOTH.search(text):
            return pool[:2], "one of the last two of the conversation"
        if _MANY.search(text):
            return pool, "of the conversation"
    return (pool if every else newest), "the conversation touched it last"


__all__ = ["FOCUS", "Meant", "by_conversation", "in_order", "picking", "which"]
