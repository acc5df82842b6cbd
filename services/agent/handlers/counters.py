"""What this service counts."""

import contextlib
import time
from collections.abc import Iterator
from dataclasses import dataclass

from prometheus_client import Counter, Histogram

SELECTIONS = Counter(
    "smartmate_agent_selections_total",
    "Selections by outcome: the model's words, or why a template spoke",
    ["outcome"],
)
LOCATIONS = Counter(
    "smartmate_agent_locations_total",
    "Feedback that was located by outcome: the model's answer, or why rules answered",
    ["outcome"],
)
RUNS = Counter("smartmate_agent_runs_total", "Runs of conversations that ended", ["outcome"])
RUN_SECONDS = Histogram(
    "smartmate_agent_run_seconds",
    "How long runs worked, waiting for the person aside",
    ["outcome"],
    buckets=(0.1, 0.25, 0.5, 1, 2, 5, 10, 20, 40, 80, 120),
)
MODEL_SECONDS = Histogram(
    "smartmate_agent_model_seconds",
    "How long a selection took with its model",
    ["outcome"],
    buckets=(0.25, 0.5, 1, 2, 3, 4, 5, 6, 7, 8),
)


@dataclass(slots=True)
class Outcome:
    """Told by whoever was counted."""

    name: str = "error"


@contextlib.contextmanager
def asking() -> Iterator[Outcome]:
    """Counts one selection that asks a model."""
    outcome, began = Outcome(), time.perf_counter()
    try:
        yield outcome
    finally:
        SELECTIONS.labels(outcome=outcome.name).inc()
        MODEL_SECONDS.labels(outcome=outcome.name).observe(time.perf_counter() - began)


def ended(outcome: str, seconds: float) -> None:
    """Counts one run that ended."""
    RUNS.labels(outcome=outcome).inc()
    RUN_SECONDS.labels(outcome=outcome).observe(seconds)
