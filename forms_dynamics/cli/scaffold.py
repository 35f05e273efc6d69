"""``init --type``: a first form type, asked of a person or inferred from rows, written as commented YAML."""

from __future__ import annotations

import json
import shlex
import sys
import tempfile
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any

import typer

from forms_dynamics.errors import SchemaError
from forms_dynamics.schema.sketch.write import Sketch, labels_of, sketched_template, spoken_aliases, written

if TYPE_CHECKING:
    from forms_dynamics.schema.sketch.infer import Sample


@dataclass(slots=True)
class Scaffolded:
    """What was written. ``sample`` and ``row``: when it was inferred, what from; ``notes`` are about the file."""

    path: Path
    files: Sequence[Path]
    sketch: Sketch
    sample: Sample | None = None
    row: Mapping[str, Any] = field(default_factory=dict)
    notes: Sequence[str] = ()


def scaffold(directory: Path, name: str, source: Path | None) -> Scaffolded:
    """Writes ``form_types/NAME.yaml`` below ``directory``, and the schema for editors when there is none.

    BadParameter for a name that no type can bear, a missing file, or questions without a terminal to ask them
    on; InvalidInput for rows that can't be used; Conflict when the file is there already.
    """
    from forms_dynamics.cli.starter import SCHEMAS, schema_file, write_new
    from forms_dynamics.errors import Conflict
    from forms_dynamics.schema.editor import FILE_NAME
    from forms_dynamics.schema.reader import is_name

    if not is_name(name):
        raise typer.BadParameter(
            f"{name!r}: a name is letters of any script, digits, '_' and '-', and begins with a letter",
            param_hint="--type",
        )
    path = directory / "form_types" / f"{name}.yaml"
    if path.exists():
        raise Conflict(f"there already: {path}; nothing was written, choose another name or folder")
    if source is not None:
        made = _from_rows(name, source)
    else:
        made = _from_answers(name)
    text = written(made.sketch, f"../{SCHEMAS}/{FILE_NAME}")
    _check(text, name)
    made.path = path
    made.files = write_new({path: text, **schema_file(directory)})
    return made


def _from_answers(name: str) -> Scaffolded:
    if not sys.stdin.isatty():
        raise typer.BadParameter(
            "asks questions and needs a terminal; without one pass --from FILE with sample rows "
            "(.json, .jsonl or .csv)",
            param_hint="--type",
        )
    from forms_dynamics.cli.asking import ask_for

    return Scaffolded(Path(), (), ask_for(name, lambda sketch, text: gives(sketch, text)))


def _from_rows(name: str, source: Path) -> Scaffolded:
    from forms_dynamics.cli.tabular import read_rows
    from forms_dynamics.schema.sketch.infer import infer

    if not source.is_file():
        raise typer.BadParameter(f"no such file: {source}", param_hint="--from")
    read = read_rows(source)
    sample = infer(read.rows)
    labels = labels_of(name)
    count = len(read.rows)
    sketch = Sketch(
        name=name,
        slots=sample.slots,
        identity=sample.identity,
        heading=(
            f"Sketched from {count} row{'' if count == 1 else 's'} of {source.name}; what is in doubt stands above "
            "its slot. · 据样本数据推断，存疑之处见各槽位上方",
            f"Check it with: forms-dynamics check form_types/{name}.yaml",
            *read.notes,
        ),
        description={"en": f"A row of {source.name}.", "zh": f"{source.name} 的一行"},
        aliases=spoken_aliases(name, labels),
        notes={item.slot.name: item.doubts for item in sample.columns if item.slot is not None},
        left_out=[
            f"left out: {item.column.header}: {'; '.join(item.doubts)}"
            for item in sample.columns
            if item.slot is None
        ],
        identity_notes=sample.doubts,
        template=sketched_template(sample.slots, labels),
    )
    row = next((record for record in map(sample.record, read.rows) if record), {})
    return Scaffolded(Path(), (), sketch, sample, row, read.notes)


def _check(text: str, name: str) -> None:
    """What is written must load; an error here is told before anything is written."""
    from forms_dynamics.schema.load import check

    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / f"{name}.yaml"
        path.write_text(text, encoding="utf-8")
        wrong = [finding for finding in check([path]) if finding.severity == "error"]
    if wrong:
        raise SchemaError(wrong)


# -- example messages ----------------------------------------------------------------------------------------
def gives(sketch: Sketch, message: str) -> dict[str, Any]:
    """What a memory with this type makes of a message: slot → value; empty when it takes nothing for sure."""
    from forms_dynamics import Memory

    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "type.yaml"
        path.write_text(written(sketch), encoding="utf-8")
        with Memory.open(":memory:", form_types=[path], relation_rules=[]) as memory:
            memory.observe(message)
            forms = memory.find(sketch.name)
            slots = forms[0].slots if len(forms) == 1 else {}
            return {name: slot.value for name, slot in slots.items() if slot.value is not None}


# -- what is told --------------------------------------------------------------------------------------------
def as_document(directory: Path, made: Scaffolded) -> dict[str, Any]:
    """The report as ``--json`` gives it."""
    sketch, sample = made.sketch, made.sample
    identity = ["each"] if sketch.identity.each else [list(key) for key in sketch.identity.keys]
    document: dict[str, Any] = {
        "directory": directory, "form_type": sketch.name, "files": made.files, "identity": identity,
        "slots": {name: slot.type for name, slot in sketch.slots.items()},
    }  # fmt: skip
    if sample is not None:
        document |= {
            "rows": sample.rows,
            "columns": [
                {
                    "column": item.column.header, "slot": item.slot.name if item.slot else None,
                    "type": item.slot.type if item.slot else None, "many": bool(item.slot and item.slot.many),
                    "unit": item.slot.unit if item.slot else None, "filled": item.filled, "doubts": item.doubts,
                }
                for item in sample.columns
            ],
            "doubts": sample.doubts,
            "notes": made.notes,
        }  # fmt: skip
    return document


def next_steps(directory: Path, made: Scaffolded) -> list[str]:
    """The commands that show the new type at work."""
    name = made.sketch.name
    steps = [f"cd {shlex.quote(str(directory))}", f"forms-dynamics check form_types/{shlex.quote(name)}.yaml"]
    if made.row:
        row = json.dumps(made.row, ensure_ascii=False)
        steps.append(
            f"forms-dynamics record {shlex.quote(name)} --slots {shlex.quote(row)} --form-types form_types"
        )
        steps.append(f"forms-dynamics forms {shlex.quote(name)} --form-types form_types")
    elif made.sketch.examples:
        message = json.dumps({"text": made.sketch.examples[0][0]}, ensure_ascii=False)
        steps.append(f"echo {shlex.quote(message)} | forms-dynamics observe - --form-types form_types")
    return steps
