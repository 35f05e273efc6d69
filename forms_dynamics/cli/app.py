"""The commands, in the order in which a newcomer meets them."""

from __future__ import annotations

from typing import Annotated

import typer

from forms_dynamics.cli import acts, files, keeping, querying, reading, remembering, replaying, tending
from forms_dynamics.cli.options import over_logs, over_memory

app = typer.Typer(
    name="forms-dynamics",
    help="Structured, versioned, explainable memory. Start with: forms-dynamics demo",
    no_args_is_help=True,
    add_completion=False,
    rich_markup_mode=None,
    pretty_exceptions_enable=False,
    context_settings={"help_option_names": ["-h", "--help"]},
)


def _version(asked: bool) -> None:
    if asked:
        from forms_dynamics import __version__

        print(__version__)
        raise typer.Exit


@app.callback()
def root(
    version: Annotated[
        bool, typer.Option("--version", callback=_version, is_eager=True, help="Show the version.")
    ] = False,
) -> None:
    """Structured, versioned, explainable memory. Start with: forms-dynamics demo"""


for plain_command in (files.demo, files.init, files.check, files.hint):
    app.command()(plain_command)
for command in (
    remembering.observe,
    remembering.record,
    reading.recall,
    reading.fire,
    reading.why,
    reading.forms,
    reading.show,
    reading.diff,
    acts.pending,
    acts.confirm,
    acts.refuse,
    acts.correct,
    acts.retract,
    acts.mark,
    acts.rollback,
    acts.invalidate,
    acts.undo,
    acts.validity,
    acts.erase,
    keeping.export,
    keeping.graph,
    keeping.health,
    remembering.work,
    tending.upkeep,
    keeping.rebuild,
    keeping.verify,
    tending.backup,
):
    app.command()(over_memory(command))
app.command()(over_memory(querying.query, "A parameter of the query; may be repeated."))
for over_log in (replaying.replay, replaying.tune):
    app.command()(over_logs(over_log))
app.command("first-contact")(over_memory(acts.first_contact))
app.command("import")(over_memory(keeping.import_))
app.command()(files.bench)
