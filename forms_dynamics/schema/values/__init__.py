"""Readers of raw slot values, by kind of slot; :mod:`forms_dynamics.schema.coerce` puts them together."""
