"""What people call the subjects of a trace, looked up when somebody reads it: a recall pays nothing for it."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence

from forms_dynamics.errors import StoreUnavailable
from forms_dynamics.language.secrets import redact
from forms_dynamics.model.context import Step
from forms_dynamics.model.record import MessageRecord
from forms_dynamics.model.trace_tree import edge_ends
from forms_dynamics.ports import Store
from forms_dynamics.retrieval.entries import Writer
from forms_dynamics.retrieval.quoted import quote
from forms_dynamics.retrieval.request import Request
from forms_dynamics.schema.spec import Catalog

_QUOTED = 40  # characters of a message


class Names(Mapping[str, str]):
    """Id → name; ``look`` gives them all at once. A copy is a plain dict."""

    def __init__(self, look: Callable[[], Mapping[str, str]]) -> None:
        self._look = look
        self._found: dict[str, str] | None = None

    def _all(self) -> dict[str, str]:
        if self._found is None:
            try:
                self._found = dict(self._look())
            except StoreUnavailable:  # closed since: the ids stay
                return {}
        return self._found

    def __getitem__(self, id: str) -> str:
        return self._all()[id]

    def __iter__(self) -> Iterator[str]:
        return iter(self._all())

    def __len__(self) -> int:
        return len(self._all())

    def __deepcopy__(self, memo: object) -> dict[str, str]:
        return dict(self._all())

    def __reduce__(self) -> tuple[type[dict[str, str]], tuple[dict[str, str]]]:
        return dict, (dict(self._all()),)


def names_of(
    steps: Sequence[Step],
    request: Request,
    store: Store,
    catalog: Catalog,
    writer: Writer,
    clean: bool,
) -> dict[str, str]:
    """Names of the Forms and messages that ``steps`` are about, in the writer's language: a Form by its type and what
    it goes by, a message by speaker, time and its first words, which those that were left out keep to themselves.
    ``clean``: without secrets."""
    subjects: dict[str, bool] = {}  # id → whether its words may be told
    for step in steps:
        ends = edge_ends(step.subject)
        for id in (step.subject,) if ends is None else (ends[0], ends[2]):
            subjects[id] = subjects.get(id, True) and step.kind != "prune"
    out: dict[str, str] = {}
    scope, reader = writer.scope, writer.reader
    records = store.forms(scope, list(subjects))
    read = reader.project(scope, records, list(records), writer.now, request.as_of, request.known_at)
    for id, form in read.items():
        form_type = catalog.types.get(form.type)
        label = form_type.label(writer.lang) if form_type else form.type
        name = writer.name(form, form_type)
        out[id] = name if name == label else f"{label} {name}"
    for id, message in store.messages(scope, [s for s in subjects if s not in records]).items():
        out[id] = _quoted(message, told=subjects[id])
    return {id: redact(name) for id, name in out.items()} if clean else out


def _quoted(message: MessageRecord, told: bool) -> str:
    text = " ".join(message.text.split())
    words = text if len(text) <= _QUOTED else f"{text[:_QUOTED]}…"
    return quote(message, words if told else "…", clock=False)


__all__ = ["Names", "names_of"]
