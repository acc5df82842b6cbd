"""What a person has chosen for the whole suite."""

from fastapi import APIRouter
from starlette.requests import Request
from starlette.responses import Response

from services.gateway.web import answers, openapi
from services.gateway.web.access import SignedIn
from services.gateway.web.keys import RequiredKey
from services.gateway.web.parts import parts_of
from services.gateway.wire.settings_bodies import SettingsBody
from smartmate.schedule.v1 import schedule_service_pb2

router = APIRouter(prefix="/api/v1/settings", tags=["settings"])

_Get = schedule_service_pb2.GetUserSettingsResponse
_Put = schedule_service_pb2.PutUserSettingsResponse


@router.get("", **openapi.answers_with(_Get))
async def settings(request: Request, visitor: SignedIn) -> Response:
    """What was chosen; the defaults where nothing was."""
    parts = parts_of(request)
    asked = schedule_service_pb2.GetUserSettingsRequest()
    method = parts.suite.schedule.GetUserSettings
    return answers.data(await parts.suite.call(visitor, method, asked))


@router.put("", **openapi.answers_with(_Put))
async def put(
    request: Request, visitor: SignedIn, body: SettingsBody, key: RequiredKey
) -> Response:
    """Replaces all of it."""
    parts = parts_of(request)
    asked = schedule_service_pb2.PutUserSettingsRequest(request_id=key, settings=body.message())
    method = parts.suite.schedule.PutUserSettings
    return answers.data(await parts.suite.call(visitor, method, asked))
