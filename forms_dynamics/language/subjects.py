"""Of whom a Chinese clause tells by a word right before its noun or verb: 李医生的邮箱, 校长邮箱, 很多人对花生过敏.

Chinese needs no verb between an owner and a thing, nor an article before a person, so the one who is meant stands
bare before the words that announce a value. Where nobody stands there, the speaker is meant.
"""

# ruff: noqa: E501 (a list of words reads best on one line)
from __future__ import annotations

import re
from collections.abc import Collection
from functools import lru_cache

from forms_dynamics.language.clauses import clause_of, sentence_of
from forms_dynamics.language.lazy import lazy
from forms_dynamics.language.normal import normal
from forms_dynamics.language.numerals import lowered
from forms_dynamics.language.voices import FIRST, KIN_ZH

SURNAMES = "赵钱孙李周吴郑王冯陈褚卫蒋沈韩杨朱秦尤许何吕施张孔曹严华金魏陶姜戚谢邹喻柏水窦章云苏潘葛奚范彭郎鲁韦昌马苗凤花方俞任袁柳酆鲍史唐费廉岑薛雷贺倪汤滕殷罗毕郝邬安常乐于时傅皮卞齐康伍余元卜顾孟平黄和穆萧尹姚邵湛汪祁毛禹狄米贝明臧计伏成戴谈宋茅庞熊纪舒屈项祝董梁杜阮蓝闵席季麻强贾路娄危江童颜郭梅盛林刁钟徐邱骆高夏蔡田樊胡凌霍虞万支柯昝管卢莫经房裘缪干解应宗丁宣贲邓郁单杭洪包诸左石崔吉钮龚程嵇邢滑裴陆荣翁荀羊甄曲家封芮储靳糜松井段富巫乌焦巴弓牧隗山谷车侯宓蓬全郗班仰秋仲伊宫宁仇栾暴甘斜厉戎祖武符刘景詹束龙叶幸司韶郜黎蓟薄印宿白怀蒲邰从鄂索咸籍赖卓蔺屠蒙池乔阴能苍双闻莘党翟谭贡劳逄姬申扶堵冉宰郦雍桑桂濮牛寿通边扈燕冀郏浦尚农温别庄晏柴瞿阎充慕连茹习宦艾鱼容向古易慎戈廖庾终暨居衡步都耿满弘匡国文寇广禄阙东欧利师巩聂关荆"

