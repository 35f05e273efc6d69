"""Firms, people, roles, lines of business and places that a Chinese message names."""

# ruff: noqa: E501 (a pattern or a list of words reads best on one line)
from __future__ import annotations

import re
from collections.abc import Iterator

from forms_dynamics.extraction.found import Name
from forms_dynamics.language.lazy import lazy
from forms_dynamics.language.subjects import SURNAMES as _SURNAME
from forms_dynamics.language.voices import KIN_ZH

_LEGAL = "股份有限公司|有限责任公司|有限公司|集团公司|集团|公司"
TRADES = (
    "科技|电子|化工|食品|机械|仪器|仪表|材料|能源|环保|纺织|家具|家居|阀门|重工|精工|精密|印务|印刷|地产|置业|酒业|陶瓷|灯具|照明|包装|"
    "文化|传媒|贸易|商贸|物流|实业|工厂|制药|药业|医药|生物|医疗|汽车|汽配|电气|电器|光电|光学|软件|网络|信息|智能|建材|建筑|建设|装饰|"
    "钢铁|钢构|设备|工业|农业|牧业|乳业|水产|茶业|珠宝|玩具|半导体|新材|塑料|塑胶|橡胶|纸业|轴承|模具|五金|电缆|电机|水泥|玻璃|控股|"
    "供应链|数控|激光|卫浴|园林|文旅|服饰|服装|鞋业|制衣|餐饮|光伏|新能源|航空|通信|通讯|自动化|机器人|酿造|饮料|日化|化纤|矿业|铝业|"
    "铜业|钢管|船舶|造船|电力|燃气|水务|港口|船务|货运|快递|出版|乐器|制造|制冷|空调|泵业|门窗|涂料|医械|检测|研究院|事务所|证券|银行|保险|医院|学院|大学"
)
_ROLE_ZH = (
    r"(?:(?:采购|销售|市场|财务|技术|运营|项目|产品|人事|人力资源|行政|研发|生产|质量|设备|信息|IT|商务|客户|物流|供应链|工程|法务|品牌|区域|大区|副|总|执行|首席\w{2})*"
    r"(?:总监|总经理|副总经理|副总裁|经理|主管|负责人|董事长|总裁|创始人|合伙人|厂长|店长|主任|科长|处长|部长|院长|校长|秘书长|工程师|采购员|采购|会计|出纳|专员|助理|顾问|老板|法人|CEO|CTO|CFO|COO|CIO|CMO|VP))"
)
# words that no name of a firm holds; where one stands the frame means something else
_STOP = lazy(
    r"[的了吗呢吧啊呀哦嘛是在有要想这那个也都就和跟与或不没可能会做部把被让给从到去来看说问谁哪啥什怎几多少很太最更还又再只但因所你您他她它咱请帮买卖讲觉够用着过]|一家|两家|几家|哪家|"
    r"我们|朋友|同事|同学|夫妻|学生|老师|客户|团队|老板|领导|财务|项目|公司$|这边|那边|今年|明年|去年|目前|现在|自己|大家|整个|下周|本周|今天|明天|昨天|认识|一起|以前|之前|正在|已经|准备|需要|希望|打算|初步|总共|一共|大概|大约|左右|预算|报价|合同|付款|第一|专业|负责|老客|新客|甲方|乙方|"
    r"系统|总部|本地|当地|全体|双方|部分|剩余|其他|其余|实际|具体|最终|全部|每年|每月|季度|年度|经理|总监|主管|这次|一般|通常|产品|部门|活动|装修|业务|市场|订单|房子|婚礼|旅行|班级|学校|家庭|家里|个人|任务|设备款|每人|人均|单位$|宣传|培训|办公|研发|建议|推荐|提高|降低|增加|追加|控制|超出|最低|最高|本次|按照|旅游|旅行|住宿|餐饮|晚饭|午饭|采购"
)
_X = r"(?:[\u4e00-\u9fffA-Za-z0-9·&]|[（(][\u4e00-\u9fff]{1,4}[)）])"
_TRADE_NAME = rf"{_X}{{2,9}}?(?:{TRADES})"
_EDGE = r"(?=[^\u4e00-\u9fffA-Za-z0-9·&（(]|$)"
_LEAD = r"(?:^|(?<=[，。；！？!?,;\s：:、]))"
_FORMAL = lazy(
    r"(?P<x>[\u4e00-\u9fffA-Za-z0-9·&]{2,20}?(?:股份有限公司|有限责任公司|有限公司|集团有限公司)(?:[\u4e00-\u9fff]{2,4}分公司)?)"
)
_WE_ARE = lazy(
    rf"(?:我们是|我们公司是|我司是|咱们是|这里是|这边是|我们这边是|我这边是|我是代表|我们单位是|(?:我们)?(?:公司|单位)(?:现在|目前|如今)?(?:改名|更名|改|名字)?(?:叫做?|为|是)(?=[^，。]{{2}})|代表)(?P<x>{_X}{{2,16}}?)(?P<tail>公司|集团)?(?:这边)?{_EDGE}"
)
_OF_ROLE = lazy(
    rf"(?:我是|我们是|这是|见了|见到|约了|联系了|来自|对接的?是|担任|我在|认识)?(?P<x>{_X}{{2,14}}?)(?:公司)?的(?P<name>[{_SURNAME}][\u4e00-\u9fff]{{1,2}}?)?(?P<role>{_ROLE_ZH})(?=[，。,.;；！!？?、\s：:了说想要来]|$)"
)
_OURS = lazy(
    rf"(?:我们|咱们|我司|咱)(?P<x>{_X}{{2,9}}?)(?:(?:的|这次|这回|现在|目前|今年|这边|想|要|付款|预算|准备|打算|计划|决定|做|同意|不接受|接受|只|一般|手上|就)|{_EDGE})"
)
_NOW_CALLED = lazy(
    rf"(?<!不)(?:公司|单位)[^，。；！？!?\n]{{0,16}}[，,]\s*(?:现在|目前|如今|而是|是|其实|已经|后来)*(?:改名|更名)?(?:叫做?|改叫)了?(?P<x>{_X}{{2,12}}?)了?{_EDGE}"
)
# what sort of firm, and no name: 上市公司, 外企, 一家软件公司
_SORT = lazy(
    r"^(?:一家|一个|个|家|间|所)|^(?:(?:上市|非上市|小|大|小型|大型|中型|中小型?|初创|创业|创新|民营|私营|国有|国营|外资|合资|独资|中外合资|股份制?|民办|私人|个人|家族|跨国|外国|外贸|贸易|互联网|科技|软件|制造|生产型?|服务型?|传统|高新技术?|物流|建筑|"
    r"装修|广告|咨询|金融|投资|电商|跨境|食品|化工|机械|电子|医药|设计|游戏|教育|培训|旅游|餐饮|地产|房地产|本地|本土|当地|外地|海外|新|老|普通|正规|皮包|母|子|分|总|有限|有限责任|股份有限|世界|中国|全球|全国|行业|知名|500强|五百强|龙头|头部|甲方|乙方|第三方|央|国|外|民|私|港资|台资|日资|美资|欧资|德资|韩资|日|美|德|港|台|韩|微|小微|中小微|专精特新|独角兽|上游|下游|供应商?|代理商?|经销商?|家装|环保|新能源|能源)+型?"
    r"(?:公司|企业|企|集团|工厂|厂|厂家|厂商|单位|机构|商家|商户|平台|团队|500强|五百强)|(?:500|五百)强.*|.*(?:个体户|个体工商户|事业单位|政府机关|供应商|厂家|厂商|代理商|经销商|独角兽|龙头|企业|外企|国企|央企|民企|私企|合资|工作室))$"
)
_ONCE_OR_NOT = lazy(
    r"不叫|不是|不再|以前|之前|原来|原先|原名|曾|从前|过去|旧名|本来|早先|以往|前身|现在|改名|更名|^公司|^单位|^名字"
)
# how many of a thing, and no name: 全部设备, 其余材料
_SO_MANY = lazy(
    r"(?:全部|所有|整批|整套|部分|剩余|剩下|其余|其他|这批|那批|这些|那些|各类|各种|相关|有关|的)+"
)
_BUSINESS = lazy(r"的?(?:这次|这回)?的?(?:总?预算|系统|付款|合同|报价|优先级|项目|交期|底价|采购|账期|单价)")
_SUBJECT = lazy(
    rf"{_LEAD}(?P<x>{_TRADE_NAME}|[\u4e00-\u9fff]{{2,6}}?)(?:公司)?(?:的|这次的?|这边的?|那边的?|现在|目前|今年|统一|这回|)?(?:总?预算|付款方式|付款条件|付款|账期|报价|单价|合同|优先级|交期|首付|尾款|统一预付)"
)
_GIVE = lazy(
    rf"(?:给|报给|(?:^|(?<=[，。；！？\s我们要想已]))(?:和|与|跟|同|为))(?P<x>{_X}{{2,14}}?)(?:公司)?(?:的|那边|这边)?(?:报价|报了|单价|合同|签|总价|方案|出价|折扣|金额|价格|订单)"
)
_ABOUT_FIRM = lazy(
    rf"{_LEAD}(?P<x>[\u4e00-\u9fff]{{1,7}}?(?:{TRADES}))(?=现在|目前|统一|这次|想|要|希望|那边|这边|说|把|也|已经|正在|决定)"
)
_INDUSTRY = lazy(
    rf"(?:^|(?<=[，。；、,;\s])|我们是|我们属于|属于|主要是|是一家)(?:做)?(?P<x>[\u4e00-\u9fff]{{2,6}}(?:业|行业))(?:的?(?:客户|企业|公司|厂))?的?{_EDGE}"
)
_NO_INDUSTRY = lazy(
    r"营业|作业|毕业|就业|创业|失业|专业|事业|产业|行业$|职业|企业|同业|物业|商业$|工业$|开业|敬业|停业|学业|家业|副业|主业|业业|农业银行|歇业|复业|待业|乐业|休业|置业|[的是在了去开不没有要想会]"
)
_CALLED = lazy(
    rf"(?:(?<![帮给替为让请])我叫(?![个了一辆份车])|我的名字是|我名字是|我名叫|我名字叫|本人(?:名?叫|是(?!一?[名个位]))|本人(?=[{_SURNAME}][\u4e00-\u9fff]{{1,2}}(?:[，。,.;；！!？?、\s]|$))|我的姓名是|我的名字叫) ?(?P<x>[\u4e00-\u9fff·]{{2,8}}?|[A-Z][a-z]+(?: [A-Z][a-z]+)?)(?=[，。,.;；！!？?、\s]|$|今年|来自|住|在|是)"
)
_I_AM = lazy(
    rf"(?:^|(?<=[，。；！!,;\s]))(?:你好|您好)?[，,]?我是(?P<x>[{_SURNAME}][\u4e00-\u9fff]{{1,2}})(?=[，。,.;；！!、\s]|$)"
)
_CALL_ME = lazy(
    r"(?:请|可以|就|以后|都)?(?:叫我|称呼我)(?:为)?(?![去来做起])(?P<x>[\u4e00-\u9fff]{1,4}?|[A-Z][a-z]+)(?:就好|就行|就可以|好了|吧|即可)?(?=[，。,.;；！!、\s]|$)"
)
_LIVE = lazy(
    r"(?P<lead>我(?:(?:从|自)[^，。；！？我]{2,10}(?:起|开始|以来|到现在))(?:就|一直|都)*(?:住在|定居在?|常驻)|我(?:现在)?(?:常年)?(?:住在|常驻|定居|居住在)|我(?:已经|刚|最近|上个?月|去年)?搬(?:到|去|来)了?|我(?:目前|现在)?(?:人)?常驻|我家(?:就)?在|俺家(?:就)?(?:住)?在|俺家住|我家住在?|俺住在?|(?<=[，,])(?:目前|现在|人)?(?:常驻|定居在?|住在))(?P<x>[\u4e00-\u9fff]{2,6}?)(?:了|市区|那边|这边)?(?=[，。,.;；！!、\s]|$|工作|上班|生活|很久|好几年|(?:一直)?[到至](?:[今明后本这下月年周底]|\d|[一二三四五六七八九十]{1,3}[月号日]))"
)
_NO_PLACE = lazy(
    r"[的了是你我他她它这那哪个里住楼号]|小区|花园|公寓|大厦|家园|社区|宿舍|附近|酒店|学校|公司|宿舍|外地|国外|老家|一起|这里|那里|那儿|这儿|对面|隔壁"
)


