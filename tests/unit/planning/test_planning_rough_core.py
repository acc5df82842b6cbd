"""The board of rough build and what is done on it. Spec: planning.md, Rough build."""

import random
from dataclasses import replace
from itertools import pairwise, product

import pytest

from libs.planning.board import NEVER, Board, Group, can_hold, reach
from libs.planning.calendar import DEFAULT_CLOCK
from libs.planning.rough_apply import apply_rough
from libs.planning.rough_build import strided
from libs.planning.rough_chains import Chains, Lines
from libs.planning.rough_flow import capacity, fill, is_uniform
from libs.planning.rough_level import level
from libs.planning.rough_places import Kind, pair_starts, places_of
from libs.planning.rough_search import EFFORT, gained, improve
from libs.planning.rough_search import fill as search_fill
from libs.planning.rough_shake import Dice, counts_of, shake, take_better
from libs.planning.rough_sweep import Effort, Sweeps, loads_of
from libs.planning.rough_sweep import items_of as items_carried
from libs.planning.runs import runs, sections_of
from libs.planning.state import Status
from tests.unit.planning.planning_rough import build, on, plan_class
from tests.unit.planning.planning_states import course as course_task
from tests.unit.planning.planning_states import item, span, state
from tests.unit.planning.planning_world import at, course

STRETCHES = (0x00F, 0x0F0, 0xF00)


