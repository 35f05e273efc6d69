"""Recognisers first; a model for what they cannot settle, at most one call a message; the same question never twice.

A message is settled when nothing in it could state anything beyond what recognisers have read (``extraction.claims``)
by words that say what it is: a name taken for its form alone ("Ivo, Brookline Paper") decides which Form is meant, so
the model is asked about it too. What the model gives is merged with what was found (``extraction.merging``).

A text of more than :data:`PART` characters is asked about in parts, one call each, those that claim nothing left out;
a part that the model refuses for its length is halved.
"""

from __future__ import annotations

import re
import threading
from collections import OrderedDict
from collections.abc import Sequence, Set
from concurrent.futures import Future, ThreadPoolExecutor
from dataclasses import dataclass, replace
from functools import lru_cache
from typing import Any

from forms_dynamics.errors import ExtractorUnavailable, PromptTooLong
from forms_dynamics.extraction.asking import Asking, Prompt
from forms_dynamics.extraction.claims import claims, spans_of
from forms_dynamics.extraction.facts import Facts, Part
from forms_dynamics.extraction.lexicon import slot_of
from forms_dynamics.extraction.likely import Likely
from forms_dynamics.extraction.merging import Merging
from forms_dynamics.extraction.prompt import KNOWN, Prompts
from forms_dynamics.extraction.reply import Reply
from forms_dynamics.extraction.steps import Named, Steps
from forms_dynamics.language.secrets import redact
from forms_dynamics.model.answer import Answer, Replies
from forms_dynamics.model.form import Form
from forms_dynamics.model.known import Known, turns_of
from forms_dynamics.model.message import NO_COST, Cost, Draft, Message, Proposal
from forms_dynamics.ports import Extractor
from forms_dynamics.schema.spec import Catalog
from forms_dynamics.settings import Settings

PART = 1500  # characters of a message in one prompt
SETTLED = 0.95  # a name of a Form found more surely than by its form alone
_LEAST = 200  # characters: no smaller part is halved
_BEGUN = 4096  # messages whose questions are kept until they are taken
_BOUND = re.compile(r"(?<=[。！？!?\n；;])|(?<=[.,，] )")
# words that point back to something said before, and answers
_BACK = re.compile(
    r"[那这该此][个份张家位次笔些单种款套件本]|之前|刚才|刚刚|上次|上回|前面|前天|昨天|原来|还是|照旧|同样|一样|这样|那样|它|他|她|其|另一|其他|换成|改成|改为|"
    r"\b(?:it|its|that|this|those|these|they|them|he|she|him|her|same|other|another|previous|earlier|last|first|second|former|latter|one|"
    r"instead|again|still|also|too|yes|no|agreed|you (?:sent|said|mentioned|offered|quoted))\b",
    re.I,
)  # fmt: skip
_SHORT = (
    16  # half-width columns: a text as short says little by itself; characters of one that may be an answer
)


@dataclass(frozen=True, slots=True)
class Question:
    """What is asked about one part of a message."""

    part: Part
    prompt: Prompt
    reply: type[Reply]
    key: str


@dataclass(slots=True)
class _Begun:
    """A question under way; ``own``: this message pays for it."""

    question: Question
    answer: Future[Answer]
    own: bool


