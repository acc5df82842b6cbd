"""Domain values as JSON in jsonb columns, checked when they are read."""

from collections.abc import Mapping

from pydantic import TypeAdapter

from libs.planning.changes import Change
from services.active_scheduler.domain.preview import Content, RefusalRecord, Reply
from services.active_scheduler.domain.questions import Answers

CONTENT: TypeAdapter[Content] = TypeAdapter(Content)
CHANGES: TypeAdapter[tuple[Change, ...]] = TypeAdapter(tuple[Change, ...])
BASE: TypeAdapter[Mapping[str, str]] = TypeAdapter(Mapping[str, str])
REPLY: TypeAdapter[Reply] = TypeAdapter(Reply)
ANSWERS: TypeAdapter[Answers] = TypeAdapter(Answers)
REFUSALS: TypeAdapter[tuple[RefusalRecord, ...]] = TypeAdapter(tuple[RefusalRecord, ...])
