"""Days as Chinese names them: 下周日, 12月5日, 15号, 三天后, 月底, 第15周周三, 期末前."""

import re

from services.agent.domain import when_days as days
from services.agent.domain.day_words import WEEKDAYS
from services.agent.domain.numerals import HAN, NUMBER, value
from services.agent.domain.when import DayReading, Days, Doubt, Looking, Standpoint, Unit
from services.agent.domain.when_forms import Form, form

Reading = DayReading | None

_FROM_TODAY = {
    **dict.fromkeys(("大前天",), -3),
    **dict.fromkeys(("前天", "前日"), -2),
    **dict.fromkeys(("昨天", "昨日", "昨"), -1),
    **dict.fromkeys(("今天", "今日", "今儿", "今", "当天", "本日"), 0),
    **dict.fromkeys(("明天", "明日", "明儿", "明", "次日"), 1),
    **dict.fromkeys(("后天", "后日"), 2),
    "大后天": 3,
}
_WEEKS = {"上上": -2, "上": -1, "这": 0, "本": 0, "下": 1, "下下": 2, "下下下": 3}
_YEARS = {"去年": -1, "今年": 0, "明年": 1, "后年": 2}
_WHICH = r"(?<!一)(?P<which>上上|上|这|本|下下下|下下|下)(?:一)?个?"
_WEEK = r"(?:周|星期|礼拜)"
# What makes 周三 no day: 这周三门课, 下周六级考试, 这周日程, 这周天气, 一周一次.
_COUNTED = "门次遍回个项份篇道节章本张级件科场轮页种天套份趟"
_NO_DAY = (
    rf"(?![{_COUNTED}]|小时|单元|直|些|共|定|般|切|样|旦|起(?:做|写|去|学|吃)|月)"
    r"(?<!日(?=程|常|历|期|志|报|记))(?<!天(?=气|天))"
)
_DAY = rf"(?P<day>[一二三四五六日天]|[1-7](?![\d号日月/.:]|点)){_NO_DAY}"
_BEFORE = r"(?=\s*(?:之前|以前|前(?![天面夕言])|结束前))"
_FESTIVALS = {
    "元旦": (1, 1),
    "情人节": (2, 14),
    "妇女节": (3, 8),
    "五一": (5, 1),
    "劳动节": (5, 1),
    "六一": (6, 1),
    "儿童节": (6, 1),
    "教师节": (9, 10),
    "国庆": (10, 1),
    "双十一": (11, 11),
    "双11": (11, 11),
    "双十二": (12, 12),
    "平安夜": (12, 24),
    "圣诞": (12, 25),
}
_MOVING = "春节|除夕|元宵|清明|端午|七夕|中秋|重阳"
_EVENTS = (
    "期中(?:考试?)?|考试|考研|四级|六级|上课|下课|放学|开会|答辩|比赛|面试|出发|月考|小测|测验|演出"
    "|开学|毕业|返校|回家|开题|中期检查"
)
_BEHIND_A_FESTIVAL = (
    r"(?:节)?(?:放假|假期)?(?=之前|以前|前|那天|当天|以后|之后|后|\s*$|[,，。;；!！])"
)
_NOT_OF_A_NUMBER = rf"(?<![\d{HAN}第/.:-])"
_NO_HOUSE = (
    r"(?![楼线门院机馆栋厅店桌字位选台舱床片键球员题卷车码a-z\d]|文件|实验|同学|教学|宿舍|食堂)"
)


def _plain(match: re.Match[str], at: Standpoint, looking: Looking) -> Reading:
    return days.from_today(at, _FROM_TODAY[match["day"]], looking)


def _after(match: re.Match[str], at: Standpoint, looking: Looking) -> Reading:
    count = value(match["count"])
    if count is None:
        return days.VAGUE
    if match["unit"] == "月":
        return days.after_months(at, min(count, 600))
    return days.one(days.shifted(at.today, count * _LENGTHS[match["unit"]]))


def _within(match: re.Match[str], at: Standpoint, looking: Looking) -> Reading:
    count = value(match["count"])
    if count is None:
        return days.VAGUE
    if match["unit"] == "月":
        found = days.after_months(at, min(count, 600))
        return days.within(at, (found.options[0].last - at.today).days) if found.options else found
    return days.within(at, count * _LENGTHS[match["unit"]])


_LENGTHS = {"天": 1, "日": 1, "周": 7, "星期": 7, "礼拜": 7}


def _half_month(match: re.Match[str], at: Standpoint, looking: Looking) -> Reading:
    return days.within(at, 15) if "内" in match[0] else days.one(days.shifted(at.today, 15))


def _weekday(match: re.Match[str], at: Standpoint, looking: Looking) -> Reading:
    weeks = _WEEKS[match["which"]] if match["which"] else None
    return days.weekday(at, looking, _day_number(match["day"]), weeks)


