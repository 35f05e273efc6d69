"""Names of things: their core, their beginnings, and the strings of a text that could be one."""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import lru_cache

from forms_dynamics.language.normal import CJK, has_han, normal

_LEGAL_ZH = re.compile(r"(?:股份有限公司|有限责任公司|有限公司|股份公司|集团公司|总公司|分公司|集团|公司)+$")
_LEGAL_EN = re.compile(
    r"[ ,]+(?:inc|ltd|llc|llp|plc|gmbh|ag|sa|s\.a|bv|b\.v|nv|oy|ab|srl|pte|co|corp|corporation|company|limited|group|holdings)\.?$"
)
_PLACES = (
    "北京 上海 天津 重庆 广州 深圳 杭州 南京 苏州 无锡 宁波 温州 武汉 成都 西安 长沙 郑州 青岛 济南 合肥 福州 厦门 泉州 佛山 东莞 珠海 "
    "中山 惠州 常州 南通 徐州 扬州 绍兴 嘉兴 台州 金华 湖州 沈阳 大连 长春 哈尔滨 石家庄 太原 昆明 贵阳 南宁 海口 兰州 银川 西宁 南昌 "
    "乌鲁木齐 拉萨 呼和浩特 烟台 潍坊 洛阳 唐山 保定 包头 芜湖 赣州 桂林 江苏 浙江 广东 山东 河南 河北 湖北 湖南 四川 福建 安徽 江西 "
    "陕西 山西 辽宁 吉林 黑龙江 云南 贵州 广西 海南 甘肃 青海 宁夏 新疆 西藏 内蒙古 香港 澳门 台湾 中国"
).split()
_PLACE = re.compile("^(?:" + "|".join(sorted(_PLACES, key=len, reverse=True)) + ")(?:省|市|区|县)?")
# a word ends where the script changes: M-202的 is M-202 and 的
_WORD = re.compile(
    f"[{CJK}]+|[^\\W_{CJK}]+(?:[-'&./][^\\W_{CJK}]+)*|[@+]?(?:(?![{CJK}])[\\w.+-])+", re.UNICODE
)
_HAN = re.compile(f"[{CJK}]")

MAX_WORDS = 8
MAX_HAN = 16
_JOINED = 6  # Chinese characters beside Latin ones or digits in one name: 小米14, 3号楼, T恤


@lru_cache(maxsize=16384)
def core(name: str) -> str:
    """The part of a name (in normal form) that tells it from others: without legal form and leading place."""
    if has_han(name):
        out = _LEGAL_ZH.sub("", name)
        placeless = _PLACE.sub("", out)
        out = placeless if len(placeless) >= 2 else out
        return out if len(out) >= 2 else name
    out = name
    while True:
        shorter = _LEGAL_EN.sub("", out)
        if shorter == out or len(shorter) < 2:
            return out
        out = shorter


# characters of names that sound alike: what a name taken down by ear, or typed by sound, is mistaken for
_ALIKE = (
    "蓝兰岚澜 禾和合河荷 鑫新欣馨心 宏红鸿洪虹弘 诚成城程晟盛 远元源园缘圆 佳嘉家加 伟维威卫炜 星兴 明名铭鸣 杰捷洁 辉晖徽慧惠 "
    "瑞锐睿 凯开 博伯 丽莉利力立 芳方坊 静敬净 燕艳雁彦 磊雷蕾 峰锋丰枫风 军君钧 娟涓 玲铃灵凌 婷亭庭 涛滔 建健 飞非菲 "
    "志智致 云芸 雪学 文雯 晓小筱 颖莹盈 浩皓昊 俊骏峻 海 林琳霖 张章 王汪 许徐 陈程 阳杨洋扬 华花 江姜 余于俞 何贺 朱诸 "
    "青清卿轻 泽则 达大 安 信欣 恒横 泰太 通同 天 创 睿瑞 易亿一怡 中钟忠 金今锦 宇雨语羽 科克 联连莲"
).split()
_SOUNDS: dict[str, str] = {}
for _group in _ALIKE:
    for _sign in _group:
        _SOUNDS[_sign] = _SOUNDS.get(_sign, "") + _group


