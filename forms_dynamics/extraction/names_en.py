"""Firms, people, roles and places that an English message names."""

# ruff: noqa: E501 (a pattern or a list of words reads best on one line)
from __future__ import annotations

import re
from collections.abc import Iterator

from forms_dynamics.extraction.found import Name
from forms_dynamics.language.lazy import lazy

_CAP = r"(?:[A-Z][\w&'’.-]*[\w]|[A-Z])"
_CAPS = rf"{_CAP}(?: (?:(?:of|and|&|de|the) )?{_CAP}){{0,4}}"
_ORG_WORD = (
    "Inc|Ltd|LLC|LLP|GmbH|Corp|Corporation|Co|PLC|AG|SA|BV|Group|Holdings|Foods|Labs|Laboratories|Optics|Dairy|Mills|Mill|Paper|Papers|Toys|Systems|"
    "Industries|Works|Logistics|Bank|Partners|Consulting|Software|Technologies|Technology|Tech|Solutions|Electronics|Motors|Energy|Pharma|"
    "Manufacturing|Engineering|Textiles|Plastics|Steel|Metals|Chemicals|Packaging|Printing|Media|Studios|Studio|Hotels|Airlines|Shipping|Freight|"
    "Supplies|Supply|Services|Insurance|Capital|Ventures|Farms|Brewing|Brewery|Bakery|Furniture|Ceramics|Glass|Instruments|Devices|Robotics|"
    "Networks|Medical|Clinic|Hospital|University|College|Institute|Agency|Associates|Brothers|Bros|Trading|Imports|Exports|Analytics|Dynamics|Materials|Marine|Aerospace|Construction|Builders|Realty|Properties|Outfitters|Apparel|Cosmetics|Beverages|Vineyards|Winery|Cycles|Tools|Machinery|Components|Semiconductors|Telecom|Security|Design|Press|Publishing"
)
_ORG = lazy(rf"(?:{_ORG_WORD})\.?$")
_PLACES = frozenset(
    "london paris berlin leeds york new york tokyo osaka beijing shanghai shenzhen guangzhou hangzhou singapore hong kong taipei seoul boston chicago austin "
    "seattle denver miami dallas houston atlanta toronto vancouver montreal sydney melbourne auckland dublin manchester edinburgh glasgow madrid barcelona "
    "lisbon rome milan vienna zurich geneva munich hamburg frankfurt cologne amsterdam rotterdam brussels copenhagen stockholm oslo helsinki warsaw prague "
    "budapest athens istanbul dubai delhi mumbai bangalore bangkok jakarta manila hanoi cairo lagos nairobi moscow germany france spain italy england scotland "
    "wales ireland britain uk usa us america canada mexico brazil china japan korea india australia europe asia africa california texas florida ohio "
    "monday tuesday wednesday thursday friday saturday sunday january february march april may june july august september october november december".split()
) | {
    "new york",
    "hong kong",
    "los angeles",
    "san francisco",
    "las vegas",
    "san diego",
    "washington dc",
    "new zealand",
    "south africa",
}
_NO_PERSON = frozenset(
    "i we you he she it they this that these those here there what who when where why how yes no ok okay hi hello hey thanks thank please sorry just so but "
    "and or if then now today tomorrow yesterday monday tuesday wednesday thursday friday saturday sunday the a an my our your not all any some also still "
    "again back good great fine sure really actually maybe well budget deadline quote contract price payment january february march april may june july "
    "august september october november december everyone everybody nobody someone somebody anyone interested looking calling writing trying going happy glad "
    "yeah yep yup nah nope wow oh ooh ah aw aww hmm haha hah lol omg gosh cool awesome nice perfect exactly absolutely definitely totally alright same agreed "
    "understood right sounds got welcome congrats congratulations cheers bye goodbye goodnight morning afternoon evening ai bot assistant hopefully honestly "
    "basically obviously finally first second next lastly anyway besides however meanwhile during before after it's that's there's "
    "dear team all from at for in on with about english chinese american british german french japanese indian vegan vegetarian alexa siri google".split()
)
_ROLE_EN = (
    r"(?:(?i:the |an? |our |acting |interim )?)(?P<role>(?:(?i:head|vp|vice president|director|manager|chief|president|svp|evp) of (?:[A-Z]?[a-z]+)(?: (?:and|&) [A-Z]?[a-z]+)?"
    r"|(?i:chief [a-z]+ officer)|C[EFOTMI]O\b|VP\b|(?:[A-Za-z-]+ ){0,2}(?i:manager|director|engineer|officer|buyer|founder|co-founder|president|analyst|consultant|assistant|coordinator|supervisor|architect|developer|designer|planner|accountant|controller|owner|secretary|technician|administrator)\b(?: of [A-Z][a-z]+)?))"
)
_HELLO = r"(?:(?i:hi|hello|hey|good morning|good afternoon|good evening|dear all|morning|hi there|hello there)[,!.]? +)?"
_AT_FIRM = lazy(rf"(?:(?i:\b(?:at|with|for)) )(?P<x>{_CAPS})(?P<dot>\.(?=\s|$)|(?![\w]))")
_INTRO = lazy(
    rf"^{_HELLO}(?P<own>(?i:this is|it['’]s|i['’]m|i am|my name is) )?(?P<who>{_CAP}(?: {_CAP})?)(?P<here>,? (?:here|again|speaking))?(?:,? (?P<prep>at|from|of|with) (?P<x>{_CAPS}))(?![\w])"
)
# "Lunch at Harbor Foods", "Weekly Standup: I …" begin like "Dana at Harbor Foods" and introduce nobody
_OCCASION = frozenset(
    "lunch dinner breakfast brunch supper coffee tea drinks party meeting meetings call calls chat interview demo training workshop review standup stand-up "
    "sync retro retrospective session seminar webinar conference presentation kickoff kick-off onboarding appointment visit trip flight tour event catch-up "
    "follow-up briefing debrief check-in negotiation negotiations discussion reunion date game class lesson exam internship agenda notes reminder update".split()
)
_INTRO_ROLE = lazy(
    rf"^{_HELLO}(?P<who>{_CAP}(?: {_CAP})?),? {_ROLE_EN} (?:at|of|for|with) (?P<x>{_CAPS})(?![\w])"
)
_INTRO_LIST = lazy(rf"^{_HELLO}(?P<who>{_CAP}(?: {_CAP})?), (?P<x>{_CAPS})(?=[,.;:])")
_HERE = lazy(rf"^{_HELLO}(?P<who>{_CAP}(?: {_CAP})?),? (?:here|speaking)\b")
_MY_NAME = lazy(
    rf"(?i:\b(?:my (?:full )?name is|my name['’]s|i am called|i['’]m called) (?:Dr|Mr|Mrs|Ms|Prof)?\.? ?)(?P<who>{_CAP}(?: {_CAP}){{0,2}})(?![\w])"
)
_MY_NAME_LOW = lazy(
    r"\b[Mm]y (?:full )?name is (?P<who>[a-z]{2,}(?: [a-z]{2,})?)(?=\s*(?:[,.!;]|$| and | but ))"
)
_I_AM_EN = lazy(
    rf"(?:^|[.!?,;]\s+|\b(?i:and|but) ){_HELLO}(?:I['’]m|I am|(?i:this is)) (?P<who>{_CAP}(?: {_CAP}){{0,2}})(?=[,.!;:]|$|\s+(?:from|at|here|and|with|speaking)\b)"
)
_WE_ARE_EN = lazy(
    rf"(?:\b(?i:we['’]re|we are|on behalf of|representing|our company is|our company is called|the company is|this is))(?: called| from| at)? (?P<x>{_CAPS})(?![\w])"
)
_I_WORK = lazy(
    rf"\b(?i:i work|i['’]m working|i['’]ve worked|working|employed) (?i:at|for|with) (?P<x>{_CAPS})(?![\w])"
)
_I_ROLE = lazy(
    rf"\b(?:I['’]m|I am|I work as|(?i:as|since [\w ]+) I['’]m) (?:now |currently )?{_ROLE_EN}(?=[,.!;]|$| (?:at|of|for|with|here|in|and)\b)(?: (?:at|of|for|with) (?P<x>{_CAPS}))?"
)
_QUOTE_FOR = lazy(
    rf"\b(?i:quote|quotation|offer|proposal|contract|agreement|deadline|budget|order|invoice|price)(?: (?:no\.? |number |#)?[A-Z]{{0,4}}-?\d[\w-]*)? (?:for|with|of|from|to) (?P<x>{_CAPS})(?![\w]| ?#?\d)"
)
# Northlake Foods' budget; a firm whose name does not say that it is one counts when it is known
_WHOSE = lazy(
    rf"(?:^|(?<=[\s,.;:!?])){_HELLO}(?P<x>{_CAPS}?)(?:['’]s?)? (?:total |overall |current )?(?:budget|deadline|payment terms|delivery date|contact)(?= (?:is|are|was|will|of|has)\b|[:=])"
)
_WANTS = lazy(
    rf"(?:^|[.!?;]\s+)(?P<x>{_CAPS}),? (?:(?:the|a|an) [a-z ]{{0,30}}?(?:company|firm|maker|supplier|manufacturer|retailer|agency|group),? )?(?:wants?|needs?|has a budget|have a budget|prefers?|would like|is looking|are looking|requires?|asked for|can spend|will pay|pays)\b"
)
_LIVE_EN = lazy(
    rf"\b(?i:i(?:['’]ve| have) (?:lived|been living) in(?= [^.;!?\n]{{1,40}} (?:since|for (?:over |about |almost |the (?:last|past) )?[\w-]+ (?:years?|months?)))|i live in|i['’]m based in|i am based in|we['’]re based in|i moved to|i['’]ve moved to|i just moved to|i reside in|i['’]m living in|i currently live in|i now live in|i['’]m [a-z ]{{1,40}} and live in|i [a-z ]{{1,40}} and live in)(?: (?:downtown|central|north|south|east|west))? (?P<x>{_CAP}(?:[ -]{_CAP}){{0,2}})(?![\w])"
)
_JOB_EN = lazy(
    r"\bI(?:['’]m| am|(?:['’]m| am)? (?:working|employed) as| work as) (?:now |currently )?an? (?P<x>(?:(?!fast|good|bad|slow|great|big|terrible|decent|huge|poor|quick|frequent|new|better|careful|lousy|horrible|amazing|very|really|bit|total|proud|happy)[a-z]+ ){0,2}(?:nurse|teacher|doctor|lawyer|student|chef|cook|driver|pilot|journalist|writer|photographer|dentist|pharmacist|electrician|plumber|carpenter|farmer|programmer|engineer|scientist|researcher|professor|translator|editor|musician|actor|artist|barista|waiter|waitress|paramedic|firefighter|veterinarian|librarian|mechanic|accountant|architect|therapist|nanny|surgeon))(?=[,.!;]|$| (?:at|in|for|by|from|with|and|who)\b)"
)
_CALL_ME_EN = lazy(
    rf"\b(?i:call me|i go by|you can call me|please call me) (?P<x>{_CAP})(?=[,.!;]|$| please| instead)"
)


