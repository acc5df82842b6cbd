"""Students who come to the pages with a browser of their own."""

import uuid
from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import timedelta
from typing import Any

from playwright.async_api import Browser, BrowserContext, Page, expect

from libs.db.database import Database
from services.gateway.handlers.sign_in import SignIn
from tests.student import Student
from tests.world import World

DESKTOP = {"width": 1280, "height": 860}
PHONE = {"width": 390, "height": 844}
SIZES: Mapping[str, dict[str, int]] = {"desktop": DESKTOP, "phone": PHONE}
PATIENCE_MS = 15_000


@dataclass(slots=True)
class Visitor:
    """A student whom the gateway knows, so that they can sign in."""

    student: Student
    handle: str
    name: str


@dataclass(slots=True)
class Visitors:
    """Makes students and opens windows for them."""

    world: World
    browser: Browser
    sign_in: SignIn
    """The gateway's own use cases on its database: quicker than its command line."""
    _contexts: list[BrowserContext] = field(default_factory=list)

    @property
    def url(self) -> str:
        """Where the pages are."""
        return self.world.suite.gateway_url

    async def arrive(
        self, name: str = "林同学", *, semester: bool = True, operator: bool = False
    ) -> Visitor:
        """A new student; with a semester in which it is early morning, unless not wanted."""
        handle = f"s{uuid.uuid4().hex[:12]}"
        user_id, _ = await self.sign_in.add_user(name, is_operator=operator, handle=handle)
        student = Student(self.world.line, id=user_id)
        if semester:
            await student.begin_semester()
        return Visitor(student, handle, name)

    async def link(self, visitor: Visitor, path: str = "/week") -> str:
        """A one-time sign-in link that leads to a page."""
        token = await self.sign_in.make_link(visitor.student.id, path)
        return f"{self.url}/sign-in/{token}"

    async def window(
        self,
        *,
        size: str = "desktop",
        locale: str = "zh-CN",
        dark: bool = False,
        scripts: bool = True,
        **more: Any,
    ) -> Page:
        """A window of a browser that has never been here."""
        context = await self.browser.new_context(
            locale=locale,
            viewport=SIZES[size],  # type: ignore[arg-type]
            color_scheme="dark" if dark else "light",
            java_script_enabled=scripts,
            **more,
        )
        self._contexts.append(context)
        page = await context.new_page()
        page.set_default_timeout(PATIENCE_MS)
        return page

    async def open(self, visitor: Visitor, path: str = "/week", **how: Any) -> Page:
        """A window in which a student is signed in and looks at a page."""
        page = await self.window(**how)
        await page.goto(await self.link(visitor, path))
        await page.locator("main form button").click()
        await expect(page).to_have_url(f"{self.url}{path}")
        return page

    async def close(self) -> None:
        """Closes every window."""
        for context in self._contexts:
            await context.close()


def sign_in_of(world: World) -> tuple[Database, SignIn]:
    """The use cases of signing in, on the database of the running gateway; the caller closes it."""
    database = Database(world.suite.database_url("gateway"), application="pages")
    return database, SignIn(database, timedelta(days=1), timedelta(minutes=15))
