"""Reads from a question what it demands of the Forms of a type that it names (see ``restriction``)."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from datetime import date, datetime, timedelta

from forms_dynamics.language.dates import find_dates, find_ranges
from forms_dynamics.language.money import find_money
from forms_dynamics.language.normal import has_han, normal
from forms_dynamics.language.numbers import find_numbers
from forms_dynamics.language.reading import Reading
from forms_dynamics.model.value import Money, Range, to_micros
from forms_dynamics.retrieval.lexicon import HINT
from forms_dynamics.retrieval.per_catalog import per_catalog
from forms_dynamics.retrieval.question import Question
from forms_dynamics.retrieval.restriction import (
    UNRESTRICTED,
    Among,
    Demand,
    During,
    Expired,
    Extreme,
    Known,
    Other,
    Restriction,
    Says,
    Test,
    Within,
)
from forms_dynamics.schema.spec import Catalog, FormType, SlotSpec

Span = tuple[int, int]

_NO_CURRENCY = "XXX"  # ISO 4217's code for none: what an amount that names none is read with
_NUMERIC = frozenset({"money", "integer", "number", "percent"})
_DATED = frozenset({"date", "datetime", "date_range"})
_STRICT = re.compile(
    r"超过|大于|高于|多于|超出|贵于|不到|低于|小于|少于|未满|不足|"
    r"\b(?:above|over|more|greater|higher|bigger|larger|exceed\w*|below|under|less|lower|fewer|cheaper|smaller|before|after)\b"
)
_NOT_STRICT = re.compile(
    r"不(?:超过|大于|高于|多于|低于|小于|少于)|\b(?:no|not) (?:more|less|fewer|later|earlier)\b"
)
_WHY = re.compile(r"为什么|为何|为啥|怎么会|\bwhy\b|\bhow come\b")
_CODED = re.compile(r"[A-Za-z][A-Za-z\d]*[-_#]?$")
_WHO = re.compile(r"谁|哪位|哪家|\b(?:who|whose|whom)\b")
_MONTH_ZH = re.compile(
    "(?<![个一二三四五六七八九十\\d])(十[一二]?|[一二三四五六七八九])月(?:份)?(?![一二三四五六七八九十\\d])"
)
_DIGITS_ZH = {c: n for n, c in enumerate("一二三四五六七八九十", 1)} | {"十一": 11, "十二": 12}
_YEAR = re.compile(
    r"(?:\bin |\bof |\bduring )?(?<![\d-])((?:19|20)\d\d)(?:年|\b)(?![-/.年月\d]| ?(?:cny|usd|eur|元))"
)
_BOUND = re.compile(  # words before a day that make it the first or the last one
    r"(?:(?P<until>\b(?:by|until|till|through|up to|no later than|not later than|not after)|"
    r"不晚于|不迟于|截止到?|截至|[到至])|"
    r"(?P<since>\b(?:since|from|starting|no earlier than|not earlier than|not before)|不早于|从|自)|"
    r"(?P<past>\b(?:after|later than|past)|晚于|迟于)|(?P<ahead>\b(?:before|earlier than|prior to)|早于))"
    r"\s*(?:the\s+)?(?:end of\s+)?$",
    re.I,
)
_BOUND_AFTER = re.compile(
    r"^\s*(?:(?P<since>起|开始|及以后|onwards?|or later)|(?P<later>之后|以后|后)|(?P<until>为止|止|截止|or earlier)|"
    r"(?P<before>之前|以前|前))",
    re.I,
)
_ABOUT_DAYS = (  # what is said of a day → pieces of the names of slots that hold it, likeliest first
    (
        r"到期|过期|截止|期限|要货|\b(?:due|deadline|expir\w+|overdue)\b",
        ("deadline", "due", "valid_until", "end_date"),
    ),
    (r"交付|交货|到货|送到|送达|\b(?:deliver\w*|arriv\w+)\b", ("delivery", "deadline", "due")),
    (r"结束|完工|完成|\b(?:end|ends|ending|finish\w*)\b", ("end_date", "ends", "deadline", "due")),
    (r"开始|启动|开工|\b(?:start\w*|begin\w*|began)\b", ("start", "begin")),
    (r"签|\bsign\w*\b", ("sign",)),
    (r"下单|下的|订的|订购|\b(?:placed|ordered)\b", ("order_date",)),
    (r"更新|修改|\bupdated\b", ("updated",)),
    (r"生效|\beffective\b", ("valid_from",)),
    (r"生日|出生|\b(?:born|birthdays?)\b", ("birth",)),
)  # fmt: skip
_DAYS = tuple((re.compile(said), pieces) for said, pieces in _ABOUT_DAYS)
_LATE = re.compile(r"逾期|超期|拖期|延误|误期|过了(?:期限|截止)|\b(?:overdue|past due|behind schedule)\b")
_OVER = re.compile(
    r"(?<!没)(?<!未)(?<!没有)(?:已经?)?(?:过期|失效|作废)(?:了|的)?|\b(?:have |has )?(?:expired|lapsed)\b"
)
_STANDING = re.compile(
    r"(?:还|仍|依然)?(?:有效(?!期)|没有?过期|未过期|没失效)|"
    r"\b(?:still )?(?:valid|in force|good|open|current|outstanding)\b(?! until| from)"
)
_UNFINISHED = re.compile(
    r"(?:还|尚)?(?:没有?|未)(?:做完|结束|完结|搞定|弄完|干完|处理完|了结|完)|未结|"
    r"\b(?:unfinished|incomplete|outstanding|open|unresolved|not (?:yet )?(?:done|finished|complete))\b"
)
_FINISHED = frozenset(
    "completed complete finished done closed resolved final held delivered 完成 已完成 已结束 已解决 已关闭".split()
)
_UNYET = re.compile(
    r"(?:还没有?|尚未|还未|没有?|未)(?:被|给|有)?$|\b(?:not yet|yet to be|un|never)(?: been)? ?$|"
    r"(?:\bnot|n['’]t|\bnever) (?:been |yet )?$"
)
_NOT = re.compile(r"(?:不是|并非|非|除了?)$|(?:\bnot|n['’]t)(?: in)? ?$|\b(?:non-|except(?: for)? )$")
_DENIES = re.compile(  # what stands behind is what the Forms that are meant are not
    r"(?:不是|不在|不由|不归|不属于|并非|非)(?:在|于|由|归)?\s*$|"
    r"(?:\b(?:not|except(?: for)?|other than|excluding)|n['’]t)(?: (?!yet\b|only\b)[\w']+){0,2}? $"
)
_BUT = re.compile(
    r"(?:除了?|除去|除开|不算|不包括|不含)\s*$|"
    r"\b(?:except(?: for)?|other than|besides|apart from|aside from|excluding|but not)(?: the)? $"
)
_OUTSIDE = re.compile(r"\s*(?:以外|之外|除外)的?")
_YET = re.compile(r"(?:还没|尚|还未|没|未)(?:有|被|给)?$|\bun$|yet")
_LACKS = re.compile(
    r"(?:没有?|缺少?|未|无|没留|没给|没填)(?:填写?|留下?|提供|登记|任何)?$|"
    r"\b(?:no|without|lack(?:s|ing)?|missing|n['’]t (?:have|given|left)|not have)(?: us)?"
    r"(?: an?| any| the| their)?(?: known| set)? $"
)
_LACKS_AFTER = re.compile(
    r"^(?:都)?(?:为空|未知|没填|缺失|不详|不知道|还没给)|^ (?:is |are )?(?:missing|unknown|empty|not known)"
)
_HAS = re.compile(
    r"(?:有|留了|留下了?|提供了|填了|登记了)$|\b(?:with|have|has|gave|left)(?: us)?(?: an?| their| the)? $"
)
_HIGHEST = re.compile(
    r"最高|最大|最多|最贵|最长|\b(?:highest|largest|biggest|greatest|most expensive|maximum|most)\b"
)
_LOWEST = re.compile(
    r"最低|最小|最少|最便宜|最短|\b(?:lowest|smallest|cheapest|least expensive|minimum|least)\b"
)
_FIRST = re.compile(r"最早|最先|最快|\b(?:earliest|soonest)\b")
_LAST = re.compile(r"最晚|最迟|\b(?:latest) (?=due|deadline|delivery|end)")
_CURRENCY = (
    ("USD", re.compile(r"\b(?:in )?(?:usd|us dollars?|dollars?)\b|(?:用|按)?美[元金]")),
    ("CNY", re.compile(r"\b(?:in )?(?:cny|rmb|yuan)\b|人民币")),
    ("EUR", re.compile(r"\b(?:in )?(?:eur|euros?)\b|欧元")),
)
_FILLING = re.compile(
    r"状态|级别|类型|之间|以上|以下|以内|左右|金额|[类款型](?=的)|\b(?:status|state|stage)\b"
)
_TIMED = re.compile(
    r"[月日号年周天]|季度|\b(?:in|on|at|during|last|ago|yesterday|back|end of|(?:19|20)\d\d)\b"
)
_SAID_OF = re.compile(
    r"的?(?:会议|例会|评审|活动|约会|订单|合同|报价单|报告)|(?: |'s |’s )(?:meeting|order|contract|report|event)\b"
)
_SIGNAL = re.compile(
    r"\d|[一二三四五六七八九十两]月|最|没|未|无|缺|过期|逾期|失效|有效|超期|[今明昨后前]天|[本这上下今去明]个?[周月年季]|本周|周[一二三四五六日末]|有|留|"
    r"\b(?:no|not|without|with|have|has|un\w+|over\w*|under|below|above|more|less|between|before|after|by|in|on|"
    r"today|tomorrow|yesterday|this|next|last|late|open|valid|expired|\w+est|most|least|missing|lacking|lacks)\b|n['’]t\b"
)


@dataclass(slots=True)
class _Enum:
    """Words of a type's enum values: word → (slot, value); ``bare``: those that count only when denied."""

    words: dict[str, tuple[SlotSpec, str]] = field(default_factory=dict)
    bare: dict[str, tuple[SlotSpec, str]] = field(default_factory=dict)


