"""`smartmate undo`: takes an apply of a user back, as the schedule service's own command does."""

import asyncio
import json
from collections.abc import Mapping, Sequence
from typing import Any

from rich.console import Console
from rich.markup import escape

from services.standalone import replay
from services.standalone.settings import StandaloneSettings

KEPT: Mapping[str, str] = {
    "changed_since": "之后又动过",
    "has_begun": "已经开始",
    "belongs_together": "与另一项互为一体",
    "gone": "已不在日程里",
}


def run(
    settings: StandaloneSettings,
    console: Console,
    *,
    user: int,
    apply_id: str | None,
    as_json: bool,
) -> int:
    """Take it back and say what came of it; 1 where nothing was put back."""
    named = (f"--apply={apply_id}",) if apply_id else ()
    asked = replay.ask(settings, "schedule", "undo", f"--user={user}", *named)
    (said,) = asyncio.run(asked)
    if as_json:
        console.print(json.dumps(said, ensure_ascii=False), markup=False, soft_wrap=True)
    else:
        for line in _lines(said):
            console.print(line, soft_wrap=True)
    return int(not said["applied"])


def _lines(said: Mapping[str, Any]) -> Sequence[str]:
    mark = "[green]✓[/green]" if said["applied"] else "[red]✗[/red]"
    undone = escape(said["undoes"])
    lines = [f"{mark} {undone}  撤回了 {len(said['event_ids'])} 项 [dim]undone[/dim]"]
    lines += [
        f"  {one['event_id']:>8}  保持现在的样子：{KEPT[one['reason']]} [dim]{one['reason']}[/dim]"
        for one in said["kept"]
    ]
    lines += [
        f"  {one['event_id']:>8}  {escape(one['code'])} [dim]{escape(one['detail'])}[/dim]"
        for one in said["refusals"]
    ]
    return lines
