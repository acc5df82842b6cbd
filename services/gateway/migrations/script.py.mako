"""${message}"""

from alembic import op

revision = ${repr(up_revision)}
down_revision = ${repr(down_revision)}
branch_labels = None
depends_on = None


def upgrade() -> None:
    """Expand first; what is not used any more goes in a later release."""


def downgrade() -> None:
    raise NotImplementedError("migrations go forward alone")
