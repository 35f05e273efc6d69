"""The JSON Schema for editors and the readers agree: on every file of the project, on a list of wrong
documents, and on what mutation makes of right ones."""

from __future__ import annotations

import copy
import json
import re
from collections.abc import Iterator
from functools import lru_cache
from pathlib import Path
from typing import Any

import pytest
import yaml
from hypothesis import given, settings
from hypothesis import strategies as st
from jsonschema import Draft7Validator

from forms_dynamics.cli import main
from forms_dynamics.schema import (
    editor,
    hedge_reader,
    load,
    query_reader,
    reader,
    relation_reader,
    slot_reader,
    trigger_reader,
)
from forms_dynamics.schema.form_reader import FORM_KEYS, read_form
from forms_dynamics.schema.source import documents

ROOT = Path(__file__).resolve().parents[3]
SCHEMA = editor.editor_schema()
JUDGE = Draft7Validator(SCHEMA)
FOLDERS = (
    "form_types", "relation_rules", "examples/own_types", "examples/queries", "forms_dynamics/cli/starter_files",
)  # fmt: skip
FILES = sorted(path for folder in FOLDERS for path in (ROOT / folder).rglob("*.yaml"))


class Editor(yaml.SafeLoader):
    """YAML 1.2 as editors read it: no ``no``, no octal ``08``, no timestamps; keys are texts."""

    yaml_implicit_resolvers: dict[str, Any] = {}  # noqa: RUF012

    def construct_object(self, node: Any, deep: bool = False) -> Any:
        if isinstance(node, yaml.MappingNode):
            self.flatten_mapping(node)
            return {key.value: self.construct_object(value, deep) for key, value in node.value}
        if isinstance(node, yaml.SequenceNode):
            return [self.construct_object(item, deep) for item in node.value]
        if node.tag == "tag:yaml.org,2002:int":
            return int(node.value, 0) if node.value[:2] in ("0x", "0o") else int(node.value)
        return super().construct_object(node, deep)  # type: ignore[no-untyped-call]


for kind, pattern, first in (
    ("bool", "true|True|TRUE|false|False|FALSE", "tTfF"),
    ("int", "[-+]?[0-9]+|0o[0-7]+|0x[0-9a-fA-F]+", "-+0123456789"),
    ("float", r"[-+]?(\.[0-9]+|[0-9]+(\.[0-9]*)?)([eE][-+]?[0-9]+)?", "-+.0123456789"),
    ("null", "~|null|Null|NULL|", "~nN\0"),
    ("merge", "<<", "<"),
):
    Editor.add_implicit_resolver(f"tag:yaml.org,2002:{kind}", re.compile(f"(?:{pattern})$"), [*first, ""])


def seen(text: str) -> list[Any]:
    """The documents of a file as an editor has them."""
    return [document for document in yaml.load_all(text, Editor) if document is not None]


def told(document: Any) -> list[str]:
    return [error.message for error in JUDGE.iter_errors(document)]


def read(text: str) -> list[str]:
    """What the readers find wrong with documents by themselves."""
    roots, findings = documents("x.yaml", text)
    judge = reader.Reader("x.yaml", text)
    for root in roots:
        file = load._File("x.yaml", text, ships=False)
        load._document(file, judge, root)
    return [f.message for f in (*findings, *judge.findings) if f.severity == "error"]


# -- what is published ---------------------------------------------------------------------------------------
def test_it_is_a_schema_of_its_draft() -> None:
    Draft7Validator.check_schema(SCHEMA)
    assert SCHEMA["$schema"] == "http://json-schema.org/draft-07/schema#"


def test_the_published_file_is_the_one_made_now() -> None:
    published = ROOT / "schemas" / editor.FILE_NAME
    again = "run: forms-dynamics check --schema > schemas/" + editor.FILE_NAME
    assert published.read_text(encoding="utf-8") == editor.editor_schema_text(), (
        f"{published} is stale; {again}"
    )


def shapes(shape: Any) -> Iterator[dict[str, Any]]:
    if isinstance(shape, dict):
        if isinstance(shape.get("properties"), dict) and "additionalProperties" in shape:
            yield shape
        for part in shape.values():
            yield from shapes(part)
    elif isinstance(shape, list):
        for part in shape:
            yield from shapes(part)


