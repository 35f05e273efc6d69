"""The answer of a declared query as lines of a context."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from forms_dynamics.model.form import Form
from forms_dynamics.model.record import FormRecord, Scope
from forms_dynamics.model.value import from_micros
from forms_dynamics.ports import Store
from forms_dynamics.reader import Reader
from forms_dynamics.retrieval.assembly import Item
from forms_dynamics.retrieval.queries.asked import asked
from forms_dynamics.retrieval.queries.reading import Moment
from forms_dynamics.retrieval.queries.run import run_query
from forms_dynamics.retrieval.request import Log, Request
from forms_dynamics.schema.spec import Catalog
from forms_dynamics.settings import Settings

COMPLETE, CUT = 0.95, 0.85  # how surely rows answer a question that asked for them; a limit cut some off


@dataclass(slots=True)
class Told:
    """Lines that answer the question, the Forms that they tell of, and how surely."""

    items: Sequence[Item] = ()
    forms: Mapping[str, Form] = field(default_factory=dict)
    records: Mapping[str, FormRecord] = field(default_factory=dict)
    confidence: float = 0.0


def answered(
    request: Request,
    scope: Scope,
    store: Store,
    reader: Reader,
    catalog: Catalog,
    settings: Settings,
    now: int,
    log: Log,
) -> Told:
    """The rows of the query that the question asks; nothing where it asks none, or the query finds none: what is not
    recorded is not denied. A recall that walks no edges (``max_hops`` 0) asks no query."""
    if not catalog.queries or not request.question or not request.max_hops:
        return Told()
    with log.stage("query"):
        here = from_micros(now) if settings.zone is None else from_micros(now).astimezone(settings.zone)
        found, refused = asked(request.question, catalog, scope, store, here, settings.date_order)
        for name, reason in refused:
            log.add("near_miss", f"query {name}", reason)
        if found is None:
            return Told()
        include = {
            w for w, on in (("cold", request.include_cold), ("expired", request.include_expired)) if on
        }
        moment = Moment(now, request.as_of, request.known_at, frozenset(include))
        own = Log()
        result = run_query(
            found.spec, found.parameters, moment, scope, store, reader, catalog, settings, found.lang, own
        )
    subject = f"query {result.name}"
    if not result.rows:
        log.add("near_miss", subject, f"asked as {found.pattern!r}, and finds nothing")
        return Told()
    log.add("anchor", subject, f"asked as {found.pattern!r}: {len(result.rows)} rows", 1.0)
    log.steps += own.steps
    forms = {row.form.id: row.form for row in result.rows}
    items = [Item(text, subject, forms=tuple(forms)) for text in result.text.splitlines()]
    records = store.forms(scope, list(forms))
    return Told(items, forms, records, COMPLETE if result.complete else CUT)


__all__ = ["Told", "answered"]
