"""Which folder of evidence a command works on, and the bundled ones made ready."""

import shutil
import tempfile
from dataclasses import dataclass
from pathlib import Path

import worlds
from config.settings import Settings
from service.problems import UnusableCommand
from service.texts import errors as texts
from service.texts import progress
from state.model.language import Bilingual
from state.private_folder import make_private_folder


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


def find_bundled(name: str, given: int | None, settings: Settings) -> BundledWorld:
    """The bundled world of that name, with the given seed or that of the demonstration.

    Raises:
        UnusableCommand: there is none.
    """
    seed = worlds.DEFAULT_SEED if given is None else given
    known = {info.name: info for info in worlds.bundled_worlds(seed=seed)}
    if name not in known:
        raise UnusableCommand(texts.UNKNOWN_WORLD, name=name, names=", ".join(known))
    info = known[name]
    title = Bilingual(en=info.title_en, zh=info.title_zh)
    return BundledWorld(name, title, info.question, seed, settings.home / "worlds" / f"{name}-{seed}-{worlds.EDITION}")


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
