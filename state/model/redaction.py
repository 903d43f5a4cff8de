"""Removes secrets and personal data from text and JSON, for good, before anything is stored. Pure.

Infrastructure identifiers are another matter: they become reversible placeholders (``state.model.placeholders``).
"""

import re
from functools import lru_cache

from state.model.placeholders import PlaceholderMap, mask, mask_json, unmask, unmask_json
from state.model.secret_rule import SecretRule
from state.model.secret_rules import SECRET_RULES
from state.model.stack_tail import drop_stack_tail

__all__ = [
    "PlaceholderMap",
    "drop_stack_tail",
    "is_clean",
    "is_sensitive_key",
    "mask",
    "mask_json",
    "redact_json",
    "redact_text",
    "unmask",
    "unmask_json",
]

_SENSITIVE_ENDS = (
    "password", "passwd", "pwd", "passphrase", "secret", "token", "apikey", "accesskey", "accesskeyid", "secretkey",
    "privatekey", "accountkey", "authkey", "signingkey", "encryptionkey", "authorization", "cookie", "credential",
    "credentials", "sessionid", "email", "emailaddress", "idcard", "idcardno", "phone", "phonenumber", "mobile",
    "msisdn", "cardnumber", "cvv", "ssn", "passwords", "passcode", "passwort", "secretkeybase", "iban", "dob",
    "cardholder", "密码", "口令", "令牌", "密钥", "手机号", "身份证", "身份证号", "邮箱",
)  # fmt: skip
_HARMLESS_KEYS = frozenset({"pagetoken", "nextpagetoken", "cancellationtoken"})
_SHORT_KEY = re.compile(
    r"(?:^|[^A-Za-z])(?i:(?:db|pg|user|smtp|mail|root|admin|redis|mysql)?pass|pw)$|[a-z](?:Pass|P[wW])$"
)
_NOT_WORD = re.compile(r"[^a-z0-9\u4e00-\u9fff]+")


@lru_cache(maxsize=4096)
def is_sensitive_key(key: str) -> bool:
    """True if the value under this JSON key, column or field name is a secret or personal, whatever it looks like."""
    bare = _NOT_WORD.sub("", key.lower())
    return bool(bare.endswith(_SENSITIVE_ENDS) and bare not in _HARMLESS_KEYS) or bool(_SHORT_KEY.search(key))


def redact_text(text: str) -> str:
    """``text`` with every secret replaced by ``[REDACTED:<rule>]``; everything else unchanged. Idempotent."""
    for rule in SECRET_RULES:
        text = _apply(rule, text)
    return text


def is_clean(text: str) -> bool:
    """True if the text holds no secret and never held one: nothing in it is, or stands for, a removed secret."""
    return "[REDACTED:" not in redact_text(text)


def redact_json(value: object) -> object:
    """The same JSON value with secrets removed from all strings, and whole values removed under sensitive keys.

    null, booleans and empty strings stay under any key; object keys are cleaned too.
    """
    if isinstance(value, str):
        return redact_text(value)
    if isinstance(value, list | tuple):
        return [redact_json(part) for part in value]
    if isinstance(value, dict):
        return {redact_text(str(key)): _redact_member(str(key), part) for key, part in value.items()}
    return value


def _redact_member(key: str, value: object) -> object:
    return _blank(value) if is_sensitive_key(key) else redact_json(value)


def _blank(value: object) -> object:
    """Every string and number of the value replaced; its shape stays."""
    if value is None or isinstance(value, bool) or value == "":
        return value
    if isinstance(value, list | tuple):
        return [_blank(part) for part in value]
    if isinstance(value, dict):
        return {redact_text(str(key)): _blank(part) for key, part in value.items()}
    return value if isinstance(value, str) and value.startswith("[REDACTED:") else "[REDACTED:key]"


def _apply(rule: SecretRule, text: str) -> str:
    def replaced(match: re.Match[str]) -> str:
        secret = match["secret"]
        if not rule.accepts(secret) or secret.startswith("[REDACTED:"):
            return match[0]
        start, end = match.span("secret")
        return f"{match[0][: start - match.start()]}[REDACTED:{rule.name}]{match[0][end - match.start() :]}"

    return rule.pattern.sub(replaced, text)
