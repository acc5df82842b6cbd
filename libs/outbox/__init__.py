"""Events out of and into transactions: outbox with its relay, inbox, dead letters."""
