"""The noise model behind the benchmark ``tuning``, and the benchmark on a small folder in the sets' format."""

from __future__ import annotations

import json
import subprocess
import sys
from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from benchmarks.calibration import auroc, expected_error
from benchmarks.conversations import Conversation, State, read_conversations
from benchmarks.noise import EVEN, NOISE, Given, Noise, Read, Reader, words_of
from benchmarks.schema_types import from_name

ROOT = Path(__file__).parents[2]
FAULTLESS = Noise(missing=0.0, wrong=0.0, invented=0.0, early=0.0)

FOODS = ["italian", "chinese", "turkish", "french", "korean", "thai", "spanish"]
PARTS = ["north", "south", "east", "west", "centre"]
DISHES = ["火锅", "烤鸭", "川菜", "粤菜", "湘菜", "烧烤", "海鲜"]
PLACES = ["朝阳区", "海淀区", "东城区", "西城区", "丰台区"]


def slot(*values: str, categorical: bool = False) -> dict[str, Any]:
    return {"categorical": categorical, "description": "", "values": list(values)}


SCHEMA = {
    "restaurant": {
        "description": "a place to eat",
        "slots": {
            "food": slot(*FOODS),
            "area": slot(*PARTS, categorical=True),
            "people": slot(),
            "price range": slot("cheap", "moderate", "expensive"),
        },
    },
    "餐馆": {
        "description": "吃饭的地方",
        "slots": {"菜 系": slot(*DISHES), "位置": slot(*PLACES), "名称": slot()},
    },
}


def conversation(name: str, *turns: tuple[str, str, State | None]) -> dict[str, Any]:
    rows = [
        {"i": i, "speaker": speaker, "text": text, "time": None, "session": None, "state": state}
        for i, (speaker, text, state) in enumerate(turns)
    ]
    return {"id": name, "lang": "en", "source": "made up", "turns": rows}


def english(n: int) -> dict[str, Any]:
    food, other, part = FOODS[n % 7], FOODS[(n + 3) % 7], PARTS[n % 5]
    one = {"food": food}
    two = {**one, "area": part, "people": "5"}
    return conversation(
        f"en-{n}",
        ("user", f"I would like some {food} food tonight, please.", {"restaurant": one}),
        ("assistant", f"Would you rather have {other} food, or which part of town?", None),
        ("user", f"The {part} of town suits us, we are five people.", {"restaurant": two}),
        ("assistant", "A cheap one or an expensive one?", None),
        ("user", f"Is {other} food popular there?", {"restaurant": two}),
        ("assistant", "Quite. There is a moderate one that I can book for you.", None),
        ("user", "Yes, please book it.", {"restaurant": {**two, "price range": "moderate"}}),
        ("assistant", "  ", None),
        ("user", f"Sorry, make it {other} food.", {"restaurant": {**two, "food": other}}),
    )


def chinese(n: int) -> dict[str, Any]:
    dish, other, place = DISHES[n % 7], DISHES[(n + 2) % 7], PLACES[n % 5]
    return conversation(
        f"zh-{n}",
        ("user", f"晚上想吃{dish}，有推荐的吗？", None),  # the gold comes two turns later
        ("assistant", f"{other}也不错，您在哪个区？", None),
        ("user", f"我们在{place}，离得近一点就行。", {"餐馆": {"菜 系": dish, "位置": place}}),
        ("assistant", "可以去老王家饭馆。", None),
        ("user", "好的，就去这家。", {"餐馆": {"菜 系": dish, "位置": place, "名称": "老王家饭馆"}}),
        ("assistant", "好的。", None),
        ("user", f"算了，还是吃{other}吧。", {"餐馆": {"菜 系": other, "位置": place}}),
    )


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    data = tmp_path_factory.mktemp("data")
    for name, made in (("star", english), ("crosswoz", chinese)):
        (data / name).mkdir()
        lines = [json.dumps(made(n), ensure_ascii=False) for n in range(20)]
        (data / name / "conversations.jsonl").write_text("\n".join(lines) + "\n", encoding="utf-8")
        (data / name / "schema.json").write_text(json.dumps(SCHEMA, ensure_ascii=False), encoding="utf-8")
    return data


