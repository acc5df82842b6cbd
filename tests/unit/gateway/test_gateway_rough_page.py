"""A trial run in words and as a comparison; the plan that its page carries."""

import base64
import zlib

import pytest

from libs.rpc.errors import InvalidRequest
from services.gateway.domain.grid import Mark
from services.gateway.domain.locale import Locale
from services.gateway.domain.messages import has
from services.gateway.wire import rough_page, rough_plan
from services.gateway.wire.rough_page import Found, RoughPage, Speaker
from smartmate.schedule.v1 import (
    apply_pb2,
    rough_build_pb2,
    schedule_service_pb2,
    task_class_pb2,
)
from tests.unit.gateway import class_samples as plans
from tests.unit.gateway import gateway_samples as samples

Build = schedule_service_pb2.RoughBuildResponse
ASSEMBLY = samples.event(8, "班会", samples.place(2, 3, 4, week=12), kind=samples.TASK)


def speaker(
    built: Build | None = None, locale: Locale = Locale.ZH, *, week: int | None = 13
) -> Speaker:
    shown = samples.week(number=week) if week else None
    found = Found(plans.built() if built is None else built, [plans.plan()], shown)
    return Speaker.of(locale, found)


def page(
    built: Build | None = None, locale: Locale = Locale.ZH, *, week: int | None = 13
) -> RoughPage:
    return speaker(built, locale, week=week).build()


def test_a_whole_plan_is_ready_and_nothing_of_it_is_written() -> None:
    shown = page()
    assert (shown.title, shown.status) == (f"试排：{plans.NAME}", "ready")
    assert shown.notice.head == "4 项都有地方，还没有写入"
    assert (shown.before_note, shown.after_note) == ("现在的样子", "还没有写入")
    assert shown.confirm == "确认，排入 4 项"
    assert dict(shown.counters) == {
        "放下": 4,
        "嵌在课里": 1,
        "看过的天数": 14,
        "用到的天数": 4,
    }


def test_one_item_is_told_as_one() -> None:
    shown = page(plans.built(plans.PLACEMENTS[:1]), Locale.EN)
    assert shown.confirm == "Confirm: place 1 item"
    assert shown.weeks[0].count == "1 item"


def test_the_weeks_that_are_touched_are_offered_and_one_is_shown() -> None:
    shown = page()
    assert [(one.key, one.title, one.count, one.is_shown) for one in shown.weeks] == [
        ("3.13", "第 13 周", "2 项", True),
        ("3.14", "第 14 周", "2 项", False),
    ]
    assert rough_page.touched(plans.built()) == ((3, 13), (3, 14))


@pytest.mark.parametrize(
    ("text", "key"),
    [("3.13", (3, 13)), ("", None), ("3", None), ("a.b", None), ("3.-1", None), ("٣.1", None)],
)
def test_a_week_is_read_from_the_address(text: str, key: tuple[int, int] | None) -> None:
    assert rough_page.week_key(text) == key


def test_the_touched_days_stand_before_and_after_with_what_is_added_marked() -> None:
    (pair,) = page().pairs
    assert [one.date for one in pair.before.columns] == ["12月1日", "12月2日"]
    assert pair.after is not None
    added = [one for one in pair.after.blocks if one.mark is Mark.ADD]
    assert [(one.title, one.column, one.first, one.last) for one in added] == [
        ("线性表", 1, 3, 4),
        ("栈和队列", 2, 5, 6),
    ]
    assert [one for one in pair.after.blocks if one.mark is not Mark.ADD] == list(
        pair.before.blocks
    )
    assert Mark.ADD in page().marks


def test_many_days_stand_in_rows_of_three() -> None:
    placed = [plans.placement(101 + n, samples.place(1 + n, 11, 12)) for n in range(4)]
    pairs = page(plans.built(placed)).pairs
    assert [len(pair.before.columns) for pair in pairs] == [3, 1]


def test_every_place_is_listed_by_week_and_a_guest_names_its_host() -> None:
    shown = page(week=14)
    assert [week for week, _ in shown.stops] == ["第 13 周", "第 14 周"]
    first, guest = shown.stops[0][1][0], shown.stops[1][1][0]
    assert (first.content, first.place, first.inside) == ("线性表", "12月1日周二 3–4 节", "")
    assert (guest.content, guest.inside) == ("树", "嵌在「形势与政策」里")
    unknown = plans.built([plans.placement(101, samples.place(2, 3, 4), host=404)])
    assert page(unknown).stops[0][1][0].inside == "嵌在课里"


