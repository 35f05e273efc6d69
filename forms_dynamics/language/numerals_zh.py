"""What a run of Chinese number signs, alone or mixed with Arabic digits, is worth: 十万零五千, 13万2,
三十几万, 50多万."""

from __future__ import annotations

import re
from decimal import Decimal

from forms_dynamics.language.lazy import lazy
from forms_dynamics.language.numerals import ARABIC, Numeral, arabic, tidy

DIGITS = {ch: i for i, ch in enumerate("零一二三四五六七八九")} | {"〇": 0, "两": 2}
DIGITS |= {ch: i for i, ch in enumerate("壹贰叁肆伍陆柒捌玖", 1)}
SMALL = {"十": 10, "百": 100, "千": 1000, "拾": 10, "佰": 100, "仟": 1000}
BIG = {"万": 10**4, "亿": 10**8}
_D = "".join(DIGITS)
_U = "".join(SMALL)
SIGNS = f"{_D}{_U}万亿廿卅"

# A counted thing behind a numeral: then even a lone 三 is a number, and a last digit is no short form.
COUNTER = (
    "个|台|件|套|人|年|天|日|号|月|次|期|家|条|份|张|种|名|位|小时|分钟|刻钟|周|星期|礼拜|成|折|倍|吨|米|"
    "公里|斤|克|"
    "批|笔|届|层|间|座|辆|部|本|页|项|点|步|轮|季度|岁|口|颗|盒|箱|瓶|袋|组|班|只|把|款|道|门|场|段|晚|夜|"
    "楼|排|架"
)
_COUNTED = lazy(COUNTER)
_MONEY_AFTER = lazy(r" ?(?:块|元|圆|美|欧|英镑|日|港|台币|新台|人民|毛|角|分钱|刀|澳|加元|新加坡)")
_END = lazy(r"[^\w]|$|[A-Za-z]|左右|上下|以|之|起|多|余|来|到|至|级|预算|的|吧|封顶|打住|打底|出头|开外")

_DECIMAL_POINT = rf"[{_D}十百]+点[{_D}]+(?=[万亿千百%倍折成元块美欧]|个百分|$)"
TOKEN = lazy(
    rf"(?P<P>{_DECIMAL_POINT})|(?P<Q>[一二两三四五六七八]、[二三四五六七八九])(?=[{_U}万亿])|"
    rf"(?P<S>[{_D}]{{3,}}(?![{_U}万亿]))|(?P<A>{ARABIC})|(?P<D>[{_D}])"
    rf"|(?P<U>[{_U}])|(?P<B>[万亿])|(?P<T>[廿卅])|(?P<F>好几|好多|若干|几|(?<![人总件台天个份次户页票套点分岁年倍位])数)(?=[{_U}万亿]|个亿|[^\W]|$)"
    r"|(?P<M>多|余|来|把)|(?P<H>半)|(?P<G>个)(?=亿|[百千]万)|(?P<W> )(?=[十百千万亿])"
)


class _Sum:
    """A numeral being added up; every number is a pair (low, high)."""

    def __init__(self) -> None:
        self.total: list[Decimal] = [Decimal(0), Decimal(0)]
        self.section: list[Decimal] = [Decimal(0), Decimal(0)]
        self.num: list[Decimal] | None = None
        self.unit = 0  # the last unit read
        self.scale = 1
        self.step = 1  # what one more of the last sign would add
        self.zero = self.vague = self.open_top = self.wan = self.single = False

    def small(self, unit: int) -> None:
        num = self.num or [Decimal(1), Decimal(1)]
        for i in (0, 1):
            self.section[i] += num[i] * unit
        self.num, self.unit, self.step, self.zero = None, unit, unit, False

    def big(self, unit: int) -> None:
        empty = self.num is None and not any(self.section)
        for i in (0, 1):
            base = Decimal(1) if empty else self.section[i] + (self.num[i] if self.num else 0)
            if unit == 10**8:
                base = self.total[i] + (0 if empty and self.total[i] else base)
                self.total[i] = base * unit
            else:
                self.total[i] += base * unit
        self.section, self.num = [Decimal(0), Decimal(0)], None
        self.unit = self.step = self.scale = unit
        self.wan, self.zero = unit == 10**4, False

    def widen(self, sign: str) -> None:
        """多, 余: up to one more of the last sign; 来, 把: a tenth to either side."""
        target = self.section if self.num or any(self.section) else self.total
        if self.num:
            for i in (0, 1):
                target[i] += self.num[i]
            self.num = None
        if sign in "多余":
            target[1] += self.step
            self.open_top = True
        else:
            target[0], target[1] = target[0] * 9 / 10, target[1] * 11 / 10
        self.vague = True

    def tail(self) -> None:
        """A last single digit stands one place below the last unit: 13万2, 两千三, 一百二."""
        if self.num and self.single and self.unit >= 100 and not self.zero:
            self.num = [n * self.unit / 10 for n in self.num]

    def value(self) -> tuple[Decimal, Decimal]:
        num = self.num or [Decimal(0), Decimal(0)]
        low, high = (self.total[i] + self.section[i] + num[i] for i in (0, 1))
        return low, high - 1 if self.open_top and high > low else high


