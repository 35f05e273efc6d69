"""Secrets in a text: keys, tokens, passwords, connection strings, card and identity numbers.

A secret is found however it is written: beside Chinese letters, in full width, in Chinese digits or English words for
them, in groups, with invisible characters. Numbers that check themselves (cards, resident identity numbers, IBAN) go
wherever they stand; numbers that look like any other (passports, a nine-digit social security number, a card's
security code) go behind the words that announce them. Telephone numbers, names and addresses are personal but no
secrets: they stay.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator

from forms_dynamics.language.lazy import lazy
from forms_dynamics.language.long_numbers import card, identity, numbers_in, spelled
from forms_dynamics.language.normal import plain_width

MARK = "[REDACTED]"
_Span = tuple[int, int]

# Words that announce a secret; at least one digit or sign makes what follows more than a plain word.
_WORDS = (
    r"pass(?:word|wd|code|phrase)|pwd|api[ _-]?key|secret(?:[ _-]?key)?|access[ _-]?(?:key|token)|"
    r"auth[ _-]?token|credential|pin(?: code)?"
)
_WORDS_ZH = "密码|口令|密钥|秘钥|令牌|验证码|私钥"
_IS = r"\s*(?:is|was|are|=|:|：|是|为|为：|改成|改为|换成|设为|设成|->|=>)\s*"
_KEYS = (
    r"(?<![A-Za-z0-9])(?:(?:sk|pk|rk|ak)[-_](?:[A-Za-z0-9]+[-_]){0,6}[A-Za-z0-9]{12,}|(?:AKIA|ASIA)[0-9A-Z]{12,}|"
    r"gh[opsur]_[A-Za-z0-9]{20,}|github_pat_\w{20,}|glpat-[\w-]{16,}|xox[abprs]-[\w-]{10,}|"
    r"AIza[\w-]{30,}|hf_[A-Za-z0-9]{20,}|npm_[A-Za-z0-9]{20,}|LTAI[A-Za-z0-9]{12,}|"
    r"eyJ[\w-]{8,2000}\.[\w-]{8,}\.[\w-]*)"
)
# 40 characters of small and capital letters and digits, as cloud keys are; no hash, no word, no address
_OPAQUE = (
    r"(?<![\w/+.=-])(?=[A-Z0-9/+]*[a-z])(?=[a-z0-9/+]*[A-Z])(?=[A-Za-z/+]*\d)[A-Za-z0-9/+]{40}(?![\w/+.=-])"
)
_PRIVATE = r"-----BEGIN [A-Z ]*PRIVATE KEY-----.*?(?:-----END [A-Z ]*PRIVATE KEY-----|\Z)"
_QUOTE = r"[\"'“‘`]?"
_FIELD = r"(?:^|[?&;\s,{\"'])(?:password|passwd|pwd|secret|token|api_?key|access_?key)"
_SIGNED = r"(?=[^\s\"'”’`，。；]*[\d!@#$%^&*_\-+=~])[^\s\"'”’`，。；,;]{4,}"

# papers and accounts, and what stands between their word and the number
_PAPERS = (
    r"护照|護照|身份证|身份證|身分證|证件|證件|驾照|驾驶证|駕照|社保|社会保障|医保|通行证|通行證|台胞证|臺胞證|回乡证|"
    r"回鄉證|居留证|居住证|军官证|银行[账帐]|銀行帳|"
    r"\b(?:passport|nino|ni (?:number|no\b)|national insurance|ssn|social security|hkid|identity (?:card|number)|"
    r"(?:national|hong kong|taiwan|tax|taxpayer) id|id card|iban|itin|driv(?:er['’]?s|ing) licen[cs]e|bank account)"
)
_LINK = (
    r"(?:[\s:：=#\"'“「(（]|号码?|號碼?|字[号號]|编号|卡|本|的|我|是|为|為|叫|记|尾号|"
    r"\b(?:number|num|no|nr|is|was|id|code|card|my|the|it['’]?s)\b\.?){0,8}?"
)
# five digits or more, with the letters of such numbers among them; no date
_NUMBERED = (
    r"(?!\d{4}(?:[-.]\d\d?){1,2}(?!\d))(?:[A-Za-z]{1,3}|[A-Z] )?\d(?:[ -]?[A-Za-z]?\d){4,}"
    r"(?:[ -]?[A-Za-z](?![A-Za-z]))?(?:\([\dA-Za-z]\))?"
)
_CODE_WORDS = r"\bcv[vc]2?|\bcard security code|安全码|安全碼"


def _whole(m: re.Match[str]) -> _Span:
    return m.span()


def _second(m: re.Match[str]) -> _Span:
    return m.span(2)


def _behind(m: re.Match[str]) -> _Span:
    """The announcing words stay, and a mark that ends the sentence."""
    low, high = m.span(2)
    return low, high - (m.group(2)[-1] in ".!?")


_FLAGS = re.I | re.A  # A: a letter of another script ends a word
_PATTERNS: tuple[tuple[re.Pattern[str], Callable[[re.Match[str]], _Span]], ...] = (
    (re.compile(_PRIVATE, re.DOTALL), _whole),
    # scheme://user:secret@host
    (re.compile(r"\b([a-z][a-z0-9+.-]{0,20}://[^\s:/@]*:)([^\s/]+)(?=@[\w\[])", _FLAGS), _second),
    (re.compile(_KEYS, re.A), _whole),
    (re.compile(_OPAQUE, re.A), _whole),
    (re.compile(r"\b(Bearer\s+)([\w.~+/-]{12,}=*)", _FLAGS), _second),
    (re.compile(rf"({_FIELD}[\"']?\s*[=:]\s*[\"']?)([^\s&;,\"'}}\]]{{3,}})", _FLAGS), _second),
    (
        re.compile(rf"\b((?:{_WORDS})\b[^.,;。，；\n]{{0,24}}?(?:{_IS}|\s){_QUOTE})({_SIGNED})", _FLAGS),
        _behind,
    ),
    (re.compile(rf"\b(token{_IS})((?=[\w.-]*[A-Za-z])(?=[\w.-]*[\d_-])[\w.-]{{6,}})", _FLAGS), _behind),
    (
        re.compile(
            rf"((?:{_WORDS_ZH})[^。，；,;\n\d]{{0,8}}?(?:{_IS})?{_QUOTE})([A-Za-z0-9!@#$%^&*_\-+=~.?]{{4,}})",
            _FLAGS,
        ),
        _behind,
    ),
)
# in what numbers are read from: Chinese digits count as digits
_ANNOUNCED: tuple[re.Pattern[str], ...] = (
    re.compile(
        r"((?:卡号|银行卡|信用卡|\bcard (?:number|no\.?))[^\d\n]{0,6})(\d(?:[ .-]?\d){12,18})", _FLAGS
    ),
    re.compile(rf"((?:{_PAPERS}){_LINK})({_NUMBERED})", _FLAGS),
    re.compile(rf"((?:{_CODE_WORDS}){_LINK})(\d{{3,4}})(?![\d.]*\d)", _FLAGS),
)
_SELF: tuple[re.Pattern[str], ...] = (
    # social security numbers of the United States, in their groups
    re.compile(r"(?<![\w-])(?!000|666|9)\d{3}([ -])(?!00)\d\d\1(?!0000)\d{4}(?![\w-]|[ .]\d)", re.A),
    # national insurance numbers of the United Kingdom, in theirs
    re.compile(
        r"(?<![A-Za-z0-9])[A-CEGHJ-PR-TW-Z][A-CEGHJ-NPR-TW-Z] \d\d \d\d \d\d [A-D](?![A-Za-z0-9])", re.A
    ),
)
_HONG_KONG = re.compile(r"(?<![A-Za-z0-9])[A-Z]{1,2}\d{6}\([\dA]\)", re.A)
_IBAN = re.compile(
    r"(?<![A-Za-z0-9])[A-Z]{2}\d\d(?: ?[A-Z0-9]{4}){2,7}(?: ?[A-Z0-9]{1,3})?(?![A-Za-z0-9])", re.A
)

# in small letters, of text in small letters: a pattern that minds no case tries every branch at every place
_WORDY = lazy(  # some of it stands in whatever _PATTERNS find
    rf"{_WORDS}|token|{_WORDS_ZH}|://|PRIVATE KEY|(?:sk|pk|rk|ak)[-_]|AKIA|ASIA|gh[opsur]_|github_pat|"
    rf"glpat|xox|AIza|hf_|npm_|LTAI|eyJ|Bearer|{_PAPERS}|{_CODE_WORDS}|[A-Za-z0-9/+]{{40}}".lower(),
    re.A,
)
_NUMBERED_SO = lazy(  # as many digits as the shortest number, in groups; or words for digits
    r"\d(?:[^a-z\u4e00-\u9fff]{0,4}\d){5}|"
    r"(?:(?:zero|oh|one|two|three|four|five|six|seven|eight|nine)[\s,.-]+){12}",
    re.A,
)
_CAPITALS = re.compile("[A-Z]+")


def redact(text: str) -> str:
    """The text with each secret replaced by ``[REDACTED]``; a text without any comes back as it is."""
    said, places = plain_width(text)
    numerals = spelled(said)
    wordy, numbered = _may_hold(said)
    if not (wordy or numbered) and (numerals == said or not any(_may_hold(numerals))):
        return text
    spans = sorted({*(_in_words(said) if wordy else ()), *_in_numbers(numerals)})
    if not spans:
        return text
    out: list[str] = []
    done = 0
    for low, high in _joined(spans, said):
        start, end = (low, high) if places is None else (places[low], places[high - 1] + 1)
        out += (text[done:start], MARK)
        done = end
    return "".join((*out, text[done:]))


def _may_hold(said: str) -> tuple[bool, bool]:
    """Whether a text can hold a secret by its words, and whether it can hold one by its digits."""
    # nothing but A to Z: what becomes of other letters may begin or end a word
    small = said.lower() if said.isascii() else _CAPITALS.sub(lambda run: run.group().lower(), said)
    return _WORDY.search(small) is not None, _NUMBERED_SO.search(small) is not None


def _in_words(said: str) -> Iterator[_Span]:
    for pattern, where in _PATTERNS:
        for found in pattern.finditer(said):
            yield where(found)


def _in_numbers(said: str) -> Iterator[_Span]:
    for pattern in _ANNOUNCED:
        for found in pattern.finditer(said):
            yield _second(found)
    for pattern in _SELF:
        for found in pattern.finditer(said):
            yield found.span()
    for found in _HONG_KONG.finditer(said):
        if _hong_kong(found.group()):
            yield found.span()
    for found in _IBAN.finditer(said):
        if _iban(found.group()):
            yield found.span()
    yield from numbers_in(said, (card, identity))


def _joined(spans: list[_Span], said: str) -> Iterator[_Span]:
    """The spans in order, those that overlap as one; what is redacted already stays."""
    marks = [(at.start(), at.end()) for at in re.finditer(re.escape(MARK), said)]
    low = high = -1
    for start, end in spans:
        if end <= start or any(start < b and a < end for a, b in marks):
            continue
        if start < high:
            high = max(high, end)
            continue
        if high > low:
            yield low, high
        low, high = start, end
    if high > low:
        yield low, high


def _hong_kong(said: str) -> bool:
    """The check digit of a Hong Kong identity card."""
    letters, digits, check = re.findall(r"[A-Z]+|\d+|\([\dA]", said)
    ords = [36, *(ord(ch) - 55 for ch in letters)][-2:] + [int(d) for d in digits]
    total = sum(value * weight for value, weight in zip(ords, range(9, 1, -1), strict=True))
    return (total + (10 if check[1] == "A" else int(check[1]))) % 11 == 0


def _iban(said: str) -> bool:
    """The check digits of an international bank account number (ISO 13616)."""
    number = said.replace(" ", "")
    if not 15 <= len(number) <= 34:
        return False
    return int("".join(str(int(ch, 36)) for ch in number[4:] + number[:4])) % 97 == 1


__all__ = ["MARK", "redact"]
