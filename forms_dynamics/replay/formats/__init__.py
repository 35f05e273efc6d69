"""The formats in which others keep conversations: what each calls a role, a time, a message, a conversation."""
