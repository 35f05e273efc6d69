"""Text and vectors when no anchor answers; what they must not show."""

from __future__ import annotations

from array import array
from collections.abc import Sequence
from datetime import datetime
from itertools import chain

import pytest
from shelf import DAY, Shelf, empty, steps

from forms_dynamics.adapters.embedders import HashedNgrams
from forms_dynamics.errors import EmbedderMismatch
from forms_dynamics.model.value import Money, to_micros
from forms_dynamics.ports import Embedder
from forms_dynamics.retrieval.quoted import chunks


@pytest.fixture
def shelf() -> Shelf:
    return empty()


class Fixed:
    """Vectors by the first known word in a text; remembers what it was given."""

    def __init__(self, dimensions: int = 2, **angles: float) -> None:
        self.fingerprint = f"fixed-{dimensions}"
        self.dimensions = dimensions
        self.max_tokens = 8192
        self.angles = angles
        self.seen: list[str] = []

    def embed(self, texts: Sequence[str]) -> Sequence[Sequence[float]]:
        self.seen += texts
        out = []
        for text in texts:
            cosine = next((a for word, a in self.angles.items() if word in text), 0.0)
            out.append([cosine, (1 - cosine**2) ** 0.5, *[0.0] * (self.dimensions - 2)])
        return out


@pytest.mark.parametrize("question", ["部署", "部署方案", "身份", "用户身份", "证", "方案讨论了什么"])
def test_chinese_words_of_any_length(shelf: Shelf, question: str) -> None:
    shelf.say("今天主要讨论了部署方案和用户身份认证。")
    context = shelf.recall(question)
    assert context.messages[0] == "m1"
    assert "[低置信度]\n客户 (2026-06-01): 今天主要讨论了" in context.text
    assert 0 < context.confidence <= 0.5


@pytest.mark.parametrize(
    "question",
    ["don't", "pre-edit", "Downloads/specs", "ubuntu 20.04", "C++", "(v2", '"final', "the -v2- build"],
)
def test_words_that_look_like_syntax(shelf: Shelf, question: str) -> None:
    shelf.say(
        'Don\'t use pre-edit builds; see Downloads/specs, ubuntu 20.04, C++ (v2) "final".', speaker="Jo"
    )
    assert shelf.recall(question).messages == ("m1",)


@pytest.mark.parametrize("question", ["*", "", "   ", "?", "。。。", "db", "的", "what is the"])
def test_nothing_is_found_by_nothing(shelf: Shelf, question: str) -> None:
    shelf.say("今天主要讨论了部署方案。 Don't use pre-edit builds.")
    context = shelf.recall(question)
    assert (context.text, context.messages, context.forms, context.confidence) == ("", (), (), 0.0)


@pytest.mark.parametrize("embedder", [HashedNgrams(), Fixed(spare=1.0, rye=0.46, 备用=1.0, 黑麦=0.46)])
@pytest.mark.parametrize(
    ("said", "question"),
    [
        ("Anke Brandt bakes rye bread at five every morning.", "Where is the spare van key?"),
        ("安可每天早上五点烤黑麦面包。", "备用的车钥匙放在哪里？"),
    ],
)
def test_an_unrelated_question_gets_nothing_and_is_told_what_the_floor_cut(
    shelf: Shelf, said: str, question: str, embedder: Embedder
) -> None:
    message = shelf.say(said)
    shelf.form("f1", "lead_profile", {"company": said[:4]}, message, names=[said[:4]])
    context = shelf.recall(question, embedder=embedder)
    assert (context.text, context.messages, context.forms) == ("", (), ())
    missed = steps(context, "near_miss")
    assert {s for s, _ in missed} & {"m1", "f1"}
    assert all("floor" in reason for _, reason in missed)


def test_likeness_finds_where_words_do_not(shelf: Shelf) -> None:
    shelf.say("Anke bakes rye every morning.")
    context = shelf.recall("Who makes loaves?", embedder=Fixed(loaves=1.0, rye=0.7))
    assert context.messages == ("m1",)
    assert "lag" not in str(steps(context, "fallback"))


