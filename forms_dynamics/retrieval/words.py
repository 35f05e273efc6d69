"""Words of questions, by what they do: function words, talk of the past, anaphora, and everyday ways of
asking for a kind of slot. Chinese text is in normal form (simplified, casefolded)."""

# ruff: noqa: E501 (a list of words and a pattern read best on one line)
from __future__ import annotations

import re
from functools import lru_cache
from typing import NamedTuple

from forms_dynamics.language.bilingual import Bilingual

# Measure words that stand between 这, 那, 哪, 几 and what is counted.
MEASURES = "个份家张笔条批部场位名件本台辆艘只间套项款栋座首篇匹头棵盒瓶箱块道门片袋桶株幅枚颗尊架罐串趟"
# Where a Chinese name cannot go on.
_BREAKS_ZH = """
    多少 什么 怎么 怎样 如何 哪里 哪儿 哪天 哪个 哪些 哪家 哪位 几点 几号 何时 现在 目前 当前 如今 今天
    昨天 明天 最近 刚才 刚刚 上次 之前 原来 以前 曾经 后来 为什么 为何 请问 告诉 帮我 查下 查一下 看看
    看下 我们 他们 她们 你们 咱们 是不是 有没有 能不能 可以 可不可以 需要 一般 大概 应该 那边 这边 那里
    这里 那个 这个 那份 这份 那家 这家 所有 全部 每个 各个 关于 还是 已经 知道 记得 一下 是否 多久 多大
    怎么样 什么时候 为啥 咋样 谁的 是谁 不是 没有 如果 但是 因为 所以 以及 或者 还有 时候 到底 究竟 分别
    一共 总共 列出 列举 列一下 查询 比较 对比 相比 对比一下 统计 快要 即将 将要 仍然 依然 依旧 目前为止 至今 时间
"""
BREAKS_ZH = frozenset((*_BREAKS_ZH.split(), *(which + each for which in "这那哪几" for each in MEASURES)))
# Single characters that end a name more often than they go on with it.
PARTICLES_ZH = frozenset(
    "的了吗呢吧啊么嘛是在有能会要给对和与跟把被从到那这都还也就很再又谁几哪何最付报签改换提说讲问要想叫买卖用去来做、"
)
_STOP_EN = """
    a an the and or but if of to in on at by for from with about as into over under up down out off is
    are was were be been being am do does did doing done have has had having will would shall should can
    could may might must i you he she it we they me him her us them my your his its our their mine yours
    this that these those there here what which who whom whose when where why how not no nor so than too
    very just only any some all each every both more most other such own same s t re ve ll d m please
    tell show give find know let get got us now today currently present right also still yet again ever
    never many much long often again anything something everything nothing list compare look display
    already whether between versus vs whatever none without during since until till after before
    behind across along among amongst beside beneath onto toward towards upon via regarding concerning ex
"""
STOP_EN = frozenset(_STOP_EN.split())
# Companies of other trades share a beginning: 海蓝电子 is not 海蓝机械.
TRADES_ZH = re.compile(
    "^(?:科技|电子|机械|集团|公司|食品|化工|材料|仪器|仪表|重工|能源|地产|酒业|家具|纺织|陶瓷|环保|阀门|玩具|医药|制药|生物|软件|"
    "网络|信息|物流|贸易|商贸|实业|工业|建设|建筑|建材|置业|汽车|服饰|文化|传媒|教育|银行|保险|证券|水泥|钢铁|包装|印刷|光电|半导体|"
    "新材|农业|牧业|饮料|乳业|航空|航天|电气|电器|电力|自动化|智能|数据|通信|控股|投资|股份|餐饮|酒店|医疗|器械|设备|装备|光学|精密|"
    "塑料|橡胶|纸业|船舶|矿业|石化|服装|家居|装饰|照明|珠宝|旅游|咨询|广告|律师|学校|大学|医院)"
)
CAPITALISED = re.compile(r"^ [A-Z][\w&-]+")

