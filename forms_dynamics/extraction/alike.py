"""Names of things that nobody knows yet, told by their likeness to known ones: R-102 in a talk about R-101, 晨曦号
beside 海燕号."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from functools import lru_cache

from forms_dynamics.extraction.lexicon import Hit
from forms_dynamics.extraction.mentioned import Mention, called
from forms_dynamics.extraction.records import may_say
from forms_dynamics.language.normal import normal
from forms_dynamics.language.spans import merged, overlaps
from forms_dynamics.model.form import Form
from forms_dynamics.schema.spec import Catalog

_CODE = re.compile(r"(?P<letters>[a-z]{1,6})(?P<mark>[-_/]?)(?P<digits>\d{1,8})")
_KIND = re.compile(r"[\u4e00-\u9fff]{2,}(?P<last>[号店楼厂馆室院站园台坑沟山庄寨塘棚舍库车船轮组班队线区])")
# 编号, 型号: words of their own
_NO_NAME = re.compile(
    "(?:编|型|账|帐|单|信|代|序|证|卡|房|工|学|票|座|批|符|暗|口|外|挂|微信|小|大|同|文|字|星|逗|句|问|引|几|多少|哪)号|[这那哪本该某每各几两三四五六七八九十].*"
)
_LONGEST = 4  # signs of a name before the one that says what it is


def alike(
    low: str, known: Sequence[Form], catalog: Catalog, hits: Sequence[Hit], mentions: Sequence[Mention]
) -> list[Mention]:
    """What ``low`` names in the way of the Forms in ``known``, and none of them goes by. A code with the letters of a
    known one is of its type; with other letters, of each type whose codes look so."""
    found: dict[tuple[int, int, str], tuple[bool, Mention]] = {}
    taken = merged([*((m.start, m.end) for m in mentions), *((h.start, h.end) for h in hits)])
    for value, slot in called(known, catalog):
        if slot.kind in ("person", "company"):
            continue
        for start, end, same in _places(low, normal(value)):
            key = (start, end, slot.type.name)
            if not overlaps(taken, start, end) and (key not in found or same):
                found[key] = same, Mention(start, end, slot, any(map(str.isdecimal, value)))
    surely = {key[:2] for key, (same, _) in found.items() if same}
    return [one for key, (same, one) in found.items() if same or key[:2] not in surely]


def _places(low: str, name: str) -> Iterator[tuple[int, int, bool]]:
    """Where names like ``name`` stand, and whether they are written with its own letters."""
    if (code := _CODE.fullmatch(name)) is not None:
        for m in _codes(len(code["letters"]), code["mark"]).finditer(low):
            yield *m.span(), m["letters"] == code["letters"]
    elif (kind := _KIND.fullmatch(name)) is not None:
        for m in _kinds(kind["last"]).finditer(low):
            if not _NO_NAME.fullmatch(m["x"]) and not may_say(m["x"]):
                yield *m.span("x"), True


@lru_cache(maxsize=256)
def _codes(letters: int, mark: str) -> re.Pattern[str]:
    return re.compile(
        rf"(?<![a-z0-9_/-])(?P<letters>[a-z]{{{letters}}}){re.escape(mark)}\d{{1,8}}(?![a-z0-9_/]|-[a-z0-9]|\.\d)"
    )


@lru_cache(maxsize=256)
def _kinds(last: str) -> re.Pattern[str]:
    return re.compile(rf"(?:^|(?<=[，,。；;、：:\s和与]))(?P<x>[\u4e00-\u9fff]{{1,{_LONGEST}}}?{last})")


__all__ = ["alike"]
