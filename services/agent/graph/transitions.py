"""What may follow what: the one table of the conversation.

```
 chat ──► plan ──► confirm_plan ──► rough_build ──► execute ──► deliver ──► confirm_write ──► done
   │        │ ▲          │              ▲  │          ▲ │  ▲       │ ▲            │
   │        │ └──────────┘ words        │  │          └─┘  │       │ └────────────┤ overtaken
   │        └───────────────────────────┘  │               │       │              │
   ├──► execute (a plan that was kept)     └──► deliver    └───────┼──────────────┤ words
   ├──► quick_task ──► done | chat (what else was said)            ▼              ▼
   ├──► feedback ──► done | chat                                  done      plan, rough_build
   └──► done (answered)
```

Every phase but `done` may also stay, with a question or a confirm request or without.
"""

from collections.abc import Awaitable, Callable, Mapping

from services.agent.domain.run import Phase
from services.agent.graph.chat import chat
from services.agent.graph.delivering import confirm_write, deliver
from services.agent.graph.desk import Desk
from services.agent.graph.executing import execute
from services.agent.graph.planning import confirm_plan, plan
from services.agent.graph.previewing import feedback
from services.agent.graph.quick import quick_task
from services.agent.graph.rough_building import rough_build
from services.agent.graph.step import State, Step

Node = Callable[[State, Desk], Awaitable[Step]]

NODES: Mapping[Phase, Node] = {
    Phase.CHAT: chat,
    Phase.PLAN: plan,
    Phase.CONFIRM_PLAN: confirm_plan,
    Phase.ROUGH_BUILD: rough_build,
    Phase.EXECUTE: execute,
    Phase.DELIVER: deliver,
    Phase.CONFIRM_WRITE: confirm_write,
    Phase.QUICK_TASK: quick_task,
    Phase.FEEDBACK: feedback,
}

FOLLOWING: Mapping[Phase, frozenset[Phase]] = {
    Phase.CHAT: frozenset(
        {Phase.PLAN, Phase.EXECUTE, Phase.QUICK_TASK, Phase.FEEDBACK, Phase.DONE}
    ),
    Phase.PLAN: frozenset({Phase.CONFIRM_PLAN, Phase.ROUGH_BUILD, Phase.DELIVER}),
    Phase.CONFIRM_PLAN: frozenset({Phase.ROUGH_BUILD, Phase.PLAN, Phase.DELIVER}),
    Phase.ROUGH_BUILD: frozenset({Phase.EXECUTE, Phase.PLAN, Phase.DELIVER}),
    Phase.EXECUTE: frozenset({Phase.DELIVER, Phase.ROUGH_BUILD}),
    Phase.DELIVER: frozenset({Phase.CONFIRM_WRITE, Phase.ROUGH_BUILD, Phase.DONE}),
    Phase.CONFIRM_WRITE: frozenset(
        {Phase.EXECUTE, Phase.PLAN, Phase.ROUGH_BUILD, Phase.DELIVER, Phase.DONE}
    ),
    Phase.QUICK_TASK: frozenset({Phase.CHAT, Phase.DONE}),
    Phase.FEEDBACK: frozenset({Phase.CHAT, Phase.DONE}),
    Phase.DONE: frozenset(),
}


class Forbidden(ValueError):
    """A node led where the table does not."""


async def advance(state: State, desk: Desk) -> Step:
    """One step of a run that works. Raises Forbidden, and whatever the node raises."""
    before = state.run.phase
    step = await NODES[before](state, desk)
    after = step.state.run.phase
    if after is not before and after not in FOLLOWING[before]:
        raise Forbidden(f"{before} → {after}")
    return step
