"""Doubt and approximation: what counts, for which value, and what only looks like it."""

from __future__ import annotations

import re

import pytest

from forms_dynamics.language.hedge_words import CLASSES, LANGUAGES, Words, as_pattern, fault, shipped_words
from forms_dynamics.language.hedges import SHIPPED, Hedging, _found, hedged, hedges, unhedged
from forms_dynamics.language.numerals import lowered


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
    ("我怀疑自己对花生过敏", "对花生过敏"),
    ("我担心我对花生过敏", "花生"),
    ("我觉得我对花生过敏", "花生"),
    ("我应该对花生过敏", "花生"),
    ("I worry I am allergic to peanuts", "peanuts"),
    ("the stay is about a week", "a week"),
    ("Not sure, 50k", "50k"),
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
    ("我不怀疑我对花生过敏", "花生"),
    ("I'm not sure but I need to arrive by 21:30", "21:30"),
    ("我不确定，但我得在21:30之前到", "21:30"),
    ("最接近16:30的那趟", "16:30"),
    ("one Turkish restaurant", "one"),
    ("11 stilwell dr marina ca 93933", "93933"),
    ("帮我查一下，下周三的天气情况吧", "下周三"),
    ("I think it's definitely 50k", "50k"),
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


# what a turn leaves unsure, whether or not it is the value of any slot
UNSURE = [
    "Perhaps Thai", "A museum perhaps?", "Maybe Friday?", "Wind, I think!", "I think it is 5380", "probably around 6pm",
    "I think my son needs braces.", "I'm considering naming Douglas as my executor", "Friday? I think that's the 22nd?",
    "an in-person workshop would probably be most helpful", "We'll most likely go to Discovery Bay.",
    "Can you try for 7pm then, perhaps?", "I think that all the lifting hasn't helped.", "I suppose those are the leaks.",
    "Is it 1:2? Can you check it, I think it's 2/6", "My guess would be 1969", "It's Friday, but not certain.", "I will guess 3",
    "I was thinking the dates could be June 15th", "I suppose Saturday is ok", "Did an analysis, and I think it went badly",
    "I'm worried that my draft, which has 12 pages, might not be enough", "I believe I met most of my goals", "I think we will be 7",
    "我觉得他不想和我玩了", "我觉得那是我的", "我觉得3个人就够了", "感觉他们不喜欢我", "定速巡航总该有了吧", "总该有停车场吧", "应该不用停车位",
    "好像叫什么全聚德", "差不多下午两点出发", "我考虑加个标签", "那家都是小吃吧",
    "吃过饭我们可能要出去走走", "估计逛完我们也该饿了", "这好像是一个短途行程", "预算50万吧", "我考虑买一辆两厢车", "有没有能玩3天左右的景点？",
]  # fmt: skip
SURE = [
    "I think that's all", "I think I'll take it", "i think im all set for now", "Maybe later.", "maybe another time",
    "How about 6 pm?", "I think I need a doctor", "Is there a guesthouse that might be cheaper?", "That seems good, i guess",
    "Could you maybe book it?", "I'm not sure. Can you tell me about my options?", "I'm kinda worried about my will",
    "Are there any others I might like?", "No, I believe that it's. Thanks!", "Long Beach, CA.", "Turkish food.",
    "I'll let you know what I think.", "I believe in you", "Yes, I think so too", "I think that works for me", "Okay I guess",
    "that's all i think thanks", "I think you misunderstood me", "I think I just need to rest", "I guess I don't need it anymore",
    "Maybe not today", "I might as well take it", "Maybe I can help you with that", "Perhaps you know this game", "I hope it might help",
    "someone who may have the authority", "anything else we might need", "If you want more, maybe a small kit?", "I guess go ahead",
    "I think this plan makes sense", "I think the daily walks are really beautiful", "perhaps try another area please",
    "I need a table somewhere around there", "I think it's time to go", "I think this will help", "You never know when it might happen",
    "我觉得有点远", "我觉得这个地方还不错", "我觉得自己应该试试", "他觉得我是在炫耀", "旋转的感觉让两人兴奋", "麻烦约一辆车", "好的，我大概理解了",
    "我在考虑工作上的问题", "我应该没有其他需要了", "下周五的吧",
    "我觉得不错", "可能还要再麻烦一下", "这还差不多", "那就去这里吧", "这个景点大概玩多长时间？", "也许这是个好主意", "好像要飞上天一样",
    "我想预约一个酒店", "帮我订周五的吧", "不超过50万", "50到60万", "至少3个", "at least 3, up to 5", "Thursday or Friday",
]  # fmt: skip


