"""Hand-made incidents for the tests: a leak, its healthy twin, a lock queue, a stalled cache; words of the tests' own."""

from tests.models.offline.player import Table, World, log

POOL_DOC = """### Cause: connection leak in newly released code

**Mechanism.** A code path added by a release borrows a connection and never gives it back, so the pool
empties step by step after the rollout.

**Signature.** `leak detection triggered` with an `Apparent connection leak` trace. Statistics show
`idle=0`; borrowers fail with `Connection is not available`.

**Rules out.** Lock queues (`still waiting for`), or no rollout before the incident.

**Action.** Roll the release back after confirmation."""
LOCK_DOC = """### Cause: lock queue behind a long transaction

**Mechanism.** One transaction holds a row lock; everyone else waits in line with a connection in hand.

**Signature.** `still waiting for ShareLock` and `canceling statement due to lock timeout`; borrowers fail
with `Connection is not available`.

**Rules out.** Any `leak detection triggered` report.

**Action.** End the transaction that holds the lock."""
DISK_DOC = """### Cause: volume filled by a runaway log file

**Signature.** `No space left on device` on one host; `logrotate` reports an error.

**Action.** Truncate the file and lower the level."""
ZH_DOC = """### 原因：缓存实例被持久化刷盘拖住

**机理：** 重写期间磁盘写满带宽，刷盘迟迟不返回，主线程停住，依赖它的服务超时。

**特征：** 缓存实例反复出现 `Asynchronous AOF fsync is taking too long`；调用方抛出 `RedisCommandTimeoutException`。

**排除：** 缓存实例没有刷盘告警。

**处置：** 人工确认后恢复该配置项。"""


def docs():
    return [
        (
            "pool#chunk-3",
            "Connection pool exhaustion > Causes > Cause: connection leak in newly released code",
            POOL_DOC,
        ),
        ("pool#chunk-4", "Connection pool exhaustion > Causes > Cause: lock queue behind a long transaction", LOCK_DOC),
        ("disk#chunk-2", "Disk full > Causes > Cause: volume filled by a runaway log file", DISK_DOC),
        ("cache#chunk-2", "缓存变慢 > 可能的原因 > 原因：缓存实例被持久化刷盘拖住", ZH_DOC),
    ]


def deployments(service="pay-api", version="4.7.1", at="2026-03-04T10:02:11Z"):
    rows = [
        {"id": 1, "service": "mailer", "version": "1.0.3", "deployed_at": "2026-03-01T09:00:00Z"},
        {"id": 2, "service": service, "version": version, "deployed_at": at},
    ]
    columns = {
        "id": "INTEGER",
        "service": "TEXT",
        "version": "TEXT",
        "deployed_at": "TEXT [2026-03-01T09:00:00Z … 2026-03-04T10:02:11Z]",
    }
    return {"deployments": Table(columns, rows, "deployed_at")}


def noise():
    return [
        log(f"2026-03-04T09:{m:02d}:00+00:00", "web", "INFO", f"GET /cart 200 in {m + 11} ms") for m in range(40)
    ] + [log("2026-03-04T09:20:00+00:00", "mailer", "WARN", "delivery retry 1 of 3 succeeded for batch 8812")]


def leak(service="pay-api", pool="HikariPool-7", version="4.7.1"):
    tail = f"{pool} - Connection is not available, request timed out after 30001ms (total=15, active=15, idle=0, waiting=42)"
    logs = [
        *noise(),
        log(
            "2026-03-04T10:06:01+00:00",
            service,
            "WARN",
            f"Connection leak detection triggered for org.pg.Conn@1a2b on thread exec-4, {pool}",
        ),
        log("2026-03-04T10:06:40+00:00", service, "WARN", "java.lang.Exception: Apparent connection leak detected"),
        *(log(f"2026-03-04T10:{m}:10+00:00", service, "ERROR", tail) for m in range(10, 25)),
        *(
            log(
                f"2026-03-04T10:{m}:11+00:00",
                "web",
                "ERROR",
                f"upstream timed out while reading response header from upstream {service}",
            )
            for m in range(11, 25)
        ),
    ]
    return World(logs=logs, tables=deployments(service, version), docs=docs())


def locks(service="pay-api", pool="HikariPool-7"):
    logs = [
        *noise(),
        log(
            "2026-03-04T10:06:01+00:00",
            "pay-db",
            "WARN",
            "process 811 still waiting for ShareLock on transaction 99812 after 1000.1 ms",
        ),
        log("2026-03-04T10:07:01+00:00", "pay-db", "ERROR", "canceling statement due to lock timeout"),
        *(
            log(
                f"2026-03-04T10:{m}:10+00:00",
                service,
                "ERROR",
                f"{pool} - Connection is not available, request timed out after 30001ms",
            )
            for m in range(10, 25)
        ),
    ]
    return World(logs=logs, tables=deployments(at="2026-02-20T10:00:00Z"), docs=docs())


def healthy(service="pay-api", pool="HikariPool-7"):
    logs = [
        *noise(),
        *(
            log(
                f"2026-03-04T10:{m}:10+00:00",
                service,
                "WARN",
                f"{pool} - Pool stats (total=15, active=10, idle=5, waiting=0)",
            )
            for m in range(10, 25)
        ),
        *(
            log(f"2026-03-04T10:{m}:30+00:00", service, "WARN", "payment attempt timed out, retry 1 succeeded")
            for m in range(10, 25)
        ),
    ]
    return World(logs=logs, tables=deployments(at="2026-02-20T10:00:00Z"), docs=docs())


def cache_zh():
    logs = [
        *noise(),
        log(
            "2026-03-04T10:05:01+00:00",
            "stock-redis",
            "WARN",
            "Asynchronous AOF fsync is taking too long (disk is busy?). Writing the AOF buffer without waiting for fsync to complete",
        ),
        *(
            log(
                f"2026-03-04T10:{m}:10+00:00",
                "stock-service",
                "ERROR",
                "RedisCommandTimeoutException: Command timed out after 2 second(s)",
            )
            for m in range(10, 20)
        ),
        *(
            log(f"2026-03-04T10:{m}:12+00:00", "order-service", "ERROR", "调用 stock-service 失败：DEADLINE_EXCEEDED")
            for m in range(10, 20)
        ),
    ]
    return World(logs=logs, tables=deployments(at="2026-02-20T10:00:00Z"), docs=docs())
