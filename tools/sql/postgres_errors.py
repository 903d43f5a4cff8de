"""What an SQLSTATE of PostgreSQL means as a tool error. Pure, a table."""

from state.model.enums import ToolCode

_BY_STATE = {
    "57014": ToolCode.TOOL_TIMEOUT,  # statement_timeout, or our own cancel request
    "55P03": ToolCode.TOOL_TIMEOUT,  # lock_timeout: somebody changes the table's definition
    "25P03": ToolCode.TOOL_TIMEOUT,
    "42883": ToolCode.INVALID_REQUEST,  # no such function or operator for the type
    "42804": ToolCode.INVALID_REQUEST,
    "42725": ToolCode.INVALID_REQUEST,
    "42P18": ToolCode.INVALID_REQUEST,
    "42P08": ToolCode.INVALID_REQUEST,
}
_BY_CLASS = {"22": ToolCode.INVALID_REQUEST}
"""Data exceptions: a value that is none of the column's type."""


def code_of_state(state: str | None) -> ToolCode:
    """The code; TOOL_EXECUTION_ERROR for every other state, and for an error without one (the connection)."""
    known = _BY_STATE.get(state or "") or _BY_CLASS.get((state or "")[:2])
    return known or ToolCode.TOOL_EXECUTION_ERROR


_ACCOUNT = "the server refuses the account or its password"
_DATABASE = "there is no such database"
_REASONS = {
    "28": _ACCOUNT,
    "3D": _DATABASE,
    "42": "the account may not read the server's catalogue",
    "53": "the server has no connection left",
    "57": "the server is starting or stopping",
}
_WORDS = (
    ("authentication failed", _ACCOUNT),
    ("no password supplied", _ACCOUNT),
    ("pg_hba.conf", _ACCOUNT),
    ('FATAL:  role "', _ACCOUNT),
    ("permission denied for database", _ACCOUNT),
    ('FATAL:  database "', _DATABASE),
    ("SSL", "its TLS is not as required"),
    ("certificate", "its TLS is not as required"),
    ("refused", "nothing listens there"),
)
_OTHER = "the server cannot be reached, is no PostgreSQL, or refuses the account or its TLS"


def reason_of(state: str | None, said: str) -> str:
    """Why the server could not be opened. While connecting there is no state, only what was said, in some language."""
    told = _REASONS.get((state or "")[:2])
    return told or next((reason for words, reason in _WORDS if words in said), _OTHER)
