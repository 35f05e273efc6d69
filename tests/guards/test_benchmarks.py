"""Each benchmark that is offered can be begun: what it takes from the package is there."""

from __future__ import annotations

import importlib

import pytest

from benchmarks.__main__ import NAMES


@pytest.mark.parametrize("name", sorted(NAMES))
def test_a_benchmark_can_be_begun(name: str) -> None:
    assert callable(importlib.import_module(f"benchmarks.{name}").run)
