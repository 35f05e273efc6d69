"""What is loaded: names, files, folders, several documents, and what they make together."""

from __future__ import annotations

import subprocess
import sys
import time
from decimal import Decimal
from pathlib import Path

import pytest

from forms_dynamics.errors import SchemaError
from forms_dynamics.schema.load import check, load_catalog
from forms_dynamics.schema.spec import Identity, Join, Life, Strength

FULL = """
form_type: lead
version: 2
description: {en: A customer., zh: 客户}
aliases: 客户
identity: {any: [[company], [phone], [contact_name, $user]]}
life: {ttl_seconds: 60, cold_after_days: null, fade_per_day: 0.95, valid_days: 7}
threshold: 0.75
shared: true
slots:
  company:       {type: text, aliases: [客户名, 公司], cues: [我们是]}
  contact_name:  text
  phone:         {type: phone, required: true}
  budget:        {type: money, unit: CNY, min: 1.50, exact: true, question: 您的预算是？, threshold: 0.9}
  tags:          {type: text, many: true, authority: [tool, user], fade_per_day: 1}
  due:           {type: date, min: 2026-01-01, authority: newest}
  level:         {type: enum, values: [a1, b1], description: How high}
  count:         {type: integer, max: 9, unit: 台}
  parent:        {type: ref, ref: lead}
template: {zh: "{{company}}"}
usage: Use it.
examples:
  - {text: 我们预算50万, gives: {budget: 500000}}
  - {text: two, gives: [{company: a}, {company: b}]}
  - {text: 3.5, gives: {budget: 3.50, due: 2026-02-01, tags: [x, 07]}}
json_ld: {type: "https://schema.org/Organization", terms: {tags: {id: "schema:k", container: "@list"}}}
migrations:
  2: [{rename: {pay_terms: company}}, {default: {level: null}}, {drop: [old]}, {map: {level: {x: a1}}}]
"""


def write(folder: Path, name: str, text: str) -> Path:
    file = folder / name
    file.parent.mkdir(parents=True, exist_ok=True)
    file.write_text(text, encoding="utf-8")
    return file


def test_every_part_of_a_type(tmp_path: Path) -> None:
    file = write(tmp_path, "a.yaml", FULL)
    assert check([file]) == []
    lead = load_catalog([file]).types["lead"]
    slots = lead.slots
    assert lead.identity == Identity((("company",), ("phone",), ("contact_name", "$user")))
    assert lead.life == Life(ttl_seconds=60, cold_after_days=None, fade_per_day=0.95, valid_days=7)
    assert (lead.threshold, lead.shared, lead.aliases) == (0.75, True, ("客户",))
    assert (lead.file, lead.line) == (str(file), 2)
    assert (slots["company"].aliases, slots["company"].cues) == (("客户名", "公司"), ("我们是",))
    assert slots["contact_name"].type == "text"
    assert slots["phone"].required
    assert (slots["budget"].unit, slots["budget"].min, slots["budget"].exact) == (
        "CNY",
        Decimal("1.50"),
        True,
    )
    assert (slots["budget"].question, slots["budget"].threshold) == ({"zh": "您的预算是？"}, 0.9)
    assert (slots["tags"].many, slots["tags"].authority, slots["tags"].fade_per_day) == (
        True,
        ("tool", "user"),
        1,
    )
    assert (str(slots["due"].min), slots["due"].authority) == ("2026-01-01", "newest")
    assert (slots["level"].values, slots["level"].description) == ({"a1": (), "b1": ()}, {"en": "How high"})
    assert (slots["count"].max, slots["count"].unit) == (9, "台")
    assert slots["parent"].ref == "lead"
    assert lead.usage == {"en": "Use it."}
    assert [example.gives for example in lead.examples] == [
        {"budget": 500000},
        [{"company": "a"}, {"company": "b"}],
        {"budget": Decimal("3.50"), "due": "2026-02-01", "tags": ["x", "07"]},
    ]
    assert lead.examples[2].text == "3.5"
    assert lead.json_ld["terms"]["tags"] == {"id": "schema:k", "container": "@list"}
    assert lead.migrations == {
        2: (
            {"rename": {"pay_terms": "company"}}, {"default": {"level": None}}, {"drop": ("old",)},
            {"map": {"level": {"x": "a1"}}},
        )
    }  # fmt: skip


