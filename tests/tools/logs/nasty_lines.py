"""Lines of log files that are hard to judge by their bytes: for property tests against reading every record."""

import json
from datetime import UTC, datetime, timedelta

from hypothesis import strategies as st

T0 = datetime(2026, 11, 30, 10, tzinfo=UTC)
SECONDS = st.integers(0, 59)
TAME = st.sampled_from(["pool", "Pool size", "POOL", "tenant", "orders", "size pool", "error"])
WORDS = TAME | TAME | st.sampled_from(
    ["pool", "Pool", "POOL", "pool size", "orders", "error", "ERROR", "level", "message", "tenant", "info", "true", "null", "1.50",
     "连接池", "Ünder", "ünder", "k", "\u212a", "\u0130x", "2026-11-30", "a/b", "a=b", "[pool]", "{pool}", "pool:", ": ", ", ", "at pool(",
     "reset)", "12345", "503", "100000.0", "frames", "dropped", "x" * 30, "password=pool", "kind", "poolpool", "pool\x85", "pool\u3000", "-", "."]
)  # fmt: skip
TEXTS = st.lists(WORDS, min_size=1, max_size=4).map(" ".join)
LONG = st.builds(lambda text, n, end: text + "." * n + end, TEXTS, st.sampled_from([300, 590, 620, 5000]), TEXTS)
NEEDLES = (
    WORDS
    | TEXTS
    | st.sampled_from(
        ["npool", "tpool", "ntenant", "bpool size", "u00e9", "last", "pool.last", "tenant=t1", "pool trace", "size=pool", 'say "pool"', "pool\\", "pool\n", "\npool", "pool ", " pool", "ool", "warn", "ts",
         "service", "pay", "10:00", "2026-11-30t10", "[worker-1]", "host", "app[7]", "detail: pool", "pool at", "dropped", "ol_", "_pool",
         "redacted:key", "email", "token", "2 frames", "... 3", "3 frames dropped", "file", "line", "caused by", "com.shop.pool", "redacted", "msg", "severity", "frames dropped", "@timestamp"]
    )
)  # fmt: skip
"""Texts that are asked for."""

_ESCAPED = st.sampled_from(
    [
        "",
        "",
        "",
        '\\"',
        "\\\\",
        "\\n",
        "\\t",
        "\\/",
        "\\u0070ool",
        "\\u00e9",
        "\\u8fde",
        "\\ud800",
        "\\b",
        "\\u000a",
        '\\"pool\\": \\"',
        "\\\\n",
    ]
)
_STRING = st.builds(
    lambda parts: '"' + "".join(parts) + '"',
    st.lists(TEXTS.map(lambda text: json.dumps(text, ensure_ascii=False)[1:-1]) | _ESCAPED, min_size=1, max_size=3)
    | LONG.map(lambda text: [json.dumps(text, ensure_ascii=False)[1:-1]]),
)  # fmt: skip
_FRAMES_IN_STRING = st.sampled_from(
    ['"  File \\"pool.py\\", line 1\\n  File \\"b.py\\", line 2\\n  File \\"c\\", line 3\\n  File \\"d\\", line 4"',
     '"pool\\n\\tat a.b(c)\\n\\tat pool.b(c)\\n\\tat a.b(d)\\n\\tat pool.c(e)\\n\\tat pool.last(f)"']
)  # fmt: skip
_SCALARS = st.sampled_from(["1", "1.5", "true", "null", '""', "12345", "0.1", "-7"] * 3 + ["1.50", "1e5", "-0"])
_NESTED = st.builds(
    lambda key, value, wrap: wrap.replace("@", f'"{key}": {value}'),
    st.sampled_from(["message", "tenant", "pool", "level", "v", "password"]),
    _STRING,
    st.sampled_from(["{@}", "[{@}]", '{"a": {@}, "b": "pool"}', '{@, "n": 1.50}', '["pool", {@}]']),
)
_VALUES = _STRING | _STRING | _STRING | _SCALARS | _NESTED | _FRAMES_IN_STRING
_KEYS = st.sampled_from(
    ["message", "message", "msg", "log", "event", "tenant", "pool", "pool", "host", "password", "user_token", "level", "lvl", "service",
     "app", "kind", "pid", "trace", "连接池", "a b", ":", ", ", "", "pool size", "mess\\u0061ge", "log.level", "x\\\"level", "x\\\"message", "time", "date"]
)  # fmt: skip
_STAMP_KEYS = st.sampled_from(["ts", "ts", "timestamp", "@timestamp", "time"])
_SEPARATORS = st.sampled_from([(", ", ": ")] * 6 + [(",", ":")] * 4 + [(" , ", " : "), (",", ":  "), (", ", ":\t")])
_LEVELS = st.sampled_from(["INFO", "INFO", "info", "WARN", "ERROR", "error"])
_SERVICES = st.sampled_from(["orders", "pay", "pool"])


@st.composite
def json_lines(draw: st.DrawFn) -> str:
    """A JSON object, mostly a record."""
    comma, colon = draw(_SEPARATORS)
    at = T0 + timedelta(seconds=draw(SECONDS))
    fields = [(draw(_STAMP_KEYS), f'"{at.isoformat()}"')]
    if draw(st.booleans()):
        fields.append(("level", f'"{draw(_LEVELS)}"'))
    if draw(st.booleans()):
        fields.append(("service", f'"{draw(_SERVICES)}"'))
    fields += draw(st.lists(st.tuples(_KEYS, _VALUES), min_size=1, max_size=4))
    if draw(st.integers(0, 4)) == 0:
        fields = draw(st.permutations(fields))
    line = "{" + comma.join(f'"{key}"{colon}{value}' for key, value in fields) + "}"
    return draw(st.sampled_from([line] * 30 + [line[:-1], " " + line, "\ufeff" + line, line + " ", line + "\r"]))


