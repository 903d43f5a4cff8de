"""Development set of the reviewer: ten incidents, drafts that hold and drafts that do not. Every planted draft uses words of its evidence."""

from dataclasses import dataclass

Json = dict


def ev(kind, text, *, tool="query_logs", **fields):
    status = "EVIDENCE_FOUND"
    return {
        "kind": kind,
        "tool": tool,
        "source": "app",
        "window": None,
        "evidence_status": status,
        "text": text,
        "fields": fields,
    }


def line(ts, service, level, text):
    return ev("TELEMETRY", text, ts=f"2026-05-06T{ts}+00:00", service=service, level=level)


def row(text, **fields):
    return ev("TELEMETRY", text, tool="query_sql", **fields)


def doc(breadcrumb, text):
    return ev("KNOWLEDGE", text, tool="lookup_knowledge", title=breadcrumb.split(" > ")[-1], breadcrumb=breadcrumb)


@dataclass(frozen=True)
class Incident:
    question: str
    evidence: tuple[Json, ...]

    def request(self, text, kind="ROOT_CAUSE") -> Json:
        evidence = [{"ref": f"E{n}", **item} for n, item in enumerate(self.evidence, 1)]
        analysis = [
            {
                "ref": f"A{n}",
                "kind": "NORMAL",
                "text": item["text"],
                "quotes": [{"evidence": item["ref"], "text": item["text"][:80]}],
            }
            for n, item in enumerate(evidence, 1)
        ]
        draft = {
            "conclusion": {"kind": kind, "text": text, "based_on": [a["ref"] for a in analysis]},
            "analysis": analysis,
            "actions": [],
            "recommendations": [],
        }
        return {"question": self.question, "draft": draft, "evidence": evidence}


