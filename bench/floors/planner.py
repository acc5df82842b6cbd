"""The best places for study items, found by others: .venv/peers/bin/python bench/floors/planner.py

Reads {"plan": …, "method": "flow" | "cp", "seconds": …} and writes {"cost", "away", "bound",
"ms"}. `flow`: equal lengths as a min-cost flow, the exact optimum. `cp`: CP-SAT with two workers
on a variable for the day and the first section of each item, from a greedy plan as its hint.
"""

import json
import sys
import time
from collections.abc import Iterator
from itertools import pairwise
from typing import Any

from ortools.graph.python import min_cost_flow  # type: ignore[import-not-found, unused-ignore]
from ortools.sat.python import cp_model  # type: ignore[import-not-found, unused-ignore]

LEVEL = 10
SECTIONS = 12
WORKERS = 2
NOTHING = 10**9
"""The cost of no solution."""

Plan = dict[str, Any]
Item = tuple[int, int, int, list[int]]
"""Class, length, ideal day, mask of starts of each day."""


def items_of(plan: Plan) -> list[Item]:
    """The items, those of a class in their order."""
    return [
        (number, of["length"], ideal, of["starts"])
        for number, of in enumerate(plan["classes"])
        for ideal in of["ideals"]
    ]


def steps(load: int, length: int, count: int) -> list[int]:
    """What the first, the second, … item adds to the level of a day."""
    loads = [load + length * n for n in range(count + 1)]
    return [LEVEL * (b * b - a * a) for a, b in pairwise(loads)]


def room(starts: int, length: int) -> int:
    """How many runs a day holds side by side."""
    held, behind = 0, 0
    for section in range(SECTIONS):
        if section >= behind and starts >> section & 1:
            held, behind = held + 1, section + length
    return held


def by_flow(plan: Plan) -> dict[str, float]:
    """One node for each item and each day; a day's places cost more one after the other."""
    items, loads = items_of(plan), plan["loads"]
    began = time.process_time()
    flow = min_cost_flow.SimpleMinCostFlow()
    sink = len(items) + len(loads)
    arcs, days = [], [0] * len(loads)
    for number, (_, length, ideal, starts) in enumerate(items):
        flow.set_node_supply(number, 1)
        for day, mask in enumerate(starts):
            if mask:
                to = len(items) + day
                away = abs(day - ideal)
                arc = flow.add_arc_with_capacity_and_unit_cost(number, to, 1, away)
                arcs.append((arc, away))
                days[day] = max(days[day], room(mask, length))
    length = items[0][1]
    for day, held in enumerate(days):
        for cost in steps(loads[day], length, held):
            flow.add_arc_with_capacity_and_unit_cost(len(items) + day, sink, 1, cost)
    flow.set_node_supply(sink, -len(items))
    if flow.solve() != flow.OPTIMAL:
        raise RuntimeError("the flow has no solution")
    ms = (time.process_time() - began) * 1000
    cost = flow.optimal_cost() + LEVEL * sum(load * load for load in loads)
    away = sum(away for arc, away in arcs if flow.flow(arc))
    return {"cost": cost, "away": away, "bound": cost, "ms": ms}


Hint = list[tuple[int, int] | None]
"""(day, first section) of each item; None where it has no place."""


def greedy(plan: Plan) -> tuple[int, Hint]:
    """J and a place for each item: one item after the other, the longest first.

    Each goes where it costs least; where that leaves some without room, those with the least
    choice come first, each where it spoils least. J is NOTHING where that does not help either.
    """
    cost, hint = _greedy(plan, thrifty=False)
    return (cost, hint) if cost < NOTHING else _greedy(plan, thrifty=True)


def _greedy(plan: Plan, *, thrifty: bool) -> tuple[int, Hint]:
    items, loads = items_of(plan), list(plan["loads"])
    taken = [0] * len(loads)
    found: dict[int, list[tuple[int, int]]] = {}
    offered = [
        sum(room(mask, of["length"]) for mask in of["starts"]) / len(of["ideals"])
        for of in plan["classes"]
    ]
    for of, length, ideal, starts in sorted(
        items, key=lambda item: (0 if thrifty else -item[1], offered[item[0]], -item[1], item[2])
    ):
        ranked = []
        for day, section in places(starts, length, taken):
            cost = LEVEL * length * (2 * loads[day] + length) + abs(day - ideal)
            spoiled = left_beside(starts[day], taken[day], section, length)
            ranked.append(((spoiled, cost) if thrifty else (cost, spoiled), day, section))
        if ranked:
            _, day, section = min(ranked)
            taken[day] |= ((1 << length) - 1) << section
            loads[day] += length
            found.setdefault(of, []).append((day, section))
    ordered = {of: iter(sorted(places_)) for of, places_ in found.items()}
    chosen = [next(ordered.get(of, iter(())), None) for of, _, _, _ in items]
    if None in chosen:
        return NOTHING, chosen
    away = sum(abs(at[0] - item[2]) for at, item in zip(chosen, items, strict=True) if at)
    return LEVEL * sum(load * load for load in loads) + away, chosen


