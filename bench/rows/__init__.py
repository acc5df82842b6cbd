"""A file for each group of figures; `make bench ONLY=name` runs one of them."""

from collections.abc import Awaitable, Callable, Mapping

from bench.figures import Figure
from bench.rows import apply, due_jobs, machine, relay, rough_build, scale, thread, tools

ROWS: Mapping[str, Callable[[], Awaitable[list[Figure]]]] = {
    "apply": apply.run,
    "relay": relay.run,
    "due_jobs": due_jobs.run,
    "scale": scale.run,
    "message": thread.message,
    "confirm": thread.confirm,
    "memory": machine.memory,
    "start": machine.start,
    "tools": tools.run,
    "rough_build": rough_build.run,
}
"""In the order of the table."""

LONG_ROWS: Mapping[str, Callable[[], Awaitable[list[Figure]]]] = {
    "rough_build_full": rough_build.run_full,
}
"""Taken only when they are named: each lasts for most of an hour."""
