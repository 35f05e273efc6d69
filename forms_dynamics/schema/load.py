"""Files, folders and shipped names to one Catalog.

A file may hold several documents; each is a form type, a relation, a query, a trigger or words that hedge. What is
wrong is gathered, so that one run tells all of it.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import lru_cache
from pathlib import Path

from forms_dynamics.errors import SchemaError
from forms_dynamics.language.hedge_words import Words
from forms_dynamics.language.hedges import Hedging
from forms_dynamics.schema import shipped
from forms_dynamics.schema.findings import Finding, nearest
from forms_dynamics.schema.form_reader import ReadType, read_form
from forms_dynamics.schema.hedge_reader import read_hedges
from forms_dynamics.schema.query_names import resolve_query
from forms_dynamics.schema.query_reader import ReadQuery, read_query
from forms_dynamics.schema.query_spec import QuerySpec
from forms_dynamics.schema.reader import Reader
from forms_dynamics.schema.relation_reader import ANY, ReadRule, read_relation, resolve
from forms_dynamics.schema.relatives import relatives_among
from forms_dynamics.schema.source import Node, documents, read_text
from forms_dynamics.schema.spec import Catalog, FormType, RelationRule, Trigger
from forms_dynamics.schema.trigger_reader import ReadTrigger, read_trigger, resolve_trigger

_SUFFIXES = (".yaml", ".yml")
_KINDS = ("form_type", "relation", "query", "trigger", "hedges")  # keys that tell what a document is
Paths = Sequence[str | Path]


@dataclass(slots=True)
class _File:
    """What one file holds by itself, and what is wrong with it by itself."""

    name: str
    text: str
    ships: bool
    types: list[ReadType] = field(default_factory=list)
    rules: list[ReadRule] = field(default_factory=list)
    hedges: list[Words] = field(default_factory=list)
    queries: list[ReadQuery] = field(default_factory=list)
    triggers: list[ReadTrigger] = field(default_factory=list)
    findings: list[Finding] = field(default_factory=list)


def load_catalog(form_types: Paths | None = None, relation_rules: Paths | None = None) -> Catalog:
    """The form types and relation rules to work with, checked.

    ``form_types``: names of shipped types, files or folders, and only these; None: all that ship.
    ``relation_rules``: files, folders or names of shipped relations, and only these; None: all that ship. Of
    what ships, the rules between loaded types are taken. Relations and queries that stand in a file of
    ``form_types`` are loaded too.
    Raises SchemaError with every error found; warnings are for :func:`check`.
    """
    if form_types is None and relation_rules is None:
        return _all_that_ships()
    return _load(form_types, relation_rules)


@lru_cache(maxsize=1)
def _all_that_ships() -> Catalog:
    return _load(None, None)


def _load(form_types: Paths | None, relation_rules: Paths | None) -> Catalog:
    problems: list[Finding] = []
    if form_types is None:
        files = [_shipped_file(path) for path in shipped.files("form_types")]
    else:
        files = _given(form_types, problems)
        if not form_types:
            problems.append(Finding("form_types", 0, 0, "no form types are given; None means all that ship"))
    named = _named(relation_rules)
    rule_files = _given([path for path in relation_rules or () if path not in named], problems, "relation")
    assembly = _Assembly(files, rule_files)
    problems += assembly.findings()
    types = _hedging(assembly.types(), [words for file in assembly.files for words in file.hedges])
    rules = assembly.rules(types, None if relation_rules is None else named)
    queries = assembly.queries(types, rules)
    triggers = assembly.triggers(types, rules)
    problems += assembly.cross_findings
    errors = [finding for finding in problems if finding.severity == "error"]
    if errors:
        raise SchemaError(errors)
    return _catalog(types, rules, queries, triggers)


def check(paths: Paths) -> list[Finding]:
    """Everything that is wrong (errors) or unwise (warnings) in files, folders or shipped types, in order of
    place. Names of shipped types may be referred to though they are not among ``paths``."""
    problems: list[Finding] = []
    files = _given(paths, problems)
    assembly = _Assembly(files, [])
    problems += assembly.findings()
    types = assembly.types(also=_shipped_types())
    # queries and triggers may walk relations that ship
    every = assembly.rules(
        types, None if any(file.queries or file.triggers for file in files) else frozenset()
    )
    assembly.queries(types, every)
    assembly.triggers(types, every)
    problems += assembly.cross_findings
    order = {file.name: i for i, file in enumerate(files)}
    return sorted(problems, key=lambda f: (order.get(f.file, -1), f.line, f.column))


def declared(paths: Paths) -> list[FormType]:
    """The Form types in files, folders or of shipped names, as far as they can be read."""
    files = _given(paths, [])
    names = {file.name for file in files}
    types = _Assembly(files, []).types(also=_shipped_types())
    return [form_type for form_type in types.values() if form_type.file in names]


# -- what is given -------------------------------------------------------------------------------------------
def _given(paths: Paths, problems: list[Finding], kind: str = "form type") -> list[_File]:
    if isinstance(paths, (str, Path)):
        paths = [paths]
    files: dict[Path, _File] = {}
    for given in paths:
        for path in _find(given, problems, kind):
            key = path.resolve()
            if key not in files:
                files[key] = _shipped_file(path) if _ships(key) else _read(path, ships=False)
    return list(files.values())


def _named(relation_rules: Paths | None) -> frozenset[str]:
    """Those of the given that are names of shipped relations."""
    given = [relation_rules] if isinstance(relation_rules, str) else relation_rules or ()
    return _shipped_relations() & {name for name in given if isinstance(name, str)}


def _find(given: str | Path, problems: list[Finding], kind: str) -> Iterator[Path]:
    """The files that a name, file or folder stands for."""
    if isinstance(given, str) and given in shipped.names():
        yield shipped.folder("form_types") / f"{given}.yaml"
        return
    path = Path(given)
    if path.is_dir():
        inside = sorted(
            file for file in path.rglob("*")
            if file.suffix.lower() in _SUFFIXES and file.is_file()
            and not any(part.startswith(".") for part in file.relative_to(path).parts)
        )  # fmt: skip
        if not inside:
            problems.append(Finding(str(given), 0, 0, "the folder holds no .yaml or .yml file"))
        yield from inside
    elif path.exists():
        yield path
    else:
        options = shipped.names() if kind == "form type" else sorted(_shipped_relations())
        message = f"is no file, no folder and no shipped {kind}"
        problems.append(Finding(str(given), 0, 0, message, nearest(path.name, options)))


def _ships(resolved: Path) -> bool:
    return resolved.parent in (shipped.folder("form_types"), shipped.folder("relation_rules"))


def _read(path: Path, ships: bool) -> _File:
    name = str(path)
    text, findings = read_text(path, name)
    file = _File(name, text or "", ships)
    if text is None:
        file.findings = findings
        return file
    roots, file.findings = documents(name, text)
    reader = Reader(name, text)
    for root in roots:
        _document(file, reader, root)
    file.findings += reader.findings
    return file


@lru_cache(maxsize=256)
def _shipped_file(path: Path) -> _File:
    """Shipped files are read once a process; their templates are checked by the project's own tests."""
    return _read(path, ships=True)


