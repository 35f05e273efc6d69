"""Forms of English words: what ``painted`` and ``painting`` have in common, and how a word may be spelled in a text.

Texts are indexed by the words that they hold; a question that asks for a verb or a plural is looked up in all its
forms and compared by the stem. Other languages stay as they are.
"""

from __future__ import annotations

from functools import lru_cache

_MOST = 8  # spellings of a word
_VOWELS = frozenset("aeiouy")
_DOUBLED = frozenset("bdgmnprt")
# verbs and plurals that change inside, those of everyday talk
_IRREGULAR = """
    be am is are was were been being; become became; begin began begun; bite bit bitten; break broke broken;
    bring brought; build built; buy bought; catch caught; choose chose chosen; come came; deal dealt; dig dug;
    do does did done; draw drew drawn; drink drank drunk; drive drove driven; eat ate eaten; fall fell fallen;
    feed fed; feel felt; fight fought; find found; fly flew flown; forget forgot forgotten; forgive forgave;
    freeze froze frozen; get got gotten; give gave given; go goes went gone going; grow grew grown; have has had;
    hear heard; hide hid hidden; hold held; keep kept; know knew known; lead led; leave left; lend lent; lose lost;
    make made; mean meant; meet met; pay paid; ride rode ridden; ring rang rung; rise rose risen; run ran; say said;
    see saw seen; sell sold; send sent; shake shook shaken; shoot shot; show shown; sing sang sung; sit sat;
    sleep slept; speak spoke spoken; spend spent; stand stood; steal stole stolen; swim swam swum; take took taken;
    teach taught; tear tore torn; tell told; think thought; throw threw thrown; understand understood;
    wake woke woken; wear wore worn; win won; write wrote written;
    child children; foot feet; kid kids; life lives; man men; person people; tooth teeth; wife wives; woman women
"""
_GROUPS = [group.split() for group in _IRREGULAR.split(";")]


def _regular(word: str) -> str:
    if len(word) < 4 or not (word.isascii() and word.isalpha()):
        return word
    if word.endswith(("ies", "ied")) and len(word) > 4:
        return word[:-3] + "y"
    if word.endswith("s") and not word.endswith(("ss", "us", "is")):
        word = word[:-2] if word.endswith(("sses", "xes", "ches", "shes")) else word[:-1]
    for ending in ("ing", "ed", "ly"):
        root = word.removesuffix(ending)
        if root != word and len(root) >= 3 and not _VOWELS.isdisjoint(root):
            if ending != "ly" and len(root) > 3 and root[-1] == root[-2] and root[-1] in _DOUBLED:
                root = root[:-1]
            word = root
            break
    return word[:-1] if word.endswith("e") and len(word) > 3 else word


_OF = {word: _regular(group[0]) for group in _GROUPS for word in group}
_FORMS = {_regular(group[0]): tuple(group) for group in _GROUPS}


@lru_cache(maxsize=65536)
def stem(word: str) -> str:
    """What the forms of a casefolded English word share; any other word as it is. No word of the language, but the
    same for all forms: ``paint`` for ``painted``, ``hik`` for ``hike`` and ``hiking``."""
    return _OF[word] if word in _OF else _regular(word)


def spellings(word: str) -> tuple[str, ...]:
    """The word, then other forms of it under which a text may hold it: ``paint`` gives ``paints``, ``painted``,
    ``painting``. Forms that nobody writes may be among them: they find nothing."""
    root = stem(word)
    if root in _FORMS:
        base = _FORMS[root][0]
        more = [*_FORMS[root], base + "s", base.removesuffix("e") + "ing", base + base[-1] + "ing"]
    elif len(word) < 3 or not (word.isascii() and word.isalpha()):
        return (word,)
    elif root.endswith("y"):
        more = [root, root[:-1] + "ies", root[:-1] + "ied", root + "s", root + "ed", root + "ing"]
    else:
        more = [root, root + "e", root + "s", root + "es", root + "ed", root + "ing"]
        if root[-1] in _DOUBLED and root[-2] in _VOWELS and len(root) < 6:
            more += [root + root[-1] + "ed", root + root[-1] + "ing"]
    return tuple(dict.fromkeys([word, *(each for each in more if stem(each) == root)]))[:_MOST]


__all__ = ["spellings", "stem"]
