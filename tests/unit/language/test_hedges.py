"""Doubt and approximation: what counts, for which value, and what only looks like it."""

from __future__ import annotations

import pytest

from forms_dynamics.language.hedges import hedged, unhedged


def span(text: str, words: str) -> tuple[int, int]:
    start = text.index(words)
    return start, start + len(words)


HEDGED = [
    ("我们预算大概50万", "50万"),
    ("我们预算大概50万", "预算大概50万"),
    ("我们预算40万左右", "40万"),
    ("预算四五十万吧", "四五十万"),
    ("可能下个月签合同", "下个月"),
    ("预算约50万元", "50万元"),
    ("预算約50萬元", "50萬元"),
    ("预算50万上下", "50万"),
    ("差不多要50万", "50万"),
    ("应该是月结30天", "月结30天"),
    ("好像是海蓝电子", "海蓝电子"),
    ("预算估计80万", "80万"),
    ("预算50万，大概吧", "50万"),
    ("预算50万，还没定", "50万"),
    ("暂定6月30日", "6月30日"),
    ("近50万的预算", "50万"),
    ("没准能到60万", "60万"),
    ("说不定是60万", "60万"),
    ("一周左右交付", "一周"),
    ("我们初步考虑50万", "50万"),
    ("50万的样子", "50万"),
    ("预算就五十万左右了", "五十万"),
    ("地点是三里屯酒吧吧", "三里屯酒吧"),
    ("人均消费大概150-500元的", "150-500元"),
    ("大概下个月中旬", "下个月中旬"),
    ("At Tarrant Mills we have about 650k dollars for this.", "650k dollars"),
    ("At Tarrant Mills we have about 650k dollars for this.", "about 650k dollars"),
    ("the deadline is May 29, 2026, payment terms probably net 45.", "net 45"),
    ("the deadline is May 29, 2026, payment terms probably net 45.", "probably net 45"),
    ("budget is around $5,000", "$5,000"),
    ("maybe 50k", "50k"),
    ("We might go with Acme", "Acme"),
    ("I think it's 50k", "50k"),
    ("It's 50k, I think.", "50k"),
    ("50k or so", "50k"),
    ("roughly 20 people", "20 people"),
    ("deadline could be June 30", "June 30"),
    ("Not sure, but 50k", "50k"),
    ("the budget is 50k-ish", "50k"),
    ("let's meet at sevenish", "sevenish"),
    ("the budget is 50kish", "50kish"),
    ("we may sign with Northlake", "Northlake"),
    ("the budget is ~50k", "50k"),
    ("I'd say 50k", "50k"),
    ("In the ballpark of 50k", "50k"),
    ("Say around two in the afternoon?", "two in the afternoon"),
    ("A museum perhaps", "museum"),
    ("It was around 2:30pm.", "2:30pm"),
    ("I'm looking for tickets around half past 1", "half past 1"),
]

FIRM = [
    ("I hate fish", "I hate fish"),
    ("I speak English", "speak English"),
    ("we need it to finish", "to finish"),
    ("Rhea here; the deadline is May 29, 2026, payment terms probably net 45.", "May 29, 2026"),
    ("Rhea here; the deadline is May 29, 2026, payment terms probably net 45.", "deadline is May 29, 2026"),
    ("let's talk about the 50k budget", "50k"),
    ("I asked about 50k licences", "50k"),
    ("Tell me about Acme", "Acme"),
    ("The shop around the corner costs 50k", "50k"),
    ("The deadline is in May 2026", "May 2026"),
    ("what about the 13th?", "the 13th"),
    ("How about 6 pm.", "6 pm"),
    ("budget is 50k, delivery maybe in June", "50k"),
    ("We have about 30 people and the budget is 50k", "50k"),
    ("I think that's all, the budget is 50k", "50k"),
    ("May I pay 50k?", "50k"),
    ("客户可能性很大，预算50万", "50万"),
    ("一周左右交付，预算50万", "50万"),
    ("交期一周左右预算50万", "50万"),
    ("那帮我预约一个出租车", "一个"),
    ("合约50万", "50万"),
    ("尽可能在50万", "50万"),
    ("就定50万吧", "50万"),
    ("那就周三吧", "周三"),
    ("改成60万吧", "60万"),
    ("帮我订周五的吧", "周五"),
    ("应该是60万，不是50万", "60万"),
    ("付款一般是月结30天", "月结30天"),
    ("大概30个人，预算50万", "50万"),
    ("我们大概30个人预算50万", "50万"),
    ("预算50万，可能下月签", "50万"),
    ("接近50个人，预算就是50万", "50万"),
    ("最近50万的单子", "50万"),
    ("约翰预算50万", "50万"),
    ("不可能超过50万", "50万"),
    ("前后端开发预算50万", "50万"),
    ("我在圣约翰学院", "圣约翰学院"),
    ("我们在上海，预算50万", "50万"),
    ("我想去蓝鲸餐厅酒吧", "蓝鲸餐厅酒吧"),
    ("楼下有家网吧。", "网吧"),
    ("約在咖啡吧", "咖啡吧"),
]


@pytest.mark.parametrize(("text", "words"), HEDGED)
def test_hedges_bear_on_their_value(text: str, words: str) -> None:
    assert hedged(text, *span(text, words))


@pytest.mark.parametrize(("text", "words"), FIRM)
def test_firm_words_are_not_hedged(text: str, words: str) -> None:
    assert not hedged(text, *span(text, words))


@pytest.mark.parametrize(
    ("text", "bare"),
    [
        ("probably net 45", "net 45"),
        ("应该是月结30天", "月结30天"),
        ("可能中等", "中等"),
        ("medium, I think", "medium"),
        ("about 30", "30"),
        ("About Us", "About Us"),
        ("40万左右", "40万"),
        ("大概", "大概"),
        ("周五吧", "周五"),
        ("酒吧吧", "酒吧"),
        ("餐厅酒吧", "餐厅酒吧"),
        ("網吧", "網吧"),
    ],
)
def test_unhedged(text: str, bare: str) -> None:
    assert unhedged(text) == bare
