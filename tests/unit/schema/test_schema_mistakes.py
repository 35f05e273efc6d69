"""Every kind of mistake in YAML is told with file, line, column and what would be right."""

from __future__ import annotations

from pathlib import Path

import pytest

from forms_dynamics.errors import SchemaError
from forms_dynamics.schema.findings import Finding
from forms_dynamics.schema.load import check, load_catalog


def findings(folder: Path, text: str | bytes) -> list[Finding]:
    file = folder / "given.yaml"
    file.write_bytes(text if isinstance(text, bytes) else text.encode())
    return check([file])


def told(folder: Path, text: str | bytes) -> list[tuple[int, int, str | None]]:
    return [(f.line, f.column, f.suggestion) for f in findings(folder, text)]


SLOTS = "slots:\n  name: {type: text}\n  due: {type: date}\n"
TYPE = "form_type: a\n" + SLOTS
X = "form_type: a\nslots:\n  x: "
REL = "relation: x\nfrom: quote_form\nto: lead_profile\n"
ANY = 'relation: x\nfrom: quote_form\nto: "*"\n'

# name, YAML, (line, column) of the finding, a piece of its message, its suggestion
MISTAKES = [
    ("unknown key", "form_type: a\nslotz: {x: {type: text}}\n" + SLOTS, (2, 1), "no key 'slotz'", "slots"),
    ("expected unknown", TYPE + "expected: [nam]\n", (5, 12), "not declared", "name"),
    ("expected twice", TYPE + "expected: [name, name]\n", (5, 18), "twice", None),
    ("expected nothing", TYPE + "expected: []\n", (5, 11), "is empty", None),
    ("expected false", TYPE + "expected: false\n", (5, 11), "leave it out", None),
    ("expected one slot", TYPE + "expected: name\n", (5, 11), "list of slots", "[name]"),
    ("unknown slot key", X + "{type: text, requird: true}\n", (3, 19), "no key", "required"),
    ("unknown type", X + "{type: txt}\n", (3, 13), "'txt'", "text"),
    ("foreign type", X + "{type: string}\n", (3, 13), "'string'", "text"),
    ("list type", X + "{type: list}\n", (3, 13), "many: true", "text, many: true"),
    ("no type", X + "{many: true}\n", (3, 3), "has no type", None),
    ("empty slot", "form_type: a\nslots:\n  x:\n", (3, 3), "has no type", None),
    ("no slots", "form_type: a\n", (1, 12), "needs 'slots:'", None),
    ("no name", "form_typ: a\n" + SLOTS, (1, 1), "begins with 'form_type'", "form_type"),
    ("a list", "- a\n- b\n", (1, 1), "mapping", None),
    ("text for a mapping", "form_type: a\nslots: name\n", (2, 8), "must be a mapping", None),
    ("duplicate key", X + "{type: text}\n  x: {type: date}\n", (4, 3), "twice", None),
    ("duplicate top key", TYPE + "form_type: b\n", (5, 1), "first in line 1", None),
    ("boolean written yes", X + "{type: text, many: yes}\n", (3, 25), "true or false", "true"),
    ("boolean written Off", "form_type: a\nshared: Off\n" + SLOTS, (2, 9), "true or false", "false"),
    ("quoted boolean", "form_type: a\nshared: 'true'\n" + SLOTS, (2, 9), "true or false", "true"),
    ("slot named no", "form_type: a\nslots:\n  no: {type: text}\n", (3, 3), "put it in quotes", '"no"'),
    ("slot named y", "form_type: a\nslots:\n  y: {type: text}\n", (3, 3), "put it in quotes", '"y"'),
    ("type named on", "form_type: on\n" + SLOTS, (1, 12), "put it in quotes", '"on"'),
    ("number in a name", "form_type: a\nslots:\n  1.5: {type: text}\n", (3, 3), "a number; put", '"1.5"'),
    ("synonym off", X + "{type: enum, values: {b: [off]}}\n", (3, 32), "quotes", '"off"'),
    ("alias null", "form_type: a\naliases: [~]\n" + SLOTS, (2, 11), "is empty", None),
    ("strange name", 'form_type: a\nslots:\n  "a b": {type: text}\n', (3, 3), "letters, digits", None),
    ("enum without values", X + "{type: enum}\n", (3, 13), "needs values", None),
    ("values without enum", X + "{type: text, values: [b]}\n", (3, 27), "type enum", "type: enum"),
    ("one word, two values", X + "{type: enum, values: {b: [z], c: [Z]}}\n", (3, 39), "two values", None),
    ("values equal but for case", X + "{type: enum, values: [hi, HI]}\n", (3, 32), "two values", None),
    ("ref to nothing", X + "{type: ref}\n", (3, 13), "needs a Form type", None),
    ("ref unknown", X + "{type: ref, ref: lead_profil}\n", (3, 23), "not loaded", "lead_profile"),
    ("unit", X + "{type: money, unit: 人民币}\n", (3, 26), "ISO 4217", "CNY"),
    ("min over max", X + "{type: integer, min: 9, max: 2}\n", (3, 27), "above max", None),
    ("min of a text", X + "{type: text, min: 9}\n", (3, 24), "this is text", None),
    ("min no number", X + "{type: number, min: low}\n", (3, 26), "must be a number", None),
    ("threshold", "form_type: a\nthreshold: 1.2\n" + SLOTS, (2, 12), "at most 1", None),
    ("authority", X + "{type: text, authority: [tol]}\n", (3, 31), "'tol'", "tool"),
    ("fade", "form_type: a\nlife: {fade_per_day: 0}\n" + SLOTS, (2, 22), "above 0", None),
    ("life key", "form_type: a\nlife: {cold_after: 9}\n" + SLOTS, (2, 8), "no key", "cold_after_days"),
    ("version", "form_type: a\nversion: 1.5\n" + SLOTS, (2, 10), "whole number", None),
    ("identity slot", "form_type: a\nidentity: [nam]\n" + SLOTS, (2, 12), "'nam'", "name"),
    ("identity context", "form_type: a\nidentity: [$speker]\n" + SLOTS, (2, 12), "$speker", "$speaker"),
    ("identity text", "form_type: a\nidentity: name\n" + SLOTS, (2, 11), "identity is", "[name]"),
    ("identity lists", "form_type: a\nidentity: [[name], [due]]\n" + SLOTS, (2, 11), "under any", None),
    (
        "identity any texts",
        "form_type: a\nidentity: {any: [name]}\n" + SLOTS,
        (2, 18),
        "list of slots",
        "[name]",
    ),
    (
        "identity many",
        "form_type: a\nidentity: [x]\nslots:\n  x: {type: text, many: true}\n",
        (2, 12),
        "many values",
        None,
    ),
    ("example slot", TYPE + "examples:\n  - {text: hi, gives: {nme: x}}\n", (6, 24), "'nme'", "name"),
    ("example without gives", TYPE + "examples:\n  - {text: hi}\n", (6, 5), "what it gives", None),
    ("language", "form_type: a\ndescription: {zh: 甲, eng: b}\n" + SLOTS, (2, 22), "no key 'eng'", "en"),
    (
        "comma in flow text",
        "form_type: a\ndescription: {en: one, and two}\n" + SLOTS,
        (2, 24),
        "in quotes",
        None,
    ),
    ("template slot", TYPE + "template:\n  zh: |\n    {{name}}\n    {{nmae}}\n", (8, 1), "'nmae'", "name"),
    ("template syntax", TYPE + 'template: {en: "{{name"}\n', (5, 16), "template in en", None),
    (
        "template loop",
        TYPE + 'template: {en: "{% for x in name %}{% endfor %}"}\n',
        (5, 16),
        "for is not taken",
        None,
    ),
    ("migration step", TYPE + "migrations: {2: [{renam: {x: name}}]}\n", (5, 19), "no key", "rename"),
    ("migration version", TYPE + "migrations: {1: []}\n", (5, 14), "at least 2", None),
    ("json_ld slot", TYPE + "json_ld: {terms: {nam: s:n}}\n", (5, 19), "'nam'", "name"),
    ("tag", "form_type: !!python/name:os.system a\n" + SLOTS, (1, 12), "tag", None),
    ("bad anchor", "form_type: a\nslots: *other\n", (2, 8), "&other is not declared", None),
    ("control character", "form_type: a\nslots: {x\x01: {type: text}}\n", (2, 10), "U+0001", None),
    ("not UTF-8", "form_type: a\ndescription: 中文\n".encode("gbk") + SLOTS.encode(), (2, 14), "UTF-8", None),
    ("UTF-16", "form_type: a\n".encode("utf-16"), (1, 1), "UTF-16", None),
    ("empty", "", (1, 1), "is empty", None),
    ("only comments", "# nothing here\n---\n", (1, 1), "is empty", None),
    ("syntax", "form_type: a\nslots: {x: {type: text}\n", (3, 1), "not valid YAML", None),
    ("too deep", "form_type: a\nslots: " + "[" * 100_000, None, "nest", None),
    (
        "reserved relation",
        "relation: supersedes\nfrom: quote_form\nto: lead_profile\n",
        (1, 11),
        "always there",
        None,
    ),
    ("relation end", "relation: x\nfrom: quote_frm\nto: lead_profile\n", (2, 7), "not loaded", "quote_form"),
    ("relation without end", "relation: x\nfrom: quote_form\n", (1, 11), "needs 'to:'", None),
    ("cardinality", REL + "cardinality: many_to_won\n", (4, 14), "", "many_to_one"),
    ("strength key", REL + "strength: {wieght: 1}\n", (4, 12), "no key", "weight"),
    ("cold never", REL + "strength: {cold_after_days: 0}\n", (4, 29), "strength: cold_after_days", None),
    ("valid backwards", REL + "strength: {valid_days: -1}\n", (4, 24), "strength: valid_days", None),
    ("acyclic in words", REL + "acyclic: mostly\n", (4, 10), "acyclic", None),
    ("floor over weight", REL + "strength: {floor: 0.9, weight: 0.5}\n", (4, 19), "above weight", None),
    (
        "when slot",
        REL + "when: quote_form.compny == lead_profile.company\n",
        (4, 7),
        "no slot 'compny'",
        "company",
    ),
    (
        "when type",
        REL + "when: quote_frm.company == lead_profile.company\n",
        (4, 7),
        "neither end",
        "quote_form",
    ),
    (
        "when operator",
        REL + "when: quote_form.company = lead_profile.company\n",
        (4, 7),
        "not understood",
        None,
    ),
    ("when code", REL + "when: __import__('os').system('x')\n", (4, 7), "not understood", None),
    ("when one side", REL + "when: quote_form.company == quote_form.quote_no\n", (4, 7), "one end", None),
    ("when any type", ANY + "when: quote_form.company == lead_profile.company\n", (4, 7), "two named", None),
]


