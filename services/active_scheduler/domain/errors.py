"""What can go wrong, as facts.

ActiveSchedulerError
├── Absent                  nothing of that id for this user
│   ├── TriggerNotFound
│   ├── PreviewNotFound
│   ├── CandidateNotFound
│   └── TargetNotFound
├── StateForbids            the preview's state does not allow it
│   ├── PreviewExpired  PreviewIgnored  PreviewSuperseded  PreviewApplying  PreviewApplied
│   ├── NothingToConfirm  NoQuestion
│   └── MockTimeInThePast
├── AnswerNotOffered        an answer that the question does not offer
├── InvalidEdit             edited changes that are not an edit of the candidate
├── UnsupportedTarget       a kind of target that this trigger cannot look at
├── AssistantFailed         the agent service gave no choice; templates speak
├── Busy                    another process holds the trigger's lease
└── ShuttingDown            this replica ends; call again
"""

from collections.abc import Mapping


class ActiveSchedulerError(Exception):
    """Root of the tree; `reason` is the code of the specification."""

    reason = "active_scheduler_error"

    @property
    def metadata(self) -> Mapping[str, str]:
        """Facts for programs."""
        return {}


class Absent(ActiveSchedulerError):
    """Nothing of that id for this user, whether it is another's or nobody's."""

    def __init__(self, id_: str) -> None:
        super().__init__(id_)
        self.id = id_


class TriggerNotFound(Absent):
    reason = "trigger_not_found"


class PreviewNotFound(Absent):
    reason = "preview_not_found"


class CandidateNotFound(Absent):
    reason = "candidate_not_found"


class TargetNotFound(Absent):
    reason = "target_not_found"


class StateForbids(ActiveSchedulerError):
    """The state of the preview does not allow what was asked."""

    reason = "state_forbids"


class PreviewExpired(StateForbids):
    reason = "preview_expired"


class PreviewIgnored(StateForbids):
    reason = "preview_ignored"


class PreviewSuperseded(StateForbids):
    reason = "preview_superseded"


class PreviewApplying(StateForbids):
    reason = "preview_applying"


class PreviewApplied(StateForbids):
    reason = "preview_applied"


class NothingToConfirm(StateForbids):
    reason = "nothing_to_confirm"


class NoQuestion(StateForbids):
    reason = "no_question"


class MockTimeInThePast(StateForbids):
    reason = "mock_time_in_the_past"


class AnswerNotOffered(ActiveSchedulerError):
    """The question does not offer this answer."""

    reason = "answer_not_offered"

    def __init__(self, choice_id: str) -> None:
        super().__init__(choice_id)
        self.choice_id = choice_id

    @property
    def metadata(self) -> Mapping[str, str]:
        return {"choice_id": self.choice_id}


class InvalidEdit(ActiveSchedulerError):
    """Edited changes that alter more than the place of an editable change."""

    reason = "invalid_edited_changes"

    def __init__(self, change_id: str, problem: str) -> None:
        super().__init__(f"{change_id}: {problem}")
        self.change_id = change_id
        self.problem = problem

    @property
    def metadata(self) -> Mapping[str, str]:
        return {"change_id": self.change_id, "problem": self.problem}


class UnsupportedTarget(ActiveSchedulerError):
    """This trigger type cannot look at a target of that kind."""

    reason = "unsupported_target"


class AssistantFailed(ActiveSchedulerError):
    """The agent service gave no choice in time; the template's words are there."""

    def __init__(self, reason: str, problem: str) -> None:
        super().__init__(problem)
        self.reason = reason
        self.problem = problem


class Busy(ActiveSchedulerError):
    """Another process works on the trigger under a lease that has not lapsed."""

    reason = "busy"


class ShuttingDown(ActiveSchedulerError):
    """This replica ends; another one answers."""

    reason = "shutting_down"
