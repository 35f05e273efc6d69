"""``init``: a folder to start from, laid out from the files that ship beside this module, with the JSON Schema
that editors complete them by."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path

from forms_dynamics.errors import Conflict

_FILES = Path(__file__).resolve().parent / "starter_files"
SCHEMAS = "schemas"


def lay_out(directory: Path) -> list[Path]:
    """Copies the starter files into ``directory`` (made if need be) and names them.

    Each YAML document begins with the line by which an editor finds the schema, no network needed. Conflict when a
    file is there already: nothing is overwritten, nothing is written.
    """
    from forms_dynamics.schema.editor import FILE_NAME, MODELINE

    files: dict[Path, str] = {}
    for source in sorted(path for path in _FILES.rglob("*") if path.is_file()):
        inside = source.relative_to(_FILES)
        text = source.read_text(encoding="utf-8")
        if source.suffix == ".yaml":
            up = "../" * (len(inside.parts) - 1)
            line = MODELINE.format(f"{up}{SCHEMAS}/{FILE_NAME}") + "\n"
            # to an editor the line speaks for one document: each of a file has its own
            text = line + text.replace("\n---\n", f"\n---\n{line}")
        files[directory / inside] = text
    return write_new({**files, **schema_file(directory)})


def schema_file(directory: Path) -> dict[Path, str]:
    """The schema's place below ``directory`` and its text; nothing when one is there already."""
    from forms_dynamics.schema.editor import FILE_NAME, editor_schema_text

    path = directory / SCHEMAS / FILE_NAME
    return {} if path.exists() else {path: editor_schema_text()}


def write_new(files: Mapping[Path, str]) -> list[Path]:
    """Writes all or none: Conflict when one is there already."""
    taken = [str(path) for path in files if path.exists()]
    if taken:
        raise Conflict(
            f"there already: {', '.join(taken)}; nothing was written, choose another name or folder"
        )
    for path, text in files.items():
        path.parent.mkdir(parents=True, exist_ok=True)
        with open(path, "x", encoding="utf-8", newline="\n") as new:
            new.write(text)
    return list(files)


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
        f"forms-dynamics replay log.jsonl {types} {rules} --set conf_threshold=0.7,0.8,0.9",
    )
