"""The form of a study plan: its fields, and its items one a line in their order."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from pydantic import Field

from services.gateway.domain.item_lines import NEW, lines_of, matched, text_of
from services.gateway.domain.locale import Locale
from services.gateway.domain.messages import say
from services.gateway.wire.bodies import Body, Key
from services.gateway.wire.entered import Problems, Refused
from smartmate.schedule.v1 import schedule_service_pb2, task_class_pb2

LONGEST_TEXT = 100_000
MOST_ITEMS = 300
LONGEST_ITEM = 200
DAYS = 7
PAIRS = 8
"""More than the pairs of any bell."""
_LARGEST = 2**63 - 1
_YES = "yes"

MODES = ("TASK_CLASS_MODE_AUTO", "TASK_CLASS_MODE_MANUAL")
STRATEGIES = ("PLANNING_STRATEGY_STEADY", "PLANNING_STRATEGY_RAPID")
SUBJECTS = tuple(task_class_pb2.SubjectType.keys())
DIFFICULTIES = tuple(task_class_pb2.Difficulty.keys())
INTENSITIES = tuple(task_class_pb2.CognitiveIntensity.keys())
_CHOICES = {
    "mode": MODES,
    "strategy": STRATEGIES,
    "subject": SUBJECTS,
    "difficulty": DIFFICULTIES,
    "intensity": INTENSITIES,
}

_RULES = frozenset({"days", "pairs", "subject", "difficulty", "intensity", "mode"})
"""Fields that are folded away at first."""

FIELDS: Mapping[str, tuple[str, str]] = {
    "task_class.name": ("name", "problem.class_name"),
    "task_class.start_date": ("start", "problem.class_start"),
    "task_class.end_date": ("end", "problem.class_end"),
    "task_class.total_sections": ("total", "problem.class_total"),
    "task_class.excluded_days_of_week": ("days", "problem.class_days"),
    "task_class.excluded_pairs": ("pairs", "problem.class_pairs"),
    "task_class.items": ("lines", "problem.class_lines"),
}

TaskClass = task_class_pb2.TaskClass


class ClassForm(Body):
    """The fields as they are entered; days and pairs are the numbers that are ticked."""

    name: str = Field("", max_length=20_000)
    start: str = Field("", max_length=100)
    end: str = Field("", max_length=100)
    mode: str = Field(MODES[0], max_length=100)
    strategy: str = Field(STRATEGIES[0], max_length=100)
    total: str = Field("", max_length=100)
    filler: str = Field("", max_length=100)
    days: tuple[int, ...] = ()
    pairs: tuple[int, ...] = ()
    subject: str = Field(SUBJECTS[0], max_length=100)
    difficulty: str = Field(DIFFICULTIES[0], max_length=100)
    intensity: str = Field(INTENSITIES[0], max_length=100)
    lines: str = Field("", max_length=LONGEST_TEXT)
    version: int = Field(0, ge=0, le=_LARGEST)
    idempotency_key: Key = None


@dataclass(frozen=True, slots=True)
class Shown:
    """A form as the template is given it."""

    form: ClassForm
    problems: Mapping[str, str]

    def problem(self, name: str) -> str:
        """What is wrong at a field, or nothing."""
        return self.problems.get(name, "")

    @property
    def opens_rules(self) -> bool:
        """Whether anything stands in the part that is folded away at first."""
        form = self.form
        kinds = (form.subject, form.difficulty, form.intensity, form.mode)
        is_said = kinds != (SUBJECTS[0], DIFFICULTIES[0], INTENSITIES[0], MODES[0])
        return bool(form.days or form.pairs or is_said or self.problems.keys() & _RULES)

    @property
    def height(self) -> int:
        """Lines that the field of the items shows."""
        return min(max(len(lines_of(self.form.lines)) + 2, 8), 24)


def fields(given: Mapping[str, str]) -> dict[str, object]:
    """The fields of the form as the model has them: the ticks `day-3` and `pair-2` together."""
    days = {f"day-{n}": n for n in range(1, DAYS + 1)}
    pairs = {f"pair-{n}": n for n in range(1, PAIRS + 1)}
    kept: dict[str, object] = {
        name: value for name, value in given.items() if name not in days and name not in pairs
    }
    kept["days"] = tuple(n for name, n in days.items() if given.get(name) == _YES)
    kept["pairs"] = tuple(n for name, n in pairs.items() if given.get(name) == _YES)
    return kept


def of_class(found: TaskClass) -> ClassForm:
    """A stored plan as it is entered."""
    return ClassForm(
        name=found.name,
        start=found.start_date,
        end=found.end_date,
        mode=task_class_pb2.TaskClassMode.Name(found.mode),
        strategy=task_class_pb2.PlanningStrategy.Name(found.strategy),
        total=str(found.total_sections or ""),
        filler=_YES if found.allow_filler_course else "",
        days=tuple(found.excluded_days_of_week),
        pairs=tuple(found.excluded_pairs),
        subject=task_class_pb2.SubjectType.Name(found.subject_type),
        difficulty=task_class_pb2.Difficulty.Name(found.difficulty),
        intensity=task_class_pb2.CognitiveIntensity.Name(found.cognitive_intensity),
        lines=text_of([item.content for item in found.items]),
        version=found.version,
    )


def message(
    form: ClassForm, before: TaskClass | None = None
) -> schedule_service_pb2.TaskClassInput:
    """What is asked of the service. Raises Refused.

    Lines that are items of `before` keep their ids, and whether they are done.
    """
    problems = Problems()
    for name, known in _CHOICES.items():
        if getattr(form, name) not in known:
            problems.add(name, "problem.class_choice")
    total = form.total.strip() or "0"
    if not (total.isascii() and total.isdecimal() and len(total) <= 4):
        problems.add("total", "problem.class_total")
    lines = lines_of(form.lines)
    if not 1 <= len(lines) <= MOST_ITEMS or long_lines(form):
        problems.add("lines", "problem.class_lines")
    if problems.keys:
        raise Refused(problems)
    return schedule_service_pb2.TaskClassInput(
        name=form.name.strip(),
        mode=form.mode,
        strategy=form.strategy,
        start_date=form.start.strip(),
        end_date=form.end.strip(),
        total_sections=int(total),
        allow_filler_course=form.filler == _YES,
        excluded_pairs=form.pairs,
        excluded_days_of_week=form.days,
        subject_type=form.subject,
        difficulty=form.difficulty,
        cognitive_intensity=form.intensity,
        items=_items(lines, before),
    )


def as_stored(found: TaskClass) -> schedule_service_pb2.TaskClassInput:
    """A stored plan as its owner would state it."""
    return schedule_service_pb2.TaskClassInput(
        name=found.name,
        mode=found.mode,
        strategy=found.strategy,
        start_date=found.start_date,
        end_date=found.end_date,
        total_sections=found.total_sections,
        allow_filler_course=found.allow_filler_course,
        excluded_pairs=found.excluded_pairs,
        excluded_days_of_week=found.excluded_days_of_week,
        subject_type=found.subject_type,
        difficulty=found.difficulty,
        cognitive_intensity=found.cognitive_intensity,
        items=[
            schedule_service_pb2.TaskItemInput(
                task_item_id=item.task_item_id,
                content=item.content,
                order=item.order,
                done=item.done,
            )
            for item in found.items
        ],
    )


def with_item(
    found: TaskClass, item_id: int, *, done: bool
) -> schedule_service_pb2.TaskClassInput | None:
    """A stored plan in which one item is done, or open again; None where it has no such item."""
    stated = as_stored(found)
    item = next((one for one in stated.items if one.task_item_id == item_id), None)
    if item is None:
        return None
    item.done = done
    return stated


def long_lines(form: ClassForm) -> tuple[int, ...]:
    """Numbers of the lines that are too long, from 1."""
    lines = lines_of(form.lines)
    return tuple(n for n, line in enumerate(lines, start=1) if len(line) > LONGEST_ITEM)


def words_of(locale: Locale, form: ClassForm, problems: Problems) -> Mapping[str, str]:
    """The sentences at the fields; lines that are too long are named by their numbers."""
    words = dict(problems.words(locale))
    if "lines" in words and (found := long_lines(form)):
        joint = ", " if locale is Locale.EN else "、"
        lines = joint.join(str(number) for number in found[:10])
        words["lines"] = say(locale, "problem.class_long_lines", lines=lines)
    return words


def _items(
    lines: Sequence[str], before: TaskClass | None
) -> list[schedule_service_pb2.TaskItemInput]:
    known = {item.task_item_id: item for item in before.items} if before else {}
    ids = matched(lines, [(id_, item.content) for id_, item in known.items()])
    return [
        schedule_service_pb2.TaskItemInput(
            task_item_id=id_,
            content=_content(line, known[id_].content) if id_ != NEW else line,
            done=id_ != NEW and known[id_].done,
        )
        for line, id_ in zip(lines, ids, strict=True)
    ]


def _content(line: str, stored: str) -> str:
    """The line; what is shown otherwise than it is stored stays as it is stored."""
    return stored if text_of([stored]).strip() == line else line
