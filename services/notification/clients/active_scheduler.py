"""active_scheduler, as notification uses it."""

from dataclasses import dataclass
from typing import TYPE_CHECKING

import grpc

from libs.rpc.client import Client
from libs.rpc.errors import RemoteError
from libs.telemetry import logs
from services.notification.domain.answer import Absent, Answer, Silence
from services.notification.wire import preview
from smartmate.active_scheduler.v1 import active_scheduler_service_pb2 as pb

if TYPE_CHECKING:
    from smartmate.active_scheduler.v1.active_scheduler_service_pb2_grpc import (
        ActiveSchedulerServiceAsyncStub,
    )

_log = logs.get("clients.active_scheduler")


@dataclass(frozen=True, slots=True)
class ActiveSchedulerClient:
    """Asks within `seconds`, in the name of the user whom the message is for."""

    client: Client
    stub: "ActiveSchedulerServiceAsyncStub"
    seconds: float

    async def preview(self, user_id: int, preview_id: str) -> Answer:
        """A preview as it is now. Never raises for want of an answer: that is one, too."""
        try:
            response = await self.client.call(
                self.stub.GetPreview,
                pb.GetPreviewRequest(preview_id=preview_id),
                on_behalf_of=user_id,
                seconds=self.seconds,
            )
        except RemoteError as error:
            if error.code is grpc.StatusCode.NOT_FOUND:
                return Absent()
            _log.warning("no_answer", preview_id=preview_id, error=str(error))
            return Silence()
        return preview.answer(response)
