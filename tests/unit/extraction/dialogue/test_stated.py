"""What a request of a dialogue states, by Form types that say little of themselves; each row is a kind."""

from __future__ import annotations

import pytest

from tests.unit.extraction.dialogue.conftest import Reading


@pytest.mark.parametrize(
    ("text", "wanted"),
    [
        # listed values, in a wish and in the form of a question
        ("I'm after an expensive restaurant up north", {"restaurant.price_range": "expensive", "restaurant.area": "north"}),
        ("Are there any cheap restaurants in the center?", {"restaurant.price_range": "cheap", "restaurant.area": "centre"}),
        ("Could you recommend a museum in the south of town?", {"attraction.type": "museum", "attraction.area": "south"}),
        # the type's own noun is no value; another noun is
        ("We need a hotel with 4 stars", {"hotel.stars": "4"}),
        ("Can you find me a guesthouse in the north?", {"hotel.type": "guesthouse", "hotel.area": "north"}),
        # typed expressions
        ("Please book a table for 6 at 7:15 pm on Tuesday", {"restaurant.party_size": "6", "restaurant.booking_time": "7:15 pm", "restaurant.booking_day": "Tuesday"}),
        ("I want a room in a cheap hotel for 3 nights", {"hotel.price_range": "cheap", "hotel.nights": "3"}),
        ("I need 2 tickets for the train", {"train.num_tickets": "2"}),
        # open values: the ends of a way, a cuisine, a name
        ("A train from Ashford to Kings Norton leaving at 9:30, please", {"train.origin": "Ashford", "train.destination": "Kings Norton", "train.leave_at": "9:30"}),
        ("I'd like a train that arrives by 18:45", {"train.arrive_by": "18:45"}),
        ("I would love some Ethiopian food tonight in a restaurant", {"restaurant.food": "Ethiopian", "restaurant.booking_day": "tonight"}),
        ("I'm looking for a restaurant called Copper Ladle", {"restaurant.name": "Copper Ladle"}),
        # a slot's name and its value
        ("A support case: my account number is 55-1207 and my name is Dana Whitfield", {"support_case.account_number": "55-1207", "support_case.customer_name": "Dana Whitfield"}),
        # a wanted feature
        ("find me a hotel with free parking", {"hotel.parking": "yes"}),
    ],
)  # fmt: skip
def test_english(english: Reading, text: str, wanted: dict[str, str]) -> None:
    assert english(text) == wanted


@pytest.mark.parametrize(
    "text",
    [
        "What is the price range of that restaurant?",  # a value is asked for
        "Is it in the north?",  # about a thing that is known
        "Does the hotel have parking?",
        "I'd like directions to the Bluebell museum",  # part of a name
        "The less expensive, the better",  # compared
        "I don ' t want a table at 8:30 pm",  # denied, as a tokeniser writes it
        "How do I get to the restaurant?",
        "Thanks, that's all for today!",
    ],
)
def test_english_says_nothing(english: Reading, text: str) -> None:
    assert english(text) == {}


def test_the_talk_decides(english: Reading) -> None:
    """A price range is the hotel's or the restaurant's, as the words or the turns before have it."""
    assert english("Make it cheap", "Sure, what kind of hotel do you need?") == {"hotel.price_range": "cheap"}
    assert english("Make it cheap", "Which restaurant would you like?") == {"restaurant.price_range": "cheap"}
    assert english("Make it cheap") == {}


@pytest.mark.parametrize(
    ("text", "wanted"),
    [
        ("帮我找一家人均100-150元、评分4.5分以上的餐馆", {"餐馆.人均消费": "100-150元", "餐馆.评分": "4.5分以上"}),
        # the head noun follows what modifies it
        ("吃完饭我想找个评分4.5分以上、能玩3天的景点", {"景点.评分": "4.5分以上", "景点.游玩时间": "3天"}),
        ("有没有门票免费的景点？", {"景点.门票": "免费"}),
        # one spelling for several
        ("想找个玩1-2小时的景点", {"景点.游玩时间": "1小时 - 2小时"}),
        ("推荐一家人均50到100元的餐馆吧", {"餐馆.人均消费": "50-100元"}),
        ("我想在西边找家酒店", {"酒店.区域": "西部"}),
        ("订一张礼拜六的火车票", {"火车.日期": "星期六"}),
        # two values of one slot are one text
        ("找一家有健身房和吹风机的豪华型酒店", {"酒店.酒店设施": "健身房、吹风机", "酒店.酒店类型": "豪华型"}),
        ("我要从临溪坐火车去望江，早上9点出发", {"火车.出发地": "临溪", "火车.目的地": "望江", "火车.出发时间": "早上9点"}),
        ("想吃酸笋鸭，帮我找个餐馆", {"餐馆.推荐菜": "酸笋鸭"}),
        ("帮我查一下名叫半亩园的餐馆", {"餐馆.名称": "半亩园"}),
        ("找个酒店住，要有免费停车场", {"酒店.停车处": "有"}),
        ("餐馆订5个人的位子", {"餐馆.预订人数": "5"}),
    ],
)  # fmt: skip
def test_chinese(chinese: Reading, text: str, wanted: dict[str, str]) -> None:
    assert chinese(text) == wanted


@pytest.mark.parametrize(
    "text",
    [
        "它的评分是多少？",
        "这家酒店有健身房吗？",
        "那个景点的门票贵一点没关系",
        "吃饱了就想睡觉",
        "谢谢，再见！",
        "酒店周边都有什么餐馆？",
    ],
)
def test_chinese_says_nothing(chinese: Reading, text: str) -> None:
    assert chinese(text) == {}


def test_a_name_that_the_assistant_offered(chinese: Reading) -> None:
    """Asking about what was offered chooses nothing."""
    assert chinese("翠湖饭庄的电话是多少？", "推荐您去翠湖饭庄。") == {}
    assert chinese("那就去翠湖饭庄吧", "推荐您去翠湖饭庄。") == {"餐馆.名称": "翠湖饭庄"}
