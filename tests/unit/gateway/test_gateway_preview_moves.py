"""The preview page over the schedule as it stands: places to choose, edits, what came between."""

import pytest

from libs.rpc.errors import InvalidRequest
from services.gateway.domain.grid import Block, Mark
from services.gateway.domain.locale import Locale
from services.gateway.wire import edits, standing
from services.gateway.wire.confirm_form import ConfirmForm
from services.gateway.wire.preview_page import Builder
from services.gateway.wire.preview_shown import PreviewPage
from services.gateway.wire.room import Room
from smartmate.active_scheduler.v1 import edit_pb2, preview_pb2
from smartmate.schedule.v1 import apply_pb2
from tests.unit.gateway import gateway_samples as samples
from tests.unit.gateway import room_samples

ELSEWHERE = "c1@3.13.2.7-8"
TAKEN = "c1@3.13.2.9-10"
PROPOSED = "c1@3.13.2.3-4"
APPLIED = preview_pb2.PREVIEW_STATE_APPLIED


def page(shown: preview_pb2.Preview | None = None, **how: object) -> PreviewPage:
    told = {"room": room_samples.room(), "edits": {}, "locale": Locale.ZH} | how
    answer = samples.answer(shown or samples.preview())
    return Builder(answer=answer, **told).page()  # type: ignore[arg-type]


def after(found: PreviewPage) -> list[Block]:
    return [block for pair in found.pairs if pair.after for block in pair.after.blocks]


def weekdays(found: PreviewPage) -> list[str]:
    return [column.weekday for pair in found.pairs for column in pair.before.columns]


# Edits as words


def test_an_edit_is_written_and_read_alike() -> None:
    place = samples.place(2, 7, 8)
    assert edits.word_of("c1", place) == ELSEWHERE
    assert edits.read(f"{ELSEWHERE} c2@3.13.1.1-1") == {"c1": place, "c2": samples.place(1, 1, 1)}
    assert edits.read("") == {}


@pytest.mark.parametrize(
    "text",
    [
        *("c1", "c1@", "@3.13.2.7-8", "c1@3.13.2.7", "c1@3.13.8.7-8", "c1@3.13.2.7-8x"),
        *("c1@3.13.2.-7-8", "c1@３.13.2.7-8", f"{ELSEWHERE} {PROPOSED}", "c1@3.13.2.7-8,c2"),
        " ".join(f"c{number}@3.13.2.7-8" for number in range(51)),
        "c1@9999999999999999999.13.2.7-8",
    ],
)
def test_what_is_no_edit_is_refused(text: str) -> None:
    with pytest.raises(InvalidRequest):
        edits.read(text)


def test_a_form_says_the_same_as_a_program() -> None:
    body = ConfirmForm(candidate_id="c", edits=ELSEWHERE, idempotency_key="k").body()
    (change,) = body.edited_changes
    assert change.message().to == samples.place(2, 7, 8)
    assert (body.candidate_id, body.action, body.idempotency_key) == ("c", "confirm", "k")
    with pytest.raises(InvalidRequest):
        ConfirmForm(candidate_id="c", edits="nonsense").body()


# Where it may go


def test_the_places_to_choose_from_are_those_that_are_legal() -> None:
    move = page().move
    assert move is not None
    assert (move.at, move.home, move.edited, move.blocked) == (PROPOSED, PROPOSED, False, "")
    assert [(day.day, [one.text for one in day.options]) for day in move.options] == [
        ("周一 11月30日", ["周一 11–12 节 · 20:50–22:30"]),
        ("周二 12月1日", ["周二 3–4 节 · 10:15–11:55", "周二 7–8 节 · 16:15–17:55"]),
    ]
    assert [one.value for day in move.options for one in day.options if one.chosen] == [PROPOSED]


def test_a_place_across_a_break_says_so() -> None:
    room = room_samples.room(events=[])
    move = page(room=room, locale=Locale.EN).move
    assert move is not None
    texts = [one.text for day in move.options for one in day.options]
    assert "Tue, sections 4–5 · 11:10–14:45 · across lunch" in texts
    assert "Tue, sections 8–9 · 17:10–19:45 · across dinner" in texts


@pytest.mark.parametrize(
    ("day", "first", "words"),
    [
        (1, 1, "这节已经开始"),
        (2, 9, "有课：羽毛球"),
        (1, 8, "这节已经开始"),
        (1, 9, "已有任务：英语听力精练"),
        (2, 11, "12月1日 22:30 结束，晚于截止 12月1日 22:00"),
        (2, 12, "到这天结束不够 2 节"),
        (2, 7, ""),
    ],
)
def test_a_program_is_told_each_place_with_words(day: int, first: int, words: str) -> None:
    told = Room(Locale.ZH, room_samples.room()).as_json()
    (spot,) = [
        spot
        for one in told["days"]
        for spot in one["spots"]
        if (one["day_of_week"], spot["place"]["first_section"]) == (day, first)
    ]
    assert spot["words"]["why"] == words
    assert ("shut" in spot) == bool(words)
    assert told["legal_places"][0]["first_section"] == 11


