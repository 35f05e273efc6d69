"""Messages that wait: claimed, taken exactly once however many processes work, given back where a model is away."""

from __future__ import annotations

import threading
from types import TracebackType

from forms_dynamics.errors import InvalidInput, reason
from forms_dynamics.intake import Intake, Taken, Talk, message_of
from forms_dynamics.model.record import MessageRecord
from forms_dynamics.model.value import SECOND

LEASE_SECONDS = 60.0  # after which a worker that was killed is given up
RENEWED_SECONDS = 20.0


def _lease() -> int:
    return round(LEASE_SECONDS * SECOND)


class _Claims:
    """The messages that this worker has claimed. A thread of its own moves the claims on while a model takes its
    time, so that a lease may be short and still outlives any call; who is killed moves nothing."""

    def __init__(self, intake: Intake) -> None:
        self._intake = intake
        self._held: dict[str, int] = {}  # message → until when
        self._lock = threading.Lock()
        self._end = threading.Event()
        self._renewer: threading.Thread | None = None

    def __enter__(self) -> _Claims:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        """Gives back whatever was not taken, as soon as it ends, for whatever reason."""
        self._end.set()
        if self._renewer is not None:
            self._renewer.join()
        for id in list(self._held):
            self.give_back(id, None)

    def take(self, limit: int) -> list[MessageRecord]:
        """Claims up to ``limit`` messages that this worker has not claimed before."""
        now = self._intake.now()
        until = now + _lease()
        claimed = self._intake.store.claim(self._intake.scope, limit, now, until)
        with self._lock:
            self._held.update((record.id, until) for record in claimed)
        if claimed and self._renewer is None:
            self._renewer = threading.Thread(target=self._keep_on, name="claims", daemon=True)
            self._renewer.start()
        return claimed

    def done(self, id: str) -> None:
        """The message is taken: nothing is left to give back."""
        with self._lock:
            self._held.pop(id, None)

    def give_back(self, id: str, why: str | None) -> None:
        """Frees the message, for another worker or the next run; ``why`` it still waits."""
        with self._lock:
            held = self._held.pop(id, None)
        if held is not None:
            self._intake.store.renew(self._intake.scope, [id], held, self._intake.now(), why)

    def _keep_on(self) -> None:
        while not self._end.wait(RENEWED_SECONDS):
            self._renew()

    def _renew(self) -> None:
        until = self._intake.now() + _lease()
        with self._lock:
            groups: dict[int, list[str]] = {}
            for id, held in self._held.items():
                groups.setdefault(held, []).append(id)
            for held, ids in groups.items():
                try:
                    kept = self._intake.store.renew(self._intake.scope, ids, held, until)
                except Exception:
                    continue  # the store was busy: the next round comes before the lease ends
                for id in ids:
                    if id in kept:
                        self._held[id] = until
                    else:
                        del self._held[id]  # another worker has it by now


class Backlog:
    """Works on the queue of one scope."""

    def __init__(self, intake: Intake) -> None:
        self._intake = intake

    def work(self, limit: int | None) -> int:
        """Takes queued messages, each exactly once; the number taken. Each is tried once: one whose extractor
        still fails goes back to the queue at the end, with the reason. Where a whole round fails, the rest is
        left to a later run, which begins with what was not tried."""
        intake = self._intake
        round_ = 2 * intake.settings.model_concurrency if hasattr(intake.extractor, "ahead") else 1
        done = 0
        failed: dict[str, str] = {}
        in_a_row = 0
        with _Claims(intake) as claims:
            try:
                while (limit is None or done < limit) and in_a_row < 2 * intake.settings.model_concurrency:
                    claimed = claims.take(round_ if limit is None else min(round_, limit - done))
                    if not claimed:
                        break
                    for taken in self._begun(claimed):
                        why = self._take(taken)
                        if why is None:
                            claims.done(taken.record.id)
                            done += taken.receipt is not None
                            in_a_row = 0
                        else:
                            failed[taken.record.id] = why
                            in_a_row += 1
            finally:
                for id, why in failed.items():
                    claims.give_back(id, why)
        return done

    def _begun(self, claimed: list[MessageRecord]) -> list[Taken]:
        """The messages on their way, their model calls begun."""
        intake = self._intake
        talk = Talk()
        out = []
        for record in claimed:
            taken = Taken(message_of(record, intake.scope), record, generated=False)
            intake.know(taken, talk, begin=True)
            out.append(taken)
        intake.begin(out)
        return out

    def _take(self, taken: Taken) -> str | None:
        """Proposes and stores one message; why it goes on waiting, None where it does not."""
        intake, record = self._intake, taken.record
        try:
            intake.propose(taken)
        except InvalidInput as bad:  # nobody is there to be told: it is kept, with what is wrong
            return reason(bad)
        if taken.queued:
            return taken.waiting or ""
        with intake.store.writing(intake.scope):
            still = intake.store.messages(intake.scope, [record.id]).get(record.id)
            if still is None or still.state != "queued" or still.text != record.text:
                return None  # erased, taken by another worker, or edited meanwhile: its new words wait
            ws = intake.workspace([taken])
            receipt = intake.decide(ws, record, taken.gated, taken.strangers, taken.cost, taken=taken)
            ws.changes.message_states.append((record.id, receipt.state))
            intake.store.apply(intake.scope, ws.finish())
        taken.receipt = receipt
        return None


__all__ = ["LEASE_SECONDS", "Backlog"]
