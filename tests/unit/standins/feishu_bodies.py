"""Bodies a custom bot may be sent."""

import json
from typing import Any


def card(**changes: Any) -> dict[str, Any]:
    """A small card of JSON 2.0; `changes` replace or add top-level keys."""
    button = {
        "tag": "button",
        "text": {"tag": "plain_text", "content": "看对照，再决定"},
        "behaviors": [{"type": "open_url", "default_url": "https://smartmate.example/p/asp_1"}],
    }
    column = {
        "tag": "column",
        "background_style": "grey",
        "elements": [{"tag": "div", "text": {"tag": "plain_text", "content": "周二 3–4 节"}}],
    }
    whole: dict[str, Any] = {
        "schema": "2.0",
        "config": {"summary": {"content": "摘要里的词"}},
        "header": {"title": {"tag": "plain_text", "content": "SmartMate：有一条调整建议"}},
        "body": {
            "elements": [
                {"tag": "div", "text": {"tag": "plain_text", "content": "放到明天上午，可以吗？"}},
                {"tag": "column_set", "columns": [column]},
                button,
            ]
        },
    }
    return whole | changes


def card_with(element: Any) -> dict[str, Any]:
    """A card whose body holds this element alone."""
    return card(body={"elements": [element]})


def interactive(**changes: Any) -> dict[str, Any]:
    """A body with that card."""
    return {"msg_type": "interactive", "card": card()} | changes


def post(*runs: dict[str, Any]) -> dict[str, Any]:
    """A rich-text body of one line."""
    return {
        "msg_type": "post",
        "content": {"post": {"zh_cn": {"title": "标题", "content": [list(runs)]}}},
    }


def raw(body: object) -> bytes:
    """As it goes over the wire."""
    return json.dumps(body, ensure_ascii=False).encode()
