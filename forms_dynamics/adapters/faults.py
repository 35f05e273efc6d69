"""What went wrong with a call of a model: told by the client's errors, or by what came in place of a reply."""

from __future__ import annotations

import time

from pydantic import ValidationError

from forms_dynamics.adapters.replied import ErrorBody


def status(fault: Exception | None) -> int | None:
    """The HTTP status of an answer that was a refusal."""
    code = getattr(fault, "status_code", None)
    return code if isinstance(code, int) else None


def too_long(fault: Exception | None) -> bool:
    """Whether the endpoint says so; a reply that does not validate may speak of what is too long as well."""
    told = str(fault).lower()
    refused = isinstance(fault, ErrorBody) or status(fault) in (400, 413, 422)
    return refused and any(
        words in told
        for words in (
            "context length",
            "context_length",
            "too long",
            "too large",
            "maximum context",
            "exceeds",
        )
    )


def retry_after(fault: Exception | None) -> float | None:
    """Seconds that the server asks to wait."""
    headers = getattr(getattr(fault, "response", None), "headers", None)
    if headers is None:
        return None
    try:
        if (ms := headers.get("retry-after-ms")) is not None:
            return max(0.0, float(ms) / 1000)
        said = headers.get("retry-after")
        if said is None:
            return None
        try:
            return max(0.0, float(said))
        except ValueError:
            from email.utils import parsedate_to_datetime

            return max(0.0, parsedate_to_datetime(said).timestamp() - time.time())
    except (TypeError, ValueError):
        return None


def complaint(fault: Exception | None) -> str:
    """What was wrong, in one line that quotes nothing of the reply; of the message only what an endpoint does."""
    if isinstance(fault, ValidationError):
        first = fault.errors(include_input=False, include_url=False)[0]
        return f"the reply does not validate: {'.'.join(map(str, first['loc']))}: {first['msg']}"
    code = status(fault)
    if code is not None:
        return f"HTTP {code}: {str(fault)[:200]}"
    if fault is None:
        return "the reply is empty"
    name = type(fault).__name__
    if name == "APITimeoutError":
        return "no reply in time (settings.model_timeout)"
    if name == "APIConnectionError":
        return f"no connection: {fault.__cause__ or fault}"
    return f"{name}: {str(fault)[:200]}" if not isinstance(fault, ValueError) else str(fault)[:200]


__all__ = ["complaint", "retry_after", "status", "too_long"]
