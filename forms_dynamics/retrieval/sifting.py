"""Forms of a type that a question without their names means: all of them, those of one name, or the only one."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace

from forms_dynamics.assertions import winner
from forms_dynamics.language.normal import has_han, normal
from forms_dynamics.language.terms import index_terms
from forms_dynamics.language.voices import FIRST
from forms_dynamics.model.record import FormRecord, Scope
from forms_dynamics.model.value import decode
from forms_dynamics.ports import Store
from forms_dynamics.projection import state_of
from forms_dynamics.retrieval.demands.denial import denied, left_out
from forms_dynamics.retrieval.lexicon import HINT, lexicon_of
from forms_dynamics.retrieval.names import EXACT, PARTIAL, Anchor, from_key
from forms_dynamics.retrieval.question import Question
from forms_dynamics.retrieval.request import Log
from forms_dynamics.retrieval.restriction import Demand, Either, Restriction, Says
from forms_dynamics.schema.relatives import of_speaker_alone
from forms_dynamics.schema.spec import Catalog

ONLY, ALL = "only", "all"

SIFTED = 2000  # Forms of one type that a question for those that meet something looks at
_LISTED = 500  # and a question for all of them
_SMALL = 50  # a scope with fewer Forms is looked through for the only one of a type
_LAST_VERB = re.compile(r"\b(?:do|does|did) .{1,60} ([a-z]+)(?=[ ?.!]*$)")
_BEHIND = re.compile(r"\b(?:who|that|which) $")
_ACTS_ON = re.compile("的|[了过]?(?:哪|什么|几|多少)")  # behind what a name does: 林舒承办的, 白医生看哪些
_WHERE = "里中内上下间"  # behind a place: 冷柜里的
_TO = re.compile(r"(?:[发寄送运开去]往|[发寄送运]到|去|往|\bto|\bfor) ?$")
_FROM = re.compile(r"(?:从|来自|产自|出自|\bfrom) ?$")
_OWNER = re.compile("(?<![\u4e00-\u9fff])([\u4e00-\u9fff]{2,6})(?=的|['’]s\\b)")
_OUTSIDE = re.compile("(?:以外|之外|除外)$")  # what stands before it is not meant
_READ = 100  # Forms that are looked at for one of whose texts stands in a question
_TOLD = 20  # Forms that could be meant, told one by one


@dataclass(frozen=True, slots=True)
class Sifting:
    """Finds them for one question. ``barred``: types of people whom it does not ask about."""

    question: Question
    scope: Scope
    store: Store
    barred: frozenset[str]
    catalog: Catalog
    log: Log

    def by_type(self, restriction: Restriction) -> tuple[list[Anchor], Restriction]:
        """The only Form that a question without a name can mean; all of the type when it asks for all, or for those
        that meet something."""
        question = self.question
        if restriction.unread:
            return [], restriction
        named = (question.types or frozenset(restriction.demands)) - self.barred
        asked = self._named_first({t for t in question.asked() if t not in self.barred})
        types = {t for t in named if t in asked} or named or asked
        left = [run for run in question.leftover(restriction.spans) if not _spoken(run)]
        sifts = bool(restriction) or (question.listing and bool(named))
        if not types or (not sifts and sum(len(run) if has_han(run) else 3 for run in left) > 2):
            return [], restriction
        if sifts or question.listing:
            if restriction.demands:
                named = frozenset(restriction.demands) - self.barred
            maybe = self._unsaid(left)
            left = [run for run in left if run not in maybe]
            restriction = self._perhaps(restriction, maybe, named or types)
            tested = any(d.tests for d in restriction.demands.values())
            left += [run for run in self._owners(restriction.spans) if not any(run in each for each in left)]
            left = [_OUTSIDE.sub("", run) for run in left]
            sure = [run for run in left if not (tested and has_han(run) and len(run) <= 2)]
            so: list[str] = []
            if sure:
                not_so = [run for run in sure if _not_meant(question.text, run)]
                so = [run for run in sure if run not in not_so]
                restriction = self._saying_so(restriction, so, not_so, named or types)
            restriction = restriction.perhaps([run for run in left if run not in sure])
            most = SIFTED if restriction else _LISTED
            listed = [r for t in sorted(named or types) for r in self._all(t, most, so)]
            return [_one_of(r) for r in listed], restriction
        found = self._few(types)
        if len(found) == 1:
            only = Anchor(found[0].id, found[0].type, ONLY, f"the only {found[0].type} here", weight=0.7)
            return [only], restriction
        for record in found[:_TOLD]:
            self.log.add("near_miss", record.id, "one of several Forms that could be meant")
        return [], restriction

    def _unsaid(self, left: Sequence[str]) -> dict[str, tuple[int, int] | None]:
        """English words in small letters that may be no demand: what is done, with its place ("captains who speak
        German", "charters going to Cairn"), and what stands before the type ("marketing tasks"), without."""
        question, out = self.question, dict[str, tuple[int, int] | None]()
        calls = [(w.start, w.end) for w in question.declared if any(m.slot is None for m in w.meanings)]
        for run in left:
            at = question.text.find(run)
            if has_han(run) or at < 0 or run not in question.raw or any(c.isdigit() for c in run):
                continue
            end = at + len(run)
            last = _LAST_VERB.search(question.text)
            if last is not None and last.span(1) == (at, end):
                out[run] = (at, end)
                continue
            behind = _BEHIND.search(question.text, 0, at) is not None or any(b == at - 1 for _, b in calls)
            if behind and question.text[end : end + 1] == " " and question.text[end + 1 : end + 4] != "by ":
                out[run] = (at, end)
            elif any(a == end + 1 for a, _ in calls) and not run.endswith(("'s", "’s")):
                out[run] = None
        return out

    def _perhaps(
        self, restriction: Restriction, runs: Mapping[str, tuple[int, int] | None], types: Iterable[str]
    ) -> Restriction:
        if not runs:
            return restriction
        if not restriction.demands:
            restriction = replace(restriction, demands={t: Demand() for t in types})
        spans = [span for span in runs.values() if span is not None]
        return replace(restriction.perhaps(list(runs)), spans=(*restriction.spans, *spans))

    def by_value(self, most: int) -> list[Anchor]:
        """Forms of a type that the question names, or asks of, one of whose texts stands in it: the sponsorship of
        "how much does Pacific Mutual give". By full text; none where there are more than ``most``."""
        question = self.question
        types = question.types or question.sure_types
        # what is asked of an owner is asked of it: 林舒的电话 is not that of those whom 林舒 advises
        owned = question.possessor() is not None
        runs = [] if owned else [run for run in question.leftover() if len(run) > 1]
        found: dict[str, Anchor] = {}
        for type in sorted(types - self.barred) if runs else ():
            form_type = self.catalog.types[type]
            for record in self._saying(type, runs, _READ):
                for spec in form_type.slots.values():
                    held = winner(spec, state_of(record, form_type)["s"].get(spec.name, ()), record.updated)
                    if held is None or spec.type not in ("text", "ref"):
                        continue
                    values = held["v"] if isinstance(held["v"], list) else [held["v"]]
                    for value in (normal(v) for v in map(decode, values) if isinstance(v, str)):
                        if (span := self._stands(value, runs)) is not None:
                            why = f"its {spec.name} is {value}"
                            found.setdefault(
                                record.id, Anchor(record.id, type, PARTIAL, why, span, weight=0.75)
                            )
        return list(found.values()) if len(found) <= most else []

    def _stands(self, value: str, runs: Sequence[str]) -> tuple[int, int] | None:
        """Where a text stands in the question, and holds all that nothing declared explains: what Acne Robotics has
        is not told of another whose trade is robotics."""
        text = self.question.text
        at = text.find(value) if len(value) > 1 else -1
        if at < 0 or not all(owner(run) in value for run in runs):
            return None
        end = at + len(value)
        if not has_han(value) and (text[at - 1 : at].isalnum() or text[end : end + 1].isalnum()):
            return None
        return at, end

    def _saying_so(
        self, restriction: Restriction, so: Sequence[str], not_so: Sequence[str], types: Iterable[str]
    ) -> Restriction:
        """The restriction with words that must stand in a Form, and words that must not. Before 的 the last one or
        two characters may be a verb or tell a place: 林舒承办的, 冷柜里的."""
        text, types = self.question.text, frozenset(types)
        spans = [(at, at + len(run)) for run in (*so, *not_so) if (at := text.find(run)) >= 0]
        acts = [
            run
            for run in so
            if has_han(run)
            and (_ACTS_ON.match(text, text.find(run) + len(run)) or (len(run) > 2 and run[-1] in _WHERE))
        ]
        whole = [run for run in so if run not in acts or (len(run) == 2 and len(so) == 1)]
        for run in whole:
            restriction = self._saying_where(restriction, owner(run), types)
        restriction = restriction.saying((), types, [owner(run) for run in not_so])
        for run in acts:
            if run in whole:
                continue
            if len(run) == 2:
                restriction = restriction.perhaps([run])
                continue
            shorter = [run[:-1]] if run[-1] in _WHERE else [run[:-2], run[:-1]]
            restriction = restriction.rather([run, *(each for each in shorter if len(each) > 1)], types)
        return replace(restriction, spans=(*restriction.spans, *spans))

    def _saying_where(self, restriction: Restriction, run: str, types: frozenset[str]) -> Restriction:
        """The restriction with words that a Form must hold: behind "to" or "from" in a slot that says so, if any
        of the types has one."""
        before = self.question.text[: max(0, self.question.text.find(run))]
        lexicon = lexicon_of(self.catalog)
        places = (
            lexicon.to_places if _TO.search(before) else lexicon.from_places if _FROM.search(before) else {}
        )
        slots = dict.fromkeys(slot for t in types for slot in places.get(t, ()))
        if not slots:
            return restriction.saying((run,), types)
        return restriction.meeting(Either(tuple((Says(slot, run),) for slot in slots)), types)

    def _owners(self, spans: Sequence[tuple[int, int]]) -> list[str]:
        """Chinese names before 的 of which only one character tells that they are names: 何欣的."""
        question, out = self.question, []
        words = [(w.start, w.end) for w in question.declared]
        for found in _OWNER.finditer(question.text):
            start, end = found.span(1)
            inside = [
                (a, free, block)
                for (a, b, _), free, block in zip(question.units, question.free, question.breaks, strict=True)
                if start <= a and b <= end
            ]
            begin = next((a for a, _, block in inside if not block), end)
            known = any(a < end and begin < b for a, b in (*spans, *words))
            if sum(free for _, free, _ in inside) == 1 and 2 <= end - begin <= 4 and not known:
                out.append(question.text[begin:end])
        return out

    def of_one_name(
        self, found: Sequence[Anchor], restriction: Restriction
    ) -> tuple[list[Anchor], Restriction]:
        """Where all of a type are asked for that belong to what is named ("all orders of Acme"): what was found, with
        every such Form. They are found by their keys; where only another thing has that name (the customer), by its
        names in their keys, else by the words of their values."""
        wanted = self.question.types - self.barred
        names = {(a.type, a.name) for a in found if a.type in wanted and a.name}
        if names:
            return [*found, *self._keyed(names, found)], restriction
        spans = {a.span for a in found if a.span is not None}
        if any(a.type in wanted for a in found) or len(spans) != 1:
            return list(found), restriction
        called = sorted(self._called(found))
        more = self._keyed({(t, name) for t in wanted for name in called}, found)
        if more:
            return [*found, *more], restriction
        records = [r for t in sorted(wanted) for r in self._saying(t, called)]
        if not records:
            return list(found), restriction
        said = Either(tuple((Says(None, name),) for name in called))
        restriction = restriction.meeting(said, wanted)
        return [*found, *map(_one_of, records)], restriction

    def _all(self, type: str, most: int, said: Sequence[str]) -> list[FormRecord]:
        """Active Forms of the type, ``most`` at most; where there are more, those whose words hold what is said."""
        records = self.store.find(self.scope, type, "active", most + 1, None)
        if len(records) <= most:
            return records
        narrowed = self._saying(type, said, most) if said else []
        what = f"the {len(narrowed):,} found by their words" if said else f"the first {most:,}"
        self.log.note("near_miss", "Forms", f"more than {most:,} {type} Forms: {what} were looked at")
        return narrowed if said else records[:most]

    def _saying(self, type: str, names: Sequence[str], most: int = SIFTED) -> list[FormRecord]:
        """Active Forms of the type whose words may hold one of ``names``; by full text, whatever the store holds."""
        terms = list(dict.fromkeys(t for name in names for t in index_terms(name)))
        if not terms:
            return []
        hits = self.store.search_text(self.scope, terms, most, forms=True)
        records = self.store.forms(self.scope, [hit.id for hit in hits])
        return [r for r in records.values() if r.type == type and r.status == "active"]

    def _keyed(self, names: Iterable[tuple[str, str]], found: Sequence[Anchor]) -> list[Anchor]:
        """Anchors more that have one of these names of their type; those that were found lend them their place."""
        have = {a.form for a in found}
        like = {a.name: a for a in found}
        out: dict[str, Anchor] = {}
        for type, name in sorted(names):
            keys = self.store.names(self.scope, [name], type, SIFTED + 1)
            if len(keys) > SIFTED:
                self.log.note(
                    "near_miss",
                    "Forms",
                    f"more than {SIFTED:,} {type} Forms: the newest of this name were looked at",
                )
            for key in keys[:SIFTED]:
                if key.form not in have:
                    model = like.get(name) or found[0]
                    anchor = from_key(key, model.span, model.how, f"named: {name}")
                    out.setdefault(key.form, replace(anchor, weight=model.weight))
        return list(out.values())

    def _called(self, found: Sequence[Anchor]) -> set[str]:
        """Names of the things found: as the question gives them, and as their Forms do."""
        out = {a.name for a in found if a.name and a.how == EXACT}
        for record in self.store.forms(self.scope, [a.form for a in found]).values():
            form_type = self.catalog.types.get(record.type)
            if form_type is None:
                continue
            slots = state_of(record, form_type)["s"]
            for name in form_type.identity.slots:
                held = winner(form_type.slots[name], slots.get(name, ()), record.updated)
                value = None if held is None else decode(held["v"])
                if isinstance(value, str):
                    out.add(normal(value))
        return out

    def _named_first(self, types: set[str]) -> set[str]:
        """Of types that are asked for, those by a word for a slot; else those by a way of asking (什么时候), the
        speaker's own first where the question is about the speaker ("Where do I live?")."""
        words = self.question.words
        sure = {m.type for w in words for m in w.meanings if m.slot is not None and m.level > HINT}
        if types & sure:
            return types & sure
        first = FIRST.search(self.question.text)
        own = {t for t in types if of_speaker_alone(self.catalog.types[t])} if first else set()
        return own or types

    def _few(self, types: Iterable[str]) -> list[FormRecord]:
        every = self.store.find(self.scope, None, "active", _SMALL, None)
        if len(every) < _SMALL:
            return [r for r in every if r.type in set(types)]
        wanted = sorted(types)
        if len(wanted) > 6:
            return []
        return [r for t in wanted for r in self.store.find(self.scope, t, "active", 2, None)]


def _not_meant(text: str, run: str) -> bool:
    """Whether the words before it, or behind it, say that it is not meant: "not baked by Ann", 除了林太太的."""
    at = text.find(run)
    return denied(text, at) is not None or (at >= 0 and left_out(text, at, at + len(run)) is not None)


def owner(run: str) -> str:
    """Bob, of Bob's."""
    return run.removesuffix("'s").removesuffix("’s")


def _one_of(record: FormRecord) -> Anchor:
    return Anchor(record.id, record.type, ALL, f"one of all {record.type}", weight=0.7)


def _spoken(run: str) -> bool:
    """A rest too short to be the name of anything."""
    return len(run) < 2


__all__ = ["ALL", "ONLY", "SIFTED", "Sifting", "owner"]
