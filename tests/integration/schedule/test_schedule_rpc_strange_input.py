"""Whatever is sent is answered, or refused by a typed status; never INTERNAL, never half done."""

import asyncio
import json
from typing import Any

import grpc
import pytest
from google.protobuf.descriptor import FieldDescriptor
from google.protobuf.message import Message
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from libs.rpc.errors import RemoteError
from services.schedule.server import ACCESS
from smartmate.schedule.v1 import schedule_service_pb2 as pb
from tests.integration.schedule.people import (
    SECONDS,
    SERVICE_PATH,
    Backend,
    Person,
    course,
    fresh,
)
from tests.integration.schedule.plans import ITEM, add_class, change, open_course, standing

_EDGES = (0, 1, -1, 2, 5, 2**31 - 1, -(2**31))
_WIDE_EDGES = (*_EDGES, 2**63 - 1, -(2**63), 2**40)
_TEXTS = (
    "",
    " ",
    "\0",
    "a\0b",
    "2026-09-07",
    "0000-00-00",
    "9999-12-31",
    "Asia/Shanghai",
    "/etc/passwd",
    "cell:1:1:1:1",
    "task_pool:1",
    "target_events:task_pool:99999999999999999999999",
    "semester:" + "9" * 5000,
    "cell:" + "9" * 30 + ":1:1:1",
    "‮مرحبا",
    "𠮷野家🧑‍💻",
    "长" * 10_000,
    "'; DROP TABLE tasks; --",
    "%s :user_id $1",
)

_BAD = {grpc.StatusCode.INTERNAL, grpc.StatusCode.UNKNOWN, grpc.StatusCode.DEADLINE_EXCEEDED}


def _scalars(field: Any) -> st.SearchStrategy[Any]:
    kind = field.cpp_type
    if kind == FieldDescriptor.CPPTYPE_STRING:
        if field.type == FieldDescriptor.TYPE_BYTES:
            return st.binary(max_size=40)
        return st.sampled_from(_TEXTS) | st.text(max_size=12)
    if kind == FieldDescriptor.CPPTYPE_BOOL:
        return st.booleans()
    if kind == FieldDescriptor.CPPTYPE_ENUM:
        return st.sampled_from((0, 1, 2, 3, 8, 99, -1))
    if kind == FieldDescriptor.CPPTYPE_INT32:
        return st.sampled_from(_EDGES) | st.integers(-40, 40)
    return st.sampled_from(_WIDE_EDGES) | st.integers(-40, 40)


@st.composite
def _filled(draw: st.DrawFn, message: Any) -> Any:
    """Fills a message with any values that its fields can hold."""
    for field in message.DESCRIPTOR.fields:
        if not draw(st.booleans() | st.just(True)):
            continue
        if field.message_type is not None and field.message_type.GetOptions().map_entry:
            keys = draw(st.lists(st.sampled_from(_TEXTS[1:]), max_size=3))
            getattr(message, field.name).update(dict.fromkeys(keys, "1:2"))
        elif field.is_repeated:
            many = getattr(message, field.name)
            for _ in range(draw(st.integers(0, 3))):
                if field.message_type is not None:
                    draw(_filled(many.add()))
                else:
                    many.append(draw(_scalars(field)))
        elif field.message_type is not None:
            inner = getattr(message, field.name)
            inner.SetInParent()
            draw(_filled(inner))
        else:
            setattr(message, field.name, draw(_scalars(field)))
    return message


async def _answered(person: Person, method: str, request: Message) -> None:
    outcome = await asyncio.gather(person.call(method, request), return_exceptions=True)
    if isinstance(outcome[0], BaseException):
        error = outcome[0]
        assert isinstance(error, RemoteError)
        assert error.code not in _BAD, f"{error} for {request}"
        assert (error.domain, bool(error.reason)) == ("smartmate.schedule", True)


