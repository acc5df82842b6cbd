"""What the person sees while things start: one line per step, with its time.

On a terminal the step that runs turns; elsewhere each line is printed when its step is done.
"""

import contextlib
import time
from collections.abc import Iterator
from typing import Protocol

from rich.console import Console
from rich.markup import escape


class Progress(Protocol):
    """Somebody who is told what happens."""

    def step(self, chinese: str, english: str) -> contextlib.AbstractContextManager[None]:
        """Cover one step; an error passes through and is shown as one."""
        ...

    def say(self, chinese: str, english: str) -> None:
        """Tell a fact that takes no time."""
        ...


class Silent:
    """Tells nobody; for tests."""

    def step(self, chinese: str, english: str) -> contextlib.AbstractContextManager[None]:
        """Do nothing around the step."""
        return contextlib.nullcontext()

    def say(self, chinese: str, english: str) -> None:
        """Do nothing."""


class Shown:
    """Tells a console."""

    def __init__(self, console: Console) -> None:
        self._console = console

    @contextlib.contextmanager
    def step(self, chinese: str, english: str) -> Iterator[None]:
        """Show the step while it runs, then its line with a mark and its seconds."""
        began = time.perf_counter()
        text = f"{escape(chinese)} [dim]{escape(english)}[/dim]"
        status = self._console.status(text) if self._console.is_terminal else None
        if status:
            status.start()
        mark = "[red]✗[/red]"
        try:
            yield
            mark = "[green]✓[/green]"
        finally:
            if status:
                status.stop()
            seconds = time.perf_counter() - began
            self._console.print(f"{mark} {text} [dim]{seconds:.1f} s[/dim]", soft_wrap=True)

    def say(self, chinese: str, english: str) -> None:
        """Print one line."""
        self._console.print(f"  {escape(chinese)} [dim]{escape(english)}[/dim]", soft_wrap=True)


class Noted:
    """Tells another one, and remembers which step failed."""

    def __init__(self, told: Progress) -> None:
        self._told = told
        self.failed = ""
        """The innermost step that an error came out of, in both languages; empty = none."""

    @contextlib.contextmanager
    def step(self, chinese: str, english: str) -> Iterator[None]:
        """Cover one step."""
        with self._told.step(chinese, english):
            try:
                yield
            except BaseException:
                self.failed = self.failed or f"{chinese} {english}"
                raise

    def say(self, chinese: str, english: str) -> None:
        """Pass it on."""
        self._told.say(chinese, english)
