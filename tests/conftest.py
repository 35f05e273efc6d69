"""A PostgreSQL server for the tests that want one, and how property tests run."""

from __future__ import annotations

import glob
import itertools
import os
import pwd
import shutil
import subprocess
import tempfile
from collections.abc import Callable, Iterator
from pathlib import Path
from urllib.parse import quote

import pytest
from hypothesis import HealthCheck, settings

# a busy machine is slow, and no fault of what is tested
settings.register_profile("tests", deadline=None, suppress_health_check=[HealthCheck.too_slow])
settings.load_profile("tests")

_SCHEMAS = itertools.count()


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption(
        "--require-postgres", action="store_true", help="fail, not skip, where no PostgreSQL can be had"
    )


@pytest.fixture(scope="session")
def postgres_url(request: pytest.FixtureRequest) -> Iterator[str]:
    """URL of a database: FORMS_DYNAMICS_TEST_POSTGRES, or a server of our own on a Unix socket."""
    given = os.environ.get("FORMS_DYNAMICS_TEST_POSTGRES")
    if given:
        yield given
        return
    binaries = _binaries()
    if binaries is None:
        if request.config.getoption("--require-postgres"):
            pytest.fail("no PostgreSQL server: set FORMS_DYNAMICS_TEST_POSTGRES or install initdb")
        pytest.skip("no PostgreSQL server")
    # a short path: a Unix socket's may have about a hundred characters
    folder = Path(tempfile.mkdtemp(prefix="fdpg", dir="/tmp"))
    try:
        yield from _server(binaries, folder)
    finally:
        shutil.rmtree(folder, ignore_errors=True)


@pytest.fixture
def postgres_schema(postgres_url: str) -> Iterator[Callable[[], str]]:
    """Makes URLs of fresh, empty schemas, dropped at the end of the test."""
    import psycopg

    made: list[str] = []

    def fresh() -> str:
        name = f"t{os.getpid()}_{next(_SCHEMAS)}"
        made.append(name)
        with psycopg.connect(postgres_url, autocommit=True) as connection:
            connection.execute(f"CREATE SCHEMA {name}".encode())
        return f"{postgres_url}{'&' if '?' in postgres_url else '?'}options={quote(f'-csearch_path={name}')}"

    yield fresh
    with psycopg.connect(postgres_url, autocommit=True) as connection:
        for name in made:
            connection.execute(f"DROP SCHEMA {name} CASCADE".encode())


def _binaries() -> Path | None:
    """The folder of initdb and pg_ctl."""
    found = shutil.which("initdb")
    places = [found] if found else sorted(glob.glob("/usr/lib/postgresql/*/bin/initdb"))
    return Path(places[-1]).resolve().parent if places else None


def _server(binaries: Path, folder: Path) -> Iterator[str]:
    """A server that lives as long as the generator; it refuses to run as root, so root steps down."""
    user: str | None = None
    if os.geteuid() == 0:
        names = {entry.pw_name for entry in pwd.getpwall()}
        user = "postgres" if "postgres" in names else "nobody"
        shutil.chown(folder, user)

    def run(*command: str) -> None:
        done = subprocess.run(command, user=user, cwd=folder, capture_output=True, text=True)
        if done.returncode:
            raise RuntimeError(f"{command[0]} failed: {done.stdout}{done.stderr}")

    data = str(folder / "data")
    run(str(binaries / "initdb"), "-D", data, "-U", "postgres", "-A", "trust", "-E", "UTF8", "--no-sync")
    options = f"-k {folder} -c listen_addresses='' -c fsync=off -c full_page_writes=off -c max_connections=60"
    pg_ctl = str(binaries / "pg_ctl")
    run(pg_ctl, "-D", data, "-l", str(folder / "log"), "-w", "-o", options, "start")
    try:
        yield f"postgresql://postgres@/postgres?host={quote(str(folder), safe='')}"
    finally:
        run(pg_ctl, "-D", data, "-m", "immediate", "-w", "stop")
