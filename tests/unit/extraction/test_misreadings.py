"""What used to be read as another's, another type's, or not at all; each line stands for a kind."""

from __future__ import annotations

import pytest

from forms_dynamics import Memory

# texts of a conversation → (type, slot) → value as text, of all that is known in the end
READ: list[tuple[tuple[str, ...], dict[tuple[str, str], str]]] = [
    # another person's number or means are not the customer's
    (("王老师的电话是13800138000",), {}),
    (("李雷的电话是13800138000",), {}),
    (("房东的电话是13800138000",), {}),
    (("Tom's phone number is 13800138000",), {}),
    (("My landlord's phone is +44 20 7946 0111",), {}),
    (("公司：海蓝电子，预算50万", "李雷的预算是80万"), {("lead_profile", "company"): "海蓝电子", ("lead_profile", "budget"): "500,000 CNY"}),
    (("公司：海蓝电子，联系人：李雷", "李雷的电话是13800138000"), {("lead_profile", "company"): "海蓝电子", ("lead_profile", "contact_name"): "李雷", ("lead_profile", "phone"): "13800138000"}),
    # a firm's address is not the speaker's, nor a friend's by a pet name
    (("公司邮箱是sales@hailan.cn",), {}),
    (("小雨邮箱a@b.com",), {}),
    (("我的邮箱是a@b.com",), {("user_profile", "email"): "a@b.com"}),
    # some people
    (("有些人对花生过敏",), {}),
    (("Some people are allergic to peanuts",), {}),
    (("有些对花生过敏",), {("user_profile", "allergies"): "花生"}),
    # labels stay with the record that they stand in
    (("会议主题：季度复盘，负责人：王芳，城市：杭州",), {("meeting", "purpose"): "季度复盘"}),
    (("项目名称：天际，预算：80万",), {("project", "name"): "天际"}),
    (("公司名称：海蓝电子，城市：杭州",), {("lead_profile", "company"): "海蓝电子"}),
    (("公司名称：海蓝电子，电话：13800138000",), {("lead_profile", "company"): "海蓝电子", ("lead_profile", "phone"): "13800138000"}),
    # a label said of a type's word
    (("任务的截止日期是2026年3月10日",), {("task", "due"): "2026-03-10"}),
    # lists, reasons, places
    (("I like tea, coffee and dislike milk and beer",), {("preference", "liked"): "tea, coffee", ("preference", "-liked"): "beer, milk"}),
    (("I like tea, coffee and oat milk.",), {("preference", "liked"): "tea, coffee, oat milk"}),
    (("I like tea, the weather is nice.",), {("preference", "liked"): "tea"}),
    (("因为对花生过敏，我从不点沙茶面",), {("user_profile", "allergies"): "花生"}),
    (("Because I'm allergic to peanuts, no satay please",), {("user_profile", "allergies"): "peanuts"}),
    (("Employer: Acme in London",), {("user_profile", "employer"): "Acme"}),
    # a phone number is told of the customer who is talked about, where that has none
    (("我们是海蓝电子", "电话13800138000"), {("lead_profile", "company"): "海蓝电子", ("lead_profile", "phone"): "13800138000"}),
    # a number that counts something corrects no amount
    (("Our budget is 15,000 USD", "I finished those 3 online courses, how do I make it count?"), {("lead_profile", "budget"): "15,000 USD"}),
    (("Our budget is 15,000 USD", "Sorry, I meant 18000"), {("lead_profile", "budget"): "18,000 USD"}),
    (("我们预算15万", "说错了，是3个人参加"), {("lead_profile", "budget"): "150,000 CNY"}),
    # nor is what was done by a day one, though a customer is talked about
    (("Our company is Acme Ltd, budget 15,000 USD", "I've read the first 4 books of the course by June 30, 2026"), {("lead_profile", "company"): "Acme Ltd", ("lead_profile", "budget"): "15,000 USD"}),
    (("Our company is Acme Ltd, budget 15,000 USD", "The team must have all of it installed by June 30, 2026"), {("lead_profile", "company"): "Acme Ltd", ("lead_profile", "budget"): "15,000 USD", ("lead_profile", "deadline"): "2026-06-30"}),
    (("Our company is Acme Ltd, budget 15,000 USD", "By June 30, 2026."), {("lead_profile", "company"): "Acme Ltd", ("lead_profile", "budget"): "15,000 USD", ("lead_profile", "deadline"): "2026-06-30"}),
    # a bare amount is in the currency of the one that it replaces
    (("我们预算15万美元", "预算改成18万"), {("lead_profile", "budget"): "180,000 USD"}),
    (("我们预算15万美元", "预算改成18万元"), {("lead_profile", "budget"): "180,000 CNY"}),
    (("Our budget is €15,000", "Budget: 18k to 20k"), {("lead_profile", "budget"): "18,000 EUR–20,000 EUR"}),
    # a deadline is anything's, until the talk is of a customer
    (("I'm finishing the first draft of my essay by May 15, 2026: can I meet this deadline?",), {}),
    (("I have a submission deadline of June 15, 2026 for the conference abstract",), {}),
    (("论文投稿的截止日期是2026年6月15日，怎么安排时间？",), {}),
    (("Deadline: June 15, 2026",), {("lead_profile", "deadline"): "2026-06-15"}),
    (("公司：海蓝电子", "截止日期是2026年6月15日"), {("lead_profile", "company"): "海蓝电子", ("lead_profile", "deadline"): "2026-06-15"}),
    (("Our budget is 120,000 USD and the deadline is June 15, 2026",), {("lead_profile", "budget"): "120,000 USD", ("lead_profile", "deadline"): "2026-06-15"}),
]  # fmt: skip


@pytest.mark.parametrize(("texts", "known"), READ)
def test_what_is_read(texts: tuple[str, ...], known: dict[tuple[str, str], str]) -> None:
    with Memory.open(":memory:", settings={"timezone": "Asia/Shanghai"}) as memory:
        for text in texts:
            memory.observe(text, conversation="c", time="2026-03-01T09:00:00+08:00")
        told: dict[tuple[str, str], str] = {}
        for form in memory.find():
            for name, slot in form.slots.items():
                if slot.value is not None:
                    values = slot.value if isinstance(slot.value, tuple) else (slot.value,)
                    told[form.type, name] = ", ".join(map(str, values))
                if slot.avoided:
                    told[form.type, f"-{name}"] = ", ".join(sorted(map(str, slot.avoided)))
        assert told == known
        if not known:
            assert not memory.pending()
