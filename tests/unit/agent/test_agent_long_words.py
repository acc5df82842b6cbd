"""No words take long to read, however they repeat themselves."""

import random
import time
from collections.abc import Callable

import pytest

from libs.planning.calendar import DEFAULT_CLOCK
from services.agent.domain import (
    locate,
    note,
    quick_done,
    quick_query,
    route_remember,
    wish_reading,
)
from services.agent.domain.locate import NearBlock
from services.agent.domain.route import route
from services.agent.domain.route_answer import Offered, Pending, PendingKind
from tests.unit.agent.spoken_samples import at, instant

BLOCK = NearBlock(1, "概率论作业", instant("2026-11-30T08:00"), instant("2026-11-30T09:40"), 1, 2)
CHOICES = Pending(PendingKind.CHOICE, (Offered("a", ("概率论作业",)),))
CONFIRM = Pending(PendingKind.CONFIRM)
PIECES = (
    *(
        "好",
        "行",
        "可以",
        "的",
        "我",
        "谢谢",
        "哈",
        "嗯",
        "对",
        "就",
        "不",
        "没",
        "做完",
        "了",
        "吧",
    ),
    *(
        "周",
        "周三",
        "12月",
        "5日",
        "第",
        "节",
        "十",
        "半",
        "到",
        "-",
        "~",
        "、",
        "，",
        "。",
        "\n",
        "1.",
    ),
    *(
        "提醒我",
        "记",
        "别",
        "把",
        "排",
        "和",
        "要",
        "请",
        "是",
        "截止",
        "重要",
        "大概",
        "上午",
        "早",
    ),
    *(
        "(",
        "（",
        "[",
        "「",
        '"',
        "a",
        "i ",
        "not ",
        "finish ",
        "please ",
        "ok ",
        " ",
        "▢",
        "前",
        "之",
    ),
)
READERS: dict[str, Callable[[str], object]] = {
    "note": lambda words: note.read(words, at()),
    "route": lambda words: route(words, at()),
    "answer": lambda words: route(words, at(), pending=CONFIRM),
    "choice": lambda words: route(words, at(), pending=CHOICES),
    "wish": lambda words: wish_reading.read(words, at(), ()),
    "query": lambda words: quick_query.read(words, at()),
    "done": lambda words: quick_done.read(words, at()),
    "remember": lambda words: route_remember.read(words, DEFAULT_CLOCK),
    "locate": lambda words: locate.by_rules(words, (BLOCK,), at()),
}


def _texts() -> list[str]:
    picked = random.Random(11)
    pairs = ["".join(picked.choices(PIECES, k=picked.randint(2, 3))) for _ in range(8)]
    return [f"{(one * 4000)[:4000]}x" for one in (*PIECES, *pairs)]


@pytest.mark.parametrize("reader", READERS)
def test_words_of_any_length_are_read_in_no_time(reader: str) -> None:
    read = READERS[reader]
    for words in _texts():
        began = time.process_time()
        read(words)
        assert time.process_time() - began < 1.5, words[:20]
