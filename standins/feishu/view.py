"""A message as a reader sees it: taken from a card, a post or a text."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import TypeAlias


@dataclass(frozen=True, slots=True)
class Text:
    """A run of plain text; `small` is Feishu's size "notation", `color` as sent."""

    content: str
    small: bool = False
    color: str = "default"


@dataclass(frozen=True, slots=True)
class Link:
    """A button or an anchor."""

    label: str
    url: str


@dataclass(frozen=True, slots=True)
class Column:
    """One column of a column set."""

    style: str
    texts: tuple[Text, ...]


@dataclass(frozen=True, slots=True)
class Columns:
    """Columns side by side."""

    columns: tuple[Column, ...]


Block: TypeAlias = Text | Link | Columns


@dataclass(frozen=True, slots=True)
class View:
    """Head and body of a message."""

    title: str = ""
    subtitle: str = ""
    tags: tuple[str, ...] = ()
    blocks: tuple[Block, ...] = ()

    @property
    def summary(self) -> str:
        """The first text of the body."""
        return next((block.content for block in self.blocks if isinstance(block, Text)), "")

    @property
    def fields(self) -> tuple[tuple[str, ...], ...]:
        """Texts of each column, in order."""
        sets = (block for block in self.blocks if isinstance(block, Columns))
        return tuple(
            tuple(text.content for text in column.texts)
            for group in sets
            for column in group.columns
        )

    @property
    def links(self) -> tuple[Link, ...]:
        """Every button and anchor."""
        return tuple(block for block in self.blocks if isinstance(block, Link))


def read(body: Mapping[str, object] | None) -> View:
    """The view of a request body; whatever cannot be read is left out."""
    if body is None:
        return View()
    card, content = _object(body.get("card")), _object(body.get("content"))
    if card:
        return _card(card)
    if post := _object(content.get("post")):
        return _post(_object(next(iter(post.values()), None)))
    return View(blocks=(Text(str(content.get("text", ""))),))


def _card(card: Mapping[str, object]) -> View:
    header, body = _object(card.get("header")), _object(card.get("body"))
    tags = tuple(_content(tag) for tag in _objects(header.get("text_tag_list")))
    blocks = tuple(block for part in _objects(body.get("elements")) for block in _block(part))
    return View(
        title=_plain(header.get("title")),
        subtitle=_plain(header.get("subtitle")),
        tags=tags,
        blocks=blocks,
    )


def _block(part: Mapping[str, object]) -> Iterator[Block]:
    match part.get("tag"):
        case "div":
            yield _text(part)
        case "markdown":
            yield Text(str(part.get("content", "")))
        case "button":
            behaviors = _objects(part.get("behaviors"))
            url = next((str(item.get("default_url", "")) for item in behaviors), "")
            yield Link(_content(part), url)
        case "column_set":
            columns = _objects(part.get("columns"))
            yield Columns(tuple(_column(column) for column in columns))


def _column(column: Mapping[str, object]) -> Column:
    inner = _objects(column.get("elements"))
    texts = tuple(_text(part) for part in inner if part.get("tag") == "div")
    return Column(str(column.get("background_style", "default")), texts)


def _text(part: Mapping[str, object]) -> Text:
    text = _object(part.get("text"))
    small = text.get("text_size") == "notation"
    return Text(str(text.get("content", "")), small, str(text.get("text_color", "default")))


def _post(page: Mapping[str, object]) -> View:
    blocks: list[Block] = []
    lines = page.get("content")
    for line in lines if isinstance(lines, list) else []:
        runs = _objects(line)
        if words := "".join(str(run.get("text", "")) for run in runs if run.get("tag") == "text"):
            blocks.append(Text(words))
        anchors = (run for run in runs if run.get("tag") == "a")
        blocks += (Link(str(run.get("text", "")), str(run.get("href", ""))) for run in anchors)
    return View(title=str(page.get("title", "")), blocks=tuple(blocks))


def _object(value: object) -> Mapping[str, object]:
    return value if isinstance(value, dict) else {}


def _objects(value: object) -> tuple[Mapping[str, object], ...]:
    items = value if isinstance(value, list) else []
    return tuple(item for item in items if isinstance(item, dict))


def _content(part: Mapping[str, object]) -> str:
    return _plain(part.get("text"))


def _plain(text: object) -> str:
    return str(_object(text).get("content", ""))
