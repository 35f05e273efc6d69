"""The command line, ``forms-dynamics``: a thin surface; every command is one call of the Python surface.

Imported at start: typer and this package's command modules. All else is imported when a command runs, so
that ``--help`` stays quick.
"""

from __future__ import annotations

import sys
from collections.abc import Sequence
from typing import Any

from forms_dynamics.cli.speech import WantsJson, say_error, speak_utf8

__all__ = ["main"]


def main(argv: Sequence[str] | None = None) -> int:
    """Runs one command and gives its exit code: 0 done, 1 the product says no, 2 wrong usage,
    3 the environment is at fault, 130 interrupted.

    Results go to stdout, everything else to stderr, both in UTF-8 whatever the locale. A user's mistake is
    told in a sentence, never by a traceback.
    """
    speak_utf8()
    words = list(sys.argv[1:] if argv is None else argv)
    as_json = WantsJson(words)
    import typer

    from forms_dynamics.cli.app import app
    from forms_dynamics.errors import FormsDynamicsError

    # UsageError and ClickException by way of the public name: where they live differs between typer releases
    parents: Any = typer.BadParameter.__mro__
    usage_error, click_error = parents[1], parents[2]
    try:
        code: Any = app(args=words, prog_name="forms-dynamics", standalone_mode=False)
        sys.stdout.flush()
        return code if isinstance(code, int) else 0
    except FormsDynamicsError as no:
        return say_error(no.code, str(no), no.exit_code, as_json, findings=getattr(no, "findings", None))
    except click_error as wrong:
        is_usage = isinstance(wrong, usage_error)
        return say_error(
            "usage" if is_usage else "error",
            wrong.format_message(),
            wrong.exit_code,
            as_json,
            hint=_where_to_look(getattr(wrong, "ctx", None)) if is_usage else None,
        )
    except typer.Abort:
        return say_error("aborted", "stopped; nothing was changed", 1, as_json)
    except KeyboardInterrupt:
        return say_error("interrupted", "interrupted; what was already taken stays stored", 130, as_json)
    except BrokenPipeError:
        _close_quietly()
        return 0
    except OSError as failed:
        where = f": {failed.filename}" if failed.filename else ""
        return say_error("environment", f"{failed.strerror or failed}{where}", 3, as_json)


def _where_to_look(context: Any) -> str:
    command = getattr(context, "command_path", None) or "forms-dynamics"
    return f"see `{command} --help`"


def _close_quietly() -> None:
    """The reader of our pipe has gone (``| head``): leave without a word at interpreter exit."""
    import os

    os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
