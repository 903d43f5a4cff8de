"""Records whose bytes do not show what their text says are found in large files all the same."""

import asyncio
from datetime import UTC, datetime

import pytest

from state.model.evidence import Window
from tests.tools.logs.conftest import NOW
from tools.logs import folder_source
from tools.logs.folder_source import FolderLogSource
from tools.logs.port import LogQuery

DAY = Window(start=datetime(2026, 11, 30, tzinfo=UTC), end=datetime(2026, 12, 1, tzinfo=UTC))
AROUND = [f"2026-11-30 10:00:{second:02} INFO usual".encode() for second in range(40)]
JSON = '{"ts":"2026-11-30T10:00:20Z",'


@pytest.mark.parametrize("name", ["app.log", "app.jsonl"])
@pytest.mark.parametrize(
    ("lines", "filters"),
    [
        (JSON + '"message":"\\u0065xhausted"}', {"contains": "exhausted"}),
        (JSON + '"message":"\\u8fde\\u63a5\\u6c60"}', {"contains": "连接池"}),
        (JSON + '"message":"\u212aelvin"}', {"contains": "kelvin"}),
        (JSON + '"message":"\\u212aelvin"}', {"contains": "kelvin"}),
        (JSON + '"message":"x","n":1e5}', {"contains": "100000.0"}),
        (JSON + '"message":"x","n":[{"m":12345678901234567890.0}]}', {"contains": "1.2345678901234567e"}),
        (" " + JSON + '"message":"x","n":1e5}', {"contains": "100000.0"}),
        ("\ufeff" + JSON + '"message":"x","n":1e5}', {"contains": "100000.0"}),
        ("2026-11-30 10:00:20 INFO x\n " + JSON + '"kind":"DETAIL","message":{"n":1e5}}', {"contains": "100000.0"}),
        (JSON + '"message":"x","password":"hunter2"}', {"contains": "redacted"}),
        (JSON + '"message":"x","d":{"password":"hunter2"}}', {"contains": "redacted"}),
        (JSON + '"message":"x","d":["mail jane@example.com now"]}', {"contains": "redacted:email"}),
        ("2026-11-30 10:00:20 INFO x\n" + "\tat com.shop.A.m(A.java)\n" * 130, {"contains": "127 frames"}),
        (JSON + '"message":"x' + "\\n\\tat a.m(A)" * 130 + '"}', {"contains": "127"}),
        (JSON + '"message":"x","level":50}', {"level": "ERROR"}),
        (JSON + '"message":"x","level":"E"}', {"level": "ERROR"}),
        (JSON + '"message":"x","level":"\\u0045RROR"}', {"level": "ERROR"}),
        (JSON + '"message":"Exhausted"}\nCaused by: other\n  and more', {"contains": "exhausted"}),
        (JSON + '"message":"Exhausted"}\nCaused by: Exhausted', {"contains": "exhausted"}),
        (JSON + '"message":"x"}\nCaused by: Exhausted', {"contains": "exhausted"}),
        ("E1130 10:00:20.000000 1 a.go:1] x", {"level": "ERROR"}),
        ('1.2.3.4 - - [30/Nov/2026:10:00:20 +0000] "GET / HTTP/1.1" 503 12', {"level": "ERROR"}),
        ("1.2.3.4 - abc [30/Nov/2026:10:00:20 +0000]def", {"contains": "abcdef"}),
        ("2026-11-30 10:00:20 连接池耗尽".encode("gb18030"), {"contains": "连接池耗尽"}),
        (b"2026-11-30 10:00:20 POOL exhausted", {"contains": "pool EXHAUSTED"}),
        ("2026-11-30 10:00:20 UTC [7] a@b ERROR:  x\n2026-11-30 10:00:20 UTC [7] a@b DETAIL:  Exhausted.",
         {"contains": "detail: exhausted"}),
    ],
)  # fmt: skip
def test_it_is_found_as_in_a_file_held_whole(tmp_path, monkeypatch, name, lines, filters):
    (tmp_path / name).write_bytes(
        b"\n".join([*AROUND[:20], lines if isinstance(lines, bytes) else lines.encode(), *AROUND[20:]])
    )
    query = LogQuery(window=DAY, **filters)
    whole = asyncio.run(FolderLogSource("logs", tmp_path, time_zone="UTC", now=NOW).search(query))
    monkeypatch.setattr(folder_source, "WHOLE_FILE_BYTES", 0)

    found = asyncio.run(FolderLogSource("logs", tmp_path, time_zone="UTC", now=NOW).search(query))

    assert found == whole
    assert name == "app.jsonl" or found.total == 1
