"""After a form of the preview page: back to the page, which shows how things stand."""

from urllib.parse import quote, urlencode

from grpc import StatusCode
from starlette.requests import Request
from starlette.responses import RedirectResponse

from libs.rpc.errors import RemoteError
from services.gateway.web.answers import see_other
from services.gateway.wire.look_page import LOOKS
from smartmate.active_scheduler.v1 import trigger_pb2

PREVIEWS = "/active-schedule/previews"
CHAT = "/agent/chat"
_SHOWN = frozenset({StatusCode.FAILED_PRECONDITION, StatusCode.ALREADY_EXISTS, StatusCode.ABORTED})
_TOLD = frozenset({"candidate_not_found", "task_not_found"})
"""What is not found although the suggestion is."""


def preview_path(preview_id: str) -> str:
    """Where a suggestion is looked at."""
    return f"{PREVIEWS}/{quote(preview_id, safe='')}"


def in_chat(request: Request) -> bool:
    """Whether a form of the suggestion stood in the page of a conversation."""
    return request.query_params.get("back") == "chat"


def to_preview(
    preview_id: str,
    error: RemoteError | None = None,
    *,
    candidate_id: str = "",
    edits: str = "",
    chat: bool = False,
) -> RedirectResponse:
    """The page of the suggestion as it was shown, told what the form met.

    `chat`: to the conversation about it instead. Raises what the page cannot explain.
    """
    shown = {"candidate": candidate_id, "edits": edits}
    query = {name: value for name, value in shown.items() if value}
    if error is not None:
        if error.code not in _SHOWN and error.reason not in _TOLD:
            raise error
        query["met" if chat else "told"] = error.reason
    if chat:
        query = {"active_preview_id": preview_id, **query}
    path = CHAT if chat else preview_path(preview_id)
    return see_other(f"{path}?{urlencode(query)}" if query else path)


def to_look(record: trigger_pb2.TriggerRecord) -> RedirectResponse:
    """To the suggestion of a look as soon as there is one, else to the page that waits for it."""
    if record.preview_id:
        return see_other(preview_path(record.preview_id))
    return see_other(f"{LOOKS}/{quote(record.trigger_id, safe='')}")