@pytest.mark.parametrize("code", edit_pb2.ShutCode.keys()[1:])
@pytest.mark.parametrize("locale", Locale)
def test_every_reason_has_words(code: str, locale: Locale) -> None:
    room = room_samples.room()
    room.blocked.code = edit_pb2.ShutCode.Value(code)
    found = Room(locale, room).blocked
    assert found
    assert "{" not in found
    told = page(room=room, locale=locale)
    assert told.notice is not None
    assert told.notice.head
    assert (told.confirm, told.can_confirm) == ("", False)


@pytest.mark.parametrize("locale", Locale)
def test_what_is_said_while_it_moves_is_filled_in_by_the_page(locale: Locale) -> None:
    move = page(locale=locale).move
    assert move is not None
    assert move.said["can"].count("{place}") == move.said["can"].count("{time}") == 1
    assert move.said["cannot"].count("{why}") == 1
    assert move.label.count("{place}") == 1


# The block elsewhere


def test_an_edited_place_is_shown_named_and_marked() -> None:
    found = page(edits=edits.read(ELSEWHERE))
    (block,) = [one for one in after(found) if one.mark is Mark.ADD]
    assert (block.column, block.first, block.last) == (2, 7, 8)
    assert block.chip == "新增 · 你改过"
    assert block.handle is not None
    assert (block.handle.place, block.handle.home) == (ELSEWHERE, PROPOSED)
    assert found.confirm == "确认，排到周二 7–8 节"
    assert found.move is not None
    assert found.move.edited
    assert not any(choice.chosen for choice in found.choices)


@pytest.mark.parametrize(
    "asked", [TAKEN, "c1@3.13.2.7-7", "c1@3.14.2.7-8", "c9@3.13.2.7-8", "c1@4.1.1.1-2"]
)
def test_a_place_that_cannot_be_had_is_not_shown(asked: str) -> None:
    found = page(edits=edits.read(asked))
    assert found.confirm == "确认，排到周二 3–4 节"
    assert found.move is not None
    assert not found.move.edited


def test_where_nobody_can_tell_the_proposal_stands_alone() -> None:
    found = page(room=None, edits=edits.read(ELSEWHERE))
    assert (found.move, found.confirm) == (None, "确认，排到周二 3–4 节")
    assert found.can_confirm
    assert not any(block.handle for block in after(found))


def test_a_day_is_shown_because_the_block_was_put_there() -> None:
    room = room_samples.room(days=(1, 2, 4))
    assert weekdays(page(room=room)) == ["周一", "周二"]
    assert weekdays(page(room=room, edits=edits.read("c1@3.13.4.1-2"))) == ["周一", "周二"]
    room.legal_places.append(samples.place(4, 1, 2))
    assert weekdays(page(room=room, edits=edits.read("c1@3.13.4.1-2"))) == ["周一", "周二", "周四"]


def test_the_days_that_were_looked_at_are_shown_whole() -> None:
    beside = samples.event(30, "体育", samples.place(3, 7, 8))
    room = room_samples.room(
        events=[*samples.before_events(), beside], days=(1, 2, 3), near=(1, 2, 3)
    )
    found = page(room=room)
    assert weekdays(found) == ["周一", "周二", "周三"]
    assert "体育" in [block.title for block in found.pairs[0].before.blocks]
    assert "体育" in [block.title for block in after(found)]


def test_a_reorder_keeps_its_moves_over_the_schedule_as_it_stands() -> None:
    shown = samples.preview(offered=[samples.reorder()])
    room = room_samples.room(events=[*samples.before_events(), room_samples.CLASS_MEETING])
    made = standing.as_it_stands(shown, room, standing.touched_days(shown))
    (candidate,) = made.candidates
    places = {
        (one.name, one.place.day_of_week, one.place.first_section) for one in candidate.after_events
    }
    assert ("英语听力精练", 2, 7) in places
    assert ("英语听力精练", 1, 9) not in places
    assert ("班会", 2, 3) in places
    assert shown.candidates[0] == samples.reorder()


# What came between


def test_what_came_in_is_told_before_a_button_is_pressed() -> None:
    room = room_samples.room(events=[*samples.before_events(), room_samples.CLASS_MEETING])
    found = page(room=room)
    assert found.notice is not None
    assert found.notice.head == "周二 3–4 节刚刚有了别的安排：班会"
    assert found.notice.regenerate == "按现在的日程再想一个"
    assert not found.can_confirm
    assert found.move is not None
    assert not found.move.is_offered
    assert [(b.title, b.first) for b in after(found) if b.mark is Mark.CLASH] == [("班会", 3)]
    assert [b.covered for b in after(found) if b.mark is Mark.ADD] == [True]
    elsewhere = page(room=room, asked=samples.EARLIEST)
    assert (elsewhere.notice, elsewhere.can_confirm) == (None, True)
    assert not [b for b in after(elsewhere) if b.mark is Mark.CLASH]


