"""The task pool in words, and its form both ways."""

from datetime import UTC, datetime
from zoneinfo import ZoneInfo

import grpc
import pytest

from libs.rpc.errors import RemoteError, Violation
from services.gateway.domain.locale import Locale
from services.gateway.domain.messages import has
from services.gateway.wire import task_form
from services.gateway.wire.entered import Refused, problems_of
from services.gateway.wire.task_form import FIELDS, QUADRANTS, Shown, TaskForm
from services.gateway.wire.tasks_page import BY_AXES, Pool, Speaker, TasksPage
from services.gateway.wire.told import told
from smartmate.schedule.v1 import task_pb2
from tests.unit.gateway import gateway_samples as samples
from tests.unit.gateway import page_samples as pages
from tests.unit.gateway.page_samples import HOURS, task

ZONE = ZoneInfo("Asia/Shanghai")
NOW = samples.NOW


def speaker(locale: Locale = Locale.ZH) -> Speaker:
    return Speaker(locale, ZONE, NOW)


def page(*tasks: task_pb2.Task, **more: object) -> TasksPage:
    pool = {"open": tasks, "completed": (), "events": (), **more}
    return speaker().build(Pool(**pool))  # type: ignore[arg-type]


def test_the_quadrants_stand_by_their_axes_and_hold_what_reads_so_now() -> None:
    passed = task(2, "论文", urgent=NOW - HOURS, reads_as=task_pb2.QUADRANT_URGENT_IMPORTANT)
    shown = page(task(1, "词汇"), passed, task(3, "相册", quadrant=task_pb2.QUADRANT_NEITHER))
    assert [one.number for one in shown.quadrants] == list(BY_AXES) == [2, 1, 4, 3]
    titles = {one.number: [line.title for line in one.lines] for one in shown.quadrants}
    assert titles == {1: ["论文"], 2: ["词汇"], 3: [], 4: ["相册"]}


def test_what_is_due_first_stands_first_and_what_is_never_due_last() -> None:
    shown = page(
        task(1, "never"),
        task(2, "later", due=NOW + 30 * HOURS),
        task(3, "soon", due=NOW + HOURS),
        task(4, "urgent first", urgent=NOW + HOURS),
    )
    lines = next(one.lines for one in shown.quadrants if one.number == 2)
    assert [line.title for line in lines] == ["soon", "later", "urgent first", "never"]


@pytest.mark.parametrize(
    ("made", "zh", "en"),
    [
        (task(1), ("没有截止",), ("no deadline",)),
        (
            task(1, due=NOW + 27 * HOURS, urgent=NOW + HOURS, sections=2),
            ("截止 明天 21:46", "今天 19:46 起变紧急", "预计 2 节"),
            ("due tomorrow 21:46", "becomes urgent today 19:46", "about 2 sections"),
        ),
        (
            task(1, due=NOW - HOURS, urgent=NOW - 2 * HOURS, sections=1),
            ("截止已过，今天 17:46", "今天 16:46 起紧急", "预计 1 节"),
            ("was due today 17:46", "urgent since today 16:46", "about 1 section"),
        ),
        (task(1, done=NOW - 20 * HOURS), ("昨天 22:46 完成",), ("done yesterday 22:46",)),
    ],
)
def test_the_facts_of_a_task(made: task_pb2.Task, zh: tuple[str, ...], en: tuple[str, ...]) -> None:
    assert tuple(speaker().facts(made)) == zh
    assert tuple(speaker(Locale.EN).facts(made)) == en


def test_the_summary_counts_what_has_no_time() -> None:
    block = pages.block(9, 1, NOW + HOURS)
    assert page().summary == "手上没有任务"
    assert page(task(1), events=[block]).summary == "1 件在手上，都有时间了"
    assert page(task(1), task(2), events=[block]).summary == "2 件在手上，其中 1 件还没有时间"
    assert page(task(1), is_cut=True).summary == "手上超过 1 件，先列出最近的"


def test_the_block_that_comes_next_is_told_else_the_last_one() -> None:
    over, next_, later = (
        pages.block(n, 1, NOW + hours * HOURS) for n, hours in enumerate((-30, 16, 40))
    )
    placed = speaker().placed([over, next_, later])[1]
    assert (placed.words, placed.href, placed.is_over) == (
        "周二 3–4 节",
        "/week?date=2026-12-01",
        False,
    )
    gone = speaker().placed([over])[1]
    assert gone.is_over
    assert gone.words.startswith("排过 ")


def test_a_block_that_runs_is_where_the_task_is() -> None:
    assert not speaker().placed([pages.block(1, 1, NOW - HOURS)])[1].is_over


