"""The pages about what was not finished: whole, without inline style, in two languages."""

from collections.abc import Callable, Mapping
from typing import Any
from zoneinfo import ZoneInfo

import pytest

from services.gateway.domain.locale import Locale
from services.gateway.domain.visitor import Visitor
from services.gateway.web.rendering import Renderer
from services.gateway.wire import look_page, trace_list, trace_page
from services.gateway.wire.preview_page import Builder
from smartmate.active_scheduler.v1 import preview_pb2, trigger_pb2
from smartmate.schedule.v1 import change_pb2
from tests.unit.gateway import feedback_samples as feedback
from tests.unit.gateway import gateway_samples as samples
from tests.unit.gateway.test_gateway_rendering import FRAME, PATH, Page
from tests.unit.gateway.test_gateway_trace import LOOKER, WAY, listed, traced

ZONE = ZoneInfo("Asia/Shanghai")
HOSTILE = samples.HOSTILE
SUPERSEDED = preview_pb2.PREVIEW_STATE_SUPERSEDED
FAILED = trigger_pb2.TRIGGER_STATE_FAILED
POOL = change_pb2.Target(kind=change_pb2.TARGET_KIND_TASK_POOL, id=1042)
Made = tuple[str, dict[str, Any]]


def suggestion(shown: preview_pb2.Preview, **how: Any) -> Callable[[Locale], Made]:
    def made(locale: Locale) -> Made:
        page = Builder(locale, samples.answer(shown), **how).page()
        return "preview.html", {"page": page, "path": PATH}

    return made


def look(record: trigger_pb2.TriggerRecord) -> Callable[[Locale], Made]:
    return lambda locale: ("look.html", {"page": look_page.build(locale, record)})


def way(record: trigger_pb2.TriggerRecord | None, *steps: Any) -> Callable[[Locale], Made]:
    target = None if record else POOL

    def made(locale: Locale) -> Made:
        page = trace_page.build(locale, traced(*steps, record=record), ZONE, target)
        return "trace.html", {"page": page, "visitor": LOOKER}

    return made


def triggers(*records: trigger_pb2.TriggerRecord) -> Callable[[Locale], Made]:
    def made(locale: Locale) -> Made:
        values = {
            "lines": trace_list.build(locale, listed(*records), ZONE),
            "states": trace_list.states(locale),
            "state": "closed",
            "user": 7,
            "more": "?before=x" if records else "",
            "first": "/trace" if records else "",
            "kinds": ("task_pool", "task_item", "schedule_event"),
            "visitor": LOOKER,
        }
        return "trace_list.html", values

    return made


def with_wishes() -> preview_pb2.Preview:
    candidate = feedback.of_kind(preview_pb2.CANDIDATE_TYPE_LOCAL_REORDER_MAKEUP)
    candidate.preferences_met.append(samples.text(HOSTILE, HOSTILE))
    candidate.preferences_unmet.append(samples.text(HOSTILE, HOSTILE))
    made = samples.preview(offered=[candidate], warnings=())
    made.words = HOSTILE
    return made


