"""Parses and evaluates the LogQL that log queries and counts need, as Grafana documents it.

Written from the public documentation of LogQL, for any client: stream selectors, line filters, label filters with
``and``, ``or`` and brackets, and ``sum [by] (count_over_time(… [range]))``.
"""

import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass

Labels = Mapping[str, str]
Keeps = Callable[[str, Labels], bool]
"""Line and labels (structured metadata included) → the record stays."""


class ParseError(ValueError):
    """The query is no LogQL."""


@dataclass(frozen=True)
class LogPipeline:
    """A log query."""

    matchers: tuple[tuple[str, str, str], ...]
    stages: tuple[Keeps, ...]

    def has_stream(self, labels: Labels) -> bool:
        return all(compare(labels.get(name, ""), op, value) for name, op, value in self.matchers)

    def keeps(self, line: str, labels: Labels) -> bool:
        return all(stage(line, labels) for stage in self.stages)


@dataclass(frozen=True)
class Count:
    """``sum by (…) (count_over_time(… [range]))``; ``by`` None: one series per stream."""

    pipeline: LogPipeline
    range_ns: int
    by: tuple[str, ...] | None


_TOKEN = re.compile(
    r"\s*(?:(?P<string>\"(?:[^\"\\]|\\.)*\"|`[^`]*`)|(?P<duration>\d+(?:\.\d+)?(?:ns|us|µs|ms|[smhdwy])(?:\d+(?:\.\d+)?(?:ns|us|ms|[smhdwy]))*)"
    r"|(?P<number>\d+(?:\.\d+)?)|(?P<name>[A-Za-z_][A-Za-z0-9_]*)|(?P<op>\|=|\|~|!=|!~|=~|==|>=|<=|[{}()\[\],|=<>]))",
    re.DOTALL,
)
_UNITS = {"ns": 1, "us": 10**3, "µs": 10**3, "ms": 10**6, "s": 10**9, "m": 60 * 10**9, "h": 3600 * 10**9}
_UNITS |= {"d": 24 * _UNITS["h"], "w": 7 * 24 * _UNITS["h"], "y": 365 * 24 * _UNITS["h"]}
_RANGE = re.compile("".join(rf"(?:(?P<{unit}>\d+){unit})?" for unit in ("y", "w", "d", "h", "m", "s", "ms")))
_ESCAPES = {"a": "\a", "b": "\b", "f": "\f", "n": "\n", "r": "\r", "t": "\t", "v": "\v", "\\": "\\", '"': '"', "'": "'"}


def compare(value: str, op: str, wanted: str) -> bool:
    """A label against a matcher; expressions are anchored at both ends."""
    match op:
        case "=" | "==":
            return value == wanted
        case "!=":
            return value != wanted
        case "=~":
            return compiled(wanted).fullmatch(value) is not None
        case "!~":
            return compiled(wanted).fullmatch(value) is None
    raise ParseError(f"unexpected {op}")


def compiled(expression: str) -> re.Pattern[str]:
    if re.search(r"(?<!\\)(?:\\\\)*\\u", expression):
        raise ParseError("error parsing regexp: invalid escape sequence: `\\u`")
    try:
        return re.compile(expression, re.DOTALL)
    except re.error as error:
        raise ParseError(f"error parsing regexp: {error}") from error


def parse(text: str) -> LogPipeline | Count:
    """The query.

    Raises ParseError.
    """
    parser = _Parser(_tokens(text))
    query = parser.metric() if parser.peek()[0] == "name" else parser.pipeline()
    parser.end()
    return query


def _tokens(text: str) -> list[tuple[str, str]]:
    found, at = [], 0
    while at < len(text.rstrip()):
        match = _TOKEN.match(text, at)
        if match is None:
            raise ParseError(f"parse error at line 1, col {at + 1}: syntax error: unexpected character {text[at]!r}")
        kind = str(match.lastgroup)
        found.append((kind, _unquoted(match[kind]) if kind == "string" else match[kind]))
        at = match.end()
    return [*found, ("end", "")]


def _unquoted(text: str) -> str:
    """As Go's strconv.Unquote."""
    if text[0] == "`":
        return text[1:-1]
    if "\n" in text:
        raise ParseError("invalid char literal")

    def plain(match: re.Match[str]) -> str:
        code = match[1]
        if code[0] in "xuU":
            return chr(int(code[1:], 16))
        if code not in _ESCAPES:
            raise ParseError("invalid char escape")
        return _ESCAPES[code]

    return re.sub(r"\\(x[0-9a-fA-F]{2}|u[0-9a-fA-F]{4}|U[0-9a-fA-F]{8}|.)", plain, text[1:-1], flags=re.DOTALL)