class Tiers:
    """Drafts for messages of one catalog; ``asking`` None: of recognisers alone. Thread-safe."""

    def __init__(
        self,
        catalog: Catalog,
        settings: Settings,
        recognisers: Extractor,
        asking: Asking | None,
        steps: Steps,
        prompts: Prompts,
    ) -> None:
        self._catalog = catalog
        self._settings = settings
        self._recognisers = recognisers
        self._asking = asking
        self._steps = Named(steps)
        self._prompts = prompts
        self._likely = Likely(catalog)
        self._names = {
            t.name: frozenset(n for n, spec in t.slots.items() if slot_of(t, spec).naming) for t in catalog
        }
        self._begun: OrderedDict[tuple[Any, ...], list[_Begun]] = OrderedDict()
        self._lock = threading.Lock()
        self._pool: ThreadPoolExecutor | None = None

    # -- the port --------------------------------------------------------------------------------------------
    def extract(self, message: Message, known: Sequence[Form] = (), told: str | None = None) -> Proposal:
        """Drafts of all tiers, with what they cost. ExtractorUnavailable where the model is needed and cannot be
        asked: nothing is half taken. ``told``: what was wrong with a first reading; the model is asked then, about
        all of the message."""
        found = self._recognisers.extract(message, known)
        drafts = self._scored(found.drafts, message)
        begun = self._take_begun(message) if told is None else None
        if begun is None:
            questions = self.questions(message, drafts if told is None else (), known, told)
            asked = self._asked([(q, None) for q in questions], known)
        else:
            asked = self._asked([(one.question, one) for one in begun], known)
        if not asked:
            return found._replace(drafts=drafts)
        facts = Facts(message, self._catalog, self._around(message, known)[0], self._steps.coerce)
        read: list[list[Draft]] = []
        cost = found.cost
        for question, answer, paid in asked:
            given = facts.drafts(answer, question.part, "model" if paid else "cache")
            read.append(self._scored(given, message))
            if paid:
                cost += answer.cost
        merged = Merging(message, self._catalog, self._settings).merge(drafts, read)
        return Proposal(merged, cost)

    def ahead(self, pairs: Sequence[tuple[Message, Sequence[Form]]]) -> None:
        """Begins the model calls of a batch, at most ``settings.model_concurrency`` at once; ``extract`` then joins
        those of its message. Returns at once."""
        if self._asking is None:
            return
        first: dict[tuple[str | None, str], Future[Answer]] = {}
        for message, known in pairs:
            try:
                # what the conversation knows is looked at only where the words point back to it
                drafts = self._recognisers.extract(message, ()).drafts
                questions = self.questions(message, self._scored(drafts, message), known)
            except (KeyboardInterrupt, SystemExit):
                raise
            except BaseException:  # what is not known yet, or fails, is told when the message is taken
                continue
            begun = []
            for question in questions:
                replies = _replies(known)
                twin = first.get((message.user, question.key))
                answer = twin or self._executor().submit(self._ask, question, replies)
                first[message.user, question.key] = answer
                begun.append(_Begun(question, answer, twin is None))
            if begun:
                with self._lock:
                    self._begun[_key(message)] = begun
                    while len(self._begun) > _BEGUN:
                        self._begun.popitem(last=False)

    def abandon(self) -> None:
        """Gives up what was begun: calls that have not started are not made, those under way are waited for, so that
        what they give is kept."""
        with self._lock:
            pool, self._pool = self._pool, None
            self._begun.clear()
        if pool is not None:
            pool.shutdown(wait=True, cancel_futures=True)

    # -- what is asked ---------------------------------------------------------------------------------------
    def questions(
        self, message: Message, drafts: Sequence[Draft], known: Sequence[Form], told: str | None = None
    ) -> Sequence[Question]:
        """What the model is to be asked; nothing where recognisers settled it, or where nobody claims anything."""
        if self._asking is None or message.role != "user":
            return ()
        text = message.text if self._settings.redact == "off" else redact(message.text)
        settled = self._settled(message, drafts) if text == message.text else ()
        answers = self._answers(message, known)
        out = []
        for part in parts(text):
            if claims(part.text, _within(settled, part), answers):
                out.append(self._question(message, part, known, told))
        return [question for question in out if question is not None]

    def _settled(self, message: Message, drafts: Sequence[Draft]) -> Sequence[tuple[int, int]]:
        """The words that recognisers read surely."""
        sure = []
        for draft in drafts:
            names = self._names.get(draft.form_type, frozenset[str]())
            slots = {
                name: slot
                for name, slot in draft.slots.items()
                if name not in names or slot.confidence >= SETTLED or draft.invalidate
            }
            sure.append(replace(draft, slots=slots))
        return spans_of(message.text, sure)

    def _question(
        self, message: Message, part: Part, known: Sequence[Form], told: str | None
    ) -> Question | None:
        shown = replace(message, text=part.text)
        forms, turns = self._around(message, known)
        types = self._likely.types(part.text, forms, turns)
        if not types:
            return None
        plan = self._prompts.plan(types, part.text, bool(forms or turns))
        said: Sequence[Message] = turns
        if self._settings.redact != "off":  # a prompt of one's own may show them
            said = [replace(turn, text=redact(turn.text)) for turn in turns]
        around = Known(lambda: forms, lambda: said)
        prompt = list(self._steps.prompt(shown, plan.types, around))
        if told is not None:
            told = told if self._settings.redact == "off" else redact(told)
            prompt.append({"role": "user", "content": f"Read it again. {told}"})
        key = "" if self._asking is None else self._asking.key(prompt, plan.reply)
        return Question(part, prompt, plan.reply, key)

    @staticmethod
    def _around(message: Message, known: Sequence[Form]) -> tuple[Sequence[Form], Sequence[Message]]:
        """The Forms that the model is told of by number, and the turns: only where the words point back to any.
        What the same words said right before it, and made, is no part of them: said twice, they are asked about
        once."""
        if not (points_back(message.text) or _may_answer(message.text, known)):
            return (), ()
        turns = turns_of(known)
        first = len(turns)
        while first and (turns[first - 1].text, turns[first - 1].speaker) == (message.text, message.speaker):
            first -= 1
        repeated = {turn.id for turn in turns[first:]}
        forms = [form for form in known[: KNOWN + len(repeated)] if not _made_by(form, repeated)]
        return forms[:KNOWN], turns[:first]

    @staticmethod
    def _answers(message: Message, known: Sequence[Form]) -> bool:
        """Whether the message answers a question: one word says enough then."""
        if len(message.text) > _SHORT * 2:
            return False
        return _asked_last(turns_of(known))

    # -- asking ----------------------------------------------------------------------------------------------
    def _asked(
        self, questions: Sequence[tuple[Question, _Begun | None]], known: Sequence[Form]
    ) -> list[tuple[Question, Answer, bool]]:
        """The answers, and whether this message pays for them; where one fails, it tells what all cost."""
        out: list[tuple[Question, Answer, bool]] = []
        for question, begun in questions:
            try:
                if begun is None:
                    answer, own = self._ask(question, _replies(known)), True
                else:
                    answer, own = begun.answer.result(), begun.own
            except ExtractorUnavailable as failed:
                cost = failed.cost if isinstance(failed.cost, Cost) else NO_COST
                if begun is not None and not begun.own:
                    cost = NO_COST  # another message bears it
                for _, before, paid in out:
                    cost = before.cost + cost if paid else cost
                raise ExtractorUnavailable(str(failed), cost) from failed
            out.append((question, answer, own and answer.cost is not NO_COST))
        return out

    def _ask(self, question: Question, replies: Replies | None) -> Answer:
        assert self._asking is not None
        return self._asking.answer(question.key, question.reply, replies, lambda: self._called(question))

    def _called(self, question: Question) -> Answer:
        assert self._asking is not None
        try:
            return self._asking.model.ask(question.prompt, question.reply)
        except PromptTooLong as long:
            halves = halved(question.part.text)
            if len(halves) < 2:
                raise
            spent = long.cost if isinstance(long.cost, Cost) else NO_COST
        answers: list[Answer] = []
        for half in halves:
            try:
                answers.append(self._half(question, half))
            except ExtractorUnavailable as failed:
                for cost in (spent, *(a.cost for a in answers)):
                    failed.cost = (failed.cost or NO_COST) + cost
                raise
        return _joined_answers(answers, spent)

    def _half(self, question: Question, text: str) -> Answer:
        """The answer about half of the part, in the same prompt."""
        if not claims(text):
            return Answer({"facts": []}, NO_COST)
        prompt = [
            {**m, "content": m["content"].replace(question.part.text, text)} if m["role"] == "user" else m
            for m in question.prompt
        ]
        return self._called(replace(question, part=Part(text), prompt=prompt))

    def _scored(self, drafts: Sequence[Draft], message: Message) -> list[Draft]:
        out = []
        for draft in drafts:
            slots = {}
            for name, slot in draft.slots.items():
                sure = self._steps.score(draft.form_type, name, slot, message)
                slots[name] = slot if sure == slot.confidence else replace(slot, confidence=sure)
            out.append(replace(draft, slots=slots) if slots != draft.slots else draft)
        return out

    def _take_begun(self, message: Message) -> list[_Begun] | None:
        with self._lock:
            return self._begun.pop(_key(message), None)

    def _executor(self) -> ThreadPoolExecutor:
        with self._lock:
            if self._pool is None:
                self._pool = ThreadPoolExecutor(self._settings.model_concurrency, "model-calls")
            return self._pool


