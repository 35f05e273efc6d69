"""What an editor shows beside a key of a form type or relation rule: English, then Chinese."""

from __future__ import annotations

FORM = {
    "form_type": "Name of the Form type, used in code and commands: letters (of any script), digits, _ and -.\n"
    "表单类型的名称，供代码和命令使用。",
    "version": "Whole number from 1. Raise it when the meaning of stored Forms changes, and add to migrations.\n"
    "版本号，从 1 起；已存表单的含义有变时加一，并在 migrations 中说明。",
    "description": "What it is for: a text, or {zh: …, en: …}.\n用途说明：一段文字，或分语言书写。",
    "aliases": "What people call such a Form; questions and 'the old quote' find it by these words.\n"
    "人们对这类表单的叫法；提问和“之前的报价”这类说法据此找到它。",
    "identity": "What makes two mentions the same thing: [a, b], {any: [[a], [b]]}, or each (every mention is new). "
    "Parts are slots, $user, $speaker or $conversation. Left out: one Form a conversation.\n"
    "凭什么认定两次提到的是同一个对象；each 表示每次提到都是新的；不写则每个会话一张表单。",
    "life": "How long a Form lives and counts as warm.\n表单多久过期、多久转冷。",
    "threshold": "Confidence that values of this type need, 0 to 1, instead of the setting conf_threshold.\n"
    "本类型的值须达到的置信度（0–1），替代设置项 conf_threshold。",
    "shared": "true: every user of the tenant reads it.\ntrue 表示租户内所有用户可读。",
    "slots": "The slots by name. Each costs confidence: keep to what is needed.\n"
    "按名称列出的槽位；每多一个都会降低置信度，只保留必要的。",
    "template": "How a Form reads in a context, by language (Jinja2, sandboxed); slot names are its variables.\n"
    "表单在上下文中的文字形式，按语言书写（Jinja2，沙箱运行）；变量即槽位名。",
    "first_contact": "Slots to ask a new user about, in order; an entry may bring words of its own: "
    "city: {zh: …, en: …}. Needs identity [$speaker] or [$user].\n"
    "初次见面时依次询问的槽位；可为某一项单写问法；identity 须为 [$speaker] 或 [$user]。",
    "expected": "What the memory of a user should know: true (a Form of this type at all) or a list of slots. Health "
    "reports its completeness against it.\n"
    "每个用户的记忆应当有的内容：true 表示至少有一张这类表单，或列出应知的槽位；health 据此报告完整度。",
    "examples": "Messages and what they must give.\n示例消息及应从中提取的结果。",
    "usage": "A hint for an agent's system prompt, by language.\n写进智能体系统提示词的用法提示。",
    "json_ld": "The JSON-LD vocabulary of the type.\n该类型的 JSON-LD 词汇。",
    "migrations": "How older Forms are read: the version that the steps lead to, and the steps.\n"
    "旧版表单如何读取：目标版本号及其步骤。",
    "extractor": "Who reads messages about this type: recognisers, model, an installed name, or module:Class.\n"
    "由谁从消息中读取本类型：recognisers、model、已安装的名称，或 module:Class。",
}

SLOT = {
    "type": "Type of the value.\n取值的类型。",
    "many": "true: holds any number of values; single ones are added and removed.\n"
    "true 表示可有多个值，可逐个增减。",
    "required": "true: asked for while it is missing; the rest is stored all the same.\n"
    "true 表示缺失时会追问，不影响其余内容入库。",
    "exact": "true: a range or bound is no value, it is asked about.\ntrue 表示不接受区间，会追问确切的值。",
    "unit": "Currency of money that names none (ISO 4217, such as CNY); unit of a number.\n"
    "金额的默认币种（如 CNY），或数值的单位。",
    "ref": "The Form type that a slot of type ref points to.\nref 槽位所指的表单类型。",
    "values": "Values of an enum: a list, or value → synonyms. Case, width and script do not matter.\n"
    "枚举的取值：列表，或“值 → 同义词”；不区分大小写、全半角和简繁体。",
    "aliases": "Other words for the slot, in questions and messages.\n槽位的其他叫法。",
    "cues": "Further words that announce the value in a message.\n消息中引出该值的其他词语。",
    "description": "For a model's prompt and for readers.\n给模型和读者看的说明。",
    "question": "What is asked while the value is unsure, by language.\n取值不确定时的追问。",
    "examples": "Example values, for a model's prompt.\n取值示例。",
    "threshold": "Confidence that this slot needs, 0 to 1.\n该槽位的值须达到的置信度（0–1）。",
    "min": "Least value; one below it is refused.\n最小值，低于它的会被拒绝。",
    "max": "Greatest value; one above it is refused.\n最大值，高于它的会被拒绝。",
    "authority": "Whose word wins: sources from strongest to weakest, or newest.\n"
    "以谁说的为准：来源由强到弱，或 newest（最新）。",
    "fade_per_day": "What a day without confirmation leaves of the confidence, such as 0.95.\n"
    "每过一天未经确认，置信度保留的比例，如 0.95。",
    "rules_out": "Value → things that go against it when the user asks for them (vegetarian → beef).\n"
    "取值 → 与之冲突的事物：用户要这些时会提醒（如吃素 → 牛肉）。",
    "avoided_rules_out": "Avoided value → things that hold it (spicy → Sichuan food).\n"
    "回避值 → 含有它的事物：用户要这些时会提醒（如辣 → 川菜）。",
}

