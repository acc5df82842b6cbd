"""RPCs that plans start from."""

import asyncio
from dataclasses import replace

from libs.rpc.server import user_id
from services.schedule.domain import rough
from services.schedule.handlers import counters, planning
from services.schedule.server.rpcs import Context, Rpcs
from services.schedule.wire import planning as wire
from smartmate.schedule.v1 import schedule_service_pb2 as pb


class Planning(Rpcs):
    """LoadPlanningState, RoughBuild."""

    __slots__ = ()

    async def LoadPlanningState(
        self, request: pb.LoadPlanningStateRequest, context: Context
    ) -> pb.LoadPlanningStateResponse:
        ids, period = wire.read_class_ids(request.task_class_ids), wire.read_period(request)
        async with self.db.snapshot() as tx:
            return wire.state(await planning.load(tx, user_id(), ids, period))

    async def RoughBuild(
        self, request: pb.RoughBuildRequest, context: Context
    ) -> pb.RoughBuildResponse:
        ids, period = wire.read_class_ids(request.task_class_ids), wire.read_period(request)
        days, pairs = wire.read_excluded_days(request), wire.read_excluded_pairs(request)
        async with self.db.snapshot() as tx:
            asked = await planning.rough_input(tx, user_id(), ids, period)
        asked = replace(asked, excluded_days=days, excluded_pairs=pairs)
        found = await asyncio.to_thread(rough.build, asked)
        counters.count_rough_build(found)
        return wire.rough(found)
