"""FormExtractor by itself, subclassed, named, and inside a Memory."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from decimal import Decimal
from importlib.metadata import EntryPoint
from pathlib import Path

import openai
import pytest

from forms_dynamics import FormExtractor, InvalidInput, Memory, Money, Proposal, SchemaError, extractors
from forms_dynamics.extraction.recognisers import Recognisers
from forms_dynamics.testing.model_server import ModelServer, Reply

TEXT = "half a mil it is, for the Hailan people"
HAILAN = {"form": "lead_profile", "slot": "company", "value": "Hailan", "quote": "Hailan"}
HALF = {"form": "lead_profile", "slot": "budget", "value": "half a mil", "quote": "half a mil"}


@pytest.fixture
def server() -> Iterator[ModelServer]:
    with ModelServer(lambda request: {"facts": [HAILAN, HALF]}) as running:
        yield running


def client(server: ModelServer) -> openai.OpenAI:
    return openai.OpenAI(base_url=server.base_url, api_key="any")


class HalfMil(FormExtractor):
    """Reads "half a mil"."""

    def coerce(self, form_type, slot, raw, message):
        return Money(Decimal(500000), "USD") if raw == "half a mil" else raw


def test_without_a_model_recognisers_read_alone() -> None:
    read = FormExtractor(["lead_profile"]).run("我们预算50万，分三期付款")
    assert read.passed()
    assert read.pending_slots() == []
    assert read.form["budget"] == Money(Decimal(500000), "CNY")
    assert read.form["payment_terms"] == "分三期付款"


def test_what_waits_has_its_question() -> None:
    read = FormExtractor(["lead_profile"]).run("我们预算大概50万")
    assert not read.passed()
    [waiting] = read.pending_slots()
    assert (waiting.slot, waiting.reason) == ("budget", "hedged")
    assert waiting.question == "您提到的预算，是确切的数字还是初步意向？"
    assert read.form.slots["budget"].status == "pending"


def test_nothing_said_is_nothing_passed() -> None:
    read = FormExtractor(["lead_profile"]).run("谢谢")
    assert read.form is None
    assert not read.passed()


def test_a_required_slot_that_was_not_said_waits(tmp_path: Path) -> None:
    (tmp_path / "visit.yaml").write_text(
        "form_type: visit\nidentity: [firm]\nslots:\n  firm: {type: text, aliases: [firm], required: true}\n"
        "  cost: {type: money, unit: EUR, aliases: [cost], required: true}\n",
        encoding="utf-8",
    )
    read = FormExtractor([str(tmp_path)]).run("Firm: Larkfield.")
    assert [(p.slot, p.reason) for p in read.pending_slots()] == [("cost", "required")]


def test_the_threshold_is_the_callers(server: ModelServer) -> None:
    assert (
        FormExtractor(["lead_profile"], client(server), conf_threshold=0.8).run(TEXT).form["company"]
        == "Hailan"
    )
    assert (
        FormExtractor(["lead_profile"], client(server), conf_threshold=0.97).run(TEXT).form["company"] is None
    )


def test_wrong_arguments_say_what_would_do() -> None:
    with pytest.raises(InvalidInput, match="conf_threshold"):
        FormExtractor(["lead_profile"], conf_threshold=7)
    with pytest.raises(InvalidInput, match="speaker, role"):
        FormExtractor(["lead_profile"]).run("hello", colour="blue")
    with pytest.raises(InvalidInput, match="model_mode"):
        FormExtractor(["lead_profile"], settings={"model_mode": "xml"})


# -- subclasses ----------------------------------------------------------------------------------------------
def test_coerce_reads_what_the_words_mean(server: ModelServer) -> None:
    plain = FormExtractor(["lead_profile"], client(server)).run(TEXT)
    assert plain.form["budget"] is None
    read = HalfMil(["lead_profile"], client(server)).run(TEXT)
    assert read.form["budget"] == Money(Decimal(500000), "USD")
    assert read.form.slots["budget"].evidence.text == "half a mil"


def test_a_coerced_value_still_needs_its_words_in_the_message(server: ModelServer) -> None:
    read = HalfMil(["lead_profile"], client(server)).run("the Hailan people could stretch a bit")
    assert [r.slot for r in read.refused] == ["budget"]


def test_score_alone(server: ModelServer) -> None:
    class Doubting(FormExtractor):
        def score(self, form_type, slot, draft, message):
            return 0.3 if slot == "company" else super().score(form_type, slot, draft, message)

    read = Doubting(["lead_profile"], client(server)).run(TEXT)
    assert ("company", "low_confidence") in [(p.slot, p.reason) for p in read.pending]
    settled = Doubting(["lead_profile"]).run("我们是宁远化工，预算25万。")
    assert [p.slot for p in settled.pending] == ["company"]
    assert settled.form["budget"] == Money(Decimal(250000), "CNY")


def test_prompt_alone(server: ModelServer) -> None:
    class Terse(FormExtractor):
        def prompt(self, message, form_types, known):
            names = ", ".join(t.name for t in form_types)
            return [{"role": "user", "content": f"Facts of {names} in: {message.text}"}]

    assert Terse(["lead_profile"], client(server)).run(TEXT).form["company"] == "Hailan"
    assert server.requests[0]["messages"] == [
        {"role": "user", "content": f"Facts of lead_profile in: {TEXT}"}
    ]


def test_verify_alone(server: ModelServer) -> None:
    class Strict(FormExtractor):
        def verify(self, draft, message):
            return None if draft.form_type == "lead_profile" else draft

    assert Strict(["lead_profile"], client(server)).run(TEXT).form is None


# -- in a memory ---------------------------------------------------------------------------------------------
def lead(memory: Memory) -> object:
    [form] = memory.find("lead_profile")
    return form


def test_a_memory_takes_a_class_with_the_model_of_its_settings(server: ModelServer) -> None:
    settings = {"model": "m", "base_url": server.base_url}
    with Memory.open(":memory:", form_types=["lead_profile"], extractor=HalfMil, settings=settings) as memory:
        receipt = memory.observe(TEXT)
        assert receipt.cost.model_calls == 1
        assert receipt.cost.tokens_in > 0
        assert receipt.cost.tiers == {"lead_profile.company": "model", "lead_profile.budget": "model"}
        assert lead(memory)["budget"] == Money(Decimal(500000), "USD")
    assert server.requests[0]["model"] == "m"


def test_a_memory_takes_an_instance(server: ModelServer) -> None:
    extractor = HalfMil(["lead_profile"], client(server))
    with Memory.open(":memory:", form_types=["lead_profile"], extractor=extractor) as memory:
        memory.observe(TEXT)
        assert lead(memory)["company"] == "Hailan"


def test_a_memory_with_a_model_in_its_settings_asks_it(server: ModelServer) -> None:
    settings = {"model": "m", "base_url": server.base_url}
    with Memory.open(":memory:", form_types=["lead_profile"], settings=settings) as memory:
        assert memory.observe("我们预算50万，分三期付款").cost.model_calls == 0
        assert memory.observe(TEXT).cost.model_calls == 1


def test_a_memory_without_a_model_asks_nobody() -> None:
    with Memory.open(":memory:", form_types=["lead_profile"]) as memory:
        assert memory.observe(TEXT).cost.model_calls == 0
        assert memory.find() == []


@pytest.mark.parametrize("status", [401, 404, 500])
def test_no_message_is_lost_when_the_model_fails(status: int, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("time.sleep", lambda seconds: None)
    failing = [Reply.failing(status)] * (3 if status == 500 else 1)
    replies = iter([*failing, {"facts": [HAILAN]}])
    with ModelServer(lambda request: next(replies)) as server:
        settings = {"model": "m", "base_url": server.base_url}
        with Memory.open(":memory:", form_types=["lead_profile"], settings=settings) as memory:
            assert memory.observe(TEXT).state == "queued"
            assert memory.find() == []
            assert memory.work() == 1
            assert lead(memory)["company"] == "Hailan"


# -- by name -------------------------------------------------------------------------------------------------
@pytest.fixture
def plugin(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> str:
    (tmp_path / "my_extractors.py").write_text(
        "from forms_dynamics import FormExtractor\n\n\n"
        "class Loud(FormExtractor):\n"
        "    def coerce(self, form_type, slot, raw, message):\n"
        "        return raw.upper() if isinstance(raw, str) and slot == 'company' else raw\n\n\n"
        "class Silent:\n"
        "    def extract(self, message, known):\n"
        "        from forms_dynamics import Proposal\n"
        "        return Proposal(())\n",
        encoding="utf-8",
    )
    monkeypatch.syspath_prepend(str(tmp_path))
    yield "my_extractors"
    sys.modules.pop("my_extractors", None)


def test_module_and_class(plugin: str, server: ModelServer) -> None:
    settings = {"model": "m", "base_url": server.base_url}
    with Memory.open(
        ":memory:", form_types=["lead_profile"], extractor=f"{plugin}:Loud", settings=settings
    ) as memory:
        memory.observe(TEXT)
        assert lead(memory)["company"] == "HAILAN"
    with Memory.open(":memory:", form_types=["lead_profile"], extractor=f"{plugin}:Silent") as memory:
        memory.observe("我们预算50万")
        assert memory.find() == []


def test_an_entry_point(plugin: str, server: ModelServer, monkeypatch: pytest.MonkeyPatch) -> None:
    found = [EntryPoint("loud", f"{plugin}:Loud", extractors.GROUP)]
    monkeypatch.setattr(extractors, "entry_points", lambda group: found if group == extractors.GROUP else [])
    extractors._entries.cache_clear()
    try:
        settings = {"model": "m", "base_url": server.base_url}
        with Memory.open(
            ":memory:", form_types=["lead_profile"], extractor="loud", settings=settings
        ) as memory:
            memory.observe(TEXT)
            assert lead(memory)["company"] == "HAILAN"
        with pytest.raises(InvalidInput, match="loud"):
            Memory.open(":memory:", extractor="lowd")
    finally:
        extractors._entries.cache_clear()


@pytest.mark.parametrize(
    ("given", "told"),
    [
        ("nobody", "recognisers"),
        ("no_such_module:Thing", "no_such_module"),
        ("forms_dynamics:Nothing", "Nothing"),
        (object(), "extract"),
        (int, "extract"),
    ],
)
def test_an_extractor_of_no_use_is_said_at_once(given: object, told: str) -> None:
    with pytest.raises(InvalidInput, match=told):
        Memory.open(":memory:", extractor=given)


TYPES = """
form_type: firm
extractor: {name}
identity: [company]
slots:
  company: {{type: text, aliases: [company, 公司]}}
