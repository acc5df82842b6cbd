"""Which webhook addresses anything is sent to (spec: notification.md, Channels).

An address names a host of the vendor and a path of its bots, nothing else: no user info, no odd
port, no query. Exact `host:port` pairs of a developer setting are allowed besides.
"""

import ipaddress
import re
from collections.abc import Set as AbstractSet
from dataclasses import dataclass, field
from urllib.parse import SplitResult, urlsplit

from services.notification.domain.errors import WebhookUrlRefused

BOT_HOSTS = frozenset({"open.feishu.cn", "open.larksuite.com"})
BOT_PATH = re.compile(r"/open-apis/bot/v2/hook/([A-Za-z0-9_-]{1,128})")
MAX_LENGTH = 512


@dataclass(frozen=True, slots=True)
class WebhookUrl:
    """An address that was checked. Both parts are credentials and are not shown."""

    url: str = field(repr=False)
    token: str = field(repr=False)


def check_bot_url(url: str, *, extra_hosts: AbstractSet[str] = frozenset()) -> WebhookUrl:
    """The address of a custom bot. Raises WebhookUrlRefused.

    `extra_hosts` holds exact `host:port`; those on loopback may be reached without TLS.
    """
    if len(url) > MAX_LENGTH or not (url.isascii() and url.isprintable()) or " " in url:
        raise WebhookUrlRefused("malformed")
    parts = _split(url)
    _check_host(parts, extra_hosts)
    path = BOT_PATH.fullmatch(parts.path)
    if path is None or parts.query or parts.fragment or url.endswith(("?", "#")):
        raise WebhookUrlRefused("path_not_allowed")
    return WebhookUrl(url, path[1])


def _split(url: str) -> SplitResult:
    try:
        parts = urlsplit(url)
        _ = parts.port
    except ValueError:
        raise WebhookUrlRefused("malformed") from None
    if not parts.hostname or "\\" in url or "%" in parts.netloc:
        raise WebhookUrlRefused("malformed")
    if "@" in parts.netloc:
        raise WebhookUrlRefused("user_info")
    return parts


def _check_host(parts: SplitResult, extra_hosts: AbstractSet[str]) -> None:
    host = parts.hostname or ""
    is_extra = parts.netloc.lower() in extra_hosts
    if parts.scheme not in ("https", "http"):
        raise WebhookUrlRefused("not_https")
    if parts.scheme == "http" and not (is_extra and is_loopback(host)):
        raise WebhookUrlRefused("not_https")
    if is_extra:
        return
    if host not in BOT_HOSTS:
        raise WebhookUrlRefused("host_not_allowed")
    if parts.netloc.lower() not in (host, f"{host}:443"):
        raise WebhookUrlRefused("port_not_allowed")


def is_loopback(host: str) -> bool:
    """Whether a host name is this machine's loopback, without asking a resolver."""
    try:
        return host == "localhost" or ipaddress.ip_address(host).is_loopback
    except ValueError:
        return False
