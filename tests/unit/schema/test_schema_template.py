"""Templates leave no gaps, lose no value and run nothing."""

from __future__ import annotations

import pytest

from forms_dynamics.schema.load import load_catalog
from forms_dynamics.schema.spec import FormType, SlotSpec
from forms_dynamics.schema.template import mentioned, problems, render, sentence

SLOTS = ("a", "b", "c", "d")


def form(**template: str) -> FormType:
    slots = {name: SlotSpec(name, "text", aliases=(f"甲{name}", f"my {name}")) for name in SLOTS}
    return FormType("t", 1, slots, template=template)


@pytest.mark.parametrize(
    ("source", "values", "text"),
    [
        ("{{a}}：预算{{b}}，{{c}}", {"a": "海蓝", "b": "5", "c": "月结"}, "海蓝：预算5，月结"),
        ("{{a}}：预算{{b}}，{{c}}", {"a": "海蓝", "c": "月结"}, "海蓝，月结"),
        ("{{a}}：预算{{b}}，{{c}}", {"b": "5"}, "预算5"),
        ("{{a}}：预算{{b}}，{{c}}", {}, ""),
        ("任务：{{a}}，结果：{{b}}。", {"b": "好"}, "结果：好。"),
        ("{{a}}（{{b}}）：{{c}}。", {"a": "x", "c": "y"}, "x：y。"),
        ("{{a}}（{{b}}，{{c}}）。", {"a": "x", "c": "y"}, "x（y）。"),
        ("{{a}} ({{b}}): at {{c}}, v1.2, 10:00.", {"a": "x", "c": "y"}, "x: at y, v1.2, 10:00."),
        ("Lead {{a}}, budget {{b}}, pays {{c}}.", {"a": "x", "c": "y"}, "Lead x, pays y."),
        ("Lead {{a}}\nbudget {{b}}\npays {{c}}", {"a": "x", "c": "y"}, "Lead x\npays y"),
        ("fixed words. {{a}}", {}, ""),
        # b stands with a, which is missing: it is told by its label instead
        ("{{a}} for {{b}}, {{c}}", {"b": "x", "c": "y"}, "y，甲b：x"),
        ("{{a}} for {{b}}", {"b": "x"}, "甲b：x"),
        ("{{ a | upper }}，{{b}}", {"a": "x", "b": "y"}, "X，y"),
        ("{{ a | upper }}，{{b}}", {"b": "y"}, "y"),
        ("{{ a | default('无') }}，{{b}}", {"b": "y"}, "无，y"),
        ("{% if a %}有{{a}}{% else %}无{% endif %}{{b}}", {"b": "y"}, "无y"),
    ],
)
def test_rendering(source: str, values: dict[str, str], text: str) -> None:
    assert render(form(zh=source), "zh", values) == text


def test_values_are_data() -> None:
    attack = "{{ 7*7 }}{% for x in y %} ＃ \\1 \ue000"
    assert render(form(zh="{{a}}，{{b}}"), "zh", {"a": attack, "b": "{{a}}"}) == f"{attack}，{{{{a}}}}"
    assert render(form(zh="{{ a | trim }}"), "zh", {"a": attack}) == attack


def test_without_a_template_labels_stand_before_values() -> None:
    values = {"c": "3", "a": "1"}
    assert render(form(zh="{{a}}"), "en", values) == "my a: 1, my c: 3"
    assert sentence(form(), "zh", values) == "甲a：1，甲c：3"
    assert mentioned(form(), "zh") == set(SLOTS)
    assert mentioned(form(zh="{{a}}（{{b|upper}}）{{c}}"), "zh") == {"a", "b", "c"}


@pytest.mark.parametrize(
    ("source", "line", "piece", "name"),
    [
        ("{{a}}\n{{x}}", 2, "no slot 'x'", "x"),
        ("{{a|upper}}\n{{x|upper}}", 2, "no slot 'x'", "x"),
        ("{{a}", 1, "", None),
        ("{% if a %}", 1, "", None),
        ("{{ a.__class__ }}", 1, "getattr is not taken", None),
        ("{{ a['x'] }}", 1, "getitem is not taken", None),
        ("{{ a() }}", 1, "call is not taken", None),
        ("{{ 'x' * 999999999 }}", 1, "mul is not taken", None),
        ("{% for q in a %}{% endfor %}", 1, "for is not taken", None),
        ("{% include 'a' %}", 1, "include is not taken", None),
        ("{{ a | attr('x') }}", 1, "filter 'attr'", None),
        ("{{ a | nothing }}", 1, "nothing", None),
    ],
)
def test_problems(source: str, line: int, piece: str, name: str | None) -> None:
    found = problems(source, SLOTS)
    assert [hit for hit in found if hit[0] == line and piece in hit[1] and hit[2] == name], found


def test_good_templates_have_no_problem() -> None:
    for source in (
        "{{a}}：{{ b }}",
        "{% if a and not b %}{{a|upper}}{% elif c == 'x' %}y{% endif %}",
        "no slot",
        "",
    ):
        assert problems(source, SLOTS) == []


def test_shipped_templates_are_sound_and_show_every_slot() -> None:
    for spec in load_catalog():
        assert set(spec.template) == {"zh", "en"}
        for lang, source in spec.template.items():
            assert problems(source, tuple(spec.slots)) == []
            assert mentioned(spec, lang) == set(spec.slots), (spec.name, lang)
            for name in spec.slots:
                assert "VALUE" in render(spec, lang, {name: "VALUE"}), (spec.name, lang, name)
