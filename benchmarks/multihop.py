"""Questions of two, three and four hops over facts that were corrected, all cases in one memory.

A folder in the format of MQuAKE: ``cases.jsonl``, a case a line with ``facts`` (subject, relation, object), ``edits``
(subject, relation, old object, new object), ``chain`` (the facts that lead to ``new_answer`` after the edits),
``hops``, ``question``, ``old_answer`` (may be null), ``new_answer``. Subjects and objects become Forms, facts edges
of a to-one relation, edits the same edge to another Form a year later. Two hops are asked of a recall, in the words
"R2 of R1 of SUBJECT"; three and four of a query that is declared for that number of hops.

A case is consistent when, all cases loaded, the chain of its own facts and edits is what the graph holds: no other
case edits one of its links otherwise. The rest are counted in the note, and named.
"""

from __future__ import annotations

import argparse
import json
import re
import tempfile
import time
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

from benchmarks.rows import Row, interval
from forms_dynamics import Memory
from forms_dynamics.language.normal import normal
from forms_dynamics.testing import FixedClock

TOLD = datetime(2025, 1, 1, tzinfo=UTC)  # when the facts are told; the edits a year later
EDITED = TOLD + timedelta(days=365)
ASKED = EDITED + timedelta(days=1)
BEFORE = TOLD + timedelta(days=30)
HOPS = (2, 3, 4)
_NAMED = 15  # misses that the note names

Triple = tuple[str, str, str]


@dataclass(frozen=True)
class Case:
    """One question, as the file has it."""

    id: str
    question: str
    hops: int
    facts: Sequence[Triple]
    edits: Sequence[tuple[str, str, str, str]]
    chain: Sequence[Triple]
    old_answer: str | None
    answers: Sequence[str]  # the new answer as the facts spell it: aliases are too short to tell ("us", "de")

    @property
    def subject(self) -> str:
        return self.chain[0][0]

    @property
    def relations(self) -> list[str]:
        return [relation for _, relation, _ in self.chain]


def cases_of(folder: Path) -> list[Case]:
    """The cases of a folder; ValueError names the line of one that cannot be read."""
    out = []
    for number, text in enumerate((folder / "cases.jsonl").read_text(encoding="utf-8").splitlines(), 1):
        if not text.strip():
            continue
        try:
            row = json.loads(text)
            out.append(
                Case(
                    str(row["id"]),
                    row.get("question") or "",
                    int(row.get("hops") or len(row["chain"])),
                    [tuple(fact) for fact in row["facts"]],
                    [tuple(edit) for edit in row["edits"]],
                    [tuple(link) for link in row["chain"]],
                    row.get("old_answer"),
                    [row["new_answer"]],
                )
            )
        except (KeyError, TypeError, ValueError) as wrong:
            raise ValueError(
                f"{folder / 'cases.jsonl'}:{number}: no case in this format ({wrong!r})"
            ) from wrong
    return out


# -- the memory ----------------------------------------------------------------------------------------------
def relation_name(text: str) -> str:
    """A name that YAML takes for what the set calls a relation: ``director / manager`` as director_manager."""
    name = re.sub(r"[^\w]+", "_", text.casefold()).strip("_")
    return name if name[:1].isalpha() else f"r_{name}"


def declared(cases: Sequence[Case]) -> str:
    """A type for the set's entities, its relations with their own names as aliases, and a query for each number of
    hops."""
    names: dict[str, dict[str, None]] = {}
    for case in cases:
        for relation in (*(r for _, r, _ in case.facts), *(r for _, r, _, _ in case.edits), *case.relations):
            parts = [part.strip() for part in relation.split("/")]
            names.setdefault(relation_name(relation), {}).update(dict.fromkeys([relation, *parts]))
    documents: list[dict[str, Any]] = [
        {
            "form_type": "entity",
            "identity": ["name"],
            "life": {"cold_after_days": None},
            "slots": {"name": {"type": "text"}},
            "template": {"en": "{{name}}"},
        }
    ]
    documents += [
        {
            "relation": name, "from": "entity", "to": "entity", "cardinality": "many_to_one",
            "strength": {"weight": 0.9}, "aliases": list(aliases),
        }
        for name, aliases in names.items()
    ]  # fmt: skip
    documents += [
        {
            "query": f"hops_{hops}",
            "parameters": {
                "subject": {"type": "ref", "ref": "entity"},
                **{f"r{hop}": {"type": "text"} for hop in range(1, hops + 1)},
            },
            "start": {"form_type": "entity", "named": "$subject"},
            "steps": [
                {"relation": f"$r{hop}", "to": "entity", "as": f"hop{hop}"} for hop in range(1, hops + 1)
            ],
            "return": ["name"],
        }
        for hops in HOPS
    ]
    # JSON is YAML: no name of the set is mistaken for a number or a word of YAML's own
    return "\n---\n".join(json.dumps(document, ensure_ascii=False) for document in documents) + "\n"


