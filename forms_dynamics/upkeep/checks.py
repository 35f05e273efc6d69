"""Contradictions by rule: what a scope's rows make suspect, and what is found when it is looked at closely.

A suspect is a few words that say what to look at; the database finds them (``Store.crowded`` and its kin). Judging
one reads its Forms and edges. The same rows give the same findings, in whatever process: a finding's id is derived
from what it is about, so that it is put up once, and not again while a person's answer stands.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from itertools import groupby
from typing import Any, NamedTuple

from forms_dynamics.dynamics.relate import founded
from forms_dynamics.language.normal import language_of
from forms_dynamics.model.record import JOINT, Condition, EdgeRecord, MessageRecord, Scope
from forms_dynamics.model.value import DAY
from forms_dynamics.ports import Store
from forms_dynamics.projection import is_cold
from forms_dynamics.reader import Reader
from forms_dynamics.schema.spec import Catalog, FormType, RelationRule
from forms_dynamics.settings import Settings
from forms_dynamics.strength import DEFAULT, MARKED, begun, expired, rule_between, rule_of
from forms_dynamics.upkeep import wording
from forms_dynamics.upkeep.cycles import cycles, steps
from forms_dynamics.versioning.chain import new_id
from forms_dynamics.versioning.decide import Decider
from forms_dynamics.versioning.keys import base, own_values
from forms_dynamics.versioning.labels import labels
from forms_dynamics.versioning.near import NEAR_MATCH
from forms_dynamics.versioning.workspace import Working, Workspace

Suspect = tuple[str, ...]

_GRACE = DAY  # a required relation may come with a later message
_FEW = 5  # Forms that are offered where a relation is missing
_TOGETHER = 100  # edges that one question about a changed rule is of
# who has first claim where edges contradict each other: a person's own act, words, structured input, a rule
_CLAIM = {"act": 0, "draft": 1, "record": 2, "tool": 2}


class Found(NamedTuple):
    """A finding and how it is put up. ``links``: pairs of Forms that may be one, put up as candidate edges."""

    id: str
    kind: str
    suspect: Suspect
    form: str | None
    type: str
    forms: Sequence[str]
    edges: Sequence[str]
    question: str
    candidates: Sequence[str]
    links: Sequence[tuple[str, str]] = ()
    draft: Mapping[str, Any] | None = None


def suspects(store: Store, scope: Scope, catalog: Catalog, now: int) -> Iterator[Suspect]:
    """What to look at in one scope; a handful of queries."""
    for outward in (True, False):
        names = sorted({r.name for r in catalog.rules if (r.to_one if outward else r.from_one)})
        for form, relation in store.crowded(scope, names, outward) if names else ():
            yield ("several", form, relation, "out" if outward else "in")
    keys = {"+".join(key) for t in catalog if not t.identity.each for key in t.identity.keys}
    for name, type in store.namesakes(scope, sorted(keys)):
        yield ("same", type, name)
    for relation in sorted({r.name for r in catalog.rules if r.acyclic}):
        for cycle in cycles(store.ties(scope, relation)):
            yield ("cycle", relation, *cycle)
    for rule in catalog.rules:
        if rule.required and rule.source != "*":
            for form in store.unrelated(scope, rule.source, rule.name, now - _GRACE):
                yield ("missing", form, rule.name)
    relations = sorted(catalog.relations)
    makers = ["act", *(MARKED + by for by in ("act", "draft", *(f"rule:{name}" for name in relations)))]
    for edge in store.dangling(scope, makers):
        yield ("tied", edge.id)
    conditions = [
        Condition(r.name, r.source, r.target, tuple((j.source_slot, j.target_slot) for j in r.when))
        for r in catalog.rules
        if r.when
    ]
    for relation, edges in groupby(
        sorted(store.unfounded(scope, conditions), key=lambda e: e[1]), lambda e: e[1]
    ):
        ids = [".".join(edge) for edge in edges]
        for start in range(0, len(ids), _TOGETHER):
            yield ("unfounded", relation, *ids[start : start + _TOGETHER])


class Judge:
    """Looks at suspects, over one workspace; reads only."""

    def __init__(self, store: Store, scope: Scope, catalog: Catalog, settings: Settings, now: int) -> None:
        self.ws = Workspace(store, scope, catalog, now)
        self._store, self._scope, self._catalog, self._now = store, scope, catalog, now
        self._reader = Reader(store, catalog, settings)
        self._decider = Decider(self.ws, settings, MessageRecord.of_act("", now, now))
        self._kinds: dict[str, Callable[[Suspect], Iterator[Found]]] = {
            "several": self._several, "same": self._same, "cycle": self._cycle, "missing": self._missing,
            "tied": self._tied, "unfounded": self._unfounded,
        }  # fmt: skip

    def __call__(self, suspect: Sequence[str]) -> list[Found]:
        """The findings that a suspect gives today; none where it proves sound, or is of a kind not known here."""
        judge = self._kinds.get(suspect[0])
        return [] if judge is None else list(judge(tuple(suspect)))

    # -- words -------------------------------------------------------------------------------------------------
    def _label(self, id: str) -> str:
        return self._decider.label(id)

    def _labels(self, ids: Sequence[str]) -> list[str]:
        """What Forms are called, told apart where they have one name."""
        return labels(self.ws, ids, self._decider.lang)

    def _lang(self, *forms: str) -> str:
        """The language of the Forms' own words; their labels are in it from now on."""
        self._decider.lang = "en"
        self._decider.lang = language_of([self._label(id) for id in forms])
        return self._decider.lang

    def _found(
        self,
        kind: str,
        suspect: Suspect,
        stamp: int,
        key: Sequence[str],
        form: str | None,
        type: str,
        **more: Any,
    ) -> Found:
        scope = self._scope
        id = new_id("p", stamp, scope.tenant, scope.owner, "finding", kind, *key)
        given = {"forms": (), "edges": (), "candidates": (), "question": "", **more}
        return Found(id, kind, suspect, form, type, **given)

    # -- edges -------------------------------------------------------------------------------------------------
    def _active(self, id: str) -> Working | None:
        form = self.ws.form(id)
        return form if form is not None and form.active else None

    def _rule(self, edge: EdgeRecord) -> RelationRule | None:
        """The first rule that speaks of an edge between these two types."""
        source, target = self._active(edge.source), self._active(edge.target)
        if source is None or target is None:
            return None
        return rule_between(self._catalog, edge.relation, (source.type, target.type))

    def _holds(self, edge: EdgeRecord, rule: RelationRule | None) -> bool:
        """Whether the edge tells something today: active, valid, within its time to live."""
        life = DEFAULT if rule is None else rule.strength
        return edge.status == "active" and begun(edge, self._now) and not expired(edge, life, self._now)

    def _several(self, suspect: Suspect) -> Iterator[Found]:
        """One Form, and two edges where a rule says one."""
        _, id, relation, end = suspect
        if self._active(id) is None:
            return
        here, there = (0, 2) if end == "out" else (2, 0)
        of: dict[int, tuple[RelationRule, list[EdgeRecord]]] = {}
        for edge in self.ws.edges([id]):
            rule = self._rule(edge) if edge.relation == relation and edge[here] == id else None
            one = rule is not None and (rule.to_one if end == "out" else rule.from_one)
            if rule is not None and one and self._holds(edge, rule):
                of.setdefault(self._catalog.rules.index(rule), (rule, []))[1].append(edge)
        for rule, edges in of.values():
            if len(edges) < 2:
                continue
            edges.sort(key=lambda e: (_claim(e), -e.created, e[there]))
            others = [str(e[there]) for e in edges]
            lang = self._lang(id, *others)
            names = self._labels(others)
            other_type = self._type(others[0])
            question = wording.several(
                self._label(id), rule, names, lang, None if end == "out" else _kind(other_type, lang)
            )
            yield self._found(
                "several", suspect, max(e.created for e in edges), sorted(e.id for e in edges), id,
                self._type_name(id), forms=(id, *others), edges=[e.id for e in edges],
                candidates=[e.id for e in edges], question=question,
            )  # fmt: skip

    def _cycle(self, suspect: Suspect) -> Iterator[Found]:
        _, relation, *nodes = suspect
        ids = [f"{source}.{relation}.{target}" for source, target in steps(nodes)]
        edges = {e.id: e for e in self.ws.standing_edges(ids)}
        rules = {id: self._rule(edge) for id, edge in edges.items()}
        if any(id not in edges or rules[id] is None or not self._holds(edges[id], rules[id]) for id in ids):
            return
        lang = self._lang(*nodes)
        rule = rules[ids[0]]
        assert rule is not None
        yield self._found(
            "cycle", suspect, max(e.created for e in edges.values()), ids, None, self._type_name(nodes[0]),
            forms=nodes, edges=ids, candidates=ids,
            question=wording.cycle(rule, self._labels(nodes), lang),
        )  # fmt: skip

    def _tied(self, suspect: Suspect) -> Iterator[Found]:
        """A person tied it, and one of the two is no longer valid."""
        for edge in self.ws.standing_edges([suspect[1]]):
            ends = {id: self.ws.form(id) for id in (edge.source, edge.target)}
            off = [id for id, form in ends.items() if form is not None and not form.active]
            if not off or None in ends.values():
                continue
            lang = self._lang(edge.source, edge.target)
            question = wording.tied(
                self._label(off[0]), self._label(edge.source), self._label(edge.target),
                rule_of(self._catalog, edge), lang,
            )  # fmt: skip
            key = [edge.id, *(f"{id}@{ends[id].n}" for id in off)]  # type: ignore[union-attr]
            yield self._found(
                "tied", suspect, edge.created, key, off[0], self._type_name(off[0]), forms=tuple(ends),
                edges=[edge.id], candidates=[edge.id], question=question,
            )  # fmt: skip

    def _unfounded(self, suspect: Suspect) -> Iterator[Found]:
        """Edges of a rule whose condition no longer holds: the rule was changed since."""
        _, relation, *ids = suspect
        edges = [
            e
            for e in self.ws.standing_edges(ids)
            if e.made_by == f"rule:{relation}" and not founded(self.ws, e)
        ]
        if not edges:
            return
        edges.sort()
        first = edges[0]
        lang = self._lang(first.source, first.target)
        rule = self._rule(first)
        ends = self._labels((first.source, first.target))
        told = [e.id for e in edges]
        yield self._found(
            "unfounded", suspect, max(e.created for e in edges), told, None, self._type_name(first.source),
            forms=sorted({end for e in edges for end in (e.source, e.target)}), edges=told, candidates=told,
            question=wording.unfounded(rule, relation, ends, len(edges), lang),
        )  # fmt: skip

    # -- Forms -------------------------------------------------------------------------------------------------
    def _type(self, id: str) -> FormType | None:
        return self._catalog.types.get(self._type_name(id))

    def _type_name(self, id: str) -> str:
        form = self.ws.form(id)
        return "*" if form is None else form.type

    def _same(self, suspect: Suspect) -> Iterator[Found]:
        """Two active Forms of one identity: of one speaker, a person says into which one; else they may be one."""
        _, type, name = suspect
        form_type = self._catalog.types.get(type)
        if form_type is None or form_type.identity.each:
            return
        of: dict[tuple[str, ...], list[Working]] = {}
        asked = self._store.names(self._scope, [name], type)
        self.ws.load(dict.fromkeys(key.form for key in asked))
        slots = {base(key.slots) for key in asked}
        for id in sorted({key.form for key in asked}):
            form = self.ws.own(id)
            if form is not None and form.active:
                values = own_values(form_type, form.state, form.at(self._now))
                first = next((k for k in form_type.identity.keys if all(part in values for part in k)), None)
                if (
                    first is not None
                    and "+".join(first) in slots
                    and JOINT.join(values[p] for p in first) == name
                ):
                    of.setdefault(first, []).append(form)
        for key, forms in of.items():
            if len(forms) < 2:
                continue
            forms.sort(key=lambda f: (f.created, f.id))
            ids = [form.id for form in forms]
            stamp = forms[-1].created
            if all(part.startswith("$") for part in key):
                speaker = name if key == ("$speaker",) else ""
                lang = self._lang(*ids) if language_of([speaker]) == "en" else "zh"
                self._decider.lang = lang
                question = wording.double(speaker, form_type, self._labels(ids), lang)
                yield self._found(
                    "double", suspect, stamp, ids, ids[0], type, forms=ids, candidates=ids, question=question
                )
                continue
            links = [pair for other in forms[1:] if (pair := self._link(forms[0], other)) is not None]
            lang = self._lang(*ids)
            for pair in links:
                question = wording.same(self._labels(pair), form_type, lang)
                yield self._found(
                    "same_identity", suspect, stamp, pair, None, type, forms=pair, question=question,
                    edges=(f"{pair[1]}.{NEAR_MATCH}.{pair[0]}",), links=(pair,),
                )  # fmt: skip

    def _link(self, one: Working, other: Working) -> tuple[str, str] | None:
        """The pair, unless it was put up before (whatever came of it), or other systems tell the two apart."""
        if one.state["ext"] and other.state["ext"]:
            return None
        ends = {one.id, other.id}
        known = (e for e in self.ws.edges([one.id]) if e.relation == NEAR_MATCH)
        return None if any({e.source, e.target} == ends for e in known) else (one.id, other.id)

    def _missing(self, suspect: Suspect) -> Iterator[Found]:
        """A relation that a Form of the type must have, a day after it came: it is in use, and nobody asks yet."""
        _, id, relation = suspect
        form, form_type = self.ws.own(id), self._type(id)
        if form is None or form_type is None or not form.active or form.created >= self._now - _GRACE:
            return
        rule = next(
            (r for r in self._catalog.rules if r.required and r.name == relation and r.source == form.type),
            None,
        )
        if rule is None or self._idle(form_type, form):
            return
        edges = [e for e in self.ws.edges([id]) if e.source == id and e.relation == relation]
        if any(e.status == "active" and self._active(e.target) is not None for e in edges):
            return
        waiting = self.ws.open_pendings(form)
        if any(p.reason == "relation_missing" and '"finding"' not in p.draft for p in waiting):
            return
        target = self._catalog.types.get(rule.target)
        few = self._store.find(self._scope, rule.target, "active", _FEW + 1, None) if target else []
        offered = [record.id for record in few if record.id != id] if len(few) <= _FEW else []
        lang = self._lang(id, *offered)
        question = wording.missing(self._label(id), form_type, target, rule, self._labels(offered), lang)
        yield self._found(
            "missing", suspect, form.created, [id, relation], id, form.type, forms=(id,), question=question,
            candidates=offered, draft={"relation": relation, "to": {"form_type": rule.target}},
        )  # fmt: skip

    def _idle(self, form_type: FormType, form: Working) -> bool:
        """Whether the Form is expired or cold."""
        record = self._store.forms(self._scope, [form.id]).get(form.id)
        if record is None:
            return True
        at = max(self._now, form.updated)
        return is_cold(form_type.life, record, self._now) or self._reader.expired(
            form_type, form.state, record, at
        )


def _claim(edge: EdgeRecord) -> int:
    return _CLAIM.get(edge.made_by, 0 if edge.made_by.startswith(MARKED) else 3)


def _kind(form_type: FormType | None, lang: str) -> str:
    if form_type is None:
        return "记录" if lang == "zh" else "record"
    return form_type.label(lang)


__all__ = ["Found", "Judge", "Suspect", "suspects"]