_FIRM_END = lazy(rf"(?:{TRADES}|{_LEGAL})$")
# what even the name of a firm that ends in its trade (峰谷能源, 通用电气) does not hold
_STOP_ALWAYS = lazy(
    r"[的了吗呢吧啊是这那你他她它们什么怎哪谁]|我|朋友|同事|客户|老板|今年|明年|去年|目前|现在|今天|明天|昨天|一家|两家|几家|这块|预算|报价|合同|付款|"
    r"[在给跟和与对向从去找买做见](?=[\u4e00-\u9fff]{4})"
)


_I_OF = lazy(
    rf"(?:我是|这是|我叫)(?P<x>{_TRADE_NAME})的(?P<name>[{_SURNAME}][\u4e00-\u9fff]{{1,2}})(?=[，。,.;；！!\s]|$)|"
    rf"(?:我是|我叫)(?P<name2>[{_SURNAME}][\u4e00-\u9fff]{{1,2}})[，,\s]*(?P<x2>{_TRADE_NAME})的?(?=[，。,.;；！!\s]|$)"
)
_CONTACT = lazy(
    rf"(?:联系人|对接人|负责人|找|联系)(?:是|叫|为|：|:)?\s?(?P<x>[{_SURNAME}](?:[\u4e00-\u9fff]{{1,2}}?)?(?:工|总|先生|女士|小姐|经理|主任|老师)?)(?=[，,、。\s(（]*1[3-9]\d{{9}}|[，,、\s]*电话|[，,、\s]*手机)"
)
_WORK_AT = lazy(
    rf"我(?:现在|目前)?在(?P<x>{_X}{{1,10}}?(?:{TRADES}|{_LEGAL}|中学|小学|学校|幼儿园|律所|机场|报社|电视台|设计院))(?:上班|工作|任职|就职|当|做)"
)
_JOB = lazy(
    r"(?:(?<![不他她你])我是|(?<=[，,])是|我的职业是|我现在是|我在做)(?:一?[名个位])?(?P<x>(?:[\u4e00-\u9fff]{0,6}(?:工程师|程序员|设计师|会计师|律师|医生|医师|护士|教师|老师|司机|厨师|记者|警察|公务员|农民|作家|翻译|编辑|摄影师|建筑师|药剂师|快递员|销售员|教授|博士生|研究生|大学生|学生|军人|演员|画家|歌手|导游|理发师|咨询师|产品经理|架构师)))(?=[，。,.;；！!\s]|$)"
)


