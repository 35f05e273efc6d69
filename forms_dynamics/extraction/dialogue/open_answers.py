"""Names and free texts that answer a question: the words of a sentence that are the value, told by its grammar.

A sentence whose subject takes up the question says the value behind its verb ("The topic is X"); a short answer comes
down to a noun phrase; a yes or no that a slot asks for is the whole sentence. Anything else is left alone.
"""

# ruff: noqa: E501 (a pattern reads best on one line)
from __future__ import annotations

import re
from datetime import datetime

from forms_dynamics.extraction.dialogue.asked import Asked
from forms_dynamics.extraction.dialogue.concepts import terms
from forms_dynamics.extraction.dialogue.expected import ASIDE, composite, kind_of_answer, offered
from forms_dynamics.extraction.dialogue.phrases import (
    bare,
    bare_zh,
    called,
    complement,
    head_stripped,
    object_of,
    openers,
    place,
    praised,
    proper,
    subject,
    without_echo,
)  # fmt: skip
from forms_dynamics.extraction.dialogue.profile import Profiles, SlotProfile
from forms_dynamics.extraction.dialogue.question import polar
from forms_dynamics.extraction.dialogue.typed_spans import spans
from forms_dynamics.language.normal import has_han

Span = tuple[int, int]

_YES_OR_NO = re.compile(r"\byes or no\b", re.I)
_DECIDES = re.compile(
    r"\W*(?:yes|yeah|yep|no|nope|i (?:do|have|did|would|will|am)(?: ?n['’ ]{1,3}t| not)|i['’]ve not)\b", re.I
)
_WHETHER = re.compile(
    r"(?:has|is|does|do|takes|allows|accepts|needs?|requires?|offers|includes?|wants?) [a-z]|是否", re.I
)
_YES_NO_WORD = re.compile(
    r"\W*(?:(?:well|oh|and)\W+)?(yes|yeah|yep|no|nope|true|false|是|否|有|没有|要|不要|需要|不需要)(?![a-z])",
    re.I,
)
_NO_WORD = re.compile(
    r"\W*(?:no|nope|nah|(?:un)?(?:luckily|fortunately),? (?:no|nobody|nothing)|there (?:is|are|was|were)(?: no\b|(?: not|n['’]t)(?: any)?)|i (?:do|have|did|would|will|am)(?: ?n['’ ]{1,3}t| not)|i['’]ve not)\b|\W*(?:没有?|沒有?|无|不|暂时没|目前没|应该没)",
    re.I,
)
# a slot that also holds that there is none
_OR_NONE = re.compile(
    r"\b(?:if any|if applicable|if so|if yes|or (?:state |say |write )?[\"“']?none|yes ?/ ?no|yes or no)\b|如有|若有|如果有|是否|有没有|有无|(?:没有|无)则?(?:填|写|请)",
    re.I,
)
_QUESTION = re.compile(r"[?？]|^(?:please|enter|select|describe)\b", re.I)
_THERE = re.compile(r"(there(?: is| are| was| were|['’]s) )(?=(?:no|not)\b)", re.I)
# what is told in sentences, not named
_NARRATED = re.compile(
    r"^(?:how (?!many|much|long|often|soon|old|far)|why|what (?:happened|motivates|steps|actions)|(?:please )?(?:describe|explain|outline|tell us)|are there any|is there any|have there been|were there)\b"
    r"|^请?(?:您|你)?(?:详细|具体|简单|简要|简述|大致)*(?:描述|说明|介绍|讲述|谈谈|说说|概述|叙述|简述)|为什么|为何|怎样|如何|怎么(?!称呼)|什么(?:原因|经过|影响|措施|步骤|困难|计划|打算)|(?:原因|经过|影响|措施|步骤|困难|计划|打算)是什么|(?:是否|有没有|还有)[^？?]*(?:补充|其他|说明|备注)",
    re.I,
)
# a question that sentences answer
_TELLING = re.compile(
    r"\b(?:why\b|how (?:will|did|has|have|does|do|is|are) |what (?:drives|motivates|inspires|happened|steps|actions|challenges|obstacles|hurdles|difficulties|goals?|outcomes?)\b|(?:describe|explain)\b|tell (?:me|us) (?:a (?:bit|little) )?(?:more )?about\b|can you (?:share|elaborate)\b)|为什么|为何|如何|怎样|怎么|描述|说明|介绍|说说|谈谈|讲讲",
    re.I,
)
# a sentence that says what something else is
_OWN_SUBJECT = re.compile(
    r"(?:my|our|the|his|her|their) (?!(?:(?:first|main|own|personal) )?(?:favou?rite|preference|preferred|choice|answer|pick|best)\b)((?:[a-z'’-]+ ){0,4}?[a-z'’-]+)(?: ?['’] ?s| is| are| was| were| will be| would be)(?![a-z])",
    re.I,
)
_CUT = re.compile(
    r"\b(?:i|we|you|he|she|they|is|are|was|were|am|be|have|has|had|will|would|can|could|should|do|does|did|the|(?-i:a)|an|my|our|to|of|that|which|and|or|than|as)$",
    re.I,
)  # "Plan A" is whole
_TWO_ASKED = re.compile(
    r",? and (?:have|has|do|does|did|is|are|was|were|can|could|would|will|what|who|when|where|how)\b", re.I
)
_FIGURES = re.compile(r"(?<![\w-])\+?\d[\d() -]{5,}\d(?![\w-])")
# what is said of a thing that helps, drives or is hard: the thing is meant
_HELPS = re.compile(
    r"(?: is what)? (?:(?:would|could|may|might|will|can) )?(?:(?:also|really|probably|definitely|certainly) )*"
    r"(?:(?:be|is|are|make (?:it|this|that)|makes (?:it|this|that)) (?:(?:very|really|quite|highly|so|more) )*(?:appreciated|helpful|beneficial|useful|difficult|hard|challenging|tough|motivating|inspiring|important|great|ideal)"
    r"|helps?|motivates?|drives?|inspires?|worr(?:y|ies)|matters?)(?: (?:for |to )?(?:me|us|my|our)\b.*| most| a lot)?$",
    re.I,
)
_PRONOUN = re.compile(
    r"(?:i|we|you|he|she|it|they|there|this|that|these|those|what|which|how|if|when|yes|no)\b", re.I
)
# that something is planned is no part of the plan
_PLANNED = re.compile(
    r"(?:i|we)(?: ?['’] ?ll| will) (?!not|be|have|know|need|never|no\b)|(?:i|we)(?: ?['’] ?m| ?['’] ?re| am| are)? (?:plan|intend|aim|planning|hoping|aiming|intending) (?:to|for|that)?\b ?|(?:i|we)(?: ?['’] ?m| ?['’] ?re| am| are) (?:hoping|planning) (?=(?:my|the|our|an?|for|to)\b)"
    r"|我?(?:打算|计划|准备|希望)(?=[^，。]{2})",
    re.I,
)
_SO_AS = re.compile(
    r",? (?:in order )?to ((?:monitor|track|measure|ensure|gauge|assess|see|evaluate|check|achieve|reach) .+)$",
    re.I,
)
_WATCHES = terms("monitor track measure ensure gauge assess see evaluate check achieve reach")
_NO_NAME = re.compile(
    r"(?:correct|right|true|accurate|so)$|(?:what|why|how|which|who)\b|[a-z]+ed (?:on|by|at|to|with|for)\b",
    re.I,
)
_ADVERB = re.compile(r" (?:really|also|just|always|truly|definitely|probably|certainly)$", re.I)
# how somebody is reached
_REACHED = re.compile(
    r"\b(?:contact|reach|call|message|notify|get hold of)(?:ed)?(?: to)?(?: me)? (?:through|via|by|over|on) (?:the |my )?((?:[a-z-]+ ?){1,3}?)(?: only| please| instead)?[.!]?\s*$|(?:通过|用)([^，。！\s]{1,8}?)(?:和|跟|与)?(?:联系|联络|通知)我?",
    re.I,
)
_PRAISE = re.compile(
    r"(?:(?:very|most|really|probably|quite|more|just) )*(?:helpful|useful|beneficial|great|best|ideal|good|fine|nice|convenient|perfect|important|valuable|preferable)(?: (?:for|to|given) .*)?",
    re.I,
)
_WANTS_TO = re.compile(
    r"\bto ((?!(?:be|go|have|select|choose|pick|enroll|see|watch|hear|visit|stay|eat|dine|try|find|book|travel|leave|depart|arrive|use|pay|get|search|look|buy|rent|play|reserve|request|report|take|do|make|receive|add|include|access)\b)[a-z]+ (?:\w+ )?(?:(?:an?|the|some|my|our) )?)$",
    re.I,
)
_BUT = re.compile(r"\b(?:but|yet|although|though|however)\b", re.I)
_BE = re.compile(r"\s(?:would|could|might|will|is|are|was)\b", re.I)
_HANDLE = re.compile(r"(?<![\w.])@[A-Za-z]\w+")
_NOTHING_ELSE = re.compile(
    r"\b(?:no|nothing|not any(?:thing)?)(?: other| additional| more| further| else){1,2}(?! time)(?: (?:notes?|comments?|details?|information|remarks?|to (?:add|note|say|mention|share)))?\b|没有?(?:什么)?(?:其他|其它|别的|更多)",
    re.I,
)
_ANYTHING_ELSE = re.compile(
    r"\b(?:notes?|comments?|additional|remarks?|else|other|special|information)\b|备注|补充|其他|其它|附加|说明",
    re.I,
)
# the end of a talk answers nothing
_CLOSES = re.compile(
    r"\W*(?:(?:no|nope|ok|okay|i think|i guess|well)\W+)*that(?: ?['’] ?s| is| was| should be)?(?: (?:about|pretty much|really|basically|probably))*(?: (?:all|it|everything|covers (?:it|everything|that))\b)|[\s，。]*(?:没有?了，?)?(?:就这些|就这样|就是这些|差不多就这些)",
    re.I,
)
_PERSON_ASKED = re.compile(r"\b(?:who|whom|someone|somebody|anyone|anybody)\b", re.I)
_NOUN_BEHIND = re.compile(
    r"[ -](?!(?:me|us|him|her|them|and|or|for|to|in|on|at|by|with|from|of|that|which|who|is|are|was|were|will|would|can|could|has|have|had|as|so|but|if|when|because|since|please|this|these|those|it|i|we|you|my|our|the|an?|ongoing|starting|beginning|due|towards?|after|before|until|during|only|too|also|instead|would|should|may|might|took|happened|going|related|style|ones?|through|under|over|via|about|seems?|sounds?|looks?|works?|needs?|[a-z]+ed)\b)([a-z-]+)(?!['’\w])",
    re.I,
)
# who they are is said behind it: "The people involved were my boss and a coworker"
_INVOLVED = re.compile(
    r"the (?:only |other )?(?:people|persons?|individuals?|ones?|witness(?:es)?|parties|party|names?)(?: (?:involved|present|concerned|affected|there|responsible))?",
    re.I,
)
_BE_PAST = re.compile(r" (?:was|were|is|are) (?:just |only )?(?!not\b|involved\b)", re.I)
_SOMEBODY = re.compile(
    r"(?:my|our|the|an?|one of my) (?:[a-z-]+ ){0,3}?[a-z-]+(?= (?:was|were|is|are|has|have|had|will|can|saw|did)\b)",
    re.I,
)
_NOBODY = re.compile(r"\b(?:time|times|first|involved|needed|happened|incident|nobody|none|notes?)\b", re.I)
_GOING_ON = re.compile(r"[a-z]+ing\b", re.I)
_WHO = re.compile(r"(?<!those )(?<!people )(?<!anyone )(?<!someone )(?<!person )\bwho\b", re.I)
# how many words (Chinese characters) a phrase of a kind may have
_MOST = {
    "city": (4, 6),
    "place": (8, 12),
    "address": (10, 20),
    "person": (4, 8),
    "name": (7, 16),
    "choice": (4, 6),
    "free": (5, 8),
    "composite": (8, 12),
}
_WHERE = frozenset(("city", "place", "address"))
_ONE_OF_MANY_ZH = re.compile(r"[一两几][个场家部张间次份顿](?=..)")
_ONE_OF_MANY = re.compile(r"\b(?:an?|some|any)\s+$", re.I)  # no city
_BESIDE = re.compile(r"\s+(?:in|near|around|with)\s+(?=[A-Z])")
_LEAVING = re.compile(r"(?:leaving|departing|going|arriving|travell?ing)(?: (?:from|to|at|in))? ", re.I)
# an offer to tell something asks for nothing: "Would you like the address?"
_TELLS = re.compile(
    r"\b(?:would you (?:also )?like|do you (?:need|want)|(?:shall|can|should|may) i (?:give|send|get|tell|provide)(?: you)?|interested in)"
    r"(?: me to (?:give|send|get|tell|provide)(?: you)?)?(?: with)?(?: to (?:know|have|get))? (?:the|its|their|his|her|more|further|some more)\b|"
    r"\bhow about\b",
    re.I,
)
_OPEN_KINDS = frozenset(_MOST)