@pytest.fixture(scope="module")
def conversations(folder: Path) -> list[Conversation]:
    return [
        one
        for name in ("star", "crosswoz")
        for one in read_conversations(folder / name / "conversations.jsonl")
    ]


def reads_of(conversations: list[Conversation], noise: Noise = NOISE, readings: int = 1) -> list[Read]:
    reader = Reader(conversations, SCHEMA, noise)
    return [
        read
        for reading in range(readings)
        for n, one in enumerate(conversations)
        for read in reader.read(one, n, reading)
    ]


def test_the_same_conversations_give_the_same_drafts_whatever_was_read_before(
    conversations: list[Conversation],
) -> None:
    once = {str(read.message["id"]): read for read in reads_of(conversations)}
    reader = Reader(conversations, SCHEMA)
    for n, one in reversed(list(enumerate(conversations))):
        for read in reader.read(one, n):
            assert read == once[str(read.message["id"])]


def test_a_further_reading_has_ids_and_mistakes_of_its_own(conversations: list[Conversation]) -> None:
    reader = Reader(conversations, SCHEMA)
    first, second = (
        [read for n, one in enumerate(conversations) for read in reader.read(one, n, reading)]
        for reading in (0, 1)
    )
    assert not {r.message["id"] for r in first} & {r.message["id"] for r in second}
    assert [r.message["text"] for r in first] == [r.message["text"] for r in second]
    assert [r.message.get("expect") for r in first] == [r.message.get("expect") for r in second]
    assert [r.given for r in first] != [r.given for r in second]


def test_labels_taken_together_are_the_gold(conversations: list[Conversation]) -> None:
    reader = Reader(conversations, SCHEMA)
    for one in conversations:
        gold = {turn.i: turn.state for turn in one.turns if turn.text.strip()}
        state: State = {}
        for read in reader.read(one):
            place = int(str(read.message["id"]).rpartition(":")[2])
            assert ("expect" in read.message) == (gold[place] is not None)
            if gold[place] is None:
                continue
            for form in read.message["expect"]["forms"]:
                held = state.setdefault(from_name(form["form_type"]), {})
                for name, value in form["slots"].items():
                    if value is None:
                        del held[from_name(name)]
                    else:
                        assert held.get(from_name(name)) != value
                        held[from_name(name)] = value
            assert {domain: slots for domain, slots in state.items() if slots} == gold[place]


def test_without_noise_the_drafts_are_the_gold_where_its_words_stand(
    conversations: list[Conversation],
) -> None:
    reads = reads_of(conversations, FAULTLESS)
    given = [one for read in reads for one in read.given]
    assert given
    assert all(one.right for one in given)
    assert {one.kind for one in given} <= {"right", "again", "agreed", "derived"}
    by_message = {str(read.message["id"]): read.given for read in reads}
    first, third = by_message["zh-3:0"], by_message["zh-3:2"]
    # the words stand two turns before the gold
    assert [(g.slot, g.value, g.evidence) for g in first] == [("菜 系", "粤菜", "粤菜")]
    assert [(g.slot, g.value) for g in third] == [("位置", "西城区")]
    (agreed,) = by_message["zh-3:4"]
    assert (agreed.kind, agreed.value, agreed.agreed) == ("agreed", "老王家饭馆", "老王家饭馆")
    people = next(g for g in by_message["en-0:2"] if g.slot == "people")
    assert (people.value, people.evidence) == ("5", "five")


def test_a_draft_is_of_the_fixed_grammar(conversations: list[Conversation]) -> None:
    from forms_dynamics.extraction.grammar import parse_drafts

    for read in reads_of(conversations, readings=3):
        drafts = read.drafts()
        assert sum(len(draft["slots"]) for draft in drafts) == len(read.given)
        assert len(parse_drafts(drafts)) == len(drafts)
        assert read.message["role"] == "user" or not drafts