@lru_cache(maxsize=16384)
def mishearings(name: str) -> tuple[str, ...]:
    """What a Chinese name of three characters or more (in normal form) may have been written for: one of its
    characters by another that sounds alike."""
    if not has_han(name) or len(name) < 3 or len(name) > MAX_HAN:
        return ()
    out: dict[str, None] = {}
    for i, sign in enumerate(name):
        for other in _SOUNDS.get(sign, ""):
            if other != sign:
                out[name[:i] + other + name[i + 1 :]] = None
    return tuple(out)


def is_slip(name: str, other: str) -> bool:
    """Whether two Latin names (in normal form) differ by one slip of the typewriter: a letter left out, doubled, put
    in or changed, not at a word's beginning, or two letters swapped."""
    if name == other or has_han(name) or abs(len(name) - len(other)) > 1 or min(len(name), len(other)) < 6:
        return False
    if len(name) < len(other):
        name, other = other, name
    at = next((i for i, (a, b) in enumerate(zip(name, other, strict=False)) if a != b), len(other))
    if at == 0 or name[at - 1] == " " or any(ch.isdigit() for ch in name[at : at + 2]):
        return False
    if len(name) > len(other):
        return name[at + 1 :] == other[at:]
    return name[at + 1 :] == other[at + 1 :] or (
        name[at : at + 2] == other[at : at + 2][::-1] and name[at + 2 :] == other[at + 2 :]
    )


@lru_cache(maxsize=16384)
def beginnings(name: str) -> tuple[str, ...]:
    """Proper beginnings of a name that people use for short: two characters or more, or whole words."""
    if has_han(name):
        return tuple(name[:i] for i in range(2, min(len(name), MAX_HAN)))
    words = name.split(" ")
    return tuple(" ".join(words[:i]) for i in range(1, min(len(words), MAX_WORDS)) if len(words[0]) > 2)


@lru_cache(maxsize=16384)
def shorter(name: str) -> tuple[str, ...]:
    """What people may call it for short: its beginnings and its core, without itself. A name with digits is an
    id, which nobody shortens."""
    if any(ch.isdigit() for ch in name):
        return ()
    return tuple(dict.fromkeys(n for n in (*beginnings(name), core(name)) if n != name))


def is_short(name: str) -> bool:
    """Whether a name is short enough to be the beginning of a longer one in use."""
    return len(name) <= 5 if has_han(name) else name.count(" ") <= 1


def is_begun_by(name: str, short: str) -> bool:
    """Whether ``short`` is a beginning of ``name`` that stands for it (whole words in Latin script)."""
    if name == short or not name.startswith(short):
        return False
    return len(short) >= 2 if has_han(short) else name[len(short)] == " "


def _joined(text: str, start: int, end: int) -> Iterator[str]:
    """A word that is not Chinese, with the Chinese characters that touch it."""
    before = after = 0
    while before < _JOINED and start > before and _HAN.match(text[start - before - 1]):
        before += 1
    while after < _JOINED and end + after < len(text) and _HAN.match(text[end + after]):
        after += 1
    for left in range(before, -1, -1):
        for right in range(after, -1, -1):
            if (left or right) and (not left or not right or max(left, right) <= 2):
                yield text[start - left : end + right]


_OWNED = re.compile(r"['’]s$")


@lru_cache(maxsize=64)
def candidates(text: str, limit: int = 400) -> tuple[str, ...]:
    """Strings of ``text``, in normal form, that could be a name: pieces of Chinese runs (2 to 16 characters),
    runs of up to 8 words, and runs where the two meet. Longest first at each place; at most ``limit``."""
    folded = normal(text)
    out: dict[str, None] = {}
    words = [(m.start(), m.end()) for m in _WORD.finditer(folded)]
    for first, (start, end) in enumerate(words):
        if _HAN.match(folded, start):
            for i in range(start, end):
                for j in range(min(end, i + MAX_HAN), i + 1, -1):
                    out[folded[i:j]] = None
        else:
            out.update(dict.fromkeys(_joined(folded, start, end)))
        for last in range(min(len(words), first + MAX_WORDS) - 1, first - 1, -1):
            stop = words[last][1]
            if stop - start <= 80 and (
                last == first or len(folded[words[last - 1][1] : words[last][0]]) <= 2
            ):
                out[folded[start:stop]] = None
                if (owner := _OWNED.search(folded, start, stop)) is not None:  # Biscuit's weight
                    out[folded[start : owner.start()]] = None
        if len(out) >= limit:
            break
    return tuple(out)[:limit]


__all__ = ["beginnings", "candidates", "core", "is_begun_by", "is_short", "is_slip", "mishearings", "shorter"]
