"""How surely a context answers: whose fact it is, in both languages."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from shelf import Shelf, empty

from forms_dynamics.model.record import MessageRecord
from forms_dynamics.model.value import Money
from forms_dynamics.retrieval.confidence import Ground, Known, Subject, confidence, ground_of, subject_of
from forms_dynamics.retrieval.fallback import content_terms
from forms_dynamics.retrieval.lexicon import lexicon_of
from forms_dynamics.retrieval.question import Question, parse
from forms_dynamics.schema.load import load_catalog

LEXICON = lexicon_of(load_catalog(["lead_profile"], None))

# two people tell of the same kind of thing, each their own
TALKS = {
    "en": [
        ("Nora", "I started pottery classes in March, the glazing is my favourite part."),
        ("Omar", "Wonderful! I went kayaking on the fjord with my brother last weekend."),
        ("Nora", "Was it cold out there?"),
        ("Omar", "Freezing. My brother dropped his paddle and we laughed for an hour."),
        ("Nora", "My daughter painted a lighthouse for the school fair."),
        ("Omar", "Your daughter is so talented, that lighthouse will win the fair!"),
    ],
    "zh": [
        ("李思婷", "我三月份报了陶艺班，最喜欢的是上釉。"),
        ("陈志远", "真好！我上周末和弟弟去峡湾划皮划艇了。"),
        ("李思婷", "那边冷不冷？"),
        ("陈志远", "冻死了。我弟弟把船桨弄丢了，我们笑了一个小时。"),
        ("李思婷", "我女儿给学校义卖会画了一座灯塔。"),
        ("陈志远", "你女儿太有才了，那座灯塔一定会在义卖会上得奖！"),
    ],
}
# what one of them said, asked of that one and of the other
ASKED = [
    ("en", "When did {} start pottery classes?", "Nora", "Omar"),
    ("en", "What did {}'s brother drop while kayaking?", "Omar", "Nora"),
    ("en", "What did {}'s daughter paint for the school fair?", "Nora", "Omar"),
    ("en", "Who is so talented that {}'s lighthouse will win?", "Nora", "Omar"),
    ("zh", "{}什么时候报的陶艺班？", "李思婷", "陈志远"),
    ("zh", "{}和谁去峡湾划皮划艇？", "陈志远", "李思婷"),
    ("zh", "{}的弟弟把什么弄丢了？", "陈志远", "李思婷"),
    ("zh", "{}的女儿给学校义卖会画了什么？", "李思婷", "陈志远"),
    ("zh", "{}的灯塔会得奖吗？", "李思婷", "陈志远"),
]


def said(*turns: tuple[str, str], role: str = "user") -> list[MessageRecord]:
    return [
        MessageRecord(
            i,
            f"m{i}",
            "c",
            who,
            "assistant" if who in ("assistant", "助手") else role,
            text,
            i,
            0,
            i,
            "stored",
        )
        for i, (who, text) in enumerate(turns, 1)
    ]


def ask(question: str) -> Question:
    return parse(question, LEXICON)


def ground(question: str, heard: list[MessageRecord]) -> Ground:
    parsed = ask(question)
    return ground_of(parsed, content_terms(parsed), heard, ())


@pytest.fixture
def shelf() -> Shelf:
    return empty()


@pytest.mark.parametrize(("lang", "question", "whose", "other"), ASKED)
def test_another_persons_fact_is_less_sure(lang: str, question: str, whose: str, other: str) -> None:
    heard = said(*TALKS[lang])
    right, swapped = ground(question.format(whose), heard), ground(question.format(other), heard)
    assert right.subject.speakers == {whose}
    assert right.value > 0.25 > swapped.value
    assert right.own > right.others
    assert swapped.own < swapped.others


@pytest.mark.parametrize(("lang", "question", "whose", "other"), ASKED)
def test_through_a_recall(shelf: Shelf, lang: str, question: str, whose: str, other: str) -> None:
    for who, text in TALKS[lang]:
        shelf.say(text, speaker=who)
    right, swapped = shelf.recall(question.format(whose)), shelf.recall(question.format(other))
    assert 0.5 >= right.confidence > swapped.confidence > 0
    told = [s for s in right.trace.steps if s.subject == "confidence"]
    assert [round(s.weight or 0, 4) for s in told] == [right.confidence]
    assert f"about {whose}" in told[0].reason


@pytest.mark.parametrize(
    ("question", "speakers"),
    [
        ("When did Nora start?", {"Nora Lindqvist"}),
        ("When did Lindqvist's course start?", {"Nora Lindqvist"}),
        ("What did Nor say of it?", {"Nora Lindqvist"}),  # as friends shorten it
        ("What do Nora and Omar both like?", {"Nora Lindqvist", "Omar"}),
        ("What is the normal price?", set()),  # nor is no name here
        ("思婷什么时候开始的？", {"李思婷"}),
        ("李思婷的课什么时候开始？", {"李思婷"}),
        ("婷婷什么时候开始的？", set()),
    ],
)
def test_who_spoke_here_is_known_by_label(question: str, speakers: set[str]) -> None:
    people = frozenset({"Nora Lindqvist", "Omar", "李思婷"})
    assert subject_of(ask(question), (), people).speakers == speakers


def test_a_name_that_two_bear_tells_neither() -> None:
    people = frozenset({"Alexander Scott", "Alexander Allen"})
    assert subject_of(ask("What did Alexander set?"), (), people).speakers == frozenset()
    assert subject_of(ask("What did Alexander Allen set?"), (), people).speakers == {"Alexander Allen"}


@pytest.mark.parametrize(
    ("question", "first_hand"),
    [
        ("What is my budget for books?", True),
        ("How many hours did I practise?", True),
        ("Can you tell me what the workshop taught?", False),
        ("Could you remind us when the panel met?", False),
        ("What did the panel ask?", False),
        ("我的买书预算是多少？", True),
        ("我练了几个小时？", True),
        ("告诉我讲座讲了什么", False),
        ("帮我查一下评审会的结论", False),
        ("评审会问了什么？", False),
    ],
)
def test_the_asker_is_whom_it_is_about_not_whom_to_tell(question: str, first_hand: bool) -> None:
    heard = said(("user", "The workshop is on Friday. 讲座在周五。"))
    assert subject_of(ask(question), heard, frozenset()).first_hand is first_hand


@pytest.mark.parametrize(
    ("heard", "known", "unknown"),
    [
        (
            [("user", "Priya's birthday is on 3 May."), ("user", "Tomas works at the harbour office.")],
            "When is Priya's birthday?",
            "When is Tomas's birthday?",
        ),
        (
            [("user", "王建国的生日是五月三日。"), ("user", "赵敏在港务局上班。")],
            "王建国的生日是哪天？",
            "赵敏的生日是哪天？",
        ),
    ],
)
def test_someone_who_never_spoke(heard: list[tuple[str, str]], known: str, unknown: str) -> None:
    right, swapped = ground(known, said(*heard)), ground(unknown, said(*heard))
    assert not right.subject.first_hand
    assert 0.35 >= right.value > swapped.value


@pytest.mark.parametrize("lang", ["en", "zh"])
def test_a_question_states_nothing(lang: str) -> None:
    asked = {"en": "Did Nora sell the red canoe?", "zh": "李思婷卖掉红色独木舟了吗？"}[lang]
    told = {"en": "I sold the red canoe.", "zh": "我卖掉红色独木舟了。"}[lang]
    back = {"en": "Should I sell the red canoe?", "zh": "我要卖掉红色独木舟吗？"}[lang]
    who = {"en": "Nora", "zh": "李思婷"}[lang]
    rest = ("Omar", "Nice day.")
    assert ground(asked, said((who, told), rest)).value > ground(asked, said((who, back), rest)).value


WORDS = ["canoe", "harbour", "lantern", "violin", "orchard", "ticket"]
ZH_WORDS = ["独木舟", "港口", "灯笼", "提琴", "果园", "车票"]


@settings(max_examples=150, deadline=None)
@given(
    lang=st.sampled_from(["en", "zh"]),
    picked=st.lists(st.integers(0, 5), min_size=1, max_size=4, unique=True),
    filler=st.lists(
        st.tuples(st.booleans(), st.lists(st.integers(0, 5), min_size=1, max_size=3)), max_size=8
    ),
    place=st.integers(0, 8),
)
def test_taking_the_answer_away_never_raises_it_and_swapping_the_subject_never_does(
    lang: str, picked: list[int], filler: list[tuple[bool, list[int]]], place: int
) -> None:
    whose, other = ("Nora", "Omar") if lang == "en" else ("李思婷", "陈志远")
    words, joint, i = (WORDS, " ", "I like ") if lang == "en" else (ZH_WORDS, "、", "我喜欢")
    # the other's words hold at most what the answer holds; both have said something
    turns = [(whose if own else other, i + joint.join(words[w] for w in some)) for own, some in filler]
    turns += [(whose, "Hello." if lang == "en" else "早。"), (other, "Hello." if lang == "en" else "早。")]
    answer = (whose, i + joint.join(words[w] for w in picked))
    question = (
        (f"Does {{}} like {joint.join(words[w] for w in picked)}?")
        if lang == "en"
        else (f"{{}}喜欢{joint.join(words[w] for w in picked)}吗？")
    )
    without = ground(question.format(whose), said(*turns))
    place = min(place, len(turns))
    full = said(*turns[:place], answer, *turns[place:])
    assert ground(question.format(whose), full).value >= without.value - 1e-9
    if all(who == whose for who, text in turns[:-2]):
        assert ground(question.format(whose), full).value > ground(question.format(other), full).value


def test_the_order_of_what_a_figure_means() -> None:
    nobody, nora = Subject(), Subject(frozenset({"Nora"}), frozenset({"nora"}), True)
    sure = confidence(Known(0.9, answered=True, confidence=1.0, asks=True), 0.0, None)
    faded = confidence(Known(0.9, answered=True, confidence=0.4, asks=True), 0.0, None)
    named = confidence(Known(0.9), 0.0, None)
    unknown = confidence(Known(0.9, asks=True), 0.0, None)
    full = confidence(Known(), 0.0, Ground(nora, 1.0, 1.0))
    silent = confidence(Known(), 0.0, Ground(nora, 0.0, 0.0))
    others = confidence(Known(), 0.0, Ground(nora, 0.0, 1.0))
    assert sure == 1.0 > faded >= 0.9 > named > 0.5 == full > unknown > silent == 0.25 > others == 0.0
    assert confidence(Known(), 0.0, Ground(nobody, 1.0, 0.0)) == 0.35
    # a Form that does not know it and messages that do: no surer than the messages, nor than the Form allows
    assert confidence(Known(0.9, asks=True), 0.0, Ground(nora, 0.2, 0.4)) < silent
    assert confidence(Known(0.9, asks=True), 0.0, Ground(nora, 1.0, 0.0)) == unknown
    # a list that says nothing of what else the question says
    assert confidence(Known(0.9, True, 1.0, asks=True, more=True, vague=True), 0.0, None) == unknown


@pytest.mark.parametrize(
    ("company", "asked", "else_"),
    [
        ("海蓝电子", "海蓝电子的预算是多少？", "海蓝电子的付款方式是什么？"),
        ("Marlow Ltd", "What is Marlow Ltd's budget?", "What are Marlow Ltd's payment terms?"),
    ],
)
def test_a_known_slot_is_sure_and_a_form_without_it_is_not(
    shelf: Shelf, company: str, asked: str, else_: str
) -> None:
    message = shelf.say(f"{company} 50")
    shelf.form(
        "f1", "lead_profile", {"company": company, "budget": Money(500000, "CNY")}, message, names=[company]
    )
    assert shelf.recall(asked).confidence >= 0.9
    assert shelf.recall(else_).confidence < 0.5
