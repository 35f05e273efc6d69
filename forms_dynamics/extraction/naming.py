"""Who speaks and for whom: firms, people, roles, lines of business and places that a message names.

Each finder returns spans of the name's own words; every one needs a frame around the name (我们是…, "at …",
给…报价) so that a capitalised word or a shop in a story names nobody.
"""

from __future__ import annotations

from forms_dynamics.extraction.found import Name
from forms_dynamics.extraction.names_en import english_names
from forms_dynamics.extraction.names_zh import chinese_names
from forms_dynamics.language.normal import has_han
from forms_dynamics.language.spans import Apart


def names_in(text: str) -> list[Name]:
    """All names of a message; of overlapping ones of a kind, the longest is kept."""
    found: list[Name] = []
    if not text.isascii() and has_han(text):
        found.extend(chinese_names(text))
    if not text.islower() or "name is" in text:
        found.extend(english_names(text))
    if len(found) < 2:
        return found
    found.sort(key=lambda n: (-n.confidence, n.start - n.end))
    kept: list[Name] = []
    taken = Apart()
    for name in found:
        if taken.add(name.start, name.end):
            kept.append(name)
    return sorted(kept, key=lambda name: name.start)
