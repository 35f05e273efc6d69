"""Reports of replays and tunings: what they say, in both languages, as a page, as JSON and on a terminal."""

from __future__ import annotations

import io
import itertools
import json
import os
import re
import subprocess
import sys
from dataclasses import replace
from html.parser import HTMLParser
from pathlib import Path
from string import Formatter
from typing import Any

import pytest
import replayed
from rich.console import Console

from forms_dynamics.cli.reported import bars, show_report
from forms_dynamics.language.normal import has_han
from forms_dynamics.replay.conditions import UNMEASURED
from forms_dynamics.replay.diff import diff
from forms_dynamics.replay.figures import FIGURES, figures
from forms_dynamics.replay.report import report_html, report_json
from forms_dynamics.replay.report.charts import curve_picture, pictured_figures, ticks
from forms_dynamics.replay.report.said import visible
from forms_dynamics.replay.report.telling import faults, telling
from forms_dynamics.replay.report.words import LANGUAGES, Words, texts
from forms_dynamics.replay.values import Candidate, Fact, Interval, Run, Turn
from forms_dynamics.schema.questions import _WORDS
from forms_dynamics.settings import Settings

TESTS = Path(__file__).resolve().parents[2]
NASTY = (
    "</script></style></title>--><img src=x onerror=alert(1)> \"quoted\" 'single' &amp; \x00\x07\x1b[31m \ud800 "
    "‮reversed‬ العربية 😀 " + "W" * 400 + " {{ 7*7 }} {% raw %}"
)
_VOID = {"meta", "br", "img", "input", "link", "hr", "wbr"}


class Page(HTMLParser):
    """Reads a page strictly: every element is closed in order. Keeps tags, attributes and text."""

    def __init__(self, text: str) -> None:
        super().__init__(convert_charrefs=True)
        self.open: list[str] = []
        self.tags: list[tuple[str, dict[str, str | None]]] = []
        self.texts: list[str] = []
        self.feed(text)
        self.close()
        assert self.open == []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        assert len({name for name, _ in attrs}) == len(attrs), (tag, attrs)
        self.tags.append((tag, dict(attrs)))
        if tag not in _VOID:
            self.open.append(tag)

    def handle_startendtag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.append((tag, dict(attrs)))

    def handle_endtag(self, tag: str) -> None:
        assert self.open.pop() == tag

    def handle_data(self, data: str) -> None:
        if not {"style"} & set(self.open):
            self.texts.append(data)

    @property
    def text(self) -> str:
        return " ".join(" ".join(self.texts).split())

    def of(self, tag: str) -> list[dict[str, str | None]]:
        return [attrs for name, attrs in self.tags if name == tag]


def tuned(lang: str = "en", **given: Any) -> dict[str, Any]:
    """A tuning with the runs behind it."""
    return report_json(
        given.pop("tuning", None) or replayed.tuning(),
        messages=replayed.log(lang=lang), today=replayed.run(0.9), tuned=replayed.run(0.7), **given,
    )  # fmt: skip


def every_kind(lang: str) -> dict[str, dict[str, Any]]:
    log = list(replayed.log(lang=lang))
    return {
        "tuning": tuned(lang),
        "nothing won": report_json(replayed.tuning(won=False), messages=log, lang=lang),
        "run": report_json(replayed.run(0.6), messages=log),
        "runs": report_json([replayed.run(t) for t in (0.8, 0.6, 0.9)], messages=log),
        "diff": report_json([replayed.run(0.9), replayed.run(0.7)], messages=log, compared=True),
        "counts only": report_json(replayed.run(0.6, turns=False), lang=lang),
    }


def on_terminal(content: dict[str, Any], width: int = 110, **console: Any) -> str:
    out = io.StringIO()
    show_report(content, Console(file=out, width=width, highlight=False, emoji=False, **console))
    return out.getvalue()


# -- words -----------------------------------------------------------------------------------------------------
def test_every_text_is_there_in_both_languages_with_the_same_blanks() -> None:
    held = texts()
    for part in ("text", "figures", "settings", "reasons"):
        for key, entry in held[part].items():
            blanks = {
                lang: {name for _, name, _, _ in Formatter().parse(text) if name}
                for lang, text in entry.items()
            }
            assert set(LANGUAGES) <= set(entry), key
            assert all(str(text).strip() for text in entry.values()), key
            assert len(set(map(frozenset, blanks.values()))) == 1, (key, blanks)