class OpenAnswers:
    """The open answers of one turn."""

    def __init__(self, text: str, base: datetime, profiles: Profiles) -> None:
        self._text, self._base, self._profiles = text, base, profiles

    def span(self, one: Asked, slot: SlotProfile, unit: Span, sure: bool = False) -> Span | None:
        """The words of the sentence that fill an open slot. ``sure``: nothing else is asked that it may answer."""
        kind = kind_of_answer(slot)
        if _TELLS.search(one.question):
            return None
        if slot.closed or kind not in _OPEN_KINDS or slot.curated or slot.spec.type not in ("text", "ref"):
            return None
        said = self._text[slice(*unit)]
        if _CLOSES.match(said):
            return None
        if _NOTHING_ELSE.search(said) and not self._keeps(slot, said):
            return None  # nothing to add is said of no one slot
        most = _MOST[kind]
        if (none := self._none(one, slot, unit)) is not None:
            span: Span | None = none
        elif has_han(said):
            span = bare_zh(self._text, *unit, most[1])
            if span is None and kind == "free" and sure:
                span = self._told(slot, unit, one.question)
        elif self._names(one, kind):
            span = self._name(unit)
        elif kind == "composite":
            span = self._parts(unit)
        elif kind == "free":
            span = self._free_text(one, slot, unit)
            if span is not None and (
                _CUT.search(self._text[slice(*span)]) or _AND_MORE.search(self._text, span[1], unit[1])
            ):
                span = None  # it is cut off, or one of several
            if span is None and sure:
                span = self._told(slot, unit, one.question)
        else:
            if kind in ("place", "city", "address"):
                span = place(self._text, *unit, most[0], slot.role, kind == "place" and not slot.role)
            else:
                span = bare(self._text, *unit, most[0])
            if span is not None and kind == "choice":
                if cut := _BESIDE.search(self._text, *span):
                    span = span[0], cut.start()
                span = head_stripped(self._text, span, self._kind_words(slot), terms)
        if (
            span is not None
            and kind in ("place", "city", "address")
            and (lead := _LEAVING.match(self._text, *span))
        ):
            span = lead.end(), span[1]
        if (
            span is None
            or span[0] >= span[1]
            or (kind in ("person", "city") and re.search(r"\d", self._text[slice(*span)]))
            or (kind in _WHERE and self._is_no_place(one, span))
            or (kind == "city" and self._is_one_of_many(span))
            or (kind not in ("person", "name") and praised(self._text, span))
        ):
            return None
        return span

    @staticmethod
    def _keeps(slot: SlotProfile, said: str) -> bool:
        """Whether a slot is for what there is to add, or what there is no more of is called as it is."""
        own = " ".join(slot.names)
        left = terms(_NOTHING_ELSE.sub(" ", said))
        return _ANYTHING_ELSE.search(own) is not None or bool(terms(own) & left)

    def _is_one_of_many(self, span: Span) -> bool:
        text = self._text
        return (
            _ONE_OF_MANY.search(text, 0, span[0]) is not None
            or _ONE_OF_MANY_ZH.match(text, *span) is not None
        )

    def _is_no_place(self, one: Asked, span: Span) -> bool:
        """Whether a day or a time stands in the words, or they only take up the question."""
        if any(
            s[0] < span[1] and span[0] < s[1]
            for kind in ("date", "time")
            for s in spans(kind, self._text, self._base)
        ):
            return True
        said = terms(self._text[slice(*span)])
        return bool(said) and said <= terms(one.question)

    @staticmethod
    def _names(one: Asked, kind: str) -> bool:
        """Whether the answer names persons."""
        return kind == "person" or (kind == "free" and one.alone and _WHO.search(one.question) is not None)

    def _parts(self, unit: Span) -> Span | None:
        """An answer of several parts, where only one is given: a place, or a name."""
        text = self._text
        reached = [
            s
            for kind in ("email", "phone")
            for s in spans(kind, text, self._base)
            if unit[0] <= s[0] < unit[1]
        ]
        reached += [m.span() for m in _FIGURES.finditer(text, *unit)]
        reached += [m.span() for m in _HANDLE.finditer(text, *unit)]
        names = called(text, *unit)
        if reached:
            start, end = min(s[0] for s in reached), max(s[1] for s in reached)
            if names is None and len(others := proper(text, unit[0], start)) == 1:
                names = others[0]
            if names is None:
                names = called(text, 0, start)  # "I'm Ann Lee. My e-mail is …"
            if names is not None and names[0] < start and len(text[names[0] : start].split()) < 14:
                start = names[0]
            return start, end
        return names or place(text, *unit, 8)

    def _name(self, unit: Span) -> Span | None:
        if span := called(self._text, *unit):
            return span
        names = proper(self._text, *unit)
        if len(names) == 1:
            return names[0]
        if names or _NO_WORD.match(self._text[slice(*unit)]):
            return None
        start, end = openers(self._text, *unit)
        if found := _SOMEBODY.match(self._text, start, end):
            if not _INVOLVED.fullmatch(found[0]):
                return start, found.end()
            if said := _BE_PAST.match(self._text, found.end(), end):
                return said.end(), end
            return None
        span = bare(self._text, *unit, 4)
        return span if span and not _NOBODY.search(self._text[slice(*span)]) else None

    def _free_text(self, one: Asked, slot: SlotProfile, unit: Span) -> Span | None:
        text = self._text
        declared = " ".join((*slot.names, *slot.spec.description.values(), *slot.spec.question.values()))
        said = text[slice(*unit)]
        if _YES_OR_NO.search(declared) or any(_WHETHER.match(name) for name in slot.names):
            word = _YES_NO_WORD.match(said) if one.polar else None
            return (unit[0] + word.start(1), unit[0] + word.end(1)) if word else None
        echo = one.shared | terms(one.question) | terms(ASIDE.sub(" ", declared))
        named = terms(" ".join(slot.names))
        if span := self._offered(slot, unit):
            return span
        body = openers(text, *unit)
        if "@contact" in named and (way := _REACHED.search(text, *unit)):
            return way.span(1) if way[1] else way.span(2)
        if one.polar and _DECIDES.match(said):
            if any(polar(told) for told in (*slot.spec.question.values(), *slot.spec.description.values())):
                if _TWO_ASKED.search(one.question) and not terms(said) & (one.shared | named):
                    return None  # it may answer the other half
                return _whole(text, *unit) if len(said.split()) > 2 else None
            if _NO_WORD.match(said):
                return None  # there is nothing to keep
        if (led := _OWN_SUBJECT.match(text, *body)) and (
            not terms(led[1]) & echo or self._of_beside(slot, led[1])
        ):
            return None  # it says what something else is
        if found := _THERE.match(text, *body):
            return found.end(1), body[1]
        who = _PERSON_ASKED.search(f"{one.question} {declared}") is not None
        if span := subject(text, *body, echo, terms, 1 if who else 2):
            cut = _ADVERB.search(text[slice(*span)])
            return (span[0], span[0] + cut.start()) if cut else span
        span = complement(text, *unit, one.shared | named, terms)
        if span is not None and _BUT.search(text, body[0], span[0]):
            span = None  # it is said of what comes behind: "I restarted it but it is still slow"
        if span is not None and _PRAISE.fullmatch(text, *span):
            praised = self._praised(body, span)
            only = praised is not None and terms(text[slice(*praised)]) <= echo | _WATCHES
            return None if only else praised  # "reaching this goal is important" takes up the question
        if span is not None and _NO_NAME.match(text, *span):
            return None  # "… is what drives me", "it is focused on …": no name of anything
        if span is not None and terms(text[slice(*span)]) <= echo:
            return None
        if span is None or (_GOING_ON.match(text, *span) and not terms(text[slice(*span)].split()[0]) & echo):
            named_thing = span if span is not None and not _PRONOUN.match(text, *body) else None
            span = self._with_verb(unit, bare(text, *unit, 8)) or object_of(text, *body) or named_thing
        if span is None:
            return None
        if (cut := _BESIDE.search(text, *span)) and len(text[slice(*span)].split()) < 7:
            span = span[0], cut.start()
        span = without_echo(text, span, echo, named, terms)
        if terms(text[slice(*span)]) <= one.shared | named:
            return None  # it only takes up the question
        if not any(_QUESTION.search(told) for told in slot.spec.description.values()):
            span = head_stripped(text, span, self._kind_words(slot), terms)
        return span

    def _with_verb(self, unit: Span, span: Span | None) -> Span | None:
        """A noun phrase with the verb that is wanted before it: who would like to lead a team does not name a team."""
        lead = _WANTS_TO.search(self._text, unit[0], span[0]) if span else None
        return (lead.start(1), span[1]) if lead and span else span

    def _none(self, one: Asked, slot: SlotProfile, unit: Span) -> Span | None:
        """The whole sentence that says that there is none, where the slot holds that as well: "No, nobody saw it"."""
        declared = (*slot.spec.question.values(), *slot.spec.description.values())
        if not one.polar or not any(polar(told) or _OR_NONE.search(told) for told in declared):
            return None
        said = self._text[slice(*unit)]
        if not _NO_WORD.match(said) or any(_WHETHER.match(name) for name in slot.names):
            return None
        if any(_YES_OR_NO.search(told) for told in declared):
            return None  # the word itself is the value
        own = terms(said) & (one.shared | terms(" ".join(slot.names)))
        if not own and (_TWO_ASKED.search(one.question) or not one.alone):
            return None  # it may answer the other half
        span = _whole(self._text, *unit)
        if found := _THERE.match(self._text, *span):
            span = found.end(1), span[1]
        words = self._text[slice(*span)]
        return span if len(words.split()) > 2 or (has_han(words) and len(words) > 3) else None

    def _told(self, slot: SlotProfile, unit: Span, question: str) -> Span | None:
        """The whole sentence, where the slot is for what is told in sentences."""
        said = self._text[slice(*unit)]
        if not any(
            _NARRATED.search(told) or (_QUESTION.search(told) and _TELLING.search(question))
            for told in (*slot.spec.question.values(), *slot.spec.description.values())
        ):
            return None
        if len(said) < 6 if has_han(said) else len(said.split()) < 4:
            return None
        if any(spans(kind, said, self._base) for kind in ("email", "phone")):
            return None
        start, end = openers(self._text, *unit)
        if (
            (found := _HELPS.search(self._text, start, end))
            and not _PRONOUN.match(self._text, start, end)
            and 0 < len(self._text[start : found.start()].split()) <= 16
            and not terms(self._text[start : found.start()]) <= terms(question) | _WATCHES
        ):
            return start, found.start()  # what would help, what is hard
        if found := _OWN_SUBJECT.match(self._text, start, end):
            named = terms(found[1])
            if self._of_beside(slot, found[1]):
                return None
            if named & (
                terms("name email phone number address location position role date time") - {"@self"}
            ):
                return None
        if found := _PLANNED.match(self._text, start, end):
            start = found.end()
        if (found := _SO_AS.search(self._text, start, end)) and terms(found[1]) <= terms(
            question + " " + " ".join(slot.names)
        ) | _WATCHES:
            end = found.start()  # it only takes up what is asked
        return _whole(self._text, start, end)

    def _of_beside(self, slot: SlotProfile, subject: str) -> bool:
        """Whether the subject is called as other slots of the type are, and not as this one."""
        said = {t for t in terms(subject) if not t.startswith("@")}
        if not said or terms(subject) & terms(" ".join(slot.names)):
            return False
        beside = self._profiles.types[slot.type].slots
        return any(said <= terms(" ".join(s.names)) for s in beside if s is not slot)

    def listed(self, slot: SlotProfile, unit: Span) -> Span | None:
        """The one value of those which the slot's description names, if it is said."""
        if slot.closed or slot.curated or slot.spec.type != "text" or kind_of_answer(slot) != "free":
            return None
        return self._offered(slot, unit)

    def _praised(self, body: Span, praise: Span) -> Span | None:
        """What is said to be best, helpful …: the subject of the sentence."""
        found = _BE.search(self._text, body[0], praise[0])
        if found is None:
            return None
        return bare(self._text, body[0], found.start(), 6)

    def _kind_words(self, slot: SlotProfile) -> frozenset[str]:
        """The words for the kind of thing that the slot or its type is."""
        form_type = self._profiles.types[slot.type].type
        texts = (
            *slot.names,
            *slot.spec.description.values(),
            form_type.name.replace("_", " "),
            *form_type.aliases,
        )
        return terms(" ".join(texts)) | terms("food restaurant place option movie film song event")

    def _offered(self, slot: SlotProfile, unit: Span) -> Span | None:
        found: set[Span] = set()
        listed = {value.lower() for text in slot.spec.description.values() for value in offered(text)}
        ways = any(_WAY.search(name) for name in slot.names)  # how, not where to
        for kind in ("email", "phone"):
            if (
                not ways
                and kind in listed
                and (inside := [s for s in spans(kind, self._text, self._base) if unit[0] <= s[0] < unit[1]])
            ):
                return inside[0]  # the address itself says more than "e-mail"
        for text in slot.spec.description.values():
            if composite(text):
                continue
            for value in offered(text):
                pattern = re.compile(
                    r"\b" + re.escape(value).replace(r"\-", "[ -]?").replace(r"\ ", "[ -]") + r"\b", re.I
                )
                found.update(
                    m.span()
                    for m in pattern.finditer(self._text, *unit)
                    if value.lower() != "time" or not _IDIOM.search(self._text, unit[0], m.start())
                )
        start, end = min(found, default=(0, 0))
        for low, high in sorted(found)[1:]:  # an in-person workshop is one phrase
            if not re.fullmatch(r"[ -]?", self._text[end:low]):
                return None
            end = high
        if start == end:
            return None
        # "leave" heads "sick leave" and says no more of a vacation; a seminar is a value itself: online seminars are not online
        heads = terms(" ".join((*(v for v in listed if " " in v), *slot.names))) | _HEADS
        behind = _NOUN_BEHIND.match(self._text, end, unit[1])
        if behind and not terms(behind[1]) & heads:
            end = behind.end()  # online seminars are not online
        if not behind and (lead := _MODIFIED.search(self._text, unit[0], start)) and start == min(found)[0]:
            start = lead.start(1)  # "the sales archive system" is more than a system
        around = self._text[unit[0] : start] + " " + self._text[end : unit[1]]
        return (start, end) if len(terms(around)) <= _ASIDE_MOST else None


_MODIFIED = re.compile(
    r"\baccess to (?:the|an?|our|my) ((?!(?:is|are|was|same|new|good|great|nice|more|most|best|other|whole|full|kind|type|sort|form|category|area)\b)[a-z-]+ (?:[a-z-]+ )?)$"
)
_WAY = re.compile(r"\b(?:method|preference|preferred|mode|channel|way)\b|方式")
# nouns that say no more than that it is one of a kind
_HEADS = terms(
    "plan issue problem program option category type kind level method format access request basis status time"
)
_IDIOM = re.compile(
    r"\b(?:over|on|in|at|per|each|every|any|first|last|next|this|that|same|full|part)[ -]$", re.I
)
_AND_MORE = re.compile(r"\b(?:as well as|along with|in addition to)\b|以及|外加|还有", re.I)
_ASIDE_MOST = 8  # terms beside a listed value: more say something else


def _whole(text: str, start: int, end: int) -> Span:
    return start, start + len(text[start:end].rstrip(" .,!;:?。，"))


__all__ = ["OpenAnswers"]
