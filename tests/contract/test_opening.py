"""Opening, migrating, several processes, broken files, read-only, backup."""

from __future__ import annotations

import os
import shutil
import sqlite3
import subprocess
import sys
import tempfile
import textwrap
from collections.abc import Callable
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest
from older_stores import before_step

from forms_dynamics.adapters.sql import migrations, open_store
from forms_dynamics.compose import only_readable
from forms_dynamics.errors import InvalidInput, StoreTooNew, StoreUnavailable
from forms_dynamics.model.record import ChangeSet, Reach, Scope, SpentRecord, VectorRow
from forms_dynamics.model.value import DAY
from forms_dynamics.testing.store_contract import NOON, born, edge, floats, form, message, reply

MINE = Scope("t1", "")
NEXT = migrations.current() + 1
STEP = migrations.Step(
    NEXT, "a column", ["ALTER TABLE acts ADD COLUMN extra TEXT"], ["ALTER TABLE acts ADD COLUMN extra TEXT"]
)
FAILING = migrations.Step(
    NEXT,
    "broken",
    ["ALTER TABLE acts ADD COLUMN extra TEXT", "SELEC"],
    ["ALTER TABLE acts ADD extra TEXT", "SELEC"],
)


@pytest.fixture(params=["sqlite", "postgres"])
def url(request: pytest.FixtureRequest, tmp_path: Path) -> str:
    if request.param == "sqlite":
        return str(tmp_path / "a.db")
    schema: Callable[[], str] = request.getfixturevalue("postgres_schema")
    return schema()


def _filled(url: str) -> None:
    store = open_store(url)
    for i in range(3):
        store.apply(MINE, born(f"f{i}"))
    store.close()


def _versions(url: str) -> list[int]:
    store: Any = open_store(url)
    rows = store._rows("SELECT number FROM schema_steps ORDER BY number")
    store.close()
    return [row[0] for row in rows]


def test_an_older_store_is_migrated_once(url: str, monkeypatch: pytest.MonkeyPatch) -> None:
    _filled(url)
    monkeypatch.setattr(migrations, "STEPS", [*migrations.STEPS, STEP])
    store: Any = open_store(url)
    assert store._rows("SELECT extra FROM acts") == []
    assert set(store.forms(MINE, ["f0", "f1", "f2"])) == {"f0", "f1", "f2"}
    store.apply(MINE, born("f3"))
    store.close()
    ran: list[int] = []
    monkeypatch.setattr(migrations, "migrate", lambda *args: ran.append(1))
    assert _versions(url) == [*range(1, NEXT + 1)]
    assert ran == []


def test_a_failing_step_changes_nothing(url: str, monkeypatch: pytest.MonkeyPatch) -> None:
    _filled(url)
    before = Path(url).read_bytes() if "://" not in url else b""
    with monkeypatch.context() as patched:
        patched.setattr(migrations, "STEPS", [*migrations.STEPS, FAILING])
        with pytest.raises(StoreUnavailable, match=rf"step {NEXT} \(broken\) failed.*version {NEXT - 1}"):
            open_store(url)
    assert before == (Path(url).read_bytes() if "://" not in url else b"")
    store: Any = open_store(url)
    assert store.count(MINE)["forms"] == 3
    with pytest.raises(StoreUnavailable):
        store._rows("SELECT extra FROM acts")
    store.close()


def test_a_store_of_a_later_release_is_left_alone(url: str, monkeypatch: pytest.MonkeyPatch) -> None:
    with monkeypatch.context() as patched:
        patched.setattr(migrations, "STEPS", [*migrations.STEPS, STEP])
        _filled(url)
    before = Path(url).read_bytes() if "://" not in url else b""
    with pytest.raises(StoreTooNew, match=str(NEXT)):
        open_store(url)
    assert before == (Path(url).read_bytes() if "://" not in url else b"")


def test_read_only(url: str, monkeypatch: pytest.MonkeyPatch) -> None:
    with pytest.raises(StoreUnavailable):
        open_store(url, read_only=True)
    _filled(url)
    store = open_store(url, read_only=True)
    assert store.read_only
    assert set(store.forms(MINE, ["f0", "f1", "f2"])) == {"f0", "f1", "f2"}
    with pytest.raises(StoreUnavailable, match="read_only"):
        store.apply(MINE, born("f9"))
    store.close()
    monkeypatch.setattr(migrations, "STEPS", [*migrations.STEPS, STEP])
    with pytest.raises(StoreUnavailable, match="for writing"):
        open_store(url, read_only=True)


