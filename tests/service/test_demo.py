"""``demo``: bundled worlds appear whole or not at all, and are asked their own question."""

from pathlib import Path

import pytest

import worlds
from config.settings import Settings
from service.exit_codes import ExitCode
from service.problems import UnusableCommand
from service.world_choice import build_bundled, find_bundled
from tests.service.conftest import Call
from tests.service.stage_backend import StageBackend

FIRST = "payment-timeouts"


def test_demo_builds_the_world_once_and_asks_over_it(call: Call, backend: StageBackend) -> None:
    folder = backend.home / "worlds" / f"{FIRST}-7-{worlds.EDITION}"

    first, second = call("demo", "--seed", "7"), call("demo", FIRST, "--seed", "7")

    assert first.code == second.code
    assert backend.opened_worlds == [folder, folder]
    assert "Building the bundled world" in first.err
    assert "Building" not in second.err
    assert f"Question: {worlds.world_question(FIRST, seed=7)}" in first.err


def test_demo_says_what_the_world_is_about(call: Call) -> None:
    assert f"Payments time out ({FIRST}, seed {worlds.DEFAULT_SEED})" in call("demo").err


def test_the_list_names_every_world_with_its_question(call: Call, backend: StageBackend) -> None:
    said = call("demo", "--list")

    assert said.code == ExitCode.SUCCESS
    for info in worlds.bundled_worlds():
        assert info.name in said.out
        assert info.question in said.out
    assert backend.opened_worlds == []


def test_the_list_as_json(call: Call) -> None:
    listed = call("demo", "--list", "--json").json["worlds"]

    assert [one["name"] for one in listed] == [info.name for info in worlds.bundled_worlds()]


def test_an_unknown_world_names_the_known_ones(call: Call) -> None:
    said = call("demo", "atlantis", "--json")

    assert said.code == ExitCode.USAGE
    assert FIRST in said.json["error"]["message"]


def test_a_build_that_breaks_leaves_no_half_world(tmp_path: Path) -> None:
    world = find_bundled(FIRST, 7, Settings(home=tmp_path))
    world.folder.parent.mkdir(parents=True)
    world.folder.write_text("in the way", encoding="utf-8")

    with pytest.raises(UnusableCommand, match="cannot be written"):
        build_bundled(world)

    assert [entry.name for entry in world.folder.parent.iterdir()] == [world.folder.name]


def test_two_that_build_at_once_end_with_one_whole_world(tmp_path: Path) -> None:
    world = find_bundled(FIRST, 7, Settings(home=tmp_path))

    build_bundled(world)
    build_bundled(world)

    assert [entry.name for entry in world.folder.parent.iterdir()] == [world.folder.name]
    assert (world.folder / "world.yaml").is_file()


def test_a_home_that_is_a_file_is_named(call: Call, backend: StageBackend) -> None:
    backend.home.write_text("", encoding="utf-8")

    said = call("demo")

    assert said.code == ExitCode.USAGE
    assert "Set ROOTPROOF_HOME" in said.err