def test_figures_settings_and_reasons_are_all_explained() -> None:
    assert set(texts()["figures"]) == set(FIGURES)
    assert set(texts()["settings"]) == set(Settings.model_fields)
    assert {reason for reason in _WORDS if reason} - set(texts()["reasons"]) == set()


def test_no_text_is_left_that_nothing_says() -> None:
    source = "".join(
        path.read_text(encoding="utf-8")
        for folder in ("replay/report", "cli")
        for path in sorted((TESTS.parent / "forms_dynamics" / folder).rglob("*"))
        if path.suffix in (".py", ".j2")
    )
    made = re.compile(
        r"(?:truth|title|three|three_missing|why|verdict|step|better|than|telling|won|not_won|curve)_\w+|first|best"
    )
    unsaid = {
        key for key in texts()["text"]
        if not made.fullmatch(key) and f"'{key}'" not in source and f'"{key}"' not in source
    }  # fmt: skip
    assert unsaid == set()


@pytest.mark.parametrize("lang", LANGUAGES)
@pytest.mark.parametrize("kind", ["tuning", "nothing won", "run", "runs", "diff", "counts only"])
def test_a_chinese_report_speaks_chinese_and_an_english_one_english(kind: str, lang: str) -> None:
    content = every_kind(lang)[kind]
    assert content["lang"] == lang
    page = Page(report_html(content))
    english = {
        entry["en"] for entry in texts()["text"].values() if len(entry["en"]) > 12 and "{" not in entry["en"]
    }
    chinese = {entry["zh"] for entry in texts()["text"].values() if "{" not in entry["zh"]}
    assert page.of("html")[0]["lang"] == ("zh-CN" if lang == "zh" else "en")
    if lang == "zh":
        assert [text for text in english if text in page.text] == []
        assert has_han(content["verdict"])
    else:
        assert [text for text in chinese if has_han(text) and text in page.text] == []


def test_what_the_engine_says_is_put_into_chinese() -> None:
    zh, en = Words("zh"), Words("en")
    assert zh.reason("weight below 0.6") == "权重低于 0.6"
    assert zh.reason("below fallback_floor 0.5") == "低于 fallback_floor 0.5"
    assert zh.reason("hedged") == "说得不确定"
    assert en.reason("hedged") == "said with a hedge"
    assert zh.reason("words of a plug-in") == "words of a plug-in"
    assert [
        name for name, why in UNMEASURED.items() if not has_han(zh.note(f"not measured: {name}, since {why}"))
    ] == []


def test_the_language_is_that_of_most_messages_unless_named() -> None:
    log = [*replayed.log(4, "zh"), *replayed.log(3, "en")]
    assert report_json(replayed.run(), messages=log)["lang"] == "zh"
    assert report_json(replayed.run(), messages=log, lang="en")["lang"] == "en"
    with pytest.raises(ValueError, match="en or zh, not 'de'"):
        report_json(replayed.run(), lang="de")


# -- content ---------------------------------------------------------------------------------------------------
def test_the_figures_are_those_of_the_counts() -> None:
    run = replayed.run(0.6)
    content = report_json(run, messages=replayed.log())
    assert {row["name"]: row["after"]["value"] for row in content["figures"]} == {
        name: None if value is None else round(value, 6) for name, value in figures(run.total()).items()
    }
    assert content["log"] | {"recording": None} == {
        "turns": 24, "user_turns": 24, "conversations": 6, "users": 2, "truth": "labels", "recording": None,
        "queued": 0, "chosen_on": None, "held_out": None, "turns_per_s": None,
    }  # fmt: skip
    assert content["verdict"] == (
        "24 turns replayed: 18 of 18 proposed values accepted, 0 held, 0 refused; precision 66.7 %, recall 100.0 %."
    )


def test_a_tuning_has_its_own_figures_and_the_interval_of_its_gain() -> None:
    found = replayed.tuning()
    content = tuned()
    rows = {row["name"]: row for row in content["figures"]}
    assert rows["f1"]["before"]["value"] == round(found.today["f1"].value or 0, 6)
    assert (rows["f1"]["difference"]["low"], rows["f1"]["difference"]["high"]) == (0.12, 0.3)
    assert rows["recall"]["difference"]["low"] is None
    assert content["changes"] == [{"setting": "conf_threshold", "today": 0.9, "chosen": 0.7}]
    assert content["settings_file"] == "conf_threshold: 0.7\n"
    assert [c["role"] for c in content["pareto"]] == [None, None, "winner", None, "today"]


