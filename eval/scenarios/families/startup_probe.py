"""A release that starts so slowly that the platform restarts it before it is ready."""

from collections.abc import Iterator
from datetime import timedelta

from eval.scenarios.cast import Cast, draw_cast
from eval.scenarios.model import Cause, Milestone, Part
from eval.scenarios.saying import asked, moving, repeated
from state.model.enums import Language
from worlds.generate.model import Event, Table
from worlds.generate.speech import Said
from worlds.generate.stamps import iso_seconds


class StartupProbe:
    """See ``eval.scenarios.family.Family``."""

    name = "startup-probe"
    area = "deployment"

    def cast(self, seed: int) -> Cast:
        """Who takes part; the core was rolled out just before."""
        return draw_cast(seed, self.name, is_core_rolled_out=True, lead_s=(60, 150))

    def question(self, cast: Cast, language: Language) -> str:
        """What is slow, and since when."""
        return asked(
            cast,
            language,
            en="Why do {noun} fail with 503 since {clock}?",
            zh="从 {clock} 开始，为什么{noun}请求返回 503？",
        )

    def everyday(self, cast: Cast) -> Part:
        """Nothing beyond the usual."""
        return Part()

    def symptoms(self, cast: Cast) -> Part:
        """Too few instances answer."""
        events = repeated(
            cast,
            "unavailable",
            cast.front,
            lambda dice, _: Said(
                "ERROR",
                f"GET /v2/{cast.trade.noun}/{dice.randrange(10**5, 10**6)} 503: "
                f"no healthy instance of {cast.core.name}",
                "http.access",
            ),
            per_hour=110,
        )
        return Part(events=events)

    def proof(self, cast: Cast) -> Part:
        """The start ends at the same step each time; the platform says why it restarts; only new instances."""
        labels = {"service": cast.core.name}
        restarts = moving(cast, "kube_container_restarts_total", labels, lambda _, s: max(0, s // 140))
        return Part(
            events=tuple(_starts(cast)),
            tables=(_platform_events(cast),),
            samples=tuple(restarts),
            rollouts=(cast.rolled_out("src/main/java/boot/CatalogWarmup.java; src/main/resources/application.yml"),),
        )

    def cause(self, cast: Cast) -> Cause:
        """The start that outlasts the probe."""
        return Cause(
            entities=(cast.core.name, cast.core.next_version),
            mechanism=(("startup", "start", "启动"), ("probe", "探针", "等待时间", "longer", "耗时")),
            runbook="platform/probe-restart-loop.md",
            section="原因：启动耗时超过等待时间",
        )

    def milestones(self, cast: Cast) -> tuple[Milestone, ...]:
        """Unavailable, the failed probe, the rollout."""
        return (
            Milestone("symptom", ("no healthy instance",)),
            Milestone("telltale", ("Startup probe failed", "CrashLoopBackOff")),
            Milestone("change", (cast.core.next_version,)),
        )

    def rivals(self, cast: Cast) -> tuple[str, ...]:
        """The other causes of restarts."""
        return "存活探针", "liveness", "配置缺失", "CreateContainerConfigError"


def _restarts(cast: Cast) -> Iterator[tuple[int, str]]:
    """Second after the onset and pod of each restart."""
    dice, at = cast.dice("restarts"), 8
    until = (cast.times.now_at - cast.times.onset_at).total_seconds() - 90
    while at < until:
        yield at, cast.core.pods[dice.randrange(len(cast.core.pods))]
        at += dice.randrange(110, 170)


def _starts(cast: Cast) -> Iterator[Event]:
    dice = cast.dice("starts")
    for second, pod in _restarts(cast):
        at = cast.times.onset_at + timedelta(seconds=second)
        version = cast.core.next_version
        yield cast.core.say(at, Said("INFO", f"Starting {cast.core.name} v{version}", "boot.Starter"), dice, pod=pod)
        step = f"Warming catalogue: {dice.randrange(20, 34)} % of {dice.randrange(4, 9)} million entries"
        yield cast.core.say(at + timedelta(seconds=29), Said("INFO", step, "boot.CatalogWarmup"), dice, pod=pod)
        failed = "Startup probe failed: Get /health/started: context deadline exceeded; back-off CrashLoopBackOff"
        yield cast.core.say(at + timedelta(seconds=61), Said("WARN", failed, "kubelet.events"), dice, pod=pod)


def _platform_events(cast: Cast) -> Table:
    columns = (
        ("id", "INTEGER"),
        ("pod", "TEXT"),
        ("service", "TEXT"),
        ("version", "TEXT"),
        ("at", "TEXT"),
        ("reason", "TEXT"),
        ("message", "TEXT"),
    )
    rows = tuple(
        (
            place,
            pod,
            cast.core.name,
            cast.core.next_version,
            iso_seconds(cast.times.onset_at + timedelta(seconds=second + 61)),
            "Unhealthy",
            "Startup probe failed: context deadline exceeded",
        )
        for place, (second, pod) in enumerate(_restarts(cast), 1)
    )
    return Table("platform_events", columns, rows)
