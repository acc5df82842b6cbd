"""What an event's descriptor says about it: type, subject, stream, consumers.

Source: the option `smartmate.options.v1.event` on the messages of `smartmate.events.v1`.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from functools import lru_cache
from typing import Any, cast

from google.protobuf.descriptor import Descriptor, FileDescriptor
from google.protobuf.message import Message

from smartmate.options.v1 import event_pb2


@dataclass(frozen=True, slots=True)
class Contract:
    """One kind of event."""

    type: str
    said_by: str
    heard_by: tuple[str, ...]
    descriptor: Descriptor

    @property
    def subject(self) -> str:
        return f"smartmate.{self.type}.v1"

    @property
    def stream(self) -> str:
        return stream_of(self.said_by)

    def durable(self, service: str) -> str:
        """Name of the durable consumer that `service` holds on it."""
        return f"{service}__{self.type.replace('.', '_')}"


def stream_of(service: str) -> str:
    """Name of the stream that holds what `service` says."""
    return service.upper()


def _options(descriptor: Descriptor) -> event_pb2.EventContract:
    extensions: Any = descriptor.GetOptions().Extensions
    return cast("event_pb2.EventContract", extensions[event_pb2.event])


@lru_cache(maxsize=64)
def contract_of(descriptor: Descriptor) -> Contract:
    """The contract of a message; TypeError for one that is not published by itself."""
    options = _options(descriptor)
    if not options.type:
        raise TypeError(f"{descriptor.full_name} is not an event")
    return Contract(options.type, options.said_by, tuple(options.heard_by), descriptor)


def contract(message: type[Message] | Message) -> Contract:
    """The contract of a message or of its class."""
    return contract_of(message.DESCRIPTOR)


def contracts_in(file: FileDescriptor) -> Iterator[Contract]:
    """Every event that a proto file declares, in the order of the file."""
    for descriptor in file.message_types_by_name.values():
        if _options(descriptor).type:
            yield contract_of(descriptor)
