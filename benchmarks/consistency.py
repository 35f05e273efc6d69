"""What self-consistency is worth: its verdicts on noisy drafts against the gold states of the same conversations."""

from __future__ import annotations

import argparse
import sys
import tempfile
from collections import Counter
from pathlib import Path

from benchmarks.rows import Row
from benchmarks.schema_types import to_name
from benchmarks.tuning import SETS, recorded
from forms_dynamics.replay.clock import moment_of
from forms_dynamics.replay.consistency import consistency, conversation_of
from forms_dynamics.replay.instances import keys_of, typed
from forms_dynamics.schema.load import load_catalog
from forms_dynamics.settings import Settings


def run(arguments: argparse.Namespace) -> list[Row]:
    """Rows of every set that is there."""
    if arguments.data is None:
        raise SystemExit("consistency needs --data: a folder with one folder a set")
    rows: list[Row] = []
    for name in arguments.sets.split(",") if arguments.sets else SETS:
        source = arguments.data / name
        if not (source / "conversations.jsonl").is_file() or not (source / "schema.json").is_file():
            print(f"{name}: not there, skipped", file=sys.stderr)
            continue
        with tempfile.TemporaryDirectory() as folder:
            rows.extend(measure(name, source, Path(folder)))
    return rows


def measure(name: str, source: Path, folder: Path) -> list[Row]:
    """How often there is a verdict, and how often it is that of the gold state."""
    made = recorded(source, folder, readings=1)
    catalog, settings = load_catalog([made.files], []), Settings()
    raws = list(made.recording.raws())
    known = consistency(raws, catalog, settings)
    reads = {str(read.message["id"]): read for read in made.reads}
    counts: Counter[tuple[str, bool]] = Counter()
    for raw in raws:
        time = moment_of(raw.message, settings.zone)
        for given in reads[str(raw.message["id"])].given:
            form_type, slot = catalog.types[to_name(given.domain)], to_name(given.slot)
            value = given.value if time is None else typed(form_type, slot, given.value, time, settings)
            keys = keys_of(form_type.slots[slot], value)
            verdict = known[conversation_of(raw.message)].verdict(raw.key, form_type.name, slot, keys)
            counts[verdict, given.right] += 1
    total = sum(counts.values())
    of = {
        verdict: counts[verdict, True] + counts[verdict, False] for verdict in ("right", "wrong", "unknown")
    }

    def row(figure: str, part: int, whole: int) -> Row:
        return Row(name, "ours", figure, round(part / whole, 4) if whole else None, whole)

    return [
        row("drafts_right", sum(n for (_, right), n in counts.items() if right), total),
        row("with_verdict", of["right"] + of["wrong"], total),
        row("right_is_right", counts["right", True], of["right"]),
        row("wrong_is_wrong", counts["wrong", False], of["wrong"]),
    ]
