"""Whose fact a clause tells: the speaker's own, or that of a relative, a friend, a rival, someone quoted."""

# ruff: noqa: E501 (a pattern reads best on one line)
from __future__ import annotations

import re
from functools import lru_cache

from forms_dynamics.language.clauses import clause_of, sentence_of
from forms_dynamics.language.lazy import last_match, lazy, matches
from forms_dynamics.language.numerals import lowered

# people of a speaker's. The nearest relatives, first those who need no 我 before them: 妈妈的邮箱是…
_NEAREST_ZH = (
    "爸爸 妈妈 父亲 母亲 丈夫 老公 妻子 老婆 儿子 女儿 哥哥 姐姐 弟弟 妹妹 爷爷 奶奶 外公 外婆 姥姥 姥爷 叔叔 舅舅 姑姑 "
    "岳父 岳母 孙子 孙女"
).split()
_NEAREST_AFTER_MINE_ZH = "爸 妈 父母 爱人 闺女 孩子 哥 姐 阿姨 公公 婆婆".split()
# other people, likewise
_OTHER_ZH = (
    "伯父 伯母 伯伯 婶婶 婶子 姑妈 姑父 姨妈 姨父 姨夫 舅妈 舅母 嫂子 姐夫 妹夫 弟媳 侄子 侄女 外甥 外甥女 外孙 外孙女 "
    "表哥 表姐 表弟 表妹 堂哥 堂姐 堂弟 堂妹 丈母娘 媳妇 女婿 儿媳 未婚夫 未婚妻 男朋友 女朋友 男友 女友 "
    "闺蜜 室友 舍友 同桌 同事 邻居 下属 部下"
).split()
_OTHER_AFTER_MINE_ZH = (
    "爹 娘 弟 妹 伯 大伯 叔 婶 姑 姑夫 姨 舅 嫂 弟妹 侄儿 儿媳妇 爸妈 阿爸 阿妈 阿公 阿婆 爹地 妈咪 干爹 干妈 继父 继母 养父 养母 "
    "老爷子 老太太 老头 老头子 老伴 老伴儿 老两口 爷们 当家的 那口子 对象 前任 前夫 前妻 娃 娃儿 宝宝 丫头 小子 家人 亲戚 "
    "朋友 哥们 兄弟 发小 同学 老同学 战友 老乡 队友 搭档 合伙人 老板 领导 上司 上级 经理 手下 员工 助理 秘书 "
    "房东 保姆 教练 师傅 徒弟 师兄 师姐 师弟 师妹 老师 导师 学生 学长 学姐 学弟 学妹"
).split()


def _any_of(*lists: list[str]) -> str:
    """The alternatives of a pattern, longest first: 我姐夫 is not 我姐."""
    return "|".join(sorted((word for words in lists for word in words), key=lambda word: (-len(word), word)))


