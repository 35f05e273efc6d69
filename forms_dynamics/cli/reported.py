"""What a replay or a tuning found, on a terminal: figures, a line of bars for each setting, the telling turns."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from functools import partial
from typing import Any

from rich.console import Console
from rich.padding import Padding
from rich.table import Table
from rich.text import Text

from forms_dynamics.cli.pieces import STEP_STYLES, STYLES
from forms_dynamics.cli.show import Paper
from forms_dynamics.replay.report.charts import pictured_figures
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
from forms_dynamics.replay.report.said import cut, visible
from forms_dynamics.replay.report.sentences import beginning, curve_says, flat, said_settings
from forms_dynamics.replay.report.words import Words

_BARS = "▁▂▃▄▅▆▇█"
_TURNS = 5
_STEPS = 4  # of a trace, those that tell why something is not there
_RUNS = 30
_OUTCOMES = {"accepted": "green", "held": "yellow", "refused": "red"}
_NARROW = 100  # columns below which intervals stand under their figures
_WIDE = 140  # columns from which figures are explained beside their numbers
_OF_THE_ARTICLE = {
    "field_accuracy": "three_field", "ten_turn_consistency": "three_ten", "multi_hop_accuracy": "three_hops",
}  # fmt: skip
_WHY = {"better": "green", "both": "yellow"}


def show_report(content: Mapping[str, Any], console: Console | None = None) -> None:
    """Prints what ``report_json`` gave: a run, several, two compared, or a tuning, in the report's language."""
    Report(content, Paper(console, content["lang"])).show()


