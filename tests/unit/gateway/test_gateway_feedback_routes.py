"""Telling that something was not finished, waiting for what comes of it, and answering."""

from typing import Any

import grpc
import httpx2
import pytest

from services.gateway.web import access, looks
from smartmate.active_scheduler.v1 import active_scheduler_service_pb2 as active_pb2
from smartmate.active_scheduler.v1 import preview_pb2, trigger_pb2
from smartmate.schedule.v1 import change_pb2, schedule_service_pb2
from tests.unit.gateway import feedback_samples as feedback
from tests.unit.gateway import gateway_samples as samples
from tests.unit.gateway import page_samples
from tests.unit.gateway.class_services import VISITOR, led
from tests.unit.gateway.gateway_served import DATA, PAGE, Served, bearer, served_by
from tests.unit.gateway.test_gateway_preview_http import ByHand, get, of, post, refused

PREVIEW = "/active-schedule/previews/asp_0192f3"
TELL = "/active-schedule/feedback"
LOOK = "/active-schedule/looks/ast_77"
NEWER = "/active-schedule/previews/asp_newer"
KEY = {"idempotency_key": "k"}
EVENT = {"date": "2026-11-30", "version": "5", "task": "7", **KEY}


served = served_by(ByHand)


@pytest.fixture
def suite(served: Served, monkeypatch: pytest.MonkeyPatch) -> ByHand:
    """Services that answer at once; the student is signed in by a browser."""
    monkeypatch.setattr(looks, "LOOKS_SECONDS", (0, 0))
    found = served.parts.suite
    assert isinstance(found, ByHand)
    served.app.dependency_overrides[access.signed_in] = lambda: VISITOR
    found.served, found.asked = served, []
    found.answers = {
        "SubmitFeedback": active_pb2.SubmitFeedbackResponse(trigger=feedback.look()),
        "GetTrigger": active_pb2.GetTriggerResponse(trigger=feedback.found()),
        "AnswerQuestion": active_pb2.AnswerQuestionResponse(trigger=feedback.look()),
        "GetPreview": samples.answer(feedback.asking(feedback.delay_end())),
        "ListPreviews": active_pb2.ListPreviewsResponse(),
        "GetWeek": samples.week(),
    }
    return found


def trigger(record: trigger_pb2.TriggerRecord) -> active_pb2.GetTriggerResponse:
    return active_pb2.GetTriggerResponse(trigger=record)


async def program(suite: ByHand, path: str, body: Any, key: str = "k") -> httpx2.Response:
    headers = {**bearer(), "Idempotency-Key": key}
    return await post(suite, path, json=body, headers=headers)


async def test_a_block_that_was_not_finished_leads_to_the_suggestion(suite: ByHand) -> None:
    answer = await post(suite, "/week/events/4/unfinished", data=EVENT, headers=PAGE)
    assert led(answer)[0] == NEWER
    (asked,) = of(suite, active_pb2.SubmitFeedbackRequest)
    assert asked.request_id == "k"
    assert asked.feedback_id == ""
    assert asked.target == change_pb2.Target(kind=change_pb2.TARGET_KIND_SCHEDULE_EVENT, id=4)


async def test_a_look_that_takes_its_time_is_waited_for_on_a_page(suite: ByHand) -> None:
    suite.answers["GetTrigger"] = trigger(feedback.look(words="刚才那个没做完"))
    answer = await post(suite, "/week/events/4/unfinished", data=EVENT, headers=PAGE)
    assert led(answer)[0] == LOOK
    waiting = (await get(suite, LOOK, PAGE)).text
    assert "助手正在看" in waiting
    assert "刚才那个没做完" in waiting
    assert 'data-look="/api/v1/active-schedule/triggers/ast_77"' in waiting
    assert '<noscript><meta http-equiv="refresh"' in waiting

    suite.answers["GetTrigger"] = trigger(feedback.found())
    assert led(await get(suite, LOOK, PAGE))[0] == NEWER


