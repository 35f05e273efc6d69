"""A changed YAML meets Forms that are stored already."""

from __future__ import annotations

import json
import sqlite3
from collections.abc import Callable
from dataclasses import dataclass, field
from datetime import UTC, datetime
from decimal import Decimal
from pathlib import Path
from typing import Any

import pytest
from older_stores import before_step

from forms_dynamics import Conflict, InvalidInput, Memory, Money, SchemaError
from forms_dynamics.compose import against
from forms_dynamics.testing import FixedClock, ScriptedExtractor

ONE = """\
form_type: deal
version: 1
identity: {any: [[deal_no], [phone_no]]}
slots:
  deal_no: {type: text}
  phone_no: {type: text}
  pay_terms: {type: text}
  level: {type: enum, values: [low, mid, high]}
  budget: {type: text}
  tags: {type: text, many: true}
"""
TWO = """\
form_type: deal
version: 2
identity: {any: [[number], [phone_no]]}
slots:
  number: {type: text}
  phone_no: {type: phone}
  payment_terms: {type: text}
  level: {type: enum, values: [low, high]}
  budget: {type: money, unit: CNY}
  tags: {type: text, many: true}
  channel: {type: enum, values: [web, shop]}
migrations:
  2:
    - {rename: {pay_terms: payment_terms, deal_no: number}}
    - {map: {level: {mid: low}}}
    - {default: {channel: web}}
"""
THREE = (
    TWO.replace("version: 2", "version: 3").replace(
        "  channel: {type: enum, values: [web, shop]}\n",
        "  source: {type: text}\n  pay_terms: {type: text, many: true}\n",
    )
    + "  3: [{rename: {channel: source}}, {map: {source: {web: 网店}}}]\n"
)


@dataclass
class Deals:
    """One store, opened again and again with other YAML."""

    folder: Path
    url: str | Path
    clock: FixedClock = field(default_factory=lambda: FixedClock("2026-06-01T09:00:00+08:00"))
    count: int = 0

    def yaml(self, text: str) -> str:
        self.count += 1
        path = self.folder / f"{self.count}.yaml"
        path.write_text(text, encoding="utf-8")
        return str(path)

    def open(self, text: str, **more: Any) -> Memory:
        script = more.pop("script", [])
        return Memory.open(
            self.url,
            form_types=[self.yaml(text)],
            clock=self.clock,
            extractor=ScriptedExtractor(script),
            **more,
        )


@pytest.fixture(params=["sqlite", "postgres"])
def deals(request: pytest.FixtureRequest, tmp_path: Path) -> Deals:
    if request.param == "sqlite":
        return Deals(tmp_path, tmp_path / "deals.db")
    return Deals(tmp_path, request.getfixturevalue("postgres_schema")())


@pytest.fixture
def filled(deals: Deals) -> tuple[Deals, str, str]:
    """Two deals of version 1; the first one with a past."""
    with deals.open(ONE) as memory:
        first = memory.record(
            "deal",
            {"deal_no": "D-1", "pay_terms": "net 30", "level": "mid", "budget": "50万", "tags": ["a", "b"]},
        ).forms[0]
        deals.clock.advance(days=1)
        memory.record("deal", {"deal_no": "D-1", "pay_terms": "net 60", "phone_no": "138 0013 8000"})
        second = memory.record("deal", {"deal_no": "D-2", "level": "high"}).forms[0]
    deals.clock.advance(days=1)
    return deals, first, second


def refusals(deals: Deals, text: str) -> str:
    with pytest.raises(SchemaError) as refused:
        deals.open(text)
    assert all(finding.file.endswith(".yaml") and finding.line for finding in refused.value.findings)
    return str(refused.value)


