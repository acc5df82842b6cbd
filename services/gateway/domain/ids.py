"""What ids of the other services look like, as far as an address may name them."""

import re

from services.gateway.domain.errors import PreviewNotFound

_PREVIEW = re.compile(r"asp_[0-9A-Za-z_-]{1,80}")


def preview_id(text: str) -> str:
    """The id itself. Raises PreviewNotFound for what no preview is called."""
    if not _PREVIEW.fullmatch(text):
        raise PreviewNotFound
    return text
