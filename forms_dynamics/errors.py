"""Every error that the product raises on purpose, grouped by what the caller should do.

Each class has a stable ``code`` (for logs, JSON output and other languages) and an ``exit_code`` that the
command line uses: 1 the product says no, 2 wrong usage, 3 the environment is at fault.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, ClassVar


class FormsDynamicsError(Exception):
    """Root of all errors raised on purpose."""

    code: ClassVar[str] = "error"
    exit_code: ClassVar[int] = 1


class NotFound(FormsDynamicsError):
    """No such Form, version, message, pending item or edge in this scope.

    The message is the same for an id of another scope and for one that never existed.
    """

    code = "not_found"


class Conflict(FormsDynamicsError):
    """The call contradicts what is stored: the same id with another text, a head that has moved on."""

    code = "conflict"


class InvalidInput(FormsDynamicsError):
    """A value, time, name or argument that cannot be taken; the message says which and what would do."""

    code = "invalid_input"


class SchemaError(FormsDynamicsError):
    """Form types or relation rules that cannot be used; ``findings`` names file, line, column and mend."""

    code = "schema"

    def __init__(self, findings: Sequence[Any]) -> None:
        self.findings = tuple(findings)
        super().__init__("\n".join(str(finding) for finding in self.findings) or "no form types")


class StoreUnavailable(FormsDynamicsError):
    """The store cannot be opened, read or written: missing rights, corrupt file, server away, failed step."""

    code = "store_unavailable"
    exit_code = 3


class StoreTooOld(StoreUnavailable):
    """The store was written by an earlier release and is only to be read: opening it for writing migrates it."""

    code = "store_too_old"


class StoreTooNew(FormsDynamicsError):
    """The store was written by a later release; nothing was changed."""

    code = "store_too_new"
    exit_code = 3


class ExtractorUnavailable(FormsDynamicsError):
    """An extractor could not answer; the message stays queued and ``work`` takes it later."""

    code = "extractor_unavailable"
    exit_code = 3

    def __init__(self, message: str, cost: Any = None) -> None:
        """``cost``: a :class:`~forms_dynamics.model.message.Cost` of the calls that were made in vain."""
        super().__init__(message)
        self.cost = cost


class PromptTooLong(ExtractorUnavailable):
    """A model refuses a prompt for its length; a shorter part of the message may do."""


class EmbedderMismatch(FormsDynamicsError):
    """Stored vectors come from another embedder; ``rebuild`` makes them anew."""

    code = "embedder_mismatch"


def unknown_id(kind: str, wanted: str) -> NotFound:
    """The one wording for an id that this scope does not hold."""
    return NotFound(f"no {kind} {wanted!r} here")


def shared_id(wanted: str) -> InvalidInput:
    """The one wording for a Form that a user reads in the tenant's shared space and would write."""
    return InvalidInput(
        f"Form {wanted!r} stands in the tenant's shared space, which is written without a user: "
        "memory.scoped() or no --user"
    )


_REASON = 300  # characters of why a message waits


def reason(failed: Exception) -> str:
    """Why a message waits, in one line."""
    text = str(failed) if isinstance(failed, ExtractorUnavailable) else f"{type(failed).__name__}: {failed}"
    if notes := getattr(failed, "__notes__", None):  # which class and method of an extractor it was
        text = f"{text} ({', '.join(map(str, notes[:2]))})"
    line = " ".join(text.replace("\x00", " ").encode("utf-8", "replace").decode().split())
    return line if len(line) <= _REASON else f"{line[: _REASON - 1]}…"
