"""An embedder whose vectors are kept in a file, so that a benchmark that is run again embeds nothing twice."""

from __future__ import annotations

import hashlib
import sqlite3
from array import array
from collections.abc import Callable, Sequence
from pathlib import Path
from threading import Lock

from forms_dynamics.ports import Embedder

Ask = Callable[[Sequence[str]], Sequence[Sequence[float]]]


class KeptEmbedder:
    """``embedder`` with its vectors in ``folder``; as float32 they are what a store would hold."""

    def __init__(self, embedder: Embedder, folder: Path) -> None:
        self.inner = embedder
        self.fingerprint, self.dimensions = embedder.fingerprint, embedder.dimensions
        self.max_tokens = embedder.max_tokens
        folder.mkdir(parents=True, exist_ok=True)
        self._lock = Lock()
        self._kept = sqlite3.connect(folder / "vectors.db", timeout=60, check_same_thread=False)
        self._kept.execute("PRAGMA journal_mode=WAL")
        self._kept.execute(
            "CREATE TABLE IF NOT EXISTS vectors (key BLOB PRIMARY KEY, vector BLOB) WITHOUT ROWID"
        )

    def embed(self, texts: Sequence[str]) -> Sequence[Sequence[float]]:
        """Vectors of stored texts."""
        return self._vectors(texts, "text", self.inner.embed)

    def embed_query(self, texts: Sequence[str]) -> Sequence[Sequence[float]]:
        """Vectors of questions."""
        return self._vectors(texts, "query", getattr(self.inner, "embed_query", self.inner.embed))

    def _vectors(self, texts: Sequence[str], side: str, ask: Ask) -> list[array[float]]:
        keys = [hashlib.sha1(f"{self.fingerprint}\0{side}\0{text}".encode()).digest() for text in texts]
        with self._lock:
            found = {key: vector for key in set(keys) if (vector := self._held(key)) is not None}
            missing = {key: text for key, text in zip(keys, texts, strict=True) if key not in found}
            made = ask(list(missing.values())) if missing else []
            fresh = {key: array("f", vector) for key, vector in zip(missing, made, strict=True)}
            rows = [(key, vector.tobytes()) for key, vector in fresh.items()]
            with self._kept:
                self._kept.executemany("INSERT OR IGNORE INTO vectors VALUES (?, ?)", rows)
        return [fresh[key] if key in fresh else array("f", found[key]) for key in keys]

    def _held(self, key: bytes) -> bytes | None:
        row = self._kept.execute("SELECT vector FROM vectors WHERE key = ?", (key,)).fetchone()
        return None if row is None else bytes(row[0])


__all__ = ["KeptEmbedder"]
