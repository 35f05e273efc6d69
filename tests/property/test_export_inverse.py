"""Whatever was done to a memory, load(export) gives it back: the same bytes, and the same behaviour after."""

from __future__ import annotations

import json
import os
import tempfile
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import pytest
from firms import DEAL, FIRM, PRODUCT, diary, together
from hypothesis import HealthCheck, Phase, example, given, settings
from hypothesis import strategies as st

from forms_dynamics import FormsDynamicsError, Health, Memory
from forms_dynamics.model.report import Spent
from forms_dynamics.testing import FixedClock, ScriptedExtractor

START = datetime(2026, 6, 1, 8, tzinfo=UTC)
TYPES = together(FIRM, DEAL, PRODUCT, diary("$user") + "first_contact: [mood]\n")
RULES = """\
relation: for_firm
from: deal
to: firm
strength: {weight: 0.9, floor: 0.7, half_life_days: 30, ttl_seconds: 15552000}
when: "deal.firm == firm.name"
---
relation: wants
from: firm
to: product
"""


def _draft(form_type: str, relations: Any = (), invalidate: bool = False, **slots: Any) -> dict[str, Any]:
    told = {
        name: value if isinstance(value, dict) else {"value": value, "evidence": str(value)}
        for name, value in slots.items()
    }
    for slot in told.values():
        slot.setdefault("confidence", 0.95)
    return {
        "form_type": form_type, "slots": told, "relations": list(relations), "invalidate": invalidate
    }  # fmt: skip


SCRIPT: dict[str, Any] = {
    "Acme 在 Leeds": [_draft("firm", name="Acme", city="Leeds")],
    "海蓝电子🎉预算50万": [_draft("firm", name="海蓝电子", budget={"value": "50万", "evidence": "50万"})],
    "海蓝 likes tea": [_draft("firm", name="海蓝", tags={"value": "tea", "evidence": "tea", "op": "add"})],
    "the budget may be 60万": [
        _draft("firm", budget={"value": "60万", "evidence": "60万", "confidence": 0.5})
    ],
    "它在 Hull": [_draft("firm", city="Hull")],
    "not Leeds, York": [
        _draft("firm", city={"value": "York", "evidence": "York", "correction": True}),
    ],
    "D1 is for Acme": [_draft("deal", title="D1", firm="Acme")],
    "D1 is for 海蓝电子, once more": [
        _draft("deal", title="D1", firm={"value": "海蓝电子", "evidence": "海蓝电子", "correction": True})
    ],
    "Acme wants P9": [
        _draft("firm", name="Acme", relations=[{"relation": "wants", "to": {"form_type": "product", "name": "P9"}}])
    ],
    "P9 is red": [_draft("product", name="P9", colour="red")],
    "forget Acme": [_draft("firm", name="Acme", invalidate=True)],
    "I feel fine": [_draft("diary", mood="fine")],
    "nothing at all": [],
}  # fmt: skip

USERS = st.sampled_from([None, None, "ana", "ana", "ben"])
PICK = st.integers(0, 5)
SAY = st.tuples(
    st.just("say"), USERS, st.sampled_from(["c1", "c2"]), st.sampled_from(sorted(SCRIPT)), st.booleans(),
    st.integers(0, 3),
)  # fmt: skip
EDIT = st.tuples(st.just("edit"), USERS, st.sampled_from(sorted(SCRIPT)), PICK)
ACT = st.tuples(
    st.sampled_from(
        [
            "correct", "retract", "rollback", "invalidate", "confirm", "confirm", "refuse", "merge", "link",
            "undo", "work", "recall", "tick", "ask", "ask", "answer",
        ]
    ),
    USERS, PICK, PICK,
)  # fmt: skip
GONE = st.tuples(st.sampled_from(["record", "erase form", "erase message"]), USERS, PICK, PICK)
AFTER = st.one_of(SAY, SAY, EDIT, ACT)
BEFORE = st.one_of(SAY, SAY, SAY, EDIT, ACT, ACT, GONE)


