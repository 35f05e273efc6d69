"""What people say in the made-up year: values, and ways of telling them, changing them and taking them back.

All of it is written for this benchmark. Of a pair the first is Chinese, the second English; ``{v}`` is the value,
``{o}`` the one before it, ``{k}`` what it is of (a company, a quote, a task).
"""

from __future__ import annotations

from dataclasses import dataclass

Pair = tuple[str, str]


@dataclass(frozen=True, slots=True)
class Kind:
    """A kind of fact: where it is kept and how it is spoken of. ``key``: the slot that names its Form. ``many``:
    values are added and removed. ``given``: slots that are always said along with it."""

    name: str
    group: str  # stable | volatile | business | plan
    form_type: str
    slot: str
    tell: Pair
    change: Pair
    again: Pair
    retract: Pair
    question: Pair
    key: str | None = None
    many: bool = False
    given: tuple[tuple[str, Pair], ...] = ()


MOTHER = (("relation", ("妈妈", "mom")),)
FATHER = (("relation", ("爸爸", "dad")),)

KINDS = {
    kind.name: kind
    for kind in (
        Kind(
            "name", "stable", "user_profile", "name",
            ("我叫{v}。", "My name is {v}."), ("我叫{v}。", "My name is {v}."),
            ("对了，我叫{v}。", "As I said, my name is {v}."), ("我的姓名别记了。", "Please forget my name."),
            ("我的姓名是什么？", "What is my name?"),
        ),
        Kind(
            "birthday", "stable", "user_profile", "birthday",
            ("我的生日是{v}。", "My birthday is {v}."), ("我的生日是{v}。", "My birthday is {v}."),
            ("我的生日是{v}，别忘了。", "My birthday is {v}, remember."),
            ("我的生日别记了。", "Please forget my birthday."),
            ("我的生日是哪天？", "When is my birthday?"),
        ),
        Kind(
            "allergy", "stable", "user_profile", "allergies",
            ("我对{v}过敏。", "I'm allergic to {v}."), ("我对{v}过敏。", "I'm allergic to {v}."),
            ("再提醒一下，我对{v}过敏。", "Reminder: I'm allergic to {v}."),
            ("我对{o}不过敏了。", "I'm not allergic to {o} any more."),
            ("我对什么过敏？", "What am I allergic to?"), many=True,
        ),
        Kind(
            "mother_birthday", "stable", "family_member", "birthday",
            ("我妈妈的生日是{v}。", "My mom's birthday is {v}."), ("我妈妈的生日是{v}。", "My mom's birthday is {v}."),
            ("我妈妈生日{v}，快到了。", "My mom's birthday, {v}, is coming up."),
            ("我妈妈的生日别记了。", "Please forget my mom's birthday."),
            ("我妈妈的生日是哪天？", "When is my mom's birthday?"), given=MOTHER,
        ),
        Kind(
            "father_city", "volatile", "family_member", "city",
            ("我爸爸住在{v}。", "My dad lives in {v}."), ("我爸爸搬到{v}了。", "My dad moved to {v}."),
            ("我爸爸住在{v}，周末去看他。", "My dad lives in {v}, I visit him at weekends."),
            ("我爸爸住哪儿别记了。", "Please forget where my dad lives."),
            ("我爸爸住在哪里？", "Where does my dad live?"), given=FATHER,
        ),
        Kind(
            "city", "volatile", "user_profile", "city",
            ("我住在{v}。", "I live in {v}."), ("我刚搬到{v}了。", "I have just moved to {v}."),
            ("我住在{v}，这边挺安静。", "I live in {v}, it is quiet here."),
            ("我住哪座城市别记了。", "Please forget which city I live in."),
            ("我住在哪座城市？", "Which city do I live in?"),
        ),
        Kind(
            "employer", "volatile", "user_profile", "employer",
            ("我在{v}上班。", "I work at {v}."), ("我跳槽了，现在在{v}上班。", "I changed jobs, I work at {v} now."),
            ("我在{v}上班，今天又加班。", "I work at {v}, and it was a long day again."),
            ("我的工作单位别记了。", "Please forget my employer."),
            ("我的工作单位是哪里？", "Who is my employer?"),
        ),
        Kind(
            "liked", "volatile", "preference", "liked",
            ("我喜欢{v}。", "I like {v}."), ("我不再喜欢{o}了，现在喜欢{v}。", "I no longer like {o}, I like {v} now."),
            ("我一直喜欢{v}。", "I like {v} as ever."), ("我不喜欢{o}了。", "I don't like {o} any more."),
            ("我喜欢什么？", "What do I like?"), many=True,
        ),
        Kind(
            "budget", "business", "lead_profile", "budget",
            ("{k}的预算是{v}。", "The budget of {k} is {v}."), ("{k}的预算改为{v}。", "{k} changed the budget to {v}."),
            ("跟{k}对过了，预算{v}。", "Talked to {k}, budget {v}."),
            ("{k}的预算先不记。", "Forget the budget of {k}."),
            ("{k}的预算是多少？", "What is the budget of {k}?"), key="company",
        ),
        Kind(
            "terms", "business", "lead_profile", "payment_terms",
            ("{k}的付款方式是{v}。", "For {k} payment terms are {v}."),
            ("{k}的付款方式改成{v}。", "{k} now wants other payment terms: {v}."),
            ("{k}确认付款方式{v}。", "{k} agreed to payment terms {v}."),
            ("{k}的付款方式先不记。", "Forget the payment terms of {k}."),
            ("{k}的付款方式是什么？", "What are the payment terms of {k}?"), key="company",
        ),
        Kind(
            "quote", "business", "quote_form", "amount",
            ("报价单号{k}，报价{v}。", "Quote number {k}, amount {v}."),
            ("报价单{k}的报价改为{v}。", "The amount of quote {k} is changed to {v}."),
            ("报价单{k}，报价{v}，已发出。", "Quote {k} over {v} is out."),
            ("报价单{k}作废，不用记了。", "Forget quote {k}, it is off."),
            ("报价单{k}的报价是多少？", "What is the amount of quote {k}?"), key="quote_no",
        ),
        Kind(
            "plan", "plan", "task", "due",
            ("任务“{k}”的截止日期是{v}。", "The task “{k}” is due on {v}."),
            ("任务“{k}”的截止日期改到{v}。", "The task “{k}” was moved to {v}."),
            ("任务“{k}”截止日期{v}，别忘了。", "The task “{k}” is due on {v}, remember."),
            ("忘掉原来的计划“{k}”吧。", "Forget the old plan “{k}”."),
            ("任务“{k}”的截止日期是哪天？", "When is the task “{k}” due?"), key="name",
        ),
    )
}  # fmt: skip

