"""No message is lost while the extractor is away, and many writers lose nothing."""

from __future__ import annotations

import sqlite3
import subprocess
import sys
import threading
from datetime import timedelta

from forms_dynamics import Memory
from forms_dynamics.testing import FixedClock, ScriptedExtractor

from .world import ROOT, Worlds, at, dump, lead, money, on_both, passes, said

WRITER = """
import sys
from forms_dynamics import Memory
with Memory.open(sys.argv[1], form_types=["lead_profile"]) as memory:
    for k in range(50):
        memory.record("lead_profile", {"company": f"Firm {sys.argv[2]}-{k}", "budget": "1000 USD"})
"""


@on_both
def test_pr_125(worlds: Worlds) -> None:
    w = worlds("PR-125")
    (r,) = w.play()
    assert r.state == "queued"
    rows = list(w.memory.export())
    assert w.messages[0]["text"] in [row.get("text") for row in rows]
    assert not [row for row in rows if "form_type" in row]
    assert w.memory.work() == 1
    f = w.only("lead_profile")
    assert (f["budget"], f["payment_terms"], f.version) == (money(66000, "USD"), "net 45", 1)
    before = dump(w.memory)
    assert w.memory.work() == 0
    assert dump(w.memory) == before


@on_both
def test_pr_127(worlds: Worlds) -> None:
    w = worlds("PR-127")
    message = dict(w.messages[0])
    r = w.memory.observe(message.pop("text"), wait=False, **message)
    assert r.state == "queued"
    a = w.memory.recall("峰谷能源付款方式", conversation="c1")
    assert a.current_to != "m1"
    assert "月结45天" in w.memory.recall("峰谷能源付款方式", conversation="c1", recent_turns=1).text
    w.memory.work()
    b = w.memory.recall("峰谷能源付款方式")
    assert b.current_to == "m1"
    assert "月结45天" in b.text
    assert w.only("lead_profile")["payment_terms"] == "月结45天"


def test_pr_129_a(worlds: Worlds) -> None:
    w = worlds("PR-129")
    w.memory.find()
    other = sqlite3.connect(worlds.where / "memory1.db", isolation_level=None, check_same_thread=False)
    other.execute("BEGIN IMMEDIATE")
    timer = threading.Timer(2.0, lambda: other.execute("ROLLBACK"))
    timer.start()
    (r,) = w.play()
    timer.join()
    other.close()
    assert r.state == "stored"
    assert w.only("quote_form")["amount"] == money(5000, "USD")


def test_pr_129_b(worlds: Worlds) -> None:
    path = worlds.where / "many.db"
    writers = [
        subprocess.Popen(
            [sys.executable, "-c", WRITER, str(path), str(n)], stderr=subprocess.PIPE, text=True, cwd=ROOT
        )
        for n in range(4)
    ]
    for writer in writers:
        _, errors = writer.communicate(timeout=120)
        assert writer.returncode == 0, errors
    with Memory.open(path, form_types=["lead_profile"]) as memory:
        forms = memory.find("lead_profile", limit=1000)
        assert len(forms) == 200
        assert len({f["company"] for f in forms}) == 200
        assert passes(memory.verify())


@on_both
def test_pr_131(worlds: Worlds) -> None:
    w = worlds("PR-131")
    w.memory.record("lead_profile", {"company": "七星"}, source="user")
    told = [
        {"company": "七星", "company_type": "制造业"},
        {"company": "七星", "contact_role": "总经理"},
        {"company": "七星", "budget": "70万"},
        {"company": "七星", "payment_terms": "月结30天"},
        {"company": "七星", "deadline": "2026-12-01"},
        {"company": "七星二厂"},
        {"company": "七星三厂"},
    ]
    errors: list[BaseException] = []
    start = threading.Barrier(len(told))

    def tell(slots: dict[str, str]) -> None:
        try:
            start.wait()
            w.memory.record("lead_profile", slots, source="user")
        except BaseException as failure:
            errors.append(failure)

    threads = [threading.Thread(target=tell, args=(slots,)) for slots in told]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert errors == []
    assert {f["company"] for f in w.memory.find("lead_profile")} == {"七星", "七星二厂", "七星三厂"}
    f = w.only("lead_profile", company="七星")
    assert (f["company_type"], f["contact_role"], f["budget"]) == ("制造业", "总经理", money(700000, "CNY"))
    assert (f["payment_terms"], f["deadline"].isoformat()) == ("月结30天", "2026-12-01")
    h = w.memory.history(f.id)
    assert [v.number for v in h] == [1, 2, 3, 4, 5, 6]
    assert [v.current for v in h] == [False] * 5 + [True]
    assert passes(w.memory.verify())


# -- ours ------------------------------------------------------------------------------------------------


def test_queued_messages_are_taken_in_order_and_once_after_a_restart(worlds: Worlds) -> None:
    texts = ["宁远化工预算25万。", "宁远化工预算28万。", "宁远化工预算31万。"]
    script = {text: [lead(company="宁远化工", budget=(text[6:9], text[4:9]))] for text in texts}
    w = worlds(types=["lead_profile"], messages=[], script=script, now="2026-06-01T12:00:00+08:00")
    for place, text in enumerate(texts):
        w.memory.observe(text, id=f"q{place}", time=f"2026-06-01T1{place}:00:00+08:00", wait=False)
    w.memory.close()
    memory = Memory.open(
        worlds.where / "memory1.db",
        form_types=["lead_profile"],
        extractor=ScriptedExtractor(script),
        clock=FixedClock(at("2026-06-02T00:00:00+08:00")),
    )
    assert memory.work(limit=2) == 2
    assert memory.find("lead_profile")[0]["budget"] == money(280000, "CNY")
    assert memory.recall("宁远化工预算").current_to == "q1"
    assert memory.work() == 1
    assert memory.work() == 0
    f = memory.find("lead_profile")[0]
    assert (f["budget"], f.version) == (money(310000, "CNY"), 3)
    memory.close()


def test_a_failure_that_lasts_never_drops_the_message(worlds: Worlds) -> None:
    w = worlds(
        types=["lead_profile"],
        messages=[
            said("2026-06-01T12:00:00+00:00", "Orsa has 9k EUR."),
            said("2026-06-01T12:01:00+00:00", "Orsa pays net 10."),
        ],
        script=[{"raise": "TimeoutError"}, [lead(company="Orsa", payment_terms="net 10")]],
    )
    r = w.play()
    assert r[0].state == "queued"
    for _ in range(5):
        w.memory.work()
        w.clock.advance(seconds=timedelta(hours=6).total_seconds())
    assert "Orsa has 9k EUR." in [row.get("text") for row in w.memory.export()]
    assert w.memory.recall("Orsa").current_to != "m1"
    assert all(f["budget"] is None for f in w.memory.find("lead_profile"))


def test_the_same_message_from_many_threads_is_stored_once(worlds: Worlds) -> None:
    script = {"Orsa has 9k EUR.": [lead(company="Orsa", budget="9k EUR")]}
    w = worlds(types=["lead_profile"], messages=[], script=script, now="2026-06-01T12:00:00+00:00")
    receipts = []

    def tell() -> None:
        receipts.append(w.memory.observe("Orsa has 9k EUR.", id="m1", time="2026-06-01T11:00:00+00:00"))

    threads = [threading.Thread(target=tell) for _ in range(6)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert len(receipts) == 6
    assert sum(not r.duplicate for r in receipts) == 1
    assert w.only("lead_profile").version == 1
