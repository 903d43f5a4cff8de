"""``rootproof serve`` as a person starts it: a process of its own, told to stop by a signal."""

import os
import queue
import signal
import subprocess
import sys
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

import httpx
import pytest

from service import cli
from service.exit_codes import ExitCode
from service.http.serving import address_of, listening
from state.model.errors import Misconfigured
from tests.service.stage_backend import StageBackend

ROOT = Path(__file__).parents[3]
PATIENCE_S = 90
SECRET = "a-key-of-the-checkout-team-1"


@dataclass
class Process:
    """A serving process and what it says."""

    running: subprocess.Popen[str]
    said: "queue.Queue[str]"
    heard: list[str]

    def line_with(self, part: str) -> str:
        """The next line that holds it."""
        while True:
            line = self.said.get(timeout=PATIENCE_S)
            self.heard.append(line)
            if part in line:
                return line

    def stop(self, name: signal.Signals) -> int:
        self.running.send_signal(name)
        return self.running.wait(PATIENCE_S)


@contextmanager
def serving(home: Path, *words: str, **variables: str) -> Iterator[Process]:
    environment = {
        "PATH": os.environ["PATH"], "HOME": str(home), "LANG": "C.UTF-8", "PYTHONPATH": str(ROOT),
        "ROOTPROOF_HOME": str(home / "data"), **variables,
    }  # fmt: skip
    command = [sys.executable, "-c", "from service.cli import main; main()", "serve", "--port", "0", *words]
    running = subprocess.Popen(
        command, cwd=home, env=environment, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True
    )
    said: queue.Queue[str] = queue.Queue()

    def read() -> None:
        assert running.stderr is not None
        for line in running.stderr:
            said.put(line)

    reader = threading.Thread(target=read, daemon=True)
    reader.start()
    try:
        yield Process(running, said, [])
    finally:
        if running.poll() is None:
            running.kill()
        running.wait()
        reader.join()
        assert running.stderr is not None
        running.stderr.close()


@pytest.fixture
def home(tmp_path: Path) -> Path:
    return tmp_path


@pytest.mark.parametrize("name", [signal.SIGTERM, signal.SIGINT])
def test_a_process_serves_until_it_is_told_to_stop(home: Path, name: signal.Signals) -> None:
    with serving(home) as process:
        url = process.line_with("http://").split()[3]
        about = httpx.get(f"{url}/api/about", timeout=PATIENCE_S)
        code = process.stop(name)

    assert url.startswith("http://127.0.0.1:")
    assert about.json()["caller"]["name"] == "local"
    assert code == ExitCode.SUCCESS


def test_an_open_stream_ends_with_the_process_and_in_chinese(home: Path) -> None:
    """The run itself is over at once, for there is nothing to search; its stream is held by the asking client."""
    with serving(home, LANG="zh_CN.UTF-8") as process:
        line = process.line_with("http://")
        url = next(word for word in line.replace("（", " ").replace("：", " ").split() if word.startswith("http://"))
        body = {"query": "Why do payments fail since 14:05?"}
        with httpx.stream("POST", f"{url}/api/chat", json=body, timeout=PATIENCE_S) as reply:
            raw = reply.read()
        code = process.stop(signal.SIGTERM)

    assert "已启动" in line
    assert raw.count(b"event: done\n") == 1
    assert code == ExitCode.SUCCESS


def test_keys_are_asked_for_where_they_are_declared(home: Path) -> None:
    (home / "rootproof.yaml").write_text("keys:\n  checkout: {secret: env:CHECKOUT_KEY, roles: [user]}\n")
    with serving(home, "--host", "0.0.0.0", CHECKOUT_KEY=SECRET) as process:
        url = process.line_with("http://").split()[3]
        nobody = httpx.get(f"{url}/api/about", timeout=PATIENCE_S)
        known = httpx.get(f"{url}/api/about", headers={"Authorization": f"Bearer {SECRET}"}, timeout=PATIENCE_S)
        process.stop(signal.SIGTERM)
        written = "".join(process.heard)

    assert nobody.status_code == 401
    assert known.json()["caller"] == {"name": "checkout", "roles": ["user"]}
    assert SECRET not in written
    assert SECRET not in (home / "data" / "logs" / "rootproof.log").read_text()


def test_a_start_says_what_it_opens_and_ends_with_the_address(home: Path) -> None:
    (home / "w" / "logs").mkdir(parents=True)
    (home / "w" / "logs" / "app.log").write_text("2026-03-01T10:00:00Z ERROR disk full\n")
    with serving(home, "--world", str(home / "w")) as process:
        process.line_with("http://")
        process.stop(signal.SIGTERM)

    assert [" ".join(line.split()[:3]) for line in process.heard] == [
        "Loading the program",
        f"World: {home / 'w'}",
        "Opening the records",
        "Opening the sources",
        "Reading the runbooks",
        "No key is",
        "Rootproof is at",
    ]


