"""What this service counts (spec: notification.md, Metrics)."""

import time
from functools import partial

from prometheus_client import Counter, Histogram

from libs.db.database import Tx
from services.notification.domain.record import RecordState

REQUESTED = Counter(
    "smartmate_notification_requested_total", "Messages asked for, tests of channels among them"
)
DEDUPLICATED = Counter(
    "smartmate_notification_deduplicated_total", "Requests for a message that was asked for before"
)
BATCHED = Counter(
    "smartmate_notification_batched_total", "Messages that waited to go out in one with others"
)
SENT = Counter("smartmate_notification_sent_total", "Messages a provider accepted", ["channel"])
FAILED = Counter(
    "smartmate_notification_failed_total", "Attempts that will be made again", ["channel"]
)
DEAD = Counter("smartmate_notification_dead_total", "Messages given up", ["channel"])
SKIPPED = Counter("smartmate_notification_skipped_total", "Messages not worth sending", ["reason"])
UNKNOWN = Counter(
    "smartmate_notification_unknown_total", "Attempts without a telling answer", ["channel"]
)
FALLBACK_USED = Counter(
    "smartmate_notification_fallback_used_total",
    "Messages with the template's words, and plain ones instead of a refused card",
    ["kind"],
)
PROVIDER_SECONDS = Histogram(
    "smartmate_notification_provider_seconds",
    "How long a provider took to answer, or not to",
    ["channel", "outcome"],
)

_BY_STATE = {
    RecordState.SENT: SENT,
    RecordState.FAILED: FAILED,
    RecordState.DEAD: DEAD,
    RecordState.UNKNOWN: UNKNOWN,
}


def count_step(tx: Tx, state: RecordState, *, channel: str, reason: str) -> None:
    """Counts a record's new state once it is committed."""
    if state is RecordState.SKIPPED:
        tx.after_commit(partial(SKIPPED.labels(reason=reason).inc))
    elif state in _BY_STATE:
        tx.after_commit(partial(_BY_STATE[state].labels(channel=channel).inc))


class Timer:
    """How long one attempt took, by the process' own clock."""

    def __init__(self, channel: str) -> None:
        self._channel = channel
        self._began = time.perf_counter()

    def stop(self, outcome: str) -> None:
        """The attempt ended like this."""
        seconds = time.perf_counter() - self._began
        PROVIDER_SECONDS.labels(channel=self._channel, outcome=outcome).observe(seconds)
