"""Every error as one or two sentences for a person, a code for a program, and an exit code. Never a stack trace."""

from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from service.exit_codes import ExitCode
from service.reasons import reason_in
from service.speech import Speech
from service.texts import errors as texts
from state.model.enums import Language
from state.model.errors import InvalidQuery, LeaseLost, Misconfigured, ModelFailed, RunRefused, TruthUnavailable
from state.model.language import Bilingual

if TYPE_CHECKING:
    from config.settings import Settings

_OPTION_OF = {"ROOTPROOF_MODEL": "--model"}
"""Options that set what a variable sets too."""


class UnusableCommand(Exception):
    """The person must call the command differently: an option or argument cannot be used."""

    def __init__(self, why: Bilingual, /, **values: object) -> None:
        super().__init__(why.text(Language.EN, **values))
        self.text = why
        self.values = values


class NoSuchRun(Exception):
    """The person named a run that this home folder does not know."""

    def __init__(self, run_id: str) -> None:
        super().__init__(f"no run {run_id}")
        self.run_id = run_id


@dataclass
class Place:
    """Where the command was when something went wrong; filled as it goes on."""

    home: str = ""
    log_file: str = ""
    run_id: str = ""
    options: frozenset[str] = frozenset()
    """Settings that were given as options of the command."""
    servers: dict[str, tuple[str, str]] = field(default_factory=dict)
    """As ``stores_on_servers`` gives it."""


@dataclass(frozen=True)
class Problem:
    """What is said instead of a result."""

    code: str
    message: str
    exit: ExitCode
    usage: str = ""
    """How the command is written, where it was written otherwise."""


def describe_problem(error: BaseException, say: Speech, place: Place) -> Problem:
    """The problem that this error is to its reader; anything unforeseen is an internal error without its text."""
    match error:
        case InvalidQuery(why=why):
            return Problem("INVALID_QUERY", why.text(say.language), ExitCode.USAGE)
        case UnusableCommand(text=text, values=values):
            return Problem("USAGE", say(text, **values), ExitCode.USAGE)
        case Misconfigured(key=key, why=reason):
            named = _OPTION_OF[key] if _OPTION_OF.get(key, "")[2:] in place.options else key
            said = say(texts.MISCONFIGURED, key=named, why=_sentence(reason_in(say.language, reason), say))
            return Problem("MISCONFIGURED", said, ExitCode.USAGE)
        case RunRefused(run_id=run_id, why=reason):
            said = say(texts.REFUSED, run_id=run_id, why=reason_in(say.language, reason))
            return Problem("RUN_REFUSED", said, ExitCode.FAILED)
        case NoSuchRun(run_id=run_id):
            return Problem("NO_SUCH_RUN", say(texts.NO_SUCH_RUN, run_id=run_id, home=place.home), ExitCode.USAGE)
        case LeaseLost(run_id=run_id):
            return Problem("LEASE_LOST", say(texts.LEASE_LOST, run_id=run_id), ExitCode.FAILED)
        case TruthUnavailable(store=store, operation=operation):
            return Problem("RUN_PERSISTENCE_FAILED", _unavailable(store, operation, say, place), ExitCode.FAILED)
        case ModelFailed(kind=kind):
            return Problem("MODEL_UNAVAILABLE", say(texts.MODEL_FAILED, kind=kind), ExitCode.FAILED)
        case _:
            run = say(texts.OF_RUN, run_id=place.run_id) if place.run_id else ""
            return Problem("INTERNAL_FAILURE", say(texts.INTERNAL, run=run, log=place.log_file), ExitCode.FAILED)


def _unavailable(store: str, operation: str, say: Speech, place: Place) -> str:
    """Which store cannot be used: on which server, or in which folder."""
    if store not in place.servers:
        return say(texts.TRUTH_UNAVAILABLE, store=store, operation=operation, home=place.home)
    server, setting = place.servers[store]
    return say(texts.SERVER_UNAVAILABLE, store=store, operation=operation, server=server, setting=setting)


def stores_on_servers(settings: "Settings") -> dict[str, tuple[str, str]]:
    """Store → kind of its server and the setting that names it, for those that are on one."""
    found: dict[str, tuple[str, str]] = {}
    if settings.redis_url is not None:
        found["canonical"] = ("Redis", "redis_url")
    if settings.database_url is not None:
        records = ("The database server", "database_url")
        found |= dict.fromkeys(("control", "audit", "recording", "records", "checkpoints"), records)
    if settings.checkpoint_url is not None:
        found["checkpoints"] = ("PostgreSQL", "checkpoint_url")
    return found


def _sentence(reason: str, say: Speech) -> str:
    """The reason with its full stop."""
    if reason.endswith((".", "。", "!", "?", "？")):
        return reason
    return f"{reason}。" if say.language is Language.ZH else f"{reason}."
