"""The options that every command over a memory takes, and how that memory is opened."""

from __future__ import annotations

import inspect
import os
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, TypeVar

import typer

if TYPE_CHECKING:
    from forms_dynamics import Memory
    from forms_dynamics.settings import Settings

T = TypeVar("T")
Json = Annotated[bool, typer.Option("--json", help="One JSON document on stdout, nothing else.")]

_COMMON: dict[str, tuple[Any, Any]] = {
    "db": (
        Annotated[
            str,
            typer.Option(
                "--db",
                envvar="FORMS_DYNAMICS_DB",
                help="SQLite file or postgresql:// URL.",
                metavar="FILE|URL",
            ),
        ],
        "memory.db",
    ),
    "tenant": (Annotated[str, typer.Option("--tenant", help="Whose store; tenants never meet.")], "default"),
    "user": (
        Annotated[str | None, typer.Option("--user", help="Privacy owner inside the tenant.")],
        None,
    ),
    "form_types": (
        Annotated[
            list[str] | None,
            typer.Option(
                "--form-types",
                metavar="NAME|PATH",
                help="Shipped name, YAML file or folder; may be repeated.",
            ),
        ],
        None,
    ),
    "relation_rules": (
        Annotated[
            list[str] | None,
            typer.Option("--relation-rules", metavar="NAME|PATH", help="The same for relation rules."),
        ],
        None,
    ),
    "settings": (
        Annotated[str | None, typer.Option("--settings", metavar="FILE", help="Settings as YAML or JSON.")],
        None,
    ),
    "set_": (
        Annotated[
            list[str] | None,
            typer.Option("--set", metavar="KEY=VALUE", help="One setting; may be repeated."),
        ],
        None,
    ),
    "as_json": (Json, False),
}


def existing(db: str) -> str:
    """A database that is there; StoreUnavailable where the file is not."""
    from forms_dynamics.errors import StoreUnavailable

    if "://" not in db and db != ":memory:" and not Path(db).exists():
        raise StoreUnavailable(
            f"no database at {db}: `forms-dynamics observe` or `record` makes one; "
            "name another with --db or FORMS_DYNAMICS_DB"
        )
    return db


@dataclass(frozen=True)
class Call:
    """What the common options said."""

    db: str
    tenant: str
    user: str | None
    form_types: list[str] | None
    relation_rules: list[str] | None
    settings: str | None
    set_: list[str] | None
    as_json: bool

    def memory(self, *, create: bool = False, whole_tenant: bool = False, db: str | None = None) -> Memory:
        """The memory that the options name.

        Only commands that write first things (``create``) make a new file: a mistyped ``--db`` of any other
        command is an error, not an empty answer. ``whole_tenant`` leaves ``--user`` out of the scope. ``db`` stands
        in for ``--db``.
        """
        from forms_dynamics import Memory
        from forms_dynamics.compose import only_readable

        return Memory.open(
            db if db is not None else self.db if create else existing(self.db),
            form_types=self.form_types,
            relation_rules=self.relation_rules,
            settings=self._settings(),
            tenant=self.tenant,
            user=None if whole_tenant else self.user,
            # a file that nobody here may write is read as it is; what would write it says why it cannot
            read_only=not create and only_readable(self.db),
        )

    def _settings(self) -> Any:
        """Settings from the file, then from ``--set``; a wrong name or value is wrong usage."""
        given: dict[str, Any] = {}
        for pair in self.set_ or ():
            name, equals, value = pair.partition("=")
            if not equals:
                raise typer.BadParameter(f"{pair!r} is not KEY=VALUE", param_hint="--set")
            given[name.strip()] = scalar(value)
        return read_settings(self.settings, given)


@dataclass(frozen=True)
class LogCall:
    """What the options said that commands over logs have in common; they need no memory."""

    form_types: list[str] | None
    relation_rules: list[str] | None
    settings: str | None
    set_: list[str] | None
    as_json: bool


def read_settings(file: str | None, given: Mapping[str, Any]) -> Settings:
    """Settings of a file, then those given one by one; a wrong name or value is wrong usage."""
    from pydantic import ValidationError

    from forms_dynamics.settings import Settings

    named = _settings_file(file) if file else {}
    try:
        return Settings(**{**named, **given})
    except ValidationError as wrong:
        raise typer.BadParameter(_settings_mistake(wrong), param_hint="--set or --settings") from None