class Restricting:
    """Reads demands; made once a catalog."""

    def __init__(self, catalog: Catalog) -> None:
        self.catalog = catalog
        self._enums = {t.name: _enum(t) for t in catalog}
        self._calls = {t.name: tuple(w for a in t.aliases if len(w := normal(a)) > 1) for t in catalog}

    def read(self, question: Question, now: datetime) -> Restriction:
        """What the question demands; ``now``: the asker's moment in the asker's zone. "Why is the quote 600k?" knows
        the value and demands nothing."""
        if _WHY.search(question.text):
            return UNRESTRICTED
        types = question.types
        if not types and question.asks:
            types = self._spoken_of(question)
            if not types and (question.listing or _WHO.search(question.text)):
                types = question.sure_types
        types = frozenset(t for t in types if t in self.catalog.types)
        signal = _SIGNAL.search(question.text) is not None
        if not types:
            return Restriction(spans=tuple(s for s, _, _ in _days(question, now)) if signal else ())
        demands: dict[str, Demand] = {}
        spans: list[Span] = []
        unread = False
        amounts = _amounts(question) if signal else []
        days = _days(question, now) if signal else []
        for name in sorted(types):
            one = _One(question, self.catalog.types[name], self._enums[name], amounts, days, now)
            one.read(signal)
            unread = unread or one.unread
            spans += one.spans
            if one.tests or one.maybe or one.extreme:
                demands[name] = Demand(tuple(one.tests), one.extreme, tuple(one.maybe))
        # of several types those of which all is demanded that is demanded of any
        most = max((len(d.tests) for d in demands.values()), default=0)
        demands = {t: d for t, d in demands.items() if len(d.tests) == most}
        return Restriction(demands, tuple(spans), unread and not any(d.tests for d in demands.values()))

    def _spoken_of(self, question: Question) -> frozenset[str]:
        """Types whose name begins the name of a slot: "tasks due", 合同金额."""
        return frozenset(
            m.type
            for w in question.words
            for m in w.meanings
            if m.level > HINT and question.text.startswith(self._calls[m.type], w.start)
        )


