"""Only regular files are opened, and nothing is waited for."""

import os
import socket

import pytest

from tools.regular_file import NotRegular, is_regular, leads_out, read_regular


def fifo(folder):
    os.mkfifo(folder / "pipe")
    return folder / "pipe"


def bound_socket(folder):
    with socket.socket(socket.AF_UNIX) as listening:
        listening.bind(str(folder / "s"))
    return folder / "s"


def device_link(folder):
    (folder / "zero").symlink_to("/dev/zero")
    return folder / "zero"


@pytest.mark.parametrize("make", [fifo, bound_socket, device_link, lambda folder: folder])
def test_what_is_no_regular_file_is_refused_at_once(tmp_path, make):
    path = make(tmp_path)

    assert not is_regular(path)
    with pytest.raises(NotRegular):
        read_regular(path, max_bytes=10)


def test_one_byte_more_than_allowed_shows_that_a_file_is_too_long(tmp_path):
    (tmp_path / "f").write_bytes(b"x" * 100)

    assert len(read_regular(tmp_path / "f", max_bytes=10)) == 11
    assert len(read_regular(tmp_path / "f", max_bytes=100)) == 100


def test_a_link_leads_out_if_its_end_lies_outside(tmp_path):
    (tmp_path / "in").mkdir()
    (tmp_path / "secret").write_text("x")
    (tmp_path / "in/out.md").symlink_to("../secret")
    (tmp_path / "in/near.md").symlink_to("far.md")
    (tmp_path / "in/loop.md").symlink_to("loop.md")
    root = (tmp_path / "in").resolve()

    assert [leads_out(root / name, root) for name in ("out.md", "near.md", "loop.md", "nul\0.md")] == [
        True, False, True, True,
    ]  # fmt: skip
