"""Recognisers first, the model for the rest: what is asked, what is merged, what is never paid twice."""

from __future__ import annotations

import time
from collections.abc import Callable
from datetime import date
from decimal import Decimal
from threading import Lock

import openai
import pytest

from forms_dynamics import Cost, ExtractorUnavailable, FormExtractor, Money
from forms_dynamics.extraction.prompt import example_message
from forms_dynamics.model.answer import Answer
from forms_dynamics.model.known import Known
from forms_dynamics.model.message import Message
from forms_dynamics.testing.model_server import ModelServer, Reply

SALES = ["lead_profile", "quote_form", "contract_form"]


def fact(
    slot: str, value: object, quote: str, *marks: str, form: str = "lead_profile", **more: object
) -> dict:
    return {"form": form, "slot": slot, "value": value, "quote": quote, "marks": list(marks), **more}


def says(*facts: dict, **more: object) -> Callable[[dict], object]:
    return lambda request: {"facts": list(facts), **more}


def reading(server: ModelServer, types: list[str] | None = None, **settings: object) -> FormExtractor:
    client = openai.OpenAI(base_url=server.base_url, api_key="any")
    return FormExtractor(SALES if types is None else types or None, llm=client, settings=settings or None)


class Raising:
    """A client of which any use is an error."""

    def __getattr__(self, name: str) -> object:
        raise AssertionError(f"the model was asked ({name})")


SMALL_TALK = """
你好
您好，在吗？
谢谢！
好的好的，谢谢您
ok
OK 收到
哈哈
哈哈哈哈
嗯嗯
😂👍🎉
……
早上好！今天忙吗？
今天天气真好啊
外面下雨了，好冷
周末愉快！
好的，我们回去商量一下。
Hi there!
Thanks a lot :)
ok thanks, bye
lol yeah that's great
How are you today?
Nice weather today, isn't it?
It's raining again
Thanks, talk to you next week!
Good morning! How's it going?
你们觉得预算定多少合适？
What budget would you suggest for this?
""".strip().splitlines()


@pytest.mark.parametrize("text", SMALL_TALK)
@pytest.mark.parametrize("types", [SALES, None])
def test_small_talk_costs_no_call(text: str, types: list[str] | None) -> None:
    read = FormExtractor(types, llm=Raising()).run(text)
    assert read.form is None
    assert read.cost.model_calls == 0


SETTLED = [
    "我们预算50万，分三期付款",
    "我们是宁远化工，预算25万。",
    "付款方式：月结30天，交期：2026年9月30日",
    "Our budget is 120,000 USD, payment terms: net 45.",
    "Company: Northlake Foods. Deadline: June 30, 2026.",
]


@pytest.mark.parametrize("text", SETTLED)
def test_what_recognisers_settle_costs_no_call(text: str) -> None:
    read = FormExtractor(SALES, llm=Raising()).run(text)
    assert read.passed()
    assert set(read.cost.tiers.values()) == {"recogniser"}


@pytest.mark.parametrize("role", ["tool", "system", "assistant"])
def test_only_a_user_is_asked_about(role: str) -> None:
    text = "we could stretch to half a mil for the Hailan people"
    assert FormExtractor(SALES, llm=Raising()).run(text, role=role, speaker=role).cost.model_calls == 0


DUMPS = [
    '{"status": "ok", "rows": [{"company": "Larkfield", "budget": 5}]}',
    "2026-03-01 10:00:00 INFO start\n2026-03-01 10:00:01 WARN slow budget\n2026-03-01 10:00:02 ERROR Larkfield",
    "```python\nbudget = 500_000\ncompany = 'Larkfield'\n```",
    'Traceback (most recent call last):\n  File "a.py", line 3, in <module>\nValueError: budget too low',
]


@pytest.mark.parametrize("text", DUMPS)
def test_dumps_of_programs_cost_no_call(text: str) -> None:
    assert FormExtractor(SALES, llm=Raising()).run(text).cost.model_calls == 0


UNKNOWN_WORDS = [
    ("we could stretch to half a mil for the Hailan people", "company", "Hailan"),
    ("老王说海蓝这边能凑一凑", "company", "海蓝"),
    ("海蓝 side 说可以 stretch 一点", "company", "海蓝"),
]


@pytest.mark.parametrize(("text", "slot", "words"), UNKNOWN_WORDS)
@pytest.mark.parametrize("types", [SALES, []])
def test_words_that_no_recogniser_knows_go_to_the_model(
    text: str, slot: str, words: str, types: list[str]
) -> None:
    with ModelServer(says(fact(slot, words, words))) as server:
        read = reading(server, types).run(text)
        assert server.calls == 1
    assert read.form[slot] == words
    assert read.cost.model_calls == 1
    assert read.cost.tiers == {f"lead_profile.{slot}": "model"}


