"""Sentences for people, in both languages of the suite."""

from dataclasses import dataclass
from enum import StrEnum


class Language(StrEnum):
    ZH = "zh"
    EN = "en"


@dataclass(frozen=True, slots=True)
class Text:
    """One sentence in both languages; empty in both where there is nothing to say."""

    zh: str = ""
    en: str = ""

    def __bool__(self) -> bool:
        return bool(self.zh or self.en)

    def of(self, language: Language) -> str:
        """The sentence in one language."""
        return self.zh if language is Language.ZH else self.en
