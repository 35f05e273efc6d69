"""A label beside a known number is of that Form; a first word that no one is called by introduces nobody."""

from __future__ import annotations

from pathlib import Path

import pytest

from forms_dynamics import Memory

JOB = """
form_type: job
version: 1
aliases: [工单, job]
identity: {any: [[job_no]]}
slots:
  job_no: {type: text, aliases: [工单号, job number]}
  fee: {type: money, unit: CNY, aliases: [费用, fee]}
  visits: {type: integer, aliases: [次数, visits]}
"""
RENTAL = """
form_type: rental
version: 1
aliases: [租单, rental]
identity: {any: [[rental_no]]}
slots:
  rental_no: {type: text, aliases: [租单号, rental number]}
  fee: {type: money, unit: CNY, aliases: [费用, fee]}
  deposit: {type: money, unit: CNY, aliases: [押金, deposit]}
"""


def told(texts: tuple[str, ...], form_types: list[Path] | None = None) -> dict[tuple[str, str], str]:
    """(first key's value or type, slot) → value as text."""
    settings = {"timezone": "Asia/Shanghai"}
    with Memory.open(":memory:", settings=settings, form_types=form_types) as memory:
        for text in texts:
            memory.observe(text, conversation="c", time="2026-03-01T09:00:00+08:00")
        return {
            (form.type, name): str(slot.value)
            for form in memory.find()
            for name, slot in form.slots.items()
            if slot.value is not None
        }


SHIPPED = ("Order A-1: total 300 USD", "Quote Q-2 for Acme: total 70,000 USD")
SHIPPED_ZH = ("订单号：A-1，订单金额：300美元", "报价单号：Q-2，报价：7万美元")


@pytest.mark.parametrize("before", [SHIPPED, SHIPPED_ZH])
@pytest.mark.parametrize(
    ("text", "order", "quote"),
    [
        ("A-1 total: 350 USD", "350 USD", "70,000 USD"),
        ("A-1: total 350 USD", "350 USD", "70,000 USD"),
        ("A-1 total is 350 USD", "350 USD", "70,000 USD"),
        ("A-1's total is now 350 USD", "350 USD", "70,000 USD"),
        ("The total of A-1 is 350 USD", "350 USD", "70,000 USD"),
        ("Please send the quote. A-1 total: 350 USD", "350 USD", "70,000 USD"),
        ("A-1总价：350美元", "350 USD", "70,000 USD"),
        ("A-1的总价是350美元", "350 USD", "70,000 USD"),
        ("Q-2 total is 60,000 USD", "300 USD", "60,000 USD"),
        ("Q-2的总价是6万美元", "300 USD", "60,000 USD"),
        ("total: 60,000 USD", "300 USD", "60,000 USD"),
        # asked or supposed is not told, and a longer number is another's
        ("Is the A-1 total 350 USD?", "300 USD", "70,000 USD"),
        ("A-1的总价是350美元吗？", "300 USD", "70,000 USD"),
        ("If A-1's total is 350 USD we sign", "300 USD", "70,000 USD"),
    ],
)
def test_the_number_beside_says_whose(before: tuple[str, str], text: str, order: str, quote: str) -> None:
    got = told((*before, text))
    assert (got["order", "amount"], got["quote_form", "amount"]) == (order, quote)
    assert (got["order", "order_no"], got["quote_form", "quote_no"]) == ("A-1", "Q-2")


@pytest.mark.parametrize(
    "text",
    ["A-1 valid until: 2026-05-01", "A-1有效期：2026年5月1日", "A-1's payment terms: net 30", "A-1的付款方式：月结30天"],
)  # fmt: skip
def test_what_the_type_has_no_slot_for_goes_to_no_other(text: str) -> None:
    assert told((*SHIPPED, text)) == told(SHIPPED)


def test_an_amount_is_no_number_of_an_order() -> None:
    got = told(("Order number: 5000, order total: 300 USD", "Quote Q-2: total 70,000 USD", "total: 5000 USD"))
    assert (got["order", "amount"], got["quote_form", "amount"]) == ("300 USD", "5,000 USD")


def test_each_number_has_its_own_total() -> None:
    with Memory.open(":memory:") as memory:
        for text in ("Order A-1: total 300 USD", "Order A-12: total 500 USD", *SHIPPED[1:]):
            memory.observe(text, conversation="c")
        memory.observe("A-1 total: 350 USD, A-12 total: 550 USD", conversation="c")
        orders = {form["order_no"]: str(form["amount"]) for form in memory.find("order")}
    assert orders == {"A-1": "350 USD", "A-12": "550 USD"}


