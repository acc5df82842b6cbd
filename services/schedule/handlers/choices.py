"""What a person has chosen for the whole suite."""

from libs.db.database import Tx
from services.schedule.domain.user_settings import UserSettings
from services.schedule.store import user_settings


async def put(tx: Tx, user_id: int, chosen: UserSettings) -> UserSettings:
    """Replaces all of it; choices that are as they were raise no version."""
    before = await user_settings.get(tx, user_id)
    if before.version and before.same_as(chosen):
        return before
    return await user_settings.put(tx, user_id, chosen)


async def get(tx: Tx, user_id: int) -> UserSettings:
    """What the user has chosen, or the defaults."""
    return await user_settings.get(tx, user_id)
