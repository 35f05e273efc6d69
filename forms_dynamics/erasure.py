"""Erasing a Form or a message: with all that rests on it, wherever acts have carried it.

Versions are erased whole. Where one holds words of others too (a merge brought several messages' facts, an
answer agreed to one sentence of several), what is left of it is said again in a version of the same act, so
that nothing else is lost.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from typing import Any

from forms_dynamics.assertions import sayings
from forms_dynamics.dynamics import relate
from forms_dynamics.errors import shared_id, unknown_id
from forms_dynamics.language.terms import query_terms
from forms_dynamics.language.wording import distinctive, places
from forms_dynamics.model.record import MessageRecord, PendingRecord, Scope, VersionRecord
from forms_dynamics.ports import Store
from forms_dynamics.projection import add_assertion, fold, withdrawn
from forms_dynamics.schema.spec import Catalog, SlotSpec
from forms_dynamics.versioning.keys import context_names
from forms_dynamics.versioning.parting import merged_into
from forms_dynamics.versioning.workspace import Working, Workspace

Chains = Mapping[str, Sequence[VersionRecord]]
Gone = Callable[[str, Mapping[str, Any]], bool]  # slot, assertion → whether it goes

_MOST = 1_000_000
# slots whose values are words for one thing; a day, a number, one of an enum's values is said of anything
_TOLD = ("text", "ref", "email", "phone", "url", "money")
_FOUND = 5000  # messages looked at for the words of an erased value


class Erasure:
    """Erases in one scope; each call is a transaction."""

    def __init__(self, store: Store, scope: Scope, catalog: Catalog, now: int) -> None:
        self._store = store
        self._scope = scope
        self._catalog = catalog
        self._now = now

    # -- a message -------------------------------------------------------------------------------------------
    def message(self, id: str) -> dict[str, int]:
        """The message, the versions that it made, and every statement that rests on its words. NotFound."""
        store, scope = self._store, self._scope
        if id not in store.messages(scope, [id]):
            raise unknown_id("message", id)
        with store.writing(scope):
            turn = store.messages(scope, [id])[id]
            naming = store.versions_naming(scope, id)
            chains: Chains = {
                form: store.versions(scope, form) for form in dict.fromkeys(v.form for v in naming)
            }
            confirmed = self._confirmed_by(turn)

            def gone(slot: str, assertion: Mapping[str, Any]) -> bool:
                agreed = assertion.get("ag")
                # what a user agreed to rests on the assistant's words, too
                return assertion.get("m") == id or (agreed is not None and agreed[0] == id)

            hit = {(v.form, v.n) for v in naming}
            chains = self._with_kin(chains)
            lost = self._lost_names(chains, hit)
            left = self._left(chains, hit, {id}, gone, lost)
            return self._write(chains, hit, left, messages=[id], unsaid=(id, confirmed, turn.time))

    def _confirmed_by(self, turn: MessageRecord) -> list[str]:
        """The Forms that the message spoke of: it may have confirmed what others said."""
        found = self._store.touched(self._scope, turn.conversation, None, _MOST)
        return [mention.form for mention in found if mention.seq == turn.seq]

    # -- a Form ----------------------------------------------------------------------------------------------
    def form(self, id: str) -> dict[str, int]:
        """The Form, what was merged into it, and what merges carried from it into others. NotFound."""
        store, scope = self._store, self._scope
        record = store.forms(scope, [id]).get(id)
        if record is None:
            raise unknown_id("Form", id)
        if record.owner != scope.owner:
            raise shared_id(id)
        with store.writing(scope):
            chains = self._with_kin({id: store.versions(scope, id)})
            whole = {id}
            while more := {f for f, c in chains.items() if merged_into(c) in whole} - whole:
                whole |= more
            told = {_key(slot, a) for f in whole for v in chains[f] for slot, a in _statements(v)}
            others = {f: c for f, c in chains.items() if f not in whole}

            def gone(slot: str, assertion: Mapping[str, Any]) -> bool:
                return _key(slot, assertion) in told

            # what others were told by acts that these took part in
            acts = {v.message for f in whole for v in chains[f] if v.cause == "merge"}
            reach = self._reached(others, whole)
            hit = {
                (f, v.n)
                for f in reach
                for v in others[f]
                if v.payload is not None and v.cause in ("merge", "rollback", "mark", "split")
                if v.message in acts or any(gone(slot, a) for slot, a in _statements(v))
            }
            every = {(f, v.n) for f in whole for v in chains[f]}
            lost = self._lost_names(chains, every | hit)
            left = self._left(others, hit, set(), gone, lost)
            withhold = self._retold(whole, chains)
            return self._write(others, hit, left, forms=sorted(whole), withhold=withhold)

    def _retold(self, whole: Collection[str], chains: Chains) -> list[str]:
        """Messages that say again what the Forms say and from which nothing came that stays: of those who told it,
        and of the conversations in which it was told. What is told there again is not to be quoted either."""
        store, scope = self._store, self._scope
        messages = [v.message for form in whole for v in chains[form]]
        told = [(slot, a, form) for form in whole for v in chains[form] for slot, a in _statements(v)]
        agreed = [a["ag"][0] for _, a, _ in told if "ag" in a]
        sources = store.messages(scope, list(dict.fromkeys([*messages, *agreed])))
        said = [m for m in sources.values() if m.kind == "message"]
        speakers = {m.speaker for m in said if m.role == "user"}
        talks = {m.conversation for m in said}
        words: dict[str, None] = {}
        for slot, assertion, form in told:
            spec = self._spec(form, slot)
            if spec is None or spec.type in _TOLD:
                words.update(dict.fromkeys(sayings(assertion, sources)))
        found: dict[str, None] = {}
        for each in filter(distinctive, words):
            hits = store.search_text(scope, query_terms(each), _FOUND)
            found.update((hit.id, None) for hit in hits if hit.kind == "message" and places(hit.text, each))
        by = store.messages(scope, list(found))
        others = {v.message for v in store.versions_of_messages(scope, list(found)) if v.form not in whole}
        return [
            id
            for id, m in by.items()
            if id not in others and ((m.role == "user" and m.speaker in speakers) or m.conversation in talks)
        ]

    def _spec(self, form: str, slot: str) -> SlotSpec | None:
        record = self._store.forms(self._scope, [form]).get(form)
        form_type = self._catalog.types.get(record.type) if record is not None else None
        return form_type.slots.get(slot) if form_type is not None else None

    def _reached(self, others: Chains, whole: Iterable[str]) -> list[str]:
        """Forms that those erased were merged into, and so on."""
        into = {form: merged_into(self._store.versions(self._scope, form)) for form in [*others, *whole]}
        found: list[str] = []
        ends = [into[form] for form in whole]
        while ends:
            end = ends.pop()
            if end is not None and end in others and end not in found:
                found.append(end)
                ends.append(into[end])
        return found

    # -- both ------------------------------------------------------------------------------------------------
    def _with_kin(self, chains: Chains) -> dict[str, Sequence[VersionRecord]]:
        """With the Forms that merges and splits tied to these."""
        store, scope = self._store, self._scope
        out = dict(chains)
        left = list(chains)
        while left:
            for version in out[left.pop()]:
                if version.cause not in ("merge", "split"):
                    continue
                for other in store.versions_of_messages(scope, [version.message]):
                    if other.form not in out:
                        out[other.form] = store.versions(scope, other.form)
                        left.append(other.form)
        return out

    def _names(self, form: str, chain: Sequence[VersionRecord]) -> set[str]:
        """All by which the chain lets a Form be called."""
        record = self._store.forms(self._scope, [form]).get(form)
        form_type = self._catalog.types.get(record.type) if record is not None else None
        state = fold(chain, form_type)
        names = {*state["al"], *state["ext"], *context_names(form_type, state, self._now)}
        for slot in form_type.identity.slots if form_type is not None else ():
            names.update(a["v"] for a in state["s"].get(slot, ()) if isinstance(a["v"], str))
        return names

    def _lost_names(self, chains: Chains, hit: set[tuple[str, int]]) -> set[str]:
        """Names that no Form of these has any more but by what acts carried over."""
        before: set[str] = set()
        after: set[str] = set()
        for form, chain in chains.items():
            before |= self._names(form, chain)
            after |= self._names(form, [v for v in chain if (form, v.n) not in hit and v.cause != "merge"])
        return before - after

    def _left(
        self, chains: Chains, hit: set[tuple[str, int]], makers: set[str], gone: Gone, lost: set[str]
    ) -> dict[str, list[tuple[VersionRecord, dict[str, Any]]]]:
        """What stays of versions that others made. Adds those that hold nothing but a lost name to ``hit``."""
        out: dict[str, list[tuple[VersionRecord, dict[str, Any]]]] = {}
        for form, chain in chains.items():
            taken = withdrawn(chain)
            # what was retracted since is not said again
            lines = fold(chain)["s"].items()
            standing = {(a["n"], *_key(slot, a)) for slot, line in lines for a in line}
            for version in chain:
                if version.payload is None:
                    continue
                data: dict[str, Any] = json.loads(version.payload)
                named = [n for key in ("al", "ext") for n in data.get(key, ()) if n in lost]
                if (form, version.n) not in hit and not (named and version.cause == "merge"):
                    continue
                hit.add((form, version.n))
                if version.message in makers or version.n in taken:
                    continue
                rest: dict[str, list[Any]] = {}
                for slot, assertion in _statements(version):
                    if not gone(slot, assertion) and (version.n, *_key(slot, assertion)) in standing:
                        rest.setdefault(slot, []).append(assertion)
                data["s"] = rest
                for key in ("al", "ext"):
                    data[key] = [n for n in data.get(key, ()) if n not in lost]
                if rest or data["al"] or data["ext"] or "st" in data or "w" in data:
                    out.setdefault(form, []).append((version, data))
        return out

    def _write(
        self,
        chains: Chains,
        hit: set[tuple[str, int]],
        left: Mapping[str, Sequence[tuple[VersionRecord, dict[str, Any]]]],
        forms: Sequence[str] = (),
        messages: Sequence[str] = (),
        withhold: Sequence[str] = (),
        unsaid: tuple[str, Sequence[str], int] | None = None,
    ) -> dict[str, int]:
        store, scope = self._store, self._scope
        empty = [
            form
            for form, chain in chains.items()
            if form not in left and chain and all((form, v.n) in hit for v in chain if v.payload is not None)
        ]
        versions = sorted(at for at in hit if at[0] not in empty and at[0] not in forms)
        asked = self._asking(messages, [*forms, *empty])
        done = store.erase(
            scope, messages=messages, forms=[*forms, *empty], versions=versions, withhold=withhold
        )
        ws = Workspace(store, scope, self._catalog, self._now)
        for form in sorted({at[0] for at in versions}):
            working = ws.own(form)
            if working is not None:
                self._again(ws, working, left.get(form, ()))
        if unsaid is not None:
            self._unconfirm(ws, *unsaid[1:])
        for item in asked:
            ws.remember_pending(item)
            ws.put_pending(
                item._replace(state="expired", value='{"v":null}', question="", candidates="[]", draft="{}")
            )
        store.apply(scope, ws.finish())
        return done

    def _again(
        self, ws: Workspace, working: Working, left: Sequence[tuple[VersionRecord, dict[str, Any]]]
    ) -> None:
        ws.settle(working, ws.chain(working))
        for version, data in left:
            message = MessageRecord.of_act(version.message, version.time, self._now)
            delta = working.delta
            delta.assertions = data["s"]
            delta.aliases, delta.external = data["al"], data["ext"]
            delta.context, delta.withdraws = data.get("k", {}), data.get("w", [])
            delta.status, delta.reason, delta.cause = data.get("st"), data.get("why"), version.cause
            for slot, given in data["s"].items():
                for assertion in given:
                    placed = {"m": version.message, **assertion, "t": version.time, "n": working.n + 1}
                    add_assertion(working.state, slot, placed)
            ws.seal_version(working, message)
        ws.settle(working, ws.chain(working))
        ws.sync_keys(working)
        first = next((v for v in ws.chain(working) if v.payload is not None), None)
        if first is not None:
            maker = MessageRecord.of_act(first.message, first.time, self._now)
            relate.apply_rules(ws, working, True, maker)

    def _unconfirm(self, ws: Workspace, forms: Sequence[str], time: int) -> None:
        """The message confirms nothing any more."""
        for form in forms:
            working = ws.own(form)
            if working is None:
                continue
            kept = {slot: at for slot, at in working.confirmed.items() if at != time}
            if kept != working.confirmed:
                working.confirmed, working.dirty = kept, True

    def _asking(self, messages: Sequence[str], forms: Sequence[str]) -> list[PendingRecord]:
        """Questions of others that repeat words of what goes."""
        named = [json.dumps(id, ensure_ascii=False) for id in (*messages, *forms)]
        return [
            item
            for item in self._store.scan(self._scope, "pendings")
            if item.message not in messages and item.form not in forms
            if any(id in item.draft or id in item.candidates for id in named)
        ]


def _statements(version: VersionRecord) -> list[tuple[str, dict[str, Any]]]:
    """Slot and assertion, as they stand in the payload, with the message that each rests on."""
    if version.payload is None:
        return []
    data = json.loads(version.payload)
    out = []
    for slot, given in data.get("s", {}).items():
        for assertion in given if isinstance(given, list) else (given,):
            out.append((slot, {**assertion, "m": assertion.get("m", data["m"])}))
    return out


def _key(slot: str, assertion: Mapping[str, Any]) -> tuple[str, str, str]:
    return slot, json.dumps(assertion.get("v"), ensure_ascii=False, sort_keys=True), str(assertion.get("m"))


__all__ = ["Erasure"]
