"""`python -m tests.chaos`: random sequences of faults against students who go on asking.

    python -m tests.chaos                         the first set of scenarios and seeds
    python -m tests.chaos --seed 7 --seconds 120  one of them: "everything", or --scenario NAME

Prints what it does. Exits with 1 where the audit finds something.
"""

import argparse
import asyncio
import os
import sys
from collections import Counter

# Children are started beside live calls; gRPC's own handlers around a fork break them.
os.environ["GRPC_ENABLE_FORK_SUPPORT"] = "0"

from tests.chaos import run
from tests.chaos.run import Outcome
from tests.chaos.scenarios import FIRST_SET, SCENARIOS

SECONDS = 30.0
MOST_SECONDS = 3600.0


def main() -> int:
    """Runs what is asked for; gives the exit code."""
    given = _parser().parse_args()
    wanted = FIRST_SET if given.seed is None else ((given.scenario or "everything", given.seed),)
    if given.seed is None and given.scenario:
        wanted = tuple(one for one in FIRST_SET if one[0] == given.scenario)
    seconds = min(given.seconds, MOST_SECONDS)
    outcomes = []
    for scenario, seed in wanted:
        _say(f"── {scenario}, seed {seed}, {seconds:.0f} s of faults")
        outcomes.append(asyncio.run(run.run(scenario, seed, seconds, _say)))
        _tell(outcomes[-1])
    _say("")
    for outcome in outcomes:
        verdict = "clean" if not outcome.wrong else f"{len(outcome.wrong)} wrong"
        _say(f"{outcome.scenario:<12} seed {outcome.seed:<6} {outcome.seconds:6.0f} s  {verdict}")
    return int(any(outcome.wrong for outcome in outcomes))


def _tell(outcome: Outcome) -> None:
    _say(f"   faults    {_counts(outcome.faults)}")
    _say(f"   students  {outcome.days}: {_counts(outcome.done)}")
    for wrong in outcome.wrong:
        _say(f"   WRONG     {wrong}")


def _counts(counted: Counter[str]) -> str:
    return ", ".join(f"{name} {count}" for name, count in counted.most_common()) or "none"


def _say(line: str) -> None:
    sys.stdout.write(f"{line}\n")
    sys.stdout.flush()


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(prog="python -m tests.chaos", allow_abbrev=False)
    parser.add_argument("--seed", type=int, help="one run with this seed")
    parser.add_argument("--scenario", choices=sorted(SCENARIOS))
    parser.add_argument("--seconds", type=float, default=SECONDS, help="of faults, in each run")
    return parser


if __name__ == "__main__":
    raise SystemExit(main())
