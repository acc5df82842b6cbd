"""What the pages say of themselves: Chinese first, English beside it.

The keys follow the word tables of the design. A sentence ends as it is shown; `{…}` are filled
with data, which stays data. The tables stand in `texts`, one per page.
"""

from collections.abc import Mapping
from types import ModuleType

from services.gateway.domain.locale import Locale
from services.gateway.domain.texts import (
    channels,
    chat,
    errors,
    feedback,
    frame,
    grid,
    memory,
    overrides,
    preview,
    question,
    refusals,
    settings,
    sign_in,
    task_classes,
    tasks,
    timetable,
    trace,
    week,
)

_TABLES = (
    channels,
    chat,
    errors,
    feedback,
    frame,
    grid,
    memory,
    overrides,
    preview,
    question,
    refusals,
    settings,
    sign_in,
    task_classes,
    tasks,
    timetable,
    trace,
    week,
)


def _joined(tables: tuple[ModuleType, ...]) -> Mapping[str, tuple[str, str]]:
    """All tables as one. ValueError for a key that two of them have."""
    joined: dict[str, tuple[str, str]] = {}
    for table in tables:
        if twice := joined.keys() & table.TEXTS.keys():
            raise ValueError(f"written twice: {sorted(twice)}")
        joined |= table.TEXTS
    return joined


_TEXTS = _joined(_TABLES)


def has(key: str) -> bool:
    """Whether there are words for a key."""
    return key in _TEXTS


def say(locale: Locale, key: str, **values: object) -> str:
    """The sentence of a key in a language, filled. KeyError for a key that nobody wrote."""
    chinese, english = _TEXTS[key]
    return (english if locale is Locale.EN else chinese).format(**values)


def keys() -> tuple[str, ...]:
    """Every key, in order."""
    return tuple(_TEXTS)


def both(key: str) -> tuple[str, str]:
    """(Chinese, English) with their placeholders."""
    return _TEXTS[key]
