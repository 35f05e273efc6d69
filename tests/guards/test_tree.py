"""What may not stand in the tree: paths of some machine, unfinished work, names that say nothing."""

from __future__ import annotations

import re
import subprocess
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
_SUFFIXES = {".py", ".md", ".yaml", ".yml", ".toml", ".jsonl", ".json", ".txt", ""}
_SKIP = {".venv", ".git", "dist", "build", "__pycache__", "node_modules"}
# written in pieces, so that this file does not hold what it forbids
_FORBIDDEN = {
    "a path of one machine": re.compile("/wo" + r"rk/|/ro" + r"ot/"),
    "unfinished work": re.compile(r"\b(?:TO" + r"DO|FIX" + r"ME)\b"),
    "a merge that went wrong": re.compile(r"^(?:<{7} |>{7} |={7}$)", re.MULTILINE),
}
_VAGUE = {"utils.py", "util.py", "helpers.py", "helper.py", "manager.py", "misc.py", "common.py"}


def tracked() -> list[Path]:
    """Files of the project: what git knows and what it would add; without git, all but build results."""
    try:
        command = ["git", "ls-files", "-co", "--exclude-standard"]
        listed = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=True).stdout
        paths = [ROOT / name for name in listed.splitlines()]
    except (OSError, subprocess.CalledProcessError):
        paths = [path for path in ROOT.rglob("*") if not _SKIP & set(path.relative_to(ROOT).parts)]
    return [path for path in paths if path.is_file() and path.suffix in _SUFFIXES]


def test_there_is_a_tree_to_look_at() -> None:
    assert len(tracked()) > 50


def test_nothing_forbidden_stands_in_it() -> None:
    found = []
    for path in tracked():
        text = path.read_text(encoding="utf-8", errors="replace")
        for what, pattern in _FORBIDDEN.items():
            found += [f"{path.relative_to(ROOT)}: {what}: {hit.group()}" for hit in pattern.finditer(text)]
    assert found == []


def test_modules_are_named_for_what_they_hold() -> None:
    assert [str(path.relative_to(ROOT)) for path in tracked() if path.name in _VAGUE] == []


def test_no_module_is_longer_than_a_reader_can_hold() -> None:
    long = {
        str(path.relative_to(ROOT)): lines
        for path in tracked()
        if path.suffix == ".py" and path.is_relative_to(ROOT / "forms_dynamics")
        and "testing" not in path.parts  # a contract suite is as long as the contract
        and (lines := len(path.read_text(encoding="utf-8").splitlines())) > 700
    }  # fmt: skip
    assert long == {}
