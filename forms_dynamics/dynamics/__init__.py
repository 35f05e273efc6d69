"""Relations between Forms: the edges that rules, drafts and links make (relate)."""
