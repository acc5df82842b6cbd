"""The parts that figures are taken on: a suite in a place of its own, and floors beside it."""

import asyncio
import sys
from collections.abc import AsyncIterator, Iterable, Mapping
from contextlib import asynccontextmanager
from urllib.parse import urlsplit

import asyncpg
import grpc

from services.standalone import environment, home, settings
from services.standalone.suite import Suite

FLOOR_DATABASE = "bench_floor"


@asynccontextmanager
async def suite_of(
    services: Iterable[str],
    *,
    feishu: bool = False,
    overrides: Mapping[str, Mapping[str, str]] | None = None,
) -> AsyncIterator[Suite]:
    """A fresh suite with embedded servers, whatever the environment says; gone afterwards."""
    with home.temporary() as path:
        suite = Suite(
            path,
            services=services,
            feishu_standin=feishu,
            overrides=overrides,
            configuration=settings.read({"SMARTMATE_HOME": str(path)}),
        )
        async with suite:
            yield suite


@asynccontextmanager
async def connected(dsn: str) -> AsyncIterator[asyncpg.Connection]:
    """One connection."""
    connection = await asyncpg.connect(dsn, command_timeout=120)
    try:
        yield connection
    finally:
        await connection.close()


async def floor_database(suite: Suite) -> str:
    """Address of a database for floors on the suite's own server, made where there is none."""
    admin = suite.postgres_admin
    async with connected(admin) as connection:
        if not await connection.fetchval(
            "SELECT true FROM pg_database WHERE datname = $1", FLOOR_DATABASE
        ):
            await connection.execute(f"CREATE DATABASE {FLOOR_DATABASE} TEMPLATE template0")
    return urlsplit(admin)._replace(path=f"/{FLOOR_DATABASE}").geturl()


@asynccontextmanager
async def child(*arguments: str) -> AsyncIterator[asyncio.subprocess.Process]:
    """A Python process of ours, running a module; ended afterwards."""
    process = await asyncio.create_subprocess_exec(
        sys.executable,
        "-P",
        "-m",
        *arguments,
        env=environment.system({"PATH": "/usr/bin:/bin"}),
        stdin=asyncio.subprocess.DEVNULL,
        stdout=asyncio.subprocess.PIPE,
    )
    try:
        yield process
    finally:
        if process.returncode is None:
            process.terminate()
        await process.wait()


@asynccontextmanager
async def echo() -> AsyncIterator[grpc.aio.UnaryUnaryMultiCallable[bytes, bytes]]:
    """The echo call of a bare gRPC server in a process of its own."""
    from bench.floors.echo import METHOD

    async with child("bench.floors.echo") as process:
        assert process.stdout is not None
        port = int(await process.stdout.readline())
        async with grpc.aio.insecure_channel(f"127.0.0.1:{port}") as to_echo:
            yield to_echo.unary_unary(METHOD)
