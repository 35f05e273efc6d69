"""Who does what: the verb of a slot that names a doer (teaches of teacher, 负责 of 负责人), asked either way: "who teaches
it?", "what does Jo Reed teach?", 高梅负责哪块地.
"""

# ruff: noqa: E501 (a list of words and a pattern read best on one line)
from __future__ import annotations

import re
from collections.abc import Iterator
from typing import NamedTuple

from forms_dynamics.language.normal import has_han, normal
from forms_dynamics.retrieval.words import STRONG, kindred, stem
from forms_dynamics.schema.spec import Catalog, FormType, SlotSpec

# what is done, in both languages → pieces of the names of slots that say who does it; what a name says itself (driver,
# 检查员) is read from it
_ROLES: tuple[tuple[str, str, tuple[str, ...]], ...] = (
    ("教 授课 讲授 上", "teach tutor lecture coach", ("teacher", "tutor", "lecturer", "instructor", "coach", "老师", "教师", "讲师", "教练")),
    ("管 管理 负责 主管 分管 看管 照管", "manage run handle own keep head", (
        "keeper", "manager", "owner", "assignee", "responsible", "caretaker", "in_charge", "负责人", "管理员", "管理人", "主管", "保管人")),
    ("带 带队 领队 指导", "lead guide supervise mentor", ("leader", "supervisor", "guide", "captain", "mentor", "领队", "带队", "队长", "导师")),
    ("开 驾驶", "drive pilot", ("driver", "pilot", "司机", "驾驶员")),
    ("送 派送 配送 运送 运 拉", "deliver carry", ("courier", "driver", "carrier", "快递员", "配送员", "司机", "承运人", "承运商")),
    ("发现 找到 挖到 挖出 捡到", "find discover unearth", ("finder", "discoverer", "发现人", "发现者")),
    ("写 编写 创作", "write", ("author", "writer", "wright", "作者", "编剧", "撰稿")),
    ("买 购买 采购 订购", "buy purchase", ("buyer", "customer", "purchaser", "client", "买家", "买方", "客户", "采购人")),
    ("卖 出售 供货 供应", "sell supply", ("seller", "supplier", "vendor", "卖家", "卖方", "供应商", "供货商")),
    ("租 承租 租用", "rent lease hire", ("tenant", "renter", "lessee", "hirer", "租客", "租户", "承租人", "租方")),
    ("养 饲养 喂", "keep own feed", ("owner", "keeper", "feeder", "主人", "饲养员", "饲主")),
    ("修 维修 修理", "repair fix", ("mechanic", "repairer", "technician", "维修工", "修理工", "维修人", "师傅")),
    ("治 医治 诊治 主刀", "treat operate", ("doctor", "surgeon", "physician", "vet", "医生", "大夫", "主刀")),
)  # fmt: skip
_DOERS_ZH = "人者员官师方商"
_DOER_EN = re.compile(r"(?:er|or|ist|wright)$")
_NOBODY = re.compile(
    r"^(?:he|she|it|they|we|you|i|one|anyone|someone|everyone|who|that|this|these|those|there|the|an?|no|not|any|more|less|my|our|his|her|its|their)\b|\d|"  # a number is of a thing
    r"^[他她它我你您咱谁这那哪]|[谁哪们]$"
)
_DOES_EN = re.compile(
    r"\b(?:what|which|whom?|how many)\b[^?]*?\b(?:does|did|do|has|have|had) (?P<who>[^?]{2,40}?) "
    r"(?:been |currently |now |still |ever |all )*(?P<verb>look after|[a-z]{3,})(?= ?(?:[?.!,]|$)| (?:in|on|at|for|from|now|this|last|today|so|right)\b)"
)
_IS_DOER = re.compile(
    r"\b(?:what|which)\b[^?]*?\b(?:is|are|was|were) (?P<who>[^?]{2,40}?) (?:the |a |an )?(?P<verb>in charge of|responsible for|[a-z]{4,})(?: of| for)? ?[?.!]*$"
)
_WHO_EN = re.compile(
    r"\bwho(?:m|['’]s)?(?: (?:is|was|are|were|has|have|had|been|will|currently|now|actually|usually|else|originally|first))* (?P<verb>looks? after|looked after|in charge of|responsible for|[a-z]{3,})"
)
_TAIL_ZH = "(?:着|了|过|的)?(?:是)?(?:什么|啥|哪|几|多少)"


class Doer(NamedTuple):
    """A slot that says who does it."""

    type: str
    slot: str