_CLEAR_KIN_ZH = _any_of(_NEAREST_ZH, _OTHER_ZH)
KIN_ZH = _any_of(_NEAREST_ZH, _NEAREST_AFTER_MINE_ZH, _OTHER_ZH, _OTHER_AFTER_MINE_ZH)
# a list of words that holds one of the nearest relatives is a list of relatives
RELATIVES = frozenset(
    (
        "mother mom mum mummy mommy mama father dad daddy papa parents wife husband spouse son daughter child children brother sister "
        "grandmother grandfather grandma grandpa uncle aunt cousin nephew niece 老爸 老妈"
    ).split()
    + _NEAREST_ZH
    + _NEAREST_AFTER_MINE_ZH
)
OTHERS_ZH = (
    "邻居|隔壁(?:公司|部门|组|老\\w|家|桌|的)?|同行|竞争对手|竞品|对手(?!戏)|别人|人家|别家|有人|某人|"
    "某公司|网上|新闻上?|报道|前同事|前公司|上一家公司|友商"
)
_KIN_EN = (
    "neighbou?rs?|friends?|dad|father|mum|mom|mother|parents|brother|sister|siblings?|wife|husband|spouse|"
    "partner|fianc[eé]e?|boss|manager|supervisor|colleagues?|co-?workers?|sons?|"
    "daughters?|kids?|child|children|uncle|aunt|cousins?|nephew|niece|roommates?|flatmates?|housemates?|"
    "girlfriend|boyfriend|ex(?:-(?:wife|husband|boss|colleague))?|landlord|buddy|mate|"
    "daddy|papa|pa|pops|mommy|mummy|mama|ma|folks|old man|old lady|sis|bro|hubby|missus|wifey|granny|nana|gran|toddler|baby|"
    "step(?:mother|father|mom|dad|son|daughter|brother|sister)|god(?:mother|father|son|daughter)|"
    "pal|grand(?:ma|pa|mother|father|parents|son|daughter)|in-laws|mother-in-law|father-in-law|"
    "brother-in-law|sister-in-law|classmates?|teammates?|teacher|mentor"
)
_SUBJECT = lazy(
    rf"(?P<kin>(?:我们?|俺们?|咱们?)(?:的|家|家的)?(?:一个|那个|个)?(?:老|小|大|二|前)?(?:{KIN_ZH})(?!圈|"
    rf"店|会|节)|(?:有个|有一个|一个|有位|一位)(?:老|前|大学|小|好)?(?:{KIN_ZH})|(?<=[他她])"
    rf"(?:的)?(?:{KIN_ZH})|(?:(?<![\u4e00-\u9fff])|(?<=以下)|(?<=记下)|(?<=一下)|(?<=另外)|(?<=还有)|(?<=那个))(?:我那个)?(?:小|大|老|二|三)?(?:{_CLEAR_KIN_ZH})(?=的|他|她|在|是|叫|家|就|也|今年|喜欢|爱|不|最|住))(?P<name>[小老阿][\u4e00-\u9fff])?"
    rf"|(?P<other>{OTHERS_ZH})"
    rf"|\b(?P<en>(?:my|our|his|her|their|your)(?: (?:old|best|good|elder|older|younger|little|big|former|"
    rf"dear|late|ex|new))* (?:{_KIN_EN})|an? (?:good |old |close )?(?:friend|colleague|neighbou?r|"
    rf"guy i know|mate)(?: of (?:mine|ours))?|"
    rf"the neighbou?rs?|(?:our |my |the |a )?(?:competitors?|rivals?)|someone(?: else)?|somebody(?: else)?|"
    rf"some people|other people|others|people (?=say))(?:'s)?\b"
    r"|\b(?P<pronoun>he|she|they|his|her|their)\b|(?P<pro>(?<![其吉])他们|她们|(?<![其吉])他(?!人)|她)"
)
FIRST = lazy(
    r"(?:我们|咱们|咱|俺们|俺家|俺|我方|我司|本公司|敝司|本人|我(?!爸|妈|爹|娘|哥|姐|弟|妹))|\b(?:i|i'm|"
    r"i've|i'd|i'll|we|we're|we've|we'd|we'll|our|my|us|me|mine|ours)\b"
)
SAYS = lazy(
    r"(?:说|表示|告诉|透露|提到|觉得|认为|声称|讲|问|建议|推荐|听)(?:了|过|我|我们|的是)?[:：“\"「]?\s*|"
    r"\b(?:said|says|say|told|tells|claims?|claimed|thinks?|thought|mentioned|reckons|believes|heard|asked|"
    r"suggest(?:s|ed)|recommend(?:s|ed)|wrote|insists?)\b"
)
# the firm's own people deciding for the firm
_DECIDES = lazy(
    r"\s*(?:已经?|都|刚|今天|昨天|也|终于|最后|最终|那边|这边)*(?:批|同意|批准|通过|拍板|定了|定下|确认|"
    r"点头|签字|敲定|给了我们|授权|要求我们)|\s*(?:has |have |just |already |finally )*(?:approved|"
    r"signed off|agreed|confirmed|okayed|gave us|gave me|authori[sz]ed|allocated|green-?lit|decided|set)\b"
)
_WITH = lazy(
    r"(?:和|跟|与|给|帮|陪|带|带着|带上|为|替|请|同|送|接|叫|约|让|找|向|对|比|像|离|去|连)(?:了)?$|"
    r"\b(?:with|for|to|and|me and|by|from|like|than|of|bring|bringing|take|taking|invite|meet|meeting|ask|"
    r"tell|call|visit|plus|about)\s*$"
)
_AND_I = lazy(r"\s*(?:和|跟|与)我(?!爸|妈|朋友)|\s*(?:and (?:i|me)\b)")


