"""Form types for tests of what happens to Forms of any kind: firms, their deals, and what they buy."""

FIRM = """\
form_type: firm
identity: [name]
slots:
  name: {type: text}
  city: {type: text}
  budget: {type: money, unit: CNY}
  staff: {type: integer}
  share: {type: percent}
  listed: {type: boolean}
  founded: {type: date}
  tags: {type: text, many: true}
  size: {type: text}
"""
DEAL = """\
form_type: deal
identity: [title]
slots:
  title: {type: text}
  firm: {type: text}
  staff: {type: text}
  share: {type: integer}
"""
PRODUCT = """\
form_type: product
shared: true
identity: [name]
slots:
  name: {type: text}
  colour: {type: text}
"""


def diary(identity: str) -> str:
    """A type whose Forms are told apart by who or where alone: ``$user``, ``$conversation``."""
    return f"form_type: diary\nidentity: [{identity}]\nslots:\n  mood: {{type: text}}\n"


def together(*types: str) -> str:
    """One file of several documents."""
    return "---\n".join(types)
