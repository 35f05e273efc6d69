"""Replies that were paid for, and what models cost an owner: kept in the store, bounded by age and by a cap a day."""

from __future__ import annotations

import hashlib
import json
import re
import threading
from typing import Any
from weakref import WeakValueDictionary

from forms_dynamics.errors import ExtractorUnavailable
from forms_dynamics.model.answer import Answer
from forms_dynamics.model.message import Cost
from forms_dynamics.model.record import ChangeSet, ReplyRecord, Scope, SpentRecord
from forms_dynamics.model.value import DAY, from_micros, to_micros
from forms_dynamics.ports import Clock, Store
from forms_dynamics.settings import Settings

_SWEEP = DAY // 24  # old replies are looked for once an hour
_LEAST = -1e4  # stands for the logarithm of nothing, which JSON has no word for
_HALF = re.compile("[\ud800-\udfff]")


class ReplyBook:
    """The replies and the costs of one owner. Thread-safe.

    Every sum is in the store as soon as it is known, so that a process that is killed pays nothing twice. A store
    that was opened to be read gives replies and takes none.
    """

    def __init__(self, store: Store, scope: Scope, clock: Clock, settings: Settings) -> None:
        self.store = store
        self.scope = scope
        self.settings = settings
        self._clock = clock
        self._swept = -_SWEEP
        # who asks under a key: another message with the same question waits for that reply
        self._asking: WeakValueDictionary[str, KeptReplies] = WeakValueDictionary()
        self._freed = threading.Condition()

    def now(self) -> int:
        """The clock's now in microseconds."""
        return to_micros(self._clock.now())

    def of(self, message: str) -> KeptReplies:
        """Replies as the extraction of one message asks for them and keeps them."""
        return KeptReplies(self, message)

    def hold(self, key: str, asker: KeptReplies) -> None:
        """Waits until nobody else asks under the key, for as long as a model may take."""
        longest = self.settings.model_timeout * (self.settings.model_retries + 1)
        with self._freed:
            self._freed.wait_for(lambda: self._asking.get(key) in (None, asker), longest)
            self._asking[key] = asker

    def free(self, asker: KeptReplies, key: str | None = None) -> None:
        """``asker`` asks no more under the key (None: under any)."""
        with self._freed:
            for held in [key] if key is not None else list(self._asking):
                if self._asking.get(held) is asker:
                    del self._asking[held]
                    self._freed.notify_all()

    def oldest(self, now: int) -> int:
        """Replies kept before this instant are of no use any more."""
        return now - self.settings.reply_days * DAY + 1

    def admit(self) -> None:
        """ExtractorUnavailable where the day's costs have reached the cap. Calls under way are not in them: when
        they end, the sum may be beyond the cap by what they cost, in all processes together, and no more."""
        cap = self.settings.cost_cap
        if cap is None:
            return
        day = self.now() // DAY
        spent = self.store.spent(self.scope, day)
        tokens = spent.tokens_in + spent.tokens_out
        if tokens >= cap:
            end = from_micros((day + 1) * DAY).strftime("%Y-%m-%dT%H:%MZ")
            raise ExtractorUnavailable(
                f"the cost cap of {cap} tokens a day is reached ({tokens} spent): the model is asked again"
                f" from {end}, or with a higher settings.cost_cap"
            )

    def spent(self, cost: Cost) -> None:
        """Adds calls to the day's costs."""
        if cost.model_calls or cost.tokens_in or cost.tokens_out:
            self._write(ChangeSet(spent=[self._sum(cost, self.now())]))

    def keep(self, key: str, message: str, answer: Answer, erasures: int) -> None:
        """Keeps a reply and adds what it cost, in one transaction."""
        now = self.now()
        changes = ChangeSet(spent=[self._sum(answer.cost, now)], erasures=erasures)
        if self.settings.reply_days:
            logprobs = (
                None
                if answer.logprobs is None
                else _json([[token, p if p > _LEAST else _LEAST] for token, p in answer.logprobs])
            )
            cost = answer.cost
            changes.replies = [
                ReplyRecord(
                    key, message, now, _json(answer.content), logprobs,
                    cost.model_calls, cost.tokens_in, cost.tokens_out,
                )
            ]  # fmt: skip
        self._write(changes)
        if now - self._swept >= _SWEEP and not self.store.read_only:
            self._swept = now
            self.store.drop_replies(self.scope, self.oldest(now))

    def _write(self, changes: ChangeSet) -> None:
        if not self.store.read_only:
            self.store.apply(self.scope, changes)

    @staticmethod
    def _sum(cost: Cost, now: int) -> SpentRecord:
        return SpentRecord(now // DAY, cost.model_calls, cost.tokens_in, cost.tokens_out)


class KeptReplies:
    """The replies that the extraction of one message may use; implements ``model.answer.Replies``."""

    def __init__(self, book: ReplyBook, message: str) -> None:
        self._book = book
        self._message = message
        self._erasures: int | None = None

    def begin(self) -> None:
        """Called before anything stored goes into a prompt: a reply that comes after an erasure is not kept."""
        if self._erasures is None:
            self._erasures = self._book.store.erasures(self._book.scope)

    def end(self) -> None:
        """Called when the extraction has ended, however: others need not wait for its replies any more."""
        self._book.free(self)

    def get(self, key: str) -> Answer | None:
        self.begin()
        book, digest = self._book, _digest(key)
        if not book.settings.reply_days:
            return None
        book.hold(digest, self)
        found = book.store.reply(book.scope, digest, book.oldest(book.now()))
        if found is None:
            return None
        book.free(self, digest)
        logprobs = None if found.logprobs is None else [(t, p) for t, p in json.loads(found.logprobs)]
        return Answer(json.loads(found.content), Cost(*found[-3:]), logprobs)

    def put(self, key: str, answer: Answer) -> None:
        self.begin()
        digest = _digest(key)
        self._book.keep(digest, self._message, answer, self._erasures or 0)
        self._book.free(self, digest)

    def admit(self) -> None:
        self._book.admit()

    def spent(self, cost: Cost) -> None:
        self._book.spent(cost)


def _json(value: Any) -> str:
    """UTF-8 as it is, but for halves of characters, which no store takes."""
    text = json.dumps(value, ensure_ascii=False, separators=(",", ":"))
    return text if not _HALF.search(text) else json.dumps(value, separators=(",", ":"))


def _digest(key: str) -> str:
    """A key as it is stored: no word of a question is in it."""
    return hashlib.blake2b(key.encode("utf-8", "surrogatepass"), digest_size=16).hexdigest()


__all__ = ["KeptReplies", "ReplyBook"]
