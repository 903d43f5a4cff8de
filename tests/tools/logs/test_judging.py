"""What is judged of a text by bytes alone agrees with reading every record."""

from pathlib import PurePosixPath
from zoneinfo import ZoneInfo

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from state.model.evidence import Window
from tests.tools.logs.conftest import NOW
from tests.tools.logs.nasty_lines import BLOCKS, NEEDLES, T0
from tools.logs import json_values, text_hits
from tools.logs.block_lines import BlockLines
from tools.logs.judging import Judged, judge
from tools.logs.literal import Remark, fragments_of
from tools.logs.matching import matching
from tools.logs.port import LogQuery
from tools.logs.read_file import is_json_file, read_piece
from tools.logs.stamps import Reference
from tools.logs.survey import survey
from tools.logs.text_hits import sought

REFERENCE = Reference(ZoneInfo("UTC"), NOW)
EVER = Window(start=T0.replace(year=1900), end=T0.replace(year=2100))


def read_matches(data: bytes, path: PurePosixPath, contains: str) -> set[int]:
    """Numbers of the records that match, by reading all."""
    events = read_piece(data, path, REFERENCE, first_line=0).events
    in_file = sorted(int(event.origin.rpartition(":")[2]) for event in events)
    found = matching(events, LogQuery(window=EVER, contains=contains), lambda: False)
    return {in_file.index(int(event.origin.rpartition(":")[2])) for event in found}


def judged_by_each_fragment(data: bytes, path: PurePosixPath, contains: str) -> list[Judged]:
    """By every fragment of the text that may be searched for in this block."""
    contents = survey(data, path, REFERENCE)
    if not contents.is_faithful or not contents.services:
        return []
    assert contents.layout is not None
    lines = BlockLines(contents.layout, 0, lambda: data)
    wanted = np.ones(len(lines.firsts), np.bool_)
    return [
        judge(lines, sought(contains, one), contents.writing, wanted, is_json=is_json_file(path))
        for one in fragments_of(contains)
        if (one.is_ascii or contents.is_unescaped)
        and not (Remark.REDACTION in one.remarks and contents.writing.may_redact)
    ]


def check(data: bytes, path: PurePosixPath, contains: str) -> None:
    """Every sure record matches, and every record that is neither sure nor doubtful does not."""
    for judged in judged_by_each_fragment(data, path, contains):
        matches = read_matches(data, path, contains)
        sure, doubtful = (set(np.flatnonzero(mask).tolist()) for mask in (judged.is_sure, judged.is_doubtful))
        assert sure <= matches <= sure | doubtful
        assert not sure & doubtful


TS = '{"ts":"2026-11-30T10:00:00Z",'
AT = "2026-11-30 10:00:00"
SURE, DOUBTFUL, OUT = "sure", "doubtful", "out"


def told_of_first(text: str, name: str, contains: str) -> str:
    data, path = text.encode(), PurePosixPath(name)
    check(data, path, contains)
    judged = judged_by_each_fragment(data, path, contains)[0]
    return SURE if judged.is_sure[0] else DOUBTFUL if judged.is_doubtful[0] else OUT


