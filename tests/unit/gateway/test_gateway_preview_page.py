"""What the preview page shows in each state."""

from datetime import timedelta

import pytest

from services.gateway.domain.grid import Mark
from services.gateway.domain.locale import Locale
from services.gateway.wire.edits import read
from services.gateway.wire.preview_page import Builder
from services.gateway.wire.preview_shown import PreviewPage
from services.gateway.wire.refusals import cell_of
from smartmate.active_scheduler.v1 import active_scheduler_service_pb2, preview_pb2
from smartmate.schedule.v1 import apply_pb2
from tests.unit.gateway import gateway_samples as samples

READY = preview_pb2.PREVIEW_STATE_READY
CLOSED = (
    preview_pb2.PREVIEW_STATE_APPLIED,
    preview_pb2.PREVIEW_STATE_IGNORED,
    preview_pb2.PREVIEW_STATE_SUPERSEDED,
    preview_pb2.PREVIEW_STATE_EXPIRED,
)


def page(
    shown: preview_pb2.Preview,
    *,
    locale: Locale = Locale.ZH,
    asked: str = "",
    told: str = "",
    edits: str = "",
    room: active_scheduler_service_pb2.CheckEditsResponse | None = None,
    newer: str = "",
) -> PreviewPage:
    return Builder(
        locale,
        samples.answer(shown),
        asked=asked,
        told=told,
        edits=read(edits),
        room=room,
        newer=newer,
    ).page()


def marked(found: PreviewPage, mark: Mark, *, after: bool = True) -> list[tuple[int, int, int]]:
    (pair,) = found.pairs
    grid = pair.after if after else pair.before
    assert grid is not None
    return [(b.column, b.first, b.last) for b in grid.blocks if b.mark is mark]


def test_a_ready_one_can_be_confirmed_and_the_button_says_what_it_does() -> None:
    found = page(samples.preview())
    assert found.confirm == "确认，排到周二 3–4 节"
    assert found.can_ignore
    assert found.keep is not None
    assert (found.keep.until, found.keep.minutes, found.keep.seconds) == ("19:32", 46, 46 * 60)
    assert found.notice is None
    assert found.by == "第 13 周 · 周一 18:32"
    assert (found.before_note, found.after_note) == ("现在的日程", "还没有写入")


def test_the_new_block_stands_after_and_not_before() -> None:
    found = page(samples.preview())
    assert marked(found, Mark.ADD) == [(2, 3, 4)]
    assert marked(found, Mark.ADD, after=False) == []


def test_another_candidate_changes_words_grid_and_button_but_no_column() -> None:
    proposed, other = page(samples.preview()), page(samples.preview(), asked=samples.EARLIEST)
    assert other.confirm == "确认，排到周一 11–12 节"
    assert other.title == "「概率论大作业」放到周一 11–12 节，可以吗？"
    assert marked(other, Mark.ADD) == [(1, 11, 12)]
    assert [choice.chosen for choice in other.choices] == [False, True, False]
    assert [one.weekday for one in other.pairs[0].before.columns] == [
        one.weekday for one in proposed.pairs[0].before.columns
    ]


def test_a_candidate_that_is_not_there_is_the_proposed_one() -> None:
    assert page(samples.preview(), asked="nonsense").candidate_id == samples.BEST


def test_choices_say_place_family_and_time() -> None:
    first, second, _ = page(samples.preview(), locale=Locale.EN).choices
    assert (first.place, first.family, first.detail) == (
        "Tue, sections 3–4",
        "Fits your habits",
        "10:15–11:55",
    )
    assert second.family == "Earliest"


@pytest.mark.parametrize("state", CLOSED)
def test_a_closed_one_can_neither_be_confirmed_nor_ignored(state: preview_pb2.PreviewState) -> None:
    found = page(samples.preview(state))
    assert (found.confirm, found.can_ignore, found.keep) == ("", False, None)
    assert not found.is_live
    assert found.notice is not None


