"""Raw drafts, kept: what an extractor gave for each message of a log, before the gate; and the file of them.

A recording is one file of JSON Lines: a header (what the drafts depend on), a line a message in the order of the log
(the message as the log has it, its labels, its drafts, what it cost), and an end that counts and digests the lines
before it. It holds all that a replay needs, so it can be handed on; it holds what was said, so it is as private as
the log. Messages that the log no longer has stand aside, not played and not lost.
"""

from __future__ import annotations

import hashlib
import json
import os
from collections.abc import Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path
from typing import IO, Any, NamedTuple

from forms_dynamics.errors import ExtractorUnavailable, InvalidInput
from forms_dynamics.model.message import NO_COST, Cost, Draft, Proposal
from forms_dynamics.replay.clock import START
from forms_dynamics.replay.drafts import packed, unpacked
from forms_dynamics.replay.fingerprints import Fingerprints

FORMAT = 1
END, ASIDE = b'{"end"', b'{"aside"'
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
    verifies: bool = False  # the extractor compared its drafts with the message by itself

    @classmethod
    def open(cls, file: str | Path) -> Recording:
        """InvalidInput where the file is none, or is not complete."""
        path = Path(file)
        head, count, digest, end = None, 0, hashlib.sha256(), None
        for number, raw in lines_of(path):
            if number == 1:
                head = header_of(path, raw)
            elif raw.startswith(END):
                with suppress(ValueError):  # it was cut short
                    end = json.loads(raw)["end"]
            elif not raw.startswith(ASIDE):
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
            head["verifies"],
        )  # fmt: skip

    def raws(self) -> Iterator[Raw]:
        """The messages in the order of the log."""
        for number, raw in lines_of(self.file):
            if number > 1 and not raw.startswith((END, ASIDE)):
                yield raw_of(self.file, number, raw)


def is_recording(file: str | Path) -> bool:
    """Whether a file begins as recordings do, whole or not."""
    with open(file, "rb") as lines:
        return lines.readline(64).startswith(b'{"recording":')


def key_of(message: Mapping[str, Any]) -> Key:
    """Which message of a log it is."""
    return str(message.get("user") or ""), str(message["id"])


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


def told(message: Mapping[str, Any]) -> dict[str, Any]:
    """What a recording keeps of a message of the log."""
    out = {name: message[name] for name in _TOLD if message.get(name) is not None}
    if isinstance(out.get("time"), datetime):
        out["time"] = out["time"].isoformat()
    return out


def json_line(row: Any) -> bytes:
    return json.dumps(row, ensure_ascii=False, separators=(",", ":")).encode("utf-8", "surrogatepass") + b"\n"


def line_of(raw: Raw, aside: bool = False) -> bytes:
    row: dict[str, Any] = {"aside": True} if aside else {}
    row["message"] = raw.message
    if raw.expect is not None:
        row["expect"] = raw.expect
    if raw.failed is not None:
        row["failed"] = raw.failed
    else:
        row["looks"] = [packed(drafts) for drafts in raw.looks]
    cost = raw.cost
    if cost.model_calls or cost.tokens_in or cost.tokens_out:
        row["cost"] = [cost.model_calls, cost.tokens_in, cost.tokens_out]
    return json_line(row)


def raw_of(file: Path, number: int, line: bytes) -> Raw:
    try:
        row = json.loads(line.decode("utf-8", "surrogatepass"))
        looks = tuple(unpacked(look) for look in row.get("looks", ()))
        return Raw(row["message"], looks, Cost(*row.get("cost", ())), row.get("failed"), row.get("expect"))
    except (KeyError, TypeError, ValueError, AttributeError) as wrong:
        raise InvalidInput(f"{file}, line {number}: is no line of a recording ({wrong})") from None


def header_of(file: Path, line: bytes) -> dict[str, Any]:
    try:
        head = json.loads(line)
        version = head["recording"]
    except (ValueError, KeyError, TypeError):
        raise InvalidInput(f"{file} is no recording: its first line is not a recording's header") from None
    if version != FORMAT:
        raise InvalidInput(f"{file} is a recording of format {version}; this release reads format {FORMAT}")
    found: dict[str, Any] = head
    return found


def lines_of(file: Path, torn: bool = False) -> Iterator[tuple[int, bytes]]:
    """The lines with their numbers. ``torn``: the last one may be cut short, and counts for nothing then."""
    try:
        with file.open("rb") as lines:
            for number, line in enumerate(lines, 1):
                if torn and not line.endswith(b"\n"):
                    return
                yield number, line
    except FileNotFoundError:
        raise InvalidInput(f"no recording at {file}") from None


class replacing:
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


__all__ = [
    "ASIDE", "END", "FORMAT", "Key", "Raw", "Recording", "header_of", "is_recording", "json_line", "key_of",
    "line_of", "lines_of", "played", "raw_of", "replacing", "told",
]  # fmt: skip
