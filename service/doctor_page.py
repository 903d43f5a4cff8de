"""The page of ``doctor``: problems first, then models, world, runbooks and tools as a model sees them. Pure."""

from collections.abc import Iterator
from typing import TYPE_CHECKING

from service.invocation import step
from service.log_file import log_path
from service.page import Block, Entry, Heading, Headline, Page, Pairs, Paragraph, Tone, Verbatim
from service.problems import Place, describe_problem, stores_on_servers
from service.speech import Speech
from service.texts import doctor as texts
from service.times import moment, zone_of

if TYPE_CHECKING:
    from graph.doctor import Checkup, EndpointFact, KnowledgeFact, ModelFact, StoreFact
    from graph.doctor_sources import SourceFact

MAX_UNREAD = 20
"""Log files named one by one."""


def doctor_page(checkup: "Checkup", say: Speech, options: frozenset[str] = frozenset()) -> Page:
    """Everything the checkup found. ``options``: settings that were given as options of the command."""
    return tuple(_blocks(checkup, say, options))


def problem_lines(checkup: "Checkup", say: Speech, options: frozenset[str] = frozenset()) -> tuple[str, ...]:
    """One sentence per thing that stands in the way of a run."""
    settings = checkup.settings
    place = Place(home=str(settings.home), log_file=str(log_path(settings)), options=options)
    place.servers = stores_on_servers(settings)
    lines = [describe_problem(error, say, place).message for _, error in checkup.problems]
    if not checkup.home_writable:
        lines.append(say(texts.HOME_NOT_WRITABLE, home=checkup.settings.home))
    if checkup.endpoint is not None and checkup.endpoint.state != "ANSWERS":
        lines.append(_endpoint(checkup.endpoint, say))
    lines += [_system(fact, say) for fact in checkup.systems if fact.state != "ANSWERS"]
    return tuple(lines)


def _blocks(checkup: "Checkup", say: Speech, options: frozenset[str]) -> Iterator[Block]:
    if checkup.is_sound:
        yield Headline(say(texts.SOUND), Tone.GOOD)
    else:
        yield Headline(say(texts.UNSOUND), Tone.BAD)
        yield from (step(line) for line in problem_lines(checkup, say, options))
    yield from _models(checkup, say)
    yield from _kept(checkup, say)
    yield from _systems(checkup, say)
    yield from _world(checkup, say)
    yield from _unread(checkup, say)
    if checkup.knowledge is not None:
        yield from _knowledge(checkup.knowledge, say)
    yield Heading(say(texts.TOOLS))
    if not checkup.tools:
        yield Paragraph(say(texts.NO_TOOLS))
    for tool in checkup.tools:
        yield Entry(tool.name)
        yield Verbatim(tool.description)


def _models(checkup: "Checkup", say: Speech) -> Iterator[Block]:
    rows = [(say(texts.ROLE[fact.role]), _model(fact, say)) for fact in checkup.models]
    if checkup.endpoint is not None:
        rows.append((say(texts.ADDRESS), _endpoint(checkup.endpoint, say)))
    if rows:
        yield Heading(say(texts.MODEL))
        yield Pairs(tuple(rows))


def _model(fact: "ModelFact", say: Speech) -> str:
    text = texts.EXTERNAL if fact.is_external else texts.ON_THIS_MACHINE
    return say(text, name=fact.name, seconds=f"{fact.timeout_s:g}")


def _endpoint(fact: "EndpointFact", say: Speech) -> str:
    return say(texts.ENDPOINT[fact.state], url=fact.base_url, status=fact.status)


def _kept(checkup: "Checkup", say: Speech) -> Iterator[Block]:
    settings = checkup.settings
    yield Heading(say(texts.SHOWN))
    yield Pairs(
        (
            (say(texts.REDACTION), _redaction(checkup, say)),
            (say(texts.RECORDING), _recording(checkup, say)),
            (say(texts.HOME), str(settings.home)),
            (say(texts.STORES), ", ".join(_store(fact, say) for fact in checkup.stores)),
            (say(texts.LOG), str(log_path(settings))),
        )
    )


