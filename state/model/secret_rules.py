"""What counts as a secret or as personal data: rules as data, each with an example that must go and one that must stay.

A rule replaces only its ``secret`` group. Patterns start at a literal or at a boundary and repeat within
bounds, so that work grows linearly with the text. Order matters: a later rule sees what earlier ones left.
"""

from state.model.personal_rules import PERSONAL_RULES
from state.model.prose_rules import PROSE_RULES
from state.model.secret_checks import (
    is_basic_pair,
    is_client_password,
    is_no_word,
    is_prose_secret,
    is_random,
    is_session_id,
    is_short_key_value,
    is_value,
)
from state.model.secret_rule import SecretRule, rule

_PASSWORD = r"(?i:pass(?:words?|wds?|phrase|code)|pwd|passwort|密码|口令)"
_SHORT_PASSWORD = (
    r"(?:(?<![A-Za-z])(?i:(?:db|pg|user|smtp|mail|root|admin|redis|mysql|ftp|ldap|ssh)?pass|pw)|(?<=[a-z])P(?:ass|W|w))"
)
"""Words so short that they are part of others: only as a word of their own."""
_KEY = (
    r"(?i:secret|token|credentials?|api[_-]?key|access[_-]?key(?:[_-]?id)?|(?:secret|private|account|auth|signing"
    r"|encryption)[_-]?key(?:[_-]?base)?|x-amz-signature|x-amz-credential|令牌|密钥)"
)
_HEADER = r"(?i:(?:proxy-)?authorization|x-auth-token|x-api-key)(?:\\?[\"'])?\s{0,3}[=:]\s{0,3}(?:\\?[\"'])?"
_STRICT_SEPARATOR = r"(?:\\?[\"']\s{0,3}(?:=>|[=:：])|\s{0,3}(?:=>|=))\s{0,3}"
_VALUE = (
    r"(?P<open>\\?[\"'])?(?P<secret>(?(open)(?:(?!(?P=open))(?:\\.|[^\\\r\n])){1,4096}|[^\s,;&\"'\\，；。]{1,4096}))"
)


_KEY_BLOCK = r"PRIVATE KEY(?: BLOCK)?-----"

