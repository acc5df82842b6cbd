"""What is planned: classes, dates, and what stays free."""

from dataclasses import dataclass
from datetime import date

Run = tuple[int, int]
"""Sections first..last."""


@dataclass(frozen=True, slots=True)
class Scope:
    """Classes, the dates that the person named (both included), and what is to stay free: weekdays
    (1 Monday to 7), standard pairs from 1, sections of every day, sections (day, first, last) of
    weekdays, dates."""

    class_ids: tuple[int, ...] = ()
    first: date | None = None
    last: date | None = None
    excluded_days: tuple[int, ...] = ()
    excluded_pairs: tuple[int, ...] = ()
    excluded_sections: tuple[Run, ...] = ()
    excluded_limits: tuple[tuple[int, int, int], ...] = ()
    excluded_dates: tuple[date, ...] = ()
    remembered: tuple[tuple[int, int, int], ...] = ()
    """Sections (day, first, last) that the person wants free as a rule; kept where room is."""

    @property
    def period(self) -> tuple[date, date] | None:
        """The dates, both included; None where the person named none."""
        if self.first is None or self.last is None:
            return None
        return self.first, self.last