@pytest.mark.parametrize(
    ("line", "contains", "told"),
    [
        ('"message":"a pool b"}', "A Pool", SURE),
        ('"message": "a pool b", "level": "INFO"}', "pool", SURE),
        ('"message":"a 连接池 b"}', "连接池 b", SURE),
        ('"message":"a Ünder"}', "ünder", DOUBTFUL),
        ('"message":"' + "." * 3000 + 'pool"}', "pool", SURE),
        ('"tenant":"a pool b"}', "pool", SURE),
        ('"tenant":"' + "." * 596 + 'pool"}', "pool", SURE),
        ('"tenant":"' + "." * 597 + 'pool"}', "pool", DOUBTFUL),
        ('"msg":"' + "." * 597 + 'pool"}', "pool", SURE),
        ('"msg":"' + "." * 597 + 'pool","message":"x"}', "pool", DOUBTFUL),
        ('"message":"a b","tenant":"pool"}', "b tenant=pool", DOUBTFUL),
        ('"message":"the pool","tenant":"size"}', "pool size", DOUBTFUL),
        ('"level":"pool","message":"x"}', "pool", OUT),
        ('"service":"pool","message":"x"}', "pool", OUT),
        ('"kind":"pool","message":"x"}', "pool", OUT),
        ('"lvl":"pool","level":"INFO","message":"x"}', "pool", SURE),
        ('"message":"x"}', "2026-11-30", OUT),
        ('"level":"pool","message":"x pool"}', "pool", SURE),
        ('"level":"pool","message":"x \\"pool"}', "pool", DOUBTFUL),
        ('"level":"pool","level":"INFO","message":"x"}', "pool", DOUBTFUL),
        ('"message":"pool","message":"x"}', "pool", DOUBTFUL),
        ('"message":"a \\"quoted\\" b","tenant":"pool"}', "pool", SURE),
        ('"message":"a \\\\","tenant":"pool"}', "pool", SURE),
        ('"message":"a \\\\","message":"pool","message":"x"}', "pool", DOUBTFUL),
        ('"message":"a\\npool"}', "npool", DOUBTFUL),
        ('"message":"a\\npool"}', "pool", DOUBTFUL),
        ('"message":"pool\\n"}', "pool", DOUBTFUL),
        ('"message":"pool","tenant":"\\n"}', "pool", SURE),
        ('"x\\"level":"pool","level":"INFO","message":"x"}', "pool", DOUBTFUL),
        ('"d":{"message":"pool"}}', "pool", DOUBTFUL),
        ('"message":"pool","d":{"message":"x"}}', "pool", SURE),
        ('"d":{"message":"x"},"message":"pool"}', "pool", DOUBTFUL),
        ('"d":[1],"message":"pool","e":{"message":"x"}}', "pool", DOUBTFUL),
        ('"d":[{"message":"pool"}],"message":"x"}', "pool", DOUBTFUL),
        ('"level":"pool","message":"x","d":{"level":"y"}}', "pool", OUT),
        ('"message":"x","d":{"level":"pool"},"level":"INFO"}', "pool", DOUBTFUL),
        ('"message":"pool","d":{"tenant":"x"}}', "pool", SURE),
        ('"message":"x","d":["pool"]}', "pool", DOUBTFUL),
        ('"message":"x","password":"pool"}', "pool", DOUBTFUL),
        ('"message":"x","pool":"y"}', "pool", SURE),
        ('"message":"x","the.pool": 7}', "pool", SURE),
        ('"pool":{"a":1},"message":"x"}', "pool", SURE),
        ('"pool":[1],"message":"x"}', "pool", SURE),
        ('"pool":null,"message":"x"}', "pool", DOUBTFUL),
        ('"pool":"","message":"x"}', "pool", DOUBTFUL),
        ('"pool": "","message":"x"}', "pool", DOUBTFUL),
        ('"pool":  1,"message":"x"}', "pool", DOUBTFUL),
        ('"pool" :1,"message":"x"}', "pool", DOUBTFUL),
        ('"x\\"pool":1,"pool":null,"message":"x"}', "pool", DOUBTFUL),
        ('"d":{"pool":1},"message":"x"}', "pool", DOUBTFUL),
        ('"d":{"pool":1},"pool":2,"message":"x"}', "pool", DOUBTFUL),
        ('"pool_token":"y","message":"x"}', "pool", DOUBTFUL),
        ('"pool":1,"message":"x"}', "pool=1", DOUBTFUL),
        ('"message":"x"}', "message", OUT),
        ('"level":"INFO","message":"x"}', "level", OUT),
        ('"kind":"a","message":"x"}', "kind", OUT),
        ('"msg":"a","message":"x"}', "msg", SURE),
        ('"message":"x","d":["pool"]}', "pool", DOUBTFUL),
        ('"message":"x","d":["pool:"]}', "pool", DOUBTFUL),
        ('"message":"say pool","a":1}', 'pool","a"', DOUBTFUL),
        ('"message" : "pool"}', "pool", DOUBTFUL),
        ('"message" : "level","level":"INFO"}', "level", DOUBTFUL),
        ('"message":  "pool"}', "pool", DOUBTFUL),
        ('"d":[' + "1," * 400 + '{"k":":"},true],":":"x","message":"y"}', "true", DOUBTFUL),
        ('"n":12345.5,"message":"x"}', "12345.5", DOUBTFUL),
        ('"level":"100000.0","n":1e5,"message":"x"}', "100000.0", DOUBTFUL),
        ('"level":"is 1e-05","n":0.00001,"message":"x"}', "e-05", DOUBTFUL),
        ('"level":"100000.0.","n":1e5,"message":"x"}', "100000.0", DOUBTFUL),
    ],
)
@pytest.mark.parametrize("name", ["app.log", "app.jsonl"])
def test_a_hit_in_a_json_record_is_judged_by_the_key_it_stands_under(line, contains, told, name):
    assert told_of_first(TS + line, name, contains) == told