def test_every_key_has_a_text_and_every_choice_too() -> None:
    form, relation, query, trigger, hedges = SCHEMA["oneOf"]
    assert tuple(query["properties"]) == query_reader.QUERY_KEYS
    assert tuple(query["properties"]["start"]["properties"]) == query_reader.START_KEYS
    assert tuple(query["properties"]["steps"]["items"]["properties"]) == query_reader.STEP_KEYS
    assert tuple(form["properties"]) == FORM_KEYS
    assert tuple(relation["properties"]) == relation_reader.RELATION_KEYS
    assert tuple(trigger["properties"]) == trigger_reader.TRIGGER_KEYS
    assert tuple(hedges["properties"]["hedges"]["properties"]) == hedge_reader.HEDGE_KEYS
    slot = form["properties"]["slots"]["additionalProperties"]["anyOf"][1]
    assert tuple(slot["properties"]) == slot_reader.SLOT_KEYS
    closed = list(shapes(SCHEMA))
    assert len(closed) > 12
    for shape in closed:
        for key, value in shape["properties"].items():
            assert value["description"], key
            assert any("\u4e00" <= ch <= "\u9fff" for ch in value["description"]), key
            if "enumDescriptions" in value:
                assert len(value["enumDescriptions"]) == len(value["enum"])


def test_names_of_any_script_pass_in_any_regular_expression_engine() -> None:
    """The pattern is written without \\w, which JavaScript knows for ASCII alone; it refuses no good name."""
    begins, follows = re.compile(editor._BEGINS), re.compile(editor._FOLLOWS)
    for code in range(0x110000):
        character = chr(code)
        if reader._NAME.fullmatch(character):
            assert begins.fullmatch(character), hex(code)
        if reader._NAME.fullmatch("a" + character):
            assert follows.fullmatch(character), hex(code)
        if code < 0x100:
            assert bool(begins.fullmatch(character)) == bool(reader._NAME.fullmatch(character)), hex(code)
            assert bool(follows.fullmatch(character)) == bool(reader._NAME.fullmatch("a" + character))


# -- what is right -------------------------------------------------------------------------------------------
@pytest.mark.parametrize("path", FILES, ids=lambda path: str(path.relative_to(ROOT)))
def test_what_the_project_holds_fits(path: Path) -> None:
    found = seen(path.read_text(encoding="utf-8"))
    assert found
    assert [(n, told(document)) for n, document in enumerate(found) if told(document)] == []


RIGHT = [
    "form_type: a\nslots: {x: text}",
    "trigger: a\non: intent_recognized\nwhen: intent == 'x'\nload: {form_type: task, slots: [due], limit: 2}",
    "trigger: a\non: entity_extracted\nload:\n  - {relation: refers_to}\n  - {form_type: task, where: due < now}",
    "form_type: 合同\nslots: {甲方: text, 金额: {type: money, unit: CNY}}\nidentity: [甲方]",
    "form_type: a\nslots: {x: {type: enum, values: [new, done]}}",
    "form_type: a\nslots: {x: {type: enum, values: {new: [新, 1], done: 完成, gone: null}}}",
    "form_type: a\nslots: {x: {type: ref, ref: lead_profile}}",
    "form_type: a\nslots: {x: {type: date, min: 2026-01-31, max: 2026-12-31}}",
    "form_type: a\nslots: {x: {type: number, unit: kg, min: 0, max: 10.5}}",
    "form_type: a\nslots: {x: {type: integer, min: -1, many: true, exact: true, required: false}}",
    "form_type: a\nslots: {x: {type: text, authority: [tool, user]}, z: {type: text, authority: newest}}",
    "form_type: a\nslots: {x: {type: text, examples: [3, 2026-01-01, abc], aliases: 别名, cues: []}}",
    "form_type: a\nslots: {x: text}\nidentity: each",
    "form_type: a\nslots: {x: text}\nidentity: {any: [[x], [$user, x]]}",
    "form_type: a\nslots: {x: text}\nlife: {ttl_seconds: 15_552_000, cold_after_days: null, valid_days: 0.5}",
    "form_type: a\nslots: {x: text}\ndescription: {zh: 说明}\ntemplate: '{{x}}'\nusage: 用法",
    "form_type: a\nslots: {x: text}\nexamples: [{text: 你好, gives: {}}, {text: b, gives: [{x: 1}, {x: [2]}]}]",
    "form_type: a\nslots: {x: text}\njson_ld: {type: [A, B], version: 2, prefixes: {s: 'http://s/'}}",
    "form_type: a\nslots: {x: text}\njson_ld: {terms: {x: {id: 's:x', type: '@id', container: '@list'}}}",
    "form_type: a\nversion: 3\nslots: {x: text}\nmigrations:\n  2: [{rename: {b: x}}, {default: {x: null}}]\n"
    "  3: [{drop: [c, d]}, {map: {x: {old: new, n: 1}}}]",
    "relation: r\nfrom: lead_profile\nto: '*'",
    "relation: r\nfrom: quote_form\nto: lead_profile\nwhen: quote_form.company == lead_profile.company",
    "relation: r\nfrom: lead_profile\nto: lead_profile\nstrength: {weight: 1, floor: 0, half_life_days: null}\n"
    "attributes: {scope: backend, k: 1, deep: {a: [1]}}\ncardinality: one_to_one\naliases: [关联]",
    "relation: r\nfrom: lead_profile\nto: '*'\nstrength: {cold_after_days: 90, valid_days: 0.5}\nacyclic: true",
    "relation: r\nfrom: lead_profile\nto: '*'\nstrength: {cold_after_days: null, valid_days: null}\nacyclic: false",
    "form_type: a\nslots: {x: text}\n---\nrelation: r\nfrom: a\nto: a\n---\nform_type: b\nslots: {z: url}",
    "query: q\nparameters: {t: {type: ref, ref: task}, least: {type: integer, min: 1, default: 3}, d: date}\n"
    "start: {form_type: task, named: $t, limit: 5, where: 'due <= $d and $least is known'}\n"
    "steps: [{relation: depends_on, to: task, as: b, repeat: 1..3, limit: 9}]\nreturn: [name, {far: {depth: b}}]",
    "query: q\nparameters: {s: {slot: task.status, required: false, description: 状态}}\n"
    "start: {form_type: task, as: t, where: '$s is unknown or status == $s'}\n"
    "steps: [{relation: [responsible_for], direction: in, to: person, optional: true, from: t}]\n"
    "group: t\nreturn: [name, {owner: person.name}]\norder: [-name]\nlimit: 10\ninclude: [cold, expired]\n"
    "row: {zh: '{{name}}'}\ntemplate: '{{count}}: {{rows}}'\nasks: {zh: [谁负责什么], en: '{s} tasks'}",
    "query: q\nparameters: {p: {type: ref, ref: project}}\nstart: {form_type: project, named: $p}\n"
    "steps: [{relation: belongs_to_project, direction: in, to: meeting}, {relation: invites, to: person, every: true}]\n"
    "return: [name, {meetings: {count: meeting}}]",
]


