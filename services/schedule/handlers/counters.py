"""What this service counts."""

from functools import partial

from prometheus_client import Counter

from libs.db.database import Tx
from services.schedule.domain.verdict import Verdict

_APPLIES = Counter(
    "smartmate_schedule_applies_total", "Applies judged: applied or refused", ["outcome"]
)
_REFUSALS = Counter(
    "smartmate_schedule_refusals_total", "Reasons of refused applies, by code", ["code"]
)
_IMPORTS = Counter(
    "smartmate_schedule_imports_total",
    "Timetable files: compared, written, or unreadable",
    ["outcome"],
)


def count_verdict(tx: Tx, verdict: Verdict) -> None:
    """Counts a verdict once it is committed."""
    outcome = "refused" if verdict.refusals else "applied"
    tx.after_commit(partial(_APPLIES.labels(outcome=outcome).inc))
    for refusal in verdict.refusals:
        tx.after_commit(partial(_REFUSALS.labels(code=refusal.code.value).inc))


def count_import(outcome: str) -> None:
    """Counts a file that wrote nothing."""
    _IMPORTS.labels(outcome=outcome).inc()


def count_written(tx: Tx) -> None:
    """Counts a file that was written, once it is committed."""
    tx.after_commit(partial(_IMPORTS.labels(outcome="written").inc))