class _Parser:
    def __init__(self, tokens: list[tuple[str, str]]) -> None:
        self.tokens, self.at = tokens, 0

    def peek(self) -> tuple[str, str]:
        return self.tokens[self.at]

    def take(self, kind: str, *values: str) -> str:
        found = self.peek()
        if found[0] != kind or (values and found[1] not in values):
            raise ParseError(f"parse error at line 1, col 1: syntax error: unexpected {found[1] or 'end'!r}")
        self.at += 1
        return found[1]

    def has(self, kind: str, *values: str) -> bool:
        found = self.peek()
        return found[0] == kind and (not values or found[1] in values)

    def end(self) -> None:
        self.take("end")

    def metric(self) -> Count:
        name, by = self.take("name", "sum", "count_over_time"), None
        if name == "sum":
            by = self._by() if self.has("name", "by") else ()
            self.take("op", "(")
            self.take("name", "count_over_time")
        self.take("op", "(")
        pipeline = self.pipeline()
        self.take("op", "[")
        range_ns = self._duration()
        self.take("op", "]")
        self.take("op", ")")
        if name == "sum":
            self.take("op", ")")
        if by == () and self.has("name", "by"):
            by = self._by()
        return Count(pipeline, range_ns, by)

    def _by(self) -> tuple[str, ...]:
        self.take("name", "by")
        self.take("op", "(")
        names = [self.take("name")]
        while self.has("op", ","):
            self.take("op", ",")
            names.append(self.take("name"))
        self.take("op", ")")
        return tuple(names)

    def _duration(self) -> int:
        """Ranges are Prometheus durations: whole numbers of falling units, the millisecond the smallest."""
        text = self.take("duration")
        match = _RANGE.fullmatch(text)
        if match is None:
            raise ParseError(f"parse error at line 1, col 1: not a valid duration string: {text!r}")
        return sum(int(number) * _UNITS[unit] for unit, number in match.groupdict().items() if number)

    def pipeline(self) -> LogPipeline:
        matchers = self._matchers()
        if not any(not compare("", op, value) for _, op, value in matchers):
            raise ParseError(
                "parse error : queries require at least one regexp or equality matcher that does not have an empty-compatible value"
            )
        stages: list[Keeps] = []
        while self.has("op", "|=", "|~", "!=", "!~", "|"):
            stages.append(self._label_stage() if self.has("op", "|") else self._line_stage())
        return LogPipeline(tuple(matchers), tuple(stages))

    def _matchers(self) -> list[tuple[str, str, str]]:
        self.take("op", "{")
        found = []
        while not self.has("op", "}"):
            found.append((self.take("name"), self.take("op", "=", "!=", "=~", "!~"), self.take("string")))
            if not self.has("op", "}"):
                self.take("op", ",")
        self.take("op", "}")
        return found

    def _line_stage(self) -> Keeps:
        op = self.take("op")
        texts = [self.take("string")]
        while self.has("name", "or"):
            self.take("name")
            texts.append(self.take("string"))
        if op in {"|=", "!="}:
            return lambda line, _: any(text in line for text in texts) == (op == "|=")
        patterns = [compiled(text) for text in texts]
        return lambda line, _: any(pattern.search(line) for pattern in patterns) == (op == "|~")

    def _label_stage(self) -> Keeps:
        self.take("op", "|")
        return self._either()

    def _either(self) -> Keeps:
        found = [self._both()]
        while self.has("name", "or"):
            self.take("name")
            found.append(self._both())
        return lambda line, labels: any(one(line, labels) for one in found)

    def _both(self) -> Keeps:
        found = [self._filter()]
        while self.has("name", "and") or self.has("op", ","):
            self.at += 1
            found.append(self._filter())
        return lambda line, labels: all(one(line, labels) for one in found)

    def _filter(self) -> Keeps:
        if self.has("op", "("):
            self.take("op")
            inside = self._either()
            self.take("op", ")")
            return inside
        name, op, wanted = self.take("name"), self.take("op", "=", "==", "!=", "=~", "!~"), self.take("string")
        if op in {"=~", "!~"}:
            compiled(wanted)
        return lambda _, labels: compare(labels.get(name, ""), op, wanted)
