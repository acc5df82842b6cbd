"""runs, plan_loads, stream_events and confirm_requests.

A run is changed by compare-and-set on its version alone; its events are numbered in the same
statement's transaction.
"""

from collections.abc import Sequence

from sqlalchemy import text

from libs.db.database import Tx
from libs.db.driver import Row
from services.agent.domain.conversation import Held, Standing, Told
from services.agent.domain.run import Confirm, Reply, Run
from services.agent.store import codec

_COLUMNS = """
    version, sequence, lease, lease_until < clock_timestamp() AS lapsed,
    CAST(state AS text) AS state, created_at, updated_at
"""
_INSERT = text("""
    INSERT INTO runs (user_id, id, conversation_id, phase, wait, state, sequence)
    VALUES (:user_id, :id, :conversation_id, :phase, :wait, CAST(:state AS jsonb), :sequence)
""")
_GET = text(f"SELECT {_COLUMNS} FROM runs WHERE user_id = :user_id AND id = :id")
# Another driver may have it only when the lease of the last one is over.
_CLAIM = text(f"""
    UPDATE runs SET lease = :lease,
        lease_until = clock_timestamp() + make_interval(secs => :seconds)
    WHERE user_id = :user_id AND id = :id AND ended_at IS NULL AND wait = 'nothing'
        AND lease_until < clock_timestamp()
    RETURNING {_COLUMNS}
""")
_STANDING = text("""
    SELECT ended_at IS NULL AND wait = 'nothing' AS works,
        lease_until < clock_timestamp() AS lapsed
    FROM runs WHERE user_id = :user_id AND id = :id
""")
_KEEP = text("""
    UPDATE runs SET lease_until = clock_timestamp() + make_interval(secs => :seconds)
    WHERE user_id = :user_id AND id = :id AND lease = :lease
""")
_RELEASE = text("""
    UPDATE runs SET lease_until = '-infinity'
    WHERE user_id = :user_id AND id = :id AND lease = :lease
""")
# Where the run waits or has ended nobody drives it.
_SAVE = text("""
    UPDATE runs SET version = version + 1, phase = :phase, wait = :wait, outcome = :outcome,
        state = CAST(:state AS jsonb), sequence = sequence + :events,
        updated_at = clock_timestamp(),
        ended_at = CASE WHEN :outcome = '' THEN NULL ELSE clock_timestamp() END,
        lease_until = CASE WHEN :works THEN lease_until ELSE '-infinity' END
    WHERE user_id = :user_id AND id = :id AND version = :version AND lease = :lease
    RETURNING version, sequence
""")
_LOAD = text("""
    INSERT INTO plan_loads (user_id, run_id, number, content)
    VALUES (:user_id, :run_id, :number, :content) ON CONFLICT DO NOTHING
""")
_ROWS = text("""
    SELECT content FROM plan_loads
    WHERE user_id = :user_id AND run_id = :run_id AND number = :number
""")
_TELL = text("""
    INSERT INTO stream_events (user_id, run_id, sequence, content)
    SELECT :user_id, :run_id, :after + place, told
    FROM unnest(CAST(:contents AS bytea[])) WITH ORDINALITY AS event (told, place)
""")
_EVENTS = text("""
    SELECT sequence, content, created_at FROM stream_events
    WHERE user_id = :user_id AND run_id = :run_id AND sequence > :after
    ORDER BY sequence LIMIT :limit
""")
_ASK = text("""
    INSERT INTO confirm_requests (user_id, run_id, number, kind, apply_id, content)
    VALUES (:user_id, :run_id, :number, :kind, :apply_id, CAST(:content AS jsonb))
    ON CONFLICT DO NOTHING
""")
_REPLY = text("""
    UPDATE confirm_requests
    SET accepted = :accepted, words = :words, replied_at = clock_timestamp()
    WHERE user_id = :user_id AND run_id = :run_id AND number = :number
""")
_PRUNE = text("""
    DELETE FROM stream_events WHERE ctid = ANY(ARRAY(
        SELECT e.ctid FROM runs r
        JOIN stream_events e ON e.user_id = r.user_id AND e.run_id = r.id
        WHERE r.ended_at < clock_timestamp() - interval '30 days' LIMIT :limit))
""")
_PRUNE_LOADS = text("""
    DELETE FROM plan_loads WHERE ctid = ANY(ARRAY(
        SELECT l.ctid FROM runs r JOIN plan_loads l ON l.user_id = r.user_id AND l.run_id = r.id
        WHERE r.ended_at < clock_timestamp() - interval '30 days' LIMIT :limit))
""")