@dataclass(slots=True)
class _One:
    """The reading of one question for one type."""

    question: Question
    form_type: FormType
    enum: _Enum
    amounts: Sequence[Reading]
    days: Sequence[tuple[Span, date | None, date | None]]
    now: datetime
    tests: list[Test] = field(default_factory=list)
    maybe: list[Says] = field(default_factory=list)
    extreme: Extreme | None = None
    spans: list[Span] = field(default_factory=list)
    unread: bool = False

    def read(self, signal: bool) -> None:
        text = self.question.text
        if signal:
            self._days()
            self._amounts()
            self._extremes()
            self._knowns()
            self._standing()
        self._enums()
        for word in self.question.declared:
            for meaning in word.meanings:
                said = meaning.slot if meaning.type == self.form_type.name else None
                if meaning.level == HINT and said and self.form_type.slots[said].type == "text":
                    self.maybe.append(Says(said, text[word.start : word.end]))
        self.spans += [m.span() for m in _FILLING.finditer(text)]

    def _named(self, kinds: frozenset[str]) -> list[tuple[Span, SlotSpec]]:
        """Slots of these kinds that the question names, in order."""
        out = []
        for word in self.question.declared:
            for meaning in word.meanings:
                if meaning.type == self.form_type.name and meaning.slot and meaning.level > HINT:
                    spec = self.form_type.slots[meaning.slot]
                    if spec.type in kinds:
                        out.append(((word.start, word.end), spec))
        return out

    # -- amounts ---------------------------------------------------------------------------------------------
    def _amounts(self) -> None:
        for reading in self.amounts:
            span = reading.start, reading.end
            if self._taken(span):
                continue
            value = reading.value
            ends = (value.min, value.max) if isinstance(value, Range) else (value, value)
            money = [e for e in ends if isinstance(e, Money)]
            currency = next((m.currency for m in money if m.currency != _NO_CURRENCY), None)
            spec = self._numeric(span, currency)
            if spec is None:
                self.unread = self.unread or isinstance(value, Range)
                continue
            if not isinstance(value, Range) and not money:
                continue
            low, high = (e.amount if isinstance(e, Money) else e for e in ends)
            text = self.question.text
            near = text[max(0, span[0] - 12) : span[1] + 3]
            strict = _STRICT.search(near) is not None and _NOT_STRICT.search(near) is None
            both = low is not None and high is not None
            test = Within(spec.name, low, high, strict and not both, strict and not both, currency)
            self.tests.append(Other(test) if self._denied(span) else test)
            self.spans.append(span)

    def _numeric(self, span: Span, currency: str | None) -> SlotSpec | None:
        """The slot that an amount there is compared with."""
        kinds = frozenset({"money"}) if currency is not None else _NUMERIC
        named = self._named(kinds)
        if named:
            return min(named, key=lambda n: min(abs(n[0][1] - span[0]), abs(n[0][0] - span[1])))[1]
        specs = [s for s in self.form_type.slots.values() if s.type in kinds]
        money = [s for s in specs if s.type == "money"]
        if len(money) == 1:
            return money[0]
        return specs[0] if len(specs) == 1 else None

    def _extremes(self) -> None:
        text = self.question.text
        for pattern, highest in ((_HIGHEST, True), (_LOWEST, False)):
            if (found := pattern.search(text)) and (spec := self._numeric(found.span(), None)):
                said = [(code, m) for code, p in _CURRENCY if (m := p.search(text))]
                self.extreme = Extreme(spec.name, highest, said[0][0] if said else None)
                self.spans += [found.span(), *(m.span() for _, m in said)]
        for pattern, highest in ((_FIRST, False), (_LAST, True)):
            if (found := pattern.search(text)) and (spec := self._dated()):
                self.extreme = Extreme(spec.name, highest)
                self.spans.append(found.span())

    # -- days ------------------------------------------------------------------------------------------------
    def _days(self) -> None:
        text = self.question.text
        if (late := _LATE.search(text)) is not None:
            spec = self._dated()
            if spec is None:
                self.unread = True
            else:
                self.tests.append(During(spec.name, None, self.now.date() - timedelta(days=1)))
                self._unfinished()
                self.spans.append(late.span())
        for span, first, last in self.days:
            spec = self._dated()
            if spec is None:
                self.unread = True
                continue
            during = During(spec.name, first, last)
            self.tests.append(Other(during) if self._denied(span) else during)
            self.spans.append(span)

    def _dated(self) -> SlotSpec | None:
        """The slot whose day the question speaks of."""
        named = self._named(_DATED)
        if named:
            return named[0][1]
        text = self.question.text
        specs = [s for s in self.form_type.slots.values() if s.type in _DATED]
        for pattern, pieces in _DAYS:
            for found in pattern.finditer(text):
                for piece in pieces:
                    spec = next((s for s in specs if piece in s.name), None)
                    if spec is not None:
                        self.spans.append(found.span())
                        return spec
        return specs[0] if len(specs) == 1 else None

    # -- what is known, what stands --------------------------------------------------------------------------
    def _knowns(self) -> None:
        text = self.question.text
        compared = {t.slot for t in self.tests if isinstance(t, Within | During)}
        for word in dict.fromkeys((*self.question.declared, *self.question.words)):
            slots = {m.slot: m.level for m in word.meanings if m.type == self.form_type.name and m.slot}
            if word in self.question.declared or len(slots) > 1:
                slots = {slot: level for slot, level in slots.items() if level > HINT}
            before, after = text[: word.start], text[word.end :]
            lacks = _LACKS.search(before)
            if any(m.slot is None for m in word.meanings):
                # customers without a contract: what is tied to nothing is no demand on their own slots
                self.unread = self.unread or (lacks is not None and word.start > 0)
                continue
            slot = max(slots, key=lambda s: slots[s]) if slots else None
            if slot is None or slot in compared:
                continue
            if lacks or _LACKS_AFTER.search(after):
                self.tests.append(Known(slot, False))
            elif (has := _HAS.search(before)) and (has.group().strip() != "有" or after.startswith("的")):
                self.tests.append(Known(slot, True))

    def _standing(self) -> None:
        text = self.question.text
        bounded = "valid_until" in self.form_type.slots
        if bounded and (over := _OVER.search(text)):
            self.tests.append(Expired())
            self.spans.append(over.span())
        elif (
            (found := _UNFINISHED.search(text))
            and not any(a <= found.start() < b for a, b in self.spans)
            and found.group() not in self.enum.words  # an open complaint: its own status
        ):
            self.spans.append(found.span())
            self._unfinished()
        if bounded and (found := _STANDING.search(text)):
            self.spans.append(found.span())

    def _unfinished(self) -> None:
        for spec in self.form_type.slots.values():
            if spec.type == "enum":
                end = next(
                    (v for v, said in spec.values.items() if not _FINISHED.isdisjoint((v, *said))), None
                )
                if end is not None:
                    self.tests.append(Among(spec.name, _before(spec, end)))
                    return

    # -- values of enums -------------------------------------------------------------------------------------
    def _enums(self) -> None:
        text = self.question.text
        found: dict[str, tuple[SlotSpec, set[str]]] = {}
        for span, spec, value, bare in self._said():
            before = text[: span[0]]
            yet = _UNYET.search(before)
            denied = yet or _NOT.search(before)
            if bare and not denied:
                continue
            if denied is None:
                values = {value}
            else:
                later = _YET.search(denied.group()) or text[span[1] :].startswith(" yet")
                ended = not _FINISHED.isdisjoint((value, *spec.values[value]))
                earlier = _before(spec, value) if later or ended else frozenset()
                values = set(earlier) or set(spec.values) - {value}
                self.spans.append(denied.span())
            self.spans.append(span)
            have = found.setdefault(spec.name, (spec, set()))[1]
            have |= values
        for name, (_, values) in found.items():
            if not any(isinstance(t, Among) and t.slot == name for t in self.tests):
                self.tests.append(Among(name, frozenset(values)))

    def _said(self) -> Iterator[tuple[Span, SlotSpec, str, bool]]:
        """Enum words of the question, longest first, none inside another."""
        text = self.question.text
        taken = [
            (w.start, w.end)
            for w in self.question.declared
            if any(m.slot is None and m.type == self.form_type.name for m in w.meanings)
        ]
        for words, bare in ((self.enum.words, False), (self.enum.bare, True)):
            for word in sorted(words, key=len, reverse=True):
                at = text.find(word)
                while at >= 0:
                    span = at, at + len(word)
                    whole = has_han(word) or (
                        not (text[at - 1 : at].isalnum() and not text[at - 3 : at].strip().endswith("un"))
                        and not text[span[1] : span[1] + 1].isalnum()
                    )
                    if whole and not self._taken(span) and not any(a < span[1] and at < b for a, b in taken):
                        taken.append(span)
                        yield span, *words[word], bare
                    at = text.find(word, span[1])

    def _denied(self, span: Span) -> bool:
        """Whether what stands there is what is not meant; where a value of an enum stands between, that one is."""
        at = denied(self.question.text, span[0])
        between = self.question.text[at.start() : span[0]] if at else ""
        return bool(at) and not any(word in between for word in self.enum.words)

    def _taken(self, span: Span) -> bool:
        return any(a < span[1] and span[0] < b for a, b in self.spans)


