"""Conditions that a user states about figures: ``precision >= 0.98``, ``questions_per_turn <= 20% 且 f1 ≥ 0.9``.

Read by a grammar of its own; nothing is evaluated as code.
"""

from __future__ import annotations

import operator
import re
import unicodedata
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass

from forms_dynamics.errors import InvalidInput
from forms_dynamics.inputs import did_you_mean
from forms_dynamics.replay.figures import FIGURES, NO_SHARE

_SIGNS: Mapping[str, Callable[[float, float], bool]] = {
    "<=": operator.le, ">=": operator.ge, "==": operator.eq, "!=": operator.ne, "<": operator.lt, ">": operator.gt,
}  # fmt: skip
# NFKC makes full-width signs, digits and commas ASCII; these it leaves
_WRITTEN = str.maketrans(
    {"≥": ">=", "≧": ">=", "⩾": ">=", "≤": "<=", "≦": "<=", "⩽": "<=", "≠": "!=", "、": ","}
)
_BETWEEN = re.compile(r"[,;]")
_AND = re.compile(r"\band\b|并且|且", re.IGNORECASE)
_CONDITION = re.compile(
    r"\s*(?P<name>[^\W\d][\w-]*?)\s*(?P<sign><=|>=|==|!=|<|>)\s*"
    r"(?P<number>[+-]?(?:[0-9]+(?:\.[0-9]*)?|\.[0-9]+))(?:[eE](?P<tens>[+-]?[0-9]{1,9}))?\s*(?P<percent>%?)\s*"
)
#: what a log lacks in which a figure was not measured
UNMEASURED: Mapping[str, str] = {
    "precision": "no accepted value could be judged: neither labels nor later messages tell of one",
    "recall": "nothing tells which values should have been held: label messages (expect.forms)",
    "f1": "nothing tells which values should have been held: label messages (expect.forms)",
    "f05": "nothing tells which values should have been held: label messages (expect.forms)",
    "field_accuracy": "no message is labelled with the values in force (expect.forms)",
    "joint_accuracy": "no message is labelled with the values in force (expect.forms)",
    "ten_turn_consistency": "no labelled value is still in force ten user turns later",
    "answer_accuracy": "no question is labelled (expect.recall)",
    "multi_hop_accuracy": "no labelled question (expect.recall) takes two hops or more",
    "stale_rate": "no question is labelled (expect.recall)",
    "tokens": "no question is labelled (expect.recall)",
    "questions_per_turn": "no message is a user's",
    "asked_twice": "nothing was asked of the user",
}


@dataclass(frozen=True, slots=True)
class Condition:
    """One comparison of a figure with a number. As text: ``precision >= 0.98``, which parses to the same."""

    figure: str
    sign: str
    number: float

    @classmethod
    def parse(cls, text: str) -> Condition:
        """NAME SIGN NUMBER, with a sign of ``< <= > >= == !=``, also ``≥ ≤ ≠ ＜ ＞``, and a number or percentage.

        InvalidInput says what cannot be read.
        """
        if not isinstance(text, str):
            raise InvalidInput(
                f"a condition is a text such as 'precision >= 0.98', not {type(text).__name__}"
            )
        read = _CONDITION.fullmatch(_plain(text))
        if read is None:
            raise InvalidInput(
                f"{text.strip()!r} is no condition: write NAME SIGN NUMBER, such as 'precision >= 0.98' or "
                f"'questions_per_turn <= 20%', with one of {' '.join(_SIGNS)}"
            )
        name = read["name"].casefold().replace("-", "_")
        if name not in FIGURES:
            hint = did_you_mean(name, FIGURES)
            raise InvalidInput(
                f"{text.strip()!r}: no figure {read['name']!r}{hint}; figures are {', '.join(FIGURES)}"
            )
        share = name not in NO_SHARE
        if read["percent"] and name == "tokens":
            raise InvalidInput(f"{text.strip()!r}: tokens are counted, not a share; leave the % out")
        # the decimal point is moved in the text, so that 97.3% is the very number 0.973
        number = float(f"{read['number']}e{int(read['tens'] or 0) - (2 if read['percent'] else 0)}")
        if not 0 <= number < float("inf") or (share and number > 1):
            what = "lies between 0 and 1" if share else "is 0 or more"
            meant = f": did you mean {read['number']}%?" if share and 1 < number <= 100 else ""
            raise InvalidInput(f"{text.strip()!r}: {name} {what}{meant}")
        return cls(name, read["sign"], abs(number))

    def holds(self, figures: Mapping[str, float | None]) -> bool | None:
        """Whether it holds; None where the figure was not measured."""
        value = figures.get(self.figure)
        return None if value is None else _SIGNS[self.sign](value, self.number)

    def holds_by(self, margin: float, figures: Mapping[str, float | None]) -> bool:
        """Whether it would still hold with the figure worse by ``margin``; of == and != as it is."""
        value = figures.get(self.figure)
        if value is None:
            return False
        return _SIGNS[self.sign](value + {"<": margin, ">": -margin}.get(self.sign[0], 0.0), self.number)

    def shortfall(self, figures: Mapping[str, float | None]) -> float:
        """How far the figure is from holding, as a share of the number; 0 where it holds."""
        value = figures.get(self.figure)
        if value is None:
            return float("inf")
        return 0.0 if self.holds(figures) else abs(value - self.number) / (self.number or 1.0)

    def __str__(self) -> str:
        return f"{self.figure} {self.sign} {repr(self.number).removesuffix('.0')}"


