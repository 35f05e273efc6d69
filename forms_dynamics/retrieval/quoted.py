"""A message's words in a context: who, when, what; and the pieces into which long texts are cut."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Collection, Sequence
from datetime import timedelta, timezone

from forms_dynamics.model.record import MessageRecord
from forms_dynamics.model.value import from_micros
from forms_dynamics.retrieval.quoting import line, plain

MAX_CHUNK = 512
_WHOLE = 1200  # a longer message is quoted by the piece that answers best
_CLOSING = "[\"'”’」』）)\\]]*"
# not after an initial, a title or the number of a list's item
_STOP = r"(?<!\b[A-Z0-9])(?<!\b(?:Mr|Ms|Dr|St|No|vs))(?<!\bMrs)[.;；]+"
_SENTENCE = re.compile(rf".*?(?:[。！？!?\n]+{_CLOSING}|{_STOP}{_CLOSING}(?=\s)|$)\s*", re.DOTALL)

# a sentence that begins so speaks of what the one before it named
_LEANS = re.compile(
    r"\W*(?:(?:it|its|they|their|them|that|this|these|those|he|she|his|her|there|which)\b|[它他她这那其该此]|还是|也是)",
    re.I,
)
_LEFT_OUT = "… "


def quote(message: MessageRecord, text: str | None = None, clock: bool = True) -> str:
    """``speaker (2026-05-01 09:00): text``, in the offset in which it was said."""
    zone = timezone(timedelta(minutes=message.offset))
    said = from_micros(message.time).astimezone(zone)
    stamp = said.strftime("%Y-%m-%d %H:%M") if clock else said.date().isoformat()
    speaker = plain(message.speaker)[:60] or message.role
    return line(f"{speaker} ({stamp}): {plain(message.text if text is None else text)}")


def is_long(text: str) -> bool:
    """Whether a message is too long to be quoted whole by the fallback."""
    return len(text) > _WHOLE


def chunks(text: str, limit: int = MAX_CHUNK) -> list[str]:
    """The text in pieces of at most ``limit`` characters: whole sentences where they fit, and cut so that a
    value stays with its unit and a joined character stays whole. Nothing but white space is lost."""
    out: list[str] = []
    held = ""
    for start, end in sentences(text):
        sentence = text[start:end]
        if len(held) + len(sentence) <= limit:
            held += sentence
            continue
        if held.strip():
            out.append(held.strip())
        held = ""
        while len(sentence) > limit:
            at = _cut(sentence, limit)
            out.append(sentence[:at].strip())
            sentence = sentence[at:]
        held = sentence
    if held.strip():
        out.append(held.strip())
    return [piece for piece in out if piece]


def sentences(text: str) -> list[tuple[int, int]]:
    """Where the text's sentences stand, each with the space behind it."""
    return [m.span() for m in _SENTENCE.finditer(text) if m.group()]


def without(text: str, told: Sequence[tuple[int, int]], silent: Collection[int]) -> str | None:
    """The text without some of its sentences and those that lean on them; None: nothing is left."""
    out: list[str] = []
    gap = False
    for at, (start, end) in enumerate(told):
        gap = at in silent or (gap and _LEANS.match(text[start:end]) is not None)
        if gap:
            if not out or out[-1] != _LEFT_OUT:
                out.append(_LEFT_OUT)
        else:
            out.append(text[start:end])
    kept = "".join(out).strip()
    return kept if any(c.isalnum() for c in kept) else None


def _cut(text: str, limit: int) -> int:
    """The last good place to cut at or before ``limit``."""
    for at in range(limit, max(limit // 2, 1), -1):
        if text[at - 1] in "，,、；; " and not (text[at - 1] == "," and text[at].isdigit()):
            return at
    for at in range(limit, max(limit - 64, 1), -1):
        if _splittable(text[at - 1], text[at]):
            return at
    return limit


def _splittable(left: str, right: str) -> bool:
    if (
        left in "\u200d\ufe0f"
        or right in "\u200d\ufe0f"
        or unicodedata.category(right) in ("Mn", "Mc", "Me", "Sk")
    ):
        return False
    # regional indicators pair up; digits keep their unit, point and sign
    if "\U0001f1e6" <= right <= "\U0001f1ff" or "\U0001f3fb" <= right <= "\U0001f3ff":
        return False
    return not (left.isdigit() or left in ".$¥€£" or right in "%％‰°.元万亿千百")


__all__ = ["MAX_CHUNK", "chunks", "is_long", "quote", "sentences", "without"]
