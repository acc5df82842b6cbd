"""Feedback, answers, linked triggers, repeated misses, and applies that were taken back."""

from alembic import op

revision = "0002"
down_revision = "0001"

STATEMENTS = (
    # Words alone have no target until the block that they mean is found.
    """
    ALTER TABLE active_schedule_triggers
        ALTER COLUMN target_kind DROP NOT NULL,
        ALTER COLUMN target_id DROP NOT NULL,
        ADD COLUMN line text,
        ADD COLUMN feedback_id text,
        ADD COLUMN words text NOT NULL DEFAULT '',
        ADD COLUMN answers jsonb NOT NULL DEFAULT '{}',
        ADD COLUMN located text NOT NULL DEFAULT '',
        ADD CHECK ((target_kind IS NULL) = (target_id IS NULL)),
        ADD CHECK (target_id IS NOT NULL OR type = 'unfinished_feedback')
    """,
    # The same act of telling is the same trigger, whenever it comes.
    """
    CREATE UNIQUE INDEX triggers_one_per_feedback ON active_schedule_triggers
        (user_id, feedback_id) WHERE feedback_id IS NOT NULL
    """,
    """
    CREATE INDEX triggers_followed ON active_schedule_triggers (linked_trigger_id)
    WHERE linked_trigger_id IS NOT NULL
    """,
    """
    ALTER TABLE active_schedule_previews
        ALTER COLUMN target_kind DROP NOT NULL,
        ALTER COLUMN target_id DROP NOT NULL,
        ADD COLUMN line text,
        ADD COLUMN undone_at timestamptz,
        ADD CHECK ((target_kind IS NULL) = (target_id IS NULL))
    """,
    """
    CREATE INDEX previews_by_line ON active_schedule_previews (user_id, line, sequence)
    WHERE line IS NOT NULL
    """,
    """
    CREATE INDEX previews_by_apply ON active_schedule_previews (apply_id)
    WHERE apply_id IS NOT NULL
    """,
    """
    CREATE TABLE questions (
        preview_id text PRIMARY KEY REFERENCES active_schedule_previews (id),
        user_id bigint NOT NULL,
        kind text NOT NULL,
        asked_at timestamptz NOT NULL DEFAULT clock_timestamp(),
        choice_id text NOT NULL DEFAULT '',
        words text NOT NULL DEFAULT '',
        answer_trigger_id text REFERENCES active_schedule_triggers (id),
        answered_at timestamptz,
        CHECK ((answered_at IS NULL) = (answer_trigger_id IS NULL))
    )
    """,
    # Which blocks of a task or an item were told as not finished, and when last.
    """
    CREATE TABLE missed_blocks (
        user_id bigint NOT NULL,
        source_kind text NOT NULL,
        source_id bigint NOT NULL,
        event_id bigint NOT NULL,
        told_at timestamptz NOT NULL,
        PRIMARY KEY (user_id, source_kind, source_id, event_id)
    )
    """,
)


def upgrade() -> None:
    for statement in STATEMENTS:
        op.execute(statement)
