"""YAML to form types and relation rules: shape (spec), reading with positions (load), findings (lint),
pydantic models (compile), what ships (shipped), templates (template)."""