@pytest.mark.parametrize(
    ("text", "place", "piece", "suggestion"), [m[1:] for m in MISTAKES], ids=[m[0] for m in MISTAKES]
)
def test_mistake_is_told_at_its_place(
    tmp_path: Path, text: str | bytes, place: tuple[int, int] | None, piece: str, suggestion: str | None
) -> None:
    found = findings(tmp_path, text)
    hits = [f for f in found if piece in f.message and f.suggestion == suggestion]
    assert hits, [str(f) for f in found]
    assert hits[0].severity == "error"
    assert hits[0].file == str(tmp_path / "given.yaml")
    if place:
        assert (hits[0].line, hits[0].column) == place
    with pytest.raises(SchemaError) as refused:
        load_catalog([tmp_path / "given.yaml"] if b"relation" not in _bytes(text) else [
            "lead_profile", "quote_form", tmp_path / "given.yaml"
        ])  # fmt: skip
    assert any(piece in f.message for f in refused.value.findings)


def _bytes(text: str | bytes) -> bytes:
    return text if isinstance(text, bytes) else text.encode()


def test_a_mistake_in_a_slot_does_not_make_its_users_wrong(tmp_path: Path) -> None:
    text = "form_type: a\nidentity: [name]\nslots:\n  name: {type: txt}\n"
    assert told(tmp_path, text) == [(4, 16, "text")]


