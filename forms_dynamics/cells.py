"""What a caller gives for a slot, as data and not as speech: the cells of a row, a person's own value."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import datetime
from typing import Any

from forms_dynamics.errors import InvalidInput
from forms_dynamics.extraction.grammar import OPS
from forms_dynamics.inputs import check_text, no_slot, parse_time
from forms_dynamics.language.normal import language
from forms_dynamics.language.nulls import null_like
from forms_dynamics.language.secrets import redact
from forms_dynamics.model.gated import Held, Item
from forms_dynamics.model.value import to_micros
from forms_dynamics.schema.coerce import Coerced, coerce
from forms_dynamics.schema.questions import ask
from forms_dynamics.schema.spec import FormType
from forms_dynamics.settings import Settings

_LEAVE_OUT = 'leave the slot out, or empty it with {"op": "clear"}'


def cell(
    form_type: FormType, name: str, raw: Any, source: str, at: datetime, settings: Settings
) -> Item | Held | None:
    """The item that one cell of a row is, said at ``at``; None where it says nothing. InvalidInput as ``value_of``;
    a mapping with ``op`` or ``value`` gives its operation and validity too. A typed value that is written with a
    hedge or only vaguely ("大概50万", 四五十万) waits, as it does in speech; a text is data and stands."""
    spec = form_type.slots.get(name)
    if spec is None:
        raise InvalidInput(no_slot(form_type.name, name, form_type.slots))
    op, start, until = "set", None, None
    if isinstance(raw, Mapping) and ("op" in raw or "value" in raw):
        op = raw.get("op") or "set"
        start, until = (
            None if raw.get(k) is None else to_micros(parse_time(raw[k], settings.zone or at.tzinfo))
            for k in ("valid_from", "valid_until")
        )
        raw = raw.get("value")
    if op not in OPS:
        raise InvalidInput(f"{form_type.name}.{name}: op is one of {', '.join(OPS)}, not {op!r}")
    if op != "clear" and (raw is None or _says_nothing(form_type, name, raw, at, settings)):
        return None
    read = Coerced() if op == "clear" else _read(form_type, name, raw, at, settings)
    item = Item(
        name, read.value, 1.0, source, path=f"$.{name}", op=op, valid_from=start, valid_until=until, verbatim=True
    )  # fmt: skip
    if not (read.hedged or read.vague):
        return item
    reason = "hedged" if read.hedged else "range"
    question = ask(form_type, spec, read.value, reason, (), language(str(raw)))
    return Held(item._replace(confidence=settings.hedge_cap), reason, question)


def _says_nothing(form_type: FormType, name: str, raw: Any, at: datetime, settings: Settings) -> bool:
    """A blank cell, or N/A where it is no value: in a text it is one, but not in a name, where it would make
    one Form of all the rows that name nobody."""
    if not isinstance(raw, str) or not (not raw.strip() or null_like(raw)):
        return False
    spec = form_type.slots[name]
    if spec.type == "text":
        return not raw.strip() or name in form_type.identity.slots
    return coerce(spec, raw, at, settings.date_order, verbatim=True).value is None


def value_of(form_type: FormType, name: str, raw: Any, at: datetime, settings: Settings) -> Any:
    """A value given by a caller, typed; InvalidInput says what would do."""
    return _read(form_type, name, raw, at, settings).value


def _read(form_type: FormType, name: str, raw: Any, at: datetime, settings: Settings) -> Coerced:
    spec = form_type.slots.get(name)
    if spec is None:
        raise InvalidInput(no_slot(form_type.name, name, form_type.slots))
    if isinstance(raw, str):
        check_text(raw, f"{form_type.name}.{name}")
        raw = redact(raw) if settings.redact == "at_rest" else raw
    read = coerce(spec, raw, at, settings.date_order, verbatim=True)
    if spec.type == "text" and name in form_type.identity.slots and null_like(read.value):
        # kept as a text, it would make one Form of all the rows that name nobody
        read = Coerced(error=f"{name}: {raw!r} tells no two Forms apart; {_LEAVE_OUT}")
    if read.value is None:
        choices = ", ".join(str(c) for c in read.candidates)
        why = read.error or (
            f"{raw!r} may be {choices}; say which" if choices else f"{raw!r} is no {spec.type}; {_LEAVE_OUT}"
        )
        raise InvalidInput(f"{form_type.name}.{why if read.error else f'{name}: {why}'}")
    return read


__all__ = ["cell", "value_of"]