_RELATIVE = lazy(rf"[我俺咱你您他她](?:们|家|的)*(?:{KIN_ZH})")  # 我爸公司 names no firm


_TITLED = lazy(rf"[{_SURNAME}](?:总|工|经理|老师|主任|先生|女士|小姐|姐|哥|处长?|科长|部长)")


_CONJUNCTION = lazy(
    r"如果|要是|假如|假设|倘若|若是|万一|除非|只要|因为|由于|虽然|尽管|但是?|不过|所以|而且|另外|还有|然后|听说|据说|关于|对于|至于|[上下这那本][一]?[次回]|原来的?|原先的?"
)


def _clean(x: str) -> bool:
    """Whether nothing in ``x`` speaks against a name."""
    if _CONJUNCTION.match(x) is not None:
        return False
    if _RELATIVE.match(x) is not None or _TITLED.fullmatch(x) is not None:
        return False
    if _ONCE_OR_NOT.search(x) is not None or _SORT.search(x) is not None:
        return False
    if (end := _FIRM_END.search(x)) is not None and end.start() >= 1:
        return _STOP_ALWAYS.search(x) is None and _SO_MANY.fullmatch(x[: end.start()]) is None
    return _STOP.search(x) is None


def may_name_a_firm(x: str) -> bool:
    """Whether the words can be a firm's name: not 上市公司, 一家外企, 以前叫海蓝."""
    return _clean(x)


