"""How strong an edge is, what a hit adds, and when it holds."""

from __future__ import annotations

import json
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from forms_dynamics.model.record import EdgeRecord
from forms_dynamics.model.value import DAY, from_micros
from forms_dynamics.schema.spec import Catalog, RelationRule, Strength
from forms_dynamics.strength import (
    GAIN,
    again,
    cold,
    earlier,
    ended,
    expired,
    gain,
    held,
    hit,
    outlived,
    public_edge,
    rule_of,
    strength,
)

HOUR = DAY // 24


def edge(weight: float = 0.9, last_hit: int = 0, **fields: Any) -> EdgeRecord:
    base = EdgeRecord(
        "a", "refers_to", "b", weight, 1, last_hit, 0, "active", "rule:refers_to", None, 0, 0, None
    )
    return base._replace(**fields)


moments = st.integers(-(10**17), 10**17)
rules = st.builds(
    Strength,
    weight=st.floats(-1, 2),
    floor=st.floats(-1, 2),
    half_life_days=st.one_of(st.none(), st.floats(0, 10**6), st.just(5e-324)),
    ttl_seconds=st.one_of(st.none(), st.integers(0, 10**9)),
    cold_after_days=st.one_of(st.none(), st.floats(0, 10**6)),
)
edges = st.builds(
    edge, weight=st.floats(allow_nan=False), last_hit=moments, hits=st.integers(0, 10**9), created=moments
)


# -- decay -----------------------------------------------------------------------------------------------------
@given(made=edges, rule=rules, now=moments, days=st.floats(0, 10**5))
def test_a_weight_stays_within_0_and_1_and_never_rises_by_itself(
    made: EdgeRecord, rule: Strength, now: int, days: float
) -> None:
    first, later = strength(made, rule, now), strength(made, rule, now + int(days * DAY))
    assert 0.0 <= later <= first <= 1.0


@given(made=edges, rule=rules, now=moments)
def test_the_floor_holds_within_the_time_to_live_and_not_beyond(
    made: EdgeRecord, rule: Strength, now: int
) -> None:
    floor = min(1.0, max(0.0, rule.floor))
    if not outlived(made, rule, now):
        assert strength(made, rule, now) >= floor
    elif rule.half_life_days is not None and now - made.last_hit > 2000 * rule.half_life_days * DAY:
        assert strength(made, rule, now) == 0.0


@given(made=edges, rule=rules, now=moments, ahead=st.integers(0, 10**17))
def test_a_last_hit_ahead_of_the_clock_counts_as_just_now(
    made: EdgeRecord, rule: Strength, now: int, ahead: int
) -> None:
    assert strength(made._replace(last_hit=now + ahead), rule, now) == strength(
        made._replace(last_hit=now), rule, now
    )


def test_half_life_floor_and_time_to_live() -> None:
    rule = Strength(weight=0.9, floor=0.5, half_life_days=10, ttl_seconds=100 * 86_400)
    assert strength(edge(0.9), rule, 0) == pytest.approx(0.9)
    assert strength(edge(0.9), rule, 10 * DAY) == pytest.approx(0.7)
    assert strength(edge(0.9), rule, 90 * DAY) == pytest.approx(0.5, abs=0.01)
    assert not expired(edge(), rule, 100 * DAY)
    assert expired(edge(), rule, 100 * DAY + 1)
    assert strength(edge(0.9), rule, 101 * DAY) < 0.5
    assert strength(edge(0.9, last_hit=50 * DAY), rule, 0) == pytest.approx(0.9)


# -- hits ------------------------------------------------------------------------------------------------------
@given(made=edges, rule=rules, times=st.lists(moments, max_size=20))
def test_hits_keep_a_weight_within_0_and_1_and_never_lower_it(
    made: EdgeRecord, rule: Strength, times: list[int]
) -> None:
    for now in times:
        before = strength(made, rule, max(now, made.last_hit))
        after = hit(made, rule, now)
        assert before <= after.weight <= 1.0
        assert after.hits == made.hits + 1
        assert after.last_hit == max(now, made.last_hit)
        made = after


