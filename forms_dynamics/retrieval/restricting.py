"""Reads from a question what it demands of the Forms of a type that it names (see ``restriction``)."""

# ruff: noqa: E501 (a list of words and a pattern read best on one line)
from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import replace
from datetime import datetime

from forms_dynamics.language.bilingual import Bilingual
from forms_dynamics.language.normal import has_han, normal
from forms_dynamics.language.reading import Reading
from forms_dynamics.model.value import Range
from forms_dynamics.retrieval.demands.amounts import NUMERIC, amounts_of, read_amounts, read_extremes
from forms_dynamics.retrieval.demands.choices import Choices
from forms_dynamics.retrieval.demands.day_slots import DATED, about_days, cues, read_days
from forms_dynamics.retrieval.demands.days import Days, days_of
from forms_dynamics.retrieval.demands.draft import Draft, Span
from forms_dynamics.retrieval.demands.joining import joined
from forms_dynamics.retrieval.demands.missing import Lacking
from forms_dynamics.retrieval.lexicon import HINT, lexicon_of
from forms_dynamics.retrieval.per_catalog import per_catalog
from forms_dynamics.retrieval.question import Question
from forms_dynamics.retrieval.restriction import UNRESTRICTED, Demand, Either, Restriction, Says, Test
from forms_dynamics.retrieval.words import WHY
from forms_dynamics.schema.spec import Catalog

_WHO = Bilingual("谁|哪位|哪家", r"\b(?:who|whose|whom|nobody|no one)\b")
_FILLING = Bilingual(
    "平均|均值|总和|状态|级别|类型|之间|以上|以下|以内|左右|金额|[类款型](?=的)",
    r"\b(?:average|mean|median|sum|total)\b|(?<=phone )number\b|(?<=mobile )number\b|\b(?:status|state|stage)\b|\bso far\b|\bby now\b|\bmade (?:of|from|out of)\b",
)
_SIGNAL = re.compile(  # a question without any of these demands no more than values of enums
    r"\d|[一二三四五六七八九十两]月|最|第|排|前|[以之][上下内]|超过|不到|没|未|无|缺|欠|空|待|过期|逾期|失效|有效|超期|[今明昨后前]天|[本这上下今去明]个?[周月年季]|本周|"
    r"周[一二三四五六日末]|有|留|谁|到期|截止|[从至到]|(?:jan|feb|mar|apr|may|june?|july?|aug|sep|oct|nov|dec)[a-z]*\b|"
    r"\b(?:no|not|without|with|have|has|un\w+|nobody|over\w*|under|below|above|more|less|between|before|after|since|by|in|on|"
    r"from|until|through|today|tomorrow|yesterday|this|next|first|last|late|later|open|valid|expired|\w+est|most|least|top|half|missing|"
    r"lack\w*|need\w*|await\w*|empty)\b|n['’]t\b"
)
_NUMBERED = re.compile(r" (?:[a-z]|[a-z]{0,2}\d+[a-z]?)(?![\w'’.,-]*\w)")
_THINGS = re.compile(
    r"记录|东西|书|单子|单据|内容|项目|名单|列表|\b(?:ones|items|things|those|entries|records)\b"
)
_VALUES_ALONE = 24  # words or characters; a longer question says more than values
_DONE_BY = re.compile(r"\b[a-z]{2,}(?:ed|en|wn|ght|d|t) by\b")  # taught by
_OVER_WORDS = re.compile(r"已?(?:过期|失效|逾期)了?|\b(?:expired|overdue|lapsed)\b")
_RANGED = Bilingual(  # what may ask for all Forms that lie there, though no type is named
    r"之间|以[上下内外前后来]|之[前后]|超过|不到|低于|高于|大于|小于|最近|过去|[\d一二三四五六七八九十]月|[\d万千百亿元]到",
    r"\d ?[-~到至] ?\d|"
    r"\b(?:between|above|over|below|under|more than|less than|before|after|since|until|by|from)\b",
)


