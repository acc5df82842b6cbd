"""What a person says, chooses and decides in a conversation, by the forms of its page."""

import asyncio
import contextlib
from collections.abc import AsyncGenerator, AsyncIterator
from contextlib import aclosing
from typing import cast

from fastapi import APIRouter
from starlette.requests import Request
from starlette.responses import Response

from libs.rpc.errors import RemoteError
from services.gateway.domain import ids
from services.gateway.domain.idempotency import key_of
from services.gateway.domain.visitor import Visitor
from services.gateway.pages import chat
from services.gateway.web import answers, forms, talks
from services.gateway.web.access import SignedIn
from services.gateway.web.parts import parts_of
from services.gateway.wire.chat_forms import AcceptForm, ChooseForm, SayForm
from services.gateway.wire.chat_page import CHAT, about_of, path_of, works
from smartmate.agent.v1 import agent_service_pb2

router = APIRouter(include_in_schema=False)

WAIT_SECONDS = 1.5
"""How long a page that cannot follow a run is kept waiting for it."""
_TALK = f"{CHAT}/{{conversation_id}}"
_LIST = "/agent/conversations"
_TOLD = {
    "conversation_busy": "busy",
    "answer_not_offered": "not_offered",
    "too_many_conversations": "full",
    "question_not_found": "moved_on",
    "confirm_not_found": "moved_on",
}
"""Refusals that the page explains."""


@router.post(CHAT)
async def say(request: Request, visitor: SignedIn) -> Response:
    """Says something; leads to the conversation, which shows what comes of it."""
    form = await forms.read(request, SayForm)
    key = key_of(None, form.idempotency_key)
    if form.preview_id:
        ids.preview_id(form.preview_id)
    if form.conversation_id:
        ids.conversation_id(form.conversation_id)
    met = form.problem or await _in_the_way(request, visitor, form)
    if met:
        return await _again(request, visitor, form, met)
    try:
        return await _said(request, visitor, form.message(key), is_live=form.live == "yes")
    except RemoteError as error:
        return await _again(request, visitor, form, _told(error))


@router.post(f"{_TALK}/answer")
async def choose(request: Request, visitor: SignedIn, conversation_id: str) -> Response:
    """Answers a question by one of its choices; the first answer counts."""
    form = await forms.read(request, ChooseForm)
    asked = form.message(key_of(None, form.idempotency_key), ids.conversation_id(conversation_id))
    return await _replied(request, visitor, asked, form)


@router.post(f"{_TALK}/confirm")
async def accept(request: Request, visitor: SignedIn, conversation_id: str) -> Response:
    """Says yes or no to what stands there to be confirmed; the first answer counts."""
    form = await forms.read(request, AcceptForm)
    asked = form.message(key_of(None, form.idempotency_key), ids.conversation_id(conversation_id))
    return await _replied(request, visitor, asked, form)


@router.post(f"{_TALK}/delete")
async def delete(request: Request, visitor: SignedIn, conversation_id: str) -> Response:
    """Deletes a conversation."""
    id_ = ids.conversation_id(conversation_id)
    key = await forms.read_key(request)
    try:
        # One form deletes any line of the list: its key names the conversation too.
        await talks.deleted(parts_of(request), visitor, id_, f"{key[:24]}.{id_[4:]}")
    except RemoteError as error:
        if error.reason != "conversation_busy":
            raise
        return forms.led_to(_LIST, {"told": "busy"})
    return forms.led_to(_LIST, {"told": "deleted"})


async def _replied(
    request: Request,
    visitor: Visitor,
    asked: agent_service_pb2.ChatRequest,
    form: ChooseForm | AcceptForm,
) -> Response:
    parts, path = parts_of(request), path_of(asked.conversation_id)
    opened = await talks.opened(parts, visitor, asked.conversation_id, size=1)
    if about_of(opened) != form.about:
        return forms.led_to(path, {"told": "first_counts"})
    try:
        return await _said(request, visitor, asked, is_live=form.live == "yes")
    except RemoteError as error:
        return forms.led_to(path, {"told": _told(error)})


async def _in_the_way(request: Request, visitor: Visitor, form: SayForm) -> str:
    """Why words are not to be sent as things stand: they were meant for something else."""
    if not form.conversation_id:
        return ""
    opened = await talks.opened(parts_of(request), visitor, form.conversation_id, size=1)
    if works(opened):
        return "busy"
    return "" if about_of(opened) == form.about else "moved_on"


async def _said(
    request: Request, visitor: Visitor, asked: agent_service_pb2.ChatRequest, *, is_live: bool
) -> Response:
    """To the conversation: at once where the page follows by itself, else a little later."""
    conversation, told = await talks.begun(parts_of(request), visitor, asked)
    await _heard(told, 0 if is_live else WAIT_SECONDS)
    return answers.see_other(path_of(conversation.conversation_id))


async def _heard(told: AsyncIterator[agent_service_pb2.ChatResponse], seconds: float) -> None:
    """Listens to a run for a while; it goes on without."""
    changes = cast("AsyncGenerator[agent_service_pb2.ChatResponse]", told)
    async with aclosing(changes):
        if not seconds:
            return
        with contextlib.suppress(TimeoutError, RemoteError):
            async with asyncio.timeout(seconds):
                async for _ in changes:
                    pass


async def _again(request: Request, visitor: Visitor, form: SayForm, met: str) -> Response:
    """The page as it is by now, with the words that were not sent."""
    status, draft = (400 if form.problem else 409), form.text.strip()
    if form.conversation_id:
        return await chat.go_on(
            request, visitor, form.conversation_id, told=met, draft=draft, status=status
        )
    return await chat.begin(
        request, visitor, preview_id=form.preview_id, told=met, draft=draft, status=status
    )


def _told(error: RemoteError) -> str:
    """What a refusal is told as. Raises what the page cannot explain."""
    if error.reason not in _TOLD:
        raise error
    return _TOLD[error.reason]
