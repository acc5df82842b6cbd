"""What /openapi.json says beyond what the framework finds out by itself."""

from collections.abc import Iterable
from typing import Any

from fastapi import FastAPI
from fastapi.openapi.utils import get_openapi
from google.protobuf.message import Message
from pydantic import BaseModel
from pydantic.json_schema import models_json_schema

from services.gateway.web.negotiation import API, FORM, JSON
from services.gateway.wire import problems, schemas

_ANSWERS: dict[str, type[Message]] = {}
_BODIES: dict[str, type[BaseModel]] = {}
_ADDED: dict[tuple[str, str], dict[str, Any]] = {}
_REFERENCE = "#/components/schemas/{model}"
_METHODS = frozenset({"get", "post", "put", "delete"})

_PROBLEM = {
    "type": "object",
    "required": ["type", "title", "status", "code", "domain"],
    "properties": {
        "type": {"type": "string"},
        "title": {"type": "string"},
        "status": {"type": "integer"},
        "code": {"type": "string", "description": "Stable; programs switch on this"},
        "domain": {"type": "string"},
        "violations": {
            "type": "array",
            "items": {
                "type": "object",
                "required": ["field", "problem"],
                "properties": {"field": {"type": "string"}, "problem": {"type": "string"}},
            },
        },
        "metadata": {"type": "object", "additionalProperties": {"type": "string"}},
        "number": {"type": "string", "description": "Finds a defect in the logs"},
    },
}


def answers_with(kind: type[Message], status: int = 200) -> dict[str, Any]:
    """Arguments of a route that answers with a message as JSON."""
    _ANSWERS[kind.DESCRIPTOR.name] = kind
    content = {JSON: {"schema": schemas.reference(kind)}}
    return {
        "response_model": None,
        "responses": {status: {"description": "As JSON", "content": content}},
    }


def mentions(*kinds: type[Message]) -> None:
    """Messages that no answer is, but that something in one holds."""
    for kind in kinds:
        _ANSWERS[kind.DESCRIPTOR.name] = kind


def adds(message: str, name: str, schema: dict[str, Any]) -> None:
    """A field that the edge adds to a message of an answer."""
    _ADDED[message, name] = schema


def takes(body: type[BaseModel], kind: type[Message]) -> dict[str, Any]:
    """Arguments of a route that reads its body by itself, from JSON or from a form."""
    _BODIES[body.__name__] = body
    reference = {"$ref": _REFERENCE.format(model=body.__name__)}
    content = {JSON: {"schema": reference}, FORM: {"schema": {"type": "object"}}}
    described = answers_with(kind)
    described["responses"][303] = {"description": "Where a form leads to"}
    return {**described, "openapi_extra": {"requestBody": {"content": content}}}


def document(app: FastAPI) -> dict[str, Any]:
    """The whole document."""
    made = get_openapi(title=app.title, version=app.version, routes=app.routes)
    known = made.setdefault("components", {}).setdefault("schemas", {})
    known.update(schemas.components(_ANSWERS.values()))
    for (message, name), schema in _ADDED.items():
        known[message]["properties"][name] = schema
        known[message]["required"].append(name)
    known.update(_models(_BODIES.values()))
    known["Problem"] = _PROBLEM
    # Refused bodies are answered like every other refusal, so the framework's own shape is gone.
    for name in ("HTTPValidationError", "ValidationError"):
        known.pop(name, None)
    for name, path in made.get("paths", {}).items():
        for method, operation in path.items():
            if method in _METHODS:
                operation["responses"].pop("422", None)
                is_page = _answers_forms(name, operation)
                operation["responses"]["default"] = _refused(is_page=is_page)
    made["components"]["securitySchemes"] = {"bearer": {"type": "http", "scheme": "bearer"}}
    made["security"] = [{"bearer": []}]
    return made


def _answers_forms(path: str, operation: dict[str, Any]) -> bool:
    """Whether a refusal may be a page: below /api/ it never is."""
    taken = operation.get("requestBody", {}).get("content", {})
    return FORM in taken and not path.startswith(API)


def _refused(*, is_page: bool) -> dict[str, Any]:
    schema = {"$ref": _REFERENCE.format(model="Problem")}
    content: dict[str, Any] = {problems.MEDIA_TYPE: {"schema": schema}}
    if is_page:
        content["text/html"] = {"schema": {"type": "string"}}
    return {"description": "Refused", "content": content}


def _models(bodies: Iterable[type[BaseModel]]) -> dict[str, Any]:
    _, made = models_json_schema([(body, "validation") for body in bodies], ref_template=_REFERENCE)
    return dict(made.get("$defs", {}))
