"""Triggers in YAML: what they may say, and that each mistake is told at its place with what would do."""

from __future__ import annotations

from pathlib import Path

import pytest

from forms_dynamics.errors import SchemaError
from forms_dynamics.schema.expression import Constant
from forms_dynamics.schema.load import check, load_catalog
from forms_dynamics.schema.spec import Load

PAYMENT = """\
form_type: payment
version: 1
identity: [$speaker]
slots:
  method: {type: text}
  kind: {type: enum, values: {card: [信用卡], wallet: [微信]}}
---
"""
FIRST = PAYMENT.count("\n") + 1  # the line on which the trigger begins


def findings(tmp_path: Path, text: str) -> list[tuple[int, int, str, str | None]]:
    file = tmp_path / "t.yaml"
    file.write_text(PAYMENT + text, encoding="utf-8")
    return [(f.line - FIRST + 1, f.column, f.message, f.suggestion) for f in check([file, "order"])]


def test_a_trigger_is_read_whole(tmp_path: Path) -> None:
    file = tmp_path / "t.yaml"
    file.write_text(
        PAYMENT + "trigger: pay\non: action_executed\nwhen: action == 'pay' and payment.kind == 'card'\n"
        "description: {zh: 支付之后}\nload:\n  - {form_type: payment, slots: [method, kind], limit: 1}\n"
        "  - {form_type: order, where: order_no == arguments.order_no}\n  - {relation: refers_to, form_type: lead_profile}\n",
        encoding="utf-8",
    )
    catalog = load_catalog([file, "order", "quote_form", "lead_profile"])
    (trigger,) = catalog.triggers
    assert (trigger.name, trigger.on, trigger.description) == ("pay", "action_executed", {"zh": "支付之后"})
    assert trigger.when is not None
    assert [n.name for n in trigger.when.names()] == ["action", "payment.kind"]
    one, two, three = trigger.loads
    assert one == Load("payment", ("method", "kind"), None, None, 1)
    assert two.told == "order where order_no == arguments.order_no"
    assert two.limit == 5
    assert (three.relation, three.form_type, three.told) == (
        "refers_to",
        "lead_profile",
        "lead_profile by refers_to",
    )


def test_values_of_an_enum_may_be_written_by_their_synonyms(tmp_path: Path) -> None:
    file = tmp_path / "t.yaml"
    file.write_text(
        PAYMENT
        + "trigger: pay\non: action_executed\nwhen: payment.kind in ['信用卡', wallet] and action == 'pay'\n"
        "load: {form_type: payment, where: kind != '微信'}\n".replace("wallet", "'wallet'"),
        encoding="utf-8",
    )
    (trigger,) = load_catalog([file]).triggers
    assert trigger.when is not None
    assert next(trigger.when.comparisons()).right == Constant(("card", "wallet"))
    assert trigger.loads[0].where is not None
    assert next(trigger.loads[0].where.comparisons()).right == Constant("wallet")
    assert trigger.loads[0].told == "payment where kind != '微信'", "as it was written"


def test_kinds_that_cannot_be_compared_are_told(tmp_path: Path) -> None:
    def told(when: str) -> list[str]:
        found = findings(
            tmp_path, f'trigger: a\non: action_executed\nwhen: "{when}"\nload: {{form_type: order}}\n'
        )
        return [message for _, _, message, _ in found]

    assert told("payment.method == 5") == ["when: text and a number cannot be compared"]
    assert told("payment.kind == 'cash'") == ["when: 'cash' is no value of kind; it is one of card, wallet"]
    for fine in (
        "payment.method == 'x'",
        "arguments.day < 'tomorrow 9:00'",
        "now > '2026-06-01'",
        "action contains 'x'",
    ):
        assert told(fine) == []


def test_a_trigger_may_stand_among_the_relation_rules(tmp_path: Path) -> None:
    file = tmp_path / "triggers.yaml"
    file.write_text("trigger: a\non: intent_recognized\nload: {form_type: order}\n", encoding="utf-8")
    assert [t.name for t in load_catalog(["order"], [file]).triggers] == ["a"]
    assert load_catalog(["order"]).triggers == ()


