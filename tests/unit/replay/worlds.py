"""Made-up logs whose best settings are known: drafts with a confidence that is as good as it says, or worth nothing."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from random import Random
from typing import Any

from forms_dynamics.replay.values import Counts, Run, Truth


class World:
    """Conversations of drafts, each (confidence, right); replaying counts those at ``conf_threshold`` or above.

    ``sharp``: how far confidence tells right from wrong; 0: nothing, and thresholds only decide how many pass.
    ``stir``: the share of conversations in which a setting differs from today's, by chance alone; then no
    setting is better than another.
    """

    def __init__(
        self,
        conversations: int,
        *,
        seed: int = 0,
        sharp: float = 1.0,
        truth: Truth = "labels",
        stir: float = 0.0,
        today: float = 0.8,
    ) -> None:
        self.stir, self.seed, self.truth = stir, seed, truth
        self.today = today
        self.calls: list[dict[str, Any]] = []
        draw = Random(f"world {seed}")
        self.drafts: dict[str, list[tuple[float, bool]]] = {}
        for i in range(conversations):
            hard = draw.uniform(-0.1, 0.1)  # turns of one conversation are alike
            self.drafts[f"c{i}"] = [
                (c, draw.random() < min(max(sharp * c + (1 - sharp) * 0.6 + hard, 0), 1))
                for c in (round(draw.uniform(0.3, 1.0), 3) for _ in range(draw.randint(4, 12)))
            ]

    def __call__(self, plans: Sequence[Mapping[str, Any]]) -> list[Run]:
        self.calls += [dict(plan) for plan in plans]
        return [self.run(plan) for plan in plans]

    def run(self, plan: Mapping[str, Any]) -> Run:
        if self.stir:  # every setting does the same but for chance
            always, chance = Random(f"always {self.seed}"), Random(f"{self.seed} {sorted(plan.items())}")
            counts = {c: self._chance(drafts, always) for c, drafts in self.drafts.items()}
            for c, drafts in self.drafts.items():
                if plan and chance.random() < self.stir:
                    counts[c] = self._chance(drafts, chance)
            return self._run(plan, counts)
        threshold = plan.get("conf_threshold", self.today)
        return self._run(plan, {c: self._counted(drafts, threshold) for c, drafts in self.drafts.items()})

    def _run(self, plan: Mapping[str, Any], counts: Mapping[str, Counts]) -> Run:
        return Run(dict(plan), f"world {self.seed}", self.truth, counts)

    @staticmethod
    def _counted(drafts: Sequence[tuple[float, bool]], threshold: float) -> Counts:
        passed = [right for confidence, right in drafts if confidence >= threshold]
        held = len(drafts) - len(passed)
        right, could = sum(passed), sum(right for _, right in drafts)
        return Counts(
            turns=2 * len(drafts), user_turns=len(drafts), accepted=len(passed), accepted_right=right,
            accepted_wrong=len(passed) - right, held=held, held_right=could - right, expected=could, found=right,
            questions=held,
        )  # fmt: skip

    @staticmethod
    def _chance(drafts: Sequence[tuple[float, bool]], chance: Random) -> Counts:
        right = sum(1 for _, draft in drafts if draft and chance.random() < 0.9)
        wrong = sum(1 for _, draft in drafts if not draft and chance.random() < 0.3)
        could = sum(draft for _, draft in drafts)
        return Counts(
            turns=2 * len(drafts), user_turns=len(drafts), accepted=right + wrong, accepted_right=right,
            accepted_wrong=wrong, expected=could, found=right, questions=len(drafts) - right - wrong,
        )  # fmt: skip
