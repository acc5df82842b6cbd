"""A real gRPC server: who is let in, what errors become, how long calls may take."""

import asyncio
from collections.abc import AsyncIterator
from pathlib import Path
from typing import Any

import grpc
import pytest
from google.protobuf import timestamp_pb2
from google.rpc import error_details_pb2
from grpc_health.v1 import health_pb2, health_pb2_grpc
from grpc_reflection.v1alpha import reflection_pb2, reflection_pb2_grpc
from grpc_status import rpc_status
from opentelemetry import trace
from opentelemetry.sdk.trace import TracerProvider
from structlog.testing import capture_logs

from libs.rpc import deadline, errors
from libs.rpc.client import channel
from libs.rpc.errors import InvalidRequest, RemoteError, Violation
from libs.rpc.identity import SERVICE_HEADER, USER_HEADER, Caller
from libs.rpc.server import caller, user_id
from libs.telemetry import traces
from smartmate.active_scheduler.v1 import active_scheduler_service_pb2 as pb
from smartmate.active_scheduler.v1 import active_scheduler_service_pb2_grpc as stubs
from tests.integration.libs import rpc_rig
from tests.integration.libs.rpc_rig import DOMAIN, NAME, USER, Rig, Taken, Toy, written
from tests.waiting import until, wait_until

Code = grpc.StatusCode
SERVING = health_pb2.HealthCheckResponse.SERVING
NOT_SERVING = health_pb2.HealthCheckResponse.NOT_SERVING

REQUESTS = {
    "IgnorePreview": pb.IgnorePreviewRequest(),
    "GetPreview": pb.GetPreviewRequest(),
    "GetTrigger": pb.GetTriggerRequest(),
    "DryRun": pb.DryRunRequest(),
    "ConfirmPreview": pb.ConfirmPreviewRequest(),
    "WatchPreview": pb.WatchPreviewRequest(),
}
CALLERS = (
    "nobody",
    "a user",
    "an operator",
    "notification for a user",
    "schedule for a user",
    "schedule alone",
    "gateway alone",
    "a user without a service",
)
ALLOWED = {
    "IgnorePreview": {"a user", "an operator"},
    "GetPreview": {"a user", "an operator", "notification for a user"},
    "GetTrigger": {"schedule alone"},
    "DryRun": {"an operator"},
    "ConfirmPreview": set(),
    "WatchPreview": {"a user", "an operator"},
}


@pytest.fixture
async def rig(tmp_path: Path) -> AsyncIterator[Rig]:
    async with rpc_rig.made(tmp_path) as made:
        yield made


def metadata_of(rig: Rig, who: str) -> list[tuple[str, str]]:
    service = rig.issuers
    match who:
        case "a user":
            return rig.user_metadata()
        case "an operator":
            return rig.user_metadata(USER, "operator")
        case "notification for a user" | "schedule for a user":
            name = who.split()[0]
            return [
                (SERVICE_HEADER, service[name].service_token()),
                (USER_HEADER, service[name].delegated_token(USER)),
            ]
        case "schedule alone" | "gateway alone":
            return [(SERVICE_HEADER, service[who.split()[0]].service_token())]
        case "a user without a service":
            return rig.user_metadata()[1:]
    return []


async def called(rig: Rig, method: str, who: str) -> Code:
    """How a call ends."""
    call = getattr(rig.stub, method)(REQUESTS[method], metadata=metadata_of(rig, who), timeout=20)
    try:
        if method == "WatchPreview":
            _ = [answer async for answer in call]
        else:
            await call
    except grpc.aio.AioRpcError as error:
        return error.code()
    return Code.OK


async def refusal(rig: Rig, error: BaseException) -> grpc.aio.AioRpcError:
    """What a caller sees when the handler raises."""

    async def fail(request: Any, context: Any) -> None:
        raise error

    rig.toy.serve = fail
    with pytest.raises(grpc.aio.AioRpcError) as failed:
        await rig.as_user()
    return failed.value


@pytest.mark.parametrize("method", sorted(ALLOWED))
async def test_an_rpc_is_open_to_those_it_lists_and_to_nobody_else(rig: Rig, method: str) -> None:
    found = {who: await called(rig, method, who) for who in CALLERS}
    unknown = {"nobody", "a user without a service"}
    assert {who for who, code in found.items() if code is Code.OK} == ALLOWED[method]
    if method == "ConfirmPreview":
        # Nobody is even asked who he is.
        assert set(found.values()) == {Code.PERMISSION_DENIED}
    else:
        assert {who for who, code in found.items() if code is Code.UNAUTHENTICATED} == unknown
    assert rig.toy.calls == len(ALLOWED[method])


