"""Thinking of models: kept sealed or not at all, and only what the provider returned."""

import pytest

from config.settings import Settings
from graph.reasoning import Unavailable, read_reasoning
from graph.replay import replay_run
from models.turns import WrittenTurn
from state.model.reasoning import MAX_REASONING_CHARS
from tests.graph.stage import RUN_ID, Cast, ask, good_draft, stage, submit

THOUGHT = "PRIVATE-THOUGHT: the pool looks too small"
SECRET = "a-key-of-the-operator"


def thinking(turn: WrittenTurn, thought: str = THOUGHT) -> WrittenTurn:
    return turn.model_copy(update={"reasoning": thought})


THINKS = (thinking(ask("errors")), submit(good_draft()))


async def played(tmp_path, *, key: str | None, agent=THINKS):
    async with stage(tmp_path, Cast(agent=agent, settings={"encryption_key": key})) as play:
        await play.run()
        return await read_reasoning(_settings(play, key), play.stores, RUN_ID)


def _settings(play, key):
    return Settings(home=play.stores.home, encryption_key=key)


def everything_on_disk(folder) -> bytes:
    return b"".join(path.read_bytes() for path in folder.rglob("*") if path.is_file())


async def test_it_is_kept_by_step_and_null_where_none_was_returned(tmp_path):
    kept = await played(tmp_path, key=SECRET)

    assert kept.why is None
    assert [(entry.step, entry.text) for entry in kept.entries] == [
        ("router:1:1", None),
        ("agent:1:1", THOUGHT),
        ("agent:2:1", None),
        ("semantic:1:1", None),
    ]
    assert kept.entries[0].assistant == '{"intent":"DIAGNOSIS"}'


async def test_it_is_nowhere_in_plain_text(tmp_path):
    await played(tmp_path, key=SECRET)

    assert THOUGHT.encode() not in everything_on_disk(tmp_path)


async def test_without_a_key_nothing_is_kept_and_that_is_said(tmp_path):
    kept = await played(tmp_path, key=None)

    assert (kept.why, kept.entries) == (Unavailable.NO_KEY, ())
    assert THOUGHT.encode() not in everything_on_disk(tmp_path)
    assert b"reasoning:" not in everything_on_disk(tmp_path)


async def test_what_no_provider_returned_is_unavailable(tmp_path):
    kept = await played(tmp_path, key=SECRET, agent=(ask("errors"), submit(good_draft())))

    assert kept.why is Unavailable.NOT_GIVEN
    assert {entry.text for entry in kept.entries} == {None}


async def test_another_key_opens_nothing(tmp_path):
    await played(tmp_path, key=SECRET)
    async with stage(tmp_path) as play:
        kept = await read_reasoning(_settings(play, "another key"), play.stores, RUN_ID)

    assert (kept.why, kept.entries) == (Unavailable.NOT_KEPT, ())


async def test_a_row_moved_to_another_step_counts_for_nothing(tmp_path):
    await played(tmp_path, key=SECRET)
    async with stage(tmp_path) as play:
        row = await play.stores.recording.get(RUN_ID, "reasoning:agent:1:1")
        await play.stores.recording.put(RUN_ID, "reasoning:router:1:1", *row)
        kept = await read_reasoning(_settings(play, SECRET), play.stores, RUN_ID)

    assert [entry.step for entry in kept.entries] == ["agent:1:1", "agent:2:1", "semantic:1:1"]


async def test_a_long_one_is_cut(tmp_path):
    long = (thinking(ask("errors"), "x" * (MAX_REASONING_CHARS + 1)), submit(good_draft()))
    kept = await played(tmp_path, key=SECRET, agent=long)

    assert [len(entry.text) for entry in kept.entries if entry.text] == [MAX_REASONING_CHARS]


async def test_it_goes_with_the_run(tmp_path):
    await played(tmp_path, key=SECRET)
    async with stage(tmp_path) as play:
        await play.stores.recording.delete_runs([RUN_ID])
        kept = await read_reasoning(_settings(play, SECRET), play.stores, RUN_ID)

    assert kept.why is Unavailable.NOT_KEPT


@pytest.mark.parametrize("key", [SECRET, None])
async def test_a_replay_does_not_need_it(tmp_path, key):
    async with stage(tmp_path, Cast(agent=THINKS, settings={"encryption_key": key})) as play:
        await play.run()
        replay = await replay_run(_settings(play, key), play.stores, RUN_ID)

    assert replay.identical
