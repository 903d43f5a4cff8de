"""Further correct sentences, worded as people write: units in names, numbers in words, local zones, both languages."""

from state.model.evidence import Item
from tests.guards.claims.correct_sentences import item

MEMORY = item(
    "node=cache-2, used_memory_mb=4480, maxmemory_mb=4096, mb=4480, evicted=91822", used_memory_mb=4480, mb=4480
)
POLL = item(
    "consumer poll timeout has expired: time between polls was longer than max.poll.interval.ms (300000)",
    ts="2026-03-02T05:10:21+00:00",
    service="label-printer",
)
USAGE = item(
    "container=inventory-service, usage_m=1180, limit_m=4000, cpu_limit_m=4000, throttled_percent=87",
    container="inventory-service",
    usage_m=1180,
    limit_m=4000,
    cpu_limit_m=4000,
    throttled_percent=87,
)
WAL = item(
    "taken_at=2026-03-02T14:15:00+00:00, pg_wal_gb=399, latency_ms_p99=812, retention_days=7",
    pg_wal_gb=399,
    latency_ms_p99=812,
    retention_days=7,
)
EXPIRED = item(
    "java.security.cert.CertificateExpiredException: NotAfter: Wed May 20 08:00:00 CST 2026",
    ts="2026-05-20T08:00:05.412+08:00",
    service="member-api",
)
RETRIES = item(
    "giving up after 3 attempts, backoff 16s, lag 90 s, 40 sessions idle in transaction",
    ts="2026-03-02T14:20:16+00:00",
    service="checkout",
)
RETRIES_ZH = item(
    "重试3次后放弃，退避16秒，40个会话空闲，限额120个", ts="2026-03-02T14:20:16+00:00", service="checkout"
)

NATURAL: tuple[tuple[Item, str, str], ...] = (
    (MEMORY, "UTC", "cache-2 held 4480 MB although its limit is 4096 MB."),
    (MEMORY, "UTC", "used_memory stood at 4.48 GB on cache-2."),
    (POLL, "UTC", "label-printer exceeded its poll interval of 300 s."),
    (POLL, "UTC", "The allowed five minutes between polls (300000 ms) had passed at 05:10:21."),
    (USAGE, "UTC", "inventory-service wanted 1180m of its 4000m and was throttled 87 percent of the time."),
    (USAGE, "UTC", "The CPU limit of four cores was in force."),
    (WAL, "UTC", "pg_wal had grown to 399 GB, and the 99th percentile was 812 ms."),
    (WAL, "UTC", "Records are kept for seven days."),
    (EXPIRED, "Asia/Shanghai", "The certificate of member-api ended at 08:00:00 on 20 May 2026."),
    (EXPIRED, "Asia/Shanghai", "It was valid until 08:00:00 CST; the first refusal came at 08:00:05."),
    (RETRIES, "UTC", "checkout gave up after three attempts, with a backoff of sixteen seconds."),
    (RETRIES, "UTC", "Forty sessions sat idle while the lag was a minute and a half, that is ninety seconds."),
    (RETRIES, "UTC", "One of the two things to check is the sixteen-second backoff."),
    (MEMORY, "Asia/Shanghai", "节点cache-2已用内存4480MB，超过4096MB的上限。"),
    (POLL, "Asia/Shanghai", "两次拉取的间隔超过五分钟（300秒）。"),
    (USAGE, "Asia/Shanghai", "inventory-service用量1180m，CPU上限为4核，被限流百分之八十七。"),
    (EXPIRED, "Asia/Shanghai", "证书于2026年5月20日8点到期，member-api在08:00:05报错。"),
    (RETRIES_ZH, "Asia/Shanghai", "checkout重试三次后放弃，退避十六秒。"),
    (RETRIES_ZH, "Asia/Shanghai", "共有四十个会话空闲，限额是一百二十个。"),
    (RETRIES_ZH, "Asia/Shanghai", "这两个现象一起出现，十分明显，第一次发生在22:20:16。"),
)

STILL_BLOCKED: dict[str, str] = {}
"""Correct, and stopped all the same."""
