"""RPCs about what a person has chosen for the whole suite."""

from libs.db.database import Tx
from libs.rpc.server import user_id
from services.schedule.handlers import choices
from services.schedule.server.rpcs import Context, Rpcs
from services.schedule.wire import user_settings
from smartmate.schedule.v1 import schedule_service_pb2 as pb


class Choices(Rpcs):
    """PutUserSettings, GetUserSettings."""

    __slots__ = ()

    async def PutUserSettings(
        self, request: pb.PutUserSettingsRequest, context: Context
    ) -> pb.PutUserSettingsResponse:
        asked = user_settings.read(request.settings)

        async def work(tx: Tx) -> pb.PutUserSettingsResponse:
            stored = await choices.put(tx, user_id(), asked)
            return pb.PutUserSettingsResponse(settings=user_settings.settings(stored))

        return await self._once(request, pb.PutUserSettingsResponse, work)

    async def GetUserSettings(
        self, request: pb.GetUserSettingsRequest, context: Context
    ) -> pb.GetUserSettingsResponse:
        async with self.db.snapshot() as tx:
            found = await choices.get(tx, user_id())
        return pb.GetUserSettingsResponse(settings=user_settings.settings(found))
