from datetime import timedelta

import pytest
from hypothesis import given
from hypothesis import strategies as st

from services.notification.domain import codes, outcome
from services.notification.domain.outcome import (
    Ambiguous,
    Answer,
    Delivered,
    Outcome,
    RefreshToken,
    Refused,
    Resign,
    Retry,
    TransportFailure,
)

SUCCESS = {"StatusCode": 0, "StatusMessage": "success", "code": 0, "data": {}, "msg": "success"}


def judged(body: object, status: int = 200, *, has_key: bool = False) -> Outcome:
    return outcome.of_answer(Answer(status, body), has_key=has_key)


def of_code(code: int, msg: str = "", status: int = 200) -> Outcome:
    return judged({"code": code, "msg": msg, "data": {}}, status)


@pytest.mark.parametrize(
    "body",
    [SUCCESS, {"code": 0}, {"StatusCode": 0}, {"code": 0, "StatusCode": 1}],
)
@pytest.mark.parametrize("status", [200, 201, 299])
def test_http_success_with_code_zero_is_delivered(body: object, status: int) -> None:
    assert judged(body, status) == Delivered()


def test_the_message_id_of_an_app_is_kept() -> None:
    assert judged({"code": 0, "data": {"message_id": "om_1"}}) == Delivered("om_1")
    assert judged({"code": 0, "data": {"message_id": 3}}) == Delivered(None)
    assert judged({"code": 0, "data": {"message_id": ""}}) == Delivered(None)


@pytest.mark.parametrize(
    "body",
    [
        None,
        {},
        [],
        "ok",
        0,
        {"code": "0"},
        {"code": None},
        {"code": False},
        {"code": 0.0},
        {"msg": "success"},
        {"StatusCode": "0"},
        {"code": "0", "StatusCode": 0},
    ],
)
def test_http_success_without_an_integer_code_is_neither_yes_nor_no(body: object) -> None:
    assert judged(body) == Ambiguous("no_code")
    assert judged(body, has_key=True) == Retry("no_code")


@pytest.mark.parametrize("code", [11232, 11233, 11247, 1500, 2200, 5000, 99991400, 230020, 230049])
@pytest.mark.parametrize("status", [200, 400, 429, 500])
def test_limits_and_faults_of_the_provider_are_tried_again_whatever_the_status(
    code: int, status: int
) -> None:
    result = of_code(code, "busy", status)
    assert isinstance(result, Retry)
    assert (result.code, result.at_most, result.detail) == (code, None, "busy")


@pytest.mark.parametrize(
    ("code", "reason"),
    [
        (9499, "bad_request"),
        (11246, "card_refused"),
        (230099, "card_refused"),
        (230025, "card_refused"),
        (11248, "content_refused"),
        (11312, "content_refused"),
        (11242, "chat_gone"),
        (11237, "chat_gone"),
        (19002, "bad_message"),
        (19022, "address_not_allowed"),
        (19024, "keyword_missing"),
        (19036, "too_large"),
        (19001, "robot_gone"),
        (19007, "robot_gone"),
        (99991403, "quota_used_up"),
        (99991662, "app_refused"),
        (230002, "receiver_refused"),
        (800004509, "flow_refused"),
    ],
)
def test_a_permanent_refusal_names_what_to_do_in_both_languages(code: int, reason: str) -> None:
    result = of_code(code, "no")
    assert isinstance(result, Refused)
    assert (result.code, result.reason) == (code, reason)
    assert result.what_to_do_zh
    assert result.what_to_do_en


def test_every_known_code_has_advice_unless_it_is_tried_again() -> None:
    for code, entry in codes.MEANINGS.items():
        has_advice = bool(entry.advice.zh and entry.advice.en)
        assert has_advice == (entry.meaning is not codes.Meaning.RETRY), code


def test_a_success_with_http_200_and_an_error_code_is_no_success() -> None:
    assert isinstance(of_code(19024, "Key Words Not Found"), Refused)


