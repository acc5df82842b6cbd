"""Alembic's environment; the work is the same for every service."""

from libs.db.migration import run_migrations

run_migrations()
