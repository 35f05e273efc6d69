"""Whether words stand in a question to the one who is spoken to: what is unsure there is not the speaker's own.

"Might there be a pool?" and 可能会下雨吗 leave nothing unsure. "Can you try 7pm, perhaps?" does, and so do
"can you check it, I think it's 3" and "can you help me, since she probably knows".
"""

from __future__ import annotations

from forms_dynamics.language.clauses import clause_of, sentence_of
from forms_dynamics.language.lazy import lazy
from forms_dynamics.language.numerals import lowered

_ASKS = lazy(
    r"(?:^|[,.;]|\b(?:and|but|so|also|hi|hello|ok|okay|well|thanks|please|then))\s*"
    r"(?:can|could|would|will|do|does|did(?!\s+(?:an?|some)\b)|is|are|was|were|should|shall|what|how|why|any|anything|have|has|"
    r"(?<!,)(?<!,\s)(?:which|who|where|when))\b"
    r"|\bwonder(?:ing|ed)?\b|\bwhether\b|\bcurious\b"
)
_ASKS_ZH = lazy(
    r"吗|么(?=$|[？?。，,])|多少|多久|多长|多大|几点|(?<!没)(?<!没有)(?<!只是)(?:(?<!叫)什么|什么(?=名|$|[？?，。,]))|哪|"
    r"(?<![没不])怎么|是不是|有没有|能不能|可不可以|如何|谁"
)
# "if you want more, maybe a small kit": advice
_ADVISES = lazy(r"\bif\s+you(?:'d|\s+would)?\s+(?:want|like|need|ever|prefer)\b[^.!?]*$")
# "maybe there are some tricks?", "maybe find a way?"
_HOPES = lazy(
    r"(?:maybe|perhaps)\s+(?:there\s?(?:'s|is|are)|find|save|give|show|tell|send|help|suggest|recommend|look)\b[^.!?]*\?"
)
# behind these the speaker tells again; behind a comma only what begins with "I"
_REASON = lazy(r"\b(?:because|since|considering|given that)\b|,\s*$")
# what closes the question doubts the figure before it
_LEFT_OPEN = lazy(r"(?:\s?[ap]\.?m\.?)?(?:\s+(?:then|instead))?[\s,]*(?:maybe|perhaps|possibly)[\s?!.]*")


def asked(text: str, start: int, end: int, kind: str) -> bool:
    """Whether ``text[start:end]``, a hedge of the class ``kind`` or a figure (``remark``), is part of a question."""
    said = lowered(text)
    low, high = sentence_of(text, start, end)
    if kind == "remark" and _LEFT_OPEN.fullmatch(said, end, high):
        return False
    before = said[low:start]
    for reason in _REASON.finditer(before):
        if kind == "think" or said.startswith("i", start) or not reason.group().startswith(","):
            before = before[reason.end() :]
            break
    if said.startswith(("maybe", "perhaps", "possibly"), start) and _ADVISES.search(before):
        return True
    if _HOPES.match(said, start, high + 1) or _ASKS.search(before):
        return True
    return _ASKS_ZH.search(said, *clause_of(text, start, end)) is not None


__all__ = ["asked"]