_ROLE = (
    "患者|病人|病友|病号|产妇|家属|家长|亲属|学生|同学|学员|老师|教师|导师|教练|教授|博士|讲师|班主任|校长|院长|园长|班长|组长|队长|店长|厂长|部长|处长|科长|局长|会长|董事长|"
    "行长|所长|站长|主任|主管|主席|书记|经理|总监|总裁|老总|老板娘?|领导|上司|医生|大夫|医师|护士|护工|药师|律师|会计|出纳|秘书|助理|客服|客户|顾客|客人|嘉宾|来宾|"
    "司机|师傅|保姆|阿姨|房东|房客|租客|中介|供应商|对接人|负责人|创始人|工程师|设计师|程序员|采购员?|业务员|销售员?|员工|职员|同事|工人|乘客|旅客|游客|选手|队员|候选人|应聘者|受访者|志愿者|孩子|小孩|小朋友|宝宝|婴儿|老人|"
    "先生|女士|小姐|太太|夫人|同志"
)
_MANY = r"(?:(?:很多|好多|许多|不少|有些|有的|多数|大多数|少数|部分|所有|全部|每个?|一些|几|数|两|[一二三四五六七八九十百]+|\d+)(?:多)?(?:个|名|位|成|分之[一二三四五六七八九十])?的?)"
# words that begin like a surname: 怀疑, 应该
_NO_NAME = r"(?!怀疑|应该|应当|经常|常常|平时|平常|时候|曾经|从[小来不此前]|于是|安排|和我|支付|解释|支持|计划|任何|成为|相[信同]|万一|全[都家部]|单独|单位|空白|幸好|终于|强烈|严重|明[天年明]|高度|简单|温和|方便|习惯|国家|司机|干脆|白天|后来)"
_NAME = rf"{_NO_NAME}[{SURNAMES}](?![用位急歌时常定])[\u4e00-\u9fff]{{1,2}}"
_NICK = rf"[小老阿](?:[{SURNAMES}明强红刚华丽芳军勇杰])"
# somebody by what they are, with or without a name on either side: 李医生, 患者王敏, 李雷妈妈, 三个学生, 很多人
_BY_ROLE = rf"(?:{_MANY}(?:人|{_ROLE})(?:们|里|中)?|(?:(?![和从于都向经])[{SURNAMES}])?(?:{_ROLE}|{KIN_ZH})们?(?:{_NAME})?|[{SURNAMES}](?:总|工|董|局|处|科|院|老|哥|姐|叔|伯))"
_PERSON_AT_END = lazy(rf"(?P<who>{_BY_ROLE})$")
_NAME_AT_END = lazy(
    rf"(?:^|请?(?:记住?|记一下|记下|备注|更新|修改)|知道|听说|发现|得知|记得|看到|[，,、：:\s])(?P<who>{_NAME}|{_NICK})$"
)
# 小雨邮箱: a pet name alone before the noun
_PET_NAME = lazy(r"(?P<who>[小阿](?![时区店组学号院孩吃额数型程计队型费票])[\u4e00-\u9fff])$")
_CALLED = lazy(r"(?:叫做?|名叫|我是|是|名字|姓名|名称|称呼|联系人)\s*(?:[:：]|是|为)?\s*$")
_OWNER = lazy(r"(?:(?:家|那边|那里|本人|他|她)?的|(?<=[\u4e00-\u9fff])['’]s)\s?$")
_MYSELF = lazy(r"(?:我|俺|咱|自己|本人|个人|私人)们?(?:自己|本人|个人)?(?:家里?)?$")
_WITH_ME = lazy(r"(?:和|跟|与)$")
# what says which one and not whose: 新的邮箱, 常用的邮箱, 能收到通知的邮箱
_WHICH = lazy(
    r"(?:新|旧|老|备用|唯一|主要|正确|准确|真实|真正|实际|正式|官方|完整|详细|具体|现在|目前|如今|当前|最新|最终|以前|之前|原来|原先|过去|今后|以后|平时|平常|日常|工作|家|家里|公司|单位|学校|上班|上学|"
    r"联系|联络|注册|绑定|登录|登陆|收件|接收|上面|下面|以下|如下|刚才|刚刚|这里|那里|另外|其他|身份证上?|证件上?|户口本上?|护照上?|档案[里中上]?|[阳阴农公新旧]历|"
    r"[用收发寄送填写留说报记改换要能有在到看查登存给]|[你您])$"
)
_ABLE = lazy(r"(?:能|可以?|用来|用于|方便|经常|随时)")
# what may stand before the verb of a speaker who is not named
_LEADS_IN = lazy(
    r"(?:从小|自小|打小|小时候|生来|天生|一直|始终|向来|也|还|都|又|再|只|就|才|特别|非常|极其|十分|很|严重|比较|有点儿?|有些(?!人)|稍微|轻度|重度|本来|原来|其实|确实|的确|真的|可能|好像|似乎|大概|应该|估计|也许|或许|"
    r"目前|现在|如今|当前|最近|近期|已经?|早就|刚刚?|今年|去年|前年|明年|后年|今天|昨天|前天|明天|后天|[上下这本]个?(?:周|月|星期|礼拜)[一二三四五六日天末]?|周末|[年月]底|[年月]初|\d+年|\d+月份?|\d+[日号]|"
    r"另外|还有|而且|并且|同时|因为|由于|因|所以|但是?|不过|只是|尤其|主要|请?(?:注意|记住|记得|记一下|记下|备注|记录|知悉)(?:一下)?|提醒(?:一下|你|您)?|补充(?:一下)?|说明(?:一下)?|顺便|对了|嗯+|哦|呃|啊|哎|你好|您好|"
    r"平时|平常|以前|之前|曾经?|过去|从前|后来|以后|结果|过敏原|检[查测]|体检|化验|医院|查出来?|测出来?|出来?|发现|显示|确诊|诊断|得知|知道|怀疑|疑似|准备|打算|计划|要|会|想|将要?|即将|马上|快要?|决定|终于|"
    r"全家|举家|一家人?|个人|自己|长期|常年|一般|人|家|工作|被|是|为|有|在|说|如果|要是|假如|万一|和|跟|与|吗|呢|不|没有?|并|"
    r"fyi|btw|ps|hi|hello|note|and|also|but|because|[\s\d.:：、\"“”‘’'(（)）*·—-])*"
)
_ADDRESSED = lazy(r"\s*(?:[,，]|你|您|早|好|请|麻烦|帮|在吗|辛苦|谢谢|$)")


