"""The language of a run and text pairs for everything code writes. Pure."""

import re

from state.model.base import Value
from state.model.enums import Language

_HAN = re.compile("[\u3400-\u4dbf\u4e00-\u9fff\uf900-\ufaff\U00020000-\U0003134f]")


def detect_language(text: str) -> Language:
    """``zh`` if the text holds any Han character, else ``en``; the empty text is ``en``."""
    return Language.ZH if _HAN.search(text) else Language.EN


class Bilingual(Value):
    """One text in both languages, as a ``str.format`` template with the same names in each."""

    en: str
    zh: str

    def text(self, language: Language, **values: object) -> str:
        """The text of that language with ``values`` filled in; a brace in a value stays as it is.

        Raises:
            KeyError: the template names a value that is not given.
        """
        template = self.zh if language is Language.ZH else self.en
        return template.format(**values)

    def filled(self, **values: object) -> "Bilingual":
        """Both languages with ``values`` filled in, a template in which nothing is left to fill in.

        Raises:
            KeyError: the template names a value that is not given.
        """
        return Bilingual(en=_as_template(self.en.format(**values)), zh=_as_template(self.zh.format(**values)))


def _as_template(text: str) -> str:
    return text.replace("{", "{{").replace("}", "}}")
