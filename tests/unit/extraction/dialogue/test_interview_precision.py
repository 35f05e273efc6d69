"""What answers an interview's question whole and by itself; what only stands near it fills nothing."""

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
import yaml

from forms_dynamics import Memory

TIME = "2026-11-30T10:00:00+08:00"


def _slots(**described: str) -> dict[str, Any]:
    return {name: {"type": "text", "description": text} for name, text in described.items()}


TYPES: dict[str, Any] = {
    "visitor_pass": {
        "description": "visitor pass",
        "slots": _slots(
            duration_of_visit="How long will the visit last? (Specify duration in days, weeks, or months)",
            years_known="How many years have you known the host? (Enter number of years)",
            badge_device="Which device does the badge open?",
            host_place="Where is the host located?",
            additional_notes="Are there any additional notes?",
            escort_arrangements="Have you arranged for an escort? (Provide details)",
            visit_category="Which category does the visit belong to? (e.g., Private, Business, Press)",
            visit_importance="Why is this visit important?",
            steps_taken="What steps have you taken to prepare?",
            people_met="Who will be met? (Provide names or describe them)",
            needed_tools="What tools do you need? (e.g., Time, Drill, Ladder)",
            home_city="Which city do you come from?",
            guests_before="Have you had any guests lately? (If yes, please provide details)",
            contact_data="What are your contact data? (Name, Email, Phone)",
            tour_format="Which format should the tour have? (e.g., Guided, Quiet tour, Lecture)",
            next_wishes="What wishes do you have for the next visit?",
        ),
    },
    "访客登记": {
        "slots": _slots(
            来访时长="来访多长时间？（请填写天数、周数或月数）",
            相识年数="您和主人认识几年了？",
            备注="还有其他备注吗？",
            陪同安排="是否安排了陪同？请说明",
            来访影响="对您的工作有什么影响？",
        ),
    },
}


@pytest.fixture
def memory(tmp_path: Path) -> Iterator[Memory]:
    for name, document in TYPES.items():
        text = yaml.safe_dump({"form_type": name, **document}, allow_unicode=True, default_style='"')
        Path(tmp_path, f"{name}.yaml").write_text(text, encoding="utf-8")
    with Memory.open(":memory:", form_types=[tmp_path], relation_rules=[]) as made:
        yield made


def held(memory: Memory, question: str, answer: str) -> dict[str, str]:
    start = "This is about the visitor pass." if question.isascii() else "我来做访客登记。"
    forms: dict[str, None] = {}
    for role, text in (("user", start), ("assistant", question), ("user", answer)):
        receipt = memory.observe(text, speaker=role, role=role, conversation="c", time=TIME)
        forms.update(dict.fromkeys(receipt.forms))
    return {
        name: str(slot.value)
        for form in map(memory.get, forms)
        for name, slot in form.slots.items()
        if slot.status == "known"
    }


