"""Secrets in sentences: named by a word, without a sign that separates the two. Pure."""

from state.model.secret_checks import (
    is_key_value,
    is_long_token,
    is_prose_value,
)
from state.model.secret_rule import SecretRule, rule

PROSE_RULES: tuple[SecretRule, ...] = (
    rule(
        "password",
        r"(?i:\bpass(?:word|wd|phrase|code)|\bpwd)\s{1,3}(?i:(?:is|was|to|as|of)[ :]\s{0,3})?(?:\\?[\"'])?"
        r"(?P<secret>[^\s,;\"'，。；]{6,128})",
        "login with password hunter3plain failed; the password is X9abcd, passwd hunter44",
        "password authentication failed, password policy-v2, password sha256 mismatch, password for user app1",
        is_prose_value,
    ),
    rule(
        "password",
        r"(?:密码|口令)\s{0,3}[是为]\s{0,3}[:：]?\s{0,3}(?P<secret>[!-~]{4,128})",
        "数据库密码是Aa123456，请尽快修改",
        "密码是必填项，口令为空",
        is_prose_value,
    ),
    rule(
        "secret",
        r"(?i:\btoken|\bsecret)\s{1,3}(?i:is\s{1,3}|was\s{1,3})?(?:\\?[\"'])?(?P<secret>[A-Za-z0-9._~+/=-]{12,4096})",
        "rejected token CliTok77abcd1234efgh",
        "token bucket exhausted, token idempotency-key-17, secret payment-db-credentials, token 1764504000123",
        is_long_token,
    ),
    rule(
        "secret",
        r"(?i:\b(?:api|access)[-_ ]?key)\s{1,3}(?i:is\s{1,3}|was\s{1,3})?(?:\\?[\"'])?"
        r"(?P<secret>[^\s,;\"'，。；]{8,4096})",
        "sent api-key 12345678ab",
        "api key rotation-job-17 done, api key 17 expired, access key unavailable",
        is_key_value,
    ),
)
