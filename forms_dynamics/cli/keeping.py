"""export, import, graph, health, rebuild, verify: a memory as a whole."""

from __future__ import annotations

import os
import sys
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import replace
from pathlib import Path
from typing import Annotated, Any, Literal

import typer

from forms_dynamics.cli.options import Call, moment


def export(call: Call) -> int:
    """Everything of all users (or of --user) as JSON Lines."""
    from forms_dynamics.cli.speech import put_json_lines, say

    with call.memory(whole_tenant=call.user is not None) as memory:
        count = put_json_lines(memory.export(user=call.user))
    if not call.as_json:
        say(f"{count} record{'' if count == 1 else 's'}")
    return 0


def import_(
    call: Call,
    file: Annotated[str, typer.Argument(metavar="FILE", help="What `export` wrote; - reads stdin.")],
    *,
    dry_run: Annotated[bool, typer.Option("--dry-run", help="Check all of it, write nothing.")] = False,
) -> int:
    """Take what `export` wrote: all of it, or after an error nothing."""
    if file != "-" and not Path(file).is_file():
        raise typer.BadParameter(f"no such file: {file}", param_hint="FILE")
    # a dry run into a file that is not there checks against nothing, and must leave none behind
    rehearsal = dry_run and "://" not in call.db and not Path(call.db).exists()
    with call.memory(create=True, db=":memory:") if rehearsal else call.memory(create=True) as memory:
        if file == "-":
            done = memory.load(_counted(sys.stdin.buffer), dry_run=dry_run)
        else:
            with open(file, "rb") as lines:
                done = memory.load(_counted(lines), dry_run=dry_run)
    title = "would import" if dry_run else "imported"
    if call.as_json:
        return _tell(call, title, done)
    users = tuple(user or "the shared space" for user in done.users)
    _tell(call, title, replace(done, users=users))
    _remarks(done)
    return 0


def graph(
    call: Call,
    *,
    form_id: Annotated[
        str | None, typer.Option("--form-id", metavar="ID", help="Only what is around this Form.")
    ] = None,
    hops: Annotated[int, typer.Option("--hops", help="How far around it, 0 to 10.")] = 1,
    as_of: Annotated[
        str | None, typer.Option("--as-of", metavar="TIME", help="What was true then (ISO 8601).")
    ] = None,
    lang: Annotated[
        Literal["zh", "en"] | None, typer.Option("--lang", help="Labels in it; else each Form's own.")
    ] = None,
    messages: Annotated[
        bool, typer.Option("--messages", help="The messages that Forms rest on, too.")
    ] = False,
    include_inactive: Annotated[
        bool, typer.Option("--include-inactive", help="Invalid Forms, superseded and candidate edges, too.")
    ] = False,
    format: Annotated[
        Literal["graphml", "json", "dot"] | None,
        typer.Option("--format", help="A document: GraphML (Gephi), node-link JSON, Graphviz."),
    ] = None,
    out: Annotated[
        str | None,
        typer.Option("--out", metavar="FILE", help="Write it there; its ending may say the format."),
    ] = None,
) -> int:
    """The Forms and the edges between them, to look at or as a file for Gephi."""
    from forms_dynamics.graph import written

    chosen = format or (_by_ending(out) if out is not None else "json")
    with call.memory() as memory:
        drawn = memory.graph(
            form_id=form_id, hops=hops, as_of=moment(as_of, "--as-of"), lang=lang, messages=messages,
            include_inactive=include_inactive,
        )  # fmt: skip
    if out is not None:
        part = Path(f"{out}.part")
        part.write_text(written(drawn, chosen), encoding="utf-8")
        os.replace(part, out)
        size = {"file": out, "format": chosen, "nodes": len(drawn), "edges": drawn.size()}
        _tell(call, "wrote", size)
    elif format is not None or call.as_json:
        print(written(drawn, chosen), end="")
    else:
        from forms_dynamics.cli.show import Paper

        Paper().graph(drawn)
    return 0


def health(
    call: Call,
    *,
    lang: Annotated[Literal["zh", "en"], typer.Option("--lang", help="Of the report.")] = "en",
) -> int:
    """How complete, fresh and consistent it is, and what waits: of all users, or of --user."""
    with call.memory(whole_tenant=call.user is not None) as memory:
        found = memory.health(user=call.user)
    if call.as_json:
        return _tell(call, "health", found)
    from forms_dynamics.cli.checkup import health_page
    from forms_dynamics.cli.show import Paper

    health_page(Paper(lang=lang), found, call.user, lang)
    return 0


def rebuild(call: Call) -> int:
    """Make all that is derived anew: heads, edges, indexes."""
    with call.memory() as memory:
        done = memory.rebuild()
    return _tell(call, "rebuilt", done)


def verify(call: Call) -> int:
    """Check every version chain (of all users, or of --user) and the file itself."""
    with call.memory() as memory:
        done = memory.verify(all_users=True)
    code = _tell(call, "verified", done)
    return code if _sound(done) else 1


def _tell(call: Call, title: str, done: Any) -> int:
    if call.as_json:
        from forms_dynamics.cli.speech import put_json

        put_json(done)
    else:
        from forms_dynamics.cli.show import Paper

        Paper().report(title, done)
    return 0


def _sound(done: Any) -> bool:
    verdict = done.get("ok") if isinstance(done, Mapping) else getattr(done, "ok", done)
    return bool(verdict)


def _counted(lines: Iterable[bytes]) -> Iterator[bytes]:
    from forms_dynamics.cli.speech import Progress

    progress = Progress("rows", 1000)
    try:
        for line in lines:
            progress.step()
            yield line
    finally:
        progress.clear()


def _remarks(done: Any) -> None:
    """What a person should know of an import that went well."""
    from forms_dynamics.cli.speech import say

    for name, count in done.unknown_types.items():
        say(
            f"{count} Form{'' if count == 1 else 's'} of type {name}, which is not loaded: kept, but no name"
            " finds them; load the type with --form-types and run `rebuild`"
        )
    if done.loose:
        say(
            f"{done.loose} edge{'' if done.loose == 1 else 's'} or mentions left out, since the Form at the"
            " other end is not here; import the shared space first, then this file again"
        )


def _by_ending(out: str) -> Literal["graphml", "json", "dot"]:
    ending = Path(out).suffix.lstrip(".").lower()
    if ending in ("graphml", "json", "dot"):
        return ending  # type: ignore[return-value]
    raise typer.BadParameter(
        f"{out!r} does not end in .graphml, .json or .dot: say which with --format", param_hint="--out"
    )