def test_quotes_stand_where_they_are_said_to(conversations: list[Conversation]) -> None:
    offers: dict[str, str] = {}
    seen: Counter[str] = Counter()
    for read in reads_of(conversations, readings=30):
        name, text = str(read.message["conversation"]), str(read.message["text"])
        if read.message["role"] == "assistant":
            offers[name] = text
        for one in read.given:
            seen[one.kind] += 1
            if one.kind == "invented":
                assert one.evidence is None or one.evidence in text
            elif one.kind == "offer":
                assert (one.agreed or one.evidence or "-") in offers[name]
            else:
                assert one.evidence is not None
                assert one.evidence in text
            if one.kind in ("right", "again", "early"):
                assert words_of(one.value, text) == one.evidence
            if one.kind in ("border", "elsewhere", "misplaced"):
                assert one.value == one.evidence
            if one.kind == "agreed":
                assert one.agreed is not None
                assert one.agreed in offers[name]
            if one.kind in ("swapped", "invented", "early", "offer", "misplaced", "elsewhere"):
                assert not one.right or one.kind in ("offer", "early")
    assert seen.keys() >= {
        "right", "agreed", "swapped", "border", "elsewhere", "invented", "misplaced", "early", "offer",
    }  # fmt: skip


def _share(part: int, whole: int) -> float:
    assert whole > 400
    return part / whole


def test_mistakes_are_as_frequent_as_they_are_said_to_be(conversations: list[Conversation]) -> None:
    reads = reads_of(conversations, readings=60)
    everything = reads_of(conversations, FAULTLESS, readings=60)
    gains = {
        (read.message["id"], one.domain, one.slot)
        for read in everything
        for one in read.given
        if one.kind != "again"
    }
    given = {(read.message["id"], one.domain, one.slot): one for read in reads for one in read.given}
    found = [given[key] for key in gains if key in given and given[key].kind not in ("invented", "misplaced")]
    wrong = [one for one in found if one.kind in ("swapped", "border", "elsewhere")]
    assert _share(len(found), len(gains)) == pytest.approx(1 - NOISE.missing, abs=0.03)
    assert _share(len(wrong), len(found)) == pytest.approx(NOISE.wrong, abs=0.03)
    # at a first message most slots are free; later ones may find none that is
    first = [read for read in reads if str(read.message["id"]).endswith(":0")]
    invented = sum(any(one.kind in ("invented", "misplaced") for one in read.given) for read in first)
    assert _share(invented, len(first)) == pytest.approx(NOISE.invented, abs=0.03)


def _literal(reads: list[Read]) -> list[Given]:
    """Values whose own words stand in the message: what only a threshold can tell apart."""
    return [one for read in reads for one in read.given if read.quotes(one)]


def test_confidence_tells_something_and_is_too_high(conversations: list[Conversation]) -> None:
    literal = _literal(reads_of(conversations, readings=60))
    assert 0.65 < (auroc([(one.confidence, one.right) for one in literal]) or 0) < 0.78
    wrong = [one.confidence for one in literal if not one.right]
    assert 0.75 < sum(wrong) / len(wrong) < 0.9
    assert all(0 <= one.confidence <= 0.95 for one in literal)


def test_even_confidence_tells_nothing_of_quoted_values(conversations: list[Conversation]) -> None:
    literal = _literal(reads_of(conversations, EVEN, readings=60))
    assert auroc([(one.confidence, one.right) for one in literal]) == pytest.approx(0.5, abs=0.05)
    assert min(one.confidence for one in literal) >= 0.8


@pytest.mark.parametrize(
    ("value", "text", "words"),
    [
        ("5", "a table for five, please", "five"),
        ("5", "5人4晚", "5"),
        ("art", "a place to start", None),
        ("the Ugly Duckling", "Is Ugly Duckling open?", "Ugly Duckling"),
        ("Matt Walsh", "something with matt walsh in it", "matt walsh"),
        ("朝阳區", "我在朝阳区附近", "朝阳区"),
        ("海淀区", "我在朝阳区附近", None),
    ],
)
def test_words_of(value: str, text: str, words: str | None) -> None:
    assert words_of(value, text) == words


