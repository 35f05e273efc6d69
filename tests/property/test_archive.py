"""Whether upkeep ran daily or never, recalls give the same: text, Forms, messages, and every score on the way."""

from __future__ import annotations

import random
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import pytest

from forms_dynamics import Memory, Settings
from forms_dynamics.model.context import Step
from forms_dynamics.model.record import ChangeSet
from forms_dynamics.model.value import to_micros
from forms_dynamics.retrieval.reach import reach_at
from forms_dynamics.testing import FixedClock, ScriptedExtractor
from tests.cases.doubles import Words

TYPES = (
    "form_type: note\nidentity: [note_no]\nlife: {cold_after_days: 6}\n"
    "slots:\n  note_no: {type: text}\n  text: {type: text}\n---\n"
    "form_type: part\nidentity: [part_no]\nlife: {cold_after_days: null}\n"
    "slots:\n  part_no: {type: text}\n  text: {type: text}\n"
)
WORDS = ["van", "key", "shed", "red", "oak", "porter", "钥匙", "仓库", "红色", "货车", "客户", "the bay"]
QUESTIONS = [
    "Where does the red van key hang?", "红色货车的钥匙在哪", "what about the oak shed", "客户的仓库", "porter", "notes",
]  # fmt: skip
STARTS = datetime(2026, 1, 1, 9, tzinfo=UTC)


@pytest.fixture(autouse=True)
def by_the_clock_alone(monkeypatch: pytest.MonkeyPatch) -> None:
    """Notes of what was shown wait by the machine's time, too: on a slow one, one twin might write them before the
    other does."""
    monkeypatch.setattr("forms_dynamics.accesses.SECONDS", 3600.0)


class Twins:
    """Two memories, told the same; upkeep runs on the second alone."""

    def __init__(self, made: list[Memory], clocks: list[FixedClock], rng: random.Random) -> None:
        self.made, self.clocks, self.rng = made, clocks, rng
        self.ids: list[str] = []
        self.said: list[str] = []
        self.now = STARTS
        self.count = 0  # of messages

    def text(self) -> str:
        return " ".join(self.rng.choice(WORDS) for _ in range(self.rng.randint(1, 7)))

    def both(self, call: Callable[[Memory], Any]) -> Any:
        """What the call gives on both, which is the same."""
        given, _ = [call(memory) for memory in self.made]
        return given

    def step(self) -> None:
        number, text = self.rng.randint(0, 30), self.text()
        kind = self.rng.choice(["note", "note", "part"])
        act = self.rng.choice(
            ["record", "observe", "observe", "late", "correct", "access", "invalidate", "erase"]
        )
        if act == "record":
            slots = {f"{kind}_no": f"{kind}{number}", "text": text}
            made = [memory.record(kind, slots).forms for memory in self.made]
            assert made[0] == made[1]
            self.ids = sorted({*self.ids, *made[0]})
        elif act in ("observe", "late"):
            time = self.now - timedelta(days=9 * (act == "late"))
            self.count += 1
            id = f"m{self.count}"
            self.said.append(id)
            self.both(lambda memory: memory.observe(text, id=id, conversation="c", time=time))
        elif act == "erase" and self.said and self.rng.random() < 0.3:
            gone = self.said.pop(self.rng.randrange(len(self.said)))
            self.both(lambda memory: memory.erase(message=gone))
        elif self.ids:
            self.change(act, self.rng.choice(self.ids), text)

    def change(self, act: str, id: str, text: str) -> None:
        if self.made[0].get(id).status != "active":
            return
        if act == "correct":
            self.both(lambda memory: memory.correct(id, "text", text))
        elif act == "access":
            when = to_micros(self.now)
            self.both(lambda memory: memory._store.apply(memory._scope, ChangeSet(accesses=[(id, when)])))
        elif act == "invalidate":
            self.both(lambda memory: memory.invalidate(id))

    def pass_time(self) -> None:
        days = timedelta(days=self.rng.choice([0, 1, 1, 2, 5]), hours=1)
        self.now += days
        for clock in self.clocks:
            clock.advance(days=days.total_seconds() / 86400)
        self.made[1].upkeep()

    def compare(self) -> None:
        for question in self.rng.sample(QUESTIONS, 2):
            for cold in (False, True):
                plain, tended = (m.recall(question, include_cold=cold, max_tokens=900) for m in self.made)
                assert tended.text == plain.text
                assert (tended.messages, tended.confidence) == (plain.messages, plain.confidence)
                assert [f.id for f in tended.forms] == [f.id for f in plain.forms]
                # with the scores of whatever was found
                assert [s for s in tended.trace.steps if not _work(s)] == [
                    s for s in plain.trace.steps if not _work(s)
                ]


def _work(step: Step) -> bool:
    """Vectors made by a recall, which upkeep would have made before it."""
    return step.reason.startswith("embedded ")


@contextmanager
def twins(seed: int, where: Path, embedded: bool, urls: list[str]) -> Iterator[Twins]:
    (where / "types.yaml").write_text(TYPES, encoding="utf-8")
    clocks = [FixedClock(STARTS), FixedClock(STARTS)]
    made = [
        Memory.open(
            url,
            form_types=[where / "types.yaml"],
            relation_rules=[],
            extractor=ScriptedExtractor({}),
            clock=clock,
            embedder=Words() if embedded else None,  # None: there is no other
            settings=Settings(archive_after_days=8),
        )
        for url, clock in zip(urls, clocks, strict=True)
    ]
    try:
        yield Twins(made, clocks, random.Random(seed))
    finally:
        for memory in made:
            memory.close()


@pytest.mark.parametrize("embedded", [False, True])
@pytest.mark.parametrize("seed", range(3))
def test_upkeep_changes_no_recall(
    tmp_path: Path, seed: int, embedded: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("forms_dynamics.adapters.embedders.default_embedder", lambda: None)
    _play(seed, tmp_path, embedded, [":memory:", ":memory:"])


def test_upkeep_changes_no_recall_on_postgres(tmp_path: Path, postgres_schema: Callable[[], str]) -> None:
    _play(11, tmp_path, True, [postgres_schema(), postgres_schema()])


def _play(seed: int, where: Path, embedded: bool, urls: list[str]) -> None:
    with twins(seed, where, embedded, urls) as pair:
        for _ in range(30):
            for _ in range(pair.rng.randint(0, 5)):
                pair.step()
            pair.pass_time()
            pair.compare()
        plain, tended = pair.made
        reach = reach_at(tended._catalog, tended._settings, to_micros(pair.now))
        store, scope = tended._store, tended._scope
        assert store.idle(scope, reach) == 0
        # something was archived, or nothing was compared
        assert plain._store.idle(plain._scope, reach) == store.left_out(scope, reach, 999) > 10
