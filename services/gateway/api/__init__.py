"""JSON routes below /api/v1 that no page shares."""

from services.gateway.api import (
    blocks,
    calendar,
    channels,
    events,
    settings,
    sign_in,
    tasks,
    timetable,
)

ROUTERS = (
    blocks.router,
    calendar.router,
    channels.router,
    events.router,
    settings.router,
    sign_in.router,
    tasks.router,
    timetable.router,
)
