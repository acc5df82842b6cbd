"""The templates, in every state and both languages: whole, calm for a strict CSP, escaped."""

from dataclasses import dataclass, field
from html.parser import HTMLParser
from typing import Any
from zoneinfo import ZoneInfo

import pytest

from services.gateway.domain.locale import Locale
from services.gateway.domain.visitor import Visitor
from services.gateway.web.rendering import Renderer
from services.gateway.wire import preview_list, week_page
from services.gateway.wire.preview_page import Builder
from smartmate.active_scheduler.v1 import active_scheduler_service_pb2, edit_pb2, preview_pb2
from smartmate.schedule.v1 import apply_pb2
from tests.unit.gateway import gateway_samples as samples
from tests.unit.gateway import room_samples

PATH = "/active-schedule/previews/asp_0192f3"
VISITOR = Visitor(7, "林同学", frozenset(), "the-csrf-token")
FRAME = {"visitor": VISITOR, "other_language": "en", "other_language_href": "?lang=en"}
GOES_TO = "@action"
VOID = frozenset({"meta", "link", "input", "use", "rect", "path", "br"})

PREVIEWS = {
    "ready": samples.preview(),
    "refused": samples.preview(
        refusals=[
            samples.refusal(
                apply_pb2.REFUSAL_CODE_SLOT_CONFLICT, at=samples.place(2, 3, 3), name="班会"
            )
        ]
    ),
    "applying": samples.preview(preview_pb2.PREVIEW_STATE_APPLYING),
    "applied": samples.preview(preview_pb2.PREVIEW_STATE_APPLIED, offered=samples.candidates()[:1]),
    "applied_somewhere": samples.preview(preview_pb2.PREVIEW_STATE_APPLIED),
    "ignored": samples.preview(preview_pb2.PREVIEW_STATE_IGNORED),
    "superseded": samples.preview(preview_pb2.PREVIEW_STATE_SUPERSEDED),
    "expired": samples.preview(preview_pb2.PREVIEW_STATE_EXPIRED),
    "notify_only": samples.preview(action=preview_pb2.DECISION_ACTION_NOTIFY_ONLY, offered=[]),
    "question": samples.preview(action=preview_pb2.DECISION_ACTION_ASK_USER, offered=[]),
    "reorder": samples.preview(offered=[samples.reorder()]),
    "squeeze": samples.preview(offered=[samples.squeeze()]),
    "blocked": samples.preview(),
    "nobody_can_tell": samples.preview(warnings=["preferences_unavailable"]),
    "hostile": samples.preview(
        title=samples.HOSTILE,
        offered=[
            samples.candidate(
                f"x:{samples.HOSTILE}",
                preview_pb2.CANDIDATE_FAMILY_EARLIEST,
                samples.place(2, 3, 4),
                words=samples.HOSTILE,
                english=samples.HOSTILE,
                risk=samples.text(samples.HOSTILE, samples.HOSTILE),
            )
        ],
    ),
}

ROOMS = {
    "ready": room_samples.room(),
    "refused": room_samples.room(
        events=[*samples.before_events(), room_samples.CLASS_MEETING], days=(1, 2, 3), near=(1, 2)
    ),
    "blocked": room_samples.room(blocked=edit_pb2.SHUT_CODE_BASE_CHANGED),
    "hostile": room_samples.room(
        events=[samples.event(8, samples.HOSTILE, samples.place(2, 3, 3), kind=samples.TASK)]
    ),
}


@pytest.fixture(scope="module")
def renderer() -> Renderer:
    return Renderer()


