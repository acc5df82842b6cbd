"""Real Chromium before the running suite: at a desk and on a phone, and pictures of what it shows.

The pictures lie in build/screenshots, which is no part of the project.
"""

from collections.abc import AsyncIterator, Awaitable, Callable
from pathlib import Path

import pytest
from playwright.async_api import Browser, Page, async_playwright, expect

from tests.e2e.pages.visitors import PATIENCE_MS, Visitors, sign_in_of
from tests.e2e.test_browser import CHROMIUM, FLAGS
from tests.world import World

SHOTS = Path(__file__).resolve().parents[3] / "build" / "screenshots"

expect.set_options(timeout=PATIENCE_MS)

Shoot = Callable[[Page, str], Awaitable[None]]


@pytest.fixture(scope="session")
async def browser() -> AsyncIterator[Browser]:
    """Chromium, started once."""
    async with async_playwright() as playwright:
        chromium = await playwright.chromium.launch(executable_path=CHROMIUM, args=FLAGS)
        yield chromium
        await chromium.close()


@pytest.fixture
async def visitors(world: World, browser: Browser) -> AsyncIterator[Visitors]:
    """Students with a browser; their windows close with the test."""
    database, sign_in = sign_in_of(world)
    made = Visitors(world, browser, sign_in)
    yield made
    await made.close()
    await database.close()


@pytest.fixture
def shoot() -> Shoot:
    """Takes a picture of a whole page."""

    async def take(page: Page, name: str) -> None:
        SHOTS.mkdir(parents=True, exist_ok=True)
        await page.screenshot(path=SHOTS / f"{name}.png", full_page=True)

    return take
