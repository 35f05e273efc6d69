"""One sentence about several things is told of each: its own values, shared ones, those told one by one, ellipses."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

import pytest

from forms_dynamics import Memory

TYPES = {
    "trench": """
form_type: trench
aliases: [trench, 探方]
identity: [name]
slots:
  name: {type: text, aliases: [trench name, 探方名]}
  depth: {type: number, unit: cm, aliases: [depth, 深度]}
  supervisor: {type: text, aliases: [supervisor, 负责人]}
  start: {type: date, aliases: [start date, 开工日期]}
  status: {type: enum, aliases: [status, 状态], values: {open: [open, 开着], closed: [closed, 已回填], flooded: [flooded, 进水]}}
""",
    "worker": """
form_type: worker
aliases: [茶农, worker]
identity: [name]
slots:
  name: {type: text, aliases: [姓名, worker name]}
  pay: {type: money, aliases: [日薪, day rate]}
  skills: {type: enum, many: true, aliases: [技能, skills], values: {roasting: [炒茶, roasting], pruning: [修剪, pruning], picking: [采摘, picking]}}
  phone: {type: phone, aliases: [电话, phone]}
""",
    "batch": """
form_type: batch
aliases: [批次, batch]
identity: [code]
slots:
  code: {type: text, aliases: [批号, batch code]}
  weight: {type: number, unit: g, aliases: [重量, weight]}
  paid: {type: boolean, aliases: [已付款, 付清, paid]}
  state: {type: enum, aliases: [状态, status], values: {transit: [在途, in transit], signed: [已签收, delivered]}}
  price: {type: money, aliases: [单价, price]}
""",
}
PET = """
form_type: pet
aliases: [宠物, pet]
identity: [name]
slots:
  name: {type: text, aliases: [宠物名, pet name]}
  owner: {type: text, aliases: [主人, owner]}
  vet: {type: text, aliases: [主治医生, vet]}
  neutered: {type: boolean, aliases: [已绝育, neutered]}
  phone: {type: phone, aliases: [电话, phone]}
