"""What a declared slot is about, and the words by which a message announces it.

Recognisers know a few things that people state without naming them ("我们是宁远化工", "net 45"). A slot takes
part in that when its name or an alias says that it holds such a thing: a user's own type works like a shipped
one. Everything else is announced by the slot's own aliases, cues and name.
"""

# ruff: noqa: E501 (a list of words reads best on one line)
from __future__ import annotations

import re
from collections import Counter
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import lru_cache
from typing import Literal, NamedTuple

from forms_dynamics.language.normal import has_han, normal
from forms_dynamics.language.spans import Apart
from forms_dynamics.schema.bare_words import bare_words
from forms_dynamics.schema.spec import Catalog, FormType, SlotSpec

# kind → names and aliases that declare it, in normal form
_KINDS: Mapping[str, frozenset[str]] = {
    kind: frozenset(words.split("|"))
    for kind, words in {
        "company": "company|company name|customer|customer name|client|firm|organisation|organization|公司|公司名|公司名称|客户名|客户名称|企业|企业名称|甲方",
        "employer": "employer|workplace|工作单位|就职公司",
        "person": "contact name|contact person|contact|full name|person|姓名|名字|联系人|联系人姓名",
        "preferred_name": "preferred name|preferred address|nickname|昵称|称呼",
        "role": "contact role|job title|role|position|职位|职务|岗位",
        "occupation": "occupation|profession|职业",
        "industry": "company type|industry|行业|所属行业",
        "terms": "payment terms|terms of payment|付款方式|付款条件|付款周期",
        "city": "city|home city|城市|居住城市|所在城市|现居地",
        "allergies": "allergies|allergy|过敏原|过敏源|过敏史",
        "liked": "liked|likes|preferences|food preference|喜好|偏好|爱好",
        "number": "order no|quote no|contract no|order number|quote number|contract number|合同编号|合同号|报价单号|报价编号|订单号|订单编号|单号|工单号|编号",
        "budget": "budget|total budget|预算|总预算",
        "deadline": "deadline|due date|due|delivery date|交期|截止日期|交付日期|期限|到期日|截止时间",
        "sign_date": "sign date|signing date|date of signing|签订日期|签约日期|签署日期",
        "valid_until": "valid until|expiry date|有效期|有效期至|有效期到",
        "valid_from": "valid from|effective date|生效日期",
        "birthday": "birthday|date of birth|生日|出生日期",
        "origin": "departure city|origin|departs from|from city|leaving from|出发地|出发城市|始发地|始发站|出发站",
        "destination": "arrival city|destination|arrives at|to city|going to|目的地|到达城市|到达地|到达站|终点站",
        "address": "address|home address|住址|地址|家庭住址",
    }.items()
}  # fmt: skip
_TYPED_KINDS = {"budget": "money", "deadline": "date", "sign_date": "date", "valid_until": "date", "valid_from": "date",
                "birthday": "date"}  # fmt: skip
