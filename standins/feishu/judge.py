"""The verdict on one request, in the order the vendor's gateway looks."""

from collections.abc import Mapping
from dataclasses import dataclass

from standins.feishu import body_shape, refusal, signature
from standins.feishu.refusal import Refusal

MAX_BYTES = 20 * 1024


@dataclass(frozen=True, slots=True)
class BotRules:
    """Security settings of the bot: what a request must carry."""

    secret: str | None = None
    keywords: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Judgement:
    """The verdict; `body` is None where the request held no JSON object."""

    body: Mapping[str, object] | None
    refusal: Refusal | None
    signature: signature.Verdict


def judge(raw: bytes, rules: BotRules, *, now: float, within_rate: bool) -> Judgement:
    """Judge a request body at `now` (Unix seconds of the receiver)."""
    body = body_shape.parse(raw)
    if body is None:
        return Judgement(None, refusal.bad_request("not a JSON object"), "absent")
    signed = signature.verdict(body, rules.secret, now=now)
    return Judgement(body, _refusal(raw, body, rules, signed, within_rate), signed)


def _refusal(
    raw: bytes,
    body: dict[str, object],
    rules: BotRules,
    signed: signature.Verdict,
    within_rate: bool,
) -> Refusal | None:
    if len(raw) > MAX_BYTES:
        return refusal.bad_request("larger than 20 KB")
    if not within_rate:
        return refusal.RATE
    if wrong := body_shape.check(body):
        return wrong
    if rules.secret is not None and signed != "verified":
        return refusal.SIGNATURE
    if rules.keywords and not _has_keyword(body, rules.keywords):
        return refusal.KEYWORD
    return None


def _has_keyword(body: dict[str, object], keywords: tuple[str, ...]) -> bool:
    return any(word in text for text in body_shape.visible_texts(body) for word in keywords)