@dataclass
class Page(HTMLParser):
    """What is asked of a page."""

    open: list[str] = field(default_factory=list)
    tags: list[tuple[str, dict[str, str]]] = field(default_factory=list)
    forms: list[dict[str, str]] = field(default_factory=list)
    text: str = ""

    def __post_init__(self) -> None:
        super().__init__()

    @classmethod
    def of(cls, text: str) -> "Page":
        page = cls()
        page.feed(text)
        page.close()
        assert page.open == []
        return page

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        given = {name: value or "" for name, value in attrs}
        assert len(given) == len(attrs), f"an attribute twice in <{tag}>"
        self.tags.append((tag, given))
        if tag == "form":
            self.forms.append({GOES_TO: given.get("action", "")})
        if tag == "input" and self.open and "form" in self.open:
            self.forms[-1][given["name"]] = given.get("value", "")
        if tag not in VOID:
            self.open.append(tag)

    def handle_startendtag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.append((tag, {name: value or "" for name, value in attrs}))

    def handle_endtag(self, tag: str) -> None:
        assert self.open.pop() == tag

    def handle_data(self, data: str) -> None:
        self.text += data


def shown(renderer: Renderer, name: str, locale: Locale, visitor: Visitor = VISITOR) -> Page:
    page = Builder(locale, samples.answer(PREVIEWS[name]), room=ROOMS.get(name)).page()
    frame = {**FRAME, "visitor": visitor}
    return Page.of(renderer.render("preview.html", locale, page=page, path=PATH, **frame))


def every_page(renderer: Renderer, locale: Locale) -> dict[str, Page]:
    pages = {name: shown(renderer, name, locale) for name in PREVIEWS}
    lines = active_scheduler_service_pb2.ListPreviewsResponse(
        previews=[
            preview_pb2.PreviewSummary(
                preview_id="asp_1",
                summary=PREVIEWS["hostile"].summary,
                state=state,
                expire_time=samples.stamp(samples.EXPIRES),
            )
            for state in (preview_pb2.PREVIEW_STATE_READY, preview_pb2.PREVIEW_STATE_APPLYING)
        ]
    )
    others: dict[str, dict[str, Any]] = {
        "week.html": {
            "page": week_page.build(locale, samples.week()),
            "suggestions": 2,
            "told": None,
        },
        "previews.html": {
            "lines": preview_list.build(locale, lines, now=samples.NOW, zone=ZoneInfo("UTC")),
            "next_page_token": "a&b",
        },
        "week_none.html": {"reason": "ended", "nearest": ("1", "2"), "suggestions": 1},
        "sign_in.html": {"comes_back": True, "told": None},
        "sign_in_link.html": {"is_open": True},
        "error.html": {"words": "x", "number": "n", "can_try_again": True, "here": "/week"},
    }
    for template, values in others.items():
        pages[template] = Page.of(renderer.render(template, locale, **values, **FRAME))
    return pages


@pytest.mark.parametrize("locale", Locale)
def test_every_page_is_well_formed_and_has_no_inline_style_or_script(
    renderer: Renderer, locale: Locale
) -> None:
    for name, page in every_page(renderer, locale).items():
        names = [tag for tag, _ in page.tags]
        assert "style" not in names, name
        for tag, attributes in page.tags:
            assert "style" not in attributes, name
            assert not any(key.startswith("on") for key in attributes), name
            if tag == "script":
                assert attributes["src"].startswith("/static/"), name
        ids = [given["id"] for _, given in page.tags if "id" in given]
        assert len(ids) == len(set(ids)), name
        assert names.count("h1") == 1, name
        assert names.count("main") == 1, name
        assert dict(page.tags)["html"]["lang"] == locale.value, name


@pytest.mark.parametrize("locale", Locale)
def test_one_filled_button_stands_on_a_page_at_most(renderer: Renderer, locale: Locale) -> None:
    for name, page in every_page(renderer, locale).items():
        filled = [given for _, given in page.tags if "pri" in given.get("class", "").split()]
        assert len(filled) <= 1, name


@pytest.mark.parametrize("locale", Locale)
def test_what_people_wrote_is_data(renderer: Renderer, locale: Locale) -> None:
    page = shown(renderer, "hostile", locale)
    assert samples.HOSTILE in page.text
    scripts = [given.get("src", "") for tag, given in page.tags if tag == "script"]
    assert all(source.startswith("/static/") for source in scripts)
    (form,) = [form for form in page.forms if form[GOES_TO] == f"{PATH}/confirm"]
    assert form["candidate_id"] == f"x:{samples.HOSTILE}"


