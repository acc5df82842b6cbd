"""The services that this one asks."""
