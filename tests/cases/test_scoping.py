"""Tenants, users, shared types, speakers and accounts: every way in, and what each of them shows."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import Any

import pytest

from forms_dynamics import Form, InvalidInput, Memory, NotFound

from .doubles import Words
from .world import Worlds, draft, dump, lead, money, on_both, quote

PRODUCT = (
    "form_type: product\nshared: true\nidentity: [sku]\nslots:\n  sku: {type: text}\n"
    "  price: {type: money, unit: EUR}\n---\n"
    "form_type: remark\nidentity: each\nslots:\n  sku: {type: text}\n  text: {type: text}\n"
)
ABOUT = 'relation: about\nfrom: remark\nto: product\nwhen: "remark.sku == product.sku"\n'


class Spy:
    """An extractor that keeps the words of every Form it was shown, and stores one customer a message."""

    def __init__(self) -> None:
        self.shown: list[str] = []

    def extract(self, message: Any, known: Sequence[Form]) -> Any:
        from forms_dynamics.testing import ScriptedExtractor

        self.shown.extend(str(slot.value) for form in known for slot in form.slots.values())
        firm = message.text.split("预算")[0]
        entry = [
            lead(company=firm, budget=("3万", "预算3万")),
            quote(
                quote_no="Q-1",
                company=firm,
                valid_until={"value": None, "op": "clear", "evidence": "不限期", "confidence": 0.4},
            ),
        ]
        return ScriptedExtractor([entry]).extract(message, known)


def _seen_by(memory: Memory, foreign: Sequence[str], spans: bool) -> Iterator[tuple[str, str]]:
    """Everything that a memory shows on its own, by surface, as text; ``foreign``: ids to ask for; ``spans``:
    export and health are of all users, whom the others never show."""
    question = "赤水酒业的预算和报价是多少？"
    for name, options in {
        "recall": {},
        "recall of the conversation": {"conversation": "c1", "recent_turns": 5},
        "recall with history": {"history": True, "max_hops": 2},
        "recall of cold and expired": {"include_cold": True, "include_expired": True},
    }.items():
        c = memory.recall(question, **options)
        steps = [f"{s.subject} {s.reason}" for s in c.trace.steps]
        yield name, " ".join([c.text, *c.questions, *c.messages, *steps, *(f.id for f in c.forms)])
    yield "focus", str(memory.recall("预算？", focus="赤水酒业").text)
    yield "full text", memory.recall("酒业 客户 3万").text
    yield "find", str([(f.id, dict(f.slots)) for f in memory.find(status="any")])
    yield "find by name", str(memory.find("lead_profile", company="赤水酒业"))
    yield "pending", str(memory.pending())
    yield "candidates", str(memory.candidates())
    yield "forget", str(memory.forget("赤水酒业"))
    if not spans:
        yield "export", dump(memory)
        yield "health", str(memory.health())
    yield "verify", str(memory.verify())
    for form in foreign:
        for read in (memory.get, memory.history, memory.edges):
            with pytest.raises(NotFound):
                read(form)
        with pytest.raises(NotFound):
            memory.why(form, "company")


@on_both
def test_no_read_shows_another_users_or_tenants_rows(worlds: Worlds) -> None:
    spy = Spy()
    w = worlds(types=["lead_profile", "quote_form"], messages=[], script=[], extractor=spy, embedder=Words())
    mine = w.memory.scoped(tenant="t1", user="anna")
    houses = [w.memory.scoped(tenant="t1"), w.memory.scoped(tenant="t2")]
    others = [
        w.memory.scoped(tenant="t1", user="bert"),
        houses[0],
        w.memory.scoped(tenant="t2", user="anna"),
        houses[1],
    ]
    # the same conversation and the same message id, everywhere
    receipts = [mine.observe("赤水酒业预算3万，不限期", id="m1", conversation="c1")]
    receipts.append(mine.observe("赤水酒业集团预算3万，不限期", id="m2", conversation="c1"))
    mine.record("lead_profile", {"company": "赤水"}, external_id="crm-1")
    mine.upkeep()
    ids = [form.id for form in mine.find(status="any")]
    assert len(ids) == 5
    assert any("赤水酒业" in words for words in spy.shown)  # its own user's are shown
    spy.shown.clear()
    for other in others:
        for surface, seen in _seen_by(other, ids, spans=other in houses):
            assert "赤水" not in seen.replace("赤水酒业的预算", ""), surface
            assert not any(form in seen for form in ids), surface
            assert "m1" not in seen, surface
        assert other.verify().forms == 0
        if other not in houses:
            assert other.health().forms == other.health().queued == 0
        again = other.observe("临江重工预算3万，不限期", id="m1", conversation="c1")
        assert not again.duplicate
        assert again.state == "stored"
        assert spy.shown == []  # nor is an extractor shown a foreign Form
        other.record("lead_profile", {"company": "临江"}, external_id="crm-1")
        assert [f["company"] for f in other.find("lead_profile", company="临江")] == ["临江"]
        other.rebuild()
        other.upkeep()
    # and all that was done elsewhere changed nothing here
    assert [f.id for f in mine.find(status="any")] == ids
    assert "临江" not in dump(mine)
    assert mine.verify().ok
    [crm] = [f for f in mine.find("lead_profile") if "crm-1" in f.external_ids]
    assert crm["company"] == "赤水"


@on_both
def test_work_takes_the_own_queue_and_erase_the_own_rows(worlds: Worlds) -> None:
    w = worlds(types=["lead_profile"], messages=[], script={
        "赤水酒业预算3万": [lead(company="赤水酒业", budget=("3万", "预算3万"))],
    })  # fmt: skip
    anna, bert, house = w.memory.scoped(user="anna"), w.memory.scoped(user="bert"), w.memory
    for memory in (anna, bert, house):
        assert memory.observe("赤水酒业预算3万", id="m1", wait=False).state == "queued"
    assert bert.work() == 1
    assert [m.health().queued for m in (anna, bert, house)] == [1, 0, 2]  # the house's is of all users
    assert [len(m.find("lead_profile")) for m in (anna, bert, house)] == [0, 1, 0]
    assert (house.work(), anna.work(), anna.work()) == (1, 1, 0)
    [kept] = bert.find("lead_profile")
    # erase spans users: whoever holds the tenant's memory may erase one user whole, and no more than that user
    house.erase(user="anna")
    assert (anna.health().forms, bert.health().forms, house.health().forms) == (0, 1, 2)
    assert anna.recall("赤水酒业的预算？").text == ""
    assert bert.get(kept.id)["budget"] == money(30000, "CNY")
    bert.erase(message="m1")
    assert (bert.health().forms, house.health().forms) == (0, 1)
    exported = dump(house, user="anna")
    assert "赤水" not in exported


# -- shared types ----------------------------------------------------------------------------------------


@on_both
def test_a_shared_type_is_read_by_all_users_and_written_by_the_house(worlds: Worlds) -> None:
    w = worlds(yaml=PRODUCT, rules=ABOUT, messages=[], script=[], embedder=Words())
    house, anna, bert = w.memory, w.memory.scoped(user="anna"), w.memory.scoped(user="bert")
    product = house.record("product", {"sku": "KX-20", "price": "12 EUR"}).forms[0]
    stranger = w.memory.scoped(tenant="elsewhere", user="anna")
    for memory in (anna, bert):
        assert memory.get(product)["price"] == money(12, "EUR")
        assert memory.get(product).user is None
        assert [f.id for f in memory.find("product", sku="KX-20")] == [product]
        assert "12 EUR" in memory.recall("What is the price of KX-20?").text
        assert [v.number for v in memory.history(product)] == [1]
        assert memory.why(product, "price").value == money(12, "EUR")
    assert "12 EUR" not in stranger.recall("What is the price of KX-20?").text
    # what a user says is the user's, also of a shared type: a row of its own, which nobody else reads
    own = bert.record("product", {"sku": "KX-20", "price": "11 EUR"}).forms[0]
    assert own != product
    assert bert.get(own).user == "bert"
    assert {f.id for f in bert.find("product")} == {own, product}
    assert [f.id for f in anna.find("product")] == [f.id for f in house.find("product")] == [product]
    assert "11 EUR" not in anna.recall("What is the price of KX-20?").text
    assert house.get(product)["price"] == money(12, "EUR")
    # an own Form may be tied to a shared one; the tie is the user's
    remark = anna.record("remark", {"sku": "KX-20", "text": "too loud"}).forms[0]
    assert [e.target for e in anna.edges(remark) if e.relation == "about"] == [product]
    assert [e for m in (bert, house) for e in m.edges(product) if e.relation == "about"] == []
    # a later change of the house reaches everybody
    house.correct(product, "price", "14 EUR")
    assert {m.get(product)["price"] for m in (anna, bert)} == {money(14, "EUR")}
    # a user's export and erasure hold the user's rows alone
    assert product not in [row.get("id") for row in bert.export()]
    house.erase(user="bert")
    assert [f.id for f in bert.find("product")] == [product]


@on_both
def test_a_user_who_would_write_a_shared_form_is_told_who_may(worlds: Worlds) -> None:
    w = worlds(yaml=PRODUCT, rules=ABOUT, messages=[], script=[])
    product = w.memory.record("product", {"sku": "KX-20", "price": "12 EUR"}).forms[0]
    twin = w.memory.record("product", {"sku": "KX-21"}).forms[0]
    anna = w.memory.scoped(user="anna")
    acts: list[Callable[[], Any]] = [
        lambda: anna.correct(product, "price", "1 EUR"),
        lambda: anna.retract(product, "price"),
        lambda: anna.rollback(product, 1),
        lambda: anna.invalidate(product),
        lambda: anna.merge(product, twin),
        lambda: anna.erase(form_id=product),
    ]
    for act in acts:
        with pytest.raises(InvalidInput, match=r"shared space.*without a user"):
            act()
    assert w.memory.get(product)["price"] == money(12, "EUR")
    assert w.memory.get(product).version == 1


# -- speakers --------------------------------------------------------------------------------------------

MEETING = [
    ("王总", "user", "我叫王建国，邮箱是 wang@hailan.cn。"),
    ("Dana", "user", "My name is Dana Reyes. My email is dana@northlake.com."),
    ("assistant", "assistant", "My name is Robo and my email is robo@example.com."),
    ("王总", "user", "我住在苏州。"),
    ("Dana", "user", "I live in Leeds."),
]


@on_both
def test_two_speakers_and_the_assistant_in_one_meeting(worlds: Worlds) -> None:
    w = worlds(types=["user_profile", "preference"], messages=[], script=[], extractor=None)
    for speaker, role, text in MEETING:
        w.memory.observe(text, speaker=speaker, role=role, conversation="weekly")
    profiles = {f["name"]: f for f in w.memory.find("user_profile")}
    assert set(profiles) == {"王建国", "Dana Reyes"}
    assert (profiles["王建国"]["city"], profiles["王建国"]["email"]) == ("苏州", "wang@hailan.cn")
    assert (profiles["Dana Reyes"]["city"], profiles["Dana Reyes"]["email"]) == (
        "Leeds",
        "dana@northlake.com",
    )
    assert "robo" not in str([dict(f.slots) for f in w.memory.find()])
    # a question names whom it is about by speaker or by name
    assert "苏州" in w.memory.recall("王总住在哪里？").text
    assert "Leeds" not in w.memory.recall("王总住在哪里？").text
    assert "Leeds" in w.memory.recall("Where does Dana live?").text
    assert "苏州" not in w.memory.recall("Where does Dana live?").text


@on_both
def test_one_speaker_in_two_conversations_is_one_person(worlds: Worlds) -> None:
    w = worlds(types=["user_profile"], messages=[], script=[], extractor=None)
    w.memory.observe("我叫李娜。", speaker="lina", conversation="monday")
    w.memory.observe("我住在苏州。", speaker="LINA", conversation="friday")  # case does not matter
    w.memory.observe("叫我小李就行。", speaker="lina", conversation="friday")
    f = w.only("user_profile")
    assert (f["name"], f["city"], f["preferred_name"]) == ("李娜", "苏州", "小李")
    w.memory.observe("我住在无锡。", speaker="petra", conversation="friday")
    assert len(w.memory.find("user_profile")) == 2


# -- one person, several accounts ------------------------------------------------------------------------

CONTACT = """\
form_type: contact
identity: {any: [[phone], [email], [name]]}
slots:
  name:  {type: text, aliases: [姓名, name]}
  nickname: {type: text, aliases: [昵称, nickname]}
  phone: {type: phone, aliases: [电话, phone]}
  email: {type: email, aliases: [邮箱, email]}
  budget: {type: money, unit: CNY, aliases: [预算, budget]}
