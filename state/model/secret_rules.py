"""What counts as a secret or as personal data: rules as data, each with an example that must go and one that must stay.

A rule replaces only its ``secret`` group. Patterns start at a literal or at a boundary and repeat within
bounds, so that work grows linearly with the text. Order matters: a later rule sees what earlier ones left.
"""

import re
from collections.abc import Callable
from dataclasses import dataclass

from state.model.secret_checks import (
    chinese_id_valid,
    is_address,
    is_basic_pair,
    is_no_word,
    is_prose_secret,
    is_random,
    is_session_id,
    is_value,
    luhn_valid,
)


def _always(_text: str) -> bool:
    return True


@dataclass(frozen=True)
class SecretRule:
    """One kind of secret."""

    name: str
    """Appears in the replacement ``[REDACTED:<name>]``."""
    pattern: re.Pattern[str]
    """Has a group ``secret``: the part that is removed."""
    example: str
    """Must be changed by this rule."""
    counter_example: str
    """Ordinary telemetry that looks similar and must survive all rules."""
    accepts: Callable[[str], bool] = _always
    """False for a candidate that is no secret (checksum wrong, a word of prose)."""


_PASSWORD = r"(?i:pass(?:word|wd|phrase)|pwd|密码|口令)"
_KEY = (
    r"(?i:secret|token|credentials?|api[_-]?key|access[_-]?key(?:[_-]?id)?|(?:secret|private|account|auth|signing"
    r"|encryption)[_-]?key|x-amz-signature|x-amz-credential|令牌|密钥)"
)
_HEADER = r"(?i:(?:proxy-)?authorization|x-auth-token|x-api-key)(?:\\?[\"'])?\s{0,3}[=:]\s{0,3}(?:\\?[\"'])?"
_STRICT_SEPARATOR = r"(?:\\?[\"']\s{0,3}(?:=>|[=:：])|\s{0,3}(?:=>|=))\s{0,3}"
_VALUE = (
    r"(?P<open>\\?[\"'])?(?P<secret>(?(open)(?:(?!(?P=open))(?:\\.|[^\\\r\n])){1,4096}|[^\s,;&\"'\\，；。]{1,4096}))"
)


def _rule(
    name: str, pattern: str, example: str, counter_example: str, accepts: Callable[[str], bool] = _always
) -> SecretRule:
    return SecretRule(name, re.compile(pattern), example, counter_example, accepts)


_KEY_BLOCK = r"PRIVATE KEY(?: BLOCK)?-----"

