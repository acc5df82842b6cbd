"""Use cases of the gateway itself: users, one-time links, sessions."""
