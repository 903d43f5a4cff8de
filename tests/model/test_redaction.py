"""Secrets go, telemetry stays, and hostile text costs no more than its length."""

import time

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from state.model.redaction import is_sensitive_key, redact_json, redact_text
from state.model.secret_checks import chinese_id_valid, luhn_valid
from state.model.secret_rules import SECRET_RULES

RULES = [pytest.param(rule, id=f"{rule.name}-{place}") for place, rule in enumerate(SECRET_RULES)]


@pytest.mark.parametrize("rule", RULES)
def test_the_example_of_a_rule_loses_its_secret(rule):
    secrets = [match["secret"] for match in rule.pattern.finditer(rule.example)]

    cleaned = redact_text(rule.example)

    assert secrets
    assert f"[REDACTED:{rule.name}]" in cleaned
    assert not [secret for secret in secrets if secret in cleaned]


@pytest.mark.parametrize("rule", RULES)
def test_the_counter_example_of_a_rule_survives_all_rules(rule):
    assert redact_text(rule.counter_example) == rule.counter_example


TELEMETRY = [
    "2026-11-30T12:00:01.123456+08:00 INFO orders took 1764504000123 ms at 1764504000123456789",
    "request 550e8400-e29b-41d4-a716-446655440000 trace_id=4bf92f3577b34da6a3ce929d0e0e4736 span=00f067aa0ba902b7",
    "10.42.0.17:8080 -> 192.168.1.20:5432 [2001:db8::8a2e:370:7334]:443",
    "SELECT o.id, o.token_count FROM orders o WHERE o.created_at > $1 AND o.password_changed_at IS NULL LIMIT 100",
    "SET session_token = $2, secret = ? WHERE password = :password",
    "\tat com.zaxxer.hikari.pool.HikariPool.createTimeoutException(HikariPool.java:696)",
    "HikariPool-1 - Connection is not available, request timed out after 30000ms (total=10, active=10, idle=0)",
    "pool token bucket exhausted, tokens=0, max_tokens=4096, token_count=17",
    "author=lee commit=9f8e7d6c5b4a3f2e1d0c9b8a7f6e5d4c3b2a1f0e version=2.14.4-rc1",
    "Access denied for user 'app'@'10.0.0.7' (using password: YES)",
    'FATAL: password authentication failed for user "app"',
    "password: incorrect, token: expired, secret: not found, authorization: required",
    "heap 17179869184 of 34359738368 bytes, offset 4111111111111112, gid=1001",
    "MountVolume.SetUp failed for volume db: secret payment-db not found",
    "Key (idempotency_key)=(40711223) already exists.",
    "PWD=/srv/app PATH=/usr/bin",
    "支付服务 10点05分 连接池耗尽，等待线程数=37，订单号 202611301005123456，耗时30000毫秒",
    "用户登录失败：密码 错误次数=3，令牌 已过期",
    "java.lang.Object@7f31245a released, lock PgConnection@1f2e3d4c, pkg vue@3.2.1.js",
    "kubectl describe secret; cookies disabled; basic check passed; bearer of bad news",
    "GET /api/v1/tokens/refresh?page=2&size=10 HTTP/1.1 401",
    "process the fetch request with (sessionId=932983123, epoch=12)",
    "token bucket empty, pass rate=0.98, bypass=true, passenger=5, compass=north, pw_count=3, tests pass=120 fail=0",
    "password=$1 password=${DB_PASSWORD} password=$DB_PASSWORD password=**** password=%s password=? password=:password",
    "PASSWORD_FILE=/run/secrets/db, password=config.db_password, password=NEW.password, password=/run/secrets/db",
    "ssh -p2222 db; mysql container -p3306:3306; token refresh-worker-7d9f8c6b5-x2k4j restarted; second pass: done",
    "password encryption=scram-sha-256, password reset mail sent, api key rate-limit-v2 hit, 555-0100, 2026-11-30",
]


