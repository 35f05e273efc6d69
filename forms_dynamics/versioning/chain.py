"""The hash chain of a Form: each version seals its payload and its parent.

``hash = sha256(parent_hash ‖ sha256(salt ‖ payload))``. The salt keeps an erased payload from being guessed
from its hash; erasing removes payload and salt and leaves the hash, so the chain still verifies.
"""

from __future__ import annotations

import os
from collections.abc import Sequence
from hashlib import blake2b, sha256

from forms_dynamics.model.record import VersionRecord

_ALPHABET = "0123456789abcdefghjkmnpqrstvwxyz"  # Crockford's base 32: sorts as it counts
GENESIS = b"\0" * 32


def new_salt() -> bytes:
    """Sixteen random bytes."""
    return os.urandom(16)


def seal(parent: bytes, salt: bytes, payload: str) -> bytes:
    """The hash of a version over its parent's hash, its salt and its payload's bytes."""
    return sha256(parent + sha256(salt + payload.encode()).digest()).digest()


def resealed(version: VersionRecord, parent: bytes) -> VersionRecord:
    """The version under a salt of its own in a chain whose last hash is ``parent``. A tombstone, which nothing
    can be proved of, takes a random hash."""
    if version.payload is None:
        return version._replace(salt=None, hash=os.urandom(32))
    salt = new_salt()
    return version._replace(salt=salt, hash=seal(parent, salt, version.payload))


def problems(versions: Sequence[VersionRecord]) -> list[str]:
    """What does not verify in a chain (in order of n); erased versions are trusted for their hash."""
    out: list[str] = []
    parent = GENESIS
    for place, version in enumerate(versions, start=1):
        if version.n != place:
            out.append(f"{version.form}: version {place} is missing")
            break
        sealed = version.payload is None or (
            version.salt is not None and seal(parent, version.salt, version.payload) == version.hash
        )
        if not sealed:
            out.append(f"{version.form}@{version.n}: its content does not match its hash")
        parent = version.hash
    return out


def base32(number: int, width: int) -> str:
    """A non-negative integer in Crockford's base 32, padded to ``width``."""
    out = ""
    for _ in range(width):
        out = _ALPHABET[number & 31] + out
        number >>= 5
    return out


def new_id(kind: str, micros: int, *parts: object) -> str:
    """A time-ordered id: one letter, the milliseconds (9 characters), a hash of ``parts`` (10 characters).

    The same parts at the same time give the same id: tenant, owner, message id and ordinal tell things apart.
    """
    digest = blake2b("\x1f".join(map(str, parts)).encode("utf-8", "surrogatepass"), digest_size=7).digest()
    stamp = base32(max(0, micros // 1000), 9)
    return f"{kind}{stamp}{base32(int.from_bytes(digest), 10)}"
