"""Reading a form that carries a file: whole, or refused; never anything else."""

from collections.abc import Mapping

import pytest
from hypothesis import given
from hypothesis import strategies as st
from starlette.requests import Request
from starlette.types import Message

from libs.rpc.errors import InvalidRequest
from services.gateway.web.bodies import from_fields
from services.gateway.web.uploads import Upload, is_upload, read_upload
from services.gateway.wire import timetable_form
from services.gateway.wire.timetable_form import SemesterForm, WriteForm

BOUNDARY = "multipart/form-data; boundary=x"


def request(body: bytes, kind: str | bytes = BOUNDARY) -> Request:
    async def receive() -> Message:
        return {"type": "http.request", "body": body, "more_body": False}

    value = kind.encode() if isinstance(kind, str) else kind
    scope = {"type": "http", "method": "POST", "headers": [(b"content-type", value)]}
    return Request(scope, receive)


def part(name: str, content: bytes, *, file: str | None = None) -> bytes:
    named = f'Content-Disposition: form-data; name="{name}"'
    named += "" if file is None else f'; filename="{file}"'
    return b"--x\r\n" + named.encode() + b"\r\n\r\n" + content + b"\r\n"


async def test_fields_and_file_are_read_once() -> None:
    body = (
        part("format", b"auto")
        + part("file", "课表".encode("gbk"), file="课表.json")
        + b"--x--\r\n"
    )
    asked = request(body)
    found = await read_upload(asked)
    assert found == Upload({"format": "auto"}, "课表".encode("gbk"), "课表.json")
    assert await read_upload(asked) is found


async def test_a_form_without_a_file_has_an_empty_one() -> None:
    found = await read_upload(request(part("text", "课".encode()) + b"--x--\r\n"))
    assert found == Upload({"text": "课"}, b"", "")


@pytest.mark.parametrize(
    ("kind", "holds"),
    [(BOUNDARY, True), ("Multipart/Form-Data", True), ("application/json", False), ("", False)],
)
def test_a_form_with_a_file_is_known_by_its_kind(kind: str, holds: bool) -> None:
    assert is_upload(request(b"", kind)) is holds


@pytest.mark.parametrize(
    "body",
    [
        part("a", b"1") + part("a", b"2") + b"--x--\r\n",
        part("a", b"1", file="1") + part("b", b"2", file="2") + b"--x--\r\n",
        b"".join(part(str(n), b"") for n in range(21)) + b"--x--\r\n",
        b"--x\r\nContent-Disposition: form-data\r\n\r\n1\r\n--x--\r\n",
    ],
    ids=["twice", "two files", "many", "nameless"],
)
async def test_what_no_page_of_ours_sends_is_refused(body: bytes) -> None:
    with pytest.raises(InvalidRequest):
        await read_upload(request(body))


async def _read_or_refused(asked: Request) -> None:
    try:
        found = await read_upload(asked)
    except InvalidRequest:
        return
    assert isinstance(found.file, bytes)
    f"{found.file_name}{found.fields}".encode("utf-8", "surrogatepass")


pieces = st.lists(
    st.sampled_from(
        [
            *(b"--x\r\n", b"--x--\r\n", b"--x--", b"\r\n", b"{}\r\n", b"\xff\xfe\x00"),
            b'Content-Disposition: form-data; name="text"\r\n',
            b'Content-Disposition: form-data; name="file"; filename="a.json"\r\n',
            b'Content-Disposition: form-data; name="\xff"; filename="\xff"\r\n',
            b"Content-Disposition: form-data\r\n",
            b"Content-Transfer-Encoding: base64\r\n",
        ]
    ),
    max_size=12,
).map(b"".join)
kinds = st.sampled_from(
    [
        *(BOUNDARY.encode(), b'multipart/form-data; boundary="x"', b"multipart/form-data"),
        *(b"multipart/form-data; boundary=", b"multipart/form-data; charset=x; boundary=x"),
        b"multipart/form-data; charset=utf-16; boundary=x",
        b"multipart/form-data; boundary=" + b"x" * 300,
    ]
)


@given(st.binary(max_size=300) | pieces, kinds)
async def test_any_upload_is_read_or_refused(body: bytes, kind: bytes) -> None:
    await _read_or_refused(request(body, kind))


fields = st.dictionaries(
    st.sampled_from(["idempotency_key", "semester_id", "format", "document", "base_version"])
    | st.text(max_size=8),
    st.text(max_size=12) | st.sampled_from(["1", "auto", "eJwDAAAAAAE=", "x" * 70, "-1"]),
    max_size=7,
)


@given(fields)
def test_any_fields_are_a_form_or_refused(stated: Mapping[str, str]) -> None:
    timetable_form.displaced(timetable_form.choices(stated))
    for kind in (WriteForm, SemesterForm):
        try:
            form = from_fields(kind, stated)
        except InvalidRequest:
            continue
        if isinstance(form, SemesterForm):
            assert bool(form.problems()) is not bool(form.monday and form.weeks)
