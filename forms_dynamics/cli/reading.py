"""recall, fire, hint, why, forms, show: what comes out of a memory."""

from __future__ import annotations

import json
from typing import Annotated, Any

import typer

from forms_dynamics.cli.options import Call, moment

AsOf = Annotated[str | None, typer.Option("--as-of", metavar="TIME", help="What was true then (ISO 8601).")]
KnownAt = Annotated[str | None, typer.Option("--known-at", metavar="TIME", help="What was known then.")]
MaxTokens = Annotated[int | None, typer.Option("--max-tokens", min=0, help="Budget of the context (3000).")]
FormId = Annotated[str, typer.Argument(metavar="FORM_ID", help="Id of a Form, as `forms` lists it.")]


def recall(
    call: Call,
    question: Annotated[str | None, typer.Argument(help="What is asked.")] = None,
    *,
    focus: Annotated[
        str | None, typer.Option("--focus", metavar="FORM_ID", help="Start from this Form.")
    ] = None,
    intent: Annotated[
        str | None, typer.Option("--intent", metavar="NAME", help="What the user is after: fires triggers.")
    ] = None,
    conversation: Annotated[
        str | None, typer.Option("--conversation", help="Whose anaphora, turns and triggers.")
    ] = None,
    max_tokens: MaxTokens = None,
    max_hops: Annotated[int, typer.Option("--max-hops", help="0, 1 or 2.")] = 1,
    as_of: AsOf = None,
    known_at: KnownAt = None,
    history: Annotated[
        bool | None,
        typer.Option("--history/--no-history", help="Old versions too; else told from the question."),
    ] = None,
    recent_turns: Annotated[int, typer.Option("--recent-turns", min=0, help="Last turns, word by word.")] = 0,
    include_cold: Annotated[bool, typer.Option("--include-cold", help="Forms long untouched, too.")] = False,
    include_expired: Annotated[bool, typer.Option("--include-expired", help="Expired Forms, too.")] = False,
    trace: Annotated[
        bool, typer.Option("--trace", help="Why each thing is in the context, or left out, as a tree.")
    ] = False,
    ids: Annotated[bool, typer.Option("--ids", help="Ids beside the names of the trace.")] = False,
) -> int:
    """Ask: a context for the answer, with its reasons."""
    if question is None and focus is None and intent is None:
        raise typer.BadParameter(
            "ask something, name a Form with --focus, or an intent with --intent", param_hint="QUESTION"
        )
    with call.memory() as memory:
        context = memory.recall(
            question,
            focus=focus,
            intent=intent,
            conversation=conversation,
            max_tokens=max_tokens,
            max_hops=max_hops,
            as_of=moment(as_of, "--as-of"),
            known_at=moment(known_at, "--known-at"),
            history=history,
            recent_turns=recent_turns,
            include_cold=include_cold,
            include_expired=include_expired,
        )
        if call.as_json:
            _put(context)
        else:
            from forms_dynamics.cli.show import Paper

            Paper().context(context, trace=trace or ids, ids=ids)
    return 0


def fire(
    call: Call,
    event: Annotated[str, typer.Argument(metavar="EVENT", help="intent, entity or action.")],
    name: Annotated[str, typer.Argument(help="Of the intent or action; type of the entity.")],
    value: Annotated[str | None, typer.Argument(help="Of the entity, such as 'tomorrow 8:00'.")] = None,
    *,
    form_type: Annotated[
        str | None, typer.Option("--form-type", metavar="TYPE", help="The entity's Form type.")
    ] = None,
    slot: Annotated[str | None, typer.Option("--slot", help="The entity's slot.")] = None,
    arguments: Annotated[
        str | None, typer.Option("--arguments", metavar="JSON", help="The action's arguments: an object.")
    ] = None,
    result: Annotated[
        str | None, typer.Option("--result", metavar="JSON", help="What came back; a text if it is no JSON.")
    ] = None,
    about: Annotated[
        list[str] | None, typer.Option("--about", metavar="FORM_ID", help="A Form that the action touched.")
    ] = None,
    conversation: Annotated[
        str | None, typer.Option("--conversation", help="Whose speaker, language and zone.")
    ] = None,
    speaker: Annotated[str | None, typer.Option("--speaker", help="Who speaks.")] = None,
    lang: Annotated[str | None, typer.Option("--lang", help="zh or en; else that last spoken.")] = None,
    max_tokens: MaxTokens = None,
    as_of: AsOf = None,
    known_at: KnownAt = None,
    include_cold: Annotated[bool, typer.Option("--include-cold", help="Forms long untouched, too.")] = False,
    include_expired: Annotated[bool, typer.Option("--include-expired", help="Expired Forms, too.")] = False,
    trace: Annotated[
        bool, typer.Option("--trace", help="Which triggers fired, which did not, and why.")
    ] = False,
) -> int:
    """Tell that something happened: what triggers load for it."""
    if event not in ("intent", "entity", "action"):
        raise typer.BadParameter(f"{event!r} is not intent, entity or action", param_hint="EVENT")
    if (value is None) == (event == "entity"):
        wrong = "an entity needs a value" if value is None else f"an {event} has no value"
        raise typer.BadParameter(wrong, param_hint="VALUE")
    others: dict[str, dict[str, Any]] = {
        "entity": {"--form-type": form_type, "--slot": slot},
        "action": {"--arguments": arguments, "--result": result, "--about": about},
    }
    for kind, theirs in others.items():
        for option, said in theirs.items():
            if said and kind != event:
                raise typer.BadParameter(f"belongs to an {kind}, not to an {event}", param_hint=option)
    options: dict[str, Any] = {
        "conversation": conversation, "speaker": speaker, "lang": lang, "max_tokens": max_tokens,
        "as_of": moment(as_of, "--as-of"), "known_at": moment(known_at, "--known-at"),
        "include_cold": include_cold, "include_expired": include_expired,
    }  # fmt: skip
    given = _json(arguments, "--arguments")
    if given is not None and not isinstance(given, dict):
        raise typer.BadParameter("is no JSON object", param_hint="--arguments")
    with call.memory() as memory:
        if event == "intent":
            context = memory.on_intent_recognized(name, **options)
        elif event == "entity":
            context = memory.on_entity_extracted(name, value, form_type=form_type, slot=slot, **options)
        else:
            came = _json(result, None)
            context = memory.on_action_executed(name, given, came, about=about or (), **options)
        if call.as_json:
            _put(context)
        else:
            from forms_dynamics.cli.show import Paper

            Paper().context(context, trace=trace)
    return 0