---
form_type: trip
identity: [place]
slots:
  place: {{type: text, aliases: [place, 地点]}}
"""


def test_a_type_names_its_extractor(plugin: str, tmp_path: Path, server: ModelServer) -> None:
    path = tmp_path / "types.yaml"
    path.write_text(TYPES.format(name=f"{plugin}:Silent"), encoding="utf-8")
    with Memory.open(":memory:", form_types=[path]) as memory:
        memory.observe("Company: Larkfield. Place: Lisbon.")
        assert [f.type for f in memory.find()] == ["trip"]
    path.write_text(TYPES.format(name="recognisers"), encoding="utf-8")
    with Memory.open(":memory:", form_types=[path]) as memory:
        memory.observe("Company: Larkfield. Place: Lisbon.")
        assert {f.type for f in memory.find()} == {"firm", "trip"}


def test_a_type_that_names_an_unknown_extractor_is_a_mistake_in_the_yaml(tmp_path: Path) -> None:
    path = tmp_path / "types.yaml"
    path.write_text(TYPES.format(name="recognizers"), encoding="utf-8")
    with pytest.raises(SchemaError) as raised:
        Memory.open(":memory:", form_types=[path])
    [finding] = raised.value.findings
    assert finding.suggestion == "recognisers"
    assert (finding.line, finding.column) == (3, 12)
    assert str(path) in finding.file


def test_recognisers_stay_the_default_and_are_a_name() -> None:
    for given in ("recognisers", Recognisers, None):
        with Memory.open(":memory:", form_types=["lead_profile"], extractor=given) as memory:
            memory.observe("我们预算50万")
            assert lead(memory)["budget"] == Money(Decimal(500000), "CNY")


# -- the back-check ------------------------------------------------------------------------------------------
TWO_SUMS = "那摊子事儿老板拍板了：首付30万，总价100万，公司海蓝"
SUMS = (
    "form_type: deal\nidentity: [firm]\nslots:\n  firm: {type: text, aliases: [公司]}\n"
    "  deposit: {type: money, unit: CNY, aliases: [首付]}\n  total: {type: money, unit: CNY, aliases: [总价]}\n"
)
SWAPPED = [
    {"form": "deal", "slot": "deposit", "value": "100万", "quote": "100万"},
    {"form": "deal", "slot": "total", "value": "30万", "quote": "30万"},
]


class OnlyModel(FormExtractor):
    """Leaves everything to the model."""

    def __init__(self, types, llm, **settings):
        super().__init__(types, llm, settings=settings)
        self._tiers._recognisers = type("Nobody", (), {"extract": lambda self, m, k=(): Proposal(())})()


def test_what_disagrees_is_read_once_more(tmp_path: Path) -> None:
    (tmp_path / "deal.yaml").write_text(SUMS, encoding="utf-8")
    right = [
        {**SWAPPED[0], "value": "30万", "quote": "首付30万"},
        {**SWAPPED[1], "value": "100万", "quote": "总价100万"},
    ]
    with ModelServer([{"facts": SWAPPED}, {"facts": right}]) as server:
        read = OnlyModel([str(tmp_path)], client(server)).run(TWO_SUMS)
        assert server.calls == read.cost.model_calls == 2
        assert "does not say so" in server.requests[1]["messages"][-1]["content"]
    assert (read.form["deposit"].amount, read.form["total"].amount) == (300000, 1000000)


def test_what_disagrees_twice_is_refused(tmp_path: Path) -> None:
    (tmp_path / "deal.yaml").write_text(SUMS, encoding="utf-8")
    with ModelServer(lambda request: {"facts": SWAPPED}) as server:
        read = OnlyModel([str(tmp_path)], client(server)).run(TWO_SUMS)
        assert server.calls == 2
    assert {r.slot for r in read.refused} == {"deposit", "total"}
    assert not any(f["deposit"] or f["total"] for f in read.forms)


def test_a_second_look_that_fails_loses_nothing(tmp_path: Path) -> None:
    (tmp_path / "deal.yaml").write_text(SUMS, encoding="utf-8")
    firm = {"form": "deal", "slot": "firm", "value": "海蓝", "quote": "公司海蓝"}
    with ModelServer([{"facts": [*SWAPPED, firm]}, Reply.failing(401)]) as server:
        read = OnlyModel([str(tmp_path)], client(server)).run(TWO_SUMS)
        assert read.cost.model_calls == server.calls == 2
    assert read.form["firm"] == "海蓝"


def test_without_a_back_check_nothing_is_read_twice(tmp_path: Path) -> None:
    (tmp_path / "deal.yaml").write_text(SUMS, encoding="utf-8")
    with ModelServer(lambda request: {"facts": SWAPPED}) as server:
        OnlyModel([str(tmp_path)], client(server), back_check="off").run(TWO_SUMS)
        assert server.calls == 1


def test_a_model_checks_when_it_is_set_to() -> None:
    def script(request: dict) -> object:
        checks = "You check a record" in request["messages"][0]["content"]
        return {"wrong": [1]} if checks else {"facts": [HAILAN]}

    with ModelServer(script) as server:
        read = FormExtractor(["lead_profile"], client(server), settings={"back_check": "model"}).run(TEXT)
        assert read.cost.model_calls == server.calls
    assert [(p.slot, p.reason) for p in read.pending] == [("company", "low_confidence")]


def test_a_check_in_vain_is_counted_with_the_reading_before_it() -> None:
    def script(request: dict) -> object:
        checks = "You check a record" in request["messages"][0]["content"]
        return Reply.failing(401) if checks else Reply({"facts": [HAILAN]}, usage=(70, 5))

    with ModelServer(script) as server:
        settings = {"model": "m", "base_url": server.base_url, "back_check": "model"}
        with Memory.open(":memory:", form_types=["lead_profile"], settings=settings) as memory:
            receipt = memory.observe(TEXT)
            assert receipt.state == "queued"
            assert receipt.cost.model_calls == memory.health().spent_today.calls == server.calls == 2
            assert receipt.cost.tokens_in == 70


# -- what the conversation knows -----------------------------------------------------------------------------
def talked(server: ModelServer) -> Memory:
    settings = {"model": "m", "base_url": server.base_url}
    memory = Memory.open(
        ":memory:", form_types=["lead_profile", "quote_form", "contract_form"], settings=settings
    )
    memory.observe("报价单号：Q-9，报价：48万，客户：海蓝电子", conversation="c")
    memory.observe("报价单号：Q-7，报价：9万，客户：宁远化工", conversation="d")
    assert server.calls == 0
    return memory


def drawn(memory: Memory, form: str) -> list:
    return [e for e in memory.edges(form) if e.relation != "derived_from"]


def test_words_that_point_back_become_an_edge() -> None:
    def script(request: dict) -> object:
        said = request["messages"][-1]["content"]
        number = next(line[:2] for line in said.splitlines() if "Q-9" in line)
        return {
            "facts": [
                {"form": "contract_form", "slot": "contract_no", "value": "HT-1", "quote": "HT-1"},
            ],
            "links": [
                {"form": "contract_form", "relation": "evolves_from", "to": number, "quote": "之前那份报价"}
            ],
        }

    with ModelServer(script) as server, talked(server) as memory:
        receipt = memory.observe("老样子，照之前那份报价走起，凑个HT-1的号", conversation="c")
        [contract] = memory.find("contract_form")
        [quote] = memory.find("quote_form", quote_no="Q-9")
        assert [(e.relation, e.target) for e in drawn(memory, contract.id)] == [("evolves_from", quote.id)]
        assert receipt.edges


@pytest.mark.parametrize(
    "link",
    [
        {"form": "contract_form", "relation": "evolves_from", "to": "#1", "quote": "那份不存在的报价"},
        {"form": "contract_form", "relation": "evolves_from", "to": "#9", "quote": "之前那份报价"},
        {"form": "contract_form", "relation": "evolves_from", "to": "Q-7", "quote": "之前那份报价"},
    ],
)
def test_a_link_that_the_message_does_not_bear_out_is_none(link: dict) -> None:
    fact = {"form": "contract_form", "slot": "contract_no", "value": "HT-1", "quote": "HT-1"}
    with ModelServer(lambda request: {"facts": [fact], "links": [link]}) as server, talked(server) as memory:
        memory.observe("老样子，照之前那份报价走起，凑个HT-1的号", conversation="c")
        [contract] = memory.find("contract_form")
        assert not drawn(memory, contract.id)
        assert not [p for p in memory.pending() if p.reason == "relation_missing"]


def test_a_withdrawal_in_unknown_words_is_asked_about() -> None:
    void = {"form": "quote_form", "to": "Q-9", "quote": "Q-9 就让它随风去吧"}
    with ModelServer(lambda request: {"facts": [], "void": [void]}) as server, talked(server) as memory:
        receipt = memory.observe("老板说 Q-9 就让它随风去吧，我们另起炉灶", conversation="c")
        [quote] = memory.find("quote_form", quote_no="Q-9")
        assert receipt.state == "held"
        [waiting] = memory.pending()
        memory.confirm(waiting.id)
        assert memory.get(quote.id).status == "invalid"
