"""A team and its families in one store: python examples/family_and_team/run.py

Who sees what, whose fact a sentence tells, one person with several accounts, and sentences half Chinese, half
English. No model, no network; a fixed clock, so that it prints the same on every day.
"""

from __future__ import annotations

import json
import tempfile
from pathlib import Path

from forms_dynamics import Memory
from forms_dynamics.testing import FixedClock

HERE = Path(__file__).resolve().parent
LOG = [json.loads(line) for line in (HERE / "log.jsonl").read_text(encoding="utf-8").splitlines()]


def ask(memory: Memory, who: str, question: str) -> None:
    lines = memory.recall(question).text.splitlines()[2:-1]  # without the frame for a prompt
    print(f"  {who:<5} {question}")
    for line in lines or ["(nothing that this user may read)"]:
        print(f"          {line}")


def main() -> None:
    clock = FixedClock("2026-06-12T09:00:00+08:00")
    with (
        tempfile.TemporaryDirectory() as folder,
        Memory.open(Path(folder) / "studio.db", form_types=[HERE], clock=clock, tenant="studio") as house,
    ):
        # a message says whose it is ("user"); without one it is the tenant's, in the shared space
        house.observe_many(LOG)
        lina, tom = house.scoped(user="lina"), house.scoped(user="tom")

        print("Who sees what")
        ask(lina, "lina", "P-7 的 budget 是多少？")  # a shared type: all users of the tenant
        ask(tom, "tom", "What is the deadline of P-7?")
        ask(tom, "tom", "李娜的 birthday 是哪天？")  # lina's own
        ask(house.scoped(tenant="rival"), "rival", "P-7 的预算是多少？")

        print("\nWhose fact it is")
        ask(lina, "lina", "我爸什么时候生日？")
        ask(lina, "lina", "我什么时候生日？")
        ask(lina, "lina", "What is my mum allergic to?")
        ask(tom, "tom", "我妈什么时候生日？")
        ask(tom, "tom", "When is my dad's birthday?")
        print("  Two daughters: asked, not guessed")
        for item in tom.pending():
            print(f"          {item.question}")

        print("\nOne person, several accounts")
        chat = house.record("client", {"name": "李海涛", "taste": "minimal"}, external_id="wechat:hai")
        shop = house.record("client", {"name": "Harry Li", "phone": "13800138000"}, external_id="shop:77")
        print(f"  before  {len(house.find('client'))} clients")
        merged = house.merge(chat.forms[0], shop.forms[0])
        house.record("client", {"email": "hai@example.com"}, external_id="shop:77")
        [client] = house.find("client")
        print(
            f"  merged  {client['name']}, also {', '.join(client.aliases)}: {', '.join(sorted(client.external_ids))}"
        )
        ask(house, "house", "Harry Li 的 style 是什么？")
        print(f"  history {', '.join(f'@{v.number} {v.cause}' for v in house.history(client.id))}")
        if merged.act is not None:
            house.undo(merged.act)
        print(f"  undone  {len(house.find('client'))} clients")

        print("\nHalf Chinese, half English")
        for text in ("P-7 的 deadline 改到 June 30", "P-9 budget 大概 60万", "P-7 的 budget 是 60万 吗？"):
            receipt = house.observe(text, speaker="王总", conversation="weekly")
            print(f"  {receipt.state:<7} {text}  {' '.join(receipt.questions)}".rstrip())
        ask(house, "house", "What is the 交期 of P-7?")
        ask(house, "house", "P-9 的预算是多少？")


if __name__ == "__main__":
    main()