"""
KNOWN: list[tuple[str, dict[str, Any]]] = [
    *(("trench", {"name": name}) for name in ("North Ditch", "West Gully", "东坑", "西坑")),
    *(("worker", {"name": name}) for name in ("王桂香", "胡建明", "Oona Fell", "Piet Marsh")),
    *(("batch", {"code": code}) for code in ("AB77", "AB78", "T26-02")),
]


@pytest.fixture
def memory(tmp_path: Path) -> Iterator[Memory]:
    for name, text in TYPES.items():
        (tmp_path / f"{name}.yaml").write_text(text, encoding="utf-8")
    with Memory.open(":memory:", form_types=[tmp_path], relation_rules=[]) as memory:
        for form_type, slots in KNOWN:
            memory.record(form_type, slots)
        yield memory


def told(memory: Memory, *texts: str) -> dict[str, str]:
    """ "name slot" → value, of all that was told besides the names."""
    for minute, text in enumerate(texts):
        memory.observe(text, conversation="c", time=f"2026-03-01T09:{minute:02d}:00+08:00")
    return {
        f"{form[key]} {name}": ", ".join(slot.value) if isinstance(slot.value, tuple) else str(slot.value)
        for form in memory.find()
        for key in ("name", "code")
        if key in form.slots
        for name, slot in form.slots.items()
        if name != key and slot.value is not None
    }


@pytest.mark.parametrize(
    ("text", "want"),
    [
        # each its own
        ("North Ditch's depth is 90 cm, and West Gully's depth is 99 cm.", {"North Ditch depth": "90", "West Gully depth": "99"}),
        ("王桂香的日薪是190元，胡建明的日薪是240元。", {"王桂香 pay": "190 CNY", "胡建明 pay": "240 CNY"}),
        ("王桂香 day rate 200元, 胡建明 day rate 260元", {"王桂香 pay": "200 CNY", "胡建明 pay": "260 CNY"}),
        ("The supervisor of North Ditch is Sam Lee and the supervisor of West Gully is Kim Park.", {"North Ditch supervisor": "Sam Lee", "West Gully supervisor": "Kim Park"}),
        ("东坑的深度是90厘米，负责人是李雷；西坑的深度是60厘米，负责人是韩梅梅。", {"东坑 depth": "90", "东坑 supervisor": "李雷", "西坑 depth": "60", "西坑 supervisor": "韩梅梅"}),
        ("AB77 price 30 GBP, weight 500 g; AB78 price 40 GBP, weight 600 g.", {"AB77 price": "30 GBP", "AB77 weight": "500", "AB78 price": "40 GBP", "AB78 weight": "600"}),
        ("North Ditch is flooded and West Gully is closed.", {"North Ditch status": "flooded", "West Gully status": "closed"}),
        ("东坑进水，西坑已回填。", {"东坑 status": "flooded", "西坑 status": "closed"}),
        ("AB77在途，AB78已签收，T26-02已付款。", {"AB77 state": "transit", "AB78 state": "signed", "T26-02 paid": "True"}),
        ("Oona Fell's phone is 0171 555 0199 and Piet Marsh's phone is 0171 555 0142.", {"Oona Fell phone": "0171 555 0199", "Piet Marsh phone": "0171 555 0142"}),
        ("王桂香的技能是炒茶、修剪，胡建明的技能是采摘。", {"王桂香 skills": "roasting, pruning", "胡建明 skills": "picking"}),
        # a label said once
        ("North Ditch's depth is 90 cm and West Gully's is 99 cm.", {"North Ditch depth": "90", "West Gully depth": "99"}),
        ("The depth of North Ditch is 90 cm, and that of West Gully is 99 cm.", {"North Ditch depth": "90", "West Gully depth": "99"}),
        ("Oona Fell's day rate is £120, Piet Marsh's is £140.", {"Oona Fell pay": "120 GBP", "Piet Marsh pay": "140 GBP"}),
        ("王桂香的日薪是190元，胡建明的是240元。", {"王桂香 pay": "190 CNY", "胡建明 pay": "240 CNY"}),
        ("王桂香日薪200元，胡建明260元。", {"王桂香 pay": "200 CNY", "胡建明 pay": "260 CNY"}),
        ("The weights: AB77 500 g, AB78 600 g, T26-02 700 g.", {"AB77 weight": "500", "AB78 weight": "600", "T26-02 weight": "700"}),
        ("日薪：王桂香200元，胡建明260元。", {"王桂香 pay": "200 CNY", "胡建明 pay": "260 CNY"}),
        ("东坑的负责人是李雷，西坑的是韩梅梅。", {"东坑 supervisor": "李雷", "西坑 supervisor": "韩梅梅"}),
        ("王桂香的日薪是200元，胡建明的也是。", {"王桂香 pay": "200 CNY", "胡建明 pay": "200 CNY"}),
        ("Oona Fell's day rate is £120, and Piet Marsh's is too.", {"Oona Fell pay": "120 GBP", "Piet Marsh pay": "120 GBP"}),
        ("AB77 is paid but AB78 is not.", {"AB77 paid": "True", "AB78 paid": "False"}),
        ("AB77付清了，AB78还没有。", {"AB77 paid": "True", "AB78 paid": "False"}),
        # one by one
        ("The depths of North Ditch and West Gully are 90 cm and 99 cm respectively.", {"North Ditch depth": "90", "West Gully depth": "99"}),
        ("王桂香和胡建明的日薪分别是190元和240元。", {"王桂香 pay": "190 CNY", "胡建明 pay": "240 CNY"}),
        ("东坑、西坑、North Ditch的深度分别是50厘米、60厘米、70厘米。", {"东坑 depth": "50", "西坑 depth": "60", "North Ditch depth": "70"}),
        ("The supervisors of North Ditch and West Gully are Sam Lee and Kim Park, respectively.", {"North Ditch supervisor": "Sam Lee", "West Gully supervisor": "Kim Park"}),
        ("东坑和西坑的开工日期分别是3月3日和3月5日。", {"东坑 start": "2026-03-03", "西坑 start": "2026-03-05"}),
        ("东坑和西坑的状态分别是进水和已回填。", {"东坑 status": "flooded", "西坑 status": "closed"}),
        # shared
        ("AB77和T26-02都付清了。", {"AB77 paid": "True", "T26-02 paid": "True"}),
        ("Both AB77 and AB78 are paid.", {"AB77 paid": "True", "AB78 paid": "True"}),
        ("AB77 and AB78 are not paid.", {"AB77 paid": "False", "AB78 paid": "False"}),
        ("AB77和AB78都没付清。", {"AB77 paid": "False", "AB78 paid": "False"}),
        ("North Ditch, West Gully and 东坑 are closed.", {"North Ditch status": "closed", "West Gully status": "closed", "东坑 status": "closed"}),
        ("王桂香和胡建明的日薪都是210元。", {"王桂香 pay": "210 CNY", "胡建明 pay": "210 CNY"}),
        ("The supervisor of both North Ditch and West Gully is Sam Lee.", {"North Ditch supervisor": "Sam Lee", "West Gully supervisor": "Sam Lee"}),
        ("东坑和西坑的负责人都是李雷。", {"东坑 supervisor": "李雷", "西坑 supervisor": "李雷"}),
    ],
)  # fmt: skip
def test_each_is_told_its_own(memory: Memory, text: str, want: Mapping[str, str]) -> None:
    assert told(memory, text) == want


@pytest.mark.parametrize(
    "text",
    [
        "东坑和西坑的深度一共是150厘米。", "North Ditch and West Gully together have a depth of 200 cm.",
        "东坑或者西坑进水了。", "North Ditch or West Gully is flooded.",
        "东坑和西坑都进水了吗？", "Is North Ditch flooded and West Gully closed?",
        "如果东坑进水，西坑就已回填。", "If North Ditch is flooded, West Gully is closed.",
        "Neither North Ditch nor West Gully is flooded.",
        "The day rate of Oona Fell and Piet Marsh is £120.",
        "The depth of North Ditch is 10 cm more than West Gully's.", "东坑的深度比西坑深10厘米。",
        "All batches except AB77 are paid.", "除了AB77，其他批次都付清了。",
        "Oona Fell's brother has a day rate of £300.", "王桂香的弟弟日薪300元。",
    ],
)  # fmt: skip
def test_what_is_told_of_them_together_or_of_none_is_nobodys(memory: Memory, text: str) -> None:
    assert told(memory, text) == {}


def test_a_hedge_bears_on_its_own_thing_alone(memory: Memory) -> None:
    assert told(memory, "东坑的深度大概是90厘米，西坑的深度是60厘米。") == {"西坑 depth": "60"}
    assert [item.slot for item in memory.pending()] == ["depth"]


def test_questions_about_several_say_about_which(memory: Memory) -> None:
    asked = memory.observe("The day rate of Oona Fell and Piet Marsh is £120.", conversation="c").questions
    assert list(asked) == ["Oona Fell: is the day rate 120 GBP?", "Piet Marsh: is the day rate 120 GBP?"]
    asked = memory.observe("东坑的深度大概是90厘米，西坑的深度大概是60厘米。", conversation="d").questions
    assert [question.partition("：")[0] for question in asked] == ["东坑", "西坑"]


def test_each_rests_on_its_own_words(memory: Memory) -> None:
    text = "王桂香的日薪是190元，胡建明的是240元。"
    memory.observe(text, conversation="c")
    quotes = {
        str(form["name"]): evidence.text
        for form in memory.find("worker")
        if (evidence := memory.why(form.id, "pay").evidence) is not None
    }
    assert quotes == {"王桂香": "190元", "胡建明": "240元"}


@pytest.mark.parametrize(
    ("texts", "want"),
    [
        (["AB77的重量是1.2 kg"], {"AB77 weight": "1200"}),
        (["AB77's weight is 3斤"], {"AB77 weight": "1500"}),
        (["North Ditch's depth is 1.1 m."], {"North Ditch depth": "110"}),
        (["The weight of AB77 is 2 lb."], {}),
        (["AB77 weight is 1,5 g"], {}),
        (["North Ditch's depth is between 90 cm and 95 cm"], {"North Ditch depth": "90–95"}),
        (["东坑的深度在90厘米到95厘米之间"], {"东坑 depth": "90–95"}),
        (["North Ditch's depth went from 70 cm to 95 cm"], {"North Ditch depth": "95"}),
        (["东坑的深度从70厘米改成120厘米"], {"东坑 depth": "120"}),
        (["王桂香的日薪由180元上调为190元"], {"王桂香 pay": "190 CNY"}),
        (["Set North Ditch's supervisor to Sam Lee"], {"North Ditch supervisor": "Sam Lee"}),
        (["North Ditch's supervisor is no longer Sam Lee but Kim Park"], {"North Ditch supervisor": "Kim Park"}),
        (["东坑的负责人不再是李雷，换成韩梅梅了"], {"东坑 supervisor": "韩梅梅"}),
        (["东坑的负责人由李雷换成韩梅梅"], {"东坑 supervisor": "韩梅梅"}),
        (["North Ditch's supervisor is Sam Lee", "North Ditch has no supervisor any more"], {}),
        (["North Ditch's supervisor is Sam Lee", "North Ditch no longer has a supervisor."], {}),
        (["东坑的负责人是李雷", "东坑没有负责人了"], {}),
        (["王桂香的技能是炒茶", "王桂香的技能还有采摘"], {"王桂香 skills": "roasting, picking"}),
        (["Oona Fell's skills are roasting", "Oona Fell's skills also include pruning"], {"Oona Fell skills": "roasting, pruning"}),
        (["I'd like to set North Ditch's depth to 120 cm, what do you think?"], {}),
        (["I hope North Ditch's depth will be 120 cm"], {}),
        (["希望东坑的深度能到120厘米"], {}),
        (["The museum thinks North Ditch's depth is 200 cm"], {}),
        (["博物馆认为东坑的深度是200厘米"], {}),
    ],
)  # fmt: skip
def test_what_it_is_now(memory: Memory, texts: list[str], want: Mapping[str, str]) -> None:
    assert told(memory, *texts) == want


@pytest.mark.parametrize(
    ("text", "want"),
    [
        ("茶农李梅，日薪180元", {"李梅 pay": "180 CNY"}),
        ("茶农李梅日薪180元，电话13800138000", {"李梅 pay": "180 CNY", "李梅 phone": "13800138000"}),
        ("新来的茶农叫李梅，日薪180元", {"李梅 pay": "180 CNY"}),
        ("李梅的日薪是180元，张强的日薪是190元。", {"李梅 pay": "180 CNY", "张强 pay": "190 CNY"}),
        ("Jo Reed's day rate is £90 and Sam Hall's day rate is £95.", {"Jo Reed pay": "90 GBP", "Sam Hall pay": "95 GBP"}),
        ("Another worker, Jo Reed: day rate £90", {"Jo Reed pay": "90 GBP"}),
        ("Workers: Jo Reed day rate £90, Sam Hall day rate £95", {"Jo Reed pay": "90 GBP", "Sam Hall pay": "95 GBP"}),
        ("探方北沟，深度90厘米", {"北沟 depth": "90"}),
        ("探方：北沟，深度90厘米；探方：南坑，深度60厘米", {"北沟 depth": "90", "南坑 depth": "60"}),
        ("Trench: Long Pit, depth 90 cm. Trench: Short Pit, depth 60 cm.", {"Long Pit depth": "90", "Short Pit depth": "60"}),
        ("New trenches: A-7 depth 50 cm, A-8 depth 60 cm.", {"A-7 depth": "50", "A-8 depth": "60"}),
        ("探方A-7深度50厘米，探方A-8深度60厘米", {"A-7 depth": "50", "A-8 depth": "60"}),
    ],
)  # fmt: skip
def test_new_things_go_by_the_names_that_they_are_told_by(
    memory: Memory, text: str, want: Mapping[str, str]
) -> None:
    assert told(memory, text) == want


@pytest.mark.parametrize(
    "text", ["茶农同意，日薪180元", "茶农表示日薪180元", "探方回填了，深度90厘米", "茶农一共，日薪180元"]
)
def test_what_is_said_of_a_thing_is_no_name(memory: Memory, text: str) -> None:
    assert not any(
        name in str(form.slots) for form in memory.find() for name in ("同意", "表示", "回填", "一共")
    )
    told(memory, text)
    assert not any(
        name in str(form.slots) for form in memory.find() for name in ("同意", "表示", "回填", "一共")
    )


@pytest.mark.parametrize(
    ("text", "question"),
    [
        ("老板说东坑的深度是200厘米", "要把深度定为200 cm吗？"),
        ("The museum thinks North Ditch's depth is 200 cm", "Shall I take 200 cm as depth?"),
    ],
)
def test_what_others_tell_of_a_known_thing_is_asked_about_that_thing(
    memory: Memory, text: str, question: str
) -> None:
    assert list(memory.observe(text, conversation="c").questions) == [question]
    (item,) = memory.pending()
    assert item.form_id is not None
    memory.confirm(item.id)
    assert str(memory.get(item.form_id)["depth"]) == "200"


PADDOCK = """
form_type: paddock
aliases: [围场, paddock]
identity: [code]
slots:
  code: {type: text, aliases: [围场号, paddock number]}
  length: {type: number, unit: cm, aliases: [长度, length]}
  lights: {type: boolean, aliases: [灯光, lit]}
  fee: {type: money, aliases: [租金, fee]}
