"""Which candidate a page is about, and what was written."""

from services.gateway.wire.edits import Places
from smartmate.active_scheduler.v1 import preview_pb2


def chosen(preview: preview_pb2.Preview, asked: str) -> preview_pb2.Candidate | None:
    """What was written, else what is asked for, else what is proposed.

    None for an applied preview of which nobody can tell what was written.
    """
    offered = preview.candidates
    by_id = {one.candidate_id: one for one in offered}
    proposed = by_id.get(preview.selected_candidate_id) or next(iter(offered), None)
    if preview.state != preview_pb2.PREVIEW_STATE_APPLIED:
        return by_id.get(asked) or proposed
    places = written(preview)
    if not places:
        return proposed if len(offered) == 1 else None
    return next((one for one in offered if _stands_at(one, places)), proposed)


def written(preview: preview_pb2.Preview) -> Places:
    """The places that an applied suggestion wrote, by change."""
    return {one.change_id: one.to for one in preview.applied_changes if one.HasField("to")}


def _stands_at(candidate: preview_pb2.Candidate, places: Places) -> bool:
    return all(places.get(one.change_id) == one.to for one in candidate.changes)
