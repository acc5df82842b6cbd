"""Meetings that an import leaves out because a block of work stays in their place.

Unlike a meeting that a person deleted, such a one comes back with the next import that finds
nothing in its way.
"""

from alembic import op

revision = "0003"
down_revision = "0002"
branch_labels = None
depends_on = None


def upgrade() -> None:
    """One column, false for everything that stands."""
    op.execute("ALTER TABLE course_absences ADD COLUMN for_work boolean NOT NULL DEFAULT false")
