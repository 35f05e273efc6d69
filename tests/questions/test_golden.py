"""Whole contexts, letter by letter: what an agent's prompt gets does not change unseen."""

from __future__ import annotations

from typing import Any

import pytest
from asked import ask, read, world

from forms_dynamics.language.tokens import count

GOLDEN: dict[str, list[dict[str, Any]]] = read("golden.yaml")


@pytest.mark.parametrize("name", sorted(GOLDEN))
def test_a_context_is_the_one_that_was_agreed_on(name: str) -> None:
    with world(name, ":memory:") as memory:
        got = [ask(memory, asked) for asked in GOLDEN[name]]
    assert [context.text for context in got] == [asked["text"] for asked in GOLDEN[name]]
    assert [context.tokens for context in got] == [count(asked["text"]) for asked in GOLDEN[name]]