def test_the_demonstration_suggests_a_question_that_it_answers(home: Path) -> None:
    with serving(home, "--demo") as process:
        url = process.line_with("http://").split()[3]
        about = httpx.get(f"{url}/api/about", timeout=PATIENCE_S).json()
        question = about["demo"]["question"]
        asked = httpx.post(f"{url}/api/chat", json={"query": question}, timeout=PATIENCE_S)
        process.stop(signal.SIGTERM)

    assert f"Ask first: {question}\n" in process.heard
    assert about["demo"]["title"] == "Payments time out"
    assert (about["time_zone"], about["now"]) == ("Asia/Singapore", "2026-02-04T06:43:44Z")
    assert asked.text.rstrip().endswith('data: {"outcome":"SUCCESS"}')


def test_without_evidence_a_start_says_so_and_names_the_way_out(home: Path) -> None:
    with serving(home) as process:
        url = process.line_with("http://").split()[3]
        about = httpx.get(f"{url}/api/about", timeout=PATIENCE_S).json()
        process.stop(signal.SIGTERM)

    said = "".join(process.heard)
    assert "No evidence is connected" in said
    assert "rootproof serve --demo" in said
    assert (about["sources"], about["demo"]) == ([], None)


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (("payment-timeouts",), "a name goes with --demo alone"),
        (("--demo", "--world", "."), "cannot be combined with --world"),
        (("--demo", "atlantis"), "Choose one of: payment-timeouts"),
    ],
)
def test_words_about_a_bundled_incident_that_do_not_go_together(
    tmp_path: Path,
    words: tuple[str, ...],
    said: str,
    capsys: pytest.CaptureFixture[str],
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.chdir(tmp_path)
    code = cli.run(("serve", *words), StageBackend(tmp_path / "home"))

    assert code == ExitCode.USAGE
    assert said in " ".join(capsys.readouterr().err.split())


def test_libraries_of_what_is_not_configured_are_not_loaded() -> None:
    ask = "import sys, service.http.serving; print(sorted({'mcp', 'redis'} & sys.modules.keys()))"

    said = subprocess.run([sys.executable, "-c", ask], cwd=ROOT, capture_output=True, text=True, check=True)

    assert said.stdout == "[]\n"


@pytest.mark.parametrize("host", ["0.0.0.0", "::", "192.168.1.7", "example.com"])
def test_without_keys_only_this_machine_is_served(
    tmp_path: Path, host: str, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    code = cli.run(("serve", "--host", host), StageBackend(tmp_path / "home"))

    assert code == ExitCode.USAGE
    assert "no key is configured" in " ".join(capsys.readouterr().err.split())


@pytest.mark.parametrize(
    ("settings", "said"),
    [
        ({"keys": {"team": {"secret": "env:NO_SUCH_VARIABLE", "roles": ["user"]}}}, "NO_SUCH_VARIABLE is not set"),
        ({"keys": {"local": {"secret": "env:PATH", "roles": ["user"]}}}, "choose another"),
    ],
)
def test_what_cannot_be_served_is_said_in_a_line(
    tmp_path: Path,
    settings: dict[str, object],
    said: str,
    capsys: pytest.CaptureFixture[str],
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.chdir(tmp_path)
    code = cli.run(("serve",), StageBackend(tmp_path / "home", settings=settings))

    assert code == ExitCode.USAGE
    assert said in " ".join(capsys.readouterr().err.split())


def test_an_address_that_is_taken_is_named() -> None:
    with listening("127.0.0.1", 0) as first:
        first.listen()
        port = first.getsockname()[1]
        with pytest.raises(Misconfigured, match=f"127.0.0.1:{port} cannot be taken"), listening("127.0.0.1", port):
            pass


def test_an_address_is_shown_as_a_browser_takes_it() -> None:
    with listening("0.0.0.0", 0) as every, listening("127.0.0.1", 0) as own:
        shown = [address_of(every), address_of(own)]

    assert all(one.startswith("http://127.0.0.1:") for one in shown)


def test_a_world_that_is_none_is_refused(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    code = cli.run(("serve", "--world", str(tmp_path / "none")), StageBackend(tmp_path / "home"))

    assert code == ExitCode.USAGE
    assert "there is no such folder" in " ".join(capsys.readouterr().err.split())