def test_what_ships_declares_no_trigger() -> None:
    assert load_catalog().triggers == ()


HEAD = "trigger: a\non: {}\n"
WRONG = [
    ("trigger: a\nload: {form_type: order}\n", (1, 10), "needs 'on:'", None),
    (HEAD.format("intent_recognised") + "load: {form_type: order}\n", (2, 5), "is not known", "intent_recognized"),
    (HEAD.format("intent_recognized"), (1, 10), "needs 'load:'", None),
    (HEAD.format("intent_recognized") + "load: []\n", (3, 7), "load is empty", None),
    (HEAD.format("intent_recognized") + "load: {slots: [a]}\n", (3, 7), "needs 'form_type:' or 'relation:'", None),
    (HEAD.format("intent_recognized") + "load: {relation: refers_to}\n", (3, 18), "an intent is about no Form", None),
    (HEAD.format("intent_recognized") + "load: {form_type: ordr}\n", (3, 19), "'ordr' is not loaded", "order"),
    (HEAD.format("intent_recognized") + "load: {form_type: order, slots: [amount, statuss]}\n", (3, 42), "no slot 'statuss'", "status"),
    (HEAD.format("intent_recognized") + "load: {form_type: order, limit: 99}\n", (3, 33), "at most 50", None),
    (HEAD.format("intent_recognized") + "load: {form_type: order, where: state == 'paid'}\n", (3, 33), "'state' is not known here", "status"),
    (HEAD.format("intent_recognized") + "load: {form_type: order, where: status == 'payd'}\n", (3, 33), "'payd' is no value of status", "paid"),
    (HEAD.format("intent_recognized") + "load: {form_type: order, were: x == 1}\n", (3, 26), "no key 'were'", "where"),
    (HEAD.format("action_executed") + "load: [{form_type: order}, {relation: refers_too}]\n", (3, 39), "'refers_too' is not loaded", "refers_to"),
    (HEAD.format("intent_recognized") + "when: intent = 'x'\nload: {form_type: order}\n", (3, 14), "equal is written ==", None),
    (HEAD.format("intent_recognized") + "when: \"intent == 'x' and entity.type == 'time'\"\nload: {form_type: order}\n", (3, 26), "only on entity_extracted", None),
    (HEAD.format("entity_extracted") + "when: entity.tpe == 'time'\nload: {form_type: order}\n", (3, 7), "'entity.tpe' is not known here", "entity.type"),
    (HEAD.format("entity_extracted") + "when: entity.value < tomorrow 29:00\nload: {form_type: order}\n", (3, 31), "no time of day", None),
    (HEAD.format("entity_extracted") + "when: payment.knd == 'card'\nload: {form_type: order}\n", (3, 7), "payment has no slot 'knd'", "payment.kind"),
    (HEAD.format("entity_extracted") + "when: order.status == 'paid'\nload: {form_type: order}\n", (3, 7), "a user has one Form", "action.status"),
    (HEAD.format("entity_extracted") + "when: entity.value > $x\nload: {form_type: order}\n", (3, 22), "$x is a parameter", None),
    (HEAD.format("intent_recognized") + "load: {form_type: order}\n---\ntrigger: a\non: intent_recognized\nload: {form_type: order}\n", (5, 10), "declared in", None),
]  # fmt: skip


@pytest.mark.parametrize(("text", "place", "message", "suggestion"), WRONG)
def test_a_mistake_is_told_where_it_stands(
    text: str, place: tuple[int, int], message: str, suggestion: str | None, tmp_path: Path
) -> None:
    found = findings(tmp_path, text)
    assert len(found) == 1, found
    assert found[0][:2] == place
    assert message in found[0][2]
    assert found[0][3] == suggestion
    with pytest.raises(SchemaError):
        load_catalog([tmp_path / "t.yaml", "order", "quote_form", "lead_profile"])