def test_a_figure_that_is_better_lower_keeps_its_own_direction() -> None:
    """A gain is above zero where the figure falls; the difference of the figure is then below."""
    now = replayed.spread({**figures(replayed.run().total()), "questions_per_turn": 0.5})
    then = replayed.spread({**figures(replayed.run().total()), "questions_per_turn": 0.2})
    found = replayed.tuning(
        objective="questions_per_turn", today=now, tuned=then, gain=Interval(0.3, 0.2, 0.4)
    )
    row = next(r for r in tuned(tuning=found)["figures"] if r["name"] == "questions_per_turn")
    assert row["difference"] == {"value": -0.3, "low": -0.4, "high": -0.2}


def test_a_setting_is_a_scale_or_a_row_of_categories() -> None:
    scales = {curve["setting"]: curve for curve in tuned()["curves"]}
    assert {name: curve["scale"] for name, curve in scales.items()} == {
        "conf_threshold": "numeric", "back_check": "category", "pending_days": "category",
    }  # fmt: skip
    assert [p["value"] for p in scales["pending_days"]["points"]] == [30, 90, None]
    picture = curve_picture(
        scales["conf_threshold"], pictured_figures(scales["conf_threshold"], "f1"), (), "today", Words("en")
    )
    assert picture is not None
    xs = [dot.x for dot in picture.panels[0].series[0].dots]
    assert [round(b - a, 1) for a, b in itertools.pairwise(xs)] == pytest.approx([xs[1] - xs[0]] * 4, abs=0.2)
    assert {mark.label for mark in picture.marks} == {"today", "chosen"}


def test_runs_that_differ_in_one_setting_make_a_curve_of_it() -> None:
    content = report_json([replayed.run(t) for t in (0.8, 0.9, 0.6)])
    (curve,) = content["curves"]
    assert (curve["setting"], curve["today"], curve["chosen"]) == ("conf_threshold", 0.8, None)
    assert [p["value"] for p in curve["points"]] == [0.6, 0.8, 0.9]
    assert curve["points"][1]["gain"] == {"value": 0.0, "low": 0.0, "high": 0.0}
    assert "(" not in content["verdict"]
    both = report_json([replayed.run(0.8), replayed.run(0.9, max_anchors=3)])
    assert both["curves"] == []  # two settings at once say nothing of one


def test_a_report_needs_a_run_and_a_comparison_two() -> None:
    with pytest.raises(ValueError, match="a report needs a run: 0 given"):
        report_json([])
    with pytest.raises(ValueError, match="two runs are compared: 1 given"):
        report_json([replayed.run()], compared=True)


@pytest.mark.parametrize(
    ("changed", "says"),
    [
        ({}, "超出噪声"),
        ({"gain": Interval(0.01, -0.02, 0.04)}, "而当前设置不满足"),
        ({"winner": {}}, "没有哪组设置的优势超出噪声"),
        ({"winner": {}, "gain": Interval(None, None, None)}, "对话太少"),
        ({"winner": {}, "candidate": {}, "gain": Interval(0.0, 0.0, 0.0)}, "试过的设置没有一组更好"),
        ({"winner": {}, "constraints": ("precision >= 0.99", "recall >= 1"), "tuned": replayed.spread({"precision": 0.9, "recall": 1.0})},
         "不满足 precision >= 0.99。"),
        ({"winner": {}, "tried": [Candidate({"conf_threshold": 0.7}, {"precision": 0.5, "recall": 0.5}, False, True)]},
         "试过的设置都不满足 precision >= 0.9"),
    ],
)  # fmt: skip
def test_the_verdict_of_a_tuning_in_chinese(changed: dict[str, Any], says: str) -> None:
    assert says in tuned("zh", tuning=replayed.tuning(**changed))["verdict"]


def test_the_json_is_json_and_keeps_its_keys() -> None:
    for content in every_kind("en").values():
        assert json.loads(json.dumps(content, allow_nan=False)) == content
        assert list(content) == [
            "format", "kind", "lang", "sides", "objective", "constraints", "log", "figures", "curves", "pareto", "runs",
            "telling", "turns_kept", "notes", "changes", "candidate", "settings_file", "gain", "changed_turns", "verdict",
        ]  # fmt: skip
    documented = (TESTS.parent / "docs" / "replay-report.md").read_text(encoding="utf-8")
    turn = every_kind("en")["tuning"]["telling"][0]
    assert [key for key in (*content, *turn) if f"`{key}`" not in documented] == []


