"""The file of a run: JSON Lines, a header with its settings and counts, then a line a turn; what is read back is
equal to what was written."""

from __future__ import annotations

import json
import os
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any, get_args

from forms_dynamics.errors import InvalidInput
from forms_dynamics.replay.values import Asked, Counts, Fact, Run, Truth, Turn

FORMAT = 1
_AGAIN = "play it again and write it anew"


def write_run(run: Run, file: str | Path) -> None:
    """Puts the run in ``file``, whole or not at all; what stood there is replaced. InvalidInput where the folder is
    missing or settings hold what JSON cannot."""
    path = Path(file)
    head = {
        "run": FORMAT,
        "settings": dict(run.settings),
        "recording": run.recording,
        "truth": run.truth,
        "seconds": run.seconds,
        "turns": len(run.turns),
        "counts": Counts._fields,
        "by_conversation": {name: list(counts) for name, counts in run.by_conversation.items()},
    }
    _check_settings(run.settings)
    new = path.with_name(f"{path.name}.new")
    try:
        with new.open("w", encoding="utf-8", newline="\n") as out:
            for line in _rows(head, run.turns):
                out.write(line)
            out.flush()
            os.fsync(out.fileno())
        os.replace(new, path)
    except OSError as wrong:
        raise InvalidInput(f"the run cannot be written to {path}: {wrong.strerror or wrong}") from None
    finally:
        new.unlink(missing_ok=True)


def _check_settings(settings: Mapping[str, Any]) -> None:
    for name, value in settings.items():
        if value is not None and not isinstance(value, (str, bool, int, float)):
            raise InvalidInput(
                f"settings.{name} is {type(value).__name__}, which the file of a run does not keep"
            )


def _rows(head: Mapping[str, Any], turns: Iterable[Turn]) -> Iterable[str]:
    yield _json(head)
    for turn in turns:
        yield _json(_packed(turn))


def _json(row: Any) -> str:
    # lone surrogates are no text: escaped, they come back as they were
    text = json.dumps(row, ensure_ascii=False, separators=(",", ":"))
    if not text.isascii() and any("\ud800" <= ch <= "\udfff" for ch in text):
        text = json.dumps(row, separators=(",", ":"))
    return text + "\n"


def _packed(turn: Turn) -> dict[str, Any]:
    """What is empty is left out."""
    row = {
        "message": turn.message,
        "conversation": turn.conversation,
        "number": turn.number,
        "role": turn.role,
        "facts": [list(fact) for fact in turn.facts],
        "missed": [list(one) for one in turn.missed],
        "versions": list(turn.versions),
        "edges": turn.edges,
        "questions": list(turn.questions),
        "asked": [one._asdict() for one in turn.asked],
        "counts": {name: n for name, n in turn.counts._asdict().items() if n},
    }
    return {
        name: value
        for name, value in row.items()
        if value or name in ("message", "conversation", "number", "role")
    }


def read_run(file: str | Path) -> Run:
    """The run in ``file``. InvalidInput where it is no run's file, of another format, cut short or damaged; it says
    which line."""
    path = Path(file)
    try:
        lines = path.open("rb")
    except OSError as wrong:
        raise InvalidInput(f"no run can be read from {path}: {wrong.strerror or wrong}") from None
    with lines:
        head = _head(path, lines.readline())
        turns = tuple(_turn(path, number, line) for number, line in enumerate(lines, 2))
    if len(turns) != head["turns"]:
        raise InvalidInput(f"{path} holds {len(turns)} of {head['turns']} turns, it was cut short: {_AGAIN}")
    try:
        if head["truth"] not in get_args(Truth) or head["counts"] != list(Counts._fields):
            raise ValueError("it counts other things")
        counts = {str(name): _counts(row) for name, row in head["by_conversation"].items()}
        return Run(
            dict(head["settings"]),
            _text(head["recording"]),
            head["truth"],
            counts,
            turns,
            float(head["seconds"]),
        )
    except (KeyError, TypeError, ValueError, AttributeError) as wrong:
        raise InvalidInput(f"{path}:1 is not the header of a run ({wrong}): {_AGAIN}") from None


def _head(path: Path, line: bytes) -> dict[str, Any]:
    try:
        head = json.loads(line)
        version = head["run"]
        if not isinstance(head["turns"], int):
            raise TypeError
    except (ValueError, KeyError, TypeError, RecursionError):
        raise InvalidInput(f"{path} is no file of a run: its first line is not a run's header") from None
    if version != FORMAT:
        raise InvalidInput(
            f"{path} is a run of format {version}, this release reads format {FORMAT}: {_AGAIN}"
        )
    found: dict[str, Any] = head
    return found


def _turn(path: Path, number: int, line: bytes) -> Turn:
    try:
        if not line.endswith(b"\n"):
            raise ValueError("it was cut short")
        row = json.loads(line)
        asked = (Asked(**one) for one in row.get("asked", ()))
        return Turn(
            _text(row["message"]),
            _text(row["conversation"]),
            int(row["number"]),
            _text(row["role"]),
            tuple(Fact(*fact) for fact in row.get("facts", ())),
            tuple((_text(a), _text(b), _text(c)) for a, b, c in row.get("missed", ())),
            tuple(map(_text, row.get("versions", ()))),
            int(row.get("edges", 0)),
            tuple(map(_text, row.get("questions", ()))),
            tuple(
                one._replace(
                    missing=tuple(one.missing),
                    stale=tuple(one.stale),
                    steps=tuple((a, b, c) for a, b, c in one.steps),
                )
                for one in asked
            ),
            Counts(**row.get("counts", {})),
        )
    except (KeyError, TypeError, ValueError, AttributeError, RecursionError) as wrong:
        raise InvalidInput(f"{path}:{number} is not a turn of a run ({wrong}): {_AGAIN}") from None


def _text(raw: Any) -> str:
    if not isinstance(raw, str):
        raise TypeError(f"{raw!r} is no text")
    return raw


def _counts(row: Any) -> Counts:
    if len(row) != len(Counts._fields) or not all(isinstance(n, int) for n in row):
        raise ValueError(f"{row!r} are no counts")
    return Counts(*row)


__all__ = ["FORMAT", "read_run", "write_run"]