def test_forms_found_by_words_become_anchors_that_are_walked(shelf: Shelf) -> None:
    message = shelf.say("x", kind="record")
    shelf.form(
        "f1",
        "lead_profile",
        {"company": "赤水酒业", "budget": Money(1200000, "CNY")},
        message,
        names=["赤水酒业"],
    )
    shelf.form(
        "q1",
        "quote_form",
        {"quote_no": "Q-7", "amount": Money(990000, "CNY")},
        message,
        names=["Q-7"],
        key="quote_no",
    )
    shelf.edge("q1", "refers_to", "f1")
    assert "120万" in shelf.recall("酒业客户的底价").text
    context = shelf.recall("酒业那边有什么消息")
    assert {f.id for f in context.forms} == {"f1", "q1"}
    assert all(line.startswith("[低置信度]") for line in context.text.splitlines()[2:-1])
    assert context.confidence <= 0.5
    owner = shelf.scope._replace(owner="B")
    stranger = Shelf(shelf.catalog, shelf.store, owner, seq=10)
    stranger.say("我想问下酒业客户的底价一般多少？")
    other = stranger.recall("酒业客户的底价")
    assert other.forms == ()
    shown = other.text + str(other.questions) + str(other.trace.steps)
    assert "赤水" not in shown
    assert "120" not in shown
    assert other.confidence < context.confidence


# -- silence ---------------------------------------------------------------------------------------------------
def test_superseded_words_stay_silent_unless_history_is_asked_for(shelf: Shelf) -> None:
    old = shelf.say("海蓝电子付款一般是月结30天")
    shelf.form(
        "f1", "lead_profile", {"company": "海蓝电子", "payment_terms": "月结30天"}, old, names=["海蓝电子"]
    )
    new = shelf.say("不是月结30天了，现在预付50%")
    shelf.form("f1", "lead_profile", {"payment_terms": "预付50%"}, new)
    context = shelf.recall("财务规定的月结怎么算", recent_turns=5, conversation="c1")
    assert "月结30天" not in context.text
    assert not {"m1", "m2"} & set(context.messages)
    assert "月结30天" in shelf.recall("财务以前月结怎么算", history=True).text


def test_an_echo_of_what_no_longer_holds_stays_silent(shelf: Shelf) -> None:
    old = shelf.say("海蓝电子付款一般是月结30天")
    shelf.form(
        "f1", "lead_profile", {"company": "海蓝电子", "payment_terms": "月结30天"}, old, names=["海蓝电子"]
    )
    shelf.say("好的，月结30天已经记下，财务会核对", speaker="assistant", role="assistant")
    new = shelf.say("现在改为预付50%")
    assert "月结30天" in shelf.recall("财务核对了什么").text
    shelf.form("f1", "lead_profile", {"payment_terms": "预付50%"}, new)
    assert "月结30天" not in shelf.recall("财务核对了什么", conversation="c1", recent_turns=3).text


def test_a_message_whose_values_all_hold_may_be_shown(shelf: Shelf) -> None:
    old = shelf.say("海蓝电子的仓库在苏州，月结30天")
    shelf.form(
        "f1", "lead_profile", {"company": "海蓝电子", "payment_terms": "月结30天"}, old, names=["海蓝电子"]
    )
    assert "m1" in shelf.recall("仓库在哪个城市，苏州吗").messages


@pytest.mark.parametrize("state", ["open", "refused", "expired"])
def test_words_that_wait_or_were_refused_stay_silent(shelf: Shelf, state: str) -> None:
    message = shelf.say("衡山纺织按80万准备比较稳妥")
    shelf.form("f1", "lead_profile", {"company": "衡山纺织"}, message, names=["衡山纺织"])
    shelf.wait("p1", "f1", "budget", Money(800000, "CNY"), message.id, state)
    for question in ("按80万准备稳妥吗", "衡山纺织的预算", "衡山纺织的预算准备得稳妥吗"):
        lines = [
            x
            for x in shelf.recall(question, conversation="c1", recent_turns=3).text.splitlines()
            if "80万" in x
        ]
        assert all(x.startswith("[待确认]") for x in lines)
        assert state == "open" or not lines


def test_invalid_expired_cold_and_erased_forms_silence_their_words(shelf: Shelf) -> None:
    message = shelf.say("给柏山仪表的报价是9.8万")
    shelf.form(
        "q1",
        "quote_form",
        {"company": "柏山仪表", "amount": Money(98000, "CNY")},
        message,
        names=["柏山仪表"],
    )
    assert "9.8万" in shelf.recall("仪表报价多少钱合适").text
    assert "9.8万" not in shelf.recall("仪表报价多少钱合适", at=shelf.now + 200 * DAY).text
    shelf.form("q1", "quote_form", {}, shelf.say("作废", id="m2"), status="invalid")
    assert "9.8万" not in shelf.recall("仪表报价多少钱合适").text
    shelf.store.erase(shelf.scope, forms=["q1"])
    assert "9.8万" not in shelf.recall("仪表报价多少钱合适").text
    assert "9.8万" not in shelf.recall("仪表以前报价多少钱", history=True).text


