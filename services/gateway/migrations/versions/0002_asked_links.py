"""The name by which a student asks for a sign-in link, and which links were asked for."""

from alembic import op

revision = "0002"
down_revision = "0001"
branch_labels = None
depends_on = None

_STATEMENTS = (
    "ALTER TABLE users ADD COLUMN handle text UNIQUE CHECK (char_length(handle) BETWEEN 1 AND 40)",
    # The key of the attempt that asked; null where the command line made the link.
    "ALTER TABLE sign_in_links ADD COLUMN asked_key text",
    """
    CREATE UNIQUE INDEX sign_in_links_by_attempt ON sign_in_links (user_id, asked_key)
    WHERE asked_key IS NOT NULL
    """,
)


def upgrade() -> None:
    for statement in _STATEMENTS:
        op.execute(statement)


def downgrade() -> None:
    raise NotImplementedError("migrations go forward alone")
