"""What can go wrong, as facts.

AgentError
├── Absent                  nothing of that id for this user
│   └── MemoryNotFound  ConversationNotFound  RunNotFound  QuestionNotFound  ConfirmNotFound
│       PreviewNotFound
├── TooMany                 the user has as many as one may have
│   └── TooManyMemoryItems  TooManyConversations
├── ConversationBusy        a run of the conversation works
├── AnswerNotOffered        a question does not allow that answer
├── LeaseLost               another process drives the run now
├── ShuttingDown            this process ends; another one goes on
├── ServiceAway             a service that is needed cannot be asked for now
├── ServiceRefused          a service said no, and would again
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


class Absent(AgentError):
    """Nothing of that id for this user, whether it is another's or nobody's."""

    reason = "not_found"

    def __init__(self, id_: str) -> None:
        super().__init__(id_)
        self.id = id_


class MemoryNotFound(Absent):
    reason = "memory_not_found"


class ConversationNotFound(Absent):
    reason = "conversation_not_found"


class RunNotFound(Absent):
    reason = "run_not_found"


class QuestionNotFound(Absent):
    reason = "question_not_found"


class ConfirmNotFound(Absent):
    reason = "confirm_not_found"


class PreviewNotFound(Absent):
    reason = "preview_not_found"


class ConversationBusy(AgentError):
    """A run of the conversation works; it takes no words until it waits or has ended."""

    reason = "conversation_busy"

    def __init__(self, run_id: str) -> None:
        super().__init__(run_id)
        self.run_id = run_id

    @property
    def metadata(self) -> Mapping[str, str]:
        return {"run_id": self.run_id}


class AnswerNotOffered(AgentError):
    """A question does not allow that answer."""

    reason = "answer_not_offered"


class TooMany(AgentError):
    """The user has as many as one may have."""

    def __init__(self, most: int) -> None:
        super().__init__(str(most))
        self.most = most

    @property
    def metadata(self) -> Mapping[str, str]:
        return {"most": str(self.most)}


class TooManyMemoryItems(TooMany):
    reason = "too_many_memory_items"


class TooManyConversations(TooMany):
    reason = "too_many_conversations"


class LeaseLost(AgentError):
    """Another process drives the run now."""

    reason = "lease_lost"


class ShuttingDown(AgentError):
    """This process ends; another one goes on."""

    reason = "shutting_down"


class ServiceAway(AgentError):
    """A service that is needed cannot be asked for now; later it can."""

    reason = "service_away"

    def __init__(self, service: str, problem: str = "") -> None:
        super().__init__(f"{service}: {problem}")
        self.service = service


class ServiceRefused(AgentError):
    """A service said no, and would say it again; `code` is its reason."""

    reason = "service_refused"

    def __init__(self, code: str, *, is_absent: bool = False) -> None:
        super().__init__(code)
        self.code = code
        self.is_absent = is_absent


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
