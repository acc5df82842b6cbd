"""What a service can be told on its command line: to serve, or one of the one-shot commands.

    python -m services.<name>                                 serve until a signal
    python -m services.<name> dead-letters                    what was parked and not replayed yet
    python -m services.<name> replay ID… | --all              its dead letters once more
    python -m services.<name> republish --since T [--until T] its events once more

A one-shot command runs in the environment of the service, beside it or without it, and prints a
line of JSON for each thing it did. It exits with 1 where something was not done.
"""

import argparse
import asyncio
import json
import sys
from collections.abc import Callable, Coroutine, Mapping, Sequence
from contextlib import AbstractAsyncContextManager, aclosing
from dataclasses import asdict, dataclass
from datetime import datetime
from typing import Any, Generic, TypeVar

import nats.errors

from libs.db.database import Database
from libs.events import connection
from libs.outbox import dead_letters
from libs.outbox.replay import Fate, Replay, Replayed
from libs.outbox.republish import OlderThanInbox, republish
from libs.process import runtime
from libs.process.settings import ServiceSettings

S = TypeVar("S", bound=ServiceSettings)

_CONNECT_SECONDS = 10.0


@dataclass(frozen=True, slots=True)
class OwnCommand(Generic[S]):
    """A one-shot command that one service alone has.

    `arguments` adds what it takes; `run` says what it did and gives False where something was not
    done.
    """

    name: str
    help: str
    arguments: Callable[[argparse.ArgumentParser], None]
    run: Callable[[S, argparse.Namespace], Coroutine[Any, Any, bool]]


@dataclass(frozen=True, slots=True)
class Service(Generic[S]):
    """One service as its command line needs it.

    `hearing` lends the replay of its dead letters, with the very handlers of its consumers.
    """

    name: str
    settings: Callable[[], S]
    serve: Callable[[S], Coroutine[Any, Any, None]]
    hearing: Callable[[S], AbstractAsyncContextManager[Replay]]
    own: Sequence[OwnCommand[S]] = ()


class NotDone(Exception):
    """A command that could not do what it was told; the text is for whoever gave it."""


def main(service: Service[S], given: Sequence[str] | None = None) -> None:
    """Runs the command; what it has to say goes to standard output, logs to standard error."""
    arguments = _parser(service).parse_args(given)
    settings = service.settings()
    runtime.configure(settings, service.name)
    if arguments.command is None:
        asyncio.run(service.serve(settings))
        return
    command: Callable[[Service[S], S, argparse.Namespace], Coroutine[Any, Any, bool]]
    command = arguments.command
    try:
        done = asyncio.run(command(service, settings, arguments))
    except NotDone as error:
        raise SystemExit(str(error)) from error
    if not done:
        raise SystemExit(1)


async def _list(service: Service[S], settings: S, _: argparse.Namespace) -> bool:
    async with service.hearing(settings) as replay:
        after = 0
        while letters := await _page(replay, after):
            for letter in letters:
                say(
                    {
                        "id": letter.id,
                        "consumer": letter.consumer,
                        "event_id": letter.event_id,
                        "reason": letter.reason,
                        "error": letter.error,
                        "parked_at": letter.parked_at.isoformat(),
                    }
                )
            after = letters[-1].id
    return True


async def _page(replay: Replay, after: int) -> Sequence[dead_letters.Letter]:
    async with replay.db.transaction() as tx:
        return await dead_letters.waiting(tx, after=after)


async def _replay(service: Service[S], settings: S, arguments: argparse.Namespace) -> bool:
    if bool(arguments.ids) == arguments.all:
        raise NotDone("name the ids of dead letters, or --all")
    done = True
    async with service.hearing(settings) as replay:
        try:
            for id_ in arguments.ids:
                done &= _tell(await replay.one(id_))
            if arguments.all:
                async with aclosing(replay.every()) as every:
                    async for told in every:
                        done &= _tell(told)
        except Exception as error:
            if not replay.is_away(error):
                raise
            raise NotDone(f"something that it needs is away: {error!r}") from error
    return done


async def _republish(service: Service[S], settings: S, arguments: argparse.Namespace) -> bool:
    db = Database(settings.database_url, application=service.name, pool_size=2)
    try:
        async with asyncio.timeout(_CONNECT_SECONDS):
            bus = await connection.connect(settings.nats_url, service=service.name)
        try:
            counts = await republish(db, bus, since=arguments.since, until=arguments.until)
        finally:
            await bus.close()
    except OlderThanInbox as error:
        raise NotDone(f"{error.reason}: {error}") from error
    except (TimeoutError, nats.errors.Error, OSError) as error:
        raise NotDone(f"the broker is away: {error!r}") from error
    finally:
        await db.close()
    say(asdict(counts))
    return not counts.refused


def _tell(told: Replayed) -> bool:
    say(asdict(told))
    return told.fate is Fate.HANDLED


def say(content: Mapping[str, object]) -> None:
    """A line of JSON on standard output."""
    sys.stdout.write(json.dumps(content, ensure_ascii=False) + "\n")
    sys.stdout.flush()


def _parser(service: Service[S]) -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(prog=f"python -m services.{service.name}", allow_abbrev=False)
    parser.set_defaults(command=None)
    commands = parser.add_subparsers()
    commands.add_parser("serve", help="serve until a signal (the default)")
    listing = commands.add_parser("dead-letters", help="list what was parked and not replayed")
    listing.set_defaults(command=_list)
    replaying = commands.add_parser("replay", help="handle dead letters once more")
    replaying.add_argument("ids", nargs="*", type=int, metavar="ID")
    replaying.add_argument("--all", action="store_true", help="all that were not replayed yet")
    replaying.set_defaults(command=_replay)
    publishing = commands.add_parser("republish", help="publish events once more")
    publishing.add_argument("--since", required=True, type=_instant, metavar="TIME")
    publishing.add_argument("--until", type=_instant, metavar="TIME")
    publishing.set_defaults(command=_republish)
    for own in service.own:
        ownership = commands.add_parser(own.name, help=own.help)
        own.arguments(ownership)
        ownership.set_defaults(command=_own(own))
    return parser


def _own(
    own: OwnCommand[S],
) -> Callable[[Service[S], S, argparse.Namespace], Coroutine[Any, Any, bool]]:
    return lambda _, settings, arguments: own.run(settings, arguments)


def _instant(text: str) -> datetime:
    found = datetime.fromisoformat(text)
    if found.tzinfo is None:
        raise argparse.ArgumentTypeError("a time with its offset, as 2026-03-01T08:00:00+08:00")
    return found
