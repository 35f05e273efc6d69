"""Raw drafts, kept: what an extractor gave for each message of a log, before the gate.

A recording is one file of JSON Lines: a header (what the drafts depend on), a line a message in the order of
the log (the message as the log has it, its labels, its drafts, what it cost), and an end that counts and
digests the lines before it. It holds all that a replay needs, so it can be handed on; it holds what was said,
so it is as private as the log.

While it is made, lines are kept in ``FILE.part`` as soon as a message was read, and what a model replied in
``FILE.working``: whatever stops the making, the same call goes on where it was and pays nothing twice.
"""

from __future__ import annotations

import hashlib
import json
import os
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from datetime import datetime
from pathlib import Path
from typing import IO, Any, NamedTuple

from forms_dynamics.errors import ExtractorUnavailable, InvalidInput, reason
from forms_dynamics.model.form import Form
from forms_dynamics.model.message import NO_COST, Cost, Draft, Message, Proposal
from forms_dynamics.ports import Extractor
from forms_dynamics.replay.clock import START, LogClock, first_time
from forms_dynamics.replay.drafts import packed, unpacked
from forms_dynamics.replay.fingerprints import Fingerprints, changes, fingerprints
from forms_dynamics.settings import Settings

FORMAT = 1
_IN_A_ROW = 5  # messages that fail one after another: the model is away, and the others would fail as well
_TOLD = ("id", "conversation", "speaker", "role", "user", "text", "time")

Key = tuple[str, str]  # user ("" for none), message id


class Raw(NamedTuple):
    """One message with what was read from it. ``looks``: the drafts, then those of a second look where the first
    disagreed with the message. ``failed``: why nothing could be read.
    """

    message: Mapping[str, Any]
    looks: tuple[tuple[Draft, ...], ...] = ()
    cost: Cost = NO_COST
    failed: str | None = None
    expect: Mapping[str, Any] | None = None

    @property
    def key(self) -> Key:
        return key_of(self.message)


class Progress(NamedTuple):
    """How far the making of a recording is. ``cost``: of this call, not of an earlier one that was stopped."""

    done: int
    of: int
    cost: Cost