def denied(text: str, start: int) -> re.Match[str] | None:
    """The words before ``start`` that deny what begins there ("not owned by", 不是)."""
    return _DENIES.search(text[:start])


def left_out(text: str, start: int, end: int) -> tuple[int, int] | None:
    """Where words stand that name what is between ``start`` and ``end`` as not meant ("other than Acme", 除了海蓝,
    海蓝以外), it included."""
    before, after = _BUT.search(text[:start]), _OUTSIDE.match(text, end)
    if before is None and after is None:
        return None
    return before.start() if before else start, after.end() if after else end


def _enum(form_type: FormType) -> _Enum:
    out = _Enum()
    for spec in form_type.slots.values():
        if spec.type != "enum":
            continue
        for value, synonyms in spec.values.items():
            for said in (value.replace("_", " "), value, *synonyms):
                word = normal(said)
                if len(word) > 1:
                    out.words.setdefault(word, (spec, value))
                if has_han(word) and word[0] in "已被" and len(word) > 1:
                    out.bare.setdefault(word[1:], (spec, value))
    return out


def _before(spec: SlotSpec, value: str) -> frozenset[str]:
    """Values that an enum declares before one: what is not yet so, where it lists the steps of a course."""
    values = list(spec.values)
    return frozenset(values[: values.index(value)])


