"""What an apply did to each block, so that it can be taken back; and what an undo took back."""

from alembic import op

revision = "0006"
down_revision = "0005"
branch_labels = None
depends_on = None

EFFECTS = """
ALTER TABLE applies ADD COLUMN effects jsonb, ADD COLUMN undoes text, ADD COLUMN kept jsonb
"""
# An apply is taken back at most once.
ONE_UNDO = """
CREATE UNIQUE INDEX applies_one_undo ON applies (user_id, undoes)
WHERE state = 'applied' AND undoes IS NOT NULL
"""
LATEST = """
CREATE INDEX applies_latest ON applies (user_id, judged_at DESC)
WHERE state = 'applied' AND undoes IS NULL
"""


def upgrade() -> None:
    """Three columns and two indexes."""
    for statement in (EFFECTS, ONE_UNDO, LATEST):
        op.execute(statement)