CITIES: tuple[tuple[str, ...], tuple[str, ...]] = (
    tuple(
        "苏州 无锡 常州 扬州 绍兴 嘉兴 温州 金华 台州 合肥 芜湖 蚌埠 福州 泉州 厦门 赣州 九江 烟台 潍坊 洛阳 襄阳 宜昌 岳阳 衡阳 "
        "珠海 佛山 桂林 柳州 遵义 昆明 大理 宝鸡 兰州 西宁 银川 大同 唐山 保定 沈阳 锦州".split()
    ),
    tuple(
        "Leeds Bristol Norwich Exeter Dundee Cork Galway Ghent Bruges Utrecht Leiden Aarhus Odense Bergen Turku Tartu "
        "Graz Linz Basel Lugano Porto Braga Girona Bilbao Parma Modena Lyon Nantes Dijon Brno Ostrava Gdansk Poznan "
        "Szeged Varna Patras Hobart Dunedin Halifax Tucson".split()
    ),
)
NAMES = (
    (
        "周敏慧 吴嘉诚 郑晓岚 孙博文 马若溪 朱俊杰 胡雪琴 林子墨 何雨桐 高志远 罗婉清 梁思远 宋佳宁 唐文轩 许安然 韩立群".split()
    ),
    (
        "Petra Novak,Imre Kovacs,Dana Reyes,Jonas Weber,Marta Silva,Owen Pryce,Lena Vogel,Tomas Riva,Alice Thorne,"
        "Ruben Castel,Nina Holm,Pavel Ruzic,Greta Lund,Hugo Brandt,Clara Moss,Felix Adler"
    ).split(","),
)
ALLERGIES = (
    "芒果 花生 猫毛 花粉 青霉素 荞麦 菠萝 乳胶".split(),
    "mango,peanuts,cat hair,birch pollen,penicillin,buckwheat,pineapple,latex".split(","),
)
LIKES = (
    "手冲咖啡 靠窗的座位 夜跑 羽毛球 爵士乐 老电影 拼图 陶艺 骑行 露营 烘焙 围棋 书法 乌龙茶 攀岩 观鸟 桌游 钓鱼 油画 潜水 "
    "冥想 十字绣 射箭 皮划艇 二胡 盆景 集邮 天文摄影 脱口秀 评弹".split(),
    (
        "pour-over coffee,window seats,night runs,badminton,jazz records,old films,jigsaw puzzles,pottery,long rides,"
        "camping,sourdough,chess problems,calligraphy,oolong,climbing,birdwatching,board games,fly fishing,"
        "watercolours,diving,yoga mornings,cross-stitch,archery,kayaking,the cello,bonsai,stamp albums,star charts,"
        "stand-up comedy,crosswords"
    ).split(","),
)
TERMS = (
    ("预付{a}%，余款{b}天付清", "分{a}期付款，每期{b}天"),
    ("{a}% upfront, rest net {b}", "{a} instalments of {b} days each"),
)
TASKS = (
    ("整理 更新 核对 翻译 归档 排版 起草 复核 汇总 打印".split(), "周报 合同 样品册 培训稿 库存表 发票 访谈稿 宣传页 值班表 装修图 旅行清单 相册 "
     "保险单 体检报告 课程表 采购单 问卷 海报 账本 演讲稿 房租收据 菜单 会员名册 说明书".split()),
    ("sort,update,check,translate,file,typeset,draft,review,compile,print".split(","),
     "weekly report,contracts,sample book,training notes,stock list,invoices,interview notes,leaflet,duty roster,"
     "floor plan,packing list,photo album,insurance papers,checkup results,timetable,purchase list,survey,poster,"
     "ledger,speech,rent receipts,menu,member list,manual".split(",")),
)  # fmt: skip
INTENTS = (
    ("订一份{d}外卖", "叫一辆去{d}店的车", "找一家{d}馆子"),
    ("order {d} to go", "book a ride to the {d} place", "find a {d} restaurant"),
)
DISHES = (
    "酸汤鱼 卤肉饭 牛肉粉 煲仔饭 羊杂汤 生煎包 烤冷面 臭豆腐 肠粉 油泼面 大盘鸡 鸭血粉丝 过桥米线 锅包肉 肉夹馍 海蛎煎".split(),
    "pierogi,ramen,falafel,paella,risotto,goulash,dumpling,moussaka,laksa,bibimbap,ceviche,tagine,poutine,gyoza,borscht,pho".split(
        ","
    ),
)
STAYS = (
    "云栖 望江 松间 听涛 白鹭 半山 渔浦 石桥 竹里 南塘".split(),
    "Adria Belvoir Cormorant Delphin Esplanade Fontaine Gloria Harbour Imperial Juniper".split(),
)
STAY = (("我的临时地址是{v}。", "My temporary address is {v}."), "{}酒店{}号房", "Hotel {} room {}")
# of no consequence, and nothing in them is of any kind above
REMARKS = (
    (
        "今天地铁里人真多。 昨晚的雨下得好大。 刚看完一场比赛，有点可惜。 楼下的猫又在叫。 午饭吃撑了。 外面起风了。 刚才打了个盹。 电梯又坏了。 "
        "路上堵得厉害。 新来的同事话挺多。 电影一般般。 今天的夕阳很好看。"
    ).split(),
    (
        "The train was packed today.|It rained all night.|The match was a pity.|The neighbours are loud again.|"
        "Lunch was far too big.|It got windy outside.|I dozed off for a moment.|The lift is broken again.|"
        "Traffic was awful.|The film was so-so.|What a sunset today.|The shop was closed when I came."
    ).split("|"),
)
CHAT = (
    (
        "好的，谢谢。 明白了。 嗯，继续吧。 这样就行。 麻烦你了。 没事，先这样。 收到。 可以，辛苦了。 帮我润色一下这段话。 再讲得简单一点。 换个说法。 "
        "把上面那段缩短一些。"
    ).split(),
    (
        "Thanks, that helps.|Got it.|Fine, go on.|That will do.|Right, that is all for now.|Please shorten that text.|"
        "Say it more simply.|Put it another way.|Good, thank you.|Okay, carry on.|That reads well.|One more try, please."
    ).split("|"),
)
