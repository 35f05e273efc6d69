"""Where a query starts: Forms by a name, over the index of names, or those of a type that meet a condition."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any

from forms_dynamics.language.contacts import phone_key
from forms_dynamics.language.normal import normal
from forms_dynamics.model.form import Form
from forms_dynamics.model.record import Scope
from forms_dynamics.ports import Store
from forms_dynamics.retrieval.lexicon import lexicon_of
from forms_dynamics.retrieval.names import EXACT, by_name
from forms_dynamics.retrieval.queries.reading import Rows
from forms_dynamics.retrieval.question import parse
from forms_dynamics.retrieval.request import Log
from forms_dynamics.schema.compare import key_text
from forms_dynamics.schema.expression import Both, Comparison, Constant, Expression, Name, Parameter, Test
from forms_dynamics.schema.query_spec import Start
from forms_dynamics.schema.spec import Catalog

_PAGE = 500
_NAMESAKES = 64  # Forms of one name that are looked at

Test_ = Callable[[Form], bool]


def named(
    name: str, form_type: str, scope: Scope, store: Store, catalog: Catalog, most: int = _NAMESAKES
) -> list[str]:
    """Ids of the Forms of a type that a name means: their id, their whole name, identity value, alias or external
    id; else the one name of the kind that stands in it and leaves nothing over (天穹项目 for 天穹). Never by a guess
    at what a beginning may stand for."""
    if name in store.forms(scope, [name]):
        record = store.forms(scope, [name])[name]
        return [name] if record.type == form_type else []
    wanted = [text for text in dict.fromkeys((normal(name), phone_key(name), name)) if text]
    found = _called(wanted, form_type, scope, store, catalog, most)
    if found:
        return found
    question = parse(name, lexicon_of(catalog))
    if not question.units:
        return []
    quiet = Log()
    anchors = [
        a for a in by_name(question, scope, store, most, quiet) if a.type == form_type and a.how == EXACT
    ]
    spans = [anchor.span for anchor in anchors if anchor.span is not None]
    # a word for the type itself may stand beside the name, and no other
    outside = [w for w in question.words if not any(a <= w.start and w.end <= b for a, b in spans)]
    if any(all(m.type != form_type or m.slot is not None for m in word.meanings) for word in outside):
        return []
    if question.leftover(spans) or not spans:
        return []
    return _called([anchor.name for anchor in anchors], form_type, scope, store, catalog, most)


def _called(
    names: Sequence[str], form_type: str, scope: Scope, store: Store, catalog: Catalog, most: int
) -> list[str]:
    """Forms that bear one of the names as their own: not those that only speak of it (a task that depends on it),
    nor, where a slot alone identifies, those that share another part of their identity (tasks of a project)."""
    single = {key[0] for key in catalog.types[form_type].identity.keys if len(key) == 1}
    own = {"@", "alias", "~", *(single or catalog.types[form_type].identity.slots)}
    keys = store.names(scope, list(dict.fromkeys(names)), form_type, most + 1)
    return list(dict.fromkeys(key.form for key in keys if key.slots.partition("#")[0] in own))


def starting(
    start: Start, name: str | None, parameters: Mapping[str, Any], rows: Rows, holds: Test_
) -> list[str]:
    """Ids of the Forms at which the paths begin, oldest first; what is left out is told."""
    step, log = start.name, rows.omitted.log
    if start.named is not None:
        ids = named(name or "", start.form_type, rows.scope, rows.store, rows.catalog)
        if not ids:
            rows.omitted.add(step, "not found", name or "", f"no {start.form_type} is called {name!r}")
        rows.read(sorted(ids))
        how = f"named: {name}"
    else:
        found = _by_slot(start, parameters, rows)
        if found is not None:
            rows.read(sorted(found[0]))
            ids, how = found[0], f"its {found[1]}"
        else:
            ids = _all(start, rows)
            how = f"one of all {start.form_type}"
            log.add(
                "anchor", start.form_type, f"looked through {len(ids)} Forms: no index serves the condition"
            )
    kept: list[str] = []
    for id in sorted(ids):
        form = rows.usable(id, step, 0)
        if form is None:
            continue
        if not holds(form):
            rows.omitted.add(step, "where", id)
        elif len(kept) >= start.limit:
            rows.omitted.add(step, "limit", id, f"limit {start.limit}")
        else:
            kept.append(id)
            log.add("anchor", id, f"{step}: {how}", 1.0)
    return kept


def _all(start: Start, rows: Rows) -> list[str]:
    """The Forms of the type, page by page, ``limit`` at most; that there are more is told."""
    ids: list[str] = []
    after: str | None = None
    status = None if rows.moment.past else "active"
    while len(ids) < start.limit:
        size = min(_PAGE, start.limit - len(ids))
        page = rows.store.find(rows.scope, start.form_type, status, size + 1, after)
        rows.read([r.id for r in page[:size]], {r.id: r for r in page[:size]})
        ids += [record.id for record in page[:size]]
        if len(page) <= size:
            return ids
        after = ids[-1]
        if len(ids) >= start.limit:
            rows.omitted.add(
                start.name, "limit", page[size].id, f"looks through {start.limit} {start.form_type} at most"
            )
    return ids


def _by_slot(start: Start, parameters: Mapping[str, Any], rows: Rows) -> tuple[list[str], str] | None:
    """The Forms that hold a value of an indexed slot which the condition demands; None where it demands none, or
    where an earlier state is read, whose names are not kept."""
    if start.where is None or rows.moment.past:
        return None
    declared = rows.catalog.types[start.form_type]
    for slot, value in _demanded(start.where, parameters):
        spec = declared.slots.get(slot)
        single = any(key == (slot,) for key in declared.identity.keys)
        if spec is None or not isinstance(value, str) or isinstance(value, tuple):
            continue
        if single or slot in rows.catalog.indexed.get(start.form_type, ()):
            keys = rows.store.names(rows.scope, [key_text(spec, value)], start.form_type, start.limit + 1)
            return list(dict.fromkeys(key.form for key in keys)), slot
    return None


def _demanded(where: Expression, parameters: Mapping[str, Any]) -> Iterable[tuple[str, Any]]:
    """Slot and value of each == that must hold."""
    parts: tuple[Test, ...] = where.test.parts if isinstance(where.test, Both) else (where.test,)
    for part in parts:
        if isinstance(part, Comparison) and part.by == "==" and isinstance(part.left, Name):
            match part.right:
                case Constant(value):
                    yield part.left.name, value
                case Parameter(name):
                    yield part.left.name, parameters.get(name)


__all__ = ["named", "starting"]
