"""The queue: calls side by side with the results of one after another, every message exactly once."""

from __future__ import annotations

import asyncio
import json
import threading
import time
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import Any

import pytest
from asking import Asking, HttpModel, answered
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from forms_dynamics import Draft, ExtractorUnavailable, Form, Memory, SlotDraft, backlog
from forms_dynamics.model.message import Message, Proposal
from forms_dynamics.testing import FixedClock, ScriptedExtractor
from forms_dynamics.testing.model_server import ModelServer, Reply

NOON = "2026-11-30T12:00:00+08:00"
TEXTS = [
    "青杉科技公司预算{n}0万",
    "柏山仪表公司月结{n}0天",
    "它的预算改成{n}5万",
    "月结{n}5天",
    "今天下雨",
    "海蓝电子公司预算{n}1万，月结30天",
    "和it一样",
]


@pytest.fixture
def server() -> Iterator[ModelServer]:
    with ModelServer(answered, latency=0.02) as served:
        yield served


def opened(url: str | Path, server: ModelServer, clock: Any = None, **options: Any) -> Memory:
    options.setdefault("extractor", Asking(HttpModel(server.base_url)))
    return Memory.open(url, form_types=["lead_profile"], clock=clock or FixedClock(NOON), **options)


def dump(memory: Memory) -> str:
    return "\n".join(
        json.dumps(row, ensure_ascii=False, sort_keys=True, default=str) for row in memory.export()
    )


def log(picks: list[tuple[int, int, int, int]]) -> list[dict[str, Any]]:
    """Messages: which text, which conversation, which user, which number."""
    return [
        {
            "id": f"m{i}",
            "text": TEXTS[text].format(n=n + 1),
            "conversation": f"c{talk}",
            "user": (None, "anna")[user],
            "time": f"2026-11-30T10:{i // 60:02d}:{i % 60:02d}+08:00",
        }
        for i, (text, talk, user, n) in enumerate(picks)
    ]


PICKS = st.lists(
    st.tuples(*(st.integers(0, top) for top in (len(TEXTS) - 1, 2, 1, 3))), min_size=2, max_size=24
)


@settings(
    max_examples=25,
    deadline=None,
    suppress_health_check=[HealthCheck.function_scoped_fixture, HealthCheck.too_slow],
)
@given(PICKS)
def test_many_at_once_give_what_one_after_another_gives(picks: list[tuple[int, int, int, int]]) -> None:
    messages = log(picks)
    with ModelServer(answered) as server:
        with opened(":memory:", server) as one_by_one:
            single = []
            for message in messages:
                scoped = one_by_one if message["user"] is None else one_by_one.scoped(user=message["user"])
                single.append(scoped.observe(**{k: v for k, v in message.items() if k != "user"}))
            wanted = dump(one_by_one)
            calls = server.calls
        with opened(":memory:", server) as at_once:
            many = at_once.observe_many(messages)
            assert dump(at_once) == wanted
            assert at_once.health().spent_today.calls == server.calls - calls
        assert server.calls - calls == calls  # the same questions, none twice
    assert [(r.message_id, r.state, r.forms, r.versions, r.pending) for r in many] == [
        (r.message_id, r.state, r.forms, r.versions, r.pending) for r in single
    ]


def test_calls_of_one_conversation_run_side_by_side(tmp_path: Path) -> None:
    count = 500  # more than two windows
    with ModelServer(answered, latency=0.1) as server, opened(tmp_path / "m.db", server) as memory:
        began = time.perf_counter()
        receipts = memory.observe_many({"text": f"青杉{i}号公司预算{i + 1}万"} for i in range(count))
        took = time.perf_counter() - began
        assert {r.state for r in receipts} == {"stored"}
        assert server.calls == count
        assert 8 <= server.most_at_once <= 16
        assert took < count * 0.1 / 3
        assert memory.health().forms == count


def test_a_message_that_is_here_already_is_asked_about_no_more(server: ModelServer, tmp_path: Path) -> None:
    said = [{"id": f"m{i}", "text": f"青杉{i}号公司预算{i + 1}万"} for i in range(3)]
    with opened(tmp_path / "m.db", server, settings={"reply_days": 0}) as memory:
        memory.observe_many(said[:2])
        receipts = memory.observe_many([*said, said[2], {"id": "m0", "text": "another text"}, {"text": ""}])
        assert [(r.state, r.duplicate) for r in receipts] == [
            ("stored", True), ("stored", True), ("stored", False), ("stored", True), ("refused", False),
            ("refused", False),
        ]  # fmt: skip
        assert server.calls == 3
        assert memory.health().messages == 3


