"""One way from facts to what is shown: urgent looks stay what they were, and worlds at random."""

import random
from dataclasses import replace

from hypothesis import given, settings
from hypothesis import strategies as st

from libs.planning import validation
from libs.planning.changes import TargetFacts
from libs.planning.grid import Block, BlockKind
from libs.planning.steps import Steps, frees_its_block
from services.active_scheduler.domain import deciding, showing
from services.active_scheduler.domain.case import ClassRules, Unfinished, case_of
from services.active_scheduler.domain.options import OptionType
from tests.unit.active_scheduler.feedback_world import CLASS, ITEMS
from tests.unit.active_scheduler.look_world import OTHER, steady, worlds


def feedback_of(seed: int, facts):
    """The same world with items in the places of its tasks, and one of them not finished."""
    chance = random.Random(seed)
    tasks = sorted(
        (block for block in facts.world.blocks if block.kind is BlockKind.TASK),
        key=lambda block: (facts.world.grid.starts_at(block.place), block.id),
    )
    if not tasks:
        return None
    as_items = chance.random() < 0.7
    changed = {block.id: _in_class(block, number) for number, block in enumerate(tasks, 1)}
    blocks = facts.world.blocks
    if as_items:
        blocks = tuple(changed.get(block.id, block) for block in blocks)
    planned = [block for block in blocks if block.id in changed]
    over = [one for one in planned if ends_of(facts, one) <= facts.now]
    missed = chance.choice(over if over and chance.random() < 0.8 else planned)
    targets = {
        block.source: TargetFacts(
            block.source,
            1,
            False,
            facts.target.deadline,
            2,
            block.name,
            block.class_id,
            block.order,
        )
        for block in blocks
        if block.source is not None
    }
    targets[OTHER] = TargetFacts(OTHER, 1, False, None, 2, "英语听力")
    world = replace(facts.world, blocks=blocks, targets=targets, classes={CLASS: 1})
    rules = ClassRules(
        None,
        tuple(chance.sample(range(1, 8), chance.randint(0, 3))),
        tuple(chance.sample(range(1, 6), chance.randint(0, 2))),
    )
    return case_of(
        replace(facts, target=targets[missed.source], world=world),
        unfinished=Unfinished(missed, chance.choice((1, 1, 3)), rules if as_items else None),
        known_until=facts.now + chance.choice((1, 1, 2)) * (facts.window_end - facts.now),
    )


def ends_of(facts, block):
    return facts.world.grid.ends_at(block.place)


def _in_class(block: Block, number: int) -> Block:
    kind = ITEMS[0].kind
    source = replace(ITEMS[0], kind=kind, id=1000 + number)
    return replace(block, source=source, class_id=CLASS, order=number, name=f"第{number}章")


@given(worlds, st.integers(0, 2**32))
@settings(steady, max_examples=300)
def test_whatever_was_not_finished_every_candidate_would_be_applied(facts, seed):
    case = feedback_of(seed, facts)
    if case is None:
        return
    found = deciding.decided(case)
    world, now = case.facts.world, case.facts.now
    for option in found.options:
        assert not validation.judge(option.changes, world, now=now, base=option.base)
        assert "absent" not in option.base.values()
        freed = {one.target.id for one in option.changes if frees_its_block(one)}
        assert case.block.id not in freed or option.type is OptionType.DROP
        steps = Steps(option.changes, world, now)
        staying = {block for block in world.blocks if block.id not in freed}
        assert staying <= set(steps.final_blocks)
        if option.type is OptionType.COMPRESS:
            mine, rest = option.changes[0].to, option.changes[1].to
            assert min(mine.length, rest.length) >= 1
            assert mine.length + rest.length == option.other.place.length
        deadline = case.facts.deadline_ahead
        if deadline is not None and option.type not in (OptionType.DROP, OptionType.REORDER):
            assert world.grid.ends_at(option.place) <= deadline
    assert showing.content(case, found).decision == found.decision
