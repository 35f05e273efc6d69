"""Names in a question: those that stand in it whole, and those of which it gives the beginning."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace

from forms_dynamics.language.names import core
from forms_dynamics.language.normal import has_han
from forms_dynamics.model.record import KeyRecord, Scope
from forms_dynamics.ports import Store
from forms_dynamics.retrieval.candidates import candidates, starts
from forms_dynamics.retrieval.question import Question
from forms_dynamics.retrieval.request import Log
from forms_dynamics.retrieval.words import CAPITALISED, TRADES_ZH

EXACT, PARTIAL = "exact", "partial"
PLACE = "is only its place"
OTHERWISE = "goes on otherwise in the question"

_PREFIX_ROWS = 20
_MOST_STARTS = 12
_SHARED = 16  # Forms of one type and name that are looked at

Span = tuple[int, int]


@dataclass(frozen=True, slots=True)
class Anchor:
    """A Form that the question is about; ``how``: exact, partial, focus, only, all or fallback."""

    form: str
    type: str
    how: str
    reason: str
    span: Span | None = None
    weight: float = 1.0
    primary: bool = True
    name: str = ""  # the Form's name that the question gives, in normal form
    slot: str = ""  # the slots whose value the name is; "~" a shorter name, "alias", "@" an external id


def from_key(key: KeyRecord, span: Span | None, how: str, reason: str) -> Anchor:
    slot = key.slots.partition("#")[0]
    return Anchor(key.form, key.type, how, reason, span, 1.0, "#" not in key.slots, key.name, slot)


def by_name(question: Question, scope: Scope, store: Store, most: int, log: Log) -> list[Anchor]:
    spans = candidates(question)
    matched = _exact(store.names(scope, list(spans), limit=_SHARED + 1), spans)
    if not matched:
        more = {n: s for n, s in candidates(question, thorough=True).items() if n not in spans}
        matched = _exact(store.names(scope, list(more), limit=_SHARED + 1), more) if more else []
    if matched:
        longer = _longer(question, matched, scope, store, log)
        kept = [a for a in matched if not any(_inside(a.span, b.span) and not b.primary for b in longer)]
        kept += longer
        if question.several:
            taken = [a.span for a in kept if a.span is not None]
            beside = partial(question, starts(question, taken), scope, store, log)
            kept += _best_of_each(beside, most)
        return kept
    scored = partial(question, starts(question), scope, store, log)
    if not scored:
        return []
    if question.several and len({a.span for a, _ in scored}) > 1:
        return _best_of_each(scored, most)
    best = max(score for _, score in scored)
    top = [a for a, score in scored if score == best]
    many = len({a.form for a in top}) > most
    for anchor, score in scored:
        if many or score < best:
            log.add(
                "near_miss",
                anchor.form,
                "too many names begin so" if many else "a longer name fits better",
                score,
            )
    return [] if many else top


def _best_of_each(scored: Sequence[tuple[Anchor, float]], most: int) -> list[Anchor]:
    """Of each place in the question that begins names the best, where they are no more than ``most``."""
    places: dict[int, list[tuple[Anchor, float]]] = {}
    for anchor, score in scored:
        places.setdefault(anchor.span[0] if anchor.span else 0, []).append((anchor, score))
    out: list[Anchor] = []
    for found in places.values():
        best = max(score for _, score in found)
        top = [a for a, score in found if score == best]
        if len({a.form for a in top}) <= most:
            out += top
    return out


def _exact(keys: Iterable[KeyRecord], spans: Mapping[str, Span]) -> list[Anchor]:
    """Anchors of the longest names; a name inside a longer one that matched says nothing."""
    by_span: dict[Span, list[KeyRecord]] = {}
    for key in keys:
        span = spans.get(key.name)
        if span is not None:
            by_span.setdefault(span, []).append(key)
    kept: list[Span] = []
    for span in sorted(by_span, key=lambda s: s[0] - s[1]):
        if not any(a <= span[0] and span[1] <= b for a, b in kept):
            kept.append(span)
    return [from_key(key, span, EXACT, f"named: {key.name}") for span in kept for key in _few(by_span[span])]


def _few(keys: Sequence[KeyRecord]) -> Sequence[KeyRecord]:
    """Of the many Forms that share a name those whose own name it is, and the newest of each type."""
    if len(keys) <= _SHARED:
        return keys
    newest = sorted(sorted(keys, key=lambda k: k.form, reverse=True), key=lambda k: "#" in k.slots)
    left: dict[str, int] = {}
    out = []
    for key in newest:
        left[key.type] = left.get(key.type, 0) + 1
        if left[key.type] <= _SHARED:
            out.append(key)
    return out


def _inside(inner: Span | None, outer: Span | None) -> bool:
    return (
        inner is not None
        and outer is not None
        and outer[0] <= inner[0]
        and inner[1] <= outer[1]
        and inner != outer
    )


def _longer(
    question: Question, matched: Sequence[Anchor], scope: Scope, store: Store, log: Log
) -> list[Anchor]:
    """Longer names of which the question gives a matched name and what is beside it (杭州智澜 for 智澜)."""
    out: list[Anchor] = []
    units, free = question.units, question.free
    for span in dict.fromkeys(a.span for a in matched if a.span is not None):
        first = next(i for i, u in enumerate(units) if u[0] >= span[0])
        last = max(i for i, u in enumerate(units) if u[1] <= span[1] or u[0] < span[1])
        after = last + 1 < len(units) and free[last + 1] and units[last + 1][0] - span[1] <= 1
        begin = first
        while (
            begin > 0
            and free[begin - 1]
            and units[begin][0] - units[begin - 1][1] <= (0 if units[begin][2] else 1)
        ):
            begin -= 1
        if begin == first and not after:
            continue
        prefix = question.text[units[begin][0] : max(units[begin][1], units[begin][0] + 2)]
        for anchor, _ in partial(question, [(units[begin][0], prefix)], scope, store, log):
            if _inside(span, anchor.span):
                # what begins before the name keeps it beside; what goes on behind it is the name meant
                out.append(anchor if begin == first else replace(anchor, primary=True))
    return out


def partial(
    question: Question, places: Sequence[tuple[int, str]], scope: Scope, store: Store, log: Log
) -> list[tuple[Anchor, float]]:
    """Names that begin as the question has it at one of ``places``, with the share of the overlap."""
    out: list[tuple[Anchor, float]] = []
    covered = 0
    for at, prefix in places[:_MOST_STARTS]:
        if at < covered:
            continue
        for key in _begun(question, at, prefix, scope, store):
            size = _overlap(question, at, key.name)
            said = question.text[at : at + size]
            if not said or "\x1f" in key.name:
                continue
            fault = _fault(question, at, said, key.name)
            if fault:
                log.add("near_miss", key.form, fault)
                continue
            covered = max(covered, at + size)
            anchor = Anchor(
                key.form,
                key.type,
                PARTIAL,
                f"{said} begins its name",
                (at, at + size),
                0.8,
                primary=False,
                name=key.name,
                slot=key.slots.partition("#")[0],
            )
            out.append((anchor, size * (1.0 if has_han(said) else 0.5)))
    return out


def _begun(question: Question, at: int, prefix: str, scope: Scope, store: Store) -> list[KeyRecord]:
    """Keys that begin with ``prefix``; among very many those that go on as the question does."""
    keys = store.names_from(scope, prefix, _PREFIX_ROWS)
    while len(keys) == _PREFIX_ROWS and question.text[at : at + len(prefix)] == prefix and len(prefix) < 40:
        longer = question.text[at : at + len(prefix) + 1]
        if longer == prefix:
            break
        more = store.names_from(scope, longer, _PREFIX_ROWS)
        if not more:
            break
        prefix, keys = longer, more
    return keys


def _overlap(question: Question, at: int, name: str) -> int:
    """How many characters of the name stand at ``at``: whole words, or two Han characters and more."""
    text = question.text
    size = 0
    for ours, theirs in zip(text[at:], name, strict=False):
        if ours != theirs:
            break
        size += 1
    for word in question.words:
        if word.start < at + size < word.end and word.start > at:
            size = word.start - at
    said = text[at : at + size]
    if has_han(said):
        return size if size >= 2 else 0
    while size and not (_edge(text, at + size) and (size == len(name) or not name[size].isalnum())):
        size -= 1
    return size if len(text[at : at + size].strip()) > 2 else 0


def _edge(text: str, at: int) -> bool:
    return at >= len(text) or not text[at].isalnum() or has_han(text[at])


def _fault(question: Question, at: int, said: str, name: str) -> str | None:
    """Why the beginning does not stand for the name."""
    end = at + len(said)
    after = question.text[end:]
    if has_han(said):
        if name.find(core(name)) >= len(said):
            return f"{said} {PLACE}"
        if TRADES_ZH.match(after):
            return f"{said} {OTHERWISE}"
        units = question.units
        here = next(i for i, u in enumerate(units) if u[0] >= at)
        mid = here > 0 and units[here - 1][1] == at and units[here - 1][2] and question.free[here - 1]
        beyond = next((i for i, u in enumerate(units) if u[0] >= end), None)
        open_end = (
            beyond is not None and units[beyond][0] == end and question.free[beyond] and units[beyond][2]
        )
        return f"{said} lies inside another word" if mid and open_end else None
    found = question.raw.casefold().find(said)
    follow = CAPITALISED.match(question.raw[found + len(said) :]) if found >= 0 else None
    if follow is not None and not follow.group().isupper():
        beyond = next((i for i, u in enumerate(question.units) if u[0] > end), None)
        if beyond is not None and question.free[beyond]:
            return f"{said} {OTHERWISE}"
    return None


__all__ = ["EXACT", "OTHERWISE", "PARTIAL", "PLACE", "Anchor", "Span", "by_name", "from_key", "partial"]
