from collections import deque
from datetime import UTC, datetime, timedelta
from itertools import product

import pytest
from hypothesis import given
from hypothesis import strategies as st

from services.notification.domain import record, step
from services.notification.domain.backoff import Pace, next_attempt
from services.notification.domain.errors import NotificationError, TransitionRefused
from services.notification.domain.outcome import (
    Ambiguous,
    Delivered,
    Outcome,
    RefreshToken,
    Refused,
    Resign,
    Retry,
)
from services.notification.domain.record import (
    INITIAL,
    SETTLED,
    TRANSITIONS,
    Cause,
    RecordState,
    is_settled,
)
from services.notification.domain.step import Clockwork, Past

NOW = datetime(2026, 3, 2, 10, 0, tzinfo=UTC)
TIME = Clockwork(NOW, NOW + timedelta(hours=1), jitter=0.5)
NO_TIME = Clockwork(NOW, NOW, jitter=0.5)
REFUSED = Refused("keyword_missing", "填关键词", "enter the keyword", code=19024)
CARD = Refused("card_refused", "看网页", "read the page", code=11246, as_post=True)


def test_the_arrows_are_exactly_these() -> None:
    drawn = {(arrow.before.value, arrow.after.value) for arrow in TRANSITIONS}
    assert drawn == {
        ("pending", "sending"),
        ("pending", "skipped"),
        ("pending", "sent"),
        ("pending", "dead"),
        ("pending", "unknown"),
        ("sending", "sending"),
        ("sending", "sent"),
        ("sending", "failed"),
        ("sending", "dead"),
        ("sending", "skipped"),
        ("sending", "unknown"),
        ("failed", "sending"),
        ("failed", "dead"),
        ("failed", "skipped"),
        ("failed", "pending"),
        ("unknown", "sending"),
        ("unknown", "pending"),
        ("dead", "pending"),
    }
    assert len(drawn) == len(TRANSITIONS)


@pytest.mark.parametrize(("before", "after"), list(product(RecordState, RecordState)))
def test_a_step_is_allowed_exactly_if_there_is_an_arrow(
    before: RecordState, after: RecordState
) -> None:
    arrow = next((a for a in TRANSITIONS if (a.before, a.after) == (before, after)), None)
    assert (before in record.allowed_from(after)) == (arrow is not None)
    if arrow is not None:
        assert record.check(before, after) is arrow
        assert arrow.causes
        return
    with pytest.raises(TransitionRefused) as refused:
        record.check(before, after)
    assert isinstance(refused.value, NotificationError)
    assert refused.value.metadata == {"from": before, "to": after}
    assert refused.value.reason == "transition_refused"


def test_nothing_sent_or_skipped_is_touched_again() -> None:
    assert not [a for a in TRANSITIONS if a.before in (RecordState.SENT, RecordState.SKIPPED)]


def test_out_of_a_settled_state_only_a_repeat_or_a_person_leads() -> None:
    out = {cause for arrow in TRANSITIONS if arrow.before in SETTLED for cause in arrow.causes}
    assert out == {Cause.REPEATED, Cause.ASKED_AGAIN}


def test_every_state_is_reached_from_an_initial_one_and_reaches_a_settled_one() -> None:
    def reach(starts: frozenset[RecordState]) -> set[RecordState]:
        seen, line = set(starts), deque(starts)
        while line:
            state = line.popleft()
            for arrow in TRANSITIONS:
                if arrow.before is state and arrow.after not in seen:
                    seen.add(arrow.after)
                    line.append(arrow.after)
        return seen

    assert reach(INITIAL) == set(RecordState)
    for state in RecordState:
        assert reach(frozenset({state})) & SETTLED


def test_an_unknown_is_settled_only_once_no_repeat_is_planned() -> None:
    assert is_settled(RecordState.UNKNOWN)
    assert not is_settled(RecordState.UNKNOWN, comes_again=True)
    assert not is_settled(RecordState.FAILED)
    assert {state for state in RecordState if is_settled(state)} == SETTLED


def test_delays_double_from_five_seconds_to_five_minutes() -> None:
    ceilings = [Pace().ceiling(n).total_seconds() for n in range(1, 10)]
    assert ceilings == [5, 10, 20, 40, 80, 160, 300, 300, 300]
    assert Pace().ceiling(10**9) == timedelta(minutes=5)
    assert Pace().ceiling(0) == timedelta(seconds=5)


def test_the_jitter_takes_any_part_of_the_ceiling() -> None:
    until = NOW + timedelta(hours=1)
    moments = [next_attempt(NOW, 3, valid_until=until, jitter=j) for j in (0.0, 0.5, 1.0, 7.0)]
    assert moments == [NOW + timedelta(seconds=s) for s in (0, 10, 20, 20)]


def test_a_link_that_has_died_is_not_sent() -> None:
    until = NOW + timedelta(seconds=5)
    assert next_attempt(NOW, 1, valid_until=until, jitter=1.0) is None
    assert next_attempt(NOW, 1, valid_until=until, jitter=0.9) is not None
    assert next_attempt(NOW, 1, valid_until=NOW - timedelta(days=1), jitter=0.0) is None


def test_the_wait_a_provider_asks_for_is_kept() -> None:
    until = NOW + timedelta(hours=1)
    minute = timedelta(minutes=1)
    assert next_attempt(NOW, 1, valid_until=until, jitter=1, at_least=minute) == NOW + minute
    assert next_attempt(NOW, 1, valid_until=until, jitter=0, at_least=timedelta.max) is None


