"""A run as it is read: words and events in their order, and what they are told as."""

import pytest

from services.gateway.domain.grid import Mark
from services.gateway.domain.locale import Locale
from services.gateway.wire.calendar import Calendar
from services.gateway.wire.chat_shown import SegmentView
from services.gateway.wire.chat_turns import Call, Run, Words, read
from services.gateway.wire.chat_words import Speaker, became, call_words, cut
from smartmate.agent.v1 import chat_pb2
from smartmate.schedule.v1 import change_pb2
from tests.unit.gateway import chat_samples as chat
from tests.unit.gateway import gateway_samples as samples

ZH, EN = Locale.ZH, Locale.EN
MINE = [chat.SENTENCE]


def run_of(*contents: object, mine: list[str] | None = None) -> Run:
    return read(chat.RUN, MINE if mine is None else mine, chat.events(*contents))  # type: ignore[arg-type]


def speaker(locale: Locale = ZH) -> Speaker:
    return Speaker(locale, Calendar([samples.semester()]), samples.NOW)


def last(*contents: object, locale: Locale = ZH, live: bool = True) -> SegmentView:
    """The newest part of a run as it is shown."""
    turn = speaker(locale).turn(run_of(*contents), is_live=live)
    return turn.segments[-1]


def test_words_before_the_first_step_stand_before_it_and_the_newest_ones_behind() -> None:
    run = run_of(*chat.WORKING, chat.speak("好了。"))
    (segment,) = run.segments
    assert segment.mine == chat.SENTENCE
    assert segment.lead == [Words("先按三门课排，周日空着。")]
    assert [isinstance(one, Call) for one in segment.steps] == [True, False, True]
    assert segment.tail == [Words("好了。")]
    assert segment.spoken == "好了。"
    assert segment.works
    assert run.sequence == 11


def test_remarks_and_cards_stay_in_sight_when_more_steps_follow() -> None:
    remark = chat.status("model_unavailable", "模型暂时用不了", "The model is away")
    segment = run_of(chat.READING, chat.call(1), remark, chat.card(), chat.call(2)).last
    assert [type(one).__name__ for one in segment.lead] == ["Remark", "Card"]
    assert segment.tail == []


def test_each_words_of_the_person_begin_another_part() -> None:
    run = run_of(
        chat.READING,
        chat.question("甲", "乙"),
        chat.status("answered"),
        chat.confirm(),
        chat.status("rejected"),
        chat.confirm(number=2),
        mine=["排一下", "乙", "周三别排"],
    )
    assert [one.mine for one in run.segments] == ["排一下", "乙", "周三别排"]
    assert [one.is_open for one in run.segments] == [False, False, True]
    shown = speaker().turn(run).segments
    assert shown[0].question is not None
    assert (shown[0].question.is_open, shown[0].question.answer) == (False, "乙")
    assert shown[1].confirm is not None
    assert (shown[1].confirm.state, shown[1].confirm.chip) == ("rejected", "没有写入")


def test_of_words_that_are_cut_the_newest_are_known() -> None:
    run = run_of(*chat.WRITTEN, mine=["接受"])
    assert [one.mine for one in run.segments] == ["", "接受"]


def test_a_kind_of_event_that_is_not_known_yet_is_left_out() -> None:
    run = read(chat.RUN, MINE, [*chat.events(chat.READING), chat_pb2.ChatEvent(sequence=2)])
    assert (run.sequence, len(run.segments)) == (2, 1)


def test_a_run_without_its_beginning_has_a_part_still() -> None:
    assert run_of(chat.speak("在。")).last.lead == [Words("在。")]


def test_steps_are_one_line_with_what_was_refused_and_how_long_it_took() -> None:
    steps = last(*chat.WORKING).steps
    assert steps is not None
    assert (steps.head, steps.refused, steps.took) == ("做了 2 步", "，1 步没成", "2.0 秒")
    first, aside, second = steps.steps
    assert (first.call, first.told, first.is_refused) == ("evaluate_balance()", "可以", False)
    assert (aside.title, aside.call) == ("看一下周二。", "")
    assert (second.call, second.text) == ("place(task_id=3, day=2)", "周二第 3 节有课")
    assert second.is_refused


def test_one_step_that_has_not_answered_says_so() -> None:
    steps = last(chat.READING, chat.call(1), locale=EN).steps
    assert steps is not None
    assert (steps.head, steps.took, steps.steps[0].told) == ("1 step", "", "no answer yet")


def test_a_step_that_moved_something_says_how_many() -> None:
    steps = last(chat.READING, chat.call(1), chat.result(1, changed=3)).steps
    assert steps is not None
    assert steps.steps[0].told == "3 项换了位置"


@pytest.mark.parametrize("arguments", ["nonsense", "[1]", ""])
def test_a_call_is_told_whatever_its_arguments_are(arguments: str) -> None:
    assert call_words(chat.call(1, "look", arguments)).startswith("look(")
    assert len(call_words(chat.call(1, "look", '{"a": "' + "字" * 1000 + '"}'))) == 300


