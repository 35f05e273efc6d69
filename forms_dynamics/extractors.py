"""Which extractor reads the messages of a memory: the one that was given, or named, or those that types name."""

from __future__ import annotations

import inspect
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from functools import lru_cache
from importlib import import_module
from importlib.metadata import entry_points
from typing import Any

from forms_dynamics.errors import InvalidInput, SchemaError
from forms_dynamics.model.form import Form
from forms_dynamics.model.message import NO_COST, Draft, Message, Proposal
from forms_dynamics.ports import Extractor, Model
from forms_dynamics.schema.findings import Finding, nearest
from forms_dynamics.schema.spec import Catalog, FormType
from forms_dynamics.settings import Settings

GROUP = "forms_dynamics.extractors"  # of entry points: name = "package.module:Class"
BUILT_IN: Mapping[str, str] = {
    "recognisers": "forms_dynamics.extraction.recognisers:Recognisers",
    "model": "forms_dynamics.extractor:FormExtractor",
}


def chosen_extractor(given: Any, catalog: Catalog, settings: Settings) -> Extractor:
    """``given``: None, an instance, a class, a name of the entry point group or ``module:Class``. Types of the
    catalog that name an extractor are read by it, the others by ``given``; None: by recognisers, and by the model
    that the settings name. InvalidInput where ``given`` is of no use, SchemaError where a type's name is unknown."""
    named: dict[str, list[str]] = {}
    for form_type in catalog:
        if form_type.extractor is not None:
            if found := unknown_extractors([form_type]):
                raise SchemaError(found)
            named.setdefault(form_type.extractor, []).append(form_type.name)
    if not named:
        return _made(given, catalog, settings)
    theirs = {name for names in named.values() for name in names}
    rest = frozenset(t.name for t in catalog if t.name not in theirs)
    readers: list[tuple[Extractor, frozenset[str]]] = []
    if rest:
        readers.append((_made(given, _part(catalog, rest), settings), rest | {"*"}))
    for name, names in named.items():
        own = frozenset(names)
        readers.append((_made(name, _part(catalog, own), settings), own))
    return Several(readers)


def _made(given: Any, catalog: Catalog, settings: Settings) -> Extractor:
    from forms_dynamics.extractor import FormExtractor

    if given is None:
        given = "recognisers" if settings.model is None else "model"
    if isinstance(given, str):
        given = _found(given)
    if isinstance(given, type):
        given = _instance(given, catalog, settings)
    if isinstance(given, FormExtractor):
        given = given.within(settings)
    if not callable(getattr(given, "extract", None)):
        raise InvalidInput(f"an extractor has a method extract(message, known); {given!r} has none")
    made: Extractor = given
    return made


def _instance(cls: type[Any], catalog: Catalog, settings: Settings) -> Any:
    """A class as the memory uses it: a FormExtractor with the model of the settings; any other with the catalog and
    the settings, or without either where it takes none."""
    from forms_dynamics.extractor import FormExtractor

    if issubclass(cls, FormExtractor):
        return cls(catalog, llm=settings.model, settings=settings)
    try:
        inspect.signature(cls).bind(catalog, settings)
    except (TypeError, ValueError):
        try:
            return cls()
        except TypeError as wrong:
            raise InvalidInput(
                f"{cls.__qualname__} is made with (catalog, settings) or with nothing: {wrong}"
            ) from None
    return cls(catalog, settings)


def chosen_model(extractor: Extractor, settings: Settings) -> Model | None:
    """The model of a memory: the one that its extractor asks, else the one that the settings name, else None. It is
    for questions that somebody waits for: where it can, it puts each once."""
    model: Any = getattr(extractor, "model", None)
    if not callable(getattr(model, "ask", None)):
        if settings.model is None:
            return None
        from forms_dynamics.extractor import model_of

        model = model_of(settings.model, settings)
    once = getattr(model, "once", None)
    chosen: Model = once() if callable(once) else model
    return chosen


# -- names ---------------------------------------------------------------------------------------------------
@lru_cache(maxsize=1)
def _entries() -> Mapping[str, str]:
    """Name → ``module:Class`` of all that is installed."""
    return {**{e.name: e.value for e in entry_points(group=GROUP)}, **BUILT_IN}


def _found(name: str) -> Any:
    """What a name stands for."""
    where = name if ":" in name else _entries().get(name)
    if where is None:
        known = ", ".join(sorted(_entries()))
        raise InvalidInput(
            f"no extractor {name!r}{_hint(name)}; known: {known}; or module:Class, or an entry "
            f"point of the group {GROUP}"
        )
    module, _, attribute = where.partition(":")
    try:
        found: Any = import_module(module)
        for part in attribute.split("."):
            found = getattr(found, part)
    except (ImportError, AttributeError, ValueError) as wrong:
        raise InvalidInput(f"extractor {name!r} cannot be loaded: {wrong}") from wrong
    return found


def _hint(name: str) -> str:
    near = nearest(name, _entries())
    return "" if near is None else f"; did you mean {near!r}?"


def unknown_extractors(types: Iterable[FormType]) -> list[Finding]:
    """What is wrong with the extractors that types name, in order of the types."""
    out = []
    for form_type in types:
        name = form_type.extractor
        if name is None:
            continue
        try:
            _found(name)
        except InvalidInput as wrong:
            line, column = form_type.extractor_at
            told = str(wrong).replace(_hint(name), "", 1)  # the finding has it of its own
            out.append(Finding(form_type.file, line, column, told, nearest(name, _entries())))
    return out


# -- several -------------------------------------------------------------------------------------------------
class Several:
    """Extractors side by side, each for types of its own. Implements ``ports.Extractor``."""

    def __init__(self, readers: Sequence[tuple[Extractor, frozenset[str]]]) -> None:
        self._readers = readers
        self.verifies = all(getattr(reader, "verifies", False) for reader, _ in readers)

    @property
    def model(self) -> Model | None:
        """The model of the first that asks one."""
        return next((m for r, _ in self._readers if (m := getattr(r, "model", None)) is not None), None)

    def extract(self, message: Message, known: Sequence[Form] = ()) -> Proposal:
        """The drafts of all, each of its own types, and what they cost together."""
        drafts: list[Draft] = []
        cost = NO_COST
        for reader, types in self._readers:
            proposal = reader.extract(message, known)
            drafts.extend(d for d in proposal.drafts if d.form_type in types)
            cost += proposal.cost
        return Proposal(drafts, cost)

    def ahead(self, pairs: Sequence[tuple[Message, Sequence[Form]]]) -> None:
        """Begins the model calls of all that have any."""
        for reader, _ in self._readers:
            begin = getattr(reader, "ahead", None)
            if begin is not None:
                begin(pairs)

    def abandon(self) -> None:
        """Gives up what was begun by all that can."""
        for reader, _ in self._readers:
            give_up = getattr(reader, "abandon", None)
            if give_up is not None:
                give_up()


def _part(catalog: Catalog, names: frozenset[str]) -> Catalog:
    """The catalog with these types alone, and what hangs on them."""
    return replace(
        catalog,
        types={name: t for name, t in catalog.types.items() if name in names},
        rules=tuple(r for r in catalog.rules if r.source in names or r.source == "*"),
        relatives={name: r for name, r in catalog.relatives.items() if name in names},
    )


__all__ = ["BUILT_IN", "GROUP", "Several", "chosen_extractor", "chosen_model", "unknown_extractors"]