_IS_A_FIRM = lazy(
    rf"(?:^|[.!?;]\s+)(?P<x>{_CAPS}) is (?:a|an|the|our) (?:[^.;!?]|\.(?=\d)){{0,60}}\b(?:company|firm|manufacturer|supplier|retailer|maker|agency)\b"
)
_INTRO_BARE = lazy(rf"^{_HELLO}(?P<who>{_CAP} {_CAP})(?: again)?[,:] (?=.*\b(?:I|my|me|we|our|I['’]m)\b)")


def _person(who: str) -> bool:
    words = who.split()
    return (
        all(w.lower() not in _NO_PERSON and not w.startswith(("I'", "I’")) for w in words)
        and not (len(words) > 1 and _ORG.search(who))
        and not any(c.isdigit() for c in who)
    )


def _occasion(who: str) -> bool:
    """Whether the words call something that takes place, and no person."""
    return any(word in _OCCASION for word in who.lower().split())


_SORT = re.compile(
    r"(?:(?:a|an|the|our|small|large|big|tiny|medium|mid-sized|medium-sized|local|private|public|listed|family|foreign|startup|start-up|global|international|national|new|old|tech|software|"
    r"trading|state-owned|privately|publicly|held|owned|limited|joint|venture|multinational|manufacturing|consulting|logistics|regional|independent|young|growing)[ -]?)+"
    r"(?:company|companies|firm|business|enterprise|startup|start-up|corporation|group|agency|shop|store|factory|manufacturer|supplier|smes?|organi[sz]ation)"
)