# words that announce a kind beyond what a type declares; "<" marks those that follow their value
_MORE: Mapping[str, str] = {
    "budget": "预算|经费|底价|手上有|批到|批了|控制在|准备花|打算花|budget|can spend|willing to spend|set aside",
    "deadline": "by|before|截止|最晚|最迟|deadline|need it by|needed by|due by|no later than|<之前交付|<前交付|<之前上线|<前上线|<之前交货|<前交货|"
    "<之前完成|<前完成|<前完工|<之前要|<要上线|<要开盘|<要交付|<要开业|<上线|<开盘|<交付|<交货|<投产|<启用|<到货|<验收",
    "sign_date": "signed on|签订于|签署于|<签了|<签好|<签的|<签完|<签订|<签署|<签约",
    "valid_until": "有效期到|有效期至|有效至|valid until|valid till|valid through|valid to|expires on|good until|good till|good through|<到期|<有效",
    "valid_from": "effective from|有效期从|<起生效|<开始生效|<起有效|<开始有效|<后有效|<以后有效|<之后有效",
    "birthday": "生于|born on|<出生|<生日",
}
# words of every slot of a type whose values can hardly be anything else
_BY_TYPE: Mapping[str, str] = {
    "phone": "phone|phone number|telephone|tel|mobile|my number|new number|number is|reach me on|reach me at|call me on|call me at|"
    "text me at|电话|电话号码|手机|手机号|手机号码|联系电话|联系方式|号码",
    "url": "链接|网址|link|url",
    "email": "email|e-mail|email address|mail me at|email me at|邮箱|电子邮箱|邮箱地址",
}
# words of a slot that declares none, by its name: a bare ``amount: {type: money}`` is announced like any amount
_BARE: Mapping[str, str] = {
    "amount": "报价|总价|价格|单价|金额|合同价|合同金额|价钱|报了|price|quote|total|cost", "price": "报价|价格|单价|总价|quote|cost",
    "size": "规模|size", "total": "总价|总额|合计", "due": "时间定在|日期定在|截止|have it|need it|due|<之前|<前|<截止",
    "date": "日期|时间定在|date", "deadline": "截止|时间定在|have it", "quantity": "数量|quantity|qty|<pieces|<pcs|<units|<件|<台|<套",
    "priority": "优先级|priority", "status": "状态", "name": "姓名|名字", "title": "标题", "city": "城市", "address": "地址",
    "colour": "颜色|color", "color": "颜色|colour", "items": "物品|明细", "order no": "订单|订单号|order", "quote no": "报价单|报价单号|quote",
    "contract no": "合同号|合同编号|contract", "invoice no": "发票号|invoice", "company": "公司|客户", "start": "开始时间", "end": "结束时间",
}  # fmt: skip
# words of a relation between any two things: alone they announce nothing
_WEAK = frozenset(
    (
        "at by from for net due with as in on to it's its i'm im i am we are this is offer call upfront total price status name title date time kind type role "
        "job result error items products owner place note notes number amount position goal"
    ).split()
) | {"this is", "i am", "we are", "find", "a"}
# what anything can have: said of a hotel or a pen, it is no quote's
_GENERIC = frozenset(["价格", "单价", "总价", "金额", "价钱", "price", "prices", "total", "amount"]) | {
    "unit price",
    "end date",
}
# and what anything can have where several types do: an essay's deadline is no customer's
_COMMON = frozenset(["deadline", "due date", "截止日期", "期限"])
_LINK_ONLY = frozenset("at by before from for with as in on to it's i'm this is i am we are the 给 和 与 跟 在 对 找 我们 我 是 含 报 我是 这里是 这边是 我们是".split()) | {
    "this is", "i am", "we are", "i'm at", "i'm with", "i'm the", "as the",
}  # fmt: skip


class Slot(NamedTuple):
    """A slot of a Form type, as a target of what is found.

    ``kind``: what it is about, such as company or terms; empty for nothing known here. ``naming``: it says which
    thing the Form is about. ``speakers``: the Form belongs to the person who speaks.
    """

    type: FormType
    spec: SlotSpec
    kind: str = ""
    naming: bool = False
    speakers: bool = False


@dataclass(frozen=True, slots=True)
class Word:
    """One announcing word and the slots (or, without them, the types) that it stands for."""

    text: str  # folded, lower case
    role: Literal["alias", "cue", "after", "type"]
    weak: bool
    slots: tuple[Slot, ...] = ()
    types: tuple[str, ...] = ()
    generic: bool = False  # 价格: means a slot only where its type is talked about
    prices: tuple[Slot, ...] = ()  # the only amounts of the types that the word names
    aside: frozenset[str] = frozenset()  # types whose slots qualify the word: see ``_qualified``
    ids: bool = False  # 预约号, "policy number": what stands right behind it is its number
    numbers: tuple[Slot, ...] = ()  # of the types: an id right behind the word fills them (Quote Q-9)
    bare: bool = False  # means its slot in a record of its type alone: see ``records``
    beside: bool = False  # stands beside the name of its Form: as good as at the start of a clause


class Hit(NamedTuple):
    """``text[start:end]`` is ``word``."""

    start: int
    end: int
    word: Word


@lru_cache(maxsize=4096)
def _kind(names: tuple[str, ...], type: str, personal: bool) -> str:
    for kind, declared in _KINDS.items():
        if _TYPED_KINDS.get(kind, "text") == type and any(name in declared for name in names):
            return kind
    if type == "text" and personal and "name" in names:
        return "person"
    return ""


_PERSONAL = frozenset(
    {
        "phone",
        "birthday",
        "email",
        "city",
        "contact_role",
        "company",
        "preferred_name",
        "employer",
        "relation",
    }
)


