"""How well stated confidences tell right from wrong."""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections.abc import Sequence

Judged = Sequence[tuple[float, bool]]  # confidence, whether it was right


def auroc(judged: Judged) -> float | None:
    """The chance that a right one is stated with more confidence than a wrong one, ties half; None without both."""
    wrong = sorted(sure for sure, right in judged if not right)
    right = [sure for sure, right in judged if right]
    if not wrong or not right:
        return None
    below = sum(bisect_left(wrong, sure) + bisect_right(wrong, sure) for sure in right)
    return below / 2 / len(wrong) / len(right)


def expected_error(judged: Judged, bins: int = 10) -> float | None:
    """Expected calibration error over ``bins`` of equal width: how far confidence lies from the share that is right,
    on average over values (Guo et al. 2017)."""
    if not judged:
        return None
    parts: dict[int, list[tuple[float, bool]]] = {}
    for sure, right in judged:
        parts.setdefault(min(int(sure * bins + 1e-9), bins - 1), []).append((sure, right))
    return sum(abs(sum(s for s, _ in part) - sum(r for _, r in part)) for part in parts.values()) / len(
        judged
    )


__all__ = ["auroc", "expected_error"]
