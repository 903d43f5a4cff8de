"""Puts the parts of a family together: one world and one answer for each variant. Pure."""

from collections.abc import Iterable, Mapping
from datetime import timedelta

from eval.scenarios.cast import Cast
from eval.scenarios.everyday import change_tables, everyday
from eval.scenarios.family import Family
from eval.scenarios.model import Answer, Expected, Part, Scenario, Variant
from state.model.enums import Language
from worlds.generate.change_tables import Rollout
from worlds.generate.model import Alert, Line, World
from worlds.generate.speech import Said

_WITHOUT_PROOF = frozenset({Variant.NO_FAULT, Variant.MISSING_SOURCE})
_NARROW = {
    Language.EN: "How many errors did {service} log since {clock}?",
    Language.ZH: "从 {clock} 开始，{service} 记录了多少条错误？",
}


def compose(family: Family, variant: Variant, seed: int, language: Language, *, partner: Family) -> Scenario:
    """The scenario. ``partner``: the family whose fault strikes elsewhere in the variant DUAL."""
    cast = family.cast(seed)
    told = merged([everyday(cast), family.everyday(cast), *_incident(family, cast, variant, partner)])
    alert = _alert(cast) if variant is Variant.ALERT else None
    return Scenario(
        family=family.name,
        variant=variant,
        seed=seed,
        language=language,
        question=_question(family, cast, variant, language),
        world=_world(cast, told, (alert,) if alert else ()),
        answer=_answer(family, cast, variant, partner),
        alert=alert,
    )


def merged(parts: Iterable[Part]) -> Part:
    """All of them as one."""
    every = list(parts)
    lines: dict[str, tuple[Line, ...]] = {}
    for part in every:
        for name, own in part.lines.items():
            lines[name] = (*lines.get(name, ()), *own)
    return Part(
        events=tuple(event for part in every for event in part.events),
        lines=lines,
        tables=tuple(table for part in every for table in part.tables),
        samples=tuple(sample for part in every for sample in part.samples),
        alerts=tuple(alert for part in every for alert in part.alerts),
        rollouts=tuple(one for part in every for one in part.rollouts),
        settings=tuple(one for part in every for one in part.settings),
    )


def _incident(family: Family, cast: Cast, variant: Variant, partner: Family) -> list[Part]:
    if variant is Variant.NO_FAULT:
        return []
    parts = [family.symptoms(cast)]
    if variant not in _WITHOUT_PROOF:
        parts.append(family.proof(cast))
    if variant is Variant.HERRING:
        parts.append(herring(cast))
    if variant is Variant.DUAL:
        elsewhere = _elsewhere(cast, partner)
        parts += [partner.everyday(elsewhere), partner.symptoms(elsewhere), partner.proof(elsewhere)]
    return parts


def _elsewhere(cast: Cast, partner: Family) -> Cast:
    """The partner's cast at the times of this one; its front and core are services nobody asked about."""
    theirs = partner.cast(cast.seed)
    first, second, third = cast.others
    return Cast(
        seed=cast.seed,
        family=f"{cast.family}+{partner.name}",
        times=cast.times,
        trade=theirs.trade,
        front=first,
        core=second,
        others=(third, cast.front, cast.core),
        edge_host=cast.edge_host,
        upstream=cast.upstream,
        database=cast.database,
    )


def herring(cast: Cast) -> Part:
    """A rollout of an innocent service minutes before the onset, and its harmless warnings since then."""
    innocent, dice = cast.others[0], cast.dice("herring")
    major, minor, _ = innocent.version.split(".")
    at = cast.times.onset_at - timedelta(minutes=dice.randrange(3, 9))
    rollout = Rollout(innocent, f"{major}.{int(minor) + 1}.0", innocent.version, at, "src/main/java/web/Banner.java")
    said = Said("WARN", "Deprecated property 'spring.mvc.legacy-paths' is ignored", "config.deprecations")
    after = timedelta(minutes=1)
    return Part(events=tuple(innocent.say(at + after * k, said, dice) for k in range(1, 12)), rollouts=(rollout,))


def _question(family: Family, cast: Cast, variant: Variant, language: Language) -> str:
    if variant is Variant.NARROW:
        return _NARROW[language].format(service=cast.front.name, clock=cast.times.clock(cast.times.onset_at))
    return family.question(cast, language)


def _answer(family: Family, cast: Cast, variant: Variant, partner: Family) -> Answer:
    cause = family.cause(cast)
    mechanisms = tuple(term for group in cause.mechanism for term in group)
    if variant in _WITHOUT_PROOF:
        return Answer(Expected.NO_CAUSE, forbidden=mechanisms)
    if variant is Variant.NARROW:
        return Answer(Expected.OBSERVATION, forbidden=mechanisms)
    innocent: tuple[str, ...] = ()
    if variant is Variant.HERRING:
        innocent = (cast.others[0].name,)
    if variant is Variant.DUAL:
        innocent = (cast.others[0].name, cast.others[1].name)
    return Answer(
        Expected.CAUSE, cause, forbidden=(*family.rivals(cast), *innocent), milestones=family.milestones(cast)
    )


def _alert(cast: Cast) -> Alert:
    at = cast.times.onset_at + timedelta(minutes=2)
    return Alert("HighErrorRate", cast.front.name, "critical", "More than 5 % of requests fail", at)


def _world(cast: Cast, told: Part, alerts: tuple[Alert, ...]) -> World:
    now = cast.times.now_at
    lines: Mapping[str, tuple[Line, ...]] = {
        name: tuple(line for line in own if line.at < now) for name, own in told.lines.items()
    }
    return World(
        name=f"{cast.family}-{cast.seed}",
        description=f"Platform for {cast.trade.noun} with {len(cast.services)} services.",
        times=cast.times,
        events=tuple(event for event in told.events if event.at < now),
        text_logs=lines,
        database=cast.database,
        tables=(*change_tables(cast, told.rollouts, told.settings), *told.tables),
        samples=tuple(sample for sample in told.samples if sample.at < now),
        alerts=(*told.alerts, *alerts),
    )