def _week(match: re.Match[str], at: Standpoint, looking: Looking) -> Reading:
    return days.week(at, _WEEKS[match["which"]])


def _weekend(match: re.Match[str], at: Standpoint, looking: Looking) -> Reading:
    return days.weekend(at, _WEEKS[match["which"]] if match["which"] else 0)


def _semester_week(match: re.Match[str], at: Standpoint, looking: Looking) -> Reading:
    number = value(match["number"])
    day = _day_number(match["day"]) if match["day"] else None
    return days.NO_SUCH_DAY if not number else days.semester_week(at, looking, number, day)


def _date(match: re.Match[str], at: Standpoint, looking: Looking) -> Reading:
    month, day = value(match["month"]), value(match["day"])
    if month is None or day is None:
        return days.NO_SUCH_DAY
    return days.month_day(at, looking, month, day, _year(match, at))


def _dates(match: re.Match[str], at: Standpoint, looking: Looking) -> Reading:
    first = _date(match, at, looking)
    last = value(match["until"])
    if first is None or not first.options or last is None:
        return first
    begins = first.options[0].first
    ends = days.made(begins.year, begins.month, last)
    if ends is None or ends < begins:
        return days.NO_SUCH_DAY
    return DayReading((Days(begins, ends),), Unit.DAY, first.doubt)


def _number_date(match: re.Match[str], at: Standpoint, looking: Looking) -> Reading:
    """12/5 and 12.5 name a day only where they can."""
    month, day = int(match["month"]), int(match["day"])
    if not (1 <= month <= 12 and 1 <= day <= 31):
        return None
    return days.month_day(at, looking, month, day)


def _in_month(match: re.Match[str], at: Standpoint, looking: Looking) -> Reading:
    day = value(match["day"])
    months = _WEEKS[match["which"]] if match["which"] else None
    return days.NO_SUCH_DAY if day is None else days.day_of_month(at, looking, day, months)


def _month(match: re.Match[str], at: Standpoint, looking: Looking) -> Reading:
    number = value(match["month"])
    return days.NO_SUCH_DAY if number is None else days.month(at, looking, number, _year(match, at))


def _month_from_now(match: re.Match[str], at: Standpoint, looking: Looking) -> Reading:
    return days.month_from_now(at, _WEEKS[match["which"]] if match["which"] else 0)


def _month_end(match: re.Match[str], at: Standpoint, looking: Looking) -> Reading:
    whole = _month(match, at, looking)
    return days.month_end(whole, at, looking) if whole else None


def _this_month_end(match: re.Match[str], at: Standpoint, looking: Looking) -> Reading:
    return days.month_end(_month_from_now(match, at, looking) or days.VAGUE, at, looking)


def _year_end(match: re.Match[str], at: Standpoint, looking: Looking) -> Reading:
    year = at.today.year + _YEARS.get(match["year"] or "今年", 0)
    return days.month_day(at, looking, 12, 31, year)


def _festival(match: re.Match[str], at: Standpoint, looking: Looking) -> Reading:
    return days.festival(at, looking, *_FESTIVALS[match["name"].lower()])


def _recurring(match: re.Match[str], at: Standpoint, looking: Looking) -> Reading:
    """每周一: the next one is told, none is chosen."""
    options: tuple[Days, ...] = ()
    if match["day"]:
        options = days.weekday(at, Looking.AHEAD, _day_number(match["day"]), None).options
    return DayReading(options, doubt=Doubt.RECURRING)


def _term_end(match: re.Match[str], at: Standpoint, looking: Looking) -> Reading:
    return days.term_end(at)


def _either(match: re.Match[str], at: Standpoint, looking: Looking) -> Reading:
    return days.either(*(days.from_today(at, n, looking) for n in (1, 2)))


def _both(match: re.Match[str], at: Standpoint, looking: Looking) -> Reading:
    return days.within(at, 1)


def _vague(match: re.Match[str], at: Standpoint, looking: Looking) -> Reading:
    return days.VAGUE


def _unknown(match: re.Match[str], at: Standpoint, looking: Looking) -> Reading:
    return days.UNKNOWN_EVENT


def _day_number(sign: str) -> int:
    return int(sign) if sign.isdecimal() else WEEKDAYS[sign]


def _year(match: re.Match[str], at: Standpoint) -> int | None:
    told = match["year"]
    if not told:
        return None
    return at.today.year + _YEARS[told] if told in _YEARS else int(told.rstrip("年"))


_SLASHED = r"(?<![\d/.:-])(?P<month>\d{1,2})/(?P<day>\d{1,2})(?![\d/.%])"
_BEHIND_SLASHED = r"(?=\s*(?:$|[前日号之以截交晚上下周,，。)）]))"
_DOTTED = r"(?<![\d/.:-])(?P<month>\d{1,2})\.(?P<day>\d{1,2})(?![\d/.%])"
_COUNT = rf"(?<![\d{HAN}第])(?P<count>{NUMBER})"
_ANY_YEAR = r"(?P<year>\d{4}年|去年|今年|明年|后年)?"
_SOME_MONTH = r"(?<!一)(?P<which>上|这|本|下下|下)个?月"