def test_while_it_is_being_written_nothing_can_be_pressed() -> None:
    found = page(samples.preview(preview_pb2.PREVIEW_STATE_APPLYING))
    assert (found.confirm, found.can_ignore, found.is_live) == ("", False, True)
    assert found.notice is not None
    assert found.notice.head == "正在写入日程"


def test_an_applied_one_says_where_it_stands_and_leads_to_that_week() -> None:
    written = [samples.place(1, 11, 12)]
    found = page(samples.preview(preview_pb2.PREVIEW_STATE_APPLIED, written=written))
    assert found.notice is not None
    assert found.notice.head == "已排进周一 11–12 节"
    assert [act.href for act in found.notice.acts] == ["/week?week=13"]
    assert found.candidate_id == samples.EARLIEST
    assert marked(found, Mark.ADD) == [(1, 11, 12)]
    assert found.pairs[0].after is not None
    chips = {one.chip for one in found.pairs[0].after.blocks if one.mark is Mark.ADD}
    assert chips == {"已排入"}


def test_where_nobody_can_tell_what_was_written_no_place_is_named() -> None:
    found = page(samples.preview(preview_pb2.PREVIEW_STATE_APPLIED), asked=samples.EARLIEST)
    assert found.notice is not None
    assert found.notice.head == "已写入日程"
    assert found.pairs[0].after is None
    assert not any(choice.chosen for choice in found.choices)


def test_a_single_candidate_needs_no_second_look() -> None:
    shown = samples.preview(preview_pb2.PREVIEW_STATE_APPLIED, offered=samples.candidates()[:1])
    found = page(shown)
    assert found.notice is not None
    assert found.notice.head == "已排进周二 3–4 节"


def test_a_refused_one_says_what_came_in_and_stays_confirmable() -> None:
    refusal = samples.refusal(
        apply_pb2.REFUSAL_CODE_BASE_VERSION_CHANGED, at=samples.place(2, 3, 3), name="班会"
    )
    found = page(samples.preview(refusals=[refusal]))
    assert found.notice is not None
    assert found.notice.head == "周二第 3 节刚刚有了别的安排，这次没有写入"
    assert found.notice.more == (
        "加入了「班会」。你的日程保持原样。这条建议还有效，可以换一个位置再确认。"
    )
    assert found.confirm
    assert marked(found, Mark.CLASH) == [(2, 3, 3)]


def test_what_came_in_covers_only_the_candidate_that_it_touches() -> None:
    refusal = samples.refusal(
        apply_pb2.REFUSAL_CODE_SLOT_CONFLICT, at=samples.place(2, 3, 3), name="班会"
    )

    def covered(asked: str) -> list[bool]:
        (pair,) = page(samples.preview(refusals=[refusal]), asked=asked).pairs
        assert pair.after is not None
        return [block.covered for block in pair.after.blocks if block.mark is Mark.ADD]

    assert covered(samples.BEST) == [True]
    assert covered(samples.EARLIEST) == [False]


def test_without_a_place_the_first_changed_cell_is_named() -> None:
    refusal = samples.refusal(
        apply_pb2.REFUSAL_CODE_BASE_VERSION_CHANGED, keys=["task_pool:7", "cell:3:13:2:4"]
    )
    found = page(samples.preview(refusals=[refusal]), locale=Locale.EN)
    assert found.notice is not None
    assert found.notice.head == "Tue, section 4 has just been taken, so nothing was written"


@pytest.mark.parametrize("code", apply_pb2.RefusalCode.values()[1:])
@pytest.mark.parametrize("locale", Locale)
def test_every_refusal_says_that_the_schedule_is_as_it_was(
    code: apply_pb2.RefusalCode, locale: Locale
) -> None:
    found = page(samples.preview(refusals=[samples.refusal(code)]), locale=locale)
    assert found.notice is not None
    assert found.notice.head
    assert ("保持原样" if locale is Locale.ZH else "as it was") in found.notice.more


