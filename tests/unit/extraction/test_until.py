"""What was so until some time does not replace what holds now; history knows of it where the end can be told."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import pytest

from forms_dynamics import Memory

KILN = """
form_type: kiln
aliases: [窑, kiln]
identity: [kiln_no]
slots:
  kiln_no: {type: text, aliases: [窑号, kiln number]}
  glaze: {type: text, aliases: [釉料, glaze]}
  fee: {type: money, unit: EUR, aliases: [烧制费, firing fee]}
  shelves: {type: integer, aliases: [层数, shelf count]}
"""
KILNS = ("窑号：K-3，釉料：青釉，烧制费：30欧元，层数：6。",)
LEAD = ("我们公司是云岭食品，预算50万，付款方式分三期付款。",)
SAID, LATER = "2026-05-01T09:00:00+08:00", "2026-06-01T09:00:00+08:00"


@pytest.fixture
def kilns(tmp_path: Path) -> list[Path]:
    (tmp_path / "kiln.yaml").write_text(KILN, encoding="utf-8")
    return [tmp_path]


def told(
    first: Sequence[str], last: str, types: Sequence[Path] | None = None, as_of: str | None = None
) -> dict[str, str]:
    own = {} if types is None else {"form_types": types, "relation_rules": []}
    with Memory.open(":memory:", settings={"timezone": "Asia/Shanghai"}, **own) as memory:  # type: ignore[arg-type]
        for text in first:
            memory.observe(text, conversation="c", time=SAID)
        memory.observe(last, conversation="c", time=LATER)
        found = memory.find() if as_of is None else memory.find(as_of=as_of)
        return {n: str(s.value) for f in found for n, s in f.slots.items() if s.value is not None}


@pytest.mark.parametrize(
    "text",
    [
        "The budget was 40万 until May.",
        "The budget of 云岭食品 was 40万 until April.",
        "Until last month the budget was 40万.",
        "Before May, the budget was 40万.",
        "Our budget stood at 40万 until the merger.",
        "预算到五月为止是40万",
        "云岭食品的预算直到5月都是40万",
        "截至4月30日预算是40万",
        "五月之前，预算是40万",
        "预算40万，到4月为止",
    ],
)
def test_a_past_figure_does_not_replace_the_present_one(text: str) -> None:
    assert told(LEAD, text)["budget"] == "500,000 CNY"


@pytest.mark.parametrize(
    "text",
    [
        "The firing fee of K-3 was 25 EUR until May.",
        "The shelf count of K-3 was 4 until April.",
        "The glaze of K-3 was salt glaze until May.",
        "K-3的烧制费到五月为止是25欧元",
        "K-3的层数到4月为止是5",
        "K-3的烧制费直到四月底都是25欧元",
    ],
)
def test_nor_do_past_values_of_an_own_type(kilns: list[Path], text: str) -> None:
    assert told(KILNS, text, kilns) == told(KILNS, "ok", kilns)


@pytest.mark.parametrize(
    "text",
    ["The budget was 40万 until May.", "预算到五月为止是40万", "The budget was 40万 until May 1, 2026."],
)
def test_history_knows_what_was_so(text: str) -> None:
    before = "2026-04-30T12:00:00+08:00"
    assert told(LEAD, text, as_of=before).get("budget") == "400,000 CNY"
    assert told(LEAD, text, as_of="2026-05-20T12:00:00+08:00")["budget"] == "500,000 CNY"


def test_what_was_known_of_that_time_stays() -> None:
    early = ("我们公司是云岭食品，预算50万。",)
    assert (
        told(early, "The budget was 40万 until May 20.", as_of="2026-05-10T12:00:00+08:00")["budget"]
        == "500,000 CNY"
    )


@pytest.mark.parametrize(
    ("text", "budget"),
    [
        ("预算是40万", "400,000 CNY"),
        ("The budget is 40万.", "400,000 CNY"),
        ("到目前为止预算是40万", "400,000 CNY"),
        ("预算到八月底是40万", "400,000 CNY"),
        ("The budget is 40万 until August.", "400,000 CNY"),
    ],
)
def test_what_holds_still_is_stored(text: str, budget: str) -> None:
    assert told(LEAD, text, as_of="2026-06-02T12:00:00+08:00")["budget"] == budget
