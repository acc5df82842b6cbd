"""Forms that carry a file: read once, in memory, and only what a page of ours sends."""

from collections.abc import AsyncGenerator, Mapping
from dataclasses import dataclass

from python_multipart.exceptions import FormParserError
from starlette.datastructures import UploadFile
from starlette.formparsers import MultiPartException, MultiPartParser
from starlette.requests import Request

from libs.rpc.errors import invalid
from services.gateway.web.negotiation import content_type

UPLOAD = "multipart/form-data"
_MOST_BYTES = 4 * 1024 * 1024
"""More than a request may have: the limit of the edge is the one that counts."""
_MOST_FIELDS = 20


@dataclass(frozen=True, slots=True)
class Upload:
    """The fields of a form, and its file where one was chosen."""

    fields: Mapping[str, str]
    file: bytes
    file_name: str


class _InMemory(MultiPartParser):
    """Nothing of a person's file touches a disk, which may not be writable anyway."""

    spool_max_size = _MOST_BYTES


def is_upload(request: Request) -> bool:
    """Whether the body is that of a form which can carry a file."""
    return content_type(request) == UPLOAD


async def read_upload(request: Request) -> Upload:
    """The form and its file. Raises InvalidRequest for one that no page of ours sends."""
    found = getattr(request.state, "upload", None)
    if found is None:
        found = request.state.upload = await _parsed(request)
    return found


async def _parsed(request: Request) -> Upload:
    body = await request.body()

    async def whole() -> AsyncGenerator[bytes]:
        yield body
        yield b""

    parser = _InMemory(
        request.headers,
        whole(),
        max_files=1,
        max_fields=_MOST_FIELDS,
        max_part_size=_MOST_BYTES,
    )
    try:
        items = (await parser.parse()).multi_items()
    except (MultiPartException, FormParserError, ValueError) as error:
        raise invalid("body", "is not a form") from error
    fields: dict[str, str] = {}
    file, name = b"", ""
    for key, value in items:
        if key in fields:
            raise invalid("body", "names a field twice")
        if isinstance(value, UploadFile):
            file, name = await value.read(), value.filename or ""
            await value.close()
        else:
            fields[key] = value
    return Upload(fields, file, name)
