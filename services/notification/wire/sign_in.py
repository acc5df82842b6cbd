"""The request for a sign-in link as a domain value."""

import re

from libs.rpc.errors import invalid
from services.notification.domain.sealed_link import Link
from services.notification.wire import values
from smartmate.notification.v1 import notification_service_pb2 as pb

_PATH = re.compile(r"/sign-in/[A-Za-z0-9_-]{32,100}")
_YEARS = range(1970, 2201)


def link(request: pb.SendSignInLinkRequest) -> Link:
    """Raises InvalidRequest, which does not repeat the path."""
    user_id = values.checked_number(request.user_id, "user_id")
    if not _PATH.fullmatch(request.path):
        raise invalid("path", "must be the path of a sign-in link")
    try:
        expires_at = values.instant(request.expire_time)
    except (ValueError, OverflowError) as error:
        raise invalid("expire_time", "must be an instant") from error
    if not request.HasField("expire_time") or expires_at.year not in _YEARS:
        raise invalid("expire_time", "must be an instant of this time")
    return Link(user_id, request.path, expires_at)
