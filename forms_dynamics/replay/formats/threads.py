"""Which conversation a request to a model goes on with: each request repeats what was said before it.

A log of requests would otherwise tell the same words again and again, each time as a conversation of its own.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence
from hashlib import blake2b

from forms_dynamics.replay.formats.chats import Conversation

REPEATED = "messages that a later request repeats"
_FEWEST = 2  # a single message that is said twice may well be meant twice


class Threads:
    """What was said so far, as digests."""

    def __init__(self) -> None:
        self._named: dict[str, bytes] = {}
        self._lengths: dict[str, int] = {}
        self._nameless: defaultdict[bytes, list[str]] = defaultdict(list)
        self._of_reply: dict[str, str] = {}

    def place(self, one: Conversation, said: Sequence[tuple[str, str]], otherwise: str) -> tuple[str, int]:
        """The conversation's name, and how many of its first messages are known from before. ``said``: role and
        words of each message; ``otherwise``: the name of one that names none and goes on with no other."""
        digests = _digests(one, said)
        known = 0
        name = one.name
        if name is not None:
            before = self._lengths.get(name, 0)
            if before >= _FEWEST and len(said) >= before and digests[before] == self._named[name]:
                known = before
            self._named[name], self._lengths[name] = digests[-1], len(said)
        elif one.exchange:
            followed = self._of_reply.get(one.follows or "")
            known = 0 if followed else self._longest(digests[:-1])
            name = followed or (self._nameless[digests[known]].pop() if known else None)
        name = name or one.id or otherwise
        if one.exchange:
            if one.name is None and len(said) >= _FEWEST:
                self._nameless[digests[-1]].append(name)
            if one.id is not None:
                self._of_reply[one.id] = name
        return name, known

    def _longest(self, digests: Sequence[bytes]) -> int:
        """How many messages the longest earlier request has that this one begins with."""
        return next(
            (n for n in range(len(digests) - 1, _FEWEST - 1, -1) if self._nameless.get(digests[n])), 0
        )


def _digests(one: Conversation, said: Sequence[tuple[str, str]]) -> list[bytes]:
    """A digest of the first n messages, for every n."""
    digests = [str(one.given.get("user")).encode("utf-8", "surrogatepass")]
    for role, text in said:
        body = f"\x1f{role}\x1f{text}".encode("utf-8", "surrogatepass")
        digests.append(blake2b(digests[-1] + body, digest_size=16).digest())
    return digests


__all__ = ["REPEATED", "Threads"]