@given(gap=moments, hits=st.integers(0, 10**9))
def test_a_hit_adds_no_more_than_its_share(gap: int, hits: int) -> None:
    assert 0.0 <= gain(gap, hits) <= GAIN
    assert gain(gap, hits) <= gain(gap + DAY, hits)
    assert gain(gap, hits + 1) <= gain(gap, hits)


@given(
    made=edges,
    rule=rules,
    times=st.lists(moments, min_size=2, max_size=8),
    order=st.randoms(use_true_random=False),
)
def test_hits_of_one_moment_give_the_same_in_any_order(
    made: EdgeRecord, rule: Strength, times: list[int], order: Any
) -> None:
    """Simultaneous: at the last hit, or late and so told as of then."""
    late = [min(time, made.last_hit) for time in times]
    mixed = list(late)
    order.shuffle(mixed)
    one, two = made, made
    for a, b in zip(late, mixed, strict=True):
        one, two = hit(one, rule, a), hit(two, rule, b)
    assert one == two


@given(weight=st.floats(0, 0.99), count=st.integers(1, 400))
def test_a_burst_of_any_length_counts_less_than_one_spaced_hit(weight: float, count: int) -> None:
    rule = Strength(weight=weight)
    burst = edge(weight)
    for _ in range(count):
        burst = hit(burst, rule, 0)
    spaced = hit(edge(weight), rule, 30 * DAY)
    assert burst.weight < spaced.weight
    if count > 1:
        each = edge(weight)
        for day in range(count):
            each = hit(each, rule, (day + 1) * 7 * DAY)
        assert each.weight > burst.weight


@given(times=st.lists(st.integers(1, 24 * 60), min_size=1, max_size=300))
def test_a_day_of_talk_counts_less_than_two_spaced_hits(times: list[int]) -> None:
    made, share = edge(0.0), 0.0
    for minute in sorted(times):
        now = minute * HOUR // 60
        share += gain(now - made.last_hit, made.hits)
        made = hit(made, Strength(), now)
    assert share < 2 * GAIN


def test_hits_saturate_and_the_page_tells_the_values() -> None:
    rule = Strength(weight=0.5)
    spaced, burst = edge(0.5), edge(0.5)
    told = []
    for n in range(1, 31):
        spaced, burst = hit(spaced, rule, n * 30 * DAY), hit(burst, rule, 0)
        if n in (1, 2, 5, 10, 30):
            told.append((n, round(spaced.weight, 3), round(burst.weight, 3)))
    assert told == [
        (1, 0.6, 0.525),
        (2, 0.68, 0.536),
        (5, 0.836, 0.548),
        (10, 0.946, 0.554),
        (30, 0.999, 0.558),
    ]
    assert [round(gain(gap, 1), 3) for gap in (0, HOUR, 6 * HOUR, DAY, 7 * DAY, 30 * DAY)] == [
        0.05, 0.054, 0.074, 0.125, 0.199, 0.2,
    ]  # fmt: skip
    assert [round(gain(0, hits), 4) for hits in (1, 2, 3, 9)] == [0.05, 0.0222, 0.0125, 0.002]


# -- when it holds ---------------------------------------------------------------------------------------------
def test_an_edge_holds_from_its_beginning_until_its_end() -> None:
    plain = edge(created=5)
    assert [held(plain, at) for at in (4, 5, 10**17)] == [False, True, True]
    bounded = edge(created=0, valid_from=10, valid_until=20)
    assert [held(bounded, at) for at in (9, 10, 19, 20)] == [False, True, True, False]
    gone = ended(edge(created=5), "superseded", 15)
    assert (gone.status, gone.valid_until) == ("superseded", 15)
    assert [held(gone, at) for at in (4, 5, 14, 15)] == [False, True, True, False]
    assert ended(gone, "invalid", 30).valid_until == 15, "never later than an earlier end"
    assert not held(edge(status="superseded"), 10), "an end that a store of old did not note"
    candidate = edge(status="candidate")
    assert not held(candidate, 10)
    assert not held(ended(candidate, "invalid", 10), 5), "it never held"


