"""What is sealed: unreadable without the key, opened only where it was put, and never a reason for a run to fail."""

from pathlib import Path

import pytest
from pydantic import SecretStr

from state.stores.raw_sealed import SealedRawResults
from state.stores.recording_sqlite import SqliteRecording
from state.stores.sealing import Seal
from tests.contracts.samples import CALL, OTHER_CALL, OTHER_RUN, RUN, SteppingClock

KEY, OTHER_KEY = SecretStr("a-key-of-the-operator"), SecretStr("another-key")
RAW = '{"lines": ["PRIVATE-LINE \\ud800 为什么"]}'


@pytest.mark.parametrize("text", ["", "x", "为什么", "a\x00b", "x" * 100_000])
def test_a_seal_gives_back_what_it_closed(text: str) -> None:
    seal = Seal(KEY, b"one")

    assert seal.open(seal.close(text)) == text


@pytest.mark.parametrize("other", [Seal(OTHER_KEY, b"one"), Seal(KEY, b"two")], ids=["key", "purpose"])
def test_no_other_key_or_purpose_opens_it(other: Seal) -> None:
    assert other.open(Seal(KEY, b"one").close("text")) is None


@pytest.mark.parametrize(
    "damage", [lambda token: token[:-2], lambda token: "x" + token[1:], lambda _: "é", lambda _: ""]
)
def test_what_was_changed_does_not_open(damage) -> None:
    seal = Seal(KEY, b"one")

    assert seal.open(damage(seal.close("text"))) is None


async def test_a_raw_result_is_kept_under_its_call_and_nowhere_in_plain_text(tmp_path: Path) -> None:
    rows = SqliteRecording(tmp_path / "recording.db", SteppingClock())
    raws = SealedRawResults(rows, KEY)
    await raws.put(RUN, CALL, RAW)
    await raws.put(RUN, CALL, RAW)

    assert await raws.get(RUN, CALL) == RAW
    assert await raws.get(RUN, OTHER_CALL) is None
    assert await SealedRawResults(rows, OTHER_KEY).get(RUN, CALL) is None
    await rows.close_store()
    assert not any(b"PRIVATE-LINE" in path.read_bytes() for path in tmp_path.iterdir())


async def test_a_row_that_was_moved_is_as_good_as_none(tmp_path: Path) -> None:
    rows = SqliteRecording(tmp_path / "recording.db", SteppingClock())
    raws = SealedRawResults(rows, KEY)
    await raws.put(RUN, CALL, RAW)
    sha, token = await rows.get(RUN, f"raw:{CALL}") or ("", "")
    await rows.put(RUN, f"raw:{OTHER_CALL}", sha, token)
    await rows.put(OTHER_RUN, f"raw:{CALL}", sha, token)

    assert await raws.get(RUN, OTHER_CALL) is None
    assert await raws.get(OTHER_RUN, CALL) is None
    await rows.close_store()


async def test_a_raw_result_that_cannot_be_written_is_no_error(tmp_path: Path) -> None:
    rows = SqliteRecording(tmp_path / "recording.db", SteppingClock())
    await rows.close_store()
    (tmp_path / "recording.db").mkdir()

    await SealedRawResults(rows, KEY).put(RUN, CALL, RAW)

    assert rows.n_lost == 1
