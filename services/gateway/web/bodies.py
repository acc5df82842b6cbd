"""Bodies that may come as JSON from a program or as a form from a page."""

from collections.abc import Iterable, Mapping
from typing import Any, TypeVar
from urllib.parse import parse_qsl

from pydantic import BaseModel, ValidationError
from starlette.exceptions import HTTPException
from starlette.requests import Request

from libs.rpc.errors import InvalidRequest, Violation, invalid
from services.gateway.web.negotiation import JSON, content_type, is_form

B = TypeVar("B", bound=BaseModel)

CSRF_FIELD = "csrf_token"
_MOST_FIELDS = 300
_LONGEST_NAME = 200


async def read_form(request: Request) -> dict[str, str]:
    """The fields of a form. Raises InvalidRequest for one that no page of ours sends."""
    try:
        pairs = parse_qsl(
            (await request.body()).decode("ascii"),
            keep_blank_values=True,
            max_num_fields=_MOST_FIELDS,
            errors="strict",
        )
    except ValueError as error:
        raise invalid("body", "is not a form") from error
    fields = dict(pairs)
    if len(fields) != len(pairs):
        raise invalid("body", "names a field twice")
    return fields


async def read(request: Request, kind: type[B]) -> B:
    """The body as a model, from a form or from JSON. Raises InvalidRequest, or 415."""
    if is_form(request):
        fields = await read_form(request)
        fields.pop(CSRF_FIELD, None)
        return from_fields(kind, fields)
    if content_type(request) != JSON:
        raise HTTPException(415)
    try:
        return kind.model_validate_json(await request.body())
    except ValidationError as error:
        raise InvalidRequest(*violations(error.errors())) from error


def from_fields(kind: type[B], fields: Mapping[str, Any]) -> B:
    """Named values as a model. Raises InvalidRequest."""
    try:
        return kind.model_validate(fields)
    except ValidationError as error:
        raise InvalidRequest(*violations(error.errors())) from error


def violations(errors: Iterable[Mapping[str, Any]]) -> list[Violation]:
    """What pydantic found, without anything of what was sent."""
    return [Violation(_field(error["loc"]), _problem(error)) for error in errors]


def _field(location: Iterable[str | int]) -> str:
    """`body.target.id`, with an index as `[2]`."""
    path = ""
    for part in location:
        path += f"[{part}]" if isinstance(part, int) else f".{part}"
    # The name of an unknown field is the sender's: it may be long, or no text at all.
    shown = path.lstrip(".")[:_LONGEST_NAME].encode("utf-8", "replace").decode()
    return shown or "body"


def _problem(error: Mapping[str, Any]) -> str:
    # The text of an unknown kind of error could quote the input.
    return str(error["msg"]) if error["type"] != "value_error" else str(error["ctx"]["error"])