def test_an_answer_of_one_word_is_asked_about_after_a_question() -> None:
    asked = Message(
        "a", "Which industry are you in?", "assistant", "assistant", "c", example_message("").time
    )
    with ModelServer(says(fact("company_type", "logistics", "logistics"))) as server:
        read = reading(server).run("logistics", known=Known(turns=lambda: [asked]))
    assert read.form["company_type"] == "logistics"
    assert FormExtractor(SALES, llm=Raising()).run("logistics").form is None


def test_both_tiers_in_one_form() -> None:
    text = "我们预算50万，海蓝那摊子的初版还得凑一凑"
    with ModelServer(says(fact("company", "海蓝", "海蓝"), fact("budget", "500000", "预算50万"))) as server:
        read = reading(server).run(text)
    assert len(read.forms) == 1
    assert read.form["budget"] == Money(Decimal(500000), "CNY")
    assert read.form["company"] == "海蓝"
    assert read.cost.tiers["lead_profile.budget"] == "recogniser"
    assert read.cost.tiers["lead_profile.company"] == "model"
    assert read.form.slots["budget"].confidence > 0.95  # agreement raises


def test_disagreement_is_asked_about() -> None:
    text = "海蓝那位老王提了：预算50万，上头批下来倒有60万"
    with ModelServer(says(fact("budget", "60万", "批下来倒有60万"))) as server:
        read = reading(server).run(text)
    [waiting] = [p for p in read.pending if p.slot == "budget"]
    assert waiting.reason == "ambiguous_value"
    assert {"500,000 CNY", "600,000 CNY"} == set(waiting.candidates)
    assert read.form["budget"] is None


def test_a_value_that_the_message_does_not_bear_out_changes_nothing() -> None:
    text = "海蓝那位老王提了：预算50万，别的回头再细聊"
    invented = fact("budget", "800000", "预算80万")
    with ModelServer(says(invented, fact("budget", "900000", "预算50万"))) as server:
        read = reading(server).run(text)
    assert read.form["budget"] == Money(Decimal(500000), "CNY")


MARKED = [
    ("hedged", "low_confidence"),
    ("question", "proposal"),
    ("proposal", "proposal"),
]


@pytest.mark.parametrize(("mark", "reason"), MARKED)
def test_what_the_model_marks_is_no_fact(mark: str, reason: str) -> None:
    with ModelServer(says(fact("payment_terms", "货到再付", "货到再付", mark))) as server:
        read = reading(server).run("老王那边兴的是货到再付那一套")
    assert [(p.slot, p.reason) for p in read.pending] == [("payment_terms", reason)]
    assert read.form["payment_terms"] is None


@pytest.mark.parametrize("mark", ["hypothetical", "assistant"])
def test_what_the_model_says_nobody_claims_is_dropped(mark: str) -> None:
    with ModelServer(says(fact("company_type", "注塑", "注塑厂", mark))) as server:
        assert reading(server).run("老王那边搞的是注塑厂那一摊").form is None


def test_no_mark_makes_a_correction_that_the_words_are_not() -> None:
    with ModelServer(says(fact("company_type", "注塑", "注塑厂", "correct", sure=0.3))) as server:
        read = reading(server).run("老王那边搞的是注塑厂那一摊")
    assert [p.reason for p in read.pending] == ["low_confidence"]


def test_lists_gain_and_lose_in_one_message() -> None:
    text = "那个锅底嘛别再放香菜末子，冬瓜片倒是越多越开心"
    with ModelServer(
        says(
            fact("allergies", "香菜末子", "别再放香菜末子", "negated", form="user_profile"),
            fact("allergies", "冬瓜片", "冬瓜片", form="user_profile"),
        )
    ) as server:
        read = reading(server, ["user_profile"]).run(text)
    drafts = [(d.form_type, s.value, s.negated) for d in read.drafts for s in d.slots.values()]
    assert ("user_profile", "香菜末子", True) in drafts
    assert ("user_profile", "冬瓜片", False) in drafts


def test_two_things_of_one_type_stay_two() -> None:
    text = "海蓝那摊子想凑五十万，宁远那摊子只凑得出三十万"
    facts = [
        fact("company", "海蓝", "海蓝"), fact("budget", "五十万", "凑五十万"),
        fact("company", "宁远", "宁远", n=2), fact("budget", "三十万", "凑得出三十万", n=2),
    ]  # fmt: skip
    with ModelServer(says(*facts)) as server:
        read = reading(server).run(text)
    assert {f["company"]: f["budget"].amount for f in read.forms if f["budget"]} == {
        "海蓝": Decimal(500000),
        "宁远": Decimal(300000),
    }