@pytest.mark.parametrize(
    ("lines", "contains", "told"),
    [
        (f"{AT} INFO the pool", "info THE Pool", SURE),
        (f"{AT},123 [main] INFO the pool", "main", SURE),
        (f"{AT} INFO the pool", "2026-11-30", OUT),
        (f"{AT} INFO the pool", "10:00:00 info", DOUBTFUL),
        (f"{AT} INFO the pool at 2026-11-30", "2026-11-30", SURE),
        (f"{AT} INFO the pool\nNov 30 10:00:00 2026-11-30 app[7]: x", "2026-11-30", DOUBTFUL),
        (f"{AT} INFO pool\r", "pool", SURE),
        (f"{AT} INFO pool\r", "pool\r", DOUBTFUL),
        (f"{AT} INFO x\nthe pool\nx", "pool\nx", DOUBTFUL),
        ("Nov 30 10:00:00 host app[7]: the pool", "the pool", SURE),
        ("Nov 30 10:00:00 host pool[7]: x", "pool", DOUBTFUL),
        ('1.2.3.4 - - [30/Nov/2026:10:00:00 +0000] "GET /pool" 200', "get /pool", SURE),
        ("1.2.3.4 - pool [30/Nov/2026:10:00:00 +0000] size 200", "pool size", DOUBTFUL),
        ('Nov 30 10:00:00 host app[7]:   File "pool.py", line 3', "pool", DOUBTFUL),
        (f"{AT} INFO " + "." * 4000 + "pool", "pool", SURE),
        (f"{AT} INFO " + "." * 4096 + "pool", "pool", DOUBTFUL),
        (f"{AT} INFO x\nCaused by: pool", "pool", SURE),
        (f"{AT} INFO x\njava.io.Pool: y\r\n", "io.pool: y", SURE),
        (f"{AT} INFO x\nmain.pool()\n\t/a/b.go:12", "pool", DOUBTFUL),
        (f"{AT} INFO x\nmain.pool()\r\n\t/a/b.go:12", "pool", DOUBTFUL),
        (f"{AT} INFO x\nat pool(y) b", "pool", DOUBTFUL),
        (f"{AT} INFO x\n\tat com.pool.A(A.java:1)", "pool", DOUBTFUL),
        (f'{AT} INFO x\nFile "pool.py", line 3', "pool", DOUBTFUL),
        (f"{AT} INFO x\n    pool", "pool", DOUBTFUL),
        (f"{AT} INFO x\ntime pool", "pool", DOUBTFUL),
        (f"{AT} INFO x\n" + "y" * 4096 + "\nb pool", "pool", DOUBTFUL),
    ],
)
def test_a_hit_in_a_record_of_text_is_judged_by_its_place(lines, contains, told):
    assert told_of_first(lines, "app.log", contains) == told