ANSWERED = feedback.asking(feedback.delay_end(answered="no"))
PAGES: Mapping[str, Callable[[Locale], Made]] = {
    "asks": suggestion(feedback.asking(feedback.delay_end(), words=HOSTILE)),
    "asks_which": suggestion(feedback.asking(feedback.which_block(choices=5), located=False)),
    "asks_in_words": suggestion(feedback.asking(feedback.which_block(), located=False)),
    "answered": suggestion(ANSWERED, look=feedback.look()),
    "answered_found": suggestion(ANSWERED, look=feedback.found()),
    "answered_closed": suggestion(ANSWERED, look=feedback.closed()),
    "replaced": suggestion(
        feedback.asking(feedback.which_block(words=HOSTILE), SUPERSEDED),
        look=feedback.found(),
        newer=feedback.NEWER,
    ),
    "reorder": suggestion(with_wishes()),
    "ways": suggestion(
        samples.preview(offered=[feedback.in_parts(), feedback.dropped()], warnings=())
    ),
    "look": look(feedback.look(words=HOSTILE)),
    "look_closed": look(feedback.closed()),
    "look_failed": look(feedback.look(FAILED, reason="pipeline_failed", words=HOSTILE)),
    "trace": way(feedback.look(words=HOSTILE), *WAY),
    "trace_hostile": way(feedback.look(), (HOSTILE, 0.0, HOSTILE, HOSTILE)),
    "trace_target": way(None, ("job.pending", 0.0, "1042", "quiet_hours")),
    "trace_nothing": way(None),
    "triggers": triggers(feedback.look(words=HOSTILE), feedback.found(), feedback.closed()),
    "triggers_none": triggers(),
}
OF_PEOPLE = ("asks", "replaced", "reorder", "look", "look_failed", "trace", "triggers")


@pytest.fixture(scope="module")
def renderer() -> Renderer:
    return Renderer()


def text_of(renderer: Renderer, name: str, locale: Locale, **more: Any) -> str:
    template, values = PAGES[name](locale)
    return renderer.render(template, locale, **{**FRAME, **values, **more})


@pytest.mark.parametrize("locale", Locale)
@pytest.mark.parametrize("name", PAGES)
def test_a_page_is_well_formed_and_keeps_to_the_policy(
    renderer: Renderer, name: str, locale: Locale
) -> None:
    page = Page.of(text_of(renderer, name, locale))
    names = [tag for tag, _ in page.tags]
    assert "style" not in names
    assert names.count("h1") == names.count("main") == 1
    for tag, given in page.tags:
        assert "style" not in given
        assert not any(key.startswith("on") for key in given)
        if tag == "script":
            assert given["src"].startswith("/static/")
    ids = [given["id"] for _, given in page.tags if "id" in given]
    assert len(ids) == len(set(ids))
    filled = [given for _, given in page.tags if "pri" in given.get("class", "").split()]
    assert len(filled) <= 1


@pytest.mark.parametrize("locale", Locale)
@pytest.mark.parametrize("name", OF_PEOPLE)
def test_what_people_wrote_is_quoted_as_it_is_and_nothing_more(
    renderer: Renderer, name: str, locale: Locale
) -> None:
    text = text_of(renderer, name, locale)
    assert HOSTILE in Page.of(text).text
    assert "<script>alert" not in text


@pytest.mark.parametrize("name", PAGES)
def test_every_changing_form_proves_that_it_is_ours_and_names_its_attempt(
    renderer: Renderer, name: str
) -> None:
    page = Page.of(text_of(renderer, name, Locale.ZH))
    posts = [given for tag, given in page.tags if tag == "form" and given.get("method") == "post"]
    changing = [one for one in page.forms if "csrf_token" in one]
    assert len(changing) == len(posts)
    assert all(one["csrf_token"] for one in changing)
    others = [one for one in changing if one["@action"] != "/sign-out"]
    assert all(one["idempotency_key"] for one in others)


@pytest.mark.parametrize("name", PAGES)
def test_who_came_with_a_bearer_token_is_shown_nothing_to_change(
    renderer: Renderer, name: str
) -> None:
    stranger = Visitor(7, "", frozenset(), None)
    page = Page.of(text_of(renderer, name, Locale.ZH, visitor=stranger))
    assert not [given for tag, given in page.tags if given.get("method") == "post"]


@pytest.mark.parametrize("name", ["look_closed", "trace_target", "trace_nothing", "triggers_none"])
def test_an_english_page_speaks_english(renderer: Renderer, name: str) -> None:
    text = Page.of(text_of(renderer, name, Locale.EN, visitor=None)).text.replace("中文", "")
    assert not [letter for letter in text if "\u4e00" <= letter <= "\u9fff"]
