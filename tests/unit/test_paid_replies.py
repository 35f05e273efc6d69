"""What a model said is paid for once, kept for its owner, bounded by a cap a day, and gone when something is erased."""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterator
from datetime import datetime
from pathlib import Path
from typing import Any

import pytest
from asking import TOKENS, Asking, HttpModel, answered

from forms_dynamics import Memory
from forms_dynamics.errors import ExtractorUnavailable
from forms_dynamics.model.answer import Answer
from forms_dynamics.model.message import Cost, Message, Proposal
from forms_dynamics.model.record import Scope
from forms_dynamics.model.report import Spent
from forms_dynamics.replies import ReplyBook
from forms_dynamics.settings import Settings
from forms_dynamics.testing import FixedClock
from forms_dynamics.testing.model_server import ModelServer, Reply
from forms_dynamics.testing.reference_store import ReferenceStore

NOON = "2026-11-30T12:00:00+08:00"
SAID = "青杉科技公司预算50万"
PRICE = sum(TOKENS)


@pytest.fixture
def server() -> Iterator[ModelServer]:
    with ModelServer(answered) as served:
        yield served


@pytest.fixture(params=["sqlite", "postgres"])
def url(request: pytest.FixtureRequest, tmp_path: Path) -> str:
    if request.param == "sqlite":
        return str(tmp_path / "m.db")
    schema: Callable[[], str] = request.getfixturevalue("postgres_schema")
    return schema()


def opened(url: str | Path, server: ModelServer, time: str = NOON, **options: Any) -> Memory:
    options.setdefault("extractor", Asking(HttpModel(server.base_url)))
    return Memory.open(url, form_types=["lead_profile"], clock=FixedClock(time), **options)


def test_the_same_words_are_paid_for_once(url: str, server: ModelServer) -> None:
    with opened(url, server) as memory:
        first = memory.observe(SAID, id="m1")
        again = memory.observe(SAID, id="m2", conversation="c2")
    with opened(url, server) as memory:
        later = memory.observe(SAID, id="m3", conversation="c3")
        assert memory.health().spent_today == Spent(1, *TOKENS)
        assert memory.find("lead_profile")[0]["company"] == "青杉科技公司"
    assert server.calls == 1
    assert [r.cost.model_calls for r in (first, again, later)] == [1, 0, 0]
    assert (first.cost.tokens_in, first.cost.tokens_out) == TOKENS


def test_no_reply_serves_another_user_or_tenant(url: str, server: ModelServer) -> None:
    with opened(url, server) as memory:
        for other in (
            memory,
            memory.scoped(user="anna"),
            memory.scoped(tenant="t2"),
            memory.scoped(user="bert"),
        ):
            assert other.observe(SAID).cost.model_calls == 1
        assert server.calls == 4
        assert memory.scoped(user="anna").health().spent == Spent(1, *TOKENS)
        assert memory.health().spent == Spent(3, 3 * TOKENS[0], 3 * TOKENS[1])  # of the whole tenant
        assert memory.scoped(tenant="t2").health().spent == Spent(1, *TOKENS)


def test_a_dry_run_pays_and_the_observe_after_it_does_not(server: ModelServer, tmp_path: Path) -> None:
    with opened(tmp_path / "m.db", server) as memory:
        tried = memory.observe(SAID, id="m1", dry_run=True)
        assert (tried.state, tried.cost.model_calls) == ("stored", 1)
        assert memory.health().messages == memory.health().forms == 0
        assert memory.health().spent.calls == 1
        done = memory.observe(SAID, id="m1")
        assert (done.state, done.cost.model_calls) == ("stored", 0)
    assert server.calls == 1


@pytest.mark.parametrize("what", ["message", "form", "user", "shared form"])
def test_no_file_keeps_what_was_erased(server: ModelServer, tmp_path: Path, what: str) -> None:
    """The reply holds the company and the amount as the model wrote it, which stands in no message."""
    server._ask = lambda request: {
        "drafts": [
            {
                "form_type": "lead_profile",
                "slots": {
                    "company": {"value": "青杉科技公司", "confidence": 0.95, "evidence": "青杉科技公司"},
                    "budget": {"value": "伍拾萬元zq7731", "confidence": 0.95, "evidence": "预算50万"},
                },
            }
        ]
    }
    path = tmp_path / "m.db"
    with opened(path, server) as memory:
        mine = memory.scoped(user="anna")
        owner = memory if what == "shared form" else mine
        receipt = owner.observe(SAID, id="m1")
        mine.observe("青杉科技公司预算50万啊", id="m2")
        assert any(b"zq7731" in held.read_bytes() for held in tmp_path.iterdir())
        if what == "message":
            mine.erase(message="m1")
        elif what == "user":
            memory.erase(user="anna")
        else:
            owner.erase(form_id=receipt.forms[0])
        kept = [held.name for held in tmp_path.iterdir() if b"zq7731" in held.read_bytes()]
        assert kept == ([] if what != "message" else kept)
        mine.observe(SAID, id="m3")
        assert server.calls == 3  # asked anew


