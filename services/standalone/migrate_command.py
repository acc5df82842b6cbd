"""`smartmate migrate`: once per release, before the new services start."""

import asyncio
from collections.abc import Iterable

from services.standalone import backbone, databases, migrate, topology
from services.standalone.progress import Progress
from services.standalone.settings import SERVICES, StandaloneSettings
from services.standalone.suite import Suite


def run(settings: StandaloneSettings, progress: Progress) -> None:
    """Migrate what the settings name, or the embedded parts where they name nothing."""
    if not (settings.postgres_url or settings.database_urls or settings.nats_url):
        asyncio.run(_embedded(settings, progress))
        return
    if settings.postgres_url or settings.database_urls:
        dsns = asyncio.run(
            backbone.service_databases(settings.postgres_url, settings, names=SERVICES, own=None)
        )
        with progress.step("表结构", "schemas"):
            asyncio.run(_answering(dsns.values()))
            migrate.upgrade_all(dsns)
    if settings.nats_url:
        limits = topology.Limits(replicas=settings.stream_replicas)
        with progress.step("消息流", "streams and consumers"):
            report = asyncio.run(topology.declare(settings.nats_url, limits=limits))
        for name in report.unknown:
            progress.say(f"未声明的消费者 {name}", "kept, though no contract declares it")


async def _answering(dsns: Iterable[str]) -> None:
    """Raise ServerUnreachable, in one sentence, where alembic would tell the same at length."""
    for dsn in dsns:
        await (await databases.connect(dsn)).close()


async def _embedded(settings: StandaloneSettings, progress: Progress) -> None:
    """Start the servers alone: coming up is being brought up to date."""
    async with Suite(services=(), durable=True, configuration=settings, progress=progress):
        progress.say("已是最新", "up to date")
