"""pending, confirm, refuse, correct, retract, rollback, invalidate, erase: what a person decides."""

from __future__ import annotations

import sys
from typing import Annotated

import typer

from forms_dynamics.cli.options import Call
from forms_dynamics.cli.reading import FormId
from forms_dynamics.cli.remembering import tell_receipt

PendingId = Annotated[str, typer.Argument(metavar="PENDING_ID", help="As `pending` lists it.")]
SlotName = Annotated[str, typer.Argument(metavar="SLOT")]


def pending(call: Call) -> int:
    """Questions that wait for an answer."""
    with call.memory() as memory:
        waiting = memory.pending()
    if call.as_json:
        from forms_dynamics.cli.speech import put_json

        put_json(waiting)
    else:
        from forms_dynamics.cli.show import Paper

        Paper().pending(waiting)
    return 0


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

        Paper().report(f"erased {what}", done)
    return 0
