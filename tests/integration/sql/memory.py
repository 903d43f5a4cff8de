"""How far the memory of this process rises meanwhile."""

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path


class Rise:
    """Peak of resident memory above the start; known after the block."""

    mib = 0.0


@contextmanager
def memory_rise() -> Iterator[Rise]:
    rise = Rise()
    before = _kib("VmRSS")
    Path("/proc/self/clear_refs").write_text("5")
    yield rise
    rise.mib = (_kib("VmHWM") - before) / 1024


def _kib(name: str) -> int:
    lines = Path("/proc/self/status").read_text().splitlines()
    return next(int(line.split()[1]) for line in lines if line.startswith(name + ":"))
