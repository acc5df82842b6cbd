"""Figures: what the suite does, beside what its parts can do at best on the same machine."""