SLOT_TYPE = {
    "text": "any words · 文本",
    "integer": "a whole number · 整数",
    "number": "an exact decimal · 小数",
    "money": "an exact amount and its currency · 金额",
    "percent": "a percentage; 30 is 30 % · 百分比",
    "boolean": "yes or no · 是或否",
    "date": "a day · 日期",
    "datetime": "a moment with its offset · 时间点",
    "date_range": "from one day to another · 日期区间",
    "duration": "a length of time · 时长",
    "enum": "one of a few values; needs values · 枚举，需写 values",
    "phone": "a phone number · 电话",
    "email": "an e-mail address · 邮箱",
    "url": "a link · 链接",
    "ref": "another Form; needs ref · 指向另一张表单，需写 ref",
}

SOURCE = {
    "user": "said by the user · 用户所述",
    "tool": "a tool's result · 工具结果",
    "import": "loaded from elsewhere · 外部导入",
    "inferred": "concluded by a model · 模型推断",
}

LIFE = {
    "ttl_seconds": "Expired after so many seconds without an update; null: never.\n"
    "多少秒未更新即过期；null 表示永不过期。",
    "cold_after_days": "Out of default recall after so many days without access (90); null: never.\n"
    "多少天未访问即转冷，移出默认召回（默认 90）；null 表示永不转冷。",
    "fade_per_day": "As for a slot, for all slots of the type.\n同槽位的 fade_per_day，作用于全部槽位。",
    "valid_days": "valid_until of a value that names none, in days; null: open.\n"
    "未注明 valid_until 的值有效多少天；null 表示不限。",
}

EXAMPLE = {
    "text": "The message.\n消息原文。",
    "gives": "Slot → value; a list for several Forms; {} where nothing may be taken.\n"
    "槽位 → 值；多张表单用列表，不应提取任何内容时写 {}。",
}

LANGUAGE = {"zh": "Chinese · 中文", "en": "English · 英文"}

IDENTITY = {
    "any": "Alternatives in order: the first complete key that matches decides.\n"
    "按顺序排列的备选，以第一组取值齐全且匹配的为准。"
}

JSON_LD = {
    "type": "@type: an IRI or term, or a list of them.\n类型的 IRI 或词项，也可以是它们的列表。",
    "version": "Version of the vocabulary, from 1.\n词汇版本，从 1 起。",
    "prefixes": "Prefix → IRI.\n前缀 → IRI。",
    "terms": "Slot → its IRI, or {id, type, container}.\n槽位 → 其 IRI，或 {id, type, container}。",
}

TERM = {
    "id": "IRI of the term.\n词项的 IRI。",
    "type": "Type of the value: an xsd type or @id.\n取值类型：xsd 类型或 @id。",
    "container": "@list keeps the order of many values, @set does not.\n@list 保序，@set 不保序。",
}

CONTAINER = {"@list": "ordered · 有序", "@set": "unordered · 无序"}

MIGRATION = {
    "rename": "Old slot name → new one.\n旧槽位名 → 新槽位名。",
    "default": "Slot → value where there is none.\n槽位 → 缺值时的默认值。",
    "drop": "Slots that are no longer read.\n不再读取的槽位。",
    "map": "Slot → {old value: new value}.\n槽位 → {旧值: 新值}。",
}

RELATION = {
    "relation": "Name of the relation; one name may join several pairs of types. supersedes and derived_from are "
    "always there, never declared.\n关系的名称；supersedes 与 derived_from 自带，不可声明。",
    "from": 'Form type at its start, or "*" for any.\n起点的表单类型，"*" 表示任意。',
    "to": 'Form type at its end, or "*" for any.\n终点的表单类型，"*" 表示任意。',
    "required": "true: a value that when joins is recognised as one of the type at to, too.\n"
    "true 表示 when 中的值也按终点类型识别。",
    "cardinality": "How many of each end may be joined.\n两端的数量关系。",
    "strength": "Weight of the edge and how it decays.\n边的权重及其衰减方式。",
    "when": "a.slot == b.slot, joined by and: the edge is drawn whenever the values are known and equal.\n"
    "两端的值已知且相等时自动建边；多个条件用 and 连接。",
    "attributes": "Constants that the edge carries, such as {scope: backend}.\n边上的固定属性。",
    "description": "For readers: a text, or {zh: …, en: …}.\n给读者看的说明：一段文字，或分语言书写。",
    "aliases": "What people call the relation in questions.\n提问时对该关系的叫法。",
    "acyclic": "true: nothing may lead back to itself over it; the self-check reports a cycle.\n"
    "true 表示沿此关系不得绕回自身，自检会报告环路。",
}