def test_defaults(tmp_path: Path) -> None:
    file = write(tmp_path, "a.yaml", "form_type: note\nslots: {text: {type: text}}\n")
    note = load_catalog([file]).types["note"]
    assert note.identity == Identity((("$conversation",),))
    assert note.life == Life(None, 90, None, None)
    assert note.version == 1
    each = write(tmp_path, "b.yaml", "form_type: note\nidentity: each\nslots: {text: {type: text}}\n")
    assert load_catalog([each]).types["note"].identity == Identity((), each=True)


def test_documents_and_kinds_mix(tmp_path: Path) -> None:
    write(
        tmp_path,
        "deep/all.yml",
        "form_type: a\nslots: {k: {type: text}, j: {type: text}}\n---\n"
        "relation: grows_from\nfrom: b\nto: a\nrequired: true\ncardinality: many_to_one\n"
        "strength: {weight: 0.9, floor: 0.7, half_life_days: 30, ttl_seconds: 100, cold_after_days: 90, valid_days: 7}\n"
        "acyclic: true\n"
        'when: "b.k == a.k and a.j == b.j"\nattributes: {scope: backend}\n---\n'
        "form_type: b\nslots: {k: {type: text}, j: {type: text}, up: {type: ref, ref: a}}\n",
    )
    write(tmp_path, ".hidden/bad.yaml", "form_type: [")
    write(tmp_path, "readme.txt", "no yaml: [")
    catalog = load_catalog([tmp_path])
    assert list(catalog.types) == ["a", "b"]
    (rule,) = catalog.rules
    assert rule.when == (Join("k", "k"), Join("j", "j"))
    assert (rule.source, rule.target, rule.required, rule.cardinality) == ("b", "a", True, "many_to_one")
    assert rule.strength == Strength(0.9, 0.7, 30, 100, 90, 7)
    assert rule.acyclic is True
    assert rule.attributes == {"scope": "backend"}
    assert catalog.indexed == {"a": {"k", "j"}, "b": {"k", "j", "up"}}
    assert catalog.rules_between("b", "a") == [rule]
    assert catalog.relations == {"grows_from"}


def test_names_files_and_folders(tmp_path: Path) -> None:
    file = write(tmp_path, "a.yaml", "form_type: a\nslots: {k: {type: text}}\n")
    assert list(load_catalog(["lead_profile", str(file)]).types) == ["lead_profile", "a"]
    # the same file by two ways is one file
    assert list(load_catalog([file, tmp_path]).types) == ["a"]


@pytest.mark.parametrize(
    ("given", "piece", "suggestion"),
    [
        (["lead_profil"], "no shipped form type", "lead_profile"),
        (["nowhere/at/all.yaml"], "no shipped form type", None),
        ([], "no form types are given", None),
    ],
)
def test_names_that_lead_nowhere(given: list[str], piece: str, suggestion: str | None) -> None:
    with pytest.raises(SchemaError) as refused:
        load_catalog(given)
    assert piece in refused.value.findings[0].message
    assert refused.value.findings[0].suggestion == suggestion
    assert refused.value.code == "schema"


def test_an_empty_folder_is_told(tmp_path: Path) -> None:
    with pytest.raises(SchemaError, match=r"no \.yaml or \.yml"):
        load_catalog([tmp_path])


def test_a_name_declared_twice_names_both_places(tmp_path: Path) -> None:
    first = write(tmp_path, "a.yaml", "form_type: x\nslots: {k: {type: text}}\n")
    second = write(tmp_path, "b.yaml", "# a comment\nform_type: x\nslots: {k: {type: date}}\n")
    with pytest.raises(SchemaError) as refused:
        load_catalog([tmp_path])
    (finding,) = refused.value.findings
    assert (finding.file, finding.line, finding.column) == (str(second), 2, 12)
    assert f"{first}:1" in finding.message
    mine = write(tmp_path, "lead.yaml", "form_type: lead_profile\nslots: {k: {type: text}}\n")
    assert len(load_catalog([mine]).types["lead_profile"].slots) == 1
    with pytest.raises(SchemaError, match="already"):
        load_catalog(["lead_profile", mine])


def test_a_relation_declared_twice(tmp_path: Path) -> None:
    file = write(tmp_path, "r.yaml", "relation: x\nfrom: quote_form\nto: lead_profile\n")
    other = write(tmp_path, "s.yaml", file.read_text())
    with pytest.raises(SchemaError, match="already") as refused:
        load_catalog(["lead_profile", "quote_form"], [file, other])
    assert refused.value.findings[0].file == str(other)


