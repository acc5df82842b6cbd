"""Files of WakeUp 课程表 as the app writes them; people and courses are invented."""

import json
from collections.abc import Mapping, Sequence
from typing import Any

BASE = {
    "courseLen": 45,
    "id": 1,
    "name": "默认",
    "sameBreakLen": False,
    "sameLen": True,
    "theBreakLen": 10,
}
SLOTS = tuple(
    {"node": node, "startTime": start, "endTime": end, "timeTable": 1}
    for node, (start, end) in enumerate(
        (
            *(("08:00", "08:45"), ("08:55", "09:40"), ("10:15", "11:00"), ("11:10", "11:55")),
            *(("14:00", "14:45"), ("14:55", "15:40"), ("16:15", "17:00"), ("17:10", "17:55")),
            *(("19:00", "19:45"), ("19:55", "20:40"), ("20:50", "21:35"), ("21:45", "22:30")),
            *(("00:00", "00:00"), ("00:00", "00:00")),
        ),
        start=1,
    )
)
TABLE = {
    "id": 2,
    "tableName": "秋季课表",
    "startDate": "2026-9-7",
    "maxWeek": 20,
    "nodes": 12,
    "sundayFirst": False,
    "timeTable": 1,
    "background": "",
}
COURSES = (
    {"color": "#ff6b6b", "courseName": "线性代数", "credit": 3, "id": 0, "note": "", "tableId": 2},
    {"color": "#4ecdc4", "courseName": "📐画法几何", "credit": 2, "id": 1, "tableId": 2},
    {"color": "#45b7d1", "courseName": "金工实习○", "credit": 1, "id": 2, "tableId": 2},
)
DETAIL: Mapping[str, Any] = {
    "id": 0,
    "day": 2,
    "startNode": 3,
    "step": 2,
    "startWeek": 1,
    "endWeek": 16,
    "type": 0,
    "teacher": "教师甲",
    "room": "A101",
    "tableId": 2,
    "level": 0,
    "ownTime": False,
    "startTime": "",
    "endTime": "",
}


def wakeup(
    *details: object,
    table: Mapping[str, object] = TABLE,
    slots: Sequence[object] = SLOTS,
    courses: Sequence[object] = COURSES,
    newline: str = "\n",
) -> str:
    """A whole file with these details."""
    parts: tuple[object, ...] = (BASE, list(slots), dict(table), list(courses), list(details))
    return newline.join(json.dumps(part, ensure_ascii=False) for part in parts)


def detail(**fields: object) -> dict[str, object]:
    """A plain detail with other fields; None takes a field out."""
    stated = {**DETAIL, **fields}
    return {key: value for key, value in stated.items() if value is not None}
