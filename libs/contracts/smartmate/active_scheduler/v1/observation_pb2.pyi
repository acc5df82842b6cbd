import datetime

from google.protobuf import duration_pb2 as _duration_pb2
from smartmate.text.v1 import localized_text_pb2 as _localized_text_pb2
from google.protobuf import descriptor as _descriptor
from google.protobuf import message as _message
from collections.abc import Mapping as _Mapping
from typing import ClassVar as _ClassVar, Optional as _Optional, Union as _Union

DESCRIPTOR: _descriptor.FileDescriptor

class Metrics(_message.Message):
    __slots__ = ("needed_sections", "longest_free_run_sections", "capacity_gap_sections", "free_sections", "window_sections", "preference_source", "preference_count", "preferences_met_count", "miss_count", "deadline_margin")
    NEEDED_SECTIONS_FIELD_NUMBER: _ClassVar[int]
    LONGEST_FREE_RUN_SECTIONS_FIELD_NUMBER: _ClassVar[int]
    CAPACITY_GAP_SECTIONS_FIELD_NUMBER: _ClassVar[int]
    FREE_SECTIONS_FIELD_NUMBER: _ClassVar[int]
    WINDOW_SECTIONS_FIELD_NUMBER: _ClassVar[int]
    PREFERENCE_SOURCE_FIELD_NUMBER: _ClassVar[int]
    PREFERENCE_COUNT_FIELD_NUMBER: _ClassVar[int]
    PREFERENCES_MET_COUNT_FIELD_NUMBER: _ClassVar[int]
    MISS_COUNT_FIELD_NUMBER: _ClassVar[int]
    DEADLINE_MARGIN_FIELD_NUMBER: _ClassVar[int]
    needed_sections: int
    longest_free_run_sections: int
    capacity_gap_sections: int
    free_sections: int
    window_sections: int
    preference_source: str
    preference_count: int
    preferences_met_count: int
    miss_count: int
    deadline_margin: _duration_pb2.Duration
    def __init__(self, needed_sections: _Optional[int] = ..., longest_free_run_sections: _Optional[int] = ..., capacity_gap_sections: _Optional[int] = ..., free_sections: _Optional[int] = ..., window_sections: _Optional[int] = ..., preference_source: _Optional[str] = ..., preference_count: _Optional[int] = ..., preferences_met_count: _Optional[int] = ..., miss_count: _Optional[int] = ..., deadline_margin: _Optional[_Union[datetime.timedelta, _duration_pb2.Duration, _Mapping]] = ...) -> None: ...

class Issue(_message.Message):
    __slots__ = ("code", "severity", "evidence")
    CODE_FIELD_NUMBER: _ClassVar[int]
    SEVERITY_FIELD_NUMBER: _ClassVar[int]
    EVIDENCE_FIELD_NUMBER: _ClassVar[int]
    code: str
    severity: str
    evidence: _localized_text_pb2.LocalizedText
    def __init__(self, code: _Optional[str] = ..., severity: _Optional[str] = ..., evidence: _Optional[_Union[_localized_text_pb2.LocalizedText, _Mapping]] = ...) -> None: ...
