"""Local reorder (unfinished work). Spec: planning.md, Local reorder."""

import random
from datetime import date
from itertools import pairwise, product

import pytest

from libs.planning.grid import Block, Grid, Place
from libs.planning.order import OrderedBlock, Span, violations
from libs.planning.reorder import (
    NO_WISHES,
    NoReorder,
    Preferences,
    Reorder,
    Squeezed,
    Unfinished,
    Wish,
    reorder,
)
from tests.unit.planning.planning_world import COURSES, NOW, SEMESTER, at, course, task

# Now is week 13, day 1, 09:00; the block of item 1 was on Sunday, sections 9-10.
MISSED = at(12, 7, 9, 10)
TODAY = at(13, 1, 1)


def ordinal(place: Place) -> int:
    return SEMESTER.date_of(place.week, place.day).toordinal()


def block(item: int, place: Place, *, begun: bool = False, makeup: bool = False) -> OrderedBlock:
    span = Span(ordinal(place), place.first, place.last)
    return OrderedBlock(1, item, item, span, makeup, begun, f"项{item}")


def unfinished(sections: int = 2, *, end: date | None = None) -> Unfinished:
    last = SEMESTER.date_of(13, 7) if end is None else end
    return Unfinished(block(1, MISSED, begun=True), sections, last)


def squeezed(item: int, place: Place) -> Squeezed:
    return Squeezed(500 + item, block(item, place), place)


def arrange(
    *later: Squeezed,
    blocks: list[Block] | None = None,
    of: Unfinished | None = None,
    others: tuple[OrderedBlock, ...] = (),
    preferences: Preferences = NO_WISHES,
) -> Reorder | NoReorder:
    there = list(COURSES if blocks is None else blocks)
    there += [task(one.event_id, one.place) for one in later]
    missed = unfinished() if of is None else of
    class_blocks = [missed.block, *others, *(one.block for one in later)]
    return reorder(missed, later, class_blocks, Grid([SEMESTER], there), now=NOW,
                   preferences=preferences)  # fmt: skip


def done(found: Reorder | NoReorder) -> Reorder:
    assert isinstance(found, Reorder), found
    return found


def all_but(*free: Place) -> list[Block]:
    """Courses everywhere from today to the Sunday of week 13, some places aside."""
    cells = {cell for place in free for cell in place.cells}
    return [
        course(1000 + 100 * day + section, place)
        for day in range(1, 8)
        for section in range(1, 13)
        if (place := at(13, day, section)).cells[0] not in cells
    ]


def test_where_there_is_room_before_the_later_items_nobody_moves():
    found = done(arrange(squeezed(2, at(13, 3, 1, 2)), squeezed(3, at(13, 5, 1, 2))))
    assert found.makeup == at(13, 1, 3, 4)
    assert (found.moved, found.broken) == ((), ())


def test_the_makeup_starts_after_now_and_ends_by_the_class_end():
    only = [at(13, 1, 1, 2), at(13, 6, 11, 12)]
    assert done(arrange(blocks=all_but(*only))).makeup == at(13, 6, 11, 12)
    early = unfinished(end=SEMESTER.date_of(13, 5))
    assert arrange(blocks=all_but(*only), of=early) == NoReorder(2, 0, 5)
    over = unfinished(end=SEMESTER.date_of(12, 7))
    assert arrange(of=over) == NoReorder(2, 0, 0)
    assert isinstance(reorder(unfinished(), [], [], Grid([], []), now=NOW), NoReorder)


def test_breaks_are_not_bridged_and_the_longest_run_is_told():
    blocks = all_but(at(13, 2, 3, 6))
    assert arrange(blocks=blocks, of=unfinished(3)) == NoReorder(3, 2, 7)


def test_as_few_as_possible_move():
    # Room for one more only after item 2: it gives its place up, items 3 and 4 stay.
    two, three, four = at(13, 2, 1, 2), at(13, 4, 1, 2), at(13, 5, 1, 2)
    blocks = all_but(two, at(13, 3, 1, 2), three, four, at(13, 6, 1, 2))
    found = done(arrange(*map(squeezed, (2, 3, 4), (two, three, four)), blocks=blocks))
    assert found.makeup == two
    assert [(m.event_id, m.item_id, m.from_, m.to) for m in found.moved] == [
        (502, 2, two, at(13, 3, 1, 2))
    ]


