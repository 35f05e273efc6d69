"""Intervals over conversations: what they hold, when there are none, and that nothing but the counts moves them."""

from __future__ import annotations

import time
from random import Random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from worlds import World

from forms_dynamics.replay import bootstrap
from forms_dynamics.replay.bootstrap import BLOCKS, DRAWS, FEWEST, MOST, Resamples, Sample, tail
from forms_dynamics.replay.figures import FIGURES
from forms_dynamics.replay.values import Counts, Interval

Log = dict[str, Counts]
few = settings(max_examples=25, deadline=None)  # each example draws a few hundred times


def judged(right: int, wrong: int) -> Counts:
    return Counts(turns=1, user_turns=1, accepted=right + wrong, accepted_right=right, accepted_wrong=wrong)


def each(log: Log, draws: int = DRAWS) -> Resamples:
    return Resamples({c: c for c in log}, draws=draws)


def of(log: Log) -> Sample:
    return each(log).sample(log)


COUNTS = st.builds(
    lambda right, wrong, missed, asked, extra: Counts(
        turns=4, user_turns=2, accepted=right + wrong, accepted_right=right, accepted_wrong=wrong,
        expected=right + missed, found=right, questions=asked, asked=asked, asked_right=min(asked, extra), tokens=extra,
    ),
    *[st.integers(0, 6)] * 5,
)  # fmt: skip
LOGS = st.lists(COUNTS, min_size=1, max_size=14).map(
    lambda counts: {f"c{i}": c for i, c in enumerate(counts)}
)


def test_the_figure_is_that_of_all_counts_together_and_not_a_mean_of_conversations() -> None:
    log = {"long": judged(90, 10)} | {f"c{i}": judged(0, 1) for i in range(5)}
    assert of(log).interval("precision").value == 90 / 105


def test_an_interval_by_hand() -> None:
    """Ten conversations with one value each, half of them right: draws are binomial, and of Binomial(10, 1/2)
    0.1 % lie at 0 and 1.1 % at 1 or below; the level for ten units is 0.86 %."""
    log = {f"c{i}": judged(i % 2, 1 - i % 2) for i in range(10)}
    assert of(log).interval("precision") == Interval(0.5, 0.1, 0.9)


@pytest.mark.parametrize(("conversations", "low"), [(6, 0.540742), (40, 0.911903), (400, 0.990820)])
def test_no_fault_in_few_conversations_is_no_certainty(conversations: int, low: float) -> None:
    """Clopper and Pearson's lower ends for n of n: 0.025^(1/n)."""
    sample = of({f"c{i}": judged(3, 0) for i in range(conversations)})
    assert sample.interval("precision") == (1.0, pytest.approx(low, abs=1e-5), 1.0)
    none = of({f"c{i}": judged(0, 3) for i in range(conversations)})
    assert none.interval("precision") == (0.0, 0.0, pytest.approx(1 - low, abs=1e-5))
    assert sample.less(none, "precision") == (1.0, 1.0, 1.0)


@pytest.mark.parametrize(
    ("units", "level"),
    # Φ(-√(n/(n-1))·t) with Student's t of tables: 3.182, 2.776, 2.262, 2.093, 1.984
    [(4, 0.000119), (5, 0.000957), (10, 0.00856), (20, 0.01588), (100, 0.02307)],
)
def test_few_units_leave_fewer_draws_out(units: int, level: float) -> None:
    assert tail(units) == pytest.approx(level, rel=0.02)


def test_many_units_take_the_plain_percentiles() -> None:
    assert tail(100_000) == pytest.approx(0.025, rel=1e-3)
    assert tail(1) == tail(0) == 0


def test_nothing_measured_is_none() -> None:
    log = {f"c{i}": Counts(turns=3) for i in range(20)}
    assert of(log).interval("precision") == Interval(None, None, None)
    assert of(log).less(of(log), "precision") == Interval(None, None, None)


@pytest.mark.parametrize("conversations", range(FEWEST))
def test_too_few_conversations_have_a_figure_and_no_interval(conversations: int) -> None:
    log = {f"c{i}": judged(3, 1) for i in range(conversations)}
    value = 0.75 if conversations else None
    assert of(log).interval("precision") == Interval(value, None, None)
    assert of(log).less(of(log), "precision") == Interval(None if value is None else 0.0, None, None)


def test_what_counts_is_where_the_figure_was_measured() -> None:
    log = {f"c{i}": judged(1, 1) if i < FEWEST - 1 else Counts(turns=9) for i in range(40)}
    assert of(log).interval("precision") == Interval(0.5, None, None)


def test_a_gain_is_as_certain_as_the_conversations_that_differ() -> None:
    """The sign test needs six of six at 5 %: five better conversations among a hundred are not enough."""
    before = {f"c{i}": judged(1, 1) for i in range(100)}
    gains = []
    for better in range(12):
        after = before | {f"c{i}": judged(2, 0) for i in range(better)}
        draws = each(before)
        gains.append(draws.sample(after).less(draws.sample(before), "precision"))
    assert [gain.value for gain in gains] == [pytest.approx(better / 200) for better in range(12)]
    assert gains[0] == Interval(0.0, 0.0, 0.0)
    assert all(gain.low == 0.0 for gain in gains[1:6])
    assert all(gain.low is not None and gain.low > 0 for gain in gains[8:])


