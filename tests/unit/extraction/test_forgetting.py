"""A value that the user asks to forget is cleared, not asked about."""

from __future__ import annotations

from zoneinfo import ZoneInfo

import pytest

from forms_dynamics import Memory
from forms_dynamics.language.cues import ends


@pytest.mark.parametrize(
    "text",
    [
        "我的居住城市别记了。",
        "忘掉我的工作单位吧",
        "那个邮箱忘了吧",
        "Please forget my home city.",
        "别再记我的生日了",
    ],
)
def test_words_that_ask_to_forget_end_a_value(text: str) -> None:
    assert ends(text)


@pytest.mark.parametrize("text", ["我住在苏州。", "My home city is Leeds.", "请记一下我的生日"])
def test_plain_words_end_nothing(text: str) -> None:
    assert not ends(text)


SAID: list[tuple[tuple[str, ...], str, dict[str, str]]] = [
    # told to be over: the value that is named, and no other
    (("I live in Leeds.", "I no longer live in Leeds."), "user_profile", {}),
    (("I live in Leeds.", "I don't live in Leeds anymore."), "user_profile", {}),
    (("I live in Leeds.", "I no longer live in York."), "user_profile", {"city": "Leeds"}),
    (("I live in Leeds.", "I no longer live in Leeds, I live in York now."), "user_profile", {"city": "York"}),
    (("I live in Leeds.", "My mother no longer lives in Leeds."), "user_profile", {"city": "Leeds"}),
    (("I live in Leeds.", "If I no longer live in Leeds, what then?"), "user_profile", {"city": "Leeds"}),
    (("我住在苏州", "我不住在苏州了"), "user_profile", {}),
    (("我住在苏州", "我已经不在苏州住了"), "user_profile", {}),
    (("我住在苏州", "我搬离苏州了"), "user_profile", {}),
    (("我住在苏州", "我不住在杭州了"), "user_profile", {"city": "苏州"}),
    (("我住在苏州", "我妈不住在苏州了"), "user_profile", {"city": "苏州"}),
    (("我住在苏州", "我不住在苏州了，我搬到杭州了"), "user_profile", {"city": "杭州"}),
    (("I work at Acme Ltd.", "I no longer work at Acme Ltd."), "user_profile", {}),
    (("I work at Acme Ltd.", "I quit my job at Acme Ltd."), "user_profile", {}),
    (("I work at Acme Ltd.", "I quit my job."), "user_profile", {}),
    (("I work at Acme Ltd.", "I quit my job in 2015 to travel."), "user_profile", {"employer": "Acme Ltd"}),
    (("I work at Acme Ltd.", "My brother quit his job."), "user_profile", {"employer": "Acme Ltd"}),
    (("我在海蓝电子上班", "我离开海蓝电子了"), "user_profile", {}),
    (("我在海蓝电子上班", "我从海蓝电子离职了"), "user_profile", {}),
    (("我在海蓝电子上班", "我辞职了"), "user_profile", {}),
    (("我在海蓝电子上班", "我想辞职了"), "user_profile", {"employer": "海蓝电子"}),
    (("我在海蓝电子上班", "我老公辞职了"), "user_profile", {"employer": "海蓝电子"}),
    (("I love oat milk.", "I no longer love oat milk."), "preference", {}),
    # asked to be forgotten, by its name or in a clause
    (("I live in Leeds.", "forget that I live in Leeds"), "user_profile", {}),
    (("I live in Leeds.", "forget that I live in Leeds, I live in York"), "user_profile", {"city": "York"}),
    (("My email is a@b.com", "forget my email, it's c@d.com now"), "user_profile", {"email": "c@d.com"}),
    (("I live in Leeds.", "forget where I live"), "user_profile", {}),
    (("I live in Leeds.", "Please forget my home city."), "user_profile", {}),
    (("I live in Leeds.", "Don't forget that I live in Leeds"), "user_profile", {"city": "Leeds"}),
    (("I live in Leeds.", "I forgot my home city key"), "user_profile", {"city": "Leeds"}),
    (("My email is a@b.com", "Please forget my email."), "user_profile", {}),
    (("My email is a@b.com", "Please forget that my email is a@b.com."), "user_profile", {}),
    (("My email is a@b.com", "Don't forget my email."), "user_profile", {"email": "a@b.com"}),
    (("My email is a@b.com", "Forget my mother's email."), "user_profile", {"email": "a@b.com"}),
    (("My birthday is May 3, 1990", "forget my birthday"), "user_profile", {}),
    (("My birthday is May 3, 1990", "forget my birthday party"), "user_profile", {"birthday": "1990-05-03"}),
    (("I'm allergic to peanuts", "forget my allergies"), "user_profile", {}),
    (("我住在苏州", "我的居住城市别记了"), "user_profile", {}),
    (("我住在苏州", "忘了我住在苏州吧"), "user_profile", {}),
    (("我住在苏州", "忘了我住哪儿吧"), "user_profile", {}),
    (("我住在苏州", "别忘了我住在苏州"), "user_profile", {"city": "苏州"}),
    (("我的邮箱是a@b.com", "别记我的邮箱了"), "user_profile", {}),
    (("我的邮箱是a@b.com", "我忘了我的邮箱密码了"), "user_profile", {"email": "a@b.com"}),
    (("我的生日是1990年5月3日", "别再记我的生日了"), "user_profile", {}),
    (("公司：海蓝电子，预算50万", "预算别记了"), "lead_profile", {"company": "海蓝电子"}),
    (("Our company is Acme Ltd, budget 15,000 USD", "Forget the budget."), "lead_profile", {"company": "Acme Ltd"}),
]  # fmt: skip


