"""Parameters that many routes take."""

from typing import Annotated

from fastapi import Path, Query

RowId = Annotated[int, Path(ge=1, le=2**63 - 1)]
"""A number that names something, in the path."""

PageSize = Annotated[int, Query(ge=0, le=1000)]
"""As the contracts have it; 0 means what a service thinks right."""

Token = Annotated[str, Query(max_length=100)]
"""A short word that a link carries, or an id."""

LongToken = Annotated[str, Query(max_length=200)]
"""The same where it may be longer, like the place at which a page begins."""