def test_processes_open_a_new_store_at_once_and_write(url: str) -> None:
    code = """
        import sys
        from forms_dynamics.adapters.sql import open_store
        from forms_dynamics.model.record import ChangeSet, Scope
        from forms_dynamics.testing.store_contract import born, message
        store, mine = open_store(sys.argv[1]), Scope("t1", "")
        for i in range(10):
            with store.writing(mine):
                seq = store.next_seq(mine)
                changes = born(f"{sys.argv[2]}{i}", type=f"type {i}")
                changes.messages = [message(seq, f"{sys.argv[2]}{i}")]
                store.apply(mine, changes)
        store.close()
    """
    run = [sys.executable, "-c", textwrap.dedent(code), url]
    folder = str(Path(__file__).parents[2])
    env = {**os.environ, "PYTHONPATH": folder}
    started = [subprocess.Popen([*run, name], env=env, stderr=subprocess.PIPE, text=True) for name in "abc"]
    failed = [process.communicate()[1] for process in started]
    assert [process.returncode for process in started] == [0, 0, 0], failed
    store = open_store(url)
    assert store.count(MINE)["forms"] == 30
    assert [m.seq for m in store.scan(MINE, "messages")] == list(range(1, 31))
    assert {f.type for f in store.find(MINE, None, None, 99, None)} == {f"type {i}" for i in range(10)}
    store.close()


def test_an_open_store_needs_no_sqlalchemy(tmp_path: Path) -> None:
    _filled(str(tmp_path / "a.db"))
    code = (
        "import sys; from forms_dynamics.adapters.sql import open_store;"
        f"s = open_store({str(tmp_path / 'a.db')!r}); s.close();"
        "assert not {'sqlmodel', 'sqlalchemy', 'psycopg'} & set(sys.modules)"
    )
    env = {**os.environ, "PYTHONPATH": str(Path(__file__).parents[2])}
    assert subprocess.run([sys.executable, "-c", code], env=env, check=False).returncode == 0


def test_another_writer_is_waited_for(tmp_path: Path) -> None:
    import threading

    path = tmp_path / "a.db"
    _filled(str(path))
    other = sqlite3.connect(path, isolation_level=None, check_same_thread=False)
    other.execute("BEGIN IMMEDIATE")
    threading.Timer(0.4, lambda: other.execute("COMMIT")).start()
    store = open_store(path)
    store.apply(MINE, ChangeSet(messages=[message(1)]))
    assert store.messages(MINE, ["m1"])
    store.close()
    other.close()


@pytest.mark.parametrize("bytes_", [b"not a database at all " * 300, b"SQLite format 3\x00" + b"\xff" * 5000])
def test_a_damaged_file_is_told_plainly(tmp_path: Path, bytes_: bytes) -> None:
    path = tmp_path / "a.db"
    path.write_bytes(bytes_)
    for read_only in (False, True):
        with pytest.raises(StoreUnavailable, match=r"a\.db"):
            open_store(path, read_only=read_only)
    assert path.read_bytes() == bytes_


def test_what_stands_in_the_way_is_told_plainly(tmp_path: Path) -> None:
    with pytest.raises(StoreUnavailable, match="no folder"):
        open_store(tmp_path / "missing" / "a.db")
    with pytest.raises(StoreUnavailable, match="is a folder"):
        open_store(tmp_path)
    other = sqlite3.connect(tmp_path / "other.db")
    other.execute("CREATE TABLE messages (id)")
    other.commit()
    other.close()
    with pytest.raises(StoreUnavailable, match="something else"):
        open_store(tmp_path / "other.db")
    with pytest.raises(InvalidInput):
        open_store("mysql://localhost/x")
    with pytest.raises(StoreUnavailable):
        open_store("postgresql://nobody@127.0.0.1:1/none")