@pytest.mark.parametrize("text", RIGHT)
def test_both_judges_take_what_is_right(text: str, tmp_path: Path) -> None:
    file = tmp_path / "right.yaml"
    file.write_text(text, encoding="utf-8")
    assert [told(document) for document in seen(text)] == [[]] * len(seen(text))
    assert [f.message for f in load.check([file]) if f.severity == "error"] == []


# -- what is wrong -------------------------------------------------------------------------------------------
def slot(words: str) -> str:
    return f"form_type: a\nslots: {{x: {{{words}}}}}"


def form(words: str) -> str:
    return f"form_type: a\nslots: {{x: text}}\n{words}"


def rule(words: str) -> str:
    return f"relation: r\nfrom: lead_profile\nto: quote_form\n{words}"


def query(step: str) -> str:
    return f"query: q\nstart: {{form_type: task, named: x}}\nsteps: [{{{step}}}]\nreturn: [name]"


WRONG = {
    "no kind of document": "a: 1",
    "a document that is a list": "[form_type]",
    "both kinds at once": "form_type: a\nrelation: b\nslots: {x: text}",
    "no slots": "form_type: a",
    "empty slots": "form_type: a\nslots: {}",
    "slots as a list": "form_type: a\nslots: [x]",
    "slots of nothing": "form_type: a\nslots:",
    "a key that is not known": form("slotz: {}"),
    "a name with a space": "form_type: a b\nslots: {x: text}",
    "a name that is a number": "form_type: 12\nslots: {x: text}",
    "a name with a full-width sign": "form_type: 客户（新）\nslots: {x: text}",
    "a slot that begins with a digit": "form_type: a\nslots: {1st: text}",
    "a slot named form_type": "form_type: a\nslots: {form_type: text}",
    "version zero": form("version: 0"),
    "version in words": form("version: one"),
    "a version with a point": form("version: 1.5"),
    "a type that is not known": slot("type: txt"),
    "a slot without type": slot("many: true"),
    "a slot of nothing": "form_type: a\nslots: {x: }",
    "an enum in short": "form_type: a\nslots: {x: enum}",
    "an enum without values": slot("type: enum"),
    "an enum of no values": slot("type: enum, values: []"),
    "an enum with a value twice": slot("type: enum, values: [a, a]"),
    "an enum with a boolean": slot("type: enum, values: [true, b]"),
    "values on text": slot("type: text, values: [a]"),
    "a ref without target": slot("type: ref"),
    "a ref on text": slot("type: text, ref: lead_profile"),
    "a unit on a date": slot("type: date, unit: CNY"),
    "money in a unit that is no code": slot("type: money, unit: 元"),
    "min on text": slot("type: text, min: 1"),
    "min of a date as a number": slot("type: date, min: 5"),
    "min of an integer with a point": slot("type: integer, min: 1.5"),
    "min of a number in words": slot("type: number, max: many"),
    "many as a word": slot("type: text, many: sometimes"),
    "a threshold above one": slot("type: text, threshold: 80"),
    "fading to nothing": slot("type: text, fade_per_day: 0"),
    "an authority that is not known": slot("type: text, authority: [boss]"),
    "an alias that is a mapping": slot("type: text, aliases: [{a: b}]"),
    "a question in another language": slot("type: text, question: {fr: Quoi}"),
    "identity of nothing": form("identity: []"),
    "identity of an empty mapping": form("identity: {}"),
    "identity as a word": form("identity: x"),
    "alternatives that are no lists": form("identity: {any: [x]}"),
    "a life of minus one second": form("life: {ttl_seconds: -1}"),
    "a key of life that is not known": form("life: {ttl: 5}"),
    "an example without gives": form("examples: [{text: a}]"),
    "an example that gives a word": form("examples: [{text: a, gives: b}]"),
    "json_ld with another key": form("json_ld: {vocab: a}"),
    "a term without id": form("json_ld: {terms: {x: {type: '@id'}}}"),
    "a container that is not known": form("json_ld: {terms: {x: {id: a, container: '@bag'}}}"),
    "a prefix that is a number": form("json_ld: {prefixes: {s: 5}}"),
    "a migration to version 1": form("migrations: {1: []}"),
    "a migration that is no list": form("migrations: {2: {drop: [a]}}"),
    "a step that is not known": form("migrations: {2: [{remove: [a]}]}"),
    "a rename to no name": form("migrations: {2: [{rename: {a: 'b c'}}]}"),
    "a map that is flat": form("migrations: {2: [{map: {x: a}}]}"),
    "a relation without end": "relation: r\nfrom: lead_profile",
    "a relation that is always there": "relation: supersedes\nfrom: '*'\nto: '*'",
    "a cardinality that is not known": rule("cardinality: many"),
    "a weight above one": rule("strength: {weight: 2}"),
    "a half-life of zero": rule("strength: {half_life_days: 0}"),
    "an edge cold at once": rule("strength: {cold_after_days: 0}"),
    "an edge valid for a word": rule("strength: {valid_days: long}"),
    "acyclic as a text": rule("acyclic: 'yes'"),
    "a condition that is no comparison": rule("when: same company"),
    "a condition over any type": "relation: r\nfrom: '*'\nto: quote_form\nwhen: a.b == quote_form.company",
    "attributes as a list": rule("attributes: [a]"),
    "required as a text": rule("required: 'yes'"),
    "a query without start": "query: q\nreturn: [name]",
    "a query that returns nothing": "query: q\nstart: {form_type: task, named: x}",
    "a direction that is not known": query("relation: depends_on, to: task, as: b, direction: up"),
    "repeating for ever": query("relation: depends_on, to: task, as: b, repeat: always"),
    "a step without relation": query("to: task, as: b"),
    "an average": "query: q\nstart: {form_type: task, named: x}\nreturn: [{a: {average: task.due}}]",
    "a limit of none": "query: q\nstart: {form_type: task, named: x}\nreturn: [name]\nlimit: 0",
    "a parameter without type": "query: q\nparameters: {p: {many: true}}\nstart: {form_type: task, named: x}\n"
    "return: [name]",
    "a parameter with a word of the call's own": "query: q\nparameters: {as_of: date}\n"
    "start: {form_type: task, named: x}\nreturn: [name]",
}


