"""What follows a word of opinion or doubt and makes it none: a decision, praise, the moves of a talk.

"I think it is 5380" leaves a figure unsure; "I think I'll take it", "I think that's great" and "I think that's all"
leave nothing. All patterns are for lowered text.
"""

from __future__ import annotations

from forms_dynamics.language.lazy import lazy

# What follows "I think": the speaker's own decision, need or wish …
_DECISION = (
    r"(?:that\s+)?(?:i|we)(?:\s?'?(?:ll|d)\b|\s?'?(?:m|re)\s+(?:going\s+to|gonna|done|all|set|good|"
    r"fine|finished|ready|ok|okay|out)|\s+(?:am|are)\s+(?:going\s+to|done|all|set|good|fine|finished|ready|ok)|"
    r"\s+(?:will|would|want(?!\s+to\s+have)|wanna|need|prefer|should(?!\s+have\s+[a-z]*\s?[0-9])|shouldn't|better|must|"
    r"have\s+to|had\s+better|gotta|won\s?'?t|get\s+it))\b"
)
# … what the speaker has or can do, which is a move of the talk unless a figure stands there
_ABLE = (
    r"(?:that\s+)?(?:i|we)(?:\s?'?ve\s+(?:got|had|covered)|"
    r"\s+(?:have\s+(?:all|everything|enough|got)|got|can|see|understand))\b"
)
# … praise of what was offered, and the moves of a talk.
_TALK = (
    r"(?:so|not)\b\s*(?:$|[.,!?])|(?:that(?:\s+(?:that|it|this))?|this|it|they|these|those|that\s+one|this\s+one)"
    r"(?:\s?'\s?(?:s|re)\b|\s?s\b|\s?'ll(?:\s+be)?|\s+(?:is|are|was|were|will(?:\s+be)?|would(?:\s+be)?|might(?:\s+be)?|should(?:\s+be)?|"
    r"does|do|sounds?|seems?|looks?|works?|could(?:\s+be)?|may(?:\s+be)?)\b)\s*"
    r"(?:(?:just|pretty|really|very|quite|so|too|not|a|an|the|about|still|also|all)\s+)*"
    r"(?:all|it|everything|enough|great|good|perfect|fine|ok|okay|nice|cool|right|alright|correct|bad|best|better|lovely|"
    r"wonderful|awesome|important|necessary|helpful|useful|reasonable|interesting|(?<=the\s)one|way|do|work|suffice|have\s+to\s+do)\b"
    r"|(?:that\s+)?(?:it|that)\s?'s\s*(?:$|[.,!?])"
    r"|there\s?(?:'s|is|are)\s+(?:one|another|something|more|nothing)\b"
    r"|(?:this|these|those|that)\s+[a-z]+\s+(?:could|would|will|can|might)\s+(?:really\s+|definitely\s+)?(?:help|work|be|do)\b"
    r"|you\s?(?:'ve|'ll|'re|help|helped|have\s+(?:helped|been)|can|could|should|will|would|are\s+going|got)"
)
_PRAISE = (
    r"(?:be\s+|have\s+)?(?:(?:pretty|really|very|quite|so|too|like|a)\s+)*"
    r"(?:great|good|perfect|fine|ok|okay|nice|cool|right|lovely|awesome|reasonable)\b"
    r"|\s*(?:exactly|just\s+what|what\s+i)\b"
    r"|\s*(?:a|an|the)\s+(?:really\s+|very\s+)?(?:great|good|perfect|nice|solid|smart|most|best|[a-z]{3,}est)\b"
)
# "I think the wheel is also fun", "I think this structure will help": views, unless a figure stands there
_PRAISE_OF = (
    r"(?:this|these|those)\s+(?!time|week|month|year|morning|afternoon|evening|[a-z]+day)(?:[a-z]+\s+){1,2}[a-z]"
    r"|[^.,;!?]{0,60}?\b(?:is|are|was|were)\s+"
    r"(?:(?:also|so|very|really|especially|"
    r"more|much|just|quite|pretty|definitely|all|a|an|the)\s+)*"
    r"(?:fun|great|good|beautiful|important|interesting|realistic|nice|better|funny|amazing|wonderful|useful|helpful|cool|"
    r"delicious|cute|boring|worth|perfect)\b|[^.,;!?]{0,60}?\badds?\s+(?:a\s+lot|so\s+much)\b"
)
DECISION = lazy(rf"[\s,]*(?:{_DECISION})")
VIEW = lazy(rf"[\s,]*(?:{_ABLE}|{_TALK}|(?:be\s+)?(?:all|everything)\b|{_PRAISE}|{_PRAISE_OF})")
PRAISED_ZH = lazy(
    r"(?:(?:这|那|也|会|都)*是?(?:一?个)?(?:很|挺)?(?:好|不错的?)(?:主意|想法|办法|点子|建议|选择))|"
    r"(?:就?(?:这些|这样|到这)|没了|行了|够了)|(?:也|很|挺|蛮|真|还|都|是|能|会|比较|非常|更|最)*(?:不错|好[玩吃看听喝]|有意思|有趣|"
    r"可以(?:的|吧|啊|呀|$|[，。！？,.!?])|挺?好(?:的|$|[，。！？,.!?])|行(?:$|[，。！？,.!?]))"
)
MOVES = lazy(rf"\s+(?:{_TALK})")
TALK = lazy(_TALK)  # "that's all, I think": the clause before a closing word


__all__ = ["DECISION", "MOVES", "PRAISED_ZH", "TALK", "VIEW"]