async def insert(tx: Tx, run: Run, *, sequence: int) -> None:
    """Begins a run; `sequence` events of it are told beside."""
    await tx.execute(
        _INSERT,
        user_id=run.user_id,
        id=run.id,
        conversation_id=run.conversation_id,
        phase=run.phase.value,
        wait=run.wait.value,
        state=codec.dumped(run),
        sequence=sequence,
    )


async def get(tx: Tx, user_id: int, run_id: str) -> Held | None:
    """A run as it is."""
    row = await tx.first(_GET, user_id=user_id, id=run_id)
    return None if row is None else _held(row)


async def claim(tx: Tx, user_id: int, run_id: str, *, lease: str, seconds: float) -> Held | None:
    """Takes the lease of a run that works and that nobody drives; None where there is none."""
    row = await tx.first(_CLAIM, user_id=user_id, id=run_id, lease=lease, seconds=seconds)
    return None if row is None else _held(row)


async def standing(tx: Tx, user_id: int, run_id: str) -> Standing | None:
    """Whether a run works, and whether somebody drives it."""
    row = await tx.first(_STANDING, user_id=user_id, id=run_id)
    return None if row is None else Standing(row.works, row.lapsed)


async def keep(tx: Tx, user_id: int, run_id: str, *, lease: str, seconds: float) -> bool:
    """Prolongs a lease; False where another has it."""
    count = await tx.execute(_KEEP, user_id=user_id, id=run_id, lease=lease, seconds=seconds)
    return count > 0


async def release(tx: Tx, user_id: int, run_id: str, *, lease: str) -> None:
    """Gives a lease up, so that another can go on at once."""
    await tx.execute(_RELEASE, user_id=user_id, id=run_id, lease=lease)


async def save(
    tx: Tx, run: Run, *, version: int, lease: str, events: int
) -> tuple[int, int] | None:
    """Writes a run over the version that was read, under its lease.

    Gives the new version and the number of its last event, None where another was quicker.
    """
    row = await tx.first(
        _SAVE,
        user_id=run.user_id,
        id=run.id,
        version=version,
        lease=lease,
        phase=run.phase.value,
        wait=run.wait.value,
        outcome=run.outcome.kind.value if run.outcome else "",
        state=codec.dumped(run),
        events=events,
        works=run.works,
    )
    return None if row is None else (row.version, row.sequence)


async def store_rows(tx: Tx, user_id: int, run_id: str, number: int, content: bytes) -> None:
    """Keeps what a plan was loaded from."""
    await tx.execute(_LOAD, user_id=user_id, run_id=run_id, number=number, content=content)


async def rows(tx: Tx, user_id: int, run_id: str, number: int) -> bytes | None:
    """What a plan was loaded from, as long as it is kept."""
    content: bytes | None = await tx.scalar(_ROWS, user_id=user_id, run_id=run_id, number=number)
    return content


async def tell(tx: Tx, user_id: int, run_id: str, contents: Sequence[bytes], *, after: int) -> None:
    """Stores events behind number `after`."""
    if contents:
        await tx.execute(
            _TELL, user_id=user_id, run_id=run_id, contents=list(contents), after=after
        )


async def told(tx: Tx, user_id: int, run_id: str, *, after: int, limit: int) -> Sequence[Told]:
    """Events behind number `after`, in their order."""
    found = await tx.all(_EVENTS, user_id=user_id, run_id=run_id, after=after, limit=limit)
    return [Told(run_id, row.sequence, row.content, row.created_at) for row in found]


async def ask(tx: Tx, run: Run, request: Confirm) -> None:
    """Stores what is to be confirmed, before it is asked."""
    await tx.execute(
        _ASK,
        user_id=run.user_id,
        run_id=run.id,
        number=request.number,
        kind=request.kind.value,
        apply_id=run.apply_id,
        content=codec.confirm(request),
    )


async def reply(tx: Tx, run: Run, number: int, answer: Reply) -> None:
    """Stores what was said to it."""
    await tx.execute(
        _REPLY,
        user_id=run.user_id,
        run_id=run.id,
        number=number,
        accepted=answer.accepted,
        words=answer.words,
    )


async def prune(tx: Tx, *, limit: int) -> int:
    """Deletes events and rows of runs that ended 30 days ago; gives how many."""
    events = await tx.execute(_PRUNE, limit=limit)
    return max(events, await tx.execute(_PRUNE_LOADS, limit=limit))


def _held(row: Row) -> Held:
    return Held(
        run=codec.loaded(row.state),
        version=row.version,
        sequence=row.sequence,
        lease=row.lease,
        lapsed=row.lapsed,
        created_at=row.created_at,
        updated_at=row.updated_at,
    )
