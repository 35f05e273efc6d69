"""What an editor shows beside a key of a query: English, then Chinese."""

from __future__ import annotations

QUERY = {
    "query": "Name of the query, as code and commands call it.\n查询的名称，供代码和命令使用。",
    "description": "What it answers; stands before its rows.\n它回答什么；显示在结果之前。",
    "parameters": "What a caller gives, by name.\n调用时给出的参数。",
    "start": "The Forms at which the paths begin.\n路径的起点表单。",
    "steps": "Relations followed one after another, 8 at most.\n依次经过的关系，最多 8 步。",
    "group": "The step that rows are of, one row a Form; the last one if left out.\n"
    "结果按哪一步的表单分行；不写则为最后一步。",
    "return": "Columns: slot, step.slot, name: slot, or name: {count: step}.\n"
    "返回的列：槽位、步骤.槽位、列名: 槽位，或 列名: {count: 步骤}。",
    "order": "Columns to sort by; -name: descending. What is not known stands last.\n"
    "按哪些列排序；-列名 为降序，未知的排在最后。",
    "limit": "Most rows (100).\n最多返回多少行（默认 100）。",
    "include": "cold, expired: Forms and edges that a recall would leave out.\n"
    "cold、expired：一并查询默认召回会略去的表单和边。",
    "row": "How one row reads, by language; variables are columns and parameters.\n"
    "一行结果的文字形式，按语言书写；变量为列名和参数。",
    "template": "How the answer reads, by language; variables are parameters, rows and count.\n"
    "整个回答的文字形式，按语言书写；变量为参数、rows（各行）和 count（行数）。",
    "asks": "Questions that it answers, with {parameter} in its place.\n它能回答的问句，参数写作 {参数名}。",
}

PARAMETER = {
    "type": "Type of the value, as of a slot.\n取值类型，同槽位。",
    "slot": "form_type.slot: of the same type and values.\n表单类型.槽位：与该槽位类型和取值相同。",
    "ref": "The Form type that a parameter of type ref names a Form of.\nref 参数所指的表单类型。",
    "values": "Values of an enum.\n枚举的取值。",
    "unit": "Currency or unit of a bare number.\n未写明时的币种或单位。",
    "many": "true: several values.\ntrue 表示可给多个值。",
    "min": "Least value.\n最小值。",
    "max": "Greatest value.\n最大值。",
    "required": "false: may be left out. Without default it is required.\n"
    "false 表示可以不给；没有 default 时默认必填。",
    "default": "Value where none is given, such as today.\n未给出时的值，如 today。",
    "description": "For readers.\n给读者看的说明。",
}

START = {
    "form_type": "Type of the Forms.\n起点表单的类型。",
    "named": "$parameter, or a text: found by identity, name, alias or id.\n"
    "$参数或文字：按身份、名称、别名或 id 查找。",
    "where": "Condition on their slots. Without named, all of the type are looked through.\n"
    "对槽位的条件；没有 named 时逐一查看该类型的全部表单。",
    "as": "What the start is called further on (its type).\n起点在后文中的名称（默认为类型名）。",
    "limit": "Most Forms looked at (1,000).\n最多查看多少张表单（默认 1,000）。",
}

STEP = {
    "relation": "Name of a relation, a list of them, or $parameter.\n关系名、关系名列表，或 $参数。",
    "direction": "out: as the relation is drawn; in: against it; either.\n"
    "out 顺着关系，in 逆着关系，either 两者皆可。",
    "to": 'Form type at the far end; "*": any.\n另一端的表单类型，"*" 表示任意。',
    "as": "What the step is called further on (its type).\n该步骤在后文中的名称（默认为类型名）。",
    "from": "The earlier step it begins at; the one before if left out.\n从哪一步出发；不写则为上一步。",
    "where": "Condition: slots, step.slot, edge.attribute, $parameter, now.\n"
    "条件：槽位、步骤.槽位、edge.属性、$参数、now。",
    "repeat": "How many edges one behind another: 3, or 1..5. Each Form counts once.\n"
    "连续经过多少条边：3 或 1..5；每张表单只计一次。",
    "every": "true: only Forms tied to every Form of the step before.\ntrue 表示只取与上一步每张表单都相连的。",
    "optional": "true: paths go on without it.\ntrue 表示没有也保留该路径。",
    "limit": "Most Forms kept at this step (1,000).\n该步骤最多保留多少张表单（默认 1,000）。",
}

DIRECTION = {"out": "as drawn · 顺着关系", "in": "against it · 逆着关系", "either": "both ways · 两个方向"}
INCLUDE = {"cold": "long untouched · 久未提及", "expired": "past its end · 已过期"}
FIGURE = {
    "count": "How many Forms of a step.\n某一步有多少张表单。",
    "min": "The least value.\n最小的值。",
    "max": "The greatest value.\n最大的值。",
    "sum": "The sum, in one currency.\n合计，须为同一币种。",
    "depth": "Edges that a repeated step took, at least.\n重复步骤至少经过多少条边。",
}
