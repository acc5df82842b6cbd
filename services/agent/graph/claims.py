"""What of a model's words the person is shown: nothing that claims what has not happened.

Spec: agent.md, deliver (words come from the difference, not from the model's claims).
"""

import re
import unicodedata

LONGEST = 500

_CLAIMS = re.compile(
    r"(已经?|都|成功|帮你|为你|给你)[^，。；！？\n]{0,8}"
    r"(写入|保存|提交|应用|落库|生效|同步|排进|排入|排好|安排好|安排完|加入日程|更新日程|改好)"
    r"|(写入|保存|提交|应用)(完成|成功|好了|了)"
    r"|\b(has|have|been|successfully)\s+(\w+\s+)?(saved|written|applied|scheduled|updated|added)\b"
    r"|\b(saved|applied|written)\s+successfully\b",
    re.IGNORECASE,
)
_LINK = re.compile(r"\w+://\S*|www\.\S+|<[^>]*>?")
_UNSEEN = ("Cc", "Cf", "Cs", "Co", "Cn")
_SENTENCE = re.compile(r"[^。！？!?\n]+[。！？!?]?")


def shown(text: str) -> str:
    """The sentences that may be shown, in one line; empty where none is left."""
    plain = _LINK.sub("", "".join(" " if _is_unseen(one) else one for one in text))
    kept = [one for one in _SENTENCE.findall(plain) if not _CLAIMS.search(one)]
    line = " ".join("".join(kept).split())
    return line if len(line) <= LONGEST else line[: LONGEST - 1] + "…"


def _is_unseen(letter: str) -> bool:
    return unicodedata.category(letter) in _UNSEEN