def _trailing_zeros(text: str) -> int:
    digits = text.replace(",", "")
    return 1 if "." in digits else 10 ** (len(digits) - len(digits.rstrip("0")))


def _point(text: str) -> Decimal:
    whole, _, part = text.partition("点")
    run = chinese(whole, 0, strict=False)
    head = run.low if run else Decimal(0)
    return Decimal(f"{head}." + "".join(str(DIGITS[ch]) for ch in part))


def _is_pair(first: int, second: int) -> bool:
    """两三, 四五, 三五, 一二: two digits said for "one or the other"."""
    return second == first + 1 or (first, second) == (3, 5)


def chinese(text: str, start: int, strict: bool = True) -> Numeral | None:
    """The numeral that starts at ``start``, Chinese signs and Arabic digits mixed; None when none does.

    ``strict``: signs that are as often part of a word (一, 千, 万) count only before a counter or a currency.
    """
    if text.startswith("百八十", start):
        return _hundred_or_so(text, start)
    acc = _Sum()
    at = end = start
    arabic_seen = False
    signs = 0
    while found := TOKEN.match(text, at):
        kind = found.lastgroup or ""
        if not _TAKERS[kind](acc, found, text, signs):
            break
        at = found.end()
        signs += 1
        arabic_seen = arabic_seen or kind == "A"
        # 零, 个 and a space only lead on to what follows them
        if kind not in ("G", "W") and not (kind == "D" and acc.zero and acc.num is None):
            end = at
        if kind == "H" and acc.unit:
            break
    return _finish(acc, text, start, end, arabic_seen, strict) if end > start else None


def _hundred_or_so(text: str, start: int) -> Numeral | None:
    """百八十, 百八十万: eighty to a hundred."""
    big = BIG.get(text[start + 3 : start + 4], 1)
    end = start + (4 if big > 1 else 3)
    return Numeral(start, end, Decimal(80 * big), Decimal(100 * big), True, big, "zh")


def _take_figure(acc: _Sum, found: re.Match[str], text: str, signs: int) -> bool:
    """Arabic digits, a string of Chinese digits (二〇二六), a decimal (三点五)."""
    kind, said = found.lastgroup, found.group()
    if acc.num is not None or (kind != "A" and signs):
        return False
    acc.step = 1
    if kind == "A":
        number = arabic(said)
        acc.step = _trailing_zeros(said)
    elif kind == "S":
        number = Decimal("".join(str(DIGITS[ch]) for ch in said))
    else:
        number = _point(said)
    acc.num = [number, number]
    acc.single = kind == "A" and len(said) == 1
    return True


def _take_pair(acc: _Sum, found: re.Match[str], text: str, signs: int) -> bool:
    """两、三 before a unit."""
    first, second = DIGITS[found.group()[0]], DIGITS[found.group()[2]]
    if acc.num is not None or not _is_pair(first, second):
        return False
    acc.num, acc.vague = [Decimal(first), Decimal(second)], True
    return True


def _take_digit(acc: _Sum, found: re.Match[str], text: str, signs: int) -> bool:
    return _digit(acc, DIGITS[found.group()], text, found.end(), signs)


def _take_twenty(acc: _Sum, found: re.Match[str], text: str, signs: int) -> bool:
    if signs:
        return False
    ten = Decimal(20 if found.group() == "廿" else 30)
    acc.section, acc.unit, acc.step = [ten, ten], 10, 1
    return True


def _take_few(acc: _Sum, found: re.Match[str], text: str, signs: int) -> bool:
    """几: 2 to 10 before a unit (几十万, 一百几十万), any last digit behind ten (三十几)."""
    after = text[found.end() : found.end() + 1]
    unit_follows = after in (*SMALL, *BIG, "个")
    if acc.num is not None or (not signs and not unit_follows) or (signs and found.group() != "几"):
        return False
    low = 2 if unit_follows and not signs else 0
    if signs:
        if unit_follows and acc.unit > 10 and after in SMALL:
            low = 2
        elif acc.unit != 10:
            return False
        acc.open_top = True
    acc.num, acc.vague, acc.single = [Decimal(low), Decimal(10)], True, False
    return True


def _take_small(acc: _Sum, found: re.Match[str], text: str, signs: int) -> bool:
    unit = SMALL[found.group()]
    if any(acc.section) and acc.unit <= unit and acc.unit not in BIG.values():
        return False
    acc.small(unit)
    return True


