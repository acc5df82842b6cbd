"""The gateway as a process, and its one-shot commands.

python -m services.gateway                                       serve
python -m services.gateway user-add --name NAME [--operator] [--handle HANDLE]
                                                                 a user and a first link
python -m services.gateway sign-in-link --user N [--next PATH]   another link
python -m services.gateway token --user N                        a development token
"""

import argparse
import asyncio
import json
import sys
from collections.abc import Awaitable, Callable, Sequence
from datetime import timedelta
from typing import Any

from libs.clock import Clock, SystemClock
from libs.db.database import Database
from libs.events import connection
from libs.process import runtime
from libs.rpc.identity import Issuer, Verifier
from libs.telemetry.ops import Readiness
from services.gateway import api, pages
from services.gateway.clients import links
from services.gateway.clients.suite import Addresses, Suite
from services.gateway.domain.buckets import Buckets, Rate
from services.gateway.domain.errors import GatewayError
from services.gateway.handlers.link_post import LinkPost
from services.gateway.handlers.sign_in import AskedLink, SignIn
from services.gateway.server.application import Bounds, application
from services.gateway.server.edge import Edge
from services.gateway.settings import GatewaySettings
from services.gateway.web.parts import Parts, Policy
from services.gateway.web.rendering import Renderer

SERVICE = "gateway"

Command = Callable[[GatewaySettings, argparse.Namespace], Awaitable[Any]]
"""Gives what is printed as JSON, a bare string as it is, or None for nothing."""


def sign_in_of(settings: GatewaySettings, database: Database) -> SignIn:
    """The use cases of signing in, as the settings want them."""
    return SignIn(database, settings.session_life, settings.sign_in_link_life, settings.asked_links)


def parts_of(settings: GatewaySettings, database: Database, clock: Clock, suite: Suite) -> Parts:
    """The parts that the routes need."""
    sign_in = sign_in_of(settings, database)

    async def send(link: AskedLink) -> None:
        await links.send(suite, link.user_id, link.token, link.expires_at)

    return Parts(
        policy=Policy(
            origin=settings.public_base_url,
            is_https=settings.is_https,
            session_life=settings.session_life,
            stream_keepalive_seconds=settings.stream_keepalive_seconds,
            stream_seconds=settings.stream_seconds,
            streams_per_user=settings.streams_per_user,
        ),
        clock=clock,
        suite=suite,
        sign_in=sign_in,
        link_post=LinkPost(sign_in, send),
        verifier=Verifier.load(settings.public_keys, clock),
        renderer=Renderer(),
        by_user=Buckets(Rate(settings.user_rate, settings.user_burst)),
        by_sign_in=Buckets(Rate(settings.sign_in_rate, settings.sign_in_burst)),
        by_asking=Buckets(Rate(settings.ask_rate, settings.ask_burst)),
        readiness=Readiness(),
        waits=asyncio.Event(),
    )


def edge_of(settings: GatewaySettings, parts: Parts) -> Edge:
    """The HTTP server with every route."""
    bounds = Bounds(
        Buckets(Rate(settings.address_rate, settings.address_burst)),
        settings.request_seconds,
        settings.receive_seconds,
    )
    app = application(parts, bounds, (*pages.ROUTERS, *api.ROUTERS))
    return Edge(
        app, settings.listen, parts.readiness, settings.trusted_proxies, settings.connections
    )


async def serve(settings: GatewaySettings, _: argparse.Namespace) -> None:
    """Serves until SIGTERM or SIGINT."""
    runtime.configure(settings, SERVICE)
    clock = _clock(settings)
    suite = Suite.open(
        Addresses(
            settings.schedule_address,
            settings.active_scheduler_address,
            settings.notification_address,
            settings.agent_address,
        ),
        Issuer.load(settings.private_key, clock),
        call_seconds=settings.call_seconds,
    )
    database = _database(settings)
    parts = parts_of(settings, database, clock, suite)
    edge = edge_of(settings, parts)
    await database.wait_until_there()
    bus = await connection.connect(settings.nats_url, service=SERVICE)
    await runtime.run(
        runtime.Parts(
            database=database,
            bus=bus,
            edge=edge,
            waits=parts.waits,
            relays=(edge.watch, parts.link_post.run),
            closers=(suite.close,),
        ),
        settings,
    )


async def user_add(settings: GatewaySettings, arguments: argparse.Namespace) -> dict[str, Any]:
    """A new user with a first sign-in link."""
    database = _database(settings)
    try:
        user_id, token = await sign_in_of(settings, database).add_user(
            arguments.name, is_operator=arguments.operator, handle=arguments.handle
        )
    finally:
        await database.close()
    return {"user_id": user_id, "sign_in_url": _url(settings, token)}


async def sign_in_link(settings: GatewaySettings, arguments: argparse.Namespace) -> dict[str, Any]:
    """Another sign-in link of a user."""
    database = _database(settings)
    try:
        token = await sign_in_of(settings, database).make_link(arguments.user, arguments.next)
    finally:
        await database.close()
    return {"user_id": arguments.user, "sign_in_url": _url(settings, token)}


async def token(settings: GatewaySettings, arguments: argparse.Namespace) -> str:
    """A bearer token for programs; for development alone."""
    if not settings.development:
        raise SystemExit("tokens are given out where SMARTMATE_DEVELOPMENT is true")
    database = _database(settings)
    try:
        visitor = await sign_in_of(settings, database).user(arguments.user)
    finally:
        await database.close()
    issuer = Issuer.load(settings.private_key, _clock(settings))
    return issuer.user_token(visitor.user_id, visitor.roles)


def _clock(settings: GatewaySettings) -> SystemClock:
    return SystemClock(timedelta(seconds=settings.clock_offset_seconds))


def _database(settings: GatewaySettings) -> Database:
    return Database(settings.database_url, application=SERVICE, pool_size=settings.database_pool)


def _url(settings: GatewaySettings, token: str) -> str:
    return f"{settings.public_base_url}/sign-in/{token}"


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(prog="python -m services.gateway", allow_abbrev=False)
    parser.set_defaults(command=serve)
    commands = parser.add_subparsers()
    commands.add_parser("serve", help="serve until a signal (the default)")
    adding = commands.add_parser("user-add", help="create a user")
    adding.add_argument("--name", required=True)
    adding.add_argument("--operator", action="store_true", help="may see traces")
    adding.add_argument("--handle", help="by which the user asks for links, e.g. a student number")
    adding.set_defaults(command=user_add)
    linking = commands.add_parser("sign-in-link", help="make a one-time link")
    linking.add_argument("--user", type=int, required=True)
    linking.add_argument("--next", help="local path to go to after sign-in")
    linking.set_defaults(command=sign_in_link)
    minting = commands.add_parser("token", help="print a development token")
    minting.add_argument("--user", type=int, required=True)
    minting.set_defaults(command=token)
    return parser


def main(given: Sequence[str] | None = None) -> None:
    """Runs one command; what it has to say goes to standard output."""
    arguments = _parser().parse_args(given)
    command: Command = arguments.command
    try:
        said = asyncio.run(_run(command, arguments))
    except GatewayError as error:
        raise SystemExit(f"{error.reason}: {error}") from error
    if said is not None:
        text = said if isinstance(said, str) else json.dumps(said, ensure_ascii=False)
        sys.stdout.write(f"{text}\n")


async def _run(command: Command, arguments: argparse.Namespace) -> Any:
    return await command(GatewaySettings(), arguments)


if __name__ == "__main__":
    main()
