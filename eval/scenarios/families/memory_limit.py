"""A container limit below heap plus overhead: the kernel ends the process again and again."""

from collections.abc import Iterator
from datetime import timedelta

from eval.scenarios.cast import Cast, draw_cast
from eval.scenarios.model import Cause, Milestone, Part
from eval.scenarios.saying import asked, moving, repeated
from state.model.enums import Language
from worlds.generate.change_tables import Setting
from worlds.generate.formats import host, spring
from worlds.generate.model import Event, Line, Table
from worlds.generate.speech import Said
from worlds.generate.stamps import iso_seconds

_SETTING = "resources.limits.memory"


class MemoryLimit:
    """See ``eval.scenarios.family.Family``."""

    name = "memory-limit"
    area = "platform"

    def cast(self, seed: int) -> Cast:
        """Who takes part; the limit was lowered minutes before."""
        return draw_cast(seed, self.name, is_core_rolled_out=False, lead_s=(240, 600))

    def question(self, cast: Cast, language: Language) -> str:
        """What comes and goes, and since when."""
        return asked(
            cast,
            language,
            en="Why do {noun} fail now and then since {clock}?",
            zh="从 {clock} 开始，为什么{noun}时断时续？",
        )

    def everyday(self, cast: Cast) -> Part:
        """Nothing beyond the usual."""
        return Part()

    def symptoms(self, cast: Cast) -> Part:
        """Calls that are cut off, and a log that begins anew."""
        cut = repeated(
            cast,
            "cut",
            cast.front,
            lambda dice, _: Said(
                "ERROR",
                f"Call to {cast.core.name} failed: Connection prematurely closed BEFORE response "
                f"(request {dice.randrange(10**5, 10**6)})",
                "http.client",
            ),
            per_hour=80,
        )
        return Part(events=(*cut, *_started(cast)))

    def proof(self, cast: Cast) -> Part:
        """The kernel's word, the state of the container, the setting."""
        dice = cast.dice("limit")
        new = dice.randrange(5, 9) * 128
        setting = Setting(cast.core.name, _SETTING, f"{new * 2}Mi", f"{new}Mi", cast.times.change_at)
        labels = {"service": cast.core.name}
        heap = moving(cast, "jvm_memory_used_ratio", labels, lambda dice, _: dice.uniform(0.42, 0.58))
        restarts = moving(cast, "kube_container_restarts_total", labels, lambda _, s: max(0, s // 210))
        return Part(
            lines={"syslog.log": tuple(_killed(cast, new))},
            tables=(_states(cast),),
            settings=(setting,),
            samples=(*heap, *restarts),
        )

    def cause(self, cast: Cast) -> Cause:
        """The limit of the container."""
        return Cause(
            entities=(cast.core.name,),
            mechanism=(("limit", "上限", "限制"), ("memory", "heap", "内存", "堆")),
            runbook="platform/container-oom-kill.md",
            section="Cause: container limit below heap plus overhead",
        )

    def milestones(self, cast: Cast) -> tuple[Milestone, ...]:
        """Cut calls, the kernel's record or the state, the setting."""
        return (
            Milestone("symptom", ("Connection prematurely closed",)),
            Milestone("telltale", ("Memory cgroup out", "OOMKilled")),
            Milestone("change", (_SETTING,)),
        )

    def rivals(self, cast: Cast) -> tuple[str, ...]:
        """The other causes of vanishing containers."""
        return "native memory", "node under memory pressure", "evict", "leak"


def _kills(cast: Cast) -> Iterator[tuple[int, str, str]]:
    """Second after the onset, pod and node of each kill."""
    dice, at = cast.dice("kills"), 12
    until = (cast.times.now_at - cast.times.onset_at).total_seconds() - 60
    while at < until:
        place = dice.randrange(len(cast.core.pods))
        yield at, cast.core.pods[place], cast.core.nodes[place]
        at += dice.randrange(150, 270)


def _started(cast: Cast) -> Iterator[Event]:
    dice = cast.dice("started")
    for second, pod, _ in _kills(cast):
        said = spring.started(cast.core.name, cast.core.version, dice.uniform(9, 16))
        yield cast.core.say(cast.times.onset_at + timedelta(seconds=second + 25), said, dice, pod=pod)


def _killed(cast: Cast, limit_mb: int) -> Iterator[Line]:
    dice = cast.dice("killed")
    for second, pod, node in _kills(cast):
        at = cast.times.onset_at + timedelta(seconds=second)
        pid = dice.randrange(9000, 60000)
        text = (
            f"Memory cgroup out of memory: Killed process {pid} (java) total-vm:{limit_mb * 4096}kB, "
            f"anon-rss:{limit_mb * 1024 - dice.randrange(900, 4000)}kB, oom_score_adj:984 pod={pod}"
        )
        yield host.kernel(at, node, text)


def _states(cast: Cast) -> Table:
    columns = (
        ("id", "INTEGER"), ("pod", "TEXT"), ("service", "TEXT"), ("ended_at", "TEXT"),
        ("reason", "TEXT"), ("exit_code", "INTEGER"),
    )  # fmt: skip
    rows = tuple(
        (place, pod, cast.core.name, iso_seconds(cast.times.onset_at + timedelta(seconds=second)), "OOMKilled", 137)
        for place, (second, pod, _) in enumerate(_kills(cast), 1)
    )
    return Table("container_states", columns, rows)
