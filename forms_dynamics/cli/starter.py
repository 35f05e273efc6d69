"""``init``: a folder to start from, laid out from the files that ship beside this module."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from forms_dynamics.errors import Conflict

_FILES = Path(__file__).resolve().parent / "starter_files"


def lay_out(directory: Path) -> list[Path]:
    """Copies the starter files into ``directory`` (made if need be) and names them.

    Conflict when one of them is there already: nothing is overwritten, nothing is written.
    """
    sources = sorted(path for path in _FILES.rglob("*") if path.is_file())
    targets = [directory / source.relative_to(_FILES) for source in sources]
    taken = [str(target) for target in targets if target.exists()]
    if taken:
        raise Conflict(f"there already: {', '.join(taken)}; nothing was written, choose a new folder")
    for source, target in zip(sources, targets, strict=True):
        target.parent.mkdir(parents=True, exist_ok=True)
        target.write_bytes(source.read_bytes())
    return targets


def next_steps(directory: Path) -> Sequence[str]:
    """The commands that show the starter at work, in order."""
    import shlex

    types, rules = (f"--{kind.replace('_', '-')} {kind}" for kind in ("form_types", "relation_rules"))
    return (
        f"cd {shlex.quote(str(directory))}",
        "forms-dynamics check form_types relation_rules",
        f"forms-dynamics observe log.jsonl {types} {rules}",
        f'forms-dynamics recall "R-2041什么时候上门？" {types} {rules} --trace',
        f'forms-dynamics recall "What is the repair fee of R-2042?" {types} {rules}',
    )
