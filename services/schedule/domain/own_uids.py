"""UIDs of the entries that this service writes into calendar files.

They stay the same over exports, and an import knows by them what came from here.
"""

import re

_OWN = re.compile(r"event-[1-9][0-9]{0,18}@schedule\.smartmate")


def uid_of(event_id: int) -> str:
    """The UID of a block in every file that shows it."""
    return f"event-{event_id}@schedule.smartmate"


def is_own(uid: str) -> bool:
    """Whether an entry with this UID was written by this service."""
    return _OWN.fullmatch(uid) is not None
