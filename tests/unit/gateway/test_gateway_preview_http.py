"""The routes of the preview page before services that answer by hand: places, edits, length."""

from collections.abc import Callable
from typing import Any

import grpc
import httpx2
import pytest
from google.protobuf.message import Message

from libs.rpc.errors import RemoteError
from services.gateway.clients.suite import Suite
from services.gateway.domain.visitor import Visitor
from smartmate.active_scheduler.v1 import active_scheduler_service_pb2 as active_pb2
from smartmate.active_scheduler.v1 import preview_pb2
from smartmate.schedule.v1 import calendar_pb2, schedule_service_pb2, task_pb2
from tests.unit.gateway import gateway_samples as samples
from tests.unit.gateway import room_samples
from tests.unit.gateway.gateway_served import PAGE, Served, bearer, served_by

PATH = "/active-schedule/previews/asp_0192f3"
SIGNED_IN = {"Authorization": bearer()["Authorization"]}
BROWSER = {**PAGE, **SIGNED_IN}
DUE = samples.stamp(samples.EXPIRES)
Answer = Message | RemoteError | Callable[[Any], Message | RemoteError]


class ByHand(Suite):
    """Services whose answers a test writes down; keeps what they were asked."""

    answers: dict[str, Answer]
    asked: list[Message]
    served: Served

    async def call(self, visitor: Visitor, method: Any, request: Any) -> Any:
        self.asked.append(request)
        found = self.answers[type(request).__name__.removesuffix("Request")]
        told = found(request) if callable(found) else found
        if isinstance(told, RemoteError):
            raise told
        return told


def refused(code: grpc.StatusCode, reason: str) -> RemoteError:
    return RemoteError(code, reason, "smartmate.active_scheduler")


def task(**more: Any) -> task_pb2.Task:
    return task_pb2.Task(
        task_id=1042,
        title="概率论大作业",
        quadrant=task_pb2.QUADRANT_IMPORTANT,
        deadline_time=DUE,
        version=77,
        **more,
    )


served = served_by(ByHand)


@pytest.fixture
def suite(served: Served) -> ByHand:
    """Services with a ready preview, and a task whose length nobody gave."""
    found = served.parts.suite
    assert isinstance(found, ByHand)
    found.served = served
    found.asked = []
    found.answers = {
        "GetPreview": samples.answer(samples.preview()),
        "CheckEdits": room_samples.room(),
        "ConfirmPreview": active_pb2.ConfirmPreviewResponse(apply_id="asa_1"),
        "RegeneratePreview": renewed(),
        "GetTask": schedule_service_pb2.GetTaskResponse(task=task()),
        "UpdateTask": schedule_service_pb2.UpdateTaskResponse(task=task()),
        "ListPreviews": active_pb2.ListPreviewsResponse(),
    }
    return found


def renewed() -> active_pb2.RegeneratePreviewResponse:
    made = active_pb2.RegeneratePreviewResponse()
    made.trigger.trigger_id = "ast_2"
    made.trigger.preview_id = "asp_2"
    return made


async def get(suite: ByHand, path: str, headers: dict[str, str]) -> httpx2.Response:
    async with suite.served.client() as client:
        return await client.get(path, headers=headers)


async def post(suite: ByHand, path: str, **how: Any) -> httpx2.Response:
    async with suite.served.client() as client:
        return await client.post(path, headers=how.pop("headers", BROWSER), **how)


def of(suite: ByHand, kind: type[Message]) -> list[Any]:
    return [one for one in suite.asked if isinstance(one, kind)]


@pytest.mark.parametrize("root", ["", "/api/v1"])
async def test_legal_cells_are_told_with_words(suite: ByHand, root: str) -> None:
    query = "candidate_id=add:1&change_id=c1&edits=c2@3.13.1.1-2"
    answer = await get(suite, f"{root}{PATH}/legal-cells?{query}", bearer())
    assert answer.status_code == 200
    told = answer.json()
    assert told["days"][1]["spots"][8]["words"]["why"] == "有课：羽毛球"
    assert told["days"][1]["spots"][8]["shut"]["code"] == "SHUT_CODE_COURSE"
    (asked,) = of(suite, active_pb2.CheckEditsRequest)
    assert (asked.preview_id, asked.candidate_id, asked.change_id) == ("asp_0192f3", "add:1", "c1")
    (other,) = asked.edited_changes
    assert (other.change_id, other.to) == ("c2", samples.place(1, 1, 2))


@pytest.mark.parametrize(
    ("query", "status"),
    [("", 400), ("candidate_id=a", 400), ("candidate_id=a&change_id=c1&edits=nonsense", 400)],
)
async def test_what_cannot_be_asked_is_refused(suite: ByHand, query: str, status: int) -> None:
    answer = await get(suite, f"/api/v1{PATH}/legal-cells?{query}", bearer())
    assert answer.status_code == status
    assert suite.asked == []


