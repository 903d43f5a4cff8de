"""The same seed gives the same files; another seed another world of the same family."""

import hashlib
import time
from pathlib import Path

import pytest

from tests.worlds.conftest import OTHER_SEED, BuiltWorlds
from tests.worlds.telemetry import json_events, manifest, parse_stamp, tables
from worlds import DEFAULT_SEED, UnknownWorld, build_world, bundled_worlds, world_question

NAMES = [info.name for info in bundled_worlds()]
MAX_BUILD_S = 1.5


def digests(folder: Path) -> dict[str, str]:
    files = sorted(path for path in folder.rglob("*") if path.is_file())
    return {path.relative_to(folder).as_posix(): hashlib.sha256(path.read_bytes()).hexdigest() for path in files}


def services(folder: Path) -> set[str]:
    return {event["service"] for event in json_events(folder)}


def numbers(folder: Path) -> set[str]:
    return {event["trace_id"] for event in json_events(folder) if "trace_id" in event}


@pytest.mark.parametrize("name", NAMES)
def test_equal_seeds_quickly_give_equal_files(name: str, built: BuiltWorlds, tmp_path: Path) -> None:
    start = time.process_time()
    again = build_world(name, tmp_path / "again", seed=DEFAULT_SEED)

    assert time.process_time() - start < MAX_BUILD_S
    assert digests(again) == digests(built[name, DEFAULT_SEED, None].folder)


@pytest.mark.parametrize("name", NAMES)
def test_another_seed_gives_other_names_times_and_numbers(name: str, built: BuiltWorlds) -> None:
    one = built[name, DEFAULT_SEED, None].folder
    other = built[name, OTHER_SEED, None].folder

    assert services(one) != services(other)
    assert manifest(one)["now"] != manifest(other)["now"]
    assert numbers(one).isdisjoint(numbers(other))
    assert world_question(name) != world_question(name, seed=OTHER_SEED)


def test_seeds_vary_table_names() -> None:
    from worlds.generate.recipes import payment_plan

    names = [payment_plan(seed, None).names for seed in range(20)]

    assert len({(one.payments, one.deployments, one.sessions) for one in names}) > 5


def test_variants_change_the_evidence_and_keep_the_question(built: BuiltWorlds) -> None:
    name = "payment-timeouts"
    folders = [built[name, DEFAULT_SEED, variant].folder for variant in (None, "other-service", "other-cause")]

    assert len({str(digests(folder)) for folder in folders}) == 3
    assert len({str(services(folder)) for folder in folders}) == 1
    assert world_question(name, variant="other-cause") == world_question(name, variant="other-service")


def test_healthy_twin_shares_names_times_traffic_and_question(built: BuiltWorlds) -> None:
    sick = built["payment-timeouts", DEFAULT_SEED, None].folder
    well = built["payment-healthy", DEFAULT_SEED, None].folder

    assert world_question("payment-healthy") == world_question("payment-timeouts")
    assert services(sick) == services(well)
    assert manifest(sick)["now"] == manifest(well)["now"]
    assert payment_numbers(sick) == payment_numbers(well)


def payment_numbers(folder: Path) -> list[object]:
    (_, rows) = next(iter(tables(folder).values()))
    return [row[0] for row in rows]


def test_locked_table_takes_no_payment(built: BuiltWorlds) -> None:
    world = built["payment-timeouts", DEFAULT_SEED, "other-cause"]
    (_, rows) = next(iter(tables(world.folder).values()))
    since_onset = [row[4] for row in rows if parse_stamp(str(row[1])) >= world.times.onset_at]

    assert len(since_onset) > 50
    assert set(since_onset) == {"TIMEOUT"}


def test_a_folder_that_holds_something_is_refused(tmp_path: Path) -> None:
    (tmp_path / "mine.txt").write_text("precious")

    with pytest.raises(FileExistsError):
        build_world("payment-timeouts", tmp_path)


@pytest.mark.parametrize(("name", "variant"), [("nowhere", None), ("payment-healthy", "other-cause")])
def test_unknown_worlds_and_variants_are_named(name: str, variant: str | None, tmp_path: Path) -> None:
    with pytest.raises(UnknownWorld) as raised:
        build_world(name, tmp_path / "x", variant=variant)

    assert (raised.value.name, raised.value.variant) == (name, variant)
    assert not (tmp_path / "x").exists()
