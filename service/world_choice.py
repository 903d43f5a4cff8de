"""Which folder of evidence a command works on, and the bundled ones made ready."""

import shutil
import tempfile
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

import worlds
from config.settings import Settings
from service.problems import UnusableCommand
from service.texts import errors as texts
from service.texts import progress
from service.texts import serve as serve_texts
from state.model.language import Bilingual
from state.private_folder import make_private_folder

if TYPE_CHECKING:
    from service.narrator import Narrator
    from service.serve_command import ServeWords


@dataclass(frozen=True)
class WorldChoice:
    """The chosen folder."""

    path: Path | None
    """None: no source at all; a run then asks for what it lacks."""
    is_current_folder: bool = False


def choose_world(given: Path | None, settings: Settings, current: Path) -> WorldChoice:
    """The option, else the setting, else the current folder if it is a world, else none.

    Raises:
        UnusableCommand: the option names no folder, or one without any evidence.
    """
    from graph.app import looks_like_world

    if given is not None:
        path = given.expanduser()
        if not path.is_dir():
            raise UnusableCommand(texts.NO_FOLDER, path=given)
        if not looks_like_world(path):
            raise UnusableCommand(texts.NO_WORLD_IN, path=given)
        return WorldChoice(path.resolve())
    if settings.world is not None:
        return WorldChoice(settings.world)
    return WorldChoice(current, is_current_folder=True) if looks_like_world(current) else WorldChoice(None)


def told(choice: WorldChoice, settings: Settings) -> tuple[Bilingual, dict[str, object]]:
    """What is said of the evidence before a command begins: the folder, else the configured sources, else none."""
    if choice.path is not None:
        return (progress.WORLD_HERE if choice.is_current_folder else progress.WORLD), {"world": choice.path}
    if settings.sources:
        return progress.SOURCES, {"names": ", ".join(settings.sources)}
    return progress.NO_WORLD, {}


def check_demo(words: "ServeWords") -> None:
    """Return if the words about a bundled world go together. Pure.

    Raises:
        UnusableCommand: a name without ``--demo``, or ``--demo`` with a folder.
    """
    if words.name is not None and not words.is_demo:
        raise UnusableCommand(serve_texts.NAME_WITHOUT_DEMO, name=words.name[:80])
    if words.is_demo and words.world is not None:
        raise UnusableCommand(serve_texts.DEMO_OR_WORLD)


@dataclass(frozen=True)
class BundledWorld:
    """A bundled world with its question."""

    name: str
    title: Bilingual
    question: str
    seed: int
    folder: Path
    """Where it is, or will be once built."""

    @property
    def is_built(self) -> bool:
        """True if its folder is complete; it appears all at once."""
        return self.folder.is_dir()


def find_bundled(name: str | None, given: int | None, settings: Settings) -> BundledWorld:
    """The bundled world of that name (None: the first one), with the given seed or that of the demonstration.

    Raises:
        UnusableCommand: there is none.
    """
    seed = worlds.DEFAULT_SEED if given is None else given
    known = {info.name: info for info in worlds.bundled_worlds(seed=seed)}
    wanted = next(iter(known)) if name is None else name
    if wanted not in known:
        raise UnusableCommand(texts.UNKNOWN_WORLD, name=wanted[:80], names=", ".join(known))
    info = known[wanted]
    title = Bilingual(en=info.title_en, zh=info.title_zh)
    folder = settings.home / "worlds" / f"{wanted}-{seed}-{worlds.EDITION}"
    return BundledWorld(wanted, title, info.question, seed, folder)


def build_bundled(world: BundledWorld) -> None:
    """Write the folder. It appears complete or not at all; one that is there already stays.

    Raises:
        UnusableCommand: the home folder cannot be written.
    """
    parent = world.folder.parent
    try:
        make_private_folder(parent)
        draft = Path(tempfile.mkdtemp(prefix=".building-", dir=parent))
        try:
            worlds.build_world(world.name, draft / "world", seed=world.seed)
            if not world.is_built:
                (draft / "world").rename(world.folder)
        finally:
            shutil.rmtree(draft, ignore_errors=True)
    except OSError as error:
        if world.is_built:
            return
        raise UnusableCommand(texts.NO_HOME, path=parent, why=error.strerror) from error


def build_told(world: BundledWorld, narrator: "Narrator") -> None:
    """Write the folder if it is not there, and say so while it takes.

    Raises:
        UnusableCommand: the home folder cannot be written.
    """
    if not world.is_built:
        narrator.busy(progress.BUILDING, name=world.name)
        build_bundled(world)
