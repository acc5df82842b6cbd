"""The pages beside the suggestion's: whole, without inline style or script, escaped, ours."""

from collections.abc import Callable, Mapping
from typing import Any
from zoneinfo import ZoneInfo

import pytest

from services.gateway.domain.locale import Locale
from services.gateway.domain.visitor import Visitor
from services.gateway.web.rendering import Renderer
from services.gateway.wire import (
    channel_form,
    channels_page,
    event_page,
    personal_form,
    semester_form,
    semester_words,
    task_form,
    tasks_page,
)
from services.gateway.wire.channel_form import ChannelForm
from services.gateway.wire.event_page import Source
from services.gateway.wire.task_form import TaskForm
from services.gateway.wire.tasks_page import Pool
from services.gateway.wire.told import Told, told
from smartmate.notification.v1 import record_pb2
from tests.unit.gateway import class_samples as plans
from tests.unit.gateway import gateway_samples as samples
from tests.unit.gateway import page_samples as pages
from tests.unit.gateway.test_gateway_rendering import FRAME, GOES_TO, VISITOR, Page

ZONE = ZoneInfo("Asia/Shanghai")
NOW = samples.NOW
HOSTILE = samples.HOSTILE
STRANGER = Visitor(7, HOSTILE, frozenset(), None)
SECRET = "never-shown-42"
URL = "https://open.feishu.cn/open-apis/bot/v2/hook/0123456789abcdef"


def tasks(locale: Locale, *, problems: Mapping[str, str] | None = None) -> dict[str, Any]:
    speaker = tasks_page.Speaker(locale, ZONE, NOW)
    pool = Pool(
        open=[pages.task(1, HOSTILE, due=NOW), pages.task(2), pages.task(3, quadrant=1)],
        completed=[pages.task(4, "社团报名表", done=NOW)],
        events=[pages.block(9, 2, NOW + pages.HOURS)],
        more_completed="7",
    )
    return {
        "page": speaker.build(pool),
        "shown": task_form.Shown(TaskForm(title=HOSTILE), problems or {}),
        "told": told(locale, "tasks", "done"),
        "about": 4,
        "told_code": "done",
        "opened": True,
    }


def task(locale: Locale, *, changed: bool = False, done: bool = False) -> dict[str, Any]:
    speaker = tasks_page.Speaker(locale, ZONE, NOW)
    made = pages.task(1, HOSTILE, done=NOW if done else None)
    return {
        "line": speaker.line(made, {}),
        "shown": task_form.Shown(task_form.of_task(made, ZONE), {}),
        "changed": changed,
        "zone": ZONE.key,
        "told": None,
    }


def event(
    locale: Locale, event_id: int, *, work: bool = False, item: bool = False
) -> dict[str, Any]:
    answer = samples.week()
    for one in answer.events:
        one.course_id = one.event_id
        one.name = HOSTILE
        one.start_time.CopyFrom(samples.stamp(NOW + pages.HOURS))
    found = event_page.find(answer, event_id)
    assert found is not None
    source = Source(pages.task(1042, HOSTILE) if work else None)
    if item:
        found.task_class_id, found.source.kind, found.source.id = 5, 2, 103
        source = Source(plan=plans.plan(name=HOSTILE))
    return {
        "page": event_page.build(locale, answer, found, source),
        "told": told(locale, "week", "opened"),
    }


def channels(locale: Locale, *, empty: bool = False) -> dict[str, Any]:
    speaker = channels_page.Speaker(locale, ZONE, NOW)
    listed = pages.listed() if empty else pages.listed(pages.bot(1, HOSTILE), pages.bot(2))
    states = [record_pb2.RecordState.Value(name) for name in record_pb2.RecordState.keys()[1:]]
    records = pages.records(*(pages.record(state, advice=True) for state in states))
    return {
        "page": speaker.build(listed, pages.records() if empty else records),
        "told": Told("warn", "warn", HOSTILE, HOSTILE),
        "is_later": False,
    }