@dataclass
class Loaded:
    """A memory with all cases; ``ids``: entity → Form; ``truth``: what the graph holds after the edits, ``before``
    them."""

    memory: Memory
    clock: FixedClock
    ids: dict[str, str] = field(default_factory=dict)
    before: dict[tuple[str, str], str] = field(default_factory=dict)
    truth: dict[tuple[str, str], str] = field(default_factory=dict)

    def load(self, cases: Sequence[Case]) -> None:
        """Facts, then a year later the edits, each once, in the order of the file."""
        for case in cases:
            for subject, relation, thing in case.facts:
                self._tell(subject, relation, thing, self.before)
        self.truth = dict(self.before)
        self.clock.advance(days=(EDITED - TOLD).days)
        for case in cases:
            for subject, relation, _, thing in case.edits:
                self._tell(subject, relation, thing, self.truth)
        self.clock.advance(days=(ASKED - EDITED).days)

    def _tell(self, subject: str, relation: str, thing: str, truth: dict[tuple[str, str], str]) -> None:
        key = (normal(subject), relation)
        if truth.get(key) == normal(thing):
            return
        truth[key] = normal(thing)
        self.clock.advance(seconds=1)
        self.memory.link(self._form(subject), relation_name(relation), self._form(thing))

    def _form(self, name: str) -> str:
        key = normal(name)
        if key not in self.ids:
            self.ids[key] = self.memory.record("entity", {"name": name}).forms[0]
        return self.ids[key]

    def consistent(self, case: Case) -> bool:
        """Whether the case's own chain is what the graph holds after all edits."""
        return all(self.truth.get((normal(s), r)) == normal(o) for s, r, o in case.chain)

    def consistent_before(self, case: Case) -> bool:
        """Whether the case's first facts lead to its old answer in the graph as it was before all edits."""
        at = normal(case.subject)
        for relation in case.relations:
            at = self.before.get((at, relation), "")
        return case.old_answer is not None and at == normal(case.old_answer)


# -- asking --------------------------------------------------------------------------------------------------
@dataclass
class Tally:
    """Right answers of one figure, and the ids of the others."""

    n: int = 0
    right: int = 0
    others: list[str] = field(default_factory=list)

    def add(self, id: str, hit: bool) -> None:
        self.n += 1
        self.right += hit
        if not hit:
            self.others.append(id)


def holds(text: str, names: Sequence[str]) -> bool:
    """Whether one of the names stands in a text, as whole words."""
    folded = normal(text)
    return any(
        re.search(rf"(?<!\w){re.escape(normal(name))}(?!\w)", folded) is not None
        for name in names
        if name.strip()
    )


def asked(case: Case) -> str:
    """The question in the words of the set: the last relation of … of the first, of the subject."""
    return f"What is the {' of the '.join(reversed(case.relations))} of {case.subject}?"


def told(memory: Memory, case: Case, as_of: datetime | None = None) -> str:
    """The text that an agent would read: of a recall of two hops, or of the declared query."""
    if case.hops <= 2:
        return memory.recall(asked(case), max_hops=2, as_of=as_of).text
    relations = {f"r{hop}": relation for hop, relation in enumerate(case.relations, 1)}
    return memory.query(f"hops_{case.hops}", subject=case.subject, as_of=as_of, **relations).text


def legitimate(case: Case) -> bool:
    """The old answer is something else in the case, too: the subject, a link of the new chain, the new answer."""
    names = [case.subject, *(thing for _, _, thing in case.chain)]
    return case.old_answer is not None and any(holds(name, [case.old_answer]) for name in names)


