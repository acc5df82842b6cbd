"""What this service counts."""

from functools import partial

from prometheus_client import Counter

from libs.db.database import Tx
from libs.telemetry import logs
from services.schedule.domain.rough import RoughView
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
_ROUGH_ITEMS = Counter(
    "smartmate_schedule_rough_build_items_total",
    "Items of rough builds: placed or unplaced",
    ["outcome"],
)

_log = logs.get("schedule.rough_build")
_SAMPLES = 3


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


def count_rough_build(found: RoughView) -> None:
    """Counts and logs what a rough build came to; names stay out of it."""
    _ROUGH_ITEMS.labels(outcome="placed").inc(len(found.plan.placements))
    _ROUGH_ITEMS.labels(outcome="unplaced").inc(len(found.plan.unplaced))
    _log.info(
        "rough_build",
        placements=len(found.plan.placements),
        pending_in_scope=len(found.plan.unplaced),
        skipped=len(found.skipped),
        window_days=len(found.plan.days),
        pending_samples=[one.item_id for one in found.plan.unplaced[:_SAMPLES]],
    )
