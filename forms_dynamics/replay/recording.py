"""The making of a recording: an extractor reads a log once, and whatever stops it, the same call goes on.

While it is made, lines are kept in ``FILE.part`` as soon as a message was read, and what a model replied in
``FILE.working``: nothing is read or paid for twice.
"""

from __future__ import annotations

import hashlib
import json
import os
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from dataclasses import replace
from datetime import datetime
from pathlib import Path
from typing import IO, Any, NamedTuple

from forms_dynamics.errors import Conflict, ExtractorUnavailable, InvalidInput, reason
from forms_dynamics.model.form import Form
from forms_dynamics.model.message import NO_COST, Cost, Message, Proposal
from forms_dynamics.ports import Extractor
from forms_dynamics.replay.clock import START, LogClock, first_time
from forms_dynamics.replay.fingerprints import Fingerprints, changes, fingerprints
from forms_dynamics.replay.raws import (
    END,
    FORMAT,
    Key,
    Raw,
    Recording,
    header_of,
    json_line,
    key_of,
    line_of,
    lines_of,
    played,
    raw_of,
    replacing,
    told,
)
from forms_dynamics.settings import Settings

TWICE = "is in the log twice"
_IN_A_ROW = 5  # messages that fail one after another: the model is away, and the others would fail as well


class Progress(NamedTuple):
    """How far the making of a recording is. ``cost``: of this call, not of an earlier one that was stopped."""

    done: int
    of: int
    cost: Cost


def record(
    messages: Iterable[Mapping[str, Any]],
    file: str | Path,
    *,
    form_types: Sequence[str | Path] | None = None,
    relation_rules: Sequence[str | Path] | None = None,
    extractor: Any = None,
    settings: Any = None,
    progress: Callable[[Progress], None] | None = None,
) -> Recording:
    """The recording of a log in ``file``: made, gone on with, or, where it is there and nothing has changed,
    opened.

    ``messages``: in the log format, ``expect`` with them. What was recorded of a message with the same words
    stays; new labels and new messages come to it. A reader's cost is bounded by ``settings.cost_cap``, here
    of the whole call.

    Raises InvalidInput where the recording is stale (it says what has changed; nothing is overwritten),
    Conflict where another process is making it, and ExtractorUnavailable where the model is away or the cap
    is reached; what was read until then is kept.
    """
    return _Recorder(Path(file), form_types, relation_rules, extractor, settings, progress).run(
        list(messages)
    )


class _Stop(BaseException):
    """Ends a recording from inside an extractor; what is caught there is an Exception."""


