"""A recording played again: as production does it, under other settings, whatever the number of workers."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from forms_dynamics import InvalidInput, Memory
from forms_dynamics.replay import run as runs_module
from forms_dynamics.replay.figures import figures
from forms_dynamics.replay.logs import BadLine, read_logs
from forms_dynamics.replay.recording import Recording, record
from forms_dynamics.replay.sweep import play
from forms_dynamics.replay.values import Counts, Run, Turn
from forms_dynamics.testing import FixedClock, ScriptedExtractor

TYPES = ["lead_profile", "quote_form", "contract_form"]


def said(id: str, text: str, conversation: str = "c1", **more: Any) -> dict[str, Any]:
    return {"id": id, "text": text, "conversation": conversation, **more}


def lead(**slots: Any) -> dict[str, Any]:
    return {"form_type": "lead_profile", "slots": slots}


LOG = [
    said("1", "海蓝电子的预算50万，分三期付款", time="2026-06-01T10:00:00+08:00"),
    said("2", "好的，预算60万可以吗？", role="assistant"),
    said("3", "预算大概70万左右", time="2026-06-02T10:00:00+08:00"),
    said("4", "It is 800,000 now, final.", "c2", time="2026-06-03T10:00:00+08:00", user="u"),
    said("5", "预算改成60万", time="2026-06-04T10:00:00+08:00"),
    said("6", "ok 👍", "c2", user="u"),
]
SCRIPT: Mapping[str, Any] = {
    "1": [
        lead(
            company={"value": "海蓝电子", "confidence": 0.95, "evidence": "海蓝电子"},
            budget={"value": 500000, "confidence": 0.75, "evidence": "预算50万"},
            payment_terms={"value": "分五期付款", "confidence": 0.99},
        )
    ],
    "3": [lead(budget={"value": 700000, "confidence": 0.9, "evidence": "预算大概70万左右"})],
    "4": [lead(budget={"value": 800000, "confidence": 0.85, "evidence": "800,000"})],
    "5": [lead(budget={"value": 600000, "confidence": 0.9, "evidence": "预算改成60万"})],
}


def recorded(
    folder: Path, log: Sequence[Mapping[str, Any]] = LOG, script: Any = SCRIPT, types: Any = TYPES
) -> Recording:
    return record(log, folder / "r.jsonl", form_types=types, extractor=ScriptedExtractor(script))


def played(made: Recording, *plans: Mapping[str, Any], **more: Any) -> list[Run]:
    options = {"form_types": TYPES, "keep_turns": True, "workers": 1, **more}
    return play(made, plans or [{}], **options)


def still(run: Run) -> Run:
    """The run without the times that it took."""
    turns = [t._replace(asked=tuple(a._replace(ms=0.0) for a in t.asked)) for t in run.turns]
    return replace(run, seconds=0.0, turns=turns)


def facts(turn: Turn) -> list[tuple[str, str, str, str]]:
    return [(f.slot, f.value, f.outcome, f.reason) for f in turn.facts]


def test_each_proposed_slot_is_told_with_what_became_of_it(tmp_path: Path) -> None:
    (run,) = played(recorded(tmp_path))
    first, assistant, third, fourth, fifth, last = run.turns
    assert [(f.slot, f.outcome) for f in first.facts] == [
        ("company", "accepted"),
        ("budget", "held"),
        ("payment_terms", "refused"),
    ]
    assert first.facts[1].reason == "low_confidence"
    assert "500,000 CNY" in first.facts[1].value
    assert assistant.role == "assistant"
    assert not assistant.facts
    assert facts(third)[0][2:] == ("held", "hedged")
    assert fourth.conversation == "u/c2"
    assert fourth.facts[0].outcome == "accepted"
    assert [f.outcome for f in fifth.facts] == ["accepted"]
    assert not last.facts
    assert [t.number for t in run.turns] == [1, 2, 3, 1, 4, 2]
    assert list(run.by_conversation) == ["c1", "u/c2"]
    assert run.total().turns == 6
    assert run.total().versions == sum(len(t.versions) for t in run.turns)


def test_it_does_what_production_does(tmp_path: Path) -> None:
    """The same versions, refusals and questions as a memory that observes the log message by message."""
    (run,) = played(recorded(tmp_path))
    clock = FixedClock("2026-06-01T10:00:00+08:00")
    with Memory.open(
        ":memory:", form_types=TYPES, extractor=ScriptedExtractor(SCRIPT), clock=clock
    ) as memory:
        for message, turn in zip(LOG, run.turns, strict=True):
            clock.set(message.get("time") or clock.now())
            owner = memory.scoped(user=message.get("user"))
            receipt = owner.observe(**{k: v for k, v in message.items() if k != "user"})
            assert list(receipt.versions) == list(turn.versions)
            assert [r.slot for r in receipt.refused] == [f.slot for f in turn.facts if f.outcome == "refused"]
            assert tuple(receipt.questions) == turn.questions


def test_a_lower_threshold_accepts_what_a_higher_one_holds(tmp_path: Path) -> None:
    low, high = played(recorded(tmp_path), {"conf_threshold": 0.7}, {"conf_threshold": 0.87})
    assert (low.total().accepted, low.total().held) == (4, 1)
    assert (high.total().accepted, high.total().held) == (2, 3)
    assert low.settings == {"conf_threshold": 0.7}


PLANS: list[Mapping[str, Any]] = [
    {},
    {"conf_threshold": 0.5},
    {"conf_threshold": 0.5, "max_anchors": 1},
    {"conf_threshold": 0.99},
    {"hedge_cap": 0.9},
    {"walk_cut": 0.1},
    {"strict_corrections": True},
]
ASKED = {
    "recall": [
        {"question": "海蓝电子的预算是多少？", "contains": ["60万"], "lacks": ["50万"]},
        {"question": "海蓝电子的付款方式？", "contains": ["三期"]},
    ]
}
PROBED = [*LOG[:4], {**LOG[4], "expect": {**ASKED, "forms": [lead(budget=600000)]}}, LOG[5]]


def test_the_results_do_not_depend_on_the_number_of_workers(tmp_path: Path) -> None:
    made = recorded(tmp_path, PROBED)
    alone = [still(run) for run in played(made, *PLANS)]
    for workers in (2, 5):
        assert [still(run) for run in played(made, *PLANS, workers=workers)] == alone
    counted = played(made, *PLANS, workers=2, keep_turns=False)
    assert [run.by_conversation for run in counted] == [run.by_conversation for run in alone]
    assert all(not run.turns for run in counted)


@pytest.mark.parametrize("window", [1, 2, 3])
def test_nor_on_how_many_messages_are_taken_at_once(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, window: int
) -> None:
    made = recorded(tmp_path, PROBED)
    together = [still(run) for run in played(made, *PLANS)]
    monkeypatch.setattr(runs_module, "WINDOW", window)
    assert [still(run) for run in played(made, *PLANS)] == together


def test_plans_that_share_a_run_find_what_they_find_alone(tmp_path: Path) -> None:
    made = recorded(tmp_path, PROBED)
    together = played(made, *PLANS)
    for plan, run in zip(PLANS, together, strict=True):
        assert still(played(made, plan)[0]) == still(run)


def test_labelled_questions_are_asked_after_their_message_and_change_nothing(tmp_path: Path) -> None:
    (with_questions,) = played(recorded(tmp_path, PROBED))
    (tmp_path / "b").mkdir()
    without = [{k: v for k, v in m.items() if k != "expect"} for m in LOG]
    (plain,) = played(recorded(tmp_path / "b", without))
    assert [t.versions for t in with_questions.turns] == [t.versions for t in plain.turns]
    budget, terms = with_questions.turns[4].asked
    assert budget.right
    assert budget.rank is not None
    assert budget.tokens > 0
    assert ("anchor" in {kind for kind, _, _ in budget.steps}) is True
    assert terms.missing == ("三期",)
    assert terms.rank is None
    found = figures(with_questions.total())
    assert found["answer_accuracy"] == 0.5
    assert found["stale_rate"] == 0.0


def test_a_stale_answer_is_told(tmp_path: Path) -> None:
    old = {
        "recall": [{"question": "海蓝电子的预算是多少？", "contains": ["60万"], "lacks": ["60万", "90万"]}]
    }
    (run,) = played(recorded(tmp_path, [*LOG[:4], {**LOG[4], "expect": old}]))
    (asked,) = run.turns[4].asked
    assert (asked.missing, asked.stale, asked.right) == ((), ("60万",), False)
    assert figures(run.total())["stale_rate"] == 1.0


FAR = [
    said("1", "客户海蓝电子，联系人赵敏"),
    said("2", "报价Q1给海蓝电子，50万"),
    said(
        "3",
        "合同C9由报价Q1而来",
        expect={
            "recall": [
                {"question": "合同C9的客户联系人是谁？", "contains": ["赵敏"], "max_hops": 2},
                {"question": "合同C9的客户联系人是谁？", "contains": ["赵敏"], "max_hops": 0},
                {"question": "海蓝电子的联系人是谁？", "contains": ["赵敏"]},
            ]
        },
    ),
]
FAR_SCRIPT = {
    "1": [lead(company={"value": "海蓝电子"}, contact_name={"value": "赵敏"})],
    "2": [
        {
            "form_type": "quote_form",
            "slots": {
                "quote_no": {"value": "Q1"},
                "company": {"value": "海蓝电子"},
                "amount": {"value": "50万"},
            },
        }
    ],
    "3": [
        {
            "form_type": "contract_form",
            "slots": {"contract_no": {"value": "C9"}},
            "relations": [{"relation": "evolves_from", "to": {"form_type": "quote_form", "quote_no": "Q1"}}],
        }
    ],
}


def test_questions_of_two_hops_are_counted_whether_or_not_they_are_answered(tmp_path: Path) -> None:
    (run,) = played(recorded(tmp_path, FAR, FAR_SCRIPT))
    far, cut, near = run.turns[2].asked
    assert (far.hops, far.right) == (2, True)
    assert (cut.hops, cut.right) == (2, False)
    assert (near.hops, near.right) == (0, True)
    assert (run.total().asked_far, run.total().asked_far_right) == (2, 1)
    assert figures(run.total())["multi_hop_accuracy"] == 0.5


def test_a_question_of_two_hops_is_one_where_its_edge_is_missing_or_its_value_has_a_unit(
    tmp_path: Path,
) -> None:
    far = {"question": "合同C9的客户联系人是谁？", "contains": ["赵敏"], "max_hops": 2}
    budget = {"question": "合同C9的客户预算是多少？", "contains": ["80万"], "max_hops": 0}
    log = [
        said("1", "客户海蓝电子，联系人赵敏，预算80万"),
        FAR[1],
        said("3", FAR[2]["text"], expect={"recall": [far, budget]}),
    ]
    rich = {"company": {"value": "海蓝电子"}, "contact_name": {"value": "赵敏"}, "budget": {"value": "80万"}}
    (run,) = played(recorded(tmp_path, log, {**FAR_SCRIPT, "1": [lead(**rich)]}))
    assert [one.hops for one in run.turns[2].asked] == [2, 2]  # 80万 is 800,000 CNY until it is shown
    elsewhere = {**FAR_SCRIPT["2"][0], "slots": {"quote_no": {"value": "Q1"}, "company": {"value": "别家"}}}
    (tmp_path / "other").mkdir()
    (run,) = played(recorded(tmp_path / "other", log, {**FAR_SCRIPT, "2": [elsewhere]}))
    assert (run.turns[2].asked[0].hops, run.turns[2].asked[0].right) == (2, False)
    assert figures(run.total())["multi_hop_accuracy"] == 0.0


PARCEL = """
form_type: parcel
identity: {any: [[number], [phone], [$conversation]]}
slots:
  number: {type: text, aliases: [单号]}
  phone: {type: phone, aliases: [电话]}
  boxes: {type: integer, aliases: [箱子]}