def right_use(option: str, read: Callable[[], T]) -> T:
    """What an option says; what it says wrongly is wrong usage."""
    from forms_dynamics.errors import InvalidInput

    try:
        return read()
    except InvalidInput as wrong:
        raise typer.BadParameter(str(wrong), param_hint=option) from None


def over_logs(body: Callable[..., int | None]) -> Callable[..., int | None]:
    """Gives a command the options that commands over logs have in common, as one :class:`LogCall`."""
    common = {name: _COMMON[name] for name in ("form_types", "relation_rules", "settings", "as_json")}
    varied = typer.Option(
        "--set",
        metavar="KEY=VALUE[,VALUE]...",
        help="A setting, or the values of it to try; may be repeated.",
    )
    return _with_options(body, LogCall, {**common, "set_": (Annotated[list[str] | None, varied], None)})


def over_memory(body: Callable[..., int | None], set_means: str | None = None) -> Callable[..., int | None]:
    """Gives a command the common options; its body takes them as one :class:`Call`, its first argument.
    ``set_means``: what ``--set`` is to this command, where it is no setting (those come by ``--settings``)."""
    if set_means is None:
        return _with_options(body, Call, _COMMON)
    option = typer.Option("--set", metavar="KEY=VALUE", help=set_means)
    return _with_options(body, Call, {**_COMMON, "set_": (Annotated[list[str] | None, option], None)})


def _with_options(
    body: Callable[..., int | None], call: type[Any], common: Mapping[str, tuple[Any, Any]]
) -> Callable[..., int | None]:
    own = list(inspect.signature(body, eval_str=True).parameters.values())[1:]
    added = [
        inspect.Parameter(name, inspect.Parameter.KEYWORD_ONLY, default=default, annotation=annotation)
        for name, (annotation, default) in common.items()
    ]
    named = [p for p in own if p.kind is not inspect.Parameter.KEYWORD_ONLY]
    rest = [p for p in own if p.kind is inspect.Parameter.KEYWORD_ONLY]

    def command(**given: Any) -> int | None:
        return body(call(**{name: given.pop(name) for name in common}), **given)

    command.__name__ = body.__name__
    command.__doc__ = body.__doc__
    command.__module__ = body.__module__
    command.__signature__ = inspect.Signature([*named, *rest, *added])  # type: ignore[attr-defined]
    command.__annotations__ = {p.name: p.annotation for p in (*named, *rest, *added)}
    return command


def moment(text: str | None, option: str) -> datetime | None:
    """An ISO 8601 time given to ``option``; a date alone is its first instant."""
    if text is None:
        return None
    try:
        return datetime.fromisoformat(text)
    except ValueError:
        raise typer.BadParameter(
            f"{text!r} is no ISO 8601 time, such as 2026-06-12T10:00:00+08:00", param_hint=option
        ) from None


def _settings_file(path: str) -> dict[str, Any]:
    import yaml

    if not os.path.isfile(path):
        raise typer.BadParameter(f"no such file: {path}", param_hint="--settings")
    try:
        read = yaml.safe_load(Path(path).read_text(encoding="utf-8-sig"))
    except (yaml.YAMLError, UnicodeDecodeError) as wrong:
        raise typer.BadParameter(
            f"{path} is neither YAML nor JSON: {wrong}", param_hint="--settings"
        ) from None
    if not isinstance(read, dict):
        raise typer.BadParameter(f"{path} must hold a mapping of settings", param_hint="--settings")
    return {str(name): value for name, value in read.items()}


def scalar(text: str) -> Any:
    """``0.7`` a number, ``true`` a boolean, ``null`` nothing, all else the text itself."""
    import json

    try:
        return json.loads(text)
    except ValueError:
        return None if text.strip() in {"", "none", "None"} else text


def _settings_mistake(wrong: Any) -> str:
    from forms_dynamics.inputs import did_you_mean
    from forms_dynamics.settings import Settings

    told = []
    for error in wrong.errors():
        name = ".".join(str(part) for part in error["loc"])
        if error["type"] == "extra_forbidden":
            told.append(f"no setting {name!r}{did_you_mean(name, Settings.model_fields)}")
        else:
            told.append(f"{name}: {error['msg']}")
    return "; ".join(told)
