"""The words for people: why a file or a row was not understood, in both languages."""

import unicodedata

from services.schedule.domain.timetable.problems import (
    FileReason,
    FileWarning,
    NotUnderstood,
    Reason,
    UnreadableFile,
    WarningCode,
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
        "这是 WakeUp 的分享口令，口令现在不能从外部读取。请在 WakeUp 里把课表导出为文件再上传，"
        "或者上传教务系统返回的课表。",
        "This is a WakeUp share code, which cannot be read from outside any more. Export the "
        "timetable as a file in WakeUp and upload that, or the timetable from the school's system.",
    ),
    "not_json": (
        "文件不是完整的 JSON，可能没有复制全。",
        "The file is no complete JSON; perhaps not all of it was copied.",
    ),
    "unknown_format": (
        "认不出这是哪种课表。现在能读两种：正方教务系统返回的 JSON（里面有 kbList），"
        "和 WakeUp 课程表导出的文件。",
        "This is no timetable of a known kind. Two can be read: the JSON reply of a Zhengfang "
        "system (it has a kbList), and a file exported by WakeUp.",
    ),
    "no_kblist": (
        "文件里没有 kbList，不是正方教务系统的课表。",
        "The file has no kbList, so it is no timetable of a Zhengfang system.",
    ),
    "kblist_not_a_list": (
        "文件里的 kbList 不是列表，课表内容已损坏。",
        "The kbList in the file is no list; the timetable is damaged.",
    ),
    "not_wakeup": (
        "这不是 WakeUp 导出的课表：五段内容的次序或形状不对。",
        "This is no timetable exported by WakeUp: its five parts are not in the right order or "
        "shape.",
    ),
    "not_whole": (
        "WakeUp 的课表有 {limit} 段，这里只有 {count} 段，可能没有复制全。",
        "A timetable of WakeUp has {limit} parts and here are {count}; perhaps not all of it was "
        "copied.",
    ),
    "share_expired": (
        "这份 WakeUp 的回复里没有课表，分享多半已经过期。请重新导出。",
        "This reply of WakeUp holds no timetable; the share has probably expired. Export it anew.",
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
    "unknown_course": (
        "{zh}“{value}”在文件的课程列表里找不到。",
        "{en} “{value}” is not in the file's own list of courses.",
    ),
    "own_time": (
        "{zh}“{value}”对不上这个学期的节次。",
        "{en} “{value}” does not fall on sections of this semester.",
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
    "courseName": ("课程名", "The course name"),
    "id": ("课程编号", "The course id"),
    "day": ("星期", "The weekday"),
    "startNode": ("开始节次", "The first section"),
    "step": ("节数", "The number of sections"),
    "startWeek": ("周次", "The week range"),
    "endWeek": ("结束周", "The last week"),
    "type": ("单双周", "The odd-even mark"),
    "teacher": ("教师", "The teacher"),
    "room": ("教室", "The room"),
    "ownTime": ("自定义时间", "The mark for own times"),
    "startTime": ("自定义时间", "The own time"),
}

_WARNINGS: dict[WarningCode, tuple[str, str]] = {
    "first_day_differs": (
        "文件的第 1 周从 {said}（周一）开始，这个学期从 {stored} 开始。周次照抄，没有平移。",
        "Week 1 of the file begins on Monday {said}, this semester on {stored}. Weeks are taken "
        "as they are written; nothing was shifted.",
    ),
    "first_day_unreadable": (
        "文件里的开学日期“{said}”读不懂，没有拿来核对。",
        "The first day in the file, “{said}”, is not understood and was not compared.",
    ),
    "week_count_differs": (
        "文件写的是 {said} 周，这个学期有 {stored} 周。学期没有改动。",
        "The file has {said} weeks, this semester {stored}. The semester stays as it is.",
    ),
    "section_count_differs": (
        "文件里一天有 {said} 节，这个学期一天有 {stored} 节。节次按编号照抄，没有换算。",
        "A day has {said} sections in the file and {stored} here. Sections are taken by their "
        "number; nothing was converted.",
    ),
    "section_times_differ": (
        "第 {sections} 节的钟点和这个学期不同，例如第 {number} 节：文件里 {said}，这里 {stored}。"
        "课程按节次写入，钟点以学期设置为准。",
        "Sections {sections} have other times here, such as section {number}: {said} in the file, "
        "{stored} in this semester. Courses are written by section, at the semester's times.",
    ),
    "sunday_first": (
        "文件以周日为一周的开头：周日的课算在这里的前一周，日期不变。",
        "Weeks of the file begin with Sunday: a class on Sunday belongs to the week before here, "
        "on the same date.",
    ),
    "more_documents": (
        "文件末尾还有别的内容，没有读。",
        "The file holds something more at its end, which was not read.",
    ),
}


def unreadable_file(reason: FileReason, *, count: int = 0, limit: int = 0) -> UnreadableFile:
    """Make the error for a whole file, with its words."""
    zh, en = (text.format(count=count, limit=limit) for text in _FILE_MESSAGES[reason])
    return UnreadableFile(reason, zh, en)


def file_warning(code: WarningCode, **facts: object) -> FileWarning:
    """Make a warning with its words; facts that are text are cut to what fits a sentence."""
    shown = {
        name: clip(fact, _EXPECTED_IN_MESSAGE) if isinstance(fact, str) else fact
        for name, fact in facts.items()
    }
    zh, en = (text.format_map(shown) for text in _WARNINGS[code])
    return FileWarning(code=code, message_zh=zh, message_en=en)


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
