"""The names that users import, the commands that they type, and the documents that tell of both."""

from __future__ import annotations

import inspect
import re
from pathlib import Path

import pytest

import forms_dynamics

ROOT = Path(__file__).resolve().parents[2]

# names that are promised to users: leaving one out, or adding one, is a decision
PUBLIC = {
    "Memory", "Money", "Range", "Evidence", "Slot", "Form", "Version", "DynamicEdge", "Pending", "Refusal",
    "Cost", "Receipt", "Step", "Trace", "Context", "QueryResult", "Settings", "Embedder",
    "FormsDynamicsError", "NotFound", "Conflict", "SchemaError", "InvalidInput", "StoreUnavailable",
    "StoreTooNew", "EmbedderMismatch",
}  # fmt: skip

METHODS = {
    "open", "scoped", "close", "catalog", "settings", "observe", "observe_many", "aobserve", "record",
    "record_tool_call", "work", "waiting", "recall", "arecall", "query", "get", "find", "history", "edges", "why", "pending",
    "diff", "first_contact", "mark", "split", "set_validity",
    "confirm", "refuse", "correct", "retract", "rollback", "invalidate", "link", "merge", "undo", "candidates",
    "on_intent_recognized", "on_entity_extracted", "on_action_executed", "usage_hint",
    "forget", "erase", "export", "load", "graph", "rebuild", "upkeep", "verify", "health", "backup",
}  # fmt: skip

COMMANDS = {
    "demo", "init", "check", "observe", "record", "recall", "query", "why", "forms", "show", "pending", "first-contact", "confirm",
    "refuse", "correct", "retract", "mark", "rollback", "invalidate", "validity", "erase", "export", "import", "graph",
    "fire", "hint",
    "health", "work", "upkeep", "rebuild", "verify", "backup", "bench", "replay", "tune", "diff", "undo",
}  # fmt: skip


def test_every_promised_name_is_there() -> None:
    assert set(forms_dynamics.__all__) >= PUBLIC
    for name in forms_dynamics.__all__:
        assert getattr(forms_dynamics, name) is not None


def test_memory_has_its_methods_with_docstrings() -> None:
    assert {name for name in vars(forms_dynamics.Memory) if not name.startswith("_")} == METHODS
    for name in sorted(METHODS):
        method = getattr(forms_dynamics.Memory, name)
        assert inspect.getdoc(method), f"Memory.{name} promises nothing"


def test_every_method_is_documented() -> None:
    text = (ROOT / "docs" / "python.md").read_text(encoding="utf-8")
    listed = re.findall(r"^\| `(\w+)", text, re.MULTILINE)
    assert sorted(listed) == sorted(METHODS)


def test_the_commands_are_those_that_are_fixed() -> None:
    from forms_dynamics.cli.app import app

    named = {
        command.name or command.callback.__name__ for command in app.registered_commands if command.callback
    }
    assert named == COMMANDS


@pytest.mark.parametrize("command", sorted(COMMANDS))
def test_every_command_is_documented(command: str) -> None:
    text = (ROOT / "docs" / "command-line.md").read_text(encoding="utf-8")
    assert re.search(rf"^### `{command}\b", text, re.MULTILINE), (
        f"docs/command-line.md has no section on {command}"
    )


def test_every_option_is_documented() -> None:
    import typer

    from forms_dynamics.cli.app import app

    text = (ROOT / "docs" / "command-line.md").read_text(encoding="utf-8")
    for name, command in typer.main.get_command(app).commands.items():  # type: ignore[attr-defined]
        for option in (
            word for parameter in command.params for word in parameter.opts if word.startswith("--")
        ):
            assert f"`{option}" in text or f"{option} " in text, (
                f"{name} {option} is not in docs/command-line.md"
            )


def test_every_yaml_key_is_documented() -> None:
    from forms_dynamics.schema import (
        form_reader,
        migration_reader,
        query_reader,
        relation_reader,
        slot_reader,
    )

    queries = (ROOT / "docs" / "queries.md").read_text(encoding="utf-8")
    keys = {
        *query_reader.QUERY_KEYS, *query_reader.START_KEYS, *query_reader.STEP_KEYS, *query_reader.PARAMETER_KEYS,
    }  # fmt: skip
    assert [key for key in sorted(keys) if f"`{key}`" not in queries] == []
    text = (ROOT / "docs" / "form-types.md").read_text(encoding="utf-8")
    keys = {
        *form_reader.FORM_KEYS, *slot_reader.SLOT_KEYS, *form_reader.LIFE_KEYS, *migration_reader.MIGRATION_STEPS,
        *form_reader.JSON_LD_KEYS, *relation_reader.RELATION_KEYS, *relation_reader.STRENGTH_KEYS,
    }  # fmt: skip
    assert [key for key in sorted(keys) if f"`{key}`" not in text] == []


def test_every_setting_and_error_is_documented() -> None:
    from forms_dynamics import Settings, errors

    recall = (ROOT / "docs" / "settings.md").read_text(encoding="utf-8")
    assert [name for name in Settings.model_fields if f"`{name}`" not in recall] == []
    bad_input = (ROOT / "docs" / "bad-input.md").read_text(encoding="utf-8")
    classes = [
        item for item in vars(errors).values() if inspect.isclass(item) and issubclass(item, Exception)
    ]
    assert [item.code for item in classes if f"`{item.code}`" not in bad_input] == []