def test_old_forms_are_read_through_the_migrations(filled: tuple[Deals, str, str]) -> None:
    deals, first, second = filled
    with deals.open(TWO) as memory:
        form = memory.get(first)
        assert {name: form[name] for name in form.slots} == {
            "number": "D-1", "phone_no": "138 0013 8000", "payment_terms": "net 60", "level": "low",
            "budget": Money(Decimal(500000), "CNY"), "tags": ("a", "b"), "channel": "web",
        }  # fmt: skip
        assert form.version == 2
        assert memory.get(second)["channel"] == "web"
        terms = [slot.value for slot in memory.history(first, slot="payment_terms")]
        assert terms == ["net 30", "net 60"]
        assert [v.slots["payment_terms"].value for v in memory.history(first)] == ["net 30", "net 60"]
        then = memory.get(first, as_of=datetime(2026, 6, 1, 12, tzinfo=UTC))
        assert (then["payment_terms"], then["channel"], then["phone_no"]) == ("net 30", "web", None)
        assert memory.get(first, version=1)["level"] == "low"
        assert memory.find("deal", number="D-1")[0].id == first
        assert memory.find("deal", phone_no="13800138000")[0].id == first
        assert "net 60" in memory.recall("D-1").text
        assert memory.verify().ok


def test_nothing_canonical_changes_on_disk_until_a_form_is_touched(tmp_path: Path) -> None:
    deals = Deals(tmp_path, tmp_path / "deals.db")
    with deals.open(ONE) as memory:
        for n in range(3):
            memory.record("deal", {"deal_no": f"D-{n}", "pay_terms": "net 30"})

    def rows() -> list[list[tuple[Any, ...]]]:
        with sqlite3.connect(tmp_path / "deals.db") as raw:
            return [
                raw.execute(f"SELECT * FROM {t} ORDER BY 1, 2, 3, 4").fetchall()
                for t in ("forms", "versions")
            ]

    before = rows()
    with deals.open(TWO) as memory:
        touched = memory.find("deal", number="D-1")[0].id
        assert rows() == before
        assert memory.record("deal", {"number": "D-1", "channel": "shop"}).forms == (touched,)
    after = rows()
    assert [row for row in before[1] if row not in after[1]] == []
    assert sum(row not in before[0] for row in after[0]) == 1


def test_a_renamed_identity_still_finds_its_forms(filled: tuple[Deals, str, str]) -> None:
    deals, first, second = filled
    with deals.open(TWO) as memory:
        assert memory.record("deal", {"number": "d-1", "channel": "shop"}).forms == (first,)
        assert memory.record("deal", {"phone_no": "13800138000", "budget": "60万"}).forms == (first,)
        assert memory.get(first)["budget"] == Money(Decimal(600000), "CNY")
        assert [s.value for s in memory.history(first, slot="channel")] == ["web", "shop"]
        assert memory.record("deal", {"number": "D-3"}).forms[0] not in (first, second)
        assert memory.verify().ok
    with deals.open(TWO) as memory:  # and again, from the heads that version 2 wrote
        assert memory.get(first)["channel"] == "shop"
        assert len(memory.find("deal")) == 3
        memory.rebuild()
        assert memory.verify().ok
        assert memory.get(first)["channel"] == "shop"


def test_a_name_that_comes_back_means_what_it_means_now(filled: tuple[Deals, str, str]) -> None:
    """``pay_terms`` was renamed in version 2; version 3 has another slot of that name."""
    deals, first, second = filled
    with deals.open(THREE) as memory:
        assert memory.get(first)["payment_terms"] == "net 60"
        assert memory.get(first)["pay_terms"] is None
        assert memory.get(second)["source"] == "网店"
        memory.record("deal", {"number": "D-1", "pay_terms": ["cash"]})
        memory.record("deal", {"number": "D-1", "payment_terms": "net 90"})
    with deals.open(THREE) as memory:
        form = memory.get(first)
        assert (form["payment_terms"], form["pay_terms"]) == ("net 90", ("cash",))
        assert [s.value for s in memory.history(first, slot="payment_terms")] == [
            "net 30",
            "net 60",
            "net 90",
        ]
        assert memory.verify().ok