LEAK = Incident(
    "Why do payments time out since ten?",
    (
        row(
            "service=pay-api, version=4.7.1, deployed_at=2026-05-06T09:58:00Z",
            service="pay-api",
            version="4.7.1",
            deployed_at="2026-05-06T09:58:00Z",
        ),
        line(
            "10:06:01",
            "pay-api",
            "WARN",
            "HikariPool-7 - Connection leak detection triggered for conn12 on thread exec-4",
        ),
        line(
            "10:10:10",
            "pay-api",
            "ERROR",
            "HikariPool-7 - Connection is not available, request timed out after 30001ms (total=15, active=15, idle=0, waiting=42)",
        ),
        line(
            "10:11:02",
            "shop-web",
            "ERROR",
            "upstream timed out while reading response header from upstream, request: POST /payments",
        ),
        doc(
            "Connection pool exhaustion > Cause: connection leak in newly released code",
            "### Cause: connection leak in newly released code\n\n**Mechanism.** A code path added by a release borrows a connection and never gives it back, so the pool empties step by step.\n\n**Signature.** `leak detection triggered`; statistics show `idle=0`.\n\n**Rules out.** Lock queues (`still waiting for`).",
        ),
        doc(
            "Connection pool exhaustion > Symptoms",
            "## Symptoms\n\nRequests of the service time out and callers report upstream timeouts.",
        ),
    ),
)
INDEX = Incident(
    "Why is order search slow after the 14:00 release?",
    (
        row(
            "script=V88__drop_unused.sql, statement=DROP INDEX orders_customer_idx, applied_at=2026-05-06T13:58:20Z",
            script="V88__drop_unused.sql",
            applied_at="2026-05-06T13:58:20Z",
        ),
        line(
            "14:01:10",
            "orders-db",
            "WARN",
            "duration: 4120.331 ms statement: SELECT id, total FROM orders WHERE customer_id = $1",
        ),
        line(
            "14:01:30",
            "orders-db",
            "WARN",
            "Seq Scan on orders (cost=0.00..188221.00 rows=812) Filter: (customer_id = 5512)",
        ),
        line("14:03:00", "search-api", "ERROR", "GET /orders/search took 9120 ms, client closed request"),
        doc(
            "Slow queries after a release > Cause: an index was dropped by a migration",
            "### Cause: an index was dropped by a migration\n\nWithout the index every lookup reads the whole table, and the query takes seconds.\n\n**Signature.** `DROP INDEX` in the migration history, then `Seq Scan` on the table.\n",
        ),
    ),
)
DISK = Incident(
    "Why can't db-2 accept writes?",
    (
        line(
            "03:10:00",
            "audit-agent",
            "WARN",
            "debug logging enabled, writing 48 MB/s to /var/lib/data/audit.log on db-2",
        ),
        line("03:41:12", "db-2", "ERROR", "could not write block 8812: No space left on device"),
        line("03:41:15", "db-2", "FATAL", "the database system is shutting down"),
        line(
            "03:42:00", "billing-api", "ERROR", "insert into invoices failed: server closed the connection unexpectedly"
        ),
        doc(
            "Disk full > Cause: runaway log file",
            "### Cause: runaway log file\n\nA service switched to debug output writes its log faster than rotation removes it and fills the volume; then every write fails.\n\n**Signature.** `No space left on device`.\n",
        ),
    ),
)
CERT = Incident(
    "为什么网关从今天零点开始大量 TLS 握手失败？",
    (
        line(
            "00:00:03",
            "edge-gw",
            "ERROR",
            "SSL_do_handshake() failed: certificate has expired (partner.example.net, notAfter=May  6 00:00:00 2026 GMT)",
        ),
        line("00:00:09", "partner-sync", "ERROR", "同步失败：与 edge-gw 的 TLS 握手失败"),
        line("23:00:00", "cert-bot", "WARN", "renewal of partner.example.net skipped: account locked")
        | {"fields": {"ts": "2026-05-05T23:00:00+00:00", "service": "cert-bot", "level": "WARN"}},
        doc(
            "证书问题 > 原因：证书到期未续期",
            "### 原因：证书到期未续期\n\n自动续期任务失败后，证书到期，所有新的握手都会失败。\n\n**特征：** `certificate has expired`；续期日志出现 `renewal` 与 `skipped`。\n\n**处置：** 人工续期。",
        ),
    ),
)
OOM = Incident(
    "Why does recommender keep restarting?",
    (
        line("08:15:40", "recommender", "INFO", "loading model snapshot v9 into heap, size 5.8 GiB"),
        line(
            "08:16:02",
            "kernel",
            "ERROR",
            "Memory cgroup out of memory: Killed process 4411 (recommender) total-vm:8812004kB",
        ),
        line("08:16:04", "kubelet", "WARN", "Container recommender terminated: OOMKilled, restart count 7"),
        line("08:16:30", "home-web", "ERROR", "502 from recommender: connection refused"),
        doc(
            "Container restarts > Cause: the container exceeds its memory limit",
            "### Cause: the container exceeds its memory limit\n\nThe kernel kills the process as soon as the cgroup limit is reached, and the container restarts.\n\n**Signature.** `Memory cgroup out of memory` and `OOMKilled`.\n\n**Rules out.** `Liveness probe failed` before the kill.\n",
        ),
    ),
)
DNS = Incident(
    "Why does mail-worker fail to reach the provider?",
    (
        line(
            "16:20:00",
            "node-resolver",
            "ERROR",
            "upstream nameserver 10.0.0.2 not responding, SERVFAIL for smtp.provider.example",
        ),
        line(
            "16:20:07",
            "mail-worker",
            "ERROR",
            "getaddrinfo smtp.provider.example: Temporary failure in name resolution",
        ),
        line("16:21:00", "mail-worker", "WARN", "1200 messages deferred"),
        doc(
            "Name resolution > Cause: the upstream nameserver does not answer",
            "### Cause: the upstream nameserver does not answer\n\nThe local resolver returns SERVFAIL when its upstream is silent, so applications cannot resolve any name.\n\n**Signature.** `SERVFAIL` at the resolver and `Temporary failure in name resolution` in applications.\n",
        ),
    ),
)
QUEUE = Incident(
    "为什么订单通知延迟了半小时？",
    (
        line(
            "11:02:00",
            "notify-worker",
            "ERROR",
            "消费者 notify-worker-3 处理消息失败，无限重试：JSON 解析异常 offset=88123",
        ),
        line("11:05:00", "kafka-monitor", "WARN", "消费组 notify 在主题 order-events 上积压 52000 条"),
        line("11:30:00", "notify-api", "WARN", "订单通知延迟 1800 秒"),
        doc(
            "消息积压 > 原因：毒消息阻塞消费者",
            "### 原因：毒消息阻塞消费者\n\n一条无法解析的消息被无限重试，消费者停在同一个位置，后面的消息不断积压，通知因此延迟。\n\n**特征：** `无限重试`，位置不再前进。\n\n**排除：** 多个分区同时积压。",
        ),
    ),
)
CACHE = Incident(
    "Why did catalog latency jump at noon?",
    (
        row(
            "name=maxmemory, service=catalog-redis, old_value=8gb, new_value=2gb, changed_at=2026-05-06T11:55:00Z",
            service="catalog-redis",
            name="maxmemory",
            old_value="8gb",
            new_value="2gb",
            changed_at="2026-05-06T11:55:00Z",
        ),
        line("12:00:10", "catalog-redis", "WARN", "evicted_keys 91822 in 60 s, used_memory 2.00G of maxmemory 2.00G"),
        line("12:01:00", "catalog-api", "WARN", "cache hit rate 22 %, reading from catalog-db"),
        line("12:02:00", "catalog-api", "ERROR", "GET /items p99 latency 4200 ms"),
        doc(
            "Cache trouble > Cause: the memory limit of the cache was lowered",
            "### Cause: the memory limit of the cache was lowered\n\nA smaller `maxmemory` makes the cache evict live keys; misses go to the database and latency rises.\n\n**Signature.** `evicted_keys` grows while `maxmemory` changed.\n",
        ),
    ),
)
LIMIT = Incident(
    "Why do checkouts fail with 429?",
    (
        line("18:00:00", "price-crawler", "INFO", "batch reprice started with 400 parallel calls to tax-service"),
        line(
            "18:00:20", "tax-service", "WARN", "rate limit exceeded for client default: 1200 requests in 1 s, limit 300"
        ),
        line("18:00:25", "checkout-api", "ERROR", "tax-service answered 429 Too Many Requests"),
        doc(
            "Rate limiting > Cause: a batch job uses up the shared quota",
            "### Cause: a batch job uses up the shared quota\n\nA batch job that shares a client id with live traffic consumes the quota, and live requests are rejected with 429.\n\n**Signature.** `rate limit exceeded` right after a batch starts.\n",
        ),
    ),
)
TYPO = Incident(
    "为什么 report-service 发布后一直连不上数据库？",
    (
        row(
            "service=report-service, name=db.host, old_value=report-db.internal, new_value=reprot-db.internal, changed_at=2026-05-06T09:30:00Z",
            service="report-service",
            name="db.host",
            old_value="report-db.internal",
            new_value="reprot-db.internal",
            changed_at="2026-05-06T09:30:00Z",
        ),
        line("09:31:00", "report-service", "ERROR", "java.net.UnknownHostException: reprot-db.internal"),
        line("09:31:30", "report-service", "ERROR", "数据库连接失败，启动中止"),
        doc(
            "配置错误 > 原因：配置项写错",
            "### 原因：配置项写错\n\n变更时把主机名写错，服务解析不到数据库，启动失败。\n\n**特征：** `UnknownHostException` 后面的名字与变更记录里的新值相同。",
        ),
    ),
)

