"""The details of one block of the week."""

from datetime import timedelta

import pytest

from services.gateway.domain.locale import Locale
from services.gateway.wire import event_page, week_page
from services.gateway.wire.event_page import EventPage, Source
from smartmate.schedule.v1 import change_pb2, task_class_pb2, task_pb2
from tests.unit.gateway import class_samples as plans
from tests.unit.gateway import gateway_samples as samples
from tests.unit.gateway import page_samples as pages

NOW = samples.NOW


def shown(
    event_id: int,
    task: task_pb2.Task | None = None,
    locale: Locale = Locale.ZH,
    *,
    plan: task_class_pb2.TaskClass | None = None,
) -> EventPage:
    answer = samples.week()
    for event in answer.events:
        week_start = NOW.replace(hour=0, minute=0) - timedelta(hours=8)
        day = timedelta(days=event.place.day_of_week - 1, hours=8 + event.place.first_section)
        event.start_time.CopyFrom(samples.stamp(week_start + day))
        event.course_id = 70 + event.event_id
        event.placement_version = 5
        if event.event_id == 23:
            event.source.kind, event.source.id = change_pb2.TARGET_KIND_TASK_POOL, 1042
        if event.event_id == 21:
            event.source.kind, event.source.id = change_pb2.TARGET_KIND_TASK_ITEM, 103
            event.task_class_id = 5
    event = event_page.find(answer, event_id)
    assert event is not None
    return event_page.build(locale, answer, event, Source(task, plan))


def test_a_block_of_work_tells_when_where_it_comes_from_and_what_is_known_of_its_task() -> None:
    page = shown(23, pages.task(1042, "最短路径", due=NOW + timedelta(hours=30), sections=2))
    assert page.title == "最短路径"
    assert [words for _, words in page.rows] == [
        "12月2日周三 10–11 节 · 19:55–21:35",
        "来自任务",
    ]
    assert page.facts == ("截止 周三 00:46", "预计 2 节")
    assert (page.task_id, page.course_id, page.version, page.on) == (1042, 0, 5, "2026-12-02")
    assert page.made_of == "task"
    assert page.links == (("/tasks/1042", "打开任务"),)
    assert not page.is_done
    assert not page.has_begun


def test_a_course_tells_where_and_may_be_opened_to_tasks_but_not_revoked() -> None:
    page = shown(22)
    assert [words for _, words in page.rows] == ["12月2日周三 1–2 节 · 08:00–09:40", "教二 210"]
    assert (page.course_id, page.task_id, page.made_of, page.can_host) == (92, 0, "", False)
    assert page.links == ()


def test_host_and_guest_name_each_other() -> None:
    host, guest = shown(6), shown(21)
    assert ("", "里面嵌着「背单词」") in host.rows
    assert host.hosts_work
    assert host.can_host
    assert ("", "嵌在「形势与政策」里") in guest.rows
    assert guest.links == (("/week/events/6?date=2026-12-01", "看外面这门课"),)


def test_a_block_of_an_item_names_its_place_in_the_plan_and_leads_there() -> None:
    page = shown(21, plan=plans.plan())
    assert ("", f"计划「{plans.NAME}」第 3 / 4 项") in page.rows
    assert page.links[0] == ("/task-classes/5", "打开学习计划")
    assert (page.made_of, page.class_id, page.item_id, page.is_done) == ("item", 5, 103, False)
    done = plans.plan(of=[plans.item(103, "树", 1, done=True)])
    assert shown(21, plan=done).is_done
    english = shown(21, plan=plans.plan(), locale=Locale.EN)
    assert ("", f"Item 3 of 4 in “{plans.NAME}”") in english.rows


@pytest.mark.parametrize("plan", [None, plans.plan(of=[plans.item(101, "线性表", 1)])])
def test_a_block_whose_plan_or_item_is_gone_says_where_it_came_from(
    plan: task_class_pb2.TaskClass | None,
) -> None:
    page = shown(21, plan=plan)
    assert ("", "来自学习计划") in page.rows
    assert (page.made_of, page.class_id, page.item_id, page.is_done) == ("item", 0, 0, False)


def test_what_has_begun_is_known() -> None:
    assert shown(1).has_begun
    assert not shown(24).has_begun


def test_a_task_that_is_done_or_gone_is_told_so() -> None:
    assert shown(23, pages.task(1042, done=NOW)).is_done
    assert shown(23, None).task_id == 0


def test_english_words() -> None:
    page = shown(23, locale=Locale.EN)
    assert page.rows[0][1] == "Wed 2 Dec, sections 10–11 · 19:55–21:35"


def test_a_block_of_another_week_is_not_found() -> None:
    assert event_page.find(samples.week(), 999) is None


@pytest.mark.parametrize("id_", [1, 21, 23])
def test_every_block_of_the_week_leads_to_its_details(id_: int) -> None:
    week = week_page.build(Locale.ZH, samples.week())
    found = [block.href for block in week.grid.blocks if f"/events/{id_}?" in block.href]
    assert len(found) == 1
    assert all(block.href for block in week.grid.blocks)
    assert (week.weeks, week.monday) == (18, "2026-11-30")
