"""The person's answer to a suggestion, as the page's form sends it."""

from typing import Literal

from pydantic import Field

from services.gateway.wire import edits
from services.gateway.wire.bodies import Body, ConfirmBody, EditedChangeBody, Key, PlaceBody


class ConfirmForm(Body):
    """Like ConfirmBody, with the edited places as the page writes them."""

    candidate_id: str = Field("", max_length=200)
    action: Literal["confirm", "ignore"] = "confirm"
    edits: str = Field("", max_length=5000)
    idempotency_key: Key = None

    def body(self) -> ConfirmBody:
        """The same as a program says it. Raises InvalidRequest."""
        changes = (
            EditedChangeBody(
                change_id=change_id,
                to=PlaceBody(
                    semester_id=to.semester_id,
                    week=to.week,
                    day_of_week=to.day_of_week,
                    first_section=to.first_section,
                    last_section=to.last_section,
                ),
            )
            for change_id, to in edits.read(self.edits).items()
        )
        return ConfirmBody(
            candidate_id=self.candidate_id,
            action=self.action,
            edited_changes=tuple(changes),
            idempotency_key=self.idempotency_key,
        )
