"""A trial run in words: plans, items that do not fit, and why a confirmed one was not written."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import datetime

from services.gateway.domain.locale import Locale
from services.gateway.domain.messages import has, say
from services.gateway.wire.calendar import Calendar
from services.gateway.wire.refusals import RefusalWords
from services.gateway.wire.told import Told
from smartmate.active_scheduler.v1 import preview_pb2
from smartmate.schedule.v1 import apply_pb2, rough_build_pb2, task_class_pb2

_MOST_NAMED = 3
_MOST_ITEMS = 5
_MOST_REFUSALS = 5


@dataclass(frozen=True, slots=True)
class Unfit:
    """Items of one plan without a place: which, why, and the numbers behind that."""

    class_id: int
    class_name: str
    items: str
    reason: str
    numbers: str
    takers: str


@dataclass(frozen=True, slots=True)
class PlanNote:
    """What became of a plan: the length of its items, and what had to be put right."""

    class_id: int
    name: str
    facts: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class RoughWords:
    """Speaks of the plans of one trial run."""

    locale: Locale
    classes: Sequence[task_class_pb2.TaskClass]

    @property
    def title(self) -> str:
        """What the page is about."""
        return self._say("build.of", names=self.names)

    @property
    def names(self) -> str:
        """The plans by name; the first few of many."""
        names = [one.name for one in self.classes[:_MOST_NAMED]]
        more = "…" if len(self.classes) > _MOST_NAMED else ""
        return self._joined(names) + more

    def unfit(self, found: Sequence[rough_build_pb2.UnplacedItem]) -> tuple[Unfit, ...]:
        """The items that have no place; those for which the same holds are told as one."""
        alike: dict[Unfit, list[str]] = {}
        for one in found:
            alike.setdefault(self._unfit(one), []).append(one.content)
        return tuple(
            replace(unfit, items=self._items(contents)) for unfit, contents in alike.items()
        )

    def _unfit(self, one: rough_build_pb2.UnplacedItem) -> Unfit:
        values = {
            "needed": one.needed_sections,
            "waiting": one.waiting_items,
            "short": one.short_sections,
            "days": one.day_count,
            "longest": one.longest_run_sections,
        }
        code = rough_build_pb2.ShortageCode.Name(one.code).removeprefix("SHORTAGE_CODE_").lower()
        key = f"shortage.{code}" if has(f"shortage.{code}") else "shortage.no_room"
        return Unfit(
            class_id=one.task_class_id,
            class_name=self._names.get(one.task_class_id, ""),
            items="",
            reason=self._say(key, **values),
            numbers=self._numbers(one),
            takers=self._takers(one.takers),
        )

    def skipped(self, one: task_class_pb2.SkippedTaskClass) -> tuple[int, str, str]:
        """(id, name, why) of a plan that was left out."""
        name = task_class_pb2.TaskClassSkipReason.Name(one.reason)
        key = f"skip.{name.removeprefix('TASK_CLASS_SKIP_REASON_').lower()}"
        words = self._say(key if has(key) else "skip.unspecified")
        return one.task_class_id, one.name, words

    def report(self, one: rough_build_pb2.RoughClassReport) -> PlanNote:
        """What became of a plan."""
        each = self._say(
            "class.each_1" if one.item_sections == 1 else "class.each", n=one.item_sections
        )
        facts = [each]
        if one.remaining_sections > 0:
            facts.append(self._say("build.remainder", n=one.remaining_sections))
        elif one.remaining_sections < 0:
            facts.append(self._say("build.overdrawn", n=-one.remaining_sections))
        facts += [self._repaired(repair) for repair in one.order_repairs]
        name = self._names.get(one.task_class_id, "")
        return PlanNote(one.task_class_id, name, tuple(facts))

    def _repaired(self, one: task_class_pb2.OrderRepair) -> str:
        item = self._contents.get(one.task_item_id, "")
        if one.HasField("given_order"):
            return self._say("build.repaired_from", item=item, given=one.given_order, n=one.order)
        return self._say("build.repaired", item=item, n=one.order)

    def _items(self, contents: Sequence[str]) -> str:
        """Items by name, the first few of many."""
        named = self._joined(contents[:_MOST_ITEMS])
        if len(contents) <= _MOST_ITEMS:
            return named
        return self._say("shortage.items", names=named, n=len(contents))

    def _numbers(self, one: rough_build_pb2.UnplacedItem) -> str:
        """Where the sections of the plan's days went; what is none is not told."""
        days = one.day_count
        if not days:
            return ""
        head = self._say("shortage.in_days_1" if days == 1 else "shortage.in_days", n=days)
        parts = [
            self._say(key, n=count)
            for key, count in (
                ("shortage.taken", one.taken_sections),
                ("shortage.excluded", one.excluded_sections),
                ("shortage.planned", one.planned_sections),
            )
            if count
        ]
        left = self._say("shortage.left", n=one.free_sections)
        return head + (", " if self.locale is Locale.EN else "，").join([*parts, left])

    def _takers(self, takers: Sequence[rough_build_pb2.RoomTaker]) -> str:
        if not takers:
            return ""
        nameless = self._say("shortage.nameless")
        names = [
            self._say("shortage.taker", name=one.name or nameless, n=one.sections) for one in takers
        ]
        return self._say("shortage.takers", names=self._joined(names))

    @property
    def _names(self) -> Mapping[int, str]:
        return {one.task_class_id: one.name for one in self.classes}

    @property
    def _contents(self) -> Mapping[int, str]:
        return {item.task_item_id: item.content for one in self.classes for item in one.items}

    def _joined(self, names: Sequence[str]) -> str:
        return (", " if self.locale is Locale.EN else "、").join(names)

    def _say(self, key: str, **values: object) -> str:
        return say(self.locale, key, **values)


@dataclass(frozen=True, slots=True)
class RefusedWords:
    """Why the plan that was confirmed was not written.

    `title` names what was planned, `contents` the items by their id, `names` the blocks that are
    known.
    """

    locale: Locale
    calendar: Calendar
    now: datetime
    title: str
    contents: Mapping[int, str]
    names: Mapping[int, str]

    def told(self, verdict: apply_pb2.ApplyVerdict) -> tuple[Told, tuple[str, ...]]:
        """The notice, and what is not as it was, line by line."""
        heads = [self._words(one).head(one) for one in verdict.refusals]
        lines = [line for one in verdict.refusals for line in self._words(one).lines(one)]
        head, *others = dict.fromkeys(heads) or (say(self.locale, "refusal.this_place"),)
        every = tuple(dict.fromkeys([*others, *lines]))
        told = every[:_MOST_REFUSALS]
        if left := len(every) - len(told):
            told = (*told, say(self.locale, "build.refused_more", n=left))
        parts = (say(self.locale, "refusal.unchanged"), say(self.locale, "build.anew"))
        return Told("warn", "warn", head, "".join(parts)), told

    def _words(self, one: apply_pb2.Refusal) -> RefusalWords:
        item = int(one.change_id) if one.change_id.isdecimal() else 0
        about = preview_pb2.Preview(target_title=self.contents.get(item, self.title))
        return RefusalWords(self.locale, self.calendar, self.now, about, self.names)
