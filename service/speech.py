"""The language in which a command speaks: that of the run, or of the locale where there is no run yet."""

import os
from dataclasses import dataclass
from typing import TYPE_CHECKING

from state.model.enums import Language
from state.model.language import Bilingual, detect_language

if TYPE_CHECKING:
    from config.settings import Settings


@dataclass(frozen=True)
class Speech:
    """Texts in one language."""

    language: Language

    def __call__(self, text: Bilingual, /, **values: object) -> str:
        """The text with its values."""
        return text.text(self.language, **values)


def locale_language() -> Language:
    """Chinese where LC_ALL, LC_MESSAGES or LANG (the first one set) names it, else English."""
    names = (os.environ.get(key) for key in ("LC_ALL", "LC_MESSAGES", "LANG"))  # noqa: TID251 - the door to the locale
    chosen = next((name for name in names if name), "")
    return Language.ZH if chosen.lower().startswith("zh") else Language.EN


def run_language(question: str, given: Language | None, settings: "Settings") -> Language:
    """The language a run of this question will have: the option, else the setting, else the question's own."""
    if given is not None:
        return given
    return settings.language if isinstance(settings.language, Language) else detect_language(question)
