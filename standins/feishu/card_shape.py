"""Is this a card of JSON 2.0 that a custom bot may send.

Only the parts that a plain card needs are known here: what is not listed is refused, since 2.0
refuses unknown keys too.
"""

from collections.abc import Iterator, Mapping

from standins.feishu.refusal import Refusal, card_refused

UNPARSED, WRONG_TAG, TOO_MANY = 200621, 200861, 11310
MAX_ELEMENTS = 200
MAX_DEPTH = 24
MAX_BUTTON_TEXT = 100
MAX_TAGS = 3

CARD_KEYS = frozenset({"schema", "config", "card_link", "header", "body"})
CONFIG_KEYS = frozenset({"update_multi", "width_mode", "summary", "style", "enable_forward"})
HEADER_KEYS = frozenset({"title", "subtitle", "template", "text_tag_list", "icon", "padding"})
LAYOUT_KEYS = frozenset(
    {
        "direction",
        "padding",
        "horizontal_spacing",
        "horizontal_align",
        "vertical_spacing",
        "vertical_align",
        "elements",
    }
)
COMMON_KEYS = frozenset({"tag", "element_id", "margin"})
COLUMN_SET_KEYS = frozenset(
    {"flex_mode", "background_style", "horizontal_spacing", "horizontal_align", "columns", "action"}
)
BUTTON_KEYS = frozenset(
    {
        "type",
        "size",
        "width",
        "text",
        "icon",
        "hover_tips",
        "disabled",
        "disabled_tips",
        "confirm",
        "behaviors",
    }
)
COMPONENT_KEYS: Mapping[str, frozenset[str]] = {
    "div": COMMON_KEYS | {"width", "text", "icon"},
    "markdown": COMMON_KEYS | {"content", "text_size", "text_align", "icon"},
    "hr": COMMON_KEYS,
    "column_set": COMMON_KEYS | COLUMN_SET_KEYS,
    "column": COMMON_KEYS | LAYOUT_KEYS | {"background_style", "width", "weight", "action"},
    "button": COMMON_KEYS | BUTTON_KEYS,
}
TEXT_KEYS = frozenset({"tag", "content", "text_size", "text_color", "text_align", "lines"})
PART_KEYS: Mapping[str, frozenset[str]] = {
    **COMPONENT_KEYS,
    "plain_text": TEXT_KEYS,
    "lark_md": TEXT_KEYS,
    "text_tag": frozenset({"tag", "element_id", "text", "color"}),
}


def check(card: object) -> Refusal | None:
    """Why this card would not be built, or None."""
    if not isinstance(card, dict):
        return card_refused(UNPARSED, "card is not an object")
    if card.get("schema") != "2.0":
        return card_refused(UNPARSED, 'schema is not "2.0"')
    return _check_frame(card) or _check_parts(card)


def _check_frame(card: dict[str, object]) -> Refusal | None:
    header, body = card.get("header", {}), card.get("body")
    for name, value, keys in (
        ("card", card, CARD_KEYS),
        ("config", card.get("config", {}), CONFIG_KEYS),
        ("header", header, HEADER_KEYS),
        ("body", body, LAYOUT_KEYS),
    ):
        if not isinstance(value, dict):
            return card_refused(UNPARSED, f"{name} is not an object")
        if unknown := sorted(set(value) - keys):
            return card_refused(UNPARSED, f"unknown property {name}.{unknown[0][:40]}")
    if not isinstance(body, dict) or not isinstance(body.get("elements"), list):
        return card_refused(UNPARSED, "body.elements is not a list")
    tags = header.get("text_tag_list", []) if isinstance(header, dict) else []
    if not isinstance(tags, list) or len(tags) > MAX_TAGS:
        return card_refused(UNPARSED, "header.text_tag_list")
    return None


def _check_parts(card: dict[str, object]) -> Refusal | None:
    components = 0
    for depth, part in objects(card):
        if depth > MAX_DEPTH:
            return card_refused(UNPARSED, "nested too deep")
        if "tag" not in part:
            continue
        if refusal := _check_part(part):
            return refusal
        components += part["tag"] in COMPONENT_KEYS
    if components > MAX_ELEMENTS:
        return card_refused(TOO_MANY, "element exceeds the limit")
    return None


def _check_part(part: dict[str, object]) -> Refusal | None:
    tag = part["tag"]
    if not isinstance(tag, str) or tag not in PART_KEYS:
        return card_refused(WRONG_TAG, f"unsupported tag {str(tag)[:40]}")
    if unknown := sorted(set(part) - PART_KEYS[tag]):
        return card_refused(UNPARSED, f"unknown property {tag}.{unknown[0][:40]}")
    if tag in ("plain_text", "lark_md", "markdown") and not isinstance(part.get("content"), str):
        return card_refused(UNPARSED, f"{tag}.content is not a string")
    return _check_button(part) if tag == "button" else None


def _check_button(button: dict[str, object]) -> Refusal | None:
    text = button.get("text")
    if not isinstance(text, dict) or len(str(text.get("content", ""))) > MAX_BUTTON_TEXT:
        return card_refused(UNPARSED, "button.text")
    behaviors = button.get("behaviors")
    if not isinstance(behaviors, list) or not behaviors:
        return card_refused(UNPARSED, "button.behaviors is required")
    for behavior in behaviors:
        if not isinstance(behavior, dict) or behavior.get("type") != "open_url":
            return card_refused(UNPARSED, "a custom bot's button can only open a link")
        if not str(behavior.get("default_url", "")).startswith(("https://", "http://")):
            return card_refused(UNPARSED, "button.behaviors.default_url")
    return None


def objects(root: object) -> Iterator[tuple[int, dict[str, object]]]:
    """Every object inside a JSON value with its depth, without recursion, in document order."""
    stack: list[tuple[int, object]] = [(0, root)]
    while stack:
        depth, value = stack.pop()
        if isinstance(value, dict):
            yield depth, value
            stack.extend((depth + 1, inner) for inner in reversed(value.values()))
        elif isinstance(value, list):
            stack.extend((depth + 1, inner) for inner in reversed(value))
