"""Lines into a text within a budget: whole entries or none, between delimiters, counted exactly."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field

from forms_dynamics.language.tokens import count
from forms_dynamics.retrieval.quoting import CLOSE, OPEN
from forms_dynamics.retrieval.request import Log

FACT, RECENT, FALLBACK = "fact", "recent", "fallback"
QUOTED = "quoted"  # messages that the fallback found


@dataclass(frozen=True, slots=True)
class Item:
    """A line that is kept whole or left out. ``subject`` names it in the trace."""

    text: str
    subject: str
    section: str = FACT
    forms: tuple[str, ...] = ()
    message: str | None = None
    weight: float | None = None


@dataclass(slots=True)
class Assembled:
    """The text, its tokens, and the items that are in it, in order."""

    text: str = ""
    tokens: int = 0
    items: list[Item] = field(default_factory=list)


def assemble(
    items: Iterable[Item], header: str, titles: dict[str, str], max_tokens: int, share: float, log: Log
) -> Assembled:
    """Takes items in order while they fit; one that does not is cut and the next one tried.

    ``titles`` gives a section's own first line. Fallback messages may take ``share`` of the budget where
    facts are shown, and all that is left where none are. No token of o200k_base goes beyond the end of a
    line, as no line begins with a space or a slash: so the sum of the lines is the count of the text.
    """
    opening = f"{OPEN}\n{header}\n"
    used = count(opening) + count(CLOSE)
    out = Assembled()
    lines: list[str] = []
    fallback_used = 0
    begun: set[str] = set()
    for item in items:
        title = titles.get(item.section, "") if item.section not in begun else ""
        text = f"{title}\n{item.text}\n" if title else f"{item.text}\n"
        cost = sum(count(part) for part in text.splitlines(keepends=True))
        over = used + cost > max_tokens
        why = f"{cost} tokens do not fit in what is left of {max_tokens}"
        if not over and item.section == QUOTED and any(i.section == FACT for i in out.items):
            over = fallback_used + cost > share * max_tokens
            why = f"{cost} tokens are more than fallback_share {share:g} leaves of {max_tokens}"
        if over:
            log.add("cut", item.subject, why, item.weight)
            continue
        used += cost
        begun.add(item.section)
        if item.section == QUOTED:
            fallback_used += cost
        lines.append(text)
        out.items.append(item)
    if lines:
        out.text = opening + "".join(lines) + CLOSE
        out.tokens = used
    return out


def without_repeats(items: Sequence[Item], log: Log) -> list[Item]:
    """Items whose line has not been said before."""
    seen: set[str] = set()
    out = []
    for item in items:
        if item.text and item.text not in seen:
            seen.add(item.text)
            out.append(item)
        elif item.text:
            log.add("cut", item.subject, "its line stands there already", item.weight)
    return out


__all__ = ["FACT", "FALLBACK", "QUOTED", "RECENT", "Assembled", "Item", "assemble", "without_repeats"]
