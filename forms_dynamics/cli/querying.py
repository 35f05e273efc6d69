"""query: a declared query, answered; without a name, those that there are."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import TYPE_CHECKING, Annotated, Any

import typer

from forms_dynamics.cli.options import Call, moment
from forms_dynamics.cli.reading import AsOf, KnownAt

if TYPE_CHECKING:
    from forms_dynamics import Memory
    from forms_dynamics.model.query import QueryResult
    from forms_dynamics.schema.query_spec import QuerySpec


def query(
    call: Call,
    name: Annotated[str | None, typer.Argument(help="Name of a declared query; none: list them.")] = None,
    *,
    as_of: AsOf = None,
    known_at: KnownAt = None,
    include_cold: Annotated[bool, typer.Option("--include-cold", help="Forms long untouched, too.")] = False,
    include_expired: Annotated[bool, typer.Option("--include-expired", help="Expired Forms, too.")] = False,
    lang: Annotated[str | None, typer.Option("--lang", help="zh or en; else as the parameters are.")] = None,
    trace: Annotated[
        bool, typer.Option("--trace", help="The edges to each row, and what was left out.")
    ] = False,
) -> int:
    """Answer a query that is declared in YAML."""
    given: dict[str, Any] = {}
    for pair in call.set_ or ():
        key, equals, value = pair.partition("=")
        if not equals:
            raise typer.BadParameter(f"{pair!r} is not KEY=VALUE", param_hint="--set")
        given[key.strip()] = value
    with replace(call, set_=None).memory() as memory:
        if name is None:
            return _list(memory, call.as_json)
        taken = sorted(given.keys() & {"as_of", "known_at", "include_cold", "include_expired", "lang"})
        if taken:
            option = taken[0].replace("_", "-")
            raise typer.BadParameter(f"{taken[0]} is no parameter; write --{option}", param_hint="--set")
        language: Any = lang
        result = memory.query(
            name, as_of=moment(as_of, "--as-of"), known_at=moment(known_at, "--known-at"),
            include_cold=include_cold, include_expired=include_expired, lang=language, **given,
        )  # fmt: skip
        if call.as_json:
            from forms_dynamics.cli.speech import put_json

            put_json(result)
        else:
            _tell(result, trace)
    return 0


def _list(memory: Memory, as_json: bool) -> int:
    queries = memory.catalog.queries
    if as_json:
        from forms_dynamics.cli.speech import put_json

        put_json([_described(spec) for spec in queries.values()])
        return 0
    from rich.markup import escape

    from forms_dynamics.cli.show import Paper

    paper = Paper()
    if not queries:
        paper.line("no query is declared; give files with --form-types (docs/queries.md)")
    for spec in queries.values():
        paper.line(f"[bold]{escape(spec.name)}[/]  {escape(' / '.join(spec.description.values()))}")
        for key, each in spec.parameters.items():
            told = (
                ""
                if each.required
                else f" = {each.default}"
                if each.default is not None
                else ", may be left out"
            )
            values = f" ({', '.join(each.slot.values)})" if each.slot.values else ""
            kind = each.slot.ref or each.slot.type
            paper.line(f"[cyan]{escape(key)}[/]  {escape(kind + values + told)}", 4)
        for pattern in (p for patterns in spec.asks.values() for p in patterns):
            paper.line(f"[dim]asked as[/] {escape(pattern)}", 4)
    return 0


def _described(spec: QuerySpec) -> Mapping[str, Any]:
    return {
        "name": spec.name,
        "description": dict(spec.description),
        "parameters": {
            key: {
                "type": each.slot.type,
                "ref": each.slot.ref,
                "values": list(each.slot.values),
                "required": each.required,
                "default": None if each.default is None else str(each.default),
            }
            for key, each in spec.parameters.items()
        },
        "returns": [column.name for column in spec.columns],
        "asks": {lang: list(patterns) for lang, patterns in spec.asks.items()},
        "file": spec.file,
        "line": spec.line,
    }


def _tell(result: QueryResult, trace: bool) -> None:
    from rich.markup import escape
    from rich.table import Table
    from rich.text import Text

    from forms_dynamics.cli.pieces import clean, said
    from forms_dynamics.cli.show import Paper

    paper = Paper(lang=result.lang)
    for line in result.text.splitlines() or ["(nothing is found)"]:
        paper.line(escape(line))
    if result.rows:
        table = Table(box=None, pad_edge=False)
        for column in result.rows[0].values:
            table.add_column(column, style="bold" if not table.columns else None)
        table.add_column("Form", style="dim")
        for row in result.rows:
            texts = ["" if value is None else said(value, result.lang) for value in row.values.values()]
            table.add_row(*(Text(clean(text)) for text in (*texts, row.form.id)))
        paper.put(table, 2)
    if not result.complete:
        paper.line("[yellow]not complete: a limit cut something off[/]")
    if trace:
        for step in result.trace.steps:
            if step.kind == "anchor":
                paper.line(f"[dim]start[/] {escape(clean(step.reason))}")
        _ways(paper, result)
    for left in result.left_out:
        if trace or left.rule in ("limit", "not found", "not comparable"):
            detail = f": {left.detail}" if left.detail else ""
            paper.line(f"[dim]left out[/] {escape(left.step)} × {left.count:,}  {left.rule}{escape(detail)}")
    if trace:
        told = ", ".join(f"{stage} {spent:.1f} ms" for stage, spent in result.trace.timings_ms.items())
        paper.line(f"[dim]{escape(told)}[/]")


def _ways(paper: Any, result: QueryResult) -> None:
    """Each row with the edges of one way to it."""
    from rich.markup import escape

    from forms_dynamics.cli.pieces import clean, name_of

    def name(form_id: str) -> str:
        return clean(name_of(result.forms[form_id]))

    for row in result.rows:
        for path in row.paths[:3]:
            text = name(path[0].source)
            for walk in path:
                arrow = f" —{walk.relation}→ " if walk.forward else f" ←{walk.relation}— "
                text += arrow + name(walk.target)
            paper.line(f"[dim]why[/] {escape(text)}", 2)
        if len(row.paths) > 3:
            paper.line(f"[dim]and {len(row.paths) - 3} more ways to {escape(name(row.form.id))}[/]", 2)
