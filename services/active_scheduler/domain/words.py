"""Template words: calm, factual, Chinese first. The model may word a preview better, never
differently in substance. Tone and terms follow the design's copy table."""

from collections.abc import Iterator, Sequence
from datetime import datetime

from libs.planning.calendar import DEFAULT_TIME_ZONE, Semester
from services.active_scheduler.domain import observation
from services.active_scheduler.domain.candidates import Family, Proposal
from services.active_scheduler.domain.facts import Facts
from services.active_scheduler.domain.observation import Decision, Metrics
from services.active_scheduler.domain.text import Text, counted, instant_words

_TITLE_LENGTH = 60

_WHY_HERE = {
    Family.EARLIEST: Text("这是最早放得下的位置。", "It is the earliest place that fits."),
    Family.LAST_SAFE: Text(
        "这是接下来 24 小时里、截止前最晚仍稳妥的位置。",
        "Of the next 24 hours, it is the latest place that is still safe before the deadline.",
    ),
    Family.BEST_MATCH: Text(
        "放得下它的位置里，这里最合你的偏好。",
        "Of the places that have room for it, this one fits your preferences best.",
    ),
    Family.LEAST_DISTURBANCE: Text(
        "放得下它的日子里，那一天排得最松。",
        "Of the days that have room for it, that day is the least busy.",
    ),
}


def title(facts: Facts) -> str:
    """The target's title, cut for a sentence."""
    full = facts.target.title
    return full if len(full) <= _TITLE_LENGTH else full[: _TITLE_LENGTH - 1] + "…"


def zone_of(facts: Facts) -> str:
    """The zone that instants are told in: that of the first semester which has not ended, else
    of the last one. A block of long ago may have brought an old semester along."""
    return zone_among(facts.world.grid.semesters, facts.now)


def zone_among(semesters: Sequence[Semester], now: datetime) -> str:
    """The same for semesters that are known, earliest first."""
    if not semesters:
        return DEFAULT_TIME_ZONE
    living = (one for one in semesters if one.today(now) <= one.last_day)
    return next(living, semesters[-1]).time_zone


def proposal_reason(proposal: Proposal) -> Text:
    """Why there."""
    why = why_here(proposal.family)
    return Text(why.zh + "其他安排都不用动。", why.en + " Nothing else has to move.")


def why_here(family: Family) -> Text:
    """What a place of this family has."""
    return _WHY_HERE[family]


def proposal_risk(facts: Facts, proposal: Proposal) -> Text:
    """What may go wrong; empty where nothing is to be said."""
    parts = []
    if proposal.starts_soon:
        parts.append(Text("很快就要开始。", "It starts very soon."))
    if proposal.tight:
        parts.append(
            Text("离截止不到两小时。", "It leaves less than two hours before the deadline.")
        )
    if facts.deadline_passed:
        parts.append(Text("截止时间已经过了。", "The deadline has passed already."))
    return joined(parts)


def notice(facts: Facts, decision: Decision, metrics: Metrics) -> Text:
    """For a decision that only tells: what took the room."""
    name = title(facts)
    if decision.reason == "no_window":
        return Text(
            f"「{name}」还没有排进日程，接下来 24 小时里没有任何学期的节次。",
            f"“{name}” is not scheduled, and no section of any semester lies in the next 24 hours.",
        )
    span = observation.span(facts)
    return Text(
        f"「{name}」还没有排进日程，{span.zh}没有连续 {metrics.needed} 节的空闲，"
        f"最长是 {metrics.longest_run} 节；接下来 24 小时里课程占 {metrics.taken_by_courses} 节，"
        f"任务占 {metrics.taken_by_tasks} 节。",
        f"“{name}” is not scheduled. It needs {counted(metrics.needed)} in a row; the longest "
        f"free run {span.en} is {metrics.longest_run}. In the next 24 hours courses take "
        f"{counted(metrics.taken_by_courses)}, tasks {metrics.taken_by_tasks}.",
    )


def why(facts: Facts, metrics: Metrics) -> tuple[Text, ...]:
    """Why it fired, fact by fact."""
    return tuple(_why(facts, metrics))


def _why(facts: Facts, metrics: Metrics) -> Iterator[Text]:
    zone = zone_of(facts)
    yield Text(
        "它在「重要且紧急」里，还没有排进日程。", "It is urgent and important, and not scheduled."
    )
    if facts.threshold is not None:
        at = instant_words(facts.threshold, zone)
        yield Text(f"你设的紧急时间是 {at.zh}。", f"You set its urgency time to {at.en}.")
    if facts.target.deadline is not None:
        at = instant_words(facts.target.deadline, zone)
        was = "was" if facts.deadline_passed else "is"
        yield Text(f"截止时间是 {at.zh}。", f"It {was} due {at.en}.")
    yield from _length(facts, metrics)
    until = Text("截止前", " before the deadline") if facts.deadline_cuts_window else Text()
    yield Text(
        f"接下来 24 小时里有 {metrics.free} 节空闲，{until.zh}最长连续 {metrics.longest_run} 节。",
        f"The next 24 hours have {counted(metrics.free, 'free section')}, at most "
        f"{metrics.longest_run} in a row{until.en}.",
    )


def _length(facts: Facts, metrics: Metrics) -> Iterator[Text]:
    """What was assumed about the length, if anything was."""
    estimate = facts.target.estimated_sections
    if estimate is None:
        yield Text(
            f"没有估计过长度，按 {metrics.needed} 节估计。",
            f"Its length was never estimated; {counted(metrics.needed)} assumed.",
        )
    elif estimate != metrics.needed:
        yield Text(
            f"估计的长度是 {estimate} 节，按 {metrics.needed} 节安排。",
            f"Its estimated length is {counted(estimate)}; {counted(metrics.needed)} planned.",
        )


def inaction(facts: Facts) -> Text:
    """What happens if nothing is done, as plainly as the gain."""
    deadline: datetime | None = facts.target.deadline
    if deadline is None:
        return Text(
            "日程保持原样，它留在任务池里。",
            "Your schedule stays as it is and the task stays in the pool.",
        )
    at = instant_words(deadline, zone_of(facts))
    if facts.deadline_passed:
        return Text(
            f"日程保持原样。它的截止时间 {at.zh} 已经过了。",
            f"Your schedule stays as it is. It was due {at.en}.",
        )
    return Text(
        f"日程保持原样，{at.zh} 前要自己找时间做。",
        f"Your schedule stays as it is, and you find the time yourself before {at.en}.",
    )


def joined(parts: Sequence[Text]) -> Text:
    """Sentences one behind the other; those that say nothing are left out."""
    said = [part for part in parts if part]
    return Text("".join(part.zh for part in said), " ".join(part.en for part in said))
