"""What is answered to a question about tasks: facts alone, each date with its weekday."""

from collections.abc import Sequence

from services.agent.domain import title, when_telling
from services.agent.domain.note_draft import Quadrant
from services.agent.domain.note_filling import QUADRANTS
from services.agent.domain.quick_query import Asks, PoolTask, Query, Status
from services.agent.domain.text import Text
from services.agent.domain.when import Standpoint

_MOST = 20
_NONE = {
    Status.OPEN: Text("没有找到要做的任务。", "There is no open task of the kind."),
    Status.DONE: Text("没有找到已完成的任务。", "There is no completed task of the kind."),
    Status.ANY: Text("没有找到这样的任务。", "There is no task of the kind."),
}


def listed(query: Query, found: Sequence[PoolTask], at: Standpoint) -> Text:
    """The tasks found, one a line, or that there are none."""
    if query.unread:
        return Text(f"“{query.unread}”是哪个时候？", f"Which time is meant by “{query.unread}”?")
    if not found:
        return _NONE[query.status]
    opening = _opening(query, len(found))
    lines = [task(one, at) for one in found[:_MOST]]
    if len(found) > _MOST:
        more = len(found) - _MOST
        lines.append(Text(f"还有 {more} 项", f"{more} more"))
    return Text(
        "\n".join([opening.zh, *(f"- {one.zh}" for one in lines)]),
        "\n".join([opening.en, *(f"- {one.en}" for one in lines)]),
    )


def task(one: PoolTask, at: Standpoint) -> Text:
    """A task with its deadline and quadrant."""
    name = title.cut(one.title)
    zh, en = [f"「{name}」"], [f"“{name}”"]
    if one.deadline_at is None:
        zh.append("没有截止时间")
        en.append("no deadline")
    else:
        due = when_telling.moment(one.deadline_at, at)
        is_over = one.deadline_at <= at.now and not one.is_done
        zh.append(f"截止 {due.zh}" + ("，已经过了" if is_over else ""))
        en.append(f"due {due.en}" + (", over" if is_over else ""))
    if one.quadrant in set(Quadrant):
        quadrant = QUADRANTS[Quadrant(one.quadrant)]
        zh.append(quadrant.zh)
        en.append(quadrant.en)
    if one.is_done:
        zh.append("已完成")
        en.append("completed")
    return Text("，".join(zh), ", ".join(en))


def _opening(query: Query, count: int) -> Text:
    if query.asks is Asks.MOST_URGENT:
        return Text("最近的一项：", "The next one:")
    return Text(f"找到 {count} 项：", f"Found {count}:")