class Player:
    """Does steps to a memory, each target chosen by what the memory holds; keeps what came of each."""

    def __init__(self, url: str | Path, tenant: str, folder: Path) -> None:
        self.clock = FixedClock(START)
        self.memory = Memory.open(
            url,
            form_types=[folder / "types.yaml"],
            relation_rules=[folder / "rules.yaml"],
            extractor=ScriptedExtractor(SCRIPT),
            clock=self.clock,
            tenant=tenant,
        )
        self.acts: list[tuple[str | None, str]] = []
        self.said = 0

    def play(self, step: tuple[Any, ...]) -> Any:
        self.clock.advance(seconds=60)
        try:
            return getattr(self, "_" + step[0].replace(" ", "_"))(*step[1:])
        except FormsDynamicsError as no:
            return type(no).__name__, str(no)

    def _of(self, user: str | None) -> Memory:
        return self.memory.scoped(user=user)

    def _say(self, user: str | None, conversation: str, text: str, wait: bool, late: int) -> Any:
        self.said += 1
        when = self.clock.now() - timedelta(days=late)
        got = self._of(user).observe(
            text,
            conversation=conversation,
            id=f"m{self.said}",
            wait=wait or late > 0,
            time=when,
            speaker="王总",
        )
        return got.state, sorted(got.forms), sorted(got.versions), sorted(got.edges), got.pending

    def _edit(self, user: str | None, text: str, pick: int) -> Any:
        mine = [row for row in self._of(user).export(user=user) if row["kind"] == "message"]
        if not mine or user is None:
            return None
        old = mine[pick % len(mine)]
        got = self._of(user).observe(text, conversation=old["conversation"], id=old["id"], edit=True)
        return got.state, got.versions

    def _pick(self, user: str | None, pick: int, type: str | None = None) -> str:
        forms = [f.id for f in self._of(user).find(type, status="any") if f.user == user]
        return forms[pick % len(forms)] if forms else "nobody"

    def _acted(self, user: str | None, receipt: Any) -> Any:
        self.acts.append((user, receipt.act))
        return receipt.act, receipt.forms, receipt.versions, receipt.edges

    def _correct(self, user: str | None, a: int, b: int) -> Any:
        city = ["Bath", "西安", "Hull"][b % 3]
        return self._acted(user, self._of(user).correct(self._pick(user, a, "firm"), "city", city))

    def _retract(self, user: str | None, a: int, b: int) -> Any:
        return self._acted(user, self._of(user).retract(self._pick(user, a, "firm"), "city"))

    def _rollback(self, user: str | None, a: int, b: int) -> Any:
        return self._acted(user, self._of(user).rollback(self._pick(user, a), 1 + b % 2))

    def _invalidate(self, user: str | None, a: int, b: int) -> Any:
        return self._acted(user, self._of(user).invalidate(self._pick(user, a), "作废"))

    def _link(self, user: str | None, a: int, b: int) -> Any:
        products = self._of(user).find("product") or self._of(user).find("firm")
        target = products[b % len(products)].id if products else "nobody"
        return self._acted(user, self._of(user).link(self._pick(user, a, "firm"), "wants", target))

    def _merge(self, user: str | None, a: int, b: int) -> Any:
        one, two = self._pick(user, a, "firm"), self._pick(user, b, "firm")
        return self._acted(user, self._of(user).merge(one, two))

    def _waiting(self, user: str | None, a: int) -> str:
        waiting = self._of(user).pending()
        return waiting[a % len(waiting)].id if waiting else "nobody"

    def _confirm(self, user: str | None, a: int, b: int) -> Any:
        return self._acted(user, self._of(user).confirm(self._waiting(user, a)))

    def _ask(self, user: str | None, a: int, b: int) -> Any:
        return self._of(user).first_contact(language="zh" if a % 2 else "en")

    def _answer(self, user: str | None, a: int, b: int) -> Any:
        asked = self._of(user).first_contact()
        answer = ["好", "fine", "没有"][b % 3]
        return self._acted(user, self._of(user).confirm(asked[0].id, answer)) if asked else None

    def _refuse(self, user: str | None, a: int, b: int) -> Any:
        return self._acted(user, self._of(user).refuse(self._waiting(user, a)))

    def _undo(self, user: str | None, a: int, b: int) -> Any:
        if not self.acts:
            return None
        owner, act = self.acts[a % len(self.acts)]
        return self._acted(owner, self._of(owner).undo(act))

    def _work(self, user: str | None, a: int, b: int) -> Any:
        return self._of(user).work(limit=1 + a)

    def _recall(self, user: str | None, a: int, b: int) -> Any:
        return self._of(user).recall("Acme 和 海蓝电子 在哪里？").text

    def _tick(self, user: str | None, a: int, b: int) -> None:
        self.clock.advance(days=a)

    def _record(self, user: str | None, a: int, b: int) -> Any:
        slots = {"name": ["Acme", "Zenith"][a % 2], "budget": f"{b + 1}00 CNY"}
        return self._of(user).record("firm", slots, external_id=f"crm-{a % 2}").versions

    def _erase_form(self, user: str | None, a: int, b: int) -> None:
        self._of(user).erase(form_id=self._pick(user, a))

    def _erase_message(self, user: str | None, a: int, b: int) -> None:
        said = [row["id"] for row in self.memory.export(user=user or "") if row["kind"] == "message"]
        if said:
            self._of(user).erase(message=said[a % len(said)])

    # -- what can be seen ------------------------------------------------------------------------------------
    def bytes(self) -> list[str]:
        return [json.dumps(row, ensure_ascii=False) for row in self.memory.export()]

    def seen(self) -> list[Any]:
        """What reads give, hashes apart."""
        out: list[Any] = []
        for user in (None, "ana", "ben"):
            mine = self._of(user)
            assert mine.verify().ok, mine.verify()
            forms = mine.find(status="any")
            out.append(forms)
            for form in forms:
                out.append(
                    [(v.id, v.slots, v.cause, v.time, v.arrived, v.current) for v in mine.history(form.id)]
                )
                out.append(sorted(mine.edges(form.id, include_inactive=True), key=lambda e: e.id))
                for moment in (START + timedelta(minutes=3), START + timedelta(minutes=9)):
                    out.append(self._then(mine, form.id, moment))
            out += [
                mine.pending(),
                sorted(mine.candidates(), key=lambda e: e.id),
                _kept(mine.health(user=user or "")),
            ]
            for question in ("Acme 在哪里？", "海蓝电子的预算是多少？", "D1", "tea"):
                context = mine.recall(question)
                out.append(
                    (context.text, [f.id for f in context.forms], context.questions, context.current_to)
                )
        out.append(_kept(self.memory.health()))
        return out

    @staticmethod
    def _then(mine: Memory, form: str, moment: datetime) -> Any:
        got: list[Any] = []
        for when in ({"as_of": moment}, {"known_at": moment}):
            try:
                got.append(mine.get(form, **when))
            except FormsDynamicsError as no:
                got.append(type(no))
        return got


