"""Sign-in links: which channels take them, and the sealed path of one that is on its way."""

from alembic import op

revision = "0002"
down_revision = "0001"

STATEMENTS = (
    """
    ALTER TABLE notification_channels
        ADD COLUMN takes_sign_in_links boolean NOT NULL DEFAULT false,
        ADD CHECK (NOT takes_sign_in_links OR type <> 'console')
    """,
    # What the frozen content leaves out; forgotten when the record ends.
    """
    ALTER TABLE notification_records
        ADD COLUMN sealed_path bytea,
        ADD CHECK (sealed_path IS NULL OR settled_at IS NULL)
    """,
)


def upgrade() -> None:
    for statement in STATEMENTS:
        op.execute(statement)
