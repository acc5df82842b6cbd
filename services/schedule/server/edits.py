"""RPCs by which a person changes the schedule by hand."""

from libs.db.database import Tx
from libs.rpc.server import user_id
from services.schedule.handlers import edits
from services.schedule.server.rpcs import Context, Rpcs
from services.schedule.wire import blocks, changes, fields
from smartmate.schedule.v1 import schedule_service_pb2 as pb


class Edits(Rpcs):
    """DeleteEvent, RevokeEvent, SetCourseEmbedding."""

    __slots__ = ()

    async def DeleteEvent(
        self, request: pb.DeleteEventRequest, context: Context
    ) -> pb.DeleteEventResponse:
        event_id, seen = _named(request)

        async def work(tx: Tx) -> pb.DeleteEventResponse:
            gone = await edits.delete(tx, user_id(), event_id, self.outlet, if_version=seen)
            return pb.DeleteEventResponse(
                event=blocks.event(gone.block),
                pending_events=[blocks.event(guest) for guest in gone.pending],
            )

        return await self._once(request, pb.DeleteEventResponse, work)

    async def RevokeEvent(
        self, request: pb.RevokeEventRequest, context: Context
    ) -> pb.RevokeEventResponse:
        event_id, seen = _named(request)

        async def work(tx: Tx) -> pb.RevokeEventResponse:
            block, source = await edits.revoke(
                tx, user_id(), event_id, self.outlet, if_version=seen
            )
            return pb.RevokeEventResponse(event=blocks.event(block), target=changes.target(source))

        return await self._once(request, pb.RevokeEventResponse, work)

    async def SetCourseEmbedding(
        self, request: pb.SetCourseEmbeddingRequest, context: Context
    ) -> pb.SetCourseEmbeddingResponse:
        course_id = fields.row_id("course_id", request.course_id)
        chosen = request.can_be_embedded

        async def work(tx: Tx) -> pb.SetCourseEmbeddingResponse:
            standing = await edits.set_embedding(tx, user_id(), course_id, chosen, self.outlet)
            return pb.SetCourseEmbeddingResponse(can_be_embedded=chosen, meeting_count=standing)

        return await self._once(request, pb.SetCourseEmbeddingResponse, work)


def _named(request: pb.DeleteEventRequest | pb.RevokeEventRequest) -> tuple[int, int | None]:
    return (
        fields.row_id("event_id", request.event_id),
        fields.if_version("if_placement_version", request.if_placement_version),
    )
