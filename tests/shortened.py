"""Durations that tests of faults would otherwise have to wait for.

Each is a setting whose default is what the specification says.
"""

from collections.abc import Mapping

SHORTENED: Mapping[str, Mapping[str, str]] = {
    "*": {
        "SMARTMATE_PUBLISH_ACK_SECONDS": "0.5",
        "SMARTMATE_PUBLISH_LEASE_SECONDS": "2",
        "SMARTMATE_EVENT_FAULTS": "2",
    },
    "active_scheduler": {
        "SMARTMATE_TRIGGER_LEASE_SECONDS": "3",
        "SMARTMATE_JOB_LEASE_SECONDS": "2",
        "SMARTMATE_SCAN_SECONDS": "0.2",
        "SMARTMATE_SWEEP_SECONDS": "0.3",
        "SMARTMATE_SWEEP_FIRST_SECONDS": "1",
    },
    "notification": {
        "SMARTMATE_ASK_SECONDS": "0.5",
        "SMARTMATE_PROVIDER_CONNECT_SECONDS": "0.4",
        "SMARTMATE_PROVIDER_TOTAL_SECONDS": "1.5",
        "SMARTMATE_WEBHOOK_PATIENCE_SECONDS": "0.2",
        "SMARTMATE_SEND_LEASE_SECONDS": "4",
        "SMARTMATE_SEND_POLL_SECONDS": "0.2",
        "SMARTMATE_BACKOFF_FIRST_SECONDS": "0.3",
        "SMARTMATE_BACKOFF_MOST_SECONDS": "1",
        # Each message by itself: these tests count them.
        "SMARTMATE_BATCH_WINDOW_SECONDS": "0",
    },
    "gateway": {"SMARTMATE_DEVELOPMENT": "true"},
}
"""By service; those under "*" are for every service."""

ACK_WAIT_SECONDS = 3.0
"""How long the broker waits for the answer of a process that died."""
