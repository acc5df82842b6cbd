"""The words of proposals: what is proposed, why there, and what may go wrong.

Template words: calm, factual, Chinese first. Spec: active-scheduling.md, Candidates (compress:
the risk says that both are compressed; seed 001, 13.8: a wish that is not met is named).
"""

from collections.abc import Iterator

from libs.planning.calendar import Semester
from libs.planning.grid import Place
from libs.planning.reorder import BrokenWish, Moved, Wish
from services.active_scheduler.domain import question_words, words
from services.active_scheduler.domain.case import Case
from services.active_scheduler.domain.options import Option, OptionType
from services.active_scheduler.domain.text import SILENCE, Text, counted, place_words, sections

_STAYS = Text("没做完的那一块留在原处。", "The unfinished block stays where it was.")
_BROKEN = {
    Wish.EXCLUDED_DAY: Text(
        "{place}是任务类不排的日子。", "{place} is a day that its class keeps free."
    ),
    Wish.EXCLUDED_SLOT: Text(
        "{place}里有任务类不排的时段。", "{place} touches a time that its class keeps free."
    ),
    Wish.OTHER_DAY: Text("{place}不在偏好的日子里。", "{place} is not on a preferred day."),
    Wish.OTHER_TIME: Text("{place}不在偏好的时段里。", "{place} is not at a preferred time."),
}


def summary(case: Case, option: Option) -> Text:
    """What is proposed, as a question that can be answered by one click."""
    name, place = words.title(case.facts), _place(case, option.place)
    if option.type is OptionType.DROP:
        return Text(
            f"「{name}」先放下，撤下{place.zh}，可以吗？",
            f"Let “{name}” go for now and take it off {place.en}?",
        )
    if option.type is OptionType.COMPRESS:
        return _shared(case, option)
    if option.type is OptionType.SPLIT:
        return _in_two(case, option)
    moves = len(option.moved)
    if moves:
        return Text(
            f"「{name}」补在{place.zh}，后面的 {moves} 项往后移，可以吗？",
            f"Make “{name}” up at {place.en}, and move {counted(moves, 'later item')}?",
        )
    shorter = _shorter(case, option)
    if option.type is OptionType.ADD:
        return Text(
            f"「{name}」放到{place.zh}{shorter.zh}，可以吗？",
            f"Put “{name}” at {place.en}{shorter.en}?",
        )
    return Text(
        f"「{name}」补在{place.zh}{shorter.zh}，可以吗？",
        f"Make “{name}” up at {place.en}{shorter.en}?",
    )


def reason(case: Case, option: Option) -> Text:
    """Why there."""
    return words.joined([*_reasons(case, option)])


def _reasons(case: Case, option: Option) -> Iterator[Text]:
    if option.type is OptionType.ADD:
        yield words.proposal_reason(option.proposal)
    elif option.type is OptionType.DROP:
        yield Text("它已经几次没有做完。", "It was not finished several times.")
    elif option.type is OptionType.COMPRESS:
        yield Text(
            "没有别的空闲，下一项任务的位置可以两项分着用。",
            "There is no other room; the two can share the place of the next task.",
        )
    elif option.type is OptionType.SPLIT:
        yield Text("分开做，每次短一些。", "In parts, each of them is shorter.")
    elif option.type is OptionType.REORDER:
        yield from (_moved(case, one) for one in option.moved)
    else:
        yield words.why_here(option.family)
    if case.block is not None:
        yield _STAYS


def risk(case: Case, option: Option) -> Text:
    """What may go wrong; empty where nothing is to be said."""
    return words.joined([*_risks(case, option)])


def _risks(case: Case, option: Option) -> Iterator[Text]:
    if option.type is OptionType.DROP:
        return
    if option.type is OptionType.COMPRESS:
        yield _both_compressed(case, option)
    for broken in option.broken:
        yield _not_kept(case, broken)
    yield _late(case, option)
    yield words.proposal_risk(case.facts, option.proposal)


def _late(case: Case, option: Option) -> Text:
    """That it ends after the deadline that it was allowed to miss."""
    deadline = case.given.deadline_ahead
    ends_at = case.facts.world.grid.ends_at
    places = (*option.work, *(one.to for one in option.moved))
    if deadline is None or all(ends_at(place) <= deadline for place in places):
        return SILENCE
    return Text("要在截止之后才做完。", "It ends after the deadline.")


def _in_two(case: Case, option: Option) -> Text:
    name = words.title(case.facts)
    first, second = (_place(case, place) for place in option.work)
    return Text(
        f"「{name}」分成两次，{first.zh}和{second.zh}，可以吗？",
        f"Split “{name}” in two, {first.en} and {second.en}?",
    )


def _shared(case: Case, option: Option) -> Text:
    name, other = words.title(case.facts), option.other
    rest = option.changes[1].to
    if other is None or rest is None:
        raise AssertionError("a compression names the block that it shares")
    mine, theirs = _place(case, option.place), sections(rest)
    return Text(
        f"{mine.zh}补「{name}」，{theirs.zh}做「{other.name}」，可以吗？",
        f"Make “{name}” up at {mine.en}, and do “{other.name}” in {theirs.en}?",
    )


def _both_compressed(case: Case, option: Option) -> Text:
    other, needed = option.other, case.facts.needed_sections
    rest = option.changes[1].to
    if other is None or rest is None:
        raise AssertionError("a compression names the block that it shares")
    name, mine = words.title(case.facts), option.place.length
    had, left = other.place.length, rest.length
    wanted = Text(f"「{name}」占 {mine} 节", f"“{name}” gets {counted(mine)}")
    if mine < needed:
        wanted = Text(
            f"「{name}」需要 {needed} 节，只有 {mine} 节",
            f"“{name}” needs {counted(needed)} and gets {mine}",
        )
    return Text(
        f"两项都会被压缩在一块里：{wanted.zh}；「{other.name}」原有 {had} 节，剩 {left} 节。",
        f"Both are compressed into one block: {wanted.en}; “{other.name}” had {counted(had)} and "
        f"keeps {left}.",
    )


def _shorter(case: Case, option: Option) -> Text:
    """That it is shorter than what was planned, where it is."""
    block = case.block
    planned = case.given.needed_sections if block is None else block.place.length
    if option.place.length >= planned:
        return Text()
    return Text(
        f"（缩短成 {option.place.length} 节）", f", shortened to {counted(option.place.length)}"
    )


def _moved(case: Case, moved: Moved) -> Text:
    blocks = {block.id: block.name for block in case.facts.world.blocks}
    name = blocks.get(moved.event_id, "")
    before, after = _place(case, moved.from_), _place(case, moved.to)
    return Text(
        f"「{name}」从{before.zh}移到{after.zh}。",
        f"“{name}” moves from {before.en} to {after.en}.",
    )


def _not_kept(case: Case, broken: BrokenWish) -> Text:
    said, place = _BROKEN[broken.wish], _place(case, broken.place)
    return Text(said.zh.format(place=place.zh), said.en.format(place=place.en))


def _place(case: Case, place: Place) -> Text:
    """Weekday and sections; with the date where it lies more than six days ahead."""
    home: Semester | None = case.facts.world.grid.semester(place.semester_id)
    if home is None:
        raise AssertionError("a proposal lies in a semester of its world")
    days = (home.date_of(place.week, place.day) - home.today(case.facts.now)).days
    return place_words(place, home) if 0 <= days < 7 else question_words.place_of(case, place)