# -- never twice ---------------------------------------------------------------------------------------------
class Kept:
    """Replies in a dictionary."""

    def __init__(self) -> None:
        self.answers: dict[str, Answer] = {}
        self.vain = Cost()
        self.cap = False

    def get(self, key: str) -> Answer | None:
        return self.answers.get(key)

    def put(self, key: str, answer: Answer) -> None:
        self.answers[key] = answer

    def admit(self) -> None:
        if self.cap:
            raise ExtractorUnavailable("the cost cap is reached")

    def spent(self, cost: Cost) -> None:
        self.vain = Cost(self.vain.model_calls + cost.model_calls)


TEXT = "we could stretch to half a mil for the Hailan people"


def message(text: str, id: str = "m") -> Message:
    at = example_message("").time
    return Message(id, text, "user", "user", "c", at)


def test_the_same_text_is_not_paid_for_twice() -> None:
    kept = Kept()
    with ModelServer(says(fact("company", "Hailan", "Hailan"))) as server:
        extractor = reading(server)
        first = extractor.extract(message(TEXT), Known(replies=kept))
        again = reading(server).extract(message(TEXT, "m2"), Known(replies=kept))
        assert server.calls == 1
    assert (first.cost.model_calls, again.cost.model_calls) == (1, 0)
    assert again.cost.tokens_in == again.cost.tokens_out == 0
    assert [s.tier for d in again.drafts for s in d.slots.values()] == ["cache"]
    assert [s.tier for d in first.drafts for s in d.slots.values()] == ["model"]


def test_another_model_other_types_or_another_prompt_are_another_question() -> None:
    kept = Kept()

    class Otherwise(FormExtractor):
        def prompt(self, message, form_types, known):
            return [*super().prompt(message, form_types, known), {"role": "system", "content": "Be brief."}]

    with ModelServer(says()) as server:
        client = openai.OpenAI(base_url=server.base_url, api_key="any")
        for made in (
            FormExtractor(SALES, llm=client, settings={"model": "a"}),
            FormExtractor(SALES, llm=client, settings={"model": "b"}),
            FormExtractor(["lead_profile"], llm=client, settings={"model": "a"}),
            Otherwise(SALES, llm=client, settings={"model": "a"}),
        ):
            made.extract(message(TEXT), Known(replies=kept))
        assert server.calls == 4
    assert len(kept.answers) == 4


def test_a_reply_that_was_kept_by_an_older_spec_is_asked_for_again() -> None:
    kept = Kept()
    with ModelServer(says(fact("company", "Hailan", "Hailan"))) as server:
        reading(server).extract(message(TEXT), Known(replies=kept))
        [key] = kept.answers
        kept.answers[key] = Answer({"facts": [{"colour": "blue"}]})
        assert reading(server).extract(message(TEXT), Known(replies=kept)).cost.model_calls == 1


def test_calls_in_vain_are_noted_and_a_cap_stops_calls() -> None:
    kept = Kept()
    with ModelServer(lambda request: Reply.failing(401)) as server:
        with pytest.raises(ExtractorUnavailable):
            reading(server).extract(message(TEXT), Known(replies=kept))
        assert kept.vain.model_calls == 1
        kept.cap = True
        with pytest.raises(ExtractorUnavailable, match="cap"):
            reading(server).extract(message(TEXT), Known(replies=kept))
        assert server.calls == 1


# -- side by side --------------------------------------------------------------------------------------------
def test_calls_of_a_batch_are_begun_ahead_and_bounded() -> None:
    texts = [f"we could stretch a bit for the Hailan {i} people" for i in range(24)]
    with ModelServer(says(), latency=0.1) as server:
        extractor = reading(server, model_concurrency=8)
        extractor.extract(message("we could stretch for Larkfield people", "first"))
        pairs = [(message(t, f"m{i}"), Known()) for i, t in enumerate(texts)]
        began = time.monotonic()
        extractor.ahead(pairs)
        costs = [extractor.extract(m, k).cost.model_calls for m, k in pairs]
        took = time.monotonic() - began
        assert server.most_at_once <= 8
        assert server.calls == 25
    assert costs == [1] * 24
    assert took < 0.1 * 24 * 0.7  # side by side, not one after another


def test_the_same_text_in_a_batch_is_asked_about_once() -> None:
    with ModelServer(says(fact("company", "Hailan", "Hailan"))) as server:
        extractor = reading(server)
        pairs = [(message(TEXT, f"m{i}"), Known()) for i in range(5)]
        extractor.ahead(pairs)
        got = [extractor.extract(m, k) for m, k in pairs]
        assert server.calls == 1
    assert sum(p.cost.model_calls for p in got) == 1
    assert [p.drafts[0].slots["company"].value for p in got] == ["Hailan"] * 5


