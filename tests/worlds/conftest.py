"""Worlds are generated once a session; tests only read them."""

from dataclasses import dataclass
from pathlib import Path

import pytest

from tests.worlds.runbooks import Page, read_library
from tests.worlds.telemetry import Record, read_world
from worlds import DEFAULT_SEED, library_path
from worlds.generate.recipes import RECIPES, Recipe
from worlds.generate.timeline import Timeline
from worlds.generate.writer import write_world

OTHER_SEED = 7


@dataclass(frozen=True, slots=True)
class Built:
    name: str
    seed: int
    variant: str | None
    folder: Path
    times: Timeline
    records: list[Record]
    text: str
    """All records, folded, for searching."""


BuiltWorlds = dict[tuple[str, int, str | None], Built]


@pytest.fixture(scope="session")
def built(tmp_path_factory: pytest.TempPathFactory) -> BuiltWorlds:
    root = tmp_path_factory.mktemp("worlds")
    return {(recipe.name, seed, variant): _build(root, recipe, seed, variant) for recipe, seed, variant in _keys()}


def _keys() -> list[tuple[Recipe, int, str | None]]:
    """Every world and variant of the default seed; of the other seed the plain worlds only."""
    return [
        (recipe, seed, variant)
        for recipe in RECIPES
        for seed, variants in ((DEFAULT_SEED, (None, *recipe.variants)), (OTHER_SEED, (None,)))
        for variant in variants
    ]


def _build(root: Path, recipe: Recipe, seed: int, variant: str | None) -> Built:
    world = recipe.build(seed, variant)
    folder = write_world(world, root / f"{recipe.name}-{seed}-{variant}")
    records = read_world(folder)
    text = "\n".join(record.text for record in records).casefold()
    return Built(recipe.name, seed, variant, folder, world.times, records, text)


@pytest.fixture(scope="session")
def library() -> tuple[Page, ...]:
    return read_library(library_path())