def test_a_reply_that_comes_after_an_erasure_is_not_kept(tmp_path: Path) -> None:
    """The prompt of the second message holds the first one's words, which are erased while the model thinks."""
    thinks, erased = threading.Event(), threading.Event()

    def script(request: dict[str, Any]) -> Any:
        if "before" in request["messages"][-1]["content"]:
            thinks.set()
            assert erased.wait(10)
            return {"drafts": [], "heard": "zq7731"}
        return answered(request)

    with ModelServer(script) as server, opened(tmp_path / "m.db", server) as memory:
        memory.observe("暗号是zq7731，青杉科技公司", id="m1")
        asking = threading.Thread(target=lambda: memory.observe("那它呢", id="m2"))
        asking.start()
        assert thinks.wait(10)
        memory.erase(message="m1")
        erased.set()
        asking.join()
        assert memory.health().spent.calls == 2
        assert memory._store.count(Scope("default", ""))["replies"] == 0


def test_at_the_cap_messages_wait_for_the_next_day_and_are_taken_once(url: str, server: ModelServer) -> None:
    one_at_a_time = Asking(HttpModel(server.base_url), 1)
    options: dict[str, Any] = {"settings": {"cost_cap": 2 * PRICE}, "extractor": one_at_a_time}
    with opened(url, server, **options) as memory:
        states = [
            memory.observe(f"青杉{i}号公司预算{i}万", id=f"m{i}", conversation="c").state for i in range(1, 5)
        ]
        assert states == ["stored", "stored", "queued", "queued"]
        (why,) = memory.health().waiting
        assert why == (
            f"the cost cap of {2 * PRICE} tokens a day is reached ({2 * PRICE} spent): the model is asked again from"
            " 2026-12-01T00:00Z, or with a higher settings.cost_cap"
        )
        assert memory.observe("青杉9号公司预算9万", id="m9", conversation="d").waiting == why
        assert memory.recall("预算", conversation="c").current_to == "m2"
        assert memory.observe("青杉1号公司预算1万", conversation="e").state == "stored"  # paid for already
        assert memory.work() == 0
        assert memory.scoped(user="anna").observe(SAID).state == "stored"  # whose cap is their own
        assert memory.health().spent_today.tokens == 3 * PRICE
    assert server.calls == 3
    with opened(url, server, "2026-12-01T08:00:00+08:00", **options) as memory:  # midnight UTC
        assert memory.health().spent_today == Spent()
        assert memory.work() == 2
        assert memory.work() == 0
        assert memory.health().queued == 1
        assert memory.health().spent.tokens == 5 * PRICE
    with opened(url, server, "2026-12-01T08:00:00+08:00", settings={"cost_cap": 9 * PRICE}) as memory:
        assert memory.work() == 1
        assert memory.recall("预算", conversation="c").current_to == "m4"
        assert {str(f["budget"].amount) for f in memory.find("lead_profile") if f.version == 1} >= {
            "30000",
            "40000",
        }
    assert server.calls == 6


def test_calls_under_way_are_all_that_goes_beyond_the_cap(tmp_path: Path) -> None:
    with ModelServer(answered, latency=0.05) as server:
        at_once = 4
        settings = {"cost_cap": 5 * PRICE, "model_concurrency": at_once}
        asking = Asking(HttpModel(server.base_url), at_once)
        with opened(tmp_path / "m.db", server, settings=settings, extractor=asking) as memory:
            logs = [{"text": f"青杉{i}号公司预算{i}万", "conversation": f"c{i}"} for i in range(40)]
            memory.observe_many(logs)
            assert 5 <= server.calls <= 5 + at_once - 1
            assert memory.health().spent_today.calls == server.calls
            assert memory.health().queued == 40 - server.calls


def test_replies_grow_old(server: ModelServer, tmp_path: Path) -> None:
    path = tmp_path / "m.db"
    with opened(path, server) as memory:
        memory.observe(SAID)
    with opened(path, server, "2026-12-30T11:59:59+08:00") as memory:
        assert memory.observe(SAID).cost.model_calls == 0
        assert memory.upkeep(dry_run=True).replies == 0
    with opened(path, server, "2026-12-30T12:00:00+08:00") as memory:
        assert memory.upkeep(dry_run=True).replies == 1
        assert memory.observe(SAID).cost.model_calls == 1  # whether upkeep came or not
        assert memory.upkeep().replies == 0  # it took the old one's place
    later = datetime.fromisoformat("2027-03-01T00:00:00+00:00")
    with opened(path, server) as memory:
        assert memory.upkeep(now=later).replies == 1
    with opened(path, server, settings={"reply_days": 0}) as memory:
        assert [memory.observe(SAID).cost.model_calls for _ in range(2)] == [1, 1]
        assert memory.health().spent.calls == 4


