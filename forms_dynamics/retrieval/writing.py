"""The context of what a recall found: its lines in order, within the budget, with what is to be asked and how it was
found."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from functools import partial

from forms_dynamics.language.secrets import redact
from forms_dynamics.model.context import Context, Trace
from forms_dynamics.model.record import FormRecord, MessageRecord, PendingRecord
from forms_dynamics.retrieval.assembly import (
    FALLBACK,
    QUOTED,
    RECENT,
    Assembled,
    Item,
    assemble,
    without_repeats,
)
from forms_dynamics.retrieval.entries import SPEECH
from forms_dynamics.retrieval.gathered import Gathered
from forms_dynamics.retrieval.naming import Names, names_of
from forms_dynamics.retrieval.question import Question
from forms_dynamics.retrieval.quoted import quote
from forms_dynamics.retrieval.request import Log, Request
from forms_dynamics.retrieval.silence import Silence
from forms_dynamics.retrieval.sources import Sources
from forms_dynamics.retrieval.standing import Standing

Shown = Callable[
    [Sequence[FormRecord]], None
]  # is told the Forms that a context tells of, as they are stored


@dataclass(frozen=True, slots=True)
class Writing:
    """Writes one context. What is silent (``silence``) is neither quoted nor told."""

    sources: Sources
    silence: Silence
    question: Question
    log: Log

    def context(self, found: Gathered, shown: Shown | None) -> Context:
        """The context; what ``settings.redact`` names is in none of its texts."""
        log, sources = self.log, self.sources
        with log.stage("assembly"):
            recent = self._recent()
            waiting = self._waiting(found)
            made = self._assembled(found, recent, waiting)
        forms = found.forms
        told = dict.fromkeys(id for item in made.items for id in item.forms if id in forms)
        if shown is not None:
            records = found.records
            shown([records[id] for id in told if id in records])
        questions = [*found.questions, *(i.question for i, _ in waiting if i.question)]
        return Context(
            text=made.text,
            forms=tuple(forms[id] for id in told),
            messages=tuple(dict.fromkeys(i.message for i in made.items if i.message is not None)),
            tokens=made.tokens,
            confidence=found.sureness(self.question, made.items, sources.catalog, log),
            questions=tuple(dict.fromkeys(map(self._redacted, questions))),
            current_to=sources.store.current_to(sources.scope, self._request.conversation),
            trace=self._trace(),
        )

    @property
    def _standing(self) -> Standing:
        return self.silence.standing

    @property
    def _request(self) -> Request:
        return self._standing.request

    def _assembled(
        self,
        found: Gathered,
        recent: Sequence[MessageRecord],
        waiting: Sequence[tuple[PendingRecord, str]],
    ) -> Assembled:
        speech = SPEECH[self.question.lang]
        again = {m.id for m in recent}
        items = [
            *found.queried.items,
            *found.exact.facts.items,
            *found.loaded.facts.items,
            *(Item(quote(m), m.id, RECENT, (), m.id) for m in recent),
            *found.low.facts.items,
            *(Item(text, item.id, FALLBACK) for item, text in waiting),
            *(
                Item(quote(m, words, clock=False), m.id, QUOTED, (), m.id, score)
                for m, words, score in found.hits.messages
                if m.id not in again
            ),
        ]
        return assemble(
            self._clean(without_repeats(items, self.log)),
            speech.header,
            {RECENT: speech.recent, QUOTED: speech.low},
            self._request.max_tokens,
            self.sources.settings.fallback_share,
            self.log,
        )

    def _trace(self) -> Trace:
        sources, log = self.sources, self.log
        steps, writer = log.told(), sources.writer(self.question.lang, self._standing)
        hidden = sources.settings.redact != "off"
        look = partial(names_of, steps, self._request, sources.store, sources.catalog, writer, hidden)
        return Trace(steps, dict(log.timings), Names(look), self.question.lang)

    def _recent(self) -> list[MessageRecord]:
        """The last turns of the conversation, less those that are silent."""
        request = self._request
        if not request.recent_turns or request.conversation is None:
            return []
        out = []
        sources = self.sources
        turns = sources.store.recent(sources.scope, request.conversation, request.recent_turns)
        self.silence.read(turns)
        for message in turns:
            spoken = self.silence.spoken(message)
            if spoken.text is not None:
                out.append(message._replace(text=spoken.text))
            if spoken.reason is not None:
                self.log.add("prune", message.id, spoken.reason)
        return out

    def _waiting(self, found: Gathered) -> list[tuple[PendingRecord, str]]:
        """Pending values of asked slots whose messages the fallback met, as lines that say so."""
        asked = self.question.asked()
        told = {i.subject for i in (*found.exact.facts.items, *found.low.facts.items)}
        wanted = {
            p.id: p for p in found.hits.pendings if p.slot in asked.get(p.type, ()) and p.id not in told
        }
        if not wanted:
            return []
        sources = self.sources
        writer = sources.writer(self.question.lang, self._standing)
        ids = [p.form for p in wanted.values() if p.form is not None]
        named, types = sources.reader.forms(sources.scope, ids, sources.now), sources.catalog.types
        return [
            (p, writer.pending(p, named.get(p.form) if p.form else None, types.get(p.type)))
            for p in wanted.values()
        ]

    def _clean(self, items: Sequence[Item]) -> list[Item]:
        if self.sources.settings.redact == "off":
            return list(items)
        cleaned = [(item, redact(item.text)) for item in items]
        return [item if text == item.text else replace(item, text=text) for item, text in cleaned]

    def _redacted(self, text: str) -> str:
        return text if self.sources.settings.redact == "off" else redact(text)


__all__ = ["Shown", "Writing"]
