"""Which slot a day of a question is a day of: "due before July", 六月报修的, "overdue"."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from datetime import timedelta
from decimal import Decimal

from forms_dynamics.language.normal import has_han, normal
from forms_dynamics.retrieval.demands.course import unfinished
from forms_dynamics.retrieval.demands.days import Days
from forms_dynamics.retrieval.demands.denial import denied
from forms_dynamics.retrieval.demands.draft import Draft, Span, nearest
from forms_dynamics.retrieval.restriction import During, Other, Within
from forms_dynamics.schema.spec import FormType, SlotSpec

DATED = frozenset({"date", "datetime", "date_range"})
_ABOUT_DAYS = (  # what is said of a day → pieces of the names of slots that hold it, likeliest first
    (
        r"到期|过期|截止|期限|要货|\b(?:due|deadline|expir\w+|overdue)\b",
        ("deadline", "due", "valid_until", "end_date", "expir", "ends", "_by"),
    ),
    (r"交付|交货|到货|送到|送达|\b(?:deliver\w*|arriv\w+)\b", ("delivery", "deadline", "due")),
    (r"结束|完工|完成|\b(?:end|ends|ending|finish\w*)\b", ("end_date", "ends", "deadline", "due", "until")),
    (r"开始|启动|开工|\b(?:start\w*|begin\w*|began)\b", ("start", "begin", "since")),
    (
        r"出发|启程|出航|动身|离港|\b(?:depart\w*|leav(?:e|es|ing)|sets? (?:off|out|sail)|"
        r"setting (?:off|out|sail))\b",
        ("depart", "leav", "start", "begin"),
    ),
    (r"返回|返程|返航|归还|归队|\b(?:return(?!ed)\w*|com(?:e|es|ing) back|due back)\b", ("return", "back")),
    (r"签|\bsign\w*\b", ("sign",)),
    (r"下单|下的|订的|订购|\b(?:placed|ordered)\b", ("order_date", "ordered", "placed")),
    (r"更新|修改|\bupdated\b", ("updated",)),
    (r"生效|\beffective\b", ("valid_from",)),
    (r"生日|出生|\b(?:born|birthdays?)\b", ("birth",)),
)  # fmt: skip
_CUES = tuple((re.compile(said), pieces) for said, pieces in _ABOUT_DAYS)
_EXPIRES = re.compile(r"过期|失效|有效期|保质期|\b(?:expir\w*|best before|use by|valid until)\b")
_LATE = re.compile(
    r"逾期|超期|拖期|延误|误期|过了(?:期限|截止)|\b(?:overdue|past due|behind schedule)\b|"
    r"\blate\b(?! (?:in|jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec))"
)
_ENDS = re.compile(
    r"deadline|due|until|expir|ends|end_date|next|return|best_before|deliver|arriv|到期|截止|过期|结束|交付|交货|送达|归还|下次|预计"
)
_BORN = re.compile(r"born|birth|built|founded|made|planted|since|hired|joined|生日|出生|建成|制作|入职|成立")
_A_YEAR = re.compile(r"(?:19|20)\d\d")
_MORE_THAN_A_YEAR = re.compile(
    r"[月日号]|\d[-/.]\d|\b(?:jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec)[a-z]* "
)
_OF_A_DAY = re.compile(
    r"(?:日期|时间|日子|日|期限)$|^(?:date|day) (?:of )?(?:the )?| (?:on|at|date|day|time)$"
)


def read_days(draft: Draft, days: Sequence[Days]) -> None:
    """Adds the days that the question demands, and that what is late is overdue and not finished."""
    if (late := _LATE.search(draft.text)) is not None:
        spec = _due(draft.form_type)
        if spec is None:
            draft.unread = True
        else:
            begun = unfinished(draft.form_type)
            overdue = During(spec.name, None, draft.now.date() - timedelta(days=1))
            draft.add(late.span(), overdue, *([begun] if begun else []))
    for span, first, last in days:
        spec = dated(draft, span)
        years = _years(draft, span) if spec is None else None
        if years is not None:  # built after 2016: a year is a number there
            low, high = (None if day is None else Decimal(day.year) for day in (first, last))
            within = Within(years.name, low, high)
            draft.add(span, Other(within) if denied(draft.text, span[0]) else within)
            continue
        if spec is None:
            draft.unread = True
            draft.spans.append(span)  # its number is no amount
            continue
        during = During(spec.name, first, last)
        draft.add(span, Other(during) if denied(draft.text, span[0]) else during)


def dated(draft: Draft, span: Span) -> SlotSpec | None:
    """The slot whose day the question speaks of at ``span``."""
    named = draft.named(DATED) or [(at, spec) for spec, at in _cued(draft)]
    found = nearest(named, span) if named else _main(draft.form_type)
    if found is not None:
        draft.spans += [at for at, each in named if each is found]  # "filed in June" is no state
        draft.spans += [m.span() for pattern, _ in _CUES for m in pattern.finditer(draft.text)]
    return found


def aged(draft: Draft, span: Span) -> SlotSpec | None:
    """The slot whose day tells how old a thing is: the one that the question names, its birth, else the only day with
    which something begins."""
    named = draft.named(DATED) or [(at, spec) for spec, at in _cued(draft)]
    if named:
        draft.spans += [at for at, _ in named]
        return nearest(named, span)
    begun = [s for s in _dates(draft.form_type) if _ENDS.search(_called(s)) is None]
    born = next((s for s in begun if _BORN.search(_called(s))), None)
    main = _main(draft.form_type)
    return born or (begun[0] if len(begun) == 1 else main if main in begun else None)


def _called(spec: SlotSpec) -> str:
    return " ".join((spec.name, *map(normal, spec.aliases)))


def _years(draft: Draft, span: Span) -> SlotSpec | None:
    """The slot that holds a year as a number, where the question names it and gives no more than a year."""
    named = draft.named(frozenset({"integer"}))
    plain = (
        _A_YEAR.search(draft.text, *span) is not None and _MORE_THAN_A_YEAR.search(draft.text, *span) is None
    )
    return nearest(named, span) if named and plain else None


def cues(draft: Draft) -> list[Span]:
    """Where words stand that say of a day what only a slot of this type holds (借出 of 借出日期)."""
    return [at for _, at in _by_alias(draft)]


def about_days(text: str) -> bool:
    """Whether a word says what a day is of (due, 到期)."""
    return any(pattern.search(text) for pattern, _ in _CUES)


def said_of_days(text: str, slots: Sequence[str]) -> list[Span]:
    """Where words stand that say of a day what one of ``slots`` holds (due of deadline)."""
    return [
        found.span()
        for pattern, pieces in _CUES
        if any(piece in slot for piece in pieces for slot in slots)
        for found in pattern.finditer(text)
    ]


def _dates(form_type: FormType) -> list[SlotSpec]:
    return [s for s in form_type.slots.values() if s.type in DATED]


def _cued(draft: Draft) -> Iterator[tuple[SlotSpec, Span]]:
    cued = False
    for pattern, pieces in _CUES:
        for found in pattern.finditer(draft.text):
            if spec := _fitting(draft.form_type, pattern, pieces):
                cued = True
                yield spec, found.span()
    if not cued:
        yield from _by_alias(draft)


def _by_alias(draft: Draft) -> Iterator[tuple[SlotSpec, Span]]:
    """By the verb in what people call a day: 报修 of 报修日期, "hired" of "hired on"."""
    for spec in _dates(draft.form_type):
        for said in (spec.name.replace("_", " "), *spec.aliases):
            verb = _OF_A_DAY.sub("", normal(said))
            if len(verb) > 1 and verb != normal(said):
                edge = "" if has_han(verb) else r"\b"
                parted = (
                    f"|{verb[0]}(?=[的了于在出过]|完的)" if edge == "" and len(verb) == 2 else ""
                )  # 发的 of 发货日期
                for found in re.finditer(edge + re.escape(verb) + edge + parted, draft.text):
                    yield spec, found.span()


def _fitting(form_type: FormType, pattern: re.Pattern[str], pieces: Sequence[str]) -> SlotSpec | None:
    """The slot that holds such a day: by its own name, else by how people call it."""
    specs = _dates(form_type)
    by_name = next((s for piece in pieces for s in specs if piece in s.name), None)
    if by_name is not None:
        return by_name
    called = (s for s in specs if any(pattern.search(normal(said)) for said in s.aliases))
    return next(called, None)


def _due(form_type: FormType) -> SlotSpec | None:
    """The slot by which a thing is late."""
    return _fitting(form_type, *_CUES[0]) or _main(form_type)


def _main(form_type: FormType) -> SlotSpec | None:
    """The only day of a type, or the one that is called by the type's name, the first of its names that has one:
    手术日期 of 手术, "date of the surgery"."""
    specs = _dates(form_type)
    if len(specs) == 1:
        return specs[0]
    for call in map(normal, (*form_type.aliases, form_type.name)):
        for spec in specs:
            if any(_OF_A_DAY.sub("", normal(said)) == call for said in spec.aliases):
                return spec
    return None


def expiry(form_type: FormType) -> SlotSpec | None:
    """The slot by which a thing is no longer good."""
    return _fitting(form_type, _EXPIRES, ("valid_until", "expir", "best_before", "use_by"))


__all__ = ["DATED", "about_days", "aged", "cues", "dated", "expiry", "read_days", "said_of_days"]
