"""`python -m standins.feishu`: run the stand-in until SIGTERM or Ctrl-C."""

import argparse
import asyncio
import os
import time

from standins.feishu.bot import Bot, BotSettings
from standins.feishu.judge import BotRules
from standins.feishu.rates import Limits
from standins.feishu.routes import Routes
from standins.serving import listening


def main(argv: list[str] | None = None) -> int:
    """Parse the command line and serve; returns the exit code."""
    options = _parser().parse_args(argv)
    if (place := listening.place(options)) is None:
        return 2
    bot = Bot(settings(options))
    asyncio.run(listening.serve("feishu", *place, Routes(bot).respond, ending=bot.held.drop))
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


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(prog="python -m standins.feishu", description=__doc__)
    listening.add_options(parser, default="127.0.0.1:8090")
    parser.add_argument(
        "--secret",
        default=os.environ.get("SMARTMATE_STANDIN_SECRET") or None,
        help="signing secret of the bot, else that of SMARTMATE_STANDIN_SECRET; without one none "
        "is asked",
    )
    parser.add_argument(
        "--keyword", action="append", default=[], help="one of these must occur; may be repeated"
    )
    parser.add_argument("--per-second", type=int, default=5, help="per token; 0 lifts the limit")
    parser.add_argument("--per-minute", type=int, default=100, help="per token; 0 lifts the limit")
    parser.add_argument("--keep", type=int, default=20_000, help="how many requests to remember")
    parser.add_argument(
        "--clock-offset", type=float, default=0.0, help="seconds its clock runs ahead"
    )
    return parser


if __name__ == "__main__":
    raise SystemExit(main())
