"""Users, identities, sign-in links, sessions."""

from alembic import op

revision = "0001"
down_revision = None
branch_labels = None
depends_on = None

_STATEMENTS = (
    """
    CREATE TABLE users (
        id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
        name text NOT NULL CHECK (char_length(name) BETWEEN 1 AND 60),
        is_operator boolean NOT NULL DEFAULT false,
        created_at timestamptz NOT NULL DEFAULT clock_timestamp()
    )
    """,
    # A person as an identity provider knows them.
    """
    CREATE TABLE identities (
        issuer text NOT NULL,
        subject text NOT NULL,
        user_id bigint NOT NULL REFERENCES users (id) ON DELETE CASCADE,
        created_at timestamptz NOT NULL DEFAULT clock_timestamp(),
        PRIMARY KEY (issuer, subject)
    )
    """,
    "CREATE INDEX identities_by_user ON identities (user_id)",
    """
    CREATE TABLE sign_in_links (
        token_hash bytea PRIMARY KEY CHECK (octet_length(token_hash) = 32),
        user_id bigint NOT NULL REFERENCES users (id) ON DELETE CASCADE,
        next_path text,
        created_at timestamptz NOT NULL DEFAULT clock_timestamp(),
        expires_at timestamptz NOT NULL,
        used_at timestamptz
    )
    """,
    "CREATE INDEX sign_in_links_by_user ON sign_in_links (user_id)",
    "CREATE INDEX sign_in_links_by_expiry ON sign_in_links (expires_at)",
    """
    CREATE TABLE sessions (
        token_hash bytea PRIMARY KEY CHECK (octet_length(token_hash) = 32),
        user_id bigint NOT NULL REFERENCES users (id) ON DELETE CASCADE,
        created_at timestamptz NOT NULL DEFAULT clock_timestamp(),
        expires_at timestamptz NOT NULL
    )
    """,
    "CREATE INDEX sessions_by_user ON sessions (user_id)",
    "CREATE INDEX sessions_by_expiry ON sessions (expires_at)",
)


def upgrade() -> None:
    for statement in _STATEMENTS:
        op.execute(statement)


def downgrade() -> None:
    raise NotImplementedError("migrations go forward alone")