@contextmanager
def _players() -> Iterator[Callable[..., Player]]:
    with tempfile.TemporaryDirectory() as name, ExitStack() as open_memories:
        folder = Path(name)
        (folder / "types.yaml").write_text(TYPES, encoding="utf-8")
        (folder / "rules.yaml").write_text(RULES, encoding="utf-8")

        def player(url: str | Path = ":memory:", tenant: str = "t") -> Player:
            made = Player(url, tenant, folder)
            open_memories.callback(made.memory.close)
            return made

        yield player


def _moved(before: Player, after: Player) -> None:
    """What before holds, loaded into after; and what came of it is the same in every way."""
    wrote = before.bytes()
    done = after.memory.load(wrote)
    assert (done.known, done.loose, dict(done.unknown_types)) == (0, 0, {})
    after.clock.advance(seconds=(before.clock.now() - after.clock.now()).total_seconds())
    after.acts, after.said = list(before.acts), before.said
    assert after.bytes() == wrote
    again = after.memory.load(wrote)
    assert not any((again.messages, again.forms, again.versions, again.edges, again.pending, again.acts))
    assert after.bytes() == wrote


EXAMPLES = int(os.environ.get("FORMS_DYNAMICS_EXAMPLES", "1"))
CHECKS = [HealthCheck.too_slow, HealthCheck.data_too_large]


def _kept(health: Health) -> Health:
    """What an export holds of it: why a message waits here, what models cost here and what was recalled here, is of
    this store alone."""
    return replace(health, waiting={}, spent_today=Spent(), spent=Spent(), junk=0, junk_rate=None)


PHASES = [Phase.explicit, Phase.reuse, Phase.generate, Phase.shrink]