_TELLERS_ZH = (
    "老板娘?|老板|领导|上司|经理|总监|主管|总经理|财务|采购|销售|业务员|店长|厂长|师傅|同事|秘书|助理|会计|老师|医生|"
    "房东|中介|供应商|有人|朋友|邻居|大家|别人|人家|对方|他们|她们|他|她|[老小阿](?![实话声心时])[\u4e00-\u9fff]|"
    "[\u4e00-\u9fff]{1,2}(?:总|经理|总监|主任|老师|师傅|先生|女士|工)"
)
_SAYS_ZH = r"(?:说(?!好了?的|定|明|错|了算|不定|服|到|法|实|真|可以|行|同意|没问题|过要)|表示|告诉|声称|宣称|称(?![为呼])|透露|提到|讲(?!究|价|好)|写(?:了|的|道|着))"
# anybody else by a name or an office (陈刚说, 检验员说), where the words before 说 are none of those that lead in (比如说, 听说)
_ANYBODY_ZH = (
    r"(?!我|俺|咱|客[户人]|用户|买家|甲方|大家|[不再也都就总换这那按话照虽怎该当要想能会先别直还又只光难没好从对跟和与向给把被让听据老如若假所正俗难从]|比如|例如|譬如|刚|应[该当]|一般|坦白|简单|可[以能]|或[者许]|也|"
    r"具体|严格|相[对反]|通常|说|合同|[上前下之以]|昨|今|明|早|晚|最|其|实|准确|大体|一|二|三|有|网|书|手册|文件|邮件|短信|备注|记录|系统|同[时样]|另外|必须|毫不|平[时常]|经常|方便|顺便|随便|多半|尤其|特别)"
    r"[\u4e00-\u9fff]{2,4}?"
)
# a Latin name or title before a Chinese verb of telling; the text is in lower case here
_TELLERS_LATIN = (
    r"(?!(?:i|we|you|it|this|that|the|as|and|but|so|my|our|budget|deadline|email|quote|price|status|order|ok)\s?(?:说|讲|写|告|表|提))"
    r"(?<![a-z])(?:(?:my|our|the) )?[a-z][a-z'’.-]+(?: [a-z][a-z'’.-]+)?"
)
# who tells it: 老板说预算50万, 王总告诉我…
_TOLD_ZH = lazy(
    rf"(?:^|(?<=[，,。；;：:！!？?\s“”\"‘’「」])|(?<=是)|(?<=听)|(?<=刚才)|(?<=昨天)|(?<=今天)|(?<=我们)|(?<=我)|(?<=咱们))"
    rf"(?P<who>(?:那个?|这个?|我们?的?)?(?:{_TELLERS_ZH}|{_TELLERS_LATIN}(?=\s?[^写称a-z\s]{{1,6}}?(?:诉|说|示|到|露|讲)|\s?[说讲])))\s?(?:刚才?|昨天|今天|早上|上次|之前|已经|也|都|总是?|又|跟|对|和|给|向|我们?|大家|在会上|明确|一直|还|前几天|曾经?)*{_SAYS_ZH}|"
    rf"(?:^|(?<=[，,。；;：:！!？?\s]))(?P<name>{_ANYBODY_ZH})(?:刚才|昨天|今天|早上|已经|也|都|又|跟我|对我|和我|向我|给我|明确|一直|还)?(?:说(?!好|的|定|明|错|了算|不定|服|到|法|实|真|可以|行|同意|没问题|过要|一|下|话|起|清)|告诉我|透露)|"
    rf"(?:^|(?<=[，,。；;：:！!？?\s]))(?P<body>(?!我|俺|咱|本人|个人|客[户人]|用户|买家|甲方|大家)[\u4e00-\u9fff]{{2,8}}?)(?:认为|觉得|声称|宣称|估计|猜测)(?!我)|"
    rf"(?P<none>据说|据传|传闻|网传|听人说|据(?=[^，。]{{1,10}}(?:说|称|讲|透露|介绍|了解)))"
)
_TOLD_EN = lazy(
    r"(?:(?P<who>\b(?:[Tt]he|[Mm]y|[Oo]ur|[Hh]is|[Hh]er|[Tt]heir|[Aa]) (?:[a-z]+ )?(?:boss|manager|director|supervisor|colleague|coworker|co-worker|friend|accountant|"
    r"secretary|assistant|landlord|mechanic|doctor|dealer|vendor|supplier|contractor|salesman|salesperson|guy|man|woman|lady|team|finance|neighbou?r|teacher|agent|wife|husband|brother|sister|mother|father|mom|dad|uncle|aunt|cousin)|"
    r"\b(?:[Hh]e|[Ss]he|[Tt]hey|[Ss]omeone|[Ss]omebody|[Pp]eople)|\b(?!(?:I|We|You|It|This|That|The|As|And|But|So|What|Email|Message|Report|Contract|Document|Invoice|Quote|Budget|Client|Customer)\b)[A-Z][a-z]+(?: [A-Z][a-z]+)?|(?<![\u4e00-\u9fff])(?:我们?的?)?(?:"
    + _TELLERS_ZH
    + r"))"
    r" ?(?:just |also |already |has |have |had |once |always |keeps? |clearly )*(?:said|says|say|saying|told (?:me|us|everyone|them)|tells (?:me|us)|claims?|claimed|mentioned|wrote|thinks?|thought|reckons?|insists?|insisted|reported|stated|states|swears|believes?)\b"
    # whoever only thinks so
    r"|\b(?:[Tt]he|[Oo]ur|[Mm]y|[Aa]n?|[Ss]ome|[Mm]ost|[Mm]any|[Oo]ther) (?P<body>(?!clients?\b|customers?\b|buyers?\b|users?\b)[a-z]+(?: (?!and\b|but\b)[a-z]+)?) (?:thinks?|thought|believes?|believed|reckons?|claims|claimed|insists?|argues?|guesses)\b(?! (?:is|are|was|were|of|for|to|at|has|number)\b|['’:=#])"
    r"|\b(?P<hear>(?:[Ii]|[Ww]e)(?:['’]ve| have)?(?: just| also)? (?:heard|was told|were told)|[Ww]ord has it|[Rr]umou?r has it|[Tt]hey say|[Pp]eople say)\b(?! (?:you|back|from|of|about|nothing)\b)"
    r"|\b[Aa]ccording to (?P<to>(?:the |my |our )?[\w'’-]+))"
)
# the words stand in quotation marks, and somebody else's they are: “预算50万”这句话是他说的
_QUOTED_BY = lazy(
    r"[^“”\"'‘’「」]{0,12}[”\"'’」][，,\s]*(?:"
    rf"(?:这句?话?|这个?(?:数字?|说法)?|那句?话?)?(?:都|也|其实)?是?(?P<zh>{_TELLERS_ZH})(?:之?前|昨天|今天|刚才)*(?:说|讲|写|提|编)|"
    r"(?:(?:is|was|were|are|'s) (?:what |how |something |from )?|came from |comes from |said |says |wrote |according to )?(?P<en>(?:[Hh]e|[Ss]he|[Tt]hey|[Hh]im|[Hh]er|[Tt]hem|(?:the|my|our) [a-z]+|(?!I\b)[A-Z][a-z]+))\b(?: (?:said|says|wrote|told|claimed|put it)|\s*[.,!]?\s*$|['’]s words))"
)
_OPEN = lazy("[“\"'‘「]")
# what may stand between the teller and what is told; a new sentence ends the telling
_OWN_AGAIN = lazy(
    r"[，,；;]\s*(?:但是?|不过|可是?|而)?(?:我们?|咱们?|我司)(?!的老板|老板)|\b(?:but|however|whereas) (?:i|we|my|our|i'm|we're)\b"
)
_TELLS = ("认为", "觉得", "估计", "猜测", "说", "告诉", "表示", "称", "透露", "提到", "讲", "据", "传", "写")
_TELLS_EN = (
    "said", "say", "told", "tells", "claim", "mention", "wrote", "think", "thought", "reckon", "insist", "report",
    "state", "swear", "argue", "guess", "estimate", "believe", "according", " him", " her", " them", " from ", "heard", "has it", "they", "people",
)  # fmt: skip