_FORMS = st.sampled_from(
    ["{stamp} INFO {text}"] * 4
    + ["{stamp} ERROR [worker-1] {text}", "{stamp},123 [main] WARN {text}", "{stamp} {text}", "{stamp} INFO  {text}\r", "{stamp}Z DEBUG {text} ",
       "{stamp} UTC [7] a@b ERROR:  {text}", "{stamp} UTC [7] a@b DETAIL:  {text}", "{stamp} UTC [8] a@b STATEMENT:  {text}",
       "Nov 30 10:00:{second:02} host app[7]: {text}", 'time="2026-11-30T10:00:{second:02}Z" level=warn msg="{text}" pool={text}',
       't=2026-11-30T10:00:{second:02}Z kind=DETAIL msg="{text}"', '1.2.3.4 - {text} [30/Nov/2026:10:00:{second:02} +0000] "GET /{text}" 503 12',
       '1.2.3.4 - - [30/Nov/2026:10:00:{second:02} +0000] "{text}" 200 ', "E1130 10:00:{second:02}.000000 1 pool.go:1] {text}",
       "2026-02-30 10:00:00 INFO {text} [30/Nov/2026:10:00:{second:02} +0000] {text}", "1950-01-01 10:00:{second:02} INFO {text}",
       '{stamp} INFO   File "pool.py", line 3 {text}', 'Nov 30 10:00:{second:02} host app[7]:   File "{text}", line 3',
       "30-Nov-2026 10:00:{second:02}.000 WARN {text} ", "\ufeff{stamp} INFO {text}"]
)  # fmt: skip
STAMPED = st.builds(
    lambda second, form, text: form.format(
        stamp=f"{T0 + timedelta(seconds=second):%Y-%m-%d %H:%M:%S}", second=second, text=text
    ),
    SECONDS,
    _FORMS,
    TEXTS | TEXTS | TEXTS | LONG | st.just("pool" + "." * 16_380 + "pool"),
)
FURTHER = st.one_of(
    st.builds(str.format, st.sampled_from(["\tat com.shop.{0}(A.java:1)", "at {0}(a)", "Caused by: {0}", "{0}", "  {0}", "\t{0}.go:12", "x {0})",
                                           '  File "{0}", line 3', "    {0}", "... 3 more", "java.io.X: {0}", "{0}\r", "time {0}", "File {0}",
                                           "b {0})\r"]), TEXTS),
    st.builds(lambda text, n: "\n".join([f"\tat com.shop.{text}(A.java:{place})" for place in range(n)]), TEXTS, st.integers(3, 6)),
    st.builds(lambda text, n: "\n".join([f'  File "{text}.py", line {place}\n    {text}' for place in range(n)]), TEXTS, st.integers(3, 6)),
    st.builds(lambda text, n: "\n".join([f"main.{text}()\n\t/a/{text}.go:{place}" for place in range(n)]), TEXTS, st.integers(3, 6)),
    st.builds(lambda text, n: "y " * n + text, TEXTS, st.sampled_from([2000, 2040, 8180])),
    st.sampled_from(["", " ", "\u3000", '{"ts":"2026-', '{"message":"pool"}', "[[[[", '{"ts":"no","message":"pool"}']),
)  # fmt: skip
LINES = st.one_of(json_lines(), json_lines(), STAMPED, STAMPED, FURTHER)
RAW = LINES.map(str.encode) | LINES.map(str.encode) | LINES.map(str.encode) | st.sampled_from(
    [b"\xff\xff\xff", "2026-11-30 10:00:09 连接池 pool".encode("gb18030"), b"2026-11-30 10:00:09 INFO pool \x00"]
)  # fmt: skip
TAME_JSON = st.lists(
    st.builds(
        lambda second, keys, texts, nested: json.dumps(
            {"ts": f"2026-11-30T10:00:{second:02}Z"} | dict(zip(keys, texts, strict=False)) | nested
        ),
        SECONDS,
        st.permutations(["message", "level", "tenant", "service", "msg", "pool", "app"]),
        st.lists(TAME, min_size=2, max_size=6),
        st.sampled_from(
            [{}, {}, {}, {"n": 7}, {"d": {"message": "pool"}}, {"kind": "pool"}, {"d": [{"pool": "tenant pool"}]}]
        ),
    ).map(str.encode),
    min_size=3,
    max_size=12,
)
ALIKE = TAME_JSON | st.one_of(
    st.lists(json_lines().map(str.encode), max_size=12), st.lists(STAMPED.map(str.encode), max_size=12)
)
"""Lines of one kind: so that nothing odd spoils what is known of all of them."""
FRAMED = st.lists(st.tuples(st.builds("2026-11-30 10:00:0{} INFO {}".format, st.integers(0, 9), TEXTS), st.lists(FURTHER, max_size=4)), max_size=6).map(
    lambda records: [line.encode() for first, further in records for line in (first, *further)]
)  # fmt: skip
"""Records of several lines."""
BLOCKS = (st.lists(RAW, max_size=12) | ALIKE | ALIKE | FRAMED).map(b"\n".join)
ORDERED = st.lists(st.builds("2026-11-30 10:00:{:02} {} {}".format, SECONDS, st.sampled_from(["INFO", "ERROR", "WARN"]), TEXTS), max_size=20).map(
    lambda lines: [line.encode() for line in sorted(lines)]
) | TAME_JSON.map(sorted)  # fmt: skip
"""Records in time order."""
