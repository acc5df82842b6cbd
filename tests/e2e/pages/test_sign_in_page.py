"""Signing in at the page: by a link that was asked for, once; and what gets nothing."""

import json
import re
import uuid

import pytest
from playwright.async_api import expect

from tests.e2e.pages.conftest import Shoot
from tests.e2e.pages.visitors import Visitor, Visitors
from tests.waiting import until

SENT = "如果有这个人，链接已经发出"


async def open_channel(visitors: Visitors, visitor: Visitor) -> None:
    """A bot of the student's own, opened to sign-in links at the page."""
    world = visitors.world
    page = await visitors.open(visitor, "/notifications/new")
    await page.get_by_label("名称").fill("只有我的群")
    await page.get_by_label("Webhook 地址").fill(world.hook(visitor.student))
    await page.get_by_label("签名密钥").fill(world.suite.feishu_secret)
    await page.get_by_label("登录链接也可以发到这里").check()
    await page.get_by_role("button", name="保存").click()
    await expect(page.get_by_text("接收登录链接")).to_be_visible()


async def received(visitors: Visitors, visitor: Visitor, count: int = 1) -> list[str]:
    """The sign-in links that arrived, once there are so many."""
    messages = await visitors.world.messages(visitor.student, count=count)
    return [str(one["links"][0]["url"]) for one in messages]  # type: ignore[index]


@pytest.mark.parametrize("size", ["desktop", "phone"])
@pytest.mark.parametrize("scripts", [True, False], ids=["scripts", "no_scripts"])
@pytest.mark.parametrize("by", ["handle", "number"])
async def test_a_link_that_was_asked_for_arrives_signs_in_and_works_once(
    visitors: Visitors, shoot: Shoot, size: str, scripts: bool, by: str
) -> None:
    visitor = await visitors.arrive()
    await open_channel(visitors, visitor)
    page = await visitors.window(size=size, scripts=scripts)
    await page.goto(f"{visitors.url}/tasks")
    await expect(page).to_have_url(re.compile("/sign-in"))
    await shoot(page, f"sign-in-{size}")
    typed = visitor.handle.upper() if by == "handle" else str(visitor.student.id)
    await page.get_by_label("学号或用户编号").fill(f" {typed} ")
    await page.get_by_role("button", name="把链接发给我").click()
    await expect(page.get_by_role("status")).to_contain_text(SENT)
    await shoot(page, f"sign-in-{size}-sent")

    (link,) = await received(visitors, visitor)
    await page.goto(link)
    await page.get_by_role("button", name="登录").click()
    await expect(page.get_by_role("heading", name="任务")).to_be_visible()

    thief = await visitors.window()
    answer = await thief.goto(link)
    assert answer is not None
    assert answer.status == 410
    await expect(thief.get_by_text("这条登录链接不能用了")).to_be_visible()
    await shoot(thief, "sign-in-desktop-spent")
    await thief.goto(f"{visitors.url}/week")
    await expect(thief).to_have_url(re.compile("/sign-in"))


@pytest.mark.parametrize("typed", ["nobody-at-all", "999999999999", "学号", "' OR 1=1 --", "🧑‍💻"])
async def test_whoever_is_named_the_answer_is_the_same(visitors: Visitors, typed: str) -> None:
    page = await visitors.window()
    await page.goto(f"{visitors.url}/sign-in")
    await page.get_by_label("学号或用户编号").fill(typed)
    await page.get_by_role("button", name="把链接发给我").click()
    await expect(page).to_have_url(f"{visitors.url}/sign-in?told=sent")
    await expect(page.get_by_role("status")).to_contain_text(SENT)


async def test_of_a_person_the_page_is_the_very_same_as_of_nobody(visitors: Visitors) -> None:
    visitor = await visitors.arrive()
    await open_channel(visitors, visitor)
    pages = []
    for typed in (visitor.handle, f"n{uuid.uuid4().hex[:12]}"):
        page = await visitors.window()
        await page.goto(f"{visitors.url}/sign-in")
        await page.get_by_label("学号或用户编号").fill(typed)
        await page.get_by_role("button", name="把链接发给我").click()
        await expect(page.get_by_role("status")).to_contain_text(SENT)
        key = re.compile(r'name="idempotency_key" value="[^"]*"')
        pages.append(key.sub("", await page.content()))
    assert pages[0] == pages[1]
    await received(visitors, visitor)