def test_a_refusal_names_what_came_in_cell_by_cell() -> None:
    meeting = samples.event(8, "班会", samples.place(2, 3, 4), kind=samples.TASK)
    keys = ["cell:3:13:2:4", "cell:3:13:2:3"]
    refusal = samples.refusal(apply_pb2.REFUSAL_CODE_BASE_VERSION_CHANGED, keys=keys)
    room = room_samples.room(events=[*samples.before_events(), meeting])
    found = page(samples.preview(refusals=[refusal]), room=room).notice
    assert found is not None
    assert found.head == "周二 3–4 节刚刚有了别的安排，这次没有写入"
    assert found.lines == ("周二 3–4 节：加入了「班会」",)
    unnamed = page(samples.preview(refusals=[refusal]), room=None).notice
    assert unnamed is not None
    assert unnamed.lines == ("周二 3–4 节：原来的安排变了",)


@pytest.mark.parametrize(
    ("key", "line"),
    [
        ("task_pool:1042", "「概率论大作业」本身改过：时长、截止或状态"),
        ("target_events:task_pool:1042", "「概率论大作业」在日程里的安排变了"),
        ("semester:3", "学期或那一天的调休改过"),
        ("override:2026-12-01", "学期或那一天的调休改过"),
        ("schedule_event:6", "要放进去的那节课变了"),
    ],
)
def test_a_refusal_names_every_entry_that_differs(key: str, line: str) -> None:
    refusal = samples.refusal(apply_pb2.REFUSAL_CODE_BASE_VERSION_CHANGED, keys=[key])
    found = page(samples.preview(refusals=[refusal])).notice
    assert found is not None
    assert found.lines == (line,)
    assert found.head == "日程刚刚有了变动，这次没有写入"


def test_cells_that_do_not_touch_are_told_apart() -> None:
    keys = ["cell:3:13:2:3", "cell:3:13:2:5", "cell:3:13:1:4"]
    refusal = samples.refusal(apply_pb2.REFUSAL_CODE_BASE_VERSION_CHANGED, keys=keys)
    found = page(samples.preview(refusals=[refusal])).notice
    assert found is not None
    assert len(found.lines) == 3


# What was written


def test_what_was_written_elsewhere_is_shown_there() -> None:
    shown = samples.preview(APPLIED, written=[samples.place(2, 11, 12)])
    found = page(shown, room=None)
    assert found.notice is not None
    assert found.notice.head == "已排进周二 11–12 节"
    assert [(b.first, b.chip) for b in after(found) if b.mark is Mark.ADD] == [(11, "已排入")]
    assert not any(choice.chosen for choice in found.choices)


def test_what_was_written_on_another_day_stands_beside_what_is_there() -> None:
    shown = samples.preview(APPLIED, written=[samples.place(4, 3, 4)])
    beside = [samples.event(40, "体育", samples.place(4, 1, 2))]
    answer = standing.with_beside(samples.answer(shown), beside)
    found = Builder(Locale.ZH, answer).page()
    assert weekdays(found) == ["周一", "周二", "周四"]
    thursday = [(b.title, b.mark) for b in after(found) if b.column == 3]
    assert thursday == [("体育", Mark.COURSE), ("概率论大作业", Mark.ADD)]
    assert standing.with_beside(answer, []) is answer


# The length that was assumed


@pytest.mark.parametrize(
    ("state", "estimate"),
    [
        (preview_pb2.PREVIEW_STATE_READY, 2),
        (preview_pb2.PREVIEW_STATE_EXPIRED, 2),
        (preview_pb2.PREVIEW_STATE_IGNORED, 2),
        (preview_pb2.PREVIEW_STATE_APPLYING, 0),
        (preview_pb2.PREVIEW_STATE_APPLIED, 0),
        (preview_pb2.PREVIEW_STATE_SUPERSEDED, 0),
    ],
)
def test_an_assumed_length_can_be_set_where_a_new_look_is_possible(
    state: preview_pb2.PreviewState, estimate: int
) -> None:
    found = page(samples.preview(state), room=None)
    assert found.estimate == estimate
    # It is told once: beside what can be done about it, or among the facts.
    told = "没有填过预计时长，按 2 节估计。"
    assert (found.guess, *found.warnings) == ((told,) if estimate else ("", told))


def test_a_length_that_was_given_is_not_asked_for() -> None:
    assert page(samples.preview(warnings=[])).estimate == 0
