"""export, rebuild, verify: a memory as a whole."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from forms_dynamics.cli.options import Call


def export(call: Call) -> int:
    """Everything as JSON Lines (of --user, when given)."""
    from forms_dynamics.cli.speech import put_json_lines, say

    with call.memory(whole_tenant=call.user is not None) as memory:
        count = put_json_lines(memory.export(user=call.user))
    if not call.as_json:
        say(f"{count} record{'' if count == 1 else 's'}")
    return 0


def rebuild(call: Call) -> int:
    """Make all that is derived anew: heads, edges, indexes."""
    with call.memory() as memory:
        done = memory.rebuild()
    return _tell(call, "rebuilt", done)


def verify(call: Call) -> int:
    """Check every version chain and the file itself."""
    with call.memory() as memory:
        done = memory.verify()
    code = _tell(call, "verified", done)
    return code if _sound(done) else 1


def _tell(call: Call, title: str, done: Any) -> int:
    if call.as_json:
        from forms_dynamics.cli.speech import put_json

        put_json(done)
    else:
        from forms_dynamics.cli.show import Paper

        Paper().report(title, done)
    return 0


def _sound(done: Any) -> bool:
    verdict = done.get("ok") if isinstance(done, Mapping) else getattr(done, "ok", done)
    return bool(verdict)