async def test_a_channel_that_is_not_opened_to_links_gets_none(
    visitors: Visitors, shoot: Shoot
) -> None:
    visitor = await visitors.arrive()
    world = visitors.world
    await visitor.student.put_bot(world.hook(visitor.student), world.suite.feishu_secret)
    page = await visitors.window()
    await page.goto(f"{visitors.url}/sign-in")
    await page.get_by_label("学号或用户编号").fill(visitor.handle)
    await page.get_by_role("button", name="把链接发给我").click()
    await expect(page.get_by_role("status")).to_contain_text(SENT)

    async def skipped() -> bool:
        rows = await world.fetch(
            "notification",
            "SELECT reason FROM notification_records WHERE user_id = $1 AND settled_at IS NOT NULL",
            visitor.student.id,
        )
        return [row["reason"] for row in rows] == ["no_channel_for_sign_in"]

    await until(skipped, what="the record of the link")
    assert await world.messages(visitor.student) == []
    own = await visitors.open(visitor, "/notifications")
    await expect(own.locator(".records")).to_contain_text("没有通知方式可以收登录链接")
    await shoot(own, "channels-desktop-no-links")


async def test_one_student_gets_three_links_at_a_time_and_the_page_says_nothing_of_it(
    visitors: Visitors,
) -> None:
    visitor = await visitors.arrive()
    await open_channel(visitors, visitor)
    page = await visitors.window()
    for _ in range(5):
        await page.goto(f"{visitors.url}/sign-in")
        await page.get_by_label("学号或用户编号").fill(visitor.handle)
        await page.get_by_role("button", name="把链接发给我").click()
        await expect(page.get_by_role("status")).to_contain_text(SENT)
    links = await received(visitors, visitor, count=3)
    assert len(set(links)) == 3
    # Five wishes were granted in their order: what comes after the third is not made at all.
    rows = await visitors.world.fetch(
        "gateway",
        "SELECT 1 FROM sign_in_links WHERE user_id = $1 AND asked_key IS NOT NULL",
        visitor.student.id,
    )
    assert len(rows) == 3


async def test_a_link_stands_in_no_log_and_in_no_table(visitors: Visitors) -> None:
    visitor = await visitors.arrive()
    await open_channel(visitors, visitor)
    page = await visitors.window()
    await page.goto(f"{visitors.url}/sign-in")
    await page.get_by_label("学号或用户编号").fill(visitor.handle)
    await page.get_by_role("button", name="把链接发给我").click()
    (link,) = await received(visitors, visitor)
    token = link.rpartition("/")[2]
    suite = visitors.world.suite
    for name in suite.all_pids():
        service, _, index = name.partition("-")
        log = suite.log(service, int(index) if index.isdigit() else 0)
        if service in ("gateway", "notification") and log.exists():
            assert token not in log.read_text(errors="replace"), name
    for service, table in (
        ("notification", "notification_records"),
        ("notification", "requests"),
        ("gateway", "sign_in_links"),
    ):
        rows = await visitors.world.fetch(service, f"SELECT t::text AS line FROM {table} t")
        assert not any(token in row["line"] for row in rows), table


async def test_another_students_cookie_does_not_open_a_form(visitors: Visitors) -> None:
    one, other = await visitors.arrive("一位"), await visitors.arrive("另一位")
    mine, theirs = await visitors.open(one, "/tasks"), await visitors.open(other, "/tasks")
    field = "form[action='/sign-out'] input[name=csrf_token]"
    token = await theirs.locator(field).get_attribute("value")
    answers = {}
    for name, given in (("theirs", token), ("none", None), ("empty", "")):
        form = {"title": "不该有", "quadrant": "QUADRANT_NEITHER", "idempotency_key": name}
        form |= {} if given is None else {"csrf_token": given}
        answer = await mine.request.post(f"{visitors.url}/tasks", form=form, max_redirects=0)
        answers[name] = answer.status
    assert answers == {"theirs": 403, "none": 403, "empty": 403}
    await mine.reload()
    await expect(mine.get_by_text("不该有")).to_have_count(0)


async def test_signing_out_shuts_every_page(visitors: Visitors) -> None:
    page = await visitors.open(await visitors.arrive(), "/tasks", size="phone")
    await page.locator("details.me summary").click()
    await page.get_by_role("button", name="退出登录").click()
    await expect(page).to_have_url(re.compile("/sign-in$"))
    for path in ("/week", "/tasks", "/notifications", "/settings", "/active-schedule/previews"):
        await page.goto(f"{visitors.url}{path}")
        await expect(page).to_have_url(re.compile("/sign-in"))


async def test_a_program_asks_for_a_link_and_learns_nothing(visitors: Visitors) -> None:
    visitor = await visitors.arrive()
    await open_channel(visitors, visitor)
    page = await visitors.window()
    bodies = []
    for handle in (visitor.handle, "nobody-at-all"):
        answer = await page.request.post(
            f"{visitors.url}/api/v1/sign-in-links",
            data=json.dumps({"handle": handle}),
            headers={"Content-Type": "application/json", "Idempotency-Key": uuid.uuid4().hex},
        )
        bodies.append((answer.status, await answer.text()))
    assert bodies == [(202, "{}"), (202, "{}")]
    assert len(await received(visitors, visitor)) == 1