_DEADLINE_EN = r"(?:deadline|weekend|meeting|launch|holiday|end|delivery|due|closing)"
# 签之前再确认一遍: something is to be done before it, and what holds now is asked
_THEN_ZH = (
    "[，, ]?(?:我们?|咱们?|你们?|您|请|麻烦|最后|帮忙?|还|想|要)*(?:再|先|最后)?"
    "(?:帮我?|跟我|和我)?(?:确认|确定|核[对实一]|复核|对一[下遍]|过一[下遍]|问一?[下句]|检查|提醒|报一[下遍]|再?看[看下一]|再[看说问对过核查来])(?![的过了])"
)
# "before we changed it" tells of the past, "before we sign" of what is still to come
_THEY_DID = (
    r"(?:we|they|he|she|it|you|i) (?:(?:last|first|then|just|all|both|finally|ever|even) )?(?:[a-z]+ed|"
    r"had|was|were|did|met|made|got|went|came|took|told|sold|bought|found|lost|spent|left|began|gave|knew|said|saw|sent|paid|chose|grew|"
    r"rose|fell|moved|signed|became|ran|spoke|wrote|held|kept|built|brought)\b"
)
# 定下来之前再帮我看看，…; "Before we finish, …": what leads up to a question names nothing
LEAD_IN = Bilingual(
    f"[^，,。？?！!；;]{{1,12}}之前(?={_THEN_ZH})[^，,。？?！!；;]{{0,16}}[，,：:]",
    rf"\bbefore (?!{_THEY_DID})(?:we|they|he|she|it|you|i) [a-z' ]{{1,30}}[,:]",
)
HISTORY = Bilingual(
    f"上次|上回|上一[次版个份]|(?<![日号底初末天月年点周节期])之前(?!{_THEN_ZH})|(?<=[们我你您他她它])之前|"
    f"(?:改|换|变|涨|降|调|搬|升|推迟|延期|更新|更名|修改)[^，。？?的\\d]{{0,3}}(?<![提目当面日])(?:之|以)?前(?!{_THEN_ZH})|"
    "原来|原先|原本|以前|先前|此前|最初|最开始|一开始|起初|当初|刚开始|最早(?=是谁|由谁|归谁|谁)|早先|过去|曾经|历史|变更|改过|"
    "变化|变过|变了|调整过|旧的|老的|前后|(?:什么时候|何时|哪天|啥时候)(?:改|变|调整|涨|降)|"
    "为(?:什么|何|啥)[^？?]{0,20}是",
    r"\b(?:previous|previously|formerly|former|used to|earlier|originally|original|initially|at first|to begin with|"
    r"in the beginning|at the (?:very )?beginning|at the (?:start|outset)|history|"
    r"historical|in the past|last time|until then|changed|changes|has .{1,30} changed|old (?:number|phone|"
    r"address|price|value|amount|budget|terms|role|quote|one)|last (?:quote|offer|price|budget|amount))\b|"
    r"\bwhy (?:was|were|did)\b|^(?:and |so )?(?:did|has|have) [^?]{1,60}\bchanged?(?=[ ?.]*$)|\bwhen (?:did|was|were) [^?]{1,40}\b(?:change|updated|raised|lowered|cut)\b|"
    r"\bbefore\b(?=\s*[?.!,]|\s*$|\s+(?:that|this|it|then|the "
    r"(?:change|update|raise|increase|rise|cut|move|switch|delay|postponement|correction|renaming))\b"
    rf"(?! {_DEADLINE_EN}|(?<=\bit) [a-z])|\s+{_THEY_DID})|"
    r"\b(?:what|which|who|where|how much|how many)\b[^?]{0,60}\b(?:was|were)\b[^?]*"
    r"\b(?:first|at first|back then|back in|in (?:january|february|march|april|may|june|july|august|"
    r"september|october|november|december|20\d\d))\b",
)
AT_FIRST = Bilingual(
    "最初|最开始|一开始|起初|当初|刚开始|原本|最早(?=是谁|由谁|归谁|谁)",
    r"\b(?:originally|original|initially|initial|at first|to begin with|in the beginning|"
    r"at the (?:very )?(?:beginning|start|outset))\b",
)
AS_OF = Bilingual("截至|截止到?", r"\bas (?:of|at|per)\b", re.I)
ANAPHORA = Bilingual(
    f"刚才|刚刚|[这那][{MEASURES}]|那边|前面|上面|(?<!其)他们|她们|它们|它|该(?:客户|公司|报价|合同|方案|项目)|"
    "我们(?=的|能|要|什|怎|是|公)|他|她",
    r"\b(?:it|its|that|this|they|them|their|he|she|him|her|his|those|these|the (?:same|above|last))\b",
)
PRONOUN_POSSESSOR = re.compile("(?:他|她|它|我|你|您|咱|人家|对方|客户|那|这|谁|个|份|家|边|们)$")
# All that hangs together is wanted: the walk goes wider, and what is old comes as a reference.
TRACING = Bilingual(
    "追溯|来龙去脉|(?:所有|全部|一切)(?:的)?(?:相关|有关|关联)|(?:相关|有关|关联)的?(?:所有|全部|一切)",
    r"\b(?:everything|anything|all)(?: that is| there is)? "
    r"(?:related|connected|linked|tied|about|on|concerning|to do with)\b|"
    r"\btrace (?:all|everything|back)\b|\bwhole story\b",
)
SEVERAL = Bilingual("[和与跟及、，比]|还有", r"[,&/]|\b(?:and|or|vs|versus|than|between)\b")
ALL_OF = Bilingual(
    f"所有|有什么|有谁|哪几|几[{MEASURES}]|多少[{MEASURES}]|全部|哪些|各个|每个|每家|列出|有哪|都有",
    r"\b(?:all|every|each|list|which|whose)\b|\bwhat (?!(?:is|was|does|has|this)\b)(?=[a-z]+s\b)",
)
TOTAL = Bilingual(
    "总共|一共|合计|总计|加起来", r"\b(?:in total|altogether)\b"
)  # of all that there are, where none is named

