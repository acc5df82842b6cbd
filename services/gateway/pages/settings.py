"""Settings: the semester, and what a person has chosen for the assistant."""

import asyncio

from fastapi import APIRouter
from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import Response

from libs.rpc.errors import RemoteError
from services.gateway.domain.idempotency import key_of
from services.gateway.domain.locale import Locale
from services.gateway.domain.messages import has, say
from services.gateway.domain.visitor import Visitor
from services.gateway.web import answers, bodies, forms, zones
from services.gateway.web.access import SignedIn
from services.gateway.web.bodies import CSRF_FIELD
from services.gateway.web.negotiation import is_form, locale_of
from services.gateway.web.parameters import Token
from services.gateway.web.parts import Parts, parts_of
from services.gateway.wire import personal_form, semester_form, semester_words
from services.gateway.wire.entered import Problems, Refused, problems_of
from services.gateway.wire.personal_form import PersonalForm
from services.gateway.wire.semester_form import SemesterForm
from services.gateway.wire.told import Told
from services.gateway.wire.told import told as told_words
from smartmate.schedule.v1 import schedule_service_pb2, user_settings_pb2

router = APIRouter(include_in_schema=False)

_PAGE = "/settings"
_NEW = "new"


@router.get(_PAGE)
async def settings(
    request: Request,
    visitor: SignedIn,
    told: Token = "",
    semester: Token = "",
) -> Response:
    """Both forms as they are stored; `semester=new` shows an empty one for another semester."""
    notice = told_words(locale_of(request), "settings", told)
    return await _show(request, visitor, notice=notice, is_new=semester == _NEW)


@router.post(f"{_PAGE}/semester")
async def put_semester(request: Request, visitor: SignedIn) -> Response:
    """Creates a semester, or changes the one that the form names."""
    parts, form = parts_of(request), await _semester_form(request)
    key = key_of(None, form.idempotency_key)
    try:
        asked = schedule_service_pb2.PutSemesterRequest(
            request_id=key, semester=semester_form.message(form)
        )
        await parts.suite.call(visitor, parts.suite.schedule.PutSemester, asked)
    except (Refused, RemoteError) as error:
        notice = _forbidden(locale_of(request), error)
        problems = Problems() if notice else problems_of(error, semester_form.FIELDS)
        shown = semester_form.Shown(form, problems.words(locale_of(request)))
        status = 409 if notice else 400
        return await _show(request, visitor, semester=shown, notice=notice, status=status)
    return forms.led_to(_PAGE, {"told": "semester"})


@router.post(f"{_PAGE}/personal")
async def put_personal(request: Request, visitor: SignedIn) -> Response:
    """Keeps what a person has chosen."""
    parts, form = parts_of(request), await forms.read(request, PersonalForm)
    key = key_of(None, form.idempotency_key)
    try:
        asked = schedule_service_pb2.PutUserSettingsRequest(
            request_id=key, settings=personal_form.message(form)
        )
        await parts.suite.call(visitor, parts.suite.schedule.PutUserSettings, asked)
    except (Refused, RemoteError) as error:
        problems = problems_of(error, personal_form.FIELDS)
        shown = personal_form.Shown(form, problems.words(locale_of(request)))
        return await _show(request, visitor, personal=shown, status=400)
    return forms.led_to(_PAGE, {"told": "personal"})


async def _semester_form(request: Request) -> SemesterForm:
    if not is_form(request):
        raise HTTPException(415)
    given = await bodies.read_form(request)
    given.pop(CSRF_FIELD, None)
    return bodies.from_fields(SemesterForm, semester_form.fields(given))


def _forbidden(spoken: Locale, error: Refused | RemoteError) -> Told | None:
    """Why a semester cannot be so in the present state, where that is the reason."""
    if isinstance(error, Refused):
        return None
    name = error.reason.removeprefix("semester_")
    if name not in ("overlap", "in_use") or not has(f"semester.{name}"):
        return None
    head, more = say(spoken, f"semester.{name}"), say(spoken, f"semester.{name}_more")
    return Told("warn", "warn", head, more)


async def _show(
    request: Request,
    visitor: Visitor,
    *,
    semester: semester_form.Shown | None = None,
    personal: personal_form.Shown | None = None,
    notice: Told | None = None,
    is_new: bool = False,
    status: int = 200,
) -> Response:
    parts, spoken = parts_of(request), locale_of(request)
    stored, chosen = await asyncio.gather(
        zones.semester_of(parts, visitor), _chosen(parts, visitor)
    )
    starts_new = is_new or stored is None
    if semester is None:
        form = (
            semester_form.new() if stored is None or is_new else semester_form.of_semester(stored)
        )
        semester = semester_form.Shown(form, {})
    facts = semester_words.facts(spoken, stored, parts.clock.now()) if stored else ()
    return answers.page(
        request,
        "settings.html",
        visitor=visitor,
        status=status,
        semester=semester,
        facts=() if starts_new else tuple(facts),
        has_semester=stored is not None,
        is_new=semester.form.semester_id == 0,
        personal=personal or personal_form.Shown(personal_form.of_settings(chosen), {}),
        told=notice,
        zones=_ZONES,
    )


_ZONES = (
    *("Asia/Shanghai", "Asia/Urumqi", "Asia/Hong_Kong", "Asia/Taipei", "Asia/Singapore"),
    *("Asia/Tokyo", "Europe/London", "Europe/Berlin", "America/New_York", "America/Los_Angeles"),
    *("America/Toronto", "Australia/Sydney", "Pacific/Auckland"),
)
"""Suggestions beside the field; any other IANA name is taken as well."""


async def _chosen(parts: Parts, visitor: Visitor) -> user_settings_pb2.UserSettings:
    asked = schedule_service_pb2.GetUserSettingsRequest()
    method = parts.suite.schedule.GetUserSettings
    return (await parts.suite.call(visitor, method, asked)).settings
