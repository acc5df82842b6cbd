"""The main job told once, by the sample student, against a running suite.

timetable imported → a task crosses its urgency threshold → the suite proposes → a signed message
with the link arrives → the page opens → a click confirms → the week has changed, exactly once.

The demo tells it up to the click, the smoke run clicks by itself; tests break parts in between.
"""

import asyncio
import json
from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

from services.standalone import sample, settings, visitor, witness
from services.standalone.ports import LOOPBACK, Ports
from services.standalone.progress import Progress
from services.standalone.suite import Suite
from services.standalone.visitor import Browser, LinkSpent, Program, Unexpected
from smartmate.events.v1.events_pb2 import ScheduleApplyRequested, ScheduleApplySucceeded

URGENT_IN = timedelta(seconds=1)
DUE_IN = timedelta(hours=40)
MESSAGE_WITHIN_SECONDS = 60
VERDICT_WITHIN_SECONDS = 60
LOOK_AGAIN_SECONDS = 0.2

READY, APPLYING, APPLIED = (
    "PREVIEW_STATE_READY",
    "PREVIEW_STATE_APPLYING",
    "PREVIEW_STATE_APPLIED",
)


def stage(root: Path, progress: Progress, *, llm: bool = False) -> Suite:
    """The suite for a story in an empty directory, with the stand-in for the message.

    What a person has set for their own suite does not change it: its address is its own, no model
    is asked but, with `llm`, the stand-in, and the gateway gives out tokens for programs, which it
    does in development alone.
    """
    listen = f"{LOOPBACK}:{Ports(root / 'ports.json').claim('gateway-0')}"
    return Suite(
        root,
        feishu_standin=True,
        llm_standin=llm,
        listen=listen,
        overrides={
            "*": {"SMARTMATE_PUBLIC_BASE_URL": f"http://{listen}"},
            "gateway": {"SMARTMATE_DEVELOPMENT": "true"},
            "agent": {} if llm else {"SMARTMATE_LLM_MODEL": ""},
        },
        configuration=settings.read(),
        progress=progress,
    )


