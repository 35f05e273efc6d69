"""What follows a word of opinion or doubt and makes it none: a decision, praise, the moves of a talk.

"I think it is 5380" leaves a figure unsure; "I think I'll take it", "I think that's great" and "I think that's all"
leave nothing. All patterns are for lowered text.
"""

from __future__ import annotations

from forms_dynamics.language.lazy import lazy

# What follows "I think": the speaker's own decision, need or wish …
_ADVERB = r"(?:\s+(?:just|also|really|still|definitely|actually|first|then))*"
_DECISION = (
    rf"(?:that\s+)?(?:i|we){_ADVERB}(?:\s?'?(?:ll|d)\b|\s?'?(?:m|re)\s+(?:going\s+to|gonna|done|all|set|good|"
    r"fine|finished|ready|ok|okay|out)|\s+(?:am|are)\s+(?:going\s+to|done|all|set|good|fine|finished|ready|ok)|"
    r"\s+could\s+(?:just\s+|always\s+)?(?:try|wait|manage|live\s+with)\b|"
    r"\s+(?:will(?!\s+be\s+(?:[a-z]+\s+)?[0-9])|would|want(?!\s+to\s+have)|wanna|need|prefer|should(?!\s+have\s+[a-z]*\s?[0-9])|shouldn't|better|must|"
    r"have\s+to|had\s+better|gotta|shall|won\s?'?t|do(?:n\s?'?t|\s+not)\s+(?:have|need|want|care|mind|know|really)|get\s+it))\b"
    r"|(?:just\s+)?(?:go|book|cancel|try|check|give|send|let|tell|forget|skip)\b(?!\s+(?:is|was)\b)"
)
# … what the speaker has or can do, which is a move of the talk unless a figure stands there
_ABLE = (
    r"(?:that\s+)?(?:i|we)(?:\s?'?ve\s+(?:got|had|covered|changed|decided|made|seen|heard)|"
    r"\s+(?:(?:might\s+|may\s+)?have\s+(?:all|everything|enough|got|what|an?\s+(?:[a-z]+\s+)?(?:plan|idea|solution|way|question|handle|grasp|sense|understanding))|"
    r"got|managed|did\s+an?|made\s+the\s+right|can(?!\s?'?t\b)|see|understand|know|get\s+the|changed|made\s+a\s+mistake|mis(?:read|heard|understood)))\b"
)
# What is said in praise or blame, where no value is at stake
_WORTH = (
    r"(?:great|good|perfect|fine|ok|okay|nice|cool|right|alright|lovely|wonderful|awesome|amazing|fantastic|excellent|"
    r"beautiful|fun|funny|cute|boring|delicious|interesting|exciting|important|essential|crucial|necessary|helpful|useful|"
    r"valuable|fascinating|impressive|incredible|remarkable|special|healthy|relaxing|refreshing|difficult|hard|easy|tough|"
    r"challenging|key|vital|worth|realistic|reasonable|effective|enjoyable|inspiring|ideal|smart|wise|fair)"
)
# … praise of what was offered, and the moves of a talk.
_TALK = (
    r"(?:so|not)(?:\s+(?:too|either|as\s+well))?\b\s*(?:$|[.,!?])|(?:that(?:\s+(?:that|it|this))?|this|it|they|these|those|that\s+one|this\s+one)"
    r"(?:\s?'\s?(?:s|re)\b|\s?s\b|\s?'ll(?:\s+be)?|\s+(?:is|are|was|were|will(?:\s+be)?|would(?:\s+be)?|might(?:\s+be)?|should(?:\s+be)?|"
    r"does|do|sounds?|seems?|looks?|works?|could(?:\s+be)?|may(?:\s+be)?)\b)\s*"
    r"(?:(?:just|pretty|really|very|quite|so|too|not|a|an|the|about|still|also|all)\s+)*"
    rf"(?:all|it|everything|enough|{_WORTH}|correct|bad|best|better|(?<=the\s)one|way|do|work|help|suffice|have\s+to\s+do|"
    r"improvement|relief|start|plus|shame|pity|exactly|(?:just\s+)?what\s+(?:i|we)|(?<=a\s)matter\s+of|one\s+of\s+th(?:ose|ese))\b"
    r"|(?:that|this|it|which)\s+(?:all\s+)?(?:works?|covers?|does|helps?|suits?|fits|makes\s+sense|wraps|takes\s+care|settles|answers|solves|concludes|completes)\b"
    r"(?!\s+(?:on|at|in|from|with)\b)"
    r"|(?:that\s+)?(?:it|that)\s?'s\s*(?:$|[.,!?])|(?:(?:i|we)\s+(?:do|did|am|are|have|can)|no|yes)\s*(?:$|[.,!?])"
    r"|there\s?(?:'s|is|are)\s+(?:one|another|something|more|nothing|no)\b"
    r"|i\s?(?:'m|am)\s+(?:just\s+|still\s+)?(?:so|too|really|very|pretty|lucky)\b"
    r"|(?:this|these|those|that)\s+[a-z]+\s+(?:could|would|will|can|might)\s+(?:really\s+|definitely\s+)?(?:help|work|be|do)\b"
    r"|you\s?(?:'ve|'ll|'re|'d|help|helped|(?:may\s+|might\s+)?have\s+(?:helped|been|answered|given|told|done|provided|covered|mis[a-z]+)|mis[a-z]+|already|forgot|mean|meant|"
    r"can|could|should|will|would|are|got)\b|you\s*(?:$|[.,!?])"
)
_PRAISE = (
    r"(?:be\s+|have\s+)?(?:(?:pretty|really|very|quite|so|too|like|a)\s+)*"
    r"(?:great|good|perfect|fine|ok|okay|nice|cool|right|lovely|awesome|reasonable)\b"
    r"|\s*(?:exactly|just\s+what|what\s+i)\b"
    r"|\s*(?:a|an|the)\s+(?:really\s+|very\s+)?(?:great|good|perfect|nice|solid|smart|most|best|[a-z]{3,}est)\b"
)
# "I think the wheel is also fun", "I think this structure will help": views, unless a figure stands there
_PRAISE_OF = (
    r"(?:this|these|those)\s+(?!time|week|month|year|morning|afternoon|evening|[a-z]+day|are\b|is\b|was\b|were\b)"
    r"(?:[a-z]+\s+){1,2}[a-z]"
    r"|it\s?'s\s+time\s+(?:to|for)\b"
    r"|[^.,;!?]{0,90}?\b(?:(?:is|are|was|were|will\s+be)|(?:look|sound|seem|feel|taste)s?)\s+"
    r"(?:(?:also|so|super|very|really|especially|more|much|even|just|quite|pretty|definitely|always|all|a|an|the)\s+)*"
    rf"(?:{_WORTH}|better|improvement|relief|shame|pity|too\s+(?:much|many)|what\s+makes)\b|[^.,;!?]{{0,60}}?\bmakes?\s+(?:[\w*]+\s+)?sense\b(?![^.;!?]*[0-9])|"
    r"(?!i\b|we\b|i'|we')[^.,;!?]{1,40}?\bcan\s+(?:also\s+|really\s+|definitely\s+)?(?:help|be|improve|make|bring|teach|lead)\b|"
    rf"[^.,;!?]{{0,60}}?\b(?:sounds?|looks?|seems?)\s+like\s+(?:a|the)\b|"
    rf"[^.,;!?]{{0,60}}?\badds?\s+(?:a\s+lot|so\s+much)\b"
)
_ALL = r"(?:be\s+)?(?:all|everything)(?:\s*(?:$|[.,!?])|\s?(?:'s|is|looks|set|done|good|for|i|we)\b)"
_PAUSE = r"[\s,]*(?:(?:\.{2,}|…)\s*)?"
DECISION = lazy(rf"{_PAUSE}(?:{_DECISION})")
VIEW = lazy(rf"[\s,]*(?:{_ABLE}|{_TALK}|{_ALL}|{_PRAISE}|{_PRAISE_OF})")
PRAISED_ZH = lazy(
    r"(?:(?:这|那|也|会|都)*是?(?:一?个)?(?:很|挺)?(?:好|不错的?)(?:主意|想法|办法|点子|建议|选择))|"
    r"(?:就?(?:这些|这样|到这)|没了|行了|够了|没有?(?:别的|其[他它]|(?:什么|啥)(?:问题|事|需要|要|了|$)|问题))|(?:也|很|挺|蛮|真|还|都|是|能|会|比较|非常|更|最)*(?:不错|好[玩吃看听喝]|有意思|有趣|"
    r"可以(?:的|吧|啊|呀|$|[，。！？,.!?])|挺?好(?:的|$|[，。！？,.!?])|行(?:$|[，。！？,.!?]))"
)
# "maybe not today", "probably a good idea"
MOVES = lazy(
    rf"\s+(?:{_TALK}|not(?:\s+(?:today|tonight|now|yet|right\s+now|this\s+time))?\s*(?:$|[.,!?])|"
    r"(?:be\s+)?a\s+(?:good|great|wise|smart)\s+(?:idea|thing|plan|choice|move)\b)"
    r"|(?:(?<=maybe)|(?<=perhaps))\s+(?:try|start|consider|look\s+into|think\s+about)\s+(?:[a-z]+ing|to|some|out)\b"
)
_PHATIC = (
    r"\W*(?:(?:thanks|thank\s+you|ok|okay|fine|sure|yes|yeah|yep|no|nope|alright|all\s+right|well|oh|hmm+|so|good|great|"
    r"cool|never\s?mind|sorry|whatever|then|but|bye|goodbye|please|now)\b[\s,.!]*)+"
)
# "that's all, I think", "okay I guess": what stands before a closing word; "… I think thanks": what stands behind one
TALK = lazy(rf"(?:{_TALK})|\bmakes?\s+sense\b|^{_PHATIC}$")
PHATIC = lazy(_PHATIC)