def _json(text: str | None, option: str | None) -> Any:
    """What a text says as JSON; the text itself where it is none and no ``option`` has to be."""
    if text is None:
        return None
    try:
        return json.loads(text)
    except ValueError:
        if option is None:
            return text
        raise typer.BadParameter(f"{text!r} is no JSON", param_hint=option) from None


def why(
    call: Call,
    form_id: FormId,
    slot: Annotated[str, typer.Argument(help="Name of a slot.")],
) -> int:
    """Where a value comes from, and what it displaced."""
    with call.memory() as memory:
        found = memory.why(form_id, slot)
        if call.as_json:
            _put(found)
        else:
            from forms_dynamics.cli.show import Paper

            Paper().why(found)
    return 0


def forms(
    call: Call,
    form_type: Annotated[str | None, typer.Argument(help="Only this type.")] = None,
    *,
    where: Annotated[
        list[str] | None, typer.Option("--where", metavar="SLOT=VALUE", help="Only with this value.")
    ] = None,
    status: Annotated[str, typer.Option("--status", help="active, invalid or any.")] = "active",
    limit: Annotated[int, typer.Option("--limit", min=1)] = 100,
    after: Annotated[str | None, typer.Option("--after", metavar="FORM_ID", help="Next page.")] = None,
    as_of: AsOf = None,
    known_at: KnownAt = None,
) -> int:
    """List Forms."""
    slots: dict[str, Any] = {}
    for pair in where or ():
        name, equals, value = pair.partition("=")
        if not equals:
            raise typer.BadParameter(f"{pair!r} is not SLOT=VALUE", param_hint="--where")
        slots[name.strip()] = value
    with call.memory() as memory:
        found = memory.find(
            form_type, status=status, limit=limit, after=after, as_of=moment(as_of, "--as-of"),
            known_at=moment(known_at, "--known-at"), **slots,
        )  # fmt: skip
        if call.as_json:
            _put(found)
        else:
            from forms_dynamics.cli.show import Paper

            Paper().forms(found, full=len(found) == limit)
    return 0


def show(
    call: Call,
    form_id: FormId,
    *,
    version: Annotated[int | None, typer.Option("--version", min=1, help="As this version left it.")] = None,
    as_of: AsOf = None,
    known_at: KnownAt = None,
) -> int:
    """One Form: slots, versions with evidence, edges, questions."""
    with call.memory() as memory:
        then, known = moment(as_of, "--as-of"), moment(known_at, "--known-at")
        form = memory.get(form_id, version=version, as_of=then, known_at=known)
        versions = memory.history(form_id, as_of=then, known_at=known)
        edges = memory.edges(form_id, include_inactive=True)
        # what waits now did not wait then
        now = version is None and then is None and known is None
        waiting = [item for item in memory.pending() if item.form_id == form_id] if now else []
        if call.as_json:
            _put({"form": form, "versions": versions, "edges": edges, "pending": waiting})
        else:
            from forms_dynamics.cli.show import Paper

            Paper().form_page(form, versions, edges, waiting)
    return 0


def diff(
    call: Call,
    form_id: FormId,
    old: Annotated[int, typer.Argument(min=1, help="Version number.")],
    new: Annotated[int, typer.Argument(min=1, help="Version number.")],
) -> int:
    """What two versions of a Form differ in."""
    with call.memory() as memory:
        changes = memory.diff(form_id, old, new)
        if call.as_json:
            _put({"form_id": form_id, "old": old, "new": new, "changes": changes})
        else:
            from forms_dynamics.cli.show import Paper

            Paper().changes(memory.get(form_id), old, new, changes)
    return 0


def _put(document: Any) -> None:
    from forms_dynamics.cli.speech import put_json

    put_json(document)
