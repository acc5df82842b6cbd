"""Planning states for the tests: a window of few days, and short ways to say who sits where."""

from collections.abc import Iterable
from dataclasses import replace

from libs.planning.calendar import DEFAULT_CLOCK
from libs.planning.order import OrderedBlock, Span
from libs.planning.state import Intensity, PlanningState, Source, Status, Task
from libs.planning.window import Window, WindowDay


def window(days: int = 10, *, open_from: tuple[int, int] = (1, 1)) -> Window:
    """So many days from week 1, day 1 on."""
    of = (WindowDay(1, day // 7 + 1, day % 7 + 1) for day in range(days))
    return Window(tuple(of), DEFAULT_CLOCK, open_from)


def span(day: int, first: int, last: int | None = None) -> Span:
    return Span(day, first, first + 1 if last is None else last)


def course(id: int, *slots: Span, embeddable: bool = False, name: str = "") -> Task:
    return Task(
        id,
        Source.EVENT,
        100 + id,
        name or f"课程{id}",
        "课程",
        Status.EXISTING,
        slots,
        slots[0].length if slots else 2,
        locked=not embeddable,
        can_embed=embeddable,
    )


def item(
    id: int,
    at: Span | None = None,
    *,
    of: int | None = 1,
    order: int | None = None,
    length: int = 2,
    status: Status = Status.SUGGESTED,
    category: str = "",
    intensity: Intensity | None = None,
    makeup: bool = False,
) -> Task:
    """An item of a class; without a place it waits."""
    return Task(
        id,
        Source.TASK_ITEM,
        200 + id,
        f"项{id}",
        category or f"类{of}",
        Status.PENDING if at is None else status,
        () if at is None else (at,),
        length if at is None else at.length,
        task_class_id=of,
        item_id=200 + id if of is not None else None,
        task_order=None if of is None else (id if order is None else order),
        cognitive_intensity=intensity,
        makeup=makeup,
    )


def guest_in(host: Task, guest: Task) -> tuple[Task, Task]:
    """The two with their links."""
    links = tuple(sorted({*host.embedded_by, guest.state_id}))
    return replace(host, embedded_by=links), replace(guest, embed_host=host.state_id)


def state(
    *tasks: Task,
    days: int = 10,
    open_from: tuple[int, int] = (1, 1),
    anchors: Iterable[OrderedBlock] = (),
) -> PlanningState:
    return PlanningState(window(days, open_from=open_from), tasks, anchors)