def test_a_chain_of_three_versions_is_one_history(deals: Deals) -> None:
    with deals.open(ONE) as memory:
        id = memory.record("deal", {"deal_no": "D-1", "pay_terms": "net 30", "level": "mid"}).forms[0]
    for text, terms in ((TWO, "net 45"), (THREE, "net 60")):
        deals.clock.advance(days=1)
        with deals.open(text) as memory:
            memory.record("deal", {"number": "D-1", "payment_terms": terms})
            assert memory.verify().ok
    with deals.open(THREE) as memory:
        assert [s.value for s in memory.history(id, slot="payment_terms")] == ["net 30", "net 45", "net 60"]
        assert [v.slots["level"].value for v in memory.history(id)] == ["low"] * 3
        memory.rollback(id, 1)
        assert memory.get(id)["payment_terms"] == "net 30"
        assert memory.verify().ok


@pytest.mark.parametrize(
    ("change", "told"),
    [
        (lambda y: y.replace("  pay_terms: {type: text}\n", "  payment_terms: {type: text}\n"),
         "slot 'pay_terms' is gone, and held by 1 Form (2 values), such as \"net 30\": set version: 2 and declare"
         " under migrations 2: [{rename: {pay_terms: payment_terms}}], or [{drop: [pay_terms]}]"),
        (lambda y: y.replace("[low, mid, high]", "[low, high]"),
         "slot 'level': the enum has no such value, in 1 Form (1 value), such as \"mid\": set version: 2 and"
         " declare under migrations 2: [{map: {level: {mid: …}}}]"),
        (lambda y: y.replace("budget: {type: text}", "budget: {type: money, unit: CNY}"),
         "slot 'budget': it can't be read as money, in 1 Form (1 value), such as \"50万\": set version: 2;"),
        (lambda y: y.replace("version: 1", "version: 2").replace("budget: {type: text}", "budget: {type: date}"),
         "slot 'budget': it can't be read as date, in 1 Form (1 value), such as \"50万\": declare under"
         " migrations 2: [{map: {budget: …}}], or keep the old type"),
        (lambda y: y.replace("tags: {type: text, many: true}", "tags: {type: text}"),
         "slot 'tags': it holds several values and the slot takes one, in 1 Form (1 value), such as [\"a\", \"b\"]: keep"
         " many: true"),
    ],
)  # fmt: skip
def test_what_would_be_lost_is_refused(
    filled: tuple[Deals, str, str], change: Callable[[str], str], told: str
) -> None:
    deals, first, _ = filled
    assert change(ONE) != ONE
    assert told in refusals(deals, change(ONE))
    assert told in str(against(deals.url, [deals.yaml(change(ONE))]).findings[0])
    with deals.open(ONE) as memory:  # nothing has happened
        assert memory.get(first)["pay_terms"] == "net 60"
        memory.record("deal", {"deal_no": "D-2", "pay_terms": "cash"})


def test_values_added_one_by_one_are_several(deals: Deals) -> None:
    with deals.open(ONE) as memory:
        id = memory.record("deal", {"deal_no": "D-1", "tags": ["a"]}).forms[0]
        memory.record("deal", {"deal_no": "D-1", "tags": {"op": "add", "value": ["b"]}})
    single = ONE.replace("tags: {type: text, many: true}", "tags: {type: text}")
    for text in (single, single.replace("version: 1", "version: 2")):
        assert "slot 'tags': it holds several values and the slot takes one, in 1 Form" in refusals(
            deals, text
        )
    with deals.open(ONE) as memory:
        memory.record("deal", {"deal_no": "D-1", "tags": {"op": "remove", "value": ["b"]}})
        memory.retract(id, "tags")
        memory.record("deal", {"deal_no": "D-1", "tags": ["c"]})
    with deals.open(single.replace("version: 1", "version: 2")) as memory:
        assert memory.get(id)["tags"] == "c"


def test_renames_of_one_step_are_taken_at_once(filled: tuple[Deals, str, str]) -> None:
    deals, first, _ = filled
    swapped = (
        ONE.replace("version: 1", "version: 2")
        + "migrations:\n  2: [{rename: {pay_terms: budget, budget: pay_terms}}]\n"
    )
    with deals.open(swapped) as memory:
        assert (memory.get(first)["pay_terms"], memory.get(first)["budget"]) == ("50万", "net 60")
        assert [s.value for s in memory.history(first, slot="budget")] == ["net 30", "net 60"]


