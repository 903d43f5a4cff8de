"""What a row's columns tell of failures: codes, states and messages by the names people give such columns. Pure."""

import re
from collections.abc import Mapping

from models.offline.loose import Scalar

_CODE = re.compile(
    r"^(?:error|err|failure|fail|exception|reject\w*|decline\w*|reason)_?(?:code|type|class|kind|name)?$", re.I
)
_STATE = re.compile(r"(?:^|_)(?:status|state|outcome|result)$", re.IGNORECASE)
_MESSAGE = re.compile(r"(?:error|failure|exception)_?(?:message|text|detail\w*|msg)|last_error", re.IGNORECASE)
_FAILED = re.compile(
    r"fail|error|reject|refus|declin|denied|timed? ?_?out|abort|expired|crash|dead|invalid|bounced|失败|错误|拒绝|超时|异常",
    re.IGNORECASE,
)
_NOTHING = frozenset({"", "0", "none", "ok", "null", "success", "n/a"})


def is_code_column(name: str) -> bool:
    """True for a column that says in one word why something failed."""
    return _CODE.search(name) is not None


def is_state_column(name: str) -> bool:
    """True for a column that says how something ended."""
    return _STATE.search(name) is not None


def is_message_column(name: str) -> bool:
    """True for a column that tells a failure in words."""
    return _MESSAGE.search(name) is not None


def reason_of(fields: Mapping[str, Scalar]) -> tuple[str, Scalar]:
    """The column that says that, or why, the row failed, with its value; ("", None) for a row that did not fail."""
    for is_column in (is_code_column, is_message_column):
        for name, value in fields.items():
            if is_column(name) and value is not None and str(value).strip().lower() not in _NOTHING:
                return name, value
    for name, value in fields.items():
        if is_state_column(name) and isinstance(value, str) and _FAILED.search(value):
            return name, value
    return "", None


def counted(fields: Mapping[str, Scalar]) -> tuple[int, str, str]:
    """Count, first and last time of a row that stands for many; (0, "", "") for a row that is one."""
    low = {name.lower(): value for name, value in fields.items()}
    count = next((value for name, value in low.items() if name.startswith("count(")), None)
    if not isinstance(count, int) or isinstance(count, bool):
        return 0, "", ""
    first, last = (next((str(v) for n, v in low.items() if n.startswith(f"{word}(")), "") for word in ("min", "max"))
    return count, first, last