async def test_the_handler_knows_who_calls_and_for_whom(rig: Rig) -> None:
    seen: list[Caller] = []

    async def look(request: Any, context: Any) -> None:
        seen.append(caller())

    rig.toy.serve = look
    await called(rig, "IgnorePreview", "a user")
    await called(rig, "GetPreview", "notification for a user")
    await called(rig, "GetTrigger", "schedule alone")
    token = dict(rig.user_metadata())[USER_HEADER]
    assert seen == [
        Caller("gateway", USER, frozenset(), token),
        Caller("notification", USER),
        Caller("schedule"),
    ]


async def test_calls_side_by_side_do_not_mix_up_their_users(rig: Rig) -> None:
    together = asyncio.Barrier(30)
    seen: dict[str, int] = {}

    async def look(request: Any, context: Any) -> None:
        await together.wait()
        seen[request.preview_id] = user_id()

    rig.toy.serve = look
    await asyncio.gather(
        *(
            rig.stub.IgnorePreview(
                pb.IgnorePreviewRequest(preview_id=str(user)), metadata=rig.user_metadata(user)
            )
            for user in range(1, 31)
        )
    )
    assert seen == {str(user): user for user in range(1, 31)}


async def test_an_rpc_for_users_that_was_opened_to_others_is_a_defect(rig: Rig) -> None:
    async def ask(request: Any, context: Any) -> None:
        user_id()

    rig.toy.serve = ask
    assert await called(rig, "GetTrigger", "schedule alone") is Code.INTERNAL


async def test_what_nobody_anticipated_answers_a_number_and_nothing_else(rig: Rig) -> None:
    with capture_logs() as lines:
        error = await refusal(rig, KeyError("高等数学 secret-token"))
    assert error.code() is Code.INTERNAL
    assert error.details() == "internal"
    remote = errors.from_call(error)
    assert (remote.reason, remote.domain) == ("internal", DOMAIN)
    assert set(remote.metadata) == {"number"}
    assert "secret-token" not in written(error)
    assert "KeyError" not in written(error)
    (line,) = [one for one in lines if one["event"] == "defect"]
    assert (line["number"], line["method"]) == (remote.metadata["number"], "IgnorePreview")
    assert isinstance(line["exc_info"], KeyError)


async def test_an_anticipated_error_answers_code_reason_and_facts(rig: Rig) -> None:
    error = await refusal(rig, Taken("高等数学"))
    remote = errors.from_call(error)
    assert (remote.code, remote.reason, remote.domain) == (Code.ABORTED, "slot_taken", DOMAIN)
    assert remote.metadata == {"event_id": "12"}
    assert "高等数学" not in written(error)


async def test_every_violation_of_a_request_is_told(rig: Rig) -> None:
    violations = (Violation("preview_id", "is empty"), Violation("candidate_id", "太长"))
    error = await refusal(rig, InvalidRequest(*violations))
    assert error.code() is Code.INVALID_ARGUMENT
    assert errors.from_call(error).violations == violations


async def test_an_answer_with_very_many_violations_still_arrives(rig: Rig) -> None:
    many = [Violation(f"changes[{n}].to.section", "不在课表之内" * 30) for n in range(1000)]
    error = await refusal(rig, InvalidRequest(*many))
    assert error.code() is Code.INVALID_ARGUMENT
    remote = errors.from_call(error)
    assert remote.reason == "invalid_request"
    assert len(remote.violations) >= 5


async def test_what_is_away_answers_unavailable_and_when_to_come_again(rig: Rig) -> None:
    error = await refusal(rig, ConnectionRefusedError("10.0.0.7"))
    assert error.code() is Code.UNAVAILABLE
    assert "10.0.0.7" not in written(error)
    status = rpc_status.from_call(error)
    retry = error_details_pb2.RetryInfo()
    assert any(detail.Unpack(retry) for detail in status.details)
    assert retry.retry_delay.seconds == 1


async def test_bytes_that_are_no_request_are_refused_after_the_caller_is_known(rig: Rig) -> None:
    raw: Any = rig.channel.unary_unary(f"/{NAME}/IgnorePreview")
    with pytest.raises(grpc.aio.AioRpcError) as failed:
        await raw(b"\xff", metadata=rig.user_metadata())
    assert failed.value.code() is Code.INVALID_ARGUMENT
    with pytest.raises(grpc.aio.AioRpcError) as failed:
        await raw(b"\xff")
    assert failed.value.code() is Code.UNAUTHENTICATED


