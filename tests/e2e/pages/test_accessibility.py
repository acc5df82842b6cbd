"""Every page: no serious fault by axe, all of it by keyboard, steady while it loads, and light."""

import asyncio
from collections.abc import AsyncIterator, Mapping
from pathlib import Path
from typing import Any

import pytest
from playwright.async_api import Browser, Page, Request, Route, StorageState

from tests.e2e.pages import places
from tests.e2e.pages.places import OPERATORS, PAGES, SIGNED_OUT, Furnished
from tests.e2e.pages.visitors import SIZES, Visitors, sign_in_of
from tests.waiting import until
from tests.world import World

AXE = Path(__file__).resolve().parents[2] / "vendor" / "axe-core" / "axe.min.js"
MOST_BYTES = 150 * 1024
MOST_SHIFT = 0.001
NARROWEST = {"width": 320, "height": 700}
HIT = 44
GRAVE = ("serious", "critical")
SignedIn = Mapping[str, StorageState]
EVERY = [*PAGES, *OPERATORS, *SIGNED_OUT]

# Whatever is folded away is looked at as well.
UNFOLD = "document.querySelectorAll('details').forEach((one) => { one.open = true; })"
FAULTS = """async () => {
  const found = await axe.run(document, { resultTypes: ["violations"] });
  return found.violations.map(({ id, impact, nodes }) => ({
    id, impact, nodes: nodes.map((one) => one.target.join(" ") + ": " + one.failureSummary),
  }));
}"""
# What can be pressed or filled in; of radio buttons one of each group.
MARK = """() => {
  const all = ["a[href]", "button", "input:not([type=hidden])", "select", "textarea", "summary",
    "[tabindex='0']"].join();
  const groups = new Set();
  const shown = [...document.querySelectorAll(all)].filter((one) => {
    if (one.disabled || one.tabIndex < 0) return false;
    if (!one.checkVisibility({ visibilityProperty: true })) return false;
    if (one.type !== "radio") return true;
    const group = one.form?.id + one.name;
    const first = [...document.getElementsByName(one.name)].some((other) => other.checked)
      ? one.checked : !groups.has(group);
    groups.add(group);
    return first;
  });
  shown.forEach((one, number) => { one.dataset.reach = number; });
  return shown.length;
}"""
SMALL = """(least) => [...document.querySelectorAll(
  ".btn, .icon-btn, button, summary, .top nav a, select, "
  + "input:not([type=hidden], [type=checkbox], [type=radio])"
)].filter((one) => {
  if (!one.checkVisibility({ visibilityProperty: true })) return false;
  const { height } = one.getBoundingClientRect();
  return height > 1 && height < least;
}).map((one) => one.outerHTML.slice(0, 120))"""
OUTER = "one => one.outerHTML.slice(0, 160)"
WATCH = """
window.shifts = 0;
new PerformanceObserver((list) => {
  for (const entry of list.getEntries()) window.shifts += entry.value;
}).observe({ type: "layout-shift", buffered: true });
"""
PAINTED = "performance.getEntriesByName('first-contentful-paint').length"
SETTLED = """() => new Promise((done) => {
  document.fonts.ready.then(() => requestAnimationFrame(() => requestAnimationFrame(done)));
})"""


@pytest.fixture(scope="module")
async def crowd(world: World, browser: Browser) -> AsyncIterator[Visitors]:
    """Visitors whose windows stay open for all tests of this file."""
    database, sign_in = sign_in_of(world)
    made = Visitors(world, browser, sign_in)
    yield made
    await made.close()
    await database.close()


@pytest.fixture(scope="module")
async def furnished(crowd: Visitors) -> Furnished:
    """The student whose pages are looked at."""
    return await places.furnish(crowd)


@pytest.fixture(scope="module")
async def signed_in(crowd: Visitors, furnished: Furnished) -> SignedIn:
    """The cookies of those who look at them, by the page."""
    student = await crowd.open(furnished.visitor)
    operator = await crowd.open(furnished.looker)
    cookies = await student.context.storage_state()
    more = await operator.context.storage_state()
    return {**dict.fromkeys(PAGES, cookies), **dict.fromkeys(OPERATORS, more)}


def path_of(furnished: Furnished, name: str) -> str:
    """Where a page is."""
    made = PAGES.get(name) or OPERATORS.get(name)
    return made(furnished) if made else SIGNED_OUT[name]