@lru_cache(maxsize=2048)
def another_subject(text: str, low: int, start: int, verb: bool = False, persons: bool = False) -> str | None:
    """Who is named as the one of whom a value at ``start`` is told, where that is not the speaker; else None.

    ``low``: where the words that announce the value begin (邮箱, 对 in 对花生过敏). ``verb``: they are a verb, whose
    subject stands right before them; else a noun, with an owner. ``persons``: a thing that owns it (海蓝电子的)
    does not count.
    """
    if text.isascii():
        return None
    said = lowered(text)
    head = clause_of(text, low, low + 1)[0]
    if not verb:
        for owner in re.finditer("的", text[low:start]):
            if (
                found := _owner(text[head : low + owner.end()], said[head : low + owner.end()], persons)
            ) is not None:
                return found
    if FIRST.search(said, low, start if verb else low + 2):
        return None  # 叫我, 我对: the words themselves say whose
    before, plain = text[head:low], said[head:low]
    found = _doer(before, plain) if verb else _owner(before, plain, persons)
    if found is not None:
        return found
    return None if FIRST.search(plain) else _before(text, said, head)


def _owner(before: str, said: str, persons: bool) -> str | None:
    """李医生的, 校长, 海蓝电子的 before a noun."""
    if (mark := _OWNER.search(before)) is None:
        pet = _PET_NAME.fullmatch(before.strip())
        return pet["who"] if pet is not None else _somebody(before)
    noun = before[: mark.start()].rstrip()
    if not noun or _MYSELF.search(noun):
        return None
    first = FIRST.search(said[: len(noun)]) is not None
    if (found := _somebody(noun)) is not None:
        with_me = first and _WITH_ME.search(noun[: len(noun) - len(found)])
        return None if with_me else found
    if persons or first or _WHICH.search(noun) or _LEADS_IN.fullmatch(said[: len(noun)]) or _ABLE.match(noun):
        return None
    return re.split(r"[\s：:]", noun)[-1] or None


@lru_cache(maxsize=2048)
def owner_before(text: str, at: int) -> str | None:
    """What a Chinese clause says the noun at ``at`` to be of (黑珍珠 in 黑珍珠的体重); None where it is the speaker's, or
    the words only say which one (新的体重)."""
    if text.isascii() or not text[:at].rstrip().endswith("的"):
        return None
    head = clause_of(text, at, at + 1)[0]
    return _owner(text[head:at], lowered(text)[head:at], False)


def _doer(before: str, said: str) -> str | None:
    """很多人, 患者王敏, Tom before a verb."""
    if FIRST.search(said):
        tail = re.sub(r"(?:从小|一直|也|还|都|特别|非常|很|现在|今年|去年|刚刚?|最近)+$", "", before)
        return None if _MYSELF.search(tail) else _somebody(tail)
    return None if _LEADS_IN.fullmatch(said) else before.strip() or None


def _somebody(words: str) -> str | None:
    """The person whom the last of the words name; not one by whose name the speaker is introduced (我叫张伟)."""
    for pattern in (_PERSON_AT_END, _NAME_AT_END):
        found = pattern.search(words)
        if found is not None and not _CALLED.search(words, 0, found.start("who")):
            return found["who"]
    return None


_BEGINS = lazy(
    rf"(?:那个|这个|这位|那位|有个|有位)?(?P<who>(?:{_NAME})?(?:{_BY_ROLE})(?:{_NAME})?|(?:{_NAME})(?=是|在|住|今年|刚|的))"
)


