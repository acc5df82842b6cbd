"""Hand-made conversations with the assistant, as the agent tells them."""

from collections.abc import Iterable, Sequence
from datetime import timedelta
from typing import Any

from google.protobuf.message import Message

from smartmate.agent.v1 import agent_service_pb2 as agent_pb2
from smartmate.agent.v1 import chat_pb2, conversation_pb2, memory_pb2
from smartmate.schedule.v1 import change_pb2
from tests.unit.gateway import gateway_samples as samples

CONVERSATION = "cnv_" + "c" * 32
RUN = "run_" + "r" * 32
SENTENCE = "期末前把这三门课的复习排进去，别排周日"
TEXT = samples.text


def status(code: str, zh: str = "在看", en: str = "Looking", round_: int = 0) -> chat_pb2.Status:
    return chat_pb2.Status(
        phase=chat_pb2.RUN_PHASE_EXECUTE, code=code, text=TEXT(zh, en), round=round_
    )


def speak(text: str) -> chat_pb2.Speak:
    return chat_pb2.Speak(text=text)


def call(number: int, tool: str = "place", arguments: str = '{"task_id": 3}') -> chat_pb2.ToolCall:
    return chat_pb2.ToolCall(
        number=number, tool=tool, arguments_json=arguments, title=TEXT("试着放一下", "Trying it")
    )


def result(number: int, *, ok: bool = True, text: str = "可以", changed: int = 0) -> Any:
    return chat_pb2.ToolResult(
        number=number, tool="place", ok=ok, code="done", text=text, changed_count=changed
    )


def change(
    id_: str,
    to: tuple[int, int, int] | None = (2, 3, 4),
    from_: tuple[int, int, int] | None = None,
    kind: change_pb2.ChangeType = change_pb2.CHANGE_TYPE_PLACE,
    host: int = 0,
) -> change_pb2.ScheduleChange:
    """`to` and `from_` are day, first and last section of week 13."""
    made = change_pb2.ScheduleChange(change_id=id_, type=kind, host_event_id=host)
    if to:
        made.to.CopyFrom(samples.place(*to))
    if from_:
        getattr(made, "from").CopyFrom(samples.place(*from_))
    return made


def date_of(day: int) -> str:
    """The date of a day of week 13."""
    return f"2026-{'11-30' if day == 1 else f'12-{day - 1:02}'}"


def line(made: change_pb2.ScheduleChange, name: str = "线代复习1") -> chat_pb2.DiffLine:
    old = getattr(made, "from")
    return chat_pb2.DiffLine(
        change=made,
        name=name,
        category="线代复习",
        from_date=date_of(old.day_of_week) if made.HasField("from") else "",
        to_date=date_of(made.to.day_of_week) if made.HasField("to") else "",
    )


def block(name: str, first: int, last: int, **more: Any) -> chat_pb2.DiffBlock:
    return chat_pb2.DiffBlock(name=name, first_section=first, last_section=last, **more)


def day(
    number: int, before: Iterable[chat_pb2.DiffBlock], after: Iterable[chat_pb2.DiffBlock]
) -> chat_pb2.DiffDay:
    return chat_pb2.DiffDay(
        date=date_of(number), week=13, day_of_week=number, before=before, after=after
    )


def one_added() -> chat_pb2.Diff:
    """One item enters Tuesday, beside a course."""
    course = block("大学物理", 1, 2, course=True)
    return chat_pb2.Diff(
        counts=chat_pb2.RunCounts(suggested=1),
        lines=[line(change("c1"))],
        days=[day(2, [course], [course, block("线代复习1", 3, 4, change_id="c1")])],
    )


