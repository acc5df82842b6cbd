"""`python -m standins.feishu`: run the stand-in until SIGTERM or Ctrl-C."""

import argparse
import asyncio
import ipaddress
import signal
import sys
import time

from standins.feishu.bot import Bot, BotSettings
from standins.feishu.http_server import HttpServer
from standins.feishu.judge import BotRules
from standins.feishu.rates import Limits
from standins.feishu.routes import Routes


def main(argv: list[str] | None = None) -> int:
    """Parse the command line and serve; returns the exit code."""
    options = _parser().parse_args(argv)
    host, _, port = str(options.listen).rpartition(":")
    host = host.strip("[]")
    if not port.isdigit() or not (options.insecure or _is_loopback(host)):
        sys.stderr.write("--listen: a loopback address and a port are needed, or --insecure\n")
        return 2
    asyncio.run(serve(host, int(port), settings(options)))
    return 0


def settings(options: argparse.Namespace) -> BotSettings:
    """What the options ask for."""
    offset: float = options.clock_offset
    return BotSettings(
        rules=BotRules(options.secret, tuple(options.keyword)),
        limits=Limits(options.per_second, options.per_minute),
        keep=options.keep,
        clock=lambda: time.time() + offset,
    )


async def serve(host: str, port: int, chosen: BotSettings) -> None:
    """Listen, say where on stdout, end on SIGTERM or SIGINT."""
    bot = Bot(chosen)
    server = HttpServer(Routes(bot).respond)
    stopping = asyncio.Event()
    for number in (signal.SIGTERM, signal.SIGINT):
        asyncio.get_running_loop().add_signal_handler(number, stopping.set)
    bound, chosen_port = await server.start(host, port)
    shown = f"[{bound}]" if ":" in bound else bound
    sys.stdout.write(f"feishu stand-in ready on http://{shown}:{chosen_port}\n")
    sys.stdout.flush()
    await stopping.wait()
    bot.drop_held()
    await server.stop()


def _is_loopback(host: str) -> bool:
    try:
        return host == "localhost" or ipaddress.ip_address(host).is_loopback
    except ValueError:
        return False


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(prog="python -m standins.feishu", description=__doc__)
    parser.add_argument("--listen", default="127.0.0.1:8090", help="host:port; port 0 picks one")
    parser.add_argument("--secret", help="signing secret of the bot; without it none is asked")
    parser.add_argument(
        "--keyword", action="append", default=[], help="one of these must occur; may be repeated"
    )
    parser.add_argument("--per-second", type=int, default=5, help="per token; 0 lifts the limit")
    parser.add_argument("--per-minute", type=int, default=100, help="per token; 0 lifts the limit")
    parser.add_argument("--keep", type=int, default=20_000, help="how many requests to remember")
    parser.add_argument(
        "--clock-offset", type=float, default=0.0, help="seconds its clock runs ahead"
    )
    parser.add_argument(
        "--insecure", action="store_true", help="listen on an address that is not loopback"
    )
    return parser


if __name__ == "__main__":
    raise SystemExit(main())
