"""Real conversations, which no one here wrote, through ``forms-dynamics observe`` by the offline recognisers.

Each set becomes a log, is taken by the command line into a new file with the shipped types and those of
``benchmarks/types``, and every message is accounted for: stored, held, refused, or nothing to remember.
"""

from __future__ import annotations

import argparse
import json
import subprocess
import sys
import tempfile
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from benchmarks.rows import Row

# set → conversations taken (None: all)
SETS = {"evermem": None, "taubench": None, "crosswoz": 50, "star": 50, "hr": 50, "multidogo": 50}
TYPES = Path(__file__).parent / "types"
SHIPPED = ("lead_profile", "quote_form", "contract_form", "user_profile", "preference", "tool_call")
_ROLES = ("assistant", "tool", "system")


def run(arguments: argparse.Namespace) -> list[Row]:
    """Rows of every set that is there."""
    if arguments.data is None:
        raise SystemExit("logs needs --data: a folder with one folder a set")
    rows: list[Row] = []
    if arguments.keep:
        arguments.keep.mkdir(parents=True, exist_ok=True)
    for name, limit in SETS.items():
        source = arguments.data / name / "conversations.jsonl"
        if not source.is_file():
            print(f"{name}: not there, skipped", file=sys.stderr)
            continue
        with tempfile.TemporaryDirectory() as folder:
            rows.extend(_take(name, list(messages(source, limit)), Path(arguments.keep or folder)))
    return rows


def messages(source: Path, limit: int | None) -> Iterator[dict[str, Any]]:
    """A set's turns in the log format; turns without a text (a bare tool call) are left out."""
    with source.open(encoding="utf-8") as lines:
        for n, line in enumerate(lines):
            if limit is not None and n >= limit:
                return
            conversation = json.loads(line)
            for turn in conversation["turns"]:
                if turn["text"].strip():
                    yield _message(conversation["id"], turn)


def _message(conversation: str, turn: dict[str, Any]) -> dict[str, Any]:
    speaker = turn["speaker"]
    time = turn.get("time") or "2026-06-01T09:00:00+00:00"
    return {
        "conversation": conversation,
        "id": f"{conversation}:{turn['i']}",
        "speaker": speaker,
        "role": speaker if speaker in _ROLES else "user",
        "text": turn["text"],
        "time": time if "T" in time else f"{time}T09:00:00+00:00",
    }


def _take(name: str, log: list[dict[str, Any]], folder: Path) -> list[Row]:
    file, database = folder / f"{name}.jsonl", folder / f"{name}.db"
    file.write_text("".join(json.dumps(m, ensure_ascii=False) + "\n" for m in log), encoding="utf-8")
    types = [option for t in (*SHIPPED, str(TYPES)) for option in ("--form-types", t)]
    command = [
        sys.executable, "-m", "forms_dynamics.cli", "observe", str(file), "--db", str(database), "--json", *types
    ]  # fmt: skip
    done = subprocess.run(command, capture_output=True, text=True, check=False, encoding="utf-8")
    receipts = [json.loads(line) for line in done.stdout.splitlines() if line.strip()]
    if done.returncode not in (0, 1) or "Traceback" in done.stderr:
        raise SystemExit(f"{name}: exit {done.returncode}\n{done.stderr[-3000:]}")
    states = Counter(_state(r) for r in receipts)
    rows = [Row(name, "ours", "messages", len(log), len(log))]
    rows += [
        Row(name, "ours", state, states.get(state, 0), len(log))
        for state in ("stored", "held", "refused", "nothing")
    ]
    rows.append(Row(name, "ours", "unaccounted", len(log) - len(receipts), len(log)))
    return rows


def _state(receipt: dict[str, Any]) -> str:
    if receipt["state"] == "stored" and not receipt.get("forms"):
        return "nothing"
    return str(receipt["state"])
