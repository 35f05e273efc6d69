"""From messages to a context with reasons, in one file: python examples/quickstart.py

No model, no network: the recognisers that ship read the messages. The database is a temporary file.
"""

from __future__ import annotations

import tempfile
from pathlib import Path

from forms_dynamics import Memory

MESSAGES = [
    {"speaker": "Maya", "text": "Our company is Northlake Robotics, and our budget is $500,000."},
    {"speaker": "Maya", "text": "Correction: the final budget is $600,000."},
    {"speaker": "Maya", "text": "Quote number: Q-7. Company: Northlake Robotics. Price: $580,000."},
]


def main() -> None:
    with tempfile.TemporaryDirectory() as folder, Memory.open(Path(folder) / "memory.db") as memory:
        for message in MESSAGES:
            receipt = memory.observe(**message, conversation="c1")
            print(f"{receipt.state:<8} {message['text']}")

        # what is known, and which words say so
        [lead] = memory.find("lead_profile")
        budget = lead.slots["budget"]
        words = budget.evidence.text if budget.evidence else ""
        print(f"\n{lead.type} @{lead.version}: budget {budget.value}, from {words!r}")

        # nothing was overwritten
        for version in memory.history(lead.id):
            print(f"  @{version.number} {version.cause}: {version.slots['budget'].value}")

        # a question's context for a prompt, and why it says what it does
        context = memory.recall("What is the budget of Northlake Robotics?")
        print(f"\n{context.text}\n({context.tokens} tokens)")
        for step in context.trace.steps:
            print(f"  {step.kind}: {step.reason}")


if __name__ == "__main__":
    main()
