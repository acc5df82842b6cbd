"""What is remembered ranks places and forbids none; who chooses and speaks is kept beside it."""

from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from libs.planning.grid import Place
from services.active_scheduler.domain import preferences, selection
from services.active_scheduler.domain.candidates import Family
from services.active_scheduler.domain.case import case_of
from services.active_scheduler.domain.errors import CandidateNotFound
from services.active_scheduler.domain.facts import Facts
from services.active_scheduler.domain.preferences import Preferences, PreferenceSource, Wish
from services.active_scheduler.domain.preview import Content, Selection
from services.active_scheduler.domain.selection import Chosen
from services.active_scheduler.domain.text import Text
from services.active_scheduler.store.codec import CONTENT
from services.active_scheduler.wire import agent as wire
from services.active_scheduler.wire import preview as preview_wire
from smartmate.active_scheduler.v1 import preview_pb2
from smartmate.agent.v1 import agent_service_pb2 as pb
from smartmate.agent.v1 import memory_pb2
from smartmate.text.v1.localized_text_pb2 import LocalizedText
from tests.unit.active_scheduler.look_world import at, local, look, look_facts, steady, taken

DEADLINE = local("2026-12-01T18:00")
AFTERNOON = Wish(suits=True, first=5, last=8)
NOT_MONDAY = Wish(suits=False, days=(1,))


def preferring(*wishes: Wish, facts: Facts | None = None) -> Facts:
    found = Preferences(PreferenceSource.MEMORY, wishes, tuple("一二三"[: len(wishes)]))
    return replace(facts or look_facts(deadline=DEADLINE), preferences=found)


def places(content: Content) -> dict[Family, Place | None]:
    return {one.family: one.changes[0].to for one in content.candidates}


@pytest.mark.parametrize(
    ("wish", "place", "weight"),
    [
        (AFTERNOON, at(13, 1, 5, 6), 1),
        (AFTERNOON, at(13, 4, 7, 8), 1),
        (AFTERNOON, at(13, 1, 8, 9), 0),
        (AFTERNOON, at(13, 1, 3, 4), 0),
        (Wish(suits=True, days=(1, 3)), at(13, 3, 1), 1),
        (Wish(suits=True, days=(1, 3)), at(13, 2, 1), 0),
        (Wish(suits=True, days=(3,), first=9, last=12), at(13, 3, 9, 10), 1),
        (Wish(suits=True, days=(3,), first=9, last=12), at(13, 4, 9, 10), 0),
        (NOT_MONDAY, at(13, 1, 1), -1),
        (NOT_MONDAY, at(13, 2, 1), 0),
        (Wish(suits=False, first=9, last=12), at(13, 2, 8, 9), -1),
        (Wish(suits=False, first=9, last=12), at(13, 2, 7, 8), 0),
    ],
)
def test_a_wish_weighs_a_place(wish: Wish, place: Place, weight: int) -> None:
    assert wish.weight(place) == weight


def test_the_place_that_fits_best_is_a_candidate_of_its_own_and_ranks_first() -> None:
    content = look(preferring(AFTERNOON))

    assert places(content)[Family.BEST_MATCH] == at(13, 1, 5, 6)
    assert content.candidates[0].family is Family.BEST_MATCH
    assert content.candidates[0].reason.zh.startswith("放得下它的位置里，这里最合你的偏好。")
    assert (content.metrics.preference_source, content.metrics.preferences) == ("memory", 1)
    assert content.metrics.preferences_met == 1


def test_what_is_to_be_kept_free_is_avoided_where_there_is_another_place() -> None:
    daytime = Wish(suits=False, first=3, last=10)
    content = look(preferring(daytime, facts=look_facts(deadline=DEADLINE, estimate=1)))

    assert places(content)[Family.EARLIEST] == at(13, 1, 3)
    assert places(content)[Family.BEST_MATCH] == at(13, 1, 11)


@pytest.mark.parametrize("wishes", [(), (Wish(suits=True, days=(6,)),), (NOT_MONDAY,)])
def test_wishes_that_no_place_meets_better_than_others_make_no_candidate(
    wishes: tuple[Wish, ...],
) -> None:
    content = look(preferring(*wishes))
    assert Family.BEST_MATCH not in places(content)


def test_wishes_forbid_nothing() -> None:
    everything = Wish(suits=False, days=(1, 2, 3, 4, 5, 6, 7))
    plain = look(look_facts(deadline=DEADLINE))
    content = look(preferring(everything))
    assert [one.id for one in content.candidates] == [one.id for one in plain.candidates]


_WISHES = st.builds(
    Wish,
    suits=st.booleans(),
    days=st.lists(st.integers(1, 7), unique=True, max_size=3).map(tuple),
    first=st.integers(1, 6),
    last=st.integers(6, 14),
)


@given(st.lists(_WISHES, max_size=4))
@steady
def test_the_best_match_is_never_outweighed_by_another_place(wishes: list[Wish]) -> None:
    facts = preferring(*wishes, facts=look_facts(*taken(1, 3, 6), deadline=DEADLINE))
    content = look(facts)
    best = places(content).get(Family.BEST_MATCH)
    if best is not None:
        weights = [facts.preferences.weight(place) for place in case_of(facts).free_places]
        assert facts.preferences.weight(best) == max(weights)
    assert 0 <= content.metrics.preferences_met <= len(wishes)


def test_preferences_that_could_not_be_asked_for_are_a_warning() -> None:
    facts = replace(look_facts(), preferences=preferences.UNAVAILABLE)
    content = look(facts)
    assert content.warnings == ("preferences_unavailable",)
    assert content.metrics.preference_source == "none"
    assert content.candidates == look(look_facts()).candidates


