"""Notifications at the page: a bot named, tried out, replaced and deleted; nothing secret shown."""

import re

import pytest
from playwright.async_api import Page, expect

from smartmate.notification.v1 import channel_pb2, notification_service_pb2
from tests.e2e.pages.conftest import Shoot
from tests.e2e.pages.visitors import Visitor, Visitors

NAME = "📌我的群🧑‍💻"
SECRET = "only-for-the-bot-42"


async def channels(visitor: Visitor) -> list[channel_pb2.Channel]:
    """The channels as the service has them."""
    request = notification_service_pb2.ListChannelsRequest()
    answer = await visitor.student.call(visitor.student.line.notification.ListChannels, request)
    return list(answer.channels)


async def add(page: Page, *, name: str, url: str, secret: str = "") -> None:
    """Fills the form of a new bot and sends it."""
    await page.get_by_role("link", name="添加飞书机器人").click()
    await page.get_by_label("名称").fill(name)
    await page.get_by_label("Webhook 地址").fill(url)
    if secret:
        await page.get_by_label("签名密钥").fill(secret)
    await page.get_by_role("button", name="保存").click()


@pytest.mark.parametrize("size", ["desktop", "phone"])
@pytest.mark.parametrize("scripts", [True, False], ids=["scripts", "no_scripts"])
async def test_a_bot_is_added_tried_out_and_deleted(
    visitors: Visitors, shoot: Shoot, size: str, scripts: bool
) -> None:
    visitor = await visitors.arrive()
    hook = visitors.world.hook(visitor.student)
    page = await visitors.open(visitor, "/notifications", size=size, scripts=scripts)
    await expect(page.get_by_text("还没有通知方式")).to_be_visible()
    await add(page, name=NAME, url=hook, secret=visitors.world.suite.feishu_secret)
    await expect(page.get_by_role("status")).to_contain_text("已添加")
    await expect(page.get_by_text("有签名密钥")).to_be_visible()
    (channel,) = await channels(visitor)
    assert (channel.name, channel.has_secret, channel.takes_sign_in_links) == (NAME, True, False)

    await page.get_by_role("button", name=f"发一条测试：{NAME}").click()
    await expect(page.get_by_role("status")).to_contain_text("测试消息已送达")
    await expect(page.locator(".records")).to_contain_text("已送达")
    (message,) = await visitors.world.messages(visitor.student, count=1)
    assert message["verdict"] == "accepted"
    await shoot(page, f"channels-{size}-{'' if scripts else 'no-'}scripts")

    await page.get_by_role("link", name=f"修改：{NAME}").click()
    await page.get_by_text("删除这个通知方式").first.click()
    await page.get_by_role("button", name="删除这个通知方式").click()
    await expect(page.get_by_role("status")).to_contain_text("通知方式已删除")
    await expect(page.get_by_text("发到已删除的通知方式")).to_be_visible()
    assert await channels(visitor) == []


async def test_address_and_secret_are_in_no_page(visitors: Visitors) -> None:
    visitor = await visitors.arrive()
    hook = visitors.world.hook(visitor.student)
    token = hook.rpartition("/")[2]
    page = await visitors.open(visitor, "/notifications")
    seen: list[str] = []
    page.on("response", lambda answer: seen.append(answer.url))
    await add(page, name="群", url=hook, secret=SECRET)
    (channel,) = await channels(visitor)
    for path in ("/notifications", f"/notifications/channels/{channel.channel_id}"):
        await page.goto(f"{visitors.url}{path}")
        text = await page.content()
        assert SECRET not in text
        assert hook not in text
        assert f"hook/{token}" not in text
    # A form that is refused is shown again without what is secret in it.
    await page.get_by_label("签名密钥", exact=True).fill(SECRET)
    await page.get_by_label("Webhook 地址").fill("https://evil.example/open-apis/bot/v2/hook/x")
    await page.get_by_role("button", name="保存").click()
    await expect(page.locator("#webhook_url-problem")).to_be_visible()
    text = await page.content()
    assert SECRET not in text
    assert "evil.example" not in text
    assert not [url for url in seen if SECRET in url or f"hook/{token}" in url]


