"""Real servers for tests, each private to the test process: own folder, own free port of 127.0.0.1, stopped at the end.

A program that is not installed skips the test and says which; with ROOTPROOF_TEST_SERVERS=required (CI) it fails.
"""

import contextlib
import os
import shutil
import signal
import socket
import subprocess
import time
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

import pytest

START_S = 60.0
_ROOT = Path(__file__).parent.parent
_PLACES = (
    "/usr/sbin",
    "/usr/lib/postgresql/17/bin",
    "/usr/lib/postgresql/16/bin",
    "/usr/lib/postgresql/15/bin",
    str(_ROOT / ".servers" / "bin"),
)


@dataclass(frozen=True)
class Server:
    """A running server."""

    host: str
    port: int
    folder: Path
    pid: int

    def pause(self) -> None:
        """It accepts connections and answers nothing any more."""
        os.kill(self.pid, signal.SIGSTOP)

    def go_on(self) -> None:
        os.kill(self.pid, signal.SIGCONT)

    def kill(self) -> None:
        """It is gone at once, as after a power cut."""
        os.killpg(self.pid, signal.SIGKILL)


def program(*names: str) -> str:
    """Path of the first of the programs that is installed; else the test is skipped, in CI failed."""
    path = os.pathsep.join((os.environ["PATH"], *_PLACES))
    for name in names:
        if found := shutil.which(name, path=path):
            return found
    return missing(f"{names[0]} is not installed")


def missing(why: str) -> str:
    """Skip the test, naming what is absent; fail it where servers are required."""
    if os.environ.get("ROOTPROOF_TEST_SERVERS") == "required":
        pytest.fail(f"{why}, and servers are required here")
    pytest.skip(why)


def free_port() -> int:
    """A TCP port of 127.0.0.1 that nobody used a moment ago."""
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return int(probe.getsockname()[1])


@contextlib.contextmanager
def running(
    command: Sequence[str],
    *,
    folder: Path,
    port: int,
    is_ready: Callable[[], bool] | None = None,
    stop: signal.Signals = signal.SIGTERM,
    user: str | None = None,
) -> Iterator[Server]:
    """The server of the command once it answers, in a process group of its own. ``user``: run as, if we are root."""
    log = folder / "server.log"
    with log.open("ab") as output:
        process = subprocess.Popen(
            [*_as_user(user), *command],
            cwd=folder,
            stdout=output,
            stderr=output,
            stdin=subprocess.DEVNULL,
            start_new_session=True,
        )
    try:
        _await(process, is_ready or (lambda: accepts(port)), log)
        yield Server("127.0.0.1", port, folder, process.pid)
    finally:
        _end(process, stop)


def accepts(port: int) -> bool:
    """True if something listens on the port of 127.0.0.1."""
    with socket.socket() as probe:
        probe.settimeout(0.5)
        return probe.connect_ex(("127.0.0.1", port)) == 0


def _as_user(user: str | None) -> list[str]:
    if user is None or os.geteuid() != 0:
        return []
    return ["setpriv", f"--reuid={user}", f"--regid={user}", "--init-groups"]


def _await(process: subprocess.Popen[bytes], is_ready: Callable[[], bool], log: Path) -> None:
    until = time.monotonic() + START_S
    while time.monotonic() < until:
        if process.poll() is not None:
            break
        if is_ready():
            return
        time.sleep(0.05)
    said = log.read_text(errors="replace")[-2000:]
    raise AssertionError(f"the server did not start: {said}")


def _end(process: subprocess.Popen[bytes], stop: signal.Signals) -> None:
    with contextlib.suppress(ProcessLookupError):
        os.killpg(process.pid, signal.SIGCONT)
        os.killpg(process.pid, stop)
    try:
        process.wait(10)
    except subprocess.TimeoutExpired:
        with contextlib.suppress(ProcessLookupError):
            os.killpg(process.pid, signal.SIGKILL)
        process.wait(10)
    # A launcher may end before the server that it started.
    with contextlib.suppress(ProcessLookupError):
        os.killpg(process.pid, signal.SIGKILL)