CONTENT_3 = look(look_facts(*taken(1, 3), deadline=DEADLINE))


def answer(index: int = 1, **fields: object) -> pb.SelectCandidateResponse:
    def both(zh: str) -> LocalizedText:
        return LocalizedText(zh_cn=zh, en_us=f"en {zh}")

    told = {
        "selected_candidate_id": CONTENT_3.candidates[index].id,
        "summary": both("总"),
        "reason": both("因"),
        "risk": both("险"),
        "notification_text": both("告"),
        "model": "m",
    }
    return pb.SelectCandidateResponse(**{**told, **fields})


def test_a_choice_changes_what_is_proposed_and_said_and_no_candidate() -> None:
    content = selection.chosen(CONTENT_3, wire.chosen(answer()))

    assert content.candidates == CONTENT_3.candidates
    assert content.selected_id == CONTENT_3.candidates[1].id
    told = preview_wire.content_message(content)
    assert told.summary.zh_cn == "总"
    assert [one.reason.zh_cn for one in told.candidates] == [
        CONTENT_3.candidates[0].reason.zh,
        "因",
        CONTENT_3.candidates[2].reason.zh,
    ]
    assert told.candidates[1].risk.en_us == "en 险"
    assert (told.notification_text.zh_cn, told.model) == ("告", "m")
    assert not told.llm_fallback_used


def test_silence_leaves_the_templates_words() -> None:
    silent = Chosen(CONTENT_3.candidates[0].id, Text(), Selection(model="m"))
    told = preview_wire.content_message(selection.chosen(CONTENT_3, silent))
    assert told.summary.zh_cn == CONTENT_3.summary.zh
    assert told.candidates[0].risk.zh_cn == CONTENT_3.candidates[0].risk.zh


@pytest.mark.parametrize("id_", ["c9", ""])
def test_an_id_that_is_not_there_is_no_choice(id_: str) -> None:
    with pytest.raises(CandidateNotFound):
        selection.chosen(CONTENT_3, wire.chosen(answer(selected_candidate_id=id_)))


def test_why_a_template_speaks_is_kept_and_told() -> None:
    content = selection.unasked(CONTENT_3, reason="assistant_timeout", fallback_used=True)
    told = preview_wire.content_message(content)
    assert (told.llm_fallback_used, told.llm_fallback_reason) == (True, "assistant_timeout")
    assert told.selected_candidate_id == CONTENT_3.candidates[0].id


def test_a_selection_is_stored_and_previews_of_before_it_are_read() -> None:
    content = selection.chosen(CONTENT_3, wire.chosen(answer()))
    stored = CONTENT.dump_json(content)
    assert CONTENT.validate_json(stored) == content

    older = CONTENT.dump_python(CONTENT_3, mode="json")
    del older["selection"]
    for name in ("preference_source", "preferences", "preferences_met"):
        del older["metrics"][name]
    assert CONTENT.validate_python(older, strict=False) == CONTENT_3


def test_everything_that_a_look_found_is_told_to_the_agent() -> None:
    request = wire.select_call(CONTENT_3, ("晚上效率高",))

    told = request.situation
    assert told.action == preview_pb2.DECISION_ACTION_SELECT_CANDIDATE
    assert (told.time_zone, told.target_title) == ("Asia/Shanghai", CONTENT_3.target_title)
    assert told.deadline_time.ToDatetime() == DEADLINE.replace(tzinfo=None)
    assert not told.notice.zh_cn
    assert [one.candidate_id for one in request.candidates] == [
        one.id for one in CONTENT_3.candidates
    ]
    for brief, candidate in zip(request.candidates, CONTENT_3.candidates, strict=True):
        (place,), to = brief.places, candidate.changes[0].to
        assert to is not None
        assert (place.week, place.day_of_week) == (to.week, to.day)
        assert (place.first_section, place.last_section) == (to.first, to.last)
        assert place.start_time.ToDatetime() < place.end_time.ToDatetime()
    assert list(request.memory_texts) == ["晚上效率高"]


def test_where_nothing_is_to_be_chosen_the_notice_is_told() -> None:
    content = look(look_facts(*taken(1, *range(3, 13)), *taken(2, 1, first_id=300)))
    request = wire.select_call(content, ())
    assert request.situation.action == preview_pb2.DECISION_ACTION_NOTIFY_ONLY
    assert request.situation.notice.zh_cn == content.summary.zh
    assert not request.candidates


def test_what_is_recalled_becomes_wishes_where_it_speaks_of_times() -> None:
    def item(type_: int, text: str, **hints: object) -> memory_pb2.MemoryItem:
        return memory_pb2.MemoryItem(type=type_, text=text, **hints)

    found = wire.preferences(
        pb.RecallMemoryResponse(
            items=[
                item(memory_pb2.MEMORY_TYPE_PREFERENCE, "下午", first_section=5, last_section=8),
                item(memory_pb2.MEMORY_TYPE_CONSTRAINT, "周一不行", days_of_week=[1]),
                item(memory_pb2.MEMORY_TYPE_PREFERENCE, "安静的地方"),
                item(memory_pb2.MEMORY_TYPE_FACT, "周三有课", days_of_week=[3]),
                item(99, "新的", days_of_week=[4]),
            ]
        )
    )
    assert found.source is PreferenceSource.MEMORY
    assert found.wishes == (
        replace(AFTERNOON, text="下午"),
        replace(NOT_MONDAY, text="周一不行"),
    )
    assert found.texts == ("下午", "周一不行", "安静的地方", "周三有课", "新的")
    assert wire.preferences(pb.RecallMemoryResponse()) == preferences.NOTHING