async def test_a_method_that_does_not_exist_is_unimplemented(rig: Rig) -> None:
    raw: Any = rig.channel.unary_unary(f"/{NAME}/Destroy")
    with pytest.raises(grpc.aio.AioRpcError) as failed:
        await raw(b"", metadata=rig.user_metadata())
    assert failed.value.code() is Code.UNIMPLEMENTED


async def test_a_handler_that_ends_a_call_itself_is_heard(rig: Rig) -> None:
    async def end(request: Any, context: Any) -> None:
        await context.abort(Code.OUT_OF_RANGE, "as it likes")

    rig.toy.serve = end
    with pytest.raises(grpc.aio.AioRpcError) as failed:
        await rig.as_user()
    assert (failed.value.code(), failed.value.details()) == (Code.OUT_OF_RANGE, "as it likes")


async def test_a_caller_without_a_deadline_gets_one(
    rig: Rig, monkeypatch: pytest.MonkeyPatch
) -> None:
    left: list[float] = []

    async def look(request: Any, context: Any) -> None:
        left.append(deadline.remaining(3600))

    async def hang(request: Any, context: Any) -> None:
        await asyncio.Event().wait()

    rig.toy.serve = look
    await rig.as_user(timeout=None)
    assert 5 < left[0] < deadline.DEFAULT_SECONDS
    monkeypatch.setattr(deadline, "DEFAULT_SECONDS", 0.05)
    rig.toy.serve = hang
    with pytest.raises(grpc.aio.AioRpcError) as failed:
        await rig.as_user(timeout=None)
    remote = errors.from_call(failed.value)
    assert (remote.code, remote.reason) == (Code.DEADLINE_EXCEEDED, "deadline_exceeded")


async def test_the_deadline_of_a_call_holds_for_the_calls_that_it_leads_to(rig: Rig) -> None:
    left: list[float | None] = []

    async def look(request: Any, context: Any) -> None:
        left.append(context.time_remaining())

    async def call_on(request: Any, context: Any) -> None:
        await rig.client.call(
            rig.stub.GetPreview, pb.GetPreviewRequest(), on_behalf_of=caller(), seconds=3600
        )
        left.append(context.time_remaining())

    rig.toy.serve = call_on
    behind = Toy()
    behind.serve = look
    server = rig.another(behind)
    await server.start()
    async with channel(f"127.0.0.1:{server.port}") as wire:
        front, rig.channel = rig.channel, wire
        stub: Any = stubs.ActiveSchedulerServiceStub(front)
        await stub.IgnorePreview(
            pb.IgnorePreviewRequest(), metadata=rig.user_metadata(), timeout=30
        )
        rig.channel = front
    inner, outer = left
    assert inner is not None
    assert outer is not None
    # gRPC rounds a deadline up a little on its way.
    assert 0 < inner < 31


async def test_a_time_out_within_a_handler_is_not_the_callers_deadline(rig: Rig) -> None:
    assert (await refusal(rig, TimeoutError())).code() is Code.UNAVAILABLE


async def test_a_handler_whose_caller_went_away_is_cancelled(rig: Rig) -> None:
    begun, ended = asyncio.Event(), asyncio.Event()

    async def hang(request: Any, context: Any) -> None:
        begun.set()
        try:
            await asyncio.Event().wait()
        finally:
            ended.set()

    rig.toy.serve = hang
    call = asyncio.ensure_future(rig.as_user())
    await begun.wait()
    call.cancel()
    async with asyncio.timeout(20):
        await ended.wait()