def _told(memory: Memory, form_type: str) -> dict[str, str]:
    out = {}
    for form in memory.find(form_type):
        for name, slot in form.slots.items():
            if slot.value is not None or slot.avoided:
                value = slot.value if isinstance(slot.value, tuple) else (slot.value,)
                out[name] = ", ".join(map(str, value))
    return out


@pytest.mark.parametrize(("texts", "form_type", "known"), SAID)
def test_what_is_over_is_taken_back(texts: tuple[str, ...], form_type: str, known: dict[str, str]) -> None:
    with Memory.open(":memory:", settings={"timezone": "Asia/Shanghai"}) as memory:
        for text in texts:
            memory.observe(text, conversation="c")
        assert _told(memory, form_type) == known


@pytest.mark.parametrize(
    ("first", "last"),
    [
        ("I live in Leeds.", "I no longer live in Leeds."),
        ("我住在苏州", "别记我的居住城市了"),
        ("My email is a@b.com", "Please forget my email."),
    ],
)
def test_a_fact_of_another_conversation_is_taken_back(first: str, last: str) -> None:
    with Memory.open(":memory:") as memory:
        memory.observe(first, conversation="one")
        memory.observe(last, conversation="another")
        assert _told(memory, "user_profile") == {}


@pytest.mark.parametrize(
    "text", ["forget my email", "别再记我的生日了", "我辞职了", "I no longer live in Leeds."]
)
def test_where_nothing_is_known_nothing_is_made(text: str) -> None:
    with Memory.open(":memory:") as memory:
        memory.observe(text)
        assert not memory.find()
        assert not memory.pending()


def test_what_is_taken_back_of_another_value_confirms_nothing() -> None:
    with Memory.open(":memory:") as memory:
        memory.observe("I live in Leeds.", time="2026-03-01T09:00:00+08:00")
        memory.observe("I no longer live in York.", time="2026-03-05T09:00:00+08:00")
        slot = memory.find("user_profile")[0].slots["city"]
        assert slot.value == "Leeds"
        assert slot.confirmed_at is not None
        assert slot.confirmed_at.day == 1


UNTIL: list[tuple[str, str, str, str, str | None]] = [
    ("我住在宁波到月底", "user_profile", "city", "宁波", "2099-04-01"),
    ("我住在宁波一直到6月底", "user_profile", "city", "宁波", "2099-07-01"),
    ("我在海蓝电子上班到年底", "user_profile", "employer", "海蓝电子", "2100-01-01"),
    ("I live in Lyon until June 30", "user_profile", "city", "Lyon", "2099-07-01"),
    ("I love oat milk until June", "preference", "liked", "oat milk", "2099-07-01"),
    ("I live in Lyon until I find a flat.", "user_profile", "city", "Lyon", None),
    ("我住在宁波", "user_profile", "city", "宁波", None),
]  # fmt: skip


@pytest.mark.parametrize(("text", "form_type", "slot", "value", "until"), UNTIL)
def test_words_for_an_end_are_no_part_of_the_value(
    text: str, form_type: str, slot: str, value: str, until: str | None
) -> None:
    with Memory.open(":memory:", settings={"timezone": "Asia/Shanghai"}) as memory:
        memory.observe(text, time="2099-03-01T09:00:00+08:00")
        (form,) = memory.find(form_type)
        held = form.slots[slot]
        assert held.value in (value, (value,))
        end = held.valid_until.astimezone(ZoneInfo("Asia/Shanghai")) if held.valid_until else None
        assert (end.date().isoformat() if end else None) == until


OFFERS = [
    ("报价单Q-1，报价45万，本周五前有效", "valid_until", "2026-03-06"),
    ("报价单Q-1，报价45万，3月6日之前有效", "valid_until", "2026-03-06"),
    ("报价单Q-1，报价45万，到月底有效", "valid_until", "2026-03-31"),
    ("报价单Q-1，报价45万，14天内有效", "valid_until", "2026-03-16"),
    ("报价单Q-1，报价45万，有效期14天", "valid_until", "2026-03-16"),
    ("报价单Q-1，报价45万，3月6日起有效", "valid_from", "2026-03-06"),
    ("Quote Q-1: 45,000 USD, valid for 14 days", "valid_until", "2026-03-16"),
    ("Quote Q-1: 45,000 USD, good for two weeks", "valid_until", "2026-03-16"),
    ("Quote Q-1: 45,000 USD, valid till March 6", "valid_until", "2026-03-06"),
]


@pytest.mark.parametrize(("text", "slot", "day"), OFFERS)
def test_until_when_an_offer_holds(text: str, slot: str, day: str) -> None:
    with Memory.open(":memory:", settings={"timezone": "Asia/Shanghai"}) as memory:
        memory.observe(text, time="2026-03-02T09:00:00+08:00")
        (form,) = memory.find("quote_form")
        assert str(form.slots[slot].value) == day


@pytest.mark.parametrize(
    "text", ["我的会员卡3月6日前有效", "My passport is valid for 10 years", "身份证长期有效"]
)
def test_a_card_that_is_valid_is_no_offer(text: str) -> None:
    with Memory.open(":memory:") as memory:
        memory.observe(text, time="2026-03-02T09:00:00+08:00")
        assert not memory.find()
