"""nginx: access log in combined format with timings, error log forwarded by rsyslog."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from datetime import datetime

from worlds.generate.dice import Dice, arrivals, draw_ip, draw_word
from worlds.generate.model import Line
from worlds.generate.stamps import clf_stamp, syslog_stamp
from worlds.generate.timeline import Timeline


@dataclass(frozen=True, slots=True)
class Hit:
    """One request at the proxy."""

    at: datetime
    client: str
    method: str
    path: str
    status: int
    took_s: float
    upstream: str
    """Address and port of the service behind the proxy."""

    @property
    def request(self) -> str:
        """The request line."""
        return f"{self.method} {self.path} HTTP/1.1"


def access(hit: Hit, *, agent: str = "okhttp/4.12.0") -> Line:
    """Return the access record."""
    n_bytes = 167 if hit.status >= 500 else 300 + len(hit.path) * 17
    return Line(
        hit.at,
        f'{hit.client} - - [{clf_stamp(hit.at)}] "{hit.request}" {hit.status} {n_bytes} "-" '
        f'"{agent}" rt={hit.took_s:.3f} uct=0.001 urt={hit.took_s:.3f} ua={hit.upstream}',
    )


def upstream_timed_out(hit: Hit, host: str, connection: int) -> Line:
    """Return the error record of a request that the upstream did not answer."""
    text = "upstream timed out (110: Connection timed out) while reading response header from upstream"
    return _error(hit, host, connection, "error", text)


def browsing(dice: Dice, times: Timeline, paths: Sequence[str], *, upstream: str, per_hour: float) -> Iterator[Line]:
    """Yield the access records of people who look around; all succeed."""
    for at in arrivals(dice, times.begin_at, times.now_at, per_hour=per_hour):
        took_s = dice.uniform(0.004, 0.2)
        hit = Hit(at, draw_ip(dice), "GET", draw_word(dice, paths), 200, took_s, upstream)
        yield access(hit, agent="Mozilla/5.0")


def everyday_error(hit: Hit, host: str, connection: int) -> Iterator[Line]:
    """Yield a harmless error-log record about one request in eight, chosen by its connection."""
    if connection % 12 == 0:
        yield buffered(hit, host, connection)
    elif connection % 19 == 0:
        yield client_closed(hit, host, connection)


def buffered(hit: Hit, host: str, connection: int) -> Line:
    """Return the harmless warning about a large response."""
    text = (
        "an upstream response is buffered to a temporary file "
        f"/var/cache/nginx/proxy_temp/{connection % 10}/{connection % 89:02d}/{connection:010d}"
        " while reading upstream"
    )
    return _error(hit, host, connection, "warn", text)


def client_closed(hit: Hit, host: str, connection: int) -> Line:
    """Return the harmless record about a client that went away."""
    text = "recv() failed (104: Connection reset by peer) while sending to client"
    return _error(hit, host, connection, "info", text)


def _error(hit: Hit, host: str, connection: int, level: str, text: str) -> Line:
    return Line(
        hit.at,
        f"{syslog_stamp(hit.at)} {host} nginx: [{level}] 31#31: *{connection} {text}, "
        f'client: {hit.client}, server: _, request: "{hit.request}", '
        f'upstream: "http://{hit.upstream}{hit.path}"',
    )
