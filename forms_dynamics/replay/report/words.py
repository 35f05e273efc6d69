"""The texts of a report, in Chinese and English; they stand in ``words.yaml``."""

from __future__ import annotations

import re
from collections.abc import Mapping
from functools import lru_cache
from importlib import resources
from typing import Any

import yaml

from forms_dynamics.model.trace_words import reason as trace_reason

LANGUAGES = ("en", "zh")


@lru_cache(maxsize=1)
def texts() -> Mapping[str, Any]:
    """All of ``words.yaml``: ``text``, ``figures``, ``settings``, ``reasons``, ``phrases`` and
    ``notes``."""
    held = resources.files(__package__).joinpath("words.yaml").read_text(encoding="utf-8")
    read: Mapping[str, Any] = yaml.load(held, Loader=getattr(yaml, "CSafeLoader", yaml.SafeLoader))
    return read


@lru_cache(maxsize=2)
def _patterns(part: str) -> tuple[tuple[re.Pattern[str], str], ...]:
    return tuple((re.compile(pattern, re.DOTALL), chinese) for pattern, chinese in texts()[part])


class Words:
    """The texts in one language, ``en`` or ``zh``."""

    def __init__(self, lang: str) -> None:
        if lang not in LANGUAGES:
            raise ValueError(f"a report is written in {' or '.join(LANGUAGES)}, not {lang!r}")
        self.lang = lang

    def __call__(self, key: str, **given: Any) -> str:
        """The text of ``key``, filled in; with ``n`` an English noun stands in the right number."""
        entry: Mapping[str, str] = texts()["text"][key]
        text = entry[self.lang]
        if self.lang == "en" and given.get("n") in (1, "1"):
            text = entry.get("one", text)
        return text.format(**given) if given else text

    def figure(self, name: str) -> str:
        """What a figure means; "" for one that is not known here."""
        return self._of("figures", name)

    def setting(self, name: str) -> str:
        """What a setting does; "" for one that is not known here."""
        return self._of("settings", name)

    def reason(self, said: str) -> str:
        """Why something was kept or left out: codes as words, and in Chinese what the engine says in English."""
        if said in texts()["reasons"]:
            return self._of("reasons", said)
        put = self._put("phrases", said)
        return trace_reason(said, self.lang) if put == said else put

    def note(self, said: str) -> str:
        """What a tuning notes, in Chinese where that is the language."""
        return self._put("notes", said)

    def step(self, kind: str) -> str:
        """The kind of a step of a trace."""
        key = f"step_{kind}"
        return self(key) if key in texts()["text"] else kind

    def _put(self, part: str, said: str) -> str:
        """English put into Chinese where a pattern of that part fits; as it is where none does."""
        if self.lang == "zh":
            for pattern, chinese in _patterns(part):
                if found := pattern.fullmatch(said):
                    return found.expand(chinese)
        return said

    def _of(self, part: str, name: str) -> str:
        entry = texts()[part].get(name)
        return "" if entry is None else str(entry[self.lang])


__all__ = ["LANGUAGES", "Words", "texts"]