def test_a_refused_card_may_go_out_as_a_plain_message() -> None:
    result = of_code(11246, "Failed to create card content, ext=ErrCode: 200621")
    assert isinstance(result, Refused)
    assert result.as_post
    other = of_code(19024)
    assert isinstance(other, Refused)
    assert not other.as_post


@pytest.mark.parametrize("code", [11242, 11237, 19001, 19007, 232009])
def test_a_target_that_is_gone_closes_its_channel(code: int) -> None:
    result = of_code(code)
    assert isinstance(result, Refused)
    assert result.closes_channel


def test_a_refused_signature_is_signed_anew_and_then_is_a_refusal_about_secret_and_clock() -> None:
    result = of_code(19021)
    assert isinstance(result, Resign)
    assert result.refused.reason == "signature_refused"
    assert "clock" in result.refused.what_to_do_en
    assert "时间" in result.refused.what_to_do_zh


@pytest.mark.parametrize("code", [99991661, 99991663, 99991664, 99991665, 99991668, 20013])
def test_a_refused_token_is_fetched_anew(code: int) -> None:
    result = of_code(code, status=400)
    assert isinstance(result, RefreshToken)
    assert result.refused.reason == "token_refused"


@pytest.mark.parametrize(
    "text", ["frequency limited psm[x]", "Frequency Limit", "too many request"]
)
@pytest.mark.parametrize("code", [9499, 424242])
def test_a_vague_code_whose_text_speaks_of_a_limit_is_tried_again(code: int, text: str) -> None:
    result = of_code(code, text)
    assert isinstance(result, Retry)
    assert (result.reason, result.at_most) == ("rate_limited", None)


def test_a_clear_code_means_what_it_says_whatever_its_text() -> None:
    assert isinstance(of_code(19024, "frequency limit"), Refused)


def test_an_unknown_code_is_tried_a_few_times_and_then_refused() -> None:
    result = of_code(424242, "strange")
    assert result == Retry("unknown_code", None, 424242, at_most=3, detail="strange")
    refused = outcome.refused_after_tries(result)
    assert (refused.reason, refused.code) == ("unknown_code", 424242)
    assert refused.what_to_do_zh


@pytest.mark.parametrize("status", [429, 500, 503])
def test_an_unknown_code_with_a_passing_status_is_tried_without_bound(status: int) -> None:
    result = of_code(424242, status=status)
    assert isinstance(result, Retry)
    assert result.at_most is None


@pytest.mark.parametrize("status", [408, 425, 429, 500, 502, 503, 504])
@pytest.mark.parametrize("body", [None, {}, {"code": 0}])
def test_a_passing_http_status_is_tried_again(status: int, body: object) -> None:
    result = judged(body, status)
    assert isinstance(result, Retry)
    assert result.reason == f"http_{status}"


@pytest.mark.parametrize("status", [301, 302, 307, 400, 401, 403, 404, 413])
def test_any_other_http_status_without_a_code_is_refused(status: int) -> None:
    result = judged(None, status)
    assert isinstance(result, Refused)
    assert (result.reason, result.code) == (f"http_{status}", None)
    assert result.what_to_do_zh


def test_a_redirect_says_that_the_address_leads_elsewhere() -> None:
    result = judged(None, 302)
    assert isinstance(result, Refused)
    assert "redirects" in result.what_to_do_en


def test_the_delay_asked_for_is_passed_on() -> None:
    result = outcome.of_answer(Answer(429, {"code": 99991400}, timedelta(seconds=7)), has_key=False)
    assert isinstance(result, Retry)
    assert result.after == timedelta(seconds=7)


@pytest.mark.parametrize(
    ("headers", "seconds"),
    [
        ({"x-ogw-ratelimit-reset": "7"}, 7),
        ({"retry-after": " 30 "}, 30),
        ({"x-ogw-ratelimit-reset": "7", "retry-after": "30"}, 7),
        ({"x-ogw-ratelimit-reset": "soon", "retry-after": "30"}, 30),
        ({"retry-after": "999999999"}, 31 * 86_400),
        ({"retry-after": "0"}, 0),
    ],
)
def test_the_reset_header_is_read_in_seconds(headers: dict[str, str], seconds: int) -> None:
    assert outcome.reset_after(headers) == timedelta(seconds=seconds)


