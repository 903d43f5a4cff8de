"""How an agent searches: honest walks, searches without end, and every way to break the protocol. Pure generators."""

import json
from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace

from eval.adversary.agents.case import Case, Request
from eval.adversary.agents.wire import Json
from worlds.generate.dice import Dice


@dataclass(frozen=True)
class Ask:
    """One message that asks for evidence."""

    tool: object
    input: object
    gain: object = "GAINED"
    """What is said of the last result, where that is due."""
    raw: object = None
    """Sent as arguments instead of the envelope, if not None."""
    call_id: object = None
    """None: the next one in order."""
    extra: tuple[Request, ...] = ()
    """Further calls in the same message."""
    previous: object = None
    """Sent as ``previous_observation`` instead of the right one, if not None."""


Moves = Iterator[Ask]
Search = Callable[[Case, Dice], Moves]


def walk(case: Case, dice: Dice) -> Moves:
    """The requests that the reference draft cites."""
    yield from (Ask(*case.walk[position]) for position in case.cited)


def short_walk(case: Case, dice: Dice) -> Moves:
    """Some of them."""
    cited = case.cited
    yield from (Ask(*case.walk[position]) for position in cited[: dice.randint(1, len(cited))])


def with_failure(case: Case, dice: Dice) -> Moves:
    """The walk with requests in it that fail."""
    yield from walk(case, dice)
    yield Ask(*dice.choice(_failing(case)))


def with_nothing(case: Case, dice: Dice) -> Moves:
    """The walk with a search that finds nothing."""
    yield from walk(case, dice)
    yield Ask(*_empty(case, dice))


def recycling(case: Case, dice: Dice) -> Moves:
    """The walk, every call of it under the same id."""
    yield from (replace(ask, call_id="call_1") for ask in walk(case, dice))


def endless(case: Case, dice: Dice) -> Moves:
    """A new valid search every time, each called a gain."""
    while True:
        yield Ask(*_probe(case, dice))


def rephrasing(case: Case, dice: Dice) -> Moves:
    """One search in ever other words."""
    words = (case.question.split() if not case.is_zh else list(case.question)) or ["error"]
    yield Ask(*case.walk[case.cited[0]])
    while True:
        dice.shuffle(words)
        text = " ".join(words[: dice.randint(2, len(words))])
        yield Ask("lookup_knowledge", {"query": text}, gain=dice.choice(("GAINED", "GAINED", "NO_GAIN")))


def alternating(case: Case, dice: Dice) -> Moves:
    """Two searches, one after the other, again and again."""
    first, second = _probe(case, dice), _probe(case, dice)
    while True:
        yield Ask(*first)
        yield Ask(*second)


def breaking(case: Case, dice: Dice) -> Moves:
    """One to six broken calls, then an honest walk."""
    for _ in range(dice.randint(1, 6)):
        yield _broken(case, dice)
    yield from walk(case, dice)


def _probe(case: Case, dice: Dice) -> Request:
    """Some valid request: one of the walk, or one like it for another service, level, table or word."""
    tool, given = dice.choice(case.walk)
    changed: Json = dict(given)
    if tool == "query_logs":
        changed["service"] = dice.choice((*case.services, None))
        changed["level"] = dice.choice(("INFO", "WARN", "ERROR", None))
        changed["contains"] = dice.choice((None, None, "timeout", "error", "pool", "slow"))
    if tool == "lookup_knowledge":
        changed["query"] = f"{dice.choice(case.services)} {dice.choice(('timeout', 'slow', 'lock', 'leak', '超时'))}"
    if tool == "query_sql" and "LIMIT" not in str(given.get("sql")):
        changed["sql"] = f"{given['sql']} LIMIT {dice.randint(2, 40)}"
    return tool, changed


def _failing(case: Case) -> tuple[Request, ...]:
    source = next((given.get("source") for tool, given in case.walk if tool == "query_logs"), "logs")
    datasource = next((given.get("datasource") for tool, given in case.walk if tool == "query_sql"), "db")
    return (
        ("query_logs", {"source": source, "service": "ghost-service-7"}),
        ("query_metrics", {"metric": "no_such_metric_total"}),
        ("query_sql", {"datasource": datasource, "sql": "SELECT nothing FROM nowhere"}),
        ("query_logs", {"source": source, "start": "2031-01-01T00:00:00Z", "end": "2031-01-02T00:00:00Z"}),
    )


def _empty(case: Case, dice: Dice) -> Request:
    tool, given = next(((tool, given) for tool, given in case.walk if tool == "query_logs"), case.walk[0])
    return tool, {**given, "contains": f"zq{dice.randint(100, 999)}xv", "level": None}


def _broken(case: Case, dice: Dice) -> Ask:
    tool, given = dice.choice(case.walk)
    right = {"previous_observation": None, "input": given}
    choices: tuple[Ask, ...] = (
        Ask(dice.choice(("python", "bash", "publish_report", "query_logs ", "QUERY_LOGS", "", "x" * 200)), given),
        Ask(None, given),
        Ask(tool, given, raw=json.dumps(given)),
        Ask(tool, given, raw=given),
        Ask(tool, given, raw=dice.choice(("", "{", "null", "[]", '{"input":{}}{"input":{}}', '{"input":NaN}'))),
        Ask(tool, given, raw=json.dumps({**right, "next_action": "release"})),
        Ask(tool, given, raw=json.dumps({**right, "pad": "x" * 40_000})),
        Ask(tool, given, raw='{"input":{},"input":{"source":"../../etc/passwd"}}'),
        Ask(tool, dice.choice((None, [], "all", 7))),
        Ask(tool, given, previous=dice.choice(("GAINED", 7, [], {"tool_call_id": "call_99"}))),
        Ask(tool, given, previous={"tool_call_id": "call_99", "information_gain": "GAINED"}),
        Ask(tool, given, gain=dice.choice(("MAYBE", "gained", "", None, 1))),
        Ask(tool, given, call_id=dice.choice(("", "a" * 300, "../../x", 7, "call 1", "call_1\u0000", "{}"))),
        Ask(tool, given, call_id="call_1"),
        Ask(tool, given, extra=tuple(dice.choice(case.walk) for _ in range(dice.randint(1, 40)))),
        Ask(tool, given, extra=(("submit_diagnosis", {"conclusion": None}),)),
        Ask(*dice.choice(_forbidden(case))),
    )
    return dice.choice(choices)


def _forbidden(case: Case) -> tuple[Request, ...]:
    """What no tool may do."""
    datasource = next((given.get("datasource") for tool, given in case.walk if tool == "query_sql"), "db")
    statements = (
        "DROP TABLE deployments",
        "SELECT 1; DELETE FROM deployments",
        "UPDATE deployments SET status = 'x'",
        "ATTACH DATABASE '/tmp/x' AS x",
        "PRAGMA writable_schema = 1",
        "SELECT load_extension('x')",
        "SELECT * FROM sqlite_master",
    )
    queries: tuple[Request, ...] = tuple(("query_sql", {"datasource": datasource, "sql": sql}) for sql in statements)
    return (
        *queries,
        ("query_logs", {"source": "../../etc/passwd"}),
        ("query_logs", {"source": "logs", "limit": 10**9, "contains": "a" * 9000}),
        ("lookup_knowledge", {"query": "x" * 9000, "category": "../.."}),
        ("query_metrics", {"expr": "label_replace(up, 'a', 'b', 'c', 'd')"}),
    )