@dataclass(slots=True)
class Story:
    """One student's way through the suite; each step keeps what the next one needs."""

    suite: Suite
    user_id: int = 0
    sign_in_url: str = ""
    imported: Mapping[str, Any] = field(default_factory=dict)
    task_id: int = 0
    message: Mapping[str, Any] = field(default_factory=dict)
    preview_id: str = ""
    preview: Mapping[str, Any] = field(default_factory=dict)
    candidate_id: str = ""
    apply_id: str = ""
    _token: str = ""

    @property
    def preview_path(self) -> str:
        """Where the suggestion is looked at."""
        return f"/active-schedule/previews/{self.preview_id}"

    async def arrive(self) -> None:
        """A new student, with a one-time sign-in link."""
        made = json.loads(await self.suite.run("gateway", "user-add", "--name", sample.NAME))
        self.user_id, self.sign_in_url = made["user_id"], made["sign_in_url"]
        token = await self.suite.run("gateway", "token", "--user", str(self.user_id))
        self._token = token.strip()

    async def renew_link(self, next_path: str) -> None:
        """Another one-time link, which leads to a page."""
        user = ("--user", str(self.user_id))
        made = await self.suite.run("gateway", "sign-in-link", *user, "--next", next_path)
        self.sign_in_url = json.loads(made)["sign_in_url"]

    async def bring_timetable(self) -> int:
        """A semester and the sample timetable in it; gives the number of rows read."""
        async with visitor.client(self.suite.gateway_url) as http:
            program = Program(http, self._token)
            made = await program.change(
                "PUT",
                "/semester",
                {
                    "first_date": sample.first_monday(datetime.now(UTC)).isoformat(),
                    "week_count": sample.WEEKS,
                    "time_zone": sample.ZONE.key,
                },
            )
            semester_id = made["semester"]["semester_id"]
            self.imported = await program.upload(
                f"/timetable/import?semester_id={semester_id}", sample.timetable()
            )
        return int(self.imported["diff"]["row_count"])

    async def name_channel(self) -> None:
        """The student's Feishu bot: the stand-in, which checks the signature."""
        hook = f"{self.suite.feishu_url}/open-apis/bot/v2/hook/{self.user_id}"
        await self._change(
            "/channels",
            {
                "type": "CHANNEL_TYPE_FEISHU_BOT",
                "name": "自习群",
                "webhook_url": hook,
                "secret": self.suite.feishu_secret,
            },
        )

    async def add_task(self) -> None:
        """A task that crosses its urgency threshold a moment later."""
        now = datetime.now(UTC)
        made = await self._change(
            "/tasks",
            {
                "title": sample.TASK,
                "quadrant": "QUADRANT_IMPORTANT",
                "deadline_time": (now + DUE_IN).isoformat(),
                "urgency_threshold_time": (now + URGENT_IN).isoformat(),
                "estimated_sections": sample.TASK_SECTIONS,
            },
        )
        self.task_id = int(made["task"]["task_id"])

    async def receive_message(self) -> str:
        """Waits for the message; gives its link. Raises Unexpected when none comes."""
        wait = str(MESSAGE_WITHIN_SECONDS * 1000)
        query = {"token": str(self.user_id), "count": "1", "wait_ms": wait}
        patience = MESSAGE_WITHIN_SECONDS + 30.0
        async with visitor.client(self.suite.feishu_url, patience=patience) as http:
            answer = await visitor.send(http, "GET", "/standin/messages", params=query)
        messages = answer.json()["messages"]
        if not messages:
            missed = await self._how_far()
            raise Unexpected(f"no message within {MESSAGE_WITHIN_SECONDS} s: {missed}")
        self.message = messages[0]
        if self.message["verdict"] != "accepted" or not self.message["links"]:
            raise Unexpected(f"the stand-in has {self.message}")
        link: str = self.message["links"][0]["url"]
        self.preview_id = urlsplit(link).path.rpartition("/")[2]
        return link

    async def _how_far(self) -> str:
        """What there is of a suggestion, for whoever misses its message."""
        found = (await self._get("/active-schedule/previews"))["previews"]
        if not found:
            return "nothing was suggested"
        self.preview_id = found[0]["preview_id"]
        status = (await self.read_preview())["notification_status"]
        return f"the message about {self.preview_id} is {status}"

    async def read_preview(self) -> Mapping[str, Any]:
        """The preview as a program sees it."""
        self.preview = (await self._get(self.preview_path))["preview"]
        return self.preview

    async def click(self) -> str:
        """Signs in by the link, opens the page, presses the button twice.

        Gives the words of the page that the first press leads to.
        """
        async with visitor.client(self.suite.gateway_url) as http:
            browser = Browser(http, self.suite.gateway_url)
            await self._sign_in(browser)
            page = await browser.open(self.preview_path)
            found = [form for form in visitor.forms_of(page) if form.action.endswith("/confirm")]
            if not found:
                raise Unexpected("the page has no button to confirm")
            self.candidate_id = found[0].fields["candidate_id"]
            first = await browser.submit(found[0])
            self.apply_id = await self._apply_id()
            # A second press sends the very same form, with the very same key.
            await browser.submit(found[0])
        if await self._apply_id() != self.apply_id:
            raise Unexpected("the second press led to another apply")
        return visitor.words_of(first)

    async def _sign_in(self, browser: Browser) -> None:
        try:
            await browser.sign_in(self.sign_in_url)
        except LinkSpent:
            # Used up by a request whose answer was lost on the way; a person asks for another.
            await self.renew_link(self.preview_path)
            await browser.sign_in(self.sign_in_url)

    async def _apply_id(self) -> str:
        apply_id = str((await self.read_preview()).get("apply_id", ""))
        if not apply_id:
            raise Unexpected(f"nothing was confirmed: the preview is {self.preview['state']}")
        return apply_id

    async def settle(self) -> str:
        """Waits for the verdict; gives the state that the preview is in then."""
        try:
            async with asyncio.timeout(VERDICT_WITHIN_SECONDS):
                while True:
                    state = str((await self.read_preview())["state"])
                    if state != APPLYING:
                        return state
                    await asyncio.sleep(LOOK_AGAIN_SECONDS)
        except TimeoutError as error:
            raise Unexpected(f"no verdict within {VERDICT_WITHIN_SECONDS} s") from error

    async def placed(self) -> list[Mapping[str, Any]]:
        """The blocks of the task that stand in the touched week."""
        chosen = self.candidate_id or self.preview["selected_candidate_id"]
        candidates = {one["candidate_id"]: one for one in self.preview["candidates"]}
        to = candidates[chosen]["changes"][0]["to"]
        at = {"semester_id": str(to["semester_id"]), "week": str(to["week"])}
        week = await self._get("/week", **at)
        return [
            event for event in week["events"] if event.get("source", {}).get("id") == self.task_id
        ]

    async def successes(self) -> int:
        """How many events of success were told for this student, once no other can follow."""
        await witness.quiet(self.suite, ScheduleApplyRequested)
        told = await witness.told(self.suite, ScheduleApplySucceeded)
        return sum(event.user_id == self.user_id for event in told)

    async def _get(self, path: str, **query: str) -> Any:
        async with visitor.client(self.suite.gateway_url) as http:
            return await Program(http, self._token).get(path, **query)

    async def _change(self, path: str, body: Mapping[str, Any]) -> Any:
        async with visitor.client(self.suite.gateway_url) as http:
            return await Program(http, self._token).change("POST", path, body)
