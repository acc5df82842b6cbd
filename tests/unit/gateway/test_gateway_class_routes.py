"""The pages of study plans and of their trial run before services that answer by hand."""

import grpc
import pytest

from libs.rpc.errors import RemoteError
from services.gateway.wire import rough_plan
from smartmate.schedule.v1 import apply_pb2
from tests.unit.gateway import class_samples as plans
from tests.unit.gateway import gateway_samples as samples
from tests.unit.gateway.class_services import KEY, NOT_FOUND, led, pb, prepared, refused, wrong
from tests.unit.gateway.gateway_served import PAGE, Served, served_by
from tests.unit.gateway.test_gateway_preview_http import ByHand, get, of, post
from tests.unit.gateway.test_gateway_rendering import Page

FORM = {
    "name": "复习",
    "lines": "线性表\r\n树\r\n",
    "start": "2026-12-01",
    "end": "2026-12-10",
    "day-6": "yes",
    "idempotency_key": "k1",
}


served = served_by(ByHand)


@pytest.fixture
def suite(served: Served) -> ByHand:
    return prepared(served)


# Plans


async def test_the_list_names_every_plan_and_offers_a_trial_run(suite: ByHand) -> None:
    answer = await get(suite, "/task-classes?told=deleted&removed=2", PAGE)
    assert answer.status_code == 200
    assert plans.NAME in answer.text
    assert "2 块还没开始的安排从日程里撤下了" in answer.text
    assert 'name="class" value="5" checked' in answer.text


async def test_a_plan_is_written_down_line_by_line(suite: ByHand) -> None:
    answer = await post(suite, "/task-classes/new", data=FORM)
    assert led(answer) == ("/task-classes/9", {"told": ["created"]})
    (asked,) = of(suite, pb.PutTaskClassRequest)
    assert (asked.request_id, asked.task_class_id, asked.if_version) == ("k1", 0, 0)
    assert [one.content for one in asked.task_class.items] == ["线性表", "树"]
    assert list(asked.task_class.excluded_days_of_week) == [6]


async def test_a_plan_is_changed_and_its_items_stay_themselves(suite: ByHand) -> None:
    answer = await post(suite, "/task-classes/5", data={**FORM, "version": "7"})
    assert led(answer) == ("/task-classes/5", {"told": ["saved"], "removed": ["2"]})
    (asked,) = of(suite, pb.PutTaskClassRequest)
    assert (asked.task_class_id, asked.if_version) == (5, 7)
    assert [one.task_item_id for one in asked.task_class.items] == [101, 103]


async def test_what_is_wrong_is_shown_with_what_was_entered(suite: ByHand) -> None:
    answer = await post(suite, "/task-classes/new", data={**FORM, "total": "many"})
    assert answer.status_code == 400
    assert "0 到 2000 节" in answer.text
    assert of(suite, pb.PutTaskClassRequest) == []
    suite.answers["PutTaskClass"] = wrong("task_class.end_date")
    answer = await post(suite, "/task-classes/5", data=FORM)
    assert answer.status_code == 400
    assert "不早于开始那天" in answer.text


async def test_what_was_changed_meanwhile_is_told_and_saved_again_it_stands(suite: ByHand) -> None:
    suite.answers["PutTaskClass"] = refused(grpc.StatusCode.ABORTED, "version_mismatch")
    answer = await post(suite, "/task-classes/5", data={**FORM, "version": "3"})
    assert answer.status_code == 409
    assert "刚刚在别处改过" in answer.text
    assert plans.NAME in answer.text


async def test_an_order_that_the_schedule_does_not_allow_names_both_items(suite: ByHand) -> None:
    suite.answers["PutTaskClass"] = refused(
        grpc.StatusCode.FAILED_PRECONDITION,
        "order_violation",
        task_item_id="103",
        other_task_item_id="101",
        event_id="1",
    )
    answer = await post(suite, "/task-classes/5", data=FORM)
    assert answer.status_code == 409
    assert "「树」和「线性表」" in answer.text


@pytest.mark.parametrize(
    ("path", "error", "told"),
    [
        ("/task-classes/5", NOT_FOUND, "gone"),
        ("/task-classes/5/delete", NOT_FOUND, "gone"),
        ("/task-classes/5/items/101/complete", NOT_FOUND, "gone"),
        (
            "/task-classes/new",
            refused(grpc.StatusCode.RESOURCE_EXHAUSTED, "too_many_task_classes"),
            "full",
        ),
    ],
)
async def test_what_is_gone_or_full_leads_to_the_list(
    suite: ByHand, path: str, error: RemoteError, told: str
) -> None:
    suite.answers["PutTaskClass"] = suite.answers["DeleteTaskClass"] = error
    fields = FORM if not path.endswith(("delete", "complete")) else KEY
    answer = await post(suite, path, data=fields)
    assert led(answer) == ("/task-classes", {"told": [told]})