@pytest.mark.parametrize("method", sorted(ACCESS.keys() - {"CheckDueTasks"}))
@settings(max_examples=25, deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given(data=st.data())
async def test_any_request_is_answered_or_refused(
    backend: Backend, method: str, data: st.DataObject
) -> None:
    request = data.draw(_filled(getattr(pb, f"{method}Request")()))
    await _answered(backend.someone(), method, request)


@settings(max_examples=40, deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given(data=st.data())
async def test_any_changes_in_a_real_semester_end_in_a_verdict_or_a_refusal(
    backend: Backend, busy: Person, data: st.DataObject
) -> None:
    request = data.draw(_filled(pb.ApplyChangesRequest()))
    known = [one.event_id for one in await standing(busy)]
    ids = st.sampled_from((*known, 1, 2, 3)) if known else st.integers(1, 3)
    for one in request.changes:
        one.target.kind = data.draw(st.sampled_from((1, 2, 3)))
        one.target.id = data.draw(ids)
        one.type = data.draw(st.integers(1, 9))
        one.host_event_id = data.draw(st.just(0) | ids)
        one.to.semester_id = busy.semester.semester_id
        if data.draw(st.booleans()):
            one.to.CopyFrom(busy.place(data.draw(st.integers(1, 12)), days=3))
    await _answered(busy, "ApplyChanges", request)
    await _answered(
        busy, "CheckChanges", pb.CheckChangesRequest(changes=request.changes, base=request.base)
    )


_VALUES = st.recursive(
    st.none()
    | st.booleans()
    | st.integers(-(2**70), 2**70)
    | st.floats()
    | st.text(max_size=20)
    | st.sampled_from(("1-16周", "1-2节", "高等数学", "１-16周(单)", "65535")),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=5), inner),
    max_leaves=5,
)
_KEYS = st.sampled_from(("kcmc", "xm", "xqj", "jcs", "jc", "zcd", "cdmc", "xqmc", "oldzc", "oldjc"))


@settings(max_examples=60, deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given(
    rows=st.lists(st.dictionaries(_KEYS, _VALUES, max_size=8) | _VALUES, max_size=6),
    dry_run=st.booleans(),
)
async def test_any_timetable_is_read_or_reported(
    busy: Person, rows: list[Any], dry_run: bool
) -> None:
    request = pb.ImportTimetableRequest(
        request_id="r" if dry_run else "",
        semester_id=busy.semester.semester_id,
        format="TIMETABLE_FORMAT_ZHENGFANG_JSON",
        document=json.dumps({"kbList": rows}).encode(),
        dry_run=dry_run,
    )
    await _answered(busy, "ImportTimetable", request)
    request.request_id, request.dry_run = fresh(), False
    await _answered(busy, "ImportTimetable", request)


@settings(max_examples=40, deadline=None)
@given(document=st.binary(max_size=300))
async def test_any_bytes_are_a_timetable_or_refused(busy: Person, document: bytes) -> None:
    request = pb.ImportTimetableRequest(
        semester_id=busy.semester.semester_id,
        format="TIMETABLE_FORMAT_ZHENGFANG_JSON",
        document=document,
        dry_run=True,
    )
    await _answered(busy, "ImportTimetable", request)


@pytest.mark.parametrize("method", sorted(ACCESS))
async def test_bytes_that_are_no_message_are_refused(person: Person, method: str) -> None:
    raw: Any = person.backend.channel.unary_unary(SERVICE_PATH + method)
    for payload in (b"\xff\xff\xff\xff", b"\x0a\xff"):
        with pytest.raises(grpc.aio.AioRpcError) as caught:
            await raw(payload, metadata=person.metadata, timeout=SECONDS)
        expected = (
            grpc.StatusCode.PERMISSION_DENIED
            if method == "CheckDueTasks"
            else grpc.StatusCode.INVALID_ARGUMENT
        )
        assert caught.value.code() is expected


@pytest.fixture(scope="session")
async def busy(backend: Backend) -> Person:
    """A student in a semester, with three tasks, a study plan, an open course and some blocks."""
    person = backend.someone()
    await person.begin_semester()
    await person.import_rows(course("形势与政策", 3, "7-8节", "1-20周"))
    await open_course(person, (await standing(person))[0].course_id)
    for days, title in enumerate(("一", "二", "三"), start=1):
        task = await person.add_task(title)
        await person.apply(person.add(task, person.place(1, 2, days=days)))
    found = await add_class(person, "甲", "乙")
    item = found.items[0].task_item_id
    await person.apply(change("place", ITEM, item, person.place(5, 6, days=3)))
    return person