GOOD: tuple[tuple[str, Incident, str], ...] = (
    (
        "leak plain",
        LEAK,
        "Payments time out because release 4.7.1 of pay-api leaks connections: HikariPool-7 ran out (idle=0).",
    ),
    (
        "leak chain",
        LEAK,
        "A connection leak introduced with pay-api 4.7.1 drained HikariPool-7, so requests in pay-api timed out after 30001ms and shop-web saw upstream timeouts.",
    ),
    (
        "leak named",
        LEAK,
        "The root cause of the payment timeouts is a connection leak in pay-api's newly deployed version 4.7.1; leak detection was triggered at 10:06 and by 10:10 all 15 connections were active.",
    ),
    (
        "leak zh",
        LEAK,
        "支付超时的根因是 pay-api 4.7.1 版本发布后出现连接泄漏，HikariPool-7 的 15 个连接全部被占用，idle=0。",
    ),
    (
        "index plain",
        INDEX,
        "Order search became slow because migration V88__drop_unused.sql dropped orders_customer_idx; since then orders is read with a Seq Scan.",
    ),
    (
        "index active",
        INDEX,
        "The release's migration removed the index orders_customer_idx, which led to sequential scans on orders in orders-db and queries of 4120.331 ms, and search-api requests took 9120 ms.",
    ),
    (
        "index zh",
        INDEX,
        "由于 13:58 的迁移删除了索引 orders_customer_idx，orders 表的查询变成顺序扫描，search-api 的订单搜索因此变慢。",
    ),
    (
        "disk",
        DISK,
        "db-2 cannot write because its volume is full: audit-agent, with debug logging enabled, wrote 48 MB/s into audit.log until there was no space left on the device.",
    ),
    (
        "disk chain",
        DISK,
        "A runaway audit.log from audit-agent filled the disk of db-2; as a result writes failed and billing-api could not insert invoices.",
    ),
    ("cert zh", CERT, "partner.example.net 的证书到期且未续期，导致 edge-gw 从零点起 TLS 握手失败。"),
    (
        "cert named",
        CERT,
        "根因：证书 partner.example.net 已过期（cert-bot 的续期被跳过），因此 edge-gw 上的握手失败，partner-sync 同步失败。",
    ),
    (
        "cert en",
        CERT,
        "edge-gw rejects TLS handshakes because the certificate of partner.example.net has expired; cert-bot skipped its renewal.",
    ),
    (
        "oom",
        OOM,
        "recommender keeps restarting because it exceeds its memory limit: the kernel killed process 4411 when the cgroup ran out of memory.",
    ),
    (
        "oom named",
        OOM,
        "Root cause: the recommender container hit its memory limit and was OOMKilled. home-web then got 502 from recommender.",
    ),
    (
        "dns",
        DNS,
        "mail-worker cannot resolve smtp.provider.example since the upstream nameserver 10.0.0.2 does not answer, which made node-resolver return SERVFAIL.",
    ),
    (
        "dns passive",
        DNS,
        "The name resolution failures in mail-worker were caused by an unresponsive upstream nameserver (10.0.0.2) behind node-resolver.",
    ),
    (
        "queue zh",
        QUEUE,
        "notify-worker-3 对一条无法解析的毒消息无限重试，阻塞了消费，order-events 积压 52000 条，因此订单通知延迟 1800 秒。",
    ),
    ("queue zh named", QUEUE, "订单通知延迟是由毒消息阻塞消费者引起的：notify-worker-3 停在 offset=88123 反复重试。"),
    (
        "cache",
        CACHE,
        "The latency jump of catalog-api was caused by lowering maxmemory of catalog-redis from 8gb to 2gb at 11:55, which made it evict keys and dropped the cache hit rate to 22 %.",
    ),
    (
        "cache plain",
        CACHE,
        "Because the memory limit of catalog-redis was lowered, keys were evicted, the cache hit rate fell and GET /items latency rose to 4200 ms.",
    ),
    (
        "limit",
        LIMIT,
        "Checkouts fail with 429 because the batch reprice of price-crawler used up the shared quota of tax-service.",
    ),
    (
        "limit chain",
        LIMIT,
        "price-crawler's batch job with 400 parallel calls exhausted the rate limit of tax-service, so checkout-api received 429 Too Many Requests.",
    ),
    (
        "typo zh",
        TYPO,
        "report-service 的配置项 db.host 在 09:30 被写错为 reprot-db.internal，导致无法解析主机，数据库连接失败。",
    ),
    (
        "typo en",
        TYPO,
        "report-service cannot connect because db.host was misspelled as reprot-db.internal in the configuration change at 09:30, hence the UnknownHostException.",
    ),
)

