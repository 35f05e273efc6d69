"""Secrets in a text: keys, tokens, passwords, connection strings, card and identity numbers.

Telephone numbers, names and addresses are personal but no secrets: they stay.
"""

from __future__ import annotations

import re
from collections.abc import Callable

from forms_dynamics.language.lazy import lazy

MARK = "[REDACTED]"

# Words that announce a secret; at least one digit or sign makes what follows more than a plain word.
_WORDS = (
    r"pass(?:word|wd|code|phrase)|pwd|api[ _-]?key|secret(?:[ _-]?key)?|access[ _-]?(?:key|token)|"
    r"auth[ _-]?token|credential|pin(?: code)?"
)
_WORDS_ZH = "密码|口令|密钥|秘钥|令牌|验证码|私钥"
_IS = r"\s*(?:is|was|are|=|:|：|是|为|为：|改成|改为|换成|设为|设成|->|=>)\s*"
_KEYS = (
    r"\b(?:sk|pk|rk|ak)[-_](?:[A-Za-z0-9]+[-_])*[A-Za-z0-9]{12,}|\b(?:AKIA|ASIA)[0-9A-Z]{12,}|"
    r"\bgh[opsur]_[A-Za-z0-9]{20,}|\bgithub_pat_\w{20,}|\bglpat-[\w-]{16,}|\bxox[abprs]-[\w-]{10,}|"
    r"\bAIza[\w-]{30,}|\bhf_[A-Za-z0-9]{20,}|\bnpm_[A-Za-z0-9]{20,}|\bLTAI[A-Za-z0-9]{12,}|"
    r"\beyJ[\w-]{8,}\.[\w-]{8,}\.[\w-]*"
)
_PRIVATE = r"-----BEGIN [A-Z ]*PRIVATE KEY-----.*?(?:-----END [A-Z ]*PRIVATE KEY-----|\Z)"
_QUOTE = r"[\"'“‘`]?"
_FIELD = r"(?:^|[?&;\s,{\"'])(?:password|passwd|pwd|secret|token|api_?key|access_?key)"
_SIGNED = r"(?=[^\s\"'”’`，。；]*[\d!@#$%^&*_\-+=~])[^\s\"'”’`，。；,;]{4,}"
_DIGITS = r"\d(?:[ -]?\d){12,18}"


def _behind(m: re.Match[str]) -> str:
    """The announcing words stay, and a mark that ends the sentence."""
    end = m.group(2)[-1]
    return m.group(1) + MARK + (end if end in ".!?" else "")


_PATTERNS: tuple[tuple[re.Pattern[str], Callable[[re.Match[str]], str]], ...] = (
    (re.compile(_PRIVATE, re.DOTALL), lambda m: MARK),
    # scheme://user:secret@host
    (
        re.compile(r"\b([a-z][a-z0-9+.-]*://[^\s:/@]*:)([^\s/]+)(?=@[\w\[])", re.I),
        lambda m: m.group(1) + MARK,
    ),
    (re.compile(_KEYS), lambda m: MARK),
    (re.compile(r"\b(Bearer\s+)[\w.~+/-]{12,}=*", re.I), lambda m: m.group(1) + MARK),
    (
        re.compile(rf"({_FIELD}[\"']?\s*[=:]\s*[\"']?)([^\s&;,\"'}}\]]{{3,}})", re.I),
        lambda m: m.group(1) + MARK,
    ),
    (re.compile(rf"\b((?:{_WORDS})\b[^.,;。，；\n]{{0,24}}?(?:{_IS}|\s){_QUOTE})({_SIGNED})", re.I), _behind),
    (re.compile(rf"\b(token{_IS})((?=\S*[A-Za-z])(?=\S*[\d_-])[\w.-]{{6,}})", re.I), _behind),
    (
        re.compile(rf"((?:卡号|银行卡|信用卡|\bcard (?:number|no\.?))[^\d\n]{{0,6}})({_DIGITS})", re.I),
        _behind,
    ),
    (
        re.compile(
            rf"((?:{_WORDS_ZH})[^。，；,;\n\d]{{0,8}}?(?:{_IS})?{_QUOTE})([A-Za-z0-9!@#$%^&*_\-+=~.?]{{4,}})",
            re.I,
        ),
        _behind,
    ),
    (
        re.compile(r"(?<![\dA-Za-z])\d{17}[\dXx](?![\dA-Za-z])"),
        lambda m: MARK if _identity(m.group()) else m.group(),
    ),
    (re.compile(rf"(?<![\d.]){_DIGITS}(?![\d.]*\d)"), lambda m: MARK if _card(m.group()) else m.group()),
)

_MAYBE = lazy(
    rf"{_WORDS}|token|{_WORDS_ZH}|://|PRIVATE KEY|\b(?:sk|pk|rk|ak)[-_]|AKIA|ASIA|gh[opsur]_|github_pat|"
    rf"glpat|xox|AIza|hf_|npm_|LTAI|eyJ|Bearer|{_DIGITS}",
    re.I,
)


def redact(text: str) -> str:
    """The text with each secret replaced by ``[REDACTED]``; a text without any comes back as it is."""
    if len(text) < 8 or _MAYBE.search(text) is None:
        return text
    for pattern, replacement in _PATTERNS:
        text = pattern.sub(replacement, text)
    return text


def _identity(number: str) -> bool:
    """Whether 18 characters are a resident identity number: its check digit (GB 11643), or a birth date where
    it should be."""
    weights = (7, 9, 10, 5, 8, 4, 2, 1, 6, 3, 7, 9, 10, 5, 8, 4, 2)
    total = sum(int(d) * w for d, w in zip(number[:17], weights, strict=True))
    if "10X98765432"[total % 11] == number[17].upper():
        return True
    year, month, day = int(number[6:10]), int(number[10:12]), int(number[12:14])
    return 1900 <= year <= 2100 and 1 <= month <= 12 and 1 <= day <= 31


def _card(said: str) -> bool:
    """Whether the digits are a payment card number: 13 to 19 of them, a known first digit, Luhn's sum."""
    digits = [int(ch) for ch in said if ch.isdigit()]
    if not 13 <= len(digits) <= 19 or digits[0] not in (2, 3, 4, 5, 6):
        return False
    total = 0
    for place, digit in enumerate(reversed(digits)):
        doubled = digit * 2 if place % 2 else digit
        total += doubled - 9 if doubled > 9 else doubled
    return total % 10 == 0


__all__ = ["MARK", "redact"]
