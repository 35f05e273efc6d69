"""What the wheel carries: code, types, the shipped YAML and its JSON Schema, the demo's dialogue, the starter."""

from __future__ import annotations

import os
import subprocess
import sys
import zipfile
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]


@pytest.fixture(scope="module")
def wheel(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Built from an sdist, as an index would get it; the backend of this environment, no network."""
    out = tmp_path_factory.mktemp("dist")
    code = (
        "import hatchling.build as b, sys, os, tarfile, pathlib\n"
        "out = sys.argv[1]\n"
        "name = b.build_sdist(out)\n"
        "tarfile.open(pathlib.Path(out, name)).extractall(out, filter='data')\n"
        "os.chdir(pathlib.Path(out, name.removesuffix('.tar.gz')))\n"
        "print(b.build_wheel(out))\n"
    )
    done = subprocess.run(
        [sys.executable, "-c", code, str(out)], cwd=ROOT, capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stderr
    return out / done.stdout.splitlines()[-1]


def test_it_carries_all_that_is_read_at_run_time(wheel: Path) -> None:
    names = set(zipfile.ZipFile(wheel).namelist())
    wanted = {"forms_dynamics/py.typed", "forms_dynamics/__init__.py"}
    for folder in ("form_types", "relation_rules", "examples/dialogue", "schemas"):
        found = [path for path in (ROOT / folder).iterdir() if path.suffix in (".yaml", ".jsonl", ".json")]
        assert found, folder
        wanted |= {f"forms_dynamics/_shipped/{folder}/{path.name}" for path in found}
    starter = ROOT / "forms_dynamics" / "cli" / "starter_files"
    wanted |= {
        f"forms_dynamics/cli/starter_files/{p.relative_to(starter)}"
        for p in starter.rglob("*")
        if p.is_file()
    }
    report = ROOT / "forms_dynamics" / "replay" / "report"
    pages = [p for p in report.rglob("*") if p.suffix in (".j2", ".css", ".yaml")]
    assert pages
    wanted |= {f"forms_dynamics/{p.relative_to(ROOT / 'forms_dynamics')}" for p in pages}
    assert wanted - names == set()
    assert not [name for name in names if name.startswith(("tests/", "benchmarks/")) or "__pycache__" in name]


def test_it_runs_without_the_checkout(wheel: Path, tmp_path: Path) -> None:
    home = tmp_path / "site"
    zipfile.ZipFile(wheel).extractall(home)
    code = (
        f"import sys; sys.path.insert(0, {str(home)!r})\n"
        "import forms_dynamics, forms_dynamics.cli as cli\n"
        f"assert forms_dynamics.__file__.startswith({str(home)!r}), forms_dynamics.__file__\n"
        "sys.exit(cli.main(sys.argv[1:]))\n"
    )
    env = {key: value for key, value in os.environ.items() if key != "PYTHONPATH"}
    for words in (["check"], ["demo", "--lang", "zh", "--json"], ["init", "starter"]):
        done = subprocess.run(
            [sys.executable, "-c", code, *words],
            cwd=tmp_path,
            env=env,
            capture_output=True,
            text=True,
            check=False,
        )
        assert done.returncode == 0, done.stdout + done.stderr
    assert (tmp_path / "starter" / "form_types").is_dir()
