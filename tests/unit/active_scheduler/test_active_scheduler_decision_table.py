"""The table of decisions: every combination of circumstances, decided as a world of its own."""

import random
from collections import Counter
from itertools import product
from math import prod

import pytest

from libs.planning import validation
from libs.planning.grid import Block, TargetKind
from libs.planning.steps import Steps, frees_its_block
from scripts import decision_cases, decision_table_doc
from scripts.decision_cases import FEATURES, Circumstances
from services.active_scheduler.domain import deciding, questions
from services.active_scheduler.domain.observation import Action
from services.active_scheduler.domain.options import OptionType

SHOWN = ("select_candidate", "ask_user", "notify_only")


@pytest.fixture(scope="module")
def verdicts():
    return decision_table_doc.verdicts()


@pytest.fixture(scope="module")
def looks(verdicts):
    """Each world in which something is offered, asked or told, once, with its outcome."""
    worlds = {decision_cases.told(one) for one, is_ in verdicts.items() if is_.action in SHOWN}
    return [
        (decision_cases.case(Circumstances(*one)), decision_table_doc.outcome_of(one))
        for one in sorted(worlds)
    ]


def test_each_combination_is_in_exactly_one_line_which_says_what_is_decided(verdicts):
    told, seen = 0, set()
    for row in decision_table_doc.table(verdicts):
        for combination in product(*row.values):
            told += 1
            seen.add(combination)
            assert verdicts[combination] == row.verdict, combination
    assert told == len(seen) == len(verdicts) == prod(map(len, FEATURES.values()))


def test_what_a_combination_is_told_by_decides_as_the_combination_itself(verdicts):
    # The page tells worlds that differ in nothing that matters by one of them.
    dice = random.Random(7)
    for combination in dice.sample(sorted(verdicts), 1500):
        one = Circumstances(*combination)
        if not decision_cases.rejected(combination) and not one.is_unlocated:
            outcome = deciding.decided(decision_cases.case(one))
            assert decision_table_doc.verdict(outcome) == verdicts[combination], one


def test_every_decision_of_the_table_is_one_of_the_rules(verdicts):
    rules = {(rule.action.value, rule.reason) for rule in deciding.RULES}
    decided = {(one.action, one.reason) for one in verdicts.values() if one.action != "reject"}
    assert decided <= rules
    # The others need more than these circumstances: see the tests of each.
    assert rules - decided == {
        ("close", "not_urgent"),
        ("select_candidate", "repeated_misses"),
        ("ask_user", "room_in_two_parts"),
        ("notify_only", "no_window"),
        ("notify_only", "order_in_the_way"),
        ("notify_only", "no_run_long_enough"),
    }


def test_only_what_is_selected_has_candidates_and_only_what_is_asked_a_question(looks):
    for _, outcome in looks:
        action = outcome.decision.action
        assert (0 < len(outcome.options) <= 3) == (action is Action.SELECT_CANDIDATE)
        assert (outcome.question is not None) == (action is Action.ASK_USER)
        assert len({option.id for option in outcome.options}) == len(outcome.options)


def test_every_candidate_would_be_applied_as_things_stand(looks):
    seen = Counter()
    for case, outcome in looks:
        for option in outcome.options:
            facts = case.facts
            assert not validation.judge(
                option.changes, facts.world, now=facts.now, base=option.base
            )
            seen[option.type] += 1
    assert set(seen) == set(OptionType) - {OptionType.SPLIT, OptionType.DROP}


def test_nothing_moves_but_what_a_candidate_names_and_never_the_unfinished_block(looks):
    for case, outcome in looks:
        for option in outcome.options:
            steps = Steps(option.changes, case.facts.world, case.facts.now)
            freed = {one.target.id for one in option.changes if frees_its_block(one)}
            assert case.block is None or case.block.id not in freed
            assert _others(steps, freed) == _others_before(case.facts.world.blocks, freed)


def _others(steps: Steps, freed: set[int]) -> set[Block]:
    return {block for block in steps.final_blocks if block.id > 0 and block.id not in freed}


def _others_before(blocks: tuple[Block, ...], freed: set[int]) -> set[Block]:
    return {block for block in blocks if block.id not in freed}


def test_a_candidate_is_for_the_block_that_was_not_finished(looks):
    for case, outcome in looks:
        for option in outcome.options:
            first = option.changes[0]
            if case.block is not None:
                assert first.target.kind is TargetKind.SCHEDULE_EVENT
                assert first.target.id == case.block.id
            assert option.place.length >= 1
            if option.type is not OptionType.COMPRESS:
                assert option.place.length == case.facts.needed_sections


def test_a_question_leads_to_candidates_when_it_is_agreed_to(looks):
    for case, outcome in looks:
        question = outcome.question
        if question is None or question.kind is questions.QuestionKind.WHICH_BLOCK:
            continue
        agreed = questions.answer(question, questions.YES, case.answers).answers
        assert deciding.decided(case.answering(agreed)).options
        declined = questions.answer(question, questions.NO, case.answers).answers
        again = deciding.decided(case.answering(declined)).question
        assert again is None or again.kind is not question.kind
