"""`python -m standins.llm`: run the stand-in until SIGTERM or Ctrl-C."""

import argparse
import asyncio

from standins.llm.model import Model, Settings
from standins.llm.plays import Play
from standins.llm.routes import Routes
from standins.serving import listening


def main(argv: list[str] | None = None) -> int:
    """Parse the command line and serve; returns the exit code."""
    options = _parser().parse_args(argv)
    if (place := listening.place(options)) is None:
        return 2
    model = Model(settings(options))
    asyncio.run(listening.serve("llm", *place, Routes(model).respond, ending=model.held.drop))
    return 0


def settings(options: argparse.Namespace) -> Settings:
    """What the options ask for."""
    named = tuple(options.model) or Settings().models
    play = Play(options.play)
    return Settings(named, options.key, options.delay_ms, options.keep, play, options.seed)


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(prog="python -m standins.llm", description=__doc__)
    listening.add_options(parser, default="127.0.0.1:8091")
    parser.add_argument(
        "--model", action="append", default=[], help="name that /v1/models lists; may be repeated"
    )
    parser.add_argument("--key", help="API key that is asked for; without it none is")
    parser.add_argument("--delay-ms", type=int, default=0, help="how long each answer takes")
    parser.add_argument(
        "--play",
        choices=tuple(one.value for one in Play),
        default=Play.PLANNER.value,
        help="what answers a conversation: a decent planner, an empty object, or spoilt answers",
    )
    parser.add_argument("--seed", type=int, default=0, help="which answers a rogue spoils")
    parser.add_argument("--keep", type=int, default=5000, help="how many requests to remember")
    return parser


if __name__ == "__main__":
    raise SystemExit(main())
