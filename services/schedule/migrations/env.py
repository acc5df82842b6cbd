"""Alembic environment of the schedule database."""

from libs.db.migration import run_migrations

run_migrations()