def test_all_mistakes_are_told_at_once_in_order(tmp_path: Path) -> None:
    text = (
        "form_type: a\nversion: 0\nidentity: [nam]\nslots:\n  name: {type: txt}\n---\nrelation: supersedes\n"
    )
    assert [f.line for f in findings(tmp_path, text)] == [2, 3, 5, 7]


def test_text_of_a_finding() -> None:
    assert str(Finding("a.yaml", 3, 7, "no key 'slotz'", "slots")) == (
        "a.yaml:3:7: no key 'slotz' (did you mean 'slots'?)"
    )
    assert str(Finding("a.yaml", 3, 7, "is empty")) == "a.yaml:3:7: is empty"


# -- words that YAML 1.1 takes for booleans and numbers ------------------------------------------------------
def test_country_codes_must_be_quoted(tmp_path: Path) -> None:
    text = (
        "form_type: shipment\nslots:\n  country:\n    type: enum\n"
        "    values: [de, no, {q}on{q}, NULL, Yes, 'off']\n"
    )
    assert told(tmp_path, text.replace("{q}", "")) == [
        (5, 18, '"no"'), (5, 22, '"on"'), (5, 26, None), (5, 32, '"Yes"')
    ]  # fmt: skip
    quoted = (
        text.replace("{q}", '"')
        .replace(" no,", ' "no",')
        .replace(" NULL,", ' "NULL",')
        .replace(" Yes,", ' "Yes",')
    )
    assert findings(tmp_path, quoted) == []
    values = load_catalog([tmp_path / "given.yaml"]).types["shipment"].slots["country"].values
    assert list(values) == ["de", "no", "on", "NULL", "Yes", "off"]


