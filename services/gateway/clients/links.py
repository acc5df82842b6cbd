"""Hands sign-in links to the notification service, which sends them to the person's own channel."""

import hashlib
from datetime import datetime

from google.protobuf.timestamp_pb2 import Timestamp

from services.gateway.clients.suite import Suite
from smartmate.notification.v1 import notification_service_pb2


async def send(suite: Suite, user_id: int, token: str, expires_at: datetime) -> None:
    """Sends one link. Raises RemoteError."""
    ends = Timestamp()
    ends.FromDatetime(expires_at)
    request = notification_service_pb2.SendSignInLinkRequest(
        # One link is one attempt; the digest tells nothing of the token.
        request_id=hashlib.sha256(b"request " + token.encode()).hexdigest(),
        user_id=user_id,
        path=f"/sign-in/{token}",
        expire_time=ends,
    )
    await suite.call_alone(suite.notification.SendSignInLink, request)
