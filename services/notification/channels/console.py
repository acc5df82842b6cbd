"""Prints messages instead of sending them; for development."""

from collections.abc import Callable, Mapping

import structlog

from services.notification.channels.parcel import Parcel
from services.notification.domain.outcome import Delivered, Outcome

_log: structlog.stdlib.BoundLogger = structlog.get_logger(__name__)


class Console:
    """Writes the text of each message through `writer`, e.g. `sys.stdout.write`."""

    def __init__(self, writer: Callable[[str], object]) -> None:
        self._writer = writer

    async def send(self, parcel: Parcel) -> Outcome:
        """Print; always delivered."""
        _log.info(
            "message printed",
            record_id=parcel.record_id,
            notification_id=parcel.notification_id,
            user_id=parcel.user_id,
        )
        content = parcel.content.get("content")
        text = content.get("text", "") if isinstance(content, Mapping) else ""
        self._writer(f"{text}\n")
        return Delivered()
