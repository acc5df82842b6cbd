"""In which language a person is spoken to."""

from enum import StrEnum


class Locale(StrEnum):
    """A language of the pages; the value is its BCP 47 tag."""

    ZH = "zh-CN"
    EN = "en"


def parse(tag: str | None) -> Locale | None:
    """The language that a tag such as `zh`, `zh-Hans-CN` or `en-GB` asks for, or None."""
    primary = (tag or "").strip().lower().replace("_", "-").partition("-")[0]
    return {"zh": Locale.ZH, "en": Locale.EN}.get(primary)


def choose(asked: str | None, *, remembered: str | None, accept_language: str | None) -> Locale:
    """What was asked for, else what is remembered, else what the browser prefers, else Chinese."""
    return parse(asked) or parse(remembered) or _preferred(accept_language or "") or Locale.ZH


def _preferred(header: str) -> Locale | None:
    best, best_weight = None, 0.0
    for part in header[:512].split(","):
        tag, _, parameter = part.partition(";")
        locale, weight = parse(tag), _weight(parameter)
        if locale and weight > best_weight:
            best, best_weight = locale, weight
    return best


def _weight(parameter: str) -> float:
    name, _, value = parameter.strip().partition("=")
    if not name:
        return 1.0
    try:
        weight = float(value)
    except ValueError:
        return 0.0
    return weight if name.strip() == "q" and 0 <= weight <= 1 else 0.0
