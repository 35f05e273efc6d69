"""What ships is a whole vocabulary: every type and relation complete in both languages, and told in the docs."""

from __future__ import annotations

import re
from datetime import datetime
from pathlib import Path

import pytest
import vocabulary_pages as pages
import yaml
from vocabulary_pages import sample

from forms_dynamics.language.normal import has_han
from forms_dynamics.schema.coerce import coerce
from forms_dynamics.schema.load import load_catalog
from forms_dynamics.schema.spec import FormType, RelationRule
from forms_dynamics.schema.template import mentioned, render
from forms_dynamics.schema.wording import format_value

ROOT = Path(__file__).resolve().parents[3]
CATALOG = load_catalog()
TIME = datetime.fromisoformat("2026-06-12T10:00:00+08:00")
LANGS = ("zh", "en")
# what the domains need: sales and service; the work of agents; planning; the memory of a user
TYPES = set(
    "lead_profile quote_form contract_form order product complaint task document person action tool_call "
    "meeting project time_slot resource_requirement user_profile preference health_fact place family_member "
    "session_summary".split()
)
RELATIONS = set(
    "refers_to evolves_from has_purpose belongs_to_project invites proposed_time requires_resource depends_on "
    "responsible_for part_of created_by mentions complains_about ordered_by contains lives_at related_to "
    "summary_of about".split()
)
# prefix → IRI, and what each vocabulary has: of schema.org by type
IRIS = {
    "schema": "https://schema.org/",
    "dcterms": "http://purl.org/dc/terms/",
    "ical": "http://www.w3.org/2002/12/cal/ical#",
    "fd": "urn:forms-dynamics:terms:",
    "xsd": "http://www.w3.org/2001/XMLSchema#",
}
TERMS = yaml.safe_load(Path(__file__).with_name("json_ld_terms.yaml").read_text(encoding="utf-8"))
XSD = re.compile(r"(?:xsd:(?:string|date|dateTime|integer|decimal|boolean)|@id)")
# the declared type of the values of a slot, as XML Schema has it
OF_TYPE = {"date": "xsd:date", "datetime": "xsd:dateTime", "integer": "xsd:integer", "url": "@id"}

each_type = pytest.mark.parametrize("form_type", list(CATALOG), ids=lambda t: t.name)
each_rule = pytest.mark.parametrize("rule", CATALOG.rules, ids=lambda r: f"{r.source}-{r.name}-{r.target}")


def iris(form_type: FormType) -> list[str]:
    given = form_type.json_ld["type"]
    return [given] if isinstance(given, str) else given


def test_nothing_is_missing_and_relations_are_few() -> None:
    assert set(CATALOG.types) >= TYPES
    assert CATALOG.relations >= RELATIONS
    assert len(CATALOG.relations) <= 32
    assert not CATALOG.relations & {"supersedes", "derived_from"}


@each_type
def test_a_type_says_what_it_is(form_type: FormType) -> None:
    assert set(form_type.description) == set(form_type.template) == set(form_type.usage) == set(LANGS)
    assert (
        form_type.identity.each
        or form_type.identity.keys != (("$conversation",),)
        or (form_type.name == "session_summary")
    )
    assert 2 <= len(form_type.slots) <= 10


@each_type
def test_a_type_asks_for_what_it_may_doubt(form_type: FormType) -> None:
    """Slots that identify are asked for when missing; amounts and moments when they are said vaguely."""
    if form_type.identity.each:
        return  # written by programs
    for spec in form_type.slots.values():
        if spec.name in form_type.identity.slots or spec.type in (
            "money",
            "date",
            "datetime",
            "phone",
            "email",
        ):
            assert set(spec.question) == set(LANGS), spec.name
            assert has_han(spec.question["zh"])
            assert not has_han(spec.question["en"])


@each_type
def test_a_description_announces_nothing_by_chance(form_type: FormType) -> None:
    """Short descriptions count as words of their slot: "When it begins." would be read in any talk."""
    if form_type.name == "tool_call":
        return
    for spec in form_type.slots.values():
        told = spec.description["en"].rstrip(".")
        assert len(told.split()) > 3 or told.lower() in spec.aliases, spec.name


@each_type
def test_slots_have_terms_of_their_type(form_type: FormType) -> None:
    told = form_type.json_ld
    types = [iri.removeprefix(IRIS["schema"]) for iri in iris(form_type)]
    assert types
    assert set(types) <= set(TERMS["schema"])
    assert told["prefixes"].items() <= IRIS.items()
    assert isinstance(told["version"], int)
    assert set(told["terms"]) == set(form_type.slots)
    ids = []
    for name, term in told["terms"].items():
        spec = form_type.slots[name]
        prefix, _, local = term["id"].partition(":")
        assert prefix in told["prefixes"]
        if prefix == "schema":
            assert any(local in TERMS["schema"][one] for one in types), (name, local, types)
        else:
            assert local in TERMS[prefix], name
        assert XSD.fullmatch(term["type"]), name
        assert term["type"] == OF_TYPE.get(spec.type, "xsd:string"), name
        assert (term.get("container") in ("@list", "@set")) == spec.many, name
        ids.append(term["id"])
    assert len(set(ids)) == len(ids), "two slots are one term"


def test_listed_terms_are_used_and_the_own_ones_explained() -> None:
    """A term left behind in the list would let a wrong one pass."""
    schema = TERMS["schema"]
    used: dict[str, set[str]] = {}
    for form_type in CATALOG:
        on = [iri.removeprefix(IRIS["schema"]) for iri in iris(form_type)]
        for term in form_type.json_ld["terms"].values():
            prefix, _, local = term["id"].partition(":")
            names = [one for one in on if local in schema[one]] if prefix == "schema" else [prefix]
            for name in names:
                used.setdefault(name, set()).add(local)
    listed = {name: set(terms) for name, terms in {**schema, **TERMS}.items() if name != "schema"}
    assert used == listed
    told = (ROOT / "docs" / "form-types.md").read_text(encoding="utf-8")
    assert IRIS["fd"] in told
    for name in TERMS["fd"]:
        assert f"| `fd:{name}` |" in told


