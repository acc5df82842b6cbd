"""The page that shows what was received: newest first, Chinese first with English beside it."""

import base64
import hashlib
from collections.abc import Iterable, Sequence
from html import escape
from itertools import islice
from urllib.parse import urlsplit

from standins.feishu.mailbox import Received
from standins.feishu.page_style import SCRIPT, STYLE
from standins.feishu.view import Block, Column, Columns, Link, Text, View

SHOWN = 50
COLORS = frozenset({"grey", "blue", "green", "red", "orange"})
SIGNATURES = {
    "verified": ("签名有效", "signature verified", "good"),
    "wrong": ("签名不符", "signature wrong", "bad"),
    "absent": ("没有签名", "not signed", "plain"),
    "unchecked": ("签名未核对", "signature not checked", "plain"),
}


def _hash(text: str) -> str:
    return "sha256-" + base64.b64encode(hashlib.sha256(text.encode()).digest()).decode()


HEADERS = (
    (
        "Content-Security-Policy",
        f"default-src 'none'; style-src '{_hash(STYLE)}'; script-src '{_hash(SCRIPT)}'; "
        "connect-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'",
    ),
    ("Referrer-Policy", "no-referrer"),
)


def render(received: Sequence[Received], *, version: int) -> bytes:
    """The whole page; everything that came from outside is escaped."""
    accepted = sum(item.accepted for item in received)
    refused = len(received) - accepted
    newest = islice(reversed(received), SHOWN)
    cards = "".join(_entry(item) for item in newest) or _EMPTY
    html = f"""<!doctype html>
<html lang="zh-CN" data-version="{version}"><head><meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>飞书替身 · Feishu stand-in</title>
<style>{STYLE}</style>
<noscript><meta http-equiv="refresh" content="3"></noscript></head>
<body><header><h1>飞书替身 <span lang="en">Feishu stand-in</span></h1>
<p>这里显示自定义机器人收到的消息，不会真的发到飞书。
<span lang="en">What the custom bot received. Nothing leaves this machine.</span></p>
<p class="count">收下 {accepted} · 拒收 {refused}
<span lang="en">{accepted} accepted · {refused} refused</span></p></header>
<main>{cards}</main><script>{SCRIPT}</script></body></html>"""
    return html.encode("utf-8", "replace")


_EMPTY = """<p class="empty">还没有收到消息。收到后这一页会自己更新。
<span lang="en">Nothing yet. The page updates by itself.</span></p>"""


def _entry(item: Received) -> str:
    moment = item.received_at.astimezone()
    label = "收下" if item.accepted else "拒收"
    english = "accepted" if item.accepted else "refused"
    state = "good" if item.accepted else "bad"
    return f"""<article id="m{item.number}">
<div class="meta"><time datetime="{moment.isoformat()}">{moment:%m-%d %H:%M:%S}</time>
{_chip(label, english, state)}{_chip(*SIGNATURES[item.signature])}{_facts(item)}</div>
{_message(item.seen)}</article>"""


def _facts(item: Received) -> str:
    facts = [f"{item.size:,} B", f"bot {_text(_masked(item.token))}"]
    if item.code:
        facts.insert(0, f"code {item.code}: {_text(item.msg)}")
    if item.fault:
        facts.insert(0, f"脚本 <span lang='en'>scripted</span>: {_text(item.fault)}")
    if not item.answered:
        facts.append("没有回答 <span lang='en'>not answered</span>")
    return "".join(f'<span class="fact">{fact}</span>' for fact in facts)


def _message(seen: View) -> str:
    tags = "".join(f'<span class="tag">{_text(tag)}</span>' for tag in seen.tags)
    head = ""
    if seen.title:
        under = f'<p class="subtitle">{_text(seen.subtitle)}</p>' if seen.subtitle else ""
        head = f'<div class="head"><h2>{_text(seen.title)}{tags}</h2>{under}</div>'
    return f'<div class="card">{head}<div class="body">{_blocks(seen.blocks)}</div></div>'


def _blocks(blocks: Iterable[Block]) -> str:
    return "".join(_block(block) for block in blocks)


def _block(block: Block) -> str:
    match block:
        case Text():
            return _paragraph(block)
        case Link():
            return _link(block)
        case Columns():
            return f'<div class="columns">{"".join(_column(one) for one in block.columns)}</div>'


def _column(column: Column) -> str:
    style = column.style if column.style in COLORS else "plain"
    texts = "".join(_paragraph(text) for text in column.texts)
    return f'<div class="column on-{style}">{texts}</div>'


def _paragraph(text: Text) -> str:
    color = f" in-{text.color}" if text.color in COLORS else ""
    small = " small" if text.small else ""
    return f'<p class="text{small}{color}" dir="auto">{_text(text.content)}</p>'


def _link(link: Link) -> str:
    """A real link where the address is one of the web; anything else is shown, not followed."""
    if not _is_web(link.url):
        return f'<p class="text in-red">{_text(link.label)} ({_text(link.url)})</p>'
    return (
        f'<a class="button" href="{_text(link.url)}" target="_blank" rel="noopener noreferrer">'
        f"{_text(link.label)}</a>"
    )


def _is_web(url: str) -> bool:
    try:
        parts = urlsplit(url)
    except ValueError:
        return False
    return parts.scheme in ("http", "https") and bool(parts.netloc) and url.isprintable()


def _chip(label: str, english: str, state: str) -> str:
    return f'<span class="chip {state}">{label} <span lang="en">{english}</span></span>'


def _text(value: str) -> str:
    return escape(value.replace("\0", "\ufffd"), quote=True)


def _masked(token: str) -> str:
    return token if len(token) <= 12 else f"{token[:4]}…{token[-4:]}"
