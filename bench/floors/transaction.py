"""The least an apply can be: begin, lock the user, read, one fused write, commit.

By asyncpg with prepared statements, over tables that hold the same rows: a block with two
sections, a verdict, two events of the outbox.
"""

import itertools
import json
import uuid
from dataclasses import dataclass, field
from typing import Any

import asyncpg

USERS = 20_000

_TABLES = """
    CREATE SCHEMA IF NOT EXISTS apply_floor;
    DROP TABLE IF EXISTS apply_floor.users, apply_floor.blocks, apply_floor.cells,
        apply_floor.verdicts, apply_floor.outbox;
    CREATE TABLE apply_floor.users (id bigint PRIMARY KEY) WITH (fillfactor = 70);
    CREATE TABLE apply_floor.blocks (
        user_id bigint, id bigint GENERATED ALWAYS AS IDENTITY, week int, day int, first int,
        last int, name text, PRIMARY KEY (user_id, id));
    CREATE INDEX ON apply_floor.blocks (user_id, week, day);
    CREATE TABLE apply_floor.cells (
        user_id bigint, week int, day int, section int, block_id bigint,
        PRIMARY KEY (user_id, week, day, section));
    CREATE TABLE apply_floor.verdicts (
        user_id bigint, apply_id text, block_id bigint, judged_at timestamptz,
        PRIMARY KEY (user_id, apply_id));
    CREATE TABLE apply_floor.outbox (
        id uuid PRIMARY KEY, subject text, payload bytea, headers jsonb,
        created_at timestamptz DEFAULT now());
    INSERT INTO apply_floor.users SELECT generate_series(1, $USERS);
"""
_LOCK = "SELECT id FROM apply_floor.users WHERE id = $1 FOR UPDATE"
_READ = """
    SELECT b.id, b.first, b.last, now() FROM apply_floor.users u
    LEFT JOIN apply_floor.blocks b ON b.user_id = u.id AND b.week = $2 AND b.day = $3
    WHERE u.id = $1
"""
_WRITE = """
    WITH block AS (
        INSERT INTO apply_floor.blocks (user_id, week, day, first, last, name)
        VALUES ($1, $2, $3, $4, $4 + 1, 'floor') RETURNING id),
    cells AS (
        INSERT INTO apply_floor.cells (user_id, week, day, section, block_id)
        SELECT $1, $2, $3, s, id FROM block, generate_series($4, $4 + 1) AS s),
    verdict AS (
        INSERT INTO apply_floor.verdicts (user_id, apply_id, block_id, judged_at)
        SELECT $1, $5, id, now() FROM block)
    INSERT INTO apply_floor.outbox (id, subject, payload, headers)
    SELECT unnest($6::uuid[]), 'floor', $7, $8 FROM block
"""
_PAYLOAD = b"p" * 64
_HEADERS = json.dumps({f"ce-{name}": "x" * 36 for name in ("id", "type", "source", "time")})


@dataclass(slots=True)
class Applies:
    """So many connections; `apply` runs one transaction on the one of a worker."""

    connections: list[asyncpg.Connection] = field(default_factory=list)
    _statements: list[tuple[Any, Any, Any]] = field(default_factory=list)
    _numbers: "itertools.count[int]" = field(default_factory=itertools.count)

    async def open(self, dsn: str, count: int) -> None:
        """Connects and makes the tables."""
        self.connections = [await asyncpg.connect(dsn) for _ in range(count)]
        first = self.connections[0]
        await first.execute(_TABLES.replace("$USERS", str(USERS)))
        await first.execute("VACUUM ANALYZE apply_floor.users")
        self._statements = [
            (await one.prepare(_LOCK), await one.prepare(_READ), await one.prepare(_WRITE))
            for one in self.connections
        ]

    async def apply(self, worker: int) -> None:
        """One apply of a user of its own, at a place of its own."""
        number = next(self._numbers)
        user = number % USERS + 1
        place = number // USERS
        week, day, first = 1 + place // 42, 1 + place // 6 % 7, 1 + place % 6 * 2
        lock, read, write = self._statements[worker]
        async with self.connections[worker].transaction():
            await lock.fetchval(user)
            await read.fetch(user, week, day)
            ids = [uuid.uuid4(), uuid.uuid4()]
            apply_id = f"floor-{number}"
            await write.fetch(user, week, day, first, apply_id, ids, _PAYLOAD, _HEADERS)

    async def close(self) -> None:
        """Disconnects."""
        for one in self.connections:
            await one.close()
