"""From the ways to rows, in order, and to the text that tells them."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from decimal import Decimal
from functools import cmp_to_key
from typing import Any

from forms_dynamics.model.form import Form
from forms_dynamics.model.query import QueryRow, Walk
from forms_dynamics.model.value import Money, Range
from forms_dynamics.retrieval.queries.reading import Rows
from forms_dynamics.retrieval.queries.walking import Way
from forms_dynamics.retrieval.quoting import line, plain
from forms_dynamics.schema.compare import key_text
from forms_dynamics.schema.expression import compare
from forms_dynamics.schema.query_spec import Column, QuerySpec
from forms_dynamics.schema.spec import SlotSpec
from forms_dynamics.schema.template import filled_in, format_value

_PATHS = 20  # ways of one row that are kept
_A_LINE = 20  # rows that one line tells

_STOP = {"zh": "；", "en": "; "}
_COMMA = {"zh": "，", "en": ", "}
_COLON = {"zh": "：", "en": ": "}


@dataclass(slots=True)
class Answer:
    """Makes rows of one query's ways."""

    spec: QuerySpec
    rows: Rows
    now: datetime

    def made(self, ways: Sequence[Way]) -> list[QueryRow]:
        """One row for each Form of the group's step, in order, ``limit`` at most."""
        by_form: dict[str, list[Way]] = {}
        for way in ways:
            id = way.at[self.spec.group]
            if id is not None:
                by_form.setdefault(id, []).append(way)
        found = [row for id, some in by_form.items() if (row := self._row(id, some)) is not None]
        found = self._ordered(found)
        for row in found[self.spec.limit :]:
            self.rows.omitted.add("rows", "limit", row.form.id, f"limit {self.spec.limit} rows")
        return found[: self.spec.limit]

    def _row(self, id: str, ways: Sequence[Way]) -> QueryRow | None:
        form = self.rows.forms[id]
        if form is None:
            return None
        ids = [
            list(dict.fromkeys(way.at[step] for way in ways if way.at[step] is not None))
            for step in range(len(self.spec.names))
        ]
        forms = {
            name: tuple(f for i in some if i is not None and (f := self.rows.forms[i]) is not None)
            for name, some in zip(self.spec.names, ids, strict=True)
            if some
        }
        values = {column.name: self._value(column, forms, ways) for column in self.spec.columns}
        paths = dict.fromkeys(self._path(way) for way in sorted(ways, key=lambda way: len(way.hops)))
        return QueryRow(form, values, forms, tuple(path for path in paths if path)[:_PATHS])

    def _path(self, way: Way) -> tuple[Walk, ...]:
        names = self.spec.names
        return tuple(
            Walk(
                names[hop.step],
                hop.tie.near,
                hop.tie.edge.relation,
                hop.tie.far,
                hop.tie.edge.id,
                hop.tie.forward,
            )
            for hop in way.hops
        )

    # -- columns ---------------------------------------------------------------------------------------------
    def _value(self, column: Column, forms: Mapping[str, Sequence[Form]], ways: Sequence[Way]) -> Any:
        there = forms.get(self.spec.names[column.step], ())
        if column.figure == "count":
            return len(there)
        if column.figure == "depth":
            depths = [
                w.depth[column.step] for w in ways if column.step in w.depth and w.at[column.step] is not None
            ]
            return min(depths, default=None) if column.step else 0
        slot = column.slot or ""
        values = [value for form in there if (value := form[slot]) is not None]
        if column.figure is not None:
            return self._figure(column, values)
        if len(there) == 1 and values:
            return values[0]  # a many-valued slot as it is
        spec = self._slot(column)
        distinct: dict[str, Any] = {}
        for value in values:
            for one in value if isinstance(value, tuple) else (value,):
                distinct.setdefault(key_text(spec, one), one)
        if len(distinct) > 1:
            return tuple(distinct.values())
        return next(iter(distinct.values()), None)

    def _figure(self, column: Column, values: Sequence[Any]) -> Any:
        """The least, the greatest or the sum of known single values; None where there is none, or where they are not
        of one kind (two currencies, a range in a sum), which is told."""
        flat = [one for value in values for one in (value if isinstance(value, tuple) else (value,))]
        try:
            return _figure(column.figure or "", flat, self.now)
        except ValueError as apart:
            self.rows.omitted.add(self.spec.names[column.step], "not comparable", column.name, str(apart))
            return None

    def _slot(self, column: Column) -> SlotSpec:
        if column.slot is not None and column.figure != "count":
            for form_type in self._types(column.step):
                if column.slot in self.rows.catalog.types[form_type].slots:
                    return self.rows.catalog.types[form_type].slots[column.slot]
        return SlotSpec(column.name, "text")

    def _types(self, step: int) -> Iterable[str]:
        spec = self.spec
        to = spec.start.form_type if step == 0 else spec.steps[step - 1].to
        return [to] if to in self.rows.catalog.types else list(self.rows.catalog.types)

    # -- order -----------------------------------------------------------------------------------------------
    def _ordered(self, rows: Sequence[QueryRow]) -> list[QueryRow]:
        def side(a: QueryRow, b: QueryRow) -> int:
            for name, down in self.spec.order:
                one, other = a.values[name], b.values[name]
                if one is None or other is None:
                    if (one is None) != (other is None):
                        return 1 if one is None else -1  # what is not known stands last either way
                    continue
                found = _side(one, other, self.now)
                if found:
                    return -found if down else found
            return 0

        return sorted(sorted(rows, key=lambda row: row.form.id), key=cmp_to_key(side))

    # -- text ------------------------------------------------------------------------------------------------
    def lines(self, rows: Sequence[QueryRow], parameters: Mapping[str, Any], lang: str) -> list[str]:
        """The rows as lines: by the template with ``rows`` in it twenty rows a line, else a heading and a line a
        row. Nothing without rows."""
        spec = self.spec
        if not rows:
            return []
        given = {
            name: plain(format_value(value, spec.parameters[name].slot, lang))
            for name, value in parameters.items()
            if value is not None
        }
        told = [self._told(row, given, lang) for row in rows]
        source = spec.template.get(lang) or (spec.label(lang) + _COLON[lang] + "{{rows}}")
        out = []
        for at in range(0, len(told), _A_LINE):
            values = {**given, "count": str(len(rows)), "rows": _STOP[lang].join(told[at : at + _A_LINE])}
            # what holds full stops of its own is not cut at them: the template is filled whole
            out.append(line(_whole(source, values)))
        return list(dict.fromkeys(out))

    def _told(self, row: QueryRow, given: Mapping[str, str], lang: str) -> str:
        texts: dict[str, str] = {}
        for column in self.spec.columns:
            value = row.values[column.name]
            spec = (
                SlotSpec(column.name, "integer")
                if column.figure in ("count", "depth")
                else self._slot(column)
            )
            text = plain(format_value(value, spec, lang))
            if text:
                texts[column.name] = text

        def listed(lost: Mapping[str, str]) -> str:
            return _COMMA[lang].join(self._labelled(name, lost[name], lang) for name in lost)

        source = self.spec.row.get(lang)
        if source is not None:
            return filled_in(source, {**given, **texts}, lang, listed).rstrip("。.；;")
        first, *rest = texts.items() or [("", row.form.id)]
        return _COMMA[lang].join([first[1], *(self._labelled(name, text, lang) for name, text in rest)])

    def _labelled(self, name: str, text: str, lang: str) -> str:
        column = next((c for c in self.spec.columns if c.name == name), None)
        if column is None:
            return text
        label = name.replace("_", " ")
        if column.slot is not None and column.figure is None and column.name == column.slot:
            label = self._slot(column).label(lang)
        return f"{label}{_COLON[lang]}{text}"


