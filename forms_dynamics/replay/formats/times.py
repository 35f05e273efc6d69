"""Times as logs write them: ISO 8601, Unix time, and the dates of spreadsheets."""

from __future__ import annotations

import re
from datetime import UTC, datetime
from typing import Any

# From these on a number counts seconds (1973), milliseconds and microseconds; a smaller one is no time of a chat.
_UNITS = ((1e14, 1e6), (1e11, 1e3), (1e8, 1.0))
_NUMBER = re.compile(r"\d{9,16}(?:\.\d+)?")
_WRITTEN = re.compile(
    r"(\d{4})\s*[-/.年]\s*(\d{1,2})\s*[-/.月]\s*(\d{1,2})\s*日?"
    r"(?:[\sT]*(\d{1,2})[:：时点](\d{1,2})(?:[:：分](\d{1,2})?)?([.,]\d+)?\s*[分秒]?\s*(Z|[+-]\d{2}(?::?\d{2})?)?)?",
    re.IGNORECASE,
)


def iso_time(raw: Any) -> Any:
    """A time as ISO 8601 text. Unix times are UTC; dates such as 2026/6/12 9:05 keep their missing offset.
    What is no time that is known here comes back as it stands, for the reader of the text to judge; ValueError
    for a number that is none."""
    if isinstance(raw, str):
        text = raw.strip()
        if _NUMBER.fullmatch(text):
            return iso_time(float(text))
        return _spelt(text)
    if isinstance(raw, bool) or not isinstance(raw, (int, float)):
        raise ValueError(f"time {raw!r:.40} is none; give ISO 8601 text or Unix time")
    for least, scale in _UNITS:
        if least <= raw < 1e17:
            return datetime.fromtimestamp(raw / scale, UTC).isoformat()
    raise ValueError(f"time {raw!r} is no Unix time of our days; give ISO 8601 text, or seconds since 1970")


def _spelt(text: str) -> str:
    try:
        datetime.fromisoformat(text)
    except ValueError:
        found = _WRITTEN.fullmatch(text)
    else:
        return text
    if found is None:
        return text
    year, month, day, hour, minute, second, fraction, offset = found.groups()
    date = f"{year}-{int(month):02}-{int(day):02}"
    if hour is None:
        return date
    part = (fraction or "").replace(",", ".") if second else ""
    return f"{date}T{int(hour):02}:{int(minute):02}:{int(second or 0):02}{part}{(offset or '').upper()}"


__all__ = ["iso_time"]
