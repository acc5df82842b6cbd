"""The words for people: why a file or a row was not understood, in both languages."""

import unicodedata

from services.schedule.domain.timetable.problems import (
    FileReason,
    NotUnderstood,
    Reason,
    UnreadableFile,
)

_VALUE_IN_MESSAGE = 40
_EXPECTED_IN_MESSAGE = 100

_FILE_MESSAGES: dict[FileReason, tuple[str, str]] = {
    "empty_file": (
        "文件是空的。",
        "The file is empty.",
    ),
    "too_large": (
        "文件太大，课表最多 {limit} MiB。",
        "The file is too large; a timetable has at most {limit} MiB.",
    ),
    "unknown_encoding": (
        "文件的编码认不出来，请另存为 UTF-8 再上传。",
        "The encoding of the file is unknown; save it as UTF-8 and upload it again.",
    ),
    "html_page": (
        "这是一个网页，不是课表数据，多半是教务系统的登录已经过期。请重新登录，再保存课表接口的返回内容。",
        "This is a web page and no timetable data; the sign-in to the school's system has "
        "probably run out. Sign in again and save the reply of its timetable request.",
    ),
    "share_code": (
        "这是 WakeUp 的分享口令，口令现在不能从外部读取。请改为上传教务系统返回的课表文件。",
        "This is a WakeUp share code, which cannot be read from outside any more. Upload the "
        "timetable file from the school's system instead.",
    ),
    "not_json": (
        "文件不是完整的 JSON，可能没有复制全。",
        "The file is no complete JSON; perhaps not all of it was copied.",
    ),
    "no_kblist": (
        "文件里没有 kbList，不是正方教务系统的课表。",
        "The file has no kbList, so it is no timetable of a Zhengfang system.",
    ),
    "kblist_not_a_list": (
        "文件里的 kbList 不是列表，课表内容已损坏。",
        "The kbList in the file is no list; the timetable is damaged.",
    ),
    "no_courses": (
        "课表里一门课也没有，请检查学年和学期是否选对。已有的课程不会因此被删除。",
        "The timetable holds no course at all; check that year and term are the right ones. "
        "Stored courses are not removed because of it.",
    ),
    "too_many_rows": (
        "文件里有 {count} 行，一个人的课表最多 {limit} 行。",
        "The file has {count} rows; one person's timetable has at most {limit}.",
    ),
}

_ROW_MESSAGES: dict[Reason, tuple[str, str]] = {
    "missing": (
        "缺少{zh}。",
        "{en} is missing.",
    ),
    "wrong_type": (
        "{zh}既不是文字也不是整数。",
        "{en} is neither text nor a whole number.",
    ),
    "too_long": (
        "{zh}有 {length} 个字符，最多 200 个。",
        "{en} has {length} characters; at most 200 are kept.",
    ),
    "unsafe_text": (
        "{zh}“{value}”里有不能保存的字符。",
        "{en} “{value}” holds characters that cannot be stored.",
    ),
    "unreadable": (
        "{zh}写成“{value}”，读不懂。",
        "{en} reads “{value}”, which is not understood.",
    ),
    "open_range": (
        "{zh}写成“{value}”，范围缺少结尾。",
        "{en} reads “{value}”: the range has no end.",
    ),
    "reversed_range": (
        "{zh}“{value}”的起点在终点之后。",
        "{en} “{value}” begins after its end.",
    ),
    "out_of_range": (
        "{zh}“{value}”超出了 {expected}。",
        "{en} “{value}” goes beyond {expected}.",
    ),
    "parity_excludes_all": (
        "{zh}“{value}”按单双周筛选后一周也不剩。",
        "{en} “{value}” leaves no week of that parity.",
    ),
    "not_contiguous": (
        "{zh}“{value}”不是连着的几节。",
        "{en} “{value}” are not consecutive.",
    ),
    "disagrees": (
        "{zh}“{value}”和同一行的 {expected} 对不上。",
        "{en} “{value}” disagrees with {expected} of the same row.",
    ),
    "before_semester": (
        "{zh}“{value}”的星期日落在本学期第一周之前。",
        "{en} “{value}”: that Sunday lies before the first week of the semester.",
    ),
}

_LABELS = {
    "": ("课程记录", "The course record"),
    "kcmc": ("课程名", "The course name"),
    "xm": ("教师", "The teacher"),
    "cdmc": ("教室", "The room"),
    "xqmc": ("校区", "The campus"),
    "xqj": ("星期", "The weekday"),
    "jcs": ("节次", "The section range"),
    "jc": ("节次", "The section range"),
    "zcd": ("周次", "The week list"),
    "oldzc": ("周次校验值", "The week mask"),
    "oldjc": ("节次校验值", "The section mask"),
}


def unreadable_file(reason: FileReason, *, count: int = 0, limit: int = 0) -> UnreadableFile:
    """Make the error for a whole file, with its words."""
    zh, en = (text.format(count=count, limit=limit) for text in _FILE_MESSAGES[reason])
    return UnreadableFile(reason, zh, en)


def describe(field: str, problem: NotUnderstood) -> tuple[str, str]:
    """Say in Chinese and in English what is wrong with a field of a row."""
    label_zh, label_en = _LABELS[field]
    facts = {
        "zh": label_zh,
        "en": label_en,
        "value": clip(problem.text, _VALUE_IN_MESSAGE),
        "length": len(problem.text),
        "expected": clip(problem.expected, _EXPECTED_IN_MESSAGE),
    }
    zh, en = _ROW_MESSAGES[problem.reason]
    return zh.format_map(facts), en.format_map(facts)


def printable(text: str) -> str:
    """Replace, one for one, the characters that can be neither stored nor shown."""
    return "".join("\N{REPLACEMENT CHARACTER}" if is_unsafe(char) else char for char in text)


def is_unsafe(char: str) -> bool:
    """Tell control characters (NUL among them) and lone surrogates."""
    return unicodedata.category(char) in {"Cc", "Cs"}


def clip(text: str, limit: int) -> str:
    """Make a text printable and at most `limit` characters long, with an ellipsis if cut."""
    return printable(text if len(text) <= limit else text[: limit - 1] + "…")
