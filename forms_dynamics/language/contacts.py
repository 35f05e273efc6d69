"""Phones, e-mail addresses, links, percentages and payment terms in running text."""

from __future__ import annotations

import re
from decimal import Decimal
from functools import lru_cache

from forms_dynamics.language.amounts import Amount, bounded, joined
from forms_dynamics.language.lazy import lazy
from forms_dynamics.language.numbers import scan
from forms_dynamics.language.numerals import folded, lowered
from forms_dynamics.language.reading import Reading
from forms_dynamics.model.value import Range

# -- phones ------------------------------------------------------------------------------------------------
_PHONE = lazy(
    r"(?<![0-9A-Za-z_./-])(?:"
    r"(?P<cn>(?:\+?86[- ]?)?1[3-9][0-9](?:[- ]?[0-9]{4}){2}|"
    r"(?:\+?86[- ]?)?1[3-9][0-9]{2}[- ]?[0-9]{3}[- ]?[0-9]{4})"
    r"|(?P<intl>(?:\+|00)[1-9][0-9]{0,2}(?:[-. ]?\(?[0-9]{1,5}\)?){2,6})"
    r"|(?P<land>(?:\(0[0-9]{2,3}\)|0[0-9]{2,3}[- ])"
    r"[ ]?[1-9][0-9]{2,3}[- ]?[0-9]{4}(?:[-转 ]{1,2}[0-9]{1,5})?)"
    r"|(?P<toll>[48]00[- ]?[0-9]{3}[- ]?[0-9]{4}|[48]00[- ][0-9]{4}[- ][0-9]{3})"
    r"|(?P<us>\(?[2-9][0-9]{2}\)?[-. ][2-9][0-9]{2}[-. ][0-9]{4}|1-[2-9][0-9]{2}-[0-9]{3}-[0-9]{4})"
    r"|(?P<uk>0[1-9][0-9]{2,4}[ ][0-9]{3,6}(?:[ ][0-9]{3,4})?)"
    r")(?:\s?(?:ext\.?|x|分机)\s?[0-9]{1,5})?(?![0-9A-Za-z_])(?!-[0-9]|\.[0-9])"
)
_DIGITS = lazy("[0-9]+")
_DATE_LIKE = lazy(r"(?:19|20)[0-9]{2}[-./ ]")


@lru_cache(maxsize=4096)
def phone_key(text: str) -> str:
    """The digits by which two spellings of a phone number are one; country code 86 of a mobile is dropped."""
    said = text if text.isascii() else folded(text)
    digits = "".join(_DIGITS.findall(said))
    if said.lstrip().startswith("00") and len(digits) > 10:
        digits = digits[2:]
    if len(digits) == 13 and digits.startswith("861"):
        return digits[2:]
    if len(digits) in (12, 13) and digits.startswith("86") and "+" in said:
        return "0" + digits[2:]
    return digits


def find_phones(text: str) -> list[Reading]:
    """Phone numbers: mobiles, landlines, toll-free and ``+44 …``; the value is the text as said, trimmed."""
    said = folded(text)
    out = []
    for found in _PHONE.finditer(said):
        if 7 <= len(phone_key(found.group())) <= 20 and not _DATE_LIKE.match(found.group()):
            out.append(
                Reading(found.start(), found.end(), text[found.start() : found.end()].strip(), kind="phone")
            )
    return out


# -- e-mail and links --------------------------------------------------------------------------------------
_EMAIL = lazy(
    r"(?<![A-Za-z0-9._%+-])"
    r"[A-Za-z0-9][A-Za-z0-9._%+-]*@(?:[A-Za-z0-9](?:[A-Za-z0-9-]*[A-Za-z0-9])?\.)+[A-Za-z]{2,24}(?![A-Za-z0-9-])"
)
_URL = lazy(
    r"(?:https?|ftp)://[^\s<>\"'，。；！？、（）《》【】“”\u4e00-\u9fff]+"
    r"|(?<![A-Za-z0-9@._/-])(?:www\.)?(?:[A-Za-z0-9](?:[A-Za-z0-9-]{0,61}[A-Za-z0-9])?\.)+"
    r"(?:com|cn|net|org|io|dev|ai|app|co|uk|de|fr|jp|hk|tw|eu|us|gov|edu|info|biz|me|shop|store|tech|cloud|"
    r"xyz|site|top)"
    r"(?::[0-9]{2,5})?(?![A-Za-z0-9@])(?:/[^\s<>\"'，。；！？、（）《》【】“”\u4e00-\u9fff]*)?",
    re.IGNORECASE,
)
_TRAILING = ".,;:!?)]}'\""