def test_what_was_said_later_is_not_in_an_earlier_state(shelf: Shelf) -> None:
    shelf.say("仓库搬到苏州了")
    then = to_micros(datetime.fromisoformat("2026-05-01T00:00:00+08:00"))
    assert shelf.recall("仓库在苏州吗").messages == ("m1",)
    assert shelf.recall("仓库在苏州吗", as_of=then).messages == ()
    assert shelf.recall("仓库在苏州吗", known_at=then).messages == ()


# -- vectors ---------------------------------------------------------------------------------------------------
def test_anchors_need_no_vectors(shelf: Shelf) -> None:
    message = shelf.say("峰谷能源预算66万")
    shelf.form(
        "f1",
        "lead_profile",
        {"company": "峰谷能源", "payment_terms": "月结45天"},
        message,
        names=["峰谷能源"],
    )
    embedder = Fixed()
    assert "月结45天" in shelf.recall("峰谷那边账期", embedder=embedder).text
    assert embedder.seen == []
    assert set(shelf.recall("峰谷能源账期", embedder=embedder).trace.timings_ms) == {
        "question",
        "anchors",
        "expansion",
        "reading",
        "facts",
        "assembly",
    }


def test_vectors_of_another_embedder_are_an_error_only_when_needed(shelf: Shelf) -> None:
    message = shelf.say("峰谷能源预算66万")
    shelf.form(
        "f1",
        "lead_profile",
        {"company": "峰谷能源", "payment_terms": "月结45天"},
        message,
        names=["峰谷能源"],
    )
    shelf.recall("谁爱吃面包", embedder=Fixed(768))
    assert "月结45天" in shelf.recall("峰谷能源", embedder=Fixed(1024)).text
    assert (
        "66万"
        not in shelf.recall("峰谷能源那边怎么样，谁爱吃面包", embedder=Fixed(1024)).text.splitlines()[0]
    )
    with pytest.raises(EmbedderMismatch) as raised:
        shelf.recall("谁爱吃面包", embedder=Fixed(1024))
    assert all(word in str(raised.value) for word in ("768", "1024", "rebuild"))


def test_an_embedder_sees_no_secret_and_never_too_much(shelf: Shelf) -> None:
    filler = "今天天气不错，我们随便聊聊。" * 3000
    shelf.say(f"密码是Tr0ub4dor77。开头的鹦鹉{filler}结尾的犀牛")
    embedder = Fixed()
    context = shelf.recall("犀牛在哪", embedder=embedder)
    assert context.messages == ("m1",)
    assert "犀牛" in context.text
    assert context.tokens < 1000
    assert "鹦鹉" in shelf.recall("鹦鹉呢", embedder=embedder).text
    assert max(map(len, embedder.seen)) <= 512
    assert any("鹦鹉" in text for text in embedder.seen)
    assert "Tr0ub4dor77" not in "".join(embedder.seen)


class Recording(Fixed):
    """Keeps what it was asked in one go, questions left out; the vector of a text says how long it is."""

    def __init__(self) -> None:
        super().__init__()
        self.batches: list[list[str]] = []

    def embed(self, texts: Sequence[str]) -> Sequence[Sequence[float]]:
        self.batches.append(list(texts))
        return [[float(len(text)), *[1.0] * (self.dimensions - 1)] for text in texts]

    def embed_query(self, texts: Sequence[str]) -> Sequence[Sequence[float]]:
        return [[1.0] * self.dimensions for _ in texts]


