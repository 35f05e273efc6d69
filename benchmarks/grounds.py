"""The sets that a benchmark of recall runs over, with an embedder that keeps its vectors."""

from __future__ import annotations

import sys
import tempfile
from argparse import Namespace
from collections.abc import Callable, Iterable, Iterator, Sequence
from pathlib import Path
from typing import NamedTuple, TypeVar

from benchmarks.embedding import KeptEmbedder
from benchmarks.recall_sets import DATA
from forms_dynamics.adapters.embedders import default_embedder
from forms_dynamics.ports import Embedder

T = TypeVar("T")


class Place(NamedTuple):
    """What one ground of a set is measured with; ``path`` is free: a database or a folder may be made there."""

    embedder: Embedder
    path: Path


def sets_there(
    benchmark: str, arguments: Namespace, sets: Sequence[str], read: Callable[[str, Path], Iterable[T]]
) -> Iterator[tuple[str, list[tuple[T, Place]]]]:
    """Each set (``--sets``, else ``sets``) that is in the data folder, with its grounds; those that are not are told
    on stderr. What is made at their places is gone at the end. SystemExit without the embedder of the extra."""
    data = DATA if arguments.data is None else arguments.data
    embedder = default_embedder()
    if embedder is None:
        raise SystemExit(f"{benchmark} needs the embedder of the extra: install forms_dynamics[embed]")
    with tempfile.TemporaryDirectory() as made:
        kept = KeptEmbedder(embedder, arguments.keep or Path(made))
        for name in sets if arguments.sets is None else arguments.sets.split(","):
            try:
                grounds = list(read(name, data))
            except FileNotFoundError as missing:
                print(f"{benchmark}: {name} is not in {data}: {missing.filename}", file=sys.stderr)
                continue
            yield name, [(g, Place(kept, Path(made) / f"{name}-{n}.db")) for n, g in enumerate(grounds)]


__all__ = ["Place", "sets_there"]
