"""Changes, bases and verdicts on the wire."""

from collections.abc import Mapping, Sequence
from datetime import datetime

from google.protobuf.timestamp_pb2 import Timestamp

from libs.planning.changes import Change, ChangeType
from libs.planning.grid import Target, TargetKind
from libs.planning.validation import RefusalCode
from libs.rpc.errors import invalid
from services.schedule.domain.verdict import Ask, KeptReason, Verdict, VerdictRefusal
from services.schedule.wire import calendar, fields
from smartmate.events.v1 import events_pb2
from smartmate.schedule.v1 import apply_pb2, change_pb2, schedule_service_pb2

MOST_CHANGES = 300
_MOST_BASE_ENTRIES = 5000
_LONGEST_KEY, _LONGEST_VALUE = 200, 500
_MOST_BASE_BYTES = 512 * 1024
_LONGEST_ID = 64

_KINDS = {
    TargetKind.TASK_POOL: change_pb2.TARGET_KIND_TASK_POOL,
    TargetKind.TASK_ITEM: change_pb2.TARGET_KIND_TASK_ITEM,
    TargetKind.SCHEDULE_EVENT: change_pb2.TARGET_KIND_SCHEDULE_EVENT,
}
_KINDS_READ: dict[int, TargetKind] = {number: kind for kind, number in _KINDS.items()}
_TYPES_READ: dict[int, ChangeType] = {
    change_pb2.CHANGE_TYPE_ADD: ChangeType.ADD,
    change_pb2.CHANGE_TYPE_CREATE_MAKEUP: ChangeType.CREATE_MAKEUP,
    change_pb2.CHANGE_TYPE_PLACE: ChangeType.PLACE,
    change_pb2.CHANGE_TYPE_MOVE: ChangeType.MOVE,
    change_pb2.CHANGE_TYPE_COMPRESS: ChangeType.COMPRESS,
    change_pb2.CHANGE_TYPE_EMBED: ChangeType.EMBED,
    change_pb2.CHANGE_TYPE_UNEMBED: ChangeType.UNEMBED,
    change_pb2.CHANGE_TYPE_REMOVE: ChangeType.REMOVE,
}
_TYPES = {
    found: change_pb2.ChangeType.Name(number)  # the stubs take a name, not any number
    for number, found in _TYPES_READ.items()
}
_CODES: dict[RefusalCode, apply_pb2.RefusalCode] = {
    RefusalCode.EXPIRED: apply_pb2.REFUSAL_CODE_EXPIRED,
    RefusalCode.IDEMPOTENCY_CONFLICT: apply_pb2.REFUSAL_CODE_IDEMPOTENCY_CONFLICT,
    RefusalCode.BASE_VERSION_CHANGED: apply_pb2.REFUSAL_CODE_BASE_VERSION_CHANGED,
    RefusalCode.TARGET_NOT_FOUND: apply_pb2.REFUSAL_CODE_TARGET_NOT_FOUND,
    RefusalCode.TARGET_COMPLETED: apply_pb2.REFUSAL_CODE_TARGET_COMPLETED,
    RefusalCode.TARGET_ALREADY_SCHEDULED: apply_pb2.REFUSAL_CODE_TARGET_ALREADY_SCHEDULED,
    RefusalCode.SLOT_CONFLICT: apply_pb2.REFUSAL_CODE_SLOT_CONFLICT,
    RefusalCode.ORDER_VIOLATION: apply_pb2.REFUSAL_CODE_ORDER_VIOLATION,
    RefusalCode.INVALID_EDITED_CHANGES: apply_pb2.REFUSAL_CODE_INVALID_EDITED_CHANGES,
    RefusalCode.UNSUPPORTED_CHANGE_TYPE: apply_pb2.REFUSAL_CODE_UNSUPPORTED_CHANGE_TYPE,
    RefusalCode.IN_THE_PAST: apply_pb2.REFUSAL_CODE_IN_THE_PAST,
    RefusalCode.OUT_OF_SEMESTER: apply_pb2.REFUSAL_CODE_OUT_OF_SEMESTER,
}

_KEPT = {
    KeptReason.CHANGED_SINCE: apply_pb2.KEPT_REASON_CHANGED_SINCE,
    KeptReason.HAS_BEGUN: apply_pb2.KEPT_REASON_HAS_BEGUN,
    KeptReason.BELONGS_TOGETHER: apply_pb2.KEPT_REASON_BELONGS_TOGETHER,
    KeptReason.GONE: apply_pb2.KEPT_REASON_GONE,
}

Changes = Sequence[change_pb2.ScheduleChange]


def read_ask(
    user_id: int,
    request: schedule_service_pb2.ApplyChangesRequest | events_pb2.ScheduleApplyRequested,
) -> Ask:
    """What is to be applied, by call or by event. Raises InvalidRequest."""
    return Ask(
        user_id=user_id,
        apply_id=read_apply_id(request.apply_id),
        changes=read_changes(request.changes),
        base=read_base(request.base),
        not_after=(
            _read_not_after(request.not_after_time) if request.HasField("not_after_time") else None
        ),
    )


