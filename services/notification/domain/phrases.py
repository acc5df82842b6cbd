"""What a message says of itself, in each language; `{}` is filled with data."""

from collections.abc import Mapping
from dataclasses import dataclass

from services.notification.domain.answer import Topic
from services.notification.domain.message import Language
from services.notification.domain.request import TargetKind


@dataclass(frozen=True, slots=True)
class Phrases:
    """The phrases of one language."""

    titles: Mapping[Topic, str]
    buttons: Mapping[Topic, str]
    summaries: Mapping[Topic, str]
    things: Mapping[TargetKind, str]
    subtitle: str
    quoted: str
    valid_until: str
    added: str
    changed: str
    free: str
    gap: str
    test_title: str
    test_tag: str
    test_summary: str
    test_button: str
    list_title: str
    list_tag: str
    list_summary: str
    list_until: str
    list_line: str
    list_button: str
    sign_in_title: str
    sign_in_tag: str
    sign_in_summary: str
    sign_in_until: str
    sign_in_button: str


PHRASES = {
    Language.ZH_CN: Phrases(
        titles={
            Topic.SUGGESTION: "SmartMate：有一条调整建议",
            Topic.QUESTION: "SmartMate：有一件事要你来定",
            Topic.NOTICE: "SmartMate：有一件事先告诉你",
        },
        buttons={
            Topic.SUGGESTION: "看对照，再决定",
            Topic.QUESTION: "去回答",
            Topic.NOTICE: "看看详情",
        },
        summaries={
            Topic.SUGGESTION: "{}有一条安排建议，等你看过再定。",
            Topic.QUESTION: "{}该怎么安排，有一个问题要你来定。",
            Topic.NOTICE: "{}暂时没有合适的位置，先告诉你一声。",
        },
        things={
            TargetKind.TASK_POOL: "一项任务",
            TargetKind.TASK_ITEM: "学习计划里的一项",
            TargetKind.SCHEDULE_EVENT: "日程里的一项安排",
            TargetKind.UNRECOGNISED: "你的日程",
        },
        subtitle="还没有写入日程，等你看过再定",
        quoted="「{}」",
        valid_until="{} 前有效，过后可以重新生成",
        added="新增 {} 项",
        changed="改动 {} 项",
        free="空闲",
        gap="　",
        test_title="SmartMate：测试消息",
        test_tag="测试",
        test_summary="这是一条测试消息。看到它，说明这个通知方式可以用。",
        test_button="打开 SmartMate",
        list_title="SmartMate：有 {} 件事等你来看",
        list_tag="共 {} 条",
        list_summary="这几分钟里又有 {} 条，一起告诉你；点开可以逐条看。",
        list_until="{} 前有效",
        list_line="{}　{}",
        list_button="逐条看",
        sign_in_title="SmartMate：你的登录链接",
        sign_in_tag="登录",
        sign_in_summary="有人在登录页要了一条登录链接。是你，就按下面的按钮；不是你，就不用管它。"
        "看到这条消息的人都能用它登录，请不要转发。",
        sign_in_until="{} 前有效，只能用一次",
        sign_in_button="登录 SmartMate",
    ),
    Language.EN_US: Phrases(
        titles={
            Topic.SUGGESTION: "SmartMate: a suggestion",
            Topic.QUESTION: "SmartMate: your call",
            Topic.NOTICE: "SmartMate: just so you know",
        },
        buttons={
            Topic.SUGGESTION: "Compare and decide",
            Topic.QUESTION: "Answer",
            Topic.NOTICE: "See the details",
        },
        summaries={
            Topic.SUGGESTION: "There is a suggestion about {}; you decide.",
            Topic.QUESTION: "How to plan {} is your call; there is a question.",
            Topic.NOTICE: "There is no fitting place yet for {}.",
        },
        things={
            TargetKind.TASK_POOL: "a task",
            TargetKind.TASK_ITEM: "an item of a study plan",
            TargetKind.SCHEDULE_EVENT: "a block of your schedule",
            TargetKind.UNRECOGNISED: "your schedule",
        },
        subtitle="Nothing is written yet; you decide",
        quoted="“{}”",
        valid_until="Valid until {}, then you can make a new one",
        added="{} added",
        changed="{} changed",
        free="free",
        gap="  ",
        test_title="SmartMate: test message",
        test_tag="Test",
        test_summary="This is a test message. Seeing it means that this channel works.",
        test_button="Open SmartMate",
        list_title="SmartMate: {} things for you",
        list_tag="{} in all",
        list_summary="{} more came within these minutes; here they are together, one by one.",
        list_until="Until {}",
        list_line="{}  {}",
        list_button="See each of them",
        sign_in_title="SmartMate: your sign-in link",
        sign_in_tag="Sign-in",
        sign_in_summary="Somebody asked for a sign-in link. If that was you, press the button; if "
        "not, leave it alone. Whoever sees this message can sign in with it, so pass it on to "
        "nobody.",
        sign_in_until="Valid until {}, works once",
        sign_in_button="Sign in to SmartMate",
    ),
}
