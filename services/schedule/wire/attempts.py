"""Which attempt a request is: its request_id and all the rest of it, in a canonical form."""

from google.protobuf.message import Message

from libs.db.requests import RequestKey
from services.schedule.wire import fields


def key_of(user_id: int, rpc: str, request: Message) -> RequestKey:
    """The key of an attempt. Raises InvalidRequest where the request_id is of no use."""
    content = type(request)()
    content.CopyFrom(request)
    content.ClearField("request_id")
    return RequestKey.of(
        user_id=user_id,
        rpc=rpc,
        request_id=fields.request_id(request.request_id),  # type: ignore[attr-defined]
        content=content.SerializeToString(deterministic=True),
    )
