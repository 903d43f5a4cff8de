"""The Dockerfile and the compose file, read by their linters; what the image would hold, built from its context."""

import shutil
import subprocess
import sys
import zipfile
from pathlib import Path

import pytest
import yaml

from tests.servers import program

ROOT = Path(__file__).parents[2]
COMPOSE = yaml.safe_load((ROOT / "compose.yaml").read_text(encoding="utf-8"))


def test_hadolint_has_nothing_to_say() -> None:
    told = subprocess.run([program("hadolint"), str(ROOT / "Dockerfile")], capture_output=True, text=True)

    assert (told.returncode, told.stdout) == (0, "")


def test_compose_lint_finds_nothing_severe() -> None:
    told = subprocess.run([program("compose-lint"), str(ROOT / "compose.yaml")], capture_output=True, text=True)

    assert told.returncode == 0, told.stdout


def test_every_port_stays_on_this_machine() -> None:
    ports = [port for service in COMPOSE["services"].values() for port in service.get("ports", [])]

    assert ports
    assert [port for port in ports if not port.startswith("127.0.0.1:")] == []


def test_every_secret_and_volume_is_declared() -> None:
    services = COMPOSE["services"].values()

    assert {name for service in services for name in service.get("secrets", [])} == set(COMPOSE["secrets"])
    named = {volume.split(":")[0] for service in services for volume in service["volumes"] if volume[0] not in "./"}
    assert named == set(COMPOSE["volumes"])


@pytest.fixture(scope="module")
def context(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """What ``.dockerignore`` lets into the build."""
    folder = tmp_path_factory.mktemp("context")
    lines = (ROOT / ".dockerignore").read_text(encoding="utf-8").split()
    for name in (line.removeprefix("!") for line in lines if line.startswith("!")):
        source = ROOT / name
        if source.is_dir():
            shutil.copytree(source, folder / name, ignore=shutil.ignore_patterns("__pycache__"))
        else:
            shutil.copy(source, folder / name)
    return folder


def test_the_image_would_hold_prompts_runbooks_and_every_package(context: Path, tmp_path: Path) -> None:
    command = [
        sys.executable,
        "-m",
        "pip",
        "wheel",
        "-q",
        "--no-deps",
        "--no-build-isolation",
        "-w",
        str(tmp_path),
        ".",
    ]
    subprocess.run(command, cwd=context, check=True, capture_output=True)

    (wheel,) = tmp_path.glob("*.whl")
    held = {Path(name) for name in zipfile.ZipFile(wheel).namelist()}

    tracked = subprocess.run(["git", "ls-files", "*.py"], cwd=ROOT, check=True, capture_output=True, text=True).stdout
    ours = {Path(line) for line in tracked.split() if not line.startswith("tests/")}
    assert ours - held == set()
    assert Path("config/prompts/agent.md") in held
    assert any(path.parts[:2] == ("worlds", "library") and path.suffix == ".md" for path in held)
