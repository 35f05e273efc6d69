"""observe, record, work: what goes into a memory."""

from __future__ import annotations

import json
import sys
from collections import Counter
from collections.abc import Iterator
from itertools import groupby, islice
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, Literal

import typer

from forms_dynamics.cli.options import Call
from forms_dynamics.cli.speech import Progress

if TYPE_CHECKING:
    from forms_dynamics import Memory, Receipt
    from forms_dynamics.replay.logs import BadLine, Line

BATCH = 200


def observe(
    call: Call,
    logs: Annotated[
        list[str],
        typer.Argument(metavar="FILE...", help="Logs: JSON Lines, chat exports, CSV; - reads stdin."),
    ],
    *,
    conversation: Annotated[
        str | None, typer.Option("--conversation", help="For messages that name none.")
    ] = None,
    dry_run: Annotated[
        bool, typer.Option("--dry-run", help="Show what would be written, write nothing.")
    ] = False,
    edit: Annotated[
        bool, typer.Option("--edit", help="A known id with other text edits that message.")
    ] = False,
) -> int:
    """Take the messages of conversation logs."""
    from forms_dynamics.replay.logs import BadLine, read_logs

    missing = [name for name in logs if name != "-" and not Path(name).is_file()]
    if missing:
        raise typer.BadParameter(f"no such file: {', '.join(missing)}", param_hint="FILE...")
    tally = Tally(call.as_json)
    with call.memory(create=True) as memory:
        for outcome in _outcomes(memory, read_logs(logs, conversation, tally.skipped), dry_run, edit):
            if isinstance(outcome, BadLine):
                tally.bad(outcome)
            else:
                tally.take(outcome)
        tally.close(memory)
    waits = tell_waiting(sum(tally.waiting.values()), call.as_json)
    return 1 if tally.problems else waits


def record(
    call: Call,
    form_type: Annotated[str, typer.Argument(help="Which Form type.")],
    pairs: Annotated[
        list[str] | None, typer.Argument(metavar="[SLOT=VALUE]...", help="company=海蓝电子")
    ] = None,
    *,
    slots: Annotated[
        str | None, typer.Option("--slots", metavar="JSON", help="Slots as one JSON object; - reads stdin.")
    ] = None,
    source: Annotated[
        Literal["tool", "import", "user"], typer.Option("--source", help="Whose word.")
    ] = "import",
    external_id: Annotated[str | None, typer.Option("--external-id", help="Its id elsewhere.")] = None,
    conversation: Annotated[str, typer.Option("--conversation")] = "default",
    time: Annotated[str | None, typer.Option("--time", help="When it was so (ISO 8601).")] = None,
    speaker: Annotated[
        str | None, typer.Option("--speaker", help="Of whom it is, where identity has $speaker.")
    ] = None,
) -> int:
    """Store a record that is already structured."""
    values = _given_slots(pairs or [], slots)
    with call.memory(create=True) as memory:
        receipt = memory.record(
            form_type, values, source=source, external_id=external_id, conversation=conversation, time=time,
            speaker=speaker,
        )  # fmt: skip
        return tell_receipt(call, memory, receipt)


def work(
    call: Call,
    *,
    limit: Annotated[int | None, typer.Option("--limit", min=1, help="At most so many messages.")] = None,
) -> int:
    """Take messages that wait in the queue."""
    with call.memory() as memory:
        taken = memory.work(limit=limit)
        waiting = memory.health(user=call.user).waiting
    if call.as_json:
        from forms_dynamics.cli.speech import put_json

        put_json({"taken": taken, **({"waiting": waiting} if waiting else {})})
    else:
        from forms_dynamics.cli.show import Paper

        print(f"{taken} queued message{'' if taken == 1 else 's'} taken")
        Paper().waits(waiting)
    if limit is not None and taken >= limit:  # what is left was not tried
        return 0
    return tell_waiting(sum(waiting.values()), call.as_json)


def tell_waiting(number: int, as_json: bool) -> int:
    """Says on stderr that messages wait in the queue; exit code 3 then, else 0."""
    if not number:
        return 0
    from forms_dynamics.cli.speech import say_error

    waits = "1 message waits" if number == 1 else f"{number:,} messages wait"
    told = f"{waits} in the queue: nothing is lost, but the model or extractor could not be asked"
    return say_error("waiting", told, 3, as_json, hint="forms-dynamics work takes what waits")


def tell_receipt(call: Call, memory: Memory, receipt: Receipt) -> int:
    """Shows what an act did; refused is exit code 1."""
    if call.as_json:
        from forms_dynamics.cli.speech import put_json

        put_json(receipt)
    else:
        from forms_dynamics.cli.show import Paper

        Paper().receipt(memory, receipt)
    return 1 if receipt.state == "refused" else 0