@each_type
def test_enum_values_read_in_both_languages(form_type: FormType) -> None:
    for spec in form_type.slots.values():
        for value, synonyms in spec.values.items():
            for word in (value, value.upper(), value.replace("_", " "), *synonyms):
                assert coerce(spec, word, TIME, None).value == value, (spec.name, word)
            assert any(map(has_han, synonyms)), (spec.name, value)
            assert "_" not in format_value(value, spec, "en"), "a synonym spells the value out"
            assert has_han(format_value(value, spec, "zh"))


@pytest.mark.parametrize(
    ("said", "zh", "en"),
    [
        # an English word that may be several relatives stays open in Chinese
        ("grandpa", "祖父或外祖父", "grandfather"), ("grandma", "祖母或外祖母", "grandmother"),
        ("uncle", "叔伯或舅舅等", "uncle"), ("aunt", "姑妈或姨妈等", "aunt"), ("cousin", "堂亲或表亲", "cousin"),
        ("father-in-law", "岳父或公公", "father-in-law"), ("mother-in-law", "岳母或婆婆", "mother-in-law"),
        ("brother-in-law", "姐妹的丈夫或配偶的兄弟", "brother-in-law"),
        ("sister-in-law", "兄弟的妻子或配偶的姐妹", "sister-in-law"),
        ("nephew", "侄子或外甥", "nephew"), ("niece", "侄女或外甥女", "niece"),
        ("grandson", "孙子或外孙", "grandson"), ("granddaughter", "孙女或外孙女", "granddaughter"),
        # a Chinese word that says more keeps it, and is true in English
        ("爷爷", "爷爷", "paternal grandfather"), ("姥姥", "外婆", "maternal grandmother"),
        ("岳父", "岳父", "wife's father"), ("婆婆", "婆婆", "husband's mother"), ("姐夫", "姐夫", "elder sister's husband"),
        ("小姨子", "小姨子", "wife's younger sister"), ("嫂子", "嫂子", "elder brother's wife"),
        ("叔叔", "叔叔", "father's younger brother"), ("舅舅", "舅舅", "maternal uncle"),
        ("侄子", "侄子", "brother's son"), ("外孙女", "外孙女", "daughter's daughter"),
        ("阿姨", "姑妈或姨妈等", "aunt"), ("女婿", "女婿", "son-in-law"),
    ],
)  # fmt: skip
def test_a_relative_is_shown_as_no_more_than_was_said(said: str, zh: str, en: str) -> None:
    spec = CATALOG.types["family_member"].slots["relation"]
    value = coerce(spec, said, TIME, None).value
    assert (format_value(value, spec, "zh"), format_value(value, spec, "en")) == (zh, en)


@each_type
@pytest.mark.parametrize("lang", LANGS)
def test_a_filled_form_reads_whole(form_type: FormType, lang: str) -> None:
    values = sample(form_type, lang)
    assert mentioned(form_type, lang) == set(form_type.slots)
    read = render(form_type, lang, values)
    for name, value in values.items():
        assert value in read, name
    assert "{" not in read.replace(values.get("arguments", ""), "").replace(values.get("result", ""), "")
    one = next(iter(values))
    assert values[one] in render(form_type, lang, {one: values[one]})


@each_type
def test_examples_of_both_kinds_in_both_languages(form_type: FormType) -> None:
    said = [(has_han(e.text), bool(e.gives)) for e in form_type.examples]
    for han in (True, False):
        assert said.count((han, False)) >= 2
        if form_type.name != "tool_call":  # written by programs, never read out of talk
            assert said.count((han, True)) >= 2
    mixed = [
        e for e in form_type.examples if has_han(e.text) and re.search("[A-Za-z]{4}", e.text) and e.gives
    ]
    assert mixed or form_type.name == "tool_call"


@each_rule
def test_a_relation_says_what_it_is(rule: RelationRule) -> None:
    assert set(rule.description) == set(LANGS)
    assert {has_han(alias) for alias in rule.aliases} == {True, False}
    strength = rule.strength
    assert 0.6 < strength.floor <= strength.weight <= 1, "a living edge must stay walkable"
    assert strength.half_life_days is not None


@pytest.mark.parametrize("lang", LANGS)
def test_the_vocabulary_in_the_docs_is_of_these_files(lang: str) -> None:
    committed = (ROOT / "docs" / pages.FILES[lang]).read_text(encoding="utf-8")
    assert committed == pages.page(CATALOG, lang), "docs are stale: run `make docs` and commit what it writes"


def test_pages_tell_every_type_slot_and_relation() -> None:
    for lang in LANGS:
        page = pages.page(CATALOG, lang)
        for form_type in CATALOG:
            part = page.partition(f"\n### {form_type.name}\n")[2].partition("\n### ")[0]
            for slot in form_type.slots:
                assert f"| `{slot}` |" in part, (lang, form_type.name, slot)
            for iri in iris(form_type):
                assert f"<{iri}>" in part
        for rule in CATALOG.rules:
            assert rule.description[lang] in page


def test_the_command_writes_both_pages(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert pages.main([str(tmp_path)]) == 0
    assert {path.name for path in tmp_path.iterdir()} == set(pages.FILES.values())
    assert pages.main([str(tmp_path / "nowhere")]) == 2
    assert "usage" in capsys.readouterr().err