def test_urls_name_the_same_file(tmp_path: Path) -> None:
    _filled(f"sqlite:///{tmp_path / 'a.db'}")
    store = open_store(str(tmp_path / "a.db"))
    assert store.count(MINE)["forms"] == 3
    store.close()
    for url in (":memory:", "sqlite://", "sqlite:///:memory:"):
        store = open_store(url)
        store.apply(MINE, born("f1"))
        assert store.forms(MINE, ["f1"])
        store.close()


def test_a_backup_is_a_whole_store(url: str, tmp_path: Path) -> None:
    _filled(url)
    store = open_store(url)
    store.apply(MINE, ChangeSet(replies=[reply("k")], spent=[SpentRecord(1, 1, 2, 3)]))
    store.backup(str(tmp_path / "copy.db"))
    with pytest.raises(InvalidInput):
        store.backup(str(tmp_path / "copy.db"))
    copy = open_store(tmp_path / "copy.db")
    assert copy.reply(MINE, "k", 0) == reply("k")
    assert copy.spent(MINE) == store.spent(MINE) == SpentRecord(0, 1, 2, 3)
    assert list(copy.scan(MINE, "forms")) == list(store.scan(MINE, "forms"))
    assert list(copy.scan(MINE, "versions")) == list(store.scan(MINE, "versions"))
    assert {h.id for h in copy.search_text(MINE, ["words"], 9)} == {"f0", "f1", "f2"}
    assert copy.integrity() == store.integrity() == []
    copy.apply(MINE, born("f9"))
    copy.close()
    store.close()
    assert not (tmp_path / "copy.db.part").exists()


def test_half_a_character_is_refused(url: str) -> None:
    store = open_store(url)
    with pytest.raises(InvalidInput, match="surrogate"):
        store.apply(MINE, ChangeSet(messages=[message(1, text="half \ud83d")]))
    assert store.count(MINE)["messages"] == 0
    store.close()


def _take_back(store: Any, number: int) -> None:
    """What the tables were before a step."""
    for sql in before_step(number, store.name == "sqlite"):
        store._run(sql)


def _tables(store: Any) -> dict[str, set[tuple[Any, ...]]]:
    """Table → its columns, as the database tells them."""
    from forms_dynamics.adapters.sql.queries import TABLES

    if store.name == "sqlite":
        return {t: {row[1:4] + row[5:] for row in store._rows(f"PRAGMA table_info({t})")} for t in TABLES}
    sql = (
        "SELECT column_name, data_type, is_nullable, collation_name FROM information_schema.columns"
        " WHERE table_schema = current_schema() AND table_name = ?"
    )
    return {t: set(store._rows(sql, (t,))) for t in TABLES}


def test_a_store_of_an_earlier_release_becomes_as_a_new_one(url: str) -> None:
    """As stores stood before replies were kept (step 3): a queued message is worked on, a reply is kept."""
    store: Any = open_store(url)
    store.apply(MINE, ChangeSet(messages=[message(1, state="queued")]))
    new = _tables(store)
    with store.writing(MINE):
        _take_back(store, 3)
    assert _tables(store) != new
    store.close()
    again: Any = open_store(url)
    assert _tables(again) == new
    assert [m.waiting for m in again.claim(MINE, 9, 1, 2)] == [None]
    assert again.renew(MINE, ["m1"], 2, 3, "no model") == {"m1"}
    assert again.waits(MINE) == [("no model", 1)]
    again.apply(MINE, ChangeSet(replies=[reply("k")], spent=[SpentRecord(1, 1, 2, 3)]))
    assert again.reply(MINE, "k", 0) == reply("k")
    if again.name == "sqlite":
        fresh: Any = open_store(":memory:")
        told = "SELECT tbl, idx, stat FROM sqlite_stat1 ORDER BY tbl, idx"
        assert again._rows(told) == fresh._rows(told)
        fresh.close()
    again.close()
    assert _versions(url) == [*range(1, NEXT)]


