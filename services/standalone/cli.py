"""The command line `smartmate`: run the suite on this machine, bring databases up to date.

Every command lives in a file of its own and is loaded when it is asked for.
"""

import asyncio
from datetime import datetime
from pathlib import Path
from typing import Annotated, Any, Literal

import typer
from rich.console import Console

from services.standalone import errors, settings
from services.standalone.progress import Shown

app = typer.Typer(
    name="smartmate",
    help="SmartMate 一体机 · the whole suite on one machine.",
    no_args_is_help=True,
    pretty_exceptions_enable=False,
    add_completion=False,
)
user_app = typer.Typer(help="用户与登录链接 · Users and their sign-in links.", no_args_is_help=True)
app.add_typer(user_app, name="user")
console = Console(highlight=False)

UserId = Annotated[int, typer.Option("--user", help="用户编号 · id of the user")]
AsJson = Annotated[bool, typer.Option("--json", help="供程序读取 · one line of JSON")]


def moment(text: str) -> datetime:
    """Read a moment; without an offset it is this machine's time."""
    return datetime.fromisoformat(text).astimezone()


def run() -> None:
    """Run the command; what is wrong is one sentence, not a traceback."""
    try:
        app()
    except errors.StandaloneError as error:
        Console(stderr=True, highlight=False, markup=False).print(f"✗ {error}", soft_wrap=True)
        raise SystemExit(1) from None


@app.callback()
def smartmate() -> None:
    """Keep the commands' names even while there is one alone."""


@app.command()
def up(
    listen: Annotated[
        str | None, typer.Option(help="网页地址 · host:port of the web pages")
    ] = None,
    feishu: Annotated[
        bool, typer.Option("--feishu-standin", help="附带飞书替身 · run the Feishu stand-in too")
    ] = False,
) -> None:
    """在本机运行全部服务 · Run the whole suite on this machine until it is interrupted."""
    from services.standalone import up as command
    from services.standalone.suite import Suite

    configuration = settings.read()
    progress = Shown(console)
    suite = Suite(
        configuration=configuration,
        listen=listen or configuration.listen,
        feishu_standin=feishu,
        durable=True,
        progress=progress,
    )
    raise typer.Exit(asyncio.run(command.run(suite, progress)))


@app.command()
def migrate() -> None:
    """更新数据库与消息流 · Bring databases and streams up to date, then end.

    With SMARTMATE_POSTGRES_URL, SMARTMATE_<SERVICE>_DATABASE_URL or SMARTMATE_NATS_URL what is
    named there; with none of them the embedded parts of the data directory.
    """
    from services.standalone import migrate_command as command

    command.run(settings.read(), Shown(console))


@app.command("compose-config")
def compose_config(
    directory: Annotated[Path, typer.Argument(help="各容器卷的挂载处 · where the volumes are")],
    owner: Annotated[
        str | None, typer.Option(help="所有者 · uid:gid that the files are to belong to")
    ] = None,
) -> None:
    """容器的密钥与消息服务配置 · Write keys and the broker's configuration for containers."""
    from services.standalone import compose_config as command

    command.run(directory, owner, Shown(console))


@app.command()
def backup() -> None:
    """备份数据库与密钥 · Back up databases and keys, also while the suite runs."""
    from services.standalone import backup_command as command

    progress = Shown(console)
    taken = asyncio.run(command.take(settings.read(), progress))
    progress.say(f"已备份 {taken}", "keep a copy elsewhere: it holds every secret")


@app.command()
def restore(
    source: Annotated[Path, typer.Argument(help="备份目录 · directory of a backup")],
) -> None:
    """恢复备份 · Put a backup in the place of the present data; the suite must be stopped."""
    from services.standalone import backup_command as command

    command.restore(settings.read(), source, Shown(console))


@user_app.command("add")
def user_add(
    name: Annotated[str, typer.Option(help="姓名，1–60 字 · name, 1 to 60 characters")],
    operator: Annotated[
        bool, typer.Option("--operator", help="运维人员，可看运行轨迹 · may see traces")
    ] = False,
    handle: Annotated[
        str | None,
        typer.Option(help="学号等，登录页凭它要链接 · by which links are asked for"),
    ] = None,
    as_json: AsJson = False,
) -> None:
    """添加用户，给出登录链接 · Add a user and print a one-time sign-in link."""
    from services.standalone import members as command

    made = command.add(settings.read(), name, operator=operator, handle=handle)
    _show_link(made, as_json=as_json)