@lru_cache(maxsize=1024)
def may_tell(text: str) -> bool:
    """Whether ``text`` holds a word of telling; right when it says no."""
    if not text.isascii() and any(word in text for word in _TELLS):
        return True
    said = lowered(text)
    return any(word in said for word in _TELLS_EN)


def _teller(text: str, said: str, start: int, end: int) -> str | None:
    """Who is quoted with the words, in the same sentence: "Tom said the budget is $50k"."""
    head, tail = sentence_of(text, start, end)
    if _OPEN.search(said, max(head, start - 24), end) and (m := _QUOTED_BY.match(text, end, tail)):
        return m["zh"] or m["en"]
    last = None if text.isascii() else last_match(_TOLD_ZH, said, head, start)
    last = last or last_match(_TOLD_EN, text, head, start)
    if last is None or any(matches(_OWN_AGAIN, said, last.end(), start)):
        return None
    return next((who for who in last.groupdict().values() if who), None)


def quoted(text: str, start: int, end: int) -> str | None:
    """Who is quoted with the words (老板 in 老板说我爸对虾过敏), or None."""
    return _teller(text, lowered(text), start, end) if may_tell(text) else None


@lru_cache(maxsize=1024)
def names_anyone(text: str) -> bool:
    """Whether ``text`` names anybody besides the speaker."""
    return _SUBJECT.search(lowered(text)) is not None


