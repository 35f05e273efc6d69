"""How the command line speaks: UTF-8 always, results on stdout, all else on stderr, errors in one shape."""

from __future__ import annotations

import json
import sys
from collections.abc import Iterable, Sequence
from typing import Any


def speak_utf8() -> None:
    """stdout and stderr in UTF-8 whatever PYTHONIOENCODING or the locale say.

    A lone surrogate in stored text is written as its ``\\udXXX`` escape, which JSON reads back.
    """
    for stream in (sys.stdout, sys.stderr):
        reconfigure = getattr(stream, "reconfigure", None)
        if reconfigure is not None:
            reconfigure(encoding="utf-8", errors="backslashreplace")
    if sys.getfilesystemencoding().lower() != "utf-8":  # words were decoded by the locale: take them back
        import os

        sys.argv = [os.fsencode(word).decode("utf-8", "surrogateescape") for word in sys.argv]


class WantsJson:
    """Whether ``--json`` is among the words; known before they are parsed, so that usage errors obey too."""

    def __init__(self, words: Sequence[str]) -> None:
        upto = words.index("--") if "--" in words else len(words)
        self._wanted = "--json" in words[:upto]

    def __bool__(self) -> bool:
        return self._wanted


def say_error(
    code: str,
    message: str,
    exit_code: int,
    as_json: WantsJson | bool,
    *,
    hint: str | None = None,
    findings: Iterable[Any] | None = None,
) -> int:
    """Tells one error on stderr and gives back ``exit_code``."""
    if as_json:
        error: dict[str, Any] = {"code": code, "message": message}
        if findings is not None:
            from forms_dynamics.cli.plain import plain

            error["findings"] = [plain(finding) for finding in findings]
        print(json.dumps({"error": error}, ensure_ascii=False), file=sys.stderr)
        return exit_code
    print(f"error: {message}", file=sys.stderr)
    if hint:
        print(hint, file=sys.stderr)
    return exit_code


def say(message: str) -> None:
    """A remark beside the result."""
    print(message, file=sys.stderr)


def put_json(document: Any) -> None:
    """One JSON document on stdout."""
    from forms_dynamics.cli.plain import plain

    print(json.dumps(plain(document), ensure_ascii=False, indent=2))


def put_json_lines(documents: Iterable[Any]) -> int:
    """One JSON document a line on stdout; says how many."""
    from forms_dynamics.cli.plain import plain

    count = 0
    for document in documents:
        print(json.dumps(plain(document), ensure_ascii=False))
        count += 1
    return count


class Progress:
    """A counter of ``what`` on stderr, every ``each``, only when a person watches."""

    def __init__(self, what: str, each: int = 50) -> None:
        self._live = sys.stderr.isatty()
        self._what = what
        self._each = each
        self._count = 0

    def step(self) -> None:
        self._count += 1
        if self._live and self._count % self._each == 0:
            print(f"\r{self._count:,} {self._what}", end="", file=sys.stderr, flush=True)

    def clear(self) -> None:
        if self._live and self._count >= self._each:
            print("\r\x1b[K", end="", file=sys.stderr, flush=True)
