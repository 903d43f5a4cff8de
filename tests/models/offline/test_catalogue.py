"""What tool schemas and descriptions of different wording say can be asked."""

from models.offline.catalogue import read_toolbox

LOGS = """Search log records of one source.
source logs: 2026-02-04T11:35:00+08:00 to 2026-02-04T14:43:44+08:00; services: chronyd, pay-api, nginx-access
  chronyd: 10 lines, 2026-02-04T11:35:17+08:00 to 2026-02-04T14:19:27+08:00, INFO
"""
SQL = """Read rows of one datasource. Allowed: COUNT(*), SUM, LIMIT 1 to 100.
paydb (sqlite):
- deployments(id INTEGER key, service TEXT, started_at TEXT [2025-11-06T11:46:25Z to 2026-02-04T05:53:36Z])
- users(id INTEGER key, email TEXT masked, created_at TEXT)
- bare(a, b, c)
"""


def tool(name, description, inputs=()):
    inner = {"type": "object", "properties": {i: {"type": "string"} for i in inputs}, "required": list(inputs)}
    parameters = {"type": "object", "properties": {"input": {"$ref": "#/$defs/In"}}, "$defs": {"In": inner}}
    return {"type": "function", "function": {"name": name, "description": description, "parameters": parameters}}


BOX = read_toolbox([tool("query_logs", LOGS, ("source",)), tool("query_sql", SQL, ("datasource", "sql")), 7, {}])


def test_sources_and_services_are_read_from_the_description():
    assert BOX.log_sources == ("logs",)
    assert BOX.services == ("chronyd", "pay-api", "nginx-access")


def test_tables_belong_to_their_datasource():
    assert [(table.datasource, table.name) for table in BOX.tables] == [
        ("paydb", "deployments"),
        ("paydb", "users"),
        ("paydb", "bare"),
    ]


def test_time_column_carries_the_latest_stored_value():
    assert BOX.tables[0].time_column.name == "started_at"
    assert BOX.tables[0].time_column.latest == "2026-02-04T05:53:36Z"


def test_masked_column_is_known_as_such():
    assert [column.is_masked for column in BOX.tables[1].columns] == [False, True, False]


def test_references_in_schemas_are_followed():
    assert BOX.specs["query_sql"].required == ("datasource", "sql")


def test_tools_that_are_none_are_left_out():
    assert set(BOX.specs) == {"query_logs", "query_sql"}
