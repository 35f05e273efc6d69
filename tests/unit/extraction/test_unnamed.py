"""What is told of a name that nobody knows is not written to the thing spoken of last: it is another's, or asked about."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from forms_dynamics import Memory

TYPES = """
form_type: kiln
aliases: [窑, kiln]
identity: [name]
slots:
  name: {type: text, aliases: [窑名, kiln name]}
  heat: {type: number, unit: c, aliases: [温度, temperature]}
  insured: {type: boolean, aliases: [有保险, 投保, insured]}
  wall: {type: enum, aliases: [窑壁, wall], values: {brick: [砖砌, brick], fibre: [纤维, fibre]}}
---
form_type: firing
aliases: [烧制单, firing]
identity: [code]
slots:
  code: {type: text, aliases: [单号, firing number]}
  cost: {type: money, unit: CNY, aliases: [费用, cost]}
  fault: {type: text, aliases: [故障, fault]}
  state: {type: enum, aliases: [状态, state], values: {waiting: [待烧, waiting], done: [烧好, finished]}}
---
form_type: potter
aliases: [陶工, potter]
identity: [name]
slots:
  name: {type: text, aliases: [姓名, potter name]}
  pay: {type: money, unit: CNY, aliases: [日薪, day rate]}
  hired: {type: date, aliases: [入职日期, hiring date]}
"""
KILN, FIRING = "窑名：赤霞号，温度900℃，窑壁砖砌", "Firing number: F-101, cost 300 CNY"


@pytest.fixture
def memory(tmp_path: Path) -> Iterator[Memory]:
    (tmp_path / "types.yaml").write_text(TYPES, encoding="utf-8")
    with Memory.open(":memory:", form_types=[tmp_path], relation_rules=[]) as memory:
        yield memory


def told(memory: Memory, *texts: str) -> tuple[dict[str, str], list[str]]:
    """What is held but for names, and the questions of the last message. "A:" before one of the assistant's."""
    asked: list[str] = []
    for minute, text in enumerate(texts):
        role = "assistant" if text.startswith("A:") else "user"
        time = f"2027-03-01T09:{minute:02d}:00+08:00"
        asked = list(
            memory.observe(text.removeprefix("A:"), conversation="c", time=time, role=role).questions
        )
    held = {
        f"{form['name'] or form['code']} {name}": str(slot.value)
        for form in memory.find()
        for name, slot in form.slots.items()
        if name not in ("name", "code") and slot.value is not None
    }
    return held, asked


@pytest.mark.parametrize(
    ("texts", "want"),
    [
        ((FIRING, "F-102: cost 100 CNY"), {"F-101 cost": "300 CNY", "F-102 cost": "100 CNY"}),
        (
            (FIRING, "- F-102: cost 100 CNY\n- F-103: cost 200 CNY"),
            {"F-101 cost": "300 CNY", "F-102 cost": "100 CNY", "F-103 cost": "200 CNY"},
        ),
        ((FIRING, "F-102费用120元"), {"F-101 cost": "300 CNY", "F-102 cost": "120 CNY"}),
        (
            (FIRING, "F-102是赤霞号的，故障是裂缝"),
            {"F-101 cost": "300 CNY", "F-102 fault": "裂缝"},
        ),
        ((FIRING, "F-102 and F-103 have a cost of 3 CNY and 5 CNY respectively"), {"F-101 cost": "300 CNY", "F-102 cost": "3 CNY", "F-103 cost": "5 CNY"}),
        ((KILN, "晨光号没有保险"), {"赤霞号 heat": "900", "赤霞号 wall": "brick", "晨光号 insured": "False"}),
        ((KILN, "我师傅的窑叫大冶，温度1200℃"), {"赤霞号 heat": "900", "赤霞号 wall": "brick", "大冶 heat": "1200"}),
        ((KILN, "目前没有保险"), {"赤霞号 heat": "900", "赤霞号 wall": "brick", "赤霞号 insured": "False"}),
        ((KILN, "这座窑的温度是950℃"), {"赤霞号 heat": "950", "赤霞号 wall": "brick"}),
        ((KILN, "它没有保险"), {"赤霞号 heat": "900", "赤霞号 wall": "brick", "赤霞号 insured": "False"}),
    ],
)  # fmt: skip
def test_a_new_thing_has_its_own(memory: Memory, texts: tuple[str, ...], want: dict[str, str]) -> None:
    assert told(memory, *texts) == (want, [])


@pytest.mark.parametrize(
    ("texts", "question"),
    [
        ((KILN, "大冶的温度是1200℃"), "大冶是新的窑吗？（温度：1200 c）"),
        ((KILN, "大冶没有保险"), "大冶是新的窑吗？（有保险：否）"),
        ((KILN, "Blue Dragon isn't insured"), "Is Blue Dragon a new kiln? (insured: no)"),
        ((KILN, "南门窑的温度在1100到1200℃之间"), "南门窑是新的窑吗？（温度：1100 c–1200 c）"),
    ],
)
def test_a_name_that_may_be_one_is_asked_about(memory: Memory, texts: tuple[str, ...], question: str) -> None:
    held, asked = told(memory, *texts)
    assert (held, asked) == ({"赤霞号 heat": "900", "赤霞号 wall": "brick"}, [question])


@pytest.mark.parametrize(("answer", "made"), [("是的", {"大冶 heat": "1200"}), ("不是", {})])
def test_yes_makes_it_and_no_does_not(memory: Memory, answer: str, made: dict[str, str]) -> None:
    held, _ = told(memory, KILN, "大冶的温度是1200℃", "A:大冶是新的窑吗？（温度：1200 c）", answer)
    assert held == {"赤霞号 heat": "900", "赤霞号 wall": "brick", **made}


@pytest.mark.parametrize(
    "text",
    [
        "除了赤霞号，所有窑都已投保",
        "All kilns except F-9 are insured",
        "检验员说赤霞号的温度是950℃",
        "王小明说赤霞号的温度是950℃",
        "赤霞号的目标温度是1300℃",
    ],
)
def test_what_is_of_all_but_one_or_told_by_others_changes_nothing(memory: Memory, text: str) -> None:
    assert told(memory, KILN, text)[0] == {"赤霞号 heat": "900", "赤霞号 wall": "brick"}


@pytest.mark.parametrize(
    ("text", "want"),
    [
        ("新陶工：李雷，日薪180元；韩梅，日薪200元", {"李雷 pay": "180 CNY", "韩梅 pay": "200 CNY"}),
        ("New potters: Ada Cole, day rate 180 CNY; Ben Holt, day rate 2,000 CNY", {"Ada Cole pay": "180 CNY", "Ben Holt pay": "2,000 CNY"}),
        ("赤霞号的温度和窑壁分别是950℃和纤维", {"赤霞号 heat": "950", "赤霞号 wall": "fibre"}),
    ],
)  # fmt: skip
def test_lists_of_names_and_of_labels(memory: Memory, text: str, want: dict[str, str]) -> None:
    held, asked = told(memory, KILN, text)
    assert ({key: held.get(key) for key in want}, asked) == (want, [])


def test_a_title_keeps_its_full_stop(memory: Memory) -> None:
    held, _ = told(memory, "Potter: Ms. Holm, day rate 300 CNY", "Potter: Ms. Okafor, day rate 280 CNY")
    assert held == {"Ms. Holm pay": "300 CNY", "Ms. Okafor pay": "280 CNY"}


def test_the_number_in_a_code_answers_nothing(memory: Memory) -> None:
    held, _ = told(
        memory, "Firing number: C-3", "We aim for a cost of 500 CNY for C-3.", "C-3 no longer has a lid."
    )
    assert held == {}