def test_a_long_text_is_cut() -> None:
    assert cut("字" * 9, 9) == "字" * 9
    assert cut("字" * 10, 9) == "字" * 8 + "…"


def test_the_difference_so_far_is_told_day_by_day_by_more_than_colour() -> None:
    diff = last(*chat.WORKING).diff
    assert diff is not None
    assert (diff.head, diff.is_short) == ("周二 3–4 节，新增 1 项", True)
    (day,) = diff.weeks[0].days
    assert (diff.weeks[0].title, day.title) == ("第 13 周", "周二 12/1")
    (line,) = day.lines
    assert (line.mark, line.symbol, line.word, line.place) == (Mark.ADD, "plus", "新增", "3–4 节")


def test_many_changes_are_counted_by_kind() -> None:
    diff = last(chat.READING, chat.so_far(chat.many())).diff
    assert diff is not None
    assert diff.head == "新增 9 项，移动 1 项，压缩 1 项，撤下 1 项"
    assert (diff.pending, diff.is_short) == ("还有 2 项没有位置", False)
    lines = [line for day in diff.weeks[0].days for line in day.lines]
    by_name = {line.name: line for line in lines}
    assert by_name["英语听力精练"].was == "原在周一 9–10 节"
    assert (by_name["旧安排"].mark, by_name["旧安排"].was) == (Mark.LEAVING, "")
    assert len(lines) == 12


def test_what_goes_into_a_class_says_so() -> None:
    embedded = chat.change("c1", host=5, kind=change_pb2.CHANGE_TYPE_EMBED)
    diff = last(chat.READING, chat_pb2.Diff(lines=[chat.line(embedded)]), locale=EN).diff
    assert diff is not None
    (line,) = diff.weeks[0].days[0].lines
    assert (line.word, line.inside) == ("Added", "inside a class")


def test_a_yes_or_no_takes_the_place_of_the_difference_so_far() -> None:
    shown = last(*chat.PROPOSED)
    assert shown.diff is None
    assert shown.works == ""
    confirm = shown.confirm
    assert confirm is not None
    assert (confirm.state, confirm.chip) == ("open", "还没有写入")
    assert (confirm.accept, confirm.decline) == ("确认，排到周二 3–4 节", "先不排")
    assert confirm.weeks == ()
    assert confirm.boards is not None
    (cut_,) = confirm.boards.cuts
    assert cut_.pair.after is not None
    assert [row.number for row in cut_.rows] == [1, 2, 3, 4, 5]
    course, added = cut_.pair.after.blocks
    assert (course.mark, added.mark) == (Mark.COURSE, Mark.ADD)
    assert (added.chip, added.detail) == ("新增", "10:15–11:55")
    assert added.title == "线代复习1"
    assert added.label == "周二，3–4 节，10:15–11:55，新增："
    assert confirm.marks == (Mark.COURSE, Mark.ADD)


def test_days_that_do_not_fit_side_by_side_stand_two_by_two() -> None:
    confirm = last(chat.READING, chat.confirm(chat.many())).confirm
    assert confirm is not None
    (week,) = confirm.weeks
    assert confirm.boards is None
    assert week.lines is not None
    assert week.cuts is not None
    assert (week.title, week.is_open, confirm.pending) == ("第 13 周", True, "还有 2 项没有位置")
    assert week.lines.head == "新增 9 项，移动 1 项，压缩 1 项，撤下 1 项"
    assert [len(cut.pair.before.columns) for cut in week.cuts.cuts] == [2, 2, 2]
    assert confirm.accept == "确认这 12 处改动"
    before = [block for cut in week.cuts.cuts for block in cut.pair.before.blocks]
    gone = {block.title: block.detail for block in before if block.mark is Mark.LEAVING}
    assert gone["英语听力精练"] == "将移到周五 9–10 节"
    assert gone["旧安排"] == "将撤下"
    after = [
        block
        for cut in week.cuts.cuts
        for block in (cut.pair.after.blocks if cut.pair.after else ())
    ]
    squeezed = next(block for block in after if block.mark is Mark.SQUEEZE)
    assert squeezed.chip == "1 节 · 原有 2 节"


def test_a_block_is_never_cut_and_days_of_no_semester_are_left_out() -> None:
    long = chat.block("实验", 4, 9, course=True)
    diff = chat.one_added()
    diff.days[0].before.append(long)
    other = chat_pb2.DiffDay(date="2030-01-01", week=1, day_of_week=2)
    diff.days.append(other)
    confirm = last(chat.READING, chat.confirm(diff)).confirm
    assert confirm is not None
    assert confirm.boards is not None
    (cut_,) = confirm.boards.cuts
    assert len(cut_.pair.before.columns) == 1
    assert [row.number for row in cut_.rows] == list(range(1, 10))