async def test_a_plan_of_somebody_else_is_not_there(suite: ByHand) -> None:
    suite.answers["GetTaskClass"] = NOT_FOUND
    for path in ("/task-classes/5",):
        assert led(await get(suite, path, PAGE)) == ("/task-classes", {"told": ["gone"]})
        assert led(await post(suite, path, data=FORM))[1] == {"told": ["gone"]}
    answer = await post(suite, "/task-classes/5/items/101/complete", data=KEY)
    assert led(answer)[1] == {"told": ["gone"]}


@pytest.mark.parametrize(("word", "told"), [("complete", "done"), ("reopen", "reopened")])
async def test_an_item_is_marked(suite: ByHand, word: str, told: str) -> None:
    path = f"/task-classes/5/items/102/{word}"
    answer = await post(suite, path, data=KEY)
    assert led(answer) == ("/task-classes/5", {"told": [told]})
    (asked,) = of(suite, pb.PutTaskClassRequest)
    assert asked.if_version == 7
    assert asked.request_id.startswith("k.102")
    assert [one.done for one in asked.task_class.items] == [False, word == "complete", False, False]


@pytest.mark.parametrize(("word", "told"), [("complete", "item_done"), ("reopen", "item_reopened")])
async def test_an_item_is_marked_at_its_block_and_the_week_is_shown_again(
    suite: ByHand, word: str, told: str
) -> None:
    fields = {**KEY, "date": "2026-12-01", "version": "3", "plan": "5", "item": "102"}
    answer = await post(suite, f"/week/events/21/{word}", data=fields)
    assert led(answer) == ("/week", {"date": ["2026-12-01"], "told": [told]})
    (asked,) = of(suite, pb.PutTaskClassRequest)
    assert (asked.task_class_id, asked.if_version) == (5, 7)
    assert [one.done for one in asked.task_class.items] == [False, word == "complete", False, False]
    assert of(suite, pb.CompleteTaskRequest) == []


async def test_an_item_whose_plan_is_gone_is_told_in_the_week(suite: ByHand) -> None:
    suite.answers["GetTaskClass"] = NOT_FOUND
    fields = {**KEY, "date": "2026-12-01", "plan": "5", "item": "102"}
    answer = await post(suite, "/week/events/21/complete", data=fields)
    assert led(answer)[1]["told"] == ["event_not_found"]


async def test_a_block_of_an_item_is_shown_with_its_plan(suite: ByHand) -> None:
    week = samples.week()
    block = next(one for one in week.events if one.event_id == 21)
    block.task_class_id, block.source.kind, block.source.id = 5, 2, 103
    suite.answers["GetWeek"] = week
    answer = await get(suite, "/week/events/21?date=2026-12-01", PAGE)
    assert f"计划「{plans.NAME}」第 3 / 4 项" in answer.text
    assert 'href="/task-classes/5"' in answer.text
    assert "下次试排再找地方" in answer.text
    assert of(suite, pb.GetTaskRequest) == []


async def test_an_item_that_is_not_there_changes_nothing(suite: ByHand) -> None:
    answer = await post(suite, "/task-classes/5/items/999/complete", data=KEY)
    assert led(answer) == ("/task-classes/5", {})
    assert of(suite, pb.PutTaskClassRequest) == []


async def test_a_plan_is_deleted_and_what_left_is_counted(suite: ByHand) -> None:
    answer = await post(suite, "/task-classes/5/delete", data=KEY)
    assert led(answer) == ("/task-classes", {"told": ["deleted"], "removed": ["1"]})


# The trial run


async def test_a_trial_run_shows_the_week_that_is_asked_for(suite: ByHand) -> None:
    answer = await get(suite, "/task-classes/build?class=5&class=5&week=3.14", PAGE)
    assert answer.status_code == 200
    (asked,) = of(suite, pb.RoughBuildRequest)
    assert list(asked.task_class_ids) == [5]
    (week,) = of(suite, pb.GetWeekRequest)
    assert week.week_of_semester.week == 14
    assert "第 13 周" in answer.text
    assert "4 项都有地方" in answer.text
    assert of(suite, pb.ApplyChangesRequest) == []


async def test_a_week_that_is_not_touched_shows_the_first_one(suite: ByHand) -> None:
    await get(suite, "/task-classes/build?class=5&week=3.2", PAGE)
    (week,) = of(suite, pb.GetWeekRequest)
    assert week.week_of_semester.week == 13


