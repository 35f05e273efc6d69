"""Yes or no said in a clause of its own: 我不是会员, 车修好了, "I am no longer insured".

Only a plain statement about now counts. A clause in which anything else stands (a wish, a time to come, the
past, a doubt, a condition, somebody's report) states nothing here.
"""

# ruff: noqa: E501 (a list of words reads best on one line)
from __future__ import annotations

from forms_dynamics.language.clauses import clause_of, sentence_of
from forms_dynamics.language.lazy import lazy
from forms_dynamics.language.normal import has_han

_UNSAID_ZH = lazy(
    r"以前|之前|曾|原来|原先|本来|过去|从前|当时|那时|去年|前年|上个?[月周]|昔|想|希望|要|将|快|明[天年早晚]|后天|今[晚后]|下个?[周月年]|周[一二三四五六日末]|"
    r"准备|打算|计划|等|待|争取|应|必须|需|得|如果|假|若|万一|除非|只要|只有|一旦|说|告诉|以为|觉得|怀疑|相信|问|知道|确认|确定|是否|吗|么|谁|什么|怎|哪|几|多少|"
    r"为|别|请|把|让|帮|使|直到|当|时候|时|再说|才|后|前|看|检查|保证|会(?!员)|能|差点|几乎|不是没|没有?不|难道|每|都?没人|没有?人|无人|何时|即便|虽|尽管|再|被说|称|据|听|建议|劝|同意|拒绝|办|申请|退|入"
)
_BEFORE_ZH = lazy(
    r"(?P<who>.{0,12}?)(?:已经?|现在|目前|还|仍然?|并|也|都|一直|终于|刚刚?|早就|全都?|确实|其实|真的|可能|大概|好像|从来)*"
    r"(?:(?P<no>不再(?:是|有|享有)?|并?不是|不(?:可以|允许|准|能|许|属于)?|没有?(?:被|参加|买|交)?|尚未|未|无|禁止|非)|(?P<yes>是|有(?!没)|享有|属于|可以|允许|准许?|参加了|买了|交了)|(?P<bare>))"
)
_AFTER_ZH = lazy(r"[\s\"”’」)）]*(?:的|了|啦|呀|哦|啊|呢|哈|嘛)*[\s\"”’」)）]*$")
_DONE_ZH = lazy(r"了(?:啊|呀|哦|哈)?\s*$")
_SET_ZH = lazy(r"(?:已经?|都)$")
_UNDONE = lazy(
    r"[，,；;。.!！\s]*(?:(?:但是?|可是?|不过|结果|后来|然后|but|and|then|however|yet)[\s，,]*)?[^，,。；;]{0,14}?(?:又|过期|失效|退了|取消|不算|才怪|骗|假的|开玩笑|broke|broken|expired|lapsed|no longer|not any ?more|any ?more|cancel|again|not really|kidding)",
)