def may_name_a_firm(x: str) -> bool:
    """Whether the words can be a firm's name: no place, no "Small Company"."""
    return _firm(x)


def is_common(word: str) -> bool:
    """Whether a capitalised word that opens a sentence is no name: I, The, Monday."""
    return word.lower() in _NO_PERSON


def may_name_a_person(x: str) -> bool:
    """Whether the words can be a person's name: no common word, no firm, no digits."""
    return _person(x) and not _occasion(x)


def _firm(x: str) -> bool:
    low = x.lower()
    if _SORT.fullmatch(low):
        return False
    return low not in _PLACES and low.split()[0] not in _NO_PERSON and len(x) > 1


def english_names(text: str) -> Iterator[Name]:
    """Firms, people, roles and places named in English."""
    yield from _introductions(text)
    for m in _MY_NAME.finditer(text):
        if _person(m["who"]):
            yield Name("self", *m.span("who"), m.start(), m.end("who"), 0.95)
    for m in _MY_NAME_LOW.finditer(text):
        if _person(m["who"]):
            yield Name("self", *m.span("who"), m.start(), m.end("who"), 0.9)
    for m in _I_AM_EN.finditer(text):
        if _person(m["who"]) and not re.fullmatch(_ROLE_EN, m["who"]):
            yield Name(
                "self",
                *m.span("who"),
                text.rfind("I", 0, m.start("who"))
                if text.rfind("I", m.start(), m.start("who")) >= 0
                else m.start("who"),
                m.end("who"),
                0.92,
            )
    for m in _WE_ARE_EN.finditer(text):
        if _firm(m["x"]) and (_ORG.search(m["x"]) or not m[0].lower().startswith("this")):
            yield Name("company", *m.span("x"), m.start(), m.end("x"), 0.93)
    for m in _I_WORK.finditer(text):
        # whom one works with is a person unless the name says otherwise
        if _firm(m["x"]) and (_ORG.search(m["x"]) or " with " not in m[0].lower()):
            yield Name("employer", *m.span("x"), m.start(), m.end("x"), 0.93)
    for m in _I_ROLE.finditer(text):
        yield Name("role", *m.span("role"), m.start(), m.end("role"), 0.93)
        if m["x"] and _firm(m["x"]):
            yield Name("company", *m.span("x"), m.end("role") + 1, m.end("x"), 0.93)
    for m in _QUOTE_FOR.finditer(text):
        if _firm(m["x"]) and not m["x"].endswith(("'s", "’s")):
            yield Name("company", *m.span("x"), m.start(), m.end("x"), 0.92)
    for m in _WHOSE.finditer(text):
        x = re.sub(r"['’]s?$", "", m["x"])
        if _firm(x):
            end = m.start("x") + len(x)
            yield Name("company" if _ORG.search(x) else "company?", m.start("x"), end, m.start("x"), end, 0.9)
    for m in _WANTS.finditer(text):
        x = m["x"]
        if _firm(x) and (
            (x.isupper() and len(x) > 2) or _ORG.search(x) or re.search(r"company|firm|budget|pays?\b", m[0])
        ):
            yield Name("company", *m.span("x"), m.start("x"), m.end("x"), 0.9)
    for m in _IS_A_FIRM.finditer(text):
        if _firm(m["x"]):
            yield Name("company", *m.span("x"), *m.span("x"), 0.9)
    for m in _AT_FIRM.finditer(text):
        if _ORG.search(m["x"]) and _firm(m["x"]) and " " in m["x"]:
            yield Name("company~", *m.span("x"), m.start(), m.end("x"), 0.9)
    for m in _JOB_EN.finditer(text):
        yield Name("occupation", *m.span("x"), m.start(), m.end("x"), 0.9)
    for m in _LIVE_EN.finditer(text):
        yield Name("city", *m.span("x"), m.start(), m.end("x"), 0.93)
    for m in _CALL_ME_EN.finditer(text):
        if _person(m["x"]):
            yield Name("preferred_name", *m.span("x"), m.start(), m.end("x"), 0.93)