@pytest.mark.parametrize(
    "rename",
    ["{pay_terms: terms, budget: terms}", "{pay_terms: budget}"],
    ids=["two to one", "onto one that is filled"],
)
def test_a_rename_that_covers_a_value_is_refused(filled: tuple[Deals, str, str], rename: str) -> None:
    deals, first, _ = filled
    text = ONE.replace("version: 1", "version: 2").replace(
        "  pay_terms: {type: text}\n", "  terms: {type: text}\n"
    )
    text += f"migrations:\n  2: [{{rename: {rename}}}]\n"
    told = refusals(deals, text)
    assert "1 Form" in told
    assert "the rename covers" in told
    assert not against(deals.url, [deals.yaml(text)]).ok
    with deals.open(ONE) as memory:
        assert memory.get(first)["budget"] == "50万"


def test_a_default_goes_through_the_steps_behind_it(filled: tuple[Deals, str, str]) -> None:
    deals, first, _ = filled
    text = ONE.replace("version: 1", "version: 2") + (
        "  origin: {type: text}\nmigrations:\n  2: [{default: {way: web}}, {rename: {way: origin}},"
        " {map: {origin: {web: 网店}}}]\n"
    )
    with deals.open(text) as memory:
        assert memory.get(first)["origin"] == "网店"
        assert "way" not in memory.get(first).slots


def test_another_unit_of_a_number_is_told(deals: Deals) -> None:
    weighed = "form_type: parcel\nidentity: [no_]\nslots:\n  no_: {type: text}\n  weight: {type: number, unit: kg}\n"
    with deals.open(weighed) as memory:
        memory.record("parcel", {"no_": "P-1", "weight": 5})
        memory.record("parcel", {"no_": "P-2"})
    pounds = weighed.replace("kg", "lb")
    (told,) = against(deals.url, [deals.yaml(pounds)]).findings
    assert told.severity == "warning"
    assert "slot 'weight': 1 Form hold numbers in kg, which will read as lb" in told.message
    with deals.open(pounds):
        pass


def test_a_declared_loss_is_taken(filled: tuple[Deals, str, str]) -> None:
    deals, first, _ = filled
    text = ONE.replace("version: 1", "version: 2").replace("  pay_terms: {type: text}\n", "")
    with deals.open(text + "migrations:\n  2: [{drop: [pay_terms]}]\n") as memory:
        assert "pay_terms" not in memory.get(first).slots
        assert "net 60" not in memory.recall("D-1").text


def test_more_slots_values_and_words_need_no_new_version(filled: tuple[Deals, str, str]) -> None:
    deals, first, _ = filled
    wider = (
        ONE.replace("[low, mid, high]", "{low: [小], mid: [中], high: [大], top: []}")
        + "  city: {type: text}\n"
    )
    with deals.open(wider) as memory:
        memory.record("deal", {"deal_no": "D-1", "city": "杭州", "level": "top"})
        assert memory.get(first)["city"] == "杭州"
    told = refusals(deals, ONE)  # and now the way back would lose something
    assert "slot 'city' is gone" in told
    assert '"top"' in told


def test_a_slot_that_no_form_holds_may_go(filled: tuple[Deals, str, str]) -> None:
    deals, first, _ = filled
    with deals.open(ONE + "  city: {type: text}\n") as memory:
        assert memory.get(first)["deal_no"] == "D-1"
    with deals.open(ONE) as memory:
        assert memory.get(first)["deal_no"] == "D-1"


def test_an_older_yaml_is_refused_once_newer_forms_are_there(filled: tuple[Deals, str, str]) -> None:
    deals, first, _ = filled
    old = deals.open(ONE)
    with deals.open(TWO) as memory:
        memory.record("deal", {"number": "D-1", "channel": "shop"})
    with pytest.raises(Conflict, match="version 2 of deal, this memory has version 1"):
        old.correct(first, "pay_terms", "x")
    old.close()
    assert "version 1 is declared here, and 1 Form of version 2 stored" in refusals(deals, ONE)