AVERAGE = Bilingual(
    "平均|均值|均价|总和", r"\b(?:averages?|mean|median|sum|total)\b(?= [a-z ]*\bof\b)|\bon average\b"
)
WHY = Bilingual("为什么|为何|为啥|怎么会", r"\bwhy\b|\bhow come\b")
WHEN = Bilingual("什么时候|啥时候|何时|哪天|几号|几月", r"\bwhen\b|\b(?:what|which) (?:day|date)\b")
# pieces of the names of slots that say where a thing goes, and where it comes from
TO_PLACES = (
    "destination",
    "bound_for",
    "goes_to",
    "ship_to",
    "deliver_to",
    "目的地",
    "收货地",
    "到达地",
    "送货地址",
    "收货地址",
    "终点",
    "到达站",
)
FROM_PLACES = (
    "origin",
    "source",
    "ship_from",
    "sent_from",
    "comes_from",
    "provenance",
    "始发地",
    "发货地",
    "产地",
    "来源",
    "起点",
    "出发地",
    "始发站",
    "原产地",
)

_WORD = re.compile("[a-z]+")
_LEAST = 4  # letters that a word and its kin must share


class Cue(NamedTuple):
    """A way of asking for a kind of slot: of one of ``types``, or whose name has one of ``pieces``.

    ``begins``: how what ``pattern`` finds begins, one Han character or three letters (see :func:`beginnings`).
    """

    pattern: re.Pattern[str]
    begins: frozenset[str]
    types: frozenset[str]
    pieces: tuple[str, ...]


def beginnings(text: str) -> set[str]:
    """Its characters, and three characters from each Latin word on: a cue that begins with none of them is
    not in the text."""
    return {*text, *(text[m.start() : m.start() + 3] for m in _WORD.finditer(text))}