def requirements(given: str | Condition | Iterable[str | Condition]) -> tuple[Condition, ...]:
    """All conditions of one or several texts, each of which must hold."""
    return tuple(one for together in alternatives(given) for one in together)


def alternatives(given: str | Condition | Iterable[str | Condition]) -> tuple[tuple[Condition, ...], ...]:
    """Conditions that stand for themselves: separate texts and parts between commas. ``and`` and 且 tie those
    that hold or fail together."""
    if isinstance(given, (str, Condition)):
        given = (given,)
    found: list[tuple[Condition, ...]] = []
    for text in given:
        if isinstance(text, str):
            parts = _BETWEEN.split(_plain(text))
            found += [tuple(map(Condition.parse, _AND.split(part))) for part in parts]
        else:
            found.append((text,) if isinstance(text, Condition) else (Condition.parse(text),))
    return tuple(found)


def unmet(conditions: Iterable[Condition], figures: Mapping[str, float | None]) -> tuple[Condition, ...]:
    """Requirements that do not hold; one whose figure was not measured is not met."""
    return tuple(condition for condition in conditions if not condition.holds(figures))


def failing(
    given: Iterable[tuple[Condition, ...]], figures: Mapping[str, float | None]
) -> tuple[tuple[Condition, ...], ...]:
    """Those of ``alternatives`` that hold, for a check that is to fail when one does.

    InvalidInput where a figure was not measured: a check that cannot be made has not been passed.
    """
    given = tuple(given)
    for condition in (one for together in given for one in together):
        if condition.holds(figures) is None:
            raise InvalidInput(f"{condition} cannot be checked: {why_unmeasured(condition.figure)}")
    return tuple(together for together in given if all(one.holds(figures) for one in together))


def why_unmeasured(figure: str) -> str:
    """What a log lacks in which the figure was not measured."""
    return f"{figure} was not measured: {UNMEASURED[figure]}"


def told(conditions: Iterable[Condition], figures: Mapping[str, float | None]) -> str:
    """Conditions with what the figures are: ``precision >= 0.98 (it is 0.9512)``."""
    parts = []
    for condition in conditions:
        value = figures.get(condition.figure)
        parts.append(f"{condition} ({'not measured' if value is None else f'it is {value:.4g}'})")
    return " and ".join(parts)


def _plain(text: str) -> str:
    return unicodedata.normalize("NFKC", text).translate(_WRITTEN)


__all__ = [
    "UNMEASURED",
    "Condition",
    "alternatives",
    "failing",
    "requirements",
    "told",
    "unmet",
    "why_unmeasured",
]