def _redaction(checkup: "Checkup", say: Speech) -> str:
    policy = say(texts.REDACTION_POLICY[checkup.settings.redaction])
    if checkup.settings.redaction != "external_models":
        return policy
    return say(texts.MASKED_NOW if checkup.masks_identifiers else texts.NOT_MASKED_NOW, policy=policy)


def _recording(checkup: "Checkup", say: Speech) -> str:
    mode: str = checkup.settings.recording
    if mode == "full" and checkup.settings.encryption_key is None:
        mode = "full without key"
    return say(texts.RECORDING_MODE[mode])


def _store(fact: "StoreFact", say: Speech) -> str:
    if fact.server:
        return f"{fact.name} ({fact.server})"
    size = say(texts.NOT_CREATED) if fact.size_bytes is None else f"{fact.size_bytes / 1024:,.0f} KiB"
    return f"{fact.name} ({size})"


def _systems(checkup: "Checkup", say: Speech) -> Iterator[Block]:
    """Every configured source, and of an account that can write each right too many with the way to take it away."""
    if checkup.systems:
        yield Heading(say(texts.SYSTEMS))
        yield Pairs(tuple((fact.name, _system(fact, say)) for fact in checkup.systems))
    for fact in checkup.systems:
        for sentence, repair in fact.findings:
            yield Entry(f"{fact.name}: {sentence}")
            if repair:
                yield Verbatim(repair)


def _system(fact: "SourceFact", say: Speech) -> str:
    return say(texts.SYSTEM[fact.state], name=fact.name, kind=fact.kind, why=fact.why)


def _world(checkup: "Checkup", say: Speech) -> Iterator[Block]:
    world = checkup.world
    if world is not None or not checkup.systems:
        yield Heading(say(texts.WORLD))
    if world is None:
        if not checkup.systems and not any(part == "world" for part, _ in checkup.problems):
            yield step(say(texts.NO_WORLD))
        return
    zone_name = checkup.settings.time_zone or world.time_zone
    now = moment(world.now, zone_of(zone_name)) if world.now else say(texts.NOW_LATEST)
    rows = [(say(texts.FOLDER), str(world.path)), (say(texts.ABOUT), world.description), (say(texts.NOW), now)]
    rows += [(say(texts.TIME_ZONE), zone_name)]
    rows += [(one.kind.value, f"{one.name} ({one.path})") for one in world.sources]
    rows += [(say(texts.NOTE), say(notice)) for notice in checkup.notices]
    yield Pairs(tuple((name, value) for name, value in rows if value))


def _unread(checkup: "Checkup", say: Speech) -> Iterator[Block]:
    """Which log files no search sees, and why; the first of them, and how many more."""
    if checkup.unread:
        yield Heading(say(texts.UNREAD))
    for one in checkup.unread[:MAX_UNREAD]:
        why = say(texts.WHY_UNREAD[one.why]) if one.why in texts.WHY_UNREAD else one.why
        yield Entry(say(texts.UNREAD_FILE, source=one.source, name=one.name, why=why))
    if len(checkup.unread) > MAX_UNREAD:
        yield Entry(say(texts.UNREAD_MORE, n=len(checkup.unread) - MAX_UNREAD))


def _knowledge(knowledge: "KnowledgeFact", say: Speech) -> Iterator[Block]:
    """How much there is, and what is wrong with which file; the titles stand in the catalogue the model sees."""
    yield Heading(say(texts.KNOWLEDGE))
    counts = say(texts.KNOWLEDGE_HELD, documents=len(knowledge.documents), chunks=knowledge.chunks)
    yield Paragraph(counts)
    yield from (Entry(say(texts.NOT_SEARCHABLE, path=path, why=why)) for path, why in knowledge.failed)
    yield from (Entry(say(texts.FLAWED, path=path, why=why)) for path, why in knowledge.noted)