async def shown(
    crowd: Visitors, furnished: Furnished, signed_in: SignedIn, name: str, **how: Any
) -> Page:
    """A page in a window of its own, with nothing in its cache; its shifts are counted."""
    page = await crowd.window(**how, storage_state=signed_in.get(name))
    await page.add_init_script(WATCH)
    await page.goto(f"{crowd.url}{path_of(furnished, name)}", wait_until="load")
    await page.evaluate(SETTLED)
    return page


async def wider(page: Page) -> int:
    """By how much a page is wider than its window."""
    found: int = await page.evaluate("document.documentElement.scrollWidth - innerWidth")
    return found


@pytest.mark.parametrize("name", EVERY)
async def test_axe_finds_nothing_grave_at_a_desk_and_on_a_phone_by_day_and_by_night(
    crowd: Visitors, furnished: Furnished, signed_in: SignedIn, name: str
) -> None:
    page = await shown(crowd, furnished, signed_in, name)
    await page.evaluate(AXE.read_text(encoding="utf-8"))
    faults = [("folded", one) for one in await page.evaluate(FAULTS)]
    await page.evaluate(UNFOLD)
    for size, viewport in SIZES.items():
        await page.set_viewport_size(viewport)  # type: ignore[arg-type]
        for theme in ("light", "dark"):
            # Without motion, so that no colour is met half way to another.
            await page.emulate_media(color_scheme=theme, reduced_motion="reduce")  # type: ignore[arg-type]
            faults += [(f"{size} {theme}", one) for one in await page.evaluate(FAULTS)]
    grave = [(look, one) for look, one in faults if one["impact"] in GRAVE]
    assert not grave, "\n".join(str(one) for one in grave)
    await page.context.close()


@pytest.mark.parametrize("size", SIZES)
@pytest.mark.parametrize("name", EVERY)
async def test_everything_is_reached_by_keyboard(
    crowd: Visitors, furnished: Furnished, signed_in: SignedIn, name: str, size: str
) -> None:
    page = await shown(crowd, furnished, signed_in, name, size=size)
    count = await page.evaluate(MARK)
    missed = set(range(count))
    # A field for a date takes several steps.
    for _ in range(5 * count + 20):
        await page.keyboard.press("Tab")
        missed.discard(await page.evaluate("Number(document.activeElement.dataset.reach ?? -1)"))
        if not missed:
            break
    left = [await page.locator(f"[data-reach='{number}']").evaluate(OUTER) for number in missed]
    assert not left
    await page.context.close()


@pytest.mark.parametrize("size", SIZES)
@pytest.mark.parametrize("name", EVERY)
async def test_a_page_is_light_steady_and_breaks_no_rule_of_its_own(
    crowd: Visitors, furnished: Furnished, signed_in: SignedIn, name: str, size: str
) -> None:
    page = await crowd.window(size=size, storage_state=signed_in.get(name))
    await page.add_init_script(WATCH)
    finished: list[Request] = []
    complaints: list[str] = []
    page.on("requestfinished", lambda request: finished.append(request))
    page.on("console", lambda message: complaints.append(message.text))
    page.on("pageerror", lambda error: complaints.append(str(error)))
    # The scripts of a slow line: they come when the page stands already.
    painted = asyncio.Event()

    async def late(route: Route) -> None:
        await painted.wait()
        await route.continue_()

    await page.route("**/static/*.js*", late)
    await page.goto(f"{crowd.url}{path_of(furnished, name)}", wait_until="commit")
    await until(lambda: page.evaluate(PAINTED), what="the first paint")
    painted.set()
    await page.wait_for_load_state("load")
    await page.evaluate(SETTLED)

    assert await page.evaluate("window.shifts") <= MOST_SHIFT
    sizes = [await one.sizes() for one in finished]
    weight = sum(one["responseBodySize"] + one["responseHeadersSize"] for one in sizes)
    assert 0 < weight <= MOST_BYTES
    # That an address answers 404 or 410 is said by the browser, and meant.
    assert [one for one in complaints if "Failed to load resource" not in one] == []
    await page.context.close()


@pytest.mark.parametrize("locale", ["zh-CN", "en-US"])
@pytest.mark.parametrize("name", EVERY)
async def test_a_narrow_phone_shows_all_of_it_and_what_is_pressed_is_big_enough(
    crowd: Visitors, furnished: Furnished, signed_in: SignedIn, name: str, locale: str
) -> None:
    page = await shown(crowd, furnished, signed_in, name, size="phone", locale=locale)
    await page.set_viewport_size(NARROWEST)  # type: ignore[arg-type]
    assert await wider(page) <= 0
    await page.evaluate(UNFOLD)
    assert await wider(page) <= 0
    assert await page.evaluate(SMALL, HIT) == []
    await page.context.close()