class Restricting:
    """Reads demands; made once a catalog."""

    def __init__(self, catalog: Catalog) -> None:
        self.catalog = catalog
        self._choices = {t.name: Choices(t) for t in catalog}
        self._lacking = {t.name: Lacking(t) for t in catalog}
        values = (word for choices in self._choices.values() for word in choices.words)
        self._begun = frozenset(word[: 1 if has_han(word[0]) else 3] for word in values)
        self._ends = {t.name: tuple(f"的{a}" for a in t.aliases if len(a) == 1) for t in catalog}
        self._calls = {t.name: tuple(w for a in t.aliases if len(w := normal(a)) > 1) for t in catalog}

    def ranged(self, question: Question) -> bool:
        """Whether a question that names no type may demand that something lies between two values all the same."""
        return not question.types and _RANGED.search(question.text) is not None

    def read(self, question: Question, now: datetime, focus: Sequence[str] = ()) -> Restriction:
        """What the question demands; ``now``: the asker's moment in the asker's zone; ``focus``: types of the Forms
        that the conversation touched, the last one first. "Why is the quote 600k?" knows the value and demands
        nothing."""
        ranged = not question.types and self.ranged(question)
        valued = not question.types and self._begins_with_value(question)
        done = self._done(question)
        if not (done or question.types or question.asks or ranged or valued) or WHY.search(question.text):
            return UNRESTRICTED
        types = frozenset(done) or question.types
        if not types and question.asks:
            types = self._spoken_of(question)
            if not types and (question.listing or _WHO.search(question.text)):
                types = question.sure_types
        signal = _SIGNAL.search(question.text) is not None
        days = days_of(question, now) if signal else []
        amounts = amounts_of(question) if signal and (types or ranged) else []
        if not types and ranged:
            types = self._compared(question, now, amounts, days, focus)
        if not types and valued:
            types = self._valued(question, now)
        types = frozenset(t for t in types if t in self.catalog.types)
        if not types:
            return Restriction(spans=tuple(d.span for d in days))
        demands: dict[str, Demand] = {}
        spans: list[Span] = []
        unread = False
        for name in sorted(types):
            draft = Draft(question, self.catalog.types[name], now)
            draft.spans += [span for each in done.values() for span in each[1]]
            demand = self._demand(draft, signal, amounts, days)
            if name in done:
                demand = replace(demand, tests=(*demand.tests, done[name][0]))
            unread = unread or draft.unread
            spans += draft.spans
            if demand.tests or demand.maybe or demand.extreme:
                demands[name] = demand
        # of several types those of which all is demanded that is demanded of any
        most = max((len(d.every) for d in demands.values()), default=0)
        demands = {t: d for t, d in demands.items() if done or len(d.every) == most}
        unread = unread and not any(d.tests for d in demands.values())
        return Restriction(demands, tuple(spans), unread, bool(done))

    def _done(self, question: Question) -> dict[str, tuple[Test, tuple[Span, Span]]]:
        """Of each type that it can mean by what somebody does (高梅负责哪块地) the test, and where it is said."""
        found = lexicon_of(self.catalog).doing.does(question.text)
        if found is None:
            return {}
        who, verb, doers = found
        doer_name = owner(question.text[slice(*who)])
        slots: dict[str, list[str]] = {}
        for doer in doers:
            if doer.type in question.types or not question.types:
                slots.setdefault(doer.type, []).append(doer.slot)
        return {
            type: (Either(tuple((Says(slot, doer_name),) for slot in each)), (who, verb))
            for type, each in slots.items()
        }

    def _demand(self, draft: Draft, signal: bool, amounts: Sequence[Reading], days: Sequence[Days]) -> Demand:
        name = draft.form_type.name
        choices = self._choices[name]
        if signal:
            read_days(draft, days)
            read_extremes(draft)  # how many of them are meant is no amount
            read_amounts(draft, amounts)
        choices.read_flags(draft)
        if signal:
            self._lacking[name].read(draft, choices.said)
            choices.read_standing(draft)
        choices.read(draft)
        for word in draft.question.declared:
            numbered = _NUMBERED.match(draft.text, word.end)
            if numbered and any(
                m.type == name and m.slot and draft.form_type.slots[m.slot].type == "text"
                for m in word.meanings
            ):  # Room B, shelf A1
                whole = draft.text[word.start : numbered.end()]
                draft.add((word.start, numbered.end()), Says(None, whole, numbered.group().strip()))
            for meaning in word.meanings:
                said = meaning.slot if meaning.type == name else None
                if meaning.level == HINT and said and draft.form_type.slots[said].type == "text":
                    draft.maybe.append(Says(said, draft.text[word.start : word.end]))
        draft.spans += [m.span() for m in _DONE_BY.finditer(draft.text)]
        draft.spans += [m.span() for m in _FILLING.finditer(draft.text)]
        return Demand(joined(draft.text, draft.conditions), draft.extreme, tuple(draft.maybe))

    def _spoken_of(self, question: Question) -> frozenset[str]:
        """Types whose name begins the name of a slot: "tasks due", 合同金额."""
        text = question.text
        spoken = frozenset(
            m.type
            for w in question.words
            for m in w.meanings
            if m.level > HINT and text.startswith(self._calls[m.type], w.start)
        )
        return spoken or frozenset(t for t in question.sure_types if text.endswith(self._ends.get(t) or " "))

    def _compared(
        self,
        question: Question,
        now: datetime,
        amounts: Sequence[Reading],
        days: Sequence[Days],
        focus: Sequence[str],
    ) -> frozenset[str]:
        """Types of a question that names none and says nothing but where values lie ("between 60万 and 100万",
        "due before July"): those whose slot it names, else the only one with such a slot, else the one that the
        conversation is about."""
        ranges = [r for r in amounts if isinstance(r.value, Range)]
        spans = [(r.start, r.end) for r in ranges] + [d.span for d in days]
        if not spans:
            return frozenset()
        spans += [m.span() for m in _THINGS.finditer(question.text)]
        drafts = [Draft(question, form_type, now) for form_type in self.catalog]
        cued = {d.form_type.name: at for d in drafts if not ranges and (at := cues(d))}
        if len(cued) == 1:
            (name,) = cued
            left = question.leftover([*spans, *cued[name]])
            return frozenset() if any(map(_content, left)) else frozenset((name,))
        if any(map(_content, question.leftover(spans))) or not (ranges or about_days(question.text)):
            return frozenset()
        kinds = NUMERIC if ranges else DATED
        named = self._with(kinds, question.sure_types, question)
        if named:
            return named
        kinds = frozenset(("money",)) if ranges and all(r.kind.startswith("money") for r in ranges) else kinds
        having = self._with(kinds, self.catalog.types)
        return having if len(having) == 1 else frozenset([t for t in focus if t in having][:1])

    def _begins_with_value(self, question: Question) -> bool:
        """Whether the first word that says anything may be a value of an enum, and nothing is asked for."""
        if question.asks or len(question.units) > _VALUES_ALONE:
            return False
        first = next(
            ((a, han) for (a, _, han), free in zip(question.units, question.free, strict=True) if free), None
        )
        if first is None:
            return False
        return question.text[first[0] : first[0] + (1 if first[1] else 3)] in self._begun or bool(
            _OVER_WORDS.match(question.text, first[0])
        )

    def _valued(self, question: Question, now: datetime) -> frozenset[str]:
        """The one type of whose values a question speaks that says nothing else: 疫苗和止痛药, "expired vaccines"."""
        out = set()
        for name, choices in self._choices.items():
            spans = choices.said_in(Draft(question, self.catalog.types[name], now))
            if spans:
                spans += [m.span() for m in _OVER_WORDS.finditer(question.text)]
                if not question.leftover(spans):
                    out.add(name)
        return frozenset(out) if len(out) == 1 else frozenset()

    def _with(
        self, kinds: frozenset[str], types: Iterable[str], named: Question | None = None
    ) -> frozenset[str]:
        """Those of ``types`` that have a slot of these kinds, or of which the question names one."""
        asked = {} if named is None else named.asked()
        return frozenset(
            t
            for t in types
            if t in self.catalog.types
            for s in self.catalog.types[t].slots.values()
            if s.type in kinds and (named is None or s.name in asked.get(t, ()))
        )


def owner(run: str) -> str:
    """Bob, of Bob's."""
    return run.removesuffix("'s").removesuffix("’s")


def _content(run: str) -> bool:
    return len(run) > 1


restricting_of = per_catalog(Restricting)

__all__ = ["Restricting", "restricting_of"]
