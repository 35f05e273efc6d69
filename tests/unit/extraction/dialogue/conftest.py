"""Form types as a schema gives them: names, short descriptions, some listed values, no cues."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import pytest
import yaml

from forms_dynamics.extraction.recognisers import Recognisers
from forms_dynamics.model.known import Known
from forms_dynamics.model.message import Message
from forms_dynamics.schema.load import load_catalog
from forms_dynamics.schema.spec import Catalog
from forms_dynamics.settings import Settings

TIME = datetime(2026, 5, 4, 9, tzinfo=UTC)


def _enum(*values: str, about: str = "") -> dict[str, Any]:
    return {"type": "enum", "values": list(values), **({"description": about} if about else {})}


def _text(about: str = "", *examples: str) -> dict[str, Any]:
    made: dict[str, Any] = {"type": "text"}
    if about:
        made["description"] = about
    if examples:
        made["examples"] = list(examples)
    return made


ENGLISH: dict[str, Any] = {
    "restaurant": {
        "area": _enum("centre", "north", "south"),
        "price_range": _enum("cheap", "moderate", "expensive"),
        "food": _text("the cuisine that is served"),
        "name": _text("name of the restaurant"),
        "party_size": _text("number of people at the table"),
        "booking_time": _text("time of the booking"),
        "booking_day": _text("day of the booking"),
    },
    "hotel": {
        "area": _enum("centre", "north", "south"),
        "price_range": _enum("cheap", "moderate", "expensive"),
        "stars": _enum("2", "3", "4", "5"),
        "nights": _text("how many nights to stay"),
        "type": _enum("hotel", "guesthouse"),
        "parking": _enum("yes", "no", about="whether it has parking"),
    },
    "attraction": {"area": _enum("centre", "north", "south"), "type": _enum("museum", "park", "theatre")},
    "train": {
        "origin": _text("city that the train leaves from"),
        "destination": _text("city that the train goes to"),
        "leave_at": _text("departure time of the train"),
        "arrive_by": _text("arrival time of the train"),
        "num_tickets": _text("number of tickets"),
    },
    "support_case": {
        "account_number": _text("number of the account"),
        "email_address": _text("where to write to"),
        "customer_name": _text("name of the customer"),
    },
}
CHINESE: dict[str, Any] = {
    "餐馆": {
        "人均消费": _text("", "50-100元", "100-150元", "50元以下"),
        "评分": _text("", "4分以上", "4.5分以上"),
        "推荐菜": _text(""),
        "名称": _text("", "翠湖饭庄", "老周面馆(东门店)"),
        "预订人数": _text(""),
    },
    "酒店": {
        "价格": _text("", "300-400元", "400-500元"),
        "评分": _text("", "4分以上", "4.5分以上"),
        "酒店类型": _text("", "经济型", "豪华型"),
        "酒店设施": _text("", "吹风机", "健身房", "接机服务"),
        "区域": _enum("东方", "西部", "中心"),
        "停车处": _enum("有", "没有"),
    },
    "火车": {"出发地": _text(), "目的地": _text(), "日期": _enum("星期一", "星期二", "星期六"), "出发时间": _text()},
    "景点": {"门票": _text("", "免费", "20-50元"), "评分": _text("", "4.5分以上"), "游玩时间": _text("", "1小时 - 2小时", "3天")},
}  # fmt: skip


def catalog(types: dict[str, Any], folder: Path) -> Catalog:
    for name, slots in types.items():
        document = {"form_type": name, "slots": slots}
        Path(folder, f"{name}.yaml").write_text(yaml.safe_dump(document, allow_unicode=True), "utf-8")
    return load_catalog([folder])


Reading = Callable[..., dict[str, str]]


def _reader(types: dict[str, Any], folder: Path) -> Reading:
    recognisers = Recognisers(catalog(types, folder), Settings())

    def read(text: str, *before: str) -> dict[str, str]:
        """``type.slot`` → value; ``before``: what was said before, the assistant last."""
        roles = ["assistant", "user"] * len(before)
        turns = [_message(said, role) for said, role in zip(reversed(before), roles, strict=False)][::-1]
        return {
            f"{draft.form_type}.{name}": str(slot.value)
            for draft in recognisers.extract(_message(text, "user"), _known(turns)).drafts
            for name, slot in draft.slots.items()
        }

    return read


def _known(turns: Sequence[Message]) -> Known:
    return Known(lambda: (), lambda: turns)


def _message(text: str, role: Any) -> Message:
    return Message("m", text, role, role, "c", TIME)


@pytest.fixture(scope="session")
def english(tmp_path_factory: pytest.TempPathFactory) -> Reading:
    return _reader(ENGLISH, tmp_path_factory.mktemp("english"))


@pytest.fixture(scope="session")
def chinese(tmp_path_factory: pytest.TempPathFactory) -> Reading:
    return _reader(CHINESE, tmp_path_factory.mktemp("chinese"))
