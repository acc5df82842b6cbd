"""Tells of runs: what was said, what was done, what is asked, and how it ended."""

import json
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import date, datetime, timedelta
from urllib.parse import quote

from services.gateway.domain.grid import Mark
from services.gateway.domain.locale import Locale
from services.gateway.domain.messages import say
from services.gateway.domain.spans import span
from services.gateway.wire.calendar import Calendar, words
from services.gateway.wire.chat_changes import Changes, ChangeWords, counts, read_date
from services.gateway.wire.chat_grid import Drawing, WeekCuts, marks_of
from services.gateway.wire.chat_shown import (
    ConfirmView,
    EndView,
    ItemView,
    QuestionView,
    SegmentView,
    StepsView,
    StepView,
    TurnView,
    WeekView,
)
from services.gateway.wire.chat_turns import (
    ACCEPTED,
    OPEN,
    REJECTED,
    Call,
    Card,
    Item,
    Remark,
    Run,
    Segment,
    Words,
)
from smartmate.agent.v1 import chat_pb2

_LONGEST_CALL = 300
_FEW_LINES = 24
"""Up to so many changes are shown unfolded where they are to be confirmed."""
_LONGEST_ANSWER = 1500
_WORTH_TELLING = timedelta(seconds=0.1)
_CHIPS: Mapping[str, tuple[str, str]] = {
    OPEN: ("chat.not_written", "chat.waits"),
    ACCEPTED: ("chat.writing", "chat.agreed"),
    REJECTED: ("chat.declined", "chat.refused"),
    "written": ("chat.written", "chat.agreed"),
    "overtaken": ("chat.overtaken", "chat.agreed"),
}
"""By what became of a confirm request: of changes, and of anything else."""
_KINDS = {
    chat_pb2.CONFIRM_KIND_PLAN: "plan",
    chat_pb2.CONFIRM_KIND_CHANGES: "changes",
    chat_pb2.CONFIRM_KIND_TOOL: "tool",
}
_PREVIEWS = "/active-schedule/previews"