@pytest.mark.parametrize(("conversations", "sure"), [(5, None), (6, True), (20, True)])
def test_a_handful_that_all_agree(conversations: int, sure: bool | None) -> None:
    before = {f"c{i}": judged(1, 1) for i in range(conversations)}
    after = {c: judged(2, 0) for c in before}
    draws = each(before)
    low = draws.sample(after).less(draws.sample(before), "precision").low
    assert (None if low is None else low > 0) is sure
    some = before | {f"c{i}": judged(2, 0) for i in range(5)}
    low = draws.sample(some).less(draws.sample(before), "precision").low
    assert low is None or low == 0


@few
@given(LOGS)
def test_the_value_lies_in_its_interval(log: Log) -> None:
    sample = each(log, 200).sample(log)
    for name in FIGURES:
        value, low, high = sample.interval(name)
        assert (value is None) == (FIGURES[name].of(sample.counts) is None)
        if low is not None and high is not None:
            assert value is not None
            assert low <= value <= high


@few
@given(LOGS)
def test_a_run_less_itself_is_nothing(log: Log) -> None:
    one, same = each(log, 200).sample(log), each(log, 200).sample(dict(reversed(log.items())))
    for name in FIGURES:
        value, low, high = one.less(same, name)
        assert value in (None, 0.0)
        assert low in (None, 0.0)
        assert high in (None, 0.0)
        assert one.spread(name, same) == 0


@few
@given(LOGS, LOGS)
def test_a_difference_turned_round_is_its_negative(first: Log, second: Log) -> None:
    both = {c: first.get(c, Counts()) for c in first | second}
    other = {c: second.get(c, Counts()) for c in first | second}
    draws = each(both, 200)
    for name in ("f1", "tokens"):
        value, low, high = draws.sample(both).less(draws.sample(other), name)
        turned = draws.sample(other).less(draws.sample(both), name)
        assert turned == tuple(None if v is None else -v for v in (value, high, low))


@pytest.mark.parametrize("seed", range(3))
def test_the_order_of_conversations_changes_nothing(seed: int) -> None:
    log = dict(World(30).run({}).by_conversation)
    names = list(log)
    Random(seed).shuffle(names)
    mixed = {c: log[c] for c in names}
    assert [of(mixed).interval(n) for n in FIGURES] == [of(log).interval(n) for n in FIGURES]


def test_conversations_of_one_unit_are_drawn_together() -> None:
    """Twice the same conversation by the same user is no more evidence than once."""
    once = World(40).run({}).by_conversation
    twice = dict(once) | {f"{c} again": counts for c, counts in once.items()}
    together = Resamples({c: c.removesuffix(" again") for c in twice}).sample(twice)
    assert together.interval("f1") == of(dict(once)).interval("f1")
    value, low, high = of(twice).interval("f1")
    wide = of(dict(once)).interval("f1")
    assert low is not None
    assert high is not None
    assert wide.low is not None
    assert wide.high is not None
    assert high - low < 0.85 * (wide.high - wide.low)
    assert value == wide.value


def test_blocks_tell_the_same_as_conversations_one_by_one(monkeypatch: pytest.MonkeyPatch) -> None:
    log = dict(World(2000).run({}).by_conversation)
    blocks = each(log, 400)
    assert (blocks.units, blocks.size) == (2000, BLOCKS)
    rough = blocks.sample(log)
    monkeypatch.setattr(bootstrap, "MOST", 2000)
    fine = each(log, 400).sample(log)
    assert len(log) > MOST
    for name in ("precision", "recall", "f1", "questions_per_turn"):
        assert rough.figures[name] == fine.figures[name]
        assert rough.spread(name) == pytest.approx(fine.spread(name), rel=0.2)


def test_intervals_hold_the_truth_as_often_as_they_say() -> None:
    """95 % of the intervals of samples of 25 conversations hold the figure of the 5,000 they come from."""
    whole = World(5000, seed=7)
    today, other = (whole.run({"conf_threshold": t}).by_conversation for t in (0.8, 0.7))
    draws = each(dict(today))
    figure = draws.sample(today).figures["f1"]
    change = draws.sample(other).less(draws.sample(today), "f1").value
    assert figure is not None
    assert change is not None
    chance = Random(5)
    held = [0, 0]
    for _ in range(100):
        some = dict.fromkeys(chance.sample(list(today), 25))
        few = Resamples({c: c for c in some}, draws=400)
        one, two = few.sample(today), few.sample(other)
        for i, (true, got) in enumerate(((figure, one.interval("f1")), (change, two.less(one, "f1")))):
            assert got.low is not None
            assert got.high is not None
            held[i] += got.low <= true <= got.high
    assert min(held) >= 89  # fewer has a chance of 1 in 100 where 95 in 100 hold it


def test_twenty_runs_of_ten_thousand_conversations_take_seconds() -> None:
    chance = Random(1)
    some = [Counts(*(chance.randrange(20) for _ in Counts._fields)) for _ in range(997)]
    log = {f"c{i}": some[i % 997] for i in range(10_000)}
    began = time.process_time()
    draws = each(log)
    today = draws.sample(log)
    for turn in range(1, 20):
        run = draws.sample({c: some[(i + turn) % 997] for i, c in enumerate(log)})
        for name in FIGURES:
            run.interval(name)
            run.less(today, name)
    assert time.process_time() - began < 30
