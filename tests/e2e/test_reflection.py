"""A program that knows nothing but an address can find the contract and call it."""

import graphlib

import grpc
from google.protobuf import descriptor_pb2, descriptor_pool, message_factory
from grpc_reflection.v1alpha import reflection_pb2, reflection_pb2_grpc

from libs.rpc import identity
from tests.student import Student


async def _ask(
    channel: grpc.aio.Channel, request: reflection_pb2.ServerReflectionRequest
) -> reflection_pb2.ServerReflectionResponse:
    stub = reflection_pb2_grpc.ServerReflectionStub(channel)
    async for answer in stub.ServerReflectionInfo(iter([request])):
        return answer
    raise AssertionError("no answer")


async def _pool(channel: grpc.aio.Channel, symbol: str) -> descriptor_pool.DescriptorPool:
    """The files that define a symbol, with all that they import."""
    wanted = [reflection_pb2.ServerReflectionRequest(file_containing_symbol=symbol)]
    files: dict[str, descriptor_pb2.FileDescriptorProto] = {}
    while wanted:
        answer = await _ask(channel, wanted.pop())
        for data in answer.file_descriptor_response.file_descriptor_proto:
            file = descriptor_pb2.FileDescriptorProto.FromString(data)
            files[file.name] = file
            wanted += [
                reflection_pb2.ServerReflectionRequest(file_by_filename=name)
                for name in file.dependency
                if name not in files
            ]
    pool = descriptor_pool.DescriptorPool()
    order = graphlib.TopologicalSorter({name: file.dependency for name, file in files.items()})
    for name in order.static_order():
        pool.Add(files[name])
    return pool


async def test_services_are_found_and_called_by_reflection(student: Student) -> None:
    task = await student.create_task("反射调用")
    async with grpc.aio.insecure_channel(student.line.addresses.schedule) as channel:
        listed = await _ask(channel, reflection_pb2.ServerReflectionRequest(list_services="*"))
        names = {service.name for service in listed.list_services_response.service}
        service_name = "smartmate.schedule.v1.ScheduleService"
        pool = await _pool(channel, service_name)
        method = pool.FindServiceByName(service_name).FindMethodByName("GetTask")
        request = message_factory.GetMessageClass(method.input_type)(task_id=task.task_id)
        response = message_factory.GetMessageClass(method.output_type)
        call = channel.unary_unary(
            f"/{service_name}/GetTask",
            request_serializer=lambda message: message.SerializeToString(),
            response_deserializer=response.FromString,
        )
        caller = student.line.caller(student.id)

        answer = await call(
            request, timeout=10, metadata=identity.outgoing(student.line.issuer, caller)
        )

    assert {service_name, "grpc.health.v1.Health"} <= names
    assert answer.task.title == "反射调用"
