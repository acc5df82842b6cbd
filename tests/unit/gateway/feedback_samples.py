"""Hand-made answers about what was not finished: looks, questions, and the kinds of help."""

from datetime import timedelta

from smartmate.active_scheduler.v1 import preview_pb2, question_pb2, trigger_pb2
from smartmate.schedule.v1 import change_pb2
from tests.unit.gateway import gateway_samples as samples

TRIGGER = "ast_77"
NEWER = "asp_newer"
UNFINISHED = change_pb2.Target(kind=change_pb2.TARGET_KIND_SCHEDULE_EVENT, id=4)


def look(
    state: trigger_pb2.TriggerState = trigger_pb2.TRIGGER_STATE_PENDING,
    *,
    reason: str = "",
    preview_id: str = "",
    words: str = "",
) -> trigger_pb2.TriggerRecord:
    open_states = (trigger_pb2.TRIGGER_STATE_PENDING, trigger_pb2.TRIGGER_STATE_PROCESSING)
    return trigger_pb2.TriggerRecord(
        trigger_id=TRIGGER,
        type=trigger_pb2.TRIGGER_TYPE_UNFINISHED_FEEDBACK,
        source=trigger_pb2.TRIGGER_SOURCE_USER_FEEDBACK,
        target=UNFINISHED,
        state=state,
        reason=reason,
        preview_id=preview_id,
        words=words,
        create_time=samples.stamp(samples.NOW),
        finish_time=None if state in open_states else samples.stamp(samples.NOW),
    )


def found(preview_id: str = NEWER) -> trigger_pb2.TriggerRecord:
    """A look that led to a suggestion."""
    return look(trigger_pb2.TRIGGER_STATE_PREVIEW_GENERATED, preview_id=preview_id)


def closed(reason: str = "makeup_scheduled") -> trigger_pb2.TriggerRecord:
    """A look that found nothing to do."""
    return look(trigger_pb2.TRIGGER_STATE_CLOSED, reason=reason)


def delay_end(*, answered: str = "") -> question_pb2.Question:
    """May it end after its deadline."""
    made = question_pb2.Question(
        kind=question_pb2.QUESTION_KIND_DELAY_END,
        text=samples.text("可以晚一点完成吗？", "May it end later?"),
        choices=[
            question_pb2.QuestionChoice(
                choice_id="yes", text=samples.text("可以晚一点", "It may end later")
            ),
            question_pb2.QuestionChoice(
                choice_id="no", text=samples.text("不能晚", "It must not be late")
            ),
        ],
        room_from_time=samples.stamp(samples.NOW + timedelta(days=2, hours=15)),
        sections=2,
    )
    if answered:
        made.answered_choice_id = answered
        made.answer_time.CopyFrom(samples.stamp(samples.NOW))
        made.answer_trigger_id = TRIGGER
    return made


def which_block(*, choices: int = 0, words: str = "") -> question_pb2.Question:
    """Which block was meant; in words alone where there are no choices."""
    made = question_pb2.Question(
        kind=question_pb2.QUESTION_KIND_WHICH_BLOCK,
        text=samples.text("是哪一块没有做完？", "Which block was not finished?"),
        choices=[
            question_pb2.QuestionChoice(
                choice_id=f"block:{n}",
                text=samples.text(f"周一第 {n} 节「英语{n}」", f"“English {n}”, Mon, section {n}"),
                event_id=n,
            )
            for n in range(1, choices + 1)
        ],
    )
    if words:
        made.answer_words = words
        made.answer_time.CopyFrom(samples.stamp(samples.NOW))
        made.answer_trigger_id = TRIGGER
    return made


def asking(
    question: question_pb2.Question,
    state: preview_pb2.PreviewState = preview_pb2.PREVIEW_STATE_READY,
    *,
    words: str = "",
    located: bool = True,
) -> preview_pb2.Preview:
    """A suggestion that holds only a question."""
    made = samples.preview(
        state, action=preview_pb2.DECISION_ACTION_ASK_USER, offered=[], warnings=()
    )
    made.trigger_type = trigger_pb2.TRIGGER_TYPE_UNFINISHED_FEEDBACK
    made.summary.CopyFrom(question.text)
    made.question.CopyFrom(question)
    made.words = words
    if located:
        made.target.CopyFrom(UNFINISHED)
    else:
        made.ClearField("target")
    return made


def of_kind(kind: preview_pb2.CandidateType) -> preview_pb2.Candidate:
    """The candidate of the samples that fits a kind, marked as such."""
    made = {
        preview_pb2.CANDIDATE_TYPE_LOCAL_REORDER_MAKEUP: samples.reorder,
        preview_pb2.CANDIDATE_TYPE_COMPRESS_WITH_NEXT_DYNAMIC_TASK: samples.squeeze,
        preview_pb2.CANDIDATE_TYPE_DROP_UNFINISHED: dropped,
    }.get(kind, lambda: samples.candidates()[0])()
    made.type = kind
    return made


def uneven() -> preview_pb2.Candidate:
    """Two tasks share three sections, so that one gets one and the other two."""
    made = samples.squeeze()
    made.type = preview_pb2.CANDIDATE_TYPE_COMPRESS_WITH_NEXT_DYNAMIC_TASK
    for change in made.changes[1:]:
        change.to.last_section += 1
    made.after_events[-2].place.last_section += 1
    return made


def dropped() -> preview_pb2.Candidate:
    """What lies ahead of the target leaves the schedule."""
    change = change_pb2.ScheduleChange(
        change_id="c1",
        type=change_pb2.CHANGE_TYPE_REMOVE,
        target=change_pb2.Target(kind=change_pb2.TARGET_KIND_SCHEDULE_EVENT, id=4),
    )
    getattr(change, "from").CopyFrom(samples.place(1, 9, 10))
    return preview_pb2.Candidate(
        candidate_id="drop_unfinished:4:13:1:9",
        type=preview_pb2.CANDIDATE_TYPE_DROP_UNFINISHED,
        family=preview_pb2.CANDIDATE_FAMILY_LEAST_DISTURBANCE,
        changes=[change],
        summary=samples.text("先放下，可以吗？", "Let it go for now?"),
        after_events=[one for one in samples.before_events() if one.event_id != 4],
    )


def in_parts() -> preview_pb2.Candidate:
    """A make-up in two parts."""
    made = samples.candidates()[0]
    second = change_pb2.ScheduleChange()
    second.CopyFrom(made.changes[0])
    second.change_id = "c2"
    second.to.CopyFrom(samples.place(2, 7, 7))
    made.changes.append(second)
    made.after_events.append(samples.event(0, "概率论大作业", second.to, kind=samples.TASK))
    return made
