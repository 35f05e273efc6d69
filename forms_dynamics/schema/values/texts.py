"""Text, phones, e-mail addresses and links from what was given."""

from __future__ import annotations

import re
from datetime import date, time
from decimal import Decimal
from typing import Any

from forms_dynamics.language.contacts import find_emails, find_phones, find_urls, phone_key
from forms_dynamics.language.numerals import folded
from forms_dynamics.model.value import Money, Range
from forms_dynamics.schema.spec import SlotSpec
from forms_dynamics.schema.values.coerced import Coerced, Setting, Unread, shown

_BAD_CHARACTER = re.compile("[\x00-\x08\x0b\x0c\x0e-\x1f\x7f\ud800-\udfff]")
_UNKEPT = re.compile("[\x00\ud800-\udfff]")  # what neither store can keep


def check_characters(raw: str, bad: re.Pattern[str] = _BAD_CHARACTER) -> None:
    if found := bad.search(raw):
        raise Unread(
            f"holds the character U+{ord(found.group()):04X}, which no text may hold; send it without"
        )


def as_given(raw: str) -> str:
    """The text of structured input, to the last space: it is data, so no word of it is a hedge or says "no value";
    only a blank one says nothing."""
    check_characters(raw, _UNKEPT)
    if not raw.strip():
        raise Unread('a blank text says nothing; leave the slot out, or empty it with {"op": "clear"}')
    return raw


def read_as_text(slot: SlotSpec, raw: Any, setting: Setting) -> Coerced:
    if isinstance(raw, str):
        said = " ".join(raw.split())
        if len(said) <= 120 and slot.hedging.hedged(said, 0, len(said)):
            return Coerced(slot.hedging.unhedged(said), hedged=True)
        return Coerced(said)
    if isinstance(raw, bool):
        return Coerced("true" if raw else "false")
    if isinstance(raw, (int, float, Decimal)):
        return Coerced(str(raw))
    if isinstance(raw, (date, time)):
        return Coerced(raw.isoformat())
    if isinstance(raw, (Money, Range)):
        return Coerced(str(raw))
    raise Unread(f"{shown(raw)} is no text; write the words as one string")


_PHONE_SIGNS = re.compile(
    r"[+(（]?[0-9０-９][0-9０-９ ().\-（）－+/]{3,24}(?:\s?(?:ext\.?|x|转|分机)\s?[0-9]{1,5})?", re.IGNORECASE
)


def read_as_phone(slot: SlotSpec, raw: Any, setting: Setting) -> Coerced:
    if isinstance(raw, int) and not isinstance(raw, bool) and raw > 0:
        raw = str(raw)
    if isinstance(raw, str):
        found = find_phones(raw)
        if len({phone_key(r.value) for r in found}) == 1:
            return Coerced(folded(found[0].value))
        bare = folded(raw.strip())
        if not found and _PHONE_SIGNS.fullmatch(bare) and sum(ch.isdigit() for ch in bare) >= 5:
            return Coerced(bare)
    raise Unread(
        f"{shown(raw)} holds no phone number, or several; write one, such as 13800138000 or +44 20 7946 0958"
    )


def read_as_email(slot: SlotSpec, raw: Any, setting: Setting) -> Coerced:
    if isinstance(raw, str):
        found = find_emails(raw)
        if len({r.value.casefold() for r in found}) == 1:
            return Coerced(folded(found[0].value))
    raise Unread(f"{shown(raw)} holds no e-mail address, or several; write one, such as name@example.com")


def read_as_url(slot: SlotSpec, raw: Any, setting: Setting) -> Coerced:
    if isinstance(raw, str):
        found = find_urls(raw)
        if len({r.value for r in found}) == 1:
            return Coerced(folded(found[0].value))
        bare = raw.strip()
        if not found and re.fullmatch(r"[a-z][a-z0-9+.-]*://\S+", bare, re.IGNORECASE):
            return Coerced(bare)
    raise Unread(f"{shown(raw)} holds no link, or several; write one, such as https://example.com")
