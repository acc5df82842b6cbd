"""What a student does however often the suite does not answer, and what must be true afterwards.

Every change carries a key of its own and is asked for under it until there is an answer, as the
pages do it. What is counted as done is what was answered.
"""

import random
from collections import Counter
from collections.abc import Awaitable, Callable
from dataclasses import dataclass, field
from datetime import timedelta
from functools import partial
from typing import Any, TypeVar

import grpc

from libs.rpc.errors import RemoteError
from smartmate.active_scheduler.v1 import active_scheduler_service_pb2 as active_pb2
from smartmate.active_scheduler.v1 import preview_pb2
from tests.student import Student, new_key
from tests.waiting import until
from tests.world import World

T = TypeVar("T")

PATIENCE_SECONDS = 90.0
NOT_NOW = (grpc.StatusCode.UNAVAILABLE, grpc.StatusCode.DEADLINE_EXCEEDED)
"""Answers after which a caller asks again, under the same key."""
TITLES = ("概率论大作业", "英语听力", "背单词", "实验报告", "读论文")


class Silent(Exception):
    """Nobody answered for as long as a student would ask."""


async def insist(ask: Callable[[], Awaitable[T]], *, within: float = PATIENCE_SECONDS) -> T:
    """The answer, however often one has to ask. Raises RemoteError for a real refusal."""
    last: list[RemoteError] = []

    async def attempt() -> tuple[T] | None:
        try:
            return (await ask(),)
        except RemoteError as error:
            if error.code not in NOT_NOW:
                raise
            last[:] = [error]
            return None

    try:
        return (await until(attempt, within=within, what="an answer"))[0]  # type: ignore[index]
    except AssertionError as error:
        raise Silent(str(last)) from error


@dataclass(slots=True)
class Day:
    """One student's doings; `chance` decides what becomes of each proposal."""

    student: Student
    world: World
    chance: random.Random = field(default_factory=lambda: random.Random(1))
    under_way: int = 0
    """Calls and waits that are not over."""
    placed: Counter[int] = field(default_factory=Counter)
    """Blocks that each task must have, by what was answered."""
    done: Counter[str] = field(default_factory=Counter)

    async def spend(self, tasks: int, *, with_bot: bool = True) -> None:
        """So many tasks, one after the other; not more than a day has room for."""
        self.under_way += 1
        try:
            await insist(partial(self.student.begin_semester, key=new_key()))
            if with_bot:
                hook, secret = self.world.hook(self.student), self.world.suite.feishu_secret
                await insist(partial(self.student.put_bot, hook, secret, key=new_key()))
            for _ in range(tasks):
                await self._one_task()
        finally:
            self.under_way -= 1

    async def _one_task(self) -> None:
        urgent_in = timedelta(seconds=1) if self.chance.random() < 0.5 else None
        title = self.chance.choice(TITLES)
        task = await insist(
            partial(self.student.create_task, title, urgent_in=urgent_in, key=new_key())
        )
        self.placed[task.task_id] = 0
        if urgent_in is None:
            await insist(partial(self.student.trigger, task.task_id, key=new_key()))
        preview = await self._proposed(task.task_id)
        self.done["worded by a model"] += not preview.llm_fallback_reason
        if not preview.candidates:
            self.done["nothing to confirm"] += 1
        elif self.chance.random() < 0.15:
            await self._ignore(preview)
        else:
            await self._confirm(preview, task.task_id)

    async def _proposed(self, task_id: int) -> preview_pb2.Preview:
        """The newest proposal for a task, which is the last one that was made."""

        async def newest() -> preview_pb2.Preview | None:
            listed = await insist(
                lambda: self.student.call(
                    self.student.line.active.ListPreviews, active_pb2.ListPreviewsRequest()
                )
            )
            for summary in listed.previews[:1]:
                preview = await insist(partial(self.student.preview, summary.preview_id))
                return preview if preview.target.id == task_id else None
            return None

        found = await until(newest, within=PATIENCE_SECONDS, what=f"a preview of task {task_id}")
        assert found is not None
        return found

    async def _ignore(self, preview: preview_pb2.Preview) -> None:
        request = active_pb2.IgnorePreviewRequest(
            request_id=new_key(), preview_id=preview.preview_id
        )
        await insist(lambda: self.student.call(self.student.line.active.IgnorePreview, request))
        self.done["ignored"] += 1

    async def _confirm(self, preview: preview_pb2.Preview, task_id: int) -> None:
        candidate = self.chance.choice(preview.candidates).candidate_id
        key = new_key()
        await insist(lambda: self.student.confirm(preview, candidate_id=candidate, key=key))
        settled = await self._settled(preview.preview_id)
        applied = settled.state == preview_pb2.PREVIEW_STATE_APPLIED
        self.placed[task_id] = int(applied)
        self.done["applied" if applied else "refused"] += 1

    async def _settled(self, preview_id: str) -> preview_pb2.Preview:
        async def judged() -> Any:
            preview = await insist(lambda: self.student.preview(preview_id))
            return None if preview.state == preview_pb2.PREVIEW_STATE_APPLYING else preview

        found: preview_pb2.Preview = await until(
            judged, within=PATIENCE_SECONDS, what="the verdict"
        )
        return found

    async def problems(self) -> list[str]:
        """What was answered and is not so: a block that is missing, or there twice."""
        blocks = await insist(self.student.task_blocks)
        there = Counter(block.source.id for block in blocks)
        return [
            f"user {self.student.id} task {task_id}: {there[task_id]} blocks, {wanted} confirmed"
            for task_id, wanted in self.placed.items()
            if there[task_id] != wanted
        ]
