"""Folders that only their owner can enter."""

import os

import pytest

from state.private_folder import make_private_folder


def test_every_level_that_was_missing_is_private(tmp_path):
    before = os.umask(0o022)
    try:
        make_private_folder(tmp_path / "home/kb/cache")
    finally:
        os.umask(before)

    levels = [tmp_path / "home", tmp_path / "home/kb", tmp_path / "home/kb/cache"]
    assert [level.stat().st_mode & 0o777 for level in levels] == [0o700] * 3


def test_a_level_that_exists_is_left_as_it_is(tmp_path):
    (tmp_path / "open").mkdir()
    (tmp_path / "open").chmod(0o755)

    make_private_folder(tmp_path / "open/inner")
    make_private_folder(tmp_path / "open/inner")

    assert (tmp_path / "open").stat().st_mode & 0o777 == 0o755


def test_a_file_in_the_way_is_an_error(tmp_path):
    (tmp_path / "file").touch()

    with pytest.raises(OSError):
        make_private_folder(tmp_path / "file")
