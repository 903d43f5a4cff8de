"""Words that decide what looks like a name, as data, and the names a catalogue vouches for."""

import re
from collections.abc import Iterable
from dataclasses import dataclass
from functools import cached_property

from guards.claims.folding import fold_case, has_cjk

SERVICE_PARTS = frozenset(
    "service services svc api app web db database gateway gw worker workers server proxy cache job jobs cron queue"
    " client backend frontend bff router ingress egress balancer lb broker consumer producer scheduler collector agent"
    " exporter sidecar primary replica master standby node pod host cluster prod production staging stage".split()
)
"""Last parts that make a hyphenated word a service or host: ``order-router``."""

ORDINARY_FIRST_PARTS = frozenset(
    "multi cross inter intra single self per non micro sub third full in on off re pre post co high low long short back"
    " front up down read write client server same each any many two three four one all first second last other"
    " upstream downstream stand load fail round connection thread in-memory least most well open closed real end key"
    " user message task job rate request response".split()
)
"""First parts that make a hyphenated word ordinary although its last part names a thing: ``cross-service``."""

ORDINARY_WORDS = frozenset(
    "postgresql mysql sqlite mariadb mongodb rabbitmq hikaricp elasticsearch opensearch github gitlab javascript"
    " typescript nodejs openjdk graalvm kubernetes opentelemetry influxdb dynamodb cockroachdb clickhouse memcached"
    " zookeeper jvm http https http/1.1 http/2 utf-8 ipv4 ipv6 k8s i/o tcp/ip e2e oauth oauth2 grpc devops iops"
    " important warning however please select insert update delete commit rollback primary".split()
)
"""Product and technology words that claim nothing by themselves although they look like identifiers."""

THING_WORDS = frozenset(
    "service services server database datasource table host hosts pod pods container instance instances node cluster"
    " topic queue index bucket namespace deployment application app component".split()
)
"""A catalogued plain word beside one of these is meant as a name: "the inventory service"."""

ORDINARY_NOUNS = frozenset(
    "orders payments invoices products items users customers inventory stock cart checkout shipping billing search"
    " pricing alerts events changes metrics logs status jobs rows records sessions requests errors incidents releases"
    " deployments migrations runbooks documents queue cache database api web data traffic memory disk network storage"
    " notifications messages tasks reports accounts prices quotes".split()
)
"""Catalogued words that prose uses as ordinary nouns too: a name only where the run has one called so."""

THING_WORDS_CJK = ("服务", "数据库", "主机", "实例", "集群", "容器", "队列", "主题", "组件", "应用", "节点")

_SEPARATED = re.compile(r"[-_./:\d]")


@dataclass(frozen=True)
class Vocabulary:
    """Names the catalogues of this run vouch for: sources, services, tables, columns, metrics."""

    terms: frozenset[str] = frozenset()
    """Folded, in lower case."""
    in_use: frozenset[str] = frozenset()
    """Names by which records of the run call a service or table; folded, in lower case."""

    @staticmethod
    def of(terms: Iterable[str], in_use: Iterable[str] = ()) -> "Vocabulary":
        """The vocabulary of those catalogue terms and names in use; empty ones are left out."""
        return Vocabulary(_folded(terms), _folded(in_use))

    @cached_property
    def unspaced(self) -> tuple[str, ...]:
        """Terms of an unspaced script, longest first: found inside running text."""
        return tuple(sorted((term for term in self.terms if has_cjk(term) and len(term) > 1), key=len, reverse=True))

    @cached_property
    def separated(self) -> frozenset[str]:
        """Terms that cannot be ordinary words: they hold a separator or a digit."""
        return frozenset(term for term in self.terms if _SEPARATED.search(term))


def _folded(words: Iterable[str]) -> frozenset[str]:
    return frozenset(folded for word in words if (folded := fold_case(word).strip()))


def one_edit_apart(one: str, other: str) -> bool:
    """True if one changed, added, dropped or swapped character turns one text into the other; linear."""
    if one == other or abs(len(one) - len(other)) > 1:
        return False
    short, long = sorted((one, other), key=len)
    at = next((i for i, (a, b) in enumerate(zip(short, long, strict=False)) if a != b), len(short))
    if len(short) != len(long):
        return short[at:] == long[at + 1 :]
    swapped = short[at : at + 2] == long[at : at + 2][::-1] and short[at + 2 :] == long[at + 2 :]
    return swapped or short[at + 1 :] == long[at + 1 :]
