"""Is this body one that a webhook takes: `text`, `post` or `interactive` with a card."""

import json
from collections.abc import Iterator

from standins.feishu import card_shape
from standins.feishu.refusal import Refusal, bad_request, no_message_type

LANGUAGES = ("zh_cn", "en_us", "ja_jp")


def parse(raw: bytes) -> dict[str, object] | None:
    """The JSON object in these bytes; None for anything else, NaN and lone surrogates included."""
    try:
        value = json.loads(raw.decode("utf-8"), parse_constant=_no_constant)
        json.dumps(value, ensure_ascii=False).encode("utf-8")
    except (ValueError, RecursionError):
        return None
    return value if isinstance(value, dict) else None


def _no_constant(name: str) -> object:
    raise ValueError(name)


def check(body: dict[str, object]) -> Refusal | None:
    """Why this body would not be taken, or None."""
    kind = body.get("msg_type")
    if kind is None:
        return no_message_type("msg_type need")
    if kind == "interactive":
        return card_shape.check(body.get("card"))
    content = body.get("content")
    if not isinstance(content, dict):
        return bad_request("content is not an object")
    if kind == "text":
        text = content.get("text")
        return None if isinstance(text, str) and text else bad_request("content.text")
    if kind == "post":
        return _check_post(content.get("post"))
    return no_message_type("msg_type is not supported here")


def _check_post(post: object) -> Refusal | None:
    if not isinstance(post, dict) or not any(language in post for language in LANGUAGES):
        return bad_request("content.post")
    for language, page in post.items():
        if language not in LANGUAGES or not isinstance(page, dict):
            return bad_request("content.post")
        lines = page.get("content")
        if not isinstance(lines, list) or not all(_is_line(line) for line in lines):
            return bad_request("content.post.content")
    return None


def _is_line(line: object) -> bool:
    return isinstance(line, list) and all(_is_run(run) for run in line)


def _is_run(run: object) -> bool:
    if not isinstance(run, dict):
        return False
    match run.get("tag"):
        case "text":
            return isinstance(run.get("text"), str)
        case "a":
            link = run.get("href")
            is_link = isinstance(link, str) and link.startswith(("https://", "http://"))
            return is_link and isinstance(run.get("text"), str)
        case "at":
            return isinstance(run.get("user_id"), str)
        case _:
            return False


def visible_texts(body: dict[str, object]) -> Iterator[str]:
    """The values a keyword is looked for in: `text`, `title` and `content`, never a link."""
    shown = {key: value for key, value in body.items() if key in ("card", "content")}
    card = shown.get("card")
    if isinstance(card, dict):
        shown["card"] = {key: value for key, value in card.items() if key != "config"}
    for _, part in card_shape.objects(shown):
        for key in ("text", "title", "content"):
            value = part.get(key)
            if isinstance(value, str):
                yield value
