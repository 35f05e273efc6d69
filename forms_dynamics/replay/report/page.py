"""The report as one HTML file: styles and pictures inside it, no script, nothing loaded from anywhere."""

from __future__ import annotations

from collections.abc import Mapping
from functools import lru_cache, partial
from typing import TYPE_CHECKING, Any

from markupsafe import Markup, escape

from forms_dynamics.replay.report.charts import curve_picture, pictured_figures
from forms_dynamics.replay.report.numbers import (
    NOTHING,
    between,
    change,
    change_between,
    figure,
    same,
    shown,
    value_text,
)
from forms_dynamics.replay.report.pareto import pareto_picture
from forms_dynamics.replay.report.said import cut, visible
from forms_dynamics.replay.report.sentences import beginning, curve_says, flat, said_changes, said_settings
from forms_dynamics.replay.report.words import Words

if TYPE_CHECKING:
    from jinja2 import Environment, Template

_FRONT = 12  # rows of the table of the front


def report_html(content: Mapping[str, Any]) -> str:
    """The page of what :func:`report_json` gave; the same content gives the same bytes."""
    words = Words(content["lang"])
    objective = content["objective"]
    cards = [_card(curve, content, words) for curve in content["curves"]]
    picture = pareto_picture(content["pareto"], partial(_settings_of, words=words), words)
    front = sorted(
        (c for c in content["pareto"] if c["best"]), key=lambda c: -(c["figures"].get(objective) or 0.0)
    )
    page: Template = _environment().get_template("page.html.j2")
    return page.render(
        r=content,
        t=words,
        cards=cards,
        pareto=picture,
        front=front[:_FRONT],
        front_all=len(front),
        figure=partial(figure, words=words),
        change=partial(change, words=words),
        between=partial(between, words=words),
        change_between=change_between,
        value=partial(value_text, words=words),
        settings_of=partial(_settings_of, words=words),
        settings_line=partial(said_settings, words=words),
        changes_of=partial(said_changes, words=words),
        shown=shown,
        cut=cut,
        begin=beginning(content),
        nothing=NOTHING,
        version=_version(),
    )


def _settings_of(settings: Mapping[str, Any], words: Words) -> str:
    return said_settings(settings, words) if settings else words("as_today")


def _card(curve: Mapping[str, Any], content: Mapping[str, Any], words: Words) -> dict[str, Any]:
    """A curve with its picture, what it shows in a sentence, and the columns of its table."""
    objective = content["objective"]
    begin = beginning(content)
    points = curve["points"]
    picture = curve_picture(curve, pictured_figures(curve, objective), content["constraints"], begin, words)
    pictured = pictured_figures(curve, objective)
    names = list(dict.fromkeys((*pictured, "precision", "recall", objective, "questions_per_turn")))
    names = [n for n in names if any((p["figures"].get(n) or {}).get("value") is not None for p in points)]
    values = [value_text(p["value"], words) for p in points]
    aria = words(
        "curve_aria",
        setting=curve["setting"],
        figures=", ".join(name for name, _ in picture.legend) if picture else "",
        first=values[0] if values else "",
        last=values[-1] if values else "",
        marks=", ".join(
            f"{words(key)} {value_text(value, words)}"
            for key, value in ((begin, curve["today"]), ("chosen", curve["chosen"]))
            if key != "chosen" or content["kind"] == "tuning"
        ),
    )
    return {
        "curve": curve, "picture": None if flat(curve) else picture, "names": names, "aria": aria,
        "said": curve_says(curve, content, words),
        "rows": [
            p | {
                "today": same(p["value"], curve["today"]),
                "chosen": curve["chosen"] is not None and same(p["value"], curve["chosen"]),
            }
            for p in points
        ],
        "about": words.setting(curve["setting"]),
    }  # fmt: skip


@lru_cache(maxsize=1)
def _environment() -> Environment:
    from jinja2 import Environment, PackageLoader, StrictUndefined

    environment = Environment(
        loader=PackageLoader("forms_dynamics.replay.report"),
        autoescape=True,
        trim_blocks=True,
        lstrip_blocks=True,
        undefined=StrictUndefined,
        finalize=_finalize,
    )
    environment.filters["breakable"] = _breakable
    return environment


def _breakable(name: str) -> Markup:
    """A name that may go on in a new line behind each underscore."""
    return escape(visible(name)).replace("_", Markup("_<wbr>"))


def _finalize(value: Any) -> Any:
    """Every text that is written passes :func:`visible`; markup of the templates' own macros does not need to."""
    return visible(value) if type(value) is str else value


def _version() -> str:
    from forms_dynamics import __version__

    return __version__


__all__ = ["report_html"]