def left_beside(starts: int, taken: int, section: int, length: int) -> int:
    """How many other starts of a day a run would spoil."""
    run = ((1 << length) - 1) << section
    spoiled = 0
    for other in range(max(section - length + 1, 0), section + length):
        if starts >> other & 1 and not taken & (((1 << length) - 1) << other):
            spoiled += other != section and bool((((1 << length) - 1) << other) & run)
    return spoiled


def places(starts: list[int], length: int, taken: list[int]) -> Iterator[tuple[int, int]]:
    """Every free place: (day, first section)."""
    for day, mask in enumerate(starts):
        for section in range(SECTIONS):
            run = ((1 << length) - 1) << section
            if mask >> section & 1 and not taken[day] & run:
                yield day, section


def by_cp(plan: Plan, seconds: float) -> dict[str, float]:
    """The best that is found in so many seconds, and the bound that is proven."""
    items, loads = items_of(plan), plan["loads"]
    hinted, hint = greedy(plan)
    model = cp_model.CpModel()
    on_day: list[list[Any]] = [[] for _ in loads]
    away, runs = [], []
    behind: dict[int, Any] = {}
    for (of, length, ideal, starts), at in zip(items, hint, strict=True):
        days = {day: model.new_bool_var("") for day, mask in enumerate(starts) if mask}
        model.add_exactly_one(days.values())
        begins = [
            day * SECTIONS + section
            for day in days
            for section in range(SECTIONS)
            if starts[day] >> section & 1
        ]
        begin = model.new_int_var_from_domain(cp_model.Domain.from_values(begins), "")
        section = model.new_int_var(0, SECTIONS - 1, "")
        model.add(begin == section + sum(SECTIONS * day * chosen for day, chosen in days.items()))
        if at is not None:
            model.add_hint(begin, at[0] * SECTIONS + at[1])
            model.add_hint(section, at[1])
        for day, chosen in days.items():
            if at is not None:
                model.add_hint(chosen, day == at[0])
            on_day[day].append(length * chosen)
            away.append(abs(day - ideal) * chosen)
        if of in behind:
            model.add(behind[of] <= begin)
        behind[of] = begin + length
        runs.append(model.new_fixed_size_interval_var(begin, length, ""))
    model.add_no_overlap(runs)
    level = [
        term
        for load, of_day in zip(loads, on_day, strict=True)
        for term in levels(model, load, of_day)
    ]
    model.minimize(sum(away) + sum(level) + LEVEL * sum(load * load for load in loads))
    return solved(model, seconds, hinted)


def levels(model: Any, load: int, on_day: list[Any]) -> Iterator[Any]:
    """What the sections of a day add, one after the other."""
    sections = [model.new_bool_var("") for _ in range(SECTIONS - load)]
    model.add(sum(sections) == sum(on_day))
    for one, following in pairwise(sections):
        model.add_implication(following, one)
    for cost, taken in zip(steps(load, 1, SECTIONS - load), sections, strict=True):
        yield cost * taken


def solved(model: Any, seconds: float, hinted: int) -> dict[str, float]:
    """Runs the solver; the hint is what there is where it finds nothing better."""
    solver = cp_model.CpSolver()
    solver.parameters.max_time_in_seconds = seconds
    solver.parameters.num_workers = WORKERS
    solver.parameters.random_seed = 1
    status = solver.solve(model)
    found = status in (cp_model.OPTIMAL, cp_model.FEASIBLE)
    return {
        "cost": min(solver.objective_value, hinted) if found else hinted,
        "away": 0,
        "bound": solver.best_objective_bound,
        "ms": solver.wall_time * 1000,
    }


def main() -> None:
    """One plan, one answer."""
    asked = json.load(sys.stdin)
    plan = asked["plan"]
    found = by_flow(plan) if asked["method"] == "flow" else by_cp(plan, asked["seconds"])
    json.dump(found, sys.stdout)


if __name__ == "__main__":
    main()