template: {zh: "{{name}}：预算{{budget}}，电话{{phone}}", en: "{{name}}: budget {{budget}}, phone {{phone}}"}
"""


@on_both
def test_three_channels_of_one_person_are_one_form(worlds: Worlds) -> None:
    w = worlds(yaml=CONTACT, messages=[], script=[])
    wechat = w.memory.record("contact", {"name": "李海涛"}, external_id="wechat:hai")
    mail = w.memory.record(
        "contact", {"name": "李海涛", "email": "li@hailan.cn"}, external_id="mail:li@hailan.cn"
    )
    # two ids of their own are two people until somebody says otherwise, however alike the names
    assert wechat.forms != mail.forms
    joined = w.memory.merge(wechat.forms[0], mail.forms[0])
    f = w.only("contact")
    assert f.external_ids == {"wechat:hai", "mail:li@hailan.cn"}
    # from now on each account leads to the one Form
    for account, slots in {
        "wechat:hai": {"budget": "50万"},
        "mail:li@hailan.cn": {"phone": "13800138000"},
    }.items():
        assert w.memory.record("contact", slots, external_id=account).forms == (f.id,)
    f = w.only("contact")
    assert (f["budget"], f["phone"], f["email"]) == (money(500000, "CNY"), "13800138000", "li@hailan.cn")
    for question in ("李海涛的预算？", "li@hailan.cn 的预算？", "What is the budget of 13800138000?"):
        assert "500,000" in w.memory.recall(question).text, question
    # the histories of both stay readable
    assert len(w.memory.history(f.id)) >= 3
    assert w.memory.history(mail.forms[0])[0].number == 1
    assert joined.act is not None


@on_both
def test_a_merge_of_accounts_is_taken_back(worlds: Worlds) -> None:
    w = worlds(yaml=CONTACT, messages=[], script=[])
    one = w.memory.record("contact", {"name": "李海涛", "budget": "50万"}, external_id="wechat:hai").forms[0]
    other = w.memory.record(
        "contact", {"name": "Harry Li", "phone": "13800138000"}, external_id="tel:1"
    ).forms[0]
    act = w.memory.merge(one, other).act
    assert act is not None
    assert w.only("contact").id == one
    assert "500,000" in w.memory.recall("What is the budget of Harry Li?").text
    w.memory.undo(act)
    forms = {f.id: f for f in w.memory.find("contact")}
    assert set(forms) == {one, other}
    assert (forms[one].external_ids, forms[other].external_ids) == ({"wechat:hai"}, {"tel:1"})
    assert forms[one]["phone"] is None
    assert "500,000" not in w.memory.recall("What is the budget of Harry Li?").text
    assert w.memory.record("contact", {"budget": "9万"}, external_id="tel:1").forms == (other,)


@on_both
def test_an_external_id_is_one_thing_for_each_user(worlds: Worlds) -> None:
    w = worlds(yaml=CONTACT, messages=[], script=[])
    made = [
        m.record("contact", {"name": name}, external_id="crm-7").forms[0]
        for m, name in (
            (w.memory.scoped(user="anna"), "李海涛"),
            (w.memory.scoped(user="bert"), "Dana"),
            (w.memory.scoped(tenant="t2", user="anna"), "王芳"),
        )
    ]
    assert len(set(made)) == 3


# -- removal is a change ---------------------------------------------------------------------------------

MEET = """\
form_type: meeting
identity: [title]
slots:
  title: {type: text, aliases: [会议, meeting]}
  guests: {type: text, many: true, aliases: [参会人, guests]}
