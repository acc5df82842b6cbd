"""Messages to domain values and back, with the checks of their shape."""
