"""A trace as a tree for people: under each anchor the edges that were walked from it and those that were not.

Built of the steps alone: an edge's id names its two ends, and it hangs under the one that was reached first. Surfaces
draw it in their own way; :func:`drawn` gives plain text.
"""

from __future__ import annotations

import unicodedata
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import NamedTuple

from forms_dynamics.model.context import Step, StepKind, Trace
from forms_dynamics.model.trace_words import MANY, reason, title

_ALIKE = 5  # edges of one parent, left out by one rule, that are told one by one
_LISTED = 12  # entries of a list that are
_LONGEST = 48  # columns of a name
_BAR = 16  # columns of the longest stage
_EIGHTHS = " ▏▎▍▌▋▊▉█"


class Part(NamedTuple):
    """A piece of a line. ``style``: head, name, id, edge, weight, reason, out, aside or bar."""

    text: str
    style: str


@dataclass(slots=True)
class Branch:
    """A line and what hangs under it."""

    parts: list[Part] = field(default_factory=list)
    branches: list[Branch] = field(default_factory=list)

    def add(self, *parts: Part) -> Branch:
        """Hangs a line under this one."""
        made = Branch([part for part in parts if part.text])
        self.branches.append(made)
        return made


def tree_of(trace: Trace, *, ids: bool = False, lang: str | None = None) -> Branch:
    """The trace in ``lang``; names instead of ids, or with ``ids`` beside them."""
    return _Tree(trace, ids, lang or trace.lang).grown()


def edge_ends(subject: str) -> tuple[str, str, str] | None:
    """(source, relation, target) of an edge's id; None for another subject."""
    source, _, rest = subject.partition(".")
    relation, _, target = rest.partition(".")
    return (source, relation, target) if source and relation and target else None


