"""A first draft of a form type: inferred from rows or asked of a person, and written as commented YAML."""
