"""Users, identities, sign-in links and sessions: every statement of the gateway's database."""
