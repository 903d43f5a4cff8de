"""Naturally worded correct sentences over realistic items, (items they cite, zone, sentence); none may be blocked."""

from datetime import UTC, datetime
from typing import Any

from state.model.enums import Coverage, EvidenceKind, EvidenceStatus
from state.model.evidence import Item, Projection, Scope, Window
from state.model.ids import ToolCallId

WINDOW = Window(start=datetime(2026, 3, 2, 13, 0, tzinfo=UTC), end=datetime(2026, 3, 2, 15, 0, tzinfo=UTC))


def item(text: str, **fields: Any) -> Item:
    return Item(item_id="log:x:1", kind=EvidenceKind.TELEMETRY, text=text, fields=fields)


def result(*items: Item, **over: Any) -> Projection:
    base: dict[str, Any] = {
        "tool_call_id": ToolCallId("c1"),
        "tool": "query_logs",
        "scope": Scope(source="shop-logs", window=WINDOW, filters={"service": "payment-service", "level": "WARN"}),
        "coverage": Coverage.COMPLETE,
        "evidence_status": EvidenceStatus.EVIDENCE_FOUND,
        "truncated": False,
        "total_matches": 1240,
        "items": items,
    }
    return Projection(**{**base, **over})


HIKARI = item(
    "HikariPool-1 - Connection is not available, request timed out after 30000ms "
    "(total=20, active=20, idle=0, waiting=31)",
    ts="2026-03-02T14:05:31.123+00:00",
    service="payment-service",
    level="ERROR",
)
NGINX = item(
    '10.0.3.17 - - [02/Mar/2026:14:06:02 +0000] "POST /api/v1/pay HTTP/1.1" 504 167 "-" "okhttp/4.12.0" '
    "rt=30.001 uct=0.001 urt=30.001 ua=10.42.7.9:8080",
    ts="2026-03-02T14:06:02+00:00",
)
JAVA = item(
    "io.grpc.StatusRuntimeException: DEADLINE_EXCEEDED: deadline exceeded after 1.999543210s. "
    "[closed=[], open=[[remote_addr=10.42.3.8:9090]]]",
    ts="2026-03-02T14:10:44.500+00:00",
    service="order-service",
)
GC = item(
    "[2026-03-02T14:11:07.001+0000][info][gc] GC(812) Pause Full (Allocation Failure) 1011M->998M(1024M) 3812.402ms"
)
KERNEL = item(
    "2026-03-02T14:12:09.120000+00:00 node-7 kernel: [5234.1] Out of memory: Killed process 4711 (java) "
    "total-vm:8123456kB, anon-rss:4194304kB"
)
ROW = item(
    "version=v2.14.3, deployed_at=2026-03-02T13:58:00+00:00, rows_read=1284551, took_ms=4213.5",
    version="v2.14.3",
    deployed_at="2026-03-02T13:58:00+00:00",
    rows_read=1284551,
    took_ms=4213.5,
)
DISK = item("WARNING disk usage of /var/lib/containers at 92%", ts="2026-03-02T14:00:10+00:00", used_ratio=0.9231)
PG = item("FATAL:  sorry, too many clients already", ts="2026-03-02T14:04:00+00:00", service="orders-db")
ZH = item(
    "库存服务 调用 支付网关 超时: 耗时 30000 毫秒, 错误码 E1001", ts="2026-03-02T14:20:00+00:00", service="库存服务"
)
PATTERN = Item(
    item_id="pat:a:b",
    kind=EvidenceKind.TELEMETRY,
    text="Read timed out",
    fields={"count": 812, "first_ts": "2026-03-02T14:03:12+00:00", "last_ts": "2026-03-02T14:41:55+00:00"},
)
REDIS = item(
    "io.lettuce.core.RedisCommandTimeoutException: Command timed out after 2 second(s) on cache-3.internal",
    ts="2026-03-02T14:07:07+00:00",
)
POD = item(
    "Back-off restarting failed container app in pod payment-service-7d9f8b6c-x2x1z (OOMKilled, exit code 137)",
    ts="2026-03-02T14:13:00+00:00",
    restarts=6,
)