def _source(question: Question) -> str:
    """The text as it was written (May is no may) where offsets are those of its normal form."""
    return question.raw if len(question.raw) == len(question.text) else question.text


def _amounts(question: Question) -> list[Reading]:
    text = _source(question)
    found = [r for r in find_money(text, _NO_CURRENCY) if r.value is not None]
    for reading in find_numbers(text):
        if isinstance(reading.value, Range) and not any(
            r.start < reading.end and reading.start < r.end for r in found
        ):
            found.append(reading)
    # C9, Q-104, SKU_7: a number inside a code is no amount
    return [r for r in found if _CODED.search(text[: r.start]) is None]


def _days(question: Question, now: datetime) -> list[tuple[Span, date | None, date | None]]:
    """Days and periods of the question: where they stand, the first day and the last; None: open."""
    text = _source(question)
    # a question asks about what is stored, not about what lies ahead: "due on June 10" is this June's, over or not
    alone = find_dates(text, now, ahead=False)
    out: list[tuple[Span, date | None, date | None]] = []
    for reading in find_ranges(text, now, ahead=False):
        value = reading.value
        if not isinstance(value, Range):
            continue
        span = reading.start, reading.end
        inner = [r for r in alone if span[0] <= r.start and r.end <= span[1] and r.value is not None]
        if len(inner) == 1 and (value.min is None or value.max is None):
            day = inner[0].value
            ends = (day.min, day.max) if isinstance(day, Range) else (day, day)
            out.append(_bounded(text, (inner[0].start, inner[0].end), *ends))
        elif value.min is not None and value.max is not None and len(inner) < 2:
            out.append(_bounded(text, span, value.min, value.max))
        else:
            out.append((span, value.min, value.max))
    for found in _MONTH_ZH.finditer(text):
        month = _DIGITS_ZH[found.group(1)]
        if not any(a < found.end() and found.start() < b for (a, b), _, _ in out):
            plain = next(iter(find_ranges(f"{month}月", now)), None)
            if plain is not None and isinstance(plain.value, Range):
                out.append(_bounded(text, found.span(), plain.value.min, plain.value.max))
    for found in _YEAR.finditer(text):
        year = int(found.group(1))
        if not any(a < found.end() and found.start() < b for (a, b), _, _ in out):
            out.append(_bounded(text, found.span(), date(year, 1, 1), date(year, 12, 31)))
    return out


