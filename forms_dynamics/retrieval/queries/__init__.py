"""Declared queries: parameters, the walk step by step, rows and their text, and questions that they answer."""
