"""Everyday things under their several names, in English and Chinese: a schema uses one, a speaker another.

Each line is one thing. Nouns before the semicolon mean it by themselves; behind it stand words that hint at it.
"""

# ruff: noqa: E501 (a list of words reads best on one line)
from __future__ import annotations

from functools import lru_cache
from typing import NamedTuple

_THINGS = """
restaurant|restaurants|book a table|reserve a table|table for|eatery|diner|bistro|place to eat|places to eat|somewhere to eat|place to dine|places to dine|somewhere to dine|gastropub|steakhouse|餐馆|餐厅|饭店|饭馆|餐饮|馆子|吃饭的地方|就餐的地方|用餐的地方|订位|订座|订桌 ; eat|dine|dining|dinner|lunch|brunch|breakfast|supper|cuisine|food|table|meal|serves|吃饭|用餐|就餐|美食|菜|吃|餐
hotel|hotels|lodging|accommodation|accommodations|place to stay|places to stay|somewhere to stay|guesthouse|guest house|guesthouses|motel|hostel|inn|b&b|bed and breakfast|nights|酒店|旅馆|宾馆|旅店|客栈|民宿|住的地方|住宿的地方|地方住|住处 ; stay|nights|room|rooms|check in|住宿|入住|住|落脚|下榻
attraction|attractions|tourist attraction|there is to do|there is to see|what to do|what to see|sight|sights|sightseeing|places to go|place to go|things to do|something to do|places to visit|place to visit|point of interest|tourist|touristy|entertainment|museum|museums|park|college|theatre|theater|nightclub|gallery|architecture|景点|景区|博物馆|美术馆|公园|剧院|学院|夜店|画廊|电影院|教堂|音乐厅|旅游景点|名胜|好玩的地方|好玩的|游玩的地方|玩的地方|去处|地方玩|旅游的地方|旅游 ; visit|see|attractive|游玩|逛|游览|玩
taxi|taxis|cab|cabs|ride|rides|taxi service|uber|出租车|出租|的士|计程车|网约车|打车|打的|叫车|叫一辆|约车 ; drive me|pick me up|picked up|接我
train|trains|rail|railway|火车|列车|车次|火车票|高铁票 ; depart|departs|station|坐车
bus|buses|coach|公交车|公交|公共汽车|巴士|大巴|客车 ; station|depart
metro|subway|underground|tube|地铁 ; 地铁站
flight|flights|plane|planes|airplane|airplanes|airline|airfare|飞机|航班|机票|班机 ; fly|flying|airport|seat|layover|飞|直飞
movie|movies|film|films|cinema|motion picture|电影|影片|片子 ; watch|showing|showtime|theater|theatre|看
tv show|tv series|series|sitcom|电视剧|连续剧|剧集|国产剧|美剧|韩剧|日剧|英剧|港剧|追剧 ; watch|看
music|song|songs|track|tracks|tune|歌|歌曲|音乐 ; listen|play|听
weather|forecast|weather forecast|天气|天气预报|气温 ; rain|raining|snow|sunny|temperature|humidity|humid|wind|windy|hot|cold|warm|下雨|温度|冷|热
doctor|doctors|physician|gp|gynecologist|ophthalmologist|dermatologist|医生|大夫 ; appointment|clinic|patient|symptoms|sick|pain|看病
hospital|hospitals|emergency room|医院|门诊 ; department|ill|hurt|看病|挂号|就诊
dentist|dentists|dental|牙医 ; teeth|tooth|appointment
hair stylist|stylist|salon|hairdresser|haircut|hair salon|barber|beauty salon|unisex salon|理发|发型师|美发 ; hair|appointment
therapist|therapists|psychologist|psychiatrist|counselor|心理医生 ; therapy|appointment
police|police station|警察|派出所 ; crime|robbed
rental car|rental cars|rent a car|car rental|car hire|hire a car|cars to rent|car to rent|car for rent|租车 ; pick up|dropoff|rental|sedan|suv|hatchback
apartment|apartments|flat|flats|house|houses|home|homes|condo|property|properties|公寓|房子|租房 ; bedroom|bedrooms|bed|beds|bath|baths|rent|landlord|move in
event|events|concert|concerts|game|games|match|play|plays|show|shows|festival|演出|活动|音乐会 ; tickets|perform|sports|team
bank|bank account|checking account|savings account|account balance|银行 ; balance|transfer|account|checking|savings
payment|send money|pay|付款|转账 ; money|request
alarm|alarms|闹钟 ; wake
calendar|schedule|日历|日程 ; event|available|free|appointment
meeting|meetings|会议|开会 ; meet|attendees
party|parties|venue|派对|聚会 ; guests|host|invite
directions|route|路线 ; get to|walk|drive|walking|driving|transit
computer|computers|laptop|desktop|pc|电脑|笔记本|台式机 ; cpu|内存|屏幕
car|cars|vehicle|汽车|车子|轿车|买车|车型 ; 开
course|class|tutoring|辅导班|补习班|补课|课程|上课 ; 学
fast food|takeaway|pizza|burger|order food|快餐|外卖 ; drink|toppings|crust
insurance|policy|保险 ; claim
software|app|program|application|软件 ; license|install|password
"""


class Thing(NamedTuple):
    """One thing: the words that mean it, and those that hint at it."""

    nouns: tuple[str, ...]
    hints: tuple[str, ...]


@lru_cache(maxsize=1)
def things() -> tuple[Thing, ...]:
    """All everyday things, in order."""
    out = []
    for line in _THINGS.strip().splitlines():
        nouns, _, hints = line.partition(" ; ")
        out.append(Thing(tuple(nouns.split("|")), tuple(h for h in hints.split("|") if h)))
    return tuple(out)


__all__ = ["Thing", "things"]