def _bounded(text: str, span: Span, first: date, last: date) -> tuple[Span, date | None, date | None]:
    """A day or period with the word for a bound that stands at it: before June ends with May, after 2025 begins with
    2026. A Chinese 之前 or 之后 of one day has the day itself, as a deadline has."""
    before, after = text[: span[0]], text[span[1] :]
    for pattern, at in ((_BOUND, before), (_BOUND_AFTER, after)):
        found = pattern.search(at)
        if found is None:
            continue
        around = (found.start(), span[1]) if at is before else (span[0], span[1] + found.end())
        match found.lastgroup:
            case "past":
                return around, last + timedelta(days=1), None
            case "since":
                return around, first, None
            case "until":
                return around, None, last
            case "ahead":
                return around, None, first - timedelta(days=1)
            case "later":
                return around, first if first == last else last + timedelta(days=1), None
            case _:
                return around, None, last if first == last else first - timedelta(days=1)
    return span, first, last


restricting_of = per_catalog(Restricting)


@dataclass(frozen=True, slots=True)
class Period:
    """Days of the past, and the moments in which they begin and end (microseconds)."""

    first: date
    last: date
    since: int
    until: int


def past_span(question: Question, now: datetime) -> Period | None:
    """The one day or period, over by ``now``, in which what the question asks about was so."""
    if _TIMED.search(question.text) is None:
        return None
    found = _days(question, now)
    if len(found) != 1:
        return None
    span, first, last = found[0]
    if first is None or last is None or last >= now.date() or _SAID_OF.search(question.text, span[1]):
        return None
    begin, end = (datetime(d.year, d.month, d.day, tzinfo=now.tzinfo) for d in (first, last))
    return Period(first, last, to_micros(begin), to_micros(end + timedelta(days=1)) - 1)


__all__ = ["Period", "Restricting", "denied", "left_out", "past_span", "restricting_of"]