async def test_the_trace_of_the_caller_goes_on_in_the_handler(
    rig: Rig, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(trace, "get_tracer", TracerProvider().get_tracer)
    seen: list[int] = []

    async def look(request: Any, context: Any) -> None:
        seen.append(trace.get_current_span().get_span_context().trace_id)

    rig.toy.serve = look
    with traces.span("click") as span:
        await rig.client.call(
            rig.stub.IgnorePreview,
            pb.IgnorePreviewRequest(),
            on_behalf_of=Caller(
                "gateway", USER, user_token=rig.issuers["gateway"].user_token(USER)
            ),
            seconds=20,
        )
    assert seen == [span.get_span_context().trace_id]


async def test_messages_may_be_larger_than_four_megabytes(rig: Rig) -> None:
    five = 5 * 1024 * 1024
    answer = await rig.stub.DryRun(
        pb.DryRunRequest(mock_now_time=timestamp_pb2.Timestamp(seconds=five)),
        metadata=rig.user_metadata(USER, "operator"),
        timeout=20,
    )
    assert len(answer.reason_code) == five


async def test_calls_and_streams_have_bounds_of_their_own_and_health_has_none(rig: Rig) -> None:
    held, go_on = asyncio.Semaphore(0), asyncio.Event()

    async def hold(request: Any, context: Any) -> None:
        held.release()
        await go_on.wait()

    small = rig.another(full := Toy(), most_calls=1, most_streams=1)
    full.serve = hold
    await small.start()
    async with channel(f"127.0.0.1:{small.port}") as rig_channel:
        first, rig.channel = rig.channel, rig_channel
        methods = ("WatchPreview", "IgnorePreview")
        under_way = []
        for method in methods:
            under_way.append(asyncio.ensure_future(called(rig, method, "a user")))
            await held.acquire()
        for method in methods:
            assert await called(rig, method, "a user") is Code.RESOURCE_EXHAUSTED
        with pytest.raises(grpc.aio.AioRpcError) as failed:
            await rig.as_user()
        assert errors.from_call(failed.value).reason == "too_many_calls"
        retry = error_details_pb2.RetryInfo()
        details = rpc_status.from_call(failed.value).details
        assert any(detail.Unpack(retry) for detail in details)
        health = health_pb2_grpc.HealthStub(rig.channel)
        await health.Check(health_pb2.HealthCheckRequest(), timeout=20)
        go_on.set()
        assert set(await asyncio.gather(*under_way)) == {Code.OK}
        # There is room again.
        assert {await called(rig, method, "a user") for method in methods} == {Code.OK}
        rig.channel = first


async def test_a_stream_whose_caller_went_away_makes_room(rig: Rig) -> None:
    begun, ended = asyncio.Event(), asyncio.Event()

    async def hold(request: Any, context: Any) -> None:
        begun.set()
        try:
            await asyncio.Event().wait()
        finally:
            ended.set()

    small = rig.another(full := Toy(), most_streams=1)
    full.serve = hold
    await small.start()
    async with channel(f"127.0.0.1:{small.port}") as rig_channel:
        first, rig.channel = rig.channel, rig_channel
        gone = asyncio.ensure_future(called(rig, "WatchPreview", "a user"))
        await begun.wait()
        gone.cancel()
        async with asyncio.timeout(20):
            await ended.wait()
        full.serve = None

        async def has_room() -> bool:
            return await called(rig, "WatchPreview", "a user") is Code.OK

        await until(has_room)
        rig.channel = first


async def test_health_says_when_calls_are_wanted(rig: Rig) -> None:
    health = health_pb2_grpc.HealthStub(rig.channel)

    async def said() -> set[int]:
        answers = [
            await health.Check(health_pb2.HealthCheckRequest(service=name), timeout=20)
            for name in ("", NAME)
        ]
        return {answer.status for answer in answers}

    assert await said() == {NOT_SERVING}
    await rig.server.ready()
    assert await said() == {SERVING}
    await rig.server.unready()
    assert await said() == {NOT_SERVING}
    await rig.server.ready()
    assert await said() == {NOT_SERVING}
    # Calls are still served: whoever has not heard yet is not turned away.
    assert await called(rig, "IgnorePreview", "a user") is Code.OK


async def test_reflection_lists_the_service_and_describes_it(rig: Rig) -> None:
    stub = reflection_pb2_grpc.ServerReflectionStub(rig.channel)
    asked = [
        reflection_pb2.ServerReflectionRequest(list_services=""),
        reflection_pb2.ServerReflectionRequest(file_containing_symbol=NAME),
    ]
    answers = [answer async for answer in stub.ServerReflectionInfo(iter(asked), timeout=20)]
    listed = {service.name for service in answers[0].list_services_response.service}
    assert {NAME, "grpc.health.v1.Health"} <= listed
    assert b"WatchPreview" in answers[1].file_descriptor_response.file_descriptor_proto[0]


async def test_a_second_server_on_the_same_port_is_refused(rig: Rig) -> None:
    with pytest.raises(RuntimeError):
        await rig.another(Toy(), listen=f"127.0.0.1:{rig.server.port}").start()
    assert await called(rig, "IgnorePreview", "a user") is Code.OK


async def test_stopping_lets_calls_under_way_end_and_takes_no_new_ones(rig: Rig) -> None:
    begun, go_on = asyncio.Event(), asyncio.Event()

    async def hold(request: Any, context: Any) -> None:
        begun.set()
        await go_on.wait()

    rig.toy.serve = hold
    under_way = asyncio.ensure_future(rig.as_user())
    await begun.wait()
    stopping = asyncio.ensure_future(rig.server.stop(20))

    async def refused() -> bool:
        async with channel(f"127.0.0.1:{rig.server.port}") as late:
            try:
                await health_pb2_grpc.HealthStub(late).Check(
                    health_pb2.HealthCheckRequest(), timeout=5
                )
            except grpc.aio.AioRpcError as error:
                return error.code() is Code.UNAVAILABLE
            return False

    await until(refused)
    go_on.set()
    await under_way
    await stopping


async def test_stopping_does_not_wait_longer_than_its_grace(rig: Rig) -> None:
    begun = asyncio.Event()

    async def hang(request: Any, context: Any) -> None:
        begun.set()
        await asyncio.Event().wait()

    rig.toy.serve = hang
    under_way = asyncio.ensure_future(rig.as_user())
    await begun.wait()
    async with asyncio.timeout(20):
        await rig.server.stop(0.05)
        await rig.server.stop(0.0)
    with pytest.raises((grpc.aio.AioRpcError, asyncio.CancelledError)):
        await under_way


async def test_a_server_that_was_never_started_can_be_stopped(rig: Rig) -> None:
    await rig.another(Toy()).stop(1)


async def watched(rig: Rig, **options: Any) -> list[Any]:
    """All answers of a watch, then how it ended."""
    seen: list[Any] = []
    call = rig.stub.WatchPreview(
        pb.WatchPreviewRequest(), metadata=rig.user_metadata(), **({"timeout": 20} | options)
    )
    try:
        async for answer in call:
            seen.append(answer)
    except grpc.aio.AioRpcError as error:
        seen.append(errors.from_call(error))
    return seen


async def test_an_error_in_a_stream_ends_it_with_its_status(rig: Rig) -> None:
    async def answers() -> AsyncIterator[pb.WatchPreviewResponse]:
        yield pb.WatchPreviewResponse()
        raise Taken

    rig.toy.watch = answers
    first, ended = await watched(rig)
    assert first == pb.WatchPreviewResponse()
    assert isinstance(ended, RemoteError)
    assert (ended.code, ended.reason) == (Code.ABORTED, "slot_taken")


async def test_a_defect_in_a_stream_tells_a_number_and_nothing_else(rig: Rig) -> None:
    async def answers() -> AsyncIterator[pb.WatchPreviewResponse]:
        yield pb.WatchPreviewResponse()
        raise KeyError("高等数学")

    rig.toy.watch = answers
    ended = (await watched(rig))[-1]
    assert (ended.code, ended.reason) == (Code.INTERNAL, "internal")
    assert set(ended.metadata) == {"number"}


async def test_a_stream_goes_on_beyond_the_default_deadline(
    rig: Rig, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(deadline, "DEFAULT_SECONDS", 0.001)
    left: list[float] = []

    async def answers() -> AsyncIterator[pb.WatchPreviewResponse]:
        left.append(deadline.remaining(3600))
        yield pb.WatchPreviewResponse()

    rig.toy.watch = answers
    assert await watched(rig, timeout=None) == [pb.WatchPreviewResponse()]
    assert await watched(rig, timeout=30) == [pb.WatchPreviewResponse()]
    assert left[0] == 3600
    # gRPC rounds a deadline up a little on its way.
    assert 0 < left[1] < 31


async def test_a_stream_whose_caller_went_away_is_cleaned_up(rig: Rig) -> None:
    ended: list[str] = []

    async def answers() -> AsyncIterator[pb.WatchPreviewResponse]:
        try:
            yield pb.WatchPreviewResponse()
            await asyncio.Event().wait()
        finally:
            ended.append("ended")

    rig.toy.watch = answers
    call = rig.stub.WatchPreview(pb.WatchPreviewRequest(), metadata=rig.user_metadata())
    await call.read()
    call.cancel()
    await wait_until(lambda: ended == ["ended"])


async def test_a_stream_that_nobody_reads_is_cleaned_up(rig: Rig) -> None:
    ended: list[str] = []

    async def answers() -> AsyncIterator[pb.WatchPreviewResponse]:
        try:
            while True:
                answer = pb.WatchPreviewResponse()
                answer.preview.preview_id = "x" * 100_000
                yield answer
        finally:
            ended.append("ended")

    rig.toy.watch = answers
    call = rig.stub.WatchPreview(pb.WatchPreviewRequest(), metadata=rig.user_metadata())
    await call.read()
    call.cancel()
    await wait_until(lambda: ended == ["ended"])