def test_old_replies_go_without_upkeep(server: ModelServer, tmp_path: Path) -> None:
    path = tmp_path / "m.db"
    with opened(path, server) as memory:
        for i in range(5):
            memory.observe(f"青杉{i}号公司")
    with opened(path, server, "2027-02-01T12:00:00+08:00") as memory:
        memory.observe("青杉9号公司")
        assert memory._store.count(Scope("default", ""))["replies"] == 1


def test_a_memory_that_is_only_read_gives_replies_and_takes_none(server: ModelServer, tmp_path: Path) -> None:
    path = tmp_path / "m.db"
    with opened(path, server) as memory:
        memory.observe(SAID)
    before = path.read_bytes()
    with opened(path, server, read_only=True) as memory:
        book = memory._intake.book
        (row,) = memory._store._rows("SELECT reply_key FROM replies")  # type: ignore[attr-defined]
        assert memory._store.reply(Scope("default", ""), row[0], 0)
        book.of("m9").put("another", Answer({"drafts": []}, Cost(1, 5, 5)))
        book.spent(Cost(1, 5, 5))
        assert book.of("m9").get("another") is None
    assert path.read_bytes() == before


def test_no_word_of_a_question_is_in_its_key() -> None:
    store = ReferenceStore()
    book = ReplyBook(store, Scope("t", ""), FixedClock(NOON), Settings())
    answer = Answer(
        {"a": "\ud83d half", "b": [1, None]}, Cost(2, 3, 4), [("\ud83d", float("-inf")), ("b", -0.5)]
    )
    book.of("m1").put("预算50万", answer)
    (kept,) = store._own(Scope("t", "")).replies
    assert len(kept) == 32
    assert "预算" not in kept
    found = book.of("m2").get("预算50万")
    assert found == Answer(answer.content, answer.cost, [("\ud83d", -1e4), ("b", -0.5)])


class Own:
    """An extractor that knows of no replies."""

    def extract(self, message: Message, known: Any) -> Proposal:
        if "down" in message.text:
            raise ExtractorUnavailable("the model is down", Cost(2, 20, 2))
        return Proposal((), Cost(1, 50, 5))


def test_what_an_extractor_of_ones_own_costs_is_counted(server: ModelServer, tmp_path: Path) -> None:
    with opened(tmp_path / "m.db", server, extractor=Own(), settings={"cost_cap": 60}) as memory:
        assert memory.observe("hello").cost == Cost(1, 50, 5)
        receipt = memory.observe("down")
        assert (receipt.state, receipt.waiting) == ("queued", "the model is down")
        assert receipt.cost == Cost(2, 20, 2)
        assert memory.health().spent_today == Spent(3, 70, 7)


def test_calls_in_vain_are_counted(tmp_path: Path) -> None:
    replies = [Reply.failing(500), Reply("no JSON", usage=(7, 3))]
    with ModelServer(replies) as server, opened(tmp_path / "m.db", server) as memory:
        assert "500" in (memory.observe(SAID).waiting or "")
        assert memory.observe("青杉2号公司").waiting == "the reply does not validate"
        assert memory.health().spent_today == Spent(2, 7, 3)


def test_the_backup_has_the_replies(server: ModelServer, tmp_path: Path, url: str) -> None:
    with opened(url, server) as memory:
        memory.observe(SAID)
        memory.backup(tmp_path / "copy.db")
    with opened(tmp_path / "copy.db", server) as copy:
        assert copy.observe(SAID).cost.model_calls == 0
        assert copy.health().spent.calls == 1
        assert [row for row in copy.export() if "repl" in str(row.get("kind"))] == []


def test_only_whole_replies_are_kept_by_many_at_once(server: ModelServer, tmp_path: Path) -> None:
    with opened(tmp_path / "m.db", server) as memory:
        threads = [
            threading.Thread(
                target=lambda i=i: memory.observe(f"青杉{i}号公司预算{i}万", conversation=f"c{i}")
            )
            for i in range(16)
        ]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        assert memory.health().spent_today == Spent(16, 16 * TOKENS[0], 16 * TOKENS[1])
        assert memory.health().forms == 16
    assert server.calls == 16


def test_erasing_does_not_open_the_cap_again(url: str, server: ModelServer) -> None:
    with opened(url, server, settings={"cost_cap": PRICE}) as memory:
        anna = memory.scoped(user="anna")
        assert anna.observe(SAID).state == "stored"
        anna.erase(user="anna")
        assert anna.health().spent_today == Spent(1, *TOKENS)
        assert anna.observe(SAID).state == "queued"
    assert server.calls == 1
