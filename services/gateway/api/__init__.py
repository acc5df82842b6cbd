"""JSON routes below /api/v1 that no page shares."""

from services.gateway.api import (
    blocks,
    calendar,
    channels,
    chat,
    events,
    memory,
    overrides,
    settings,
    sign_in,
    task_classes,
    tasks,
    timetable,
    trace,
)

ROUTERS = (
    blocks.router,
    calendar.router,
    channels.router,
    chat.router,
    events.router,
    memory.router,
    overrides.router,
    settings.router,
    sign_in.router,
    task_classes.router,
    tasks.router,
    timetable.router,
    trace.router,
)