def slot_of(form_type: FormType, spec: SlotSpec) -> Slot:
    """The slot with what its names and its type's identity tell of it.

    A slot that is just ``name`` is a person's where the type has other things that only people have.
    """
    names = tuple(normal(n.replace("_", " ")) for n in (spec.name, *spec.aliases))
    if names[0] not in names[1:] and _qualified(names[0], spec):
        names = names[1:]
    kind = _kind(names, spec.type, bool(_PERSONAL & form_type.slots.keys()))
    if (
        not kind
        and spec.type == "text"
        and spec.name in form_type.identity.slots
        and any(map(is_id_word, names))
    ):
        kind = "number"
    naming = spec.name in form_type.identity.slots or kind in ("company", "person", "number")
    speakers = any("$speaker" in key or "$user" in key for key in form_type.identity.keys)
    return Slot(form_type, spec, kind, naming, speakers)


@dataclass(slots=True)
class Lexicon:
    """Announcing words by their first character (Chinese) or first word (Latin), longest first."""

    han: dict[str, list[Word]] = field(default_factory=dict)
    latin: dict[str, list[Word]] = field(default_factory=dict)
    kinds: dict[str, tuple[Slot, ...]] = field(default_factory=dict)
    typed: dict[str, tuple[Slot, ...]] = field(default_factory=dict)  # by slot type
    choices: dict[str, tuple[Slot, ...]] = field(default_factory=dict)  # words of an enum's value → slots
    choosing: re.Pattern[str] | None = None  # finds them
    bare: dict[str, tuple[Word, ...]] = field(default_factory=dict)  # by type, longest first
    titles: dict[str, Slot] = field(default_factory=dict)  # the slot that names a Form of the type, by itself
    introduced: tuple[Slot, ...] = ()  # take the speaker's name by a cue of their own (我叫)
    _starts: re.Pattern[str] = field(default_factory=lambda: re.compile("(?!)"))

    def find(self, low: str) -> list[Hit]:
        """All announcing words of a folded, lower case text, longest at each place, not overlapping; a
        cue leaves room for the alias that it begins with."""
        out: list[Hit] = []
        reach = 0
        for m in self._starts.finditer(low):
            start = m.start()
            if start < reach:
                continue
            table = (
                self.han.get(low[start])
                or self.latin.get(m[0])
                or self.latin.get(m[0].rstrip("s"))
                or self.latin.get(m[0].removesuffix("es"))
            )
            here = False
            for word in table or ():
                if here and word.role in ("cue", "after"):
                    continue
                if low.startswith(word.text, start) and _ends(low, start + len(word.text), word.text):
                    end = start + len(word.text)
                    reach = max(reach, end)
                    out.append(Hit(start, end, word))
                    if word.role in ("alias", "type"):
                        break
                    here = True  # "quote for" announces a customer, and "quote" in it an amount
        return out

    def bare_hits(self, low: str, start: int, end: int, form_type: str) -> list[Hit]:
        """The type's bare words in ``low[start:end]``, the longest at each place."""
        out: list[Hit] = []
        taken = Apart()
        for word in self.bare.get(form_type, ()):
            at = low.find(word.text, start, end)
            while at >= 0:
                behind = at + len(word.text)
                begins = (
                    not word.text[0].isascii()
                    or at == 0
                    or not (low[at - 1].isascii() and low[at - 1].isalnum())
                )
                if begins and _ends(low, behind, word.text) and taken.add(at, behind):
                    out.append(Hit(at, behind, word))
                at = low.find(word.text, behind, end)
        return out


def _ends(text: str, end: int, word: str) -> bool:
    """A Latin word ends where the letters do; a plural s may follow."""
    if not word[-1].isascii() or end >= len(text) or not text[end].isascii() or not text[end].isalnum():
        return True
    plural = "es" if word.endswith(("ch", "sh", "s", "x", "z")) else "s"
    behind = text[end + len(plural) : end + len(plural) + 1]
    return text.startswith(plural, end) and not (behind.isascii() and behind.isalnum())


def _qualified(word: str, spec: SlotSpec) -> bool:
    """Whether a slot's own words make ``word`` narrower ("meeting purpose" for purpose, 工作电话 for 电话). The
    bare word then means the slot only where its type is talked about."""
    declared = [normal(alias) for alias in spec.aliases]
    if not word or word in declared:
        return False
    if has_han(word):
        return any(word in alias for alias in declared)
    return any(f" {word} " in f" {alias} " for alias in declared)


