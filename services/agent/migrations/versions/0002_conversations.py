"""Conversations, what was said, runs with their events, and what was asked to be confirmed."""

from alembic import op

revision = "0002"
down_revision = "0001"

TABLES = (
    """
    CREATE TABLE conversations (
        user_id bigint NOT NULL,
        id text NOT NULL,
        title text NOT NULL,
        preview_id text NOT NULL DEFAULT '',
        run_id text NOT NULL,
        created_at timestamptz NOT NULL DEFAULT clock_timestamp(),
        updated_at timestamptz NOT NULL DEFAULT clock_timestamp(),
        PRIMARY KEY (user_id, id)
    )
    """,
    "CREATE INDEX conversations_by_words ON conversations (user_id, updated_at DESC, id DESC)",
    """
    CREATE TABLE messages (
        user_id bigint NOT NULL,
        conversation_id text NOT NULL,
        id bigint GENERATED ALWAYS AS IDENTITY,
        by_person boolean NOT NULL,
        text text NOT NULL,
        run_id text NOT NULL,
        created_at timestamptz NOT NULL DEFAULT clock_timestamp(),
        PRIMARY KEY (user_id, conversation_id, id),
        FOREIGN KEY (user_id, conversation_id) REFERENCES conversations ON DELETE CASCADE
    )
    """,
    """
    CREATE TABLE runs (
        user_id bigint NOT NULL,
        id text NOT NULL,
        conversation_id text NOT NULL,
        version bigint NOT NULL DEFAULT 1,
        phase text NOT NULL,
        wait text NOT NULL,
        outcome text NOT NULL DEFAULT '',
        state jsonb NOT NULL,
        sequence bigint NOT NULL DEFAULT 0,
        lease text NOT NULL DEFAULT '',
        lease_until timestamptz NOT NULL DEFAULT '-infinity',
        created_at timestamptz NOT NULL DEFAULT clock_timestamp(),
        updated_at timestamptz NOT NULL DEFAULT clock_timestamp(),
        ended_at timestamptz,
        PRIMARY KEY (user_id, id),
        FOREIGN KEY (user_id, conversation_id) REFERENCES conversations ON DELETE CASCADE,
        CHECK ((outcome = '') = (ended_at IS NULL)),
        CHECK (wait IN ('nothing', 'question', 'confirm'))
    )
    """,
    "CREATE INDEX runs_of_conversation ON runs (user_id, conversation_id)",
    "CREATE INDEX runs_by_end ON runs (ended_at) WHERE ended_at IS NOT NULL",
    """
    CREATE TABLE plan_loads (
        user_id bigint NOT NULL,
        run_id text NOT NULL,
        number int NOT NULL,
        content bytea NOT NULL,
        PRIMARY KEY (user_id, run_id, number),
        FOREIGN KEY (user_id, run_id) REFERENCES runs ON DELETE CASCADE
    )
    """,
    """
    CREATE TABLE stream_events (
        user_id bigint NOT NULL,
        run_id text NOT NULL,
        sequence bigint NOT NULL,
        content bytea NOT NULL,
        created_at timestamptz NOT NULL DEFAULT clock_timestamp(),
        PRIMARY KEY (user_id, run_id, sequence),
        FOREIGN KEY (user_id, run_id) REFERENCES runs ON DELETE CASCADE
    )
    """,
    """
    CREATE TABLE confirm_requests (
        user_id bigint NOT NULL,
        run_id text NOT NULL,
        number int NOT NULL,
        kind text NOT NULL CHECK (kind IN ('plan', 'changes', 'tool')),
        apply_id text NOT NULL,
        content jsonb NOT NULL,
        asked_at timestamptz NOT NULL DEFAULT clock_timestamp(),
        accepted boolean,
        words text NOT NULL DEFAULT '',
        replied_at timestamptz,
        PRIMARY KEY (user_id, run_id, number),
        FOREIGN KEY (user_id, run_id) REFERENCES runs ON DELETE CASCADE,
        CHECK ((accepted IS NULL) = (replied_at IS NULL))
    )
    """,
)


def upgrade() -> None:
    for statement in TABLES:
        op.execute(statement)