def find_emails(text: str) -> list[Reading]:
    """E-mail addresses as said."""
    said = folded(text)
    return (
        [Reading(m.start(), m.end(), m.group(), kind="email") for m in _EMAIL.finditer(said)]
        if "@" in said
        else []
    )


def find_urls(text: str) -> list[Reading]:
    """Links with or without a scheme, as said; sentence punctuation behind them is left out."""
    out = []
    for found in _URL.finditer(text):
        url = found.group()
        while url and url[-1] in _TRAILING and not (url[-1] == ")" and url.count("(") >= url.count(")")):
            url = url[:-1]
        out.append(Reading(found.start(), found.start() + len(url), url, kind="url"))
    return out


# -- percentages -------------------------------------------------------------------------------------------
_PERCENT_AFTER = lazy(
    r"\s?(?:%|percent\b|per cent\b|pct\b|个?百分点|percentage points?\b|个点(?![心赞评]))", re.IGNORECASE
)
_OF_HUNDRED = lazy("百分之")
_TENTHS = lazy("成(?!立|为|本|功|长|员|果|品|人|交|都|绩|效|就|熟|套|批|份|年|分|型|语|天|员|见|因|色)(半)?")


@lru_cache(maxsize=512)
def _percents(text: str) -> tuple[Reading, ...]:
    said = folded(text)
    if not any(word in said for word in ("%", "成", "百分", "ercent", "ERCENT", "pct", "per cent", "点")):
        return ()
    amounts = []
    marks: dict[int, tuple[int, int]] = {}
    for n in scan(_OF_HUNDRED.sub("      ".__getitem__(slice(3)), said)):
        amount = Amount(n.start, n.end, n.low, n.high, n.vague, n.scale, n.style, ranged=n.low != n.high)
        if said.startswith("百分之", max(0, n.start - 3)) and n.start >= 3:
            amount.start, amount.currency = n.start - 3, ("%",)
        elif after := _PERCENT_AFTER.match(said, n.end):
            amount.end, amount.currency = after.end(), ("%",)
        elif (tenths := _TENTHS.match(said, n.end)) and n.low <= 10 and n.high is not None:
            half = Decimal("0.5") if tenths[1] else Decimal(0)
            amount.low, amount.high = (n.low + half) * 10, (n.high + half) * 10
            amount.end, amount.currency = tenths.end(), ("%",)
        marks[amount.start] = (amount.start, amount.end)
        amounts.append(amount)
    return tuple(
        Reading(
            a.start,
            a.end,
            _plain(a.low) if a.exact else Range(_plain(a.low), _plain(a.high)),
            a.vague,
            (),
            "percent",
        )
        for a in bounded(said, joined(said, amounts))
        if a.currency == ("%",)
    )


def _plain(number: Decimal | None) -> Decimal | None:
    return number if number is None or number != number.to_integral_value() else number.quantize(Decimal(1))


def find_percents(text: str) -> list[Reading]:
    """Percentages: 30%, 百分之三十, 三成, 30 percent; the value is ``Decimal(30)``, or a Range of it."""
    return list(_percents(text))


