"""Reads what callers of a control API send: each value is checked and named when it is wrong."""

from collections.abc import Iterable, Mapping


class ScriptError(Exception):
    """The script cannot be read; the text names the field."""


def only_known(given: Mapping[str, object], known: Iterable[str], what: str) -> None:
    """Refuses a misspelt name, which would otherwise do nothing."""
    names = sorted(set(known))
    if unknown := sorted(set(given) - set(names)):
        raise ScriptError(f"{what}: {unknown[0]} is not known ({', '.join(names)})")


def number(given: Mapping[str, object], name: str, low: int, high: int) -> int | None:
    """A whole number, or None where none was given."""
    value = given.get(name)
    if value is None:
        return None
    if not isinstance(value, int) or isinstance(value, bool) or not low <= value <= high:
        raise ScriptError(f"{name}: a whole number from {low} to {high} is needed")
    return value


def text(given: Mapping[str, object], name: str) -> str | None:
    """A string, or None where none was given."""
    value = given.get(name)
    if value is not None and not isinstance(value, str):
        raise ScriptError(f"{name}: a string is needed")
    return value


def flag(given: Mapping[str, object], name: str) -> bool:
    """True or false; false where none was given."""
    value = given.get(name, False)
    if not isinstance(value, bool):
        raise ScriptError(f"{name}: true or false is needed")
    return value


def headers(given: Mapping[str, object], name: str = "headers") -> tuple[tuple[str, str], ...]:
    """Response headers."""
    found = given.get(name, {})
    if not isinstance(found, dict):
        raise ScriptError(f"{name}: an object is needed")
    for key, value in found.items():
        if not isinstance(value, str) or not (key + value).isprintable() or not key.isascii():
            raise ScriptError(f"{name}: printable strings are needed")
    return tuple(found.items())