def test_a_plan_with_a_gap_is_not_offered_and_says_why_with_the_numbers() -> None:
    shown = page(plans.built(plans.PLACEMENTS[:3], unplaced=[plans.unplaced()]))
    assert (shown.status, shown.plan, shown.confirm) == ("short", "", "")
    assert shown.notice.head == "1 项放不下，所以整份计划先不写入"
    (one,) = shown.unplaced
    assert (one.items, one.class_name) == ("图", plans.NAME)
    assert one.reason == "空位不够，4 项一共还差 8 节"
    assert one.numbers == "14 天里：已有安排占 100 节，计划排除 20 节，这次排下 6 节，还剩 3 节"
    assert one.takers == "占得最多的：电路实验 8 节、其他日程 4 节"
    # What has a place is shown all the same.
    assert len(shown.pairs) == 1


def test_items_for_which_the_same_holds_are_told_once_and_many_by_their_number() -> None:
    alike = [plans.unplaced(days=1) for _ in range(7)]
    for number, one in enumerate(alike, start=1):
        one.content = f"第 {number} 章"
        one.taken_sections = one.excluded_sections = one.planned_sections = 0
    other = plans.unplaced(rough_build_pb2.SHORTAGE_CODE_ORDER)
    many, single = page(plans.built((), unplaced=[*alike, other]), week=None).unplaced
    assert many.items == "第 1 章、第 2 章、第 3 章、第 4 章、第 5 章等 7 项"
    assert many.numbers == "1 天里：还剩 3 节"
    assert single.items == "图"
    english = page(plans.built((), unplaced=alike[:2]), Locale.EN, week=None).unplaced
    assert [one.items for one in english] == ["第 1 章, 第 2 章"]
    assert english[0].numbers == "In 1 day: 3 left"


@pytest.mark.parametrize("locale", Locale)
@pytest.mark.parametrize("code", rough_build_pb2.ShortageCode.keys()[1:])
def test_every_shortage_has_words(code: str, locale: Locale) -> None:
    assert has(f"shortage.{code.removeprefix('SHORTAGE_CODE_').lower()}")
    missing = plans.unplaced(rough_build_pb2.ShortageCode.Value(code), days=0)
    (one,) = page(plans.built((), unplaced=[missing]), locale, week=None).unplaced
    assert one.reason
    assert one.numbers == ""


@pytest.mark.parametrize("code", task_class_pb2.TaskClassSkipReason.keys()[1:])
def test_every_plan_that_was_left_out_has_words_and_its_name(code: str) -> None:
    assert has(f"skip.{code.removeprefix('TASK_CLASS_SKIP_REASON_').lower()}")
    left = task_class_pb2.SkippedTaskClass(task_class_id=9, name="英语", reason=code)
    ((class_id, name, words),) = page(plans.built(skipped=[left])).skipped
    assert (class_id, name) == (9, "英语")
    assert words


def test_nothing_to_place_is_told_and_so_are_plans_that_were_all_left_out() -> None:
    shown = page(plans.built(()), week=None)
    assert (shown.status, shown.notice.head) == ("nothing", "没有要安排的项目")
    assert shown.pairs == ()
    left = task_class_pb2.SkippedTaskClass(
        task_class_id=9, name="英语", reason=task_class_pb2.TASK_CLASS_SKIP_REASON_MANUAL
    )
    none = plans.built((), skipped=[left])
    none.ClearField("classes")
    assert page(none, week=None).notice.head == "选中的计划都没法试排"


def test_more_than_one_apply_takes_is_not_offered() -> None:
    placed = [plans.placement(n, samples.place(2, 3, 4)) for n in range(1, 302)]
    shown = page(plans.built(placed))
    assert shown.plan == ""
    assert "300" in shown.notice.head


def test_what_was_put_right_is_reported() -> None:
    repairs = [
        task_class_pb2.OrderRepair(task_item_id=101, order=1),
        task_class_pb2.OrderRepair(task_item_id=102, given_order=1, order=2),
    ]
    (note,) = page(plans.built(repairs=repairs, remaining=-3)).reports
    assert note.facts == (
        "每项 2 节",
        "比一共的节数多用 3 节",
        "「线性表」原来没有顺序，补成第 1 项",
        "「栈和队列」的顺序 1 和别的重了，改成第 2 项",
    )
    (spare,) = page(plans.built(remaining=1)).reports
    assert spare.facts[1] == "除下来多 1 节"