def test_a_conflict_in_a_window_costs_nothing_twice(server: ModelServer, tmp_path: Path) -> None:
    with opened(tmp_path / "m.db", server, settings={"reply_days": 0}) as memory:
        memory.observe("青杉0号公司", id="m0")
        others = [{"text": f"青杉{i}号公司预算{i}万", "conversation": f"c{i}"} for i in range(1, 6)]
        receipts = memory.observe_many([*others[:3], {"id": "m0", "text": "another text"}, *others[3:]])
        assert [r.state for r in receipts] == ["stored"] * 3 + ["refused"] + ["stored"] * 2
        assert [r.cost.model_calls for r in receipts] == [1, 1, 1, 0, 1, 1]
        assert (server.calls, memory.health().messages) == (6, 6)


def test_threads_and_gathered_calls_run_side_by_side(tmp_path: Path) -> None:
    with ModelServer(answered, latency=0.2) as server, opened(tmp_path / "m.db", server) as memory:

        async def gathered() -> list[Any]:
            texts = [f"青杉{i}号公司预算{i + 1}万" for i in range(16)]
            return list(await asyncio.gather(*(memory.scoped(user="anna").aobserve(text) for text in texts)))

        began = time.perf_counter()
        assert {r.state for r in asyncio.run(gathered())} == {"stored"}
        assert server.most_at_once >= 8
        assert time.perf_counter() - began < 16 * 0.2 / 2
        server.most_at_once = 0
        threads = [threading.Thread(target=memory.observe, args=(f"柏山{i}号公司",)) for i in range(16)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        assert server.most_at_once >= 8
        assert (memory.health().forms, memory.scoped(user="anna").health().forms) == (32, 16)


def test_no_call_is_made_inside_a_transaction(tmp_path: Path) -> None:
    """While the model thinks, others write."""
    with ModelServer(answered, latency=0.5) as server, opened(tmp_path / "m.db", server) as memory:
        asking = threading.Thread(
            target=memory.observe_many, args=([{"text": f"青杉{i}号公司"} for i in range(3)],)
        )
        asking.start()
        while not server.calls:
            time.sleep(0.005)
        began = time.perf_counter()
        memory.record("lead_profile", {"company": "柏山仪表公司"})
        assert time.perf_counter() - began < 0.3
        asking.join()


@pytest.fixture(params=["sqlite", "postgres"])
def url(request: pytest.FixtureRequest, tmp_path: Path) -> str:
    if request.param == "sqlite":
        return str(tmp_path / "m.db")
    schema: Callable[[], str] = request.getfixturevalue("postgres_schema")
    return schema()


def test_why_a_message_waits_is_told_and_kept(url: str) -> None:
    down = ModelServer()  # nobody serves there
    with opened(url, down) as memory:
        receipt = memory.observe("青杉科技公司", id="m1")
        assert receipt.state == "queued"
        assert (receipt.waiting or "").startswith("the model is away")
        later = memory.observe("柏山仪表公司", id="m2", wait=False)
        assert later.waiting == "left for work (wait=False)"
        assert memory.observe("青杉科技公司", id="m1").waiting == receipt.waiting
        assert memory.health().waiting == {receipt.waiting: 1, later.waiting: 1}
        assert memory.work() == 0
        assert memory.health().waiting == {receipt.waiting: 2}
    down.close()
    with ModelServer(answered) as server, opened(url, server) as memory:
        assert memory.work() == 2
        assert memory.health().waiting == {}
        assert memory.observe("青杉科技公司", id="m1").waiting is None
        assert memory.work() == 0


def test_whatever_an_extractor_raises_is_told_in_one_line(tmp_path: Path) -> None:
    class Failing:
        def extract(self, message: Message, known: Any) -> Proposal:
            raise ZeroDivisionError("a\nb \x00 \ud83d " + "x" * 400)

    with Memory.open(tmp_path / "m.db", form_types=["lead_profile"], extractor=Failing()) as memory:
        why = memory.observe("hello").waiting or ""
        assert why.startswith("ZeroDivisionError: a b ")
        assert len(why) == 300


def test_one_that_always_fails_holds_up_none_behind_it(tmp_path: Path) -> None:
    entries: dict[str, Any] = {f"m{i}": [] for i in range(9)}
    entries |= {"m0": {"raise": "bad"}, "m4": {"raise": "worse"}}
    extractor = ScriptedExtractor(entries)
    with Memory.open(tmp_path / "m.db", form_types=["lead_profile"], extractor=extractor) as memory:
        for i in range(9):
            memory.observe(f"text {i}", id=f"m{i}", wait=False)
        assert memory.work(limit=2) == 2
        assert memory.work() == 5
        assert memory.health().waiting == {"bad": 1, "worse": 1}
        assert memory.work() == 0


def test_where_all_fail_the_rest_is_left_and_next_time_comes_first(tmp_path: Path) -> None:
    asked: list[str] = []

    class Down:
        def extract(self, message: Message, known: Any) -> Proposal:
            asked.append(message.id)
            raise RuntimeError("down")

    options: dict[str, Any] = {"form_types": ["lead_profile"], "settings": {"model_concurrency": 2}}
    with Memory.open(tmp_path / "m.db", extractor=Down(), **options) as memory:
        for i in range(10):
            memory.observe(f"text {i}", id=f"m{i}", wait=False)
        for part in (range(4), range(4, 8), [8, 9, 0, 1]):
            asked.clear()
            assert memory.work() == 0
            assert asked == [f"m{i}" for i in part]


def test_a_model_may_take_longer_than_a_lease(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(backlog, "LEASE_SECONDS", 0.6)
    monkeypatch.setattr(backlog, "RENEWED_SECONDS", 0.2)
    from forms_dynamics.compose import SystemClock

    with ModelServer(answered, latency=2.0) as server:
        with (
            opened(tmp_path / "m.db", server, SystemClock()) as one,
            opened(tmp_path / "m.db", server, SystemClock()) as other,
        ):
            one.observe("青杉科技公司预算50万", id="m1", wait=False)
            done: list[int] = []
            working = threading.Thread(target=lambda: done.append(one.work()))
            working.start()
            while not server.calls:
                time.sleep(0.01)
            while working.is_alive():
                assert other.work() == 0
                time.sleep(0.05)
            assert done == [1]
            assert other.health().queued == 0
        assert server.calls == 1


def test_a_late_message_of_a_conversation_finds_its_place(tmp_path: Path) -> None:
    """m1 waits while the model is away; m2 corrects what m1 says before m1 is taken."""
    first = {"text": "青杉科技公司预算50万", "id": "m1", "time": "2026-11-30T10:00:00+08:00"}
    second = {"text": "青杉科技公司预算80万", "id": "m2", "time": "2026-11-30T11:00:00+08:00"}
    with (
        ModelServer(
            lambda request: Reply.failing(503) if "50万" in str(request) else answered(request)
        ) as server,
        opened(tmp_path / "m.db", server) as memory,
    ):
        assert memory.observe(**first).state == "queued"
        assert memory.observe(**second).state == "stored"
        assert memory.recall("青杉科技公司预算").current_to is None
        server._ask = answered
        assert memory.work() == 1
        (form,) = memory.find("lead_profile")
        assert (form.version, str(form["budget"].amount)) == (2, "800000")
        before = memory.get(form.id, as_of="2026-11-30T10:30:00+08:00")
        assert str(before["budget"].amount) == "500000"
        assert memory.recall("青杉科技公司预算").current_to == "m2"
        assert memory.verify().ok


def test_work_runs_calls_side_by_side_and_in_order_of_a_conversation(tmp_path: Path) -> None:
    messages = log([(0, 0, 0, 1), (2, 0, 0, 2), *((5, 1 + i % 2, 0, i % 4) for i in range(30)), (2, 1, 0, 3)])
    with ModelServer(answered, latency=0.1) as server:
        with opened(":memory:", server) as wanted:
            for message in messages:
                wanted.observe(**{k: v for k, v in message.items() if k != "user"})
            forms = {f["company"]: (f["budget"], f.version) for f in wanted.find("lead_profile")}
        server.most_at_once = 0
        with opened(tmp_path / "m.db", server) as memory:
            for message in messages:
                memory.observe(wait=False, **{k: v for k, v in message.items() if k != "user"})
            assert memory.work() == len(messages)
            assert {f["company"]: (f["budget"], f.version) for f in memory.find("lead_profile")} == forms
        assert server.most_at_once > 2


def test_an_edit_while_the_model_is_down_waits_with_its_new_words(tmp_path: Path) -> None:
    """What was taken back holds no longer, stored or queued before; the new words are taken exactly once."""

    class Reads:
        down = False

        def extract(self, message: Message, known: Sequence[Form]) -> Proposal:
            if self.down:
                raise ExtractorUnavailable("out of reach")
            budget = SlotDraft(message.text, evidence=message.text)
            return Proposal((Draft("lead_profile", {"budget": budget}),))

    reads = Reads()
    with Memory.open(tmp_path / "m.db", form_types=["lead_profile"], extractor=reads) as memory:
        memory.observe("35万", id="stored", conversation="a")
        [form] = memory.find("lead_profile")
        reads.down = True
        memory.observe("36万", id="queued", conversation="b")
        for id, conversation in (("stored", "a"), ("queued", "b")):
            receipt = memory.observe("45万", id=id, conversation=conversation, edit=True)
            assert (receipt.state, receipt.waiting) == ("queued", "out of reach")
        assert memory.get(form.id)["budget"] is None
        assert memory.health().waiting
        reads.down = False
        assert memory.work() == 2
        assert memory.work() == 0
        assert [f["budget"].amount for f in memory.find("lead_profile")] == [450_000, 450_000]
        assert memory.verify().ok
