"""The whole contract on every store that ships."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from pathlib import Path

import pytest

from forms_dynamics.adapters.sql import open_store
from forms_dynamics.ports import Store
from forms_dynamics.testing.reference_store import ReferenceStore
from forms_dynamics.testing.store_contract import StoreContract


class TestReference(StoreContract):
    reopens = False

    @pytest.fixture
    def store_factory(self) -> Callable[..., Store]:
        return lambda name="a": ReferenceStore()


class TestSqlite(StoreContract):
    folder: Path

    def files(self) -> Sequence[Path]:
        return [path for path in self.folder.iterdir() if path.is_file()]

    @pytest.fixture
    def store_factory(self, tmp_path: Path) -> Callable[..., Store]:
        self.folder = tmp_path
        return lambda name="a": open_store(tmp_path / f"{name}.db")


class TestSqliteInMemory(StoreContract):
    reopens = False

    @pytest.fixture
    def store_factory(self) -> Callable[..., Store]:
        return lambda name="a": open_store(":memory:")


class TestPostgres(StoreContract):
    @pytest.fixture
    def store_factory(self, postgres_schema: Callable[[], str]) -> Callable[..., Store]:
        urls: dict[str, str] = {}

        def opened(name: str = "a") -> Store:
            if name not in urls:
                urls[name] = postgres_schema()
            return open_store(urls[name])

        return opened
