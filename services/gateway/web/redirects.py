"""After a form of the preview page: back to the page, which shows how things stand."""

from urllib.parse import quote, urlencode

from grpc import StatusCode
from starlette.responses import RedirectResponse

from libs.rpc.errors import RemoteError
from services.gateway.web.answers import see_other
from smartmate.active_scheduler.v1 import trigger_pb2

PREVIEWS = "/active-schedule/previews"
_SHOWN = frozenset({StatusCode.FAILED_PRECONDITION, StatusCode.ALREADY_EXISTS, StatusCode.ABORTED})
_TOLD = frozenset({"candidate_not_found", "task_not_found"})
"""What is not found although the suggestion is."""


def preview_path(preview_id: str) -> str:
    """Where a suggestion is looked at."""
    return f"{PREVIEWS}/{quote(preview_id, safe='')}"


def to_preview(
    preview_id: str,
    error: RemoteError | None = None,
    *,
    candidate_id: str = "",
    edits: str = "",
) -> RedirectResponse:
    """The page of the suggestion as it was shown, told what the form met.

    Raises what the page cannot explain.
    """
    shown = {"candidate": candidate_id, "edits": edits}
    query = {name: value for name, value in shown.items() if value}
    if error is not None:
        if error.code not in _SHOWN and error.reason not in _TOLD:
            raise error
        query["told"] = error.reason
    path = preview_path(preview_id)
    return see_other(f"{path}?{urlencode(query)}" if query else path)


def to_look(record: trigger_pb2.TriggerRecord) -> RedirectResponse:
    """To the suggestion of a look as soon as there is one, else to the list with what is known."""
    if record.preview_id:
        return see_other(preview_path(record.preview_id))
    ended = record.HasField("finish_time")
    told = "trigger_closed" if ended else "trigger_pending"
    return see_other(f"{PREVIEWS}?{urlencode({'told': told})}")