def test_documents_of_an_earlier_release_are_archived(url: str) -> None:
    """As stores stood before there was an archive (step 4)."""
    store: Any = open_store(url)
    store.apply(MINE, born("f1", words="zebra"))
    changes = ChangeSet(
        messages=[message(1, text="zebra one"), message(2, text="zebra two", arrived=NOON + DAY)]
    )
    store.apply(MINE, changes)
    store.apply(MINE, ChangeSet(forms=[form("f2")], edges=[edge("f1", "f2")]))
    store.put_vectors(MINE, "e5", 1, [VectorRow("message", "m1", 0, floats(1))])
    new = _tables(store)
    with store.writing(MINE):
        _take_back(store, 4)
    assert _tables(store) != new
    store.close()
    again: Any = open_store(url)
    assert _tables(again) == new
    assert again.edges(MINE, ["f1"]) == [edge("f1", "f2")]
    reach = Reach(NOON + DAY)
    assert again.archive(MINE, reach, 9) == 1
    assert {hit.id for hit in again.search_text(MINE, ["zebra"], 9, reach=reach)} == {"f1", "m2"}
    assert {hit.id for hit in again.search_text(MINE, ["zebra"], 9)} == {"f1", "m1", "m2"}
    assert [row.id for row in again.vectors(MINE, "e5")] == ["m1"]
    again.close()
    assert _versions(url) == [*range(1, NEXT)]


def test_a_store_of_the_first_release_gets_what_it_lacks(url: str) -> None:
    """As a store stood before shapes were noted (step 2)."""
    _filled(url)
    store: Any = open_store(url)
    with store.writing(MINE):
        _take_back(store, 2)
    store.close()
    again: Any = open_store(url)
    assert set(again.forms(MINE, ["f0", "f1", "f2"])) == {"f0", "f1", "f2"}
    assert again.shapes(MINE) == {"lead": ""}  # it holds Forms of that type, in what shape is not known
    again.apply(MINE, ChangeSet(shapes={"lead": "{}"}))
    assert again.shapes(MINE) == {"lead": ""}
    again.put_shapes(MINE, {"lead": "{}"})
    assert again.shapes(MINE) == {"lead": "{}"}
    again.close()
    assert _versions(url) == [*range(1, NEXT)]


def _as_somebody_else(folder: Path, ask: Callable[[], str]) -> str:
    """What ``ask`` gives or raises in a process whose user may not change ``folder`` (root may, whatever its rights)."""
    reader, writer = os.pipe()
    child = os.fork()
    if child == 0:
        try:
            if os.geteuid() == 0:
                os.setgid(65534)
                os.setuid(65534)
            said = ask()
        except BaseException as failed:
            said = f"{type(failed).__name__}: {failed}"
        os.write(writer, said.encode())
        os._exit(0)
    os.close(writer)
    with os.fdopen(reader) as stream:
        said = stream.read()
    os.waitpid(child, 0)
    return said


@pytest.mark.parametrize("logged", [False, True], ids=["closed", "with a -wal file"])
@pytest.mark.parametrize("rights", [0o444, 0o666], ids=["file not writable", "folder not writable"])
def test_a_folder_that_cannot_be_written_is_read_as_it_stands(rights: int, logged: bool) -> None:
    with tempfile.TemporaryDirectory() as made:
        live, folder = Path(made) / "live", Path(made) / "still"
        live.mkdir()
        folder.mkdir()
        store = open_store(str(live / "a.db"))
        store.apply(MINE, born("f0"))
        if not logged:
            store.close()
        for each in live.iterdir():
            shutil.copy(each, folder)
            (folder / each.name).chmod(rights)
        store.close()
        Path(made).chmod(0o755)
        folder.chmod(0o555)
        url = str(folder / "a.db")

        def read() -> str:
            with closing(open_store(url, read_only=True)) as there:
                return ", ".join(there.forms(MINE, ["f0"]))

        assert (folder / "a.db-wal").exists() == logged
        assert _as_somebody_else(folder, read) == "f0"
        written = logged and rights == 0o666  # all that a writer needs is there
        said = _as_somebody_else(folder, lambda: open_store(url).url)
        assert ("not writable" in said) != written, said
        assert _as_somebody_else(folder, lambda: str(only_readable(url))) == str(not written)
        if logged:
            folder.chmod(0o755)
            (folder / "a.db-shm").unlink()
            folder.chmod(0o555)
            assert "cannot be read without a.db-shm" in _as_somebody_else(folder, read)
        folder.chmod(0o755)
