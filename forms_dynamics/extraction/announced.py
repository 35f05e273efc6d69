"""Values that the declared words of a slot announce: 预算50万, "deadline June 30", 付款方式：…, 6月底前交付.

Each reading goes to one word, the one with the best claim on it.
"""

from __future__ import annotations

from collections.abc import Sequence

from forms_dynamics.extraction.found import Claim, Found, Readings
from forms_dynamics.extraction.lexicon import Hit
from forms_dynamics.extraction.phrases import Phrases
from forms_dynamics.extraction.typed import TypedWords
from forms_dynamics.language.spans import Apart, last_sign

_RECORD = 10.0  # above all scores: a label of the record that the message is comes first


def announced(text: str, low: str, hits: Sequence[Hit], readings: Readings) -> list[Found]:
    """What the announcing words of ``text`` (``low``: folded, lower case) say; spans do not overlap."""
    typed = TypedWords(text, low, hits, readings)
    phrases = Phrases(text, low, hits)
    claims: list[Claim] = []
    for i, hit in enumerate(hits):
        if last_sign(text, "“", hit.start) > last_sign(text, "”", hit.start):
            continue  # words in quotation marks are talked about, not said
        made = (*typed.claims(i, hit), *phrases.claims(i, hit))
        claims.extend(c._replace(score=c.score + _RECORD) for c in made) if hit.word.bare else claims.extend(
            made
        )
    claims.sort(key=lambda claim: -claim.score)
    kept: list[Found] = []
    taken = Apart()
    for _, found in claims:
        if taken.add(found.start, found.end):
            kept.append(found)
    return kept
