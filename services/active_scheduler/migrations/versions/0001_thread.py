"""Jobs, triggers, dedupe, previews, apply requests, and the kit's tables."""

from alembic import op

from libs.db.requests import REQUESTS_V1
from libs.outbox.dead_letters import DEAD_LETTERS_V1
from libs.outbox.inbox import INBOX_V1
from libs.outbox.outbox import OUTBOX_V1

revision = "0001"
down_revision = None

TABLES = (
    """
    CREATE TABLE active_schedule_jobs (
        user_id bigint NOT NULL,
        task_id bigint NOT NULL,
        task_version bigint NOT NULL,
        urgency_version bigint NOT NULL,
        state text NOT NULL CHECK (state IN ('pending', 'triggered', 'canceled', 'skipped')),
        reason text NOT NULL DEFAULT '',
        trigger_at timestamptz,
        due_at timestamptz,
        attempts int NOT NULL DEFAULT 0,
        lease uuid,
        trigger_id text,
        created_at timestamptz NOT NULL DEFAULT clock_timestamp(),
        updated_at timestamptz NOT NULL DEFAULT clock_timestamp(),
        PRIMARY KEY (user_id, task_id),
        CHECK (state <> 'pending' OR due_at IS NOT NULL)
    )
    """,
    "CREATE INDEX jobs_due ON active_schedule_jobs (due_at) WHERE state = 'pending'",
    """
    CREATE TABLE active_schedule_job_history (
        id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
        user_id bigint NOT NULL,
        task_id bigint NOT NULL,
        task_version bigint NOT NULL,
        state text NOT NULL,
        reason text NOT NULL,
        trigger_at timestamptz,
        trigger_id text,
        at timestamptz NOT NULL DEFAULT clock_timestamp()
    )
    """,
    "CREATE INDEX job_history_by_task ON active_schedule_job_history (user_id, task_id, id)",
    """
    CREATE TABLE active_schedule_triggers (
        id text PRIMARY KEY,
        sequence bigint GENERATED ALWAYS AS IDENTITY UNIQUE,
        user_id bigint NOT NULL,
        type text NOT NULL,
        source text NOT NULL,
        target_kind text NOT NULL,
        target_id bigint NOT NULL,
        request_id text NOT NULL,
        mock_now timestamptz,
        linked_trigger_id text,
        payload jsonb NOT NULL,
        priority smallint,
        state text NOT NULL DEFAULT 'pending' CHECK (state IN ('pending', 'processing',
            'preview_generated', 'closed', 'skipped', 'failed', 'rejected')),
        reason text NOT NULL DEFAULT '',
        preview_id text,
        attempts int NOT NULL DEFAULT 0,
        lease uuid,
        due_at timestamptz NOT NULL DEFAULT clock_timestamp(),
        created_at timestamptz NOT NULL DEFAULT clock_timestamp(),
        finished_at timestamptz
    )
    """,
    "CREATE INDEX triggers_by_user ON active_schedule_triggers (user_id, sequence)",
    """
    CREATE INDEX triggers_open ON active_schedule_triggers (due_at)
    WHERE state IN ('pending', 'processing')
    """,
    """
    CREATE TABLE trigger_dedupe (
        user_id bigint NOT NULL,
        trigger_type text NOT NULL,
        target_kind text NOT NULL,
        target_id bigint NOT NULL,
        is_mock boolean NOT NULL,
        holder text NOT NULL,
        until timestamptz NOT NULL,
        PRIMARY KEY (user_id, trigger_type, target_kind, target_id, is_mock)
    )
    """,
    """
    CREATE TABLE active_schedule_previews (
        id text PRIMARY KEY,
        sequence bigint NOT NULL UNIQUE,
        user_id bigint NOT NULL,
        trigger_id text NOT NULL UNIQUE REFERENCES active_schedule_triggers (id),
        trigger_type text NOT NULL,
        target_kind text NOT NULL,
        target_id bigint NOT NULL,
        is_mock boolean NOT NULL,
        state text NOT NULL DEFAULT 'ready' CHECK (state IN ('ready', 'applying', 'applied',
            'ignored', 'superseded')),
        version bigint NOT NULL DEFAULT 1,
        content jsonb NOT NULL,
        generated_at timestamptz NOT NULL DEFAULT clock_timestamp(),
        expires_at timestamptz NOT NULL,
        apply_id text,
        last_refusals jsonb NOT NULL DEFAULT '[]',
        applied_at timestamptz,
        applied_event_ids bigint[] NOT NULL DEFAULT '{}',
        applied_changes jsonb NOT NULL DEFAULT '[]',
        notification_status text NOT NULL DEFAULT 'none' CHECK (notification_status IN ('none',
            'pending', 'sent', 'dead', 'skipped', 'unknown')),
        notified_at timestamptz,
        closed_at timestamptz,
        conversation_id text,
        CHECK (state NOT IN ('applying', 'applied') OR apply_id IS NOT NULL)
    )
    """,
    "CREATE INDEX previews_by_user ON active_schedule_previews (user_id, sequence)",
    """
    CREATE INDEX previews_by_target ON active_schedule_previews
        (user_id, target_kind, target_id, sequence)
    """,
    """
    CREATE TABLE apply_requests (
        apply_id text PRIMARY KEY,
        user_id bigint NOT NULL,
        preview_id text NOT NULL REFERENCES active_schedule_previews (id),
        request_id text NOT NULL,
        candidate_id text NOT NULL,
        hash bytea NOT NULL,
        changes jsonb NOT NULL,
        base jsonb NOT NULL,
        not_after timestamptz NOT NULL,
        state text NOT NULL DEFAULT 'applying' CHECK (state IN ('applying', 'applied',
            'refused')),
        refusals jsonb NOT NULL DEFAULT '[]',
        event_ids bigint[] NOT NULL DEFAULT '{}',
        judged_at timestamptz,
        attempts int NOT NULL DEFAULT 0,
        due_at timestamptz NOT NULL,
        created_at timestamptz NOT NULL DEFAULT clock_timestamp(),
        UNIQUE (preview_id, request_id)
    )
    """,
    "CREATE INDEX applies_open ON apply_requests (due_at) WHERE state = 'applying'",
    # One apply at a time for a preview, and one success for ever.
    """
    CREATE UNIQUE INDEX applies_one_alive ON apply_requests (preview_id)
    WHERE state IN ('applying', 'applied')
    """,
)


def upgrade() -> None:
    for statement in TABLES:
        op.execute(statement)
    for kit in (REQUESTS_V1, OUTBOX_V1, INBOX_V1, DEAD_LETTERS_V1):
        for statement in kit.strip().split(";"):
            if statement.strip():
                op.execute(statement)
