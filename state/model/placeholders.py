"""Reversible placeholders for infrastructure identifiers: hosts, pods, addresses, process ids. Pure.

The same value gets the same placeholder within one map. Masking never guesses at single-label host names in
prose: those are known from fields (``mask_json``) or from the caller (``hosts``).
"""

import ipaddress
import re
from collections import Counter
from collections.abc import Callable, Collection, Iterator, Mapping
from dataclasses import dataclass, field
from functools import cached_property

from state.model.base import Value

PLACEHOLDER = re.compile(r"<(?:ip|host|pod|pid|literal)-[1-9]\d{0,8}>")

_TOP_LEVEL = (
    "com|net|org|io|cn|dev|cloud|corp|edu|gov|de|uk|jp|fr|eu|us|tech|internal|local|localdomain|lan|intranet|home|svc"
)
_NOT_HOST_START = ("com", "org", "net", "io", "java", "javax", "jakarta", "dev", "cn", "edu", "gov", "www-data")


class PlaceholderMap(Value):
    """Placeholder → value, as the canonical store keeps it for one run."""

    entries: dict[str, str] = {}

    def grown(self, added: Mapping[str, str]) -> "PlaceholderMap":
        """The map with further entries; one that is already there is never changed."""
        return PlaceholderMap(entries={**added, **self.entries})


@dataclass(frozen=True)
class _Kind:
    """One kind of identifier: the group ``v`` of its pattern is the value."""

    name: str
    pattern: re.Pattern[str]
    accepts: Callable[[str], bool] = lambda _text: True


def _is_ip(text: str) -> bool:
    try:
        address = ipaddress.ip_address(text)
    except ValueError:
        return False
    return not (address.is_loopback or address.is_unspecified)


def _is_ipv6(text: str) -> bool:
    return any(char.isdigit() for char in text) and _is_ip(text)


def _is_host(text: str) -> bool:
    return text.partition(".")[0] not in _NOT_HOST_START


def _is_pod(text: str) -> bool:
    """The replica set hash has a digit; words of prose do not."""
    template = text.rsplit("-", 2)[1]
    return any(char.isdigit() for char in template)


_PID = r"(?i:\bpids?[=: ]{1,2}|\bprocess |\bholding the lock: |\bwait queue: )(?P<v>\d{2,10})\b"
_KINDS: tuple[_Kind, ...] = (
    _Kind("literal", re.compile(rf"(?P<v>{PLACEHOLDER.pattern})")),
    _Kind("ip", re.compile(r"(?<![\w.-])(?<![A-Za-z]/)(?P<v>(?:\d{1,3}\.){3}\d{1,3})(?![\w-]|\.\w)"), _is_ip),
    _Kind("ip", re.compile(r"(?<![\w:.])(?P<v>[0-9A-Fa-f]{0,4}(?::[0-9A-Fa-f]{0,4}){2,7})(?![\w:]|\.\d)"), _is_ipv6),
    _Kind("host", re.compile(r"(?<![\w.-])(?P<v>ip(?:-\d{1,3}){4}(?:\.[a-z0-9-]{1,63}){0,5})(?![\w-])")),
    _Kind(
        "host",
        re.compile(rf"(?<![\w.@$/-])(?<!://)(?P<v>(?:[a-z0-9][a-z0-9-]{{0,62}}\.){{1,6}}(?:{_TOP_LEVEL}))(?![\w-]|\.[\w])"),
        _is_host,
    ),
    _Kind(
        "host",
        re.compile(rf"(?<=//)(?P<v>(?:[a-z0-9][a-z0-9-]{{0,62}}\.){{1,6}}(?:{_TOP_LEVEL}))(?![\w-]|\.[\w])"),
    ),
    _Kind(
        "pod",
        re.compile(r"(?<![\w.-])(?P<v>[a-z][a-z0-9-]{0,62}-[a-z0-9]{8,10}-[a-z0-9]{5})(?![\w-])"),
        _is_pod,
    ),
    _Kind("pid", re.compile(_PID)),
    _Kind("pid", re.compile(r"(?<![\w.-])[A-Za-z][\w./-]{0,40}\[(?P<v>\d{1,10})\]:")),
)  # fmt: skip

KEYED_KINDS: Mapping[str, str] = {
    **dict.fromkeys(("host", "hostname", "node", "node_name", "nodename", "server_name", "instance"), "host"),
    **dict.fromkeys(("pod", "pod_name", "podname", "kubernetes_pod_name"), "pod"),
    **dict.fromkeys(("ip", "host_ip", "pod_ip", "client_ip", "remote_addr", "remote_ip", "peer_ip", "source_ip"), "ip"),
    **dict.fromkeys(("pid", "process_id"), "pid"),
}
"""Field names whose value is an identifier, whatever it looks like."""

_KEYS = "|".join(sorted(KEYED_KINDS, key=len, reverse=True))
_KEYED = re.compile(rf"(?<![\w.-])(?P<key>{_KEYS})=(?P<v>[^\s,;\"'<>()\[\]{{}}]{{1,253}})")


