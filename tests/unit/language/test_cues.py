"""Negation, supposition, question, jest, attribution, correction, withdrawal and proposal, with their look-alikes."""

from __future__ import annotations

import pytest

from forms_dynamics.language import cues


def span(text: str, words: str) -> tuple[int, int]:
    start = text.rindex(words) if words.startswith("@") else text.index(words)
    return start, start + len(words)


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("我们康禾食品不接受承兑汇票，只走电汇。", "承兑汇票"),
        ("我们康禾食品不接受承兑汇票，只走电汇。", "接受承兑汇票"),
        ("我们不是不接受账期，只是不接受超过45天的账期。", "不接受账期"),
        ("不吃辣，也不喝咖啡", "辣"),
        ("不吃辣，也不喝咖啡", "咖啡"),
        ("不吃辣、香菜和蒜", "香菜"),
        ("預算不是50萬", "50萬"),
        ("别安排周三", "周三"),
        ("我们没有海蓝电子的账户", "海蓝电子"),
        ("不是50万是60万", "50万"),
        ("预算是60万而不是50万", "50万"),
        ("拒绝分期付款", "分期付款"),
        ("Weekend deliveries to Dock 4 are not allowed.", "allowed"),
        ("We don't accept net 45", "net 45"),
        ("I never eat meat", "meat"),
        ("It's not 50k", "50k"),
        ("use Acme instead of Northlake", "Northlake"),
        ("no sugar or milk please", "milk"),
        ("We won’t pay in instalments", "in instalments"),
        ("the budget isn't 50k", "50k"),
        ("50k is not our budget", "50k"),
        ("any restaurant without pork", "pork"),
    ],
)
def test_negated(text: str, words: str) -> None:
    assert cues.negated(text, *span(text, words))


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("我们康禾食品不接受承兑汇票，只走电汇。", "电汇"),
        ("我们康禾食品不接受承兑汇票，只走电汇。", "康禾食品"),
        ("我们不是不接受账期，只是不接受超过45天的账期。", "不接受超过45天的账期"),
        ("我们不是不接受账期", "账期"),
        ("不得不选海蓝电子", "海蓝电子"),
        ("预算不超过50万", "50万"),
        ("预算不低于50万", "50万"),
        ("不仅要电汇", "电汇"),
        ("不光要电汇还要发票", "电汇"),
        ("不是50万是60万", "60万"),
        ("预算是60万而不是50万", "60万"),
        ("没问题，预算50万", "50万"),
        ("不含税50万", "50万"),
        ("我不太确定是不是50万", "50万"),
        ("是不是50万", "50万"),
        ("差不多50万", "50万"),
        ("特别喜欢川菜", "川菜"),
        ("无锡海蓝电子预算50万", "海蓝电子"),
        ("非常喜欢川菜", "川菜"),
        ("Weekend deliveries to Dock 4 are not allowed.", "Weekend deliveries to Dock 4"),
        ("no more than 50k", "50k"),
        ("Not only Acme but Northlake too", "Acme"),
        ("not 50k but 60k", "60k"),
        ("No, the budget is 50k", "50k"),
        ("no it's 50k", "50k"),
        ("no problem, 50k works", "50k"),
        ("not until June 30", "June 30"),
        ("Why not Acme", "Acme"),
        ("don't forget the budget is 50k", "50k"),
        ("I can't wait to see Acme", "Acme"),
        ("We don't use Northlake but we do use Acme", "Acme"),
        ("Order no. 5512 please", "5512"),
        ("No, no, no. I need flight 731", "731"),
    ],
)
def test_not_negated(text: str, words: str) -> None:
    assert not cues.negated(text, *span(text, words))


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("要是预算有100万就好了", "100万"),
        ("如果今年预算有100万，我们就买高配", "100万"),
        ("如果今年预算有100万，我们就买高配", "高配"),
        ("假如选海蓝电子呢", "海蓝电子"),
        ("万一只有50万", "50万"),
        ("Hypothetically, would a wiki like Quillnest be any use for project Finch?", "Quillnest"),
        ("If we had 100k we would buy it", "100k"),
        ("I wish we had 100k", "100k"),
        ("What if the budget were 80k?", "80k"),
        ("Suppose the deadline is June 30", "June 30"),
        ("50k if the board approves", "50k"),
    ],
)
def test_hypothetical(text: str, words: str) -> None:
    assert cues.hypothetical(text, *span(text, words))


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("我们预算50万，如果需要发票请联系财务", "50万"),
        ("如果方便的话请把预算记成50万", "50万"),
        ("If you need anything, my number is 13812345678", "13812345678"),
        ("We're supposed to deliver by June 30", "June 30"),
        ("I'd like to pay 50k", "50k"),
        ("We would like net 45", "net 45"),
        ("合同若干条款，预算50万", "50万"),
        ("希望6月30日前交付", "6月30日"),
        ("I wish to check out on June 11", "June 11"),
        ("have you noticed if Bit is happy", "Bit"),
        ("Let me know if it works. Budget is 50k.", "50k"),
    ],
)
def test_not_hypothetical(text: str, words: str) -> None:
    assert not cues.hypothetical(text, *span(text, words))


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("你觉得我们预算定80万合适吗？", "80万"),
        ("预算50万够吗", "50万"),
        ("海蓝电子的报价是多少", "海蓝电子"),
        ("Is the budget 50k?", "50k"),
        ("Would a wiki like Quillnest be any use?", "Quillnest"),
        ("do you take net 45?", "net 45"),
        ("the budget is 50k, right?", "50k"),
        ("预算是50万，对吧？", "50万"),
        ("I wonder if Acme is any good", "Acme"),
    ],
)
def test_questioned(text: str, words: str) -> None:
    assert cues.questioned(text, *span(text, words))


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("我们预算50万，能做吗？", "50万"),
        ("预算50万。你们做得了吗？", "50万"),
        ("The budget is 50k. Does that work?", "50k"),
        ("Our budget is 50k, can you do it?", "50k"),
        ("Can you book a table for Friday?", "Friday"),
        ("能帮我改成周五吗？", "周五"),
        ("无论怎么算都是50万", "50万"),
    ],
)
def test_not_questioned(text: str, words: str) -> None:
    assert not cues.questioned(text, *span(text, words))


