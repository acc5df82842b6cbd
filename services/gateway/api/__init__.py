"""JSON routes below /api/v1 that no page shares."""

from services.gateway.api import calendar, channels, events, tasks

ROUTERS = (calendar.router, tasks.router, channels.router, events.router)