@pytest.mark.parametrize("text", ["", "-1", "1.5", "٣", "Wed, 21 Oct 2026 07:28:00 GMT", "9" * 40])
def test_a_reset_header_that_is_no_number_of_seconds_is_ignored(text: str) -> None:
    assert outcome.reset_after({"retry-after": text}) is None


@pytest.mark.parametrize("has_key", [True, False])
def test_what_was_surely_not_taken_is_tried_again(has_key: bool) -> None:
    for kind in (TransportFailure.NOT_CONNECTED, TransportFailure.NOT_WRITTEN):
        assert outcome.of_failure(kind, has_key=has_key) == Retry(kind.value)


def test_no_answer_is_ambiguous_unless_a_key_makes_another_attempt_safe() -> None:
    failure = TransportFailure.NO_ANSWER
    assert outcome.of_failure(failure, has_key=False) == Ambiguous("no_answer")
    assert outcome.of_failure(failure, has_key=True) == Retry("no_answer")


def test_what_the_provider_wrote_is_kept_short_and_printable() -> None:
    result = of_code(9499, "a\x00\n\u202e" + "b" * 500)
    assert isinstance(result, Refused)
    assert result.detail == "a" + "b" * 196


json_values = st.recursive(
    st.none() | st.booleans() | st.integers() | st.text(max_size=20) | st.floats(),
    lambda inner: (
        st.lists(inner, max_size=3)
        | st.dictionaries(st.sampled_from(["code", "StatusCode", "msg", "data", "x"]), inner)
    ),
    max_leaves=8,
)


@given(json_values, st.integers(100, 599), st.booleans())
def test_delivered_needs_http_success_and_code_zero_and_nothing_else_passes(
    body: object, status: int, has_key: bool
) -> None:
    result = judged(body, status, has_key=has_key)
    expected = 200 <= status < 300 and outcome.body_code(body) == 0
    assert isinstance(result, Delivered) == expected
    if has_key:
        assert not isinstance(result, Ambiguous)


odd_text = st.text(
    st.characters(codec=None, categories=("Cc", "Cs", "Cf", "L", "Zl")), max_size=300
)
odd_values = st.none() | st.booleans() | st.integers() | st.floats() | odd_text | st.lists(odd_text)
odd_bodies = st.fixed_dictionaries(
    {},
    optional={
        "code": odd_values | st.sampled_from(sorted(codes.MEANINGS)) | st.just(0),
        "StatusCode": odd_values,
        "msg": odd_values,
        "StatusMessage": odd_values,
        "data": odd_values | st.fixed_dictionaries({"message_id": odd_values}),
    },
)


@given(odd_bodies | json_values, st.integers(100, 599), st.booleans())
def test_whatever_the_provider_answers_a_database_can_hold_what_is_kept(
    body: object, status: int, has_key: bool
) -> None:
    result = judged(body, status, has_key=has_key)
    kept = getattr(result, "refused", result)
    for text in (getattr(kept, "message_id", None), getattr(kept, "detail", "")):
        assert text is None or (text.isprintable() and len(text) <= outcome.DETAIL_LENGTH)
        assert b"\x00" not in (text or "").encode()
    code = getattr(kept, "code", None)
    assert code is None or -(2**63) <= code < 2**63


@pytest.mark.parametrize("code", [2**63, -(2**63) - 1, 10**400])
def test_a_code_beyond_64_bits_is_none(code: int) -> None:
    assert judged({"code": code}) == Ambiguous("no_code")


def test_a_text_that_is_none_is_not_kept() -> None:
    result = judged({"code": 9499, "msg": ["secret"]})
    assert isinstance(result, Refused)
    assert result.detail == ""
