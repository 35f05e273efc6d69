"""Of very many Forms of a type so many are looked at, and the trace tells it; keys and words find those of a name."""

from __future__ import annotations

from pathlib import Path

import pytest
from shelf import Shelf, empty

from forms_dynamics.model.value import Money
from forms_dynamics.retrieval import sifting

INVOICE = """
form_type: invoice
aliases: [发票, invoice]
identity: [invoice_no]
life: {cold_after_days: null}
slots:
  invoice_no: {type: text, aliases: [发票号, invoice number]}
  client: {type: text, aliases: [开票对象, client]}
  total: {type: money, unit: CNY, aliases: [开票金额, invoice total]}
"""
NAMES = ("Acme Robotics", "海蓝电子")


@pytest.fixture
def many(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Shelf:
    """Eight quotes and eight invoices, of which the last two each belong to customers; four are looked at."""
    monkeypatch.setattr(sifting, "SIFTED", 4)
    monkeypatch.setattr(sifting, "_LISTED", 4)
    (tmp_path / "invoice.yaml").write_text(INVOICE, encoding="utf-8")
    shelf = empty([str(tmp_path / "invoice.yaml")])
    said = shelf.say("账目如下。")
    for n, name in enumerate(NAMES):
        shelf.form(f"a{n}", "lead_profile", {"company": name}, said, names=[name])
    for n in range(8):
        name = NAMES[n - 6] if n >= 6 else f"Firm {n}"
        shelf.form(
            f"q{n}",
            "quote_form",
            {"quote_no": f"Q-{n}", "company": name, "amount": Money(1000 + n, "CNY")},
            said,
            names=[f"Q-{n}"],
            key="quote_no",
        )
        shelf.form(
            f"v{n}",
            "invoice",
            {"invoice_no": f"I-{n}", "client": name, "total": Money(2000 + n, "CNY")},
            said,
            names=[f"I-{n}"],
            key="invoice_no",
        )
    return shelf


def reasons(shelf: Shelf, question: str) -> list[str]:
    return [s.reason for s in shelf.recall(question).trace.steps if s.subject == "Forms"]


@pytest.mark.parametrize(
    ("question", "zh"), [("all invoices above 500 yuan", False), ("500元以上的发票有哪些", True)]
)
def test_it_is_told_that_not_all_were_looked_at(many: Shelf, question: str, zh: bool) -> None:
    context = many.recall(question)
    told = str(context.trace)
    assert reasons(many, question) == ["more than 4 invoice Forms: the first 4 were looked at"]
    assert ("invoice 超过 4 个，只看了前 4 个" if zh else "more than 4 invoice Forms") in told
    assert "I-0" in context.text


@pytest.mark.parametrize("question", ["list all invoices", "有哪些发票"])
def test_so_where_nothing_is_demanded(many: Shelf, question: str) -> None:
    assert reasons(many, question) == ["more than 4 invoice Forms: the first 4 were looked at"]


def test_nothing_is_told_where_all_were(many: Shelf) -> None:
    assert reasons(many, "list all customers") == []


@pytest.mark.parametrize(
    ("question", "told", "barred"),
    [
        ("all invoices of Acme Robotics", "I-6", "I-7"),
        ("海蓝电子的发票有哪些", "I-7", "I-6"),
        ("invoices for 海蓝电子", "I-7", "I-6"),
        ("Acme Robotics 的 invoices", "I-6", "I-7"),
        ("all invoices of Firm 5", "I-5", "I-6"),
    ],
)
def test_those_of_a_name_are_found_however_many_there_are(
    many: Shelf, question: str, told: str, barred: str
) -> None:
    text = many.recall(question).text
    assert told in text
    assert barred not in text
