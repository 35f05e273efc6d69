"""Where words end: whether a value's words are whole in a message, or a piece of a longer word, number or code.

Latin letters and digits that touch belong to one word ("wood" is no word of "Marblewood"); Chinese characters end
anywhere, so nothing is said of them.
"""

# ruff: noqa: E501 (a pattern reads best on one line)
from __future__ import annotations

import re
import unicodedata
from typing import Any

from forms_dynamics.language.contacts import find_phones, phone_key
from forms_dynamics.language.lazy import lazy
from forms_dynamics.language.numerals import folded
from forms_dynamics.model.gated import Span

_WIDE = "\u2e80"  # from here on: scripts that put no space between words
_PLURAL = lazy(r"(?:e?s)(?![a-z0-9])", re.I)
_INFLECTED = lazy(r"(?:e?s|e?d|ing|ly)(?![a-z0-9])", re.I)


def _joined(one: str, other: str) -> bool:
    return one < _WIDE and other < _WIDE and one.isalnum() and other.isalnum()


def cut(text: str, start: int, end: int) -> bool:
    """Whether ``text[start:end]`` begins or ends inside a word."""
    if start >= end:
        return False
    return (start > 0 and _joined(text[start - 1], text[start])) or (
        end < len(text) and _joined(text[end - 1], text[end])
    )


def widened(text: str, span: Span) -> Span:
    """The span with the rest of the words that it begins and ends in."""
    start, end = span
    while 0 < start < end and _joined(text[start - 1], text[start]):
        start -= 1
    while start < end < len(text) and _joined(text[end - 1], text[end]):
        end += 1
    return start, end


def holds(text: str, words: str, kind: str = "text") -> bool:
    """Whether ``words`` stand whole in ``text`` (both in normal form); a plural is the same word, a listed value's
    other endings too (``kind`` enum)."""
    if not words:
        return False
    endings = _INFLECTED if kind == "enum" else _PLURAL
    at = text.find(words)
    while at >= 0:
        end = at + len(words)
        if not cut(text, at, end):
            return True
        before = at > 0 and _joined(text[at - 1], text[at])
        if not before and words[-1].isalpha() and endings.match(text, end):
            return True
        at = text.find(words, at + 1)
    return False


def nothing_said(value: str, naming: bool) -> bool:
    """Whether a text says nothing: signs alone; as a name, also a sound or a word that only points."""
    signs = "PZC" if not naming else "PZCS"
    if all(unicodedata.category(sign)[0] in signs for sign in value):
        return True
    return naming and value.strip(" \t,.!?，。！？、~～'\"").casefold() in _NO_NAME


_NO_NAME = frozenset(
    "嗯 嗯嗯 啊 哦 噢 呃 额 哎 诶 吧 呢 吗 的 了 是 这个 那个 这 那 它 这套 那套 这家 那家 the a an it its this that these those "
    "one uh um hmm er erm ok okay yes no and of".split()
)

# -- phones ------------------------------------------------------------------------------------------------
_EXTENSION = lazy(r"\s?(?:ext\.?|x|分机|转).*$", re.I)
_OTHER_NUMBER = lazy(
    r"(?:订单|工|学|单|编|卡|账|帐|身份证|证件|病历|快递|运单|发票|合同|护照|工单|流水|会员|员工|车牌)(?:编)?号码?\s*(?:[:：]|是|为)?\s*$"
    r"|\b(?:order|invoice|tracking|account|card|member(?:ship)?|staff|employee|student|ticket|reference|serial|id)(?: (?:no\.?|number|id|code))?\s*(?:[:#]|is)?\s*#?$",
    re.I,
)
_MORE_BEFORE = lazy(r"[0-9][-. ]?$")
_MORE_BEHIND = lazy(r"[-. ]?[0-9]")


def same_phone(text: str, span: Span, value: Any) -> bool:
    """Whether the words are a whole phone number and the value is that number."""
    said = folded(text)
    if _OTHER_NUMBER.search(said[max(0, span[0] - 24) : span[0]]):
        return False
    wanted = phone_key(str(value))
    found = [r for r in find_phones(text) if r.start < span[1] and span[0] < r.end]
    for reading in found:
        whole = str(reading.value)
        keys = {phone_key(whole), phone_key(_EXTENSION.sub("", whole))}
        abroad = whole.lstrip().startswith(("+", "00")) and len(wanted) >= 7
        if wanted in keys or (abroad and any(key.endswith(wanted.lstrip("0")) for key in keys)):
            return True
    if found:
        return False
    words = said[slice(*span)]
    if _digits(words) != _digits(str(value)) or not wanted:
        # the number stands somewhere in longer words
        runs = re.findall(r"\+?[0-9(][0-9()\-. ]*[0-9]", words)
        return any(phone_key(run) == wanted for run in runs)
    return not (
        words[:1].isdigit() and _MORE_BEFORE.search(said[max(0, span[0] - 2) : span[0]])
    ) and not _MORE_BEHIND.match(said, span[1])


def _digits(text: str) -> str:
    return "".join(sign for sign in folded(text) if sign.isdigit())


# -- numbers -----------------------------------------------------------------------------------------------
_ODD = re.compile(
    r"[0-9.万亿千百十][²³¹⁰⁴-⁹₀-₉½¼¾⅐-⅞①-⑳⑴-⒇❶-❿]|[½¼¾⅐-⅞①-⑳⑴-⒇❶-❿][0-9万亿千百十]"
    r"|[0-9]\s?(?:\^|\*\*)\s?[0-9]|(?<![0-9A-Za-z])[0-9]+(?:\.[0-9]+)?[eE][+-]?[0-9]+(?![A-Za-z])"
)
_MINUS = re.compile(r"(?:(?<![0-9A-Za-z])[-−－]|负|(?<![a-z])minus )[¥$€£]?$", re.I)


def odd_figure(text: str, start: int, end: int) -> bool:
    """Whether the figures hold an exponent, a raised or circled digit or a fraction sign: read as plain digits, they
    give another number (10² is not 102)."""
    return _ODD.search(text[max(0, start - 3) : end + 3]) is not None


def signed(text: str, start: int) -> bool:
    """Whether a minus sign stands before a figure that was read without it."""
    return _MINUS.search(text[max(0, start - 8) : start]) is not None


__all__ = ["cut", "holds", "nothing_said", "odd_figure", "same_phone", "signed", "widened"]
