"""What this service counts, and what its loops measure now and then."""

from functools import partial

from prometheus_client import Counter, Gauge

from libs.db.database import Tx
from services.active_scheduler.domain.apply import Verdict
from services.active_scheduler.domain.observation import Action
from services.active_scheduler.domain.trigger import TriggerState
from services.active_scheduler.store import applies, jobs

_TRIGGERS = Counter(
    "smartmate_active_scheduler_triggers_total",
    "Triggers by outcome: the state that they ended in, or deduplicated",
    ["outcome"],
)
_PREVIEWS = Counter(
    "smartmate_active_scheduler_previews_total",
    "Previews written, by what they propose",
    ["action"],
)
_VERDICTS = Counter(
    "smartmate_active_scheduler_verdicts_total",
    "Verdicts recorded: applied or refused",
    ["outcome"],
)
_JOBS_LAG = Gauge(
    "smartmate_active_scheduler_jobs_due_lag_seconds",
    "How long the longest due job has waited for a scanner; 0 for none",
)
_APPLIES_WAITING = Gauge(
    "smartmate_active_scheduler_applies_waiting",
    f"Confirmed applies without a verdict; {applies.MOST_COUNTED:,} at most",
)


def count_trigger(tx: Tx, state: TriggerState) -> None:
    """Counts the end of a trigger once it is committed."""
    tx.after_commit(partial(_TRIGGERS.labels(outcome=state.value).inc))


def count_deduplicated(tx: Tx) -> None:
    """Counts a trigger that another one answers for."""
    tx.after_commit(partial(_TRIGGERS.labels(outcome="deduplicated").inc))


def count_preview(tx: Tx, action: Action) -> None:
    """Counts a preview once it is committed."""
    tx.after_commit(partial(_PREVIEWS.labels(action=action.value).inc))


def count_verdict(tx: Tx, verdict: Verdict) -> None:
    """Counts a verdict once it is committed."""
    outcome = "applied" if verdict.applied else "refused"
    tx.after_commit(partial(_VERDICTS.labels(outcome=outcome).inc))


async def measure_jobs(tx: Tx) -> None:
    """Sets the gauge of due jobs; one look into the index of what is due."""
    _JOBS_LAG.set(await jobs.due_lag(tx))


async def measure_applies(tx: Tx) -> None:
    """Sets the gauge of open applies, by the index of what is open."""
    _APPLIES_WAITING.set(await applies.count_waiting(tx))