def _shipped_types() -> dict[str, FormType]:
    files = [_shipped_file(path) for path in shipped.files("form_types")]
    return {read.spec.name: read.spec for file in files for read in file.types}


def _shipped_relations() -> frozenset[str]:
    files = [_shipped_file(path) for path in shipped.files("relation_rules")]
    return frozenset(read.rule.name for file in files for read in file.rules)


def _document(file: _File, reader: Reader, root: Node) -> None:
    if root.kind != "mapping":
        reader.error(root, "a document is a mapping that begins with 'form_type: name' or 'relation: name'")
        return
    keys = {key.value: key for key, _ in root.value}
    if "form_type" in keys:
        read = read_form(reader, root, check_templates=not file.ships)
        if read is not None:
            file.types.append(read)
    elif "relation" in keys:
        rule = read_relation(reader, root)
        if rule is not None:
            file.rules.append(rule)
    elif "query" in keys:
        query = read_query(reader, root)
        if query is not None:
            file.queries.append(query)
    elif "trigger" in keys:
        trigger = read_trigger(reader, root)
        if trigger is not None:
            file.triggers.append(trigger)
    elif "hedges" in keys:
        file.hedges.append(read_hedges(reader, root))
    else:
        for key, node in keys.items():
            hint = nearest(key, _KINDS)
            if hint:
                reader.error(node, f"a document begins with {_told(_KINDS)}, not {key!r}", hint)
                return
        first = root.value[0][0] if root.value else root
        reader.error(first, f"the document needs one of {_told(_KINDS)} with a name")