_WHO = lazy(
    rf"[{_SURNAME}](?:[\u4e00-\u9fff]{{1,2}}|(?=[总工经老主先女小]))(?:总|工|经理|老师|主任|先生|女士|小姐)?|[\u4e00-\u9fff]{{1,4}}·[\u4e00-\u9fff·]{{1,8}}"
)
_NOBODY = lazy(r"[的是在了不很有没这那谁哪]|(?:经理|总监|主管|秘书|会计|财务|助理|老板|同事|部门|员工)$")


def may_name_a_person(x: str) -> bool:
    """Whether the words can be a person's name: a surname and what follows it, a title behind (王敏, 王总, 李明经理)."""
    return _WHO.fullmatch(x) is not None and (_NOBODY.search(x) is None or len(x) > 3)


def _core(x: str) -> str:
    """The part of ``x`` behind the last word that no name holds: 今天见了凯源精工 gives 凯源精工."""
    rule = _STOP_ALWAYS if _FIRM_END.search(x) else _STOP
    last = 0
    for m in rule.finditer(x):
        last = m.end()
    return x[last:]


def _is_trade(x: str) -> bool:
    return _FIRM_END.search(x) is not None


def chinese_names(text: str) -> Iterator[Name]:
    """Firms, people, roles, lines of business and places named in Chinese."""
    yield from _firms_zh(text)
    yield from _people_zh(text)