PLANTED: tuple[tuple[str, Incident, str], ...] = (
    ("leak swapped", LEAK, "The upstream timeouts of payments caused the connection leak in pay-api 4.7.1."),
    ("leak swapped because", LEAK, "HikariPool-7 leaked connections because requests timed out after 30001ms."),
    (
        "leak wrong service",
        LEAK,
        "Payments time out because shop-web leaks connections: HikariPool-7 ran out (idle=0).",
    ),
    ("leak symptom", LEAK, "The root cause is that payments time out: requests timed out after 30001ms."),
    (
        "leak symptom upstream",
        LEAK,
        "Payments fail because upstream timed out while reading response header from upstream.",
    ),
    ("leak swapped zh", LEAK, "支付超时导致了 pay-api 的连接泄漏。"),
    ("leak too wide", LEAK, "A connection leak in release 4.7.1 of pay-api makes all services time out."),
    (
        "index swapped",
        INDEX,
        "The slow search led to the index orders_customer_idx being dropped by migration V88__drop_unused.sql.",
    ),
    (
        "index wrong service",
        INDEX,
        "Order search is slow because search-api runs a Seq Scan on orders after orders_customer_idx was dropped.",
    ),
    ("index symptom", INDEX, "Order search is slow because GET /orders/search took 9120 ms."),
    ("disk swapped", DISK, "Failed writes on db-2 filled the volume with a runaway log file of audit-agent."),
    (
        "disk wrong service",
        DISK,
        "billing-api ran out of space: No space left on device, because of the runaway log file.",
    ),
    ("disk symptom", DISK, "db-2 cannot accept writes because the database system is shutting down."),
    ("cert swapped", CERT, "edge-gw 的 TLS 握手失败导致 partner.example.net 证书到期未续期。"),
    ("cert wrong service", CERT, "partner-sync 的证书 partner.example.net 已到期未续期，导致握手失败。"),
    ("cert symptom", CERT, "根因是 TLS 握手失败：partner-sync 与 edge-gw 的握手失败。"),
    ("oom swapped", OOM, "The restarts of recommender made the container exceed its memory limit."),
    ("oom wrong service", OOM, "home-web keeps restarting because it exceeds its memory limit: Killed process 4411."),
    ("oom symptom", OOM, "recommender restarts because of 502 and connection refused."),
    ("dns swapped", DNS, "The upstream nameserver does not answer because mail-worker fails to resolve names."),
    (
        "dns wrong service",
        DNS,
        "mail-worker returned SERVFAIL because the upstream nameserver 10.0.0.2 does not answer.",
    ),
    ("queue swapped", QUEUE, "订单通知延迟导致毒消息阻塞消费者。"),
    ("queue wrong service", QUEUE, "notify-api 无限重试毒消息，阻塞消费者，导致订单通知延迟。"),
    ("queue symptom", QUEUE, "订单通知延迟的根因是通知延迟 1800 秒。"),
    ("cache swapped", CACHE, "The latency of GET /items caused the memory limit of catalog-redis to be lowered."),
    (
        "cache turned",
        CACHE,
        "Latency jumped because maxmemory of catalog-redis was changed from 2gb to 8gb and keys were evicted.",
    ),
    ("cache wrong service", CACHE, "The memory limit of catalog-db was lowered, so catalog-api latency rose."),
    ("limit swapped", LIMIT, "The 429 answers of checkout-api caused the batch job to use up the shared quota."),
    (
        "limit wrong service",
        LIMIT,
        "Checkouts fail because the batch reprice of checkout-api used up the shared quota of tax-service.",
    ),
    ("limit symptom", LIMIT, "Checkouts fail because checkout-api got 429 Too Many Requests."),
    ("typo swapped", TYPO, "数据库连接失败导致 db.host 配置项写错。"),
    ("typo symptom", TYPO, "report-service 连不上数据库的根因是数据库连接失败，启动中止。"),
)