def _told(kinds: Sequence[str]) -> str:
    return ", ".join(map(repr, kinds[:-1])) + f" or {kinds[-1]!r}"


# -- what they make together ---------------------------------------------------------------------------------
class _Assembly:
    """Files side by side: names declared once, references that lead somewhere."""

    def __init__(self, files: Sequence[_File], rule_files: Sequence[_File]) -> None:
        seen = {file.name for file in files}
        self.files = [*files, *(file for file in rule_files if file.name not in seen)]
        self.cross_findings: list[Finding] = []

    def findings(self) -> list[Finding]:
        return [finding for file in self.files for finding in file.findings]

    def types(self, also: Mapping[str, FormType] | None = None) -> dict[str, FormType]:
        """The types by name; ``also`` are types that may be referred to besides."""
        types: dict[str, FormType] = {}
        for file in self.files:
            reader = Reader(file.name, file.text)
            for read in file.types:
                spec, first = read.spec, types.get(read.spec.name)
                if first is not None:
                    reader.error(
                        read.node, f"form type {spec.name!r} is declared in {first.file}:{first.line} already"
                    )
                else:
                    types[spec.name] = spec
            self.cross_findings += reader.findings
        known = {**(also or {}), **types}
        self._references(known)
        return known if also is not None else types

    def _references(self, known: Mapping[str, FormType]) -> None:
        for file in self.files:
            reader = Reader(file.name, file.text)
            for read in file.types:
                for slot, node in read.refs.items():
                    target = read.spec.slots[slot].ref if slot in read.spec.slots else None
                    if target is not None and target not in known:
                        reader.error(
                            node,
                            f"slot {slot!r}: the Form type {target!r} is not loaded",
                            nearest(target, tuple(known)),
                            # a part of what ships may be loaded alone; the slot then only keeps names
                            "warning" if file.ships else "error",
                        )
            self.cross_findings += reader.findings

    def rules(self, types: Mapping[str, FormType], names: frozenset[str] | None) -> list[RelationRule]:
        """The rules of the files, and of those that ship the ones in ``names`` (None: all)."""
        rules: dict[tuple[str, str, str], RelationRule] = {}
        for file in self.files:
            reader = Reader(file.name, file.text)
            for read in file.rules:
                rule = resolve(reader, read, types)
                key = (rule.name, rule.source, rule.target)
                first = rules.setdefault(key, rule)
                if first is not rule:
                    reader.error(
                        read.nodes["relation"],
                        f"the relation {rule.name!r} from {rule.source} to {rule.target} is declared in "
                        f"{first.file}:{first.line} already",
                    )
            self.cross_findings += reader.findings
        for rule in _shipped_rules(types):
            if names is None or rule.name in names:
                rules.setdefault((rule.name, rule.source, rule.target), rule)
        return list(rules.values())

    def queries(self, types: Mapping[str, FormType], rules: Sequence[RelationRule]) -> dict[str, QuerySpec]:
        """The queries of the files, checked against the types and rules."""
        found: dict[str, QuerySpec] = {}
        places: dict[str, str] = {}
        for file in self.files:
            reader = Reader(file.name, file.text)
            for read in file.queries:
                here = f"{file.name}:{read.nodes['query'].line + 1}"
                first = places.setdefault(read.name, here)
                if first != here:
                    reader.error(
                        read.nodes["query"], f"the query {read.name!r} is declared in {first} already"
                    )
                elif (spec := resolve_query(reader, read, types, rules)) is not None:
                    found[spec.name] = spec
            self.cross_findings += reader.findings
        return found

    def triggers(self, types: Mapping[str, FormType], rules: Sequence[RelationRule]) -> list[Trigger]:
        """The triggers of the files, their names checked against the types and rules that are loaded."""
        triggers: dict[str, Trigger] = {}
        relations = tuple(dict.fromkeys(rule.name for rule in rules))
        for file in self.files:
            reader = Reader(file.name, file.text)
            for read in file.triggers:
                trigger = resolve_trigger(reader, read, types, relations)
                first = triggers.setdefault(trigger.name, trigger)
                if first is not trigger:
                    reader.error(
                        read.node,
                        f"trigger {first.name!r} is declared in {first.file}:{first.line} already",
                    )
            self.cross_findings += reader.findings
        return list(triggers.values())


