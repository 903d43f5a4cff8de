"""What the service counts, as Prometheus text. A registry of its own: two services in one process keep apart."""

from dataclasses import dataclass, field

from prometheus_client import CollectorRegistry, Counter, Gauge, Histogram, generate_latest
from prometheus_client.exposition import CONTENT_TYPE_LATEST

from graph.executing import Tally
from state.model.enums import ReleaseOutcome

MEDIA_TYPE = CONTENT_TYPE_LATEST


@dataclass
class Meters:
    """The counters of one process."""

    registry: CollectorRegistry = field(default_factory=lambda: CollectorRegistry(auto_describe=True))

    def __post_init__(self) -> None:
        registry = self.registry
        self.requests = Counter(
            "rootproof_http_requests", "Answered requests.", ("method", "route", "status"), registry=registry
        )
        self.seconds = Histogram(
            "rootproof_http_request_seconds",
            "Seconds until the headers of the reply were sent.",
            ("route",),
            registry=registry,
            buckets=(0.005, 0.02, 0.1, 0.5, 2.0, 10.0),
        )
        self.streams = Gauge("rootproof_streams_open", "Event streams being written.", registry=registry)
        self.running = Gauge("rootproof_runs_running", "Runs this process executes.", registry=registry)
        self.finished = Counter(
            "rootproof_runs_finished", "Runs that ended in this process.", ("outcome",), registry=registry
        )
        self.tokens = Counter("rootproof_run_tokens", "Tokens spent by runs that ended here.", registry=registry)
        for outcome in ReleaseOutcome:
            self.finished.labels(outcome=outcome.value)

        self._told = Tally()

    def tell(self, tally: Tally) -> None:
        """Count what ended since the last time."""
        for outcome, n_ended in tally.outcomes.items():
            self.finished.labels(outcome=outcome.value).inc(n_ended - self._told.outcomes[outcome])
        self.tokens.inc(tally.tokens - self._told.tokens)
        self._told = Tally(tally.outcomes.copy(), tally.tokens)

    def text(self) -> bytes:
        """Everything, as a scraper reads it."""
        return generate_latest(self.registry)
