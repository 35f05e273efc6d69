"""pending, first-contact, confirm, refuse, correct, retract, mark, rollback, invalidate, undo, validity, erase:
what a person decides."""

from __future__ import annotations

import sys
from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Annotated, Literal

import typer

from forms_dynamics.cli.options import Call, moment
from forms_dynamics.cli.reading import FormId
from forms_dynamics.cli.remembering import tell_receipt
from forms_dynamics.errors import InvalidInput

if TYPE_CHECKING:
    from forms_dynamics import Memory, Receipt
    from forms_dynamics.model.form import Pending

PendingId = Annotated[str, typer.Argument(metavar="PENDING_ID", help="As `pending` lists it.")]
SlotName = Annotated[str, typer.Argument(metavar="SLOT")]


def pending(call: Call) -> int:
    """Questions that wait for an answer."""
    with call.memory() as memory:
        waiting = memory.pending()
        queued = memory.waiting()
    if call.as_json:
        from forms_dynamics.cli.speech import put_json

        put_json(waiting)
    else:
        from forms_dynamics.cli.show import Paper

        paper = Paper()
        paper.pending(waiting)
        paper.waits(queued)
    return 0


def first_contact(
    call: Call,
    form_type: Annotated[str | None, typer.Argument(help="Of one Form type; else of all.")] = None,
    *,
    speaker: Annotated[str, typer.Option("--speaker", help="Who is asked.")] = "user",
    lang: Annotated[Literal["zh", "en"] | None, typer.Option("--lang", help="Of the questions.")] = None,
) -> int:
    """The first questions to a new user; on a terminal, asks them."""
    with call.memory(create=True) as memory:

        def waiting() -> list[Pending]:
            return list(memory.first_contact(form_type, speaker=speaker, language=lang))

        items = waiting()
        if call.as_json:
            from forms_dynamics.cli.speech import put_json

            put_json(items)
            return 0
        if items and sys.stdin is not None and sys.stdin.isatty():
            held = _interview(call, memory, speaker, items, waiting)
            items = [*(item for item in memory.pending() if item.id in held), *waiting()]
        from forms_dynamics.cli.show import Paper

        Paper().pending(items)
    return 0


def _interview(
    call: Call, memory: Memory, speaker: str, items: Sequence[Pending], waiting: Callable[[], list[Pending]]
) -> set[str]:
    """Asks one by one; the ids of what was answered in words that have to be confirmed. Ctrl-C ends it, and what
    was answered by then stays."""
    typer.echo("Enter: not now. -: rather not say. · 回车：先跳过；-：不想说", err=True)
    held: set[str] = set()
    for item in items:

        def is_open(id: str = item.id) -> bool:
            return any(other.id == id for other in waiting())

        while is_open():  # an earlier answer may have filled it
            try:
                said = typer.prompt(item.question, default="", show_default=False, err=True).strip()
            except typer.Abort:
                typer.echo("\nstopped; what was answered stays stored", err=True)
                raise typer.Exit(130) from None
            if not said:
                break
            try:
                receipt = _answered(memory, speaker, item, said, is_open)
            except InvalidInput as no:
                typer.echo(str(no), err=True)
                continue
            held.update(receipt.pending)
            tell_receipt(call, memory, receipt)
            break
    return held


def _answered(memory: Memory, speaker: str, item: Pending, said: str, is_open: Callable[[], bool]) -> Receipt:
    """Takes one answer. A sentence is read like any message ("我住在苏州"); words that say nothing by themselves
    ("苏州") are the answer as they stand."""
    if said in ("-", "－", "—"):
        return memory.refuse(item.id)
    memory.observe(item.question, role="assistant", speaker="assistant", conversation="first_contact")
    receipt = memory.observe(said, speaker=speaker, role="user", conversation="first_contact")
    if receipt.versions or receipt.pending or not is_open():
        return receipt
    return memory.confirm(item.id, said)


def confirm(
    call: Call,
    pending_id: PendingId,
    value: Annotated[str | None, typer.Argument(help="The right value, or which candidate.")] = None,
) -> int:
    """Yes: store the pending value, or the one given."""
    with call.memory() as memory:
        return tell_receipt(call, memory, memory.confirm(pending_id, value))


def refuse(call: Call, pending_id: PendingId) -> int:
    """No: drop the pending value."""
    with call.memory() as memory:
        return tell_receipt(call, memory, memory.refuse(pending_id))


def correct(call: Call, form_id: FormId, slot: SlotName, value: Annotated[str, typer.Argument()]) -> int:
    """Set a slot to what is right; the old value is kept."""
    with call.memory() as memory:
        return tell_receipt(call, memory, memory.correct(form_id, slot, value))