def test_a_new_identity_finds_what_was_stored_before(filled: tuple[Deals, str, str]) -> None:
    deals, first, _ = filled
    with deals.open(ONE.replace("[[deal_no], [phone_no]]", "[[deal_no, level], [phone_no]]")) as memory:
        again = memory.record("deal", {"deal_no": "D-1", "level": "mid", "budget": "9万"})
        assert again.forms == (first,)


def test_questions_that_wait_bear_the_new_name(deals: Deals) -> None:
    draft = {"form_type": "deal", "slots": {"deal_no": {"value": "D-1", "confidence": 0.9, "evidence": "D-1"},
             "pay_terms": {"value": "net 30", "confidence": 0.5, "evidence": "net 30"}}}  # fmt: skip
    with deals.open(ONE, script=[[draft]]) as memory:
        (asked,) = memory.observe("D-1: net 30", id="m1").pending
    with deals.open(TWO) as memory:
        (item,) = memory.pending()
        assert (item.id, item.slot) == (asked, "payment_terms")
        id = memory.confirm(asked).forms[0]
        assert memory.get(id)["payment_terms"] == "net 30"
        assert memory.verify().ok


def test_a_question_of_which_form_bears_the_new_names(deals: Deals) -> None:
    """The slot that was asked about kept its name; another one of the draft did not."""

    def said(**slots: str) -> dict[str, Any]:
        return {
            "form_type": "deal",
            "slots": {n: {"value": v, "confidence": 0.9, "evidence": v} for n, v in slots.items()},
        }

    script = [[said(deal_no="D-1"), said(deal_no="D-2")], [said(level="mid", pay_terms="net 30")]]
    with deals.open(ONE, script=script) as memory:
        both = memory.observe("D-1, D-2", id="m1", conversation="c").forms
        (asked,) = memory.observe("mid, net 30", id="m2", conversation="c").pending
        assert memory.pending()[0].reason == "ambiguous_target"
    with deals.open(TWO) as memory:
        memory.confirm(asked, both[1])
        form = memory.get(both[1])
        assert (form["payment_terms"], form["level"]) == ("net 30", "low")
        assert memory.verify().ok


def test_a_question_whose_value_the_type_takes_no_more_wants_another(deals: Deals) -> None:
    draft = {"form_type": "deal", "slots": {"deal_no": {"value": "D-1", "confidence": 0.9, "evidence": "D-1"},
             "level": {"value": "mid", "confidence": 0.5, "evidence": "mid"}}}  # fmt: skip
    with deals.open(ONE, script=[[draft]]) as memory:
        (asked,) = memory.observe("D-1: mid", id="m1").pending
    narrow = ONE.replace("[low, mid, high]", "[low, high]")
    with deals.open(narrow) as memory:
        with pytest.raises(InvalidInput, match='"mid" is no value of it any more; give the value, or refuse'):
            memory.confirm(asked)
        id = memory.confirm(asked, "high").forms[0]
        assert memory.get(id)["level"] == "high"


def test_every_user_and_each_tenant_is_looked_at(deals: Deals) -> None:
    with deals.open(ONE) as memory:
        memory.scoped(user="ana").record("deal", {"deal_no": "D-1", "pay_terms": "net 30"})
        memory.scoped(tenant="other").record("deal", {"deal_no": "D-9", "level": "mid"})
    assert "slot 'pay_terms' is gone" in refusals(deals, ONE.replace("  pay_terms: {type: text}\n", ""))
    narrow = ONE.replace("[low, mid, high]", "[low, high]")
    with deals.open(narrow) as memory, pytest.raises(SchemaError, match="no such value"):
        memory.scoped(tenant="other")
    told = against(deals.url, [deals.yaml(TWO)])
    assert told.ok
    (effect,) = told.effects
    assert (effect.forms, dict(effect.versions), effect.declared) == (2, {1: 2}, 2)
    assert set(effect.notes) == {
        "2: pay_terms is read as payment_terms (1 Form)",
        "2: deal_no is read as number (2 Forms)",
        "2: level: mid is read as low (1 Form)",
        "2: default channel = web (2 Forms)",
    }
    with deals.open(TWO) as memory:
        assert memory.scoped(user="ana").find("deal", number="D-1")
        assert memory.scoped(tenant="other").find("deal", number="D-9")[0]["level"] == "low"