def test_shipped_rules_follow_the_loaded_types() -> None:
    assert {rule.name for rule in load_catalog(["lead_profile"]).rules} == set()
    (rule,) = load_catalog(["lead_profile", "quote_form"]).rules
    assert (rule.name, rule.source, rule.target, rule.required) == (
        "refers_to",
        "quote_form",
        "lead_profile",
        True,
    )
    assert (rule.cardinality, rule.strength) == ("many_to_one", Strength(0.9, 0.7, 30, 15552000))
    assert rule.when == (Join("company", "company"),)
    assert {rule.name for rule in load_catalog(["tool_call"]).rules} == {"about", "part_of"}


def test_given_rules_are_the_only_ones(tmp_path: Path) -> None:
    file = write(tmp_path, "r.yaml", "relation: replaces\nfrom: quote_form\nto: lead_profile\n")
    types = ["lead_profile", "quote_form", "contract_form"]
    assert [rule.name for rule in load_catalog(types, [file]).rules] == ["replaces"]
    assert load_catalog(types, []).rules == ()
    assert [rule.name for rule in load_catalog(types, ["evolves_from"]).rules] == ["evolves_from"]
    with pytest.raises(SchemaError, match="'quote_form' is not loaded"):
        load_catalog(["lead_profile"], [file])
    with pytest.raises(SchemaError, match="did you mean 'refers_to'"):
        load_catalog(types, ["refer_to"])


def test_the_users_rule_stands_in_place_of_the_shipped_one(tmp_path: Path) -> None:
    write(
        tmp_path,
        "r.yaml",
        "relation: refers_to\nfrom: quote_form\nto: lead_profile\nstrength: {weight: 0.3}\n",
    )
    (rule,) = load_catalog(["lead_profile", "quote_form", tmp_path]).rules
    assert (rule.strength.weight, rule.when) == (0.3, ())


def test_a_users_type_with_a_shipped_name_goes_without_rules_it_cannot_serve(tmp_path: Path) -> None:
    file = write(tmp_path, "q.yaml", "form_type: quote_form\nslots: {price: {type: money}}\n")
    assert load_catalog([file, "lead_profile"]).rules == ()


def test_types_may_refer_to_each_other_in_a_circle(tmp_path: Path) -> None:
    file = write(
        tmp_path, "c.yaml",
        "form_type: a\nslots: {b: {type: ref, ref: b}}\n---\nform_type: b\nslots: {a: {type: ref, ref: a}}\n",
    )  # fmt: skip
    assert set(load_catalog([file]).types) == {"a", "b"}


def test_check_knows_shipped_types_as_targets(tmp_path: Path) -> None:
    text = "form_type: visit\nslots: {customer: {type: ref, ref: lead_profile}}\n"
    assert check([write(tmp_path, "v.yaml", text)]) == []


def test_the_fingerprint_follows_what_an_extractor_reads(tmp_path: Path) -> None:
    text = "form_type: a\nslots: {k: {type: text, aliases: [甲]}}\nlife: {cold_after_days: 9}\n"
    file = write(tmp_path, "a.yaml", text)
    first = load_catalog([file]).fingerprint
    assert load_catalog([file]).fingerprint == first
    write(tmp_path, "a.yaml", text.replace("9", "8"))
    assert load_catalog([file]).fingerprint == first
    write(tmp_path, "a.yaml", text.replace("甲", "乙"))
    assert load_catalog([file]).fingerprint != first


def test_a_large_honest_file_is_no_attack(tmp_path: Path) -> None:
    def one(number: int) -> str:
        slots = "".join(
            f"  slot_{i}:\n    type: text\n    aliases: [别名{i}号, name{i}]\n    question: {{zh: 请问？}}\n"
            for i in range(20)
        )
        return f"form_type: type_{number}\nidentity: [slot_0]\nslots:\n{slots}"

    file = write(tmp_path, "big.yaml", "---\n".join(one(i) for i in range(200)))
    begun = time.perf_counter()
    found = check([file])
    assert time.perf_counter() - begun < 10
    assert [f for f in found if f.severity == "error" or "alias" in f.message] == []
    assert len(load_catalog([file]).types) == 200


def test_loading_what_ships_imports_no_heavy_library() -> None:
    code = (
        "import sys; from forms_dynamics.schema.load import load_catalog; load_catalog();"
        "print(sorted({'jinja2', 'sqlmodel', 'openai', 'numpy'} & set(sys.modules)))"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "[]"