def test_blocks_of_study_plans_are_no_tasks_place() -> None:
    made = pages.block(1, 1, NOW + HOURS)
    made.source.kind = 2
    assert speaker().placed([made]) == {}


def test_only_what_is_open_and_was_never_placed_needs_a_time() -> None:
    placed = speaker().placed([pages.block(1, 1, NOW - 30 * HOURS)])
    assert not speaker().line(task(1), placed).needs_time
    assert not speaker().line(task(2, done=NOW), {}).needs_time
    assert speaker().line(task(2), {}).needs_time


def test_a_task_is_entered_as_it_is_stored() -> None:
    form = task_form.of_task(
        task(1, "读书", due=datetime(2026, 12, 1, 14, tzinfo=UTC), sections=3), ZONE
    )
    assert (form.title, form.quadrant, form.deadline, form.threshold, form.estimate) == (
        "读书",
        "QUADRANT_IMPORTANT",
        "2026-12-01T22:00",
        "",
        "3",
    )
    assert form.version == 3


def test_what_is_not_changed_keeps_its_seconds() -> None:
    due = datetime(2026, 12, 1, 14, 0, 17, 250_000, tzinfo=UTC)
    stored = task(1, due=due)
    form = task_form.of_task(stored, ZONE)
    assert task_form.message(form, ZONE, stored).deadline_time == stored.deadline_time
    later = form.model_copy(update={"deadline": "2026-12-01T22:01"})
    assert task_form.message(later, ZONE, stored).deadline_time.nanos == 0


@pytest.mark.parametrize(
    ("entered", "problems"),
    [
        ({"deadline": "soon"}, {"deadline": "problem.moment"}),
        ({"threshold": "2026"}, {"threshold": "problem.moment"}),
        ({"estimate": "5"}, {"estimate": "problem.task_estimate"}),
        ({"quadrant": "QUADRANT_UNSPECIFIED"}, {"quadrant": "problem.task_quadrant"}),
        (
            {"quadrant": "x", "estimate": "x", "deadline": "x"},
            {
                "quadrant": "problem.task_quadrant",
                "estimate": "problem.task_estimate",
                "deadline": "problem.moment",
            },
        ),
    ],
)
def test_what_cannot_be_sent_on_is_refused_at_its_field(
    entered: dict[str, str], problems: dict[str, str]
) -> None:
    with pytest.raises(Refused) as refused:
        task_form.message(TaskForm(title="x", **entered), ZONE)  # type: ignore[arg-type]
    assert refused.value.problems.keys == problems


def remote(*fields: str) -> RemoteError:
    violations = tuple(Violation(name, "is not right") for name in fields)
    return RemoteError(
        grpc.StatusCode.INVALID_ARGUMENT, "invalid_request", "d", violations=violations
    )


def test_what_the_service_refuses_is_said_at_our_fields() -> None:
    found = problems_of(remote("task.title", "task.urgency_threshold_time", "task.title"), FIELDS)
    words = found.words(Locale.ZH)
    assert set(words) == {"title", "threshold"}
    assert words["threshold"] == "要早于截止，或和截止相同。"


@pytest.mark.parametrize("fields", [(), ("request_id",), ("task.title", "request_id")])
def test_what_has_no_field_here_is_not_swallowed(fields: tuple[str, ...]) -> None:
    error = remote(*fields)
    with pytest.raises(RemoteError) as raised:
        problems_of(error, FIELDS)
    assert raised.value is error


def test_every_problem_that_a_form_knows_has_words() -> None:
    assert all(has(key) for _, key in FIELDS.values())


def test_the_folded_part_is_open_where_something_stands_in_it() -> None:
    assert not Shown(TaskForm(), {}).has_more
    assert Shown(TaskForm(estimate="2"), {}).has_more
    assert Shown(TaskForm(), {"threshold": "x"}).has_more
    assert Shown(TaskForm(), {"threshold": "x"}).problem("threshold") == "x"


def test_the_form_names_every_quadrant_of_the_contract() -> None:
    assert set(QUADRANTS) == set(task_pb2.Quadrant.keys()[1:])


@pytest.mark.parametrize("code", ["", "no_such_code", "title", "__class__", "x" * 100])
def test_a_code_that_the_page_does_not_know_says_nothing(code: str) -> None:
    assert told(Locale.ZH, "tasks", code) is None


def test_what_was_done_is_told_with_its_tone() -> None:
    done = told(Locale.ZH, "tasks", "done")
    assert done is not None
    assert (done.tone, done.about("读书").more) == ("ok", "读书")
    not_urgent = told(Locale.EN, "tasks", "not_urgent")
    assert not_urgent is not None
    assert not_urgent.tone == ""
    assert not_urgent.about("x").more == not_urgent.more