@settings(max_examples=25 * EXAMPLES, deadline=None, suppress_health_check=CHECKS, phases=PHASES)
@given(before=st.lists(BEFORE, min_size=4, max_size=16), after=st.lists(AFTER, max_size=6))
@example(  # words that name what the self-check asks about
    before=[
        ("say", None, "c1", "Acme wants P9", False, 0),
        ("say", "ana", "c2", "the budget may be 60万", True, 0),
        ("record", "ana", 0, 0),
        ("say", None, "c1", "Acme wants P9", False, 0),
    ],
    after=[("edit", "ana", "forget Acme", 0), ("say", "ana", "c2", "Acme wants P9", False, 3)],
)
def test_a_loaded_memory_is_the_one_that_was_exported(before: list[Any], after: list[Any]) -> None:
    with _players() as player:
        first, second = player(), player()
        for step in before:
            first.play(step)
        _moved(first, second)
        assert second.seen() == first.seen()
        for step in after:
            assert second.play(step) == first.play(step), step
        assert second.bytes() == first.bytes()


def test_it_goes_over_postgres_and_back(postgres_schema: Callable[[], str]) -> None:
    @settings(max_examples=4 * EXAMPLES, deadline=None, suppress_health_check=CHECKS, phases=PHASES)
    @given(before=st.lists(BEFORE, min_size=8, max_size=16), after=st.lists(AFTER, max_size=4))
    def goes(before: list[Any], after: list[Any]) -> None:
        with _players() as player:
            first, server, second = player(), player(postgres_schema()), player()
            for step in before:
                first.play(step)
            _moved(first, server)
            assert server.seen() == first.seen()
            for step in after:
                assert server.play(step) == first.play(step), step
            assert server.bytes() == first.bytes()
            _moved(server, second)
            assert second.seen() == first.seen()

    goes()


def test_steps_do_what_they_are_for() -> None:
    """The machine above would prove little if most of its steps were refused."""
    with _players() as player:
        one = player()
        steps = [
            ("say", None, "c1", "Acme 在 Leeds", True, 0),
            ("say", None, "c1", "the budget may be 60万", True, 0),
            ("say", None, "c1", "D1 is for Acme", True, 0),
            ("say", None, "c1", "P9 is red", True, 0),
            ("say", "ana", "c1", "Acme wants P9", True, 0),
            ("say", "ana", "c1", "它在 Hull", False, 0),
            ("say", None, "c2", "海蓝电子🎉预算50万", True, 0),
            ("say", None, "c2", "海蓝 likes tea", True, 0),
            ("correct", None, 0, 0),
            ("confirm", None, 0, 0),
            ("merge", None, 1, 2),
            ("undo", None, 2, 0),
            ("record", None, 0, 0),
            ("erase message", None, 0, 0),
        ]
        for step in steps:
            got = one.play(step)
            assert not (isinstance(got, tuple) and isinstance(got[0], str) and got[0] in REFUSALS), (
                step,
                got,
            )
        rows = [json.loads(line) for line in one.bytes()]
        kinds = {row["kind"] for row in rows}
        assert kinds == {
            "scope",
            "message",
            "record",
            "form",
            "version",
            "mention",
            "edge",
            "pending",
            "act",
            "end",
        }
        assert {row["status"] for row in rows if row["kind"] == "edge"} >= {"active", "candidate"}
        assert any(row["kind"] == "version" and row["payload"] is None for row in rows)


REFUSALS = ("NotFound", "Conflict", "InvalidInput")


@pytest.mark.parametrize("user", [None, "ana"])
def test_one_users_part_alone(user: str | None) -> None:
    with _players() as player:
        first, second = player(), player()
        for who in (None, "ana", "ben"):
            first.play(("say", who, "c1", "Acme 在 Leeds", True, 0))
            first.play(("say", who, "c1", "I feel fine", True, 0))
        part = list(first.memory.export(user=user or ""))
        assert [row["user"] for row in part if row["kind"] == "scope"] == [user]
        assert list(first.memory.scoped(user=user).export(user=user or "")) == part
        second.memory.load(part)
        assert list(second.memory.export(user=user or "")) == part
        assert second.memory.health().forms == second.memory.health(user=user or "").forms == 2