def test_without_a_semester_the_list_of_changes_stands_alone() -> None:
    alone = Speaker(ZH, Calendar([]), samples.NOW)
    confirm = alone.turn(run_of(*chat.PROPOSED)).segments[-1].confirm
    assert confirm is not None
    assert confirm.boards is None
    (week,) = confirm.weeks
    assert (week.cuts, week.lines is None) == (None, False)


def test_of_very_many_changes_the_first_week_is_unfolded() -> None:
    lines = [chat.line(chat.change(f"c{n}", (n % 6 + 1, 3, 4))) for n in range(30)]
    for line in lines[10:]:
        line.change.to.week = 14
    confirm = last(chat.READING, chat.confirm(chat_pb2.Diff(lines=lines))).confirm
    assert confirm is not None
    assert [(week.title, week.is_open) for week in confirm.weeks] == [
        ("第 13 周", True),
        ("第 14 周", False),
    ]


MOVED = chat.line(chat.change("m", (2, 3, 4), (1, 3, 4), change_pb2.CHANGE_TYPE_MOVE))


@pytest.mark.parametrize(
    ("lines", "words"),
    [
        ([chat.line(chat.change("a")), chat.line(chat.change("b"))], "确认，排入 2 项"),
        ([chat.line(chat.change("a")), MOVED], "确认，排入 1 项并移动 1 项"),
        ([MOVED, MOVED], "确认，移动 2 项"),
        ([MOVED], "确认，排到周二 3–4 节"),
        ([chat.line(chat.change("x", None, (4, 9, 10)))], "确认这 1 处改动"),
        ([], "确认这 0 处改动"),
    ],
)
def test_the_button_says_what_it_does(lines: list[chat_pb2.DiffLine], words: str) -> None:
    confirm = last(chat.READING, chat.confirm(chat_pb2.Diff(lines=lines))).confirm
    assert confirm is not None
    assert confirm.accept == words


def test_steps_to_agree_on_and_a_thing_to_do_have_buttons_of_their_own() -> None:
    plan = last(chat.READING, chat.steps()).confirm
    assert plan is not None
    assert plan.steps == (("先排线代", "做到：四章都有位置"), ("再排概率", ""))
    assert (plan.head, plan.accept, plan.chip) == ("打算这样做", "就按这些步骤", "等你决定")
    tool = last(chat.READING, chat.to_do()).confirm
    assert tool is not None
    assert (tool.call, tool.decline) == ('create_task(title="交概率论作业")', "不用")


@pytest.mark.parametrize(
    ("after", "state"),
    [
        ((chat.status("accepted"),), "accepted"),
        ((chat.status("accepted"), chat.outcome()), "written"),
        ((chat.status("accepted"), chat.status("refused"), chat.confirm(number=2)), "overtaken"),
        ((chat.status("accepted"), chat.outcome(code="order_broken", apply_id="")), "overtaken"),
        ((chat.status("rejected"), chat.outcome(apply_id="")), "rejected"),
        ((), "open"),
    ],
)
def test_what_became_of_a_yes_or_no(after: tuple[object, ...], state: str) -> None:
    run = run_of(*chat.PROPOSED, *after, mine=[chat.SENTENCE, "接受"])
    assert became(run, run.segments[0]) == state


def test_steps_that_were_agreed_on_are_not_written() -> None:
    run = run_of(chat.READING, chat.steps(), chat.status("accepted"), chat.outcome())
    assert became(run, run.segments[0]) == "accepted"


ENDS = {
    "written": (chat.outcome(), ("check", "ok", "已写入", "/week?date=2026-12-01", "")),
    "answered": (chat.outcome(code="answered", message="", apply_id=""), None),
    "told": (
        chat.outcome(code="noted", message="记下了 1 条", apply_id=""),
        ("check", "", "记下了 1 条", "", ""),
    ),
    "declined": (
        chat.outcome(chat_pb2.OUTCOME_KIND_ABORTED, "declined", "已写入日程，共1处改动。", ""),
        ("info", "", "日程没有变动", "", ""),
    ),
    "exhausted": (
        chat.outcome(chat_pb2.OUTCOME_KIND_EXHAUSTED, "rounds", "轮数用完了", ""),
        ("clock", "", "轮数用完了", "", "继续"),
    ),
}


@pytest.mark.parametrize("name", ENDS)
def test_how_it_ended_is_said_once(name: str) -> None:
    outcome, wanted = ENDS[name]
    end = last(*chat.WRITTEN[:-1], outcome, live=False).end
    told = end and (end.icon, end.tone, end.text, end.href, end.goes_on)
    assert told == wanted


def test_where_it_is_is_told_while_it_works() -> None:
    assert last(*chat.WORKING).works == "在调整 · 第 2 轮"
    assert last(*chat.WORKING, locale=EN).works == "Adjusting · round 2"
    assert last(*chat.WORKING, live=False).works == ""
    assert last(*chat.WRITTEN).works == ""


def test_a_card_leads_to_its_suggestion() -> None:
    (card,) = last(chat.READING, chat.card()).lead
    assert (card.kind, card.title) == ("card", "实验报告")
    assert card.href == "/active-schedule/previews/asp_0192f3"
