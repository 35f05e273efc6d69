"""The outcome of tuning, written down: a settings file that ``--settings`` takes."""

from __future__ import annotations

import textwrap
from datetime import date

from pydantic import SecretStr

from forms_dynamics.replay.figures import FIGURES
from forms_dynamics.replay.values import Tuning
from forms_dynamics.replay.verdict import interval, scalar
from forms_dynamics.settings import Settings

_WIDTH = 100
_KEPT_OUT = ("api_key",)  # never written anywhere


def settings_text(tuning: Tuning, today: Settings, *, on: date | str | None = None) -> str:
    """YAML of today's settings with the winner's in their place, as far as they differ from the defaults.

    Comments tell what they were chosen on, figures before and after, and what to know. Without ``on`` no date
    stands in it, and the same outcome gives the same bytes. A key or password is left out, and said to be.
    """
    import yaml

    lines = ["# Settings of forms_dynamics, chosen by replaying conversation logs."]
    if on is not None:
        lines.append(f"# {on}")
    lines += ["#", *_comment(tuning.verdict), "#"]
    lines += _comment(
        f"Objective: {tuning.objective}"
        + (f"; constraints: {', '.join(tuning.constraints)}" if tuning.constraints else "")
        + f". Truth: {tuning.truth}. Chosen on {tuning.chosen_on} conversations, judged on {tuning.held_out} others:"
    )
    what = "with these settings" if tuning.winner else "with the best candidate, which was not taken"
    for name in FIGURES:
        before, after = tuning.today[name], tuning.tuned[name]
        if before.value is not None or after.value is not None:
            then = f" → {interval(after)} {what}" if tuning.candidate else ""
            lines.append(f"#   {name}: {interval(before)} today{then}")
    for note in tuning.notes:
        lines += _comment(f"Note: {note}.")

    kept: list[str] = []
    defaults = Settings()
    for name in Settings.model_fields:
        now = getattr(today, name)
        value = tuning.winner.get(name, now)
        if value == getattr(defaults, name):
            if name in tuning.winner:
                kept.append(f"# {name}: the default again ({scalar(value)}; was {scalar(now)})")
            continue
        if name in _KEPT_OUT or isinstance(value, SecretStr) or (name == "base_url" and "@" in value):
            lines += _comment(f"{name} is set today and not written here: it holds a secret.")
            continue
        entry = yaml.safe_dump({name: value}, allow_unicode=True, width=1000).strip()
        kept.append(f"{entry}  # was {scalar(now)}" if name in tuning.winner else entry)
    if not any(not line.startswith("#") for line in kept):
        kept.append("{}  # all settings are the defaults")
    return "\n".join([*lines, "", *kept]) + "\n"


def _comment(text: str) -> list[str]:
    return textwrap.wrap(text, _WIDTH, initial_indent="# ", subsequent_indent="# ", break_long_words=False)


__all__ = ["settings_text"]