def _hedging(types: dict[str, FormType], words: Sequence[Words]) -> dict[str, FormType]:
    """The types with their slots hedged by the words that ship and these."""
    if not words:
        return types
    hedging = Hedging(sum(words, Words()))
    return {
        name: replace(t, slots={key: replace(slot, hedging=hedging) for key, slot in t.slots.items()})
        for name, t in types.items()
    }


def _shipped_rules(types: Mapping[str, FormType]) -> Iterator[RelationRule]:
    """The rules that ship whose ends are loaded. A type of the user's that bears a shipped name but lacks the
    slots of a rule's condition goes without that rule."""
    for path in shipped.files("relation_rules"):
        file = _shipped_file(path)
        for read in file.rules:
            if all(end == ANY or end in types for end in (read.rule.source, read.rule.target)):
                reader = Reader(file.name, file.text)
                rule = resolve(reader, read, types)
                if not reader.findings:
                    yield rule


def _catalog(
    types: dict[str, FormType],
    rules: Sequence[RelationRule],
    queries: Mapping[str, QuerySpec],
    triggers: Sequence[Trigger],
) -> Catalog:
    indexed = {
        name: set(spec.identity.slots) | {slot.name for slot in spec.slots.values() if slot.type == "ref"}
        for name, spec in types.items()
    }
    joined: dict[str, set[str]] = {name: set() for name in types}
    for rule in rules:
        for join in rule.when:
            joined[rule.source].add(join.source_slot)
            joined[rule.target].add(join.target_slot)
    for name, slots in joined.items():
        indexed[name] |= slots
    return Catalog(
        types=types,
        rules=tuple(rules),
        indexed={name: frozenset(slots) for name, slots in indexed.items()},
        fingerprint=_fingerprint(types.values(), rules),
        joined={name: frozenset(slots) for name, slots in joined.items()},
        relatives=relatives_among(types.values()),
        queries=queries,
        triggers=tuple(triggers),
    )


def _fingerprint(types: Iterable[FormType], rules: Iterable[RelationRule]) -> str:
    """SHA-256 over all that an extractor reads, in order; not over places, templates or life."""
    digest = hashlib.sha256()
    for spec in types:
        told = (
            spec.name, spec.version, spec.aliases, spec.description, spec.identity, spec.threshold,
            spec.slots, spec.examples,
        )  # fmt: skip
        digest.update(repr(told).encode())
    for rule in rules:
        digest.update(repr((rule.name, rule.source, rule.target, rule.aliases, rule.description)).encode())
    return digest.hexdigest()[:16]
