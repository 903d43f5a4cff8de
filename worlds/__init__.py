"""Bundled worlds: folders of evidence generated from a seed, and the runbook library beside them.

Owns generation only; it reads no world and knows no diagnosis. The expected answers live in
`worlds.answers`, which no shipped code imports, and never reach a generated folder.
"""

from dataclasses import dataclass
from pathlib import Path

from worlds.errors import UnknownWorld
from worlds.generate.recipes import RECIPES, Recipe
from worlds.generate.writer import write_world

__all__ = [
    "DEFAULT_SEED",
    "EDITION",
    "UnknownWorld",
    "WorldInfo",
    "build_world",
    "bundled_worlds",
    "library_path",
    "world_question",
]

DEFAULT_SEED = 104
"""Seed of the worlds that the demonstration shows."""
EDITION = 2
"""Raised when equal arguments give other files than before: a folder of an earlier edition is not used again."""


@dataclass(frozen=True, slots=True)
class WorldInfo:
    """What a person needs to choose a bundled world."""

    name: str
    title_en: str
    title_zh: str
    question: str
    """The question to ask, in `language`, for the seed it was listed with."""
    language: str
    """`en` or `zh`."""
    variants: tuple[str, ...]
    """Variants that `build_world` accepts for this world."""


def bundled_worlds(*, seed: int = DEFAULT_SEED) -> tuple[WorldInfo, ...]:
    """Return all bundled worlds in listing order, with their questions for `seed`."""
    return tuple(
        WorldInfo(
            name=recipe.name,
            title_en=recipe.title_en,
            title_zh=recipe.title_zh,
            question=recipe.question(seed, None),
            language=recipe.language,
            variants=recipe.variants,
        )
        for recipe in RECIPES
    )


def world_question(name: str, *, seed: int = DEFAULT_SEED, variant: str | None = None) -> str:
    """Return the question that belongs to this world, seed and variant.

    Raises:
        UnknownWorld: no such world or variant.
    """
    return _find(name, variant).question(seed, variant)


def build_world(name: str, target: Path, *, seed: int = DEFAULT_SEED, variant: str | None = None) -> Path:
    """Write the world into the folder `target` and return that folder.

    Equal arguments give equal files. `target` is created, or must be empty.

    Raises:
        UnknownWorld: no such world or variant.
        FileExistsError: `target` holds something already.
    """
    return write_world(_find(name, variant).build(seed, variant), target)


def library_path() -> Path:
    """Return the folder of the bundled runbooks; its `*.md` files are the library."""
    return Path(__file__).parent / "library"


def _find(name: str, variant: str | None) -> Recipe:
    found = next((recipe for recipe in RECIPES if recipe.name == name), None)
    if found is None:
        raise UnknownWorld(name)
    if variant is not None and variant not in found.variants:
        raise UnknownWorld(name, variant)
    return found
