"""The same message without a card: rich text for Feishu, lines for the console."""

from services.notification.domain.card import (
    BUTTON_BYTES,
    CHANGE_BYTES,
    SUMMARY_BYTES,
    foot,
)
from services.notification.domain.message import (
    MAX_CONTENT_BYTES,
    TITLE_BYTES,
    Change,
    Content,
    Language,
    Message,
    encoded,
    fitting,
    one_line,
    shortened,
)
from services.notification.domain.words import words

MAX_CHANGES = 100
LOCALES = {Language.ZH_CN: "zh_cn", Language.EN_US: "en_us"}


def post_content(message: Message) -> Content:
    """A `post` body, without signature, at most MAX_CONTENT_BYTES once encoded.

    The runs are of tag `text`, in which a mention is not read, and one link.
    """
    changes = _changes(message)
    paragraphs = tuple(_paragraph(line) for line in changes)
    room = MAX_CONTENT_BYTES - len(encoded(_post(message, ())))
    return _post(message, changes[: fitting(paragraphs, room)])


def text_content(message: Message) -> Content:
    """A `text` body of all lines with the link, for channels that only print."""
    *above, last = _lines(message, _changes(message))
    link = f"{one_line(message.button, BUTTON_BYTES)}: {message.url}"
    text = "\n".join((one_line(message.title, TITLE_BYTES), *above, link, last))
    return {"msg_type": "text", "content": {"text": text}}


def _post(message: Message, changes: tuple[str, ...]) -> Content:
    *above, last = (_paragraph(line) for line in _lines(message, changes))
    label = one_line(message.button, BUTTON_BYTES)
    link = [{"tag": "a", "text": label, "href": message.url}]
    title = one_line(message.title, TITLE_BYTES)
    page = {"title": title, "content": [*above, link, last]}
    return {"msg_type": "post", "content": {"post": {LOCALES[message.language]: page}}}


def _paragraph(line: str) -> list[dict[str, str]]:
    return [{"tag": "text", "text": line}]


def _lines(message: Message, changes: tuple[str, ...]) -> tuple[str, ...]:
    """Summary, the changes shown, how many are not, and the foot."""
    hidden = len(message.changes) - len(changes)
    more = (words(message.language).more.format(hidden),) if hidden else ()
    return (shortened(message.summary, SUMMARY_BYTES), *changes, *more, foot(message))


def _changes(message: Message) -> tuple[str, ...]:
    return tuple(_change(change) for change in message.changes[:MAX_CHANGES])


def _change(change: Change) -> str:
    after = one_line(change.after, CHANGE_BYTES)
    if not change.before:
        return f"· {after}"
    return f"· {one_line(change.before, CHANGE_BYTES)} → {after}"
