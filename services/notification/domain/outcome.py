"""What one attempt came to, judged from the provider's answer alone.

Facts: interfaces A.5 and B.2, spec notification.md, Outcome. A provider may lie with HTTP 200, so
the code of the body decides first and the HTTP status only where there is none.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import timedelta
from enum import StrEnum
from typing import TypeAlias

from services.notification.domain import codes
from services.notification.domain.codes import Advice, Meaning

RESET_HEADERS = ("x-ogw-ratelimit-reset", "retry-after")
LONGEST_RESET = timedelta(days=31)
DETAIL_LENGTH = 200
CODES = range(-(2**63), 2**63)
"""What a stored code may be."""


@dataclass(frozen=True, slots=True)
class Delivered:
    """The provider took it; custom bots name no message id."""

    message_id: str | None = None


@dataclass(frozen=True, slots=True)
class Retry:
    """Not taken, and worth another attempt.

    `after` is the least delay the provider asked for. `at_most` bounds how many attempts may end
    like this before it counts as refused; None: until the message is out of time.
    """

    reason: str
    after: timedelta | None = None
    code: int | None = None
    at_most: int | None = None
    detail: str = ""


@dataclass(frozen=True, slots=True)
class Refused:
    """Not taken, and no attempt with the same settings will be.

    `what_to_do_*` is for the person who set the channel up. `as_post` tells that the card was the
    trouble, so a plain message may go out once instead. `closes_channel`: the target is gone.
    """

    reason: str
    what_to_do_zh: str
    what_to_do_en: str
    code: int | None = None
    as_post: bool = False
    closes_channel: bool = False
    detail: str = ""


@dataclass(frozen=True, slots=True)
class Resign:
    """Signature or clock were refused: sign anew once, then `refused`."""

    code: int
    refused: Refused


@dataclass(frozen=True, slots=True)
class RefreshToken:
    """The app's token was refused: fetch a new one once, then `refused`."""

    code: int
    refused: Refused


@dataclass(frozen=True, slots=True)
class Ambiguous:
    """It may have been taken; nothing that came back tells."""

    reason: str
    detail: str = ""


Outcome: TypeAlias = Delivered | Retry | Refused | Resign | RefreshToken | Ambiguous


class TransportFailure(StrEnum):
    """How an attempt ended without an answer."""

    NOT_CONNECTED = "not_connected"
    NOT_WRITTEN = "not_written"
    NO_ANSWER = "no_answer"


@dataclass(frozen=True, slots=True)
class Answer:
    """A provider's answer: HTTP status, parsed body (None where it is no JSON), asked delay."""

    status: int
    body: object
    reset_after: timedelta | None = None


def of_failure(failure: TransportFailure, *, has_key: bool) -> Outcome:
    """Judge an attempt without an answer.

    `has_key`: the provider drops a second message with the same key, so trying again is safe.
    """
    if failure is TransportFailure.NO_ANSWER and not has_key:
        return Ambiguous(failure)
    return Retry(failure)


def of_answer(answer: Answer, *, has_key: bool) -> Outcome:
    """Judge an answer."""
    code = body_code(answer.body)
    is_success = 200 <= answer.status < 300
    if code is None:
        return _without_code(answer, is_success=is_success, has_key=has_key)
    if code == 0:
        return Delivered(_message_id(answer.body)) if is_success else _by_status(answer)
    return _by_code(answer, code)


def body_code(body: object) -> int | None:
    """The integer `code`, or `StatusCode` where there is no `code` at all.

    One that no provider means, beyond 64 bits, is none.
    """
    if not isinstance(body, dict):
        return None
    code = body.get("code", body.get("StatusCode"))
    if not isinstance(code, int) or isinstance(code, bool):
        return None
    return code if code in CODES else None


def reset_after(headers: Mapping[str, str]) -> timedelta | None:
    """The delay in seconds that a provider asks for; names in `headers` are lower case."""
    for name in RESET_HEADERS:
        text = headers.get(name, "").strip()
        if text.isascii() and text.isdigit() and len(text) <= 9:
            return min(timedelta(seconds=int(text)), LONGEST_RESET)
    return None


def _without_code(answer: Answer, *, is_success: bool, has_key: bool) -> Outcome:
    if not is_success:
        return _by_status(answer)
    # An empty object or a proxy's page with HTTP 200 says neither yes nor no.
    return Retry("no_code") if has_key else Ambiguous("no_code")


def _by_status(answer: Answer) -> Outcome:
    reason = f"http_{answer.status}"
    if _passes(answer.status):
        return Retry(reason, after=answer.reset_after)
    advice = codes.REDIRECTED if 300 <= answer.status < 400 else codes.HTTP_REFUSED
    return _refused(reason, advice, code=None, detail="")


def _passes(status: int) -> bool:
    """Whether this HTTP status speaks of a trouble that goes away by itself."""
    return status in (408, 425, 429) or status >= 500


def _by_code(answer: Answer, code: int) -> Outcome:
    entry = codes.MEANINGS.get(code)
    text = _text(answer.body)
    if (entry is None or entry is codes.BAD_REQUEST) and codes.sounds_like_a_limit(text):
        return Retry("rate_limited", after=answer.reset_after, code=code, detail=text)
    if entry is None:
        bound = None if _passes(answer.status) else codes.TRIES_OF_UNKNOWN_CODE
        return Retry("unknown_code", answer.reset_after, code, at_most=bound, detail=text)
    return _by_meaning(answer, code, entry, text)


def _by_meaning(answer: Answer, code: int, entry: codes.Entry, text: str) -> Outcome:
    if entry.meaning is Meaning.RETRY:
        return Retry(entry.reason, after=answer.reset_after, code=code, detail=text)
    refused = _refused(entry.reason, entry.advice, code=code, detail=text, meaning=entry.meaning)
    match entry.meaning:
        case Meaning.RESIGN:
            return Resign(code, refused)
        case Meaning.REFRESH_TOKEN:
            return RefreshToken(code, refused)
        case _:
            return refused


def _refused(
    reason: str,
    advice: Advice,
    *,
    code: int | None,
    detail: str,
    meaning: Meaning = Meaning.PERMANENT,
) -> Refused:
    return Refused(
        reason=reason,
        what_to_do_zh=advice.zh,
        what_to_do_en=advice.en,
        code=code,
        as_post=meaning is Meaning.CARD_REFUSED,
        closes_channel=meaning is Meaning.TARGET_GONE,
        detail=detail,
    )


def refused_after_tries(retry: Retry) -> Refused:
    """What a bounded Retry becomes once its attempts are used up."""
    return _refused(retry.reason, codes.ASK_THE_OPERATOR, code=retry.code, detail=retry.detail)


def refused_here(reason: str, advice: Advice) -> Refused:
    """A refusal found before anything was sent."""
    return _refused(reason, advice, code=None, detail="")


def _message_id(body: object) -> str | None:
    data = body.get("data") if isinstance(body, dict) else None
    message_id = data.get("message_id") if isinstance(data, dict) else None
    return _storable(message_id) or None


def _text(body: object) -> str:
    text = body.get("msg", body.get("StatusMessage", "")) if isinstance(body, dict) else ""
    return _storable(text)


def _storable(text: object) -> str:
    """A provider's text, short and printable; empty for whatever is no text.

    NUL and lone surrogates, which JSON has and the database has not, are no printable characters.
    """
    found = text[:DETAIL_LENGTH] if isinstance(text, str) else ""
    return "".join(c for c in found if c.isprintable())