_PRONOUNS = frozenset("他 她 它 他们 她们 人家 对方 he she they it him her them his their its".split())


def pronoun(who: str) -> bool:
    """Whether words of :func:`third_party` only point back at whom the conversation is about."""
    return who.casefold().strip() in _PRONOUNS


@lru_cache(maxsize=4096)
def third_party(text: str, start: int, end: int) -> str | None:
    """The words that name someone else as the one the clause is about ("My neighbour Jakub", 我爸), or None.

    "我们公司", "our company" are the speaker; a boss who approves decides for the speaker's firm; with whom
    or
    for whom something is done is no subject. Reported speech (他说…, "he told me …") counts as the teller's.
    """
    said = lowered(text)
    if may_tell(text) and (teller := _teller(text, said, start, end)) is not None:
        return teller
    if not names_anyone(text):
        return None
    low, high = clause_of(text, start, end)
    found = _subject(text, said, low, min(high, max(start, low)), start)
    if found is not None:
        return found
    if _inside_subject(said, low, start, high):
        return text[start:end]
    return _inherited(text, said, low, start)


def other_person(text: str, start: int, end: int) -> int | None:
    """Where ``text[start:end]`` begins to speak of a person who is named by a word, not by a pronoun."""
    for found in _SUBJECT.finditer(lowered(text), start, end):
        if not (found["pronoun"] or found["pro"]) and _counts(lowered(text), found, start):
            return found.start()
    return None


