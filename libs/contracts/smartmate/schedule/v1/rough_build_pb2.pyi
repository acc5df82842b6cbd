from smartmate.schedule.v1 import calendar_pb2 as _calendar_pb2
from smartmate.schedule.v1 import task_class_pb2 as _task_class_pb2
from google.protobuf.internal import containers as _containers
from google.protobuf.internal import enum_type_wrapper as _enum_type_wrapper
from google.protobuf import descriptor as _descriptor
from google.protobuf import message as _message
from collections.abc import Iterable as _Iterable, Mapping as _Mapping
from typing import ClassVar as _ClassVar, Optional as _Optional, Union as _Union

DESCRIPTOR: _descriptor.FileDescriptor

class ShortageCode(int, metaclass=_enum_type_wrapper.EnumTypeWrapper):
    __slots__ = ()
    SHORTAGE_CODE_UNSPECIFIED: _ClassVar[ShortageCode]
    SHORTAGE_CODE_RANGE_OVER: _ClassVar[ShortageCode]
    SHORTAGE_CODE_DAYS_EXCLUDED: _ClassVar[ShortageCode]
    SHORTAGE_CODE_ORDER: _ClassVar[ShortageCode]
    SHORTAGE_CODE_TOO_LONG: _ClassVar[ShortageCode]
    SHORTAGE_CODE_NO_ROOM: _ClassVar[ShortageCode]
SHORTAGE_CODE_UNSPECIFIED: ShortageCode
SHORTAGE_CODE_RANGE_OVER: ShortageCode
SHORTAGE_CODE_DAYS_EXCLUDED: ShortageCode
SHORTAGE_CODE_ORDER: ShortageCode
SHORTAGE_CODE_TOO_LONG: ShortageCode
SHORTAGE_CODE_NO_ROOM: ShortageCode

class RoughPlacement(_message.Message):
    __slots__ = ("task_class_id", "task_item_id", "place", "host_event_id")
    TASK_CLASS_ID_FIELD_NUMBER: _ClassVar[int]
    TASK_ITEM_ID_FIELD_NUMBER: _ClassVar[int]
    PLACE_FIELD_NUMBER: _ClassVar[int]
    HOST_EVENT_ID_FIELD_NUMBER: _ClassVar[int]
    task_class_id: int
    task_item_id: int
    place: _calendar_pb2.Place
    host_event_id: int
    def __init__(self, task_class_id: _Optional[int] = ..., task_item_id: _Optional[int] = ..., place: _Optional[_Union[_calendar_pb2.Place, _Mapping]] = ..., host_event_id: _Optional[int] = ...) -> None: ...

class RoomTaker(_message.Message):
    __slots__ = ("name", "sections")
    NAME_FIELD_NUMBER: _ClassVar[int]
    SECTIONS_FIELD_NUMBER: _ClassVar[int]
    name: str
    sections: int
    def __init__(self, name: _Optional[str] = ..., sections: _Optional[int] = ...) -> None: ...

class UnplacedItem(_message.Message):
    __slots__ = ("task_class_id", "task_item_id", "content", "code", "reason", "needed_sections", "waiting_items", "short_sections", "day_count", "taken_sections", "excluded_sections", "planned_sections", "free_sections", "longest_run_sections", "takers")
    TASK_CLASS_ID_FIELD_NUMBER: _ClassVar[int]
    TASK_ITEM_ID_FIELD_NUMBER: _ClassVar[int]
    CONTENT_FIELD_NUMBER: _ClassVar[int]
    CODE_FIELD_NUMBER: _ClassVar[int]
    REASON_FIELD_NUMBER: _ClassVar[int]
    NEEDED_SECTIONS_FIELD_NUMBER: _ClassVar[int]
    WAITING_ITEMS_FIELD_NUMBER: _ClassVar[int]
    SHORT_SECTIONS_FIELD_NUMBER: _ClassVar[int]
    DAY_COUNT_FIELD_NUMBER: _ClassVar[int]
    TAKEN_SECTIONS_FIELD_NUMBER: _ClassVar[int]
    EXCLUDED_SECTIONS_FIELD_NUMBER: _ClassVar[int]
    PLANNED_SECTIONS_FIELD_NUMBER: _ClassVar[int]
    FREE_SECTIONS_FIELD_NUMBER: _ClassVar[int]
    LONGEST_RUN_SECTIONS_FIELD_NUMBER: _ClassVar[int]
    TAKERS_FIELD_NUMBER: _ClassVar[int]
    task_class_id: int
    task_item_id: int
    content: str
    code: ShortageCode
    reason: str
    needed_sections: int
    waiting_items: int
    short_sections: int
    day_count: int
    taken_sections: int
    excluded_sections: int
    planned_sections: int
    free_sections: int
    longest_run_sections: int
    takers: _containers.RepeatedCompositeFieldContainer[RoomTaker]
    def __init__(self, task_class_id: _Optional[int] = ..., task_item_id: _Optional[int] = ..., content: _Optional[str] = ..., code: _Optional[_Union[ShortageCode, str]] = ..., reason: _Optional[str] = ..., needed_sections: _Optional[int] = ..., waiting_items: _Optional[int] = ..., short_sections: _Optional[int] = ..., day_count: _Optional[int] = ..., taken_sections: _Optional[int] = ..., excluded_sections: _Optional[int] = ..., planned_sections: _Optional[int] = ..., free_sections: _Optional[int] = ..., longest_run_sections: _Optional[int] = ..., takers: _Optional[_Iterable[_Union[RoomTaker, _Mapping]]] = ...) -> None: ...

class RoughClassReport(_message.Message):
    __slots__ = ("task_class_id", "item_sections", "remaining_sections", "order_repairs")
    TASK_CLASS_ID_FIELD_NUMBER: _ClassVar[int]
    ITEM_SECTIONS_FIELD_NUMBER: _ClassVar[int]
    REMAINING_SECTIONS_FIELD_NUMBER: _ClassVar[int]
    ORDER_REPAIRS_FIELD_NUMBER: _ClassVar[int]
    task_class_id: int
    item_sections: int
    remaining_sections: int
    order_repairs: _containers.RepeatedCompositeFieldContainer[_task_class_pb2.OrderRepair]
    def __init__(self, task_class_id: _Optional[int] = ..., item_sections: _Optional[int] = ..., remaining_sections: _Optional[int] = ..., order_repairs: _Optional[_Iterable[_Union[_task_class_pb2.OrderRepair, _Mapping]]] = ...) -> None: ...