def some_board(dice: random.Random, *, lengths: tuple[int, ...], days: int = 8) -> Board:
    free = [dice.getrandbits(12) | dice.getrandbits(12) for _ in range(days)]
    groups = []
    for length in lengths:
        first = dice.randint(0, days // 2)
        starts = [runs(f, STRETCHES, length) if d >= first else 0 for d, f in enumerate(free)]
        ideals = sorted(dice.randint(first, days - 1) for _ in range(dice.randint(1, 3)))
        groups.append(Group(length, tuple(starts), tuple(ideals)))
    return Board([12 - f.bit_count() for f in free], groups)


def items_of(board: Board) -> list[tuple[int, int]]:
    return [(g, ideal) for g, group in enumerate(board.groups) for ideal in group.ideals]


def true_cost(board: Board) -> int:
    away = sum(
        abs(day - ideal)
        for g, group in enumerate(board.groups)
        for day, ideal in zip(board.days_of(g), group.ideals, strict=True)
    )
    return 10 * sum(load * load for load in board.load) + away


def least(board: Board) -> int | None:
    """Over all ways to give each item a day."""
    items = items_of(board)
    best = None
    for days in product(range(board.days), repeat=len(items)):
        trial = Board(board.load, board.groups)
        for (group, ideal), day in zip(items, days, strict=True):
            trial.put(group, day, ideal)
        if all(trial.holds(d) and all(trial.groups[g].starts[d] for g in trial.on_day(d))
               for d in range(trial.days)):  # fmt: skip
            best = trial.cost if best is None else min(best, trial.cost)
    return best


def test_a_board_knows_its_cost_whatever_is_moved():
    dice = random.Random(1)
    for _ in range(30):
        board = some_board(dice, lengths=(2, 1, 3))
        for group, ideal in items_of(board):
            board.put(group, dice.randrange(board.days), ideal)
        assert board.cost == true_cost(board)
        for _ in range(10):
            group = dice.randrange(3)
            days = board.days_of(group)
            board.move(group, dice.choice(days), dice.randrange(board.days))
            assert board.cost == true_cost(board)
        cost, days = board.cost, board.days_of(0)
        board.put(0, 3, 5)
        board.take(0, 3, 5)
        assert (board.cost, board.days_of(0)) == (cost, days)


def test_what_a_day_holds_is_answered_exactly():
    dice = random.Random(2)
    for _ in range(200):
        kinds = [
            (length, runs(dice.getrandbits(12) | dice.getrandbits(12), STRETCHES, length),
             dice.randint(1, 2))
            for length in sorted(dice.choices((1, 2, 3, 4), k=dice.randint(1, 3)), reverse=True)
        ]  # fmt: skip
        each = [(length, starts) for length, starts, count in kinds for _ in range(count)]
        possible = any(
            all_apart(each, firsts)
            for firsts in product(*(tuple(sections_of(starts)) for _, starts in each))
        )
        assert can_hold(kinds) is possible
        packed = places_of([Kind(*kind) for kind in kinds], ())
        assert (packed is not None) is possible
    assert can_hold([])
    assert places_of([], ()) == ()


def all_apart(each: list[tuple[int, int]], firsts: tuple[int, ...]) -> bool:
    taken = 0
    for (length, _), first in zip(each, firsts, strict=True):
        run = ((1 << length) - 1) << (first - 1)
        if taken & run:
            return False
        taken |= run
    return True


@pytest.mark.parametrize(
    ("starts", "length", "held"),
    [(0, 2, 0), (0b1, 2, 1), (0b11, 2, 1), (0b101, 2, 2), (0b111, 2, 2), (0b11111, 3, 2)],
)
def test_how_many_runs_of_a_length_a_day_holds(starts, length, held):
    assert capacity(starts, length) == held


def test_even_lengths_go_on_pairs_then_out_of_hosts_then_early():
    pairs = pair_starts(DEFAULT_CLOCK)
    assert places_of([Kind(2, 0b1110, 1)], pairs) == ((3,),)
    assert places_of([Kind(2, 0b101, 1)], pairs, hosts=0b11) == ((3,),)
    assert places_of([Kind(1, 0b111, 2)], pairs) == ((1, 2),)
    assert places_of([Kind(3, 0b1011, 1), Kind(1, 0b1, 1)], pairs) == ((2,), (1,))
    assert places_of([Kind(2, 0b1, 2)], pairs) is None


def test_the_flow_is_the_optimum():
    dice = random.Random(3)
    solved = 0
    for _ in range(40):
        length = dice.randint(1, 2)
        board = some_board(dice, lengths=(length, length), days=5)
        assert is_uniform(board)
        if len(items_of(board)) > 4:
            continue
        best = least(board)
        left = fill(board, strided(items_of(board)))
        assert bool(left) is (best is None)
        if best is not None:
            solved += 1
            assert board.cost == best == true_cost(board)
    assert solved >= 15


def test_uniform_means_one_length_and_equal_starts_where_there_are_any():
    one, other = Group(2, (1, 0, 3), (0,)), Group(2, (1, 7, 3), (0,))
    assert is_uniform(Board([0, 0, 0], [one, other]))
    assert not is_uniform(Board([0, 0, 0], [one, Group(2, (1, 7, 1), (0,))]))
    assert not is_uniform(Board([0, 0, 0], [one, Group(1, (1, 7, 3), (0,))]))
    assert is_uniform(Board([0], []))
    assert reach(Group(2, (0, 0), ())) == (0, 0)


def test_the_flow_serves_the_first_ones_where_there_is_not_enough():
    board = Board([0, 0], [Group(2, (0b1, 0b1), (0, 0, 1))])
    assert fill(board, [(0, 0), (0, 0), (0, 1)]) == (2,)
    assert board.days_of(0) == [0, 1]


def test_the_search_makes_room_by_moving_others():
    # The long one fits on day 0 alone, where the short one has gone first.
    short, long = Group(1, (0b1, 0b1), (0,)), Group(2, (0b1, 0), (0,))
    board = Board([0, 0], [short, long])
    assert search_fill(board, [(0, 0), (1, 0)], in_turn=True) == ()
    assert (board.days_of(0), board.days_of(1)) == ([1], [0])
    full = Board([0, 0], [short, long])
    assert search_fill(full, [(1, 0), (0, 0), (0, 0), (0, 0)], in_turn=True) == (2, 3)


def test_the_search_finds_small_optima():
    dice = random.Random(4)
    met = solved = 0
    for _ in range(40):
        board = some_board(dice, lengths=(1, 2, 3), days=4)
        if len(items_of(board)) > 5:
            continue
        best = least(board)
        left = search_fill(board, strided(items_of(board)), in_turn=False)
        if best is None:
            assert left
            continue
        solved += 1
        assert left == ()
        improve(board, Effort(EFFORT))
        assert board.cost == true_cost(board)
        met += board.cost == best
    assert solved >= 10
    assert met == solved


def test_lines_know_what_carrying_an_item_costs():
    dice = random.Random(5)
    board = some_board(dice, lengths=(1, 2))
    for group, ideal in items_of(board):
        board.put(group, dice.randrange(board.days), ideal)
    lines = Lines(board)
    for group in (0, 1):
        values = [dice.randint(0, 40) for _ in range(board.days)]
        best = lines.best(group, values)
        for day in range(board.days):
            costs = {to: lines.cost(group, day, to) for to in range(board.days)}
            others = [(costs[to] + values[to], to) for to in costs if to != day]
            assert (best[day] >> lines.shift) == min(others)[0]
            assert [lines.between(day, to)[group] for to in costs] == list(costs.values())
        day = board.days_of(group)[0]
        for to in range(board.days):
            before = board.cost - 10 * sum(x * x for x in board.load)
            board.move(group, day, to)
            after = board.cost - 10 * sum(x * x for x in board.load)
            board.move(group, to, day)
            assert after - before == lines.cost(group, day, to)


def filled(dice: random.Random) -> Board:
    while True:
        board = some_board(dice, lengths=(1, 2, 3, 2), days=14)
        if not search_fill(board, strided(items_of(board)), in_turn=False):
            return board


def test_chains_gain_what_they_say():
    dice = random.Random(6)
    made = 0
    for _ in range(30):
        board = filled(dice)
        for group in range(4):
            day = board.days_of(group)[0]
            to = dice.randrange(board.days)
            if board.fits(to, group):
                board.move(group, day, to)
        for chain in Chains(board, 3).found():
            cost, before = board.cost, counts_of(board)
            if gained(board, chain.moves):
                made += 1
                assert board.cost < cost
                assert all(board.holds(day) for day in range(board.days))
                for group, day, to in reversed(chain.moves):
                    board.move(group, to, day)
            assert counts_of(board) == before
    assert made >= 20


def test_a_sweep_gains_until_nothing_does_and_every_day_holds_its_items():
    dice = random.Random(7)
    made = 0
    for _ in range(40):
        board = filled(dice)
        shake(board, Dice(dice.randrange(1000)), every=1, far=6)
        sweeps, effort = Sweeps(board), Effort(EFFORT)
        lowest = board.cost
        while sweeps.sweep(effort):
            made += 1
            assert board.cost < lowest
            assert board.cost == true_cost(board)
            assert all(board.holds(day) for day in range(board.days))
            lowest = board.cost
        assert board.cost == lowest
        assert not board.touched
    assert made >= 40


def test_a_sweep_still_gains_where_no_chain_does():
    found = 0
    dice = random.Random(14)
    for _ in range(40):
        board = filled(dice)
        shake(board, Dice(dice.randrange(1000)), every=1, far=6)
        while any(gained(board, chain.moves) for chain in Chains(board, 3).found()):
            pass
        board.touched.update(range(board.days))
        found += Sweeps(board).sweep(Effort(EFFORT))
    assert found >= 5


def test_a_sweep_looks_around_days_that_have_changed_alone():
    board = Board([0] * 60, [Group(1, (1,) * 60, (0,)), Group(1, (2,) * 60, (50,))])
    for group, day, ideal in ((0, 5, 0), (1, 55, 50)):
        board.put(group, day, ideal)
    board.touched.clear()
    assert not Sweeps(board).sweep(Effort(EFFORT))
    board.touched.add(50)
    assert Sweeps(board).sweep(Effort(EFFORT))
    assert (board.days_of(0), board.days_of(1)) == ([5], [50])


def test_what_is_carried_is_the_lightest_that_there_is():
    lengths = (1, 2, 3, 1, 4, 2)
    loads = loads_of(lengths)
    assert loads[0] == 0
    assert len(set(loads)) == len(loads) == 200
    items = [dict(items_carried(load)) for load in loads]
    for group in range(6):
        assert {group: 1} in items
        assert {group: -1} in items
    # A long item ahead and two of half its length behind weigh less than two long ones ahead.
    assert {4: 1, 1: -1, 5: -1} in items
    assert {4: 2} not in items
    assert len(loads_of((1,))) == 9


def test_the_better_stretches_of_two_boards_are_kept():
    dice = random.Random(8)
    for _ in range(30):
        board = filled(dice)
        best, cost = counts_of(board), board.cost
        shake(board, Dice(dice.randrange(1000)), every=3, far=4)
        shaken = board.cost
        take_better(board, best)
        assert board.cost <= min(cost, shaken)
        assert all(board.holds(day) for day in range(board.days))
        assert board.cost == true_cost(board)


def test_dice_fall_the_same_each_time():
    one, other = Dice(7), Dice(7)
    assert [one.below(6) for _ in range(50)] == [other.below(6) for _ in range(50)]
    dice = Dice()
    assert {dice.below(6) for _ in range(100)} == set(range(6))


def test_a_shake_of_an_empty_board_changes_nothing():
    board = Board([0, 0, 0], [Group(1, (1, 1, 1), ())])
    shake(board, Dice(), every=1, far=1)
    assert board.load == [0, 0, 0]


def test_levelling_lowers_the_cost_and_ends():
    dice = random.Random(9)
    for _ in range(30):
        board = filled(dice)
        shake(board, Dice(dice.randrange(1000)), every=1, far=8)
        cost = board.cost
        level(board)
        assert board.cost <= cost
        assert all(board.holds(day) for day in range(board.days))
    spent = filled(dice)
    cost = spent.cost
    level(spent, 0)
    assert spent.cost == cost


def test_effort_that_is_spent_buys_nothing():
    dice = random.Random(10)
    board = filled(dice)
    cost = board.cost
    improve(board, Effort(0))
    assert board.cost == cost
    for left in (300, 700, 1500, 4000, 9000):
        again = filled(random.Random(10))
        improve(again, Effort(left))
        assert again.cost <= cost
    assert cost < NEVER


def test_strides_keep_every_item_and_take_neighbours_apart():
    items = [(0, day) for day in range(16)]
    spaced = strided(items)
    assert sorted(spaced) == items
    assert all(abs(a - b) > 1 for (_, a), (_, b) in pairwise(spaced))
    assert strided([]) == []


def test_what_was_placed_becomes_suggested_and_misses_are_counted():
    host = course(50, at(1, 1, 3, 4), embeddable=True)
    blocks = [host, *(course(200 + s, at(1, 1, s)) for s in range(1, 13) if s not in (3, 4))]
    one = plan_class(1, 1, on(1, 1), on(1, 1), filler=True)
    two = plan_class(2, 2, on(1, 2), on(1, 3))
    late = plan_class(3, 1, on(4, 1), on(4, 1))
    plan = build(one, two, late, blocks=blocks)
    assert plan.is_complete
    waits = [item(n, of=of) for n, of in ((1, 1), (2, 2), (4, 2), (5, 9))]
    ids = {1: 100, 2: 200, 4: 999, 5: 998}
    tasks = [replace(task, source_id=ids[task.state_id]) for task in waits]
    hosts = replace(course_task(8, span(1, 3), embeddable=True), source_id=50)
    found = apply_rough(state(*tasks, hosts), plan)
    counters = found.counters
    assert (counters.placements, counters.applied, counters.window_days) == (4, 2, 10)
    assert (counters.day_mapping_miss, counters.day_mapping_samples) == (1, (300,))
    assert (counters.task_item_match_miss, counters.task_item_samples) == (1, (201,))
    assert (counters.pending_in_scope, counters.pending_samples) == (1, (999,))
    guest = found.state.tasks[1]
    assert (guest.status, guest.slots, guest.embed_host) == (Status.SUGGESTED, (span(1, 3),), 8)
    assert found.state.tasks[8].embedded_by == (1,)
    assert found.state.tasks[2].status is Status.SUGGESTED
    assert found.state.tasks[4].status is Status.PENDING
    assert found.state.tasks[5].status is Status.PENDING
