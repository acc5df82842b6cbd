"""The notice of the preview page: how things stand, and what can be done next."""

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from datetime import datetime
from urllib.parse import quote

from services.gateway.domain.locale import Locale
from services.gateway.domain.messages import has, say
from services.gateway.domain.places import moment
from services.gateway.wire import look_page
from services.gateway.wire.calendar import Calendar, instant
from services.gateway.wire.look_page import LOOKS
from services.gateway.wire.question import Asked
from services.gateway.wire.refusals import RefusalWords
from smartmate.active_scheduler.v1 import edit_pb2, preview_pb2, trigger_pb2
from smartmate.schedule.v1 import apply_pb2

PREVIEWS = "/active-schedule/previews"


@dataclass(frozen=True, slots=True)
class Act:
    """A way on."""

    label: str
    href: str


# Refusals after which another place may do.
_PLACE_WAS_WRONG = frozenset(
    {
        apply_pb2.REFUSAL_CODE_BASE_VERSION_CHANGED,
        apply_pb2.REFUSAL_CODE_SLOT_CONFLICT,
        apply_pb2.REFUSAL_CODE_IN_THE_PAST,
        apply_pb2.REFUSAL_CODE_OUT_OF_SEMESTER,
        apply_pb2.REFUSAL_CODE_INVALID_EDITED_CHANGES,
        apply_pb2.REFUSAL_CODE_EXPIRED,
    }
)
_SETTLED = frozenset(
    {
        edit_pb2.SHUT_CODE_TARGET_COMPLETED,
        edit_pb2.SHUT_CODE_TARGET_ALREADY_SCHEDULED,
        edit_pb2.SHUT_CODE_TARGET_NOT_FOUND,
    }
)
"""Where no other suggestion is needed either."""


@dataclass(frozen=True, slots=True)
class Notice:
    """`tone` is ok, warn or empty; `icon` names a symbol of the sprite; `lines` are what differs,
    one by one; `regenerate` is the label of the button that asks for a new look, empty where there
    is none."""

    tone: str
    icon: str
    head: str
    more: str = ""
    acts: tuple[Act, ...] = ()
    regenerate: str = ""
    lines: tuple[str, ...] = ()
    is_main: bool = False
    """What it offers first is what there is to do on the page."""


