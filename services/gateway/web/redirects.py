"""After a form of the preview page: back to the page, which shows how things stand."""

from urllib.parse import quote, urlencode

from grpc import StatusCode
from starlette.responses import RedirectResponse

from libs.rpc.errors import RemoteError
from services.gateway.web.answers import see_other

_SHOWN = frozenset({StatusCode.FAILED_PRECONDITION, StatusCode.ALREADY_EXISTS, StatusCode.ABORTED})


def preview_path(preview_id: str) -> str:
    """Where a suggestion is looked at."""
    return f"/active-schedule/previews/{quote(preview_id, safe='')}"


def to_preview(
    preview_id: str, error: RemoteError | None = None, *, candidate_id: str = ""
) -> RedirectResponse:
    """The page of the suggestion, told what the form met. Raises what the page cannot explain."""
    query = {}
    if candidate_id:
        query["candidate"] = candidate_id
    if error is not None:
        if error.code not in _SHOWN and error.reason != "candidate_not_found":
            raise error
        query["told"] = error.reason
    path = preview_path(preview_id)
    return see_other(f"{path}?{urlencode(query)}" if query else path)