# -- Chinese opinions: 我觉得他们玩得很开心, 我觉得那是我的 state something; 我觉得不错, 我觉得有点远 are views
_COUNTED_ZH = r"(?:[0-9]|[两三四五六七八九十百千万]+(?:个|点|号|天|人|块|元|周|晚|月|日|分|小时|间|张|位|岁))"
_VALUED_ZH = (
    r"不错|可以|合适|适合|方便|漂亮|好[看吃玩听用的]|[很挺还最]好|太(?:[好棒美赞贵远甜咸辣吵小大值]|.{1,3}好).{0,3}了?|棒|"
    r"个?好(?:主意|公司|地方|选择|办法)|赞|满意|有意思|有趣|重要|必要|值|喜欢|靠谱|划算|稳定|贵|便宜|远|没问题"
)
_WANTED_ZH = (
    r"(?:还是|就|也|都|真的|其实|现在|最)*"
    r"(?:应该|需要|得|要|想|可以|能|该|不用|不能|最好|很|好|真|太|非常|特别|挺)"
)
STATED_ZH = lazy(
    rf"[，,]?\s*(?:就|应该|可能|大概|好像)*(?:(?![^，。！？,.!?]*(?:{_VALUED_ZH}))"
    rf"(?:是|[那这](?:[家个里边款次位天]|时候)?就?是|[^，。！？,.!?]{{0,14}}?{_COUNTED_ZH})"
    rf"|(?:我们?(?!自己|住|用|和|的)(?:家的?)?|咱们?|[他她]们?|对方|大家)(?!{_WANTED_ZH})"
    r"(?![^，。！？,.!?]*(?:不错|太棒|好主意)))"
)


__all__ = ["DECISION", "MOVES", "PHATIC", "PRAISED_ZH", "STATED_ZH", "TALK", "VIEW"]
