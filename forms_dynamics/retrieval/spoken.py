"""In which language a question is asked, by its own words: a name in it says nothing of that."""

from __future__ import annotations

import re
from collections.abc import Sequence

from forms_dynamics.language.normal import has_han, language

Span = tuple[int, int]


_RUN = re.compile("(?<![\u4e00-\u9fff])[\u4e00-\u9fff·]{2,6}(?<![的了吗呢吧啊])(?![\u4e00-\u9fff])")


def language_of_words(
    text: str, own: Sequence[Span], declared: Sequence[Span], free: Sequence[Span] = ()
) -> str:
    """``zh`` or ``en``. ``own``: places of function words and of words that the catalog declares (``declared``),
    names left out. A Chinese function word decides, then an English one ("the 预算 of 海蓝电子", "Acme 的 budget"),
    then declared words; without any the whole text. ``free``: Chinese characters that nothing explains: what stands
    apart in Chinese and holds one is a name that nobody knows (何欣 in "何欣's pets")."""
    if not has_han(text):
        return "en"
    names = [m.span() for m in _RUN.finditer(text) if any(_inside(span, [m.span()]) for span in free)]
    names = [run for run in names if not any(_inside(word, [run]) for word in declared)]
    han = [span for span in own if has_han(text[slice(*span)])]
    if len(han) < len(own):  # beside words of the other language
        han = [span for span in han if not _inside(span, names)]
    latin = [span for span in own if not has_han(text[slice(*span)])]
    function_words = [span for span in han if not _inside(span, declared)]
    if function_words or not latin:
        return "zh" if han else language(text)
    return "en" if not han or any(not _inside(span, declared) for span in latin) else "zh"


def _inside(span: Span, spans: Sequence[Span]) -> bool:
    return any(a <= span[0] and span[1] <= b for a, b in spans)


__all__ = ["language_of_words"]
