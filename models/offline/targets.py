"""What a narrow question looks for: an error or code it names, and a service that no source holds. Pure."""

import re

from models.offline.lexicon import ERROR_LEVELS, WARN_LEVELS

_CODE = re.compile(
    r"(?<![A-Za-z0-9_.:/-])(?:[A-Z]{2,}[-_]?\d{2,}|[1-5]\d\d(?=s?(?![A-Za-z0-9_:/.-]))(?!\s*(?:(?:ms|s|sec|seconds?|"
    r"minutes?|min|hours?|days?|MB|GB|times?)\b|[条次秒分小天个点月年]))|[A-Z][A-Z0-9_]{3,}|"
    r"[A-Za-z][A-Za-z0-9_.]*(?:Exception|Error)|0x[0-9a-fA-F]{2,}|[A-Za-z]+(?:_[A-Za-z0-9]+)+)"
)
_NO_CODE = (
    ERROR_LEVELS
    | WARN_LEVELS
    | frozenset("INFO DEBUG TRACE HTTP HTTPS REST JSON GRPC LOGS ERRORS UTC POST DELETE PATCH HEAD".split())
)
_NUMBER_BEFORE = (
    r"(?:\bHTTP(?:/[\d.]+)?|\bstatus(?:[ _]?code)?|\bcode|\bresponse|\berror|\breturn(?:s|ed)|\bgot|状态码?|"
    r"错误码?|返回|响应)[\"'\s:=(：]{1,4}"
)
_NUMBER_AFTER = (
    r"\s+(?:(?-i:[A-Z]{2})\b|bad gateway|gateway|service unavailable|internal|not found|forbidden|unauthorized|"
    r"too many|conflict|error|response|错误|响应)"
)
_GENERIC = frozenset(
    """the a an any all our your their this that these those last past next service services log logs logging file
    files system systems app apps application applications prod production staging test general total particular
    cluster node nodes server servers host hosts backend frontend database databases db table tables source sources
    data telemetry record records world window time hour hours minute minutes day days week weeks morning afternoon
    evening night today yesterday now row rows it them there here requests request responses errors error failures
    failure warnings warning exceptions exception memory disk cpu network monday tuesday wednesday thursday friday
    saturday sunday january february march april may june july august september october november december""".split()
)
_IN_ENGLISH = re.compile(
    r"\b(?:in|from|of|for|on|by|at)\s+(?:the\s+|our\s+)?(?P<name>[A-Za-z][\w.-]{1,60}?)"
    r"(?:[ -](?:service|app|api|logs?))?"
    r"(?=\s*(?:$|[?.,;!)])|\s+(?:in|during|since|between|over|within|at|from|after|before|today|yesterday|last|now|"
    r"recently|right|currently|around|until|or|and)\b)",
    re.IGNORECASE,
)
_IS_ENGLISH = re.compile(r"\b(?P<name>[A-Za-z][\w.-]{1,60})[ -](?:service|app|api)\b", re.IGNORECASE)
_IN_CHINESE = re.compile(
    r"(?<![\w.-])(?P<name>[A-Za-z][\w.-]{1,60})\s*(?:服务|应用|接口)|(?:^|[，,。\s]|小时|分钟|今天|昨天|天)\s*"
    r"(?P<bare>[A-Za-z][\w.-]{1,60})\s*(?:服务|应用|里|中|上|的|最近|今天|昨天|过去|在|有没有|是否|有无|有)"
)
_SERVICE_ZH = re.compile(r"(?P<name>[\u3400-\u9fff]{2,16}?(?:服务|应用|系统))")
_BEFORE_ZH = re.compile(
    r"^.*(?:小时|分钟|半天|今天|昨天|前天|刚才|刚刚|现在|最近|过去|之内|以内|以来|开始|之后|之前|是否|有没有|有无|哪些|"
    r"看看|查一下|请问|[在从里中内天点的])"
)
_GENERIC_ZH = frozenset(
    "服务 应用 系统 该服务 这个服务 哪个服务 所有服务 各服务 本系统 我们系统 线上服务 全部服务".split()
)
_MIN_ZH = 2


def named_code(text: str, names: str = "") -> str:
    """The error, code or identifier that the text names and is no known name; empty if it names none."""
    for match in _CODE.finditer(text):
        word = match.group()
        if word.upper() not in _NO_CODE and (word.isdigit() or not holds_word(names, word)):
            return word
    return ""


def unheld_service(text: str, names: str) -> str:
    """The service the text names that ``names`` (all that the catalogue says) lacks; empty if there is none."""
    found = [m.group("name") for pattern in (_IN_ENGLISH, _IS_ENGLISH) for m in pattern.finditer(text)]
    found += [m.group("name") or m.group("bare") for m in _IN_CHINESE.finditer(text)]
    latin = (n for n in found if n.lower() not in _GENERIC and not _CODE.fullmatch(n) and not holds_word(names, n))
    return next(latin, "") or next((name for name in _chinese_services(text) if name not in names), "")


def _chinese_services(text: str) -> list[str]:
    stripped = [_BEFORE_ZH.sub("", m.group("name")) for m in _SERVICE_ZH.finditer(text)]
    return [name for name in stripped if len(name) >= _MIN_ZH + 2 and name not in _GENERIC_ZH]


def holds_code(text: str, code: str) -> bool:
    """True if the text holds the code as a whole word; a bare number only where the words around it make it a code."""
    if not code.isdigit():
        return holds_word(text, code)
    return (
        re.search(
            _NUMBER_BEFORE + code + r"(?![\d.]|\s*[a-z]*s\b)|(?<![\d.])" + code + _NUMBER_AFTER, text, re.IGNORECASE
        )
        is not None
    )


def holds_word(text: str, word: str) -> bool:
    """True if the text holds the word as a whole one, whatever its letter case."""
    return re.search(rf"(?<![A-Za-z0-9_]){re.escape(word)}(?![A-Za-z0-9_])", text, re.IGNORECASE) is not None