async def test_another_users_cells_are_not_found(suite: ByHand) -> None:
    suite.answers["CheckEdits"] = refused(grpc.StatusCode.NOT_FOUND, "preview_not_found")
    query = "candidate_id=a&change_id=c1"
    answer = await get(suite, f"/api/v1{PATH}/legal-cells?{query}", bearer())
    assert (answer.status_code, answer.json()["code"]) == (404, "preview_not_found")


async def test_the_description_tells_of_the_words(suite: ByHand) -> None:
    made = (await get(suite, "/openapi.json", {})).json()
    for root in ("", "/api/v1"):
        path = f"{root}/active-schedule/previews/{{preview_id}}"
        assert "get" in made["paths"][f"{path}/legal-cells"]
        assert "post" in made["paths"][f"{path}/estimate"]
    spot = made["components"]["schemas"]["EditSpot"]
    assert "words" in spot["properties"]
    assert "words" in spot["required"]


async def test_the_page_asks_once_where_the_block_may_go(suite: ByHand) -> None:
    answer = await get(suite, f"{PATH}?edits=c1@3.13.2.7-8", BROWSER)
    assert "确认，排到周二 7–8 节" not in answer.text  # who came with a token has no forms
    assert "你改过" in answer.text
    assert len(of(suite, active_pb2.CheckEditsRequest)) == 1


@pytest.mark.parametrize(
    "error",
    [
        refused(grpc.StatusCode.UNAVAILABLE, "unavailable"),
        refused(grpc.StatusCode.NOT_FOUND, "target_not_found"),
        refused(grpc.StatusCode.FAILED_PRECONDITION, "preview_expired"),
    ],
)
async def test_the_page_is_there_even_if_nobody_can_tell_where_it_may_go(
    suite: ByHand, error: RemoteError
) -> None:
    suite.answers["CheckEdits"] = error
    answer = await get(suite, PATH, BROWSER)
    assert answer.status_code == 200
    assert "概率论大作业" in answer.text


async def test_a_program_is_not_kept_waiting_for_what_the_page_needs(suite: ByHand) -> None:
    assert (await get(suite, PATH, bearer())).status_code == 200
    assert [type(one).__name__ for one in suite.asked] == ["GetPreviewRequest"]


async def test_a_superseded_page_leads_to_the_open_one_about_the_same(suite: ByHand) -> None:
    shown = samples.preview(preview_pb2.PREVIEW_STATE_SUPERSEDED)
    suite.answers["GetPreview"] = samples.answer(shown)
    other = preview_pb2.PreviewSummary(preview_id="asp_other")
    newer = preview_pb2.PreviewSummary(preview_id="asp_newer", target=shown.target)
    suite.answers["ListPreviews"] = active_pb2.ListPreviewsResponse(previews=[other, newer])
    answer = await get(suite, PATH, BROWSER)
    assert 'href="/active-schedule/previews/asp_newer"' in answer.text
    assert "asp_other" not in answer.text


async def test_a_block_that_was_written_elsewhere_is_shown_among_its_neighbours(
    suite: ByHand,
) -> None:
    shown = samples.preview(preview_pb2.PREVIEW_STATE_APPLIED, written=[samples.place(4, 3, 4)])
    suite.answers["GetPreview"] = samples.answer(shown)
    suite.answers["GetWeek"] = samples.week()
    answer = await get(suite, PATH, BROWSER)
    assert "周四" in answer.text
    assert answer.text.count("高等代数") >= 2
    suite.answers["GetWeek"] = refused(grpc.StatusCode.UNAVAILABLE, "unavailable")
    assert (await get(suite, PATH, BROWSER)).status_code == 200


async def test_the_form_of_the_page_sends_the_edited_place(suite: ByHand) -> None:
    form = {"candidate_id": "add:1", "action": "confirm", "edits": "c1@3.13.2.7-8"}
    answer = await post(suite, f"{PATH}/confirm", data={**form, "idempotency_key": "k"})
    assert answer.status_code == 303
    assert answer.headers["location"] == f"{PATH}?candidate=add%3A1&edits=c1%403.13.2.7-8"
    (asked,) = of(suite, active_pb2.ConfirmPreviewRequest)
    (change,) = asked.edited_changes
    assert (change.change_id, change.to) == ("c1", samples.place(2, 7, 8))
    assert asked.request_id == "k"


async def test_without_an_edit_nothing_is_edited(suite: ByHand) -> None:
    form = {"candidate_id": "add:1", "edits": "", "idempotency_key": "k"}
    await post(suite, f"{PATH}/confirm", data=form)
    (asked,) = of(suite, active_pb2.ConfirmPreviewRequest)
    assert not asked.edited_changes