class _Tree:
    def __init__(self, trace: Trace, ids: bool, lang: str) -> None:
        self.trace, self.ids, self.lang = trace, ids, lang
        self.root = Branch([Part(title("trace", lang), "head"), Part(f"  {_millis(_total(trace))}", "aside")])
        self.places: dict[str, tuple[Branch, int, float]] = {}  # Form → its line, hop and weight
        self.lists: dict[StepKind, list[Step]] = {"near_miss": [], "prune": [], "cut": []}
        self.alike: dict[tuple[int, str], tuple[Branch, list[Step]]] = {}
        self.unread: list[tuple[Branch, Step]] = []

    def grown(self) -> Branch:
        """The whole tree."""
        steps = self.trace.steps
        self._starts("anchor", [s for s in steps if s.kind == "anchor"])
        self._starts("trigger", [s for s in steps if s.kind == "trigger"])
        self._starts("fallback", [s for s in steps if s.kind == "fallback"])
        for step in sorted((s for s in steps if s.kind == "walk"), key=lambda s: s.hop):
            self._walked(step)
        for step in steps:
            if step.kind in self.lists:
                self._left(step)
        for branch, same in self.alike.values():
            for step in same[:_ALIKE]:
                self._edge(branch, step)
            if len(same) > _ALIKE:
                branch.add(Part("✗ ", "out"), *self._more(len(same) - _ALIKE, same[0].reason))
        for branch, step in self.unread:
            branch.add(Part(f"✗ {self._said(step.reason)}", "out"))
        for kind, held in self.lists.items():
            self._listed(kind, held)
        if self.trace.timings_ms:
            self._times(self.trace.timings_ms)
        return self.root

    # -- what was kept ---------------------------------------------------------------------------------------
    def _starts(self, kind: StepKind, steps: Sequence[Step]) -> None:
        if not steps and kind != "anchor":
            return
        group = self.root.add(Part(title(kind if steps else "no_anchor", self.lang), "head"))
        for step in steps:
            branch = group.add(*self._subject(step.subject), *_weight(step.weight), *self._why(step.reason))
            self.places.setdefault(step.subject, (branch, 0, step.weight or 0.0))

    def _walked(self, step: Step) -> None:
        parent, far, outward = self._ends(step)
        above, _, weight = self.places.get(parent, (self.root, 0, 1.0))
        line = above.add(
            *self._arrow(step, far, outward), *_weight(step.weight), *self._product(step, weight, far)
        )
        if far not in self.places:
            self.places[far] = (line, step.hop, step.weight or 0.0)

    def _product(self, step: Step, before: float, far: str) -> list[Part]:
        """How the weight came about: the way so far, the edge's own weight, its decay."""
        if not step.base or step.weight is None or far in self.places:
            return self._why(step.reason) if far in self.places else []
        own = step.weight / before if before else 0.0
        told = f"  {step.base:.2f} × {own / step.base:.2f} {title('decay', self.lang)}"
        if own > step.base + 0.005:  # its rule holds it up
            told = f"  {own:.2f} {title('floor', self.lang)}"
        way = f" × {before:.2f} {title('way', self.lang)}" if round(before, 2) != 1 else ""
        return [Part(told + way, "aside")]

    # -- what was left out -----------------------------------------------------------------------------------
    def _left(self, step: Step) -> None:
        if edge_ends(step.subject) is not None and step.hop:
            parent, _, _ = self._ends(step)
            if parent in self.places:
                above = self.places[parent][0]
                self.alike.setdefault((id(above), step.reason), (above, []))[1].append(step)
                return
        if step.kind != "near_miss" and step.subject in self.places:
            branch, hop, _ = self.places[step.subject]
            if step.hop > hop:  # about the edges of a Form from which the walk went on
                self.unread.append((branch, step))
            else:
                branch.parts.append(Part(f"  ✗ {self._said(step.reason)}", "out"))
            return
        self.lists[step.kind].append(step)

    def _edge(self, above: Branch, step: Step) -> None:
        _, far, outward = self._ends(step)
        above.add(
            Part("✗ ", "out"), *self._arrow(step, far, outward), *_weight(step.weight),
            Part(f"  {self._said(step.reason)}", "out"),
        )  # fmt: skip

    def _listed(self, kind: StepKind, held: Sequence[Step]) -> None:
        if not held:
            return
        group = self.root.add(Part(title(kind, self.lang), "head"))
        for step in held[:_LISTED]:
            group.add(*self._subject(step.subject), *_weight(step.weight), *self._why(step.reason))
        if len(held) > _LISTED:
            group.add(*self._more(len(held) - _LISTED))

    def _more(self, count: int, why: str = "") -> list[Part]:
        told = title("more", self.lang).format(n=f"{count:,}")
        return [Part(told, "aside"), *([Part(f"  {self._said(why)}", "out")] if why else [])]

    # -- pieces ----------------------------------------------------------------------------------------------
    def _ends(self, step: Step) -> tuple[str, str, bool]:
        """The end that was reached first, the other one, and whether the edge goes out from the first."""
        source, _, target = edge_ends(step.subject) or ("", "", "")
        here = [id for id in (source, target) if id in self.places and self.places[id][1] < max(1, step.hop)]
        parent = min(here, key=lambda id: (-self.places[id][1], id != source), default=source)
        return (source, target, True) if parent == source else (target, source, False)

    def _arrow(self, step: Step, far: str, outward: bool) -> list[Part]:
        _, relation, _ = edge_ends(step.subject) or ("", step.subject, "")
        arrow = f"─{relation}→ " if outward else f"←{relation}─ "
        return [Part(arrow, "edge"), *self._subject(far)]

    def _subject(self, subject: str) -> list[Part]:
        ends = edge_ends(subject) if subject not in self.trace.names else None
        if ends is not None:
            source, relation, target = ends
            return [*self._subject(source), Part(f" ─{relation}→ ", "edge"), *self._subject(target)]
        name = self.trace.names.get(subject)
        if name is None:
            return [Part(title(subject, self.lang) if subject in MANY else subject, "id")]
        return [Part(_short(name), "name"), *([Part(f" {subject}", "id")] if self.ids else [])]

    def _why(self, said: str) -> list[Part]:
        return [Part(f"  {self._said(said)}", "reason")] if said else []

    def _said(self, said: str) -> str:
        told = reason(said, self.lang)
        for id in told.split():  # reasons name Forms and messages by their ids
            if id in self.trace.names and not self.ids:
                told = told.replace(id, _short(self.trace.names[id]))
        return told

    # -- time ------------------------------------------------------------------------------------------------
    def _times(self, timings: Mapping[str, float]) -> None:
        group = self.root.add(Part(title("time", self.lang), "head"))
        stages = {title(name, self.lang): spent for name, spent in timings.items() if name != "total"}
        width = max(map(_columns, stages), default=0)
        most = max(stages.values(), default=0.0)
        for name, spent in stages.items():
            pad = " " * (width - _columns(name))
            bar = _bar(spent / most if most else 0.0)
            group.add(Part(f"{name}{pad}  ", ""), Part(bar, "bar"), Part(f"  {_millis(spent)}", "aside"))


def drawn(branch: Branch) -> str:
    """The tree as plain text, a line each; nothing is broken or cut."""
    lines = ["".join(part.text for part in branch.parts)]

    def under(above: Branch, lead: str) -> None:
        for place, each in enumerate(above.branches, 1):
            last = place == len(above.branches)
            lines.append(f"{lead}{'└── ' if last else '├── '}{''.join(p.text for p in each.parts)}".rstrip())
            under(each, lead + ("    " if last else "│   "))

    under(branch, "")
    return "\n".join(lines)


def _weight(weight: float | None) -> list[Part]:
    return [] if weight is None else [Part(f"  {weight:.2f}", "weight")]


def _total(trace: Trace) -> float:
    return trace.timings_ms.get("total", sum(trace.timings_ms.values()))


def _millis(spent: float) -> str:
    return f"{spent:.2f} ms" if spent < 10 else f"{spent:,.0f} ms"


def _bar(share: float) -> str:
    whole, rest = divmod(round(share * _BAR * 8), 8)
    bar = "█" * whole + (_EIGHTHS[rest] if rest else "")
    return (bar or _EIGHTHS[1]).ljust(_BAR)


def _columns(text: str) -> int:
    """How many columns of a terminal a text takes: Chinese characters take two."""
    return sum(2 if unicodedata.east_asian_width(c) in "WF" else 1 for c in text)


def _short(name: str) -> str:
    if _columns(name) <= _LONGEST:
        return name
    kept = ""
    for c in name:
        if _columns(kept + c) >= _LONGEST:
            break
        kept += c
    return kept + "…"


__all__ = ["Branch", "Part", "drawn", "edge_ends", "tree_of"]