@dataclass
class _Masking:
    """Working state of one masking: what is known, what was added, which names stand for hosts and pods."""

    known: PlaceholderMap
    added: dict[str, str] = field(default_factory=dict)
    names: dict[str, str] = field(default_factory=dict)
    """Bare name → kind, for names that no pattern would find."""

    def __post_init__(self) -> None:
        self.by_value = {(_kind_of(holder), value): holder for holder, value in self.known.entries.items()}
        self.counts = Counter(kind for kind, _ in self.by_value)
        self.names |= {value: kind for kind, value in self.by_value if kind in {"host", "pod"}}

    def holder(self, kind: str, value: str) -> str:
        """The placeholder of the value, a new one if need be."""
        if (kind, value) not in self.by_value:
            self.counts[kind] += 1
            placeholder = f"<{kind}-{self.counts[kind]}>"
            self.by_value[kind, value] = placeholder
            self.added[placeholder] = value
        return self.by_value[kind, value]

    def text(self, text: str) -> str:
        for kind in _KINDS:
            text = kind.pattern.sub(lambda match, kind=kind: self._replaced(match, kind), text)  # type: ignore[misc]
        text = self._named.sub(lambda match: self.holder(self.names[match[0]], match[0]), text)
        return _KEYED.sub(lambda match: f"{match['key']}={self.holder(KEYED_KINDS[match['key']], match['v'])}", text)

    @cached_property
    def _named(self) -> re.Pattern[str]:
        """Finds names that hold a digit (``db-3``): a bare word may be a service or prose."""
        # A name with an angle bracket could match inside a placeholder that stands in the text already.
        usable = (name for name in self.names if any(map(str.isdigit, name)) and not {"<", ">"} & set(name))
        found = sorted(usable, key=len, reverse=True)
        choice = "|".join(map(re.escape, found)) if found else r"(?!)"
        return re.compile(rf"(?<![\w.<-])(?:{choice})(?![\w-]|\.\w)")

    def value(self, value: object) -> object:
        if isinstance(value, str):
            return self.text(value)
        if isinstance(value, list | tuple):
            return [self.value(part) for part in value]
        if isinstance(value, dict):
            return {key: self.member(str(key), part) for key, part in value.items()}
        return value

    def member(self, key: str, value: object) -> object:
        kind = KEYED_KINDS.get(key.lower())
        if kind is None or isinstance(value, bool) or not isinstance(value, str | int) or value == "":
            return self.value(value)
        whole = str(value)
        return self.holder("ip" if _is_ip(whole) else kind, whole)

    def _replaced(self, match: re.Match[str], kind: _Kind) -> str:
        if not kind.accepts(match["v"]):
            return match[0]
        start, end = (place - match.start() for place in match.span("v"))
        return match[0][:start] + self.holder(kind.name, match["v"]) + match[0][end:]


def mask(text: str, known: PlaceholderMap, *, hosts: Collection[str] = ()) -> tuple[str, dict[str, str]]:
    """The text with every identifier replaced, and the placeholders that were new.

    ``hosts`` are names known to be hosts though they have no domain. A text that already holds something that
    looks like a placeholder gets that masked too, so that ``unmask`` always gives the original back: mask a text once.
    """
    work = _Masking(known, names=dict.fromkeys(hosts, "host"))
    return work.text(text), work.added


def mask_json(value: object, known: PlaceholderMap, *, hosts: Collection[str] = ()) -> tuple[object, dict[str, str]]:
    """The JSON value with identifiers replaced in all strings, and the placeholders that were new.

    Values of identifier fields (``pod``, ``host``, ``pid`` …) are masked as a whole, numbers becoming text, and
    their hosts and pods wherever else they stand in the value. Object keys are left alone.
    """
    names = {text: kind for kind, text in _keyed_names(value)}
    work = _Masking(known, names={**names, **dict.fromkeys(hosts, "host")})
    return work.value(value), work.added


def unmask(text: str, known: PlaceholderMap) -> str:
    """The text with placeholders resolved; one that the map does not hold stays."""
    return PLACEHOLDER.sub(lambda match: known.entries.get(match[0], match[0]), text)


def unmask_json(value: object, known: PlaceholderMap) -> object:
    """The JSON value with placeholders resolved in all strings; object keys are left alone."""
    if isinstance(value, str):
        return unmask(value, known)
    if isinstance(value, list | tuple):
        return [unmask_json(part, known) for part in value]
    if isinstance(value, dict):
        return {key: unmask_json(part, known) for key, part in value.items()}
    return value


def _kind_of(placeholder: str) -> str:
    return placeholder[1:].rpartition("-")[0]


def _keyed_names(value: object) -> Iterator[tuple[str, str]]:
    """Kind and name of every host and pod field inside the value."""
    if isinstance(value, list | tuple):
        for part in value:
            yield from _keyed_names(part)
    if isinstance(value, dict):
        for key, part in value.items():
            kind = KEYED_KINDS.get(str(key).lower())
            if kind in {"host", "pod"} and isinstance(part, str) and part and not _is_ip(part):
                yield kind, part
            yield from _keyed_names(part)
