"""Which Form type a found value belongs to, when several declare a slot for it.

In order: the type that the message calls by name (报价, "quote"); the type that already has a firm value in
the message; the type of a known Form that the message names; the type that the conversation touched last; the
types that have the word unqualified ("email" itself, not only "work email"); the type that the others hang on (a
quote refers to a lead). Where nothing decides, the value is left out.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence

from forms_dynamics.extraction.found import Found
from forms_dynamics.extraction.grouping import says_which
from forms_dynamics.extraction.lexicon import Hit, Slot, names_alone
from forms_dynamics.extraction.mentioned import Mention
from forms_dynamics.language.normal import normal
from forms_dynamics.language.spans import any_between, distance
from forms_dynamics.model.form import Form
from forms_dynamics.schema.spec import Catalog


class Routing:
    """Decides for one message; ``hits`` are its announcing words, ``known`` the Forms touched last."""

    def __init__(
        self,
        catalog: Catalog,
        hits: Sequence[Hit],
        known: Sequence[Form],
        hangs: Mapping[str, frozenset[str]],
        mentions: Sequence[Mention] = (),
    ) -> None:
        self._catalog = catalog
        self._mentions = mentions
        self._hangs = hangs
        self._known = list(dict.fromkeys(form.type for form in known))
        self._named: dict[str, list[int]] = {}  # by a word of the type or of a slot that only it has
        self._called: set[str] = set()  # by a word of the type itself
        for hit in hits:
            if not hit.word.weak:
                for name in hit.word.types:
                    self._named.setdefault(name, []).append(hit.start)
                    self._called.add(name)
                if hit.word.role == "alias" and len({s.type.name for s in hit.word.slots}) == 1:
                    form_type = hit.word.slots[
                        0
                    ].type  # 合同编号 names a contract, 付款 nothing in particular
                    if any(normal(alias) in hit.word.text for alias in form_type.aliases):
                        self._named.setdefault(form_type.name, []).append(hit.start)
        for places in self._named.values():
            places.sort()

    def knows(self, form_type: str) -> bool:
        """Whether the conversation touched a Form of the type, or the message names it."""
        return form_type in self._known or form_type in self._called

    def route(self, found: Iterable[Found]) -> dict[str, list[tuple[Slot, Found]]]:
        """Values by Form type. Values that need company (``firm`` False) stay only where they have it."""
        routed: dict[str, list[tuple[Slot, Found]]] = {}
        committed: dict[str, bool] = {}
        items = sorted(found, key=lambda f: (len({s.type.name for s in f.slots}), f.start))
        loose = [f for f in items if not f.firm]
        named = [f for f in items if f.firm and _is_name(f)]
        routed_already: set[int] = set()
        # what says most first: then what it makes plausible, the names of it all, and what hangs on the names
        for item in (*(f for f in items if f.firm and not _is_name(f)), *loose, *named, *loose):
            if id(item) in routed_already:
                continue
            for slot in self._targets(item, committed):
                name = slot.type.name
                if item.firm or committed.get(name) or self.knows(name):
                    routed.setdefault(name, []).append((slot, item))
                    routed_already.add(id(item))
                    committed[name] = True
        return routed

    def _targets(self, item: Found, committed: Mapping[str, bool]) -> list[Slot]:
        by_type: dict[str, Slot] = {}
        for slot in item.slots:
            by_type.setdefault(slot.type.name, slot)
        names = list(by_type)
        if len(names) == 1:
            return [by_type[names[0]]]
        naming = _is_name(item)
        chosen = self._choose(item, names, committed, naming)
        if naming:
            chosen += [name for name in self._required(chosen, by_type) if name not in chosen]
        return [by_type[name] for name in chosen]

    def _choose(
        self, item: Found, names: list[str], committed: Mapping[str, bool], naming: bool
    ) -> list[str]:
        plain = [n for n in names if n not in item.aside] or names
        if item.own and (mine := [s.type.name for s in item.slots if s.speakers and s.type.name in plain]):
            return mine[:1]
        called = [n for n in names if n in self._named]
        roots = self._roots(plain)
        if naming:
            held = [n for n in names if committed.get(n)]
            leading = self._first_key(item, plain)
            framed = [n for n in called if any_between(self._named[n], item.low - 3, item.high + 6)]
            return (
                [n for n in names if n in held or n in framed]
                or self._one(leading)
                or self._one(called)
                or self._one(roots)
            )
        if len(called) == 1:
            return called
        if called:
            return [min(called, key=lambda n: distance(self._named[n], item.low))]
        held = [n for n in names if committed.get(n)]
        if held:
            return self._one(held) or self._one([n for n in held if n in roots]) or held[:1]
        spoken_of = self._spoken_of(item, names)
        for name in (*self._known, *spoken_of):
            if name in (spoken_of or names):
                return [name]
        return self._one(roots) or self._one([n for n in roots if self._is_lead(n, roots)])

    def _spoken_of(self, item: Found, names: Sequence[str]) -> list[str]:
        """Those of ``names`` whose Form is called by the name that stands nearest."""
        outside = [
            m
            for m in self._mentions
            if m.slot.type.name in names and (m.end <= item.start or item.end <= m.start)
        ]
        if not outside:
            return []
        near = min(outside, key=lambda m: abs(m.start - item.low))
        return [m.slot.type.name for m in outside if m.start == near.start]

    def _roots(self, names: Sequence[str]) -> list[str]:
        """Those of ``names`` that no rule draws to another of them."""
        return [n for n in names if not self._hangs.get(n, frozenset()) & set(names)] or list(names)

    def _is_lead(self, name: str, names: Sequence[str]) -> bool:
        """Whether other types hang on this one, and on none of its rivals."""
        held_by = {n: sum(n in targets for targets in self._hangs.values()) for n in names}
        return held_by[name] > 0 and all(held_by[n] < held_by[name] for n in names if n != name)

    def _first_key(self, item: Found, names: Sequence[str]) -> list[str]:
        """The types that this value alone identifies, by their first key."""
        out = []
        for slot in item.slots:
            keys = slot.type.identity.keys
            if (
                slot.type.name in names
                and keys
                and tuple(keys[0]) == (slot.spec.name,)
                and slot.type.name not in out
            ):
                out.append(slot.type.name)
        return out

    @staticmethod
    def _one(names: Sequence[str]) -> list[str]:
        return list(names) if len(names) == 1 else []

    def _required(self, chosen: Sequence[str], by_type: Mapping[str, Slot]) -> Iterable[str]:
        """The types that a required relation joins to the chosen ones by this slot: a quote's customer."""
        for rule in self._catalog.rules:
            if rule.required and rule.source in chosen and rule.target in by_type:
                source, target = by_type[rule.source], by_type[rule.target]
                if any(
                    j.source_slot == source.spec.name and j.target_slot == target.spec.name for j in rule.when
                ):
                    yield rule.target


