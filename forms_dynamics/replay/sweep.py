"""Many settings over one recording, on all cores; the results do not depend on how many there are."""

from __future__ import annotations

import os
import pickle
import queue
import subprocess
import sys
import threading
from collections.abc import Callable, Sequence
from contextlib import suppress
from pathlib import Path
from typing import Any, NamedTuple

from forms_dynamics.errors import EmbedderMismatch, FormsDynamicsError, InvalidInput, StoreUnavailable
from forms_dynamics.ports import Embedder
from forms_dynamics.replay.dimensions import Plan
from forms_dynamics.replay.raws import Recording
from forms_dynamics.replay.run import Part, checked, flows, play_part
from forms_dynamics.replay.values import Run
from forms_dynamics.settings import Settings

_SIDE_BY_SIDE = 5  # stores in the memory of one process; more share no more


class Played(NamedTuple):
    """How far a sweep is, in messages; each is counted once a run of the write flow."""

    done: int
    of: int


def play(
    recording: Recording,
    plans: Sequence[Plan],
    *,
    form_types: Sequence[str | Path] | None = None,
    relation_rules: Sequence[str | Path] | None = None,
    settings: Any = None,
    embedder: Embedder | None = None,
    keep_turns: bool = False,
    workers: int | None = None,
    progress: Callable[[Played], None] | None = None,
) -> list[Run]:
    """The recording under each plan (settings that differ from ``settings``), in the order of the plans.

    Each run has a fresh store in memory; plans that differ in what only recall looks at share one.
    ``keep_turns``: the runs hold what became of every turn, not only counts. ``workers``: processes, None for
    one a core; the runs are the same however many (but for the times that they took). No model is asked.

    Raises InvalidInput where a plan names what cannot be varied or the recording does not fit the Form types.
    """
    from forms_dynamics.schema.load import load_catalog

    base = Settings.read(settings)
    checked(recording, plans, base, load_catalog(form_types, relation_rules))
    plain = base.model_dump(exclude={"api_key", "base_url", "model", "cost_cap"})
    playing = flows(plans, base)
    hands = min(workers or os.cpu_count() or 1, len(playing))
    side_by_side = min(_SIDE_BY_SIDE, -(-len(playing) // max(hands, 1))) or 1
    tasks = [
        Part(
            str(recording.file), form_types, relation_rules, plain, playing[start : start + side_by_side], keep_turns,
            embedder,
        )
        for start in range(0, len(playing), side_by_side)
    ]  # fmt: skip
    found = dict(_done(tasks, hands, _Told(progress, len(playing) * recording.messages)))
    return [found[place] for place in range(len(plans))]


class _Told:
    """Adds up what the workers tell."""

    def __init__(self, progress: Callable[[Played], None] | None, of: int) -> None:
        self._progress = progress
        self._of = of
        self._sum = 0
        self._lock = threading.Lock()

    def __call__(self, done: int) -> None:
        with self._lock:
            self._sum += done
            if self._progress is not None:
                self._progress(Played(self._sum, self._of))


def _done(tasks: Sequence[Part], workers: int, told: _Told) -> list[tuple[int, Run]]:
    if min(workers, len(tasks)) <= 1:
        return [found for task in tasks for found in play_part(task, told)]
    left: queue.SimpleQueue[Part] = queue.SimpleQueue()
    for task in tasks:
        left.put(task)
    out: list[tuple[int, Run]] = []
    failed: list[BaseException] = []
    hands = [_Hand() for _ in range(min(workers, len(tasks)))]

    def work(hand: _Hand) -> None:
        while not failed:
            try:
                task = left.get_nowait()
            except queue.Empty:
                return
            try:
                out.extend(hand.play(task, told))
            except BaseException as wrong:
                failed.append(wrong)

    threads = [threading.Thread(target=work, args=(hand,), daemon=True) for hand in hands]
    try:
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
    finally:
        for hand in hands:
            hand.end()
    if failed:
        raise failed[0]
    return out


class _Hand:
    """A process that plays parts, one after another. A plain child and no multiprocessing: that would run the
    caller's own program once more in each child.
    """

    def __init__(self) -> None:
        path = os.pathsep.join(p for p in sys.path if p)
        self._process = subprocess.Popen(
            [sys.executable, "-m", "forms_dynamics.replay.worker"],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            env={**os.environ, "PYTHONPATH": path},
            start_new_session=True,  # Ctrl-C is for this process, which ends the others
        )

    def play(self, part: Part, told: Callable[[int], None]) -> list[tuple[int, Run]]:
        assert self._process.stdin is not None
        assert self._process.stdout is not None
        try:
            pickle.dump(part, self._process.stdin)
            self._process.stdin.flush()
            while True:
                kind, said = pickle.load(self._process.stdout)
                if kind == "told":
                    told(said)
                elif kind == "runs":
                    runs: list[tuple[int, Run]] = said
                    return runs
                else:
                    raise _error(*said)
        except (EOFError, BrokenPipeError) as wrong:
            raise FormsDynamicsError(
                f"a worker of the replay ended before its time (exit code {self._process.wait()})"
            ) from wrong

    def end(self) -> None:
        """Ends the process, whatever it does."""
        with suppress(OSError):
            self._process.kill()
        self._process.wait()
        for pipe in (self._process.stdin, self._process.stdout):
            if pipe is not None:
                with suppress(OSError):
                    pipe.close()


def _error(name: str, told: str) -> FormsDynamicsError:
    """What a worker raised; of a kind that callers know where a text makes one."""
    kinds: dict[str, type[FormsDynamicsError]] = {
        kind.__name__: kind for kind in (InvalidInput, StoreUnavailable, EmbedderMismatch)
    }
    return kinds.get(name, FormsDynamicsError)(told)


__all__ = ["Played", "play"]
