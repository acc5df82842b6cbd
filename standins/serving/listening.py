"""A stand-in as a program: where it listens, when it ends."""

import argparse
import asyncio
import ipaddress
import signal
import sys
from collections.abc import Callable

from standins.serving.http_server import HttpServer, Respond


def add_options(parser: argparse.ArgumentParser, *, default: str) -> None:
    """`--listen` and `--insecure`."""
    parser.add_argument("--listen", default=default, help="host:port; port 0 picks one")
    parser.add_argument(
        "--insecure", action="store_true", help="listen on an address that is not loopback"
    )


def place(options: argparse.Namespace) -> tuple[str, int] | None:
    """Host and port; None, with a line on stderr, where it cannot be listened there."""
    host, _, port = str(options.listen).rpartition(":")
    host = host.strip("[]")
    if not port.isdigit() or not (options.insecure or _is_loopback(host)):
        sys.stderr.write("--listen: a loopback address and a port are needed, or --insecure\n")
        return None
    return host, int(port)


async def serve(
    name: str, host: str, port: int, respond: Respond, *, ending: Callable[[], object]
) -> None:
    """Listen, say where on stdout, end on SIGTERM or SIGINT."""
    server = HttpServer(respond)
    stopping = asyncio.Event()
    for number in (signal.SIGTERM, signal.SIGINT):
        asyncio.get_running_loop().add_signal_handler(number, stopping.set)
    bound, chosen_port = await server.start(host, port)
    shown = f"[{bound}]" if ":" in bound else bound
    sys.stdout.write(f"{name} stand-in ready on http://{shown}:{chosen_port}\n")
    sys.stdout.flush()
    await stopping.wait()
    ending()
    await server.stop()


def _is_loopback(host: str) -> bool:
    try:
        return host == "localhost" or ipaddress.ip_address(host).is_loopback
    except ValueError:
        return False
