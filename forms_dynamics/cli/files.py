"""demo, init, check, bench: commands that need no memory of the user's."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, Literal

import typer

from forms_dynamics.cli.options import Json, existing

if TYPE_CHECKING:
    from collections.abc import Sequence

    from forms_dynamics.evolution import Effect


def demo(
    *,
    lang: Annotated[Literal["zh", "en", "both"], typer.Option("--lang", help="Which dialogue.")] = "both",
    as_json: Json = False,
) -> int:
    """Play a short dialogue through a real memory, and show why."""
    from forms_dynamics.cli.demo import play

    return play(("zh", "en") if lang == "both" else (lang,), as_json=as_json)


def init(
    directory: Annotated[Path, typer.Argument(metavar="DIR", help="A folder; made if need be.")],
    *,
    type_: Annotated[
        str | None, typer.Option("--type", metavar="NAME", help="Only one Form type: asks what it holds.")
    ] = None,
    from_: Annotated[
        Path | None, typer.Option("--from", metavar="FILE", help="Infer it from rows: JSON, JSON Lines, CSV.")
    ] = None,
    as_json: Json = False,
) -> int:
    """Lay out a starter folder: Form types, a rule, a log; or sketch one Form type of your own."""
    if directory.exists() and not directory.is_dir():
        raise typer.BadParameter(f"{directory} is a file", param_hint="DIR")
    if type_ is not None:
        return _scaffold(directory, type_, from_, as_json)
    if from_ is not None:
        raise typer.BadParameter(
            "needs --type NAME: how the rows' Form type is to be called", param_hint="--from"
        )
    from forms_dynamics.cli.starter import lay_out, next_steps

    written = lay_out(directory)
    if as_json:
        from forms_dynamics.cli.speech import put_json

        put_json({"directory": str(directory), "files": [str(path) for path in written]})
    else:
        from forms_dynamics.cli.show import Paper

        Paper().started(written, next_steps(directory))
    return 0


def _scaffold(directory: Path, name: str, source: Path | None, as_json: bool) -> int:
    from forms_dynamics.cli.scaffold import as_document, next_steps, scaffold

    made = scaffold(directory, name, source)
    if as_json:
        from forms_dynamics.cli.speech import put_json

        put_json(as_document(directory, made))
    else:
        from forms_dynamics.cli.show import Paper

        Paper().sketched(made, next_steps(directory, made))
    return 0


def hint(
    paths: Annotated[
        list[str] | None,
        typer.Argument(
            metavar="[FORM_TYPES]...", help="Say what these types are for, too: names, files, folders."
        ),
    ] = None,
    *,
    lang: Annotated[str, typer.Option("--lang", help="zh or en.")] = "en",
    as_json: Json = False,
) -> int:
    """Text for an agent's system prompt: how to read what recall gives."""
    from forms_dynamics.retrieval.hint import usage_hint
    from forms_dynamics.schema.load import load_catalog

    if lang not in ("zh", "en"):
        raise typer.BadParameter(f"{lang!r} is not zh or en", param_hint="--lang")
    text = usage_hint("zh" if lang == "zh" else "en", load_catalog(paths) if paths else None)
    if as_json:
        from forms_dynamics.cli.speech import put_json

        put_json({"hint": text})
    else:
        print(text)
    return 0


def check(
    paths: Annotated[
        list[str] | None,
        typer.Argument(metavar="[PATH]...", help="YAML files, folders or shipped names; none: what ships."),
    ] = None,
    *,
    schema: Annotated[
        bool, typer.Option("--schema", help="Print the JSON Schema of these files, for an editor.")
    ] = False,
    against: Annotated[
        str | None,
        typer.Option("--against", metavar="DB", help="Say what they do to the Forms stored there."),
    ] = None,
    as_json: Json = False,
) -> int:
    """Check form types and relation rules in YAML."""
    if schema:
        from forms_dynamics.schema.editor import editor_schema_text

        print(editor_schema_text(), end="")
        return 0
    missing = [path for path in paths or () if _looks_like_path(path) and not Path(path).exists()]
    if missing:
        raise typer.BadParameter(f"no such file or folder: {', '.join(missing)}", param_hint="PATH")
    findings = _findings(paths)
    wrong = any(item.severity == "error" for item in findings)
    effects: Sequence[Effect] | None = None
    if against is not None and not wrong:
        from forms_dynamics.compose import against as read_against

        told = read_against(existing(against), paths)
        effects, wrong = told.effects, not told.ok
        findings = [*findings, *told.findings]
    if as_json:
        from forms_dynamics.cli.speech import put_json

        stored = {} if against is None else {"stored": effects}
        put_json({"ok": not wrong, "findings": findings, **stored})
    else:
        from forms_dynamics.cli.show import Paper

        if effects is not None:
            Paper().effects(effects)
        Paper().findings(findings, paths)
    return 1 if wrong else 0


def bench(
    name: Annotated[str, typer.Argument(help="Which benchmark, such as speed.")],
    *,
    data: Annotated[str | None, typer.Option("--data", metavar="DIR", help="Folder of data sets.")] = None,
    as_json: Json = False,
) -> int:
    """Run a benchmark (from a checkout of the project)."""
    import subprocess
    import tempfile

    from forms_dynamics.cli.speech import say_error

    root = Path(__file__).resolve().parents[2]
    if not ((root / "benchmarks" / "__main__.py").is_file() and (root / "pyproject.toml").is_file()):
        return say_error(
            "environment", "benchmarks run from a checkout of the project, not from a wheel", 3, as_json
        )
    command = [sys.executable, "-m", "benchmarks", name]
    if data is not None:
        command += ["--data", str(Path(data).resolve())]
    if not as_json:
        return subprocess.run(command, cwd=root, check=False).returncode
    with tempfile.TemporaryDirectory() as folder:
        out = Path(folder) / "figures.json"
        code = subprocess.run(
            [*command, "--json", str(out)], cwd=root, check=False, stdout=sys.stderr
        ).returncode
        if out.exists():
            print(out.read_text(encoding="utf-8").rstrip())
    return code


def _looks_like_path(text: str) -> bool:
    return "/" in text or "\\" in text or text.endswith((".yaml", ".yml")) or text.startswith(".")


def _findings(paths: Sequence[str] | None) -> Sequence[Any]:
    from forms_dynamics.schema import load, shipped

    if paths:
        found = load.check(paths)
        if any(item.severity == "error" for item in found):
            return found
        from forms_dynamics.extractors import unknown_extractors

        return [*found, *unknown_extractors(load.declared(paths))]
    return load.check([shipped.folder("form_types"), shipped.folder("relation_rules")])