"""


def test_a_label_with_another_key_is_about_the_form_that_is_the_conversations_own(tmp_path: Path) -> None:
    (tmp_path / "parcel.yaml").write_text(PARCEL, encoding="utf-8")

    def labelled(id: str, text: str, **slots: Any) -> dict[str, Any]:
        return said(id, text, expect={"forms": [{"form_type": "parcel", "slots": slots}]})

    log = [
        labelled("1", "电话：13862001001，箱子：20个", phone="13862001001", boxes=20),
        labelled("2", "单号：M-201", number="M-201"),
        labelled("3", "单号：M-202，箱子：30个", number="M-202", boxes=30),
    ]
    made = record(log, tmp_path / "r.jsonl", form_types=[tmp_path / "parcel.yaml"])
    (run,) = play(made, [{}], form_types=[tmp_path / "parcel.yaml"], workers=1)
    found = figures(run.total())
    assert (found["precision"], found["recall"], found["joint_accuracy"]) == (1.0, 1.0, 1.0)


def test_labels_give_verdicts(tmp_path: Path) -> None:
    log = [
        {
            **LOG[0],
            "expect": {"forms": [lead(company="海蓝电子", budget=500000, payment_terms="分三期付款")]},
        },
        *LOG[1:3],
        {**LOG[4], "expect": {"forms": [lead(budget=610000)]}},
    ]
    (run,) = played(recorded(tmp_path, log))
    first, _, _, last = run.turns
    assert run.truth == "labels"
    assert [(f.slot, f.verdict) for f in first.facts] == [
        ("company", "right"),
        ("budget", "right"),
        ("payment_terms", "wrong"),
    ]
    assert {slot for _, slot, _ in first.missed} == {"budget", "payment_terms"}
    assert [(f.outcome, f.verdict) for f in last.facts] == [("accepted", "wrong")]
    total = run.total()
    assert (total.accepted_right, total.accepted_wrong, total.expected, total.found) == (1, 1, 4, 1)


def test_a_log_without_labels_is_judged_by_itself(tmp_path: Path) -> None:
    log = [said("1", "预算50万"), said("2", "预算50万，没错")]
    script = {id: [lead(budget={"value": 500000, "confidence": 0.6, "evidence": "预算50万"})] for id in "12"}
    low, high = played(recorded(tmp_path, log, script), {"conf_threshold": 0.5}, {})
    assert low.truth == "self-consistency"
    assert low.total().accepted_right >= 1
    assert high.total().held_right >= 1


def test_what_could_not_be_read_waits_in_the_replay_too(tmp_path: Path) -> None:
    script = {**SCRIPT, "3": {"raise": RuntimeError("away")}}
    (run,) = played(recorded(tmp_path, LOG, script))
    assert run.total().queued == 1
    assert not run.turns[2].facts


@pytest.mark.parametrize(
    ("plan", "told"),
    [
        ({"model": "x"}, "model decides what is read"),
        ({"conf_treshold": 1}, "did you mean 'conf_threshold'"),
        ({"conf_threshold": 2}, "conf_threshold"),
        ({"back_check": "model"}, "never does"),
    ],
)
def test_a_plan_that_cannot_be_played_is_refused(tmp_path: Path, plan: Mapping[str, Any], told: str) -> None:
    with pytest.raises(InvalidInput, match=told):
        played(recorded(tmp_path), plan)


def test_a_recording_of_other_types_is_refused(tmp_path: Path) -> None:
    with pytest.raises(InvalidInput, match=r"stale.*form type contract_form is gone"):
        played(recorded(tmp_path), form_types=["lead_profile", "quote_form"])


def test_a_label_that_is_wrong_names_its_message(tmp_path: Path) -> None:
    log = [{**LOG[0], "expect": {"forms": [lead(buget=1)]}}]
    with pytest.raises(InvalidInput, match=r"message 1: expect\.forms\[0\].*budget"):
        played(recorded(tmp_path, log))
    two = [{**LOG[0], "expect": {"forms": [lead(buget=1)]}}]
    with pytest.raises(InvalidInput, match="budget"):
        played(recorded(tmp_path, two), {}, {"conf_threshold": 0.5}, workers=2)


def test_progress_counts_every_message_of_every_run(tmp_path: Path) -> None:
    heard: list[tuple[int, int]] = []
    played(recorded(tmp_path), *PLANS, workers=2, progress=lambda p: heard.append(tuple(p)))
    of = heard[-1][1]
    assert heard[-1][0] == of
    assert of == 6 * 5  # seven plans, of which two pairs write alike


def test_counts_of_turns_add_up_to_those_of_conversations(tmp_path: Path) -> None:
    (run,) = played(recorded(tmp_path, PROBED))
    for name, counts in run.by_conversation.items():
        total = Counts()
        for turn in run.turns:
            if turn.conversation == name:
                total = total.plus(turn.counts)
        assert total == counts


def test_a_number_is_not_held_by_a_longer_one(tmp_path: Path) -> None:
    log = [
        {
            **LOG[0],
            "expect": {
                "recall": [
                    {"question": "海蓝电子的预算是多少？", "contains": ["50万"], "lacks": ["5", "0万", "50"]},
                    {"question": "海蓝电子的预算是多少？", "lacks": ["500,000", "000"]},
                ]
            },
        }
    ]
    (run,) = played(recorded(tmp_path, log), {"conf_threshold": 0.5})
    first, second = run.turns[0].asked
    assert (first.missing, first.stale) == ((), ("50",))  # 50 stands in 50万 as a number of its own
    assert second.stale == ("500,000",)


def test_slots_that_no_label_of_the_log_names_are_not_judged(tmp_path: Path) -> None:
    log = [{**LOG[0], "expect": {"forms": [lead(company="海蓝电子")]}}, *LOG[1:]]
    (run,) = played(recorded(tmp_path, log), {"conf_threshold": 0.5})
    assert [(f.slot, f.outcome, f.verdict) for f in run.turns[0].facts] == [
        ("company", "accepted", "right"),
        ("budget", "accepted", "unknown"),
        ("payment_terms", "refused", "unknown"),
    ]
    for name, whole in (("complete", {"complete": True}), ("empty", {"forms": []})):
        (tmp_path / name).mkdir()
        log = [{**LOG[0], "expect": {"forms": [lead(company="海蓝电子")], **whole}}, *LOG[1:]]
        (run,) = played(recorded(tmp_path / name, log), {"conf_threshold": 0.5})
        assert run.turns[0].facts[1].verdict == "wrong"


@pytest.mark.parametrize(
    ("label", "verdict"),
    [
        (800000, "right"),
        ("80万", "right"),
        ("800,000 USD", "right"),
        ("800,000 CNY", "wrong"),
        (810000, "wrong"),
    ],
)
def test_a_bare_number_is_of_the_currency_that_was_spoken_of(
    tmp_path: Path, label: Any, verdict: str
) -> None:
    said_in_dollars = {**LOG[3], "text": "It is $800,000 now, final."}
    script = {"4": [lead(budget={"value": "$800,000", "confidence": 0.9, "evidence": "$800,000"})]}
    log = [{**said_in_dollars, "expect": {"forms": [lead(budget=label)]}}]
    (run,) = played(recorded(tmp_path, log, script))
    assert [f.verdict for f in run.turns[0].facts] == [verdict]


def test_the_example_dialogues_are_replayed_without_a_fault(tmp_path: Path) -> None:
    folder = Path(__file__).parents[3] / "examples" / "dialogue"
    log = []
    for line in read_logs([str(folder / "zh.jsonl"), str(folder / "en.jsonl")]):
        assert not isinstance(line, BadLine)
        log.append({**line.message, "expect": line.expect})
    (run,) = play(record(log, tmp_path / "r.jsonl"), [{}], workers=1)
    found = figures(run.total())
    for name in ("precision", "recall", "field_accuracy", "joint_accuracy", "answer_accuracy"):
        assert found[name] == 1.0, name
    assert found["stale_rate"] == 0.0


def test_two_users_may_call_their_messages_alike(tmp_path: Path) -> None:
    log = [
        said("1", "海蓝电子的预算50万", user="a"),
        said("1", "岚亭的预算60万", user="b"),
    ]
    (tmp_path / "b").mkdir()
    both = played(recorded(tmp_path, log, NAMED))[0].turns
    (second,) = played(recorded(tmp_path / "b", log[1:], NAMED))[0].turns
    assert [[f.value for f in turn.facts] for turn in both] == [["海蓝电子"], ["岚亭"]]
    assert both[1] == second


NAMED = {
    "海蓝电子的预算50万": [lead(company={"value": "海蓝电子", "confidence": 0.95})],
    "岚亭的预算60万": [lead(company={"value": "岚亭", "confidence": 0.95})],
}


def test_a_question_that_is_put_again_counts_again_whenever_that_is(tmp_path: Path) -> None:
    maybe = [lead(budget={"value": 700000, "confidence": 0.9, "evidence": "预算大概70万左右"})]
    days = ("2026-06-01", "2026-06-01", "2026-06-02")
    log = [said(str(n), "预算大概70万左右", time=f"{day}T10:00:0{n}+08:00") for n, day in enumerate(days, 1)]
    (run,) = played(recorded(tmp_path, log, {"预算大概70万左右": maybe}))
    again = run.turns[1:]  # the first asks for the name of the company as well
    assert [(t.counts.questions, len(t.questions), t.counts.held) for t in again] == [(1, 1, 1)] * 2


def test_an_objection_is_a_question_too(tmp_path: Path) -> None:
    log = [said("1", "我不吃辣"), said("2", "想吃川菜，给我推荐一家")]
    made = record(log, tmp_path / "r.jsonl", form_types=["preference"])
    (run,) = play(made, [{}], form_types=["preference"], keep_turns=True, workers=1)
    assert [(t.counts.questions, len(t.questions)) for t in run.turns] == [(0, 0), (1, 1)]


def test_what_a_question_finds_does_not_depend_on_the_plans_beside_it(tmp_path: Path) -> None:
    """More documents than one recall makes vectors for, and a question that only vectors answer."""
    log = [said(str(n), f"客户公司{n}号，备注是第{n}类的稀奇事", f"c{n // 50}") for n in range(150)]
    question = {"question": "那件稀奇古怪的第140类事", "contains": ["第140类"]}
    log[-1]["expect"] = {"recall": [question]}
    made = recorded(tmp_path, log, {})
    plans = [{"fallback_floor": floor} for floor in (0.31, 0.32, 0.33)]
    together = [still(run).turns[-1].asked for run in played(made, *plans)]
    assert together == [still(played(made, plan)[0]).turns[-1].asked for plan in plans]
    assert not any("vectors" in reason for asked in together for _, _, reason in asked[0].steps)