def test_the_page_carries_exactly_what_was_shown() -> None:
    built = plans.built()
    asked = rough_plan.unpacked(rough_plan.packed(built), "key-1")
    assert asked.apply_id == "key-1"
    assert list(asked.changes) == list(built.changes)
    assert asked.base == built.base
    assert page(built).plan == page(built).plan


def test_a_large_plan_is_small_enough_for_a_page() -> None:
    placed = [
        plans.placement(100_000 + n, samples.place(1 + n % 7, 3, 4, week=1 + n // 20))
        for n in range(300)
    ]
    built = plans.built(placed)
    for one in built.changes:
        for section in (3, 4):
            built.base[f"cell:3:{one.to.week}:{one.to.day_of_week}:{section}"] = "empty"
        built.base[f"task_item:{one.target.id}"] = f"{1_764_000_000_000_000 + one.target.id}:0:2"
        built.base[f"target_events:task_item:{one.target.id}"] = "none"
    assert len(rough_plan.packed(built)) < 16_000


@pytest.mark.parametrize(
    "word",
    [
        "",
        "nonsense",
        "é",
        base64.urlsafe_b64encode(b"nonsense").decode(),
        base64.urlsafe_b64encode(zlib.compress(b"\xff\xff")).decode(),
        base64.urlsafe_b64encode(zlib.compress(b"\x00" * 5_000_000)).decode(),
        rough_plan.packed(plans.built())[:-8],
    ],
)
def test_what_no_page_of_ours_carries_is_refused(word: str) -> None:
    with pytest.raises(InvalidRequest):
        rough_plan.unpacked(word, "k")


def test_the_plans_of_a_form_are_its_numbers() -> None:
    assert rough_plan.class_ids("5 14 5 x -3 " + "9" * 30) == (5, 14)
    assert rough_plan.class_ids("") == ()


def refused(*refusals: apply_pb2.Refusal) -> tuple[str, tuple[str, ...]]:
    told, lines = speaker().refused(plans.verdict(*refusals), [ASSEMBLY], samples.NOW)
    assert told.more == "你的日程保持原样。下面是按现在的日程重新试排的。"
    return told.head, lines


def test_a_refusal_names_what_stands_in_the_way_and_the_item() -> None:
    taken = samples.refusal(
        apply_pb2.REFUSAL_CODE_SLOT_CONFLICT, at=samples.place(2, 3, 3), name="班会"
    )
    done = samples.refusal(apply_pb2.REFUSAL_CODE_TARGET_COMPLETED)
    done.change_id = "102"
    head, lines = refused(taken, done)
    assert head == "周二第 3 节已有「班会」，放不下"
    assert lines == ("「栈和队列」已经完成，不用再安排",)


def test_what_the_plan_rested_on_is_told_entry_by_entry() -> None:
    changed = samples.refusal(
        apply_pb2.REFUSAL_CODE_BASE_VERSION_CHANGED,
        keys=["cell:3:13:2:3", "cell:3:13:2:4", "task_class:5", "override:2026-12-01"],
    )
    changed.change_id = ""
    head, lines = refused(changed)
    assert head == "周二 3–4 节刚刚有了别的安排，这次没有写入"
    assert lines == (
        "周二 3–4 节：加入了「班会」",
        f"「{plans.NAME}」本身改过：时长、截止或状态",
        "学期或那一天的调休改过",
    )


def test_many_reasons_are_counted() -> None:
    taken = [
        samples.refusal(
            apply_pb2.REFUSAL_CODE_SLOT_CONFLICT, at=samples.place(2, n, n), name="班会"
        )
        for n in range(1, 10)
    ]
    _, lines = refused(*taken)
    assert len(lines) == 6
    assert lines[-1] == "还有 3 处也是这样。"


@pytest.mark.parametrize("code", apply_pb2.RefusalCode.keys()[1:])
def test_every_refusal_is_told(code: str) -> None:
    head, _ = refused(samples.refusal(apply_pb2.RefusalCode.Value(code)))
    assert head