def read_undo(request: schedule_service_pb2.UndoApplyRequest) -> tuple[str, str]:
    """The attempt, and the apply that it takes back (empty for the latest)."""
    undone = fields.optional_text("undone_apply_id", request.undone_apply_id, longest=_LONGEST_ID)
    return read_apply_id(request.apply_id), undone


def read_apply_id(value: str) -> str:
    """The caller's name for one attempt."""
    return fields.text("apply_id", value, longest=_LONGEST_ID)


def read_changes(messages: Changes) -> tuple[Change, ...]:
    """1 to 50 changes in their order."""
    if not 1 <= len(messages) <= MOST_CHANGES:
        raise invalid("changes", f"must be 1 to {MOST_CHANGES}")
    return tuple(_read_change(message) for message in messages)


def read_base(base: Mapping[str, str]) -> dict[str, str]:
    """What the caller saw, entry by entry."""
    if len(base) > _MOST_BASE_ENTRIES:
        raise invalid("base", f"must have at most {_MOST_BASE_ENTRIES} entries")
    for key, value in base.items():
        fields.text("base", key, longest=_LONGEST_KEY)
        fields.optional_text("base", value, longest=_LONGEST_VALUE)
    if sum(len(text.encode()) for entry in base.items() for text in entry) > _MOST_BASE_BYTES:
        raise invalid("base", f"must have at most {_MOST_BASE_BYTES} bytes")
    return dict(base)


def read_target(name: str, message: change_pb2.Target) -> Target:
    """What a change or a question is about."""
    if message.kind not in _KINDS_READ:
        raise invalid(f"{name}.kind", "must be a known kind")
    return Target(_KINDS_READ[message.kind], fields.row_id(f"{name}.id", message.id))


def _read_change(message: change_pb2.ScheduleChange) -> Change:
    if message.type == change_pb2.CHANGE_TYPE_UNSPECIFIED:
        raise invalid("changes.type", "must be given")
    if message.host_event_id < 0:
        raise invalid("changes.host_event_id", "must not be negative")
    return Change(
        change_id=fields.text("changes.change_id", message.change_id, longest=_LONGEST_ID),
        type=_TYPES_READ.get(message.type, ChangeType.UNKNOWN),
        target=read_target("changes.target", message.target),
        to=calendar.read_place(message.to) if message.HasField("to") else None,
        from_=calendar.read_place(getattr(message, "from")) if message.HasField("from") else None,
        host_id=message.host_event_id or None,
        editable=message.editable,
    )


def _read_not_after(message: Timestamp) -> datetime:
    return fields.instant("not_after_time", message)


def target(found: Target) -> change_pb2.Target:
    """What a block was made from."""
    return change_pb2.Target(kind=_KINDS[found.kind], id=found.id)


def change(found: Change) -> change_pb2.ScheduleChange:
    """A change as requests say it."""
    message = change_pb2.ScheduleChange(
        change_id=found.change_id,
        type=_TYPES[found.type],
        target=target(found.target),
        to=calendar.place(found.to) if found.to else None,
        host_event_id=found.host_id or 0,
        editable=found.editable,
    )
    if found.from_ is not None:
        getattr(message, "from").CopyFrom(calendar.place(found.from_))
    return message


def verdict(found: Verdict) -> apply_pb2.ApplyVerdict:
    """A stored verdict."""
    return apply_pb2.ApplyVerdict(
        apply_id=found.apply_id,
        state=apply_pb2.APPLY_STATE_APPLIED if found.applied else apply_pb2.APPLY_STATE_REFUSED,
        event_ids=found.event_ids,
        refusals=[refusal(one) for one in found.refusals],
        judge_time=fields.timestamp(found.judged_at),
        undoes_apply_id=found.undoes,
        kept_events=[
            apply_pb2.KeptEvent(
                event_id=one.event_id, event_name=one.name, reason=_KEPT[one.reason]
            )
            for one in found.kept
        ],
    )


def told(found: Verdict) -> dict[str, object]:
    """A verdict as one line for operators; names stay out of it."""
    return {
        "apply_id": found.apply_id,
        "undoes": found.undoes,
        "applied": found.applied,
        "event_ids": list(found.event_ids),
        "kept": [{"event_id": one.event_id, "reason": one.reason.value} for one in found.kept],
        "refusals": [
            {"code": one.code.value, "event_id": one.event_id, "detail": one.detail}
            for one in found.refusals
        ],
    }


def check(
    refusals: Sequence[VerdictRefusal], base: Mapping[str, str]
) -> schedule_service_pb2.CheckChangesResponse:
    """What a check found."""
    return schedule_service_pb2.CheckChangesResponse(
        refusals=[refusal(one) for one in refusals], base=base
    )


def refusal(found: VerdictRefusal, *, named: bool = True) -> apply_pb2.Refusal:
    """One reason; without names and words where not `named`, as in events."""
    return apply_pb2.Refusal(
        code=_CODES[found.code],
        change_id=found.change_id,
        place=calendar.place(found.place) if found.place else None,
        event_id=found.event_id,
        event_name=found.event_name if named else "",
        base_entries=[
            apply_pb2.BaseEntryChange(key=one.key, expected=one.expected, actual=one.actual)
            for one in found.entries
        ],
        detail=found.detail,
        after=calendar.place(found.after) if found.after else None,
        before=calendar.place(found.before) if found.before else None,
        reason=found.reason if named else "",
    )