@pytest.mark.parametrize(
    ("record", "words"),
    [
        (feedback.closed("makeup_scheduled"), "补做已经排上了"),
        (feedback.closed("target_completed"), "它已经标记完成，不用补"),
        (feedback.closed("superseded"), "同一件事有了更新的建议"),
        (feedback.closed("a_reason_from_tomorrow"), "看过了，暂时没有需要动的"),
        (feedback.look(trigger_pb2.TRIGGER_STATE_FAILED, reason="pipeline_failed"), "这次没看成"),
        (feedback.look(trigger_pb2.TRIGGER_STATE_REJECTED, reason="target_not_found"), "已经不在"),
        (feedback.look(trigger_pb2.TRIGGER_STATE_REJECTED), "没有对上日程里的任务"),
        (feedback.look(trigger_pb2.TRIGGER_STATE_SKIPPED, reason="x"), "这次没有看"),
    ],
)
async def test_a_look_that_found_nothing_to_do_says_so_plainly(
    suite: ByHand, record: trigger_pb2.TriggerRecord, words: str
) -> None:
    suite.answers["GetTrigger"] = trigger(record)
    shown = (await get(suite, LOOK, PAGE)).text
    assert words in shown
    assert "data-look" not in shown
    assert "http-equiv" not in shown
    assert 'href="/week"' in shown


async def test_words_alone_are_told_from_the_week(suite: ByHand) -> None:
    page = (await get(suite, "/week", PAGE)).text
    assert f'action="{TELL}"' in page
    form = {"text": " 刚才那个没做完 ", "date": "2026-11-30", **KEY}
    assert led(await post(suite, TELL, data=form, headers=PAGE))[0] == NEWER
    (asked,) = of(suite, active_pb2.SubmitFeedbackRequest)
    assert (asked.text, asked.HasField("target")) == ("刚才那个没做完", False)


@pytest.mark.parametrize(
    ("text", "told", "words"),
    [
        ("", "feedback_empty", "先写一句"),
        ("  ", "feedback_empty", "先写一句"),
        ("字" * 501, "feedback_long", "最多 500 个字"),
    ],
)
async def test_words_that_are_none_or_too_many_are_told_on_the_week(
    suite: ByHand, text: str, told: str, words: str
) -> None:
    form = {"text": text, "date": "2026-11-30", **KEY}
    path, query = led(await post(suite, TELL, data=form, headers=PAGE))
    assert (path, query) == ("/week", {"date": ["2026-11-30"], "told": [told]})
    assert words in (await get(suite, f"/week?told={told}", PAGE)).text
    assert not of(suite, active_pb2.SubmitFeedbackRequest)


@pytest.mark.parametrize("root", ["", "/api/v1"])
async def test_a_program_tells_it_as_json(suite: ByHand, root: str) -> None:
    body = {
        "target": {"kind": "TARGET_KIND_TASK_ITEM", "id": 9},
        "text": "做不完",
        "feedback_id": "f-1",
    }
    answer = await program(suite, f"{root}{TELL}", body)
    assert answer.status_code == 200
    assert answer.json()["trigger"]["trigger_id"] == "ast_77"
    (asked,) = of(suite, active_pb2.SubmitFeedbackRequest)
    target = change_pb2.Target(kind=change_pb2.TARGET_KIND_TASK_ITEM, id=9)
    assert asked == active_pb2.SubmitFeedbackRequest(
        request_id="k", feedback_id="f-1", target=target, text="做不完"
    )


@pytest.mark.parametrize(
    "body",
    [
        {"text": "字" * 501},
        {"feedback_id": "x" * 65},
        {"target": {"kind": "TARGET_KIND_SCHEDULE_EVENT", "id": 0}},
        {"target": {"kind": "TARGET_KIND_NOBODY", "id": 1}},
        {"words": "x"},
        {"text": "x", "idempotency_key": "another"},
    ],
)
async def test_what_no_feedback_is_like_is_refused(suite: ByHand, body: Any) -> None:
    answer = await program(suite, f"/api/v1{TELL}", body)
    assert answer.status_code == 400
    assert answer.headers["content-type"] == "application/problem+json"
    assert suite.asked == []


async def test_a_kind_that_cannot_be_looked_at_is_a_problem(suite: ByHand) -> None:
    code = grpc.StatusCode.FAILED_PRECONDITION
    suite.answers["SubmitFeedback"] = refused(code, "unsupported_target")
    body = {"target": {"kind": "TARGET_KIND_TASK_POOL", "id": 1}}
    answer = await program(suite, f"/api/v1{TELL}", body)
    assert (answer.status_code, answer.json()["code"]) == (409, "unsupported_target")


async def test_a_block_that_is_gone_is_told_on_the_week(suite: ByHand) -> None:
    suite.answers["SubmitFeedback"] = refused(grpc.StatusCode.NOT_FOUND, "target_not_found")
    answer = await post(suite, "/week/events/4/unfinished", data=EVENT, headers=PAGE)
    assert led(answer) == ("/week", {"date": ["2026-11-30"], "told": ["event_not_found"]})