@pytest.mark.parametrize("line", TELEMETRY)
def test_ordinary_telemetry_is_left_alone(line):
    assert redact_text(line) == line


LEAKS = [
    ("DB_PASSWORD=S3cr3t-Pa55 starting", "S3cr3t-Pa55"),
    ("spring.datasource.password: hunter2x", "hunter2x"),
    ("--password=hunter2x --verbose", "hunter2x"),
    ('{"user":"app","password":"it is \\"long\\" and spaced","x":1}', "spaced"),
    ('{\\"clientSecret\\":\\"abc-DEF-123\\"}', "abc-DEF-123"),
    ("mongodb+srv://root:p@ss:w0rd@db.example.com/x?retry=1", "w0rd"),
    ("amqp://guest:guest-77@mq:5672/", "guest-77"),
    ("Proxy-Authorization: Basic YXBwOnMzY3IzdA==", "YXBwOnMzY3IzdA=="),
    ("X-Api-Key: 77aa88bb99cc", "77aa88bb99cc"),
    ("aws_secret_access_key = wJalrXUtnFEMI/K7MDENG/bPxRfiCYEXAMPLEKEY", "wJalrXUtnFEMI"),
    ("DefaultEndpointsProtocol=https;AccountKey=Zm9vYmFyYmF6cXV4;Endpoint=x", "Zm9vYmFyYmF6cXV4"),
    ("Set-Cookie: JSESSIONID=8F14E45FCEEA167A; Path=/; HttpOnly", "8F14E45FCEEA167A"),
    ("密码=Abc12345，用户=张三", "Abc12345"),
    ("客户手机号：13800138000", "13800138000"),
    ("card 5500-0055-5555-5559 refused", "5555-5559"),
    ("amex 378282246310005 refused", "378282246310005"),
    ("-----BEGIN PRIVATE KEY-----\nMIIEvQIBADANBg cut off here", "MIIEvQIBADANBg"),
    ("联系zhang.san@example.com.cn处理", "zhang.san"),
    ("password=abc.def", "abc.def"),
    ("GET /u?mail=alice%40example.com", "alice"),
    ("IBAN DE89370400440532013000", "370400440532"),
    ("IBAN GB82 WEST 1234 5698 7654 32 refused", "5698"),
    ("ssn 123-45-6789", "45-6789"),
]

FORMS = [
    "DB_PASS=@", "pass=@", "PASS=@", "passwords=@", "pw: @", "pwd=@", "passwd @", "password is @", "dbPass=@",
    "login with password @ failed", "password%3D@", "a%26token%3D@%26b%3D1", "<password>@</password>",
    "<db:clientSecret>@</db:clientSecret>", "api-key @", "the API key is @", "secret_key_base=@", "token @abc123",
    "password=$@", "password=%@", "password=*@", "password=?@", "password=:@", "password=/@", "password=@.def",
    "mysql -u root -p@ orders", "mariadb-dump -p'@'", "passwort=@", '{"pw": "@"}', "数据库密码是@", "PGPASSWORD=@",
    "password=${DB_PASS:-@}",
]  # fmt: skip


@pytest.mark.parametrize("form", FORMS)
def test_a_secret_goes_in_whatever_form_it_is_written(form):
    line = form.replace("@", "hunter2X9")

    assert "hunter2X9" not in redact_text(line)
    assert redact_text(redact_text(line)) == redact_text(line)


@pytest.mark.parametrize(("line", "secret"), LEAKS)
def test_secrets_in_the_forms_people_log_them_are_removed(line, secret):
    cleaned = redact_text(line)

    assert secret not in cleaned
    assert "[REDACTED:" in cleaned


def test_the_words_around_a_secret_stay():
    line = "user=app password=hunter2 host=db-1 status=500"

    assert redact_text(line) == "user=app password=[REDACTED:password] host=db-1 status=500"


