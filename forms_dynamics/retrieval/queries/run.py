"""One query from its name and what a caller gives to its result."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from forms_dynamics.errors import InvalidInput, NotFound
from forms_dynamics.inputs import did_you_mean
from forms_dynamics.language.normal import language_of
from forms_dynamics.language.secrets import redact
from forms_dynamics.model.form import Form
from forms_dynamics.model.query import QueryResult, QueryRow
from forms_dynamics.model.record import Scope
from forms_dynamics.model.value import from_micros
from forms_dynamics.ports import Store
from forms_dynamics.reader import Reader
from forms_dynamics.retrieval.queries.beginning import starting
from forms_dynamics.retrieval.queries.parameters import typed
from forms_dynamics.retrieval.queries.reading import Moment, Omitted, Rows, trace_of
from forms_dynamics.retrieval.queries.result import Answer
from forms_dynamics.retrieval.queries.walking import Walker
from forms_dynamics.retrieval.request import Log
from forms_dynamics.schema.query_spec import QuerySpec, QueryStep
from forms_dynamics.schema.reader import LANGUAGES
from forms_dynamics.schema.spec import Catalog
from forms_dynamics.settings import Settings


def query_named(catalog: Catalog, name: str) -> QuerySpec:
    """The declared query; NotFound names those that there are."""
    spec = catalog.queries.get(name)
    if spec is None:
        known = did_you_mean(name, catalog.queries) if catalog.queries else "; no query is declared"
        raise NotFound(f"no query {name!r}{known}")
    return spec


def run_query(
    spec: QuerySpec,
    given: Mapping[str, Any],
    moment: Moment,
    scope: Scope,
    store: Store,
    reader: Reader,
    catalog: Catalog,
    settings: Settings,
    lang: str | None = None,
    log: Log | None = None,
) -> QueryResult:
    """The rows of a query and how they were found. Costs look-ups by index: for each step one for edges and one for
    Forms (``repeat``: for each edge of the way), whatever the number of rows; only a start without a name looks
    through a type, up to its limit.

    ``lang``: of the text; None: of the parameters' values. InvalidInput for what cannot be a parameter's value."""
    if lang is not None and lang not in LANGUAGES:
        raise InvalidInput(f"lang is zh or en, not {lang!r}")
    log = Log() if log is None else log
    now = from_micros(moment.now)
    if settings.zone is not None:
        now = now.astimezone(settings.zone)
    parameters = typed(spec, given, now, settings.date_order)
    include = moment.include | spec.include
    moment = Moment(moment.now, moment.as_of, moment.known_at, include)
    omitted = Omitted(log)
    rows = Rows(scope, store, reader, catalog, settings, moment, omitted)
    walker = Walker(spec, rows, parameters, lambda step: _relations(spec, step, parameters, catalog))
    for step in spec.steps:
        _relations(spec, step, parameters, catalog)  # a wrong name is told before anything is read
    with log.stage("start"):
        starts = starting(
            spec.start,
            _name(spec, parameters),
            parameters,
            rows,
            lambda form: walker.holds(spec.start.where, 0, form),
        )
    ways = walker.walk(starts)
    answer = Answer(spec, rows, walker.now)
    with log.stage("rows"):
        found = answer.made(ways)
        spoken = lang or _language(spec, parameters)
        text = "\n".join(answer.lines(found, parameters, spoken))
    if settings.redact != "off":
        text = redact(text)
    return QueryResult(
        name=spec.name,
        parameters=parameters,
        rows=tuple(found),
        forms=_on_the_ways(found, rows),
        text=text,
        left_out=omitted.told(),
        complete=not omitted.cut,
        lang=spoken,
        trace=trace_of(log, spoken),
    )


def _on_the_ways(found: Sequence[QueryRow], rows: Rows) -> dict[str, Form]:
    """Every Form that the rows and their paths name."""
    ids = [row.form.id for row in found]
    for row in found:
        ids += [form.id for forms in row.forms.values() for form in forms]
        ids += [id for path in row.paths for walk in path for id in (walk.source, walk.target)]
    return {id: form for id in dict.fromkeys(ids) if (form := rows.forms.get(id)) is not None}


def _name(spec: QuerySpec, parameters: Mapping[str, Any]) -> str | None:
    named = spec.start.named
    if named is None:
        return None
    value = parameters.get(named[1:]) if named.startswith("$") else named
    return None if value is None else str(value)


def _relations(
    spec: QuerySpec, step: QueryStep, parameters: Mapping[str, Any], catalog: Catalog
) -> frozenset[str]:
    """The relations that a step walks; of a parameter the one that bears the name or an alias."""
    first = step.relations[0]
    if not first.startswith("$"):
        return frozenset(step.relations)
    told = parameters.get(first[1:])
    if told in catalog.relations:
        return frozenset((str(told),))
    called = {rule.name for rule in catalog.rules if told in rule.aliases}
    if not called:
        raise InvalidInput(
            f"query {spec.name!r}: no relation {told!r}{did_you_mean(str(told), sorted(catalog.relations))}"
        )
    return frozenset(called)


def _language(spec: QuerySpec, parameters: Mapping[str, Any]) -> str:
    told = [value for value in parameters.values() if isinstance(value, (str, tuple))]
    if told:
        return language_of(told)
    return next((lang for lang in ("en", "zh") if lang in spec.template or lang in spec.description), "en")


__all__ = ["query_named", "run_query"]
