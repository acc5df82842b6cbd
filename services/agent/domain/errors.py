"""What can go wrong, as facts.

AgentError
├── MemoryNotFound          nothing of that id for this user
├── TooManyMemoryItems      the user has as many items as one may have
└── ModelFailed             the model gave nothing that can be used; templates speak instead
    ├── ModelTimedOut  ModelUnreachable  ModelRateLimited  ModelServerError
    ├── ModelRequestRefused     the endpoint wants another request, or another key
    ├── ModelAnswerUnreadable   an answer that is no completion
    ├── ModelDeclined           a refusal, or its content filter
    ├── ModelCutOff             the answer ended in the middle
    ├── ModelSaidNothing        a completion without words
    └── Mendable                what one restricted retry may mend
        ├── ModelAnswerInvalid      words that are not the JSON object asked for
        └── UnknownCandidate        an id that was not among the candidates
"""

from collections.abc import Mapping


class AgentError(Exception):
    """Root of the tree; `reason` is the code a caller switches on."""

    reason = "agent_error"

    @property
    def metadata(self) -> Mapping[str, str]:
        """What a caller may be told besides the reason."""
        return {}


class MemoryNotFound(AgentError):
    """Nothing of that id for this user, whether it is another's or nobody's."""

    reason = "memory_not_found"

    def __init__(self, id_: int) -> None:
        super().__init__(str(id_))
        self.id = id_


class TooManyMemoryItems(AgentError):
    """The user has as many items as one may have."""

    reason = "too_many_memory_items"

    def __init__(self, most: int) -> None:
        super().__init__(str(most))
        self.most = most

    @property
    def metadata(self) -> Mapping[str, str]:
        return {"most": str(self.most)}


class ModelFailed(AgentError):
    """Nothing usable came from the model. The text is for logs and holds no words of it."""

    reason = "model_failed"

    def __init__(self, problem: str = "") -> None:
        super().__init__(problem)
        self.problem = problem


class ModelTimedOut(ModelFailed):
    reason = "model_timeout"


class ModelUnreachable(ModelFailed):
    reason = "model_unreachable"


class ModelRateLimited(ModelFailed):
    reason = "model_rate_limited"


class ModelServerError(ModelFailed):
    reason = "model_server_error"


class ModelRequestRefused(ModelFailed):
    reason = "model_request_refused"


class ModelAnswerUnreadable(ModelFailed):
    reason = "model_answer_unreadable"


class ModelDeclined(ModelFailed):
    reason = "model_declined"


class ModelCutOff(ModelFailed):
    reason = "model_cut_off"


class ModelSaidNothing(ModelFailed):
    reason = "model_said_nothing"


class Mendable(ModelFailed):
    """What the model may mend when it is told `problem`; `said` is what it answered."""

    def __init__(self, problem: str, said: str) -> None:
        super().__init__(problem)
        self.said = said


class ModelAnswerInvalid(Mendable):
    reason = "model_answer_invalid"


class UnknownCandidate(Mendable):
    reason = "unknown_candidate"
