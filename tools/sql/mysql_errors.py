"""What an error number of MySQL or MariaDB means as a tool error. Pure, a table."""

from state.model.enums import ToolCode

_BY_NUMBER = {
    1205: ToolCode.TOOL_TIMEOUT,  # lock_wait_timeout: somebody changes the table's definition
    1317: ToolCode.TOOL_TIMEOUT,  # the statement was killed
    1927: ToolCode.TOOL_TIMEOUT,  # the connection was killed
    1969: ToolCode.TOOL_TIMEOUT,  # MariaDB's max_statement_time
    3024: ToolCode.TOOL_TIMEOUT,  # MySQL's max_execution_time
    1292: ToolCode.INVALID_REQUEST,  # a value that is none of the column's type
    1411: ToolCode.INVALID_REQUEST,
    1525: ToolCode.INVALID_REQUEST,
    1690: ToolCode.INVALID_REQUEST,
    1267: ToolCode.INVALID_REQUEST,  # collations that cannot be compared
}


def code_of_number(number: object) -> ToolCode:
    """The code; TOOL_EXECUTION_ERROR for every other number, and for an error without one."""
    return _BY_NUMBER.get(number, ToolCode.TOOL_EXECUTION_ERROR) if isinstance(number, int) else _OTHER


_OTHER = ToolCode.TOOL_EXECUTION_ERROR


_REASONS = {
    **dict.fromkeys((1045, 1698, 1524, 1251), "the server refuses the account or its password"),
    1044: "the account may not use this database",
    1049: "there is no such database",
    **dict.fromkeys((1040, 1203, 1226), "the server has no connection left"),
    2026: "its TLS is not as required",
}


def reason_of_number(number: object) -> str:
    """Why the server could not be opened."""
    other = "the server cannot be reached, is no MySQL or MariaDB, or its TLS is not as required"
    return _REASONS.get(number, other) if isinstance(number, int) else other
