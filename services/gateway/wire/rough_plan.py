"""The plan of a trial run as its page carries it: exactly what was shown, and what it rests on."""

import base64
import binascii
import zlib

from google.protobuf.message import DecodeError

from libs.rpc.errors import invalid
from services.gateway.wire.bodies import Body, Key
from smartmate.schedule.v1 import schedule_service_pb2

MOST_CHANGES = 300
"""What one apply takes."""
_MOST_BYTES = 1024 * 1024

Apply = schedule_service_pb2.ApplyChangesRequest


class PlanForm(Body):
    """The plan that is confirmed, and the study plans that it is of."""

    plan: str
    classes: str = ""
    idempotency_key: Key = None


def packed(found: schedule_service_pb2.RoughBuildResponse) -> str:
    """Changes and base as one word of a form; empty where there is nothing to write."""
    if not 1 <= len(found.changes) <= MOST_CHANGES:
        return ""
    made = Apply(changes=found.changes, base=found.base)
    text = zlib.compress(made.SerializeToString(deterministic=True), 9)
    return base64.urlsafe_b64encode(text).decode("ascii")


def unpacked(word: str, apply_id: str) -> Apply:
    """What is asked of the service for such a word. Raises InvalidRequest."""
    try:
        reader = zlib.decompressobj()
        content = reader.decompress(base64.urlsafe_b64decode(word), _MOST_BYTES)
        made = Apply.FromString(content)
    except (binascii.Error, ValueError, zlib.error, DecodeError) as error:
        raise invalid("plan", "is none of a page of ours") from error
    if not reader.eof:
        raise invalid("plan", "is none of a page of ours")
    return Apply(apply_id=apply_id, changes=made.changes, base=made.base)


def class_ids(word: str) -> tuple[int, ...]:
    """The ids of study plans in a form: `3 14`. What is none is left out."""
    found = (part for part in word.split() if part.isascii() and part.isdecimal())
    return tuple(dict.fromkeys(int(part) for part in found if len(part) <= 18))