SECRET_RULES: tuple[SecretRule, ...] = (
    _rule(
        "private_key",
        rf"(?P<secret>-----BEGIN [A-Z0-9 ]{{0,40}}{_KEY_BLOCK}(?s:.*?)(?:-----END [A-Z0-9 ]{{0,40}}{_KEY_BLOCK}|\Z))",
        "-----BEGIN RSA PRIVATE KEY-----\nMIIEow\n-----END RSA PRIVATE KEY-----",
        "-----BEGIN CERTIFICATE----- loaded from /etc/tls/tls.crt",
    ),
    _rule(
        "url_password",
        r"(?<![A-Za-z0-9+.-])[A-Za-z][A-Za-z0-9+.-]{1,20}://[^\s:/@\"'\[]{0,64}:(?P<secret>[^\s/\"'<>]{1,256})@",
        "postgresql://app:s3cr3t@db:5432/orders",
        "http://payments:8080/api/v1/pay@2 returned 503",
    ),
    _rule(
        "url_token",
        r"(?<![A-Za-z0-9+.-])[A-Za-z][A-Za-z0-9+.-]{1,20}://(?P<secret>[A-Za-z0-9_-]{16,128})@",
        "https://0123456789abcdef0123@sentry.example.com/4",
        "ssh://git@code.example.com/payments.git",
    ),
    _rule(
        "dsn_password",
        r"(?<![\w.-])[\w.-]{1,64}:(?P<secret>[^\s@/:\[\]]{1,128})@(?:tcp|unix|udp)\(",
        "orders:pa55@tcp(10.0.0.5:3306)/orders",
        "dial tcp(10.0.0.5:3306): connection refused",
    ),
    _rule(
        "authorization",
        rf"{_HEADER}(?i:basic|bearer|digest|negotiate|ntlm|token|apikey)\s{{1,3}}(?P<secret>[^\s\"',;\\]{{1,4096}})",
        "Authorization: Bearer abc.def",
        "authorization: basic authentication failed",
        is_no_word,
    ),
    _rule(
        "authorization",
        rf"{_HEADER}(?P<secret>[^\s\"',;\\]{{1,4096}})",
        '"x-api-key":"k-77" sent',
        "authorization: denied by policy orders-read",
        is_value,
    ),
    _rule(
        "bearer",
        r"\b(?:Bearer|bearer)\s{1,3}(?P<secret>[A-Za-z0-9._~+/-]{16,4096}=*)",
        "sent header 'Bearer 8f14e45fceea167a5a36'",
        "Bearer authenticationRequired for realm orders",
        is_random,
    ),
    _rule(
        "basic",
        r"\b(?:Basic|basic)\s{1,3}(?P<secret>[A-Za-z0-9+/]{8,1024}={0,2})(?![A-Za-z0-9+/=])",
        "using Basic YXBwOnMzY3IzdA==",
        "Basic authentication failed for user app",
        is_basic_pair,
    ),
    _rule(
        "aws_signature", r"\bSignature=(?P<secret>[0-9a-f]{64})", "Signature=" + "a1" * 32, "Signature=none, retrying"
    ),
    _rule(
        "cookie",
        r"(?i:\bcookie)\\?[\"']?:\s{0,3}(?:\\?[\"'])?(?P<secret>[^\s=;,\"']{1,128}=[^\s;,\"']{0,4096}"
        r"(?:;\s?[^\s=;,\"']{1,128}(?:=[^\s;,\"']{0,4096})?){0,64})",
        "Cookie: sid=af31; theme=dark",
        "TCP: Possible SYN flooding on port 8443. Sending cookies.",
    ),
    _rule(
        "session_id",
        r"(?i:jsessionid|phpsessid|asp\.net_sessionid|connect\.sid|laravel_session|sessionid)\\?[\"']?"
        r"[=:]\\?[\"']?(?P<secret>[A-Za-z0-9._%+/=-]{12,512})",
        "GET /cart;jsessionid=1A2B3C4D5E6F7A8B HTTP/1.1",
        "process the fetch request with (sessionId=932983123, epoch=12): FETCH_SESSION_ID_NOT_FOUND.",
        is_session_id,
    ),
    _rule(
        "jwt",
        r"(?<![\w-])(?P<secret>eyJ[\w-]{5,4096}\.eyJ[\w-]{5,4096}(?:\.[\w-]{0,4096})?)",
        "jwt eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiIxMjM0NTYifQ.c2lnbmF0dXJl expired",
        "eyJ is how a JWT begins",
    ),
    _rule(
        "aws_key",
        r"(?<![A-Za-z0-9])(?P<secret>(?:AKIA|ASIA|AROA|AIDA|AGPA|ANPA|ANVA|ABIA|ACCA)[A-Z0-9]{16})(?![A-Za-z0-9])",
        "key AKIAIOSFODNN7EXAMPLE is not authorized",
        "AKIA is the prefix of an access key",
    ),
    _rule(
        "api_key",
        r"(?<![A-Za-z0-9_-])(?P<secret>gh[opsur]_[A-Za-z0-9]{20,255}|github_pat_\w{22,255}|glpat-[\w-]{16,64}"
        r"|xox[abeoprs]-[A-Za-z0-9-]{10,255}|[sr]k_(?:live|test)_[A-Za-z0-9]{10,255}|AIza[\w-]{30,64}"
        r"|sk-[\w-]{20,255}|SG\.[\w-]{16,64}\.[\w-]{16,64}|npm_[A-Za-z0-9]{30,64}|pypi-[\w-]{40,255}"
        r"|hf_[A-Za-z0-9]{30,64}|do[oprt]_v1_[0-9a-f]{32,64}|LTAI[A-Za-z0-9]{12,30}|AKID[A-Za-z0-9]{32}"
        r"|hv[bs]\.[\w-]{24,255}|\d{8,10}:AA[\w-]{33})(?![A-Za-z0-9])",
        "push with ghp_16C7e42F292c6912E7710c838347Ae178B4a failed",
        "task-0123456789-sk-checkout-batch finished",
        is_random,
    ),
    _rule(
        "webhook",
        r"hooks\.slack\.com/services/(?P<secret>[A-Za-z0-9/]{20,128})",
        "POST https://hooks.slack.com/services/T0000/B0000/XXXXXXXXXXXXXXXXXXXXXXXX 404",
        "POST https://hooks.slack.com/services timed out",
    ),
    _rule(
        "password",
        rf"{_PASSWORD}{_STRICT_SEPARATOR}{_VALUE}",
        'jdbc:postgresql://db/orders?user=app&password=hunter2 and {"dbPassword": "hunter3 x"}',
        "Access denied for user 'app'@'db' (using password: YES)",
        is_value,
    ),
    _rule(
        "password",
        rf"{_PASSWORD}\s{{0,3}}[:：]\s{{0,3}}{_VALUE}",
        "数据库密码：Aa123456 连接失败",
        'FATAL: password authentication failed for user "app"',
        is_value,
    ),
    _rule(
        "secret",
        rf"{_KEY}{_STRICT_SEPARATOR}{_VALUE}",
        "refresh_token=abcdef1234&scope=all",
        "WHERE s.token = o.token AND s.id = $1",
        is_value,
    ),
    _rule(
        "secret",
        rf"{_KEY}\s{{0,3}}[:：]\s{{0,3}}{_VALUE}",
        "issued token: 9f8e7d6c5b4a",
        "syntax error, unexpected token: SELECT near line 1",
        is_prose_secret,
    ),
    _rule(
        "option",
        r"--(?i:password|passwd|token|secret|api-key)\s{1,3}(?P<secret>[^\s-][^\s]{0,512})",
        "exec: redis-cli --password hunter2 ping",
        "usage: migrate --password-file /run/secret/db",
        is_value,
    ),
    _rule(
        "sql_password",
        r"(?i:\bidentified\s{1,3}by|\bpassword)\s{1,3}'(?P<secret>[^'\r\n]{1,256})'",
        "ALTER ROLE app WITH PASSWORD 'hunter2'",
        "password 'must' not be empty",
        is_value,
    ),
    _rule(
        "redis_auth",
        r"\"(?i:auth)\" \"(?P<secret>[^\"\r\n]{1,512})\"",
        '1764504000.1 [0 10.0.0.7:6021] "AUTH" "hunter2"',
        '1764504000.1 [0 10.0.0.7:6021] "GET" "cart:17"',
    ),
    _rule(
        "curl_user",
        r"\bcurl\b[^\r\n]{0,100}?\s(?:-u|--user)\s{1,3}[^\s:]{1,64}:(?P<secret>[^\s\"']{1,256})",
        "curl -sS -u app:hunter2 https://db",
        "curl -sS https://db:8443/healthz",
    ),
    _rule(
        "query_signature",
        r"[?&]sig(?:nature)?=(?P<secret>[A-Za-z0-9%+/=_-]{16,512})",
        "GET /blob?sv=2026&sig=Zm9vYmFyYmF6cXV4Cg%3D%3D",
        "audit: pid=77 comm=java sig=11 res=1",
    ),
    _rule(
        "email",
        r"(?<![A-Za-z0-9._%+-])(?P<secret>[A-Za-z0-9._%+-]{1,64}@(?:[A-Za-z0-9-]{1,63}\.){1,4}[A-Za-z]{2,24})(?![\w-])",
        "receipt to jane.doe+x@example.com bounced",
        "org.postgresql.jdbc.PgConnection@1f2e3d4c closed, lodash@4.17.21.tgz, app@orders, image@sha256:12ab",
        is_address,
    ),
    _rule(
        "card",
        r"(?<![\w.-])(?P<secret>(?:4\d{3}|5[1-5]\d\d|2[2-7]\d\d|6011|65\d\d|62\d\d|35\d\d)([ -]?)\d{4}\2\d{4}\2\d{4}"
        r"|62\d{15,17}|3[47]\d\d([ -]?)\d{6}\3\d{5}|3[68]\d{12})(?![\w-]|\.\d)",
        "declined 4111 1111 1111 1111 for order 7",
        "epoch 1764504000123456 offset 4111111111111112",
        luhn_valid,
    ),
    _rule(
        "chinese_id",
        r"(?<!\w)(?P<secret>[1-9]\d{5}(?:18|19|20)\d\d(?:0[1-9]|1[0-2])(?:0[1-9]|[12]\d|3[01])\d{3}[\dXx])(?![0-9A-Za-z])",
        "idcard 11010519491231002X rejected",
        "snowflake 110105194912310021",
        chinese_id_valid,
    ),
    _rule(
        "chinese_id",
        r"(?<=[\u4e00-\u9fff])(?P<secret>[1-9]\d{5}(?:18|19|20)\d\d(?:0[1-9]|1[0-2])(?:0[1-9]|[12]\d|3[01])\d{3}[\dXx])(?![0-9A-Za-z])",
        "身份证11010519491231002X校验失败",
        "订单110105194912310021超时",
        chinese_id_valid,
    ),
    _rule(
        "phone",
        r"(?:(?i:手机号?码?|电话|联系方式|用户|客户|会员|收件人|短信|\bphone|\bmobile|\btel|\bmsisdn)"
        r"[\"'：: =为是]{0,4}(?:\+?86[ -]?)?|(?<![\w+])\+86[ -]?)(?P<secret>1[3-9]\d[ -]?\d{4}[ -]?\d{4})(?!\w)",
        "sms to +86 138-0013-8000 failed",
        "heap 17179869184 bytes, used 13800138000",
    ),
    _rule(
        "phone",
        r"(?:手机号?码?|电话|联系方式|用户|客户|会员|收件人|短信)[\"'：: =为是]{0,4}"
        r"(?P<secret>1[3-9]\d{9})(?=[\u4e00-\u9fff])",
        "用户13800138000下单失败",
        "内存17179869184字节",
    ),
)