def test_an_edge_drawn_anew_remembers_when_it_held_before() -> None:
    first = ended(edge(created=10, attributes='{"scope": "backend"}'), "superseded", 20)
    second = again(edge(created=30, attributes='{"scope": "backend"}'), first)
    assert list(earlier(second)) == [(10, 20)]
    assert [held(second, at) for at in (9, 10, 19, 20, 29, 30)] == [False, True, True, False, False, True]
    third = again(edge(created=50), ended(second, "invalid", 40))
    assert list(earlier(third)) == [(10, 20), (30, 40)]
    shown = public_edge(second, Strength(), 35)
    assert shown.attributes == {"scope": "backend"}
    assert shown.created_at == shown.valid_from == from_micros(30)
    met = again(edge(created=20), first)
    assert (met.created, met.attributes) == (10, None), "no gap: it held all the while"
    said = again(edge(created=25, valid_from=20), first)
    assert (said.created, said.valid_from) == (25, 10)


@given(st.lists(st.integers(0, 50), min_size=2, max_size=9, unique=True))
def test_whatever_is_drawn_and_ended_in_turn_held_just_then(times: list[int]) -> None:
    times.sort()
    made = edge(created=times[0])
    for n, at in enumerate(times[1:]):
        made = again(edge(created=at), made) if n % 2 else ended(made, "superseded", at)
    for at in range(-1, 52):
        passed = sum(time <= at for time in times)
        assert held(made, at) == (passed % 2 == 1), (times, at, json.dumps(made.attributes))


def test_cold_edges_are_those_not_hit_for_as_long_as_their_relation_says() -> None:
    assert not cold(edge(), Strength(), 10**17)
    rule = Strength(cold_after_days=90)
    assert not cold(edge(), rule, 90 * DAY)
    assert cold(edge(), rule, 90 * DAY + 1)
    assert not cold(hit(edge(), rule, 91 * DAY), rule, 91 * DAY)


def test_the_public_edge() -> None:
    shown = public_edge(
        edge(0.9, message="m1", start=2, end=5, attributes='{"scope":"backend"}', valid_until=7),
        Strength(ttl_seconds=60, cold_after_days=1),
        0,
    )
    assert shown.id == "a.refers_to.b"
    assert shown.weight == 0.9
    assert shown.attributes == {"scope": "backend"}
    assert shown.evidence is not None
    assert (shown.evidence.message_id, shown.evidence.start, shown.evidence.end) == ("m1", 2, 5)
    assert (shown.valid_from, shown.valid_until) == (from_micros(0), from_micros(7))
    assert (shown.expired, shown.cold) == (False, False)
    later = public_edge(edge(), Strength(ttl_seconds=60, cold_after_days=1), 2 * DAY)
    assert (later.expired, later.cold) == (True, True)


# -- whose rule ------------------------------------------------------------------------------------------------
def test_of_rules_of_one_name_an_edge_follows_the_one_between_its_types() -> None:
    def rule(source: str, target: str, days: float) -> RelationRule:
        return RelationRule("refers_to", source, target, strength=Strength(half_life_days=days))

    catalog = Catalog(
        types={}, rules=[rule("bill", "*", 1), rule("bill", "firm", 2), rule("deal", "firm", 3)], fingerprint="",
        indexed={},
    )  # fmt: skip

    def half_life(source: str, target: str) -> float | None:
        found = rule_of(catalog, edge(source_type=source, target_type=target))
        return None if found is None else found.strength.half_life_days

    assert half_life("bill", "firm") == 2
    assert half_life("deal", "firm") == 3
    assert half_life("bill", "person") == 1
    assert half_life("person", "deal") == 1  # of no rule any more: the first of its name
    assert rule_of(catalog, edge(relation="other")) is None