@pytest.mark.parametrize(
    ("text", "job", "rental", "deposit"),
    [
        ("J-7 fee: 350 CNY", "350 CNY", "900 CNY", "100 CNY"),
        ("J-7's fee is 350 CNY", "350 CNY", "900 CNY", "100 CNY"),
        ("The fee of J-7 is 350 CNY", "350 CNY", "900 CNY", "100 CNY"),
        ("J-7: visits 3, fee 350 CNY", "350 CNY", "900 CNY", "100 CNY"),
        ("J-7 fee: 350 CNY, R-2 fee: 950 CNY", "350 CNY", "950 CNY", "100 CNY"),
        ("J-7费用350元", "350 CNY", "900 CNY", "100 CNY"),
        ("J-7的费用改成350元", "350 CNY", "900 CNY", "100 CNY"),
        ("Fee: 1000 CNY", "300 CNY", "1,000 CNY", "100 CNY"),
        ("费用改成1000元", "300 CNY", "1,000 CNY", "100 CNY"),
        ("J-7 deposit: 50 CNY", "300 CNY", "900 CNY", "100 CNY"),
        ("J-7押金50元", "300 CNY", "900 CNY", "100 CNY"),
    ],
)
def test_own_types(tmp_path: Path, text: str, job: str, rental: str, deposit: str) -> None:
    for name, yaml in (("job", JOB), ("rental", RENTAL)):
        (tmp_path / f"{name}.yaml").write_text(yaml, encoding="utf-8")
    before = ("Job number: J-7, fee: 300 CNY", "Rental number: R-2, fee: 900 CNY, deposit: 100 CNY")
    got = told((*before, text), [tmp_path])
    assert (got["job", "fee"], got["rental", "fee"], got["rental", "deposit"]) == (job, rental, deposit)


@pytest.mark.parametrize(
    "text",
    [
        "Lunch with Carla Voss on Monday at noon.",
        "Meeting with Carla Voss on Monday",
        "Call with Northlake Foods at 3pm",
        "Training with Tom next week",
        "Pizza with Carla",
        "Weekly Standup: I joined late",
        "周一和Carla Voss吃午饭",
    ],
)
@pytest.mark.parametrize("before", [(), ("My name is Zoe.",), ("我叫佐伊",)])
def test_whom_one_lunches_with_introduces_nobody(before: tuple[str, ...], text: str) -> None:
    assert told((*before, text)) == told(before)


@pytest.mark.parametrize(
    "text",
    ["I'm Dana with Northlake Foods", "Dana here with Northlake Foods", "Hi, this is Dana with Northlake Foods", "Dana from Northlake Foods"],
)  # fmt: skip
def test_who_introduces_themselves_is_read(text: str) -> None:
    got = told((text,))
    assert got["user_profile", "name"] == "Dana"
    assert got["lead_profile", "company"] == "Northlake Foods"


@pytest.mark.parametrize(
    ("text", "name"),
    [
        ("Trouble at Harbor Foods", "Zoe"),
        ("Carla Voss: I will call you", "Zoe"),
        ("Zoe Chen from Harbor Foods", "Zoe Chen"),
        ("I'm Dana with Northlake Foods", "Dana"),
        ("My name is Dana", "Dana"),
        ("我叫黛娜", "黛娜"),
    ],
)
def test_a_told_name_gives_way_to_a_told_one_only(text: str, name: str) -> None:
    assert told(("My name is Zoe.", text))["user_profile", "name"] == name


def test_of_whom_a_known_speaker_tells_is_the_customers_contact() -> None:
    got = told(("My name is Zoe.", "Dana from Northlake Foods"))
    assert (got["user_profile", "name"], got["lead_profile", "contact_name"]) == ("Zoe", "Dana")


def test_another_speaker_of_the_conversation_has_a_name_too() -> None:
    with Memory.open(":memory:") as memory:
        memory.observe("My name is Zoe.", conversation="c", speaker="a")
        memory.observe("Owen, plant manager at Stonegate Dairy", conversation="c", speaker="b")
        assert {form["name"] for form in memory.find("user_profile")} == {"Zoe", "Owen"}
