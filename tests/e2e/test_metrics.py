"""Every running process tells its figures, and the thread moves them."""

from collections import defaultdict
from collections.abc import Mapping

import httpx2
import pytest
from prometheus_client.parser import text_string_to_metric_families

from scripts import metrics_doc
from services.standalone import settings
from services.standalone.suite import Suite
from smartmate.active_scheduler.v1 import preview_pb2
from tests import audit
from tests.student import Student, course, new_key
from tests.waiting import until
from tests.world import World

PAGE = metrics_doc.names(metrics_doc.PAGE.read_text(encoding="utf-8"))
SHARED = PAGE["Every service"]
SERVICES = tuple(service for service in settings.SERVICES if service in PAGE)
TRY_OUT = "/api/v1/channels/{channel_id}/test"

MOVED = {
    "schedule": (
        'smartmate_schedule_applies_total{outcome="applied"}',
        'smartmate_schedule_applies_total{outcome="refused"}',
        'smartmate_schedule_refusals_total{code="slot_conflict"}',
        'smartmate_schedule_imports_total{outcome="written"}',
        'smartmate_outbox_published_total{outcome="acked"}',
    ),
    "active_scheduler": (
        'smartmate_active_scheduler_triggers_total{outcome="preview_generated"}',
        'smartmate_active_scheduler_triggers_total{outcome="deduplicated"}',
        'smartmate_active_scheduler_previews_total{action="select_candidate"}',
        'smartmate_active_scheduler_verdicts_total{outcome="applied"}',
        'smartmate_outbox_published_total{outcome="acked"}',
        "smartmate_events_handled_total{"
        'consumer="active_scheduler__task_changed",outcome="handled"}',
    ),
    "notification": (
        "smartmate_notification_requested_total",
        'smartmate_notification_sent_total{channel="feishu_bot"}',
        'smartmate_notification_provider_seconds_count{channel="feishu_bot",outcome="delivered"}',
        'smartmate_rpc_seconds_count{code="OK",method="TestChannel"}',
    ),
    "gateway": (f'smartmate_http_seconds_count{{method="POST",route="{TRY_OUT}",status="200"}}',),
}


async def pages_of(suite: Suite, service: str) -> list[str]:
    """What every replica of a service tells."""
    async with httpx2.AsyncClient(trust_env=False) as client:
        addresses = [suite.ops_address(service, i) for i in range(len(suite.pids(service)))]
        answers = [await client.get(f"http://{address}/metrics") for address in addresses]
    assert all(answer.status_code == 200 for answer in answers)
    return [answer.text for answer in answers]


async def figures_of(suite: Suite, service: str) -> Mapping[str, float]:
    """The sum over a service's replicas, by name and labels."""
    found: defaultdict[str, float] = defaultdict(float)
    for page in await pages_of(suite, service):
        for family in text_string_to_metric_families(page):
            for sample in family.samples:
                labels = ",".join(
                    f'{key}="{value}"' for key, value in sorted(sample.labels.items())
                )
                name = f"{sample.name}{{{labels}}}" if labels else sample.name
                found[name] += sample.value
    return found


async def try_out(world: World, student: Student, channel_id: int) -> dict[str, object]:
    """Tries out a channel as a program does, by the gateway."""
    token = world.line.issuer.user_token(student.id)
    async with httpx2.AsyncClient(base_url=world.suite.gateway_url, trust_env=False) as client:
        answer = await client.post(
            TRY_OUT.format(channel_id=channel_id),
            headers={"Authorization": f"Bearer {token}", "Idempotency-Key": new_key()},
            timeout=15,
        )
    assert answer.status_code == 200, answer.text
    record: dict[str, object] = answer.json()["record"]
    return record


async def a_whole_thread(world: World, student: Student) -> None:
    """Import, test of the bot, task, preview, message, confirmation, and one refusal."""
    bot = await student.put_bot(world.hook(student), world.suite.feishu_secret)
    record = await try_out(world, student, bot.channel_id)
    assert (record["state"], record["attempt_count"]) == ("RECORD_STATE_SENT", 1)
    await student.import_courses(course("高等数学★", day=student.today[1], sections="1-2"))
    task = await student.create_task()
    preview = await student.proposed(task.task_id)
    assert (await student.trigger(task.task_id)).deduplicated
    await world.messages(student, count=2)
    answer = await student.confirm(preview)
    assert answer.preview.state == preview_pb2.PREVIEW_STATE_APPLIED
    other = await student.create_task("线性代数作业")
    assert (await student.add(other.task_id, student.place(1, 2))).refusals
    await world.quiet()


@pytest.mark.parametrize("service", SERVICES)
async def test_a_service_tells_every_figure_on_the_page(world: World, service: str) -> None:
    wanted = [*PAGE[service], *(SHARED if service in audit.SERVICES else ())]

    for page in await pages_of(world.suite, service):
        assert [name for name in wanted if f"# HELP {name} " not in page] == []


async def test_a_thread_moves_the_figures_of_every_service_that_it_passes(
    world: World, student: Student
) -> None:
    before = {service: await figures_of(world.suite, service) for service in SERVICES}

    await a_whole_thread(world, student)

    after = {service: await figures_of(world.suite, service) for service in SERVICES}
    still = [
        (service, name)
        for service, names in MOVED.items()
        for name in names
        if after[service].get(name, 0.0) <= before[service].get(name, 0.0)
    ]
    assert still == []


async def waiting(world: World, name: str) -> float:
    """A gauge of active_scheduler."""
    return (await figures_of(world.suite, "active_scheduler"))[name]


async def test_an_apply_that_waits_for_the_schedule_is_told_until_it_is_judged(
    world: World, student: Student
) -> None:
    name = "smartmate_active_scheduler_applies_waiting"
    task = await student.create_task()
    preview = await student.proposed(task.task_id)
    await world.suite.stop("schedule")
    try:
        answer = await student.confirm(preview)
        assert answer.preview.state == preview_pb2.PREVIEW_STATE_APPLYING
        await until(lambda: waiting(world, name), what="the waiting apply on the gauge")
    finally:
        await world.suite.start("schedule")
    await student.settled(preview.preview_id)

    async def nothing_waits() -> bool:
        return not await waiting(world, name)

    await until(nothing_waits, what="an empty gauge")


async def test_no_figure_names_a_person_or_a_thing(world: World, student: Student) -> None:
    task = await student.create_task("只有我知道的题目")
    preview = await student.proposed(task.task_id)

    for service in SERVICES:
        for page in await pages_of(world.suite, service):
            assert preview.preview_id not in page
            assert str(student.id) not in page
            assert "只有我知道" not in page