def test_a_type_that_is_no_longer_declared_is_told(filled: tuple[Deals, str, str]) -> None:
    deals, _, _ = filled
    told = against(deals.url, [deals.yaml("form_type: note\nslots:\n  text: {type: text}\n")])
    assert told.ok
    assert "2 Forms of type deal, which is not declared" in told.findings[0].message


def as_the_first_release_left_it(path: Path) -> None:
    """Without the shapes of its types, and what came later."""
    with sqlite3.connect(path) as raw:
        for sql in before_step(2):
            raw.execute(sql)
    raw.close()


def test_a_store_of_the_first_release_opens(tmp_path: Path) -> None:
    path = tmp_path / "deals.db"
    deals = Deals(tmp_path, path)
    with deals.open(ONE) as memory:
        id = memory.record("deal", {"deal_no": "D-1", "pay_terms": "net 30"}).forms[0]
        memory.scoped(user="ana").record("deal", {"deal_no": "D-9", "level": "mid"})
    as_the_first_release_left_it(path)
    before = path.read_bytes()
    told = against(path, [deals.yaml(TWO)])  # from a copy: nothing is migrated by looking
    assert told.ok
    assert told.effects[0].forms == 2
    assert "slot 'pay_terms' is gone" in str(
        against(path, [deals.yaml(ONE.replace("pay_terms", "terms"))]).findings[0]
    )
    assert path.read_bytes() == before
    with deals.open(TWO) as memory:
        assert memory.get(id)["payment_terms"] == "net 30"
        assert memory.record("deal", {"number": "D-1", "channel": "shop"}).forms == (id,)
        assert memory.scoped(user="ana").find("deal", number="D-9")[0]["level"] == "low"
        assert memory.verify().ok
    with sqlite3.connect(path) as raw:
        (shape,) = raw.execute("SELECT shape FROM shapes").fetchone()
    raw.close()
    assert json.loads(shape)["version"] == 2


def test_a_lossy_yaml_is_refused_by_a_store_of_the_first_release_too(tmp_path: Path) -> None:
    deals = Deals(tmp_path, tmp_path / "deals.db")
    with deals.open(ONE) as memory:
        id = memory.record("deal", {"deal_no": "D-1", "level": "mid"}).forms[0]
    as_the_first_release_left_it(tmp_path / "deals.db")
    assert "no such value" in refusals(deals, ONE.replace("[low, mid, high]", "[low, high]"))
    with deals.open(ONE) as memory:
        assert memory.get(id)["level"] == "mid"
    assert "no such value" in refusals(deals, ONE.replace("[low, mid, high]", "[low, high]"))


def test_forms_loaded_before_their_type_are_looked_at_when_it_comes(deals: Deals, tmp_path: Path) -> None:
    note = "form_type: note\nslots:\n  text: {type: text}\n"
    with Memory.open(":memory:", form_types=[deals.yaml(ONE)]) as other:
        other.record("deal", {"deal_no": "D-1", "level": "mid", "pay_terms": "net 30"})
        rows = list(other.export())
    with deals.open(note) as memory:
        assert dict(memory.load(rows).unknown_types) == {"deal": 1}
    assert "no such value" in refusals(deals, ONE.replace("[low, mid, high]", "[low, high]"))
    with deals.open(TWO) as memory:
        assert memory.find("deal", number="D-1")[0]["payment_terms"] == "net 30"


def test_two_at_once_meet_a_changed_yaml(tmp_path: Path) -> None:
    from concurrent.futures import ThreadPoolExecutor

    deals = Deals(tmp_path, tmp_path / "deals.db")
    with deals.open(ONE) as memory:
        ids = [memory.record("deal", {"deal_no": f"D-{n}"}).forms[0] for n in range(40)]
    text = deals.yaml(TWO)

    def seen() -> list[str]:
        with Memory.open(deals.url, form_types=[text]) as memory:
            return [memory.find("deal", number=f"D-{n}")[0].id for n in range(40)]

    with ThreadPoolExecutor(4) as pool:
        assert all(found == ids for found in pool.map(lambda _: seen(), range(4)))
