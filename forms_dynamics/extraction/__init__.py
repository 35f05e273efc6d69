"""From a message's words to what the gate lets through: grammar of drafts, recognisers, coercion, gate."""