def measured(loaded: Loaded, cases: Sequence[Case], set_name: str) -> Iterator[Row]:
    """The figures of one set."""
    memory = loaded.memory
    for hops in HOPS:
        these = [case for case in cases if case.hops == hops]
        fit = [case for case in these if loaded.consistent(case)]
        apart = [case.id for case in these if not loaded.consistent(case)]
        new, old, before, milliseconds = Tally(), Tally(), Tally(), []
        literal = Tally()
        same = 0
        for case in fit:
            began = time.perf_counter()
            text = told(memory, case)
            milliseconds.append((time.perf_counter() - began) * 1000)
            new.add(case.id, holds(text, case.answers))
            if case.hops <= 2 and case.question:
                literal.add(case.id, holds(memory.recall(case.question, max_hops=2).text, case.answers))
            if case.old_answer is not None:
                if legitimate(case):
                    same += 1
                else:
                    old.add(case.id, holds(text, [case.old_answer]))
        for case in these:
            if loaded.consistent_before(case):
                text = told(memory, case, BEFORE)
                before.add(case.id, holds(text, [case.old_answer or ""]))
        way = "recall of two hops" if hops <= 2 else "declared query"
        p50 = sorted(milliseconds)[len(milliseconds) // 2] if milliseconds else 0.0
        notes = [f"{way}; p50 {p50:.1f} ms"]
        if apart:
            notes.append(f"{len(apart)} left out as edited otherwise by another case: {_listed(apart)}")
        yield _row(set_name, f"answer_in_context_{hops}", new, "; ".join(notes), new.others)
        wrong = [case.id for case in fit if case.old_answer is not None and case.id not in old.others]
        wrong = [id for id in wrong if id not in {case.id for case in fit if legitimate(case)}]
        note = f"{same} left out whose old answer is part of the question or of the new chain" if same else ""
        yield _row(set_name, f"old_answer_in_context_{hops}", old, note, wrong, "told")
        yield _row(set_name, f"as_of_before_{hops}", before, "", before.others)
        if literal.n:
            note = "the set's own question, which names the relations otherwise, to the same recall"
            yield _row(set_name, f"answer_in_context_{hops}_own_words", literal, note, [])


def _row(
    set_name: str, figure: str, tally: Tally, note: str, named: Sequence[str], what: str = "missed"
) -> Row:
    parts = [part for part in (note, f"{what}: {_listed(named)}" if named else "") if part]
    parts.append(interval(tally.right, tally.n))
    value = tally.right / tally.n if tally.n else None
    return Row(set_name, "ours", figure, value, tally.n, "; ".join(parts))


def _listed(ids: Sequence[str]) -> str:
    more = f" and {len(ids) - _NAMED} more" if len(ids) > _NAMED else ""
    return ", ".join(ids[:_NAMED]) + more


def folders(data: Path) -> Mapping[str, Path]:
    """Sets in the format: the folder itself, or those in it."""
    if (data / "cases.jsonl").is_file():
        return {data.name: data}
    found = {path.parent.name: path.parent for path in sorted(data.glob("*/cases.jsonl"))}
    return {name: path for name, path in found.items() if '"chain"' in _first_line(path / "cases.jsonl")}


def _first_line(path: Path) -> str:
    with path.open(encoding="utf-8") as lines:
        return lines.readline()


def run(arguments: argparse.Namespace) -> list[Row]:
    """All figures of every set in the folder of ``--data``."""
    sets = folders(arguments.data) if arguments.data is not None else {}
    if not sets:
        print(
            "multihop: no set in the format of MQuAKE (cases.jsonl with chain); give its folder with --data"
        )
        return []
    rows: list[Row] = []
    for name, folder in sets.items():
        cases = cases_of(folder)
        with tempfile.TemporaryDirectory() as here:
            types = Path(here) / "types.yaml"
            types.write_text(declared(cases), encoding="utf-8")
            clock = FixedClock(TOLD)
            with Memory.open(
                Path(here) / "memory.db",
                form_types=[types],
                relation_rules=[],
                clock=clock,
                settings={"timezone": "UTC"},
            ) as memory:
                loaded = Loaded(memory, clock)
                loaded.load(cases)
                rows += measured(loaded, cases, name)
    return rows