def _introductions(text: str) -> Iterator[Name]:
    """The first words of a message: "Dana here", "Owen, plant manager at Stonegate Dairy", "Ivo, Brookline Paper"."""
    if m := _INTRO_ROLE.match(text):
        if _person(m["who"]) and _firm(m["x"]):
            yield Name("self?", *m.span("who"), m.start("who"), m.end("who"), 0.92)
            yield Name("role", *m.span("role"), *m.span("role"), 0.93)
            yield Name("company", *m.span("x"), m.end("role") + 1, m.end("x"), 0.93)
        return
    if m := _INTRO.match(text):
        # whom something is done with makes no name of it: "Lunch with Carla Voss"
        said = m["own"] or m["here"] or (m["prep"] != "with" and not _occasion(m["who"]))
        if said and _person(m["who"]) and _firm(m["x"]):
            kind = "self" if m["own"] or m["here"] else "self?"
            yield Name(kind, *m.span("who"), m.start("who"), m.end("who"), 0.92)
            yield Name("company", *m.span("x"), m.start("prep"), m.end("x"), 0.92)
        return
    if m := _INTRO_LIST.match(text):
        if _person(m["who"]) and _ORG.search(m["x"]):
            yield Name("self?", *m.span("who"), m.start("who"), m.end("who"), 0.9)
            yield Name("company", *m.span("x"), *m.span("x"), 0.9)
        return
    here = _HERE.match(text)
    if (m := here or _INTRO_BARE.match(text)) and _person(m["who"]) and not _occasion(m["who"]):
        yield Name("self" if here else "self?", *m.span("who"), m.start("who"), m.end(), 0.92)