def test_calibration_figures_are_those_worked_out_by_hand() -> None:
    judged = [(0.9, True), (0.9, False), (0.8, True), (0.6, False)]
    assert auroc(judged) == pytest.approx((0.5 + 1 + 0 + 1) / 4)
    # bins .9: 1.8 stated, 1 right; .8: .8 and 1; .6: .6 and 0
    assert expected_error(judged) == pytest.approx((0.8 + 0.2 + 0.6) / 4)
    assert auroc([(0.9, True)]) is None
    assert expected_error([]) is None


def test_a_small_folder_end_to_end(folder: Path, tmp_path: Path) -> None:
    out = tmp_path / "rows.json"
    done = subprocess.run(
        [
            sys.executable, "-m", "benchmarks", "tuning", "--data", str(folder), "--json", str(out),
            "--sets", "sgd,crosswoz", "--workers", "1", "--readings", "1",
        ],
        cwd=ROOT, capture_output=True, text=True, check=True,
    )  # fmt: skip
    assert "sgd: not there, skipped" in done.stderr
    rows = json.loads(out.read_text(encoding="utf-8"))["rows"]
    figures = {(row["set"], row["figure"]): row["value"] for row in rows}
    assert {name for name, _ in figures} == {"crosswoz", "crosswoz_even"}
    for name in ("crosswoz", "crosswoz_even"):
        default, tuned = figures[name, "default"], figures[name, "tuned"]
        low = figures[name, "tuned_minus_default_low"]
        assert 0 < default < 1
        assert figures[name, "turns_per_s"] > 0
        assert (low > 0 and tuned > default) or (low == 0 and tuned == default)
    # a confidence that tells nothing is nothing to choose by
    assert figures["crosswoz_even", "tuned_minus_default_low"] == 0


def test_readings_of_a_served_model_are_tuned_on(
    folder: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The way of ``--small-model``, with a server of tests in the model's place: it gives the smallest answer."""
    from benchmarks import small_model, small_server
    from benchmarks.tuning import by_small_model
    from forms_dynamics.testing.model_server import ModelServer

    @contextmanager
    def served() -> Iterator[str]:
        with ModelServer() as server:
            yield server.base_url
            assert server.calls > 0

    monkeypatch.setattr(small_model, "served", served)
    monkeypatch.setattr(small_server, "model_file", lambda: tmp_path)
    rows = by_small_model("star_small_model", folder / "star", tmp_path, users_say=12, workers=1)
    figures = {row.figure: row.value for row in rows}
    assert rows[0].note.startswith("Too few conversations")
    assert figures["tuned"] == figures["default"]
    assert figures["tuned_minus_default_low"] == 0
    recorded = (tmp_path / "recording.jsonl").read_text(encoding="utf-8")
    assert recorded.count('"message"') >= 12
    assert '"expect"' in recorded


def test_a_kept_recording_of_other_noise_is_not_taken_again(folder: Path, tmp_path: Path) -> None:
    from benchmarks.tuning import recorded

    first, even, again = (
        recorded(folder / "star", tmp_path, noise, readings=1).recording.digest
        for noise in (NOISE, EVEN, NOISE)
    )
    assert first == again != even


def test_speed_alone(folder: Path, tmp_path: Path) -> None:
    from benchmarks.tuning import speed

    row = speed([("star", folder / "star")], tmp_path, turns=200, settings=2, workers=1)
    assert (row.figure, row.n, row.set) == ("turns_per_s", 200, "200")
    assert row.value is not None
    assert row.value > 0
    assert "200 turns × 2 settings" in row.note


def test_what_it_tunes_on_is_not_changed_by_another_rate(conversations: list[Conversation]) -> None:
    """Labels and messages are the set's: noise is in the drafts alone."""
    one = [read.message for read in reads_of(conversations)]
    other = [read.message for read in reads_of(conversations, replace(NOISE, missing=0.9, early=0.0))]
    assert one == other
