"""The other services of the suite, called in the name of a signed-in user."""