def _before(text: str, said: str, head: int) -> str | None:
    """Whom the sentence was about before a clause without a subject: 患者王敏，30岁，对青霉素过敏."""
    first = sentence_of(text, head, head + 1)[0]
    while first < head:
        end = clause_of(text, first, first + 1)[1]
        if end >= head:
            end = head
        lead = len(text[first:end]) - len(text[first:end].lstrip(" ，,、；;"))
        found = _BEGINS.match(text, first + lead, end)
        if found is not None and not FIRST.search(said, found.end(), head):
            bare = not text[found.end() : end].strip(" ，,、；;：:")
            named = len(found["who"]) > 2 and re.match(r"患者|病人|学生|员工|客户|学员|候选人", found["who"])
            if named or not (bare or _ADDRESSED.match(text, found.end(), end)):
                return found["who"]
        first = max(end, first) + 1
    return None


_SAVE = r"(?:\b(?:except(?:ing)?|excluding|unlike|besides|apart|aside|other|compared|save)(?: for| from| than| to| with)?(?: the)?\s+|\b(?:all|every|everything|everyone|everybody|none|nobody)(?: [a-z]+){0,3} but(?: the)? |除去?了?|不[像同如]于?|[比跟]起?)"
_THEIR_OWN = (
    r"(?:['’]s? (?:(?:older|elder|younger|big|little|new|old|former|own|best|good|next[- ]door) )*"
    r"(?P<en>brother|sister|wife|husband|partner|mother|father|mum|mom|dad|son|daughter|child|cousin|uncle|aunt|nephew|niece|friend|neighbou?r|deputy|"
    r"assistant|boss|manager|colleague|coworker|secretary|apprentice|successor|predecessor|replacement|landlord|tenant|team|flatmate|roommate)s?\b"
    r"|的?(?P<zh>弟弟|哥哥|姐姐|妹妹|兄弟|姐妹|老公|老婆|丈夫|妻子|爱人|爸爸|妈妈|父亲|母亲|儿子|女儿|孩子|表哥|表弟|堂哥|堂弟|叔叔|舅舅|朋友|邻居|助手|助理|副手|同事|老板|领导|徒弟|师傅|秘书|前任|继任|室友|团队))"
)


_ALL_BUT = lazy(
    r"除[了去开]?[^，。,;；\n]{1,16}?(?:以外|之外|外)?[，,]?[^。；;\n]{0,8}?(?:所有|全部|其他|其它|其余|每|都)|"
    r"\b(?:all|every|everyone|everybody|each|any)\b[^.;!?\n]{0,30}\b(?:but|except|excepting|excluding|besides|apart from|aside from|other than)\b|"
    r"\b(?:except|excepting|excluding|besides|apart from|aside from|other than)\b[^.;!?\n]{0,40}\b(?:all|every|each|everyone|everybody|the (?:other|rest))\b"
)


def all_but(text: str, start: int, end: int) -> bool:
    """Whether the words are said of all but those named: 除了A-1，其他都付清了, "all but A-1 are paid"."""
    said = lowered(text)
    head, tail = sentence_of(text, start, end)
    return any(found.start() < end for found in _ALL_BUT.finditer(said, head, tail))


def set_aside(text: str, name: str, labels: Collection[str] = ()) -> bool:
    """Whether ``name``, in normal form, stands in the text only as what the rest is not said of: "all but A-1", 除了A-1,
    or as whose brother, deputy or neighbour it is said of. ``labels``: words for what a thing of that name has itself."""
    said = normal(text)
    whole = re.escape(name) + (r"(?![\w-])" if name[-1:].isascii() else "")
    own = re.compile(whole + _THEIR_OWN)

    def another(found: re.Match[str]) -> str:
        word = found["en"] or found["zh"]
        return found[0] if any(word in label for label in labels) else ""

    return name in said and name not in own.sub(another, re.sub(_SAVE + whole, "", said))


__all__ = ["SURNAMES", "all_but", "another_subject", "owner_before", "set_aside"]
