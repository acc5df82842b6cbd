"""A situation of week 13: Monday 2026-11-30, 09:00 in Shanghai, a deadline on Tuesday 22:00."""

from dataclasses import replace
from datetime import UTC, datetime
from zoneinfo import ZoneInfo

from services.agent.domain.situation import (
    Action,
    Answer,
    Candidate,
    Issue,
    Place,
    Situation,
    Words,
)
from services.agent.domain.text import Language, Text

ZONE = ZoneInfo("Asia/Shanghai")
TITLE = "概率论第5章作业"


def local(text: str) -> datetime:
    """An instant from its local text."""
    return datetime.fromisoformat(f"{text}+08:00").astimezone(UTC)


def candidate(
    id_: str, day: int, first: int, last: int, start: str, end: str, words: tuple[str, str]
) -> Candidate:
    on = f"2026-{'11-30' if day == 1 else '12-01'}"
    place = Place(13, day, first, last, local(f"{on}T{start}"), local(f"{on}T{end}"))
    zh, en = words
    return Candidate(
        id=id_,
        family="earliest",
        places=(place,),
        summary=Text(f"「{TITLE}」放到{zh}，可以吗？", f"Put “{TITLE}” at {en}?"),
        reason=Text("这是最早放得下的位置。", "It is the earliest place that fits."),
        risk=Text(),
    )


MONDAY = candidate(
    "add:1:13:1:3",
    1,
    3,
    4,
    "10:15",
    "11:55",
    ("11月30日 周一 3–4 节（10:15–11:55）", "Mon 11-30, sections 3–4 (10:15–11:55)"),
)
TUESDAY = candidate(
    "add:1:13:2:9",
    2,
    9,
    10,
    "19:00",
    "20:40",
    ("12月1日 周二 9–10 节（19:00–20:40）", "Tue 12-01, sections 9–10 (19:00–20:40)"),
)

SITUATION = Situation(
    action=Action.SELECT_CANDIDATE,
    reason_code="candidates_found",
    title=TITLE,
    now=local("2026-11-30T09:00"),
    zone=ZONE,
    deadline=local("2026-12-01T22:00"),
    facts=(
        Text("截止时间是 12月1日 周二 22:00。", "It is due Tue 12-01 22:00."),
        Text(
            "接下来 24 小时里有 12 节空闲，最长连续 4 节。",
            "The next 24 hours have 12 free sections, at most 4 in a row.",
        ),
    ),
    inaction=Text(
        "日程保持原样，12月1日 周二 22:00 前要自己找时间做。",
        "Your schedule stays as it is, and you find the time yourself before Tue 12-01 22:00.",
    ),
    metrics={"needed_sections": 2, "free_sections": 12},
    issues=(Issue("no", "warning", Text("它还没有排进日程。", "It is not in the schedule yet.")),),
    notice=Text(),
    candidates=(MONDAY, TUESDAY),
    memory=("周三晚上要练琴，早上 8 点前起不来",),
    user_words="",
    language=Language.ZH,
)

NOTICE = replace(
    SITUATION,
    action=Action.NOTIFY_ONLY,
    candidates=(),
    notice=Text(
        f"「{TITLE}」还没有排进日程，最长的空闲是 1 节。",
        f"“{TITLE}” is not scheduled; the longest free run is 1 section.",
    ),
)

GOOD = Words(
    summary=Text(
        "「{title}」放到周一 3–4 节，可以吗？", "Put “{title}” at Mon 11-30, sections 3–4?"
    ),
    reason=Text("那里有连续 4 节空闲，离截止还早。", "There are 4 free sections in a row."),
    risk=Text("10:15 就要开始。", "It starts at 10:15."),
    notification=Text(
        "「{title}」可以放到今天上午 3–4 节。", "“{title}” could go to this morning, 10:15."
    ),
)


def said(zh: str = "", en: str = "", *, where: str = "summary", id_: str = MONDAY.id) -> Answer:
    """A good answer with one of its sentences replaced."""
    text: Text = getattr(GOOD, where)
    other = Text(zh or text.zh, en or text.en)
    return Answer(id_, replace(GOOD, **{where: other}))