# -- telling turns ---------------------------------------------------------------------------------------------
def test_turns_that_differ_come_first_better_and_worse_in_turns() -> None:
    found = telling(replayed.run(0.6).turns, replayed.run(0.9).turns, most=4)
    assert [(t.why, t.after.number) for t in found] == [
        ("better", 2),
        ("worse", 3),
        ("better", 2),
        ("worse", 3),
    ]
    assert {t.after.conversation for t in found} == {"c0", "c1"}


def test_one_run_tells_of_wrong_values_then_missed_ones_then_wrong_answers() -> None:
    def turn(c: str, n: int, outcome: Any, verdict: Any) -> Turn:
        return Turn(f"{c}{n}", c, n, "user", (Fact("t", f"s{n}", "v", outcome, "", verdict, ""),))

    turns = [
        turn("a", 1, "held", "right"), turn("a", 2, "accepted", "wrong"), turn("b", 1, "accepted", "unknown"),
        turn("b", 2, "refused", "wrong"), turn("c", 3, "accepted", "wrong"), *replayed.run(0.9, 1).turns[3:],
    ]  # fmt: skip
    assert [(t.why, t.after.message) for t in telling(turns)] == [
        ("wrong", "a2"), ("wrong", "c3"), ("missed", "a1"), ("answer", "c0-m4"),
    ]  # fmt: skip


def test_no_conversation_and_no_kind_crowds_out_the_others() -> None:
    bad = Fact("t", "s", "v", "accepted", "", "wrong", "")
    turns = [Turn(f"a{n}", "a", n, "user", (bad._replace(slot=f"s{n}"),)) for n in range(1, 9)]
    turns += [Turn(f"m{n}", f"b{n}", 1, "user", missed=(("t", "s", "v"),)) for n in range(4)]
    found = [t.after.message for t in telling(turns, most=4)]
    assert found == ["a1", "a2", "m0", "m1"]
    assert len(telling(turns, most=10)) == 10  # filled up where nothing else is left


def test_faults_agree_with_what_a_comparison_finds() -> None:
    """The turns that get better or worse are among those that differ between the runs."""
    before, after = replayed.run(0.9), replayed.run(0.6)
    differing = {(t.conversation, t.number) for t in diff(before, after).turns}
    changed = {
        (a.conversation, a.number)
        for a, b in zip(after.turns, before.turns, strict=True)
        if faults(a) != faults(b)
    }
    assert changed
    assert changed <= differing
    content = report_json([before, after], compared=True)
    assert content["changed_turns"] == {"better": 6, "worse": 6}


def test_a_turn_shows_its_words_what_came_before_and_both_outcomes() -> None:
    turn = next(t for t in tuned()["telling"] if t["number"] == 2)
    assert (turn["text"], turn["speaker"]) == (replayed.EN[1], "Ann")
    assert [line["text"] for line in turn["context"]] == [replayed.EN[0]]
    (fact,) = turn["facts"]
    assert (fact["before"]["outcome"], fact["before"]["reason"]) == ("held", "low_confidence")
    assert (fact["after"]["outcome"], fact["verdict"]) == ("accepted", "right")
    assert turn["missed"] == {"before": [["lead_profile", "budget", "600,000 CNY"]], "after": []}


def test_a_labelled_question_shows_every_kind_of_step() -> None:
    content = report_json(
        [replayed.run(0.9, 1), replayed.run(0.8, 1)], messages=replayed.log(1), compared=True
    )
    page = Page(report_html(content))
    for said in ("anchor", "walk", "prune", "weight below 0.6", "near miss", "fallback", "cut", "Wang"):
        assert said in page.text, said


