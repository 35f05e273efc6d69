"""Readers of what a question demands of the Forms of one type: days, amounts, values of enums, values that are
missing, each in a module of its own; ``restricting`` puts them in order."""
