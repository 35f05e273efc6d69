"""What a conversation itself proves of what was read from it."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pytest

from forms_dynamics import Memory
from forms_dynamics.model.message import Draft
from forms_dynamics.replay.consistency import consistency
from forms_dynamics.replay.instances import keys_of
from forms_dynamics.replay.judge import Judge
from forms_dynamics.replay.recording import record
from forms_dynamics.replay.truth import Truth
from forms_dynamics.replay.values import Verdict
from forms_dynamics.schema.coerce import coerce
from tests.unit.replay.talks import CATALOG, NOON, SETTINGS, cny, held, raws, slot, wrote

LEAD = "lead_profile"
OK = ("assistant", "好的，记下了。", ())
RIGHT, WRONG, UNKNOWN = "right", "wrong", "unknown"


def user(text: str, *drafts: Draft, **budget: Any) -> Any:
    """A message with drafts, or with a budget read from these words."""
    if budget:
        words = budget.pop("budget")
        drafts = (*drafts, Draft(LEAD, {"budget": slot(words, words, **budget)}))
    return "user", text, drafts


def told(*messages: Any, **where: Any) -> Truth:
    found = consistency(raws(*messages, **where), CATALOG, SETTINGS)
    assert list(found) == [(where.get("user") or "", where.get("conversation", "c"))]
    return next(iter(found.values()))


def verdict(known: Truth, number: int, value: str, name: str = "budget", type: str = LEAD) -> Verdict:
    """Of a value that message ``number`` says."""
    spec = CATALOG.types[type].slots[name]
    keys = keys_of(spec, coerce(spec, value, NOON).value)
    assert keys
    return known.verdict(("", f"m{number}"), type, name, keys)


FIRST, FIRST_EN = (
    user("我们的预算是50万。", budget="50万"),
    user("Our budget is 120,000 USD.", budget="120,000 USD"),
)
READ_BACK, READ_BACK_EN = (
    ("assistant", "您的预算是50万，对吗？", ()),
    ("assistant", "So your budget is $120k, right?", ()),
)
OK_EN = ("assistant", "Noted.", ())


# -- what one later message proves -------------------------------------------------------------------------
@pytest.mark.parametrize(
    ("between", "later", "before", "after"),
    [
        # said again, in other words
        (OK, user("再说一遍，预算500000元。", budget="500000元"), RIGHT, RIGHT),
        # agreed to, whether or not the extractor saw that
        (READ_BACK, user("对"), RIGHT, UNKNOWN),
        (READ_BACK, user("对", budget="50万", agreed=("", "50万")), RIGHT, RIGHT),
        # thanks agree to nothing, nor does a doubt
        (READ_BACK, user("谢谢"), UNKNOWN, UNKNOWN),
        (READ_BACK, user("应该是吧"), UNKNOWN, UNKNOWN),
        # the assistant says it again: no proof
        (READ_BACK, user("交期呢？"), UNKNOWN, UNKNOWN),
        # denied, with another value
        (OK, user("不是50万，是60万。", budget="60万"), WRONG, UNKNOWN),
        (OK, user("不是50万，是60万。", budget="60万", correction=True), WRONG, UNKNOWN),
        (READ_BACK, user("不对，是60万。", budget="60万"), WRONG, UNKNOWN),
        # called an error
        (OK, user("我说错了，预算是60万。", budget="60万", correction=True), WRONG, UNKNOWN),
        (OK, user("我刚才说错了，预算是60万。", budget="60万"), WRONG, UNKNOWN),
        # denied without another value
        (READ_BACK, user("不对。"), UNKNOWN, UNKNOWN),
        # changed: no proof, whatever the extractor calls it
        (OK, user("预算改成60万。", budget="60万", correction=True), UNKNOWN, UNKNOWN),
        (OK, user("预算60万。", budget="60万", correction=True), UNKNOWN, UNKNOWN),
        (OK, user("预算60万。", budget="60万"), UNKNOWN, UNKNOWN),
        (OK, user("现在不是50万了，是60万。", budget="60万", correction=True), UNKNOWN, UNKNOWN),
        # the change says what it was until now
        (OK, user("预算从50万提高到60万。", budget="60万"), RIGHT, UNKNOWN),
        # the error is one of the same message
        (OK, user("预算60万，哦不，说错了，70万。", budget="70万", correction=True), UNKNOWN, UNKNOWN),
        # not firm: hedged, asked, supposed, proposed, inferred
        (OK, user("预算大概50万吧。", budget="50万"), UNKNOWN, UNKNOWN),
        (OK, user("预算50万够吗？", budget="50万"), UNKNOWN, UNKNOWN),
        (OK, user("要是预算有50万就好了。", budget="50万"), UNKNOWN, UNKNOWN),
        (OK, user("预算50万。", budget="50万", inferred=True), UNKNOWN, UNKNOWN),
        # told of somebody else
        (OK, user("隔壁公司预算50万。", budget="50万", whose="other"), UNKNOWN, UNKNOWN),
        # no words of the message say it: a model that copies what it was shown
        (OK, user("交期是9月30日。", Draft(LEAD, {"budget": slot("50万")})), UNKNOWN, UNKNOWN),
        (OK, user("预算60万。", Draft(LEAD, {"budget": slot("50万", "60万")})), UNKNOWN, UNKNOWN),
        # cleared
        (OK, user("预算取消了。", Draft(LEAD, {"budget": slot(None, "取消", op="clear")})), UNKNOWN, UNKNOWN),
    ],
)
def test_what_a_later_message_proves(between: Any, later: Any, before: str, after: str) -> None:
    known = told(FIRST, between, later)
    assert verdict(known, 1, "50万") == before
    for draft in later[2]:
        if draft.slots["budget"].value is not None:
            assert verdict(known, 3, draft.slots["budget"].value) == after


@pytest.mark.parametrize(
    ("between", "later", "before"),
    [
        (OK_EN, user("As I said, the budget is 120k USD.", budget="120k USD"), RIGHT),
        (READ_BACK_EN, user("Yes, that's right."), RIGHT),
        (READ_BACK_EN, user("Thanks!"), UNKNOWN),
        (READ_BACK_EN, user("No, it's 150,000 USD.", budget="150,000 USD"), WRONG),
        (OK_EN, user("Sorry, not 120,000 USD, our budget is 150,000 USD.", budget="150,000 USD"), WRONG),
        (OK_EN, user("I misspoke, the budget is 150,000 USD.", budget="150,000 USD"), WRONG),
        (
            OK_EN,
            user("We changed our budget to 150,000 USD.", budget="150,000 USD", correction=True),
            UNKNOWN,
        ),
        (OK_EN, user("Our budget is 150,000 USD now.", budget="150,000 USD", correction=True), UNKNOWN),
        (OK_EN, user("Our budget was 120,000 USD, we raise it to 150,000 USD.", budget="150,000 USD"), RIGHT),
        (OK_EN, user("What if the budget is 120,000 USD?", budget="120,000 USD"), UNKNOWN),
    ],
)
def test_what_a_later_message_proves_in_english(between: Any, later: Any, before: str) -> None:
    assert verdict(told(FIRST_EN, between, later), 1, "120,000 USD") == before


@pytest.mark.parametrize(
    ("unsure", "value", "words", "verdict_"),
    [
        ("预算大概50万吧。", "50万", "60万", WRONG),
        ("要是预算有50万就好了。", "50万", "60万", WRONG),
        ("Our budget is maybe 50万.", "50万", "60万", WRONG),
        ("预算大概50万吧。", "50万", "50万", RIGHT),
        # a question claims nothing
        ("预算50万够吗？", "50万", "60万", UNKNOWN),
        ("预算50万够吗？", "50万", "50万", UNKNOWN),
    ],
)
def test_what_is_unsure_ought_to_have_been_asked_about(
    unsure: str, value: str, words: str, verdict_: str
) -> None:
    once = [user(unsure, budget=value), OK, user(f"预算定了，{words}。", budget=words)]
    known = told(*once, user(f"对，预算{words}。", budget=words))
    assert verdict(known, 1, value) == verdict_
    # it was not plainly said the first time: no miss where it is held back then
    assert list(known.told) == [("", "m3")]
    if verdict_ == WRONG:  # by one more reading, which may be the misread one, nothing is proved
        assert verdict(told(*once), 1, value) == UNKNOWN


def test_a_looser_value_made_exact_is_not_wrong() -> None:
    known = told(user("预算三四十万吧。", budget="三四十万"), OK, user("预算35万。", budget="35万"))
    assert verdict(known, 1, "三四十万") == UNKNOWN


def test_two_values_in_one_message_prove_nothing() -> None:
    either = user("预算50万，或者60万。", *(Draft(LEAD, {"budget": slot(w, w)}) for w in ("50万", "60万")))
    known = told(FIRST, OK, either)
    assert verdict(known, 1, "50万") == UNKNOWN
    assert {verdict(known, 3, w) for w in ("50万", "60万")} == {UNKNOWN}


def test_a_word_within_another_denies_nothing() -> None:
    known = told(hotel("有停车场。", extras="有"), hotel("没有了，再要泳池。", extras="泳池"))
    assert verdict(known, 1, "有", "extras", "hotel") == UNKNOWN
    roles = told(
        user("联系人的职位：总。", Draft(LEAD, {"contact_role": slot("总", "总")})), OK,
        user("不是总监，职位：经理。", Draft(LEAD, {"contact_role": slot("经理", "经理")})),
    )  # fmt: skip
    assert verdict(roles, 1, "总", "contact_role") == UNKNOWN


def test_a_message_that_corrects_itself_is_right_and_wrong_in_itself() -> None:
    both = user(
        "预算60万，说错了，是70万。",
        Draft(LEAD, {"budget": slot("60万", "60万")}),
        Draft(LEAD, {"budget": slot("70万", "70万", correction=True)}),
    )
    known = told(FIRST, OK, both)
    assert [verdict(known, 1, "50万"), verdict(known, 3, "60万"), verdict(known, 3, "70万")] == [
        UNKNOWN,
        WRONG,
        UNKNOWN,
    ]


def test_one_to_which_the_user_comes_back_is_unknown() -> None:
    known = told(
        FIRST,
        user("我说错了，预算是60万。", budget="60万", correction=True),
        user("还是50万，预算50万。", budget="50万"),
    )
    assert verdict(known, 1, "50万") == UNKNOWN


def test_a_denial_of_what_has_changed_since_proves_nothing() -> None:
    known = told(FIRST, user("预算改成60万。", budget="60万"), OK, user("不是50万，是60万。", budget="60万"))
    assert [verdict(known, n, v) for n, v in ((1, "50万"), (2, "60万"), (4, "60万"))] == [
        UNKNOWN,
        RIGHT,
        RIGHT,
    ]


def test_of_two_looks_the_second_speaks() -> None:
    first, second = (Draft(LEAD, {"budget": slot(w, w)}) for w in ("50万", "60万"))
    looked = raws(user("预算50万还是说60万来着，60万。", first), OK, user("预算60万。", second))
    looked[0] = looked[0]._replace(looks=((first,), (second,)))
    known = consistency(looked, CATALOG, SETTINGS)["", "c"]
    assert verdict(known, 1, "60万") == RIGHT
    assert verdict(known, 1, "50万") == UNKNOWN


# -- several Forms, lists, names ---------------------------------------------------------------------------
def hotel(text: str, **slots: Any) -> Any:
    return user(text, Draft("hotel", {name: slot(words, words) for name, words in slots.items()}))


def test_another_hotel_is_no_correction_and_no_confirmation() -> None:
    known = told(
        hotel("锦江饭店4星。", name="锦江饭店", stars="4"),
        hotel("和平饭店4星。", name="和平饭店", stars="4"),
        hotel("说错了，和平饭店5星。", name="和平饭店", stars="5"),
    )
    assert verdict(known, 1, "4", "stars", "hotel") == UNKNOWN
    assert verdict(known, 2, "4", "stars", "hotel") == WRONG
    assert verdict(known, 2, "和平饭店", "name", "hotel") == RIGHT
    assert verdict(known, 1, "锦江饭店", "name", "hotel") == UNKNOWN


def test_words_that_do_not_tell_which_hotel_prove_nothing() -> None:
    one = hotel("锦江饭店4星。", name="锦江饭店", stars="4")
    again = hotel("4星的。", stars="4")
    assert verdict(told(one, again), 1, "4", "stars", "hotel") == RIGHT
    two = hotel("和平饭店在南边。", name="和平饭店", area="南边")
    assert verdict(told(one, two, again), 1, "4", "stars", "hotel") == UNKNOWN


def test_a_denied_name_is_wrong_and_its_form_goes_on() -> None:
    known = told(
        hotel("海兰宾馆4星。", name="海兰宾馆", stars="4"),
        hotel("不是海兰宾馆，是海蓝宾馆。", name="海蓝宾馆"),
        hotel("海蓝宾馆，4星。", name="海蓝宾馆", stars="4"),
    )
    assert verdict(known, 1, "海兰宾馆", "name", "hotel") == WRONG
    assert verdict(known, 2, "海蓝宾馆", "name", "hotel") == RIGHT
    assert verdict(known, 1, "4", "stars", "hotel") == RIGHT


def test_items_of_a_list_stand_each_by_itself() -> None:
    def likes(text: str, *items: str, **rest: Any) -> Any:
        return user(text, *(Draft("preference", {"liked": slot([i], i, **rest)}) for i in items))

    known = told(
        likes("我喜欢爬山和咖啡。", "爬山", "咖啡"),
        likes("我喜欢跑步，也喜欢爬山。", "跑步", "爬山"),
        likes("我不喜欢咖啡了。", "咖啡", negated=True),
    )
    got = [
        verdict(known, n, v, "liked", "preference")
        for n, v in ((1, "爬山"), (1, "咖啡"), (2, "跑步"), (2, "爬山"))
    ]
    assert got == [RIGHT, UNKNOWN, UNKNOWN, RIGHT]


# -- conversations -----------------------------------------------------------------------------------------
def test_users_and_conversations_are_told_apart() -> None:
    mixed = [
        *raws(FIRST, user="u"), *raws(FIRST, user="v"), *raws(FIRST, user="u", conversation="d"),
        *raws(user("预算改了。")),
    ]  # fmt: skip
    found = consistency(mixed, CATALOG, SETTINGS)
    assert list(found) == [("u", "c"), ("v", "c"), ("u", "d"), ("", "c")]
    assert not any(known.knows for known in found.values())
    again = [
        *raws(FIRST, user="u"),
        *[r._replace(message={**r.message, "id": "x"}) for r in raws(FIRST, user="u")],
    ]
    assert consistency(again, CATALOG, SETTINGS)["u", "c"].knows


# -- judged by it ------------------------------------------------------------------------------------------
def test_a_value_that_had_to_be_said_twice_is_a_miss() -> None:
    judge = Judge(told(FIRST, OK, user("预算50万。", budget="50万")), CATALOG, "zh")
    budget = wrote("budget", cny(500_000), "held", LEAD, reason="low_confidence")
    first = judge.turn(("", "m1"), "user", [budget], held)
    assert [f.verdict for f in first.facts] == ["right"]
    assert first.missed == ((LEAD, "budget", "50万（500,000 CNY）"),)
    assert (first.counts.expected, first.counts.found, first.counts.held_right) == (1, 0, 1)
    assert (first.counts.fields, first.counts.states) == (0, 0)
    second = judge.turn(("", "m3"), "user", [wrote("budget", cny(500_000), type=LEAD)], held)
    assert (second.counts.accepted_right, second.counts.expected) == (1, 0)


def test_a_value_that_stood_is_looked_at_in_the_tenth_turn() -> None:
    def kept(*later: Any) -> list[int]:
        talk = [FIRST, user("预算50万。", budget="50万"), *later, *[user("嗯嗯。")] * (11 - len(later))]
        judge = Judge(told(*talk), CATALOG)
        turns = [
            judge.turn(("", f"m{n}"), "user", [], lambda: held({"type": LEAD, "budget": cny(500_000)}))
            for n in range(1, len(talk) + 1)
        ]
        return [n for n, t in enumerate(turns, 1) if t.counts.kept and t.counts.kept_right]

    assert kept() == [10]
    assert kept(user("预算改成60万。", budget="60万")) == []


def test_verdicts_do_not_move_with_what_is_judged() -> None:
    talk = raws(FIRST, READ_BACK, user("不对，是60万。", budget="60万"), user("预算60万。", budget="60万"))
    first = consistency(talk, CATALOG, SETTINGS)
    loose = SETTINGS.model_copy(update={"conf_threshold": 0.1, "hedge_cap": 1.0, "back_check": "off"})
    assert consistency(talk, CATALOG, loose) == first
    unsure: Sequence[Any] = [
        raw._replace(
            looks=tuple(
                tuple(
                    Draft(
                        d.form_type,
                        {n: slot(s.value, s.evidence, confidence=0.01) for n, s in d.slots.items()},
                    )
                    for d in look
                )
                for look in raw.looks
            )
        )
        for raw in talk
    ]
    assert consistency(unsure, CATALOG, SETTINGS) == first


def test_drafts_of_the_shipped_recognisers(tmp_path: Path) -> None:
    def said(*texts: str) -> list[dict[str, Any]]:
        return [
            {
                "id": f"m{n}", "conversation": "c", "text": text.removeprefix("A："), "time": f"2026-06-12T10:{n:02}:00+08:00",
                "role": "assistant" if text.startswith("A：") else "user",
            }
            for n, text in enumerate(texts, 1)
        ]  # fmt: skip

    log = said(
        "我们是海蓝电子，预算50万，交期是9月30日。", "A：您的预算是50万，对吗？", "不对，是60万。",
        "A：交期是9月30日，没错吧？", "没错。", "我们是海蓝电子，预算60万。",
    )  # fmt: skip
    recording = record(log, tmp_path / "r.jsonl", form_types=[LEAD])
    known = consistency(recording.raws(), CATALOG, SETTINGS)["", "c"]
    assert verdict(known, 1, "50万") == WRONG
    assert verdict(known, 3, "60万") == RIGHT
    assert verdict(known, 1, "2026-09-30", "deadline") == RIGHT
    assert verdict(known, 1, "海蓝电子", "company") == RIGHT
    with Memory.open(":memory:", form_types=[LEAD]) as memory:  # and production ends with what is right
        for raw in log:
            memory.observe(raw["text"], role=raw["role"], conversation="c", id=raw["id"], time=raw["time"])
        [form] = memory.find(LEAD)
        assert verdict(known, 3, str(form["budget"])) == RIGHT
