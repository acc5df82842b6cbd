"""`smartmate smoke`: the whole main job by itself, on real parts; exit code 0 or 1."""

import asyncio
import time
from collections.abc import Mapping
from pathlib import Path

from rich.cells import cell_len
from rich.console import Console

from services.standalone import errors, logbook, measure, story
from services.standalone.home import Home
from services.standalone.progress import Noted, Progress
from services.standalone.signals import INTERRUPTED, Signals
from services.standalone.story import Story
from services.standalone.suite import Suite
from services.standalone.visitor import Unexpected

Facts = list[tuple[str, str]]

NO_PART_OF_THE_SUITE = ("feishu",)
DAYS = "一二三四五六日"


async def run(root: Path, console: Console, progress: Progress) -> int:
    """Start a suite of its own in `root`, live through the story, print what was seen."""
    Signals()
    facts: Facts = []
    noted = Noted(progress)
    try:
        await _live(root, facts, noted)
    except asyncio.CancelledError:
        return INTERRUPTED
    except errors.StandaloneError as error:
        show(console, facts)
        _show_failure(console, root, noted.failed, str(error))
        return 1
    except Exception as error:
        show(console, facts)
        _show_failure(console, root, noted.failed, repr(error))
        raise
    show(console, facts)
    console.print("[green]✓[/green] 自检通过 [dim]smoke passed[/dim]")
    return 0


async def _live(root: Path, facts: Facts, progress: Progress) -> None:
    began = time.monotonic()
    async with story.stage(root, progress) as suite:
        took = time.monotonic() - began
        facts.append(("启动 start", f"{took:.1f} s, the first in an empty directory"))
        await tell(Story(suite), facts, progress)
        facts += [*_memory(suite), *_ended(suite)]


async def tell(student: Story, facts: Facts, progress: Progress) -> None:
    """Every step, each with what it must have led to. Raises Unexpected."""
    with progress.step("示例学生到来", "a sample student arrives"):
        await student.arrive()
    with progress.step("导入课表", "the timetable is imported"):
        rows = await student.bring_timetable()
        meetings = student.imported["meeting_count"]
        _must(rows > 0 and student.imported.get("written") is True, "nothing was imported")
        facts.append(("课程行 course rows imported", f"{rows} rows, {meetings} meetings"))
    with progress.step("填写飞书机器人", "the Feishu bot is named"):
        await student.name_channel()
    with progress.step("任务变得紧急，等待消息", "a task becomes urgent; waiting for the message"):
        await student.add_task()
        link = await student.receive_message()
        preview = await student.read_preview()
        facts.append(("触发 trigger", preview["trigger_id"]))
        facts.append(("预览 preview", preview["preview_id"]))
        signature = student.message["signature"]
        facts.append(("消息签名 signature at the stand-in", signature))
        facts.append(("链接 link", link))
        _must(signature == "verified", f"the signature of the message is {signature}")
    with progress.step("登录，打开页面，按两次确认", "sign in, open the page, confirm twice"):
        await student.click()
        facts.append(("应用 apply", student.apply_id))
        state = await student.settle()
        _must(state == story.APPLIED, f"the preview is {state}")
    with progress.step("查看周视图与事件", "a look at the week and at the events"):
        await _check_outcome(student, facts)


async def _check_outcome(student: Story, facts: Facts) -> None:
    blocks = await student.placed()
    _must(len(blocks) == 1, f"the task stands {len(blocks)} times in the week")
    facts.append(("周视图 cell in the week", cell(blocks[0]["place"])))
    successes = await student.successes()
    _must(successes == 1, f"{successes} events of success for one apply")
    facts.append(("再次确认 confirmed again", f"same apply, {successes} event"))


def cell(place: Mapping[str, int]) -> str:
    """A place as people write it: `第10周 周二 第3–4节 w10 d2 s3-4`."""
    week, day = place["week"], place["day_of_week"]
    first, last = place["first_section"], place["last_section"]
    sections = (
        (f"{first}", f"s{first}") if first == last else (f"{first}–{last}", f"s{first}-{last}")
    )
    return f"第{week}周 周{DAYS[day - 1]} 第{sections[0]}节 w{week} d{day} {sections[1]}"


def _memory(suite: Suite) -> Facts:
    sizes = measure.by_name(suite.all_pids())
    besides = {name: sizes.pop(name) for name in NO_PART_OF_THE_SUITE if name in sizes}
    besides["this program"] = measure.own_mib()
    return [
        ("内存 memory (PSS)", f"{sum(sizes.values()):.0f} MiB: {_listed(sizes)}"),
        ("另有 besides", _listed(besides)),
    ]


def _ended(suite: Suite) -> Facts:
    """Processes that did not live through the story; nothing was to kill them."""
    deaths = {name: suite.deaths(name) for name in suite.all_pids()}
    found = ", ".join(f"{name} {count}×" for name, count in deaths.items() if count)
    return [("意外重启 started again", found)] if found else []


def _listed(sizes: Mapping[str, float]) -> str:
    return ", ".join(f"{name} {size:.0f}" for name, size in sorted(sizes.items()))


def _must(holds: bool, complaint: str) -> None:
    if not holds:
        raise Unexpected(complaint)


def show(console: Console, facts: Facts) -> None:
    """Print the facts in two columns, whole however narrow the terminal is."""
    width = max((cell_len(name) for name, _ in facts), default=0)
    for name, value in facts:
        gap = " " * (width - cell_len(name) + 2)
        console.print(f"  {name}{gap}{value}", markup=False, soft_wrap=True)


def _show_failure(console: Console, root: Path, step: str, complaint: str) -> None:
    """Which step failed, why, and what the services say about it."""
    where = step or "不在任何一步里 in none of the steps"
    console.print(f"✗ 失败的一步 failed: {where}", style="red", markup=False, soft_wrap=True)
    console.print(f"  {complaint}", markup=False, soft_wrap=True)
    found = logbook.newest_errors(Home(root).logs)
    console.print(
        "服务日志中最新的错误 [dim]newest errors in the logs[/dim]"
        if found
        else "日志中没有错误 [dim]the logs tell of no error[/dim]"
    )
    for line in found:
        console.print(f"  {line}", markup=False, soft_wrap=True)