def _firms_zh(text: str) -> Iterator[Name]:
    if "有限" in text:
        for m in _FORMAL.finditer(text):
            start = m.start("x")
            head = re.match(
                r".*(?:(?:单位|公司|地方|企业|名字|名称|厂)的?(?:名字|名称)?(?:叫做?|名叫|是|为)|叫做|名叫|我们是|我是|这里是|来自|代表|客户是|公司是|的是|给|和|与|跟|为|在|是|的|到|向|对)(?=.{4})",
                m["x"],
            )
            start += head.end() if head else 0
            if m.end("x") - start >= 6:
                yield Name("company", start, m.end("x"), start, m.end("x"), 0.95)
    if "我" in text or "咱" in text or "这" in text or "代表" in text or "公司叫" in text:
        for m in _WE_ARE.finditer(text):
            x = m["x"]
            if (
                _clean(x)
                and _clean(x + (m["tail"] or ""))
                and (_is_trade(x) or m["tail"] or len(x) <= 8)
                and not x.endswith("业")
                and re.fullmatch(rf".*?{_ROLE_ZH}", x) is None
            ):
                end = m.end("tail") if m["tail"] else m.end("x")
                yield Name(
                    "company",
                    m.start("x"),
                    end,
                    m.start(),
                    end,
                    0.95 if _is_trade(text[m.start("x") : end]) else 0.9,
                )
        for m in _NOW_CALLED.finditer(text):
            if _clean(m["x"]) and len(m["x"]) >= 2:
                yield Name("company", *m.span("x"), m.start("x"), m.end("x"), 0.93)
        for m in _OURS.finditer(text):
            if _clean(m["x"]) and (
                _is_trade(m["x"]) or (len(m["x"]) <= 4 and _BUSINESS.match(text, m.end("x")))
            ):
                yield Name("company", *m.span("x"), m.start(), m.end("x"), 0.92)
    if "的" in text:
        for m in _OF_ROLE.finditer(text):
            x = _core(m["x"])
            if len(x) >= 2 and (_is_trade(x) or (m.start("x") > m.start() and x == m["x"])):
                start = m.end("x") - len(x)
                yield Name(
                    "company",
                    start,
                    m.end("x"),
                    min(m.start(), start) if x == m["x"] else start,
                    m.end("x"),
                    0.93,
                )
                yield Name("role", *m.span("role"), m.start(), m.end("role"), 0.93)
                if m["name"] and m["name"][0] in _SURNAME:
                    yield Name("contact", *m.span("name"), m.start("name"), m.end("role"), 0.92)
    for m in _I_OF.finditer(text):
        x, name = ("x", "name") if m["x"] else ("x2", "name2")
        if _clean(m[x]):
            yield Name("company", *m.span(x), min(m.start(), m.start(x)), m.end(x), 0.94)
            yield Name("self", *m.span(name), m.start(name), m.end(name), 0.94)
    for m in _CONTACT.finditer(text):
        yield Name("contact", *m.span("x"), m.start(), m.end("x"), 0.92)
    for m in _SUBJECT.finditer(text):
        if _clean(m["x"]):
            sure = _is_trade(m["x"]) or re.search(
                r"(?:这次|这回|这边|那边|公司)的?(?:总?预算|单价|报价)$", m[0]
            )
            yield Name("company" if sure else "company?", *m.span("x"), *m.span("x"), 0.9)
    for m in _ABOUT_FIRM.finditer(text):
        if _clean(m["x"]):
            yield Name("company", *m.span("x"), *m.span("x"), 0.9)
    for m in _GIVE.finditer(text):
        if _clean(m["x"]):
            yield Name("company", *m.span("x"), m.start(), m.end("x"), 0.93)
    if "业" in text:
        for m in _INDUSTRY.finditer(text):
            if _NO_INDUSTRY.search(m["x"]) is None:
                yield Name("industry", *m.span("x"), m.start(), m.end("x"), 0.9)


