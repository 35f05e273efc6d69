"""Cases of the faults that memories of this kind have had, told to the public surface only."""
