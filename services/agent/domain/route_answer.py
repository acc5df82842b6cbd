"""Answers to what was asked: a choice, yes or no, words; or words about something else.

Spec: agent.md, chat (a pending question is answered first). A yes with a condition is no yes: who
says 可以，但是周三别排 wants something else than what was shown.
"""

import re
from dataclasses import dataclass
from enum import StrEnum

from services.agent.domain import quick_match, spoken
from services.agent.domain.numerals import NUMBER, value


class PendingKind(StrEnum):
    """What is waited for."""

    CHOICE = "choice"
    YES_NO = "yes_no"
    CONFIRM = "confirm"
    """Whether what was shown is to be done: YES accepts, NO turns it down."""
    WORDS = "words"


class AnswerKind(StrEnum):
    CHOSEN = "chosen"
    YES = "yes"
    NO = "no"
    WORDS = "words"
    UNCLEAR = "unclear"
    """It is about the question, and decides nothing: ask again."""


@dataclass(frozen=True, slots=True)
class Offered:
    """One choice, with the words that name it: its text in both languages, a title, a place."""

    id: str
    words: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Pending:
    """What is waited for; `takes_words`: words that are none of the choices may answer it."""

    kind: PendingKind
    choices: tuple[Offered, ...] = ()
    takes_words: bool = True


@dataclass(frozen=True, slots=True)
class Answer:
    """An answer; `words` are what was said with it, empty for a bare yes, no or choice."""

    kind: AnswerKind
    choice_id: str = ""
    words: str = ""


_YES = (
    r"(?:是的?|对的?|对|嗯|恩|好[的啊呀吧嘞呢]?|可以[的啊呀]?|行[的啊吧呀]?|没问题|没意见|同意|确认|确定|接受|这样吧?|这么[办定来]吧?"
    r"|按这个(?:来|办|排)?吧?|照办|不错|挺好的?|很好|太好了|完美|满意|能|要|要的|愿意|当然(?:可以)?|必须的?|没毛病|ok(?:ay)?"
    r"|yes|yep|yeah|sure|fine|good|great|perfect|looks?\s+good|go\s+ahead|do\s+it|accept|confirm(?:ed)?|agreed?|of\s+course|correct|right)"
)
_NO = (
    r"(?:不是的?|不对|不行|不好|不可以|不要了?|不用了?|不必了?|不能|不同意|不接受|不确认|不满意|不愿意|不太[行好]|不合适|不想|别了?|否|算了吧?|取消|拒绝|没必要"
    r"|先不[用要]?了?|再说吧?|不|no|nope|nah|don'?t|cancel|reject|never\s*mind|not\s+(?:now|really))"
)
_FILLER = (
    r"(?:[\s,，。.;；!！~～、]|谢谢你?|多谢|辛苦了?|麻烦了?|啊|呀|吧|哦|噢|哈|呢|嘛|了|的|那|就|我|觉得"
    r"|看|你|please|thanks?(?:\s+you)?|it|i)*+"
)
_BARE_YES = re.compile(rf"{_FILLER}(?:(?>{_YES}){_FILLER})++", re.IGNORECASE)
_BARE_NO = re.compile(rf"{_FILLER}(?:(?>{_NO}){_FILLER})++", re.IGNORECASE)
_BEGINS_YES = re.compile(rf"{_FILLER}{_YES}(?=$|[\s,，。.;；!！~～但不只])", re.IGNORECASE)
_BEGINS_NO = re.compile(rf"{_FILLER}{_NO}", re.IGNORECASE)
_BUT = re.compile(
    r"但|不过|只是|除了|就是|如果|要是|可是|然而|可不可以|能不能|换|改|挪|移|别|不要|太|少|多|晚一?点|早一?点|加|减|删|去掉|再"
    r"|\b(?:but|except|unless|if|however|instead|change|move|without|only)\b",
    re.IGNORECASE,
)
_DOUBTING = re.compile(
    r"好像|似乎|可能|也许|大概|不知道|不确定|说不准|不清楚|随便|都行|都可以|无所谓|看着办|maybe|perhaps|not\s+sure|whatever|either|don'?t\s+know",
    re.IGNORECASE,
)
_ANY = re.compile(r"随便|都行|都可以|无所谓|看着办|whatever|either|any\b", re.IGNORECASE)
_NONE_OF_THEM = re.compile(
    r"都不[是对行要]|哪个都不|没有一个|(?:以上)?都不|none(?:\s+of\s+(?:them|these))?", re.IGNORECASE
)
_NUMBERED = re.compile(
    rf"(?:选|要|就)?(?:第)?(?P<number>{NUMBER})(?:个|项|块|条|种|号|吧|\.|、|那个|的)*"
    r"|(?P<first>前(?:者|一个)|\b(?:the\s+)?first(?:\s+one)?)|(?P<second>\b(?:the\s+)?second(?:\s+one)?)"
    r"|(?P<last>后(?:者|一个)|最后(?:一)?个|\b(?:the\s+)?last(?:\s+one)?)",
    re.IGNORECASE,
)
_CHOICE_TALK = re.compile(
    r"^(?:是|就是|应该是|我(?:说|指|选|要)的?是?|选|就|要|说的是)+|(?:吧|那个|那项|那块|的那个|这个|啊|呀|的|了)+$"
)


