"""Selects series by metric name and label matchers; its canonical text is the same for equal selections. Pure."""

import re
from collections.abc import Mapping

from state.model.base import Value

_CLASSIC_NAME = re.compile(r"[a-zA-Z_:][a-zA-Z0-9_:]*")
_CLASSIC_LABEL = re.compile(r"[a-zA-Z_][a-zA-Z0-9_]*")
_NOT_PLAIN = re.compile(r'["\\\x00-\x1f\x7f\u2028\u2029]')
_ESCAPES = {'"': '\\"', "\\": "\\\\", "\n": "\\n", "\t": "\\t", "\r": "\\r"}


class Matcher(Value):
    """One condition on a label. A series without the label has the empty value."""

    name: str
    op: str
    """One of ``=``, ``!=``, ``=~``, ``!~``."""
    value: str

    def text(self) -> str:
        """As PromQL writes it."""
        return f"{self.name}{self.op}{quoted(self.value)}"


class Selector(Value):
    """A metric and conditions on its labels, all of which must hold."""

    metric: str
    matchers: tuple[Matcher, ...] = ()
    """Sorted, each once."""

    def text(self) -> str:
        """Canonical PromQL."""
        inner = [one.text() for one in self.matchers]
        if not _CLASSIC_NAME.fullmatch(self.metric):
            return "{" + ",".join([f"__name__={quoted(self.metric)}", *inner]) + "}"
        return self.metric + ("{" + ",".join(inner) + "}" if inner else "")

    def accepts(self, labels: Mapping[str, str]) -> bool:
        """True if all conditions hold; only ``=`` and ``!=`` are decided here."""
        return all((labels.get(one.name, "") == one.value) is (one.op == "=") for one in self.matchers)

    @property
    def is_plain(self) -> bool:
        """True if no condition is a regular expression."""
        return all(one.op in {"=", "!="} for one in self.matchers)


def selector_of(metric: str, matchers: tuple[Matcher, ...]) -> Selector:
    """The selector with its conditions in canonical order."""
    unique = {(one.name, one.op, one.value): one for one in matchers}
    return Selector(metric=metric, matchers=tuple(unique[key] for key in sorted(unique)))


def is_label_name(name: str) -> bool:
    """True if the name can stand in a selector of any server."""
    return _CLASSIC_LABEL.fullmatch(name) is not None and name != "__name__"


def quoted(value: str) -> str:
    """A PromQL string literal on one line; it stands for exactly this value."""
    return '"' + _NOT_PLAIN.sub(lambda match: _ESCAPES.get(match[0]) or _escaped(match[0]), value) + '"'


def series_text(metric: str, labels: Mapping[str, str]) -> str:
    """A series as people write it, labels in order; on one line whatever the values hold."""
    inner = ",".join(f"{name}={quoted(value)}" for name, value in sorted(labels.items()))
    return metric + ("{" + inner + "}" if inner or not metric else "")


def _escaped(char: str) -> str:
    return f"\\x{ord(char):02x}" if ord(char) < 256 else f"\\u{ord(char):04x}"
