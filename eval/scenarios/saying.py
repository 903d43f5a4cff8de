"""Short ways to write telemetry that repeats: records after the onset, and metrics that move with it."""

from collections.abc import Callable, Iterator
from datetime import datetime

from eval.scenarios.cast import Cast
from state.model.enums import Language
from worlds.generate.dice import Dice
from worlds.generate.model import Event, Sample
from worlds.generate.speech import Said, Service
from worlds.generate.timeline import every


def repeated(
    cast: Cast, label: str, service: Service, say: Callable[[Dice, datetime], Said], *, per_hour: float
) -> tuple[Event, ...]:
    """Records of ``service`` at irregular instants from the onset to now; ``label`` names the stream."""
    dice = cast.dice(label)
    return tuple(service.say(at, say(dice, at), dice) for at in cast.after_onset(label, per_hour=per_hour))


def moving(
    cast: Cast,
    metric: str,
    labels: dict[str, str],
    value: Callable[[Dice, float], float],
    *,
    step_s: float = 60,
) -> Iterator[Sample]:
    """One series over the whole day; ``value`` gets the seconds since the onset, negative before it."""
    dice = cast.dice("series", metric, *labels.values())
    for at in every(cast.times.begin_at, cast.times.now_at, step_s=step_s):
        yield Sample(at, metric, value(dice, (at - cast.times.onset_at).total_seconds()), tuple(labels.items()))


def asked(cast: Cast, language: Language, *, en: str, zh: str) -> str:
    """The question with ``{noun}`` and ``{clock}`` filled in."""
    noun = cast.trade.noun_zh if language is Language.ZH else cast.trade.noun
    return (zh if language is Language.ZH else en).format(noun=noun, clock=cast.times.clock(cast.times.onset_at))