class Tally:
    """Counts what became of every line, and tells it: receipts on stdout, problems and progress on stderr."""

    def __init__(self, as_json: bool) -> None:
        self.as_json = as_json
        self.counts: dict[str, int] = {}
        self.problems = 0
        self.skipped: Counter[str] = Counter()
        self.pending: list[str] = []
        self.waiting: Counter[str] = Counter()
        self._progress = Progress("messages")

    def take(self, receipt: Receipt) -> None:
        state: str = receipt.state
        if receipt.duplicate:
            state = "known already"
        elif state == "stored" and not (
            receipt.forms or receipt.versions or receipt.pending or receipt.edges
        ):
            state = "nothing to remember"
        self.counts[state] = self.counts.get(state, 0) + 1
        self.pending.extend(receipt.pending)
        if receipt.state == "queued":
            self.waiting[receipt.waiting or ""] += 1
        if self.as_json:
            from forms_dynamics.cli.speech import put_json_lines

            put_json_lines([receipt])
        self._progress.step()

    def bad(self, line: BadLine) -> None:
        self.problems += 1
        self._progress.clear()
        if self.as_json:
            from forms_dynamics.cli.speech import say_error

            say_error("bad_line", str(line), 1, True)
        else:
            from forms_dynamics.cli.speech import say

            say(str(line))

    def close(self, memory: Memory) -> None:
        self._progress.clear()
        skipped = dict(self.skipped.most_common())
        if self.as_json:
            if skipped:  # stdout holds receipts only
                from forms_dynamics.cli.speech import say

                say(json.dumps({"skipped": skipped}, ensure_ascii=False))
            return
        from forms_dynamics.cli.show import Paper

        Paper().tally(
            self.counts, self.problems, skipped, memory, self.pending, dict(self.waiting.most_common())
        )


def _outcomes(memory: Memory, lines: Iterator[Line | BadLine], dry_run: bool, edit: bool) -> Iterator[Any]:
    """A receipt for each line, or the BadLine that says why it was not taken."""
    from forms_dynamics.errors import Conflict, InvalidInput
    from forms_dynamics.replay.logs import BadLine

    for batch in _batches(lines):
        if isinstance(batch, BadLine):
            yield batch
            continue
        user = batch[0].user
        owner = memory if user is None else memory.scoped(user=user)
        if not (dry_run or edit):
            for line, receipt in zip(
                batch, owner.observe_many([line.message for line in batch]), strict=True
            ):
                yield _not_taken(line, receipt) or receipt
            continue
        for line in batch:
            try:
                yield owner.observe(**line.message, dry_run=dry_run, edit=edit)
            except (InvalidInput, Conflict) as refused:
                yield BadLine(line.place, str(refused))


def _not_taken(line: Line, receipt: Receipt) -> BadLine | None:
    """A message that was refused as a whole (no Form type is named), told like any other bad line."""
    from forms_dynamics.replay.logs import BadLine

    whole = [refusal.reason for refusal in receipt.refused if not refusal.form_type]
    return BadLine(line.place, "; ".join(whole)) if receipt.state == "refused" and whole else None


def _batches(lines: Iterator[Line | BadLine]) -> Iterator[list[Line] | BadLine]:
    """Runs of lines of one owner, at most ``BATCH`` long, with bad lines between them in their place."""
    from forms_dynamics.replay.logs import BadLine

    def key(line: Line | BadLine) -> tuple[bool, str | None]:
        return (True, None) if isinstance(line, BadLine) else (False, line.user)

    for (is_bad, _), run in groupby(lines, key):
        if is_bad:
            yield from run  # type: ignore[misc]
            continue
        while batch := list(islice(run, BATCH)):
            yield batch  # type: ignore[misc]


def _given_slots(pairs: list[str], document: str | None) -> dict[str, Any]:
    values: dict[str, Any] = {}
    if document is not None:
        text = sys.stdin.buffer.read().decode("utf-8-sig") if document == "-" else document
        try:
            read = json.loads(text)
        except ValueError as wrong:
            raise typer.BadParameter(f"is no JSON: {wrong}", param_hint="--slots") from None
        if not isinstance(read, dict):
            raise typer.BadParameter(
                'must be an object such as {"company": "海蓝电子"}', param_hint="--slots"
            )
        values.update(read)
    for pair in pairs:
        name, equals, value = pair.partition("=")
        if not equals:
            raise typer.BadParameter(f"{pair!r} is not SLOT=VALUE", param_hint="SLOT=VALUE")
        values[name.strip()] = value
    if not values:
        raise typer.BadParameter("give SLOT=VALUE or --slots", param_hint="SLOT=VALUE")
    return values
