"""How a Form reads in a sentence.

Rule for gaps. A template is cut into segments at separators: ，、；：。！ and line ends, and the ASCII
``, ; : . !`` before a space or the end, so that ``10:00`` and ``v1.2`` stay whole. A segment that names a
slot without a value is left out, with the separator before it; words without a slot and a colon behind them
("任务：{{task}}") go with what they announce. A bracket （…） or (…) with slots is cut in the same
way and goes when nothing in it is filled. What stood in a dropped segment and has a value is not lost: it
follows as "label: value". A template with ``{% if %}`` is rendered whole: there the author decides, and a
missing slot is empty.

Plain ``{{slot}}`` is filled by substitution. All else (filters, tests, ``{% if %}``) goes through Jinja2's
sandbox, limited to a few node types. Values are never read as a template.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import lru_cache
from typing import Any, NamedTuple

from forms_dynamics.schema.spec import FormType
from forms_dynamics.schema.wording import format_value

__all__ = ["filled_in", "format_value", "mentioned", "problems", "render", "sentence"]

_EXPRESSION = re.compile(r"\{\{.*?\}\}", re.DOTALL)
_SLOT = re.compile(r"\{\{\s*([^\W\d_][\w-]*)\s*\}\}")
_MARK = re.compile(r"\{\{|\}\}|\{%|\{#")
_SEPARATOR = re.compile(r"([，；、。：！]\s*|[,;:.!](?=\s|$)\s*|\s*\n\s*)")
_BRACKET = re.compile(r"（([^（）]*)）|\(([^()]*)\)")
_HOLE = 0xE000  # expressions and brackets stand in the text as private-use characters while it is cut
_HOLES = re.compile("([\ue000-\uf8ff])")

_FILTERS = frozenset({"default", "d", "upper", "lower", "title", "capitalize", "trim", "replace", "truncate"})
_ALLOWED = frozenset(
    {
        *(
            "Template",
            "Output",
            "TemplateData",
            "If",
            "Name",
            "Const",
            "Filter",
            "Keyword",
            "Test",
            "Compare",
        ),
        *("Operand", "And", "Or", "Not", "CondExpr", "List", "Tuple"),
    }
)


class _Slot(NamedTuple):
    name: str


class _Expression(NamedTuple):
    names: tuple[str, ...]
    fill: Callable[[Mapping[str, str]], str | None]


class _Bracket(NamedTuple):
    opening: str
    segments: tuple[_Segment, ...]
    closing: str


class _Segment(NamedTuple):
    before: str  # its separator
    parts: tuple[str | _Slot | _Expression | _Bracket, ...]


_Part = str | _Slot | _Expression | _Bracket


class _Compiled(NamedTuple):
    segments: tuple[_Segment, ...]
    end: str
    slots: frozenset[str]


def render(form_type: FormType, lang: str, values: Mapping[str, str]) -> str:
    """The Form as one text. ``values``: slot → text as ``format_value`` gives it; a slot without a value is
    absent. Without a template for ``lang``: "label: value" for each slot. No value at all: an empty text."""
    source = form_type.template.get(lang)
    if source is None:
        return sentence(form_type, lang, values)
    return filled_in(source, values, lang, lambda lost: sentence(form_type, lang, lost))


def filled_in(
    source: str, values: Mapping[str, str], lang: str, told: Callable[[Mapping[str, str]], str]
) -> str:
    """A template filled by the same rules; ``told`` makes words of what stood in a dropped segment."""
    compiled = _compiled(source)
    shown: set[str] = set()
    body, filled = _fill(compiled.segments, values, shown)
    lost = {name: values[name] for name in compiled.slots - shown if values.get(name)}
    if lost:
        rest = told(lost)
        body = body + ("，" if lang == "zh" else ", ") + rest if filled else rest
    elif not filled:
        return ""
    return body.strip() + compiled.end


def sentence(form_type: FormType, lang: str, values: Mapping[str, str]) -> str:
    """Each value behind its slot's label, in the order in which the slots are declared."""
    known = [(spec, values[name]) for name, spec in form_type.slots.items() if values.get(name)]
    if lang == "zh":
        return "，".join(f"{spec.label(lang)}：{value}" for spec, value in known)
    return ", ".join(f"{spec.label(lang)}: {value}" for spec, value in known)


def mentioned(form_type: FormType, lang: str) -> frozenset[str]:
    """The slots that ``render`` shows when they have a value."""
    source = form_type.template.get(lang)
    return frozenset(form_type.slots) if source is None else _compiled(source).slots


def _fill(segments: Sequence[_Segment], values: Mapping[str, str], shown: set[str]) -> tuple[str, bool]:
    """The segments that can be filled, joined; whether any slot was."""
    out: list[str] = []
    filled = False
    for segment in segments:
        texts: list[str] = []
        names: set[str] = set()
        for part in segment.parts:
            text = _part(part, values, names)
            if text is None:
                break
            texts.append(text)
        else:
            if out:
                out.append(segment.before)
            out.append("".join(texts).rstrip() if segment.parts else "")
            shown |= names
            filled = filled or bool(names)
    return "".join(out), filled


def _part(part: _Part, values: Mapping[str, str], names: set[str]) -> str | None:
    if isinstance(part, str):
        return part
    if isinstance(part, _Slot):
        names.add(part.name)
        return values.get(part.name) or None
    if isinstance(part, _Bracket):
        inside, filled = _fill(part.segments, values, names)
        return part.opening + inside + part.closing if filled else ""
    names.update(name for name in part.names if values.get(name))
    return part.fill(values)


