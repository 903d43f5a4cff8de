"""All fault families, and the scenarios they make."""

from collections.abc import Iterator, Sequence

from eval.scenarios.compose import compose
from eval.scenarios.families.disk_full import DiskFull
from eval.scenarios.families.kafka_rebalance import KafkaRebalance
from eval.scenarios.families.memory_limit import MemoryLimit
from eval.scenarios.families.rate_limit import RateLimit
from eval.scenarios.families.startup_probe import StartupProbe
from eval.scenarios.families.tls_expired import TlsExpired
from eval.scenarios.family import Family
from eval.scenarios.model import Scenario, Variant
from state.model.enums import Language

FAMILIES: tuple[Family, ...] = (KafkaRebalance(), MemoryLimit(), TlsExpired(), DiskFull(), RateLimit(), StartupProbe())
"""In the order in which they are listed; each is the partner of the one before it."""


def scenarios(
    seeds: Sequence[int],
    *,
    families: Sequence[str] | None = None,
    variants: Sequence[Variant] = tuple(Variant),
) -> Iterator[Scenario]:
    """Every variant of every family for each seed, made when asked for.

    English and Chinese questions alternate by family, variant and seed, so that each family has both.

    Raises:
        KeyError: a family of that name does not exist.
    """
    by_name = {family.name: family for family in FAMILIES}
    for name in families or list(by_name):
        family = by_name[name]
        place = FAMILIES.index(family)
        partner = FAMILIES[(place + 1) % len(FAMILIES)]
        for turn, variant in enumerate(variants):
            for seed in seeds:
                language = Language.ZH if (place + turn + seed) % 2 else Language.EN
                yield compose(family, variant, seed, language, partner=partner)
