"""First contact: a short declared questionnaire fills the anchors of a profile, and nobody is asked twice."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import pytest

from forms_dynamics import Conflict, InvalidInput, Memory, SchemaError
from forms_dynamics.schema.load import check, load_catalog
from forms_dynamics.testing import FixedClock

SHIPPED = ["preferred_name", "language", "city", "allergies"]
GUEST = """\
form_type: guest
identity: [$speaker]
slots:
  nickname: {type: text, aliases: [称呼, nickname], question: {zh: 怎么称呼您？, en: "What shall I call you?"}}
  city: {type: text, aliases: [城市, city], question: {zh: 您还住在那里吗？, en: "Do you still live there?"}}
  diet: {type: text, many: true, aliases: [忌口, dietary needs]}
  seat: {type: enum, values: {window: [靠窗], aisle: [靠过道]}, aliases: [座位偏好, seat preference]}
  smoker: {type: boolean, aliases: [是否吸烟, smoker]}
  budget: {type: money, unit: CNY, aliases: [预算, budget]}
"""
ASKED = """\
first_contact:
  - nickname
  - city: {zh: 您住在哪座城市？, en: "Which city do you live in?"}
  - diet
  - seat
  - smoker
  - budget
"""


def opened(path: Path | str = ":memory:", **options: Any) -> Memory:
    return Memory.open(
        str(path), clock=FixedClock(datetime(2026, 6, 1, tzinfo=UTC)), **{"user": "u1", **options}
    )


@pytest.fixture
def memory() -> Iterator[Memory]:
    with opened(form_types=["user_profile", "preference"]) as memory:
        yield memory


@pytest.fixture
def guests(tmp_path: Path) -> Iterator[Memory]:
    (tmp_path / "guest.yaml").write_text(GUEST + ASKED, encoding="utf-8")
    with opened(form_types=[tmp_path / "guest.yaml"]) as memory:
        yield memory


def slots(memory: Memory, **options: Any) -> list[str | None]:
    return [item.slot for item in memory.first_contact(**options)]


def ids(memory: Memory, **options: Any) -> dict[str, str]:
    return {item.slot or "": item.id for item in memory.first_contact(**options)}


# -- asking --------------------------------------------------------------------------------------------------
def test_a_new_user_is_asked_in_the_declared_order(memory: Memory) -> None:
    items = memory.first_contact(language="zh")
    assert [item.slot for item in items] == SHIPPED
    assert {(item.form_type, item.form_id, item.reason, item.value) for item in items} == {
        ("user_profile", None, "first_contact", None)
    }
    assert [item.id for item in memory.pending()] == [item.id for item in items]
    assert memory.find("user_profile") == []  # nobody has said anything yet


def test_asking_again_gives_the_same_items_and_a_language_words_them_anew(memory: Memory) -> None:
    zh = memory.first_contact(language="zh")
    assert memory.first_contact() == zh
    en = memory.first_contact(language="en")
    assert [item.id for item in en] == [item.id for item in zh]
    assert [item.question for item in en][:3] == [
        "How would you like to be addressed?", "Which language do you prefer?", "Which city do you live in?",
    ]  # fmt: skip
    assert zh[2].question == "您平时住在哪座城市？"
    assert [item.question for item in memory.pending()] == [item.question for item in en]


@pytest.mark.parametrize(
    ("said", "question"),
    [("你好，我想订个位子", "您平时住在哪座城市？"), ("Hello there", "Which city do you live in?")],
)
def test_without_a_language_it_asks_as_the_conversation_speaks(
    memory: Memory, said: str, question: str
) -> None:
    memory.observe(said)
    assert memory.first_contact()[2].question == question


def test_each_kind_of_slot_has_its_plain_question(guests: Memory) -> None:
    assert [item.question for item in guests.first_contact("guest", language="zh")] == [
        "怎么称呼您？", "您住在哪座城市？", "请问您的忌口有哪些？", "您的座位偏好是下面哪一项：靠窗、靠过道？",
        "是否吸烟：是还是否？", "请问您的预算是什么？",
    ]  # fmt: skip
    assert [item.question for item in guests.first_contact("guest", language="en")] == [
        "What shall I call you?", "Which city do you live in?", "What are your dietary needs?",
        "Which seat preference applies to you: window, aisle?", "Smoker: yes or no?", "What is your budget?",
    ]  # fmt: skip


def test_only_what_is_open_is_asked(memory: Memory) -> None:
    memory.record("user_profile", {"city": "Leeds"}, source="user", speaker="user")
    memory.observe("我可能对花生过敏吧", id="m1")  # asked about already, with its value
    assert [item.slot for item in memory.pending()] == ["allergies"]
    assert slots(memory) == ["preferred_name", "language"]


def test_speakers_and_users_are_asked_apart(memory: Memory) -> None:
    mine = ids(memory, speaker="王敏")
    other = ids(memory, speaker="Ana")
    assert not set(mine.values()) & set(other.values())
    memory.confirm(mine["city"], "苏州")
    assert slots(memory, speaker="王敏") == ["preferred_name", "language", "allergies"]
    assert slots(memory, speaker="Ana") == SHIPPED
    (form,) = memory.find("user_profile")
    memory.observe("我对虾过敏", speaker="王敏")
    assert memory.get(form.id)["allergies"] == ("虾",)
    assert len(memory.find("user_profile")) == 1
    neighbour = memory.scoped(user="u2")
    assert slots(neighbour, speaker="王敏") == SHIPPED
    assert neighbour.find("user_profile") == []
    assert len(neighbour.pending()) == 4


def test_a_type_of_the_user_asks_whoever_speaks_once(tmp_path: Path) -> None:
    text = GUEST.replace("[$speaker]", "[$user]") + ASKED
    (tmp_path / "guest.yaml").write_text(text, encoding="utf-8")
    with opened(form_types=[tmp_path / "guest.yaml"]) as memory:
        first = ids(memory, speaker="a")
        assert ids(memory, speaker="b") == first
        memory.confirm(first["city"], "York")
        assert "city" not in ids(memory, speaker="b")


# -- answers -------------------------------------------------------------------------------------------------
@pytest.mark.parametrize(
    ("slot", "answer", "value"),
    [
        ("city", "苏州", "苏州"),
        ("city", "Leeds", "Leeds"),
        ("allergies", "芒果、花生", ("芒果", "花生")),
        ("allergies", "nuts and pollen", ("nuts", "pollen")),
        ("language", "中文", "中文"),
    ],
)
def test_an_answer_is_the_users_own_word(memory: Memory, slot: str, answer: str, value: Any) -> None:
    receipt = memory.confirm(ids(memory)[slot], answer)
    (form,) = memory.find("user_profile")
    held = form.slots[slot]
    assert (held.value, held.confidence, held.source) == (value, 1.0, "user")
    assert held.evidence is not None
    assert (held.evidence.text, held.evidence.message_id) == (answer, receipt.act)
    assert memory.why(form.id, slot).cause == "confirmation"
    assert slots(memory) == [name for name in SHIPPED if name != slot]
    with pytest.raises(Conflict, match="already confirmed"):
        memory.confirm(receipt_id(memory, slot), "other")


def receipt_id(memory: Memory, slot: str) -> str:
    rows = [row for row in memory.export() if row["kind"] == "pending" and row["slot"] == slot]
    return str(rows[0]["id"])


def test_answers_of_one_speaker_are_one_form_and_typed(guests: Memory) -> None:
    asked = ids(guests)
    for slot, answer in (("seat", "靠窗"), ("smoker", "不"), ("budget", "3千"), ("nickname", "老王")):
        guests.confirm(asked[slot], answer)
    (form,) = guests.find("guest")
    assert (form["seat"], form["smoker"], form["nickname"]) == ("window", False, "老王")
    assert str(form["budget"]) == "3,000 CNY"
    assert slots(guests) == ["city", "diet"]


@pytest.mark.parametrize(
    "answer", ["没有", "无", "没有过敏", "no", "None", "No allergies.", "nothing", "不过敏"]
)
def test_none_is_an_answer_that_stores_nothing(memory: Memory, answer: str) -> None:
    receipt = memory.confirm(ids(memory)["allergies"], answer)
    assert (receipt.state, receipt.versions) == ("stored", ())
    assert memory.find("user_profile") == []
    assert "allergies" not in slots(memory)


@pytest.mark.parametrize(
    ("slot", "answer", "told"),
    [
        ("allergies", "有", "does not say which"),
        ("allergies", "yes", "does not say which"),
        ("city", None, "city: give the answer, or refuse this item"),
        ("city", "a\x00b", "NUL"),
    ],
)
def test_what_is_no_answer_leaves_the_question_open(
    memory: Memory, slot: str, answer: Any, told: str
) -> None:
    item = ids(memory)[slot]
    with pytest.raises(InvalidInput, match=told):
        memory.confirm(item, answer)
    assert ids(memory)[slot] == item
    assert memory.find("user_profile") == []


def test_a_value_that_the_slot_does_not_take(guests: Memory) -> None:
    item = ids(guests)["seat"]
    with pytest.raises(InvalidInput, match=r"guest\.seat"):
        guests.confirm(item, "在车顶上")
    assert ids(guests)["seat"] == item


def test_who_would_rather_not_say_is_never_asked_again(memory: Memory) -> None:
    memory.refuse(ids(memory)["city"])
    assert slots(memory) == ["preferred_name", "language", "allergies"]
    memory.confirm(ids(memory)["language"], "English")  # the Form comes later; the refusal stands
    assert "city" not in slots(memory, language="en")
    (form,) = memory.find("user_profile")
    memory.erase(form_id=form.id)
    assert "city" not in slots(memory)


def test_an_erased_user_is_a_new_one(memory: Memory) -> None:
    memory.refuse(ids(memory)["city"])
    memory.erase(user="u1")
    assert slots(memory) == SHIPPED


# -- other ways by which a slot gets known -------------------------------------------------------------------
def by_message(memory: Memory, slot: str) -> None:
    memory.observe({"allergies": "我对芒果过敏", "city": "I live in Leeds."}[slot])


def by_record(memory: Memory, slot: str) -> None:
    memory.record("user_profile", {slot: "x1"}, source="tool", speaker="user")


def by_correction(memory: Memory, slot: str) -> None:
    form = memory.record("user_profile", {"email": "a@example.com"}, speaker="user").forms[0]
    memory.correct(form, slot, "x1")


def by_adding(memory: Memory, slot: str) -> None:
    memory.record("user_profile", {slot: {"value": "x1", "op": "add"}}, speaker="user")


def by_merge(memory: Memory, slot: str) -> None:
    mine = memory.record("user_profile", {"name": "Petra"}, speaker="user").forms[0]
    memory.merge(mine, memory.record("user_profile", {slot: "x1"}, speaker="petra@work").forms[0])


def by_file(memory: Memory, slot: str) -> None:
    with opened(form_types=["user_profile"]) as other:
        other.record("user_profile", {slot: "x1"}, speaker="user")
        rows = list(other.export())
    memory.observe("hello")  # something is here already
    memory.load(rows)


@pytest.mark.parametrize("slot", ["allergies", "city"])
@pytest.mark.parametrize(
    "way", [by_message, by_record, by_correction, by_adding, by_merge, by_file], ids=lambda way: way.__name__
)
def test_a_slot_that_gets_known_closes_its_question(
    memory: Memory, way: Callable[[Memory, str], None], slot: str
) -> None:
    item = ids(memory)[slot]
    way(memory, slot)
    assert item not in {p.id for p in memory.pending()}
    assert slots(memory) == [name for name in SHIPPED if name != slot]
    assert len(memory.pending()) == 3


def test_another_speakers_words_close_nothing(memory: Memory) -> None:
    ids(memory)
    memory.observe("我对芒果过敏", speaker="Ana")
    assert slots(memory) == SHIPPED


def test_what_is_avoided_is_an_answer_too(guests: Memory, tmp_path: Path) -> None:
    (tmp_path / "taste.yaml").write_text(
        "form_type: taste\nidentity: [$speaker]\nslots:\n"
        "  liked: {type: text, many: true, cues: [我不吃, 我喜欢], aliases: [喜好]}\nfirst_contact: [liked]\n",
        encoding="utf-8",
    )
    with opened(form_types=[tmp_path / "taste.yaml"]) as memory:
        assert slots(memory) == ["liked"]
        memory.observe("我不吃辣")
        (form,) = memory.find("taste")
        assert form.slots["liked"].avoided == {"辣"}
        assert memory.pending() == []


# -- taking back ---------------------------------------------------------------------------------------------
def test_an_undone_answer_asks_again_and_the_next_one_counts(memory: Memory) -> None:
    item = ids(memory)["city"]
    receipt = memory.confirm(item, "苏州")
    memory.undo(receipt.act or "")
    assert memory.find("user_profile") == []
    assert ids(memory)["city"] == item
    memory.confirm(item, "杭州")
    (form,) = memory.find("user_profile")
    assert (form["city"], form.status) == ("杭州", "active")


def test_an_undone_refusal_and_correction_ask_again(memory: Memory) -> None:
    item = ids(memory)["city"]
    memory.undo(memory.refuse(item).act or "")
    assert ids(memory)["city"] == item
    form = memory.record("user_profile", {"name": "Ana"}, speaker="user").forms[0]
    receipt = memory.correct(form, "city", "Leeds")
    assert "city" not in slots(memory)
    memory.undo(receipt.act or "")
    assert ids(memory)["city"] == item


def test_what_filled_a_slot_and_was_taken_back_opens_the_same_item(memory: Memory) -> None:
    items = ids(memory)
    memory.observe("我对芒果过敏", id="m1")
    assert "allergies" not in slots(memory)
    memory.observe("今天天气不错", id="m1", edit=True)
    assert ids(memory) == items
    memory.observe("我住在苏州。", id="m2")
    memory.erase(message="m2")
    assert ids(memory) == items


def test_an_answer_taken_back_by_the_user_is_not_asked_for_again(memory: Memory) -> None:
    memory.confirm(ids(memory)["city"], "苏州")
    (form,) = memory.find("user_profile")
    memory.retract(form.id, "city")
    assert "city" not in slots(memory)


# -- the whole memory ----------------------------------------------------------------------------------------
def test_questions_survive_export_load_and_rebuild(memory: Memory) -> None:
    asked = ids(memory)
    memory.confirm(asked["city"], "苏州")
    memory.refuse(asked["language"])
    rows = [json.loads(json.dumps(row)) for row in memory.export()]
    for user in ("u1", "u9"):  # a file of one user may become another's
        with opened(user=user, form_types=["user_profile", "preference"]) as other:
            other.load(rows)
            assert ids(other) == {slot: asked[slot] for slot in ("preferred_name", "allergies")}
            other.rebuild()
            assert other.verify().ok
            other.confirm(asked["allergies"], "虾")
            (form,) = other.find("user_profile")
            assert (form["city"], form["allergies"]) == ("苏州", ("虾",))
            if user == "u1":
                assert other.load(rows[:1] + rows[-1:]).forms == 0
    with opened(form_types=["user_profile", "preference"]) as other:
        other.load(rows)
        assert [json.loads(json.dumps(row)) for row in other.export()] == rows


def test_a_reopened_file_goes_on_where_it_was(tmp_path: Path) -> None:
    with opened(tmp_path / "m.db") as memory:
        asked = ids(memory)
    with opened(tmp_path / "m.db") as memory:
        assert ids(memory) == asked
    with opened(tmp_path / "m.db", read_only=True) as memory:
        assert ids(memory) == asked  # nothing new to store


def test_two_at_once_ask_each_question_once(tmp_path: Path) -> None:
    with opened(tmp_path / "m.db") as memory:
        with ThreadPoolExecutor(6) as pool:
            asked = list(pool.map(lambda _: tuple(ids(memory).items()), range(12)))
        assert len(set(asked)) == 1
        assert len(memory.pending()) == len(SHIPPED)


def test_a_renamed_slot_keeps_its_question(tmp_path: Path) -> None:
    file = tmp_path / "guest.yaml"
    file.write_text(GUEST + "first_contact: [city, diet]\n", encoding="utf-8")
    with opened(tmp_path / "m.db", form_types=[file]) as memory:
        asked = ids(memory)
        memory.refuse(asked["diet"])
    text = GUEST.replace("  city:", "  town:").replace("  diet:", "  food:")
    text += "version: 2\nmigrations: {2: [{rename: {city: town, diet: food}}]}\nfirst_contact: [town, food]\n"
    file.write_text(text, encoding="utf-8")
    with opened(tmp_path / "m.db", form_types=[file]) as memory:
        assert ids(memory) == {"town": asked["city"]}
        memory.confirm(asked["city"], "York")
        assert memory.find("guest")[0]["town"] == "York"


# -- bad input -----------------------------------------------------------------------------------------------
@pytest.mark.parametrize(
    ("options", "told"),
    [
        ({"form_type": "user_profil"}, "no Form type 'user_profil'; did you mean 'user_profile'"),
        ({"form_type": "preference"}, "preference declares no first_contact; types that do: user_profile"),
        ({"language": "fr"}, "language is zh or en, not 'fr'"),
        ({"speaker": ""}, "speaker is a non-empty string"),
    ],
)
def test_a_call_that_cannot_be_meant(memory: Memory, options: dict[str, Any], told: str) -> None:
    with pytest.raises(InvalidInput, match=told):
        memory.first_contact(**options)
    assert memory.pending() == []


def test_types_without_a_questionnaire_ask_nothing() -> None:
    with opened(form_types=["preference"]) as memory:
        assert memory.first_contact() == []


@pytest.mark.parametrize(
    ("given", "line", "told", "near"),
    [
        ("first_contact: [nickname, citi]\n", 10, "slot 'citi' is not declared", "city"),
        ("first_contact:\n  - nickname\n  - citi: {zh: 哪里？}\n", 12, "slot 'citi' is not declared", "city"),
        ("first_contact: [city, city]\n", 10, "asks about 'city' twice", None),
        ("first_contact: city\n", 10, "must be a list", None),
        ("first_contact: []\n", 10, "is empty", None),
        ("first_contact:\n  - {city: 哪里？, diet: 忌口？}\n", 11, "one slot with its words", None),
        ("first_contact:\n  - city: {de: Wo?}\n", 11, "has no key 'de'", None),
        ("first_contact:\n  - city:\n", 11, "is empty", None),
    ],
)
def test_a_mistake_in_the_yaml_is_told_with_its_place(
    tmp_path: Path, given: str, line: int, told: str, near: str | None
) -> None:
    file = tmp_path / "guest.yaml"
    file.write_text(GUEST + given, encoding="utf-8")
    with pytest.raises(SchemaError) as raised:
        load_catalog(form_types=[file], relation_rules=[])
    (finding,) = raised.value.findings
    assert (finding.line, finding.suggestion) == (line, near)
    assert told in finding.message
    assert finding.file.endswith("guest.yaml")


@pytest.mark.parametrize("identity", ["[nickname]", "each", "[$speaker, city]", "[$conversation]"])
def test_it_needs_an_identity_that_tells_whose_answer_it_is(tmp_path: Path, identity: str) -> None:
    file = tmp_path / "guest.yaml"
    file.write_text(GUEST.replace("[$speaker]", identity) + "first_contact: [diet]\n", encoding="utf-8")
    (finding,) = check([file])
    assert (finding.line, finding.severity) == (10, "error")
    assert "[$speaker] or [$user]" in finding.message


def test_many_questions_are_a_warning(tmp_path: Path) -> None:
    names = [f"s{n}" for n in range(8)]
    text = "form_type: a\nidentity: [$user]\nslots:\n" + "".join(f"  {n}: {{type: text}}\n" for n in names)
    file = tmp_path / "a.yaml"
    file.write_text(f"{text}first_contact: [{', '.join(names[:7])}]\n", encoding="utf-8")
    assert check([file]) == []
    file.write_text(f"{text}first_contact: [{', '.join(names)}]\n", encoding="utf-8")
    (finding,) = check([file])
    assert (finding.severity, finding.line) == ("warning", 12)
    assert "8 questions" in finding.message