async def test_an_edit_that_is_none_is_refused(suite: ByHand) -> None:
    form = {"candidate_id": "add:1", "edits": "c1@nowhere", "idempotency_key": "k"}
    assert (await post(suite, f"{PATH}/confirm", data=form)).status_code == 400
    assert not of(suite, active_pb2.ConfirmPreviewRequest)


async def test_a_length_is_kept_with_the_task_and_a_new_look_follows(suite: ByHand) -> None:
    form = {"sections": "3", "idempotency_key": "k"}
    answer = await post(suite, f"{PATH}/estimate", data=form)
    assert (answer.status_code, answer.headers["location"]) == (
        303,
        "/active-schedule/previews/asp_2",
    )
    (update,) = of(suite, schedule_service_pb2.UpdateTaskRequest)
    assert update.if_version == 77
    assert update.request_id == "k"
    wanted = schedule_service_pb2.TaskInput(
        title="概率论大作业",
        quadrant=task_pb2.QUADRANT_IMPORTANT,
        deadline_time=DUE,
        estimated_sections=3,
    )
    assert update.task == wanted
    (again,) = of(suite, active_pb2.RegeneratePreviewRequest)
    assert (again.request_id, again.preview_id) == ("k", "asp_0192f3")


async def test_a_length_that_stands_there_already_is_not_written_again(suite: ByHand) -> None:
    suite.answers["GetTask"] = schedule_service_pb2.GetTaskResponse(task=task(estimated_sections=3))
    await post(suite, f"{PATH}/estimate", data={"sections": "3", "idempotency_key": "k"})
    assert not of(suite, schedule_service_pb2.UpdateTaskRequest)
    assert of(suite, active_pb2.RegeneratePreviewRequest)


async def test_a_program_sets_the_length_as_json(suite: ByHand) -> None:
    answer = await post(
        suite,
        f"/api/v1{PATH}/estimate",
        json={"sections": 2},
        headers={**bearer(), "Idempotency-Key": "k"},
    )
    assert answer.status_code == 200
    assert answer.json()["trigger"]["preview_id"] == "asp_2"


@pytest.mark.parametrize("body", [{"sections": 0}, {"sections": 5}, {"sections": "2"}, {}])
async def test_a_length_that_no_task_can_have_is_refused(suite: ByHand, body: Any) -> None:
    headers = {**bearer(), "Idempotency-Key": "k"}
    answer = await post(suite, f"/api/v1{PATH}/estimate", json=body, headers=headers)
    assert answer.status_code == 400
    assert suite.asked == []


@pytest.mark.parametrize(
    ("call", "reason", "code", "words"),
    [
        ("UpdateTask", "version_mismatch", grpc.StatusCode.ABORTED, "任务刚刚在别处改过"),
        ("GetTask", "task_not_found", grpc.StatusCode.NOT_FOUND, "这件事已经不在了"),
    ],
)
async def test_what_stands_against_a_length_is_told_on_the_page(
    suite: ByHand, call: str, reason: str, code: grpc.StatusCode, words: str
) -> None:
    suite.answers[call] = refused(code, reason)
    answer = await post(suite, f"{PATH}/estimate", data={"sections": "3", "idempotency_key": "k"})
    assert answer.headers["location"] == f"{PATH}?told={reason}"
    assert words in (await get(suite, f"{PATH}?told={reason}", BROWSER)).text
    assert not of(suite, active_pb2.RegeneratePreviewRequest)


async def test_only_a_task_of_the_pool_has_a_length_to_set(suite: ByHand) -> None:
    shown = samples.preview()
    shown.target.kind = samples.reorder().changes[0].target.kind
    suite.answers["GetPreview"] = samples.answer(shown)
    answer = await post(suite, f"{PATH}/estimate", data={"sections": "3", "idempotency_key": "k"})
    assert answer.status_code == 404


async def test_the_list_is_there_without_the_schedule_service(suite: ByHand) -> None:
    summary = preview_pb2.PreviewSummary(
        preview_id="asp_1", target_title="概率论大作业", expire_time=DUE, generate_time=DUE
    )
    suite.answers["ListPreviews"] = active_pb2.ListPreviewsResponse(previews=[summary])
    suite.answers["GetSemester"] = refused(grpc.StatusCode.UNAVAILABLE, "unavailable")
    assert "概率论大作业" in (await get(suite, "/active-schedule/previews", BROWSER)).text
    zone = calendar_pb2.Semester(time_zone="America/New_York")
    suite.answers["GetSemester"] = schedule_service_pb2.GetSemesterResponse(semester=zone)
    assert (await get(suite, "/active-schedule/previews", BROWSER)).status_code == 200
