"""The Forms of a scope and the edges between them as a networkx graph, and as files of other programs.

Attributes are strings, integers, floats and booleans only, without characters that XML 1.0 forbids, and one
type for each name: networkx's own writers take the graph as it is, and so does GraphML, which Gephi opens.
"""

from __future__ import annotations

import io
import json
import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from decimal import Decimal
from typing import TYPE_CHECKING, Any, NamedTuple

from forms_dynamics.errors import InvalidInput, unknown_id
from forms_dynamics.language.normal import language_of
from forms_dynamics.model.form import Form, Slot
from forms_dynamics.model.record import EdgeRecord, MessageRecord, Scope
from forms_dynamics.model.value import Money, from_micros
from forms_dynamics.ports import Store
from forms_dynamics.projection import placed
from forms_dynamics.reader import Reader
from forms_dynamics.schema.spec import Catalog, FormType, SlotSpec
from forms_dynamics.strength import held, life_of, public_edge

if TYPE_CHECKING:
    import networkx

FORMATS = ("graphml", "json", "dot")
MOST_HOPS = 10
_PAGE = 500
_LABEL = 80  # characters
_NO_NAME = re.compile(r"[^\w.-]")
_GRAPHML = "http://graphml.graphdrawing.org/xmlns"
_FORBIDDEN = re.compile("[^\t\n\r\x20-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")


class Selection(NamedTuple):
    """What part of a scope is drawn; ``now`` and ``as_of`` in microseconds."""

    form_id: str | None
    hops: int
    now: int
    as_of: int | None
    lang: str | None
    messages: bool
    inactive: bool