@given(
    st.integers(0, 10**6),
    st.floats(0, 1),
    st.integers(0, 7200),
    st.timedeltas(timedelta(0), timedelta(days=10)),
)
def test_the_next_attempt_lies_between_now_and_the_end(
    attempts: int, jitter: float, life: int, base: timedelta
) -> None:
    until = NOW + timedelta(seconds=life)
    pace = Pace(base=base)
    moment = next_attempt(NOW, attempts, valid_until=until, jitter=jitter, pace=pace)
    assert pace.ceiling(attempts) <= pace.cap
    if moment is not None:
        assert NOW <= moment < until
        assert moment - NOW <= pace.cap


def test_a_delivery_ends_as_sent() -> None:
    done = step.after(Delivered("om_1"), Past(attempts=1), TIME)
    assert (done.state, done.message_id, done.settled) == (RecordState.SENT, "om_1", True)
    assert not done.next_channel


def test_a_retry_waits_with_backoff_and_honours_the_provider() -> None:
    done = step.after(Retry("http_503", after=timedelta(seconds=30)), Past(attempts=1), TIME)
    assert done.state is RecordState.FAILED
    assert done.next_attempt_at == NOW + timedelta(seconds=30)
    assert not done.settled


def test_a_retry_without_time_left_ends_dead_and_leaves_the_next_channel_alone() -> None:
    done = step.after(Retry("http_503"), Past(attempts=4), NO_TIME)
    assert (done.state, done.cause, done.reason) == (
        RecordState.DEAD,
        Cause.OUT_OF_TIME,
        "http_503",
    )
    assert done.settled
    assert not done.next_channel


def test_a_bounded_retry_ends_as_a_refusal_after_so_many_in_a_row() -> None:
    retry = Retry("unknown_code", code=424242, at_most=3)
    assert step.after(retry, Past(attempts=9, run=2), TIME).state is RecordState.FAILED
    done = step.after(retry, Past(attempts=9, run=3), TIME)
    assert (done.state, done.cause, done.code) == (RecordState.DEAD, Cause.REFUSED, 424242)
    assert done.next_channel


def test_tries_that_sent_nothing_wait_longer_each_time_and_then_count_as_a_refusal() -> None:
    retry = Retry("secret_unreadable", at_most=8)
    moments = [
        step.after(retry, Past(attempts=0, run=run), TIME).next_attempt_at for run in (1, 2, 3)
    ]
    assert moments == [NOW + timedelta(seconds=seconds) for seconds in (2.5, 5, 10)]
    assert step.after(retry, Past(attempts=0, run=8), TIME).next_channel


def test_a_refusal_ends_dead_with_advice_and_gives_the_next_channel_its_turn() -> None:
    done = step.after(REFUSED, Past(attempts=1), TIME)
    assert (done.state, done.refused, done.settled) == (RecordState.DEAD, REFUSED, True)
    assert done.next_channel


@pytest.mark.parametrize("kind", [Resign, RefreshToken])
def test_a_signature_or_token_is_renewed_once_and_then_refused(
    kind: type[Resign] | type[RefreshToken],
) -> None:
    first = step.after(kind(19021, REFUSED), Past(attempts=1, run=1), TIME)
    assert (first.state, first.next_attempt_at) == (RecordState.FAILED, NOW)
    second = step.after(kind(19021, REFUSED), Past(attempts=2, run=2), TIME)
    assert (second.state, second.refused) == (RecordState.DEAD, REFUSED)


def test_a_refused_card_goes_out_once_as_a_post() -> None:
    first = step.after(CARD, Past(attempts=1), TIME)
    assert (first.state, first.as_post, first.next_attempt_at) == (RecordState.FAILED, True, NOW)
    second = step.after(CARD, Past(attempts=2, is_post=True), TIME)
    assert (second.state, second.as_post) == (RecordState.DEAD, False)


def test_an_attempt_without_an_answer_is_repeated_once() -> None:
    first = step.after(Ambiguous("no_answer"), Past(attempts=1), TIME)
    assert (first.state, first.settled) == (RecordState.UNKNOWN, False)
    assert first.next_attempt_at == NOW + timedelta(seconds=2.5)
    second = step.after(Ambiguous("no_answer"), Past(attempts=2, repeats=1), TIME)
    assert (second.state, second.settled) == (RecordState.UNKNOWN, True)
    assert second.next_attempt_at is None
    late = step.after(Ambiguous("no_answer"), Past(attempts=1), NO_TIME)
    assert (late.state, late.settled) == (RecordState.UNKNOWN, True)


@pytest.mark.parametrize(("result", "time"), [(REFUSED, TIME), (Retry("http_500"), NO_TIME)])
def test_what_may_have_arrived_never_ends_dead(result: Outcome, time: Clockwork) -> None:
    done = step.after(result, Past(attempts=2, repeats=1), time)
    assert (done.state, done.settled, done.next_channel) == (RecordState.UNKNOWN, True, False)


outcomes = st.sampled_from(
    [
        Delivered(),
        Retry("http_503"),
        Retry("x", at_most=3, code=1),
        REFUSED,
        CARD,
        Resign(19021, REFUSED),
        RefreshToken(20013, REFUSED),
        Ambiguous("no_answer"),
    ]
)


@given(
    outcomes,
    st.builds(Past, st.integers(1, 50), st.integers(1, 5), st.integers(0, 1), st.booleans()),
    st.sampled_from([TIME, NO_TIME]),
)
def test_every_outcome_is_a_drawn_step_that_waits_or_ends(
    result: Outcome, past: Past, time: Clockwork
) -> None:
    done = step.after(result, past, time)
    arrow = record.check(RecordState.SENDING, done.state)
    assert done.cause in arrow.causes
    assert done.settled != (done.next_attempt_at is not None)
    if done.next_attempt_at is not None:
        assert done.state in (RecordState.FAILED, RecordState.UNKNOWN)