@pytest.mark.parametrize(
    "text",
    [
        "又加班到十一点，我明天就辞职，哈哈哈开玩笑的。",
        "预算一个亿，逗你玩呢",
        "Budget is a billion, just kidding",
        "I quit tomorrow lol jk",
        "说着玩的，别当真",
    ],
)
def test_joking(text: str) -> None:
    assert cues.joking(text)


@pytest.mark.parametrize(
    "text",
    [
        "预算50万，不开玩笑",
        "我没开玩笑",
        "No kidding, it's 50k",
        "I'm not joking",
        "这可不是开玩笑",
        "哈哈哈好的",
    ],
)
def test_not_joking(text: str) -> None:
    assert not cues.joking(text)


@pytest.mark.parametrize(
    ("text", "words", "who"),
    [
        (
            "My neighbour Jakub hates running, but his dad signed him up for a marathon club anyway.",
            "running",
            "My neighbour Jakub",
        ),
        (
            "My neighbour Jakub hates running, but his dad signed him up for a marathon club anyway.",
            "marathon club",
            "his dad",
        ),
        ("我爸的生日是5月3日", "5月3日", "我爸"),
        ("我朋友在海蓝电子上班", "海蓝电子", "我朋友"),
        ("我朋友在海蓝电子上班，月薪3万", "3万", "我朋友"),
        ("我同事小周最近迷上了攀岩", "攀岩", "我同事小周"),
        ("隔壁公司预算80万", "80万", "隔壁公司"),
        ("他说预算50万", "50万", "他"),
        ("我老板说预算50万", "50万", "我老板"),
        ("竞争对手报了60万", "60万", "竞争对手"),
        ("she said the budget is 50k", "50k", "she"),
        ("A friend of mine works at Acme", "Acme", "A friend of mine"),
        ("我婶婶的生日是5月8日", "5月8日", "我婶婶"),
        ("我姐夫住在苏州", "苏州", "我姐夫"),
        ("我舅妈住在苏州", "苏州", "我舅妈"),
        ("我下属的邮箱是a@b.cn", "a@b.cn", "我下属"),
        ("舅妈的电话是13900001111", "13900001111", "舅妈"),
        ("My boss thinks the budget is 50k", "50k", "My boss"),
        ("他跟我说，我们预算有80万", "80万", None),
    ],
)
def test_third_party(text: str, words: str, who: str | None) -> None:
    found = cues.third_party(text, *span(text, words))
    assert found == who if who else found is None or found.startswith("他")


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("我们公司预算50万", "50万"),
        ("our company has 50k", "50k"),
        ("我和我朋友去海底捞，预算500", "500"),
        ("我老板批了50万", "50万"),
        ("My boss approved 50k", "50k"),
        ("帮我妈订一个蛋糕，预算500", "500"),
        ("my wife and I live in Osaka", "Osaka"),
        ("dinner with my friend at Acme", "Acme"),
        ("我朋友很多，我在海蓝电子上班", "海蓝电子"),
        ("我们康禾食品不接受承兑汇票", "承兑汇票"),
        ("其他方案预算50万", "50万"),
        ("方便同事的话，预算50万", "50万"),
        ("Please quote Line3 20k EUR and Cell7 8k EUR.", "20k EUR"),
    ],
)
def test_speakers_own(text: str, words: str) -> None:
    assert cues.third_party(text, *span(text, words)) is None