class Drawing:
    """One graph in the making."""

    def __init__(
        self, store: Store, reader: Reader, catalog: Catalog, scope: Scope, selection: Selection
    ) -> None:
        if not 0 <= selection.hops <= MOST_HOPS:
            raise InvalidInput(f"hops is from 0 to {MOST_HOPS}, not {selection.hops}")
        if selection.lang not in (None, "zh", "en"):
            raise InvalidInput(f"lang is zh or en, not {selection.lang!r}")
        self._store = store
        self._reader = reader
        self._catalog = catalog
        self._scope = scope
        self._selection = selection
        self._at = selection.now if selection.as_of is None else selection.as_of

    def draw(self) -> networkx.MultiDiGraph[Any]:
        """The graph; NotFound where the Form to start from is not there (then)."""
        import networkx as nx

        forms, edges = (
            self._whole() if self._selection.form_id is None else self._around(self._selection.form_id)
        )
        # Gephi takes the key that is called d3 for the label, and so networkx numbers what follows three
        # attributes of the graph: with the label first its own writer gives what Gephi shows
        graph: networkx.MultiDiGraph[Any] = nx.MultiDiGraph(
            tenant=self._scope.tenant, user=self._scope.owner, time=from_micros(self._at).isoformat()
        )
        rows = {id: self._form_node(form) for id, form in sorted(forms.items())}
        graph.add_nodes_from(_one_type(rows).items())
        for key, edge in sorted(edges.items()):
            if edge.source in forms and edge.target in forms:
                graph.add_edge(edge.source, edge.target, key=".".join(key), **self._edge(edge))
        if self._selection.messages:
            self._draw_messages(graph, list(rows))
        return graph

    # -- what is in it -----------------------------------------------------------------------------------------
    def _whole(self) -> tuple[dict[str, Form], dict[tuple[str, str, str], EdgeRecord]]:
        forms: dict[str, Form] = {}
        edges: dict[tuple[str, str, str], EdgeRecord] = {}
        after: str | None = None
        status = None if self._selection.inactive or self._selection.as_of is not None else "active"
        while page := self._store.find(self._scope, None, status, _PAGE, after):
            after = page[-1].id
            found = self._forms([record.id for record in page])
            forms.update(found)
            edges.update(self._edges(list(found)))
        return forms, edges

    def _around(self, form_id: str) -> tuple[dict[str, Form], dict[tuple[str, str, str], EdgeRecord]]:
        forms = self._forms([form_id], start=True)
        if form_id not in forms:
            raise unknown_id("Form", form_id)
        edges: dict[tuple[str, str, str], EdgeRecord] = {}
        frontier = [form_id]
        for _ in range(self._selection.hops):
            found = self._edges(frontier)
            edges.update(found)
            beyond = dict.fromkeys(end for key in found for end in (key[0], key[2]) if end not in forms)
            new = self._forms(list(beyond))
            forms.update(new)
            frontier = list(new)
            if not frontier:
                break
        edges.update(self._edges(frontier))  # between the outermost ones
        return forms, edges

    def _forms(self, ids: Sequence[str], start: bool = False) -> dict[str, Form]:
        records = self._store.forms(self._scope, ids)
        found = self._reader.project(self._scope, records, ids, self._selection.now, self._selection.as_of)
        every = self._selection.inactive or start
        return {id: form for id, form in found.items() if every or form.status == "active"}

    def _edges(self, ids: Sequence[str]) -> dict[tuple[str, str, str], EdgeRecord]:
        every, past = self._selection.inactive, self._selection.as_of is not None
        found = self._store.edges(self._scope, ids, inactive=every or past) if ids else []
        if past and not every:
            return {edge.key: edge for edge in found if held(edge, self._at)}
        return {edge.key: edge for edge in found if edge.created <= self._at}

    # -- attributes --------------------------------------------------------------------------------------------
    def _form_node(self, form: Form) -> dict[str, Any]:
        form_type = self._catalog.types.get(form.type)
        known = {
            name: slot
            for name, slot in form.slots.items()
            if slot.status == "known" and slot.value is not None
        }
        lang = self._selection.lang or _lang_of(known)
        sure = [slot.confidence for slot in known.values()]
        node = {
            "label": _clean(_label(form, form_type, known, lang)),  # first, see draw
            "kind": "form",
            "form_type": form.type,
            "status": form.status,
            "version": form.version,
            "confidence": sum(sure) / len(sure) if sure else 0.0,
            "user": form.user or "",
            "created_at": form.created_at.isoformat(),
            "updated_at": form.updated_at.isoformat(),
            "last_accessed": form.last_accessed.isoformat(),
            "expired": form.expired,
            "cold": form.cold,
        }
        for name, slot in known.items():
            spec = form_type.slots.get(name) if form_type is not None else None
            node.update(_slot(f"slot_{name}", slot.value, spec, lang))
        return node

    def _edge(self, edge: EdgeRecord) -> dict[str, Any]:
        shown = public_edge(edge, life_of(self._catalog, edge), self._at)
        out: dict[str, Any] = {
            "label": _clean(edge.relation),
            "relation": edge.relation,
            "weight": float(shown.weight),
            "status": edge.status,
            "made_by": edge.made_by,
            "created_at": shown.created_at.isoformat(),
            "last_accessed": shown.last_accessed.isoformat(),
            "expired": shown.expired,
        }
        if shown.ttl_seconds is not None:
            out["ttl_seconds"] = shown.ttl_seconds
        if shown.valid_until is not None:
            out["valid_until"] = shown.valid_until.isoformat()
        for name, value in shown.attributes.items():
            out[f"attribute_{_NO_NAME.sub('_', name)}"] = _clean(
                value if isinstance(value, str) else json.dumps(value, ensure_ascii=False)
            )
        return out

    def _draw_messages(self, graph: networkx.MultiDiGraph[Any], ids: Sequence[str]) -> None:
        """Each message that a Form's versions rest on, with an edge ``derived_from`` to it."""
        for id in ids:
            chain = [
                v
                for v in placed(self._store.versions(self._scope, id))
                if v.payload is not None and v.time <= self._at
            ]
            said = self._store.messages(self._scope, list(dict.fromkeys(v.message for v in chain)))
            for version in chain:
                message = said.get(version.message)
                key = f"{id}.derived_from.{version.message}"
                if (
                    message is None
                    or message.kind != "message"
                    or graph.has_edge(id, _node(message), key=key)
                ):
                    continue
                graph.add_node(_node(message), **_message_node(message))
                graph.add_edge(
                    id, _node(message), key=key, label="derived_from", relation="derived_from", weight=1.0,
                    status="active", made_by=version.cause, created_at=from_micros(version.arrived).isoformat(),
                    last_accessed=from_micros(version.arrived).isoformat(), expired=False,
                )  # fmt: skip


def _node(message: MessageRecord) -> str:
    """Message ids are the caller's: they could be those of Forms."""
    return _clean(f"message:{message.id}")


def _message_node(message: MessageRecord) -> dict[str, Any]:
    return {
        "label": _clean(_short(message.text)),
        "kind": "message",
        "text": _clean(message.text),
        "speaker": _clean(message.speaker),
        "conversation": _clean(message.conversation),
        "created_at": from_micros(message.time).isoformat(),
    }


def _label(form: Form, form_type: FormType | None, known: Mapping[str, Slot], lang: str) -> str:
    """What a person calls the Form: its identity, else what it says, else its type."""
    from forms_dynamics.schema.template import render
    from forms_dynamics.schema.wording import format_value

    specs = form_type.slots if form_type is not None else {}
    values = {name: format_value(slot.value, specs.get(name), lang) for name, slot in known.items()}
    if form_type is not None:
        for key in form_type.identity.keys:
            named = [values[part] for part in key if values.get(part)]
            if named and len(named) == sum(not part.startswith("$") for part in key):
                return " ".join(named)
        return _short(render(form_type, lang, values)) or form_type.label(lang)
    return _short(", ".join(values.values())) or form.type


