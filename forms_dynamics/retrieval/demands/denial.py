"""Words that make what they stand at the one thing that is not meant."""

from __future__ import annotations

import re

_DENIES = re.compile(  # what stands behind is what the Forms that are meant are not
    r"(?:不是|不在|不由|不归|不属于|并非|非)(?:在|于|由|归)?\s*$|"
    r"(?:\b(?:not|except(?: for)?|other than|excluding)|n['’]t)(?: (?!yet\b|only\b)[\w']+){0,2}? $"
)
_BUT = re.compile(
    r"(?:除了?|除去|除开|不算|不包括|不含)\s*$|"
    r"\b(?:except(?: for)?|other than|besides|apart from|aside from|excluding|but not|leaving out|"
    r"(?:every|any|no)(?:one|body|thing| one| [a-z]+) but|(?:all|each|none)(?: [a-z]+)? but)(?: the| for)? $"
)
_OUTSIDE = re.compile(r"\s*(?:以外|之外|除外)的?")


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


__all__ = ["denied", "left_out"]
