"""Relations between Forms: rules and drafts that make edges (relate), and how strong an edge is (strength)."""