FORMS: tuple[Form[DayReading], ...] = (
    form(r"(?P<day>大?前[天日]|昨[天日]|今[天日儿]|本日|明[天日儿]|次日|大后天|后[天日])", _plain),
    form(r"(?P<day>[今明昨])(?=早|晚|夜|晨)", _plain),
    form(r"明后天", _either),
    form(r"明后两天|今明两天|今明", _both),
    form(
        rf"(?:再?过)?{_COUNT}(?:个(?=[星礼月]))?(?P<unit>[天日周月]|星期|礼拜)(?:之后|以后|过后|后)(?!天|面)",
        _after,
    ),
    form(rf"再?过{_COUNT}(?:个(?=[星礼月]))?(?P<unit>[天周月]|星期|礼拜)", _after),
    form(rf"{_COUNT}(?:个(?=[星礼月]))?(?P<unit>[天日周月]|星期|礼拜)(?:之内|以内|内)", _within),
    form(r"半个月(?:之内|以内|内|之后|以后|后)", _half_month),
    form(r"再?过[两几些](?:天|日)|[这近][两几]天|过些日子|改天|改日|最近|近期|回头|有空", _vague),
    form(rf"(?<![每\d{HAN}第]){_WEEK}{_DAY}(?P<which>)", _weekday),
    form(rf"{_WHICH}{_WEEK}的?{_WEEK}?{_DAY}", _weekday),
    form(rf"{_WHICH}{_WEEK}(?!末)", _week),
    form(rf"(?:{_WHICH})?(?:{_WEEK}末|双休日)", _weekend),
    form(rf"第?(?P<number>{NUMBER})(?:教学)?周的?{_WEEK}{_DAY}", _semester_week),
    form(rf"第(?P<number>{NUMBER})(?:教学)?周(?![一二三四五六日天末])(?P<day>)", _semester_week),
    form(rf"{_ANY_YEAR}(?P<month>{NUMBER})月份?(?P<day>{NUMBER})[日号]?(?![{_COUNTED}])", _date),
    form(
        rf"{_ANY_YEAR}(?P<month>{NUMBER})月(?P<day>{NUMBER})[日号]?\s*[-~到至]\s*"
        rf"(?P<until>{NUMBER})[日号]",
        _dates,
    ),
    form(r"(?<!\d)(?P<year>\d{4})[-/.](?P<month>\d{1,2})[-/.](?P<day>\d{1,2})(?!\d)", _date),
    form(rf"{_SLASHED}{_BEHIND_SLASHED}[日号]?", _number_date),
    form(rf"{_DOTTED}(?=\s*(?:[前日号截]|之前|以前))[日号]?", _number_date),
    form(rf"{_SOME_MONTH}的?(?P<day>{NUMBER})[日号]", _in_month),
    form(rf"{_NOT_OF_A_NUMBER}(?P<which>)(?P<day>{NUMBER})[日号]{_NO_HOUSE}", _in_month),
    form(rf"{_ANY_YEAR}(?P<month>{NUMBER})月[底末]", _month_end),
    form(rf"(?<![\d{HAN}个])(?:{_SOME_MONTH}|(?P<month>月))[底末]", _this_month_end),
    form(r"(?P<year>去年|今年|明年|后年)?年?[底末](?<=年[底末])", _year_end),
    form(rf"(?:{NUMBER}|{_SOME_MONTH})?月?(?:[月年]初|月中|[上中下]旬)", _vague),
    form(rf"(?<!个){_ANY_YEAR}(?P<month>{NUMBER})月份?(?![\d{HAN}底末初中上下])", _month),
    form(rf"{_SOME_MONTH}(?![底末初中])", _month_from_now),
    form(
        rf"每(?:个|逢)?{_WEEK}(?P<day>[一二三四五六日天])?|每[天日晚早](?:上)?|每个?月|隔周",
        _recurring,
    ),
    form(
        rf"(?:这个?|本)?(?:学期末|学期结束|期末(?:考试|考|周)?|放寒?暑?假|[寒暑]假){_BEFORE}",
        _term_end,
    ),
    form(r"(?<=[到至])(?:学期末|期末(?:考试|考|周)?)", _term_end),
    form(rf"(?:{_EVENTS}){_BEFORE}", _unknown),
    form(
        rf"(?P<name>{'|'.join(sorted(_FESTIVALS, key=len, reverse=True))}){_BEHIND_A_FESTIVAL}",
        _festival,
    ),
    form(rf"(?:{_MOVING}){_BEHIND_A_FESTIVAL}", _unknown),
)
"""The earliest counts, of those that begin alike the longest, then the first."""