@dataclass(frozen=True)
class Recording:
    """A complete recording. ``skipped``: messages of the log that are not in it, with the reason."""

    file: Path
    fingerprints: Fingerprints
    messages: int
    digest: str
    cost: Cost = NO_COST
    failed: int = 0
    skipped: Sequence[tuple[str, str]] = ()
    begins: datetime = START  # the first time that the log tells

    @classmethod
    def open(cls, file: str | Path) -> Recording:
        """InvalidInput where the file is none, or is not complete."""
        path = Path(file)
        head, count, digest, end = None, 0, hashlib.sha256(), None
        for number, raw in _lines(path):
            if number == 1:
                head = _header(path, raw)
            elif raw[:6] == b'{"end"':
                end = json.loads(raw)["end"]
            else:
                count += 1
                digest.update(raw)
        if head is None or end is None:
            raise InvalidInput(
                f"{path} is no complete recording: make it again with the log, it goes on where it was"
            )
        if end["messages"] != count or end["digest"] != digest.hexdigest():
            raise InvalidInput(f"{path} was changed after it was made: record again")
        return cls(
            path, head["fingerprints"], count, end["digest"][:16], Cost(*end["cost"]), end["failed"],
            tuple((id, why) for id, why in head["skipped"]), datetime.fromisoformat(head["begins"]),
        )  # fmt: skip

    def raws(self) -> Iterator[Raw]:
        """The messages in the order of the log."""
        for number, raw in _lines(self.file):
            if number > 1 and raw[:6] != b'{"end"':
                yield _raw(self.file, number, raw)


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

    Raises InvalidInput where the recording is stale (it says what has changed; nothing is overwritten) and
    ExtractorUnavailable where the model is away or the cap is reached; what was read until then is kept.
    """
    return _Recorder(Path(file), form_types, relation_rules, extractor, settings, progress).run(
        list(messages)
    )


def is_recording(file: str | Path) -> bool:
    """Whether a file begins as recordings do, whole or not."""
    with open(file, "rb") as lines:
        return lines.readline(64).startswith(b'{"recording":')


def key_of(message: Mapping[str, Any]) -> Key:
    """Which message of a log it is."""
    return str(message.get("user") or ""), str(message["id"])


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
        kept, refused = self._kept()
        wanted, skipped = _distinct(messages)
        for key in [k for k in wanted if k not in kept and k[1] in refused]:
            skipped.append((key[1], refused[key[1]]))
            del wanted[key]
        if self._part.exists() or any(not self._same(kept.get(key), m) for key, m in wanted.items()):
            kept = self._read(
                wanted, {k: raw for k, raw in kept.items() if self._same(raw, wanted.get(k))}, skipped
            )
        raws = [kept[key]._replace(expect=m.get("expect")) for key, m in wanted.items() if key in kept]
        self._write(raws, skipped)
        for leftover in (self._part, *(Path(f"{self._working}{end}") for end in ("", "-wal", "-shm"))):
            leftover.unlink(missing_ok=True)
        return Recording.open(self._file)

    @staticmethod
    def _same(raw: Raw | None, message: Mapping[str, Any] | None) -> bool:
        """Whether what was recorded is still of this message."""
        if raw is None or message is None or raw.failed is not None:
            return False
        return _told(raw.message) == _told(message)

    # -- what is there ---------------------------------------------------------------------------------------
    def _kept(self) -> tuple[dict[Key, Raw], dict[str, str]]:
        """What earlier calls recorded; and by id, why a message could not be taken."""
        kept: dict[Key, Raw] = {}
        refused: dict[str, str] = {}
        for file in (self._file, self._part):
            if not file.exists():
                continue
            for number, line in _lines(file, torn=file == self._part):
                if number == 1:
                    head = _header(file, line)
                    self._check(file, head["fingerprints"])
                    refused.update(head["skipped"])
                elif line[:6] != b'{"end"':
                    raw = _raw(file, number, line)
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
                    raise ExtractorUnavailable(
                        f"{stopped}; {len(reader.kept):,} of {len(wanted):,} messages are recorded, the same call "
                        f"goes on from there",
                        cost=reader.cost,
                    ) from None
        for (key, message), receipt in zip(wanted.items(), receipts, strict=True):
            if key not in reader.kept:
                why = "; ".join(r.reason for r in receipt.refused if not r.form_type) or "was not read"
                skipped.append((str(message["id"]), why))
        return reader.kept

    def _begin_part(self, kept: Mapping[Key, Raw]) -> None:
        """The lines so far, whole, in a file to which more can be added."""
        with _replacing(self._part) as out:
            out.write(self._header_line((), START))
            for raw in kept.values():
                out.write(_line(raw))

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
        return _json(
            {
                "recording": FORMAT, "fingerprints": self._prints, "skipped": [list(one) for one in skipped],
                "begins": begins.isoformat(),
            }
        )  # fmt: skip

    def _write(self, raws: Sequence[Raw], skipped: Sequence[tuple[str, str]]) -> None:
        """Puts the whole recording in its place at once."""
        lines = [_line(raw) for raw in raws]
        digest = hashlib.sha256()
        cost = NO_COST
        for line, raw in zip(lines, raws, strict=True):
            digest.update(line)
            cost += raw.cost
        end = {
            "messages": len(raws), "digest": digest.hexdigest(), "failed": sum(r.failed is not None for r in raws),
            "cost": [cost.model_calls, cost.tokens_in, cost.tokens_out],
        }  # fmt: skip
        with _replacing(self._file) as out:
            begins = first_time((raw.message for raw in raws), self._settings.zone)
            out.write(self._header_line(skipped, begins))
            out.writelines(lines)
            out.write(_json({"end": end}))


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
            raw = Raw(_told(self._wanted[key]), (tuple(proposal.drafts),), proposal.cost)
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
            self._keep(key, Raw(_told(self._wanted[key]), failed=reason(failed)))
        self._failures += 1
        if self._failures >= _IN_A_ROW:
            raise _Stop(f"{_IN_A_ROW} messages in a row could not be read: {reason(failed)}") from None

    def _keep(self, key: Key, raw: Raw) -> None:
        self.kept[key] = raw
        self._lines.write(_line(raw))
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


def played(raw: Raw, served: dict[Key, int], key: Key) -> Proposal:
    """What the recording has for a message: its drafts; asked again, those of the second look, if there are any.
    Raises ExtractorUnavailable where nothing could be read then.
    """
    if raw.failed is not None:
        raise ExtractorUnavailable(raw.failed)
    look = served.get(key, 0)
    served[key] = look + 1
    drafts = raw.looks[min(look, len(raw.looks) - 1)] if raw.looks else ()
    return Proposal(drafts, raw.cost if look == 0 else NO_COST)


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
            skipped.append((key[1], "is in the log twice"))
    return wanted, skipped


def _told(message: Mapping[str, Any]) -> dict[str, Any]:
    """What a recording keeps of a message of the log."""
    out = {name: message[name] for name in _TOLD if message.get(name) is not None}
    if isinstance(out.get("time"), datetime):
        out["time"] = out["time"].isoformat()
    return out


# -- lines ---------------------------------------------------------------------------------------------------
def _json(row: Any) -> bytes:
    return json.dumps(row, ensure_ascii=False, separators=(",", ":")).encode("utf-8", "surrogatepass") + b"\n"


def _line(raw: Raw) -> bytes:
    row: dict[str, Any] = {"message": raw.message}
    if raw.expect is not None:
        row["expect"] = raw.expect
    if raw.failed is not None:
        row["failed"] = raw.failed
    else:
        row["looks"] = [packed(drafts) for drafts in raw.looks]
    cost = raw.cost
    if cost.model_calls or cost.tokens_in or cost.tokens_out:
        row["cost"] = [cost.model_calls, cost.tokens_in, cost.tokens_out]
    return _json(row)


def _raw(file: Path, number: int, line: bytes) -> Raw:
    try:
        row = json.loads(line.decode("utf-8", "surrogatepass"))
        looks = tuple(unpacked(look) for look in row.get("looks", ()))
        return Raw(row["message"], looks, Cost(*row.get("cost", ())), row.get("failed"), row.get("expect"))
    except (KeyError, TypeError, ValueError, AttributeError) as wrong:
        raise InvalidInput(f"{file}, line {number}: is no line of a recording ({wrong})") from None


def _header(file: Path, line: bytes) -> dict[str, Any]:
    try:
        head = json.loads(line)
        version = head["recording"]
    except (ValueError, KeyError, TypeError):
        raise InvalidInput(f"{file} is no recording: its first line is not a recording's header") from None
    if version != FORMAT:
        raise InvalidInput(f"{file} is a recording of format {version}; this release reads format {FORMAT}")
    found: dict[str, Any] = head
    return found


def _lines(file: Path, torn: bool = False) -> Iterator[tuple[int, bytes]]:
    """The lines with their numbers. ``torn``: the last one may be cut short, and counts for nothing then."""
    try:
        with file.open("rb") as lines:
            for number, line in enumerate(lines, 1):
                if torn and not line.endswith(b"\n"):
                    return
                yield number, line
    except FileNotFoundError:
        raise InvalidInput(f"no recording at {file}") from None


class _replacing:
    """A file that takes another's place when it is whole."""

    def __init__(self, file: Path) -> None:
        self._file = file
        self._new = file.with_name(f"{file.name}.new")

    def __enter__(self) -> IO[bytes]:
        self._out = self._new.open("wb")
        return self._out

    def __exit__(self, kind: Any, *_: object) -> None:
        self._out.flush()
        os.fsync(self._out.fileno())
        self._out.close()
        if kind is None:
            os.replace(self._new, self._file)
        else:
            self._new.unlink(missing_ok=True)


__all__ = ["FORMAT", "Key", "Progress", "Raw", "Recording", "is_recording", "key_of", "played", "record"]
