"""Use cases: one selection, one change of what is remembered."""
