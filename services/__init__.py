"""The services of the suite, one process each."""
