"""How results look on a terminal: rich, imported by these modules only; without a terminal no colours."""

from __future__ import annotations

import os
import sys
from collections.abc import Iterable, Mapping, Sequence
from datetime import tzinfo
from pathlib import Path
from typing import TYPE_CHECKING, Any

from rich.console import Console
from rich.markup import escape
from rich.padding import Padding
from rich.table import Table
from rich.text import Text
from rich.tree import Tree

from forms_dynamics.cli.pieces import (
    STYLES,
    change,
    clean,
    difference,
    form_marks,
    grown,
    said,
    slot_table,
    tree_of,
    when,
    words_of,
)

if TYPE_CHECKING:
    from forms_dynamics import Context, DynamicEdge, Form, Memory, Pending, Receipt, Slot, Version, Why
    from forms_dynamics.cli.scaffold import Scaffolded
    from forms_dynamics.evolution import Effect
    from forms_dynamics.model.report import Change

_MOST = 40  # nodes of a graph that a terminal shows

_TOLD = 20  # Forms of one receipt that are shown; an answer to many old facts touches hundreds


class Paper:
    """Writes results for a person to stdout."""

    def __init__(self, console: Console | None = None, lang: str = "en", zone: tzinfo | None = None) -> None:
        self.console = console or _console()
        self.lang = lang
        self.zone = zone

    def line(self, markup: str = "", indent: int = 0) -> None:
        """One line; never broken, so that commands and ids can be copied."""
        self.console.print(
            Text(" " * indent).append_text(Text.from_markup(clean(markup), emoji=False)), soft_wrap=True
        )

    def put(self, thing: Any, indent: int = 0) -> None:
        """A table or tree."""
        self.console.print(Padding(thing, (0, 0, 0, indent), expand=False) if indent else thing)

    # -- what went in ----------------------------------------------------------------------------------------
    def receipt(self, memory: Memory, receipt: Receipt) -> None:
        """What one act did: state, Forms as they are now, questions, refusals."""
        style = {"stored": "green", "held": "yellow", "refused": "red"}.get(receipt.state, "cyan")
        told = receipt.versions or receipt.forms
        ids = ", ".join(told[:_TOLD]) + (f" and {len(told) - _TOLD:,} more" if len(told) > _TOLD else "")
        self.line(
            f"[{style}]{receipt.state}[/]  [cyan]{escape(ids)}[/]"
            + ("  (known already)" if receipt.duplicate else "")
        )
        if receipt.waiting:
            self.line(f"[dim]waits:[/] {escape(receipt.waiting)}", 2)
        for refusal in receipt.refused:
            where = f"{refusal.form_type}.{refusal.slot}" if refusal.slot else refusal.form_type
            what = f"{where} = {said(refusal.value, self.lang)}: {refusal.reason}"
            self.line(f"[red]refused[/] {escape(what)}", 2)
        touched = list(dict.fromkeys(receipt.forms))
        for form_id in touched[:_TOLD]:
            self.form(memory.get(form_id), indent=2)
        if len(touched) > _TOLD:
            self.line(f"[dim]and {len(touched) - _TOLD:,} more Forms[/]", 2)
        for question in receipt.questions:
            self.line(f"[yellow]? {escape(question)}[/]", 2)
        if (
            receipt.act is not None
            and not receipt.versions == receipt.forms == receipt.edges == receipt.pending == ()
        ):
            self.line(f"[dim]take it back:[/] forms-dynamics undo {escape(receipt.act)}", 2)

    def waits(self, reasons: Mapping[str, int]) -> None:
        """Why messages wait in the queue."""
        for why, number in reasons.items():
            waits = "1 message waits" if number == 1 else f"{number:,} messages wait"
            self.line(
                f"[cyan]{waits}[/] [dim](forms-dynamics work)[/]: {escape(why or 'no reason was noted')}"
            )

    def tally(
        self,
        counts: Mapping[str, int],
        problems: int,
        skipped: Mapping[str, int],
        memory: Memory,
        pending: Sequence[str],
        waiting: Mapping[str, int],
    ) -> None:
        """What became of all messages of a log."""
        total = sum(counts.values())
        self.line(f"[bold]{total:,}[/] message{'' if total == 1 else 's'}")
        order = ("stored", "held", "refused", "queued", "nothing to remember", "known already")
        for state in order:
            if counts.get(state):
                self.line(f"{counts[state]:>8,}  {state}")
        for what, number in skipped.items():
            self.line(f"[dim]{number:>8,}  left out: {escape(what)}[/]")
        if problems:
            self.line(f"[red]{problems:>8,}  not taken, named on stderr[/]")
        self.waits(waiting)
        fresh = set(pending)
        asked = [item for item in memory.pending() if item.id in fresh] if fresh else []
        if asked:
            self.line()
            self.pending(asked[:10])
            if len(asked) > 10:
                self.line(f"[dim]and {len(asked) - 10} more: forms-dynamics pending[/]")

    # -- Forms -----------------------------------------------------------------------------------------------
    def form(self, form: Form, indent: int = 0) -> None:
        """A Form as a short table: slot, value, confidence, the words it rests on."""
        mark = form_marks(form)
        self.line(f"[bold]{form.type}[/] [cyan]{escape(form.id)}[/] @{form.version}{mark}", indent)
        if form.slots:
            self.put(slot_table(form, self.lang, self.zone), indent + 2)

    def forms(self, found: Sequence[Form], *, full: bool) -> None:
        """Many Forms, one a row."""
        if not found:
            self.line("[dim]no Forms[/]")
            return
        table = _table("Form", "type", "@", "what is known", "updated")
        for form in found:
            known = "; ".join(
                f"{name} {said(slot.value, self.lang)}"
                for name, slot in form.slots.items()
                if slot.status == "known"
            )
            table.add_row(
                Text(form.id, STYLES["id"], no_wrap=True),
                Text.from_markup(f"{form.type}{form_marks(form)}"),
                str(form.version),
                Text(known or "—"),
                Text(when(form.updated_at, self.zone), STYLES["aside"]),
            )
        self.put(table)
        if full:
            self.line(f"[dim]more may follow: --after {escape(found[-1].id)}[/]")

    def form_page(
        self, form: Form, versions: Sequence[Any], edges: Sequence[DynamicEdge], waiting: Sequence[Pending]
    ) -> None:
        """All there is to say of one Form."""
        self.form(form)
        names = [f"also called {', '.join(sorted(form.aliases))}"] if form.aliases else []
        names += [f"known elsewhere as {', '.join(sorted(form.external_ids))}"] if form.external_ids else []
        for name in names:
            self.line(f"[dim]{escape(name)}[/]", 2)
        if waiting:
            self.line()
            self.pending(waiting)
        self.line()
        self.chain(versions)
        if edges:
            self.line()
            self.edges(edges)

    def chain(self, versions: Sequence[Version], indent: int = 0) -> None:
        """The version chain, newest last: what each version changed, and the words for it."""
        tree = Tree(Text("versions", "bold"), guide_style="dim")
        before: Mapping[str, Slot] = {}
        for version in versions:
            style = "" if version.current else STYLES["old"]
            head = Text(f"@{version.number} ", "bold" if version.current else "dim")
            head.append(f"{when(version.time, self.zone)}  {version.cause}", style)
            head.append(
                "  current" if version.current else "  superseded", "green" if version.current else "dim"
            )
            branch = tree.add(head)
            for name, slot in version.slots.items():
                old = before.get(name)
                if old is None or (old.value, old.status, old.avoided) != (
                    slot.value,
                    slot.status,
                    slot.avoided,
                ):
                    branch.add(change(name, old, slot, self.lang))
            for name in before.keys() - version.slots.keys():
                branch.add(Text(f"{name}: gone", "dim"))
            before = version.slots
        self.put(tree, indent)

    def changes(self, form: Form, old: int, new: int, changes: Sequence[Change]) -> None:
        """What two versions differ in, one slot a row."""
        self.line(f"[bold]{form.type}[/] [cyan]{escape(form.id)}[/]  @{old} → @{new}")
        if not changes:
            self.line("[dim]no difference[/]", 2)
            return
        table = Table.grid(padding=(0, 2))
        for item in changes:
            table.add_row(Text(item.slot), difference(item, self.lang, self.zone))
        self.put(table, 2)

    def edges(self, edges: Iterable[DynamicEdge], indent: int = 0) -> None:
        """Edges, one a row."""
        table = Table.grid(padding=(0, 2))
        for edge in edges:
            style = "" if edge.status == "active" and not edge.expired else STYLES["old"]
            state = "" if edge.status == "active" else f", {edge.status}"
            if edge.valid_until is not None:
                state += f", until {when(edge.valid_until, self.zone)}"
            table.add_row(
                Text(edge.source, STYLES["id"]),
                Text(f"─{edge.relation}→", style or "bold"),
                Text(edge.target, STYLES["id"]),
                Text(f"{edge.weight:.2f}", style),
                Text(edge.made_by + state, STYLES["aside"]),
            )
        self.put(table, indent)

    def pending(self, waiting: Sequence[Pending], indent: int = 0) -> None:
        """Questions that wait, with the ids that answer them."""
        if not waiting:
            self.line("[dim]nothing waits for an answer[/]", indent)
        for item in waiting:
            what = f"{item.form_type}.{item.slot}" if item.slot else item.form_type
            value = "" if item.value is None else f" = {said(item.value, self.lang)}"
            self.line(f"[yellow]? {escape(item.question)}[/]", indent)
            self.line(
                f"[dim]{escape(what)}{escape(value)}  ({item.reason})  id[/] [cyan]{escape(item.id)}[/]",
                indent + 2,
            )
            if item.candidates:
                self.line(f"[dim]one of:[/] {escape(' · '.join(item.candidates))}", indent + 2)

    # -- recall ----------------------------------------------------------------------------------------------
    def context(self, context: Context, *, trace: bool, indent: int = 0, ids: bool = False) -> None:
        """The context as a model would get it, then what stands behind it."""
        for said_line in (context.text or "(nothing is known)").splitlines():
            self.line(escape(said_line), indent)
        aside = f"{context.tokens} tokens, confidence {context.confidence:.2f}, {len(context.forms)} Forms"
        if context.current_to:
            aside += f", current to {context.current_to}"
        self.line(f"[dim]{escape(aside)}[/]", indent)
        for question in context.questions:
            self.line(f"[yellow]? {escape(question)}[/]", indent)
        if trace:
            self.trace(context, indent, ids=ids)

    def trace(self, context: Context, indent: int = 0, *, ids: bool = False) -> None:
        """Why each thing is in the context, or left out, as a tree in the question's language."""
        from forms_dynamics.model.trace_tree import tree_of as trace_tree

        self.put(grown(trace_tree(context.trace, ids=ids)), indent)

    # -- the rest --------------------------------------------------------------------------------------------
    def why(self, found: Why) -> None:
        """Where a value comes from: words, speaker, what it displaced, what still waits."""
        value = said(found.value, self.lang) if found.status != "unknown" else "not known"
        style = {"known": STYLES["known"], "pending": STYLES["pending"]}.get(found.status, "dim")
        tree = Tree(Text.assemble((found.slot, "bold"), "  ", (value, style)), guide_style="dim")
        if found.status != "unknown":
            tree.add(Text(f"{found.status}, confidence {found.confidence:.2f}", "dim"))
        if found.evidence is not None:
            label = Text(f"“{clean(found.evidence.text)}”", STYLES["words"])
            by = ", ".join(
                filter(None, (found.speaker, when(found.said_at, self.zone), found.evidence.message_id))
            )
            tree.add(label.append(f"  {clean(by)}", "dim"))
        if found.cause is not None:
            tree.add(Text(f"made by {found.cause} ({found.source}), version {found.version}", "dim"))
        for old in found.earlier:
            label = Text("before: ", "dim").append(said(old.value, self.lang), "dim strike")
            tree.add(
                label.append(
                    f"  {when(old.valid_from, self.zone)} to {when(old.valid_until, self.zone)}  ", "dim"
                ).append_text(words_of(old))
            )
        for item in found.pending:
            what = f"waits: {said(item.value, self.lang)} ({item.reason})  {item.question}"
            tree.add(Text(clean(what), STYLES["pending"]))
        for edge in found.edges:
            tree.add(Text(f"{edge.source} ─{edge.relation}→ {edge.target}", "dim"))
        self.put(tree)

    def graph(self, graph: Any) -> None:
        """Forms with the edges that go out from them, the most connected first."""
        edges = _count(graph.size(), "edge")
        tree = Tree(Text(f"{_count(len(graph), 'node')}, {edges}", "bold"), guide_style="dim")
        nodes = graph.nodes
        roots = sorted((id for id in nodes if graph.degree(id)), key=lambda id: (-graph.degree(id), id))
        for id in roots[:_MOST]:
            if not graph.out_degree(id):
                continue
            branch = tree.add(_node(nodes[id], id))
            for _, target, edge in graph.out_edges(id, data=True):
                style = "" if edge["status"] == "active" else STYLES["old"]
                label = Text(f"─{clean(edge['relation'])}→ ", style or "bold")
                label.append_text(_node(nodes[target], target))
                marks = "" if edge["status"] == "active" else f", {edge['status']}"
                branch.add(
                    label.append(f"  {edge['weight']:.2f}  {clean(edge['made_by'])}{marks}", STYLES["aside"])
                )
        if len(roots) > _MOST:
            tree.add(Text(f"and {len(roots) - _MOST:,} more: --form-id, or --out graph.graphml", "dim"))
        alone = [id for id in nodes if not graph.degree(id)]
        if alone:
            branch = tree.add(Text(f"{_count(len(alone), 'node')} without edges", "dim"))
            for id in alone[:_MOST]:
                branch.add(_node(nodes[id], id))
            if len(alone) > _MOST:
                branch.add(Text(f"and {len(alone) - _MOST:,} more", "dim"))
        self.put(tree)

    def report(self, title: str, done: Any) -> None:
        """The report of a whole-memory command."""
        self.put(tree_of(title, done))

    def effects(self, effects: Sequence[Effect]) -> None:
        """What form types do to the Forms that a database holds."""
        if not effects:
            self.line("no Forms are stored there")
            return
        table = _table("stored", "Forms", "version", "how they are read")
        for item in effects:
            written = ", ".join(f"{v}: {n:,}" for v, n in item.versions.items())
            now = "not declared" if item.declared is None else f"→ {item.declared}"
            table.add_row(
                escape(item.form_type), f"{item.forms:,}", f"{written} {now}",
                escape("\n".join(item.notes) or "as they stand"),
            )  # fmt: skip
        self.put(table)

    def findings(self, findings: Sequence[Any], paths: Sequence[str] | None) -> None:
        """What is wrong with YAML files, each with its place and the nearest right name."""
        for item in findings:
            style = "red" if item.severity == "error" else "yellow"
            place = f"{item.file}:{item.line}:{item.column}" if item.line else item.file
            hint = f"  did you mean [bold]{escape(item.suggestion)}[/]?" if item.suggestion else ""
            self.line(f"[bold]{escape(place)}[/] [{style}]{item.severity}[/] {escape(item.message)}{hint}")
        errors = sum(item.severity == "error" for item in findings)
        warnings = len(findings) - errors
        what = ", ".join(paths) if paths else "what ships"
        if errors:
            self.line(
                f"[red]{_count(errors, 'error')}[/]"
                + (f", {_count(warnings, 'warning')}" if warnings else "")
            )
        else:
            self.line(
                f"[green]sound[/]: {escape(what)}" + (f" ({_count(warnings, 'warning')})" if warnings else "")
            )

    def sketched(self, made: Scaffolded, steps: Sequence[str]) -> None:
        """What ``init --type`` inferred or was told, what is in doubt, and what to type next."""
        if made.sample is not None:
            table = _table("column", "slot", "type", "rows", "in doubt")
            for item in made.sample.columns:
                slot = item.slot
                kind = "left out" if slot is None else f"{slot.type}{' (many)' if slot.many else ''}"
                unit = f" {slot.unit}" if slot is not None and slot.unit else ""
                cells = (item.column.header, slot.name if slot else "", kind + unit, f"{item.filled}")
                table.add_row(*map(escape, cells), escape("; ".join(item.doubts)))
            self.console.print(table)
            self.line()
        identity = made.sketch.identity
        keys = "each (every row is a Form of its own)" if identity.each else ", ".join(identity.keys[0])
        self.line(f"identity  {escape(keys)}")
        for doubt in (*made.sketch.identity_notes, *made.notes):
            self.line(f"[yellow]{escape(doubt)}[/]", 10)
        self.line()
        self.started(made.files, steps)

    def started(self, written: Sequence[Path], steps: Sequence[str]) -> None:
        """What ``init`` laid out and what to type next."""
        for path in written:
            self.line(f"[green]wrote[/] {escape(str(path))}")
        self.line()
        self.line("[bold]Next[/]")
        for step in steps:
            self.line(escape(step), 2)


def _node(node: Mapping[str, Any], id: str) -> Text:
    text = Text(f"{node.get('form_type', node['kind'])} ", "bold").append(clean(node["label"]))
    if node.get("status", "active") != "active":
        text.append(f" {node['status']}", STYLES["invalid"])
    return text.append(f"  {clean(id)}", STYLES["id"])


def _console() -> Console:
    console = Console(file=sys.stdout, highlight=False, emoji=False)
    if not console.is_terminal and "COLUMNS" not in os.environ:
        console.width = 110
    return console


def _table(*heads: str) -> Table:
    table = Table(box=None, padding=(0, 2, 0, 0), header_style="bold", show_edge=False)
    for head in heads:
        table.add_column(head, overflow="fold")
    return table


def _count(number: int, noun: str) -> str:
    return f"{number:,} {noun}{'' if number == 1 else 's'}"