def test_there_are_enough_wrong_documents() -> None:
    assert len(WRONG) >= 30


@pytest.mark.parametrize("text", WRONG.values(), ids=WRONG)
def test_both_judges_refuse_what_is_wrong(text: str, tmp_path: Path) -> None:
    file = tmp_path / "wrong.yaml"
    file.write_text(text, encoding="utf-8")
    assert any(told(document) for document in seen(text))
    assert main(["check", str(file)]) == 1


def test_one_wrong_document_of_a_stream_is_told_alone() -> None:
    text = "form_type: a\nslots: {x: text}\n---\nrelation: r\nfrom: a\nto: a\nwhat: 1\n---\nform_type: b\nslots: {y: url}"
    assert [bool(told(document)) for document in seen(text)] == [False, True, False]


# -- agreement under mutation --------------------------------------------------------------------------------
# What only the readers can know, because it takes more than the value itself.
BEYOND = re.compile(
    r"is not declared|is above (?:max|weight)|stands for two values|holds many values|when: |load: |"
    r"template in|stands twice|migrations \d+: |where: |needs a name|every goes with|goes from 0|comes twice|"
    r"asks: |cannot be called|is a word of templates|is as its slot is|has no default"
)
ODD: list[Any] = [
    None, True, 0, 1, 3, -2, 0.5, 1.5, "", " ", "x", "each", "newest", "CNY", "2026-01-31", "a b", "a.b == c.d",
    "*", [], {}, ["x"], ["x", "x"], [3], [None], [["x"]], {"x": "y"}, {"x": 3}, {"zh": "文"}, {"x": {"y": 1}},
    [{"text": "t", "gives": {}}], {"any": [["x"]]}, {"2": [{"drop": "x"}]},
]  # fmt: skip