def test_sensitive_keys_lose_their_value_whatever_it_looks_like():
    value = {
        "dbPassword": "plain",
        "headers": {"Authorization": "x", "set-cookie": ["a", "b"]},
        "credentials": {"user": "u", "age": 3},
        "token": None,
        "secret": "",
        "is_token": True,
        "rows": [{"phone": 13800138000, "note": "password=abc1"}],
        "token_count": 12,
        "author": "lee",
    }

    assert redact_json(value) == {
        "dbPassword": "[REDACTED:key]",
        "headers": {"Authorization": "[REDACTED:key]", "set-cookie": ["[REDACTED:key]", "[REDACTED:key]"]},
        "credentials": {"user": "[REDACTED:key]", "age": "[REDACTED:key]"},
        "token": None,
        "secret": "",
        "is_token": True,
        "rows": [{"phone": "[REDACTED:key]", "note": "password=[REDACTED:password]"}],
        "token_count": 12,
        "author": "lee",
    }


@pytest.mark.parametrize("key", ["pw", "PASS", "db_pass", "dbPass", "passwords", "secret_key_base", "dob", "iban"])
def test_short_and_plural_keys_are_sensitive(key):
    assert is_sensitive_key(key)


@pytest.mark.parametrize(
    "key",
    [
        "bypass",
        "compass",
        "pw_count",
        "passenger",
        "pass_rate",
        "author",
        "authority",
        "tokens",
        "pool",
        "passive",
        "secretary",
        "keyspace",
        "level",
    ],
)
def test_similar_keys_are_not_sensitive(key):
    assert not is_sensitive_key(key)


FRAGMENTS = [example for rule in SECRET_RULES for example in (rule.example, rule.counter_example)]


@settings(max_examples=150, deadline=None)
@given(st.lists(st.sampled_from(FRAGMENTS) | st.text(max_size=20), max_size=4).map(" ".join))
def test_redacting_twice_changes_nothing_more(text):
    once = redact_text(text)

    assert redact_text(once) == once


def test_luhn_and_chinese_id_checksums():
    assert luhn_valid("4111 1111 1111 1111")
    assert not luhn_valid("4111111111111112")
    assert chinese_id_valid("11010519491231002X")
    assert not chinese_id_valid("110105194912310021")


HOSTILE = [
    "a" * 64,
    "password=",
    'password="',
    "-----BEGIN PRIVATE KEY",
    "a@a.",
    "eyJaaaaaa.",
    "4111 1111 ",
    "curl -x ",
    "cookie: a=b;",
    "x://a:",
    "a:b@",
    "Bearer ",
    "token" + " " * 40,
    "1234567890",
    '"\\',
    "手机号",
    "pass=",
    "<password>",
    "<" + "a" * 60,
    "mysql -p",
    "mysql ",
    "password is ",
    "password%3D",
    "DE89 3704 ",
    "AB12CDEF",
    "a%40a.",
    "123-45-",
    "token AAAAAAAAAAA ",
]


def _seconds(text, *, repeats=3):
    best = float("inf")
    for _ in range(repeats):
        begin = time.process_time()
        redact_text(text)
        best = min(best, time.process_time() - begin)
    return best


@pytest.mark.parametrize("piece", HOSTILE)
def test_four_times_the_text_costs_at_most_about_four_times_the_work(piece):
    short = piece * (20_000 // len(piece))

    ratio = _seconds(short * 4) / _seconds(short)

    assert ratio < 9


def test_a_hostile_megabyte_costs_about_what_an_ordinary_one_costs():
    ordinary = "2026-11-30 12:00:01 INFO order 17 took 12ms, pool total=10 active=3 idle=7\n" * 14_000
    hostile = ("password='" + "a@a." * 20 + "eyJaaaaaa.4111 1111 ") * 10_000

    ordinary_s, hostile_s = (_seconds(text[:1_000_000], repeats=1) for text in (ordinary, hostile))

    assert hostile_s < 25 * ordinary_s
