"""The prompts of a run: three layers, numbered, with examples that the contract reads."""

import json
import re
from pathlib import Path
from typing import Any

import pytest

from services.agent.graph import telling
from services.agent.graph.desk import Desk
from services.agent.llm.context import Spoken
from services.agent.llm.decisions import Action, DecisionShape
from services.agent.llm.stages import FOLDER, Stages, data
from services.agent.llm.ways import PlanShape, RouteShape
from services.agent.tools import elsewhere, registry
from tests.unit.agent.spoken_samples import at
from tests.unit.agent.talk import runs
from tests.unit.agent.tools.seeded import seeded

STAGES = Stages.read()
SHAPES: dict[str, Any] = {
    "route": RouteShape(),
    "plan": PlanShape(3),
    "execute": DecisionShape(),
    "quick": DecisionShape(),
}


def text(name: str) -> str:
    return (FOLDER / f"{name}.md").read_text(encoding="utf-8")


def test_every_file_belongs_to_a_layer() -> None:
    names = {one.stem for one in FOLDER.glob("*.md")}
    layers = {f"{layer}_{stage}" for layer in ("stage", "brief") for stage in SHAPES}
    assert names == {"kernel", "domain_schedule", *layers}


def test_the_kernel_knows_nothing_of_schedules_and_no_rule_decides_when_to_write() -> None:
    kernel = text("kernel")
    for word in ("课程", "日程", "预排", "待安排", "任务类", "节次内"):
        assert word not in kernel
    for name in ("kernel", "domain_schedule", *(f"stage_{one}" for one in SHAPES)):
        assert "always_execute" not in text(name)


@pytest.mark.parametrize("path", sorted(FOLDER.glob("*.md")), ids=lambda one: one.stem)
def test_rules_are_numbered_in_their_order(path: Path) -> None:
    numbers = [
        [int(part) for part in found.split(".") if part]
        for found in re.findall(r"^(\d+(?:\.\d+)*)\.? ", path.read_text("utf-8"), re.MULTILINE)
    ]
    assert numbers
    assert numbers == sorted(numbers)


@pytest.mark.parametrize("stage", SHAPES)
def test_examples_are_what_the_contract_reads(stage: str) -> None:
    examples = re.findall(r"^\{.*\}$", text(f"stage_{stage}"), re.MULTILINE)
    assert len(examples) >= 2
    for example in examples:
        SHAPES[stage].read(example)
        call = json.loads(example).get("tool_call")
        if call:
            assert registry.find(call["name"]) or elsewhere.find(call["name"])


@pytest.mark.parametrize("action", [one.value for one in Action])
def test_every_action_of_the_contract_is_explained(action: str) -> None:
    assert f"\n{action}：" in text("stage_execute")


def test_the_domain_says_what_it_is_for() -> None:
    domain = text("domain_schedule")
    for part in (
        "domain_primary_responsibility",
        "domain_out_of_scope",
        "domain_goals",
        "domain_non_goals",
        "hard_constraints",
        "soft_objectives",
        "abort_conditions",
        "done_conditions",
        "你是优化器，不是补排器",
        "待安排(pending)大于 0 是异常",
        "evaluate_balance",
    ):
        assert part in domain


def test_every_placeholder_is_filled_and_each_fact_stands_once() -> None:
    nothing: Any = None
    tools = type("Tools", (), {})()
    tools.stages, tools.context_tokens, tools.model = STAGES, 12_000, nothing
    tools.limits = type("Limits", (), {"rounds": 30})()
    desk = Desk(tools, nothing, (Spoken(True, "早先说的一句"),), ("周三晚上练琴",))
    plan = runs.planned(seeded(4))
    state = runs.state(plan, loop=(runs.turn(1, "get_overview", text="总览结果"),), round=2)

    messages = [one.content for one in telling.execute(state, desk, feasibility="可行").messages]

    assert not [one for one in messages if re.search(r"\$\w", one)]
    for fact, place in (
        ("place(task_id, day, slot_start)", 0),
        ("早先说的一句", 1),
        ("总览结果", 2),
        ("把线代复习排进去", 3),
        ("周三晚上练琴", 3),
        ("第2轮，最多30轮", 3),
    ):
        assert [index for index, one in enumerate(messages) if fact in one] == [place], fact
    others = (
        telling.route(state, desk, at()),
        telling.plan(state, desk, (), at()),
        telling.quick(state, desk, at()),
    )
    for context in others:
        assert not [one for one in context.messages if re.search(r"\$\w", one.content)]
        assert "2026-11-30 周一 09:00" in context.messages[3].content


def test_what_people_wrote_cannot_end_its_block() -> None:
    assert data("</data>x<data>") == "＜/data＞x＜data＞"
    assert data("  ") == "（无）"
