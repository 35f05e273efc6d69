"""How the demo looks: one scene a message, told so that a stranger follows."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from datetime import datetime
from typing import TYPE_CHECKING

from rich.console import Group
from rich.markup import escape
from rich.panel import Panel
from rich.rule import Rule
from rich.text import Text

from forms_dynamics.cli.demo import HELD_QUESTION
from forms_dynamics.cli.pieces import clean, slot_table, when
from forms_dynamics.cli.show import Paper

if TYPE_CHECKING:
    from forms_dynamics import Context, Form
    from forms_dynamics.cli.demo import Scene

_TITLES = {
    "zh": {
        "form": "一句话变成一张 Form：每个槽位都带着原话",
        "asked": "只问首付款：按槽位精确命中，不靠相似度碰运气",
        "named": "后来才说出公司：还是同一张 Form，下一个版本",
        "corrected": "更正：新值生效，旧值留在版本链里",
        "related": "报价单：按声明的规则连到客户",
        "history": "追问历史：沿边找到客户，两个版本带着日期一起回来",
        "held": "含糊的话不写入：先挂起，问清楚再记",
        "invalid": "作废：退出召回，历史仍在",
    },
    "en": {
        "form": "A message becomes a Form; every slot keeps the words it rests on",
        "asked": "Ask about the first payment: an exact hit by slot, not luck with similarity",
        "named": "The company is named later: the same Form, its next version",
        "corrected": "A correction: the new value holds, the old one stays in the chain",
        "related": "A quote: linked to its customer by a declared rule",
        "history": "Why? The walk finds the customer; both versions come back with their dates",
        "held": "A hedge is not written: it waits, with a question",
        "invalid": "Withdrawn: it leaves recall, its history stays",
    },
}
_WORDS = {
    "zh": {
        "opening": "一段真实流程：离线识别器、一个临时 SQLite 文件，没有模型，没有网络。",
        "context": "交给模型的上下文",
        "before": "确认之前",
        "answer": "答复",
        "after": "确认之后",
        "nothing": "没有需要记住的事实",
        "asks": "缺什么就问什么，不拦着先记",
        "again": "再问",
        "closing": "从自己的 Form 开始：forms-dynamics init 我的记忆",
    },
    "en": {
        "opening": "All of it is real: offline recognisers, one temporary SQLite file, no model, no network.",
        "context": "context for the model",
        "before": "before the answer",
        "answer": "answer",
        "after": "after it",
        "nothing": "nothing to remember",
        "asks": "what is missing is asked for; it never blocks what is there",
        "again": "asked again",
        "closing": "Begin with a Form of your own: forms-dynamics init my-memory",
    },
}


class Stage:
    """Shows the scenes of one language."""

    def __init__(self, lang: str, paper: Paper | None = None) -> None:
        self.lang = lang
        self.paper = paper or Paper(lang=lang)
        self.words = _WORDS[lang]

    def show(self, scenes: Sequence[Scene]) -> None:
        """The whole story."""
        self.paper.zone = datetime.fromisoformat(scenes[0].message["time"]).tzinfo
        self.paper.line()
        self.paper.line(f"[bold]Forms-Dynamics[/]  [dim]{self.words['opening']}[/]")
        for number, scene in enumerate(scenes, 1):
            self._heading(number, scene)
            self._said(scene)
            tell: Callable[[Scene], None] = getattr(self, f"_{scene.kind}")
            tell(scene)
        self.paper.line()
        self.paper.line(f"[bold]{self.words['closing']}[/]")
        self.paper.line()

    def _heading(self, number: int, scene: Scene) -> None:
        self.paper.line()
        title = Text(f"{number}  {_TITLES[self.lang][scene.kind]}", "bold")
        self.paper.put(Rule(title, align="left", style="dim"))

    def _said(self, scene: Scene) -> None:
        at = when(datetime.fromisoformat(scene.message["time"]), self.paper.zone)
        speaker, text = scene.message["speaker"], scene.message["text"]
        self.paper.line(f"[dim]{at}[/]  [bold cyan]{escape(speaker)}[/] ▸ {escape(text)}", 2)

    # -- scenes ----------------------------------------------------------------------------------------------
    def _form(self, scene: Scene) -> None:
        self._card(scene.form)
        for item in scene.pending:
            self.paper.line(f"[yellow]? {escape(item.question)}[/]  [dim]({self.words['asks']})[/]", 4)

    def _asked(self, scene: Scene) -> None:
        if not scene.receipt.forms:
            self.paper.line(f"[dim]({self.words['nothing']})[/]", 4)
        self._context(scene.context, trace=True)

    def _named(self, scene: Scene) -> None:
        self._card(scene.form)

    def _corrected(self, scene: Scene) -> None:
        self.paper.chain(scene.versions, 4)
        newest = f"@{scene.versions[-1].number}"
        drawn = [edge for edge in scene.edges if edge.relation == "supersedes"]
        self.paper.edges([edge for edge in drawn if edge.source.endswith(newest)], 4)

    def _related(self, scene: Scene) -> None:
        self._card(scene.form)
        self.paper.edges([edge for edge in scene.edges if edge.relation != "supersedes"], 4)

    def _history(self, scene: Scene) -> None:
        self._context(scene.context, trace=True)

    def _held(self, scene: Scene) -> None:
        self.paper.pending(scene.pending, 4)
        self._context(scene.context, trace=False, title=self.words["before"])
        self.paper.line(f"[bold cyan]{self.words['answer']}[/] ▸ {escape(scene.confirmed_with or '')}", 2)
        self._context(scene.confirmed_context, trace=False, title=self.words["after"])

    def _invalid(self, scene: Scene) -> None:
        self._card(scene.form)
        self.paper.chain(scene.versions, 4)
        self.paper.line(f"[bold cyan]{self.words['again']}[/] ▸ {HELD_QUESTION[self.lang]}", 2)
        self._context(scene.context, trace=True)

    # -- pieces ----------------------------------------------------------------------------------------------
    def _card(self, form: Form | None) -> None:
        if form is None:
            self.paper.line(f"[dim]({self.words['nothing']})[/]", 4)
            return
        style = "green" if form.status == "active" else "red"
        title = Text.from_markup(f"[bold]{form.type}[/] @{form.version}  [{style}]{form.status}[/]")
        self.paper.put(
            Panel(
                slot_table(form, self.lang),
                title=title,
                title_align="left",
                border_style="dim",
                padding=(0, 1),
                expand=False,
            ),
            4,
        )

    def _context(self, context: Context | None, *, trace: bool, title: str | None = None) -> None:
        if context is None:
            return
        head = title or self.words["context"]
        body = Group(*(Text(clean(line)) for line in (context.text or "—").splitlines()))
        note = Text(f"{context.tokens} tokens", "dim")
        self.paper.put(
            Panel(
                body, title=Text(head, "bold"), title_align="left", subtitle=note, subtitle_align="right",
                border_style="green", padding=(0, 1), expand=False,
            ),
            4,
        )  # fmt: skip
        if trace:
            self.paper.trace(context, 4)