@pytest.mark.parametrize(
    ("query", "error", "told"),
    [
        ("", None, "none_chosen"),
        ("?class=0", None, "none_chosen"),
        ("?class=5", NOT_FOUND, "gone"),
        (
            "?class=5",
            refused(grpc.StatusCode.NOT_FOUND, "semester_not_found"),
            "no_semester",
        ),
    ],
)
async def test_a_trial_run_of_nothing_leads_to_the_list(
    suite: ByHand, query: str, error: RemoteError | None, told: str
) -> None:
    if error is not None:
        suite.answers["RoughBuild"] = error
    answer = await get(suite, f"/task-classes/build{query}", PAGE)
    assert led(answer) == ("/task-classes", {"told": [told]})


async def test_the_button_of_the_page_carries_the_plan_that_it_shows(suite: ByHand) -> None:
    page = Page.of((await get(suite, "/task-classes/build?class=5&class=14", PAGE)).text)
    (form,) = (one for one in page.forms if "plan" in one)
    asked = rough_plan.unpacked(form["plan"], "k")
    assert list(asked.changes) == list(plans.built().changes)
    assert (form["classes"], form["csrf_token"]) == ("5 14", "the-csrf-token")


async def test_a_plan_with_a_gap_has_no_button(suite: ByHand) -> None:
    suite.answers["RoughBuild"] = plans.built(plans.PLACEMENTS[:3], unplaced=[plans.unplaced()])
    answer = await get(suite, "/task-classes/build?class=5", PAGE)
    assert not any("plan" in one for one in Page.of(answer.text).forms)
    assert "空位不够" in answer.text


def confirmed(**more: str) -> dict[str, str]:
    plan = rough_plan.packed(plans.built())
    return {"plan": plan, "classes": "5 14", "idempotency_key": "k9", **more}


async def test_exactly_what_was_shown_is_written_once(suite: ByHand) -> None:
    answer = await post(suite, "/task-classes/build", data=confirmed())
    assert led(answer) == ("/task-classes", {"applied": ["k9"]})
    (asked,) = of(suite, pb.ApplyChangesRequest)
    assert asked.apply_id == "k9"
    assert list(asked.changes) == list(plans.built().changes)
    assert asked.base == plans.built().base
    assert of(suite, pb.RoughBuildRequest) == []


async def test_what_was_written_is_told_with_the_way_to_the_week(suite: ByHand) -> None:
    block = plans.block(1, samples.NOW, samples.NOW, samples.place(2, 3, 4))
    suite.answers["ListEvents"] = pb.ListEventsResponse(events=[block])
    answer = await get(suite, "/task-classes?applied=k9", PAGE)
    assert "已排入 1 项" in answer.text
    assert 'href="/week?date=2026-11-30"' in answer.text


async def test_a_refusal_leads_back_and_is_told_beside_a_new_trial_run(suite: ByHand) -> None:
    taken = samples.refusal(
        apply_pb2.REFUSAL_CODE_SLOT_CONFLICT, at=samples.place(2, 3, 3), name="班会"
    )
    verdict = plans.verdict(taken)
    suite.answers["ApplyChanges"] = pb.ApplyChangesResponse(verdict=verdict)
    suite.answers["GetApply"] = pb.GetApplyResponse(verdict=verdict)
    answer = await post(suite, "/task-classes/build", data=confirmed())
    path, query = led(answer)
    assert (path, query) == ("/task-classes/build", {"class": ["5", "14"], "refused": ["k9"]})
    page = await get(suite, answer.headers["location"], PAGE)
    assert "已有「班会」，放不下" in page.text
    assert "下面是按现在的日程重新试排的" in page.text


async def test_a_key_that_was_used_for_something_else_is_told(suite: ByHand) -> None:
    suite.answers["ApplyChanges"] = refused(
        grpc.StatusCode.ALREADY_EXISTS, "idempotency_conflict", apply_id="k9"
    )
    answer = await post(suite, "/task-classes/build", data=confirmed())
    page = await get(suite, answer.headers["location"], PAGE)
    assert "以先提交的为准" in page.text


async def test_an_attempt_that_nobody_knows_is_not_told(suite: ByHand) -> None:
    suite.answers["GetApply"] = refused(grpc.StatusCode.NOT_FOUND, "apply_not_found")
    page = await get(suite, "/task-classes/build?class=5&refused=k", PAGE)
    assert page.status_code == 200
    listed = await get(suite, "/task-classes?applied=k", PAGE)
    assert "已排入" not in listed.text


@pytest.mark.parametrize("fields", [confirmed(plan="x"), confirmed(idempotency_key="")])
async def test_a_plan_that_no_page_of_ours_carries_is_refused(
    suite: ByHand, fields: dict[str, str]
) -> None:
    answer = await post(suite, "/task-classes/build", data=fields)
    assert answer.status_code == 400
    assert of(suite, pb.ApplyChangesRequest) == []