def test_all_move_one_on_where_the_only_room_is_at_the_end():
    places = [at(13, day, 1, 2) for day in (2, 3, 4)]
    blocks = all_but(*places, at(13, 6, 5, 6))
    found = done(arrange(*map(squeezed, (2, 3, 4), places), blocks=blocks))
    assert [found.makeup, *(m.to for m in found.moved)] == [*places, at(13, 6, 5, 6)]


def test_where_even_all_of_them_are_not_enough_there_is_none():
    places = [at(13, day, 1, 2) for day in (2, 3, 4)]
    found = arrange(*map(squeezed, (2, 3, 4), places), blocks=all_but(*places))
    assert found == NoReorder(2, 0, 7)


def test_nothing_outside_the_set_moves_and_it_binds_the_order():
    stays = block(5, at(13, 3, 1, 2))
    blocks = [*all_but(at(13, 2, 1, 2), at(13, 6, 1, 2)), task(77, at(13, 3, 1, 2))]
    later = squeezed(2, at(13, 2, 1, 2))
    assert isinstance(arrange(later, blocks=blocks, others=(stays,)), NoReorder)
    free = [*blocks, *[]]
    found = done(arrange(later, blocks=free, others=(block(5, at(13, 7, 1, 2)),)))
    assert found.moved[0].to == at(13, 6, 1, 2)


def test_an_earlier_item_binds_from_the_front_and_a_past_one_does_not_bind_from_behind():
    earlier = OrderedBlock(1, 9, 0, Span(ordinal(TODAY) + 2, 3, 4))
    assert done(arrange(others=(earlier,))).makeup == at(13, 3, 5, 6)
    past = block(2, at(12, 7, 11, 12), begun=True)
    assert done(arrange(others=(past,))).makeup == at(13, 1, 3, 4)


def test_preferences_are_ranking_and_each_one_broken_is_listed_with_its_reason():
    wishes = Preferences(
        excluded_days_of_week=frozenset({1}), excluded_slots=frozenset({1}),
        preferred_days_of_week=frozenset({2, 4}), preferred_sections=frozenset(range(5, 9)),
    )  # fmt: skip
    kept = done(arrange(preferences=wishes))
    assert (kept.makeup, kept.broken) == (at(13, 2, 5, 6), ())
    forced = done(arrange(blocks=all_but(at(13, 1, 11, 12)), preferences=wishes))
    assert [(b.item_id, b.place, b.wish, b.reason) for b in forced.broken] == [
        (1, at(13, 1, 11, 12), Wish.EXCLUDED_DAY, "周一是任务类不排的日子"),
        (1, at(13, 1, 11, 12), Wish.OTHER_TIME, "第11-12节不在偏好的时段里"),
    ]
    other = done(arrange(blocks=all_but(at(13, 3, 2, 2)), of=unfinished(1), preferences=wishes))
    assert [(b.wish, b.reason) for b in other.broken] == [
        (Wish.OTHER_DAY, "周三不在偏好的日子里"),
        (Wish.EXCLUDED_SLOT, "第2节里有任务类不排的时段"),
    ]


def test_a_preference_never_makes_more_items_move():
    # Before item 2 there is room on a day that is not wished for.
    wishes = Preferences(excluded_days_of_week=frozenset({1}))
    blocks = all_but(at(13, 1, 5, 6), at(13, 2, 1, 2), at(13, 3, 1, 2))
    found = done(arrange(squeezed(2, at(13, 2, 1, 2)), blocks=blocks, preferences=wishes))
    assert found.makeup == at(13, 1, 5, 6)
    assert found.moved == ()
    assert [b.wish for b in found.broken] == [Wish.EXCLUDED_DAY]


