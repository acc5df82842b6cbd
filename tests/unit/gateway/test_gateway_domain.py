"""The pure parts: languages, local paths, keys, rates, tokens, ids."""

from urllib.parse import urljoin, urlsplit

import pytest
from hypothesis import given
from hypothesis import strategies as st

from services.gateway.domain import ids, local_path, tokens, typography
from services.gateway.domain.buckets import Buckets, Rate
from services.gateway.domain.errors import (
    KeyInvalid,
    KeyMissing,
    KeysDiffer,
    PreviewNotFound,
)
from services.gateway.domain.idempotency import key_of
from services.gateway.domain.locale import Locale, choose
from services.gateway.handlers import sign_in

SITE = "https://smartmate.example"


@pytest.mark.parametrize(
    ("asked", "remembered", "header", "chosen"),
    [
        (None, None, None, Locale.ZH),
        (None, None, "fr,de;q=0.5", Locale.ZH),
        (None, None, "en-GB,en;q=0.9,zh;q=0.8", Locale.EN),
        (None, None, "zh-Hans-CN,zh;q=0.9,en;q=0.8", Locale.ZH),
        (None, None, "en;q=0,zh;q=0.1", Locale.ZH),
        (None, None, "en;q=nonsense,,;;=,zh;q=0.1", Locale.ZH),
        (None, "en", "zh", Locale.EN),
        ("zh", "en", "en", Locale.ZH),
        ("EN_us", "zh", "zh", Locale.EN),
        ("xx", "en", "zh", Locale.EN),
    ],
)
def test_the_language_is_the_asked_one_else_the_remembered_else_the_preferred(
    asked: str | None, remembered: str | None, header: str | None, chosen: Locale
) -> None:
    assert choose(asked, remembered=remembered, accept_language=header) is chosen


@given(header=st.text(max_size=200))
def test_no_language_header_is_too_strange(header: str) -> None:
    assert choose(None, remembered=header, accept_language=header) in Locale


@pytest.mark.parametrize(
    "path", ["/week", "/week?week=3", "/active-schedule/previews/asp_1?candidate=a%3Ab", "/"]
)
def test_a_local_path_is_followed_after_sign_in(path: str) -> None:
    assert local_path.after_sign_in(path) == path


@pytest.mark.parametrize(
    "path",
    [
        None,
        "",
        "week",
        "//evil.example",
        "///evil.example",
        "/\\evil.example",
        "\\/evil.example",
        "https://evil.example/week",
        "javascript:alert(1)",
        "/week\r\nSet-Cookie: a=b",
        "/\t/evil.example",
        "/周",
        "/" + "a" * 600,
        "/sign-in",
        "/sign-out",
        "//[",
    ],
)
def test_anything_else_leads_to_the_week(path: str | None) -> None:
    assert local_path.after_sign_in(path) == "/week"


@given(path=st.text(alphabet="/\\:.@?#%[]\t\n aé", max_size=30))
def test_a_local_path_never_leaves_the_site(path: str) -> None:
    if local_path.is_local(path):
        assert urlsplit(urljoin(SITE, path)).netloc == urlsplit(SITE).netloc


def test_a_key_may_stand_in_the_header_in_the_body_or_in_both() -> None:
    assert key_of("k", None) == key_of(None, "k") == key_of("k", "k") == "k"


def test_two_keys_that_differ_are_refused() -> None:
    with pytest.raises(KeysDiffer):
        key_of("a", "b")
    with pytest.raises(KeysDiffer):
        key_of("", "b")


@pytest.mark.parametrize("key", [None, ""])
def test_a_change_needs_a_key(key: str | None) -> None:
    with pytest.raises(KeyMissing):
        key_of(key, None)


@pytest.mark.parametrize("key", ["a" * 65, "a b", "a\x00", "键", "a\n"])
def test_a_key_is_a_short_word_of_ascii(key: str) -> None:
    with pytest.raises(KeyInvalid):
        key_of(key, None)


def test_a_bucket_gives_its_burst_at_once_and_then_its_rate() -> None:
    buckets = Buckets(Rate(per_second=2, burst=3))
    assert [buckets.take("a", 0.0) for _ in range(4)] == [0, 0, 0, 1]
    assert buckets.take("b", 0.0) == 0
    assert buckets.take("a", 0.5) == 0
    assert buckets.take("a", 0.5) == 1


def test_the_wait_is_told_in_whole_seconds() -> None:
    buckets = Buckets(Rate(per_second=0.1, burst=1))
    assert (buckets.take("a", 0.0), buckets.take("a", 0.0)) == (0, 10)


@given(
    pauses=st.lists(st.floats(0, 2), min_size=1, max_size=60),
    rate=st.floats(0.1, 5),
    burst=st.integers(1, 5),
)
def test_no_more_pass_than_the_burst_and_the_rate_allow(
    pauses: list[float], rate: float, burst: int
) -> None:
    buckets, now, passed = Buckets(Rate(rate, burst)), 0.0, 0
    for pause in pauses:
        now += pause
        passed += buckets.take("a", now) == 0
    assert passed <= burst + rate * now + 1e-6


def test_strangers_do_not_fill_the_memory() -> None:
    buckets = Buckets(Rate(per_second=0.001, burst=2), most_keys=100)
    for number in range(1000):
        buckets.take(str(number), 0.0)
    assert len(buckets._kept) <= 100


def test_the_csrf_token_belongs_to_one_session() -> None:
    one, other = sign_in.new_token(), sign_in.new_token()
    assert tokens.csrf_of(one) == tokens.csrf_of(one) != tokens.csrf_of(other)
    assert one not in tokens.csrf_of(one)


@given(token=st.text(max_size=50))
def test_any_text_has_a_digest(token: str) -> None:
    assert len(tokens.digest(token)) == 32
    assert tokens.same(token, token)


@pytest.mark.parametrize(
    "text", ["asp_", "ast_1", "asp_a/b", "asp_\x00", "asp_" + "a" * 81, "asp_é"]
)
def test_what_no_preview_is_called_is_not_found(text: str) -> None:
    with pytest.raises(PreviewNotFound):
        ids.preview_id(text)


@given(text=st.text(max_size=40))
def test_a_heading_keeps_its_text_when_it_is_cut_into_phrases(text: str) -> None:
    assert "".join(piece for piece, _ in typography.phrases(text)) == text


def test_a_heading_does_not_break_inside_a_place() -> None:
    whole = [
        piece for piece, kept in typography.phrases("放到12月1日 周二 第 3–4 节，可以吗？") if kept
    ]
    assert whole == ["12月1日", "周二 第 3–4 节", "可以吗？"]
