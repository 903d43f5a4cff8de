"""Which column names are masked."""

import pytest

from tools.sql.sensitive import is_sensitive


@pytest.mark.parametrize(
    "name",
    [
        "password", "Password", "user_password", "passwordHash", "PASSWD", "pwd", "secret", "client_secret", "token",
        "access_token", "accessToken", "refreshtoken", "session_token", "api_key", "apiKey", "APIKEY", "private_key",
        "email", "e_mail", "email_address", "emailaddress", "contact_email", "phone", "phone_number", "mobile", "ssn",
        "card", "card_number", "cardNo", "credit_card", "cvv", "iban", "passport", "authorization", "cookie", "otp",
        "pw", "passwort", "dob", "date_of_birth", "cardholder", "card_holder", "user_pass",
        "密码", "用户手机号", "邮箱", "身份证号", "银行卡",
    ],
)  # fmt: skip
def test_secrets_and_personal_data_are_masked(name: str) -> None:
    assert is_sensitive(name)


@pytest.mark.parametrize(
    "name",
    [
        "id", "status", "service", "host", "created_at", "amount_cents", "pool_name", "cardinality", "bypass_window",
        "pw_count", "pass_rate",
        "token_count", "tokens_total", "email_sent_at", "password_changed_at", "card_type", "phone_verified", "key",
        "cache_key", "session_id", "author", "keyword", "状态", "订单编号", "discard_notes", "spinlock", "compass_word",
    ],
)  # fmt: skip
def test_ordinary_columns_are_not(name: str) -> None:
    assert not is_sensitive(name)