def _take_big(acc: _Sum, found: re.Match[str], text: str, signs: int) -> bool:
    said = found.group()
    empty = acc.num is None and not any(acc.section)
    if (said == "万" and acc.wan) or (empty and signs and not (said == "亿" and any(acc.total))):
        return False
    acc.big(BIG[said])
    return True


def _take_more(acc: _Sum, found: re.Match[str], text: str, signs: int) -> bool:
    if not _widens(acc, found.group(), text, found.end(), signs):
        return False
    acc.widen(found.group())
    return True


def _take_half(acc: _Sum, found: re.Match[str], text: str, signs: int) -> bool:
    """半个亿; 一万半."""
    after = text[found.end() : found.end() + 1]
    if not signs and (after in (*BIG, "百", "千") or text.startswith("个亿", found.end())):
        acc.num = [Decimal("0.5"), Decimal("0.5")]
        return True
    if signs and acc.num is None and acc.unit >= 100:
        acc.num, acc.single = [Decimal(acc.unit) / 2] * 2, False
        return True
    return False


def _take_link(acc: _Sum, found: re.Match[str], text: str, signs: int) -> bool:
    """The 个 of 两个亿, the space of 50 万."""
    return acc.num is not None or any(acc.section)


_TAKERS = {
    "P": _take_figure, "S": _take_figure, "A": _take_figure, "Q": _take_pair, "D": _take_digit,
    "T": _take_twenty, "F": _take_few, "U": _take_small, "B": _take_big, "M": _take_more, "H": _take_half,
    "G": _take_link, "W": _take_link,
}  # fmt: skip


def _digit(acc: _Sum, digit: int, text: str, end: int, signs: int) -> bool:
    if digit == 0 and signs:
        acc.zero = True
        return acc.num is None
    if acc.num is not None:
        first = acc.num[0]
        follows = (
            text[end : end + 1] in (*SMALL, *BIG)
            or acc.unit == 10
            or any(rule.match(text, end) for rule in (_COUNTED, _MONEY_AFTER))
        )
        if not (acc.single and first == acc.num[1] and follows and _is_pair(int(first), digit)):
            return False
        acc.num = [first, Decimal(digit)]
        acc.vague = True
        return True
    acc.num, acc.single, acc.step = [Decimal(digit)] * 2, True, 1
    return True


_NOT_MORE = lazy(
    "多(?:少|谢|亏|久|长)|余(?:额|下|款|数|量|地|生|额)|来(?!$|[万亿个台件套人年天月次块元斤米多])|"
    "把(?![万亿块元个])"
)


def _widens(acc: _Sum, said: str, text: str, end: int, signs: int) -> bool:
    if not signs or acc.vague or _NOT_MORE.match(text, end - 1):
        return False
    if said == "把":
        return signs == 1 and acc.unit >= 100
    return acc.num is None or acc.step > 1 or (acc.unit > 0 and not acc.single)


def _finish(acc: _Sum, text: str, start: int, end: int, arabic_seen: bool, strict: bool) -> Numeral | None:
    run = text[start:end]
    counted = _COUNTED.match(text, end)
    if acc.num and acc.single and acc.unit >= 100 and not acc.zero and counted and not acc.vague:
        # 5万3期: the last digit counts what follows and is not a short form
        end -= 1
        acc.num, run = None, text[start:end]
        counted = None
    if run[0] in BIG and run[1:] not in ("", "把", "多", "余"):
        return None
    acc.tail()
    if strict and not arabic_seen and not _stands_alone(acc, text, start, end, run):
        return None
    low, high = acc.value()
    style = "zh" if not arabic_seen or any(ch in BIG or ch in SMALL for ch in run) else "digits"
    if style == "zh":
        low, high = tidy(low), tidy(high)
    return Numeral(start, end, low, high, acc.vague, acc.scale, style)


_ORDINAL = lazy("(?:第|周|星期|礼拜|初|老|小|万|其|统|唯|单|划|逐|专|同)$")


def _stands_alone(acc: _Sum, text: str, start: int, end: int, run: str) -> bool:
    """Whether Chinese signs that are as often part of a word are a number here."""
    digits = sum(ch in DIGITS for ch in run)
    units = len(run) - digits
    if _ORDINAL.search(text[max(0, start - 2) : start]) and not (units and digits):
        return False
    money = _MONEY_AFTER.match(text, end) is not None
    if run in ("万", "亿"):
        return money or (
            text[start - 1 : start] in ("上", "过", "近", "成") and _END.match(text, end) is not None
        )
    if digits == 1 and not units and not acc.vague:
        return money or (_COUNTED.match(text, end) is not None and run != "零")
    if not digits and not acc.vague:  # 千万, 十, 百万
        if run in ("千万", "百", "千", "万千") or len(run) == 1:
            return (
                money
                or _COUNTED.match(text, end) is not None
                or (len(run) > 1 and _END.match(text, end) is not None)
            )
        return money or _END.match(text, end) is not None or _COUNTED.match(text, end) is not None
    return True