STRENGTH = {
    "weight": "Weight at the start, 0 to 1.\n初始权重。",
    "floor": "What the weight does not sink below, 0 to 1.\n权重的下限。",
    "half_life_days": "Days in which the weight above the floor halves; null: no decay.\n"
    "半衰期（天），null 表示不衰减。",
    "ttl_seconds": "After so many seconds the edge is not walked; null: never.\n"
    "多少秒后不再沿此边检索；null 表示不限。",
    "cold_after_days": "Out of default recall after so many days without a hit; null: as cold as the Forms at its "
    "ends.\n多少天未被对话提及即转冷，移出默认召回；null 表示随两端表单转冷。",
    "valid_days": "valid_until of an edge for which none was said, in days from its beginning; null: open.\n"
    "未注明 valid_until 的边自起始日起有效多少天；null 表示不限。",
}

CARDINALITY = {
    "one_to_one": "one of each · 一对一",
    "one_to_many": "one start, many ends · 一对多",
    "many_to_one": "many starts, one end · 多对一",
    "many_to_many": "any number · 多对多",
}

TRIGGER = {
    "trigger": "Name of the trigger: what the agent will need is loaded before it asks.\n"
    "触发器的名称：在智能体提问之前，先取出它将用到的记忆。",
    "on": "The kind of event that it waits for.\n等待的事件种类。",
    "when": "Condition on the event and the user's own Forms: intent == 'book_ride', entity.value < tomorrow 9:00. "
    "Left out: at every such event.\n对事件及用户自己的表单的条件，如 entity.value < 明天 9:00；不写则每次都触发。",
    "load": "What is loaded, in order: one thing or a list.\n依次取出的内容：一项或一个列表。",
    "description": "For readers: a text, or {zh: …, en: …}.\n给读者看的说明：一段文字，或分语言书写。",
}

EVENT = {
    "intent_recognized": "the agent knows what the user is after; known: intent · 识别出意图",
    "entity_extracted": "a value was found in what the user said; known: entity.type, entity.value, "
    "entity.form_type, entity.slot · 提取出实体",
    "action_executed": "a tool was called; known: action, arguments.…, result.… · 执行了动作",
}

LOAD = {
    "form_type": "Forms of this type; beside relation: only those of this type at its other end.\n"
    "取该类型的表单；与 relation 同写时，只取关系另一端的该类型表单。",
    "slots": "The slots to tell; left out: all of the Form. What waits for confirmation in them is told as such.\n"
    "只取这些槽位，不写则取整张表单；其中待确认的值会照样标明。",
    "where": "Condition on the Form's slots and the event: status != 'delivered' and "
    "order_no == arguments.order_no.\n"
    "对表单槽位和事件的条件。",
    "relation": "Forms that this relation ties to what the event is about and to what was loaded before.\n"
    "取经由该关系与事件对象或前面已取出的表单相连的表单。",
    "limit": "At most so many Forms, the newest first (5).\n最多取几张，新的在前（默认 5）。",
}

HEDGE_DOCUMENT = {
    "hedges": "Words that leave a value unsure or approximate, beside those that ship: such a value "
    "is asked about, not stored.\n"
    "在内置词语之外，表示不确定或大约的词语：带有它们的值会追问，不直接入库。",
}

HEDGES = {
    "zh": "Chinese words, by class; a plain list means doubt.\n中文词语，按类别列出；直接写列表表示 doubt。",
    "en": "English words, by class; a plain list means doubt.\n英文词语，按类别列出；直接写列表表示 doubt。",
    "not": "Phrases in which a hedge word is none; a hedge word itself is no hedge any more.\n"
    "其中的词语不算模糊的短语；写上某个内置词语本身，即不再视其为模糊。",
}

HEDGE_CLASS = {
    "about": "Directly before a quantity (about, 大概).\n紧接在数量之前。",
    "doubt": "Before what it bears on, in its clause (maybe, 可能).\n在同一分句中，位于所修饰内容之前。",
    "told": "Hearsay (听说).\n听来的说法。",
    "think": "Opens a clause of opinion (I think).\n引出看法。",
    "unsure": "Not knowing; bears on a value behind it (not sure).\n表示不清楚，修饰其后的值。",
    "closing": "At the end of the clause (吧, for now).\n位于分句末尾。",
    "behind": "Directly behind the value (左右, or so; -ish is an ending).\n紧跟在值之后。",
    "remark": "A clause of its own beside the value (还没定, subject to change).\n值旁边的独立分句。",
}
