"""Every block of the documents runs, and says what the document says it says.

``python`` blocks are executed, in one namespace a document. ``yaml`` blocks are checked as form types and
rules; a first line ``# file: NAME`` also writes the block to NAME. ``console`` blocks: each ``$ `` line is
run, and the lines after it must be found in its output, in that order (``…`` stands for anything). All
blocks of a document share one folder; those of an example have a copy of the example's there.
"""

from __future__ import annotations

import json
import os
import re
import shutil
import subprocess
import sys
import textwrap
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import pytest

ROOT = Path(__file__).resolve().parents[2]
DOCUMENTS = [
    "README.md",
    "README.zh-CN.md",
    *sorted(f"docs/{path.name}" for path in (ROOT / "docs").glob("*.md")),
    *sorted(str(path.relative_to(ROOT)) for path in (ROOT / "examples").glob("**/README.md")),
]

_BLOCK = re.compile(r"^( *)```(\w+)\n(.*?)^\1```$", re.MULTILINE | re.DOTALL)
#: what a reader types and a test must not: fetching the project, and make targets that run this very test
NOT_RUN = ("git clone ", "cd forms_dynamics", "make ", "pip install ")


@dataclass(frozen=True)
class Block:
    """One fenced block; ``line`` counts from 1."""

    line: int
    kind: str
    text: str


def blocks(path: Path) -> list[Block]:
    """All fenced blocks of a document, in order."""
    text = path.read_text(encoding="utf-8")
    return [
        Block(text.count("\n", 0, hit.start()) + 1, hit[2], textwrap.dedent(hit[3]))
        for hit in _BLOCK.finditer(text)
    ]


@dataclass
class Run:
    """Runs blocks one after the other in ``folder``."""

    folder: Path
    names: dict[str, Any] = field(default_factory=dict)

    def block(self, block: Block) -> None:
        """Raises what the block raises; AssertionError where output is not what the document says."""
        runner = getattr(self, f"_{block.kind}", None)
        assert runner is not None, f"line {block.line}: no way to run a {block.kind!r} block"
        runner(block.text)

    def _python(self, text: str) -> None:
        exec(compile(text, "document", "exec"), self.names)

    def _json(self, text: str) -> None:
        json.loads(text)

    def _yaml(self, text: str) -> None:
        from forms_dynamics.schema.load import check

        named = re.match(r"# file: (\S+)\n", text)
        path = self.folder / (named[1] if named else "block.yaml")
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="utf-8")
        found = check([path])
        assert not found, "\n".join(map(str, found))

    def _console(self, text: str) -> None:
        for chunk in re.split(r"^\$ ", text, flags=re.MULTILINE)[1:]:
            command, _, expected = chunk.partition("\n")
            while command.endswith("\\"):
                more, _, expected = expected.partition("\n")
                command = command[:-1] + more
            if command.startswith(NOT_RUN):
                continue
            output = self._shell(command)
            at = 0
            for line in filter(None, (line.strip() for line in expected.splitlines())):
                pattern = ".*".join(r"\s+".join(map(re.escape, part.split())) for part in line.split("…"))
                hit = re.compile(pattern).search(output, at)
                assert hit, f"$ {command}\n{line!r} is not in (or too late in):\n{output}"
                at = hit.end()

    def _bin(self) -> Path:
        """A folder with ``forms-dynamics`` of this tree, whatever is installed."""
        folder = self.folder / ".bin"
        script = folder / "forms-dynamics"
        if not script.exists():
            folder.mkdir()
            script.write_text(
                f'#!/bin/sh\nPYTHONPATH="{ROOT}" exec "{sys.executable}" -m forms_dynamics.cli "$@"\n'
            )
            script.chmod(0o755)
        return folder

    def _shell(self, command: str) -> str:
        env = dict(os.environ, COLUMNS="110", PYTHONIOENCODING="utf-8", PYTHONPATH=str(ROOT))
        env["PATH"] = f"{self._bin()}{os.pathsep}{Path(sys.executable).parent}{os.pathsep}{env['PATH']}"
        done = subprocess.run(
            ["bash", "-c", command],
            cwd=self.folder,
            env=env,
            capture_output=True,
            check=False,
            stdin=subprocess.DEVNULL,
        )
        output = (done.stdout + done.stderr).decode("utf-8")
        assert done.returncode == 0 or "exit code 1" in command, f"$ {command}\n{output}"
        return output


@pytest.mark.parametrize("name", DOCUMENTS)
def test_every_block_runs(name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.delenv("FORMS_DYNAMICS_DB", raising=False)
    if name.startswith("examples/"):
        shutil.copytree((ROOT / name).parent, tmp_path, dirs_exist_ok=True)
    run = Run(tmp_path)
    for block in blocks(ROOT / name):
        try:
            run.block(block)
        except BaseException as failed:
            raise AssertionError(f"{name}:{block.line} ({block.kind}): {failed}") from failed


@pytest.mark.parametrize("name", ["README.md", "README.zh-CN.md"])
def test_the_readme_is_short_and_shows_what_runs(name: str) -> None:
    assert len((ROOT / name).read_text(encoding="utf-8").splitlines()) < 200
    kinds = [block.kind for block in blocks(ROOT / name)]
    assert {"python", "yaml", "console"} <= set(kinds)


def test_a_wrong_output_is_noticed(tmp_path: Path) -> None:
    run = Run(tmp_path)
    run.block(Block(1, "console", "$ echo one two\none … two\n"))
    with pytest.raises(AssertionError, match="three"):
        run.block(Block(1, "console", "$ echo one two\nthree\n"))
    with pytest.raises(AssertionError):
        run.block(Block(1, "console", "$ false\n"))


@pytest.mark.parametrize("name", DOCUMENTS)
def test_links_lead_somewhere(name: str) -> None:
    text = (ROOT / name).read_text(encoding="utf-8")
    for target in re.findall(r"\]\((?!https?:|#)([^)#\s]+)", text):
        assert (ROOT / name).parent.joinpath(target).exists(), f"{name} points to {target}"