_KEYED_RULES = (
    rule(
        "private_key",
        rf"(?P<secret>-----BEGIN [A-Z0-9 ]{{0,40}}{_KEY_BLOCK}(?s:.*?)(?:-----END [A-Z0-9 ]{{0,40}}{_KEY_BLOCK}|\Z))",
        "-----BEGIN RSA PRIVATE KEY-----\nMIIEow\n-----END RSA PRIVATE KEY-----",
        "-----BEGIN CERTIFICATE----- loaded from /etc/tls/tls.crt",
    ),
    rule(
        "url_password",
        r"(?<![A-Za-z0-9+.-])[A-Za-z][A-Za-z0-9+.-]{1,20}://[^\s:/@\"'\[]{0,64}:(?P<secret>[^\s/\"'<>]{1,256})@",
        "postgresql://app:s3cr3t@db:5432/orders",
        "http://payments:8080/api/v1/pay@2 returned 503",
    ),
    rule(
        "url_token",
        r"(?<![A-Za-z0-9+.-])[A-Za-z][A-Za-z0-9+.-]{1,20}://(?P<secret>[A-Za-z0-9_-]{16,128})@",
        "https://0123456789abcdef0123@sentry.example.com/4",
        "ssh://git@code.example.com/payments.git",
    ),
    rule(
        "dsn_password",
        r"(?<![\w.-])[\w.-]{1,64}:(?P<secret>[^\s@/:\[\]]{1,128})@(?:tcp|unix|udp)\(",
        "orders:pa55@tcp(10.0.0.5:3306)/orders",
        "dial tcp(10.0.0.5:3306): connection refused",
    ),
    rule(
        "authorization",
        rf"{_HEADER}(?i:basic|bearer|digest|negotiate|ntlm|token|apikey)\s{{1,3}}(?P<secret>[^\s\"',;\\]{{1,4096}})",
        "Authorization: Bearer abc.def",
        "authorization: basic authentication failed",
        is_no_word,
    ),
    rule(
        "authorization",
        rf"{_HEADER}(?P<secret>[^\s\"',;\\]{{1,4096}})",
        '"x-api-key":"k-77" sent',
        "authorization: denied by policy orders-read",
        is_value,
    ),
    rule(
        "bearer",
        r"\b(?:Bearer|bearer)\s{1,3}(?P<secret>[A-Za-z0-9._~+/-]{16,4096}=*)",
        "sent header 'Bearer 8f14e45fceea167a5a36'",
        "Bearer authenticationRequired for realm orders",
        is_random,
    ),
    rule(
        "basic",
        r"\b(?:Basic|basic)\s{1,3}(?P<secret>[A-Za-z0-9+/]{8,1024}={0,2})(?![A-Za-z0-9+/=])",
        "using Basic YXBwOnMzY3IzdA==",
        "Basic authentication failed for user app",
        is_basic_pair,
    ),
    rule(
        "aws_signature", r"\bSignature=(?P<secret>[0-9a-f]{64})", "Signature=" + "a1" * 32, "Signature=none, retrying"
    ),
    rule(
        "cookie",
        r"(?i:\bcookie)\\?[\"']?:\s{0,3}(?:\\?[\"'])?(?P<secret>[^\s=;,\"']{1,128}=[^\s;,\"']{0,4096}"
        r"(?:;\s?[^\s=;,\"']{1,128}(?:=[^\s;,\"']{0,4096})?){0,64})",
        "Cookie: sid=af31; theme=dark",
        "TCP: Possible SYN flooding on port 8443. Sending cookies.",
    ),
    rule(
        "session_id",
        r"(?i:jsessionid|phpsessid|asp\.net_sessionid|connect\.sid|laravel_session|sessionid)\\?[\"']?"
        r"[=:]\\?[\"']?(?P<secret>[A-Za-z0-9._%+/=-]{12,512})",
        "GET /cart;jsessionid=1A2B3C4D5E6F7A8B HTTP/1.1",
        "process the fetch request with (sessionId=932983123, epoch=12): FETCH_SESSION_ID_NOT_FOUND.",
        is_session_id,
    ),
    rule(
        "jwt",
        r"(?<![\w-])(?P<secret>eyJ[\w-]{5,4096}\.eyJ[\w-]{5,4096}(?:\.[\w-]{0,4096})?)",
        "jwt eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiIxMjM0NTYifQ.c2lnbmF0dXJl expired",
        "eyJ is how a JWT begins",
    ),
    rule(
        "aws_key",
        r"(?<![A-Za-z0-9])(?P<secret>(?:AKIA|ASIA|AROA|AIDA|AGPA|ANPA|ANVA|ABIA|ACCA)[A-Z0-9]{16})(?![A-Za-z0-9])",
        "key AKIAIOSFODNN7EXAMPLE is not authorized",
        "AKIA is the prefix of an access key",
    ),
    rule(
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
    rule(
        "webhook",
        r"hooks\.slack\.com/services/(?P<secret>[A-Za-z0-9/]{20,128})",
        "POST https://hooks.slack.com/services/T0000/B0000/XXXXXXXXXXXXXXXXXXXXXXXX 404",
        "POST https://hooks.slack.com/services timed out",
    ),
    rule(
        "password",
        rf"{_PASSWORD}{_STRICT_SEPARATOR}{_VALUE}",
        'jdbc:postgresql://db/orders?user=app&password=hunter2 and {"dbPassword": "hunter3 x"}',
        "Access denied for user 'app'@'db' (using password: YES)",
        is_value,
    ),
    rule(
        "password",
        rf"{_PASSWORD}\s{{0,3}}[:：]\s{{0,3}}{_VALUE}",
        "数据库密码：Aa123456 连接失败",
        'FATAL: password authentication failed for user "app"',
        is_value,
    ),
    rule(
        "password",
        rf"{_SHORT_PASSWORD}{_STRICT_SEPARATOR}{_VALUE}",
        "DB_PASS=hunter2 pass=x PASS=y dbPass=z",
        "bypass=true passenger=5 compass=north pass=12 pass=0.98 pass rate=0.98 pw_count=3",
        is_short_key_value,
    ),
    rule(
        "password",
        rf"(?<![A-Za-z])(?i:pw)\s{{0,3}}[:：]\s{{0,3}}{_VALUE}",
        "pw: hunter2",
        "PASS: TestLogin, pw: 3",
        is_short_key_value,
    ),
    rule(
        "password",
        rf"(?<![A-Za-z])(?i:pass)\s{{0,3}}[:：]\s{{0,3}}{_VALUE}",
        "user: app pass: hunter2x",
        "second pass: checking 3 of 7 parts",
        is_prose_secret,
    ),
    rule(
        "password",
        rf"(?:{_PASSWORD}|{_KEY})(?:[*_`]{{1,2}}\s{{0,3}}[=:：|]|\s{{0,3}}[:：][*_`]{{1,2}}(?![*_`])|\s{{0,3}}\|)\s{{0,3}}"
        r"`?(?P<secret>[^\s,;&\"'\\，。；|`]{1,4096})",
        "**Password:** `hunter2`, `password` = `hunter3`, | password | hunter4 |",
        "| token | required |",
        is_value,
    ),
    rule(
        "encoded_secret",
        rf"(?:{_PASSWORD}|{_SHORT_PASSWORD}|{_KEY})%3[Dd](?P<secret>(?:(?!%26)[^\s&\"';,<>]){{1,512}})",
        "redirect=/login%3Fuser%3Dapp%26password%3Dhunter2%26x%3D1",
        "redirect=/list%3Fpage%3D2%26size%3D10",
        is_value,
    ),
    rule(
        "xml_secret",
        rf"<(?:[\w.-]{{1,30}}:)?[\w.-]{{0,30}}(?:{_PASSWORD}|{_KEY})(?:\s[^<>]{{0,100}})?>(?P<secret>[^<>]{{1,4096}})</",
        "<wsse:Password Type='text'>hunter2</wsse:Password>",
        "<pool>orders</pool><token></token>",
        is_value,
    ),
    rule(
        "secret",
        rf"{_KEY}{_STRICT_SEPARATOR}{_VALUE}",
        "refresh_token=abcdef1234&scope=all",
        "WHERE s.token = o.token AND s.id = $1",
        is_value,
    ),
    rule(
        "secret",
        rf"{_KEY}\s{{0,3}}[:：]\s{{0,3}}{_VALUE}",
        "issued token: 9f8e7d6c5b4a",
        "syntax error, unexpected token: SELECT near line 1",
        is_prose_secret,
    ),
    rule(
        "client_password",
        r"(?i:\bmysql|\bmariadb)[^\r\n]{0,200}?\s-p(?:\\?[\"'])?(?P<secret>[^\s\"';-][^\s\"';]{0,128})",
        "exec: mysqldump -h db -uroot -phunter2 orders",
        "docker run -d -p3306:3306 mysql; mysql -p3307:3306; grep -pattern file",
        is_client_password,
    ),
    rule(
        "option",
        r"--(?i:password|passwd|token|secret|api-key)\s{1,3}(?P<secret>[^\s-][^\s]{0,512})",
        "exec: redis-cli --password hunter2 ping",
        "usage: migrate --password-file /run/secret/db",
        is_value,
    ),
    rule(
        "sql_password",
        r"(?i:\bidentified\s{1,3}by|\bpassword)\s{1,3}'(?P<secret>[^'\r\n]{1,256})'",
        "ALTER ROLE app WITH PASSWORD 'hunter2'",
        "password 'must' not be empty",
        is_value,
    ),
    rule(
        "redis_auth",
        r"\"(?i:auth)\" \"(?P<secret>[^\"\r\n]{1,512})\"",
        '1764504000.1 [0 10.0.0.7:6021] "AUTH" "hunter2"',
        '1764504000.1 [0 10.0.0.7:6021] "GET" "cart:17"',
    ),
    rule(
        "curl_user",
        r"\bcurl\b[^\r\n]{0,100}?\s(?:-u|--user)\s{1,3}[^\s:]{1,64}:(?P<secret>[^\s\"']{1,256})",
        "curl -sS -u app:hunter2 https://db",
        "curl -sS https://db:8443/healthz",
    ),
    rule(
        "query_signature",
        r"[?&]sig(?:nature)?=(?P<secret>[A-Za-z0-9%+/=_-]{16,512})",
        "GET /blob?sv=2026&sig=Zm9vYmFyYmF6cXV4Cg%3D%3D",
        "audit: pid=77 comm=java sig=11 res=1",
    ),
)

SECRET_RULES: tuple[SecretRule, ...] = (*_KEYED_RULES, *PROSE_RULES, *PERSONAL_RULES)