_ROLE_ME = lazy(
    rf"(?:我是|担任|我现在是|我是这边的|我是公司的|我是公司|我做|职位是|职务是)(?:一名|一个|公司的?|这边的?|他们的?)?(?P<x>{_ROLE_ZH}){_EDGE}"
)


def _people_zh(text: str) -> Iterator[Name]:
    if "我" not in text and "本人" not in text and "俺" not in text and "担任" not in text:
        return
    for m in _CALLED.finditer(text):
        if not re.search(r"[你我他她的了什么不]", m["x"]):
            yield Name("self", *m.span("x"), m.start(), m.end("x"), 0.95)
    for m in _I_AM.finditer(text):
        if _clean(m["x"]) and not re.search(rf"(?:{TRADES})$|[人员生者师]$", m["x"]):
            yield Name("self", *m.span("x"), m.start("x") - 2, m.end("x"), 0.9)
    for m in _CALL_ME.finditer(text):
        if not re.search(r"[你我他她的了什么去来做不起]", m["x"]):
            yield Name("preferred_name", *m.span("x"), m.start(), m.end("x"), 0.93)
    for m in _LIVE.finditer(text):
        if _NO_PLACE.search(m["x"]) is None:
            yield Name("city", *m.span("x"), m.start(), m.end("x"), 0.93)
    for m in _WORK_AT.finditer(text):
        if _STOP_ALWAYS.search(m["x"]) is None:
            yield Name("employer", *m.span("x"), m.start(), m.end(), 0.92)
    for m in _JOB.finditer(text):
        if _STOP_ALWAYS.search(m["x"]) is None:
            yield Name("occupation", *m.span("x"), m.start(), m.end("x"), 0.9)
    for m in _ROLE_ME.finditer(text):
        yield Name("role", *m.span("x"), m.start(), m.end("x"), 0.93)
