"""The prompts of a run, in three layers out of files: kernel with its stage, domain, brief.

Each layer can be replaced by itself: nothing of the schedule stands in the kernel, nothing of a
run in the domain. Spec: agent.md, Contract with the model.
"""

from dataclasses import dataclass
from pathlib import Path
from string import Template
from typing import Any, Self

from services.agent.llm.prompting import prompt

FOLDER = Path(__file__).resolve().parent.parent / "prompts" / "run"


@dataclass(frozen=True, slots=True)
class Stage:
    """One kind of turn: rules and brief, both to be filled."""

    rules: Template
    brief: Template

    def told(self, tools: str = "", **facts: Any) -> tuple[str, str]:
        """Rules and brief. Raises KeyError where a fact is missing."""
        return self.rules.substitute(tools=tools), self.brief.substitute(facts)


@dataclass(frozen=True, slots=True)
class Stages:
    """All kinds of turns, read once."""

    route: Stage
    plan: Stage
    execute: Stage
    quick: Stage

    @classmethod
    def read(cls, folder: Path = FOLDER) -> Self:
        """Raises OSError where a file is missing."""

        def stage(name: str, *domains: str) -> Stage:
            layers = ("kernel", f"stage_{name}", *domains)
            rules = "\n\n".join(prompt(folder, layer) for layer in layers)
            return Stage(Template(rules), Template(prompt(folder, f"brief_{name}")))

        return cls(
            route=stage("route"),
            plan=stage("plan"),
            execute=stage("execute", "domain_schedule"),
            quick=stage("quick"),
        )


def data(text: str) -> str:
    """What a person wrote, inside its block: it can neither end it nor open another."""
    return text.replace("<", "＜").replace(">", "＞").strip() or "（无）"