def own(text: str, start: int, end: int) -> bool:
    """Whether the words are told of the speaker by a word for the speaker in their clause, before them."""
    low = clause_of(text, start, end)[0]
    return FIRST.search(lowered(text), low, end) is not None and third_party(text, start, end) is None


def with_whom(text: str, start: int) -> bool:
    """Whether what begins at ``start`` is only somebody with whom or for whom a thing is done: 给我妈, "with my
    dad"."""
    return _WITH.search(lowered(text)[max(0, start - 12) : start]) is not None


def _subject(text: str, said: str, low: int, high: int, start: int) -> str | None:
    """The last other person named in ``said[low:high]`` as a subject, unless the speaker is named behind."""
    last: re.Match[str] | None = None
    # the value may begin with the person's words: look at those, too
    for found in _SUBJECT.finditer(said, low, min(len(said), high + 14)):
        if found.start() > start or not _counts(said, found, low):
            continue
        if found.end() > high and found.start() < start < found.end():
            continue
        last = found
    if last is None:
        return None
    between = said[last.end() : start]
    if (
        last.start() < start
        and (first := FIRST.search(between))
        and not SAYS.search(between[: first.start()])
    ):
        return None
    return _named(text, last)


def _named(text: str, found: re.Match[str]) -> str:
    """The words for the person; of a pronoun those of whom it stands for, where the text has named somebody."""
    if found["pronoun"] or found["pro"]:
        told = [
            f for f in _SUBJECT.finditer(lowered(text), 0, found.start()) if not (f["pronoun"] or f["pro"])
        ]
        found = told[-1] if told else found
    end = found.end()
    name = re.match(r"(?:,)? [A-Z][\w'’-]+", text[end : end + 30])
    return text[found.start() : end + (len(name.group()) if name else 0)].strip()


def _counts(said: str, found: re.Match[str], low: int) -> bool:
    before = said[max(low, found.start() - 12) : found.start()]
    if _WITH.search(before) and not re.search(r"(?:听|据)$|\baccording to $", before):
        return False
    behind = said[found.end() : found.end() + 24]
    if _AND_I.match(behind) or _DECIDES.match(behind):
        return False
    if found["pronoun"] or found["pro"]:
        if SAYS.match(behind.lstrip()):
            return True
        # "call my wife, her number is …": with whom or for whom a thing is done may be told of behind
        return any(not (f["pronoun"] or f["pro"]) for f in _SUBJECT.finditer(said, 0, found.start()))
    return True


def _inside_subject(said: str, low: int, start: int, high: int) -> bool:
    """The words are themselves a third person's: evidence "my friend's company"."""
    found = _SUBJECT.match(said, start, high)
    return (
        found is not None and found["pronoun"] is None and found["pro"] is None and _counts(said, found, low)
    )


def _inherited(text: str, said: str, low: int, start: int) -> str | None:
    """A clause without a subject of its own goes on about the one before it in the sentence."""
    if FIRST.search(said, low, start):
        # "he said, we have 50k" is still his telling
        head = sentence_of(text, start, start + 1)[0]
        prior = said[head:low].rstrip(' ，,:：“"「')
        named = list(_SUBJECT.finditer(prior))
        said_by = named[-1] if named else None
        if (
            said_by is not None
            and re.search(r"(?:说|表示|告诉我们?|said|told (?:me|us)|says)$", prior)
            and _counts(prior, said_by, 0)
        ):
            return _named(text[head:], said_by)
        return None
    head = sentence_of(text, start, start + 1)[0]
    last: re.Match[str] | None = None
    for found in _SUBJECT.finditer(said, head, low):
        if _counts(said, found, head):
            last = found
    if last is None or FIRST.search(said, last.end(), low):
        return None
    own = re.match(
        r"\s*(?:the|this|that|its?|there|delivery|payment|这|那|预算|报价|付款|交付|公司)", said[low:start]
    )
    if own and not SAYS.search(said, last.end(), low):
        return None
    return _named(text, last)