def test_keys_keep_their_spelling_when_quoted(tmp_path: Path) -> None:
    text = (
        "form_type: 区域表\nslots:\n  NO: {type: text, description: 挪威负责人}\n  level:\n    type: enum\n"
        "    values: {NO: [挪威], 1.10: [旧版], 08: [八级]}\n"
    )
    assert told(tmp_path, text) == [(3, 3, '"NO"'), (6, 14, '"NO"'), (6, 24, '"1.10"'), (6, 36, '"08"')]
    for word in ("NO", "1.10", "08"):
        text = text.replace(f" {word}:", f' "{word}":').replace(f"{{{word}:", f'{{"{word}":')
    assert findings(tmp_path, text) == []
    spec = load_catalog([tmp_path / "given.yaml"]).types["区域表"]
    assert list(spec.slots) == ["NO", "level"]
    assert spec.slots["level"].values == {"NO": ("挪威",), "1.10": ("旧版",), "08": ("八级",)}


def test_a_boolean_in_an_example_is_true_or_false(tmp_path: Path) -> None:
    text = "form_type: a\nslots: {ok: {type: boolean}}\nexamples: [{text: fine, gives: {ok: %s}}]\n"
    assert findings(tmp_path, text % "true") == []
    assert load_catalog([tmp_path / "given.yaml"]).types["a"].examples[0].gives == {"ok": True}
    assert told(tmp_path, text % "no") == [(3, 37, '"no"')]


# -- characters that look like others ------------------------------------------------------------------------
@pytest.mark.parametrize(
    ("line", "column", "words"),
    [
        ("\tamount: {type: money}", 1, "a tab"),
        ("  \tamount: {type: money}", 3, "a tab"),
        ("　amount: {type: money}", 1, "full-width space"),
        ("  　amount: {type: money}", 3, "full-width space"),
        ("  amount:　{type: money}", 10, "full-width space"),
        ("  amount： {type: money}", 9, "full-width colon"),
        ("  amount：{type: money}", 9, "full-width colon"),
        ("  amount：money", 9, "full-width colon"),
        ("  amount：\n    type: money", 9, "full-width colon"),
        ("  amount: {type：money}", 16, "full-width colon"),
        ("  “amount”: {type: money}", 3, "curly quotation mark"),
        ("  am\u200bount: {type: money}", 5, "zero-width space"),
    ],
)
def test_look_alikes_are_named(tmp_path: Path, line: str, column: int, words: str) -> None:
    found = findings(tmp_path, f"form_type: 订单\nslots:\n{line}\n")
    assert [(3, column)] == [(f.line, f.column) for f in found if words in f.message]


