"""Marking a message that goes out again although the first may have arrived.

The content was frozen at the first attempt; the mark is all that is added.
"""

import copy
from typing import Any

from services.notification.domain.message import Content, Language
from services.notification.domain.words import words


def marked_as_repeat(content: Content, language: Language) -> Content:
    """A card, post or text with the mark behind its last line; within the reserved bytes."""
    marked: Any = copy.deepcopy(dict(content))
    mark = f" · {words(language).repeat}"
    match marked["msg_type"]:
        case "interactive":
            marked["card"]["body"]["elements"][-1]["text"]["content"] += mark
        case "post":
            (page,) = marked["content"]["post"].values()
            page["content"][-1][0]["text"] += mark
        case _:
            marked["content"]["text"] += mark
    return dict(marked)
