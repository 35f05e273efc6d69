"""Runs one benchmark, prints its table, and writes its rows as JSON where asked."""

from __future__ import annotations

import argparse
import importlib
import sys
from pathlib import Path

from benchmarks.rows import print_table, write_json

NAMES = {
    "logs": "real conversations through the command line, every message accounted for",
    "hedges": "whether hedges are found where they stand, on turns labelled by hand",
    "state": "gold states of real conversations, recorded turn by turn and read back: nothing is lost",
    "small_model": "what a real, very small model gets right before and after the gate",
    "calls": "1,000 messages through 16 calls at once to a model of 200 ms; CPU beside a bare instructor call",
    "understanding": "what is understood of real conversations by types made from a set's schema alone",
    "tuning": "settings chosen from recorded conversations, on others that they were not chosen on",
    "consistency": "what a conversation itself proves of what was read from it, against gold states",
    "tokens": "what a prompt costs in dialogues of 25 turns, and whether the early fact is there",
    "abstain": "whether confidence knows that nothing answers: locomo's adversarial and beam's abstention questions",
    "stale": "values that no longer hold, above or beside those that do, in a recall of what holds now",
    "speed": "how fast and how large: ours, plain vector search, the bare SQL floor",
    "recall": "evidence found for a question, its place and its tokens, beside BM25, vectors and their fusion",
    "multihop": "questions of two to four hops over corrected facts, before and after the corrections",
    "year": "a simulated year: stale answers, size, speed and upkeep, with and without decay",
}


def main() -> int:
    parser = argparse.ArgumentParser(prog="python -m benchmarks", description=__doc__)
    parser.add_argument("name", choices=sorted(NAMES), help="; ".join(f"{k}: {v}" for k, v in NAMES.items()))
    parser.add_argument("--data", type=Path, default=None, help="a folder of conversation sets")
    parser.add_argument("--json", type=Path, default=None, help="write the rows here")
    parser.add_argument("--sizes", default="1000,10000,100000", help="numbers of Forms (speed)")
    parser.add_argument(
        "--grow",
        type=int,
        default=100_000,
        help="stores of more Forms are grown from one of so many, row by row, instead of loaded (speed)",
    )
    parser.add_argument(
        "--cpu",
        action="store_true",
        help="time by the processor's time of the process, for a machine that other work fills (speed)",
    )
    parser.add_argument(
        "--sets",
        default=None,
        help="names of sets, with commas (understanding, tuning, recall, abstain, stale)",
    )
    parser.add_argument(
        "--keep",
        type=Path,
        default=None,
        help="keep logs, databases and details in this folder (logs, understanding, tuning, year, speed),"
        " or vectors (recall, abstain, stale, tokens)",
    )
    parser.add_argument("--labels", type=Path, default=None, help="labels of other turns (hedges)")
    parser.add_argument("--workers", type=int, default=None, help="processes, one a core by default (tuning)")
    parser.add_argument(
        "--readings",
        type=int,
        default=None,
        help="of each conversation, by default as many as a set needs (tuning)",
    )
    parser.add_argument("--turns", type=int, default=0, help="measure speed alone, on so many turns (tuning)")
    parser.add_argument("--settings", type=int, default=20, help="settings to play with --turns (tuning)")
    parser.add_argument(
        "--small-model",
        type=int,
        default=0,
        metavar="MESSAGES",
        help="also have so many user messages read by a real, very small model (tuning)",
    )
    parser.add_argument("--users", type=int, default=1000, help="people of the year (year)")
    parser.add_argument("--messages", type=int, default=300_000, help="that they say in all (year)")
    parser.add_argument("--seed", type=int, default=7, help="of what they say (year, tokens)")
    arguments = parser.parse_args()
    rows = importlib.import_module(f"benchmarks.{arguments.name}").run(arguments)
    print_table(arguments.name, rows)
    if arguments.json is not None:
        write_json(arguments.name, rows, arguments.json)
    return 0


if __name__ == "__main__":
    sys.exit(main())