@user_app.command("link")
def user_link(
    user: UserId,
    next_path: Annotated[
        str | None, typer.Option("--next", help="登录后打开的页面 · path to go to, e.g. /week")
    ] = None,
    as_json: AsJson = False,
) -> None:
    """再给一个登录链接 · Print another one-time sign-in link."""
    from services.standalone import members as command

    if next_path and (not next_path.startswith("/") or next_path.startswith("//")):
        raise typer.BadParameter("a path of this site begins with one slash", param_hint="--next")
    _show_link(command.link(settings.read(), user, next_path), as_json=as_json)


def _show_link(made: dict[str, Any], *, as_json: bool) -> None:
    from services.standalone import members as command

    if as_json:
        command.show_json(console, made)
    else:
        command.show_link(console, made)


@app.command()
def token(user: UserId, as_json: AsJson = False) -> None:
    """开发用令牌 · Print a bearer token for programs; needs SMARTMATE_DEVELOPMENT=true."""
    from services.standalone import members as command

    made = command.token(settings.read(), user)
    if as_json:
        command.show_json(console, {"user_id": user, "token": made})
    else:
        console.print(made, markup=False, soft_wrap=True)


@app.command("nats-url")
def nats_url(
    user: Annotated[
        Literal["observer"], typer.Argument(help="消息服务的用户 · user of the broker")
    ],
) -> None:
    """旁听事件的地址 · Print the address at which a program may listen to all events."""
    from services.standalone import told
    from services.standalone.home import Home

    configuration = settings.read()
    address = told.observer_url(Home(configuration.home), configuration)
    console.print(address, markup=False, soft_wrap=True)


@app.command()
def replay(
    service: Annotated[
        Literal["schedule", "active_scheduler", "notification"],
        typer.Argument(help="哪个服务 · service whose letters or events they are"),
    ],
    ids: Annotated[
        list[int] | None, typer.Argument(metavar="[ID]…", help="死信编号 · ids of dead letters")
    ] = None,
    dead_letter: Annotated[
        bool, typer.Option("--dead-letter", help="重放死信 · dead letters; without ids: show them")
    ] = False,
    every: Annotated[bool, typer.Option("--all", help="全部死信 · all that wait")] = False,
    since: Annotated[
        datetime | None,
        typer.Option(
            parser=moment, metavar="TIME", help="重发此刻以来的事件 · publish what was since"
        ),
    ] = None,
    until: Annotated[
        datetime | None,
        typer.Option(parser=moment, metavar="TIME", help="到此刻为止 · up to this moment"),
    ] = None,
    as_json: AsJson = False,
) -> None:
    """重放死信或已发布的事件 · Handle dead letters, or publish events, once more."""
    from services.standalone import replay_command as command

    if dead_letter == (since is not None) or (until is not None and since is None):
        raise typer.BadParameter("either --dead-letter, or --since with or without --until")
    if (ids or every) and (since or (ids and every)):
        raise typer.BadParameter("either ids or --all, after --dead-letter")
    told = command.Told(console, as_json)
    if since:
        code = command.published(settings.read(), service, told, since=since, until=until)
    elif ids or every:
        code = command.dead_letters(settings.read(), service, told, ids or ())
    else:
        code = command.letters(settings.read(), service, told)
    raise typer.Exit(code)


@app.command()
def undo(
    user: UserId,
    apply_id: Annotated[
        str | None,
        typer.Option(
            "--apply", help="要撤回的那次写入，默认最近一次 · apply; the latest by default"
        ),
    ] = None,
    as_json: AsJson = False,
) -> None:
    """撤回一次写入 · Take an apply of a user back; what changed since stays and is told."""
    from services.standalone import undo_command as command

    code = command.run(settings.read(), console, user=user, apply_id=apply_id, as_json=as_json)
    raise typer.Exit(code)


@app.command()
def demo(
    browser: Annotated[bool, typer.Option(help="打开浏览器 · open a browser")] = True,
    llm: Annotated[
        bool,
        typer.Option("--llm", help="模型替身来选择和措辞 · a stand-in model chooses"),
    ] = False,
) -> None:
    """示例学生的一天 · A sample student's story up to the click, which is yours."""
    from services.standalone import demo as command
    from services.standalone import home

    with home.temporary() as root:
        code = asyncio.run(command.run(root, Shown(console), open_browser=browser, llm=llm))
    raise typer.Exit(code)


@app.command()
def smoke() -> None:
    """从头到尾自检 · The whole story by itself, on real parts; exit code 0 or 1."""
    from services.standalone import home
    from services.standalone import smoke as command

    with home.temporary() as root:
        code = asyncio.run(command.run(root, console, Shown(console)))
    raise typer.Exit(code)