async def test_an_address_is_replaced_and_what_is_left_empty_stays(
    visitors: Visitors, shoot: Shoot
) -> None:
    visitor = await visitors.arrive()
    world = visitors.world
    stored = await visitor.student.put_bot(world.hook(visitor.student), "wrong")
    page = await visitors.open(visitor, "/notifications")
    await page.get_by_role("button", name="发一条测试").click()
    await expect(page.get_by_role("status")).to_contain_text("测试消息没能送达")
    await expect(page.get_by_role("status")).to_contain_text("签名密钥")
    await shoot(page, "channels-desktop-refused")

    await page.get_by_role("link", name=re.compile("^修改：")).click()
    await expect(page.get_by_label("Webhook 地址")).to_have_value("")
    await shoot(page, "channel-desktop-edit")
    await page.get_by_label("签名密钥", exact=True).fill(world.suite.feishu_secret)
    await page.get_by_role("button", name="保存").click()
    await expect(page.get_by_role("status")).to_contain_text("已保存")
    (kept,) = await channels(visitor)
    assert kept.masked_url == stored.masked_url

    await page.get_by_role("button", name="发一条测试").click()
    await expect(page.get_by_role("status")).to_contain_text("测试消息已送达")

    await page.get_by_role("link", name=re.compile("^修改：")).click()
    await page.get_by_label("去掉签名密钥").check()
    await page.get_by_role("button", name="保存").click()
    assert not (await channels(visitor))[0].has_secret


@pytest.mark.parametrize("size", ["desktop", "phone"])
async def test_what_is_wrong_is_said_at_its_field(
    visitors: Visitors, shoot: Shoot, size: str
) -> None:
    visitor = await visitors.arrive()
    page = await visitors.open(visitor, "/notifications", size=size, scripts=False)
    await add(page, name="名" * 61, url="https://open.feishu.cn/open-apis/bot/v2/hook/")
    await expect(page.locator("#name-problem, #webhook_url-problem").first).to_be_visible()
    await expect(page.get_by_label("名称")).to_have_value("名" * 61)
    await shoot(page, f"channel-{size}-problems")
    assert await channels(visitor) == []


async def test_a_suggestion_that_was_told_leads_to_its_page(
    visitors: Visitors, shoot: Shoot
) -> None:
    visitor = await visitors.arrive()
    world, student = visitors.world, visitor.student
    await student.put_bot(world.hook(student), world.suite.feishu_secret)
    task = await student.create_task("概率论大作业")
    preview = await student.proposed(task.task_id)
    await world.messages(student, count=1)
    page = await visitors.open(visitor, "/notifications", size="phone", dark=True)
    await expect(page.locator(".records")).to_contain_text("已送达")
    assert await page.evaluate("document.documentElement.scrollWidth - innerWidth") <= 0
    await shoot(page, "channels-phone-dark")
    await page.locator(".records").get_by_role("link", name="建议").click()
    await expect(page).to_have_url(re.compile(preview.preview_id))


async def test_without_a_channel_the_record_says_what_to_do(
    visitors: Visitors, shoot: Shoot
) -> None:
    visitor = await visitors.arrive("Lin")
    task = await visitor.student.create_task("Lab report")
    await visitor.student.proposed(task.task_id)
    await visitors.world.quiet()
    page = await visitors.open(visitor, "/notifications", locale="en-US")
    await expect(page.locator(".records")).to_contain_text("Not sent: there was no channel")
    await expect(page.locator(".records")).to_contain_text("add one in the notification settings")
    await shoot(page, "channels-desktop-english")
    text = await page.locator("body").inner_text()
    assert not [one for one in text.replace("中文", "") if "\u4e00" <= one <= "\u9fff"]


async def test_another_students_channel_is_not_there(visitors: Visitors) -> None:
    other = await visitors.arrive("另一位")
    theirs = await other.student.put_bot(visitors.world.hook(other.student), "s")
    page = await visitors.open(await visitors.arrive(), "/notifications")
    await page.goto(f"{visitors.url}/notifications/channels/{theirs.channel_id}")
    await expect(page.get_by_role("status")).to_contain_text("已经不在了")