@pytest.mark.parametrize(
    ("question", "answer", "wanted"),
    [
        # a length keeps its unit, unless the slot is told to be in that very unit
        ("How long will the visit last?", "It will last for 6 months.", {"duration_of_visit": "6 months"}),
        ("How long will the visit last?", "I will need it for one year.", {"duration_of_visit": "one year"}),
        ("How many years have you known the host?", "I have known her for 5 years.", {"years_known": "5"}),
        ("How many years have you known the host?", "I have known her for 6 months.", {"years_known": "6 months"}),
        ("来访多长时间？", "三天。", {"来访时长": "三天"}),
        ("您和主人认识几年了？", "才6个月。", {"相识年数": "6个月"}),
        # nothing to add is said of the slot for what there is to add
        ("Are there any additional notes?", "No, there are no other notes.", {"additional_notes": "No, there are no other notes"}),
        ("还有其他备注吗？", "没有其他备注。", {"备注": "没有其他备注"}),
        # two questions, two sentences: the type's own name tells them not apart
        (
            "What category does the visit belong to? Why is this visit important to you?",
            "This visit belongs to my business trips. Meeting the founders is really motivating for me.",
            {"visit_category": "business trips", "visit_importance": "Meeting the founders"},
        ),
        ("Where is the host located? What's the best way to contact you?", "She's in Nashville. You can email me at my work address.", {"host_place": "Nashville"}),
        # "any other" asks for notes only where a word for them follows
        ("Have you had any other recent guests I should know about?", "I have not had any other recent guests.", {"guests_before": "I have not had any other recent guests"}),
        ("Could I get your contact data, name, email and phone?", "Sure, it's Ann Lee. My email is ann@lee.org.", {"contact_data": "Ann Lee. My email is ann@lee.org"}),
        # a listed value before another one is a phrase; before the head of one it is itself
        ("Which format should the tour have, guided or quiet?", "The preferred format is guided lectures.", {"tour_format": "guided lectures"}),
        ("Which format should the tour have, guided or quiet?", "I would like a guided tour.", {"tour_format": "guided"}),
        # what is wanted is the doing, not the thing that it is done to
        ("What wishes do you have for the next visit?", "I'd like to lead a tour for the interns.", {"next_wishes": "lead a tour for the interns"}),
    ],
)  # fmt: skip
def test_an_answer_is_kept_whole(memory: Memory, question: str, answer: str, wanted: dict[str, str]) -> None:
    assert wanted.items() <= held(memory, question, answer).items()


@pytest.mark.parametrize(
    ("question", "answer", "slot"),
    [
        ("Have you arranged for an escort?", "No, there is nothing else.", "escort_arrangements"),
        ("是否安排了陪同？", "没有其他的了。", "陪同安排"),
        (
            "What steps have you taken to prepare?",
            "That about covers it, thanks for your help!",
            "steps_taken",
        ),
        ("对您的工作有什么影响？", "就这些了，谢谢你的帮忙。", "来访影响"),
        ("Which device does the badge open?", "I'm located in the Austin, Texas office.", "badge_device"),
        ("Which city do you come from?", "I would prefer a Soccer game.", "home_city"),
        ("What tools do you need?", "I'll need time to drill the holes as well as a ladder.", "needed_tools"),
        ("What kinds of things will the visit bring?", "Quite a few ideas.", "visit_category"),
    ],
)
def test_what_stands_near_a_question_does_not_answer_it(
    memory: Memory, question: str, answer: str, slot: str
) -> None:
    assert slot not in held(memory, question, answer)


def test_who_was_involved_is_not_the_people_involved(memory: Memory) -> None:
    said = held(memory, "Who will be met?", "The people involved are my boss and a coworker.")
    assert said.get("people_met") != "The people involved"


REPORTS: dict[str, Any] = {
    "fall_report": _slots(mishap_date="When did the mishap happen?", injury="What injury was there?"),
    "mishap_report": _slots(mishap_date="When did the mishap happen?", weather="What was the weather like?"),
    "摔伤登记": _slots(事件日期="事件发生在哪天？", 伤情="伤到了哪里？"),
    "事件登记": _slots(事件日期="事件发生在哪天？", 天气="当时天气怎么样？"),
}


@pytest.mark.parametrize(
    ("question", "answer"),
    [
        ("When did the mishap happen?", "It happened on May 15th, 2021."),
        ("事件发生在哪天？", "2021年5月15日。"),
    ],
)
def test_a_name_of_a_slot_that_two_types_have_speaks_for_neither(
    tmp_path: Path, question: str, answer: str
) -> None:
    for name, slots in REPORTS.items():
        text = yaml.safe_dump({"form_type": name, "slots": slots}, allow_unicode=True, default_style='"')
        Path(tmp_path, f"{name}.yaml").write_text(text, encoding="utf-8")
    with Memory.open(":memory:", form_types=[tmp_path], relation_rules=[]) as memory:
        forms: dict[str, None] = {}
        for role, text in (("assistant", question), ("user", answer)):
            receipt = memory.observe(text, speaker=role, role=role, conversation="c", time=TIME)
            forms.update(dict.fromkeys(receipt.forms))
        known = [s.value for f in map(memory.get, forms) for s in f.slots.values() if s.status == "known"]
        assert known == []
