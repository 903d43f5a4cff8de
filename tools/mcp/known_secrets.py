"""The secrets that a server was given, taken out again of whatever it says. Pure."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from tools.mcp.words import evidence_text, visible

REMOVED = "[removed]"
MIN_VALUE_CHARS = 4
MIN_LINE_CHARS = 6
"""A shorter line of a secret, such as the braces of a JSON key file, is no secret and stands in every text."""


@dataclass(frozen=True)
class KnownSecrets:
    """What must not be shown, longest first. Empty: nothing is removed."""

    forms: tuple[str, ...] = ()

    def gone(self, text: str) -> str:
        """The text without them, also where invisible characters or markup split one; else as it came."""
        if not self.forms:
            return text
        for view in (visible, evidence_text):
            seen = view(text)
            if any(form in seen for form in self.forms):
                text = self._without(seen)
        return text

    def gone_from(self, value: object) -> object:
        """The JSON value with every text and key inside it without them."""
        if not self.forms:
            return value
        if isinstance(value, str):
            return self.gone(value)
        if isinstance(value, Mapping):
            return {self.gone(str(key)): self.gone_from(part) for key, part in value.items()}
        if isinstance(value, list):
            return [self.gone_from(part) for part in value]
        is_number = isinstance(value, (int, float)) and not isinstance(value, bool)
        return REMOVED if is_number and repr(value) in self.forms else value

    def _without(self, text: str) -> str:
        for form in self.forms:
            text = text.replace(form, REMOVED)
        return text


def known_secrets(values: Iterable[str]) -> KnownSecrets:
    """Each value of at least ``MIN_VALUE_CHARS`` and each of its lines of at least ``MIN_LINE_CHARS``."""
    forms: set[str] = set()
    for value in values:
        whole = visible(value).strip()
        forms |= {whole} if len(whole) >= MIN_VALUE_CHARS else set()
        forms |= {line for part in whole.splitlines() if len(line := part.strip()) >= MIN_LINE_CHARS}
    return KnownSecrets(tuple(sorted(forms, key=lambda form: (-len(form), form))))
