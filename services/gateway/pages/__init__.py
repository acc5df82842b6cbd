"""The pages, and the routes of the sources that answer a browser and a program alike."""

from services.gateway.pages import (
    channels,
    estimate,
    events,
    previews,
    settings,
    sign_in,
    tasks,
    timetable,
    triggers,
    week,
)

ROUTERS = (
    sign_in.router,
    week.router,
    events.router,
    tasks.router,
    channels.router,
    settings.router,
    timetable.router,
    previews.router,
    triggers.router,
    estimate.router,
)