# -- the page --------------------------------------------------------------------------------------------------
@pytest.mark.parametrize("lang", LANGUAGES)
@pytest.mark.parametrize("kind", ["tuning", "nothing won", "run", "runs", "diff", "counts only"])
def test_the_page_is_well_formed_and_loads_nothing(kind: str, lang: str) -> None:
    html = report_html(every_kind(lang)[kind])
    page = Page(html)
    ids = [attrs["id"] for _, attrs in page.tags if "id" in attrs]
    assert len(set(ids)) == len(ids)
    for tag, attrs in page.tags:
        assert tag not in {
            "script",
            "link",
            "img",
            "iframe",
            "object",
            "embed",
            "base",
            "form",
            "image",
            "use",
        }
        assert not {"src", "srcset", "xlink:href", "action"} & set(attrs)
        assert not [name for name in attrs if name.startswith("on")]
        if "href" in attrs:
            assert (attrs["href"] or "")[1:] in ids
        for name in (attrs.get("aria-labelledby") or "").split():
            assert name in ids
    assert not re.search(r"url\(|@import|https?:", html)
    assert page.of("th")
    assert all(attrs.get("scope") in ("row", "col") for attrs in page.of("th"))
    pictures = [attrs for attrs in page.of("svg") if attrs.get("role") == "img"]
    assert all(attrs.get("aria-label") for attrs in pictures)
    assert len(pictures) == {"tuning": 3, "nothing won": 3, "runs": 1, "diff": 1}.get(kind, 0)
    levels = [int(tag[1]) for tag, _ in page.tags if re.fullmatch("h[1-6]", tag)]
    assert levels[0] == 1
    assert levels.count(1) == 1
    assert all(below - above <= 1 for above, below in itertools.pairwise(levels))


def test_the_page_says_what_was_found() -> None:
    page = Page(report_html(tuned()))
    for said in (
        "conf_threshold 0.7 (today 0.9) raises f1.", "conf_threshold: 0.7", "precision >= 0.9", "24 turns",
        "6 conversations", "2 users", "chosen on 4 conversations, judged on 2 others", "What counts as right: Labels",
        "On this log it makes no difference.", "no message is labelled twice", "+33.3 pp", "Field accuracy",
        "Not measured: no labelled value is followed by ten user turns",
    ):  # fmt: skip
        assert said in page.text, said
    zh = Page(report_html(tuned("zh"))).text
    for said in (
        "记忆字段准确率",
        "连续10轮上下文一致率",
        "多跳问答正确率",
        "不对，预算改成60万。",
        "置信度低于阈值",
    ):
        assert said in zh, said


def test_the_picture_of_what_was_tried_gives_tokens_and_settings_at_each_dot() -> None:
    html = report_html(tuned())
    titles = re.findall(r"<title>([^<]*)</title>", html)
    assert any(
        t.startswith("conf_threshold=0.7\nprecision 100.0 %, recall 100.0 %") and "tokens 120" in t
        for t in titles
    )
    assert 'class="ring winner"' in html
    assert 'class="ring today"' in html


def nasty_run() -> Run:
    run = replayed.run(0.9, 3)
    turns = [
        turn._replace(
            conversation=NASTY,
            facts=tuple(
                f._replace(value=NASTY, reason=NASTY, slot=NASTY, form_type=NASTY) for f in turn.facts
            ),
            missed=((NASTY, NASTY, NASTY),),
            questions=(NASTY,),
            asked=tuple(
                a._replace(
                    question=NASTY, missing=(NASTY,), steps=((NASTY, NASTY, NASTY), ("cut", NASTY, NASTY))
                )
                for a in turn.asked
            ),
        )
        for turn in run.turns
    ]
    return replace(run, turns=turns, settings={"conf_threshold": NASTY, NASTY: NASTY}, recording=NASTY)


def test_hostile_texts_are_only_text() -> None:
    log = [{**message, "text": NASTY, "speaker": NASTY, "conversation": NASTY} for message in replayed.log(3)]
    runs = [replayed.run(0.8, 3), nasty_run()]
    for content in (report_json(nasty_run(), messages=log), report_json(runs, messages=log, lang="zh")):
        html = report_html(content)
        html.encode("utf-8")
        page = Page(html)
        assert not {"script", "img"} & {tag for tag, _ in page.tags}
        assert not set("\x00\x07\x1b‮") & set(html)
        assert "{{ 7*7 }}" in page.text
        assert "[U+202E]reversed" in page.text
        assert "[U+0000]" in page.text
    assert visible("a\r\nb\tc\ud800") == "a\nb\tc[U+D800]"


def test_a_page_does_not_grow_with_the_log() -> None:
    """Sums, at most ten turns and at most some hundred dots, however long the log and its values are."""
    many = 3000
    rng = [((n * 7919) % many) / many for n in range(many)]
    tried = [
        Candidate({"conf_threshold": round(x, 4)}, {"precision": x, "recall": 1 - x * rng[n - 1], "questions_per_turn": x, "tokens": 100.0}, True, n % 9 == 0)
        for n, x in enumerate(rng)
    ]  # fmt: skip
    content = report_json(
        replayed.tuning(tried=tried), today=replayed.run(0.9, 2500), tuned=replayed.run(0.6, 2500),
        messages=replayed.log(2500),
    )  # fmt: skip
    assert content["log"]["turns"] == 10_000
    assert len(content["telling"]) == 10
    assert len(report_html(content).encode()) < 500_000
    nasty = report_html(report_json(nasty_run(), messages=replayed.log(3)))
    assert len(nasty.encode()) < 500_000


