"""`smartmate up` with the real services, used from other terminals, ended and started again."""

import asyncio
import json
import os
import signal
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import nats

from services.standalone import files, visitor
from services.standalone.settings import SERVICES
from services.standalone.visitor import Browser, Program
from tests.integration.standalone.parts import has_ended

PROGRAM = (sys.executable, "-m", "services.standalone")
STOPS_WITHIN = 30


def environment(root: Path, **more: str) -> dict[str, str]:
    """A terminal in which nothing of the suite is set but its data directory."""
    kept = {name: value for name, value in os.environ.items() if not name.startswith("SMARTMATE_")}
    return kept | {"SMARTMATE_HOME": str(root), "SMARTMATE_GATEWAY_LISTEN": "127.0.0.1:0"} | more


def smartmate(root: Path, *arguments: str, **more: str) -> subprocess.CompletedProcess[str]:
    """A command in another terminal."""
    return subprocess.run(
        (*PROGRAM, *arguments),
        env=environment(root, **more),
        capture_output=True,
        text=True,
        check=False,
    )


@contextmanager
def running(root: Path, listen: str) -> Iterator[list[int]]:
    """`smartmate up` until the block ends, then SIGTERM; lends the ids of its processes."""
    process = subprocess.Popen(
        (*PROGRAM, "up", "--listen", listen),
        env=environment(root),
        stdout=subprocess.PIPE,
        text=True,
    )
    try:
        assert process.stdout is not None
        said = ""
        while "Ctrl-C" not in said:
            line = process.stdout.readline()
            assert line, f"ended early: {said}"
            said += line
        records = sorted((root / "run").glob("*.json"))
        assert {record.stem for record in records} == {*SERVICES, "postgres", "nats"}
        yield [process.pid, *(files.read_object(record)["pid"] for record in records)]
        process.send_signal(signal.SIGTERM)
        process.communicate(timeout=STOPS_WITHIN)
        assert process.returncode == 0
    finally:
        process.kill()
        process.communicate()


async def test_users_and_data_survive_the_end_of_a_suite_in_real_use(root: Path) -> None:
    listen = f"127.0.0.1:{files.read_object(root / 'ports.json')['gateway-0']}"
    url = f"http://{listen}"
    async with visitor.client(url) as http:
        browser = Browser(http, url)
        with running(root, listen) as pids:
            added = smartmate(root, "user", "add", "--name", "小满")
            *_, link = added.stdout.splitlines()
            assert link.startswith(f"{url}/sign-in/")
            assert "登录链接" in added.stdout
            await browser.sign_in(link)
            assert "小满" in await browser.open("/week")
            observer = smartmate(root, "nats-url", "observer").stdout.strip()
            await (await nats.connect(observer)).close()
        assert [pid for pid in pids if not await has_ended(pid)] == []

        with running(root, listen):
            # The session of the first run, and a token for the user that it made.
            assert "小满" in await browser.open("/week")
            minted = smartmate(
                root, "token", "--user=1", "--json", SMARTMATE_DEVELOPMENT="true"
            ).stdout
            program = Program(http, json.loads(minted)["token"])
            assert await program.get("/channels") is not None


async def test_a_suite_that_does_not_run_is_said_in_one_sentence(root: Path) -> None:
    answers = await asyncio.gather(
        asyncio.to_thread(smartmate, root, "user", "add", "--name", "小满"),
        asyncio.to_thread(smartmate, root, "nats-url", "observer"),
    )
    for answer in answers:
        assert answer.returncode == 1
        assert answer.stdout == ""
        assert answer.stderr.count("\n") == 1
        assert f"no suite runs in {root}" in answer.stderr