async def test_the_page_of_a_block_of_work_offers_it(suite: ByHand) -> None:
    events = samples.week_events()
    for event in events:
        event.start_time.CopyFrom(samples.stamp(samples.NOW))
        if event.event_id == 23:
            event.source.kind, event.source.id = change_pb2.TARGET_KIND_TASK_POOL, 1042
    suite.answers["GetWeek"] = samples.week(events=events)
    suite.answers["GetTask"] = refused(grpc.StatusCode.NOT_FOUND, "task_not_found")
    block = (await get(suite, "/week/events/23?date=2026-12-02", PAGE)).text
    assert 'formaction="/week/events/23/unfinished"' in block
    assert "没做完，要补" in block
    course = (await get(suite, "/week/events/22?date=2026-12-02", PAGE)).text
    assert "unfinished" not in course


async def test_what_is_marked_done_is_not_offered_to_be_made_up(suite: ByHand) -> None:
    events = samples.week_events()
    for event in events:
        event.source.kind, event.source.id = change_pb2.TARGET_KIND_TASK_POOL, 1042
    suite.answers["GetWeek"] = samples.week(events=events)
    done = page_samples.task(1042, done=samples.NOW)
    suite.answers["GetTask"] = schedule_service_pb2.GetTaskResponse(task=done)
    block = (await get(suite, "/week/events/23?date=2026-12-02", PAGE)).text
    assert "unfinished" not in block


@pytest.mark.parametrize("id_", ["asp_1", "x", "ast_", "ast_a.b", "ast_" + "x" * 81])
async def test_what_no_look_is_called_is_not_found(suite: ByHand, id_: str) -> None:
    answer = await get(suite, f"/active-schedule/looks/{id_}", PAGE)
    assert answer.status_code == 404
    assert suite.asked == []


async def test_another_persons_look_is_not_found(suite: ByHand) -> None:
    suite.answers["GetTrigger"] = refused(grpc.StatusCode.NOT_FOUND, "trigger_not_found")
    assert (await get(suite, LOOK, PAGE)).status_code == 404


async def test_an_answer_leads_to_the_new_suggestion(suite: ByHand) -> None:
    answer = await post(suite, f"{PREVIEW}/answer", data={"choice_id": "no", **KEY}, headers=PAGE)
    assert led(answer)[0] == NEWER
    (asked,) = of(suite, active_pb2.AnswerQuestionRequest)
    assert asked == active_pb2.AnswerQuestionRequest(
        request_id="k", preview_id="asp_0192f3", choice_id="no"
    )


async def test_an_answer_in_words_is_sent_without_what_stands_around_it(suite: ByHand) -> None:
    await post(suite, f"{PREVIEW}/answer", data={"text": " 第三章 ", **KEY}, headers=PAGE)
    (asked,) = of(suite, active_pb2.AnswerQuestionRequest)
    assert (asked.choice_id, asked.text) == ("", "第三章")


async def test_the_first_answer_wins_and_later_ones_see_it(suite: ByHand) -> None:
    suite.answers["AnswerQuestion"] = active_pb2.AnswerQuestionResponse(already_answered=True)
    shown = feedback.asking(feedback.delay_end(answered="yes"))
    suite.answers["GetPreview"] = samples.answer(shown)
    suite.answers["GetTrigger"] = trigger(feedback.look())
    answer = await post(suite, f"{PREVIEW}/answer", data={"choice_id": "no", **KEY}, headers=PAGE)
    assert led(answer) == (PREVIEW, {"told": ["already_answered"]})
    page = (await get(suite, f"{PREVIEW}?told=already_answered", PAGE)).text
    assert "已经答过了，以先答的为准：可以晚一点" in page


@pytest.mark.parametrize(
    ("form", "told"),
    [({}, "answer_empty"), ({"text": " "}, "answer_empty"), ({"text": "字" * 501}, "answer_long")],
)
async def test_an_answer_that_is_none_is_told_on_the_page(
    suite: ByHand, form: dict[str, str], told: str
) -> None:
    answer = await post(suite, f"{PREVIEW}/answer", data={**form, **KEY}, headers=PAGE)
    assert led(answer) == (PREVIEW, {"told": [told]})
    assert not of(suite, active_pb2.AnswerQuestionRequest)


