"""Which tools there are, and how they are offered."""

from dataclasses import replace

import pytest

from services.agent.tools import offering, registry
from services.agent.tools.offering import Effect
from services.agent.tools.result import BadArgument, Code
from tests.unit.agent.tools.plans import WEEK

NAMES = (
    "get_overview",
    "query_range",
    "find_first_free",
    "list_tasks",
    "get_task_info",
    "evaluate_balance",
    "analyze_health",
    "place",
    "move",
    "swap",
    "batch_move",
    "unplace",
    "spread_even",
)


def test_the_schedule_tools_are_those_of_the_table_in_its_order() -> None:
    assert tuple(tool.name for tool in registry.SCHEDULE_TOOLS) == NAMES


def test_what_only_reads_and_what_changes_the_plan_is_told_apart() -> None:
    reading = {tool.name for tool in registry.SCHEDULE_TOOLS if tool.effect is Effect.READS}

    assert reading == set(NAMES[:7])


@pytest.mark.parametrize(
    "name", ["min_context_switch", "reschedule_all", "place.task", "", " place", "PLACE", "放置"]
)
def test_an_unknown_tool_is_refused_with_the_list_of_tools(name: str) -> None:
    result = registry.call(WEEK, name, {"task_id": 3})

    assert result.code == Code.UNKNOWN_TOOL
    assert result.text == f"没有名为“{name.strip()}”的工具，可用工具为 {'、'.join(NAMES)}。"
    assert result.facts == BadArgument("name", "、".join(NAMES))
    assert result.state is WEEK


@pytest.mark.parametrize("name", [None, 3, ["place"], {"name": "place"}])
def test_a_name_that_is_no_text_is_an_unknown_tool(name: object) -> None:
    assert registry.call(WEEK, name, {}).code == Code.UNKNOWN_TOOL  # type: ignore[arg-type]


def test_reordering_the_items_of_a_class_is_no_tool_of_the_schedule() -> None:
    assert registry.find("min_context_switch") is None


def test_the_old_name_of_a_tool_is_answered_and_never_offered() -> None:
    assert registry.find("find_free") is registry.find("find_first_free")
    assert "find_free" not in offering.listing(registry.SCHEDULE_TOOLS)
    assert "find_free" not in str(offering.schemas(registry.SCHEDULE_TOOLS))


def test_the_listing_is_one_short_line_per_tool() -> None:
    lines = offering.listing(registry.SCHEDULE_TOOLS).split("\n")

    assert len(lines) == len(NAMES)
    assert lines[2] == (
        "find_first_free(duration, day?, top_k=3, exclude_breaks=true)："
        "满足连续时段数的候选位置，当天占用少的在前"
    )
    assert lines[7].startswith("place(task_id, day, slot_start)：")
    assert max(map(len, lines)) <= 110


def test_a_schema_is_closed_and_holds_no_null_and_no_reference() -> None:
    schemas = offering.schemas(registry.SCHEDULE_TOOLS)

    for one in schemas:
        parameters = one["function"]["parameters"]
        assert parameters["additionalProperties"] is False
        assert "null" not in str(parameters)
        assert "$ref" not in str(parameters)
        assert "title" not in str(parameters)
        assert all(field["description"] for field in parameters["properties"].values())


def test_the_schema_of_a_tool_says_what_its_arguments_may_be() -> None:
    tool = registry.find("find_first_free")
    assert tool is not None

    assert offering.schema(tool.arguments) == {
        "type": "object",
        "additionalProperties": False,
        "required": ["duration"],
        "properties": {
            "duration": {
                "type": "integer",
                "minimum": 1,
                "description": "连续时段数：1到每天节数的整数",
            },
            "day": {
                "type": "integer",
                "minimum": 1,
                "description": "只看这一天：1到窗口天数的整数",
            },
            "top_k": {
                "type": "integer",
                "minimum": 1,
                "maximum": 10,
                "default": 3,
                "description": "最多几个候选：1到10的整数",
            },
            "exclude_breaks": {
                "type": "boolean",
                "default": True,
                "description": "不跨午休与晚饭：true 或 false",
            },
        },
    }


def test_the_items_of_a_batch_stand_in_its_schema() -> None:
    tool = registry.find("batch_move")
    assert tool is not None
    whole = {"type": "integer", "minimum": 1}

    assert offering.schema(tool.arguments)["properties"]["moves"] == {
        "type": "array",
        "minItems": 1,
        "maxItems": 20,
        "description": "要移动的任务：1到20项的列表，每项含 task_id、new_day、new_slot_start",
        "items": {
            "type": "object",
            "additionalProperties": False,
            "required": ["task_id", "new_day", "new_slot_start"],
            "properties": {"task_id": whole, "new_day": whole, "new_slot_start": whole},
        },
    }


def test_two_tools_of_one_name_are_noticed() -> None:
    tool = registry.SCHEDULE_TOOLS[0]

    with pytest.raises(ValueError, match="two tools are named query_range"):
        offering.by_name([*registry.SCHEDULE_TOOLS, replace(tool, name="query_range")])
