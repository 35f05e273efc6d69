"""Cities and places within them: where a type has a slot for each, the words say which of the two is meant."""

from __future__ import annotations

from forms_dynamics.extraction.dialogue.profile import Profiles, SlotProfile
from forms_dynamics.language.lazy import lazy

_LANDMARK = lazy(
    r"\d|\b(?:stations?|airport|terminal|street|st|avenue|ave|road|rd|boulevard|blvd|lane|drive|way|plaza|square|center|centre|mall|hotel|inn|museum|hospital|clinic|university|college|school|office|stadium|theatre|theater|hall|arena|library|church|market|pier|tower|building|bridge|home|house|place|there|here)\b|站|机场|路|街|广场|大厦|酒店|公园|医院|大学",
)


def landmark(words: str) -> bool:
    """Whether the words name a place within a city: an address, a station, a building."""
    return _LANDMARK.search(words.lower()) is not None


def city_beside(profiles: Profiles, slot: SlotProfile) -> SlotProfile | None:
    """The one open slot for a city that the slot's type has beside it, for the same end of a way."""
    found = [
        s
        for s in profiles.types[slot.type].slots
        if s.kind == "city" and not s.closed and s is not slot and s.role == slot.role
    ]
    return found[0] if len(found) == 1 else None


__all__ = ["city_beside", "landmark"]
