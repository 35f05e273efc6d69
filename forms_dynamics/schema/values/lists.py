"""A string given for a many-valued slot, split where it is plainly a list and left whole where it may be a
name."""

from __future__ import annotations

import re

_STRONG = re.compile(r"\s*[、；;\n\r•|]+\s*")
_COMMA = re.compile(r"\s*(?:，|,(?![0-9]{3}(?![0-9])))\s*")
_LAST_AND = re.compile(r"^(?:and|or|以及|还有|和|与|及|&)\s*(?=\S)|^(?:and|or)\s+", re.IGNORECASE)
_EN_AND = re.compile(r"\s+(?:and|&)\s+", re.IGNORECASE)
_ZH_AND = re.compile(r"(?<=[\u4e00-\u9fffA-Za-z0-9]{2})(?:以及|还有|和|与|及)(?=[\u4e00-\u9fffA-Za-z0-9]{2})")
_ZH_AND_LISTED = re.compile(
    r"(?<=[\u4e00-\u9fffA-Za-z0-9])(?:以及|还有|和|与|及)(?=[\u4e00-\u9fffA-Za-z0-9])"
)
_ZH_NAME = re.compile(
    r"(?:颐|平|温|缓|共|饱|总|柔|祥|附|中|太|人|康|协|义|永|泰|参|赋|给|授|普|涉|以|提|触)(?:和|与|及)|"
    r"和(?:平|谐|睦|田|记|合|顺|声|服|硕|尚|解|气)|及(?:时|格|其)|与(?:其|否|会)"
)
_BRACKETS = re.compile(r"[(（\[【][^)）\]】]*[)）\]】]")

# types whose values hold no comma or "and" of their own
_ATOMS = frozenset({"enum", "phone", "email", "url", "integer", "boolean"})


def split_list(text: str, kind: str) -> list[str]:
    """The items of ``text``, trimmed, none empty; one item when it is no list.

    、 and ; always part items, a comma where every piece is short, "and" and 和 where they end such a list or
    join two short words. Brackets keep what they hold together.
    """
    kept: list[str] = []

    def hide(found: re.Match[str]) -> str:
        kept.append(found.group())
        return f"\ue000{len(kept) - 1}\ue001"

    masked = _BRACKETS.sub(hide, text.strip().strip("[]【】"))
    pieces = _pieces(masked, kind)
    shown = [re.sub("\ue000([0-9]+)\ue001", lambda m: kept[int(m[1])], piece) for piece in pieces]
    return [
        piece for piece in (p.strip(" \t。.\"'“”") if len(shown) > 1 else p.strip() for p in shown) if piece
    ]


def _pieces(text: str, kind: str) -> list[str]:
    parts = _STRONG.split(text)
    listed = len(parts) > 1
    out: list[str] = []
    for part in parts:
        commas = _COMMA.split(part)
        if len(commas) > 1 and (kind in _ATOMS or all(_short(piece) for piece in commas)):
            out += commas
            listed = True
        else:
            out.append(part)
    out = [_LAST_AND.sub("", piece) if i else piece for i, piece in enumerate(out)]
    return [item for piece in out for item in _joined(piece, kind, listed)]


def _short(piece: str) -> bool:
    words = len(piece.split())
    han = sum("\u4e00" <= ch <= "\u9fff" for ch in piece)
    return words <= 4 and han <= 12


def _joined(piece: str, kind: str, listed: bool) -> list[str]:
    """Two items with "and" between them, when that is plain."""
    halves = _EN_AND.split(piece)
    if len(halves) > 1 and (kind in _ATOMS or kind in ("date", "datetime")):
        return halves
    if len(halves) == 2 and all(len(h.split()) <= (3 if listed else 1) and h == h.lower() for h in halves):
        return halves
    if not _ZH_NAME.search(piece):
        halves = (_ZH_AND_LISTED if listed else _ZH_AND).split(piece)
        if len(halves) > 1 and all(len(h) <= 8 for h in halves):
            return halves
    return [piece]