FRAMES = "".join(f"\n\tat com.shop.A.m{place}(A.java:1)" for place in range(10))


@pytest.mark.parametrize(
    ("lines", "told"),
    [
        (f"{AT} INFO x", OUT),
        (f"{AT} INFO 10.7 frames dropped", SURE),
        (f"{AT} INFO x\nb\nc", OUT),
        (f"{AT} INFO x{FRAMES}", DOUBTFUL),
        (f'{TS}"message":"x"}}', OUT),
        (f'{TS}"message":"x\\"y"}}', DOUBTFUL),
        (f'{TS}"message":"x{FRAMES}"}}'.replace("\n", "\\n").replace("\t", "\\t"), DOUBTFUL),
        (f"{AT} INFO C:\\x", OUT),
    ],
)
@pytest.mark.parametrize("contains", ["7 frames dropped"])
def test_where_frames_may_be_dropped_the_remark_about_it_need_not_stand_in_the_bytes(lines, contains, told):
    assert told_of_first(lines, "app.log", contains) == told


@pytest.mark.parametrize(
    ("line", "is_judged"), [('"message":"the token"}', True), ('"password":"x"}', False), ('"d":["a"]}', False)]
)
def test_where_nothing_may_be_redacted_words_of_that_remark_are_looked_for(line, is_judged):
    assert bool(judged_by_each_fragment((TS + line).encode(), PurePosixPath("app.log"), "token")) == is_judged


def test_a_further_line_of_a_json_file_belongs_to_no_record():
    assert told_of_first(TS + '"message":"x"}\nb pool', "app.jsonl", "pool") == OUT


def test_a_key_that_is_the_level_of_some_records_only_tells_nothing():
    lines = [TS + '"severity":"pool","level":"INFO","message":"x"}', TS + '"severity":"pool","message":"x"}']

    assert told_of_first("\n".join(lines), "app.jsonl", "pool") == DOUBTFUL


def test_words_between_a_stamp_that_is_no_time_and_one_that_is_are_not_taken_for_a_message():
    line = "2026-02-30 10:00:00 INFO po [30/Nov/2026:10:00:00 +0000] ol, pool"

    assert told_of_first(line, "app.log", "ol, pool") == SURE
    assert told_of_first(line, "app.log", "info po ol, pool") == DOUBTFUL
    assert told_of_first(line, "app.log", "2026-02-30") == DOUBTFUL


def test_words_that_two_parts_of_a_line_make_together_leave_a_block_to_be_read():
    data = b"1.2.3.4 - po [30/Nov/2026:10:00:00 +0000]ol"

    assert read_matches(data, PurePosixPath("app.log"), "pool") == {0}
    assert not survey(data, PurePosixPath("app.log"), REFERENCE).is_faithful


def test_more_keys_than_are_told_apart_leave_their_records_doubtful():
    row = TS + ",".join(f'"k{place}":"pool"' for place in range(120)) + "}"

    assert told_of_first(row, "app.jsonl", "pool") == DOUBTFUL


@pytest.mark.parametrize("name", ["app.log", "orders/app.jsonl"])
@pytest.mark.parametrize(("at_once", "near"), [(128 * 1024, (32, 256)), (7, (3,))])
@settings(max_examples=400, deadline=None)
@given(data=BLOCKS, contains=st.lists(NEEDLES, min_size=1, max_size=6))
def test_it_agrees_with_reading_every_record(name, at_once, near, data, contains):
    with pytest.MonkeyPatch.context() as patched:
        patched.setattr(text_hits, "_AT_ONCE", at_once)
        patched.setattr(json_values, "_NEAR", near)
        for one in contains:
            check(data, PurePosixPath(name), one)
