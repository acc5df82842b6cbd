"""Alembic environment of the gateway's database."""

from libs.db import migration

migration.run_migrations()