def test_a_tab_further_down_a_valid_file_is_told(tmp_path: Path) -> None:
    text = "form_type: a\nslots:\n  x:\n    type: text\n\t aliases: [y1]\n"
    assert [(f.line, f.column) for f in findings(tmp_path, text) if "tab" in f.message] == [(5, 1)]


def test_full_width_text_is_fine_where_text_is_meant(tmp_path: Path) -> None:
    text = (
        "form_type: a\r\nslots:\r\n  x: {type: text, description: '预算：多少，何时'}\r\n"
        'template: {zh: "名称：{{x}}，完"}\r\nexamples:\r\n  - {text: 名称：甲，乙　丙, gives: {x: 甲}}\r\n'
    )
    assert findings(tmp_path, "\ufeff" + text) == []


def test_a_full_width_comma_in_a_list_is_a_warning(tmp_path: Path) -> None:
    found = findings(tmp_path, "form_type: a\nslots: {x: {type: text, aliases: [预算，金额]}}\n")
    assert [(f.severity, f.line, f.column) for f in found] == [("warning", 2, 35)]
    assert load_catalog([tmp_path / "given.yaml"]).types["a"].slots["x"].aliases == ("预算，金额",)


# -- anchors -------------------------------------------------------------------------------------------------
def test_ordinary_anchors_and_merges(tmp_path: Path) -> None:
    text = (
        "form_type: a\nslots:\n  p: {type: enum, values: {hi: &h [高, 紧急], lo: &l [低]}}\n"
        "  q: {type: enum, values: {hi: *h, lo: *l}}\n  r: &r {type: text, aliases: [甲]}\n"
        "  s: {<<: *r, aliases: [乙]}\n"
    )
    assert findings(tmp_path, text) == []
    slots = load_catalog([tmp_path / "given.yaml"]).types["a"].slots
    assert slots["q"].values == {"hi": ("高", "紧急"), "lo": ("低",)}
    assert (slots["s"].type, slots["s"].aliases) == ("text", ("乙",))


def test_bombs_are_refused_by_what_they_expand_to(tmp_path: Path) -> None:
    levels = "".join(f"x{i}: &x{i} [{','.join([f'*x{i - 1}'] * 9)}]\n" for i in range(1, 40))
    found = findings(tmp_path, "form_type: a\nx0: &x0 [lol]\n" + levels)
    assert len(found) == 1
    assert "aliases" in found[0].message
    padding = "".join(f"  s{i}: {{type: text}}\n" for i in range(3000))
    found = findings(tmp_path, f"form_type: a\nslots:\n{padding}x0: &x0 [lol]\n{levels}")
    assert len(found) == 1
    assert "aliases" in found[0].message


def test_an_anchor_inside_itself(tmp_path: Path) -> None:
    found = findings(tmp_path, "form_type: a\nslots: &s\n  x: *s\n")
    assert any("inside itself" in f.message and (f.line, f.column) == (3, 6) for f in found)


# -- advice --------------------------------------------------------------------------------------------------
def test_many_slots_are_a_warning_not_an_error(tmp_path: Path) -> None:
    slots = "".join(f"  s{i}: {{type: text}}\n" for i in range(13))
    found = findings(tmp_path, "form_type: a\nslots:\n" + slots)
    assert [(f.severity, "13 slots" in f.message) for f in found] == [("warning", True)]
    assert len(load_catalog([tmp_path / "given.yaml"]).types["a"].slots) == 13
    fewer = "".join(f"  s{i}: {{type: text}}\n" for i in range(12))
    assert findings(tmp_path, "form_type: a\nslots:\n" + fewer) == []


def test_one_word_for_two_slots_is_a_warning(tmp_path: Path) -> None:
    found = findings(
        tmp_path,
        "form_type: a\nslots:\n  x: {type: text, aliases: [金額]}\n  z: {type: text, aliases: [金额]}\n",
    )
    assert [(f.severity, f.line) for f in found] == [("warning", 4)]
