"""A consumer group that expels its members again and again because one batch takes them too long."""

from collections.abc import Iterator
from datetime import timedelta

from eval.scenarios.cast import Cast, draw_cast
from eval.scenarios.model import Cause, Milestone, Part
from state.model.enums import Language
from worlds.generate import ambient
from worlds.generate.change_tables import Setting
from worlds.generate.formats import kafka
from worlds.generate.model import Event, Sample
from worlds.generate.speech import Said, chatter
from worlds.generate.timeline import every

_SETTING = "consumer.max_poll_records"


class KafkaRebalance:
    """See ``eval.scenarios.family.Family``."""

    name = "kafka-rebalance"
    area = "queue"

    def cast(self, seed: int) -> Cast:
        """Who takes part; nothing is rolled out, a setting was changed."""
        return draw_cast(seed, self.name, is_core_rolled_out=False, lead_s=(200, 500))

    def question(self, cast: Cast, language: Language) -> str:
        """What is late, and since when."""
        clock = cast.times.clock(cast.times.onset_at)
        if language is Language.ZH:
            return f"从 {clock} 开始，为什么{cast.trade.noun_zh}的状态在页面上更新得很慢？"
        return f"Why do {cast.trade.noun} show up late on the screens since {clock}?"

    def everyday(self, cast: Cast) -> Part:
        """Messages that are processed all day, and commits that repeat by themselves."""
        habits = ambient.consumer_habits(_group(cast), _topic(cast), per_hour=160)
        return Part(events=tuple(chatter(cast.core, habits, cast.times, seed=cast.seed)))

    def symptoms(self, cast: Cast) -> Part:
        """The front tells how far its data is behind."""
        dice = cast.dice("symptoms")
        events: list[Event] = []
        for at in cast.after_onset("behind", per_hour=90):
            behind = int((at - cast.times.onset_at).total_seconds() * 0.7) + dice.randrange(20, 60)
            text = f"Read model of {_topic(cast)} is {behind} s behind; serving stale data"
            events.append(cast.front.say(at, Said("WARN", text, "readmodel.freshness"), dice))
        return Part(events=tuple(events), samples=tuple(_lag(cast)))

    def proof(self, cast: Cast) -> Part:
        """Members are expelled and join again; the batch was made larger minutes before."""
        dice = cast.dice("proof")
        changed = Setting(cast.core.name, _SETTING, "200", f"{dice.randrange(20, 60) * 100}", cast.times.change_at)
        return Part(events=tuple(_expelled(cast)), settings=(changed,))

    def cause(self, cast: Cast) -> Cause:
        """The rebalancing loop of the group."""
        return Cause(
            entities=(cast.core.name, _group(cast)),
            mechanism=(("rebalanc", "再均衡", "重平衡"),),
            runbook="messaging/kafka-consumer-lag.md",
            section="Cause: rebalancing loop",
        )

    def milestones(self, cast: Cast) -> tuple[Milestone, ...]:
        """Late data, expelled members, the setting."""
        return (
            Milestone("symptom", ("s behind; serving stale data",)),
            Milestone("telltale", ("poll.interval.ms", "Request joining group", "Attempt to heartbeat failed")),
            Milestone("change", (_SETTING,)),
        )

    def rivals(self, cast: Cast) -> tuple[str, ...]:
        """The other causes of consumer lag."""
        return "poison", "skew", "slow processing", "毒消息", "倾斜"


def _topic(cast: Cast) -> str:
    return f"{cast.trade.noun}-events"


def _group(cast: Cast) -> str:
    return f"{cast.core.name}-projection"


def _expelled(cast: Cast) -> Iterator[Event]:
    dice = cast.dice("expelled")
    generation = dice.randrange(40, 900)
    at = cast.times.onset_at + timedelta(seconds=dice.randrange(5, 20))
    while at < cast.times.now_at:
        pod = cast.core.pods[generation % len(cast.core.pods)]
        client = f"[Consumer clientId=consumer-{_group(cast)}-1, groupId={_group(cast)}]"
        late = (
            f"{client} consumer poll timeout has expired. This means the time between subsequent calls to poll() was "
            "longer than the configured max.poll.interval.ms"
        )
        yield cast.core.say(at, Said("WARN", late, kafka.COORDINATOR), dice, pod=pod)
        failed = f"{client} Attempt to heartbeat failed since group is rebalancing"
        yield cast.core.say(at + timedelta(seconds=3), Said("INFO", failed, kafka.COORDINATOR), dice)
        joining = f"{client} Request joining group due to: consumer poll timeout has expired (generation {generation})"
        yield cast.core.say(at + timedelta(seconds=5), Said("INFO", joining, kafka.COORDINATOR), dice, pod=pod)
        generation += 1
        at += timedelta(seconds=dice.randrange(95, 180))


def _lag(cast: Cast) -> Iterator[Sample]:
    dice = cast.dice("lag")
    for at in every(cast.times.begin_at, cast.times.now_at, step_s=60):
        behind = max(0.0, (at - cast.times.onset_at).total_seconds())
        for partition in range(4):
            lag = dice.randrange(0, 40) + round(behind * dice.uniform(5, 7))
            labels = (("service", cast.core.name), ("partition", str(partition)))
            yield Sample(at, "kafka_consumer_records_lag_max", lag, labels)