def retract(call: Call, form_id: FormId, slot: SlotName) -> int:
    """Take a value back: it was never so."""
    with call.memory() as memory:
        return tell_receipt(call, memory, memory.retract(form_id, slot))


def mark(
    call: Call,
    target: Annotated[str, typer.Argument(metavar="TARGET", help="A Form's id, or an edge's.")],
    slot: Annotated[str | None, typer.Argument(metavar="[SLOT]", help="Of the Form.")] = None,
    *,
    right: Annotated[bool, typer.Option("--right/--wrong", help="What it is.")],
) -> int:
    """Say that a slot's value or an edge is right (✓) or wrong (✗)."""
    with call.memory() as memory:
        return tell_receipt(call, memory, memory.mark(target, slot, right=right))


def rollback(
    call: Call, form_id: FormId, version: Annotated[int, typer.Argument(min=1, help="Version number.")]
) -> int:
    """Bring back an earlier version, as a new one."""
    with call.memory() as memory:
        return tell_receipt(call, memory, memory.rollback(form_id, version))


def invalidate(
    call: Call,
    form_id: FormId,
    *,
    reason: Annotated[str, typer.Option("--reason", help="Kept with it.")] = "",
) -> int:
    """Take a Form out of recall; its history stays."""
    with call.memory() as memory:
        return tell_receipt(call, memory, memory.invalidate(form_id, reason))


def undo(
    call: Call,
    act_id: Annotated[str, typer.Argument(metavar="ACT_ID", help="As the act told it when it was done.")],
) -> int:
    """Take back an act: values, status, names, edges and questions as before."""
    with call.memory() as memory:
        return tell_receipt(call, memory, memory.undo(act_id))


def validity(
    call: Call,
    *,
    relation: Annotated[str | None, typer.Option("--relation", help="Its edges.")] = None,
    form_type: Annotated[str | None, typer.Option("--form-type", help="What its Forms hold.")] = None,
    slot: Annotated[str | None, typer.Option("--slot", help="Of the Form type; else all.")] = None,
    days: Annotated[float | None, typer.Option("--days", help="After the beginning of each.")] = None,
    until: Annotated[
        str | None, typer.Option("--until", metavar="TIME", help="The end of all (ISO 8601).")
    ] = None,
    without_end: Annotated[bool, typer.Option("--open", help="No end.")] = False,
    dry_run: Annotated[bool, typer.Option("--dry-run", help="Write nothing; say what it would do.")] = False,
) -> int:
    """Until when edges of a relation, or values of a Form type, are valid."""
    if sum((days is not None, until is not None, without_end)) != 1:
        raise InvalidInput("say one of --days, --until and --open")
    with call.memory() as memory:
        receipt = memory.set_validity(
            relation=relation, form_type=form_type, slot=slot, days=days, until=moment(until, "--until"),
            dry_run=dry_run,
        )  # fmt: skip
    if call.as_json:
        from forms_dynamics.cli.speech import put_json

        put_json(receipt)
    else:
        forms, edges = len(receipt.versions), len(receipt.edges)
        what = (
            f"{edges} edge{'' if edges == 1 else 's'}"
            if relation
            else f"{forms} Form{'' if forms == 1 else 's'}"
        )
        done = "would get" if dry_run else "got"
        print(f"{what} {done} another end" + (f"; act {receipt.act}" if receipt.act else ""))
    return 0


def erase(
    call: Call,
    *,
    form_id: Annotated[str | None, typer.Option("--form-id", help="One Form with its history.")] = None,
    message: Annotated[str | None, typer.Option("--message", help="One message and what it gave.")] = None,
    yes: Annotated[bool, typer.Option("--yes", help="Do not ask.")] = False,
) -> int:
    """Delete for good: a Form, a message, or all of a --user."""
    if form_id is None and message is None and call.user is None:
        raise typer.BadParameter("name what to erase: --form-id, --message or --user", param_hint="erase")
    what = f"Form {form_id}" if form_id else f"message {message}" if message else f"all of user {call.user}"
    if not yes and sys.stdin is not None and sys.stdin.isatty():
        typer.confirm(f"Erase {what} for good?", abort=True, err=True)
    of_user = call.user if form_id is None and message is None else None
    with call.memory(whole_tenant=of_user is not None) as memory:
        done = memory.erase(user=of_user, form_id=form_id, message=message)
    if call.as_json:
        from forms_dynamics.cli.speech import put_json

        put_json(done)
    else:
        from forms_dynamics.cli.show import Paper

        none = of_user is not None and not any((done.forms, done.versions, done.messages))
        Paper().report(f"nothing was here of user {of_user}" if none else f"erased {what}", done)
    return 0