@lru_cache(maxsize=8)  # each part of a long text asks it of the whole
def points_back(text: str) -> bool:
    """Whether a text may mean something that was said before it."""
    return (
        sum(2 if ch > "\u2e7f" else 1 for ch in text[: _SHORT + 1]) <= _SHORT
        or _BACK.search(text) is not None
    )


def _may_answer(text: str, known: Sequence[Form]) -> bool:
    return len(text) <= _SHORT and _asked_last(turns_of(known))


def _asked_last(turns: Sequence[Message]) -> bool:
    """Whether the last turn is a question put to the user."""
    last = turns[-1] if turns else None
    return last is not None and last.role == "assistant" and last.text.rstrip()[-1:] in "?？吗呢"


def _made_by(form: Form, messages: Set[str]) -> bool:
    """Whether all that a Form holds was said in these messages."""
    said = {slot.evidence.message_id for slot in form.slots.values() if slot.evidence is not None}
    return bool(said) and said <= messages


def parts(text: str) -> list[Part]:
    """The text in pieces of at most :data:`PART` characters, cut where sentences end."""
    if len(text) <= PART:
        return [Part(text)]
    out: list[Part] = []
    start = 0
    while start < len(text):
        end = min(start + PART, len(text))
        if end < len(text):
            ends = [m.start() for m in _BOUND.finditer(text, start + PART // 2, end)]
            end = ends[-1] if ends else end
        out.append(Part(text[start:end], start))
        start = end
    return out


def halved(text: str) -> list[str]:
    """Two halves, cut where a sentence ends near the middle; one where it is too short for that."""
    if len(text) < 2 * _LEAST:
        return [text]
    middle = len(text) // 2
    near = [m.start() for m in _BOUND.finditer(text, _LEAST, len(text) - _LEAST)]
    at = min(near, key=lambda i: abs(i - middle)) if near else middle
    return [text[:at], text[at:]]


def _joined_answers(answers: Sequence[Answer], spent: Cost) -> Answer:
    """The answers about the halves of a part as one; things that they number alike are one thing."""
    content: dict[str, list[Any]] = {}
    cost = spent
    for answer in answers:
        for name, items in answer.content.items():
            content.setdefault(name, []).extend(items)
        cost += answer.cost
    return Answer(content, cost)


def _replies(known: Sequence[Form]) -> Replies | None:
    return known.replies if isinstance(known, Known) else None


def _key(message: Message) -> tuple[Any, ...]:
    return message.user, message.conversation, message.id, message.text


def _within(spans: Sequence[tuple[int, int]], part: Part) -> list[tuple[int, int]]:
    """Spans of the message in the terms of its part."""
    low, high = part.offset, part.offset + len(part.text)
    return [(max(s, low) - low, min(e, high) - low) for s, e in spans if s < high and low < e]


__all__ = ["PART", "Question", "Steps", "Tiers", "halved", "parts", "points_back"]