@pytest.mark.parametrize("text", UNSURE)
def test_a_turn_that_leaves_something_unsure(text: str) -> None:
    assert hedges(text)


@pytest.mark.parametrize("text", SURE)
def test_a_turn_that_leaves_nothing_unsure(text: str) -> None:
    assert hedges(text) == ()


def test_no_text_that_hedges_is_passed_over() -> None:
    texts = [text for text, _ in (*HEDGED, *FIRM)] + UNSURE + SURE
    quick = SHIPPED._hints
    assert len(quick[0]) > 50
    for text in texts:
        if _found.__wrapped__(SHIPPED, text) or SHIPPED._behind.search(lowered(text)):
            assert SHIPPED.may(text), text


# -- words of one's own ----------------------------------------------------------------------------------
def own(language: str = "zh", none: tuple[str, ...] = (), **classes: tuple[str, ...]) -> Hedging:
    return Hedging(Words({language: classes}, none))


def test_words_are_added_by_where_they_stand() -> None:
    assert not SHIPPED.hedged("预算毛毛50万", 4, 8)
    assert own(about=("毛毛",)).hedged("预算毛毛50万", 4, 8)
    assert own(doubt=("怕不是",)).hedged("怕不是海蓝电子", 3, 7)
    assert own(behind=("冒尖",)).hedged("预算50万冒尖", 2, 6)
    assert own(remark=("还要看老板",)).hedged("预算50万，还要看老板", 2, 6)
    assert own("en", doubt=("i fancy",)).hedged("I fancy 50k", 8, 11)
    assert own("en", remark=("subject to (final |)approval",)).hedged("50k, subject to approval", 0, 3)


def test_a_word_is_taken_back() -> None:
    assert SHIPPED.hedged("预算初步定50万", 5, 9)
    assert not own(none=("初步(定|估)",)).hedged("预算初步定50万", 5, 9)
    assert not own(none=("maybe",)).hedged("maybe 50k", 6, 9)
    assert own(none=("maybe",)).hedged("perhaps 50k", 8, 11)


@pytest.mark.parametrize(
    ("phrase", "said", "other"),
    [
        ("(i|we) (really |)fancy", "we really fancy", "they fancy"),
        ("not (quite|) sure", "not  sure", "not very sure"),
        ("what ... might", "what in the world might", "what a b c d might"),
        ("some #", "some 500", "some 5 "),
        ("-ish", "50k-ish", "fish"),
        ("i'm set", "i 'm set", "aim set"),
        ("don't know", "do n't know", "know"),
        ("好像...一样", "好像在飞一样", "好像在飞"),
    ],
)
def test_the_notation_of_phrases(phrase: str, said: str, other: str) -> None:
    pattern = re.compile(as_pattern([phrase]))
    assert pattern.search(said)
    assert not pattern.search(other)


@pytest.mark.parametrize("phrase", ["(a|b", "a|b", "((a))", "a)", "(a|)", "()", "…"])
def test_a_phrase_that_cannot_be_read_is_told(phrase: str) -> None:
    assert fault(phrase)


def test_all_that_ships_can_be_read_and_nothing_stands_twice() -> None:
    words = shipped_words()
    assert [(p, fault(p)) for p in (*words.every(), *words.none) if fault(p)] == []
    for language in LANGUAGES:
        for name in CLASSES:
            phrases = words.of(language, name)
            assert len(set(phrases)) == len(phrases), (language, name)
    assert set(words.by_class["zh"]) | set(words.by_class["en"]) == set(CLASSES)
