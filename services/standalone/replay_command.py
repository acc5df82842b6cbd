"""`smartmate replay`: dead letters, or published events, once more."""

import asyncio
import json
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from rich.console import Console
from rich.markup import escape

from services.standalone import replay
from services.standalone.settings import StandaloneSettings

HANDLED = "handled"
FATES: Mapping[str, str] = {
    HANDLED: "已处理",
    "replayed_before": "此前已重放",
    "not_found": "没有这一封",
    "not_heard": "服务已不再处理此类事件",
    "failed": "仍然失败",
}


@dataclass(frozen=True, slots=True)
class Told:
    """Whom to tell, and in which form."""

    console: Console
    as_json: bool

    def lines(self, found: Sequence[Mapping[str, Any]], show: Callable[[Any], str]) -> None:
        """One line each."""
        for one in found:
            if self.as_json:
                line = json.dumps(one, ensure_ascii=False)
                self.console.print(line, markup=False, soft_wrap=True)
            else:
                self.console.print(show(one), soft_wrap=True)


def letters(settings: StandaloneSettings, service: str, told: Told) -> int:
    """Show what waits."""
    found = asyncio.run(replay.letters(settings, service))
    told.lines(found, _letter)
    if not found and not told.as_json:
        told.console.print(f"没有待重放的死信 [dim]no dead letter of {service} waits[/dim]")
    return 0


def dead_letters(settings: StandaloneSettings, service: str, told: Told, ids: Sequence[int]) -> int:
    """Replay them, all where none is named; 1 where one was not handled."""
    fates = asyncio.run(replay.dead_letters(settings, service, ids))
    told.lines(fates, _fate)
    return int(any(one["fate"] != HANDLED for one in fates))


def published(
    settings: StandaloneSettings,
    service: str,
    told: Told,
    *,
    since: datetime,
    until: datetime | None,
) -> int:
    """Publish again; 1 where events were too old."""
    found = asyncio.run(replay.published(settings, service, since=since, until=until))
    told.lines(found, _counts)
    return int(any(counts["refused"] for counts in found))


def _letter(letter: Mapping[str, Any]) -> str:
    when = datetime.fromisoformat(letter["parked_at"]).astimezone()
    return (
        f"{letter['id']:>6}  {escape(letter['consumer'])}  {escape(letter['reason'])}  "
        f"[dim]{when:%Y-%m-%d %H:%M:%S}[/dim]  {escape(letter['error'])}"
    )


def _fate(one: Mapping[str, Any]) -> str:
    mark = "[green]✓[/green]" if one["fate"] == HANDLED else "[red]✗[/red]"
    about = "  ".join(escape(one[name]) for name in ("consumer", "event_id", "detail") if one[name])
    return f"{mark} {one['id']:>6}  {FATES[one['fate']]} [dim]{one['fate']}[/dim]  {about}"


def _counts(counts: Mapping[str, Any]) -> str:
    return (
        f"已重新发布 {counts['published']} 条，过旧未发 {counts['refused']} 条 "
        f"[dim]published again, refused as too old; run {counts['run_id']}[/dim]"
    )