def _given_to(folder: Path, user: str) -> None:
    """The folder and the way to it become usable by the user, if we are root."""
    if os.geteuid() == 0:
        shutil.chown(folder, user)
        for parent in folder.parents:
            if parent.stat().st_uid == 0 and parent != Path("/"):
                parent.chmod(parent.stat().st_mode | 0o011)


@contextlib.contextmanager
def redis(folder: Path, *options: str) -> Iterator[Server]:
    """An empty Redis without persistence."""
    port = free_port()
    command = [program("redis-server", "valkey-server"), "--port", str(port), "--bind", "127.0.0.1", "--save", "",
               "--appendonly", "no", "--dir", str(folder), *options]  # fmt: skip
    with running(command, folder=folder, port=port) as server:
        yield server


@contextlib.contextmanager
def postgres(folder: Path) -> Iterator[Server]:
    """An empty PostgreSQL; superuser ``postgres`` without password, database ``postgres``."""
    server_program, initdb = program("postgres"), program("initdb")
    data, port = folder / "data", free_port()
    _given_to(folder, "postgres")
    subprocess.run(
        [*_as_user("postgres"), initdb, "-D", str(data), "-A", "trust", "-U", "postgres", "-E", "UTF8", "--no-sync"],
        check=True, capture_output=True, cwd="/",
    )  # fmt: skip
    command = [server_program, "-D", str(data), "-p", str(port), "-k", str(folder), "-h", "127.0.0.1", "-F"]
    # It listens before it answers.
    asked = [program("pg_isready"), "-q", "-h", "127.0.0.1", "-p", str(port)]

    def is_ready() -> bool:
        return subprocess.run(asked, check=False).returncode == 0

    with running(command, folder=folder, port=port, user="postgres", stop=signal.SIGINT, is_ready=is_ready) as server:
        yield server


@contextlib.contextmanager
def mariadb(folder: Path, *options: str) -> Iterator[Server]:
    """An empty MariaDB; ``root`` without password from this machine, no database but its own."""
    server_program, install = program("mariadbd", "mysqld"), program("mariadb-install-db", "mysql_install_db")
    data, port = folder / "data", free_port()
    _given_to(folder, "mysql")
    user = ["--user=mysql"] if os.geteuid() == 0 else []
    subprocess.run(
        [install, "--no-defaults", f"--datadir={data}", "--skip-test-db", "--auth-root-authentication-method=normal",
         *user],
        check=True, capture_output=True,
    )  # fmt: skip
    command = [server_program, "--no-defaults", f"--datadir={data}", f"--port={port}", "--bind-address=127.0.0.1",
               f"--socket={folder / 's'}", f"--pid-file={folder / 'pid'}", f"--tmpdir={folder}", "--innodb-buffer-pool-size=64M", *user, *options]  # fmt: skip
    with running(command, folder=folder, port=port) as server:
        yield server


@contextlib.contextmanager
def prometheus(folder: Path, config: str, *options: str) -> Iterator[Server]:
    """A Prometheus with the given configuration and an empty store under ``folder / "data"`` unless that exists."""
    port = free_port()
    (folder / "prometheus.yml").write_text(config)
    command = [program("prometheus"), f"--config.file={folder / 'prometheus.yml'}", f"--storage.tsdb.path={folder / 'data'}",
               f"--web.listen-address=127.0.0.1:{port}", *options]  # fmt: skip
    with running(command, folder=folder, port=port) as server:
        yield server


@contextlib.contextmanager
def alertmanager(folder: Path, config: str) -> Iterator[Server]:
    """An Alertmanager without peers."""
    port = free_port()
    (folder / "alertmanager.yml").write_text(config)
    command = [program("prometheus-alertmanager", "alertmanager"), f"--config.file={folder / 'alertmanager.yml'}",
               f"--storage.path={folder}", f"--web.listen-address=127.0.0.1:{port}", "--cluster.listen-address="]  # fmt: skip
    with running(command, folder=folder, port=port) as server:
        yield server


@contextlib.contextmanager
def milvus(folder: Path) -> Iterator[Server]:
    """The standalone Milvus 2.3 of PyPI (dense vectors only), from ``.servers`` (``make servers``)."""
    port = free_port()
    command = [program("milvus-server"), "--data", str(folder), "--proxy-port", str(port)]
    with running(command, folder=folder, port=port) as server:
        yield server