class _Recorder:
    def __init__(
        self,
        file: Path,
        form_types: Sequence[str | Path] | None,
        relation_rules: Sequence[str | Path] | None,
        extractor: Any,
        settings: Any,
        progress: Callable[[Progress], None] | None,
    ) -> None:
        from forms_dynamics.extractors import chosen_extractor
        from forms_dynamics.schema.load import load_catalog

        self._file = file
        self._part = file.with_name(f"{file.name}.part")
        self._working = file.with_name(f"{file.name}.working")
        self._types = (form_types, relation_rules)
        self._settings = Settings.read(settings)
        catalog = load_catalog(form_types, relation_rules)
        self._extractor = chosen_extractor(extractor, catalog, self._settings)
        self._prints = json.loads(json.dumps(fingerprints(catalog, self._extractor, self._settings)))
        self._progress = progress or (lambda _: None)

    def run(self, messages: Sequence[Mapping[str, Any]]) -> Recording:
        with _alone(self._file):
            return self._run(messages)

    def _run(self, messages: Sequence[Mapping[str, Any]]) -> Recording:
        before, refused = self._kept()
        kept = dict(before)
        wanted, skipped = _distinct(messages)
        for key in [k for k in wanted if k not in kept and k[1] in refused]:
            skipped.append((key[1], refused[key[1]]))
            del wanted[key]
        if self._part.exists() or any(not self._same(kept.get(key), m) for key, m in wanted.items()):
            kept = self._read(
                wanted, {k: raw for k, raw in kept.items() if self._same(raw, wanted.get(k))}, skipped
            )
        raws = [kept[key]._replace(expect=m.get("expect")) for key, m in wanted.items() if key in kept]
        self._write(raws, [raw for key, raw in {**before, **kept}.items() if key not in wanted], skipped)
        for leftover in (self._part, *(Path(f"{self._working}{end}") for end in ("", "-wal", "-shm"))):
            leftover.unlink(missing_ok=True)
        return Recording.open(self._file)

    @staticmethod
    def _same(raw: Raw | None, message: Mapping[str, Any] | None) -> bool:
        """Whether what was recorded is still of this message."""
        if raw is None or message is None or raw.failed is not None:
            return False
        return told(raw.message) == told(message)

    # -- what is there ---------------------------------------------------------------------------------------
    def _kept(self) -> tuple[dict[Key, Raw], dict[str, str]]:
        """What earlier calls recorded; and by id, why a message could not be taken."""
        kept: dict[Key, Raw] = {}
        refused: dict[str, str] = {}
        for file in (self._file, self._part):
            if not file.exists():
                continue
            for number, line in lines_of(file, torn=file == self._part):
                if number == 1:
                    head = header_of(file, line)
                    self._check(file, head["fingerprints"])
                    refused.update(head["skipped"])
                elif not line.startswith(END):
                    raw = raw_of(file, number, line)
                    kept[raw.key] = raw
        return kept, refused

    def _check(self, file: Path, then: Fingerprints) -> None:
        if changed := changes(then, self._prints):
            raise InvalidInput(
                f"{file} is stale: {'; '.join(changed)}. Name another file to record anew, or delete this one"
            )

    # -- reading ---------------------------------------------------------------------------------------------
    def _read(
        self, wanted: Mapping[Key, Mapping[str, Any]], kept: dict[Key, Raw], skipped: list[tuple[str, str]]
    ) -> dict[Key, Raw]:
        """Lets the extractor read what is not recorded yet, inside a memory that takes the whole log."""
        from forms_dynamics.memory import Memory

        zone = self._settings.zone
        clock = LogClock(first_time(wanted.values(), zone), zone)
        self._begin_part(kept)
        self._drop_working_unless(kept)
        with self._part.open("ab", buffering=0) as lines:
            reader = _Reader(self._extractor, wanted, kept, lines, self._settings.cost_cap, self._progress)
            with Memory.open(
                self._working,
                form_types=self._types[0],
                relation_rules=self._types[1],
                extractor=reader if hasattr(self._extractor, "ahead") else _WithoutAhead(reader),
                settings=self._settings.model_copy(update={"cost_cap": None}),
                clock=clock,
            ) as memory:
                try:
                    receipts = memory.observe_many(clock.told(wanted.values()))
                except _Stop as stopped:
                    read = sum(raw.failed is None for raw in reader.kept.values())
                    raise ExtractorUnavailable(
                        f"{stopped}; {read:,} of {len(wanted):,} messages are recorded, the same call goes on from "
                        "there",
                        cost=reader.cost,
                    ) from None
                finally:
                    give_up = getattr(self._extractor, "abandon", None)
                    if (
                        give_up is not None
                    ):  # what is under way is paid for: it is kept before the store is closed
                        give_up()
        for (key, message), receipt in zip(wanted.items(), receipts, strict=True):
            if key not in reader.kept:
                why = "; ".join(r.reason for r in receipt.refused if not r.form_type) or "was not read"
                skipped.append((str(message["id"]), why))
        return reader.kept

    def _begin_part(self, kept: Mapping[Key, Raw]) -> None:
        """The lines so far, whole, in a file to which more can be added."""
        with replacing(self._part) as out:
            out.write(self._header_line((), START))
            for raw in kept.values():
                out.write(line_of(raw))

    def _drop_working_unless(self, kept: Mapping[Key, Raw]) -> None:
        """A store that knows a message whose drafts are lost would never read it again."""
        from forms_dynamics.memory import Memory

        if not self._working.exists():
            return
        known: set[Key] = set()
        with (
            suppress(Exception),
            Memory.open(self._working, form_types=self._types[0], read_only=True) as memory,
        ):
            known = {
                (row.get("user") or "", row["id"]) for row in memory.export() if row.get("kind") == "message"
            }
            if known <= kept.keys():
                return
        for end in ("", "-wal", "-shm"):
            Path(f"{self._working}{end}").unlink(missing_ok=True)

    # -- writing ---------------------------------------------------------------------------------------------
    def _header_line(self, skipped: Sequence[tuple[str, str]], begins: datetime) -> bytes:
        return json_line(
            {
                "recording": FORMAT, "fingerprints": self._prints, "skipped": [list(one) for one in skipped],
                "begins": begins.isoformat(),
                "verifies": bool(getattr(self._extractor, "verifies", False)),
            }
        )  # fmt: skip

    def _write(self, raws: Sequence[Raw], aside: Sequence[Raw], skipped: Sequence[tuple[str, str]]) -> None:
        """Puts the whole recording in its place at once. ``aside``: messages that this log lacks; they are not
        played, but what was paid for them stays.
        """
        lines = [line_of(raw) for raw in raws]
        digest = hashlib.sha256()
        cost = NO_COST
        for line, raw in zip(lines, raws, strict=True):
            digest.update(line)
            cost += raw.cost
        end = {
            "messages": len(raws), "digest": digest.hexdigest(), "failed": sum(r.failed is not None for r in raws),
            "cost": [cost.model_calls, cost.tokens_in, cost.tokens_out],
        }  # fmt: skip
        with replacing(self._file) as out:
            begins = first_time((raw.message for raw in raws), self._settings.zone)
            out.write(self._header_line(skipped, begins))
            out.writelines(lines)
            out.writelines(line_of(raw, aside=True) for raw in aside)
            out.write(json_line({"end": end}))