@dataclass(frozen=True, slots=True)
class Speaker:
    """Speaks of runs in one language; `calendar` knows the semesters of their days."""

    locale: Locale
    calendar: Calendar
    now: datetime

    def turn(self, run: Run, *, day: str = "", is_live: bool = False) -> TurnView:
        """All of a run; `is_live` where it may work still."""
        return TurnView(run.run_id, day, tuple(self._segments(run, is_live=is_live)))

    def _segments(self, run: Run, *, is_live: bool) -> Iterator[SegmentView]:
        for segment in run.segments:
            yield self.segment(run, segment, is_live=is_live)

    def segment(self, run: Run, segment: Segment, *, is_live: bool) -> SegmentView:
        """One part of a run."""
        confirm = segment.confirm
        asks_changes = confirm is not None and confirm.kind == chat_pb2.CONFIRM_KIND_CHANGES
        shows_diff = segment.diff is not None and not asks_changes
        return SegmentView(
            id=f"{run.run_id}-{segment.number}",
            number=segment.number,
            run_id=run.run_id,
            mine=segment.mine,
            lead=tuple(self._item(one) for one in segment.lead),
            steps=self._steps(segment),
            tail=tuple(self._item(one) for one in segment.tail),
            diff=self._changes.changes(segment.diff) if shows_diff and segment.diff else None,
            question=self._question(run, segment),
            confirm=self._confirm(run, segment),
            end=self._end(run, segment),
            works=self._works(segment) if is_live and segment is run.segments[-1] else "",
        )

    @property
    def _today(self) -> date:
        return self.calendar.today(self.now)

    @property
    def _changes(self) -> ChangeWords:
        return ChangeWords(self.locale, self._today)

    def _item(self, item: Item) -> ItemView:
        match item:
            case Words():
                return ItemView("words", item.text)
            case Remark():
                return ItemView("remark", words(self.locale, item.text))
            case Card():
                href = f"{_PREVIEWS}/{quote(item.preview_id, safe='')}"
                return ItemView("card", words(self.locale, item.summary), item.title, href)

    def _works(self, segment: Segment) -> str:
        if not segment.works:
            return ""
        status = segment.status
        told = words(self.locale, status.text) if status else self._say("chat.works")
        if status is None or not status.round:
            return told
        return f"{told} · {self._say('chat.round', n=status.round)}"

    # What was done

    def _steps(self, segment: Segment) -> StepsView | None:
        calls = [one for one in segment.steps if isinstance(one, Call)]
        if not calls:
            return None
        refused = sum(one.result is not None and not one.result.ok for one in calls)
        first, last = segment.stepped
        key = "chat.steps_1" if len(calls) == 1 else "chat.steps"
        return StepsView(
            head=self._say(key, n=len(calls)),
            took=span(self.locale, last - first) if last - first >= _WORTH_TELLING else "",
            refused=self._say("chat.steps_refused", n=refused) if refused else "",
            steps=tuple(self._step(one) for one in segment.steps),
        )

    def _step(self, one: Call | Words) -> StepView:
        if isinstance(one, Words):
            return StepView(one.text)
        call, result = one.call, one.result
        title = words(self.locale, call.title) or call.tool
        if result is None:
            waits = self._say("chat.step_waits")
            return StepView(title, call_words(call), told=waits, icon="clock")
        told = "chat.step_refused" if not result.ok else "chat.step_done"
        if result.ok and result.changed_count:
            told = "chat.step_changed"
        return StepView(
            title,
            call_words(call),
            cut(result.text, _LONGEST_ANSWER),
            self._say(told, n=result.changed_count),
            "check" if result.ok else "minus",
            is_refused=not result.ok,
        )

    # What is asked

    def _question(self, run: Run, segment: Segment) -> QuestionView | None:
        question = segment.question
        if question is None:
            return None
        after = run.segments[segment.number :]
        return QuestionView(
            number=question.number,
            text=question.text,
            choices=tuple((one.choice_id, one.text) for one in question.choices),
            is_open=segment.is_open,
            answer=after[0].mine if after and not segment.is_open else "",
        )

    def _confirm(self, run: Run, segment: Segment) -> ConfirmView | None:
        confirm = segment.confirm
        if confirm is None:
            return None
        kind, state = _KINDS.get(confirm.kind, "tool"), became(run, segment)
        of_changes = kind == "changes"
        drawn = self._drawing.weeks(confirm.diff) if of_changes else ()
        changes = self._changes.changes(confirm.diff) if of_changes else None
        boards = drawn[0] if len(drawn) == 1 and not drawn[0].title else None
        decline = "chat.decline" if kind != "tool" else "chat.decline_tool"
        has_call = confirm.HasField("tool_call")
        return ConfirmView(
            number=confirm.number,
            kind=kind,
            text=confirm.text,
            head=self._head(confirm, kind),
            state=state,
            chip=self._say(_CHIPS[state][not of_changes]),
            pending=changes.pending if changes else "",
            boards=boards,
            weeks=_weeks(changes, drawn) if boards is None else (),
            marks=marks_of(drawn),
            steps=tuple((one.text, self._until(one)) for one in confirm.steps),
            tool=words(self.locale, confirm.tool_call.title) if has_call else "",
            call=call_words(confirm.tool_call) if has_call else "",
            accept=self._accept(confirm, kind),
            decline=self._say(decline),
        )

    @property
    def _drawing(self) -> Drawing:
        return Drawing(self.locale, self.calendar, self.now, self._changes)

    def _head(self, confirm: chat_pb2.ConfirmRequest, kind: str) -> str:
        if kind != "changes":
            return self._say(f"chat.{kind}")
        lines = confirm.diff.lines
        return self._changes.head(lines) if lines else self._say("chat.changes")

    def _until(self, step: chat_pb2.PlanStep) -> str:
        if not step.done_criterion:
            return ""
        return self._say("chat.until", criterion=step.done_criterion)

    def _accept(self, confirm: chat_pb2.ConfirmRequest, kind: str) -> str:
        """The button says what it does."""
        if kind != "changes":
            return self._say(f"chat.accept_{kind}")
        lines = confirm.diff.lines
        found = counts(lines)
        added, moved = found.get(Mark.ADD, 0), found.get(Mark.MOVED, 0)
        if added + moved < len(lines) or not lines:
            return self._say("chat.confirm_all", n=len(lines))
        if len(lines) == 1 and (place := self._changes.place(lines[0])):
            return self._say("button.confirm", place=place)
        if added and moved:
            return self._say("chat.confirm_both", n=added, m=moved)
        if moved:
            return self._say("button.confirm_move", m=moved)
        return self._say("chat.confirm_add", n=added)

    # How it ended

    def _end(self, run: Run, segment: Segment) -> EndView | None:
        outcome = segment.outcome
        if outcome is None:
            return None
        told = outcome.user_message if outcome.user_message != segment.spoken else ""
        if outcome.kind == chat_pb2.OUTCOME_KIND_COMPLETED:
            if outcome.apply_id:
                href = _week_of(run)
                return EndView("check", "ok", told or self._say("chat.written"), href, "")
            return EndView("check", "", told, "", "") if told else None
        if outcome.kind == chat_pb2.OUTCOME_KIND_EXHAUSTED:
            goes_on = self._say("chat.go_on_words")
            return EndView("clock", "", told or self._say("chat.used_up"), "", goes_on)
        return EndView("info", "", told or self._say("chat.unchanged"), "", "")

    def _say(self, key: str, **values: object) -> str:
        return say(self.locale, key, **values)