@pytest.mark.parametrize("name", PREVIEWS)
def test_every_form_proves_that_it_is_ours_and_names_its_attempt(
    renderer: Renderer, name: str
) -> None:
    forms = [one for one in shown(renderer, name, Locale.ZH).forms if one[GOES_TO] != PATH]
    assert all(form["csrf_token"] == VISITOR.csrf for form in forms)
    keys = [form["idempotency_key"] for form in forms if form[GOES_TO] != "/sign-out"]
    assert len(keys) == len(set(keys))
    assert all(0 < len(key) <= 64 for key in keys)


@pytest.mark.parametrize(
    ("name", "actions"),
    [
        ("ready", {f"{PATH}/ignore", f"{PATH}/confirm", f"{PATH}/estimate", PATH}),
        (
            "refused",
            {f"{PATH}/ignore", f"{PATH}/confirm", f"{PATH}/regenerate", f"{PATH}/estimate", PATH},
        ),
        ("blocked", {f"{PATH}/ignore", f"{PATH}/regenerate", f"{PATH}/estimate"}),
        ("nobody_can_tell", {f"{PATH}/ignore", f"{PATH}/confirm"}),
        ("notify_only", {f"{PATH}/regenerate", f"{PATH}/estimate"}),
        ("question", {f"{PATH}/ignore", f"{PATH}/estimate"}),
        ("applying", set()),
        ("applied", set()),
        ("ignored", {f"{PATH}/regenerate", f"{PATH}/estimate"}),
        ("superseded", set()),
        ("expired", {f"{PATH}/regenerate", f"{PATH}/estimate"}),
    ],
)
def test_a_page_offers_what_its_state_allows(
    renderer: Renderer, name: str, actions: set[str]
) -> None:
    forms = shown(renderer, name, Locale.ZH).forms
    assert {form[GOES_TO] for form in forms} - {"/sign-out"} == actions


def test_who_came_with_a_bearer_token_is_shown_no_form(renderer: Renderer) -> None:
    page = shown(renderer, "ready", Locale.ZH, Visitor(7, "", frozenset(), None))
    assert page.forms == []


def test_a_block_has_its_place_as_classes(renderer: Renderer) -> None:
    page = shown(renderer, "ready", Locale.ZH)
    added = [
        given["class"].split() for _, given in page.tags if "add" in given.get("class", "").split()
    ]
    block = next(classes for classes in added if "b" in classes)
    assert {"d-2", "s-3", "e-4"} <= set(block)


@pytest.mark.parametrize("name", ["ready", "applying"])
def test_a_live_page_knows_where_to_listen(renderer: Renderer, name: str) -> None:
    main = dict(shown(renderer, name, Locale.ZH).tags)["main"]
    assert main["data-events"] == f"/api/v1{PATH}/events"
    assert (main["data-status"], main["data-version"]) == (name, "4")


def test_a_closed_page_listens_no_more(renderer: Renderer) -> None:
    assert "data-events" not in dict(shown(renderer, "applied", Locale.ZH).tags)["main"]


@pytest.mark.parametrize("locale", Locale)
def test_the_countdown_has_its_words(renderer: Renderer, locale: Locale) -> None:
    page = shown(renderer, "ready", locale)
    (given,) = [given for _, given in page.tags if "data-left" in given]
    assert given["data-left"] == str(46 * 60)
    assert "{n}" in given["data-minutes"]
    assert "{n}" in given["data-seconds"]


def test_an_english_page_speaks_no_chinese_of_its_own(renderer: Renderer) -> None:
    values = {"words": "x", "number": "n", "can_try_again": True, "here": "/week"}
    page = Page.of(
        renderer.render(
            "error.html",
            Locale.EN,
            **values,
            visitor=None,
            other_language="zh-CN",
            other_language_href="?lang=zh-CN",
        )
    )
    assert not any("\u4e00" <= letter <= "\u9fff" for letter in page.text.replace("中文", ""))


def test_static_files_are_named_with_their_content(renderer: Renderer) -> None:
    address = renderer.static("app.css")
    name, _, digest = address.removeprefix("/static/").partition("?v=")
    assert renderer.is_current(name, digest)
    assert not renderer.is_current(name, "0" * len(digest))