def _whole(source: str, values: Mapping[str, str]) -> str:
    """The template with each value in its place, rows as they are."""
    mark = "\ue8ff"
    body = filled_in(source, {**values, "rows": mark}, "en", lambda lost: ", ".join(lost.values()))
    return body.replace(mark, values["rows"])


def _side(one: Any, other: Any, now: datetime) -> int:
    if isinstance(one, tuple) or isinstance(other, tuple):
        one, other = str(one), str(other)
    if compare(one, "<", other, now):
        return -1
    return 1 if compare(one, ">", other, now) else 0


def _figure(figure: str, values: Sequence[Any], now: datetime) -> Any:
    if not values:
        return None
    if figure == "sum":
        return _sum(values)
    if len({type(v) for v in values if isinstance(v, Money)}) and len({v.currency for v in values}) > 1:
        raise ValueError("amounts in several currencies have no order")
    best = values[0]
    by: Callable[[Any, Any], bool] = lambda a, b: compare(a, "<" if figure == "min" else ">", b, now)  # noqa: E731
    for value in values[1:]:
        if by(value, best):
            best = value
    return best


def _sum(values: Sequence[Any]) -> Any:
    if any(isinstance(value, Range) for value in values):
        raise ValueError("a range has no sum")
    if isinstance(values[0], Money):
        currencies = {value.currency for value in values}
        if len(currencies) > 1:
            raise ValueError(f"amounts in {', '.join(sorted(currencies))} have no sum")
        return Money(sum((value.amount for value in values), Decimal(0)), currencies.pop())
    return sum(values[1:], values[0])


__all__ = ["Answer"]