def test_the_same_values_give_the_same_bytes_in_any_process() -> None:
    code = (
        "import hashlib, json, replayed\n"
        "from forms_dynamics.replay.report import report_html, report_json\n"
        "c = report_json(replayed.tuning(), messages=replayed.log(), today=replayed.run(0.9), tuned=replayed.run(0.6))\n"
        "print(hashlib.sha256((report_html(c) + json.dumps(c)).encode()).hexdigest())\n"
    )
    path = os.pathsep.join([str(TESTS), str(TESTS.parent)])
    seen = {
        subprocess.run(
            [sys.executable, "-c", code],
            env=os.environ | {"PYTHONPATH": path, "PYTHONHASHSEED": seed},
            capture_output=True, text=True, check=True,
        ).stdout
        for seed in ("1", "2")
    }  # fmt: skip
    assert len(seen) == 1


# -- the terminal ----------------------------------------------------------------------------------------------
@pytest.mark.parametrize("lang", LANGUAGES)
@pytest.mark.parametrize("kind", ["tuning", "nothing won", "run", "runs", "diff", "counts only"])
@pytest.mark.parametrize("width", [80, 110, 160])
def test_a_terminal_shows_each_kind_without_colours_and_within_its_width(
    kind: str, lang: str, width: int
) -> None:
    content = every_kind(lang)[kind]
    shown = on_terminal(content, width)
    assert "\x1b" not in shown
    assert max(Console().measure(line).maximum for line in shown.splitlines()) <= width
    assert "".join(content["verdict"].split()) in "".join(shown.split())
    assert shown.count("precision") >= 1


def test_a_terminal_shows_bars_marks_and_turns() -> None:
    shown = on_terminal(tuned())
    assert re.search(r"f1\s+▁▁█+▁?", shown) or re.search(r"f1\s+[▁▂▃▄▅▆▇█]{5}", shown)
    assert "△ today 0.9   ▲ chosen 0.7" in shown
    assert (
        "lead_profile.budget = 600,000 CNY (right): held, confidence below the threshold → accepted" in shown
    )
    assert "conf_threshold: 0.7" in shown
    assert "1 more setting that makes no difference: pending_days" in shown
    assert "\x1b[" in on_terminal(tuned(), force_terminal=True, color_system="standard")


def test_a_wrong_answer_on_a_terminal_tells_what_was_left_out() -> None:
    content = report_json(
        [replayed.run(0.8, 1), replayed.run(0.9, 1)], messages=replayed.log(1), compared=True
    )
    shown = on_terminal(content)
    assert "? Who signs for Lanting?  right → wrong" in shown
    assert "missing from the context: Wang" in shown
    assert "prune quote_01.evolves_from.contract_01  weight below 0.6" in shown


def test_a_terminal_is_not_spoken_to_by_stored_texts() -> None:
    shown = on_terminal(report_json(nasty_run(), messages=replayed.log(3)))
    assert not set("\x00\x07\x1b\ud800‮") & set(shown)


@pytest.mark.parametrize(
    ("values", "drawn"),
    [([0.0, 0.5, 1.0], "▁▅█"), ([0.3, 0.3], "▄▄"), ([None, 0.1, 0.2], "·▁█"), ([], ""), ([None], "·")],
)
def test_bars(values: list[float | None], drawn: str) -> None:
    assert bars(values) == drawn


@pytest.mark.parametrize(
    ("low", "high", "expected"),
    [(0.0, 1.0, [0.0, 0.2, 0.4, 0.6, 0.8, 1.0]), (0.91, 0.96, [0.91, 0.92, 0.93, 0.94, 0.95, 0.96])],
)
def test_ticks_are_round_and_hold_all(low: float, high: float, expected: list[float]) -> None:
    assert ticks(low, high) == pytest.approx(expected)
    for a, b in ((3, 3), (0.001, 977), (0.5, 0.500001)):
        marks = ticks(a, b)
        assert marks[0] <= a
        assert marks[-1] >= b
        assert len(marks) <= 8
