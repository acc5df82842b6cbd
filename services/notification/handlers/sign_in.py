"""Sign-in links on their way to the person: by the way of every message, and kept sealed.

Whoever reads such a link can sign in, so it goes to no channel but those that the person opened to
it, never to the console, alone and not with others, and nobody is told how it ended.
"""

import secrets
from collections.abc import Callable

from libs.db.database import Tx
from libs.telemetry import traces
from services.notification.channels.sealing import Sealer
from services.notification.domain.errors import SecretUnreadable
from services.notification.domain.record import RecordState, SkipReason
from services.notification.domain.request import Request, TargetKind
from services.notification.domain.sealed_link import PLACEHOLDER, Link
from services.notification.handlers import counters
from services.notification.store import channels, records

_PATH = "path"
"""Name under which it is sealed."""


async def take(tx: Tx, sealer: Sealer, wake: Callable[[], None], link: Link) -> None:
    """A pending record on the first channel that takes such links; skipped where there is none."""
    request = Request(
        notification_id=f"sig_{secrets.token_hex(12)}",
        user_id=link.user_id,
        trigger_id="",
        preview_id="",
        target_kind=TargetKind.SIGN_IN,
        valid_until=link.expires_at,
        path=PLACEHOLDER,
    )
    way = await channels.untried(tx, link.user_id, request.notification_id, sign_in=True)
    record = await records.insert_first(
        tx,
        request,
        way,
        reason="" if way else SkipReason.NO_SIGN_IN_CHANNEL.value,
        traceparent=traces.outgoing().get(traces.TRACEPARENT, ""),
        sealed_path=sealer.seal(
            {_PATH: link.path}, user_id=link.user_id, channel_id=request.notification_id
        ),
    )
    if record is None:
        raise AssertionError("a new notification_id has no record yet")
    tx.after_commit(counters.REQUESTED.inc)
    if record.state is RecordState.SKIPPED:
        counters.count_step(tx, record.state, channel="", reason=record.reason)
    else:
        tx.after_commit(wake)


def opened(sealer: Sealer, request: Request, sealed_path: bytes | None) -> str:
    """The path of a sign-in link; empty for every other message. Raises SecretUnreadable."""
    if not request.is_sign_in:
        return ""
    if sealed_path is None:
        raise SecretUnreadable("forgotten")
    kept = sealer.open(sealed_path, user_id=request.user_id, channel_id=request.notification_id)
    return kept[_PATH]