_UNSAID_EN = (
    "if|when|whenever|once|after|before|until|till|unless|whether|that|which|who|what|how|because|although|though|while|as|since|"
    "nobody|noone|none|nothing|neither|nor|few|hardly|barely|it|he|she|they|you|we|i|me|us|him|her|them|"
    "say|says|said|told|tell|tells|claim|claims|doubt|doubts|hope|hopes|wish|wishes|want|wants|know|knows|sure|check|confirm|think|thinks|thought|believe|"
    "make|let|see|ask|asks|wonder|imagine|pretend|assume|suppose|promise|promised|insist|expect|heard|hear|mean|means|wait|to|will|would|should|could|can|may|might|must|shall|"
    "was|were|used|never|no|not|only|almost|nearly|soon|maybe|tomorrow|next|is|are|am|be|been|do|does|did|has|have|had"
)
_DET = r"(?:the|my|our|this|that|these|those|all|both|your|its)"
_NOUN = rf"(?!(?:{_UNSAID_EN})\b)[\w#./-]+(?!['’])"
_BEFORE_EN = lazy(
    r"(?:(?:hi|hello|hey|yes|no|ok|okay|well|so|and|also|actually|finally|fyi|btw|unfortunately|sadly|luckily|fortunately|currently|now|good news|i think|i guess|probably|maybe)[,:]?\s+)*"
    rf"(?P<who>(?:i|we|it|this|that|{_DET} {_NOUN}(?: {_NOUN}){{0,3}}|(?!(?:{_DET}|an?)\b){_NOUN}(?: {_NOUN}){{0,2}}(?: [\w#-]*\d[\w-]*)?)\b)?\s*"
    r"(?:(?P<be>['’](?:m|s|re)|\b(?:am|is|are)|(?:['’](?:ve|s)|\b(?:have|has)) been|['’]ve got|(?:have|has|own|owns|hold|holds)(?: got)?)|(?P<nbe>\bno longer (?:has|have|owns?|holds?)|\b(?:isn|aren|ain)['’]t|\bain['’]t|\b(?:haven|hasn)['’]t(?: been| got)?|\b(?:do|does)(?: not|n['’]t) have|\b(?:has|have) (?:not|never)(?: been)?))?"
    r"(?P<adv>(?:\s+|^)(?:now|already|currently|still|also|just|always|finally|fully|all|indeed|definitely|certainly|officially|completely|probably|(?P<not>not(?: yet| currently| even)?|no longer|never|no)))*(?:\s+an?\b)?\s*",
)
_AFTER_EN = lazy(
    r"(?:\s+(?:now|already|yet|too|as well|at last|any ?more|any longer|today|at the moment|at present|currently|here|of (?:your|the|this) [\w ]{2,24}))*[\s\"'”’)]*"
    r"(?:$|\s+(?:and|so)\s+(?:i|we|my|our|the|want|need|would|have|it)\b(?!.*\b(?:if|when|would be)\b))"
)
_NEGATIVE_ONLY = lazy(r"\b(?:any ?more|any longer|yet)\b")
_SUBORDINATE = lazy(
    r"(?:^|[\s,])(?:if|when|once|after|before|until|unless|whether|as soon as|suppose|imagine|assuming|provided|hope|wish|doubt|say|says|said|told)\b|"
    r"如果|要是|假如|假设|万一|除非|只要|一旦|等(?!级)|的时候|希望|但愿|听说|据说|告诉|怀疑|以为|倘若|若是"
)


def stated(text: str, low: str, start: int, end: int, beside: bool = False) -> tuple[bool, int, int] | None:
    """What the clause says of the word ``text[start:end]``: True or False, with the span of the words that say
    it; None where it states neither. ``low`` is the text folded and in lower case. ``beside``: the name of the thing
    stands before the word, which alone is then a fact (SF1234易碎)."""
    first, last = clause_of(text, start, end)
    head, tail = sentence_of(text, start, end)
    if head < first and _SUBORDINATE.search(low, head, first):
        return None
    if _UNDONE.match(low, last, tail) is not None:
        return None
    before, after = low[first:start].lstrip(" \"'“‘「(（"), low[end:last]
    said = _chinese(before, after, beside) if has_han(low[start:end]) else _english(before, after)
    return None if said is None else (said[0], start - len(before) + said[1], end)


def _chinese(before: str, after: str, beside: bool) -> tuple[bool, int] | None:
    """The truth said, and where its words begin in ``before``."""
    m = _BEFORE_ZH.fullmatch(before)
    if m is None or _AFTER_ZH.match(after) is None:
        return None
    who, at = m["who"], m.end("who")
    # of a name, which ends it, only what stands before it may leave it open
    if beside and _UNSAID_ZH.match(who.lstrip("我你您他她咱们俺大家")):
        return None
    if not beside and (_UNSAID_ZH.search(who) or any(sign in who for sign in "不没未无")):
        return None
    if m["no"]:
        return False, at
    if m["yes"]:
        return True, at
    # a bare verb is a fact with 了 behind or 已 before it
    return (True, at) if beside or _DONE_ZH.search(after) or _SET_ZH.search(before) else None


def _english(before: str, after: str) -> tuple[bool, int] | None:
    m = _BEFORE_EN.fullmatch(before.rstrip() + " " if before.strip() else "")
    if m is None or _AFTER_EN.match(after) is None:
        return None
    at = m.end("who") + 1 if m["who"] else 0
    if m["nbe"] or m["not"]:
        return False, at
    if _NEGATIVE_ONLY.search(after):
        return None
    return (True, at) if m["be"] and m["who"] else None


__all__ = ["stated"]
