"""Labels of a log: the ``expect`` of a message, read with the same coercion that production gives to structured
input, so that 50万, 500000 and "500,000 CNY" are one label.

``{"forms": [{"form_type", "slots", "external_id"}], "recall": [{"question", "contains", "lacks", …}], "complete"}``;
what each means over a conversation is said in :mod:`forms_dynamics.replay.truth`.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import replace
from datetime import datetime
from typing import Any, NamedTuple

from forms_dynamics.cells import value_of
from forms_dynamics.errors import InvalidInput
from forms_dynamics.inputs import did_you_mean, no_slot, no_type, parse_time
from forms_dynamics.language.secrets import redact
from forms_dynamics.model.value import Money, Range
from forms_dynamics.replay.clock import START
from forms_dynamics.replay.instances import ANY_CURRENCY
from forms_dynamics.schema.coerce import coerce
from forms_dynamics.schema.spec import Catalog, FormType, SlotSpec
from forms_dynamics.settings import Settings


class Expected(NamedTuple):
    """A Form as a label gives it. ``slots``: typed values; None: the slot is to hold nothing. ``external_id``: a
    name that labels of a conversation use for one Form; labels with the same one are about the same Form."""

    form_type: str
    slots: Mapping[str, Any]
    external_id: str | None = None


class Probe(NamedTuple):
    """A labelled question. ``options``: further arguments of ``Memory.recall``; times are aware."""

    question: str
    contains: tuple[str, ...] = ()
    lacks: tuple[str, ...] = ()
    options: Mapping[str, Any] = {}


class Label(NamedTuple):
    """``forms`` None: the label says nothing of Forms; ``()``: nothing is to be gained. ``complete``: what it does
    not list is not so any more."""

    forms: tuple[Expected, ...] | None = None
    recall: tuple[Probe, ...] = ()
    complete: bool = False


_LABEL = ("forms", "recall", "complete")
_FORM = ("form_type", "slots", "external_id")
_PROBE = ("question", "contains", "lacks")
_TEXTS, _TIMES = ("focus", "intent", "conversation"), ("as_of", "known_at")
_FLAGS, _NUMBERS = ("history", "include_cold", "include_expired"), ("max_tokens", "max_hops", "recent_turns")
_OPTIONS = (*_TEXTS, *_TIMES, *_FLAGS, *_NUMBERS)


def read_label(raw: Any, catalog: Catalog, settings: Settings, time: datetime) -> Label:
    """The ``expect`` of a message, None included, against whose ``time`` relative dates resolve.

    InvalidInput says what is wrong and where inside it ("expect.forms[0].slots.budget: …").
    """
    if raw is None:
        return Label()
    _check_object(raw, "expect")
    _check_keys(raw, _LABEL, "expect")
    forms, recall, complete = raw.get("forms"), raw.get("recall"), raw.get("complete", False)
    if not isinstance(complete, bool):
        raise InvalidInput(f"expect.complete: is true or false, not {complete!r}")
    if complete and forms is None:
        raise InvalidInput("expect.complete: says that forms is all there is; give forms, [] for none")
    return Label(
        None
        if forms is None
        else tuple(
            _form(one, f"expect.forms[{i}]", catalog, settings, time)
            for i, one in enumerate(_list(forms, "expect.forms"))
        ),
        tuple(
            _probe(one, f"expect.recall[{i}]", settings)
            for i, one in enumerate(_list([] if recall is None else recall, "expect.recall"))
        ),
        complete,
    )


def _form(raw: Any, at: str, catalog: Catalog, settings: Settings, time: datetime) -> Expected:
    _check_object(raw, at)
    _check_keys(raw, _FORM, at)
    name = raw.get("form_type")
    if not isinstance(name, str):
        raise InvalidInput(f"{at}: needs a form_type, the name of a Form type")
    form_type = catalog.types.get(name)
    if form_type is None:
        raise InvalidInput(f"{at}.form_type: {no_type(name, catalog.types)}")
    external = raw.get("external_id")
    if external is not None and not (isinstance(external, str) and external.strip()):
        raise InvalidInput(f"{at}.external_id: is a non-empty string, not {external!r}")
    slots = raw.get("slots", {})
    _check_object(slots, f"{at}.slots")
    typed = {str(slot): _value(form_type, slot, given, at, settings, time) for slot, given in slots.items()}
    return Expected(name, typed, external)


def _value(form_type: FormType, slot: Any, raw: Any, at: str, settings: Settings, time: datetime) -> Any:
    spec = form_type.slots.get(slot)
    if spec is None:
        raise InvalidInput(f"{at}.slots: {no_slot(form_type.name, str(slot), form_type.slots)}")
    if raw is None or (spec.many and raw == []):
        return None
    try:
        value = value_of(form_type, slot, raw, time, settings)
    except InvalidInput as wrong:
        raise InvalidInput(f"{at}.slots: {wrong}, or null for a slot that is to hold nothing") from None
    if settings.redact == "off":
        return value
    # what is held was redacted on its way in
    if isinstance(value, tuple):
        return tuple(redact(one) if isinstance(one, str) else one for one in value)
    return redact(value) if isinstance(value, str) else value


def without_currency(labels: Iterable[Any], catalog: Catalog) -> Catalog:
    """The catalog by which labelled values are compared: a money slot that all ``labels`` (as the log has them) give
    bare numbers, such as 500000, is one of any currency."""
    bare: dict[tuple[str, str], bool] = {}
    for label in labels:
        for form in label.get("forms") or ():
            form_type = catalog.types.get(form["form_type"])
            for name, raw in (form.get("slots") or {}).items() if form_type is not None else ():
                spec = form_type.slots.get(name) if form_type is not None else None
                if spec is not None and spec.type == "money" and raw is not None:
                    where = form["form_type"], name
                    bare[where] = bare.get(where, True) and _names_no_currency(spec, raw)
    if not any(bare.values()):
        return catalog
    types = dict(catalog.types)
    for (name, slot), is_bare in bare.items():
        if is_bare:
            slots = types[name].slots
            types[name] = replace(types[name], slots={**slots, slot: replace(slots[slot], unit=ANY_CURRENCY)})
    return replace(catalog, types=types)


def _names_no_currency(spec: SlotSpec, raw: Any) -> bool:
    """Whether the value is of whatever currency its slot is declared in."""
    for unit in ("CHF", "SEK"):
        read = coerce(replace(spec, unit=unit), raw, START, None, verbatim=True).value
        items = read if isinstance(read, tuple) else (read,)
        ends = [end for one in items for end in ((one.min, one.max) if isinstance(one, Range) else (one,))]
        if any(isinstance(end, Money) and end.currency != unit for end in ends):
            return False
    return True


def _probe(raw: Any, at: str, settings: Settings) -> Probe:
    _check_object(raw, at)
    _check_keys(raw, (*_PROBE, *_OPTIONS), at)
    question = raw.get("question")
    if not isinstance(question, str) or not question.strip():
        raise InvalidInput(f"{at}.question: is a non-empty string, not {question!r}")
    contains, lacks = (_texts(raw.get(key), f"{at}.{key}") for key in ("contains", "lacks"))
    if not contains and not lacks:
        raise InvalidInput(
            f"{at}: says nothing that the context contains or lacks; give contains, lacks or both"
        )
    options = {
        key: _option(key, raw[key], f"{at}.{key}", settings) for key in _OPTIONS if raw.get(key) is not None
    }
    return Probe(question, contains, lacks, options)


def _option(key: str, raw: Any, at: str, settings: Settings) -> Any:
    if key in _TIMES:
        try:
            return parse_time(raw, settings.zone)
        except InvalidInput as wrong:
            raise InvalidInput(f"{at}: {wrong}") from None
    if key in _FLAGS:
        wanted, fits = "true or false", isinstance(raw, bool)
    elif key in _NUMBERS:
        most = 2 if key == "max_hops" else None
        fits = (
            isinstance(raw, int) and not isinstance(raw, bool) and raw >= 0 and (most is None or raw <= most)
        )
        wanted = "a whole number from 0" + (f" to {most}" if most is not None else "")
    else:
        wanted, fits = "a non-empty string", isinstance(raw, str) and bool(raw.strip())
    if not fits:
        raise InvalidInput(f"{at}: is {wanted}, not {raw!r}")
    return raw


def _texts(raw: Any, at: str) -> tuple[str, ...]:
    texts = (
        [raw]
        if isinstance(raw, str)
        else []
        if raw is None
        else _list(raw, at, "a string or a list of strings")
    )
    for one in texts:
        if not isinstance(one, str) or not one.strip():
            raise InvalidInput(f"{at}: holds {one!r}; non-empty strings are looked for")
    return tuple(texts)


def _list(raw: Any, at: str, wanted: str = "a list") -> list[Any]:
    if not isinstance(raw, (list, tuple)):
        raise InvalidInput(f"{at}: is {wanted}, not {type(raw).__name__}")
    return list(raw)


def _check_object(raw: Any, at: str) -> None:
    if not isinstance(raw, Mapping):
        raise InvalidInput(f"{at}: is an object, not {type(raw).__name__}")


def _check_keys(raw: Mapping[str, Any], known: Iterable[str], at: str) -> None:
    names = tuple(known)
    for key in raw:
        if key not in names:
            raise InvalidInput(f"{at}: knows no {key!r}{did_you_mean(str(key), names)}")


__all__ = ["Expected", "Label", "Probe", "read_label", "without_currency"]
