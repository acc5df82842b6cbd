"""The pages of study plans and changed days: whole, labelled, ours, in either language."""

import grpc
import pytest

from tests.unit.gateway import class_samples as plans
from tests.unit.gateway import gateway_samples as samples
from tests.unit.gateway.class_services import KEY, VISITOR, pb, prepared, refused
from tests.unit.gateway.gateway_served import PAGE, Served, served_by
from tests.unit.gateway.test_gateway_preview_http import ByHand, get, post
from tests.unit.gateway.test_gateway_rendering import GOES_TO, Page

HOSTILE = samples.HOSTILE
SHOWN = (
    "/task-classes?told=created&removed=1",
    "/task-classes?applied=k",
    "/task-classes/new",
    "/task-classes/5?told=saved&removed=2",
    "/task-classes/build?class=5",
    "/task-classes/build?class=5&week=3.14&refused=k",
    "/calendar?told=saved&pending=2",
)


served = served_by(ByHand)


@pytest.fixture
def suite(served: Served) -> ByHand:
    """Everything that people wrote is hostile."""
    found = prepared(served)
    made = plans.plan(name=HOSTILE)
    for item in made.items:
        item.content = HOSTILE
    made.items[0].done = True
    week = samples.week()
    for event in week.events:
        event.name = HOSTILE
    block = plans.block(1, samples.NOW, samples.NOW, samples.place(2, 3, 4))
    made.items[1].event_ids.append(1)
    found.answers |= {
        "ListTaskClasses": pb.ListTaskClassesResponse(task_classes=[made], next_page_token="5"),
        "GetTaskClass": pb.GetTaskClassResponse(task_class=made),
        "ListEvents": pb.ListEventsResponse(events=[block]),
        "GetWeek": week,
    }
    return found


async def shown(suite: ByHand, path: str, language: str) -> Page:
    joint = "&" if "?" in path else "?"
    answer = await get(suite, f"{path}{joint}lang={language}", PAGE)
    assert answer.status_code == 200
    return Page.of(answer.text)


def check(page: Page) -> None:
    """Nothing inline, ids once, labels for every field, one filled button."""
    names = [tag for tag, _ in page.tags]
    assert "style" not in names
    for tag, given in page.tags:
        assert "style" not in given
        assert not any(key.startswith("on") for key in given)
        if tag == "script":
            assert given["src"].startswith("/static/")
    ids = [given["id"] for _, given in page.tags if "id" in given]
    assert len(ids) == len(set(ids))
    assert names.count("h1") == names.count("main") == 1
    filled = [given for _, given in page.tags if "pri" in given.get("class", "").split()]
    assert len(filled) <= 1
    labelled = {given.get("for") for tag, given in page.tags if tag == "label"}
    for tag, given in page.tags:
        if tag not in ("input", "select", "textarea") or given.get("type") in ("hidden", "radio"):
            continue
        assert given.get("id") in labelled or given.get("aria-label")
        assert set(given.get("aria-describedby", "").split()) <= set(ids)
    forms = {given.get("id") for tag, given in page.tags if tag == "form"}
    assert {given["form"] for _, given in page.tags if "form" in given} <= forms


@pytest.mark.parametrize("language", ["zh-CN", "en"])
@pytest.mark.parametrize("path", SHOWN)
async def test_a_page_is_whole_and_says_where_one_is(
    suite: ByHand, path: str, language: str
) -> None:
    page = await shown(suite, path, language)
    check(page)
    here = {given["href"] for _, given in page.tags if given.get("aria-current") == "page"}
    assert here == {"/calendar" if path.startswith("/calendar") else "/task-classes"}


@pytest.mark.parametrize("path", SHOWN)
async def test_forms_that_change_something_prove_that_they_are_ours(
    suite: ByHand, path: str
) -> None:
    page = await shown(suite, path, "zh-CN")
    posted = [one for one in page.forms if one[GOES_TO] != "/task-classes/build" or "plan" in one]
    assert all(one["csrf_token"] == VISITOR.csrf for one in posted)
    keys = [one["idempotency_key"] for one in posted if one[GOES_TO] != "/sign-out"]
    assert len(keys) == len(set(keys))


@pytest.mark.parametrize("path", SHOWN)
async def test_an_english_page_speaks_no_chinese_of_its_own(suite: ByHand, path: str) -> None:
    page = await shown(suite, path, "en")
    words = page.text.replace("中文", "").replace("林同学", "").replace("林", "")
    for name in (plans.NAME, *plans.CONTENTS):
        words = words.replace(name, "")
    assert not any("\u4e00" <= letter <= "\u9fff" for letter in words)


@pytest.mark.parametrize("path", [path for path in SHOWN if "class" in path and "new" not in path])
async def test_what_people_wrote_is_data(suite: ByHand, path: str) -> None:
    page = await shown(suite, path, "zh-CN")
    assert HOSTILE in page.text
    assert not any(tag == "script" and "src" not in given for tag, given in page.tags)


@pytest.mark.parametrize("language", ["zh-CN", "en"])
async def test_pages_of_what_went_wrong_are_whole_too(suite: ByHand, language: str) -> None:
    suite.answers["RoughBuild"] = plans.built(
        plans.PLACEMENTS[:2], unplaced=[plans.unplaced(content=HOSTILE)]
    )
    suite.answers["PutCalendarOverride"] = refused(
        grpc.StatusCode.FAILED_PRECONDITION, "calendar_collision", event_ids="23", event_count="3"
    )
    check(await shown(suite, "/task-classes/build?class=5", language))
    wrong = {"name": "", "lines": "", "total": "x", "mode": "x", "day-1": "yes", **KEY}
    for path, fields in (
        ("/task-classes/new", wrong),
        ("/task-classes/5", wrong),
        ("/calendar", {"date": "2026-12-02", **KEY}),
        ("/calendar", {"date": "2026-12-02", "kind": "runs", "week": "x", "day": "9", **KEY}),
    ):
        answer = await post(suite, f"{path}?lang={language}", data=fields)
        assert answer.status_code in (400, 409)
        check(Page.of(answer.text))


async def test_with_nothing_yet_the_first_step_is_offered(suite: ByHand) -> None:
    suite.answers["ListTaskClasses"] = pb.ListTaskClassesResponse()
    page = await shown(suite, "/task-classes", "zh-CN")
    check(page)
    assert "写第一个计划" in page.text
