"""A service as a process: settings, start, and a shutdown in the right order."""
