"""Which columns are masked because of their name. Pure.

Errs to masking; a column that only measures something about a secret (``token_count``, ``email_sent_at``) is not one.
"""

import re

MASK = "[MASKED]"
"""Stands for every value of a sensitive column, NULL included: not even absence is told."""

_WORDS = frozenset(
    "password passwords passwd passphrase passwort passcode pwd pw secret secrets "
    "token tokens credential credentials authorization cookie "
    "otp pin cvv cvc email emails mail phone phones mobile telephone tel fax ssn passport iban card cardholder pan "
    "salt dob birthday birthdate".split()
)
_PAIRS = frozenset(
    {
        ("api", "key"),
        ("access", "key"),
        ("private", "key"),
        ("secret", "key"),
        ("encryption", "key"),
        ("signing", "key"),
        ("e", "mail"),
        ("account", "number"),
        ("national", "id"),
        ("tax", "id"),
        ("first", "name"),
        ("last", "name"),
        ("full", "name"),
        ("birth", "date"),
        ("session", "key"),
        ("of", "birth"),
        ("user", "pass"),
        ("db", "pass"),
        ("card", "holder"),
    }
)
_INSIDE = re.compile(
    r"password|passwd|passphrase|secret|credential|apikey|privatekey|accesskey|creditcard|cardn(?:o|um)|email|phonen|"
    r"(?:access|refresh|auth|id|session|bearer|csrf)token|birthda|"
    r"密码|口令|密钥|令牌|邮箱|邮件地址|手机|电话|身份证|银行卡|卡号|护照"
)
_MEASURES = frozenset(
    "count counts total size bytes chars length depth rate ratio ms s sec seconds at ts time timeout age ttl "
    "status state type kind version enabled verified expired attempts errors failures queue days hours minutes".split()
)
_SPLIT = re.compile(r"[A-Z]+(?![a-z])|[A-Z]?[a-z]+|\d+|[^\W\d_a-zA-Z]+")


def is_sensitive(name: str) -> bool:
    """True if a column of this name holds secrets or personal data."""
    words = [word.lower() for word in _SPLIT.findall(name)]
    if not words or words[-1] in _MEASURES:
        return False
    pairs = zip(words, words[1:], strict=False)
    return any(word in _WORDS or _INSIDE.search(word) for word in words) or any(pair in _PAIRS for pair in pairs)