@pytest.mark.parametrize(
    "text",
    [
        "说错了，是60万", "更正一下，预算60万", "预算改成60万", "60万才对", "不是50万，是60万", "应该是60万，不是50万", "以这个为准", "Sorry, I meant 60k",
        "Actually it's 60k", "make that 60k", "not 50k but 60k", "60k is final", "scratch that, 60k", "the budget changed to 60k",
    ],
)  # fmt: skip
def test_correcting(text: str) -> None:
    assert cues.correcting(text)


@pytest.mark.parametrize(
    "text",
    [
        "我们预算50万，分三期付款",
        "Our budget is 50k",
        "是不是50万",
        "we do not eat meat",
        "I actually like it",
    ],
)
def test_not_correcting(text: str) -> None:
    assert not cues.correcting(text)


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("之前的方案作废", "之前的方案"),
        ("之前的方案作废吧，我们重新来", "之前的方案"),
        ("上次那份报价不要了", "上次那份报价"),
        ("取消之前的订单", "之前的订单"),
        ("把周三的会议取消了", "周三的会议"),
        ("海蓝电子的报价单全部作废", "海蓝电子的报价单"),
        ("forget the old plan", "the old plan"),
        ("Please scrap the previous quote for Acme.", "the previous quote"),
        ("Cancel our order", "our order"),
        ("the second quote is cancelled", "the second quote"),
        ("let's drop that proposal", "that proposal"),
    ],
)
def test_invalidating(text: str, words: str) -> None:
    found = cues.invalidating(text)
    assert found is not None
    assert text[found[0] : found[1]] == words


@pytest.mark.parametrize(
    "text",
    [
        "可以取消之前的订单吗？", "不要取消之前的订单", "如果取消之前的订单要多少钱", "取消政策是什么", "Don't cancel the order", "Can I cancel the old plan?",
        "If we cancel the order, what happens?", "What is your cancellation policy", "之前的方案很好", "I forgot my umbrella", "I always forget the numbers",
    ],
)  # fmt: skip
def test_not_invalidating(text: str) -> None:
    assert cues.invalidating(text) is None


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("周四也看看有没有空", "周四"),
        ("建议衡山纺织预算按80万准备", "80万"),
        ("要不定在周五", "周五"),
        ("周三或者周四都行", "周四"),
        ("How about Friday?", "Friday"),
        ("maybe also try Thursday", "Thursday"),
        ("we could do 60k", "60k"),
        ("Tuesday or Wednesday", "Tuesday"),
        ("预算50万还是60万", "60万"),
        ("周四还是周五", "周五"),
    ],
)
def test_proposing(text: str, words: str) -> None:
    assert cues.proposing(text, *span(text, words))


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("就定在周五", "周五"),
        ("预算改成60万", "60万"),
        ("Let's go with Friday", "Friday"),
        ("Our budget is 50k or less", "50k"),
        ("请给我推荐一家评分5分的餐馆", "5分"),
        ("能否帮我订周五的", "周五"),
        ("Can you recommend a hotel in Osaka", "Osaka"),
        ("我们预算50万", "50万"),
        ("预算还是50万不变", "50万"),
        ("预算还是50万", "50万"),
        ("I don't eat meat or fish", "meat"),
    ],
)
def test_not_proposing(text: str, words: str) -> None:
    assert not cues.proposing(text, *span(text, words))
