"""What went wrong, as problem+json (RFC 9457) and as an HTTP status: the one table.

Source: spec quality.md, Errors. Programs switch on `code`, never on the words.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from grpc import StatusCode

from libs.rpc.errors import InvalidRequest, RemoteError, Violation
from services.gateway.domain import errors, messages
from services.gateway.domain.locale import Locale

MEDIA_TYPE = "application/problem+json"
DOMAIN = "smartmate.gateway"
RETRY_SECONDS = 1

STATUS_OF_CODE: Mapping[StatusCode, int] = {
    StatusCode.INVALID_ARGUMENT: 400,
    StatusCode.OUT_OF_RANGE: 400,
    StatusCode.UNAUTHENTICATED: 401,
    StatusCode.PERMISSION_DENIED: 403,
    StatusCode.NOT_FOUND: 404,
    StatusCode.FAILED_PRECONDITION: 409,
    StatusCode.ABORTED: 409,
    StatusCode.ALREADY_EXISTS: 409,
    StatusCode.RESOURCE_EXHAUSTED: 429,
    StatusCode.INTERNAL: 500,
    StatusCode.UNAVAILABLE: 503,
    StatusCode.DEADLINE_EXCEEDED: 504,
}
"""A code that is not listed is answered like INTERNAL."""

STATUS_OF_ERROR: Mapping[type[errors.GatewayError], int] = {
    errors.InvalidName: 400,
    errors.InvalidHandle: 400,
    errors.KeyMissing: 400,
    errors.KeysDiffer: 400,
    errors.KeyInvalid: 400,
    errors.NotSignedIn: 401,
    errors.InvalidBearer: 401,
    errors.ForgedPost: 403,
    errors.UserUnknown: 404,
    errors.NothingHere: 404,
    errors.HandleTaken: 409,
    errors.LinkSpent: 410,
    errors.TooSlow: 408,
    errors.TooLarge: 413,
    errors.TooManyRequests: 429,
    errors.AwayForNow: 503,
}

_OF_STATUS: Mapping[int, str] = {
    400: "invalid_request",
    401: "not_signed_in",
    403: "permission_denied",
    404: "not_found",
    405: "method_not_allowed",
    408: "too_slow",
    409: "conflict",
    413: "too_large",
    415: "unsupported_media_type",
    429: "too_many_requests",
    503: "unavailable",
    504: "deadline_exceeded",
}


@dataclass(frozen=True, slots=True)
class Problem:
    """One refusal. `number` names a defect in the logs; `facts` are the service's metadata."""

    status: int
    code: str
    domain: str = DOMAIN
    violations: Sequence[Violation] = ()
    retry_after: int | None = None
    number: str = ""
    facts: Mapping[str, str] | None = None

    @property
    def headers(self) -> dict[str, str]:
        """What the answer's head says besides."""
        headers = {}
        if self.retry_after is not None:
            headers["Retry-After"] = str(self.retry_after)
        if self.status == 401:
            headers["WWW-Authenticate"] = "Bearer"
        if self.status == 408:
            # The rest of the body is not waited for.
            headers["Connection"] = "close"
        return headers

    def words(self, locale: Locale) -> str:
        """One sentence for people; never anything of the error itself."""
        for code in (self.code, _OF_STATUS.get(self.status, "internal")):
            if messages.has(f"error.{code}"):
                return messages.say(locale, f"error.{code}")
        return messages.say(locale, "error.internal")

    def document(self, locale: Locale) -> dict[str, Any]:
        """The problem+json object."""
        document: dict[str, Any] = {
            "type": f"urn:smartmate:problem:{self.code}",
            "title": self.words(locale),
            "status": self.status,
            "code": self.code,
            "domain": self.domain,
        }
        if self.violations:
            document["violations"] = [
                {"field": item.field, "problem": item.problem} for item in self.violations
            ]
        if self.facts:
            document["metadata"] = dict(self.facts)
        if self.number:
            document["number"] = self.number
        return document


def internal(number: str) -> Problem:
    """A defect: nothing of it leaves the process but a number to find it by."""
    return Problem(500, "internal", number=number)


def of_status(status: int) -> Problem:
    """What the HTTP framework refuses by itself: no such path, no such method."""
    if status == 404:
        return Problem(404, "no_such_page")
    return Problem(
        status, _OF_STATUS.get(status, "invalid_request" if status < 500 else "internal")
    )


def of_own(error: errors.GatewayError) -> Problem:
    """A refusal of the gateway."""
    status = next(STATUS_OF_ERROR[kind] for kind in type(error).__mro__ if kind in STATUS_OF_ERROR)
    retry = RETRY_SECONDS if status == 503 else None
    if isinstance(error, errors.TooManyRequests):
        retry = error.retry_after
    return Problem(status, error.reason, retry_after=retry)


def of_invalid(error: InvalidRequest) -> Problem:
    """A body, a form or a query that is not as it must be."""
    return Problem(400, error.reason, violations=error.violations)


def of_remote(error: RemoteError) -> Problem:
    """What a service answered instead of a result."""
    status = STATUS_OF_CODE.get(error.code, 500)
    domain = error.domain or DOMAIN
    # What is full stays so until somebody makes room: only the service knows of a limit that
    # passes by itself.
    retry = error.retry_after if status == 429 else None
    if status == 500:
        return Problem(500, "internal", domain, number=error.metadata.get("number", ""))
    return Problem(
        status,
        error.reason,
        domain,
        violations=error.violations,
        retry_after=error.retry_after or RETRY_SECONDS if status == 503 else retry,
        facts=error.metadata,
    )
