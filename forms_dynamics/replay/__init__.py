"""Logs replayed under other settings: what would have been accepted, held, asked and recalled, and which settings
serve best."""