def many(count: int = 12) -> chat_pb2.Diff:
    """Items on as many days as the week has, one moved, one taken off, one shortened."""
    lines = [line(change(f"c{n}", (n % 6 + 1, 3, 4)), f"复习{n}") for n in range(count - 3)]
    lines += [
        line(change("m", (5, 9, 10), (1, 9, 10), change_pb2.CHANGE_TYPE_MOVE), "英语听力精练"),
        line(change("x", None, (4, 9, 10), change_pb2.CHANGE_TYPE_REMOVE), "旧安排"),
        line(change("s", (3, 5, 5), (3, 5, 6), change_pb2.CHANGE_TYPE_COMPRESS), "实验报告"),
    ]
    days = [day(n, [], [block(f"复习{n}", 3, 4, change_id=f"c{n - 1}")]) for n in range(1, 7)]
    days[0].before.append(block("英语听力精练", 9, 10, change_id="m"))
    days[4].after.append(block("英语听力精练", 9, 10, change_id="m"))
    days[3].before.append(block("旧安排", 9, 10, change_id="x"))
    days[2].before.append(block("实验报告", 5, 6, change_id="s"))
    days[2].after.append(block("实验报告", 5, 5, change_id="s"))
    counts = chat_pb2.RunCounts(pending=2, suggested=count)
    return chat_pb2.Diff(counts=counts, lines=lines, days=days)


def so_far(diff: chat_pb2.Diff) -> chat_pb2.Diff:
    """The same while the run works: without days."""
    return chat_pb2.Diff(counts=diff.counts, lines=diff.lines)


def confirm(diff: chat_pb2.Diff | None = None, number: int = 1) -> chat_pb2.ConfirmRequest:
    return chat_pb2.ConfirmRequest(
        number=number,
        kind=chat_pb2.CONFIRM_KIND_CHANGES,
        text="新排1项，在12月1日 周二。接受后写入日程。",
        diff=diff or one_added(),
    )


def steps() -> chat_pb2.ConfirmRequest:
    return chat_pb2.ConfirmRequest(
        number=1,
        kind=chat_pb2.CONFIRM_KIND_PLAN,
        text="先按这些步骤来，可以吗？",
        steps=[
            chat_pb2.PlanStep(text="先排线代", done_criterion="四章都有位置"),
            chat_pb2.PlanStep(text="再排概率"),
        ],
    )


def to_do() -> chat_pb2.ConfirmRequest:
    return chat_pb2.ConfirmRequest(
        number=1,
        kind=chat_pb2.CONFIRM_KIND_TOOL,
        text="要记下的任务：\n「交概率论作业」，下周日 23:59 前。\n对的话就接受。",
        tool_call=call(1, "create_task", '{"title": "交概率论作业"}'),
    )


def question(*choices: str, allows_text: bool = True) -> chat_pb2.Question:
    return chat_pb2.Question(
        number=1,
        text="要排哪几个任务类？",
        choices=[
            chat_pb2.QuestionChoice(choice_id=f"q{n}", text=text)
            for n, text in enumerate(choices, start=1)
        ],
        allows_text=allows_text,
    )


def card(title: str = "实验报告") -> chat_pb2.PreviewCard:
    summary = TEXT("「实验报告」放到周二 3–4 节，可以吗？", "Put it on Tuesday?")
    return chat_pb2.PreviewCard(preview_id="asp_0192f3", title=title, summary=summary)


def outcome(
    kind: chat_pb2.OutcomeKind = chat_pb2.OUTCOME_KIND_COMPLETED,
    code: str = "written",
    message: str = "已写入日程，共1处改动。",
    apply_id: str = f"{RUN}-1",
) -> chat_pb2.Outcome:
    return chat_pb2.Outcome(kind=kind, code=code, user_message=message, apply_id=apply_id)


_KINDS = {
    chat_pb2.Status: "status",
    chat_pb2.Speak: "speak",
    chat_pb2.ToolCall: "tool_call",
    chat_pb2.ToolResult: "tool_result",
    chat_pb2.Diff: "diff",
    chat_pb2.Question: "question",
    chat_pb2.ConfirmRequest: "confirm_request",
    chat_pb2.PreviewCard: "preview_card",
    chat_pb2.Outcome: "outcome",
}