"""


@pytest.mark.parametrize(
    ("texts", "want"),
    [
        (["围场3号：长度60厘米", "围场5号长度40厘米"], {"3号 length": "60", "5号 length": "40"}),
        (["围场3号长度60厘米", "围场3号和5号的长度都是70厘米"], {"3号 length": "70", "5号 length": "70"}),
        (["Paddock N7: length 90 cm", "Paddock N7's length might be 100 cm next year."], {"N7 length": "90"}),
        (["围场3号长度一米六五"], {}),
        (["Paddock N7: length 90 cm", "All paddocks but N7 are lit."], {"N7 length": "90"}),
        (["围场3号：长度60厘米；围场5号：长度40厘米", "围场3号、5号、N7里只有3号有灯光"], {"3号 length": "60", "5号 length": "40"}),
        (["Paddock N7: length 90 cm", "I hope N7's length gets down to 80 cm."], {"N7 length": "90"}),
        # a question about one of several is answered by its name alone
        (["围场3号：长度60厘米", "除了围场3号，所有围场的租金都是320元", "围场3号的租金260元"], {"3号 length": "60", "3号 fee": "260 CNY"}),
        (["围场3号：长度60厘米", "除了围场3号，所有围场的租金都是320元", "围场3号的租金不是320元"], {"3号 length": "60"}),
    ],
)  # fmt: skip
def test_what_goes_by_a_number(tmp_path: Path, texts: list[str], want: Mapping[str, str]) -> None:
    (tmp_path / "paddock.yaml").write_text(PADDOCK, encoding="utf-8")
    with Memory.open(":memory:", form_types=[tmp_path], relation_rules=[]) as memory:
        assert told(memory, *texts) == want
