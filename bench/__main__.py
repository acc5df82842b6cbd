"""Takes the figures: python -m bench [name]

Prints one table, writes bench/results.json, and ends with 1 where a row could not be taken.
"""

import argparse
import asyncio
import sys
import time
import traceback
from collections.abc import Sequence
from pathlib import Path

from bench import figures
from bench.figures import Figure
from bench.rows import LONG_ROWS, ROWS
from libs.telemetry import logs

RESULTS = Path(__file__).parent / "results.json"


async def take(names: Sequence[str]) -> tuple[list[Figure], int]:
    """The figures of these rows, one after the other, and how many rows failed."""
    found: list[Figure] = []
    failed = 0
    for name in names:
        began = time.monotonic()
        try:
            found += await {**ROWS, **LONG_ROWS}[name]()
        except Exception:  # noqa: BLE001  one row that fails takes no other with it
            failed += 1
            traceback.print_exc()
        _note(f"{name}: {time.monotonic() - began:.0f} s")
    return found, failed


def _note(line: str) -> None:
    sys.stderr.write(f"{line}\n")
    sys.stderr.flush()


def main() -> int:
    """Reads the arguments, takes the figures, shows and keeps them."""
    parser = argparse.ArgumentParser(prog="python -m bench")
    parser.add_argument("only", nargs="?", choices=(*ROWS, *LONG_ROWS), help="one row alone")
    only = parser.parse_args().only
    logs.configure(service="bench", log_format="json", level="ERROR")
    found, failed = asyncio.run(take([only] if only else tuple(ROWS)))
    sys.stdout.write(figures.table(found) + "\n")
    RESULTS.write_text(figures.to_json(found), encoding="utf-8")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