def test_what_fails_ahead_fails_when_it_is_taken() -> None:
    with ModelServer(lambda request: Reply.failing(401)) as server:
        extractor = reading(server)
        pairs = [(message(TEXT, f"m{i}"), Known()) for i in range(2)]
        extractor.ahead(pairs)
        costs = []
        for m, k in pairs:
            with pytest.raises(ExtractorUnavailable) as raised:
                extractor.extract(m, k)
            costs.append(raised.value.cost.model_calls if raised.value.cost else 0)
    assert costs == [1, 0]


def test_a_batch_whose_conversation_is_not_known_yet_is_left_to_its_turn() -> None:
    class NotYet(BaseException):
        pass

    def forms() -> list:
        raise NotYet

    with ModelServer(says()) as server:
        extractor = reading(server)
        extractor.ahead([(message("就按海蓝之前那个方案来凑吧"), Known(forms))])
        assert server.calls == 0
        extractor.extract(message("就按海蓝之前那个方案来凑吧"), Known())
        assert server.calls == 1


# -- long messages -------------------------------------------------------------------------------------------
def test_parts_of_a_long_message_become_one_form() -> None:
    filler = "今天天气真好啊，哈哈哈哈。" * 900
    text = f"没想到海蓝能凑五十万。{filler}海蓝还说月底要初版。"
    lock, sizes = Lock(), []

    def script(request: dict) -> object:
        said = request["messages"][-1]["content"]
        with lock:
            sizes.append(sum(len(m["content"]) for m in request["messages"]))
        facts = []
        if "五十万" in said:
            facts += [fact("company", "海蓝", "海蓝"), fact("budget", "五十万", "凑五十万")]
        if "初版" in said:
            facts += [fact("company", "海蓝", "海蓝"), fact("deadline", "月底", "月底要初版")]
        return {"facts": facts}

    with ModelServer(script) as server:
        read = reading(server, ["lead_profile"]).run(text, time="2026-06-12T10:00:00+08:00")
        assert server.calls == 2  # the parts of small talk are not asked about
        assert max(sizes) <= 4000
    assert len(read.forms) == 1
    assert read.form["company"] == "海蓝"
    assert read.form["deadline"] == date(2026, 6, 30)
    assert read.form["budget"] == Money(Decimal(500000), "CNY")
    assert read.cost.model_calls == 2


def test_a_part_that_is_refused_for_its_length_is_halved() -> None:
    text = "没想到海蓝能凑五十万。" + "这一句没有什么新鲜的内容可讲。" * 60 + "海蓝还说月底要初版。"

    def script(request: dict) -> object:
        said = request["messages"][-1]["content"]
        if len(said) > 600:
            return Reply.failing(400, "This model's maximum context length is 600 characters")
        facts = [fact("company", "海蓝", "海蓝")] if "海蓝" in said else []
        facts += [fact("budget", "五十万", "凑五十万")] if "五十万" in said else []
        facts += [fact("deadline", "月底", "月底要初版")] if "初版" in said else []
        return {"facts": facts}

    with ModelServer(script) as server:
        read = reading(server, ["lead_profile"]).run(text, time="2026-06-12T10:00:00+08:00")
        assert read.cost.model_calls == server.calls == 3
    assert read.form["deadline"] == date(2026, 6, 30)
    assert read.form["budget"] == Money(Decimal(500000), "CNY")


# -- confidence ----------------------------------------------------------------------------------------------
def test_a_models_own_number_only_lowers() -> None:
    def sure(number: float) -> float:
        with ModelServer(says(fact("company", "Hailan", "Hailan", sure=number))) as server:
            read = reading(server).run(TEXT)
        return next(s.confidence for d in read.drafts for s in d.slots.values())

    assert sure(1.0) == sure(0.99)
    assert sure(0.6) == 0.6


def test_tokens_that_the_model_doubts_lower_the_score() -> None:
    def known(logprob: float) -> bool:
        reply = Reply(
            {"facts": [fact("company", "Hailan", "Hailan")]}, doubts={'"Hailan"': logprob, "Hailan": logprob}
        )
        with ModelServer(lambda request: reply) as server:
            return reading(server).run(TEXT).form["company"] is not None

    assert known(-0.05)
    assert not known(-1.2)


def test_values_that_are_not_in_the_message_score_low() -> None:
    with ModelServer(says(fact("company", "Larkfield", "the Hailan people"))) as server:
        read = reading(server).run(TEXT)
    assert read.form is None or read.form["company"] is None
    assert read.drafts[0].slots["company"].confidence <= 0.5


@pytest.mark.parametrize("word", ["今天", "1,", "it is ", "what ", "哈", "真", "ha", "nice ", "的", "。"])
def test_no_text_takes_long_to_look_at(word: str) -> None:
    from forms_dynamics.extraction.claims import claims

    began = time.process_time()
    claims(word * 10_000)
    assert time.process_time() - began < 5.0