def _words(spec: SlotSpec, kind: str) -> Iterable[tuple[str, str, bool]]:
    """(word, role, aside) by which a slot is announced, its own first."""
    for i, (word, role) in enumerate(_own_words(spec)):
        yield word, role, i == 0 and _qualified(normal(word), spec)
    more = [_MORE.get(kind, ""), _BY_TYPE.get(spec.type, "")]
    if not spec.aliases and not spec.cues:
        more.append(_BARE.get(spec.name.replace("_", " ").lower(), ""))
    given = [cue for cue in "|".join(more).split("|") if cue]
    own = {normal(alias) for alias in spec.aliases}
    aside = not own & {normal(cue.lstrip("<")) for cue in given} and any(
        _qualified(normal(cue.lstrip("<")), spec) for cue in given
    )
    for cue in given:
        if cue[0] == "<":
            # a card or a passport is valid until a day, too
            yield cue[1:], "after", aside or cue.endswith("有效")
        else:
            yield cue, "alias" if spec.type in ("money", "enum") else "cue", aside


def _own_words(spec: SlotSpec) -> Iterable[tuple[str, str]]:
    yield spec.name.replace("_", " "), "alias"
    for alias in spec.aliases:
        yield alias, "alias"
    for cue in spec.cues:
        yield cue, "cue"
    for text in spec.description.values():
        bare = text.rstrip(".。")
        if 4 <= len(bare) <= (8 if has_han(bare) else 24) and len(bare.split()) <= 3:
            yield bare, "alias"
    if spec.type in ("integer", "number"):
        # "one participant", "a 2-bedroom flat": the singular counts what stands before it
        for alias in spec.aliases:
            if re.fullmatch(r"[a-z][a-z ]+[^su]s", alias, re.I):
                yield alias[:-1], "after"


def compile_lexicon(catalog: Catalog, without: Collection[str] = ()) -> Lexicon:
    """Everything that announces a slot or a type of the catalog but for the types in ``without``; made once for
    the same types."""
    return _compile(tuple(catalog), frozenset(without))


@lru_cache(maxsize=8)
def _compile(form_types: tuple[FormType, ...], without: frozenset[str]) -> Lexicon:
    words: dict[tuple[str, str], dict[tuple[str, str], Slot]] = {}
    types: dict[str, dict[str, None]] = {}
    plain: dict[str, set[str]] = {}  # word → types that have it unqualified
    lexicon = Lexicon()
    kinds: dict[str, list[Slot]] = {}
    typed: dict[str, list[Slot]] = {}
    for form_type in form_types:
        if form_type.name == "tool_call" or form_type.name in without:
            continue  # told by the program that calls, not by what people say
        for raw in (form_type.name.replace("_", " "), *form_type.aliases):
            types.setdefault(normal(raw), {})[form_type.name] = None
        for spec in form_type.slots.values():
            slot = slot_of(form_type, spec)
            kind = slot.kind
            typed.setdefault(spec.type, []).append(slot)
            if kind:
                kinds.setdefault(kind, []).append(slot)
            for raw, role, qualified in _words(spec, kind):
                text = normal(raw)
                if text:
                    words.setdefault((text, role), {})[form_type.name, spec.name] = slot
                    if not qualified:
                        plain.setdefault(text, set()).add(form_type.name)
        if (title := _title(form_type)) is not None:
            for text in _names_of(form_type):
                words.setdefault((text, "alias"), {})[form_type.name, title.spec.name] = title
                plain.setdefault(text, set()).add(form_type.name)
    lexicon.kinds = {kind: tuple(slots) for kind, slots in kinds.items()}
    lexicon.typed = {type: tuple(slots) for type, slots in typed.items()}
    money = Counter(s.type.name for s in typed.get("money", ()))
    prices = [s for s in typed.get("money", ()) if money[s.type.name] == 1 and s.kind != "budget"]
    merged: dict[str, Word] = {}
    for text in {*types, *(text for text, _ in words)}:
        named = tuple(types.get(text, ()))
        word = _word(text, words, named)
        of = {*named, *(s.type.name for s in word.slots if s.kind == "number")}
        numbers = tuple(s for s in kinds.get("number", ()) if s.type.name in named)
        amounts = tuple(s for s in prices if s.type.name in of)
        more = tuple(s for s in prices if word.generic and s not in word.slots)
        aside = frozenset(s.type.name for s in word.slots) - plain.get(text, set())
        own = tuple(sorted(word.slots, key=lambda s: s.type.name in aside))
        merged[text] = replace(word, numbers=numbers, prices=amounts, slots=own + more, aside=aside)
    _index(lexicon, merged.values())
    for form_type in form_types:
        if form_type.name != "tool_call" and form_type.name not in without:
            lexicon.bare[form_type.name] = tuple(_bare_words(form_type))
            if (title := _title(form_type)) is not None:
                lexicon.titles[form_type.name] = title
    lexicon.choices = _choices(typed.get("enum", ()))
    if lexicon.choices:
        lexicon.choosing = _any_of(lexicon.choices)
    lexicon.introduced = tuple(
        s for s in typed.get("text", ()) if not s.speakers and SELF_CUES & {normal(c) for c in s.spec.cues}
    )
    return lexicon


