"""How a memory is doing, on one screen: what `health` shows a person."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Literal

from rich.table import Table
from rich.text import Text

from forms_dynamics.cli.pieces import STYLES, clean

if TYPE_CHECKING:
    from forms_dynamics.cli.show import Paper
    from forms_dynamics.model.report import Health, UserHealth

Lang = Literal["zh", "en"]

_BAR = 20  # characters
_MOST = 5  # kinds, reasons or users named
_GOOD, _FAIR = 0.8, 0.5

_WORDS: Mapping[str, tuple[str, str]] = {
    "all": ("整个记忆的健康报告", "Health of the whole memory"),
    "of": ("用户 {user} 的健康报告", "Health of {user}"),
    "users": ("{n} 位用户", "{n} users"),
    "user": ("1 位用户", "1 user"),
    "completeness": ("完整度", "complete"),
    "kinds": ("应有 {expected} 类，覆盖 {covered} 类", "{covered} of {expected} expected kinds"),
    "missing": ("缺：{kinds}", "missing {kinds}"),
    "nothing_expected": ("所载类型未声明应有内容", "the loaded types expect nothing"),
    "freshness": ("新鲜度", "fresh"),
    "facts": (
        "{facts} 条事实：{faded} 条淡化，{expired} 条过期",
        "{facts} facts: {faded} faded, {expired} expired",
    ),
    "fact": (
        "{facts} 条事实：{faded} 条淡化，{expired} 条过期",
        "{facts} fact: {faded} faded, {expired} expired",
    ),
    "no_facts": ("还没有事实", "no facts yet"),
    "ends": ("一年内到期", "ends in a year"),
    "ends_of": ("有效期止于一年内的事实", "of the facts that hold are valid for a year at most"),
    "conflicts": ("冲突率", "conflicts"),
    "conflicts_of": ("{n} 个冲突待确认", "{n} to be settled"),
    "forms": ("表单", "Forms"),
    "active": ("有效 {n}", "{n} active"),
    "invalid": ("作废 {n}", "{n} invalid"),
    "expired": ("过期 {n}", "{n} expired"),
    "cold": ("转冷 {n}", "{n} cold"),
    "junk": ("从未召回 {n}（{share}）", "{n} never recalled ({share})"),
    "confirmed": ("上次确认", "confirmed"),
    "ages": (
        "半数在 {median} 天内，九成在 {p90} 天内",
        "half within {median} days, nine tenths within {p90}",
    ),
    "growth": ("增长", "growth"),
    "days": ("{n} 天", "{n} days"),
    "messages": ("消息", "messages"),
    "new_facts": ("事实", "facts"),
    "asked": ("待人确认", "to answer"),
    "queue": ("排队消息", "queued"),
    "nothing": ("无", "nothing"),
    "spent": ("模型花费", "models"),
    "spent_of": (
        "今天 {calls} 次、{tokens} tokens；累计 {all_calls} 次、{all_tokens} tokens",
        "{calls} calls, {tokens} tokens today; {all_calls} and {all_tokens} in all",
    ),
    "overdue": ("超过 100 条待核实", "over 100 stale"),
    "worst": ("最需关注", "look at"),
    "worst_of": ("完整 {complete}，新鲜 {fresh}", "{complete} complete, {fresh} fresh"),
    "unnamed": ("未注明原因", "no reason noted"),
}


def health_page(paper: Paper, found: Health, user: str | None, lang: Lang) -> None:
    """Writes the report."""
    _Page(paper, found, lang).put(user)


class _Page:
    def __init__(self, paper: Paper, found: Health, lang: Lang) -> None:
        self.paper = paper
        self.found = found
        self.lang = lang
        self.grid = Table.grid(padding=(0, 2))
        self.grid.add_column(no_wrap=True)
        self.grid.add_column(justify="right", no_wrap=True)
        self.grid.add_column(no_wrap=True)
        self.grid.add_column(overflow="fold")

    def say(self, word: str, **given: object) -> str:
        return _WORDS[word][0 if self.lang == "zh" else 1].format(**given)

    def put(self, user: str | None) -> None:
        found = self.found
        head = self.say("all") if user is None else self.say("of", user=clean(user))
        aside = self.say("user") if found.users == 1 else self.say("users", n=f"{found.users:,}")
        self.paper.put(Text.assemble((head, "bold"), ("" if user is not None else f"  {aside}", "dim")))
        self._shares()
        self._counts()
        self.paper.put(self.grid, 2)
        self._growth()
        self._rest()

    def _shares(self) -> None:
        found = self.found
        if found.completeness is None:
            told = self.say("no_facts" if found.expected else "nothing_expected")
        else:
            covered = f"{found.covered or 0:.3g}"
            told = self.say("kinds", expected=found.expected, covered=covered)
            if found.missing:
                lacks = found.missing if found.users > 1 else dict.fromkeys(found.missing)
                told += self._stop() + self.say("missing", kinds=self._listed(lacks))
        self._share("completeness", found.completeness, told)
        facts = self.say(
            "fact" if found.facts == 1 else "facts",
            facts=f"{found.facts:,}",
            faded=f"{found.faded:,}",
            expired=f"{found.expired_facts:,}",
        )
        self._share("freshness", found.freshness, facts if found.facts else self.say("no_facts"))
        self._row("ends", _percent(found.ends_within_year), self.say("ends_of"))
        style = STYLES["pending"] if found.conflicts else ""
        self._row(
            "conflicts", _percent(found.conflict_rate), self.say("conflicts_of", n=found.conflicts), style
        )

    def _counts(self) -> None:
        found = self.found
        parts = [
            self.say(name, n=f"{getattr(found, name):,}") for name in ("active", "invalid", "expired", "cold")
        ]
        if found.junk_rate is not None:
            parts.append(self.say("junk", n=f"{found.junk:,}", share=_percent(found.junk_rate)))
        self._row("forms", f"{found.forms:,}", (" · ").join(parts))
        if found.confirmed_days_median is not None:
            ages = self.say("ages", median=found.confirmed_days_median, p90=found.confirmed_days_p90)
            self._row("confirmed", "", ages)

    def _growth(self) -> None:
        table = Table.grid(padding=(0, 2))
        table.add_column(no_wrap=True)
        heads = [Text(self.say("days", n=days), "dim") for days in self.found.growth]
        for _ in heads:
            table.add_column(justify="right", no_wrap=True)
        table.add_row(Text(self.say("growth"), "bold"), *heads)
        for word, name in (("forms", "forms"), ("new_facts", "facts"), ("messages", "messages")):
            counts = (f"+{getattr(growth, name):,}" for growth in self.found.growth.values())
            table.add_row(Text(f"  {self.say(word)}"), *counts)
        self.paper.put(table, 2)

    def _rest(self) -> None:
        found = self.found
        self.grid = Table.grid(padding=(0, 2))
        self.grid.add_column(no_wrap=True)
        self.grid.add_column(overflow="fold")
        self._line(
            "asked",
            self._listed(found.asked) or self.say("nothing"),
            STYLES["pending"] if found.asked else "",
        )
        if found.queued:
            self._line("queue", self._listed(found.waiting), STYLES["pending"])
        if found.spent.calls:
            spent = self.say(
                "spent_of", calls=f"{found.spent_today.calls:,}", tokens=f"{found.spent_today.tokens:,}",
                all_calls=f"{found.spent.calls:,}", all_tokens=f"{found.spent.tokens:,}",
            )  # fmt: skip
            self._line("spent", spent)
        if found.overdue:
            count = "user" if found.overdue == 1 else "users"
            self._line("overdue", self.say(count, n=f"{found.overdue:,}"), STYLES["pending"])
        for number, one in enumerate(found.worst[:_MOST]):
            self._line("worst" if not number else "", self._one(one))
        self.paper.put(self.grid, 2)

    def _one(self, one: UserHealth) -> str:
        told = self.say("worst_of", complete=_percent(one.completeness), fresh=_percent(one.freshness))
        lacks = dict.fromkeys(one.missing)
        tail = self._stop() + self.say("missing", kinds=self._listed(lacks)) if lacks else ""
        return f"{clean(one.user)}  {told}{tail}"

    def _stop(self) -> str:
        return "；" if self.lang == "zh" else "; "

    def _listed(self, named: Mapping[str, int | None]) -> str:
        """The first few of what is named, each with its number, and how many more there are."""
        comma = "、" if self.lang == "zh" else ", "
        parts = [
            (clean(name) or self.say("unnamed")) + ("" if n is None else f" {n:,}")
            for name, n in list(named.items())[:_MOST]
        ]
        if len(named) > _MOST:
            parts.append(f"… +{len(named) - _MOST}")
        return comma.join(parts)

    def _share(self, word: str, share: float | None, told: str) -> None:
        bar = Text("·" * _BAR, "dim")
        if share is not None:
            full = round(share * _BAR)
            style = "green" if share >= _GOOD else "yellow" if share >= _FAIR else "red"
            bar = Text.assemble(("█" * full, style), ("░" * (_BAR - full), "dim"))
        self.grid.add_row(Text(self.say(word), "bold"), _percent(share), bar, Text(told))

    def _row(self, word: str, figure: str, told: str, style: str = "") -> None:
        self.grid.add_row(Text(self.say(word), "bold"), figure, "", Text(told, style))

    def _line(self, word: str, told: str, style: str = "") -> None:
        self.grid.add_row(Text(self.say(word) if word else "", "bold"), Text(told, style))


def _percent(share: float | None) -> str:
    if share is None:
        return "—"
    return f"{share:.0%}" if share in (0, 1) or 0.1 <= share < 0.995 else f"{share:.1%}"


__all__ = ["health_page"]