# Cues count only where no declared word of the question already asks for such a slot.
CUES: tuple[Cue, ...] = tuple(
    Cue(
        re.compile(rf"{zh}|\b(?:{en})\b"),
        frozenset([*(way[0] for way in zh.split("|")), *(way[:3] for way in en.split("|"))]),
        frozenset(types),
        pieces,
    )
    for zh, en, types, pieces in (
        (
            "怎么付|如何付|付款|支付|结算|结款|账期|首付|付清",
            "pay|pays|paid|paying|payment",
            (),
            ("payment",),
        ),
        (
            "多少钱|价格|价钱|单价|报多少|什么价|啥价|几块钱",
            "how much|price|priced|cost|costs|quoted?",
            ("money",),
            (),
        ),
        (
            "什么时候|啥时候|何时|哪天|几号|几月|什么时间|多久前|哪一天|到期|截止",
            "when|what (?:day|date|time)|which day|how soon",
            ("date", "datetime", "date_range"),
            (),
        ),
        (
            "多大|几岁|多大岁数|年龄|多少岁",
            "how old",
            (),
            (
                "birth",
                "born",
                "age",
                "built",
                "founded",
                "planted",
                "made_on",
                "since",
                "生日",
                "出生日期",
                "年龄",
                "建成日期",
            ),
        ),
        ("几点", "what time", ("datetime",), ()),
        ("电话|手机|号码|联系方式|怎么联系", "phone|number|call|reach", ("phone",), ()),
        ("邮箱|邮件", "email|e-mail", ("email",), ()),
        (
            "哪里|哪儿|住哪|在哪|地址|地点|什么地方",
            "where|live|lives|located|address",
            (),
            (
                "city",
                "address",
                "place",
                "location",
                "room",
                "site",
                "venue",
                "hall",
                "harbour",
                "harbor",
                "town",
                "lives",
                "kept",
                "stored",
                "shelf",
                "warehouse",
            ),
        ),
        (
            "去哪[里儿]?|往哪[里儿]?|到哪[里儿]?去|发到哪[里儿]?|寄到哪[里儿]?|送到哪[里儿]?|运到哪[里儿]?|送去哪[里儿]?|"
            "发往(?:哪[里儿]?)?|寄往(?:哪[里儿]?)?|送往(?:哪[里儿]?)?|运往(?:哪[里儿]?)?|开往(?:哪[里儿]?)?|"
            "飞往(?:哪[里儿]?)?|驶往(?:哪[里儿]?)?|前往(?:哪[里儿]?)?",
            "where(?:['’]s)? .{1,40} (?:going|headed|heading|bound|go)|where(?:['’]s)? .{1,40} (?:sent|shipped|delivered|taken|posted|mailed) to|go to|"
            "goes to|going to|bound for|heads for|headed for|heading for",
            (),
            TO_PLACES,
        ),
        (
            "从哪[里儿]?|从什么地方|哪[里儿]?来的|哪[里儿]发的|哪[里儿]寄的|来自(?:哪[里儿]?)?|产自(?:哪[里儿]?)?|"
            "出自(?:哪[里儿]?)?",
            "where(?:['’]s)? .{1,40} (?:from|sent from|shipped from)|comes from|come from|came from",
            (),
            FROM_PLACES,
        ),
        (
            "哪国|国籍|哪个国家",
            "what country|which country|nationality|where .{1,40} from|comes from|come from",
            (),
            ("country", "nationality", "国籍", "国家"),
        ),
        (
            "职位|职务|岗位|做什么的|干什么的|什么角色|头衔",
            "role|job|title|position",
            (),
            ("role", "title", "position", "job"),
        ),
        (
            "做什么工作|干什么工作|做什么的|干什么的|什么职业|干哪行",
            "for a living|job|profession",
            (),
            ("occupation", "profession"),
        ),
        (
            "上班|任职|供职|在哪工作|哪家公司工作",
            "work for|work at|employed|where do .{1,40} work|where does .{1,40} work",
            (),
            ("employer", "workplace"),
        ),
        (
            "到哪了|到哪儿了|什么情况|什么进展|进展|进度|怎么样了|什么状态|处理得|状态",
            "progress|status|finished|done|paid|shipped|"
            "where is .{0,20}order|where is .{0,20}parcel|how is .{1,40} going",
            (),
            ("status", "state", "stage"),
        ),
        (
            "谁在管|谁管|归谁|谁牵头|谁做|谁负责",
            "in charge|responsible|who runs|who owns|who leads|who manages|who does|who is doing",
            (),
            ("owner", "assignee", "manager"),
        ),
        (
            "是谁的|是谁家的|归谁所有|属于谁|谁拥有",
            "whose|belongs? to|belonged to",
            (),
            ("owner", "owned_by", "belongs"),
        ),
        ("谁写|谁编|作者", "who wrote|written by", (), ("author", "writer", "wright")),
        ("谁导|谁执导", "directed by", (), ("director",)),
        ("多高", "how tall|how high", (), ("height",)),
        (
            "多长|多久",
            "how long",
            (),
            ("length", "duration", "minutes", "hours", "running", "lasts"),
        ),
        ("多重|多沉", "how heavy|weighs?", (), ("weight",)),
        ("多宽", "how wide", (), ("width",)),
        ("多深", "how deep", (), ("depth", "draft", "draught")),
        (
            "多大|多少[平亩]",
            "how big|how large",
            (),
            ("area", "size", "floor_space", "acres", "面积", "大小"),
        ),
        ("部门", "department|dept", (), ("dept", "department")),
        ("库存|有货|现货|剩多少", "in stock|stock|available|left", (), ("stock",)),
        ("依赖|前置", "depends? on|blocked by|waiting for", (), ("depends",)),
        ("参加|与会|到场", "attend|attends|attending|invited", (), ("participants", "attendees")),
        (
            "能拿出|拿得出|花得起|能花|出得起|最多能出",
            "can .{1,40} (?:spend|afford)|afford|spend",
            (),
            ("budget",),
        ),
        ("结账|怎么给钱|钱怎么", "settles?", (), ("payment",)),
        ("供应商|供货|谁供", "suppl(?:y|ies|ier)|vendor", (), ("supplier", "vendor")),
        (
            "喜欢|爱吃|偏好",
            "likes?|prefers?|favou?rite",
            (),
            ("preference", "liked", "likes", "favourite", "favorite"),
        ),
        ("口味|吃的", "food|eat|cuisine", (), ("liked", "preference", "food")),
        (
            "讨厌|不喜欢|不爱|不吃|不能吃|忌口",
            "dislikes?|hates?|avoids?|not eat|don.t .{0,12}eat|can.t eat|cannot eat|never eat|don.t like",
            (),
            ("dislike", "avoid", "preference", "liked"),
        ),
        ("允许|可以吗|能不能", "may we|allowed|permitted|is it ok", (), ("allowed", "permitted")),
    )
)