@pytest.mark.parametrize(
    "sentence", ["今天天气不错，我们随便聊聊第{}件事。", "We talked of the weather and of thing {}. "]
)
def test_a_recall_embeds_64_pieces_of_a_long_document(shelf: Shelf, sentence: str) -> None:
    long = "".join(sentence.format(i) for i in range(2, 4000))
    shelf.say(long)
    short = [shelf.say(f"犀牛{i}" + "，吃草" * (i % 7)) for i in range(10)]
    embedder = Recording()
    first = shelf.recall("犀牛", embedder=embedder)
    # what fits goes first; a process that asks no more spends nothing on what it could not finish
    assert sorted(chain.from_iterable(embedder.batches)) == sorted(f"客户: {m.text}" for m in short)
    assert "lag: 1 documents" in str(steps(first, "fallback"))
    told = [first]
    while "lag" in str(steps(told[-1], "fallback")):
        told.append(shelf.recall("犀牛", embedder=embedder))
    assert [len(batch) for batch in embedder.batches[1:-1]] == [64] * (len(told) - 2)
    assert len(told) > 3
    assert "embedded 1 documents" in str(steps(told[-1], "fallback"))
    pieces = list(chain.from_iterable(embedder.batches[1:]))
    assert len(set(pieces)) == len(pieces)  # none twice
    size = len("".join(long.split()))
    assert size < sum(len("".join(piece.split())) for piece in pieces) < size + 20
    for batch in embedder.batches:
        assert [len(text) for text in batch] == sorted(len(text) for text in batch)
    kept = {(r.id, r.part): array("f", r.vector)[0] for r in shelf.store.vectors(shelf.scope, "fixed-2")}
    assert all(kept[m.id, 0] == len(f"客户: {m.text}") for m in short)
    assert sorted(v for (id, _), v in kept.items() if id == "m1") == sorted(map(float, map(len, pieces)))


def test_the_lag_of_embeddings_is_told(shelf: Shelf, monkeypatch: pytest.MonkeyPatch) -> None:
    from forms_dynamics.retrieval import vectors

    monkeypatch.setattr(vectors, "_A_RECALL", 3)
    for i in range(5):
        shelf.say(f"第{i}句")
    embedder = Fixed()
    assert "lag" in str(steps(shelf.recall("面包", embedder=embedder), "fallback"))
    assert "lag" not in str(steps(shelf.recall("面包", embedder=embedder), "fallback"))


def test_an_embedder_that_fails_leaves_the_words(shelf: Shelf) -> None:
    class Broken(Fixed):
        def embed(self, texts: Sequence[str]) -> Sequence[Sequence[float]]:
            raise RuntimeError("out of order")

    shelf.say("仓库搬到苏州了")
    context = shelf.recall("仓库在苏州吗", embedder=Broken())
    assert context.messages == ("m1",)
    assert any("failed" in reason for _, reason in steps(context, "fallback"))


def test_text_of_the_fallback_has_its_share_of_the_budget(shelf: Shelf) -> None:
    message = shelf.say("Marlow", kind="record")
    shelf.form("f1", "lead_profile", {"company": "Marlow"}, message, names=["Marlow"])
    for i in range(30):
        shelf.say(f"the warehouse talk number {i} went on and on about pallets")
    both = shelf.recall("What about the warehouse pallets of Marlow?", max_tokens=200)
    alone = shelf.recall("What about the warehouse pallets?", max_tokens=200)
    assert "Marlow" in both.text.splitlines()[2]
    assert len(both.messages) < len(alone.messages)
    assert both.tokens <= 200
    assert alone.tokens <= 200


def test_cold_forms_take_no_place(shelf: Shelf) -> None:
    for i in range(12):
        message = shelf.say("r", kind="record", time=shelf.now - (200 * DAY if i < 6 else i))
        shelf.form(
            f"f{i:02}",
            "lead_profile",
            {"company": f"Firm{i}", "payment_terms": "pallet oak delivery"},
            message,
            names=[f"Firm{i}"],
        )
    context = shelf.recall("oak pallet", embedder=None)
    assert len(context.forms) == 5
    assert not any(f.cold for f in context.forms)
    assert (
        any(f.cold for f in shelf.recall("oak pallet", include_cold=True).forms)
        or len(shelf.recall("oak pallet", include_cold=True).forms) == 5
    )


# -- pieces ----------------------------------------------------------------------------------------------------
@pytest.mark.parametrize(
    "text",
    ["预算50万，" * 400, "a 12,000 USD b" * 300, "👨‍👩‍👧" * 400, "短", "", "字" * 2000, "one. two! " * 300],
)
def test_pieces_lose_nothing_and_keep_values_whole(text: str) -> None:
    pieces = chunks(text, 100)
    assert all(0 < len(p) <= 100 for p in pieces)
    assert "".join("".join(pieces).split()) == "".join(text.split())
    for piece in pieces:
        assert not piece.startswith(("\u200d", "万", ",000", "\ufe0f"))
        assert not piece.endswith(("\u200d", "12", "12,"))