@dataclass(frozen=True, slots=True)
class Notices:
    """Chooses the notice of one preview.

    `told` is the code of what a form just met, `newer` the open suggestion about the same thing,
    `names` are those of the blocks that are known, by id; `stale` is why what it proposes at
    `place` would be refused as things stand; `look` is what follows up the answer to `question`.
    """

    locale: Locale
    calendar: Calendar
    now: datetime
    preview: preview_pb2.Preview
    told: str = ""
    newer: str = ""
    names: Mapping[int, str] = field(default_factory=dict)
    stale: edit_pb2.ShutReason | None = None
    place: str = ""
    question: Asked | None = None
    look: trigger_pb2.TriggerRecord | None = None

    def notice(self, written: str) -> Notice | None:
        """The one notice that the page shows; `written` says where an applied one stands."""
        state = self.preview.state
        if state == preview_pb2.PREVIEW_STATE_READY:
            return (
                self._answered()
                or self._told()
                or self._refused()
                or self._stale()
                or self._by_action()
            )
        if state == preview_pb2.PREVIEW_STATE_APPLIED:
            return self._applied(written)
        if state == preview_pb2.PREVIEW_STATE_EXPIRED:
            return self._answered() or self._expired()
        if state == preview_pb2.PREVIEW_STATE_SUPERSEDED:
            return self._superseded()
        if state == preview_pb2.PREVIEW_STATE_IGNORED:
            return self._of(
                "ignored", icon="minus", acts=(self._week_link(),), again="button.regenerate"
            )
        return self._of("applying", icon="spin")

    def _superseded(self) -> Notice:
        acts = (*self._newer(), self._week_link())
        notice = replace(self._of("superseded", icon="swap", acts=acts), is_main=len(acts) > 1)
        if self.question is None or not self.question.is_answered:
            return notice
        first = self._say("question.found") if self.newer else notice.more
        return replace(notice, more=first)

    def _answered(self) -> Notice | None:
        """What was answered, and what has come of it."""
        if self.question is None or not self.question.is_answered:
            return None
        is_late = self.told == "already_answered"
        key = "question.first_counts" if is_late else "question.answered"
        head, look = self._say(key, answer=self.question.answer), self.look
        if look is None:
            return Notice("", "check", head, self._say("question.looking"))
        if not look.HasField("finish_time"):
            act = Act(self._say("question.follow"), _path(LOOKS, look.trigger_id))
            return Notice("", "spin", head, self._say("question.looking"), (act,))
        if look.preview_id:
            act = Act(self._say("button.open_newer"), _path(PREVIEWS, look.preview_id))
            return Notice("", "swap", head, self._say("question.found"), (act,), is_main=True)
        more = look_page.outcome(self.locale, look) + self._say("stop")
        return Notice("", "info", head, more, (self._week_link(),))

    def _newer(self) -> tuple[Act, ...]:
        """To the newer suggestion where it is open."""
        if not self.newer:
            return ()
        return (Act(self._say("button.open_newer"), _path(PREVIEWS, self.newer)),)

    def _say(self, key: str, **values: object) -> str:
        return say(self.locale, key, **values)

    def _of(self, name: str, *, icon: str, acts: tuple[Act, ...] = (), again: str = "") -> Notice:
        more = f"state.{name}_more"
        return Notice(
            "",
            icon,
            self._say(f"state.{name}"),
            self._say(more) if has(more) else "",
            acts,
            regenerate=self._say(again) if again else "",
        )

    def _week_link(self, week: int = 0) -> Act:
        return Act(self._say("button.back_to_week"), f"/week?week={week}" if week else "/week")

    def _told(self) -> Notice | None:
        for key in (f"notice.{self.told}", f"refusal.{self.told}"):
            if self.told and has(key):
                head = self._say(key, place="", name="", title=self.preview.target_title)
                return Notice("warn", "warn", head, self._say("refusal.unchanged"))
        return None

    def _refused(self) -> Notice | None:
        if not self.preview.last_refusals:
            return None
        speaker = RefusalWords(self.locale, self.calendar, self.now, self.preview, self.names)
        first = self.preview.last_refusals[0]
        acts = (Act(self._say("button.see_week"), "/week"),)
        return Notice(
            "warn",
            "warn",
            speaker.head(first),
            speaker.more(first),
            acts,
            regenerate=self._say("button.replan") if first.code in _PLACE_WAS_WRONG else "",
            lines=speaker.lines(first),
        )

    def _stale(self) -> Notice | None:
        """What came between, before anybody pressed a button."""
        if self.stale is None:
            return None
        name = edit_pb2.ShutCode.Name(self.stale.code).removeprefix("SHUT_CODE_").lower()
        key = f"stale.{name}" if has(f"stale.{name}") else "stale.other"
        values = {"place": self.place, "name": self.stale.event_name}
        helps = self.stale.code not in _SETTLED
        return Notice(
            "warn" if helps else "",
            "warn" if helps else "info",
            self._say(key, title=self.preview.target_title, **values),
            self._say("stale.elsewhere" if self.stale.event_id and helps else "refusal.unchanged"),
            (Act(self._say("button.see_week"), "/week"),),
            regenerate=self._say("button.replan") if helps else "",
        )

    def _by_action(self) -> Notice | None:
        action = self.preview.action
        if action == preview_pb2.DECISION_ACTION_NOTIFY_ONLY:
            return self._of("notify_only", icon="info", again="button.replan")
        if action == preview_pb2.DECISION_ACTION_ASK_USER and self.question is None:
            return self._of("question", icon="info")
        if action == preview_pb2.DECISION_ACTION_CLOSE:
            return self._of("close", icon="check")
        return None

    def _applied(self, written: str) -> Notice:
        if self.preview.HasField("undo_time"):
            return self._undone()
        head = (
            self._say("state.applied", place=written)
            if written
            else self._say("state.applied_many")
        )
        more = self._say("state.applied_more", name=self.preview.target_title)
        link = Act(self._say("button.see_week"), self._week_of_target())
        return Notice("ok", "check", head, more, (link,))

    def _undone(self) -> Notice:
        """What it wrote was taken back, on another way than this page."""
        at = instant(self.preview.undo_time)
        time = moment(self.locale, at, self.calendar.zone, today=self.calendar.today(self.now))
        head, more = self._say("state.undone", time=time), self._say("state.undone_more")
        link = Act(self._say("button.see_week"), self._week_of_target())
        return Notice("", "back", head, more, (link,))

    def _week_of_target(self) -> str:
        weeks = {
            change.to.week
            for candidate in self.preview.candidates
            for change in candidate.changes
            if change.HasField("to")
        }
        # Candidates of two weeks: only the schedule itself knows, and the week page asks it.
        return f"/week?week={weeks.pop()}" if len(weeks) == 1 else "/week"

    def _expired(self) -> Notice:
        expired = instant(self.preview.expire_time)
        zone, today = self.calendar.zone, self.calendar.today(self.now)
        time = moment(self.locale, expired, zone, today=today)
        return Notice(
            "",
            "clock",
            self._say("state.expired", time=time),
            self._say("state.expired_more"),
            regenerate=self._say("button.regenerate"),
            is_main=True,
        )


def _path(root: str, id_: str) -> str:
    return f"{root}/{quote(id_, safe='')}"