def channel(*, stored: bool, console: bool = False) -> dict[str, Any]:
    kind = channel_form.CONSOLE if console else channel_form.BOT
    form = ChannelForm(type=kind, name=HOSTILE, webhook_url=URL, secret=SECRET)
    return {
        "shown": channel_form.Shown(
            form, {"name": "x", "webhook_url": "y"}, pages.bot(1, HOSTILE) if stored else None
        )
    }


def settings(locale: Locale, *, stored: bool, problems: bool = False) -> dict[str, Any]:
    wrong = {"first_date": "a", "clock": "b", "zone": "c"} if problems else {}
    form = semester_form.of_semester(samples.semester()) if stored else semester_form.new()
    facts = tuple(semester_words.facts(locale, samples.semester(), NOW))
    return {
        "semester": semester_form.Shown(form, wrong),
        "facts": facts if stored else (),
        "has_semester": stored,
        "is_new": not stored,
        "personal": personal_form.Shown(
            personal_form.of_settings(pages.settings((1350, 420))),
            {"quiet": "d"} if problems else {},
        ),
        "told": None,
        "zones": ("Asia/Shanghai",),
    }


CASES: Mapping[str, tuple[str, Callable[[Locale], dict[str, Any]]]] = {
    "tasks": ("tasks.html", tasks),
    "tasks_problems": (
        "tasks.html",
        lambda at: tasks(at, problems={"title": HOSTILE, "threshold": "x"}),
    ),
    "task": ("task.html", task),
    "task_changed": ("task.html", lambda at: task(at, changed=True)),
    "task_done": ("task.html", lambda at: task(at, done=True)),
    "meeting": ("event.html", lambda at: event(at, 6)),
    "block": ("event.html", lambda at: event(at, 23, work=True)),
    "guest": ("event.html", lambda at: event(at, 21)),
    "item": ("event.html", lambda at: event(at, 21, item=True)),
    "channels": ("channels.html", channels),
    "channels_empty": ("channels.html", lambda at: channels(at, empty=True)),
    "channel_new": ("channel.html", lambda at: channel(stored=False)),
    "channel_stored": ("channel.html", lambda at: channel(stored=True)),
    "channel_console": ("channel.html", lambda at: channel(stored=False, console=True)),
    "settings": ("settings.html", lambda at: settings(at, stored=True)),
    "settings_new": ("settings.html", lambda at: settings(at, stored=False)),
    "settings_problems": ("settings.html", lambda at: settings(at, stored=True, problems=True)),
    "sign_in": (
        "sign_in.html",
        lambda at: {"comes_back": True, "told": told(at, "sign_in", "sent")},
    ),
}


@pytest.fixture(scope="module")
def renderer() -> Renderer:
    return Renderer()


def text(renderer: Renderer, name: str, locale: Locale, visitor: Visitor | None = VISITOR) -> str:
    template, values = CASES[name]
    frame = {**FRAME, "visitor": visitor}
    return renderer.render(template, locale, **values(locale), **frame)


@pytest.mark.parametrize("locale", Locale)
@pytest.mark.parametrize("name", CASES)
def test_a_page_is_well_formed_and_has_no_inline_style_or_script(
    renderer: Renderer, name: str, locale: Locale
) -> None:
    page = Page.of(text(renderer, name, locale))
    names = [tag for tag, _ in page.tags]
    assert "style" not in names
    for tag, given in page.tags:
        assert "style" not in given
        assert not any(key.startswith("on") for key in given)
        if tag == "script":
            assert given["src"].startswith("/static/")
    ids = [given["id"] for _, given in page.tags if "id" in given]
    assert len(ids) == len(set(ids))
    assert names.count("h1") == 1
    assert names.count("main") == 1
    filled = [given for _, given in page.tags if "pri" in given.get("class", "").split()]
    assert len(filled) <= 1


