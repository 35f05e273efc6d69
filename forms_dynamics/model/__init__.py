"""Frozen values that the stages hand to each other; no I/O and no clock."""
