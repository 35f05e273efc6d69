"""What is taken back of a named thing: one slot of it, or the thing itself, wherever it was told of."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import pytest

from forms_dynamics import Memory

BOAT = """
form_type: boat
aliases: [船, boat]
identity: [boat_no]
slots:
  boat_no: {type: text, aliases: [船号, boat number]}
  berths: {type: integer, aliases: [床位数, berth count]}
  skipper: {type: text, aliases: [船长, skipper]}
  rent: {type: money, unit: EUR, aliases: [日租金, daily rent]}
  state: {type: enum, aliases: [状况, condition], values: {fit: [完好, sound], broken: [故障, broken]}}
"""
HARBOUR = """
form_type: harbour
aliases: [港口, harbour]
identity: [name]
slots:
  name: {type: text, aliases: [港口名, harbour name]}
  phone: {type: phone, aliases: [电话, phone]}
  depth: {type: number, unit: m, aliases: [水深, depth]}
"""
FLEET = (
    "船号：S-4，床位数：8，船长：老吴，状况：完好。",
    "船号：S-41，床位数：6。",
    "港口名：望潮湾。水深：5米。电话：13900139000。",
)
LEADS = ("我们公司是云岭食品，预算40万，付款方式分三期付款。",)
LEADS_EN = ("Our company is Corley Mills, budget 90,000 USD.",)


@pytest.fixture
def types(tmp_path: Path) -> list[Path]:
    (tmp_path / "boat.yaml").write_text(BOAT, encoding="utf-8")
    (tmp_path / "harbour.yaml").write_text(HARBOUR, encoding="utf-8")
    return [tmp_path]


Held = dict[str, dict[str, str]]


def held(memory: Memory, status: str = "active") -> Held:
    """Name → the other slots, of all Forms of the status."""
    out: Held = {}
    for form in memory.find(status=status):
        slots = {n: str(s.value) for n, s in form.slots.items() if s.value is not None}
        name = next((slots.pop(n) for n in ("boat_no", "name", "company") if n in slots), form.type)
        out[name] = slots
    return out


def told(
    first: Sequence[str], last: str, types: Sequence[Path] | None = None, elsewhere: bool = False
) -> tuple[Held, Held, list[str]]:
    """Active and invalid Forms behind the texts, and what the last one asks."""
    own = {} if types is None else {"form_types": types, "relation_rules": []}
    with Memory.open(":memory:", settings={"timezone": "Asia/Shanghai"}, **own) as memory:  # type: ignore[arg-type]
        for text in first:
            memory.observe(text, conversation="one")
        asked = memory.observe(last, conversation="two" if elsewhere else "one").questions
        return held(memory), held(memory, "invalid"), list(asked)


SLOTS = [
    ("忘掉S-4的床位数。", "S-4", {"berths"}),
    ("请忘掉船S-4的床位数", "S-4", {"berths"}),
    ("Forget the berth count of S-4.", "S-4", {"berths"}),
    ("Please delete the berth count of boat S-4 from your memory.", "S-4", {"berths"}),
    ("Could you erase S-4's skipper?", "S-4", {"skipper"}),
    ("把S-4的船长删了", "S-4", {"skipper"}),
    ("S-4的船长作废。", "S-4", {"skipper"}),
    ("The berth count of S-4 is cancelled.", "S-4", {"berths"}),
    ("S-4的床位数 cancelled了", "S-4", {"berths"}),
    ("忘掉the skipper of S-4", "S-4", {"skipper"}),
    ("The berth count of S-4 was wrong.", "S-4", {"berths"}),
    ("S-4的床位数数错了", "S-4", {"berths"}),
    ("I got the berth count of S-4 wrong.", "S-4", {"berths"}),
    ("The berth count of S-4 is not 8.", "S-4", {"berths"}),
    ("S-4的状况不是完好", "S-4", {"state"}),
    ("S-4的船长不是老吴了", "S-4", {"skipper"}),
    ("收回：S-4的床位数是8", "S-4", {"berths"}),
    ("撤回：S-4的床位数", "S-4", {"berths"}),
    ("Retract: the berth count of S-4 is 8.", "S-4", {"berths"}),
    ("忘掉S-4的床位数和船长", "S-4", {"berths", "skipper"}),
    ("Forget the berth count and skipper of S-4.", "S-4", {"berths", "skipper"}),
    ("忘掉望潮湾的电话。", "望潮湾", {"phone"}),
    ("Forget the phone of 望潮湾.", "望潮湾", {"phone"}),
    ("望潮湾的电话停用了", "望潮湾", {"phone"}),
    ("麻烦把望潮湾的水深清空", "望潮湾", {"depth"}),
]  # fmt: skip


@pytest.mark.parametrize("elsewhere", [False, True], ids=["here", "elsewhere"])
@pytest.mark.parametrize(("text", "name", "slots"), SLOTS)
def test_a_slot_of_a_thing_is_cleared_and_nothing_else(
    types: list[Path], text: str, name: str, slots: set[str], elsewhere: bool
) -> None:
    before, *_ = told(FLEET, "好的", types)
    active, invalid, asked = told(FLEET, text, types, elsewhere)
    left = {k: v for k, v in before[name].items() if k not in slots}
    assert len(left) == len(before[name]) - len(slots)
    assert (active, invalid, asked) == ({**before, name: left}, {}, [])


@pytest.mark.parametrize("elsewhere", [False, True], ids=["here", "elsewhere"])
@pytest.mark.parametrize(
    ("first", "text"),
    [
        (LEADS, "忘掉云岭食品的预算。"),
        (LEADS, "请忘掉云岭食品的预算"),
        (LEADS, "取消云岭食品的预算"),
        (LEADS, "云岭食品的预算取消了。"),
        (LEADS, "云岭食品的预算说错了"),
        (LEADS, "云岭食品的预算不是40万"),
        (LEADS, "Forget the budget of 云岭食品."),
        (LEADS, "云岭食品的budget作废"),
        (LEADS_EN, "Forget the budget of Corley Mills."),
        (LEADS_EN, "Cancel Corley Mills's budget"),
        (LEADS_EN, "The budget of Corley Mills was wrong."),
        (LEADS_EN, "The budget of Corley Mills is not 90,000 USD."),
        (LEADS_EN, "We withdraw the budget of Corley Mills."),
    ],
)
def test_a_customers_slot_is_cleared(first: Sequence[str], text: str, elsewhere: bool) -> None:
    before, *_ = told(first, "好的")
    ((name, slots),) = before.items()
    rest = {k: v for k, v in slots.items() if k != "budget"}
    assert told(first, text, elsewhere=elsewhere) == ({name: rest}, {}, [])


@pytest.mark.parametrize(
    "text",
    [
        "忘掉青禾科技的预算。",
        "请忘掉青禾科技的预算",
        "取消青禾科技的合同",
        "把青禾科技的预算删了",
        "别取消青禾科技的预算",
        "如果青禾科技的预算取消了怎么办",
        "青禾科技的预算作废",
        "青禾科技的预算说错了",
        "Forget the budget of Acme Corp.",
        "Delete Acme Corp's budget.",
        "Cancel the budget of 青禾科技",
    ],
)
def test_what_is_unknown_is_not_made_by_taking_it_back(text: str) -> None:
    before, *_ = told(LEADS, "好的")
    assert told(LEADS, text) == (before, {}, [])


@pytest.mark.parametrize(
    ("text", "budget"),
    [("把云岭食品的预算改成80万", "800,000 CNY"), ("云岭食品的预算说错了，应该是60万", "600,000 CNY"),
     ("云岭食品的预算不是40万，是60万", "600,000 CNY"), ("预算说错了，是60万", "600,000 CNY")],
)  # fmt: skip
def test_what_comes_in_its_place_is_taken(text: str, budget: str) -> None:
    active, _, asked = told(LEADS, text)
    assert {name: slots["budget"] for name, slots in active.items()} == {"云岭食品": budget}
    assert not asked


@pytest.mark.parametrize(
    ("text", "clears"),
    [("预算作废。", True), ("The budget is cancelled.", True), ("预算说错了。", False), ("The budget is wrong.", False)],
)  # fmt: skip
def test_without_a_name_the_last_one_is_meant_or_asked(text: str, clears: bool) -> None:
    active, _, asked = told(LEADS, text)
    assert ("budget" not in active["云岭食品"], bool(asked)) == (clears, not clears)


@pytest.mark.parametrize(
    "text",
    [
        "别忘了S-4的床位数",
        "我忘了S-4的床位数",
        "Don't forget the berth count of S-4.",
        "I forgot the berth count of S-4.",
        "Did you forget the berth count of S-4?",
        "S-4的床位数作废了吗？",
        "如果S-4的床位数说错了怎么办",
        "老王说S-4的床位数作废了",
        "S-4的床位数没说错",
        "The berth count of S-4 is not 9.",
        "S-4的床位数不是9",
        "S-4的床位数是8。",
        "Don't forget S-4.",
        "别忘了S-4",
        "如果S-4作废呢",
    ],
)
@pytest.mark.parametrize("elsewhere", [False, True], ids=["here", "elsewhere"])
def test_what_is_not_taken_back_stays(types: list[Path], text: str, elsewhere: bool) -> None:
    before, *_ = told(FLEET, "好的", types)
    assert told(FLEET, text, types, elsewhere)[:2] == (before, {})


@pytest.mark.parametrize("elsewhere", [False, True], ids=["here", "elsewhere"])
@pytest.mark.parametrize(
    "text",
    ["S-41作废。", "忘掉S-41。", "Forget S-41.", "S-41 is void.", "请把S-41忘掉", "forget 船S-41", "船S-41 cancelled了",
     "S-41 cancelled了", "把S-41删了", "把船S-41忘掉吧", "船S-41作废", "Forget boat S-41."],
)  # fmt: skip
def test_a_numbered_thing_is_given_up_wherever_it_was_told_of(
    types: list[Path], text: str, elsewhere: bool
) -> None:
    before, *_ = told(FLEET, "好的", types)
    gone = {"S-41": before.pop("S-41")}
    assert told(FLEET, text, types, elsewhere) == (before, gone, [])


@pytest.mark.parametrize("text", ["忘掉望潮湾", "Forget 望潮湾.", "请忘掉港口望潮湾"])
def test_whether_a_thing_with_a_mere_name_is_given_up_is_asked(types: list[Path], text: str) -> None:
    before, *_ = told(FLEET, "好的", types)
    active, invalid, asked = told(FLEET, text, types, elsewhere=True)
    assert (active, invalid) == (before, {})
    assert asked == ["您要作废的是哪一个：望潮湾？"]
