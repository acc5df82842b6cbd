"""The RPCs of the schedule service, by what they are about."""

from services.schedule.server.service import ACCESS, NAME, RULES, STATUSES, ScheduleServicer

__all__ = ["ACCESS", "NAME", "RULES", "STATUSES", "ScheduleServicer"]
