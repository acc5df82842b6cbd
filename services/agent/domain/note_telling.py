"""What is said back about a note: every date with its weekday, and what was taken for granted."""

from collections.abc import Iterator

from services.agent.domain import title, when_telling
from services.agent.domain.note_draft import Draft
from services.agent.domain.note_filling import QUADRANTS
from services.agent.domain.text import Text
from services.agent.domain.when import Standpoint


def noted(draft: Draft, at: Standpoint) -> Text:
    """It was noted, and as what."""
    return _told(draft, at, Text("记下了", "Noted"))


def proposed(draft: Draft, at: Standpoint) -> Text:
    """It would be noted so: before a person says yes."""
    return _told(draft, at, Text("要记的是", "To be noted"))


def _told(draft: Draft, at: Standpoint, opening: Text) -> Text:
    name = title.cut(draft.title)
    parts = [Text(f"{opening.zh}：「{name}」", f"{opening.en}: “{name}”"), *_facts(draft, at)]
    return Text(
        "；".join(one.zh for one in parts if one.zh) + "。",
        "; ".join(one.en for one in parts if one.en) + ".",
    )


def _facts(draft: Draft, at: Standpoint) -> Iterator[Text]:
    if draft.deadline_at is None:
        yield Text("没有截止时间", "no deadline")
    else:
        due = when_telling.moment(draft.deadline_at, at)
        yield Text(f"截止 {due.zh}", f"due {due.en}")
    codes = {one.code for one in draft.assumed}
    if "quadrant" not in codes:
        yield QUADRANTS[draft.quadrant]
    if draft.sections is not None:
        yield Text(f"{draft.sections} 节", f"{draft.sections} section(s)")
    if draft.threshold_at is not None and "threshold" not in codes:
        when = when_telling.moment(draft.threshold_at, at)
        yield Text(f"{when.zh} 提醒", f"reminder {when.en}")
    yield from (one.text for one in draft.assumed)
    if draft.unread:
        said = "、".join(f"“{one}”" for one in draft.unread)
        yield Text(f"没有记：{said}", f"not noted: {said}")