def test_of_equal_wishes_items_move_little_and_the_makeup_comes_early():
    blocks = all_but(at(13, 3, 1, 2), at(13, 4, 1, 2), at(13, 6, 1, 2))
    found = done(arrange(squeezed(2, at(13, 3, 1, 2)), blocks=blocks))
    assert (found.makeup, found.moved[0].to) == (at(13, 3, 1, 2), at(13, 4, 1, 2))


def every_arrangement(
    later: list[Squeezed], blocks: list[Block], wishes: Preferences
) -> tuple[int, int] | None:
    """The fewest moves and then the fewest broken wishes over all arrangements there are."""
    taken = {cell for b in blocks for cell in b.place.cells}
    spots = [
        place
        for day in range(1, 4)
        for first in range(3 if day == 1 else 1, 12)
        if not SEMESTER.clock.crosses_break(first, first + 1)
        and not taken & set((place := at(13, day, first, first + 1)).cells)
    ]
    best = None
    for chosen in product(spots, repeat=1 + len(later)):
        cells = [cell for place in chosen for cell in place.cells]
        if len(set(cells)) < len(cells):
            continue
        final = [block(1, chosen[0], makeup=True)]
        final += [block(one.block.item_id, to) for one, to in zip(later, chosen[1:], strict=True)]
        if violations(final):
            continue
        moved = [p for one, p in zip(later, chosen[1:], strict=True) if p != one.place]
        broken = sum(p.day in wishes.excluded_days_of_week for p in (chosen[0], *moved))
        best = min(best or (99, 99), (len(moved), broken))
    return best


def test_it_finds_what_trying_everything_finds():
    dice = random.Random(21)
    found_some = 0
    for _ in range(25):
        open_ = [
            at(13, day, first, first + dice.randint(1, 2))
            for day in (1, 2, 3)
            for first in dice.sample((3, 5, 7, 9), 2)
        ]
        blocks = all_but(*open_)
        free = sorted({cell for day in (1, 2, 3) for cell in at(13, day, 1, 12).cells}
                      - {c for b in blocks for c in b.place.cells})  # fmt: skip
        runs = [
            at(13, c.day, c.section, c.section + 1) for c, n in pairwise(free)
            if (n.day, n.section) == (c.day, c.section + 1) and (c.day, c.section) >= (1, 3)
            and not SEMESTER.clock.crosses_break(c.section, n.section)
        ]  # fmt: skip
        chosen = sorted(dice.sample(runs, min(2, len(runs))))
        if len(chosen) == 2 and chosen[0].overlaps(chosen[1]):
            continue
        later = [squeezed(n, place) for n, place in enumerate(chosen, start=2)]
        wishes = Preferences(excluded_days_of_week=frozenset({dice.randint(1, 3)}))
        of = unfinished(end=SEMESTER.date_of(13, 3))
        found = arrange(*later, blocks=blocks, of=of, preferences=wishes)
        best = every_arrangement(later, blocks, wishes)
        if best is None:
            assert isinstance(found, NoReorder)
            continue
        found_some += 1
        assert (len(done(found).moved), len(done(found).broken)) == best
    assert found_some >= 10


def test_equal_input_in_any_order_gives_the_same_answer():
    places = [at(13, day, 1, 2) for day in (2, 3, 4, 5)]
    blocks = all_but(*places, at(13, 6, 5, 6), at(13, 7, 3, 4))
    dice = random.Random(3)
    later = list(map(squeezed, range(2, 6), places))
    answers = set()
    for _ in range(10):
        dice.shuffle(later)
        dice.shuffle(blocks)
        answers.add(repr(arrange(*later, blocks=blocks)))
    assert len(answers) == 1


@pytest.mark.parametrize("count", [1, 12])
def test_many_squeezed_items_are_no_burden(count):
    places = [at(13, day, first, first + 1) for day in range(2, 8) for first in (1, 3)][:count]
    blocks = all_but(*places, at(13, 7, 11, 12))
    found = done(arrange(*map(squeezed, range(2, 2 + count), places), blocks=blocks))
    assert [m.to for m in found.moved] == [*places[1:], at(13, 7, 11, 12)]
