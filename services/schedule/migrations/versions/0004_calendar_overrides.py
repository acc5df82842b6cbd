"""What happens on single dates instead of their own classes."""

from alembic import op

revision = "0004"
down_revision = "0003"
branch_labels = None
depends_on = None

CALENDAR_OVERRIDES = """
CREATE TABLE calendar_overrides (
    user_id bigint NOT NULL,
    on_date date NOT NULL,
    runs_week smallint CHECK (runs_week BETWEEN 1 AND 30),
    runs_day smallint CHECK (runs_day BETWEEN 1 AND 7),
    version bigint NOT NULL,
    PRIMARY KEY (user_id, on_date),
    CHECK ((runs_week IS NULL) = (runs_day IS NULL))
)
"""


def upgrade() -> None:
    """One table."""
    op.execute(CALENDAR_OVERRIDES)
