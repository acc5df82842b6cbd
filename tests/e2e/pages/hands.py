"""How a page is used: by pointer, or by keyboard alone."""

from dataclasses import dataclass
from datetime import date

from playwright.async_api import Locator, Page

FARTHEST = 200
"""Presses of Tab within which everything of a page is reached."""
DATE_KEYS = "%m%d%Y"
"""The order in which the browser of the tests asks for the parts of a date."""
FOCUSED = "one => one === document.activeElement"


@dataclass(frozen=True, slots=True)
class Hand:
    """Presses and fills in what it is shown."""

    page: Page
    by_keys: bool = False

    async def press(self, one: Locator) -> None:
        """A link, a button, or what is folded away."""
        if not self.by_keys:
            return await one.click()
        await self._reach(one)
        await self.page.keyboard.press("Enter")

    async def tick(self, one: Locator) -> None:
        """A box that is not ticked yet."""
        if not self.by_keys:
            return await one.check()
        await self._reach(one)
        await self.page.keyboard.press("Space")

    async def fill(self, one: Locator, text: str) -> None:
        """A field that is empty still."""
        if not self.by_keys:
            return await one.fill(text)
        await self._reach(one)
        await self.page.keyboard.type(text)

    async def fill_date(self, one: Locator, on: date) -> None:
        """A field of a date that is empty still."""
        await self.fill(one, on.strftime(DATE_KEYS) if self.by_keys else on.isoformat())

    async def _reach(self, one: Locator) -> None:
        for _ in range(FARTHEST):
            await self.page.keyboard.press("Tab")
            if await one.evaluate(FOCUSED):
                return
        raise AssertionError(f"{one} is not reached by keyboard")