def read(words: str, pending: Pending) -> Answer | None:
    """The answer that the words give; None where they do not look like one."""
    said = spoken.plain(words).strip()
    if not said:
        return Answer(AnswerKind.UNCLEAR)
    if pending.kind is PendingKind.WORDS:
        return Answer(AnswerKind.WORDS, words=words.strip())
    if pending.choices and (found := _chosen(said, pending.choices)):
        return found
    if pending.kind is PendingKind.CHOICE:
        return _about_choices(said, pending)
    return _yes_or_no(said, words.strip(), pending)


def _chosen(said: str, choices: tuple[Offered, ...]) -> Answer | None:
    by_id = next((one for one in choices if said.casefold() == one.id.casefold()), None)
    if by_id is not None:
        return Answer(AnswerKind.CHOSEN, by_id.id)
    bare = said.strip(" ,，。.!！?？")
    if number := _number(bare, len(choices)):
        return Answer(AnswerKind.CHOSEN, choices[number - 1].id)
    named = _CHOICE_TALK.sub("", bare)
    exact = [one for one in choices if named and _names(named, one)]
    if len(exact) == 1:
        return Answer(AnswerKind.CHOSEN, exact[0].id)
    numbered = [one for one in choices if _numbers(named) <= _numbers(" ".join(one.words))]
    fitting = quick_match.matched(named, numbered, lambda one: one.words)
    if len(fitting) == 1 and len(named) > 1:
        return Answer(AnswerKind.CHOSEN, fitting[0].id)
    return None


def _numbers(text: str) -> frozenset[str]:
    return frozenset(re.findall(r"\d+", text))


def _names(said: str, choice: Offered) -> bool:
    """Whether a choice's words hold what was said, sign by sign."""
    plain = quick_match.plain(said)
    return any(plain == quick_match.plain(word) for word in choice.words)


def _number(bare: str, most: int) -> int | None:
    if (match := _NUMBERED.fullmatch(bare)) is None:
        return None
    if match["number"]:
        number = value(match["number"])
        return number if number and 1 <= number <= most else None
    if match["last"]:
        return most
    return 1 if match["first"] else min(2, most)


def _about_choices(said: str, pending: Pending) -> Answer | None:
    if _NONE_OF_THEM.search(said):
        return Answer(AnswerKind.NO, words=said)
    if _ANY.search(said) or _DOUBTING.search(said):
        return Answer(AnswerKind.UNCLEAR, words=said)
    if _BARE_YES.fullmatch(said):
        only = pending.choices[0].id if len(pending.choices) == 1 else ""
        return Answer(AnswerKind.CHOSEN, only) if only else Answer(AnswerKind.UNCLEAR)
    if _BARE_NO.fullmatch(said):
        return Answer(AnswerKind.NO)
    return None


def _yes_or_no(said: str, words: str, pending: Pending) -> Answer | None:
    if _BARE_YES.fullmatch(said):
        return Answer(AnswerKind.YES)
    if _BARE_NO.fullmatch(said):
        return Answer(AnswerKind.NO)
    if _DOUBTING.search(said) and not _BEGINS_YES.match(said):
        denies = _BEGINS_NO.search(said) or "不" in said
        return Answer(AnswerKind.NO if denies else AnswerKind.UNCLEAR, words=words)
    if _BEGINS_NO.match(said):
        return Answer(AnswerKind.NO, words=words)
    if _BEGINS_YES.match(said):
        agrees = not _BUT.search(said) and not _BEGINS_NO.search(said)
        return Answer(AnswerKind.YES if agrees else AnswerKind.NO, words="" if agrees else words)
    return None
