"""Progress bars on stderr, only where a person watches."""

from __future__ import annotations

import sys
from types import TracebackType
from typing import Any


class Bar:
    """How far one piece of work is; a context manager. Without a terminal, or with ``quiet``, it says nothing."""

    def __init__(self, what: str, quiet: bool = False) -> None:
        self._what = what
        self._live = sys.stderr.isatty() and not quiet
        self._shown: Any = None
        self._task: Any = None

    def __enter__(self) -> Bar:
        return self

    def to(self, done: int, of: int, note: str = "") -> None:
        """``done`` of ``of``; the bar appears when it is first called. ``note`` stands behind it. Safe to call from
        several threads."""
        if not self._live:
            return
        if self._shown is None:
            self._shown = _progress()
            self._shown.start()
            self._task = self._shown.add_task(self._what, total=of, note=note)
        self._shown.update(self._task, completed=done, total=of, note=note)

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        if self._shown is not None:
            self._shown.stop()


def _progress() -> Any:
    from rich.console import Console
    from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeRemainingColumn

    return Progress(
        TextColumn("{task.description}"), BarColumn(), MofNCompleteColumn(), TimeRemainingColumn(),
        TextColumn("{task.fields[note]}"),
        console=Console(stderr=True), transient=True,
    )  # fmt: skip


__all__ = ["Bar"]