def events(*contents: Message, run: str = RUN, after: int = 0) -> list[chat_pb2.ChatEvent]:
    """Numbered events, half a second apart."""
    return [
        chat_pb2.ChatEvent(
            run_id=run,
            sequence=number,
            create_time=samples.stamp(samples.NOW + timedelta(seconds=number / 2)),
            **{_KINDS[type(content)]: content},
        )
        for number, content in enumerate(contents, start=after + 1)
    ]


READING = status("reading", "在看你说的话", "Reading what you said")
WORKING = (
    READING,
    speak("先按三门课排，周日空着。"),
    status("built", "粗排完成", "A first plan"),
    so_far(one_added()),
    call(1, "evaluate_balance", "{}"),
    result(1, text="负载均匀\n可以结束"),
    speak("看一下周二。"),
    call(2, "place", '{"task_id": 3, "day": 2}'),
    result(2, ok=False, text="周二第 3 节有课"),
    status("round", "在调整", "Adjusting", 2),
)
PROPOSED = (*WORKING, confirm())
WRITTEN = (
    *PROPOSED,
    status("accepted", "已接受", "Accepted"),
    speak("已写入日程，共1处改动。"),
    outcome(),
)


def message(
    text: str, *, mine: bool = True, run: str = RUN, id_: int = 1, minutes: int = 0
) -> conversation_pb2.ChatMessage:
    speaker = conversation_pb2.SPEAKER_PERSON if mine else conversation_pb2.SPEAKER_ASSISTANT
    return conversation_pb2.ChatMessage(
        message_id=id_,
        speaker=speaker,
        text=text,
        run_id=run,
        create_time=samples.stamp(samples.NOW + timedelta(minutes=minutes)),
    )


def conversation(
    *,
    phase: chat_pb2.RunPhase = chat_pb2.RUN_PHASE_EXECUTE,
    waits: conversation_pb2.RunWait = conversation_pb2.RUN_WAIT_UNSPECIFIED,
    preview_id: str = "",
    title: str = SENTENCE,
    run: str = RUN,
) -> conversation_pb2.Conversation:
    return conversation_pb2.Conversation(
        conversation_id=CONVERSATION,
        title=title,
        preview_id=preview_id,
        run_id=run,
        phase=phase,
        waits_for=waits,
        create_time=samples.stamp(samples.NOW),
        update_time=samples.stamp(samples.NOW),
    )


BOTH = (message(SENTENCE), message("接受", id_=3, minutes=1))


def opened(
    *contents: Message, said: Sequence[conversation_pb2.ChatMessage] = (), **more: Any
) -> agent_pb2.GetConversationResponse:
    """A conversation of one run as it stands after some events."""
    last = contents[-1] if contents else READING
    asked: dict[str, Any] = {}
    waits = conversation_pb2.RUN_WAIT_UNSPECIFIED
    phase = chat_pb2.RUN_PHASE_EXECUTE
    if isinstance(last, chat_pb2.Question):
        waits, asked = conversation_pb2.RUN_WAIT_QUESTION, {"question": last}
    elif isinstance(last, chat_pb2.ConfirmRequest):
        waits, asked = conversation_pb2.RUN_WAIT_CONFIRM, {"confirm_request": last}
    elif isinstance(last, chat_pb2.Outcome):
        phase = chat_pb2.RUN_PHASE_DONE
    return agent_pb2.GetConversationResponse(
        conversation=conversation(phase=phase, waits=waits, **more),
        messages=said or [message(SENTENCE)],
        last_sequence=len(contents),
        **asked,
    )


def item(
    id_: int = 12,
    text: str = "晚上不排高数",
    kind: memory_pb2.MemoryType = memory_pb2.MEMORY_TYPE_CONSTRAINT,
    days: Sequence[int] = (1, 3),
    sections: tuple[int, int] = (9, 12),
    changed: int = 0,
) -> memory_pb2.MemoryItem:
    return memory_pb2.MemoryItem(
        memory_id=id_,
        type=kind,
        text=text,
        days_of_week=days,
        first_section=sections[0],
        last_section=sections[1],
        create_time=samples.stamp(samples.NOW),
        update_time=samples.stamp(samples.NOW + timedelta(minutes=changed)),
    )