class Report:
    """Writes one report on one terminal."""

    def __init__(self, content: Mapping[str, Any], paper: Paper) -> None:
        self.r = _shown(content)
        self.t = Words(content["lang"])
        self.paper = paper
        self.figure = partial(figure, words=self.t)
        self.narrow = paper.console.width < _NARROW
        self.two = len(content["sides"]) == 2
        keys = ("before", "after") if self.two else ("after",)
        names = {"best": "best_run"}
        self.sides = [(key, self.t(names.get(n, n))) for key, n in zip(keys, content["sides"], strict=True)]

    def show(self) -> None:
        """Everything, the verdict first."""
        self._head()
        self._figures()
        self._runs()
        self._curves()
        self._front()
        self._turns()
        if self.r["settings_file"]:
            self._title("settings_file")
            for line in self.r["settings_file"].splitlines():
                self._say(line, indent=2, wrap=False)

    # -- parts -------------------------------------------------------------------------------------------------
    def _head(self) -> None:
        r, t, log = self.r, self.t, self.r["log"]
        self._say(t(f"title_{r['kind']}"), "bold")
        self._say(r["verdict"], "bold green" if r["changes"] else "bold")
        self.paper.line()
        parts = [t("turns", n=shown(log["turns"])), t("conversations", n=shown(log["conversations"]))]
        parts.append(t("users", n=shown(log["users"])) if log["users"] else t("users_unnamed"))
        if log["held_out"] is not None:
            parts.append(t("split", chosen=shown(log["chosen_on"]), held=shown(log["held_out"])))
        if log["turns_per_s"]:
            parts.append(t("speed", n=shown(round(log["turns_per_s"]))))
        self._say(" · ".join(parts))
        key = {"labels": "truth_labels", "self-consistency": "truth_self", "none": "truth_none"}[log["truth"]]
        self._say(f"{t('truth')}{t('colon')}{t(key)}{t('stop')}{t(f'{key}_about')}", "dim")
        if log["queued"]:
            self._say(t("queued", n=shown(log["queued"])), "yellow")
        if r["constraints"]:
            self._say(f"{t('constraints')}{t('colon')}{', '.join(r['constraints'])}")
        for note in r["notes"]:
            self._say(f"· {note}", STYLES["aside"])

    def _figures(self) -> None:
        self._title("figures")
        heads = [self.t("figure"), *(name for _, name in self.sides)]
        table = self._table(*heads, *([self.t("difference")] if self.two else ()), left=1)
        wide = self.paper.console.width >= _WIDE
        if wide:
            table.add_column(self.t("meaning"), style=STYLES["aside"], overflow="fold")
        for row in self.r["figures"]:
            name = row["name"]
            if row["after"]["value"] is None and (not self.two or row["before"]["value"] is None):
                continue
            cells = [Text(name, "bold" if name == self.r["objective"] else "")]
            if name in _OF_THE_ARTICLE and self.t.lang == "zh" and not self.narrow:
                cells[0].append(f" {self.t(_OF_THE_ARTICLE[name])}", STYLES["aside"])
            cells += [self._with(name, row[key]) for key, _ in self.sides]
            if self.two:
                cells.append(self._gained(name, row["difference"]))
            table.add_row(*cells, *([self.t.figure(name)] if wide else ()))
        self.paper.put(table, 2)
        lacking = [row["name"] for row in self.r["figures"] if row["after"]["value"] is None]
        if lacking:
            self._say(
                f"{self.t('not_measured')}{self.t('colon')}{', '.join(lacking)}", STYLES["aside"], indent=2
            )

    def _runs(self) -> None:
        runs = self.r["runs"]
        if not runs:
            return
        if len(runs) > 1:
            self._title("runs")
            names = [
                n for n in self._main_figures() if any(run["figures"].get(n) is not None for run in runs)
            ]
            table = self._table("", self.t("settings"), *names, left=2)
            for number, run in enumerate(runs[:_RUNS], 1):
                cells = [self.figure(name, run["figures"].get(name)) for name in names]
                table.add_row(str(number), said_settings(run["settings"], self.t), *cells)
            self.paper.put(table, 2)
        if len(runs) > 2:
            return
        self._title("outcome_counts")
        table = self._table(
            "", self.t("outcome"), self.t("all"), self.t("right_n"), self.t("wrong_n"), left=2
        )
        for run in runs:
            c, name = run["counts"], said_settings(run["settings"], self.t) if len(runs) > 1 else ""
            for outcome in _OUTCOMES:
                wrong = shown(c["accepted_wrong"]) if outcome == "accepted" else NOTHING
                numbers = (shown(c[outcome]), shown(c[f"{outcome}_right"]), wrong)
                table.add_row(name, Text(self.t(outcome), _OUTCOMES[outcome]), *numbers)
                name = ""
        self.paper.put(table, 2)

    def _curves(self) -> None:
        if not self.r["curves"]:
            return
        self._title("curves")
        chosen = {c["setting"] for c in (*self.r["changes"], *self.r["candidate"])}
        idle = [curve["setting"] for curve in self.r["curves"] if flat(curve)]
        for curve in self.r["curves"]:
            if curve["setting"] not in idle:
                self._curve(curve, full=curve["setting"] in chosen or self.r["kind"] != "tuning")
        if idle:
            self._say(self.t("more_values", n=len(idle), names=", ".join(idle)), STYLES["aside"], indent=2)

    def _curve(self, curve: Mapping[str, Any], *, full: bool) -> None:
        """Bars of each figure over the values of a setting; ``full``: all its values in a table, too."""
        points = curve["points"]
        head = Text(curve["setting"], "bold")
        head.append(f"  {self.t.setting(curve['setting'])}", STYLES["aside"])
        self._put(head, 2)
        self._say(curve_says(curve, self.r, self.t), indent=4)
        ends = [value_text(points[at]["value"], self.t) for at in (0, -1)]
        axis = self.t("range_of", low=ends[0], high=ends[1])
        grid = Table.grid(padding=(0, 2))
        for name in pictured_figures(curve, self.r["objective"]):
            values = [(p["figures"].get(name) or {}).get("value") for p in points]
            known = [v for v in values if v is not None]
            if known:
                low, high = self.figure(name, min(known)), self.figure(name, max(known))
                said = self.t("range_of", low=low, high=high) if low != high else low
                grid.add_row(name, Text(bars(values), "cyan"), Text(said, STYLES["aside"]))
        below = "".join(self._under(curve, p["value"]) for p in points)
        grid.add_row("", below, Text(f"{axis}   {self._marks(curve)}", STYLES["aside"]))
        self.paper.put(grid, 4)
        if full:
            self.paper.put(self._values(curve), 4)
        self.paper.line()

    def _under(self, curve: Mapping[str, Any], value: Any) -> str:
        if self.r["kind"] == "tuning" and same(value, curve["chosen"]):
            return "▲"
        return "△" if same(value, curve["today"]) else " "

    def _marks(self, curve: Mapping[str, Any]) -> str:
        """What the signs below the bars mean."""
        today = f"△ {self.t(beginning(self.r))} {value_text(curve['today'], self.t)}"
        if self.r["kind"] != "tuning":
            return today
        if same(curve["today"], curve["chosen"]):
            return f"▲ {self.t('today_and_chosen')} {value_text(curve['chosen'], self.t)}"
        return f"{today}   ▲ {self.t('chosen')} {value_text(curve['chosen'], self.t)}"

    def _values(self, curve: Mapping[str, Any]) -> Table:
        objective = self.r["objective"]
        names = [] if self.narrow else [n for n in self._main_figures() if n != objective]
        table = self._table("", self.t("value"), objective, self.t("gain"), *names, "", left=2)
        for p in curve["points"]:
            gain = None if same(p["value"], curve["today"]) else p["gain"]
            cells = [self._with(objective, p["figures"].get(objective)), self._gained(objective, gain)]
            cells += [Text(self.figure(n, (p["figures"].get(n) or {}).get("value"))) for n in names]
            broken = Text("" if p["allowed"] else self.t("breaks"), "red")
            sign = self._under(curve, p["value"])
            table.add_row(sign, value_text(p["value"], self.t), *cells, broken)
        return table

    def _front(self) -> None:
        front = [c for c in self.r["pareto"] if c["best"]]
        if not front:
            return
        self._title("front")
        names = [*self._main_figures(), "tokens"]
        names = [n for n in dict.fromkeys(names) if any(c["figures"].get(n) is not None for c in front)]
        table = self._table("", self.t("settings"), *names, "", left=2)
        front.sort(key=lambda c: -(c["figures"].get("precision") or 0.0))
        for c in front[:8]:
            sign = {"winner": "▲", "today": "△"}.get(c["role"], "")
            settings = said_settings(c["settings"], self.t) if c["settings"] else self.t("as_today")
            cells = [self.figure(n, c["figures"].get(n)) for n in names]
            table.add_row(sign, settings, *cells, Text("" if c["allowed"] else self.t("breaks"), "red"))
        self.paper.put(table, 2)
        if len(front) > 8:
            self._say(self.t("front_left", n=len(front) - 8), STYLES["aside"], indent=2)

    # -- turns -------------------------------------------------------------------------------------------------
    def _turns(self) -> None:
        told = self.r["telling"]
        self._title("telling")
        if not told:
            self._say(self.t("telling_none" if self.r["turns_kept"] else "telling_without_turns"), indent=2)
        for turn in told[:_TURNS]:
            self._turn(turn)
        if len(told) > _TURNS:
            self._say(self.t("more_turns", n=len(told) - _TURNS), STYLES["aside"], indent=2)

    def _turn(self, turn: Mapping[str, Any]) -> None:
        title = self.t("turn_title", conversation=_line(turn["conversation"], 60), number=turn["number"])
        head = Text(title, "bold")
        self._put(head.append(f"  {self.t('why_' + turn['why'])}", _WHY.get(turn["why"], "red")), 2)
        words = turn["text"] if turn["text"] is not None else self.t("words_missing")
        self._say(f"“{_line(words, 160)}”", STYLES["words"], indent=4)
        for fact in turn["facts"]:
            line = Text(f"{fact['form_type']}.{fact['slot']} = {_line(fact['value'], 60)} ")
            line.append(f"({self.t('verdict_' + fact['verdict'])}){self.t('colon')}", STYLES["aside"])
            line.append_text(Text(" → ").join(self._outcome(fact[key]) for key, _ in self.sides))
            self._put(line, 4)
        for key, name in self.sides:
            for form_type, slot, value in turn["missed"].get(key, ()):
                which = f"{self.t('missed')} ({name})" if self.two else self.t("missed")
                self._say(
                    f"{which}{self.t('colon')}{form_type}.{slot} = {_line(value, 60)}", "yellow", indent=4
                )
        for asked in turn["asked"]:
            self._asked(asked)
        self.paper.line()

    def _outcome(self, given: Mapping[str, Any] | None) -> Text:
        if given is None:
            return Text(self.t("absent"), STYLES["aside"])
        said = Text(self.t(given["outcome"]), _OUTCOMES[given["outcome"]])
        return said.append(f", {self.t.reason(given['reason'])}", "") if given["reason"] else said

    def _asked(self, asked: Mapping[str, Any]) -> None:
        line = Text("? ", STYLES["pending"]).append(_line(asked["question"], 100))
        answers = [asked[key] for key, _ in self.sides if asked[key]]
        line.append("  ")
        line.append_text(Text(" → ").join(self._answered(answer) for answer in answers))
        self._put(line, 4)
        last = answers[-1]
        for kind, parts in (("lacks", last["missing"]), ("stale", last["stale"])):
            for part in parts:
                self._say(f"{self.t(kind)}{self.t('colon')}{_line(part, 80)}", "red", indent=6)
        if not last["right"]:
            for step in list(_left_out(last["steps"]))[:_STEPS]:
                kind, subject, reason = step
                label = Text(f"{self.t.step(kind)} ", STEP_STYLES.get(kind, ""))
                label.append(_line(subject, 60), STYLES["id"])
                self._put(label.append(f"  {self.t.reason(reason)}", STYLES["aside"]), 6)

    def _answered(self, answer: Mapping[str, Any]) -> Text:
        return (
            Text(self.t("answered_right"), "green")
            if answer["right"]
            else Text(self.t("answered_wrong"), "red")
        )

    # -- pieces ------------------------------------------------------------------------------------------------
    def _main_figures(self) -> list[str]:
        return list(dict.fromkeys((self.r["objective"], "precision", "recall", "questions_per_turn")))

    def _with(self, name: str, given: Mapping[str, Any] | None) -> Text:
        """A figure and, dim, its interval."""
        if given is None or given["value"] is None:
            return Text(NOTHING, STYLES["aside"])
        said, ends = Text(self.figure(name, given["value"])), between(name, given, self.t)
        return said.append(f"{self._gap()}({ends})", STYLES["aside"]) if ends else said

    def _gained(self, name: str, given: Mapping[str, Any] | None) -> Text:
        if given is None or given["value"] is None:
            return Text(NOTHING, STYLES["aside"])
        said, ends = Text(change(name, given["value"], self.t)), change_between(name, given)
        return said.append(f"{self._gap()}({ends})", STYLES["aside"]) if ends else said

    def _gap(self) -> str:
        return "\n" if self.narrow else " "

    def _table(self, *heads: str, left: int) -> Table:
        """The first ``left`` columns hold words, the others numbers."""
        table = Table(box=None, padding=(0, 2, 0, 0), header_style="bold", show_edge=False)
        for at, head in enumerate(heads):
            if at < left or not head:
                table.add_column(head, overflow="fold")
            else:
                table.add_column(head, justify="right", no_wrap=True)
        return table

    def _title(self, key: str) -> None:
        self.paper.line()
        self._say(self.t(key), "bold underline")

    def _say(self, text: str, style: str = "", *, indent: int = 0, wrap: bool = True) -> None:
        self._put(Text(text, style), indent, wrap=wrap)

    def _put(self, text: Text, indent: int = 0, *, wrap: bool = True) -> None:
        padded = Padding(text, (0, 0, 0, indent), expand=False)
        self.paper.console.print(padded if wrap else Text(" " * indent).append_text(text), soft_wrap=not wrap)


def bars(values: Sequence[float | None]) -> str:
    """One bar a value, the least lowest and the greatest highest; a dot where nothing was measured, and bars of half
    height where nothing moves."""
    known = [value for value in values if value is not None]
    low, high = min(known, default=0.0), max(known, default=0.0)
    if high - low < 1e-9:
        return "".join("·" if value is None else _BARS[3] for value in values)
    top = len(_BARS) - 1
    return "".join("·" if v is None else _BARS[round((v - low) / (high - low) * top)] for v in values)


def _shown(value: Any) -> Any:
    """Content in which no text can speak to a terminal."""
    if isinstance(value, str):
        return visible(value)
    if isinstance(value, Mapping):
        return {visible(key): _shown(item) for key, item in value.items()}
    return [_shown(item) for item in value] if isinstance(value, list) else value


def _line(text: str, most: int) -> str:
    """In one line."""
    return cut(" ".join(text.split()), most)


def _left_out(steps: Sequence[Sequence[str]]) -> Iterator[Sequence[str]]:
    """Steps that tell why something is not in a context."""
    return (step for step in steps if step[0] not in ("anchor", "walk"))


__all__ = ["bars", "show_report"]