def _weeks(changes: Changes | None, drawn: Sequence[WeekCuts]) -> tuple[WeekView, ...]:
    """The changes week by week; of many the first week alone is unfolded."""
    listed = {one.key: one for one in changes.weeks} if changes else {}
    cuts = {one.key: one for one in drawn}
    is_few = changes is None or changes.count <= _FEW_LINES
    found = []
    for number, key in enumerate(sorted(listed.keys() | cuts.keys())):
        lines, cut_ = listed.get(key), cuts.get(key)
        title = lines.title if lines else cut_.title if cut_ else ""
        found.append(WeekView(title, lines, cut_, is_few or number == 0))
    return tuple(found)


def became(run: Run, segment: Segment) -> str:
    """What became of a confirm request: open, accepted, rejected, written or overtaken."""
    confirm = segment.confirm
    if confirm is None or segment.reply != ACCEPTED:
        return segment.reply
    if confirm.kind != chat_pb2.CONFIRM_KIND_CHANGES:
        return ACCEPTED
    for later in run.segments[segment.number :]:
        if later.outcome is not None:
            return "written" if later.outcome.apply_id else "overtaken"
        if later.confirm is not None or later.question is not None:
            return "overtaken"
    return ACCEPTED


def call_words(call: chat_pb2.ToolCall) -> str:
    """place(task_id=3, day=2): a call as it was made."""
    try:
        given = json.loads(call.arguments_json or "{}")
    except ValueError:
        given = None
    if not isinstance(given, dict):
        return cut(f"{call.tool}({call.arguments_json})", _LONGEST_CALL)
    told = ", ".join(f"{name}={_value(value)}" for name, value in given.items())
    return cut(f"{call.tool}({told})", _LONGEST_CALL)


def cut(text: str, longest: int) -> str:
    """The text, ended early where it is longer than wanted."""
    return text if len(text) <= longest else f"{text[: longest - 1]}…"


def _value(value: object) -> str:
    return json.dumps(value, ensure_ascii=False)


def _week_of(run: Run) -> str:
    """The week in which the first change of what was accepted last stands."""
    accepted = [
        one.confirm.diff.lines
        for one in run.segments
        if one.confirm is not None and one.reply == ACCEPTED
    ]
    lines: Sequence[chat_pb2.DiffLine] = accepted[-1] if accepted else ()
    dates = [day for line in lines if (day := read_date(line.to_date)) is not None]
    return f"/week?date={min(dates).isoformat()}" if dates else "/week"
