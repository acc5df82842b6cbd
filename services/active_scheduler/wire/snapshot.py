"""What the schedule service answers, as the snapshot that a look is made from."""

from dataclasses import replace
from datetime import date, datetime, timedelta
from itertools import chain

from libs.planning.changes import TargetFacts, World
from libs.planning.grid import Block, Target, TargetKind
from services.active_scheduler.domain.case import ClassRules
from services.active_scheduler.domain.facts import WINDOW, Facts
from services.active_scheduler.domain.snapshot import Snapshot, Surroundings
from services.active_scheduler.wire import facts as facts_wire
from services.active_scheduler.wire import plan
from smartmate.schedule.v1 import schedule_event_pb2, task_class_pb2
from smartmate.schedule.v1 import schedule_service_pb2 as schedule_pb2


def snapshot(
    answer: schedule_pb2.GetSchedulingFactsResponse, *, horizon: timedelta = WINDOW
) -> Snapshot:
    """What was read about a target, `horizon` far ahead."""
    found = facts(answer)
    return Snapshot(
        facts=found,
        known_until=found.now + horizon,
        asked=_block(answer.asked_event) if answer.HasField("asked_event") else None,
        rules=class_rules(answer.task_class) if answer.HasField("task_class") else None,
    )


def facts(answer: schedule_pb2.GetSchedulingFactsResponse) -> Facts:
    """The facts of a look, with the class of an item, all its items and all their blocks, and the
    same for the next dynamic task."""
    plain = facts_wire.facts(answer)
    target = _target(answer.target)
    beside = answer.next_dynamic_task
    items = (*_items(answer.task_class), *_items(beside.task_class))
    found = [_target(beside.target)] if answer.HasField("next_dynamic_task") else []
    world = World(
        semesters=plain.world.semesters,
        blocks=_blocks(answer),
        targets={one.target: one for one in (*items, *found, target)},
        overrides=plain.world.overrides,
        classes=_classes(answer.task_class) | _classes(beside.task_class),
    )
    chosen = answer.settings.default_estimated_sections
    return replace(
        plain,
        target=target,
        world=world,
        default_sections=chosen or plain.default_sections,
        next_dynamic_id=beside.event.event_id or None,
    )


def surroundings(answer: schedule_pb2.ListEventsResponse, told_at: datetime) -> Surroundings:
    """The blocks that words told at an instant may be about."""
    semesters = tuple(plan.semester(one) for one in answer.semesters)
    blocks = tuple(_block(one) for one in answer.events)
    return Surroundings.of(told_at, semesters, blocks, dict(answer.task_class_names))


def class_rules(message: task_class_pb2.TaskClass) -> ClassRules:
    """What a class asks for."""
    return ClassRules(
        end=date.fromisoformat(message.end_date) if message.end_date else None,
        excluded_days=tuple(message.excluded_days_of_week),
        excluded_pairs=tuple(message.excluded_pairs),
    )


def _target(message: schedule_pb2.TargetFacts) -> TargetFacts:
    return replace(
        facts_wire.target_facts(message),
        class_id=message.task_class_id or None,
        order=message.task_order or None,
    )


def _blocks(answer: schedule_pb2.GetSchedulingFactsResponse) -> tuple[Block, ...]:
    """Every block that was told, each once, by id."""
    asked = [answer.asked_event] if answer.HasField("asked_event") else []
    beside = answer.next_dynamic_task.events
    lists = (answer.events, answer.target_events, answer.class_events, beside, asked)
    messages = {one.event_id: one for one in chain.from_iterable(lists)}
    return tuple(_block(messages[key]) for key in sorted(messages))


def _block(message: schedule_event_pb2.ScheduleEvent) -> Block:
    return replace(
        plan.block(message),
        class_id=message.task_class_id or None,
        order=message.task_order or None,
        makeup_for_id=message.makeup_for_event_id or None,
    )


def _items(message: task_class_pb2.TaskClass) -> tuple[TargetFacts, ...]:
    """The items of a class; what only the target's own look needs is left out."""
    return tuple(
        TargetFacts(
            target=Target(TargetKind.TASK_ITEM, one.task_item_id),
            placement_version=one.placement_version,
            done=one.done,
            deadline=None,
            estimated_sections=None,
            title=one.content,
            class_id=message.task_class_id,
            order=one.order,
        )
        for one in message.items
    )


def _classes(message: task_class_pb2.TaskClass) -> dict[int, int]:
    known = message.task_class_id
    return {known: message.placement_version} if known else {}
