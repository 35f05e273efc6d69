"""How far a figure may be off: bootstrap intervals over conversations, of a figure and of a difference of two
runs.

Turns of one conversation depend on each other, so what is drawn with replacement is whole conversations
(whole users where there are enough of them): the cluster bootstrap (Davison & Hinkley 1997, section 3.8;
Field & Welsh 2007, "Bootstrapping clustered data", J. R. Statist. Soc. B 69). The counts of what was drawn
are summed and the figure is taken of the sums, so that a ratio stays a ratio. All figures of all runs are
taken of the same draws; a difference of two runs is taken draw by draw, and what both have in common falls
out of it.

Intervals are percentile intervals (Efron & Tibshirani 1993, chapter 13) at levels that make up for few units:
with n units the plain percentile interval is narrower than the t interval; taking the quantiles
Φ(-√(n/(n-1))·t(n-1)) in place of 2.5 % mends this (Hesterberg 2015, "What teachers should know about the
bootstrap", Am. Stat. 69: the expanded percentile interval). For a difference n is the number of units in
which the two runs differ: a gain that rests on five conversations of a thousand has the certainty of five.
BCa intervals were not taken: their acceleration is a third moment, too rough with tens of units, and where a
share is near 1 it is often undefined.

Where all units say the same, draws know no error, and a plain interval would be [1, 1] after a handful of
conversations without a fault. Of a share it then reaches as far as if the largest part of units that n units may
well not have shown, 1 - 0.025^(1/n) (Clopper & Pearson 1934; nearly 4/n), had all been faults.

Above :data:`MOST` units, units are put together into blocks at random (by a hash of their names), all of one
size give or take one unit, and blocks are drawn instead. Sums over disjoint random sets of independent units
are independent and alike in distribution, and a figure is taken of sums; so blocks estimate the same
variance, give or take 1/√(2·500), 3 %, which is no more than what a thousand draws leave to chance in a
quantile anyway.
"""

from __future__ import annotations

import math
import struct
from array import array
from collections.abc import Iterable, Mapping, Sequence
from functools import cached_property
from hashlib import sha256
from itertools import repeat
from operator import itemgetter
from random import Random
from statistics import NormalDist, pstdev

from forms_dynamics.replay.figures import FIGURES, NO_SHARE
from forms_dynamics.replay.values import Counts, Interval

SEED = 1979
DRAWS = 1000
FEWEST = 6  # units; five of five that agree are no evidence at 5 % (the sign test)
MOST = 1000  # units that are drawn one by one
BLOCKS = 500

_LAYOUT = struct.Struct(f"<{len(Counts._fields)}Q")
_NAN = math.nan


def rank(seed: int, name: str) -> bytes:
    """A place in an order that looks random and is the same everywhere."""
    return sha256(f"{seed}\n{name}".encode("utf-8", "surrogatepass")).digest()


def tail(units: int) -> float:
    """The share of draws to leave out at each end for an interval of 95 % that rests on so many units."""
    if units < 2:
        return 0.0
    df, z = units - 1, NormalDist().inv_cdf(0.975)
    t = (
        z
        + (z**3 + z) / (4 * df)
        + (5 * z**5 + 16 * z**3 + 3 * z) / (96 * df**2)
        + (3 * z**7 + 19 * z**5 + 17 * z**3 - 15 * z) / (384 * df**3)
        + (79 * z**9 + 776 * z**7 + 1482 * z**5 - 1920 * z**3 - 945 * z) / (92160 * df**4)
    )  # Student's quantile by Cornish and Fisher's expansion (Abramowitz & Stegun 26.7.5): 0.1 % off at df = 3
    return NormalDist().cdf(-math.sqrt(units / df) * t)