_ENDINGS = re.compile(
    r"(?:i[sz](?:ations?|ings?|e[srd]?|ors?)|ists?|ees?|ations?|ators?|at(?:e[sd]?|ing)|iers?|ments?|ances?|ences?|ions?|ures?|ships?|icals?|ally|ings?|ers?|ors?|ies|ied|ics?|als?|ed|es|ly|[yse])$"
)


# forms of strong verbs of which names of doers are made: found of finder, taught of teacher
STRONG = {
    form: verb
    for verb, forms in (
        pair.split(":")
        for pair in (
            "find:found teach:taught drive:drove,driven write:wrote,written build:built make:made keep:kept lead:led sell:sold "
            "send:sent hold:held draw:drew,drawn bring:brought catch:caught breed:bred grow:grew,grown take:took,taken "
            "give:gave,given choose:chose,chosen ride:rode,ridden steal:stole,stolen shoot:shot sing:sang,sung spin:spun "
            "weave:wove,woven lend:lent feed:fed speak:spoke,spoken hide:hid,hidden buy:bought"
        ).split()
    )
    for form in forms.split(",")
}


@lru_cache(maxsize=4096)
def kindred(word: str) -> str | None:
    """What an English word and its kin go back to: director, directs and directed to direct, allergic and allergies
    to allerg, taught and teacher to teach; None for a word too short to tell."""
    word = word.removesuffix("'s").removesuffix("’s")
    if (strong := STRONG.get(word)) is not None:
        word = strong
    if len(word) < _LEAST or not word.isascii() or not word.isalpha():
        return None
    ending = _ENDINGS.search(word)
    while ending is not None and ending.start() < _LEAST:  # advises: not adv, but advis
        ending = _ENDINGS.search(word, ending.start() + 1)
    return word if ending is None else word[: ending.start()]


@lru_cache(maxsize=4096)
def stem(word: str) -> str:
    """An English word without its plural or possessive ending."""
    word = word.removesuffix("'s").removesuffix("’s")
    if len(word) > 4 and word.endswith("ies"):
        return word[:-3] + "y"
    if len(word) > 4 and word.endswith(("sses", "xes", "ches", "shes")):
        return word[:-2]
    if len(word) > 3 and word.endswith("s") and not word.endswith(("ss", "us", "is")):
        return word[:-1]
    return word