@pytest.mark.parametrize("reason", ["no_question", "answer_not_offered", "preview_expired"])
async def test_what_stands_against_an_answer_is_told_on_the_page_and_to_a_program(
    suite: ByHand, reason: str
) -> None:
    error = refused(grpc.StatusCode.FAILED_PRECONDITION, reason)
    suite.answers["AnswerQuestion"] = error
    answer = await post(suite, f"{PREVIEW}/answer", data={"choice_id": "x", **KEY}, headers=PAGE)
    assert led(answer) == (PREVIEW, {"told": [reason]})
    told = await program(suite, f"/api/v1{PREVIEW}/answer", {"choice_id": "x"})
    assert (told.status_code, told.json()["code"]) == (409, reason)


@pytest.mark.parametrize("root", ["", "/api/v1"])
async def test_a_program_answers_as_json(suite: ByHand, root: str) -> None:
    answer = await program(suite, f"{root}{PREVIEW}/answer", {"choice_id": "yes", "text": "周三"})
    assert answer.status_code == 200
    assert answer.json()["trigger"]["trigger_id"] == "ast_77"
    (asked,) = of(suite, active_pb2.AnswerQuestionRequest)
    assert (asked.choice_id, asked.text) == ("yes", "周三")


@pytest.mark.parametrize("path", [TELL, f"{PREVIEW}/answer"])
async def test_a_change_without_a_key_is_refused(suite: ByHand, path: str) -> None:
    answer = await post(suite, f"/api/v1{path}", json={"text": "x"}, headers=bearer())
    assert (answer.status_code, answer.json()["code"]) == (400, "idempotency_key_missing")


async def test_the_old_page_leads_to_what_its_answer_led_to(suite: ByHand) -> None:
    shown = feedback.asking(
        feedback.which_block(choices=2), preview_pb2.PREVIEW_STATE_SUPERSEDED, located=False
    )
    shown.question.CopyFrom(feedback.which_block(choices=2, words="第二个"))
    suite.answers["GetPreview"] = samples.answer(shown)
    page = (await get(suite, PREVIEW, PAGE)).text
    assert f'href="{NEWER}"' in page
    assert "同一件事有了更新的建议" in page


async def test_a_question_about_nothing_known_is_not_matched_with_others(suite: ByHand) -> None:
    shown = feedback.asking(
        feedback.which_block(choices=2), preview_pb2.PREVIEW_STATE_SUPERSEDED, located=False
    )
    other = preview_pb2.PreviewSummary(preview_id="asp_other")
    suite.answers["GetPreview"] = samples.answer(shown)
    suite.answers["ListPreviews"] = active_pb2.ListPreviewsResponse(previews=[other])
    assert "asp_other" not in (await get(suite, PREVIEW, PAGE)).text


async def test_the_list_says_what_asks_and_what_is_answered(suite: ByHand) -> None:
    asks = preview_pb2.DECISION_ACTION_ASK_USER
    until = samples.stamp(samples.EXPIRES)
    suite.answers["ListPreviews"] = active_pb2.ListPreviewsResponse(
        previews=[
            preview_pb2.PreviewSummary(preview_id="asp_1", action=asks, expire_time=until),
            preview_pb2.PreviewSummary(
                preview_id="asp_2", action=asks, is_answered=True, expire_time=until
            ),
        ]
    )
    suite.answers["GetSemester"] = schedule_service_pb2.GetSemesterResponse(
        semester=samples.semester()
    )
    page = (await get(suite, "/active-schedule/previews", PAGE)).text
    assert page.count("等你回答") == 1
    assert page.count("已回答，助手正在再看一遍") == 1
    data = await get(suite, "/active-schedule/previews", DATA)
    assert [one["preview_id"] for one in data.json()["previews"]] == ["asp_1", "asp_2"]


async def test_the_description_tells_of_feedback_and_answers(suite: ByHand) -> None:
    made = (await get(suite, "/openapi.json", {})).json()
    for root in ("", "/api/v1"):
        for path in (TELL, "/active-schedule/previews/{preview_id}/answer"):
            operation = made["paths"][f"{root}{path}"]["post"]
            assert operation["summary"]
            assert operation["description"]
    question = made["components"]["schemas"]["Preview"]["properties"]["question"]
    assert question == {"$ref": "#/components/schemas/Question"}


async def test_an_answered_page_is_there_even_if_nobody_can_tell_of_its_look(
    suite: ByHand,
) -> None:
    shown = feedback.asking(feedback.delay_end(answered="no"))
    suite.answers["GetPreview"] = samples.answer(shown)
    suite.answers["GetTrigger"] = refused(grpc.StatusCode.UNAVAILABLE, "unavailable")
    answer = await get(suite, PREVIEW, PAGE)
    assert answer.status_code == 200
    assert "已回答：不能晚" in answer.text