class _Reader:
    """Reads for a memory, and keeps what it read. Implements ``ports.Extractor``."""

    def __init__(
        self,
        inner: Extractor,
        wanted: Mapping[Key, Mapping[str, Any]],
        kept: dict[Key, Raw],
        lines: IO[bytes],
        cap: int | None,
        progress: Callable[[Progress], None],
    ) -> None:
        self._inner = inner
        self._wanted = wanted
        self.kept = kept
        self.cost = NO_COST
        self.verifies = getattr(inner, "verifies", False)
        self._before = dict(kept)  # from an earlier call
        self._served: dict[Key, int] = {}
        self._lines = lines
        self._cap = cap
        self._progress = progress
        self._failures = 0

    def extract(self, message: Message, known: Sequence[Form] = ()) -> Proposal:
        key = (message.user or "", message.id)
        if key in self._before:
            return played(self._before[key], self._served, key)
        if self._cap is not None and self.cost.tokens_in + self.cost.tokens_out >= self._cap:
            raise _Stop(f"the cost cap of {self._cap} tokens is reached")
        try:
            proposal = self._inner.extract(message, known)
        except Exception as failed:
            self._fail(key, failed)
            raise
        self._failures = 0
        self.cost += replace(proposal.cost, tiers={})
        before = self.kept.get(key)
        if before is None or before.failed is not None:
            raw = Raw(told(self._wanted[key]), (tuple(proposal.drafts),), proposal.cost)
        else:
            raw = before._replace(
                looks=(*before.looks, tuple(proposal.drafts)), cost=before.cost + proposal.cost
            )
        self._keep(key, raw)
        return proposal

    def ahead(self, pairs: Sequence[tuple[Message, Sequence[Form]]]) -> None:
        """Begins the calls of what is to be read, as far as the cap goes."""
        fresh = [(m, known) for m, known in pairs if (m.user or "", m.id) not in self._before]
        if fresh and self._cap is None:
            self._inner.ahead(fresh)  # type: ignore[attr-defined]

    def _fail(self, key: Key, failed: Exception) -> None:
        cost = getattr(failed, "cost", None)
        if isinstance(cost, Cost):
            self.cost += replace(cost, tiers={})
        if key not in self.kept:  # a second look that fails leaves the first
            self._keep(key, Raw(told(self._wanted[key]), failed=reason(failed)))
        self._failures += 1
        if self._failures >= _IN_A_ROW:
            raise _Stop(f"{_IN_A_ROW} messages in a row could not be read: {reason(failed)}") from None

    def _keep(self, key: Key, raw: Raw) -> None:
        self.kept[key] = raw
        self._lines.write(line_of(raw))
        if raw.cost.model_calls:  # what was paid for outlives the machine, too; the rest, the process
            os.fsync(self._lines.fileno())
        self._progress(Progress(len(self.kept), len(self._wanted), self.cost))


class _WithoutAhead:
    """A reader of an extractor that begins nothing ahead."""

    def __init__(self, reader: _Reader) -> None:
        self._reader = reader
        self.verifies = reader.verifies

    def extract(self, message: Message, known: Sequence[Form] = ()) -> Proposal:
        return self._reader.extract(message, known)


@contextmanager
def _alone(file: Path) -> Iterator[None]:
    """Only one process at a time makes a recording; the lock ends with the process, however that ends."""
    try:
        import fcntl
    except ImportError:  # not on Windows
        yield
        return
    lock = file.with_name(f"{file.name}.lock")
    with lock.open("wb") as held:
        try:
            fcntl.flock(held, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except OSError:
            raise Conflict(f"another process is making {file}: wait until it is done") from None
        try:
            yield
        finally:
            lock.unlink(missing_ok=True)


def _distinct(
    messages: Sequence[Mapping[str, Any]],
) -> tuple[dict[Key, Mapping[str, Any]], list[tuple[str, str]]]:
    """The messages by key, each once. A key that comes again with the same words is the same message."""
    wanted: dict[Key, Mapping[str, Any]] = {}
    skipped: list[tuple[str, str]] = []
    for number, message in enumerate(messages, 1):
        if message.get("id") is None:
            message = {**message, "id": f"m{number}"}
        key = key_of(message)
        if key not in wanted:
            wanted[key] = message
        elif message.get("text") != wanted[key].get("text"):
            skipped.append((key[1], "its id is that of an earlier message with other words"))
        else:
            skipped.append((key[1], TWICE))
    return wanted, skipped


__all__ = ["TWICE", "Progress", "Recording", "record"]