# -- payment terms -----------------------------------------------------------------------------------------
_N = r"(?:[0-9]{1,3}|[一二两三四五六七八九十百]{1,4})"
_SHARE = (
    rf"(?:[0-9]{{1,3}}(?:\.[0-9]+)?\s?%|百分之{_N}|[一二两三四五六七八九]成半?|全款|一半|"
    rf"[0-9一二三四五六七八九十]+(?:\.[0-9]+)?[万千]元?)"
)
_ZH_PART = (
    rf"(?:{_SHARE}\s?)?(?:预付款?|首付款?|定金|订金|首款|首期款?|尾款|余款|质保金|进度款|发货前|发货后|"
    rf"到货后?|验收合?格?后|签约后?|签合同后?|交付后?|预付|先付|再付|付)"
    rf"(?:付清|结清|支付|付款|先付|再付|为|是|付|占|比例)?\s?(?:{_SHARE})?(?:的?(?:尾款|余款|预付款|首付|"
    rf"定金))?"
    rf"(?:(?:在|于|等|到)?(?:验收|发货|到货|交付|交货|签约|签合同|上线|安装|投产|质保期)(?:合格|完成|"
    rf"满)?(?:之?[前后时]|当天)?(?:{_N}\s?[天日个月]+内?)?)?(?:再?(?:支付|结清|付清|付款|一次性付清|付))?"
)
_TERMS = lazy(
    rf"(?P<parts>{_ZH_PART}(?:[，,、；;和与+]\s?(?:剩下的?|其余的?|剩余的?)?{_ZH_PART})+)"
    rf"|(?P<zh>分{_N}(?:期|次|批|笔)(?:付款?|支付|付清|结清|到账)?|{_N}期(?:付款|支付|付清|分期)|"
    rf"按[月季年周](?:度)?(?:付款|结算|支付|结|付)|"
    rf"[月季半年周]+结(?:\s?{_N}\s?[天日])?|账期\s?(?:为|是)?\s?{_N}\s?(?:天|日|个月)|{_N}\s?(?:天|日|个月)"
    rf"(?:的)?账期|"
    rf"(?:预付|首付|定金|尾款|质保金)(?:款|比例)?(?:为|是|付)?\s?{_SHARE}|(?:货到|见票|验收后?|发货前|款到)"
    rf"(?:即付|付款|发货|付清|后付款?)|"
    rf"全款(?:预付|到账|付清)?|一次性(?:付款|付清|结清|支付)|现结|现付|先款后货|先货后款|电汇|承兑汇票|"
    rf"银行承兑|信用证|(?:见票|收货|开票)后?\s?{_N}\s?[天日]内?(?:付款|付清)?)"
    r"|(?P<en>net[ -]?[0-9]{1,3}(?:\s?days?)?|(?:in |over )?(?:[0-9]{1,2}|two|three|four|five|six|ten|"
    r"twelve)(?: equal| monthly| quarterly| annual)* "
    r"(?:instal+ments|payments)|(?:paid|payable|payment|billed|invoiced) (?:in full|upfront|up front|"
    r"monthly|quarterly|annually|yearly|on delivery|in advance|in arrears)|"
    r"[0-9]{1,3}\s?(?:%|percent) (?:up ?front|upfront|deposit|advance|down|in advance|on (?:signing|"
    r"delivery|completion|acceptance|order))"
    r"(?:[,;]? (?:and )?(?:(?:the )?(?:rest|balance|remainder|remaining)(?: [0-9]{1,3}\s?%)?|"
    r"[0-9]{1,3}\s?%)[^.;,!?\n]{0,40}?(?:delivery|acceptance|completion|receipt|signing|days?|later|end))?|"
    r"(?:cash|payment) (?:on|before) delivery|cod\b|[0-9]{1,3} days?(?: net| after invoice| from invoice|"
    r" end of month| eom)|"
    r"(?:letter of credit|bank transfer|wire transfer|direct debit)|(?:monthly|quarterly|annual)"
    r" (?:billing|payments?|instal+ments))",
)
_TERMS_HINT = lazy(
    "[付款结账]|电汇|承兑|信用证|定金|订金|net|instal|pay|paid|upfront|up front|deposit|down|advance|"
    "delivery|cod|credit|transfer|debit|bill|invoice|days"
)


@lru_cache(maxsize=512)
def _terms(text: str) -> tuple[Reading, ...]:
    said = lowered(text)
    if not _TERMS_HINT.search(said):
        return ()
    out = []
    for found in _TERMS.finditer(said):
        if (
            found["en"]
            and found.start()
            and said[found.start() - 1].isalnum()
            and said[found.start() - 1].isascii()
        ):
            continue
        if found["parts"] and not re.search(r"%|成|百分|全款|一半|[万千]", found.group()):
            continue
        out.append(
            Reading(found.start(), found.end(), text[found.start() : found.end()].strip(), kind="terms")
        )
    return tuple(out)


def find_terms(text: str) -> list[Reading]:
    """Spans that say how is paid: 分三期付款, 月结30天, 预付50%，尾款验收后付, net 45, three instalments."""
    return list(_terms(text))
