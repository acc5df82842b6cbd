"""What the bot's API answers when it does not take a message."""

from dataclasses import dataclass

BAD_REQUEST = 9499
CARD_REFUSED = 11246
RATE_LIMITED = 11232
NO_MESSAGE_TYPE = 19002
SIGNATURE_WRONG = 19021
KEYWORD_MISSING = 19024


@dataclass(frozen=True, slots=True)
class Refusal:
    """A code of the vendor and the text beside it. Travels with HTTP 200."""

    code: int
    msg: str


def bad_request(why: str) -> Refusal:
    """The body has the wrong shape or size."""
    return Refusal(BAD_REQUEST, f"Bad Request: {why}")


def card_refused(sub_code: int, why: str) -> Refusal:
    """The card cannot be built; the reason stands as a sub-code in the text."""
    return Refusal(
        CARD_REFUSED, f"Failed to create card content, ext=ErrCode: {sub_code}; ErrMsg: {why};"
    )


def no_message_type(why: str) -> Refusal:
    """`msg_type` is missing or not one a webhook may send."""
    return Refusal(NO_MESSAGE_TYPE, f"params error, {why}")


RATE = Refusal(RATE_LIMITED, "frequency limited")
SIGNATURE = Refusal(
    SIGNATURE_WRONG, "sign match fail or timestamp is not within one hour from current time"
)
KEYWORD = Refusal(KEYWORD_MISSING, "Key Words Not Found")
