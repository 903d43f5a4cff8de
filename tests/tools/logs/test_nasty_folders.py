"""A folder of large files answers as if every record were read, also where its texts are judged by their bytes."""

import asyncio
from datetime import timedelta

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from state.model.evidence import Window
from tests.tools.logs.conftest import NOW
from tests.tools.logs.nasty_lines import BLOCKS, NEEDLES, ORDERED, T0
from tools.logs import candidates, cutting, folder_source
from tools.logs.folder_source import FolderLogSource
from tools.logs.port import LogQuery

WINDOWS = st.builds(
    lambda start, length: Window(start=T0 + timedelta(seconds=start), end=T0 + timedelta(seconds=start + length)),
    st.integers(-2, 60),
    st.integers(1, 64),
) | st.just(Window(start=T0.replace(year=1900), end=T0.replace(year=2100)))
QUERIES = st.builds(
    lambda window, filters: LogQuery(window=window, **{name: value for name, value in filters.items() if value}),
    WINDOWS,
    st.fixed_dictionaries(
        {
            "service": st.sampled_from([None, None, "orders", "pool", "app", "a"]),
            "level": st.sampled_from([None, None, "INFO", "WARN", "ERROR"]),
            "contains": st.none() | NEEDLES | NEEDLES,
        }
    ),
)
FILES = BLOCKS | st.lists(ORDERED, min_size=1, max_size=3).map(lambda parts: b"\n".join(sum(parts, [])))


def found(folder, queries) -> list[object]:
    source = FolderLogSource("logs", folder, time_zone="UTC", now=NOW)
    return [asyncio.run(source.search(query)) for query in queries]


@pytest.mark.parametrize("few", [0, 16])
@settings(max_examples=300, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(
    files=st.lists(FILES, min_size=1, max_size=3),
    names=st.permutations(["a.log", "b/orders.jsonl", "c.log"]),
    queries=st.lists(QUERIES, min_size=1, max_size=6),
    block_bytes=st.sampled_from([1, 200, 1000, 20_000]),
)
def test_it_answers_any_query_as_if_it_were_held_whole(
    tmp_path_factory, monkeypatch, few, files, names, queries, block_bytes
):
    folder = tmp_path_factory.mktemp("logs")
    (folder / "b").mkdir()
    for name, data in zip(names, files, strict=False):
        (folder / name).write_bytes(data)
    wanted = found(folder, queries)
    with monkeypatch.context() as patched:
        patched.setattr(candidates, "_FEW", few)
        patched.setattr(folder_source, "WHOLE_FILE_BYTES", 0)
        patched.setattr(cutting, "BLOCK_BYTES", block_bytes)
        patched.setattr(cutting, "_GROWTH", 1_000_000)

        assert found(folder, queries) == wanted
