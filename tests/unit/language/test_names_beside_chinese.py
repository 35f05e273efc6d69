"""Names in Latin letters or digits that Chinese words touch."""

from __future__ import annotations

import pytest

from forms_dynamics import Memory
from forms_dynamics.language.names import candidates

MOVE = """
form_type: move
identity: [order_no]
slots:
  order_no: {type: text, aliases: [单号, order number]}
  crew: {type: text, aliases: [班组, crew]}
"""


@pytest.mark.parametrize(
    ("text", "name"),
    [
        ("M-202的班组改成大象组", "m-202"),
        ("把M-202换成大象组", "m-202"),
        ("小米14的价格", "小米14"),
        ("住在3号楼的老王", "3号楼"),
        ("看看T恤吧", "t恤"),
        ("ask a.b@c.com 吧", "a.b@c.com"),
    ],
)
def test_a_name_ends_where_the_script_changes_or_a_little_later(text: str, name: str) -> None:
    assert name in candidates(text)


@pytest.mark.parametrize("text", ["M-202的班组改成大象组", "M-202班组改成大象组", "把M-202的班组换成大象组"])
def test_a_change_goes_to_the_form_that_is_named(tmp_path, text: str) -> None:  # type: ignore[no-untyped-def]
    file = tmp_path / "move.yaml"
    file.write_text(MOVE, encoding="utf-8")
    with Memory.open(":memory:", form_types=[file], relation_rules=[]) as memory:
        memory.observe("单号：M-202，班组：骆驼组", conversation="a", time="2026-06-12T10:00:00+08:00")
        memory.observe("单号：M-209，班组：骆驼组", conversation="a", time="2026-06-12T10:01:00+08:00")
        memory.observe(text, conversation="a", time="2026-06-12T10:02:00+08:00")
        assert {f["order_no"]: f["crew"] for f in memory.find("move")} == {
            "M-202": "大象组",
            "M-209": "骆驼组",
        }