class Doing:
    """The verbs of a catalog's doers; made once a catalog."""

    def __init__(self, catalog: Catalog) -> None:
        self.catalog = catalog
        chinese: dict[str, dict[Doer, None]] = {}
        english: dict[str, dict[Doer, None]] = {}
        for form_type in catalog:
            for spec in form_type.slots.values():
                if spec.type in ("text", "ref") and (spec.name,) not in {
                    tuple(k) for k in form_type.identity.keys
                }:
                    doer = Doer(form_type.name, spec.name)
                    for verb in _verbs(form_type, spec):
                        (chinese if has_han(verb) else english).setdefault(verb, {})[doer] = None
        self._chinese = {verb: tuple(doers) for verb, doers in chinese.items()}
        self._english = {verb: tuple(doers) for verb, doers in english.items()}
        verbs = "|".join(sorted(map(re.escape, chinese), key=len, reverse=True)) or "(?!)"
        self._does_zh = re.compile(
            f"(?P<who>[^，。？?！!、；;]{{2,24}}?)(?:现在|目前|一共|总共|今年|都|正在|在|还|曾经?|又)*(?P<verb>{verbs}){_TAIL_ZH}"
        )
        self._who_zh = re.compile(
            f"(?:谁|哪位|什么人)(?:现在|正在|在|来|去|给|帮忙?|一直)*(?P<verb>{verbs})(?!{_TAIL_ZH})|"
            f"是谁(?:来|在|去)?(?P<is>{verbs})|(?:归|由|被|让|交给|卖给|租给|租给了|卖给了)谁(?:来|在|去)?(?P<by>{verbs})?"
        )

    def who(self, text: str) -> tuple[tuple[int, int], tuple[Doer, ...]] | None:
        """Where a question says what is done, and the slots that say by whom: "who teaches it?"."""
        if found := _WHO_EN.search(text):
            doers = self._english.get(_kin(found["verb"]), ())
            if doers:
                return found.span("verb"), doers
        if found := self._who_zh.search(text):
            verb = found["verb"] or found["is"] or found["by"] or _GIVEN_TO.get(found.group()[0], "管")
            doers = self._chinese.get(verb, ())
            if doers:
                return found.span(next((g for g in ("verb", "is", "by") if found[g]), 0)), doers
        return None

    def does(self, text: str) -> tuple[tuple[int, int], tuple[int, int], tuple[Doer, ...]] | None:
        """Where a question names somebody and what they do, and the slots that hold them: 高梅负责哪块地."""
        for pattern in (_DOES_EN, _IS_DOER):
            found = pattern.search(text)
            if found is None or _NOBODY.search(found["who"]) is not None:
                continue
            # "does she supervise", "is she the supervisor of"
            noun = (
                _DOER_EN.search(found["verb"]) is not None or _MEANS_MANAGE.match(found["verb"]) is not None
            )
            if noun == (pattern is _IS_DOER) or found["verb"] == "look after":
                doers = self._english.get(_kin(found["verb"]), ())
                if doers:
                    return found.span("who"), found.span("verb"), doers
        if (found := self._does_zh.match(text)) and _NOBODY.search(found["who"]) is None:
            return found.span("who"), found.span("verb"), self._chinese[found["verb"]]
        return None


_GIVEN_TO = {"卖": "买", "租": "租"}  # 卖给谁: who buys it


def _kin(verb: str) -> str:
    verb = _MEANS_MANAGE.sub("manage", STRONG.get(verb, verb))
    while (short := kindred(verb) or stem(verb)) != verb:  # discovered: discover, and of discoverer, too
        verb = short
    return verb


_MEANS_MANAGE = re.compile(r"^(?:look(?:s|ed|ing)? after|in charge of|responsible for)$")


def _verbs(form_type: FormType, spec: SlotSpec) -> Iterator[str]:
    names = [normal(n.replace("_", " ")) for n in (spec.name, *spec.aliases)]
    for name in names:
        if has_han(name):
            if len(name) >= 3 and name[-1] in _DOERS_ZH:
                yield name[:-1]
        elif _DOER_EN.search(last := name.rpartition(" ")[2]) and _kin(last) != last:  # no order
            yield _kin(last)
    for chinese, english, pieces in _ROLES:
        if any(_called(piece, name) for piece in pieces for name in names):
            yield from chinese.split(" ")
            yield from map(_kin, english.split(" "))


def _called(piece: str, name: str) -> bool:
    return (
        name.endswith(piece)
        if has_han(piece)
        else re.search(rf"(?:^| |[a-z]){piece.replace('_', ' ')}s?(?: |$)", name) is not None
    )


__all__ = ["Doer", "Doing"]
