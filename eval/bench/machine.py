"""The machine and the versions that the absolute figures belong to."""

import os
import platform
import sqlite3
from dataclasses import dataclass
from importlib.metadata import version
from pathlib import Path

_SHOWN = ("langgraph", "langgraph-prebuilt", "langgraph-checkpoint-sqlite", "langchain-core", "pydantic", "sqlalchemy")


@dataclass(frozen=True)
class Machine:
    """Where and with what was measured."""

    cpu: str
    cores: int
    system: str
    python: str
    sqlite: str
    versions: dict[str, str]


def this_machine() -> Machine:
    """The present one; names no host and no user."""
    return Machine(
        cpu=_cpu(),
        cores=os.cpu_count() or 1,
        system=f"{platform.system()} {platform.release().split('-')[0]}",
        python=platform.python_version(),
        sqlite=sqlite3.sqlite_version,
        versions={name: version(name) for name in _SHOWN},
    )


def load() -> float:
    """Load average of the last minute; 0 where the system does not say."""
    return os.getloadavg()[0] if hasattr(os, "getloadavg") else 0.0


def _cpu() -> str:
    cpuinfo = Path("/proc/cpuinfo")
    lines = cpuinfo.read_text().splitlines() if cpuinfo.exists() else []
    named = [line.partition(":")[2].strip() for line in lines if line.startswith("model name")]
    return named[0] if named else platform.machine()