class Sample:
    """One run under the draws of one :class:`Resamples`: its figures, and each figure of each draw.

    ``figures``: of all its conversations together; None where nothing was measured.
    """

    def __init__(self, blocks: tuple[int, ...], draws: Sequence[itemgetter[tuple[int, ...]]]) -> None:
        self._blocks, self._draws = blocks, draws
        self.counts = _unpacked(sum(blocks))
        self.figures = {name: figure.of(self.counts) for name, figure in FIGURES.items()}
        self._by_block: dict[str, list[float | None]] = {}

    @cached_property
    def _drawn(self) -> dict[str, array[float]]:
        blocks = self._blocks
        rows = [_unpacked(sum(drawn(blocks))) for drawn in self._draws]
        return {
            name: array("d", [_NAN if (got := figure.of(row)) is None else got for row in rows])
            for name, figure in FIGURES.items()
        }

    def interval(self, name: str) -> Interval:
        """The figure with its interval.

        ``low`` and ``high`` are None where it was measured in fewer than :data:`FEWEST` units.
        """
        value = self.figures[name]
        measured = sum(1 for of_block in self._of_blocks(name) if of_block is not None)
        found = _interval(value, self._drawn[name], measured, measured)
        return found if name in NO_SHARE else _never_certain(found, measured)

    def less(self, other: Sample, name: str) -> Interval:
        """The figure of this run less that of the other, draw by draw; both of the same draws.

        Of a run less itself it is 0, 0, 0. ``low`` and ``high`` are None as for :meth:`interval`; zero lies
        between them where the two differ in fewer than :data:`FEWEST` units.
        """
        mine, theirs = self.figures[name], other.figures[name]
        value = None if mine is None or theirs is None else mine - theirs
        pairs = list(zip(self._of_blocks(name), other._of_blocks(name), strict=True))
        measured = sum(1 for a, b in pairs if a is not None and b is not None)
        differing = sum(1 for a, b in pairs if a != b)
        found = _interval(value, self._differences(other, name), measured, differing)
        if found.low is None or found.high is None or differing >= FEWEST:
            return found
        return Interval(found.value, min(found.low, 0.0), max(found.high, 0.0))

    def spread(self, name: str, other: Sample | None = None) -> float:
        """The standard error of the figure, or of its difference from ``other``; 0 where there are no draws."""
        drawn = self._drawn[name] if other is None else self._differences(other, name)
        known = [value for value in drawn if value == value]
        units = len(self._blocks)
        return pstdev(known) * math.sqrt(units / (units - 1)) if known else 0.0

    def _differences(self, other: Sample, name: str) -> array[float]:
        pairs = zip(self._drawn[name], other._drawn[name], strict=True)
        return array("d", [a - b for a, b in pairs])

    def _of_blocks(self, name: str) -> list[float | None]:
        if name not in self._by_block:
            of = FIGURES[name].of
            self._by_block[name] = [of(_unpacked(block)) for block in self._blocks]
        return self._by_block[name]


class Resamples:
    """Draws with replacement, made once; the same for every run that is read with them.

    Neither the order of conversations nor that of runs changes anything.
    """

    def __init__(self, unit_of: Mapping[str, str], *, seed: int = SEED, draws: int = DRAWS) -> None:
        """``unit_of``: for each conversation that is to count, the unit that is drawn as a whole."""
        ordered = sorted(set(unit_of.values()), key=lambda unit: (rank(seed, unit), unit))
        self.units = len(ordered)
        self.size = self.units if self.units <= MOST else BLOCKS
        block_of = {unit: place % self.size for place, unit in enumerate(ordered)}
        self._blocks = {conversation: block_of[unit] for conversation, unit in unit_of.items()}
        self._seen: dict[tuple[int, ...], Sample] = {}
        self._draws: list[itemgetter[tuple[int, ...]]] = []
        if self.size >= FEWEST:
            # only random() is promised to give the same numbers in every version of Python
            uniform, size = Random(seed).random, self.size
            for _ in repeat(None, draws):
                self._draws.append(itemgetter(*(int(uniform() * size) for _ in range(size))))

    def sample(self, by_conversation: Mapping[str, Counts]) -> Sample:
        """A run's counts under these draws; conversations that are not among ``unit_of`` are left out.

        KeyError where one of ``unit_of`` is missing.
        """
        # all counts of a block stand side by side in one integer, 64 bits each: one addition adds them all
        blocks = [0] * self.size
        for conversation, block in self._blocks.items():
            blocks[block] += int.from_bytes(_LAYOUT.pack(*by_conversation[conversation]), "little")
        packed = tuple(blocks)
        if packed not in self._seen:  # many settings change nothing in a log
            self._seen[packed] = Sample(packed, self._draws)
        return self._seen[packed]


def _unpacked(packed: int) -> Counts:
    return Counts._make(_LAYOUT.unpack(packed.to_bytes(_LAYOUT.size, "little")))


def _interval(value: float | None, drawn: Iterable[float], measured: int, resting: int) -> Interval:
    """``resting``: the units on which the certainty rests. The value is always inside."""
    if value is None:
        return Interval(None, None, None)
    known = sorted(d for d in drawn if d == d)
    if measured < FEWEST or not known:
        return Interval(value, None, None)
    cut = max(math.floor((len(known) + 1) * tail(resting)), 1)
    return Interval(value, min(known[cut - 1], value), max(known[-cut], value))


def _never_certain(found: Interval, measured: int) -> Interval:
    """A share that was the same in every draw, 1 as a rule, made as wide as so few units allow."""
    value, low, high = found
    if value is None or low is None or high is None or low < high:
        return found
    unseen = 1 - 0.025 ** (1 / measured)
    return Interval(value, value * (1 - unseen), value + (1 - value) * unseen)


__all__ = ["BLOCKS", "DRAWS", "FEWEST", "MOST", "SEED", "Resamples", "Sample", "rank", "tail"]