---
form_type: person
identity: [name]
slots:
  name: {type: text, aliases: [姓名, name]}
  group: {type: text, aliases: [组, group]}
---
relation: invites
from: meeting
to: person
cardinality: many_to_many
strength: {weight: 0.9, floor: 0.7}
"""


@on_both
def test_one_guest_in_place_of_another(worlds: Worlds) -> None:
    first, second = "评审会请李四，他是后端组的。", "李四来不了，换成他们组的赵六。"
    to = {"form_type": "person"}
    w = worlds(
        yaml=MEET,
        messages=[
            {"time": "2026-06-01T10:00:00+08:00", "text": first, "conversation": "c1"},
            {"time": "2026-06-02T10:00:00+08:00", "text": second, "conversation": "c1"},
        ],
        script=[
            [
                draft("person", name="李四", group="后端组"),
                draft(
                    "meeting",
                    [{"relation": "invites", "to": {**to, "name": "李四"}}],
                    title="评审会",
                    guests={"value": ["李四"], "evidence": "李四", "op": "add"},
                ),
            ],
            [
                draft("person", name="赵六"),
                draft(
                    "meeting",
                    [
                        {"relation": "invites", "to": {**to, "name": "李四"}, "op": "remove"},
                        {"relation": "invites", "to": {**to, "name": "赵六"}},
                    ],
                    guests={"value": ["李四"], "evidence": "李四来不了", "op": "remove"},
                ),
                draft("meeting", guests={"value": ["赵六"], "evidence": "赵六", "op": "add"}),
            ],
        ],
    )
    w.play()
    meeting = w.only("meeting")
    people = {f["name"]: f for f in w.memory.find("person")}
    assert meeting["guests"] == ("赵六",)
    invited = [e.target for e in w.memory.edges(meeting.id) if e.relation == "invites"]
    assert invited == [people["赵六"].id]
    # nothing is lost: who was invited, and until when
    gone = [
        e
        for e in w.memory.edges(meeting.id, include_inactive=True)
        if e.relation == "invites" and e.target == people["李四"].id
    ]
    assert [e.status for e in gone] == ["invalid"]
    before = w.memory.get(meeting.id, as_of=w.messages[0]["time"])
    assert before["guests"] == ("李四",)
    assert meeting.version == 2
    assert people["李四"]["group"] == "后端组"


def test_upkeep_without_a_user_is_of_the_whole_tenant(worlds: Worlds) -> None:
    w = worlds(types=["lead_profile"], messages=[], script=[], embedder=Words())
    w.memory.scoped(user="anna").observe("赤水酒业预算3万，不限期", id="m1")
    w.memory.scoped(user="bert").observe("临江重工预算3万，不限期", id="m1")
    w.memory.scoped(tenant="other").observe("别处的话", id="m1")
    assert w.memory.scoped(user="anna").upkeep(dry_run=True).vectors == 1
    assert w.memory.upkeep(dry_run=True).vectors == 2
    assert w.memory.upkeep().vectors == 2
    assert w.memory.upkeep().vectors == 0
    assert w.memory.scoped(tenant="other").upkeep().vectors == 1