def _short(text: str) -> str:
    text = " ".join(text.split())
    return text if len(text) <= _LABEL else text[: _LABEL - 1] + "…"


def _lang_of(known: Mapping[str, Slot]) -> str:
    return language_of(slot.value for slot in known.values())


def _slot(name: str, value: Any, spec: SlotSpec | None, lang: str) -> Iterator[tuple[str, Any]]:
    """The attributes of one value: numbers as numbers; of money the words, and the amount beside them."""
    from forms_dynamics.schema.wording import format_value

    if isinstance(value, int) and abs(value) < 2**63:  # a boolean is one
        yield name, value
    elif isinstance(value, Decimal):
        yield name, float(value)
    else:
        yield name, _clean(format_value(value, spec, lang))
        if isinstance(value, Money):
            yield f"{name}_amount", float(value.amount)


def _one_type(nodes: Mapping[str, dict[str, Any]]) -> Mapping[str, dict[str, Any]]:
    """One type a name: where Forms differ, whole numbers become floats beside floats, all else text."""
    kinds: dict[str, set[type]] = {}
    for node in nodes.values():
        for name, value in node.items():
            kinds.setdefault(name, set()).add(type(value))
    mixed = {name: float if found == {int, float} else str for name, found in kinds.items() if len(found) > 1}
    for node in nodes.values():
        for name in mixed.keys() & node.keys():
            node[name] = mixed[name](node[name])
    return nodes


def _clean(text: str) -> str:
    """``text`` without what XML 1.0 cannot hold."""
    return _FORBIDDEN.sub(" ", text)


# -- as a document ---------------------------------------------------------------------------------------------


def written(graph: networkx.MultiDiGraph[Any], format: str) -> str:
    """The graph as a document: ``graphml``, ``json`` (node-link) or ``dot`` (Graphviz)."""
    if format == "graphml":
        return _graphml(graph)
    if format == "json":
        return json.dumps(node_link(graph), ensure_ascii=False, indent=2) + "\n"
    if format == "dot":
        return "\n".join(_dot(graph)) + "\n"
    raise InvalidInput(f"format is one of {', '.join(FORMATS)}, not {format!r}")


def node_link(graph: networkx.MultiDiGraph[Any]) -> dict[str, Any]:
    """networkx's node-link form: ``nodes`` with ``id``, ``edges`` with ``source``, ``target`` and ``key``."""
    import networkx as nx

    made: dict[str, Any] = nx.node_link_data(graph, edges="edges")
    return made


def _graphml(graph: networkx.MultiDiGraph[Any]) -> str:
    """As networkx writes it, by the standard library's XML on any machine (the same graph gives the same
    bytes), with keys that tell what they are of: numbered ones Gephi may take for another's. Attributes of the
    graph as a whole, which Gephi complains of, are left out."""
    from xml.etree import ElementTree

    import networkx as nx

    raw = io.BytesIO()
    nx.write_graphml_xml(graph, raw, encoding="utf-8")
    root = ElementTree.fromstring(raw.getvalue())
    keys = {key.get("id"): key for key in root.findall(f"{{{_GRAPHML}}}key")}
    for key in keys.values():
        key.set("id", f"{key.get('for')}_{key.get('attr.name')}")
        if key.get("for") == "graph":
            root.remove(key)
    for element in [
        *root.iter(f"{{{_GRAPHML}}}graph"),
        *root.iter(f"{{{_GRAPHML}}}node"),
        *root.iter(f"{{{_GRAPHML}}}edge"),
    ]:
        for data in element.findall(f"{{{_GRAPHML}}}data"):
            key = keys[data.get("key")]
            if key.get("for") == "graph":
                element.remove(data)
            else:
                data.set("key", str(key.get("id")))
    ElementTree.register_namespace("", _GRAPHML)
    return '<?xml version="1.0" encoding="UTF-8"?>\n' + ElementTree.tostring(root, encoding="unicode") + "\n"


def _dot(graph: networkx.MultiDiGraph[Any]) -> Iterable[str]:
    yield "digraph {"
    for id, node in graph.nodes(data=True):
        yield f"  {_quoted(id)} [label={_quoted(node['label'])}];"
    for source, target, edge in graph.edges(data=True):
        label = f"{edge['relation']} {edge['weight']:.2f}"
        yield f"  {_quoted(source)} -> {_quoted(target)} [label={_quoted(label)}];"
    yield "}"


def _quoted(text: str) -> str:
    return '"' + text.replace("\\", "\\\\").replace('"', '\\"').replace("\n", " ") + '"'


__all__ = ["FORMATS", "Drawing", "Selection", "node_link", "written"]
