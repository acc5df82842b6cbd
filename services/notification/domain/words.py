"""The few words that a message holds of itself, beside what it is given."""

from dataclasses import dataclass

from services.notification.domain.message import Language


@dataclass(frozen=True, slots=True)
class Words:
    """Words of one language; `{}` in `more` is a count, in `number` the short number."""

    before: str
    after: str
    more: str
    number: str
    repeat: str


_WORDS = {
    Language.ZH_CN: Words(
        before="改前",
        after="＋ 改后",
        more="还有 {} 项，请在网页上看",
        number="编号 {}",
        repeat="补发：上一条可能已经送达，编号相同即为同一条",
    ),
    Language.EN_US: Words(
        before="Before",
        after="+ After",
        more="{} more on the page",
        number="No. {}",
        repeat="Sent again: the first may have arrived; the same number means the same message",
    ),
}


def words(language: Language) -> Words:
    """The words of a language."""
    return _WORDS[language]
