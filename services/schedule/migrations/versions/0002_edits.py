"""What a person changes by hand: settings of their own, meetings that do not take place.

`course_absences`: a meeting that was deleted stays away when its course is written anew.
`day_of_week` 0 means the course's own day in that week, else the day that runs another one.
"""

from alembic import op

revision = "0002"
down_revision = "0001"
branch_labels = None
depends_on = None

USER_SETTINGS = """
CREATE TABLE user_settings (
    user_id bigint PRIMARY KEY,
    quiet_start smallint CHECK (quiet_start BETWEEN 0 AND 1439),
    quiet_end smallint CHECK (quiet_end BETWEEN 0 AND 1439),
    time_zone text NOT NULL,
    default_sections smallint NOT NULL CHECK (default_sections BETWEEN 1 AND 4),
    version bigint NOT NULL,
    CHECK ((quiet_start IS NULL) = (quiet_end IS NULL)),
    CHECK (quiet_start <> quiet_end)
)
"""
COURSE_ABSENCES = """
CREATE TABLE course_absences (
    user_id bigint NOT NULL,
    course_id bigint NOT NULL,
    week smallint NOT NULL,
    day_of_week smallint NOT NULL CHECK (day_of_week BETWEEN 0 AND 7),
    PRIMARY KEY (user_id, course_id, week, day_of_week),
    FOREIGN KEY (user_id, course_id) REFERENCES courses (user_id, id) ON DELETE CASCADE
)
"""
EVENTS_BY_HOST = """
CREATE INDEX schedule_events_by_host ON schedule_events (user_id, host_event_id)
WHERE live AND host_event_id IS NOT NULL
"""


def upgrade() -> None:
    """Two tables, and the way from a host to its guests."""
    for statement in (USER_SETTINGS, COURSE_ABSENCES, EVENTS_BY_HOST):
        op.execute(statement)