def _title(form_type: FormType) -> Slot | None:
    """The one slot of words by which the type's Forms go."""
    slots = [s for s in form_type.slots.values() if s.type == "text" and names_alone(form_type, s)]
    return slot_of(form_type, slots[0]) if len(slots) == 1 else None


def _names_of(form_type: FormType) -> Iterator[str]:
    """客户名称, "customer name": the type's words with one for a name behind."""
    for raw in (form_type.name.replace("_", " "), *form_type.aliases):
        word = normal(raw)
        yield from (word + name for name in ("名称", "名字", "名")) if has_han(word) else (f"{word} name",)


def names_alone(form_type: FormType, spec: SlotSpec) -> bool:
    """Whether the slot alone tells which Form is meant (of one speaker)."""
    return any([p for p in key if p[0] != "$"] == [spec.name] for key in form_type.identity.keys)


def _bare_words(form_type: FormType) -> Iterable[Word]:
    """The type's bare words, and what else announces a slot so called."""
    by_slot: dict[str, list[str]] = {}
    for text, spec in bare_words(form_type):
        by_slot.setdefault(spec.name, []).append(text)
    roles: dict[tuple[str, str], dict[tuple[str, str], Slot]] = {}
    for name, bare in by_slot.items():
        spec = form_type.slots[name]
        slot = slot_of(form_type, spec)
        kind = slot.kind or _kind(tuple(bare), spec.type, False)
        slot = slot._replace(kind=slot.kind or (kind if kind in _TYPED_KINDS else ""))
        for word in bare:
            roles.setdefault((word, "alias"), {})[form_type.name, spec.name] = slot
        for cue in filter(None, _MORE.get(kind, "").split("|")):
            role = "after" if cue[0] == "<" else "cue"
            roles.setdefault((normal(cue.lstrip("<")), role), {})[form_type.name, spec.name] = slot
    made = [_word(text, roles, ()) for text in {text for text, _ in roles}]
    made = [replace(word, bare=True, generic=False) for word in made if len(word.slots) == 1]
    return sorted(made, key=lambda word: (-len(word.text), word.text))


# they introduce the speaker: what follows is read as a name
SELF_CUES = frozenset(
    ("我叫", "我是", "我的名字是", "我名叫", "本人", "my name is", "my name's", "i am", "i'm", "this is")
)
# said so often of other things that alone they choose nothing
_NO_CHOICE = frozenset(
    "yes no ok none other any all some new old good bad on off true false open first second third last done finished 是 否 有 无 好 其他".split()
)


def _choices(slots: Iterable[Slot]) -> dict[str, tuple[Slot, ...]]:
    out: dict[str, dict[tuple[str, str], Slot]] = {}
    for slot in slots:
        if slot.spec.name in slot.type.identity.slots:
            continue  # it says which thing is meant (my mother), which no one chooses
        for value, synonyms in slot.spec.values.items():
            for raw in (str(value), str(value).replace("_", " "), *map(str, synonyms)):
                word = normal(raw)
                if len(word) >= (2 if has_han(word) else 3) and word not in _NO_CHOICE:
                    out.setdefault(word, {})[slot.type.name, slot.spec.name] = slot
    return {word: tuple(found.values()) for word, found in out.items()}