ENGLISH: tuple[tuple[Item, str, str], ...] = (
    (HIKARI, "UTC", "All 20 connections of HikariPool-1 were active and 31 threads were waiting."),
    (HIKARI, "UTC", "At 14:05:31 a request to payment-service gave up after 30 s without a connection."),
    (HIKARI, "UTC", "The pool timed out after 30,000 ms; none of its 20 connections was idle (idle=0)."),
    (HIKARI, "UTC", "Around 14:05 the connection pool ran dry: active=20, waiting=31."),
    (HIKARI, "Asia/Shanghai", "At 22:05:31 (14:05:31 UTC) HikariPool-1 had no connection left."),
    (HIKARI, "UTC", "The 30-second timeout of the pool was reached on 2 March 2026."),
    (HIKARI, "UTC", "HikariPool was exhausted at 2:05 pm, after half a minute of waiting."),
    (NGINX, "UTC", "nginx answered POST /api/v1/pay with status 504 at 14:06:02."),
    (NGINX, "UTC", "The upstream 10.42.7.9:8080 did not reply; the client got a 5xx (504)."),
    (NGINX, "UTC", "One of the 504s came from 10.0.3.17."),
    (JAVA, "UTC", "order-service failed with DEADLINE_EXCEEDED after about 2 s."),
    (JAVA, "UTC", "The call to 10.42.3.8:9090 ended in a StatusRuntimeException after 2.0 seconds."),
    (
        GC,
        "UTC",
        "A full collection at 14:11 paused the JVM for 3.8 seconds and freed almost nothing: 1011M to 998M of 1024M.",
    ),
    (GC, "UTC", "GC(812) took roughly 3800 ms."),
    (KERNEL, "UTC", "The kernel of node-7 killed process 4711 at 14:12:09 with 4 GiB resident."),
    (ROW, "UTC", "Version v2.14.3 was deployed at 13:58; the statement read 1,284,551 rows in 4.2 s."),
    (ROW, "UTC", "After the deploy of v2.14.3 the query needed about 4.2 seconds and read 1.28 million rows."),
    (DISK, "UTC", "The disk of /var/lib/containers was 92 % full, that is 92.3% by the exact ratio."),
    (PG, "UTC", "The PostgreSQL server of orders-db refused clients at 14:04 (too many clients already)."),
    (PATTERN, "UTC", "Read timeouts occurred 812 times, from 14:03:12 to 14:41:55."),
    (PATTERN, "UTC", "The first of 812 timeouts was at 14:03, the last at 14:41."),
    (PATTERN, "UTC", "1240 events matched between 13:00 and 15:00, 812 of them read timeouts."),
    (REDIS, "UTC", "Commands to cache-3.internal timed out after 2 seconds (RedisCommandTimeoutException)."),
    (REDIS, "UTC", "The cache host cache-3 did not answer end-to-end, a long-running and time-out-prone call."),
    (POD, "UTC", "A pod of payment-service was OOMKilled with exit code 137 after 6 restarts."),
    (POD, "UTC", "In the 2 hours searched, payment-service-7d9f8b6c-x2x1z went into back-off."),
)
CHINESE: tuple[tuple[Item, str, str], ...] = (
    (
        HIKARI,
        "Asia/Shanghai",
        "22点05分31秒，payment-service的连接池HikariPool-1中20个连接全部被占用，31个线程在等待。",
    ),
    (HIKARI, "Asia/Shanghai", "请求在等待30秒（30000毫秒）后超时。"),
    (HIKARI, "Asia/Shanghai", "２２：０５左右，连接池已耗尽：active=20，idle=0。"),
    (NGINX, "Asia/Shanghai", "3月2日22:06:02，接口/api/v1/pay返回504。"),
    (JAVA, "Asia/Shanghai", "order-service调用10.42.3.8:9090约2秒后报DEADLINE_EXCEEDED。"),
    (GC, "Asia/Shanghai", "22点11分发生Full GC，停顿3.8秒，堆内存仅从1011M降到998M。"),
    (KERNEL, "Asia/Shanghai", "晚上10点12分，node-7内核杀死了进程4711。"),
    (ROW, "Asia/Shanghai", "2026年3月2日21:58发布v2.14.3之后，该语句读取约128万行，耗时4.2秒。"),
    (DISK, "Asia/Shanghai", "磁盘/var/lib/containers使用率达到百分之92（92%）。"),
    (ZH, "Asia/Shanghai", "库存服务调用支付网关超时，耗时30秒，错误码为E1001。"),
    (ZH, "Asia/Shanghai", "在2026-03-02 22:20，库存服务报错E1001。"),
    (PATTERN, "Asia/Shanghai", "读超时共出现812次，首次为22:03:12，最后一次为22:41:55。"),
    (PATTERN, "Asia/Shanghai", "21:00–23:00之间共有1,240条匹配日志。"),
    (POD, "Asia/Shanghai", "payment-service的一个容器因内存不足被终止（OOMKilled，退出码137），已重启6次。"),
)