def late(incident: Incident, at: int, ts: str) -> Incident:
    """The incident with one item moved to another time of the same day."""
    item = incident.evidence[at]
    old = next(v for k, v in item["fields"].items() if k == "ts" or k.endswith("_at"))
    new = f"2026-05-06T{ts}" + old[19:]
    fields = {k: new if v == old else v for k, v in item["fields"].items()}
    moved = {**item, "fields": fields, "text": item["text"].replace(old, new)}
    return Incident(incident.question, (*incident.evidence[:at], moved, *incident.evidence[at + 1 :]))


LATE_LEAK = late(late(LEAK, 0, "10:40:00"), 1, "10:45:00")
PLANTED_LATE: tuple[tuple[str, Incident, str], ...] = (
    ("leak late", LATE_LEAK, GOOD[0][2]),
    ("leak late zh", LATE_LEAK, GOOD[3][2]),
    ("index late", late(INDEX, 0, "14:40:00"), GOOD[4][2]),
    ("cache late", late(late(CACHE, 0, "12:30:00"), 1, "12:31:00"), GOOD[19][2]),
    ("limit late", late(LIMIT, 0, "18:20:00"), GOOD[20][2]),
    ("typo late", late(TYPO, 0, "10:30:00"), GOOD[22][2]),
    ("disk late", late(DISK, 0, "04:30:00"), GOOD[8][2]),
)
