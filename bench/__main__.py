"""Takes the figures: python -m bench [name]

Prints one table and writes bench/results.json.
"""

import argparse
import asyncio
import sys
import time
from pathlib import Path

from bench import figures
from bench.rows import ROWS
from libs.telemetry import logs

RESULTS = Path(__file__).parent / "results.json"


async def take(names: list[str]) -> list[figures.Figure]:
    """The figures of these rows, one after the other."""
    found = []
    for name in names:
        began = time.monotonic()
        found += await ROWS[name]()
        sys.stderr.write(f"{name}: {time.monotonic() - began:.0f} s\n")
    return found


def main() -> None:
    """Reads the arguments, takes the figures, shows and keeps them."""
    parser = argparse.ArgumentParser(prog="python -m bench")
    parser.add_argument("only", nargs="?", choices=(*ROWS, ""), default="", help="one row")
    only = parser.parse_args().only
    logs.configure(service="bench", log_format="json", level="ERROR")
    found = asyncio.run(take([only] if only else list(ROWS)))
    sys.stdout.write(figures.table(found) + "\n")
    RESULTS.write_text(figures.to_json(found), encoding="utf-8")


if __name__ == "__main__":
    main()
