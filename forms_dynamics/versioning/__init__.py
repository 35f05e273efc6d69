"""Which Form a draft is about (align), what changes (decide), and the chain that keeps it."""
