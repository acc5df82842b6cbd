"""Writes docs/settings.md from the settings classes.

make docs
"""

import dataclasses
import importlib
import inspect
import typing
from collections.abc import Iterator, Mapping, Sequence
from datetime import timedelta
from pathlib import Path
from types import ModuleType
from typing import Any, Literal

from pydantic.fields import FieldInfo
from pydantic_settings import BaseSettings

from libs.process.settings import ProcessSettings, ServiceSettings
from scripts.descriptors import ROOT

PAGE = ROOT / "docs" / "settings.md"
TEMPLATE = ROOT / "scripts" / "templates" / "settings.md.in"

_WORDS = {
    str: "text",
    int: "whole number",
    float: "number",
    bool: "true, false",
    Path: "path",
    timedelta: "duration, ISO 8601",
}
_BOUNDS = (("ge", "≥ "), ("gt", "> "), ("le", "≤ "), ("lt", "< "))
_HEAD = "| variable | value | default | meaning |\n|---|---|---|---|"


@dataclasses.dataclass(frozen=True, slots=True)
class Setting:
    """One variable of the environment."""

    variable: str
    value: str
    default: str
    meaning: str

    def row(self) -> str:
        """The setting as a line of a table."""
        cells = (f"`{self.variable}`", self.value, self.default, self.meaning)
        return "| " + " | ".join(cell.replace("|", "\\|") for cell in cells) + " |"


def render() -> str:
    """The page as it should be. Raises LookupError for a setting without a description."""
    sections = [_section("Every service", list(_of_class(ServiceSettings)))]
    for service, settings in by_service().items():
        if settings:
            sections.append(_section(f"`{service}`", settings))
    sections.append(_section("One machine: the program `smartmate`", _own("standalone")))
    return TEMPLATE.read_text(encoding="utf-8").format(sections="\n\n".join(sections))


def by_service() -> dict[str, list[Setting]]:
    """What each service reads besides the settings of every service."""
    names = sorted(path.parent.name for path in (ROOT / "services").glob("*/settings.py"))
    return {name: _own(name) for name in names if name != "standalone"}


def conflicts(services: Mapping[str, Sequence[Setting]]) -> list[str]:
    """Variables that have one default here and another there: on one machine all read the same."""
    found: dict[str, dict[str, str]] = {}
    for service, settings in services.items():
        for one in settings:
            found.setdefault(one.variable, {})[service] = one.default
    return [
        f"{variable}: " + ", ".join(f"{default} in {service}" for service, default in at.items())
        for variable, at in sorted(found.items())
        if len(set(at.values())) > 1
    ]


def _own(service: str) -> list[Setting]:
    module = importlib.import_module(f"services.{service}.settings")
    return [one for cls in classes(module) for one in of(cls)]


def classes(module: ModuleType) -> Iterator[type]:
    """The settings classes that a module defines, in the order of the file."""
    for _, cls in inspect.getmembers(module, inspect.isclass):
        is_settings = issubclass(cls, BaseSettings) or cls.__name__.endswith("Settings")
        if cls.__module__ == module.__name__ and is_settings:
            yield cls


def of(cls: type) -> Iterator[Setting]:
    """The settings that a class adds to those of every service, or gives another default."""
    if not issubclass(cls, BaseSettings):
        yield from _of_dataclass(cls)
        return
    shared = set(_of_class(ServiceSettings)) if issubclass(cls, ProcessSettings) else set()
    yield from (one for one in _of_class(cls) if one not in shared)


def _of_class(cls: type[BaseSettings]) -> Iterator[Setting]:
    prefix = str(cls.model_config.get("env_prefix", ""))
    for name, info in cls.model_fields.items():
        if not info.description:
            raise LookupError(f"{cls.__module__}.{cls.__name__}.{name} has no description")
        alias = info.validation_alias if isinstance(info.validation_alias, str) else None
        yield Setting(
            alias or f"{prefix}{name}".upper(),
            _value(info.annotation, info),
            "**required**" if info.is_required() else _default(info.get_default()),
            info.description,
        )


def _of_dataclass(cls: Any) -> Iterator[Setting]:
    """A plain dataclass names variable and meaning in the metadata of its fields."""
    hints = typing.get_type_hints(cls)
    for field in dataclasses.fields(cls):
        if not {"environment", "meaning"} <= field.metadata.keys():
            raise LookupError(f"{cls.__module__}.{cls.__name__}.{field.name} has no description")
        has_default = field.default is not dataclasses.MISSING
        yield Setting(
            field.metadata["environment"],
            _value(hints[field.name], None),
            _default(field.default) if has_default else "—",
            field.metadata["meaning"],
        )


def _value(annotation: Any, info: FieldInfo | None) -> str:
    """What may be written, with its bounds."""
    if typing.get_origin(annotation) is Literal:
        return ", ".join(f"`{value}`" for value in typing.get_args(annotation))
    inner = [one for one in typing.get_args(annotation) if one is not type(None)]
    known = _WORDS.get(annotation) or (_WORDS.get(inner[0]) if len(inner) == 1 else None)
    bounds = [
        f"{sign}{_plain(getattr(bound, name))}"
        for bound in (info.metadata if info else ())
        for name, sign in _BOUNDS
        if hasattr(bound, name)
    ]
    return ", ".join([known or "text", *bounds])


def _default(value: object) -> str:
    if value is None or value in ("", (), frozenset()):
        return "—"
    return f"`{_plain(value)}`"


def _plain(value: object) -> str:
    """A value as one would write it into the environment."""
    if isinstance(value, bool):
        return str(value).lower()
    if isinstance(value, timedelta):
        days, seconds = value.days, value.total_seconds() % 86400
        return "P" + f"{days}D" * bool(days) + f"T{seconds:g}S" * bool(seconds or not days)
    return f"{value:g}" if isinstance(value, float) else str(value)


def _section(title: str, settings: list[Setting]) -> str:
    return "\n".join([f"## {title}", "", _HEAD, *(one.row() for one in settings)])


def main() -> None:
    """Writes the page."""
    PAGE.write_text(render(), encoding="utf-8")


if __name__ == "__main__":
    main()
