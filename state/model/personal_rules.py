"""Personal data that is known by its own form: addresses, numbers with check digits. Pure."""

from state.model.secret_checks import (
    chinese_id_valid,
    iban_valid,
    is_address,
    luhn_valid,
)
from state.model.secret_rule import SecretRule, rule

PERSONAL_RULES: tuple[SecretRule, ...] = (
    rule(
        "email",
        r"(?<![A-Za-z0-9._%+-])(?P<secret>[A-Za-z0-9._%+-]{1,64}@(?:[A-Za-z0-9-]{1,63}\.){1,4}[A-Za-z]{2,24})(?![\w-])",
        "receipt to jane.doe+x@example.com bounced",
        "org.postgresql.jdbc.PgConnection@1f2e3d4c closed, lodash@4.17.21.tgz, app@orders, image@sha256:12ab",
        is_address,
    ),
    rule(
        "email",
        r"(?<![A-Za-z0-9._%+-])(?P<secret>[A-Za-z0-9._+-]{1,64}%40(?:[A-Za-z0-9-]{1,63}\.){1,4}[A-Za-z]{2,24})(?![\w-])",
        "GET /users?mail=alice%40example.com&x=1",
        "GET /pkg/vue%403.2.1.js",
        is_address,
    ),
    rule(
        "iban",
        r"(?<![A-Za-z0-9])(?P<secret>[A-Z]{2}\d{2}"
        r"(?:[A-Z0-9]{11,30}|(?: [A-Z0-9]{4}){2,7}(?: [A-Z0-9]{1,3})?))(?![A-Za-z0-9])",
        "transfer to DE89 3704 0044 0532 0130 00 refused",
        "trace DE89370400440532013001 and build AB12CDEF34567890",
        iban_valid,
    ),
    rule(
        "ssn",
        r"(?<![\w-])(?P<secret>(?!000|666|9\d\d)\d{3}-(?!00)\d\d-(?!0000)\d{4})(?![\w-])",
        "customer 123-45-6789 not found",
        "part 000-12-3456, range 123-45-67890, order 2026-11-30",
    ),
    rule(
        "card",
        r"(?<![\w.-])(?P<secret>(?:4\d{3}|5[1-5]\d\d|2[2-7]\d\d|6011|65\d\d|62\d\d|35\d\d)([ -]?)\d{4}\2\d{4}\2\d{4}"
        r"|62\d{15,17}|3[47]\d\d([ -]?)\d{6}\3\d{5}|3[68]\d{12})(?![\w-]|\.\d)",
        "declined 4111 1111 1111 1111 for order 7",
        "epoch 1764504000123456 offset 4111111111111112",
        luhn_valid,
    ),
    rule(
        "chinese_id",
        r"(?<!\w)(?P<secret>[1-9]\d{5}(?:18|19|20)\d\d(?:0[1-9]|1[0-2])(?:0[1-9]|[12]\d|3[01])\d{3}[\dXx])(?![0-9A-Za-z])",
        "idcard 11010519491231002X rejected",
        "snowflake 110105194912310021",
        chinese_id_valid,
    ),
    rule(
        "chinese_id",
        r"(?<=[\u4e00-\u9fff])(?P<secret>[1-9]\d{5}(?:18|19|20)\d\d(?:0[1-9]|1[0-2])(?:0[1-9]|[12]\d|3[01])\d{3}[\dXx])(?![0-9A-Za-z])",
        "身份证11010519491231002X校验失败",
        "订单110105194912310021超时",
        chinese_id_valid,
    ),
    rule(
        "phone",
        r"(?:(?i:手机号?码?|电话|联系方式|用户|客户|会员|收件人|短信|\bphone|\bmobile|\btel|\bmsisdn)"
        r"[\"'：: =为是]{0,4}(?:\+?86[ -]?)?|(?<![\w+])\+86[ -]?)(?P<secret>1[3-9]\d[ -]?\d{4}[ -]?\d{4})(?!\w)",
        "sms to +86 138-0013-8000 failed",
        "heap 17179869184 bytes, used 13800138000",
    ),
    rule(
        "phone",
        r"(?:手机号?码?|电话|联系方式|用户|客户|会员|收件人|短信)[\"'：: =为是]{0,4}"
        r"(?P<secret>1[3-9]\d{9})(?=[\u4e00-\u9fff])",
        "用户13800138000下单失败",
        "内存17179869184字节",
    ),
)
