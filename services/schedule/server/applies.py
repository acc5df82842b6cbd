"""RPCs that judge and write changes."""

from dataclasses import dataclass, field

from libs.rpc.server import user_id
from services.schedule.handlers import applies, undo
from services.schedule.handlers.gathering import Gathering
from services.schedule.server.rpcs import Context, Rpcs
from services.schedule.wire import changes
from smartmate.schedule.v1 import schedule_service_pb2 as pb


@dataclass(frozen=True, slots=True)
class Applies(Rpcs):
    """CheckChanges, ApplyChanges, GetApply, UndoApply."""

    gathering: Gathering = field(init=False)

    def __post_init__(self) -> None:
        object.__setattr__(self, "gathering", Gathering(self.db, self.outlet))

    async def CheckChanges(
        self, request: pb.CheckChangesRequest, context: Context
    ) -> pb.CheckChangesResponse:
        asked, base = changes.read_changes(request.changes), changes.read_base(request.base)
        async with self.db.snapshot() as tx:
            refusals, current = await applies.check(tx, user_id(), asked, base)
        return changes.check(refusals, current)

    async def ApplyChanges(
        self, request: pb.ApplyChangesRequest, context: Context
    ) -> pb.ApplyChangesResponse:
        ask = changes.read_ask(user_id(), request)
        verdict = await self.gathering.apply(ask)
        return pb.ApplyChangesResponse(verdict=changes.verdict(verdict))

    async def GetApply(self, request: pb.GetApplyRequest, context: Context) -> pb.GetApplyResponse:
        apply_id = changes.read_apply_id(request.apply_id)
        async with self.db.snapshot() as tx:
            verdict = await applies.get(tx, user_id(), apply_id)
        return pb.GetApplyResponse(verdict=changes.verdict(verdict))

    async def UndoApply(
        self, request: pb.UndoApplyRequest, context: Context
    ) -> pb.UndoApplyResponse:
        apply_id, undone = changes.read_undo(request)
        verdict = await undo.undo(
            self.db, user_id(), self.outlet, apply_id=apply_id, undone_apply_id=undone
        )
        return pb.UndoApplyResponse(verdict=changes.verdict(verdict))
