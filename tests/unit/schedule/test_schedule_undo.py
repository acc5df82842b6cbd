"""Which effects of an apply go back, and which stay."""

from dataclasses import replace

from hypothesis import given
from hypothesis import strategies as st

from libs.planning.changes import ChangeType
from libs.planning.grid import Place, TargetKind
from services.schedule.domain import effects as stored
from services.schedule.domain import undo
from services.schedule.domain.effects import Effect, Standing
from services.schedule.domain.undo import BlockNow, UndoPlan
from services.schedule.domain.verdict import KeptReason
from tests.unit.schedule.schedule_samples import at

MONDAY, TUESDAY, FRIDAY = at(14, 1, 5, 6), at(14, 2, 5, 6), at(14, 5, 5, 6)
ADDED = Effect(1, None, Standing(MONDAY), 10)
MOVED = Effect(2, Standing(MONDAY), Standing(TUESDAY, 77), 20)
REMOVED = Effect(3, Standing(FRIDAY, 77), None, 30)


def _now(*effects: Effect) -> dict[int, BlockNow]:
    """Every block as the apply left it."""
    return {
        one.event_id: BlockNow(
            one.event_id, f"第{one.event_id}块", one.after is not None, one.version
        )
        for one in effects
    }


def _never(_: Place) -> bool:
    return False


def _kept(plan: UndoPlan) -> dict[int, KeptReason]:
    return {one.event_id: one.reason for one in plan.kept}


def test_an_added_block_is_removed() -> None:
    (change,) = undo.plan([ADDED], _now(ADDED), _never).changes
    assert (change.type, change.target.kind, change.target.id) == (
        ChangeType.REMOVE,
        TargetKind.SCHEDULE_EVENT,
        1,
    )
    assert change.to is None


def test_moved_and_removed_blocks_go_back_to_place_and_host() -> None:
    effects = (MOVED, REMOVED)
    plan = undo.plan(effects, _now(*effects), _never)
    assert plan.kept == ()
    assert [(one.target.id, one.to, one.host_id) for one in plan.changes] == [
        (2, MONDAY, None),
        (3, FRIDAY, 77),
    ]
    assert all(one.restores for one in plan.changes)


def test_what_changed_since_stays_and_is_named() -> None:
    now = _now(ADDED, MOVED, REMOVED)
    now[2] = replace(now[2], placement_version=21)
    plan = undo.plan([MOVED, REMOVED], now, _never)
    assert _kept(plan) == {2: KeptReason.CHANGED_SINCE}
    assert plan.kept[0].name == "第2块"
    assert [one.target.id for one in plan.changes] == [3]


def test_what_left_since_is_gone_and_what_came_back_has_changed() -> None:
    now = _now(ADDED, REMOVED)
    now[1] = replace(now[1], live=False)
    now[3] = replace(now[3], live=True)
    assert _kept(undo.plan([ADDED, REMOVED], now, _never)) == {
        1: KeptReason.GONE,
        3: KeptReason.CHANGED_SINCE,
    }
    assert _kept(undo.plan([ADDED], {}, _never)) == {1: KeptReason.GONE}


def test_what_has_begun_or_would_go_back_to_what_has_stays() -> None:
    for begun in (MONDAY, TUESDAY):
        plan = undo.plan([MOVED], _now(MOVED), begun.__eq__)
        assert _kept(plan) == {2: KeptReason.HAS_BEGUN}


def test_pieces_of_a_swap_stand_or_fall_together() -> None:
    one = Effect(1, Standing(MONDAY), Standing(TUESDAY), 10)
    other = Effect(2, Standing(TUESDAY), Standing(MONDAY), 20)
    third = Effect(3, Standing(FRIDAY), Standing(at(14, 4, 1, 2)), 30)
    now = _now(one, other, third)
    assert len(undo.plan([one, other, third], now, _never).changes) == 3
    now[1] = replace(now[1], placement_version=11)
    plan = undo.plan([one, other, third], now, _never)
    assert _kept(plan) == {1: KeptReason.CHANGED_SINCE, 2: KeptReason.BELONGS_TOGETHER}
    assert [change.target.id for change in plan.changes] == [3]


def test_a_chain_of_moves_is_one_piece() -> None:
    places = [at(14, day, 5, 6) for day in (1, 2, 3, 4)]
    chain = [Effect(n, Standing(places[n]), Standing(places[n + 1]), n) for n in range(3)]
    now = _now(*chain)
    now[2] = replace(now[2], live=False)
    assert _kept(undo.plan(chain, now, _never)) == {
        0: KeptReason.BELONGS_TOGETHER,
        1: KeptReason.BELONGS_TOGETHER,
        2: KeptReason.GONE,
    }


def test_both_halves_of_a_compression_are_one_piece() -> None:
    giver = Effect(1, Standing(at(14, 1, 5, 7)), Standing(at(14, 1, 6, 7)), 10)
    taker = Effect(2, None, Standing(at(14, 1, 5)), 20)
    now = _now(giver, taker)
    now[2] = replace(now[2], placement_version=21)
    assert undo.plan([giver, taker], now, _never).changes == ()


PLACES = st.builds(
    lambda day, first: at(14, day, first, first + 1), st.integers(1, 3), st.integers(1, 5)
)
STANDINGS = st.builds(Standing, PLACES, st.none() | st.just(77))
EFFECTS = st.lists(
    st.tuples(st.none() | STANDINGS, st.none() | STANDINGS).filter(any), max_size=6
).map(lambda found: [Effect(n, *one, version=n) for n, one in enumerate(found, 1)])


@given(effects=EFFECTS)
def test_effects_are_stored_whole(effects: list[Effect]) -> None:
    import json

    assert stored.effects_of(json.loads(json.dumps(stored.to_json(effects)))) == tuple(effects)


@given(effects=EFFECTS, data=st.data())
def test_every_block_goes_back_or_is_reported_and_none_waits_for_one_that_stays(
    effects: list[Effect], data: st.DataObject
) -> None:
    now = _now(*effects)
    for id_ in data.draw(st.sets(st.sampled_from(sorted(now)))) if now else ():
        now[id_] = replace(now[id_], placement_version=-1)
    plan = undo.plan(effects, now, _never)
    back = {change.target.id for change in plan.changes}
    kept = set(_kept(plan))
    assert back | kept == {one.event_id for one in effects}
    assert not back & kept
    stays = [one.after for one in effects if one.event_id in kept and one.after is not None]
    for one in effects:
        if one.event_id in back and one.before is not None:
            assert not any(one.before.place.overlaps(other.place) for other in stays)
