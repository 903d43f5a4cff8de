"""Writes the LogQL of a search. Pure.

The labels of the configured selector are in every query; what a model wrote stands only inside quoted strings.
"""

import json
import re
from collections.abc import Mapping
from dataclasses import dataclass

from state.model.errors import Misconfigured
from tools.logs.levels import all_names, names_below
from tools.logs.port import LogQuery
from tools.logs.remote_needle import UNKNOWN_SERVICE, pieces
from tools.valid_text import valid_text

SHOWN_LABELS = (
    "namespace", "pod", "container", "node", "host", "hostname", "instance", "component", "version", "trace_id",
    "k8s_namespace_name", "k8s_pod_name", "k8s_container_name", "exception_type", "exception_message",
)  # fmt: skip
"""Labels and structured metadata that are fields of a record, so shown and searched."""
_LOOSE = {"i": r"(?:i|İ|\\u0130)", "k": r"(?:k|\\u212a)"}
"""The lower case of İ and of the Kelvin sign is i and k, which not every folding knows."""
_MAX_ASCII_CHARS, _MAX_OTHER_CHARS = 32, 8
_LABEL_NAME = re.compile(r"[A-Za-z_][A-Za-z0-9_]*")
_EXPONENT = r"[0-9.]e[+-]?[0-9]{1,3}\s*[],}]"
"""A JSON number whose shown form may have other digits."""


@dataclass(frozen=True)
class LokiView:
    """The streams that may be seen, and which labels mean what."""

    selector: Mapping[str, str]
    """Label → value that every stream must have; never empty."""
    service_label: str = "service"
    level_label: str = "level"
    """Label or structured metadata."""
    tenant: str | None = None
    """`X-Scope-OrgID`."""

    def __post_init__(self) -> None:
        """Refuse what cannot be written as LogQL.

        Raises:
            Misconfigured: no selector, an empty value in it, or a name that no label can have.
        """
        for name in (*self.selector, self.service_label, self.level_label):
            if not _LABEL_NAME.fullmatch(name):
                raise Misconfigured("sources", f"{name!r} is no name of a Loki label")
        if not self.selector or not all(self.selector.values()):
            raise Misconfigured("sources", "selector needs at least one label, each with a value")

    @property
    def shown_labels(self) -> tuple[str, ...]:
        """Labels that are fields of a record."""
        taken = {*self.selector, self.service_label, self.level_label}
        return tuple(name for name in SHOWN_LABELS if name not in taken)


def quoted(text: str) -> str:
    """The text as a LogQL string."""
    return json.dumps(valid_text(text), ensure_ascii=False)


def selector(view: LokiView, service: str | None = None) -> str:
    """The streams that may be seen, of that service if one is given."""
    matchers = [f"{name}={quoted(value)}" for name, value in sorted(view.selector.items())]
    if service == UNKNOWN_SERVICE:
        matchers.append(f'{view.service_label}=~"|{UNKNOWN_SERVICE}"')
    elif service is not None:
        matchers.append(f"{view.service_label}={quoted(service)}")
    return "{" + ", ".join(matchers) + "}"


def log_queries(view: LokiView, query: LogQuery) -> tuple[str, ...]:
    """Queries that together find every match: text in the line, then text in a label."""
    streams, levels = selector(view, query.service), _level_filter(view, query.level)
    parts = pieces(query.contains) if query.contains else ()
    in_line = streams + "".join(f" |~ {quoted(_in_line(part))}" for part in parts) + levels
    # Labels follow the line in the text of a record, so a text that reaches into one of them ends in it.
    return (in_line, f"{streams}{levels} | {_in_labels(view, parts[-1])}") if parts else (in_line,)


def unnamed_level_query(view: LokiView, query: LogQuery) -> str:
    """Finds the records whose level must be read from the line."""
    names = "|".join(re.escape(name) for name in all_names())
    return f"{selector(view, query.service)} | {view.level_label}!~{quoted(_whole(names))}"


def count_query(log_query: str, *, span_ms: int, by: tuple[str, ...] = ()) -> str:
    """The number of records of ``log_query`` in the ``span_ms`` up to the time of evaluation, that end included."""
    grouping = f" by ({', '.join(by)})" if by else ""
    return f"sum{grouping} (count_over_time({log_query} [{span_ms}ms]))"


def _level_filter(view: LokiView, level: str | None) -> str:
    """Drops records whose label names a milder level; those that name none stay, to be read here."""
    below = names_below(level) if level else ()
    return f" | {view.level_label}!~{quoted(_whole('|'.join(map(re.escape, below))))}" if below else ""


def _whole(alternatives: str) -> str:
    return rf"(?i)\s*(?:{alternatives})\s*"


def _in_line(piece: str) -> str:
    """The piece in a line, in any case and as JSON may have written it."""
    written = "".join(_LOOSE.get(char, char) if char.isascii() else _escaped(char) for char in _short(piece))
    return f"(?i)(?:{written}|{_EXPONENT})" if any(char.isdigit() for char in piece) else f"(?i){written}"


def _in_labels(view: LokiView, piece: str) -> str:
    named = [f'{name}!=""' for name in view.shown_labels if piece in name]
    written = "".join(_LOOSE.get(char, char) for char in _short(piece))
    value = quoted(f"(?is).*{written}.*")
    return " or ".join((*named, *(f"{name}=~{value}" for name in view.shown_labels)))


def _short(piece: str) -> str:
    """Its beginning, which finds no less: the whole query travels in an address of a few thousand characters."""
    return piece[:_MAX_ASCII_CHARS] if piece.isascii() else piece[:_MAX_OTHER_CHARS]


def _escaped(char: str) -> str:
    return rf"(?:{char}|(?:\\u[0-9a-f]{{4}}){{1,2}})"
