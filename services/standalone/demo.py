"""`smartmate demo`: the sample student's story up to the click, which is left to the person."""

import asyncio
import os
import webbrowser
from collections.abc import Mapping
from pathlib import Path
from urllib.parse import urlsplit

from services.standalone import smoke, story
from services.standalone.progress import Progress
from services.standalone.signals import INTERRUPTED, Signals
from services.standalone.story import Story
from services.standalone.up import commanded
from services.standalone.visitor import Unexpected

SCREENS = ("DISPLAY", "WAYLAND_DISPLAY")
LOOK_AGAIN_SECONDS = 1.0


async def run(root: Path, progress: Progress, *, open_browser: bool, llm: bool = False) -> int:
    """Tell the story, open the page, tell what the person did with it, until interrupted."""
    signals = Signals()
    try:
        async with story.stage(root, progress, llm=llm) as suite:
            student = Story(suite)
            await _tell(student, progress)
            _invite(student, progress)
            if open_browser and has_screen(os.environ):
                await asyncio.to_thread(webbrowser.open, student.sign_in_url)
            await _watch(student, progress, signals)
    except asyncio.CancelledError:
        return INTERRUPTED
    return 0


def has_screen(environment: Mapping[str, str]) -> bool:
    """Tell whether a browser would open a window, rather than take over the terminal."""
    return any(environment.get(name) for name in SCREENS)


async def _tell(student: Story, progress: Progress) -> None:
    with progress.step("示例学生到来", "a sample student arrives"):
        await student.arrive()
    with progress.step("导入课表", "the timetable is imported"):
        rows = await student.bring_timetable()
    progress.say(f"读到 {rows} 行课程", "course rows were read")
    with progress.step("填写飞书机器人", "the Feishu bot is named"):
        await student.name_channel()
    with progress.step("任务变得紧急，等待消息", "a task becomes urgent; waiting for the message"):
        await student.add_task()
        link = await student.receive_message()
        await student.renew_link(urlsplit(link).path)


def _invite(student: Story, progress: Progress) -> None:
    """What to click, in order."""
    suite = student.suite
    progress.say("一切就绪，日程还没有变动", "all is ready; nothing has changed yet")
    progress.say(f"① 收到的消息 {suite.feishu_url}/", "the message as it arrived")
    if suite.has_llm_standin:
        progress.say(
            f"　 模型替身被问了什么 {suite.llm_url}/standin/requests",
            "what the model stand-in was asked",
        )
    progress.say(
        f"② 登录并打开建议 {student.sign_in_url}",
        "sign in by this one-time link: the suggestion opens",
    )
    progress.say("③ 比较改前和改后，按「确认」", "compare before and after, then press confirm")
    progress.say(f"④ 在周视图里看 {suite.gateway_url}/week", "see it in the week")
    again = f"{commanded(suite.home.root)} user link --user {student.user_id}"
    progress.say(f"链接失效时 {again}", "another sign-in link, in another terminal")
    progress.say("Ctrl-C 结束", "ends the demo")


async def _watch(student: Story, progress: Progress, signals: Signals) -> None:
    """Say once what became of the suggestion, then wait for the end."""
    async with asyncio.TaskGroup() as group:
        watching = group.create_task(_outcome(student, progress))
        await signals.wait()
        watching.cancel()


async def _outcome(student: Story, progress: Progress) -> None:
    try:
        while True:
            state = (await student.read_preview())["state"]
            if state not in (story.READY, story.APPLYING):
                break
            await asyncio.sleep(LOOK_AGAIN_SECONDS)
        cells = "、".join(smoke.cell(block["place"]) for block in await student.placed())
    except Unexpected as error:
        progress.say("看不到这条建议了", f"the suggestion cannot be watched any more: {error}")
        return
    if state == story.APPLIED:
        progress.say(f"已确认，周视图里是 {cells}", "confirmed: it is in the week")
    else:
        progress.say("建议已结束，日程没有变动", "the suggestion has ended; nothing has changed")