def _is_name(item: Found) -> bool:
    return any(s.kind in ("company", "person") for s in item.slots)


def dependents(catalog: Catalog) -> dict[str, frozenset[str]]:
    """Form type → the types that its rules point to."""
    out: dict[str, set[str]] = {}
    for rule in catalog.rules:
        if rule.source != "*" and rule.target != "*" and rule.source != rule.target:
            out.setdefault(rule.source, set()).add(rule.target)
    return {name: frozenset(targets) for name, targets in out.items()}


def dependency_order(catalog: Catalog, hangs: dict[str, frozenset[str]]) -> dict[str, int]:
    """Types that others refer to come first, so that what refers to them finds them."""
    order: dict[str, int] = {}

    def visit(name: str, path: frozenset[str]) -> None:
        if name in order or name in path:
            return
        for target in sorted(hangs.get(name, ())):
            visit(target, path | {name})
        order[name] = len(order)

    for name in catalog.types:
        visit(name, frozenset())
    return order


def kept_together(
    text: str, routing: Routing, routed: dict[str, list[tuple[Slot, Found]]]
) -> dict[str, list[tuple[Slot, Found]]]:
    """会议主题：季度复盘，城市：杭州: a label beside the one that names the record is the record's. What its type has
    no slot for does not go to another type that the message does not speak of."""

    def labelled(item: Found) -> bool:
        return re.search(r"[:：=＝]", text[item.low : item.start + 1]) is not None

    def titles(items: list[tuple[Slot, Found]]) -> list[int]:
        return [f.low for s, f in items if says_which(s) and names_alone(s.type, s.spec) and labelled(f)]

    leading = {name for name, items in routed.items() if titles(items)}
    first = min((at for name in leading for at in titles(routed[name])), default=None)
    if first is None:
        return routed
    return {
        name: items
        for name, items in routed.items()
        if name in leading
        or routing.knows(name)
        or any(says_which(s) and not labelled(f) for s, f in items)
        or not all(labelled(f) and f.low > first for _, f in items)
    }