@pytest.mark.parametrize(
    "told", ["idempotency_conflict", "nothing_to_confirm", "mock_time_in_the_past"]
)
def test_what_a_form_met_is_told(told: str) -> None:
    found = page(samples.preview(), told=told)
    assert found.notice is not None
    assert found.notice.tone == "warn"


def test_what_an_address_claims_is_not_repeated() -> None:
    assert page(samples.preview(), told="<script>").notice is None


def test_an_expired_one_offers_a_new_look_at_the_same_thing() -> None:
    found = page(samples.preview(preview_pb2.PREVIEW_STATE_EXPIRED))
    assert found.notice is not None
    assert found.notice.head == "这条建议在 19:32 过期了"
    assert found.notice.regenerate == "重新生成建议"


def test_a_superseded_one_leads_to_the_newer_one_where_that_is_open() -> None:
    shown = samples.preview(preview_pb2.PREVIEW_STATE_SUPERSEDED)
    found = page(shown, newer="asp_2").notice
    assert found is not None
    assert [act.href for act in found.acts] == ["/active-schedule/previews/asp_2", "/week"]
    found = page(shown).notice
    assert found is not None
    assert [act.href for act in found.acts] == ["/week"]


@pytest.mark.parametrize(
    ("state", "action", "label"),
    [
        (
            preview_pb2.PREVIEW_STATE_IGNORED,
            preview_pb2.DECISION_ACTION_SELECT_CANDIDATE,
            "重新生成建议",
        ),
        (READY, preview_pb2.DECISION_ACTION_NOTIFY_ONLY, "按现在的日程再想一个"),
    ],
)
def test_what_may_be_looked_at_again_offers_it(
    state: preview_pb2.PreviewState, action: preview_pb2.DecisionAction, label: str
) -> None:
    found = page(samples.preview(state, action=action)).notice
    assert found is not None
    assert found.regenerate == label


def test_a_mere_notice_has_no_grid_and_nothing_to_confirm() -> None:
    shown = samples.preview(action=preview_pb2.DECISION_ACTION_NOTIFY_ONLY, offered=[])
    found = page(shown)
    assert (found.pairs, found.confirm, found.can_ignore, found.keep) == ((), "", False, None)
    assert found.notice is not None
    assert found.notice.head == "先告诉你一声，暂时没有合适的位置"


def test_a_reorder_shows_every_step_and_both_ends_of_a_move() -> None:
    found = page(samples.preview(offered=[samples.reorder()]))
    assert found.confirm == "确认，补 1 项并移动 1 项"
    assert marked(found, Mark.MOVED) == [(2, 7, 8)]
    assert marked(found, Mark.LEAVING, after=False) == [(1, 9, 10)]
    assert [(step.word, step.title, step.place, step.was) for step in found.steps] == [
        ("补做", "图的遍历", "周二 3–4 节", ""),
        ("移动", "英语听力精练", "周二 7–8 节", "周一 9–10 节"),
    ]


def test_a_squeeze_shows_both_as_shortened() -> None:
    found = page(samples.preview(offered=[samples.squeeze()]))
    assert found.confirm == "确认，两项各 1 节"
    assert marked(found, Mark.SQUEEZE) == [(1, 9, 9), (1, 10, 10)]
    assert marked(found, Mark.LEAVING, after=False) == []


def test_the_last_minute_is_not_told_as_none() -> None:
    shown = samples.preview()
    answer = samples.answer(shown, now=samples.EXPIRES - timedelta(seconds=30))
    keep = Builder(Locale.ZH, answer).page().keep
    assert keep is not None
    assert (keep.minutes, keep.seconds) == (0, 30)


def test_only_known_warnings_are_told() -> None:
    shown = samples.preview(warnings=["preferences_unavailable", "a_code_from_tomorrow"])
    assert page(shown).warnings == ("这次没能查到你的偏好，位置只按空闲和截止来选。",)


@pytest.mark.parametrize("key", ["cell:3:13:2", "cell:a:b:c:d", "task_pool:7", "", "cell:::::"])
def test_only_cells_are_places(key: str) -> None:
    assert cell_of(key) is None
