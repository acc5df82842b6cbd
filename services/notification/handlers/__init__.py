"""Use cases: load, decide, save, tell."""
