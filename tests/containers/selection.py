"""A plugin of pytest's for the round `servers`: keeps the tests that use the servers it names.

The others bring up servers of their own, which they stop or kill, or need none: what they say is
the same with and without containers.
"""

import pytest

NAMED = frozenset({"servers", "shared_servers"})
"""Fixtures that take the servers which SMARTMATE_POSTGRES_URL and SMARTMATE_NATS_URL name."""
EMBEDDED = frozenset({"mortal_servers"})


def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    """Takes out what does not use the named servers; pytest counts it as deselected."""
    kept = [item for item in items if uses_named(item)]
    config.hook.pytest_deselected(items=[item for item in items if item not in kept])
    items[:] = kept


def uses_named(item: pytest.Item) -> bool:
    """Whether a test runs on the named servers alone."""
    fixtures = set(getattr(item, "fixturenames", ()))
    return bool(fixtures & NAMED) and not fixtures & EMBEDDED
