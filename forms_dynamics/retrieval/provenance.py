"""When a fact was said, and by whom where several people speak: at the end of the line that tells it."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime, timedelta, timezone
from typing import Literal

from forms_dynamics.fading import FADED
from forms_dynamics.model.form import Form, Slot
from forms_dynamics.model.record import MessageRecord
from forms_dynamics.retrieval.quoting import plain

Told = Literal["off", "unsure", "always"]  # the setting

_WORDS: Mapping[str, Mapping[str, str]] = {
    "zh": {
        "user": "（{who}{when}说的{words}）",
        "other": "（{when}记录的）",
        "to": "{}至{}",
        "who": "{} ",
        "words": "：“{}”",
    },
    "en": {
        "user": " (said {who}{when}{words})",
        "other": " (recorded {when})",
        "to": "{} to {}",
        "who": "by {} ",
        "words": ": “{}”",
    },
}


@dataclass(slots=True)
class Provenance:
    """Writes the ends of lines. ``unsure``: only of a line with a value that has faded, to tell how old it is;
    ``always``: of every line, with the speaker where those of ``gather`` are several."""

    told: Told
    lang: str
    offset_of: Callable[[str | None], int]
    messages: Callable[[Sequence[str]], Mapping[str, MessageRecord]]
    quoting: bool = False  # who said it is asked: the speaker, and the words, are told of every value
    _speakers: dict[str, str] = field(default_factory=dict)  # message → who spoke

    def gather(self, forms: Iterable[Form]) -> None:
        """Learns who said what the Forms hold: one read."""
        if self.told != "always" and not self.quoting:
            return
        ids = {s.evidence.message_id for f in forms for s in f.slots.values() if s.evidence is not None}
        for id, message in self.messages(sorted(id for id in ids if id is not None)).items():
            if message.kind == "message":
                self._speakers[id] = message.speaker

    def of(self, form: Form, names: Iterable[str]) -> str:
        """The end of a line that tells these slots of the Form; often empty."""
        if self.told == "off" and not self.quoting:
            return ""
        held = [
            slot for name in names if (slot := form.slots.get(name)) is not None and slot.status == "known"
        ]
        if self.told == "unsure" and not self.quoting:
            held = [slot for slot in held if slot.confidence < FADED]
        days = sorted({day for slot in held if (day := self._day(slot)) is not None})
        if not days:
            return ""
        words = _WORDS[self.lang]
        when = days[0] if len(days) == 1 else words["to"].format(days[0], days[-1])
        if any(slot.source != "user" for slot in held):
            return words["other"].format(when=when)
        return words["user"].format(who=self._who(held), when=when, words=self._quoted(held))

    @property
    def known(self) -> bool:
        """Whether it is known of anything here who said it."""
        return bool(self._speakers)

    def _quoted(self, held: Sequence[Slot]) -> str:
        told = [s.evidence for s in held if s.evidence is not None and s.evidence.source == "message"]
        quotes = dict.fromkeys(each.text for each in told if each.text)
        if not (self.quoting and quotes):
            return ""
        return _WORDS[self.lang]["words"].format(plain(" … ".join(quotes)))

    def _who(self, held: Sequence[Slot]) -> str:
        if len(set(self._speakers.values())) < (1 if self.quoting else 2):
            return ""
        said = [slot.evidence.message_id for slot in held if slot.evidence is not None]
        who = {self._speakers.get(id or "") for id in said}
        name = who.pop() if len(who) == 1 else None
        return "" if name is None else _WORDS[self.lang]["who"].format(plain(name))

    def _day(self, slot: Slot) -> str | None:
        moment: datetime | None = slot.confirmed_at or slot.valid_from
        if moment is None:
            return None
        said = slot.evidence.message_id if slot.evidence is not None else None
        zone = timezone(timedelta(minutes=self.offset_of(said)))
        return moment.astimezone(zone).date().isoformat()


__all__ = ["Provenance", "Told"]