def _any_of(words: Iterable[str]) -> re.Pattern[str]:
    """Any of the words, longest first; Latin ones whole. By first character, and that before all conditions:
    so a place where none begins costs one look, however many words there are."""
    begun: dict[str, list[str]] = {}
    for word in sorted(words, key=lambda word: (-len(word), word)):
        end = r"(?![a-z0-9]|-[a-z])" if word[-1].isascii() else ""
        begun.setdefault(word[0], []).append(re.escape(word[1:]) + end)
    return re.compile(
        "|".join(
            re.escape(first)
            + (rf"(?<![a-z0-9]{re.escape(first)})" if first.isascii() else "")
            + f"(?:{'|'.join(rests)})"
            for first, rests in sorted(begun.items())
        )
    )


def _word(
    text: str, words: Mapping[tuple[str, str], Mapping[tuple[str, str], Slot]], types: tuple[str, ...]
) -> Word:
    """One word with all it stands for; an alias says more than a cue, a slot more than a type."""
    slots: dict[tuple[str, str], Slot] = {}
    role: Literal["alias", "cue", "after", "type"] = "type"
    for name in ("alias", "cue", "after"):
        found = words.get((text, name))
        if found:
            slots |= dict(found)
            role = name if role == "type" else role
    short = len(text) == 1 if has_han(text) else len(text) <= 2
    weak = short or text in _WEAK or text in _LINK_ONLY
    declared = all(s.spec.aliases or s.spec.cues for s in slots.values())
    several = len({s.type.name for s in slots.values()}) > 1
    generic = declared and (text in _GENERIC or (several and text in _COMMON))
    return Word(text, role, weak, tuple(slots.values()), types, generic, ids=is_id_word(text))


def _index(lexicon: Lexicon, words: Iterable[Word]) -> None:
    for word in words:
        if has_han(word.text[0]):
            lexicon.han.setdefault(word.text[0], []).append(word)
        elif first := re.match(r"[a-z0-9'&+-]+", word.text):
            lexicon.latin.setdefault(first[0].rstrip("s"), []).append(word)
            lexicon.latin.setdefault(first[0], []).append(word)
    for table in (lexicon.han, lexicon.latin):
        for entry in table.values():
            entry.sort(key=lambda word: -len(word.text))
    han = "".join(map(re.escape, lexicon.han))
    lexicon._starts = re.compile(
        (f"[{han}]|" if han else "")
        # "2-bedroom" is a number and a word
        + r"(?<![a-z0-9'&+-])(?:[0-9]+(?=-[a-z])|[a-z0-9'&+-]+)|(?<=[0-9]-)[a-z'&+]+",
        re.A,
    )


_ID_WORD = re.compile(
    r"(?:号|号码|编号|代码|编码|单号|ID|id)$|(?<![a-z])(?:number|no|no\.|nr|num|id|code|ref|reference)$|#$"
)
# they end like a number's word, and what stands behind is none: 账号 may be a name, 信号, 型号 of anything
_NO_ID_WORD = re.compile(r"(?:电话|手机|联系|微信|QQ|qq)号码?$|信号$|(?:phone|mobile|telephone) number$")


@lru_cache(maxsize=4096)
def is_id_word(text: str) -> bool:
    """Whether a word, folded and in lower case, announces an identifier."""
    return _ID_WORD.search(text) is not None and _NO_ID_WORD.search(text) is None


_INTRODUCING = re.compile(
    r"(?:是|为|叫|于|在|到|至|自|从|用|：|做|住)$|\b(?:is|are|at|to|in|for|as|on|of|called|from|with|until|by)$",
    re.I,
)


def introduces(cue: str) -> bool:
    """Whether a cue's object follows it directly (我的工作是, "I work as")."""
    return _INTRODUCING.search(cue) is not None and (len(cue) >= 2 if has_han(cue) else " " in cue)


def is_link(word: Word) -> bool:
    """Whether the word only links (给, "at"): it needs a pattern of its own to mean anything."""
    return word.text in _LINK_ONLY


__all__: Sequence[str] = [
    "Hit",
    "Lexicon",
    "Slot",
    "Word",
    "compile_lexicon",
    "introduces",
    "is_link",
    "slot_of",
]
