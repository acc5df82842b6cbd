import datetime

from google.protobuf import timestamp_pb2 as _timestamp_pb2
from smartmate.active_scheduler.v1 import observation_pb2 as _observation_pb2
from smartmate.active_scheduler.v1 import preview_pb2 as _preview_pb2
from smartmate.text.v1 import localized_text_pb2 as _localized_text_pb2
from google.protobuf.internal import containers as _containers
from google.protobuf.internal import enum_type_wrapper as _enum_type_wrapper
from google.protobuf import descriptor as _descriptor
from google.protobuf import message as _message
from collections.abc import Iterable as _Iterable, Mapping as _Mapping
from typing import ClassVar as _ClassVar, Optional as _Optional, Union as _Union

DESCRIPTOR: _descriptor.FileDescriptor

class Locale(int, metaclass=_enum_type_wrapper.EnumTypeWrapper):
    __slots__ = ()
    LOCALE_UNSPECIFIED: _ClassVar[Locale]
    LOCALE_ZH_CN: _ClassVar[Locale]
    LOCALE_EN_US: _ClassVar[Locale]
LOCALE_UNSPECIFIED: Locale
LOCALE_ZH_CN: Locale
LOCALE_EN_US: Locale

class Situation(_message.Message):
    __slots__ = ("action", "reason_code", "target_title", "facts_time", "time_zone", "deadline_time", "facts", "inaction", "metrics", "issues", "notice")
    ACTION_FIELD_NUMBER: _ClassVar[int]
    REASON_CODE_FIELD_NUMBER: _ClassVar[int]
    TARGET_TITLE_FIELD_NUMBER: _ClassVar[int]
    FACTS_TIME_FIELD_NUMBER: _ClassVar[int]
    TIME_ZONE_FIELD_NUMBER: _ClassVar[int]
    DEADLINE_TIME_FIELD_NUMBER: _ClassVar[int]
    FACTS_FIELD_NUMBER: _ClassVar[int]
    INACTION_FIELD_NUMBER: _ClassVar[int]
    METRICS_FIELD_NUMBER: _ClassVar[int]
    ISSUES_FIELD_NUMBER: _ClassVar[int]
    NOTICE_FIELD_NUMBER: _ClassVar[int]
    action: _preview_pb2.DecisionAction
    reason_code: str
    target_title: str
    facts_time: _timestamp_pb2.Timestamp
    time_zone: str
    deadline_time: _timestamp_pb2.Timestamp
    facts: _containers.RepeatedCompositeFieldContainer[_localized_text_pb2.LocalizedText]
    inaction: _localized_text_pb2.LocalizedText
    metrics: _observation_pb2.Metrics
    issues: _containers.RepeatedCompositeFieldContainer[_observation_pb2.Issue]
    notice: _localized_text_pb2.LocalizedText
    def __init__(self, action: _Optional[_Union[_preview_pb2.DecisionAction, str]] = ..., reason_code: _Optional[str] = ..., target_title: _Optional[str] = ..., facts_time: _Optional[_Union[datetime.datetime, _timestamp_pb2.Timestamp, _Mapping]] = ..., time_zone: _Optional[str] = ..., deadline_time: _Optional[_Union[datetime.datetime, _timestamp_pb2.Timestamp, _Mapping]] = ..., facts: _Optional[_Iterable[_Union[_localized_text_pb2.LocalizedText, _Mapping]]] = ..., inaction: _Optional[_Union[_localized_text_pb2.LocalizedText, _Mapping]] = ..., metrics: _Optional[_Union[_observation_pb2.Metrics, _Mapping]] = ..., issues: _Optional[_Iterable[_Union[_observation_pb2.Issue, _Mapping]]] = ..., notice: _Optional[_Union[_localized_text_pb2.LocalizedText, _Mapping]] = ...) -> None: ...

class CandidateBrief(_message.Message):
    __slots__ = ("candidate_id", "family", "places", "summary", "reason", "risk")
    CANDIDATE_ID_FIELD_NUMBER: _ClassVar[int]
    FAMILY_FIELD_NUMBER: _ClassVar[int]
    PLACES_FIELD_NUMBER: _ClassVar[int]
    SUMMARY_FIELD_NUMBER: _ClassVar[int]
    REASON_FIELD_NUMBER: _ClassVar[int]
    RISK_FIELD_NUMBER: _ClassVar[int]
    candidate_id: str
    family: _preview_pb2.CandidateFamily
    places: _containers.RepeatedCompositeFieldContainer[BriefPlace]
    summary: _localized_text_pb2.LocalizedText
    reason: _localized_text_pb2.LocalizedText
    risk: _localized_text_pb2.LocalizedText
    def __init__(self, candidate_id: _Optional[str] = ..., family: _Optional[_Union[_preview_pb2.CandidateFamily, str]] = ..., places: _Optional[_Iterable[_Union[BriefPlace, _Mapping]]] = ..., summary: _Optional[_Union[_localized_text_pb2.LocalizedText, _Mapping]] = ..., reason: _Optional[_Union[_localized_text_pb2.LocalizedText, _Mapping]] = ..., risk: _Optional[_Union[_localized_text_pb2.LocalizedText, _Mapping]] = ...) -> None: ...

class BriefPlace(_message.Message):
    __slots__ = ("week", "day_of_week", "first_section", "last_section", "start_time", "end_time")
    WEEK_FIELD_NUMBER: _ClassVar[int]
    DAY_OF_WEEK_FIELD_NUMBER: _ClassVar[int]
    FIRST_SECTION_FIELD_NUMBER: _ClassVar[int]
    LAST_SECTION_FIELD_NUMBER: _ClassVar[int]
    START_TIME_FIELD_NUMBER: _ClassVar[int]
    END_TIME_FIELD_NUMBER: _ClassVar[int]
    week: int
    day_of_week: int
    first_section: int
    last_section: int
    start_time: _timestamp_pb2.Timestamp
    end_time: _timestamp_pb2.Timestamp
    def __init__(self, week: _Optional[int] = ..., day_of_week: _Optional[int] = ..., first_section: _Optional[int] = ..., last_section: _Optional[int] = ..., start_time: _Optional[_Union[datetime.datetime, _timestamp_pb2.Timestamp, _Mapping]] = ..., end_time: _Optional[_Union[datetime.datetime, _timestamp_pb2.Timestamp, _Mapping]] = ...) -> None: ...
