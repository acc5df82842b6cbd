"""What /openapi.json says beyond what the framework finds out by itself."""

from collections.abc import Iterable
from typing import Any

from fastapi import FastAPI
from fastapi.openapi.utils import get_openapi
from google.protobuf.message import Message
from pydantic import BaseModel
from pydantic.json_schema import models_json_schema

from services.gateway.web.negotiation import FORM, JSON
from services.gateway.wire import problems, schemas

_ANSWERS: dict[str, type[Message]] = {}
_BODIES: dict[str, type[BaseModel]] = {}
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


def takes(body: type[BaseModel], kind: type[Message]) -> dict[str, Any]:
    """Arguments of a route that reads its body by itself, from JSON or from a form."""
    _BODIES[body.__name__] = body
    reference = {"$ref": _REFERENCE.format(model=body.__name__)}
    content = {JSON: {"schema": reference}, FORM: {"schema": {"type": "object"}}}
    return {**answers_with(kind), "openapi_extra": {"requestBody": {"content": content}}}


def document(app: FastAPI) -> dict[str, Any]:
    """The whole document."""
    made = get_openapi(title=app.title, version=app.version, routes=app.routes)
    known = made.setdefault("components", {}).setdefault("schemas", {})
    known.update(schemas.components(_ANSWERS.values()))
    known.update(_models(_BODIES.values()))
    known["Problem"] = _PROBLEM
    # Refused bodies are answered like every other refusal, so the framework's own shape is gone.
    for name in ("HTTPValidationError", "ValidationError"):
        known.pop(name, None)
    for path in made.get("paths", {}).values():
        for method, operation in path.items():
            if method in _METHODS:
                operation["responses"].pop("422", None)
                operation["responses"]["default"] = _refused()
    made["components"]["securitySchemes"] = {"bearer": {"type": "http", "scheme": "bearer"}}
    made["security"] = [{"bearer": []}]
    return made


def _refused() -> dict[str, Any]:
    schema = {"$ref": _REFERENCE.format(model="Problem")}
    return {"description": "Refused", "content": {problems.MEDIA_TYPE: {"schema": schema}}}


def _models(bodies: Iterable[type[BaseModel]]) -> dict[str, Any]:
    _, made = models_json_schema([(body, "validation") for body in bodies], ref_template=_REFERENCE)
    return dict(made.get("$defs", {}))
