"""The engine's process."""

import os
import shutil
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

from state.model.errors import Misconfigured
from tools.knowledge.milvus_process import IndexFileTaken, MilvusLite


def is_running(pid: int) -> bool:
    try:
        return Path(f"/proc/{pid}/stat").read_text().rsplit(")", 1)[1].split()[0] != "Z"
    except FileNotFoundError:
        return False


def ends(pid: int) -> bool:
    deadline = time.monotonic() + 5
    while is_running(pid) and time.monotonic() < deadline:
        time.sleep(0.02)
    return not is_running(pid)


def test_a_closed_engine_leaves_no_process_and_no_folder(tmp_path):
    engine = MilvusLite(tmp_path / "i.db", timeout_s=10)
    folder = Path(engine.address.removeprefix("unix:")).parent
    assert is_running(engine.pid)
    assert folder.stat().st_mode & 0o777 == 0o700

    engine.close()
    engine.close()

    assert not is_running(engine.pid)
    assert not folder.exists()


def test_a_second_opener_is_refused_and_may_have_the_file_afterwards(tmp_path):
    first = MilvusLite(tmp_path / "i.db", timeout_s=10)

    with pytest.raises(IndexFileTaken):
        MilvusLite(tmp_path / "i.db", timeout_s=10)
    assert is_running(first.pid)
    first.close()

    second = MilvusLite(tmp_path / "i.db", timeout_s=10)
    second.close()


def test_a_killed_owner_takes_its_engine_along(tmp_path):
    program = (
        "import sys, time; from pathlib import Path; from tools.knowledge.milvus_process import MilvusLite; "
        f"e = MilvusLite(Path({str(tmp_path / 'i.db')!r}), timeout_s=10); "
        "print(e.pid, e.address, flush=True); time.sleep(60)"
    )
    owner = subprocess.Popen([sys.executable, "-c", program], stdout=subprocess.PIPE, text=True)
    assert owner.stdout is not None
    pid, address = owner.stdout.readline().split()
    with pytest.raises(IndexFileTaken):
        MilvusLite(tmp_path / "i.db", timeout_s=10)

    owner.send_signal(signal.SIGKILL)
    owner.communicate()

    assert ends(int(pid))
    shutil.rmtree(Path(address.removeprefix("unix:")).parent)
    MilvusLite(tmp_path / "i.db", timeout_s=10).close()


def test_an_owner_that_forgets_to_close_takes_it_along_too(tmp_path):
    program = (
        "from pathlib import Path; from tools.knowledge.milvus_process import MilvusLite; "
        f"e = MilvusLite(Path({str(tmp_path / 'i.db')!r}), timeout_s=10); print(e.pid, e.address)"
    )

    printed = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True).stdout.split()

    assert not is_running(int(printed[0]))
    assert not Path(printed[1].removeprefix("unix:")).parent.exists()


def test_an_engine_that_hangs_is_killed(tmp_path):
    engine = MilvusLite(tmp_path / "i.db", timeout_s=10)
    os.kill(engine.pid, signal.SIGSTOP)

    engine.close()

    assert not is_running(engine.pid)


def test_a_broken_file_is_named_and_nothing_stays_behind(tmp_path):
    (tmp_path / "i.db").write_bytes(b"no index" * 100)

    with pytest.raises(Misconfigured, match=r"i\.db cannot be opened"):
        MilvusLite(tmp_path / "i.db", timeout_s=10)

    (tmp_path / "i.db").unlink()
    MilvusLite(tmp_path / "i.db", timeout_s=10).close()


@pytest.mark.parametrize("name", ["索引.db", "a b.db", "x" * 40 + ".db"])
def test_a_file_name_the_engine_would_refuse_is_refused_first(tmp_path, name):
    with pytest.raises(Misconfigured):
        MilvusLite(tmp_path / name, timeout_s=10)
