"""Where the form types and relation rules that ship with the package lie."""

from __future__ import annotations

from functools import lru_cache
from pathlib import Path
from typing import Literal

from forms_dynamics.errors import SchemaError
from forms_dynamics.schema.findings import Finding

_PACKAGE = Path(__file__).resolve().parent.parent

Kind = Literal["form_types", "relation_rules"]


@lru_cache(maxsize=2)
def folder(kind: Kind) -> Path:
    """The folder inside an installed package, else its sibling in a checkout of the project.

    A checkout is told by the ``pyproject.toml`` beside the package, so that an unrelated folder of the same
    name in site-packages is never read.
    """
    packaged = _PACKAGE / "_shipped" / kind
    if packaged.is_dir():
        return packaged
    checkout = _PACKAGE.parent / kind
    if checkout.is_dir() and (_PACKAGE.parent / "pyproject.toml").is_file():
        return checkout
    raise SchemaError(
        [Finding(str(packaged), 0, 0, f"the shipped {kind} are missing; install forms_dynamics again")]
    )


@lru_cache(maxsize=2)
def files(kind: Kind) -> tuple[Path, ...]:
    """The shipped files of one kind, in order of name."""
    return tuple(sorted(folder(kind).glob("*.yaml")))


def names() -> tuple[str, ...]:
    """The names of the shipped form types; each lies in a file of its name."""
    return tuple(path.stem for path in files("form_types"))