@lru_cache(maxsize=1)
def whole() -> list[Any]:
    """Documents that between them use every key."""
    found = [document for text in RIGHT for document in seen(text)]
    return found + [document for path in FILES for document in seen(path.read_text(encoding="utf-8"))]


def places(value: Any, at: tuple[Any, ...] = ()) -> Iterator[tuple[Any, ...]]:
    if at:
        yield at
    for key, part in (
        value.items() if isinstance(value, dict) else enumerate(value) if isinstance(value, list) else ()
    ):
        yield from places(part, (*at, key))


def changed(document: Any, at: tuple[Any, ...], odd: Any, how: str) -> Any:
    document = copy.deepcopy(document)
    holder = document
    for key in at[:-1]:
        holder = holder[key]
    last = at[-1]
    if how == "drop":
        del holder[last]
    elif how == "rename" and isinstance(holder, dict):
        holder[f"{last}z"] = holder.pop(last)
    elif how == "odd key" and isinstance(holder, dict):
        holder[odd if isinstance(odd, str) else "q"] = holder.pop(last)
    else:
        holder[last] = copy.deepcopy(odd)
    return document


def written(value: Any, under: str = "") -> str:
    """Flow YAML whose texts are quoted, so that both judges see the same kinds; versions as keys are plain."""
    if isinstance(value, dict):
        pairs = []
        for key, part in value.items():
            plain = under == "migrations" and re.fullmatch("[0-9]+", key)
            pairs.append(f"{key if plain else json.dumps(key, ensure_ascii=False)}: {written(part, key)}")
        return "{" + ", ".join(pairs) + "}"
    if isinstance(value, list):
        return "[" + ", ".join(map(written, value)) + "]"
    if isinstance(value, str) and re.match(editor._GROUPED, value):
        return value  # to the readers a number, and only without quotes
    return json.dumps(value, ensure_ascii=False)


def agree(document: Any) -> None:
    by_schema, by_reader = told(document), read(written(document))
    assert by_reader or not by_schema, f"an editor marks what check takes: {document!r}: {by_schema}"
    known = [message for message in by_reader if not BEYOND.search(message)]
    assert by_schema or not known, f"check refuses what an editor lets pass: {document!r}: {known}"


@settings(max_examples=200, deadline=None)
@given(st.data())
def test_the_two_judges_agree(data: st.DataObject) -> None:
    document = data.draw(st.sampled_from(whole()))
    for _ in range(data.draw(st.integers(1, 2))):
        spots = list(places(document))
        if not spots:
            break
        how = data.draw(st.sampled_from(["odd", "odd", "odd", "drop", "rename", "odd key"]))
        document = changed(document, data.draw(st.sampled_from(spots)), data.draw(st.sampled_from(ODD)), how)
    agree(document)


def test_the_two_judges_agree_on_every_place_of_the_right_documents() -> None:
    tried: set[tuple[Any, ...]] = set()
    for document in (document for text in RIGHT for document in seen(text)):
        agree(document)
        for at in places(document):
            value = document
            for key in at:
                value = value[key]
            if (at, repr(value)) in tried:
                continue
            tried.add((at, repr(value)))
            for how in ("drop", "rename"):
                agree(changed(document, at, None, how))
            # each place meets a third of the odd values, neighbouring places meet different ones
            for odd in ODD[len(tried) % 3 :: 3]:
                agree(changed(document, at, odd, "odd"))
    assert len(tried) > 100


def test_read_form_is_what_both_stand_on() -> None:
    """The reader that is compared with is the one that loading uses."""
    assert load.read_form is read_form
