"""Templates to text. Everything that is put into a page is escaped."""

import hashlib
import uuid
from collections.abc import Mapping
from functools import partial
from pathlib import Path
from typing import Any

from jinja2 import Environment, FileSystemLoader, StrictUndefined

from services.gateway.domain.locale import Locale
from services.gateway.domain.messages import say

_ROOT = Path(__file__).resolve().parents[1]
TEMPLATES = _ROOT / "templates"
STATIC = _ROOT / "static"
STATIC_PATH = "/static"


class Renderer:
    """The templates, read once; static files are named with a digest of their content."""

    def __init__(self) -> None:
        self._digests = _digests(STATIC)
        self._environment = Environment(
            loader=FileSystemLoader(TEMPLATES),
            autoescape=True,
            auto_reload=False,
            undefined=StrictUndefined,
            trim_blocks=True,
            lstrip_blocks=True,
        )
        self._environment.globals["static"] = self.static
        self._environment.globals["new_key"] = _new_key

    def static(self, name: str) -> str:
        """The address of a static file; it changes when the file does."""
        return f"{STATIC_PATH}/{name}?v={self._digests[name]}"

    def is_current(self, name: str, digest: str) -> bool:
        """Whether an address names the file as it is, so that it may be kept for good."""
        return self._digests.get(name) == digest

    def render(self, template: str, locale: Locale, **values: Any) -> str:
        """One page."""
        words: Mapping[str, Any] = {"t": partial(say, locale), "locale": locale.value}
        return self._environment.get_template(template).render(**words, **values)


def _new_key() -> str:
    """The idempotency key of a form, made when the form is."""
    return str(uuid.uuid4())


def _digests(root: Path) -> dict[str, str]:
    return {
        path.relative_to(root).as_posix(): hashlib.sha256(path.read_bytes()).hexdigest()[:12]
        for path in sorted(root.rglob("*"))
        if path.is_file()
    }