@pytest.mark.parametrize("name", CASES)
def test_every_field_has_a_label_and_what_describes_it_is_there(
    renderer: Renderer, name: str
) -> None:
    page = Page.of(text(renderer, name, Locale.ZH))
    labelled = {given["for"] for tag, given in page.tags if tag == "label"}
    ids = {given["id"] for _, given in page.tags if "id" in given}
    for tag, given in page.tags:
        if tag not in ("input", "select") or given.get("type") == "hidden":
            continue
        assert given.get("id") in labelled or given.get("aria-label")
        assert set(given.get("aria-describedby", "").split()) <= ids


@pytest.mark.parametrize("name", [one for one in CASES if one != "sign_in"])
def test_every_form_that_changes_something_proves_that_it_is_ours_and_names_its_attempt(
    renderer: Renderer, name: str
) -> None:
    page = Page.of(text(renderer, name, Locale.ZH))
    methods = [given.get("method") for tag, given in page.tags if tag == "form"]
    posted = [form for form, how in zip(page.forms, methods, strict=True) if how == "post"]
    assert all(form["csrf_token"] == VISITOR.csrf for form in posted)
    keys = [form["idempotency_key"] for form in posted if form[GOES_TO] != "/sign-out"]
    assert len(keys) == len(set(keys))
    # What is pressed beside its form names a form that is there.
    ids = {given.get("id") for tag, given in page.tags if tag == "form"}
    assert {given["form"] for _, given in page.tags if "form" in given} <= ids


@pytest.mark.parametrize("name", [one for one in CASES if one != "sign_in"])
def test_who_came_with_a_bearer_token_is_shown_no_form(renderer: Renderer, name: str) -> None:
    page = Page.of(text(renderer, name, Locale.ZH, STRANGER))
    assert page.forms == []
    assert not any(tag == "button" for tag, _ in page.tags)


@pytest.mark.parametrize("name", ["tasks", "task", "meeting", "block", "channels", "channel_new"])
def test_what_people_wrote_is_data(renderer: Renderer, name: str) -> None:
    page = Page.of(text(renderer, name, Locale.ZH))
    values = [given.get("value", "") for _, given in page.tags]
    assert HOSTILE in page.text or HOSTILE in values


@pytest.mark.parametrize("name", ["channel_new", "channel_stored", "channel_console"])
def test_a_form_that_is_shown_again_repeats_nothing_secret(renderer: Renderer, name: str) -> None:
    shown = text(renderer, name, Locale.ZH)
    assert SECRET not in shown
    assert URL not in shown


@pytest.mark.parametrize("name", [one for one in CASES if one not in ("channels",)])
def test_an_english_page_speaks_no_chinese_of_its_own(renderer: Renderer, name: str) -> None:
    visitor = Visitor(7, "Lin", frozenset(), "token")
    page = Page.of(text(renderer, name, Locale.EN, visitor))
    data = ("中文", "概率论大作业", "社团报名表", "自习群", HOSTILE)
    shown = page.text
    for one in data:
        shown = shown.replace(one, "")
    assert not any("\u4e00" <= letter <= "\u9fff" for letter in shown)


def test_the_frame_leads_everywhere_and_says_where_one_is(renderer: Renderer) -> None:
    page = Page.of(text(renderer, "settings", Locale.ZH))
    links = [given for tag, given in page.tags if tag == "a"]
    hrefs = [given["href"] for given in links]
    for path in ("/week", "/tasks", "/active-schedule/previews", "/timetable", "/notifications"):
        assert path in hrefs
    here = [given["href"] for given in links if given.get("aria-current") == "page"]
    assert set(here) == {"/settings"}


def test_somebody_who_is_not_signed_in_is_shown_no_way_in_but_one(renderer: Renderer) -> None:
    page = Page.of(text(renderer, "sign_in", Locale.ZH, None))
    assert [form[GOES_TO] for form in page.forms] == ["/sign-in"]
    assert "/tasks" not in [given.get("href") for _, given in page.tags]
