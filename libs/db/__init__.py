"""PostgreSQL: engine, transactions, the user's row lock, stored answers, migrations."""
