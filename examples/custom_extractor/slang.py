"""An extractor that reads amounts as a sales team says them: one method of FormExtractor, the rest as it is.

`python examples/custom_extractor/slang.py` reads two messages. Without FORMS_DYNAMICS_MODEL recognisers read alone
and the slang stays unread; with it (and OPENAI_API_KEY, or OPENAI_BASE_URL of a server of your own) the model finds
the words, and `coerce` says what they are worth.
"""

from __future__ import annotations

import os
from decimal import Decimal
from typing import Any

from forms_dynamics import FormExtractor, Memory, Money

SLANG = {
    "half a mil": (500_000, "USD"),
    "a ton of grand": (100_000, "USD"),
    "半个小目标": (50_000_000, "CNY"),
}


class SlangExtractor(FormExtractor):
    """Knows what our people mean by their amounts."""

    def coerce(self, form_type: str, slot: str, raw: Any, message: Any) -> Any:
        worth = SLANG.get(str(raw).strip().casefold())
        return raw if worth is None else Money(Decimal(worth[0]), worth[1])


def main() -> None:
    """Reads one message in English and one in Chinese, and shows what was kept."""
    settings = {"model": os.environ.get("FORMS_DYNAMICS_MODEL")}
    with Memory.open(
        ":memory:", form_types=["lead_profile"], extractor=SlangExtractor, settings=settings
    ) as memory:
        for n, text in enumerate(("half a mil it is, for the Hailan people", "海蓝那边这回批了半个小目标")):
            receipt = memory.observe(text, conversation=f"c{n}")
            print(f"{text}\n  {receipt.state}, {receipt.cost.model_calls} call(s) to a model")
        for form in memory.find("lead_profile"):
            print(f"  {form['company']}: {form['budget']}")


if __name__ == "__main__":
    main()
