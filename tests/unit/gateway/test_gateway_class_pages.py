"""Study plans in words: the list, the items, and what a trial run wrote."""

from datetime import timedelta
from zoneinfo import ZoneInfo

import pytest

from services.gateway.domain.locale import Locale
from services.gateway.wire import classes_page
from services.gateway.wire.classes_page import Speaker
from services.gateway.wire.written import written
from smartmate.schedule.v1 import apply_pb2, task_class_pb2
from tests.unit.gateway import class_samples as plans
from tests.unit.gateway import gateway_samples as samples

ZONE = ZoneInfo("Asia/Shanghai")
NOW = samples.NOW
HOUR = timedelta(hours=1)


def speaker(locale: Locale = Locale.ZH) -> Speaker:
    return Speaker(locale, ZONE, NOW)


def test_a_plan_tells_when_how_and_how_much() -> None:
    line = speaker().line(plans.plan())
    assert line.facts == ("今天至12月13日", "平均铺开", "4 项", "每项 2 节")
    assert line.counts == ("待安排 4 项",)
    one_day = speaker().line(plans.plan(dates=("2026-12-13", "2026-12-13")))
    assert one_day.facts[0] == "12月13日"
    english = speaker(Locale.EN).line(plans.plan(strategy=task_class_pb2.PLANNING_STRATEGY_RAPID))
    assert english.facts == (
        "today to 13 Dec",
        "as early as possible",
        "4 items",
        "2 sections each",
    )


@pytest.mark.parametrize(
    ("more", "can_build"),
    [
        ({}, True),
        ({"dates": ("", "")}, False),
        ({"dates": ("2026-12-01", "")}, False),
        ({"mode": task_class_pb2.TASK_CLASS_MODE_MANUAL}, False),
        ({"of": [plans.item(1, "A", 1, events=[9]), plans.item(2, "B", 2, done=True)]}, False),
    ],
)
def test_only_what_a_trial_run_could_place_is_offered(
    more: dict[str, object], can_build: bool
) -> None:
    assert speaker().line(plans.plan(**more)).can_build is can_build  # type: ignore[arg-type]


def test_what_is_not_said_is_told_as_such() -> None:
    made = plans.plan(dates=("", ""), mode=task_class_pb2.TASK_CLASS_MODE_MANUAL)
    assert speaker().line(made).facts[:2] == ("还没定日期", "自己安排")


def test_items_are_counted_by_where_they_stand() -> None:
    of = [
        plans.item(1, "A", 1, done=True, events=[9]),
        plans.item(2, "B", 2, events=[10]),
        plans.item(3, "C", 3),
    ]
    assert speaker().line(plans.plan(of=of)).counts == ("已排 1 项", "待安排 1 项", "完成 1 项")


@pytest.mark.parametrize(("total", "sections"), [(0, 2), (8, 2), (9, 2), (3, 1), (400, 100)])
def test_the_whole_is_shared_out(total: int, sections: int) -> None:
    assert classes_page.sections_of(plans.plan(total_sections=total)) == sections


def test_the_pairs_are_those_of_the_bell_and_chosen_ones_stay_choosable() -> None:
    pairs = classes_page.pairs_of(Locale.ZH, samples.semester(), (8,))
    assert pairs[0] == (1, "1–2 节")
    assert pairs[-1] == (8, "第 8 段")
    assert len(pairs) == 7
    assert len(classes_page.pairs_of(Locale.EN, None, ())) == 6


def test_an_item_is_where_its_next_block_is() -> None:
    past = plans.block(9, NOW - 30 * HOUR, NOW - 28 * HOUR, samples.place(7, 3, 4, week=12))
    ahead = plans.block(10, NOW + 16 * HOUR, NOW + 18 * HOUR, samples.place(2, 3, 4))
    of = [
        plans.item(1, "A", 1, events=[9, 10]),
        plans.item(2, "B", 2, events=[9]),
        plans.item(3, "C", 3, events=[77]),
        plans.item(4, "D", 4),
    ]
    lines = speaker().items(plans.plan(of=of), [past, ahead])
    first, second, third, fourth = (one.placed for one in lines)
    assert first is not None
    assert (first.words, first.href) == ("周二 3–4 节", "/week/events/10?date=2026-12-01")
    assert second is not None
    assert second.is_over
    assert second.words.startswith("排过 ")
    assert third is not None
    assert (third.words, third.href, third.is_over) == ("排过", "", True)
    assert fourth is None


def test_what_was_written_leads_to_its_first_block() -> None:
    blocks = [
        plans.block(n, NOW + n * HOUR, NOW + (n + 1) * HOUR, samples.place(2, 3, 4))
        for n in (15, 16, 17)
    ]
    verdict = plans.verdict(events=[16, 17])
    told = written(Locale.ZH, verdict, blocks, ZONE, NOW)
    assert told is not None
    assert told.told.head == "已排入 2 项"
    assert "周二 3–4 节" in told.told.more
    assert told.href == "/week?date=2026-12-01"
    nowhere = written(Locale.EN, plans.verdict(events=[1]), blocks, ZONE, NOW)
    assert nowhere is not None
    assert (nowhere.told.head, nowhere.told.more, nowhere.href) == ("1 item is placed", "", "")


def test_a_refused_plan_wrote_nothing() -> None:
    refused = plans.verdict(samples.refusal(apply_pb2.REFUSAL_CODE_EXPIRED))
    assert written(Locale.ZH, refused, (), ZONE, NOW) is None