# -- compiling -----------------------------------------------------------------------------------------------
@lru_cache(maxsize=1024)
def _compiled(source: str) -> _Compiled:
    source = source.strip()
    if "{%" in source or "{#" in source:
        whole = _expression(source, strict=False)
        return _Compiled((_Segment("", (whole,)),), "", frozenset(whole.names))
    holes: list[_Slot | _Expression | _Bracket] = []

    def hole(part: _Slot | _Expression | _Bracket) -> str:
        holes.append(part)
        return chr(_HOLE + len(holes) - 1)

    def expression(found: re.Match[str]) -> str:
        plain = _SLOT.fullmatch(found.group())
        return hole(_Slot(plain.group(1)) if plain else _expression(found.group(), strict=True))

    def bracket(found: re.Match[str]) -> str:
        inside = found.group(1) if found.group(1) is not None else found.group(2)
        if not _HOLES.search(inside):
            return found.group()
        return hole(_Bracket(found.group()[0], _cut(inside, holes)[0], found.group()[-1]))

    text = _HOLES.sub("", source)
    text = _BRACKET.sub(bracket, _EXPRESSION.sub(expression, text))
    segments, end = _cut(text, holes)
    return _Compiled(segments, end, frozenset(_names(segments)))


def _cut(text: str, holes: Sequence[_Slot | _Expression | _Bracket]) -> tuple[tuple[_Segment, ...], str]:
    """Segments, and the separator that ends the text."""
    pieces = ["", *_SEPARATOR.split(text)]
    segments: list[_Segment] = []
    before = ""
    for i in range(0, len(pieces), 2):
        before += pieces[i]
        if pieces[i + 1]:
            parts = tuple(
                holes[ord(part) - _HOLE] if _HOLES.fullmatch(part) else part
                for part in _HOLES.split(pieces[i + 1]) if part
            )  # fmt: skip
            label = segments[-1] if segments and before.strip() in ("：", ":") else None
            if label and all(isinstance(part, str) for part in label.parts):
                segments.pop()  # "任务：{{task}}" is one segment
                before, parts = label.before, (*label.parts, before, *parts)
            segments.append(_Segment(before, parts))
            before = ""
    return tuple(segments), before.strip()


def _names(segments: Sequence[_Segment]) -> Iterator[str]:
    for segment in segments:
        for part in segment.parts:
            if isinstance(part, _Slot):
                yield part.name
            elif isinstance(part, _Expression):
                yield from part.names
            elif isinstance(part, _Bracket):
                yield from _names(part.segments)


@lru_cache(maxsize=2)
def _environment(strict: bool) -> Any:
    from jinja2 import ChainableUndefined, StrictUndefined
    from jinja2.sandbox import ImmutableSandboxedEnvironment

    return ImmutableSandboxedEnvironment(
        autoescape=False,
        optimized=False,
        undefined=StrictUndefined if strict else ChainableUndefined,
        trim_blocks=True,
    )


def _expression(source: str, strict: bool) -> _Expression:
    from jinja2 import meta

    environment = _environment(strict)
    names = tuple(sorted(meta.find_undeclared_variables(environment.parse(source))))
    template = environment.from_string(source)

    def fill(values: Mapping[str, str]) -> str | None:
        try:
            return str(template.render({name: values[name] for name in names if values.get(name)})).strip()
        except Exception:  # no value (StrictUndefined), or a filter that fails on this one: the segment goes
            return None

    return _Expression(names, fill)


# -- checking ------------------------------------------------------------------------------------------------
def problems(source: str, slots: Sequence[str]) -> list[tuple[int, str, str | None]]:
    """What is wrong with a template: line inside it (from 1), message, the unknown name if that is it."""
    if not _MARK.search(_SLOT.sub("", source)):
        return [
            (source.count("\n", 0, found.start()) + 1, f"there is no slot {found.group(1)!r}", found.group(1))
            for found in _SLOT.finditer(source)
            if found.group(1) not in slots
        ]
    from jinja2 import TemplateSyntaxError, nodes

    try:
        tree = _environment(True).parse(source)
    except TemplateSyntaxError as failure:
        return [(failure.lineno, failure.message or "not a valid template", None)]
    found_problems: list[tuple[int, str, str | None]] = []
    for node in tree.find_all(nodes.Node):
        kind = type(node).__name__
        if isinstance(node, nodes.Name) and node.name not in slots:
            found_problems.append((node.lineno, f"there is no slot {node.name!r}", node.name))
        elif isinstance(node, nodes.Filter) and node.name not in _FILTERS:
            found_problems.append((node.lineno, f"the filter {node.name!r} is not taken; {_TAKES}", None))
        elif kind not in _ALLOWED:
            found_problems.append((node.lineno, f"{kind.lower()} is not taken; {_TAKES}", None))
    if not found_problems:  # only what is allowed is compiled: compiling may compute constants
        try:
            _environment(True).compile(tree)
        except TemplateSyntaxError as failure:
            return [(failure.lineno, failure.message or "not a valid template", None)]
    return found_problems


_TAKES = f"a template takes slots, {{% if %}} and the filters {', '.join(sorted(_FILTERS))}"
