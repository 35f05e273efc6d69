"""Answers of an interview: told in sentences, to questions put in other words than the slot's, and that there is none."""

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
    "mentoring_intake": {
        "description": "mentoring intake",
        "slots": _slots(
            personal_motivation="What motivates you to join the mentoring?",
            potential_obstacles="What potential obstacles might you meet?",
            practice_plan="How will you practise between the meetings?",
            mentoring_aim="What is the specific aim of the mentoring?",
            earlier_mentors="Have there been any earlier mentors? (Yes/No, if yes, please describe)",
            required_resources="What resources do you need? (e.g., Time, Money, Support)",
            seminar_plan="Which seminar plan do you choose? (e.g., Plan A, Plan B)",
            contact_preference="What is your preferred contact method? (e.g., Email, Phone)",
        ),
    },
    "义工登记": {
        "slots": _slots(
            参加动机="您参加义工的动机是什么原因？",
            以往事故="以往是否有过事故？如有请描述",
            困难描述="请描述您遇到的困难",
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


def held(memory: Memory, *turns: str) -> dict[str, str]:
    forms: dict[str, None] = {}
    for n, text in enumerate(turns):
        role = "user" if (len(turns) - n) % 2 else "assistant"
        receipt = memory.observe(text, speaker=role, role=role, conversation="c", time=TIME)
        forms.update(dict.fromkeys(receipt.forms))
    return {
        name: str(slot.value)
        for form in map(memory.get, forms)
        for name, slot in form.slots.items()
        if slot.status == "known"
    }


START = "This is about the mentoring intake."
BEGIN = "我来做义工登记。"


@pytest.mark.parametrize(
    ("turns", "wanted"),
    [
        ((START, "What drives you to join the mentoring?", "Seeing my apprentices succeed really motivates me."), {"personal_motivation": "Seeing my apprentices succeed"}),
        ((START, "What obstacles do you foresee?", "Long night shifts may be difficult."), {"potential_obstacles": "Long night shifts"}),
        ((START, "How will you practise between the meetings?", "I plan to rehearse with my sister every week."), {"practice_plan": "rehearse with my sister every week"}),
        ((START, "Just one more question - have you had any earlier mentors?", "No, there were no earlier mentors."), {"earlier_mentors": "No, there were no earlier mentors"}),
        ((START, "Which seminar plan do you choose?", "I chose Plan A."), {"seminar_plan": "Plan A"}),
        ((START, "What's your preferred contact method?", "You can reach me through social media."), {"contact_preference": "social media"}),
        ((BEGIN, "以前有没有出过事故？", "没有发生过任何事故。"), {"以往事故": "没有发生过任何事故"}),
        ((BEGIN, "请描述一下您遇到的困难。", "周末经常要加班，没法按时到场。"), {"困难描述": "周末经常要加班，没法按时到场"}),
    ],
)  # fmt: skip
def test_what_is_told_answers(memory: Memory, turns: tuple[str, ...], wanted: dict[str, str]) -> None:
    assert held(memory, *turns) == wanted


@pytest.mark.parametrize(
    "turns",
    [
        (START, "What resources do you need?", "I have to make wise investments over time."),
        (START, "What resources do you need?", "My aim is to lead a team."),
        (START, "What motivates you to join the mentoring?", "I don't know."),
        (BEGIN, "以前有没有出过事故？", "不清楚。"),
    ],
)
def test_what_answers_something_else_fills_nothing(memory: Memory, turns: tuple[str, ...]) -> None:
    assert held(memory, *turns).keys() <= {"mentoring_aim"}
