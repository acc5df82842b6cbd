"""The trial run of study plans: what it would do, and doing it."""

from collections.abc import Sequence
from typing import Annotated
from urllib.parse import urlencode

from fastapi import APIRouter, Query
from grpc import StatusCode
from starlette.requests import Request
from starlette.responses import RedirectResponse, Response

from libs.rpc.errors import RemoteError
from services.gateway.domain.idempotency import key_of
from services.gateway.domain.locale import Locale
from services.gateway.domain.messages import say
from services.gateway.domain.visitor import Visitor
from services.gateway.web import answers, applies, forms, pool
from services.gateway.web.access import SignedIn
from services.gateway.web.negotiation import locale_of
from services.gateway.web.parameters import Token
from services.gateway.web.parts import Parts, parts_of
from services.gateway.wire import rough_page, rough_plan
from services.gateway.wire.rough_page import Speaker
from services.gateway.wire.rough_plan import PlanForm
from services.gateway.wire.told import Told
from smartmate.schedule.v1 import apply_pb2

router = APIRouter(include_in_schema=False)

Chosen = Annotated[list[int], Query(alias="class", max_length=50, default_factory=list)]
_LIST = "/task-classes"
_BUILD = f"{_LIST}/build"
_LARGEST = 2**63 - 1


@router.get(_BUILD)
async def build(
    request: Request,
    visitor: SignedIn,
    classes: Chosen,
    week: Token = "",
    refused: Token = "",
) -> Response:
    """What a trial run of the chosen plans comes to; `refused` names an apply that was refused."""
    chosen = tuple(dict.fromkeys(one for one in classes if 1 <= one <= _LARGEST))
    if not chosen:
        return forms.led_to(_LIST, {"told": "none_chosen"})
    parts, spoken = parts_of(request), locale_of(request)
    try:
        found = await applies.trial(parts, visitor, chosen, rough_page.week_key(week))
    except RemoteError as error:
        if error.code is not StatusCode.NOT_FOUND:
            raise
        told = "no_semester" if error.reason == "semester_not_found" else "gone"
        return forms.led_to(_LIST, {"told": told})
    speaker = Speaker.of(spoken, found)
    notice, lines = await _refusal(parts, visitor, speaker, refused)
    return answers.page(
        request,
        "rough_build.html",
        visitor=visitor,
        page=speaker.build(),
        told=notice,
        lines=lines,
        chosen=chosen,
        path=_BUILD,
        query=_query(chosen),
    )


@router.post(_BUILD)
async def confirm(request: Request, visitor: SignedIn) -> Response:
    """Writes the plan exactly as it was shown, or says why it was not written."""
    parts, form = parts_of(request), await forms.read(request, PlanForm)
    key, chosen = key_of(None, form.idempotency_key), rough_plan.class_ids(form.classes)
    asked = rough_plan.unpacked(form.plan, key)
    try:
        answer = await parts.suite.call(visitor, parts.suite.schedule.ApplyChanges, asked)
    except RemoteError as error:
        if error.reason != "idempotency_conflict":
            raise
        return _again(chosen, key)
    if answer.verdict.state != apply_pb2.APPLY_STATE_APPLIED:
        return _again(chosen, key)
    return forms.led_to(_LIST, {"applied": key})


async def _refusal(
    parts: Parts, visitor: Visitor, speaker: Speaker, apply_id: str
) -> tuple[Told | None, Sequence[str]]:
    """Why the plan that was confirmed before was not written, where one was."""
    verdict = await applies.verdict_of(parts, visitor, apply_id) if apply_id else None
    if verdict is None:
        return None, ()
    if verdict.state == apply_pb2.APPLY_STATE_APPLIED:
        # Under this key something else had been confirmed already.
        return _reused(speaker.locale), ()
    blocks = await pool.blocks_of(parts, visitor)
    return speaker.refused(verdict, blocks, parts.clock.now())


def _reused(spoken: Locale) -> Told:
    head = say(spoken, "refusal.idempotency_conflict")
    return Told("warn", "warn", head, say(spoken, "build.anew"))


def _again(chosen: Sequence[int], key: str) -> RedirectResponse:
    """Back to the page, which tries anew and says why nothing was written."""
    return answers.see_other(f"{_BUILD}?{_query(chosen)}&{urlencode({'refused': key})}")


def _query(chosen: Sequence[int]) -> str:
    return urlencode([("class", class_id) for class_id in chosen])
